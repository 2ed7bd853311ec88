"""Answers for Algemy: a hitting set over bit sets of options, found by forced moves and failure weights.

An *option* is a source colour in a cell, with only those bits that every crystal in sight allows; so light
that must not arrive needs no further thought. What remains are *demands*: each empty cell must be lit, each
crystal must get each of its primaries. A demand is one Python integer, the set of options that meet it.
Choosing an option closes all options of its sight-lines; a demand with one open option forces it, a demand
with none is a dead end.

Branching takes the demand with the fewest options per failure weight (dom/wdeg: Boussemart, Hemery, Lecoutre,
Sais, "Boosting systematic search by weighting constraints", ECAI 2004) and restarts with a growing budget of
dead ends.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from solver.algemy.board import BITS, EMPTY, FULL, PRIMARY, Algemy, Solution
from solver.answer import Answer, Limits
from solver.errors import NoSolution, SearchLimit

# Dead ends before the first restart, and how the budget grows: small enough to leave a bad start quickly,
# growing so that the search stays complete.
FIRST_BUDGET = 30
BUDGET_GROWTH = 1.4
# The clock is asked once per this many branchings.
NODES_PER_LOOK = 64

EDGE = -1
UNSEEN = 8
PRIMARIES: Mapping[str, tuple[int, ...]] = {
    colour: tuple(primary for primary in (1, 2, 4) if primary & bits) for colour, bits in BITS.items()
}


def solve(puzzle: Algemy, limits: Limits = Limits()) -> Answer[Solution]:  # noqa: B008 (frozen)
    """A solution; with `limits.unique` also whether it is the only one, colours included.

    An unknown palette is tried as RYB, then as ROYGBV; the solution is then called unique only when ROYGBV
    has no other one, and not unique only when the palette it was found with has two.
    Raises NoSolution (proved) and SearchLimit.
    """
    stop = limits.stopper() if limits.seconds is not None else None
    palettes = (puzzle.palette,) if puzzle.palette else (PRIMARY, FULL)
    for palette in palettes:
        try:
            model = _model(puzzle, palette, every=False)
            chosen = next(_solutions(model, stop))
        except (NoSolution, StopIteration):
            if palette == palettes[-1]:
                raise _refused(puzzle, palette) from None
            continue
        except TimeoutError:
            raise SearchLimit(
                f"no solution found within {limits.seconds:g} s, and none ruled out", hint="allow more time"
            ) from None
        solution = _placed(puzzle, model, chosen)
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
    model = _model(puzzle, palette, every=True)
    try:
        for chosen in _solutions(model, stop):
            other = _placed(puzzle, model, chosen)
            if other != solution:
                return False, other
    except TimeoutError:
        return None, None
    return True, None


@lru_cache(maxsize=64)
def _lines(shape: str, lengths: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The full lines of a board in every direction: cell numbers, counted row by row, and EDGE at the end."""
    lines: dict[tuple[int, int], list[int]] = {}
    number = 0
    top = lengths.index(max(lengths))
    for row, length in enumerate(lengths):
        for col in range(length):
            if shape == "square":
                keys: tuple[int, ...] = (row, col)
            else:
                q = col - min(row, top)
                keys = (row, q, q + row)
            for direction, key in enumerate(keys):
                lines.setdefault((direction, key), []).append(number)
            number += 1
    return tuple((*line, EDGE) for line in lines.values())


@lru_cache(maxsize=8)
def _colours(palette: str, every: bool) -> tuple[str, ...]:
    """The source colours worth trying, by the primaries that may shine (8: no crystal is in sight).

    More light than needed never hurts, so unless all solutions are wanted only the richest colours stay, and
    any one where nobody sees it.

    >>> _colours("ROYGBV", False)[7], _colours("ROYGBV", False)[3], _colours("ROYGBV", True)[3]
    ('OGV', 'O', 'ROY')
    """
    table = []
    for allowed in range(16):
        fitting = [colour for colour in palette if BITS[colour] | allowed == allowed]
        if not every:
            bits = [BITS[colour] for colour in fitting]
            fitting = [c for c in fitting if not any(b != BITS[c] and b | BITS[c] == b for b in bits)]
            if allowed & UNSEEN:
                fitting = fitting[:1]
        table.append("".join(fitting))
    return tuple(table)


@dataclass(frozen=True, slots=True)
class _Model:
    """Options and demands of one board.

    options: (cell number, colour letter) per option.
    closes: per option the options that cannot stand beside it, itself included.
    demands: per demand the options that meet it; none is empty.
    """

    options: list[tuple[int, str]]
    closes: list[int]
    demands: list[int]


