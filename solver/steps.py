"""How a board is solved, step by step, as plain values: what became known, and by which named rule.

Every game has a *reasoner* that knows its rules of deduction one at a time, the easiest first. `work` applies
them until none says anything new; where that is not enough it guesses, goes on, and takes back what the guess
led to when it ends in a contradiction. The reasoners stand beside the solvers and never slow them down: the
solvers use these rules or stronger ones in bulk, a reasoner uses them so that a person can follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, Protocol, TypeVar

from solver.errors import NoSolution

B = TypeVar("B")
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)

Kind = Literal["rule", "guess", "undo", "search"]


class Contradiction(Exception):
    """No solution continues this board; the message says why, for a player."""


@dataclass(frozen=True)
class Thought(Generic[S_co]):
    """One step of the work of solving; what is done on a screen is a `Step` of `bot.actions`.

    kind: "rule" follows from the board; "guess" does not; "undo" takes back the last guess and all that came of
        it; "search" is the rest, taken from the solver where too many guesses would have been needed.
    rule: its name. why: one sentence for a player.
    settled: what became known, cell -> value as in a solution.
    narrowed: cells of which fewer values are possible now, settled or not.
    focus: the cells that were looked at: a line, a ring, an island and its neighbours.
    board: what is known now, guesses included.
    maybe: what is possible in cells that are not settled, in the game's own form.
    depth: how many guesses the board rests on.
    """

    kind: Kind
    rule: str
    why: str
    settled: Mapping[Any, Any]
    board: S_co
    narrowed: frozenset[Any] = frozenset()
    focus: tuple[Any, ...] = ()
    maybe: Mapping[Any, Any] = field(default_factory=dict)
    depth: int = 0


@dataclass(frozen=True)
class Finding(Generic[B]):
    """What a reasoner finds on a board: the board after it, and the words for a Thought."""

    rule: str
    why: str
    board: B
    settled: Mapping[Any, Any] = field(default_factory=dict)
    narrowed: frozenset[Any] = frozenset()
    focus: tuple[Any, ...] = ()


class Reasoner(Protocol[B, S]):
    """The rules of one puzzle. A board `B` is never changed; every finding brings a new one."""

    def start(self, placed: S | None) -> B:
        """The board with what has been placed. Raises Contradiction."""
        ...

    def deduce(self, board: B) -> Finding[B] | None:
        """What the easiest rule that applies tells; None when no rule does. Raises Contradiction."""
        ...

    def branches(self, board: B) -> Iterator[Sequence[Finding[B]]]:
        """The choices there are, the best one first; none when the board is done.

        A choice is a number of ways to go on, of which at least one is right if the board has a solution.
        """
        ...

    def known(self, board: B) -> S:
        """The board as a partial solution."""
        ...

    def maybe(self, board: B) -> Mapping[Any, Any]:
        """What is possible in cells that are not settled."""
        ...


def work(
    reasoner: Reasoner[B, S], placed: S | None = None, *, solution: S | None = None, most: int | None = None
) -> Iterator[Thought[S]]:
    """The steps from a board to its solution, which is the board of the last step.

    solution, most: after `most` steps the rest is taken from `solution` in one step of the kind "search".
    Without any step the board is solved already. Raises NoSolution when every guess has been taken back.
    """
    for number, step in enumerate(_all_steps(reasoner, placed), 1):
        yield step
        if number == most and solution is not None:
            yield Thought("search", "search", "The rest comes from the solver's own search.", {}, solution)
            return


def _all_steps(reasoner: Reasoner[B, S], placed: S | None) -> Iterator[Thought[S]]:
    # What to try when a guess fails: the board before it, the next guess, and whether it is the last one left.
    waiting: list[tuple[int, B, Finding[B], bool]] = []
    depth = 0
    try:
        board = reasoner.start(placed)
    except Contradiction as end:
        raise _impossible(end) from end
    while True:
        try:
            finding = reasoner.deduce(board)
        except Contradiction as end:
            if not waiting:
                raise _impossible(end) from end
            depth, before, guess, last = waiting.pop()
            why = f"{_sentence(str(end))} So the guess was wrong."
            yield Thought(
                "undo", "dead end", why, {}, reasoner.known(before), maybe=reasoner.maybe(before), depth=depth
            )
            # When all others are refuted, the last one is no guess any more.
            depth += not last
            board = guess.board
            yield _step(reasoner, "rule" if last else "guess", _remaining(guess) if last else guess, depth)
            continue
        if finding is not None:
            board = finding.board
            yield _step(reasoner, "rule", finding, depth)
            continue
        guesses = next(iter(reasoner.branches(board)), ())
        if not guesses:
            return
        waiting += [(depth, board, guess, guess is guesses[-1]) for guess in reversed(guesses[1:])]
        depth += 1
        board = guesses[0].board
        yield _step(reasoner, "guess", guesses[0], depth)


def _remaining(guess: Finding[B]) -> Finding[B]:
    return replace(guess, rule="nothing else is left", why="Everything else led to a dead end.")


def _impossible(end: Contradiction) -> NoSolution:
    return NoSolution(str(end), hint="compare the clues, and what has been placed, with the screen")


def _step(reasoner: Reasoner[B, S], kind: Kind, finding: Finding[B], depth: int) -> Thought[S]:
    return Thought(
        kind,
        finding.rule,
        finding.why,
        finding.settled,
        reasoner.known(finding.board),
        finding.narrowed,
        finding.focus,
        reasoner.maybe(finding.board),
        depth,
    )


def _sentence(text: str) -> str:
    """A message as a sentence.

    >>> _sentence("row 3 has no room")
    'Row 3 has no room.'
    """
    return text[:1].upper() + text[1:].rstrip(".") + "."
