"""A nonogram in clauses: which cells are filled, and where the runs of every line start.

Besides one variable for every cell and ink there is one for "the run starts at p or before", for every place that the
run can have (the order encoding: Tamura, Taga, Kitagawa and Banbara, "Compiling finite linear CSP into SAT", 2009). A
cell is filled where a run started and has not ended yet, and blank where one ended and the next has not started. So
every clause has two or three literals. A literal is `2 * variable`, plus one for "not".
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, pairwise

from solver.lattice import Square
from solver.nonogram.board import Clue, Nonogram


@dataclass
class Clauses:
    """What must hold for a picture.

    inks: how many there are; 1 for black and white. `cell(...)` numbers the first variables.
    facts: literals; pairs, triples: literals of the clauses one after the other.
    """

    width: int
    height: int
    inks: int = 1
    variables: int = 0
    facts: list[int] = field(default_factory=list)
    pairs: array[int] = field(default_factory=lambda: array("i"))
    triples: array[int] = field(default_factory=lambda: array("i"))

    @property
    def cell_variables(self) -> int:
        return self.width * self.height * self.inks

    def cell(self, row: int, col: int, ink: int = 0) -> int:
        """The variable "this cell has this ink"; a cell without any is blank."""
        return (row * self.width + col) * self.inks + ink


def variables_needed(puzzle: Nonogram) -> int:
    """How many variables `encode` makes at most."""
    inks = 1 if puzzle.palette is None else len(puzzle.palette.inks)
    needed = puzzle.width * puzzle.height * inks
    for lines, length in ((puzzle.rows, puzzle.width), (puzzle.cols, puzzle.height)):
        needed += sum(len(clue) * (length - sum(clue)) for clue in lines)
    return needed


def encode(
    puzzle: Nonogram,
    known_rows: Collection[int] = (),
    known_cols: Collection[int] = (),
    alike: Iterable[tuple[Square, Square]] = (),
) -> Clauses:
    """The clauses whose solutions are the pictures. Every clue must fit its line.

    known_rows, known_cols: lines that are left out because all their cells will be added as facts.
    alike: cells of a black-and-white puzzle that are to be the same, by a symmetry of the clues.
    """
    width, height, palette = puzzle.width, puzzle.height, puzzle.palette
    chars = [ink.char for ink in palette.inks] if palette else ["#"]
    clauses = Clauses(width, height, len(chars))
    clauses.variables = clauses.cell_variables
    for cell in range(0, clauses.cell_variables if len(chars) > 1 else 0, len(chars)):
        for one in range(cell, cell + len(chars)):
            for other in range(one + 1, cell + len(chars)):
                clauses.pairs.extend((2 * one + 1, 2 * other + 1))
    stand_in = _stand_ins(clauses, alike)
    added: set[tuple[int, ...]] = set()
    lines = [
        (puzzle.rows[row], palette.rows[row] if palette else "", [(row, col) for col in range(width)])
        for row in range(height)
        if row not in known_rows
    ]
    lines += [
        (puzzle.cols[col], palette.cols[col] if palette else "", [(row, col) for row in range(height)])
        for col in range(width)
        if col not in known_cols
    ]
    for clue, run_chars, squares in lines:
        cells = [stand_in.get(cell, cell) for cell in (clauses.cell(*at) for at in squares)]
        if stand_in and (tuple(cells) in added or tuple(cells[::-1]) in added):
            # The mirror image of a line that is there already.
            continue
        added.add(tuple(cells))
        inks = [chars.index(char) for char in run_chars] if palette else [0] * len(clue)
        _add_line(clauses, clue, inks, cells)
    return clauses


def _stand_ins(clauses: Clauses, alike: Iterable[tuple[Square, Square]]) -> dict[int, int]:
    """For every cell that is to be like others the one that stands for all of them; clauses tie them together."""
    image = {clauses.cell(*one): clauses.cell(*other) for one, other in alike}
    stand_in: dict[int, int] = {}
    for first in image:
        cell = first
        while cell not in stand_in:
            stand_in[cell] = first
            cell = image[cell]
    for cell, first in stand_in.items():
        if cell != first:
            clauses.pairs.extend((2 * cell, 2 * first + 1, 2 * cell + 1, 2 * first))
    return stand_in


def _add_line(clauses: Clauses, clue: Clue, inks: Sequence[int], cells: Sequence[int]) -> None:
    """Add the clauses of one line.

    cells: the variable of every cell for the first ink; those of the others follow it.

    "Run j starts at d cells behind its first place, or before" is variable `free + d`; it is certain from `slack` on.
    """
    facts, pairs = clauses.facts, clauses.pairs
    here = sorted(set(inks))
    facts.extend(2 * (cell + ink) + 1 for ink in range(clauses.inks) if ink not in here for cell in cells)
    if not clue:
        return
    gaps = [int(one == other) for one, other in pairwise(inks)]
    slack = len(cells) - sum(clue) - sum(gaps)
    firsts = [0, *accumulate(run + gap for run, gap in zip(clue, [*gaps, 0], strict=True))]
    free = clauses.variables
    clauses.variables += slack * len(clue)
    # Before the first run and behind the last one.
    for d in range(slack):
        for ink in here:
            pairs.extend((2 * (free + d), 2 * (cells[d] + ink) + 1))
            last = free + slack * (len(clue) - 1)
            pairs.extend((2 * (last + d) + 1, 2 * (cells[firsts[-1] + d] + ink) + 1))
    for number, (run, ink) in enumerate(zip(clue, inks, strict=True)):
        # What starts at d or before starts at d + 1 or before: "not" of each variable beside the next one.
        pairs.extend(range(2 * free + 1, 2 * (free + slack) - 1))
        first = firsts[number]
        filled = [2 * (cell + ink) for cell in cells[first : first + slack + run]]
        _between(clauses, filled, free, free, run, slack)
        following = free + slack
        if number < len(gaps):
            pairs.extend(_side_by_side(_literals(free, slack), _literals(following, slack, 1)))
            gap = gaps[number]
            between = cells[first + run : first + run + slack + gap]
            for ink in here:
                blank = [2 * (cell + ink) + 1 for cell in between]
                _between(clauses, blank, free, following, gap, slack)
        free = following


def _between(clauses: Clauses, cells: Sequence[int], one: int, other: int, delay: int, slack: int) -> None:
    """What cells are where a first thing has come, and a second one, that comes so much later at least, has not.

    A run that has started, and not ended, fills them; where it has ended, and the next has not started, they are blank.
    cells: their literals, from the first place on, one for each of the `slack + delay`. one, other: the first variables.
    """
    both, neither = range(delay, slack), range(slack, delay)
    count = min(slack, delay)
    clauses.pairs.extend(_side_by_side(_literals(one, count, 1), cells[:count]))
    clauses.triples.extend(
        _side_by_side(
            _literals(one + delay, len(both), 1),
            _literals(other, len(both)),
            cells[delay : delay + len(both)],
        )
    )
    clauses.facts.extend(cells[slack : slack + len(neither)])
    clauses.pairs.extend(_side_by_side(_literals(other + len(both), count), cells[len(cells) - count :]))


def _literals(variable: int, count: int, negated: int = 0) -> range:
    """The literals of so many variables in a row, or those for "not"."""
    return range(2 * variable + negated, 2 * (variable + count) + negated, 2)


def _side_by_side(*literals: Sequence[int]) -> Iterable[int]:
    """Clauses of one literal of each."""
    return chain.from_iterable(zip(*literals, strict=True))
