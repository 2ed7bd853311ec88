"""Answers for Algemy: a hitting set over bit sets of options, found by forced moves and failure weights.

Options and demands are those of `model`. Choosing an option closes all options of its sight-lines; a demand with one
open option forces it, a demand with none is a dead end.

Branching takes the demand with the fewest options per failure weight (dom/wdeg: Boussemart, Hemery, Lecoutre,
Sais, "Boosting systematic search by weighting constraints", ECAI 2004) and restarts with a growing budget of
dead ends.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from solver.algemy.board import FULL, PRIMARY, Algemy, Solution
from solver.algemy.model import Model, model
from solver.answer import Answer, Limits
from solver.errors import NoSolution, SearchLimit

# Dead ends before the first restart, and how the budget grows: small enough to leave a bad start quickly,
# growing so that the search stays complete.
FIRST_BUDGET = 30
BUDGET_GROWTH = 1.4
# The clock is asked once per this many branchings.
NODES_PER_LOOK = 64


def solve(puzzle: Algemy, limits: Limits = Limits()) -> Answer[Solution]:  # noqa: B008 (frozen)
    """A solution; with `limits.unique` also whether it is the only one, colours included.

    An unknown palette is tried as RYB, then as ROYGBV; the solution is then called unique only when ROYGBV
    has no other one, and not unique only when the palette it was found with has two.
    Raises NoSolution (proved) and SearchLimit.
    """
    stop = None if limits.seconds is None and limits.choices is None else limits.stopper()
    palettes = (puzzle.palette,) if puzzle.palette else (PRIMARY, FULL)
    for palette in palettes:
        try:
            board = model(puzzle, palette, every=False)
            chosen = next(_solutions(board, stop))
        except StopIteration:
            if palette == palettes[-1]:
                raise _refused(puzzle, palette) from None
            continue
        except TimeoutError:
            raise SearchLimit(
                "no solution found in time, and none ruled out", hint="allow more time"
            ) from None
        solution = board.placed(chosen)
        if not limits.unique:
            return Answer(solution)
        unique, second = _uniqueness(puzzle, palette, solution, stop)
        if unique and palette != palettes[-1]:
            wider, _ = _uniqueness(puzzle, palettes[-1], solution, stop)
            unique = True if wider else None
        return Answer(solution, unique=unique, second=second)
    raise AssertionError("there is always a palette to try")


def _uniqueness(
    puzzle: Algemy, palette: str, solution: Solution, stop: Callable[[], bool] | None
) -> tuple[bool | None, Solution | None]:
    """Whether a solution is the only one, and another one where it is not; (None, None) when time is over."""
    board = model(puzzle, palette, every=True)
    try:
        for chosen in _solutions(board, stop):
            other = board.placed(chosen)
            if other != solution:
                return False, other
    except TimeoutError:
        return None, None
    return True, None


def _solutions(board: Model, stop: Callable[[], bool] | None) -> Iterator[list[int]]:
    """Sets of options that meet every demand, each at least once: after a restart some come again.

    Crystals come first: what they force lights most cells, and only for the others demands are made.
    Raises TimeoutError when `stop` says so.
    """
    weights: dict[int, int] = {}
    chosen: list[int] = []
    rest = _forced(board, weights, board.options, board.demands, 0, chosen)
    if rest is None:
        return
    dark = board.dark & ~board.lit_by(chosen)
    if dark:
        free, unmet = rest
        colours = (1 << board.width) - 1
        unmet = unmet + [board.shines[mark // board.width] * colours & free for mark in _each(dark)]
        rest = _forced(board, weights, free, unmet, 0, chosen)
        if rest is None:
            return
    if not rest[1]:
        yield chosen
        return
    budget = float(FIRST_BUDGET)
    while not (yield from _walk(board, weights, *rest, chosen, int(budget), stop)):
        budget *= BUDGET_GROWTH


def _walk(
    board: Model,
    weights: dict[int, int],
    free: int,
    unmet: list[int],
    chosen: list[int],
    budget: int,
    stop: Callable[[], bool] | None,
) -> Generator[list[int], None, bool]:
    """One depth-first walk; returns whether it saw everything before `budget` dead ends.

    free, unmet, chosen: options that are open, demands that are not met, and options that are taken, with no moves forced.
    weights: grows by one for each demand that ended a branch.
    """
    looks = 0
    colours = (1 << board.width) - 1
    # A branch is what was open, unmet and chosen above it, and the option it chooses itself.
    branches: list[tuple[int, list[int], list[int], int]] = []
    while True:
        looks += 1
        if stop is not None and looks % NODES_PER_LOOK == 0 and stop():
            raise TimeoutError
        # The first option leaves the others open, each later one excludes those before it; popped from the end.
        later = []
        for option in _each(_tightest(unmet, free, weights)):
            later.append((free, unmet, chosen, option))
            free ^= 1 << option
        branches.extend(reversed(later))
        while branches:
            free, unmet, chosen, option = branches.pop()
            chosen = [*chosen, option]
            free &= ~(board.shines[option // board.width] * colours)
            rest = _forced(board, weights, free, unmet, 1 << option, chosen)
            if rest is None:
                budget -= 1
                if budget < 0:
                    return False
            elif rest[1]:
                free, unmet = rest
                break
            else:
                yield chosen
        else:
            return True


def _tightest(unmet: list[int], free: int, weights: dict[int, int]) -> int:
    """The open options of the demand with the fewest per weight; each has two at least."""
    if weights:
        sizes = [(demand & free).bit_count() / weights.get(demand, 1) for demand in unmet]
        return unmet[sizes.index(min(sizes))] & free
    for demand in unmet:
        choices = demand & free
        rest = choices & (choices - 1)
        if not rest & (rest - 1):
            return choices
    return min((demand & free for demand in unmet), key=int.bit_count)


def _forced(
    board: Model, weights: dict[int, int], free: int, unmet: list[int], met: int, chosen: list[int]
) -> tuple[int, list[int]] | None:
    """Open options and unmet demands after all forced moves; None at a dead end, whose demand gains weight.

    met: the options chosen last, whose demands are still among `unmet`.
    chosen: grows by the forced options.
    """
    width, shines = board.width, board.shines
    colours = (1 << width) - 1
    forced = True
    while forced:
        forced = False
        left = []
        for demand in unmet:
            if demand & met:
                continue
            choices = demand & free
            if choices & (choices - 1):
                left.append(demand)
            elif choices:
                option = choices.bit_length() - 1
                chosen.append(option)
                met |= choices
                free &= ~(shines[option // width] * colours)
                forced = True
            else:
                weights[demand] = weights.get(demand, 1) + 1
                return None
        unmet = left
    return free, unmet


def _each(options: int) -> list[int]:
    """The members of a bit set, lowest first."""
    members = []
    while options:
        low = options & -options
        members.append(low.bit_length() - 1)
        options ^= low
    return members


def _refused(puzzle: Algemy, palette: str) -> NoSolution:
    return NoSolution(
        f"this board has no solution with the sources {' '.join(palette)}",
        hint="a misread crystal, or the other palette" if puzzle.palette else "most likely a misread crystal",
    )