def _model(puzzle: Algemy, palette: str, every: bool) -> _Model:
    """Options and demands; `every` also keeps the options that another one always replaces.

    Raises NoSolution when a demand has no option at all.
    """
    letters = "".join(puzzle.rows) + "|"
    allowed = [7 | UNSEEN] * len(letters)
    runs: list[list[int]] = []
    beside: dict[int, list[int]] = {}
    for line in _lines(puzzle.shape, puzzle.lengths):
        run: list[int] = []
        before = EDGE
        for number in line:
            if letters[number] == EMPTY:
                run.append(number)
                continue
            if run:
                for crystal in (before, number):
                    if crystal != EDGE:
                        beside.setdefault(crystal, []).append(len(runs))
                        bits = BITS[letters[crystal]]
                        for cell in run:
                            allowed[cell] &= bits
                runs.append(run)
                run = []
            before = number

    table = _colours(palette, every)
    options: list[tuple[int, str]] = []
    own: dict[int, int] = {}
    with_primary = {1: 0, 2: 0, 4: 0}
    for number, letter in enumerate(letters):
        if letter != EMPTY:
            continue
        own[number] = 0
        for colour in table[allowed[number]]:
            bit = 1 << len(options)
            own[number] |= bit
            for primary in PRIMARIES[colour]:
                with_primary[primary] |= bit
            options.append((number, colour))

    in_run = []
    close = dict.fromkeys(own, 0)
    for run in runs:
        mask = 0
        for cell in run:
            mask |= own[cell]
        in_run.append(mask)
        for cell in run:
            close[cell] |= mask
    demands = set(close.values())
    for crystal, letter in enumerate(letters[:-1]):
        if letter != EMPTY and letter != "W":
            sight = 0
            for index in beside.get(crystal, ()):
                sight |= in_run[index]
            for primary in PRIMARIES[letter]:
                demands.add(sight & with_primary[primary])
    if 0 in demands:
        raise NoSolution("a cell or crystal has no possible source in sight")
    return _Model(options, [close[number] for number, _ in options], sorted(demands))


def _solutions(model: _Model, stop: Callable[[], bool] | None) -> Iterator[list[int]]:
    """Sets of options that meet every demand, each at least once: after a restart some come again.

    Raises TimeoutError when `stop` says so.
    """
    weights = [1] * len(model.demands)
    budget = float(FIRST_BUDGET)
    while not (yield from _walk(model, weights, int(budget), stop)):
        budget *= BUDGET_GROWTH


def _walk(
    model: _Model, weights: list[int], budget: int, stop: Callable[[], bool] | None
) -> Generator[list[int], None, bool]:
    """One depth-first walk; returns whether it saw everything before `budget` dead ends.

    weights: grows by one for each demand that ended a branch.
    """
    demands, closes = model.demands, model.closes
    looks = 0
    # A branch is what was open and unmet above it, what was chosen, and the option it chooses itself (-1 at
    # the top).
    everything = (1 << len(closes)) - 1
    branches: list[tuple[int, list[int], list[int], int]] = [(everything, list(range(len(demands))), [], -1)]
    while branches:
        free, unmet, chosen, option = branches.pop()
        met = 0
        if option >= 0:
            chosen = [*chosen, option]
            met = 1 << option
            free &= ~closes[option]
        rest = _forced(model, weights, free, unmet, met, chosen)
        if rest is None:
            budget -= 1
            if budget < 0:
                return False
            continue
        free, unmet = rest
        if not unmet:
            yield chosen
            continue
        looks += 1
        if stop is not None and looks % NODES_PER_LOOK == 0 and stop():
            raise TimeoutError
        tightest = min(unmet, key=lambda index: (demands[index] & free).bit_count() / weights[index])
        # The first option leaves the others open, each later one excludes those before it; popped from the
        # end.
        excluded = 0
        later = []
        for option in _each(demands[tightest] & free):
            later.append((free & ~excluded, unmet, chosen, option))
            excluded |= 1 << option
        branches.extend(reversed(later))
    return True


def _forced(
    model: _Model, weights: list[int], free: int, unmet: list[int], met: int, chosen: list[int]
) -> tuple[int, list[int]] | None:
    """Open options and unmet demands after all forced moves; None at a dead end, whose demand gains weight.

    met: the options chosen last, whose demands are still among `unmet`.
    chosen: grows by the forced options.
    """
    demands, closes = model.demands, model.closes
    forced = True
    while forced:
        forced = False
        left = []
        for index in unmet:
            demand = demands[index]
            if demand & met:
                continue
            choices = demand & free
            if choices & (choices - 1):
                left.append(index)
            elif choices:
                option = choices.bit_length() - 1
                chosen.append(option)
                met |= choices
                free &= ~closes[option]
                forced = True
            else:
                weights[index] += 1
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


def _placed(puzzle: Algemy, model: _Model, chosen: list[int]) -> Solution:
    """Chosen options as a solution, row by row."""
    colours = dict(model.options[option] for option in chosen)
    solution = {}
    first = 0
    for row, length in enumerate(puzzle.lengths):
        for number in range(first, first + length):
            if number in colours:
                solution[puzzle.cell(row, number - first)] = colours[number]
        first += length
    return solution


def _refused(puzzle: Algemy, palette: str) -> NoSolution:
    return NoSolution(
        f"this board has no solution with the sources {' '.join(palette)}",
        hint="a misread crystal, or the other palette" if puzzle.palette else "most likely a misread crystal",
    )
