"""The next thing to do on a board: a deduction in words, a wrong mark, or, honestly, a cell by search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, TypeVar

from bot.game import Game
from bot.play import answer
from bot.show.guide import Guide
from bot.show.work import guide_of
from solver.answer import Answer, Limits
from solver.errors import NoSolution, SearchLimit
from solver.steps import Contradiction, Finding, Reasoner, Thought, work

B = TypeVar("B")

Status = Literal["hint", "wrong-mark", "solved"]

BY_SEARCH = "search"
DEAD_END = "dead end"
# Whether a mark is wrong needs to know that no other solution has it; that is looked for this long.
UNIQUE_S = 10.0
# Steps of one attempt: what takes longer to see is no hint.
MOST_STEPS = 3000
LONGEST_DEAD_END = 30
# A dead end this short is taken at once; for a shorter one than the best so far this many rules are applied.
SHORT, MOST_LOOKS = 2, 2500


@dataclass(frozen=True)
class Hint:
    """What to do next.

    rule: its name; "search" when no rule applies and the cell comes from the solver's solution.
    why: one sentence. because: what had to be seen before, in order; empty when the board itself shows it.
    settled: what can be entered, cell -> value. focus: the cells to look at. wrong: marks to take back.
    step: the step as the solver made it, for drawing; None when there is none.
    """

    status: Status
    rule: str = ""
    why: str = ""
    because: tuple[str, ...] = ()
    settled: Mapping[Any, Any] = field(default_factory=dict)
    focus: tuple[Any, ...] = ()
    wrong: Mapping[Any, Any] = field(default_factory=dict)
    step: Thought[Any] | None = None


def hint(game: Game[Any, Any], puzzle: Any, placed: Any, limits: Limits = Limits()) -> Hint:  # noqa: B008 - frozen
    """The next deduction from what is on the board.

    placed: a partial solution; None for an untouched board.
    Raises NoSolution for a puzzle that has none, SearchLimit.
    """
    guide = guide_of(game)
    found = answer(game, puzzle, Limits(limits.seconds))
    lying = game.entries(placed) if placed is not None else {}
    if placed is not None and not game.check(puzzle, placed):
        return Hint("solved", why="Nothing is missing: the board is solved.")
    wrong = _wrong(game, guide, lying, found)
    if wrong:
        other = _another(game, puzzle, placed, found, limits)
        if other is None:
            return _take_back(guide, puzzle, wrong, sure=found.cost is None)
        found = other
    if not _missing(game, guide, lying, found):
        return Hint("solved", why="Nothing is missing: the board is solved.")
    reasoner = guide.reasoner(puzzle, found)
    return (
        _next_rule(reasoner, placed, lying)
        or _dead_end(guide, puzzle, reasoner, placed)
        or _by_search(game, guide, puzzle, found, lying)
    )


def _wrong(
    game: Game[Any, Any], guide: Guide[Any, Any], lying: Mapping[Any, Any], found: Answer[Any]
) -> dict[Any, Any]:
    """The marks that differ from the solution."""
    right = game.entries(found.solution)
    return {cell: value for cell, value in lying.items() if guide.wrong(value, right.get(cell))}


def _missing(
    game: Game[Any, Any], guide: Guide[Any, Any], lying: Mapping[Any, Any], found: Answer[Any]
) -> dict[Any, Any]:
    """What the solution has and the board has not, but for blanks that need no mark."""
    right = game.entries(found.solution)
    return {cell: value for cell, value in right.items() if value != guide.blank and lying.get(cell) != value}


def _another(
    game: Game[Any, Any], puzzle: Any, placed: Any, found: Answer[Any], limits: Limits
) -> Answer[Any] | None:
    """A solution that has all marks, where the puzzle has several; None when there is none.

    Raises SearchLimit when neither is found out.
    """
    if found.cost is not None:
        # The cheapest chain is the one to follow; what lies in its way has to go.
        return None
    seconds = UNIQUE_S if limits.seconds is None else limits.seconds
    if game.solve(puzzle, Limits(seconds, unique=True)).unique:
        return None
    last: Any = placed
    steps = 0
    try:
        for step in islice(work(guide_of(game).reasoner(puzzle, found), placed), MOST_STEPS):
            last = step.board
            steps += 1
    except NoSolution:
        return None
    if game.check(puzzle, last):
        raise SearchLimit(
            f"no solution with these marks found in {steps} steps, and none ruled out",
            hint="take back the marks that are guesses",
        )
    return Answer(last)


def _take_back(guide: Guide[Any, Any], puzzle: Any, wrong: Mapping[Any, Any], sure: bool) -> Hint:
    cell, value = min(wrong.items(), key=lambda item: str(item[0]))
    where, what = guide.words(puzzle, cell, value)
    more = f" ({len(wrong) - 1} more like it)" if len(wrong) > 1 else ""
    end = "no solution has that with the rest" if sure else "it lies where the cheapest chain goes"
    return Hint("wrong-mark", "wrong mark", f"Take back {what} {where}: {end}{more}.", wrong=wrong)


def _next_rule(reasoner: Reasoner[Any, Any], placed: Any, lying: Mapping[Any, Any]) -> Hint | None:
    """The first step that settles something new, and what had to be seen before it; None when it is a guess."""
    # Who marks no blank cells of a nonogram is not told of blanks again and again.
    no_blanks = bool(lying) and "." not in lying.values()
    before: list[Thought[Any]] = []
    for step in islice(work(reasoner, placed), MOST_STEPS):
        if step.kind != "rule":
            return None
        news = {cell: value for cell, value in step.settled.items() if not (no_blanks and value == ".")}
        if news:
            return Hint("hint", step.rule, step.why, _because(before, step), news, step.focus, step=step)
        before.append(step)
    return None


def _because(before: list[Thought[Any]], last: Thought[Any]) -> tuple[str, ...]:
    """The sentences of those earlier steps that narrowed what later ones looked at."""
    looked_at = set(last.focus)
    told: list[str] = []
    for step in reversed(before):
        if step.narrowed & looked_at:
            told.append(step.why)
            looked_at.update(step.focus)
    return tuple(reversed(told))


def _dead_end(guide: Guide[Any, Any], puzzle: Any, reasoner: Reasoner[B, Any], placed: Any) -> Hint | None:
    """A choice of which all ways but one soon end badly, the shortest to see; None when there is none.

    What comes of a way is followed by the rules alone, without further guesses.
    """
    board = reasoner.start(placed)
    seen_before: list[str] = []
    while (finding := reasoner.deduce(board)) is not None:
        board = finding.board
        seen_before.append(finding.why)
    looks = MOST_LOOKS
    best: tuple[int, Hint] | None = None
    for ways in reasoner.branches(board):
        alive: list[Finding[B]] = []
        ends: list[str] = []
        length = 0
        for way in ways:
            followed, end = _follow(reasoner, way.board)
            looks -= followed + 1
            length += followed
            if end is None:
                alive.append(way)
            else:
                far = f"after {followed} more steps " if followed > 1 else ""
                ends.append(f"{way.why.rstrip('.')}: {far}{end}")
            if len(alive) > 1:
                break
        if len(alive) == 1 and alive[0].settled and (best is None or length < best[0]):
            told = ", ".join(" ".join(guide.words(puzzle, *one)[::-1]) for one in alive[0].settled.items())
            why = f"{'. '.join(ends)}. So: {told}."
            step = Thought("rule", DEAD_END, why, alive[0].settled, reasoner.known(alive[0].board))
            best = (
                length,
                Hint(
                    "hint",
                    DEAD_END,
                    why,
                    tuple(seen_before),
                    alive[0].settled,
                    tuple(alive[0].settled),
                    step=step,
                ),
            )
        if looks < 0 or (best is not None and best[0] <= SHORT):
            break
    return None if best is None else best[1]


def _follow(reasoner: Reasoner[B, Any], board: B) -> tuple[int, str | None]:
    """How many rules apply one after the other, and how it ends when it ends badly."""
    for followed in range(LONGEST_DEAD_END):
        try:
            finding = reasoner.deduce(board)
        except Contradiction as end:
            return followed, str(end)
        if finding is None:
            break
        board = finding.board
    return LONGEST_DEAD_END, None


def _by_search(
    game: Game[Any, Any], guide: Guide[Any, Any], puzzle: Any, found: Answer[Any], lying: Mapping[Any, Any]
) -> Hint:
    cell, value = min(_missing(game, guide, lying, found).items(), key=lambda item: str(item[0]))
    where, what = guide.words(puzzle, cell, value)
    why = f"No simple rule applies here; by search: {what} {where}."
    return Hint("hint", BY_SEARCH, why, (), {cell: value}, (cell,))
