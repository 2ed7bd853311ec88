"""A board as bit sets: which sources may stand where, and what they must do.

An *option* is a source colour in a cell, with only those bits that every crystal in sight allows; so light that must not
arrive needs no further thought. A *demand* is something to be met, one integer: the set of options that meet it.

Every cell has `width` bits, one per option; the lowest of them is the cell's *mark*, and a set of marks is a set of cells.
Times `(1 << width) - 1` it is all options in these cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from solver.algemy.board import BITS, EMPTY, PRIMARY, Algemy, AlgemyCell, Shape, Solution
from solver.lattice import Hex, Square

EDGE = -1
PRIMARIES: Mapping[str, tuple[int, ...]] = {
    letter: tuple(primary for primary in (1, 2, 4) if primary & bits) for letter, bits in BITS.items()
}


@dataclass(slots=True)  # not frozen: that would make small boards a tenth slower
class Model:
    """Options and demands of one board; cells are numbered row by row.

    width: bits per cell.
    cells: the cell of each number.
    empty: marks of the empty cells.
    shines: per cell the marks of the cells that a source there lights, its own among them; 0 for a crystal.
    colours: (letter, options of this colour).
    options: all of them.
    demands: per crystal and primary the options that give it.
    dark: marks of cells that have to be lit by an option chosen for it; any other one that stays dark can get a
        source of its own in the end, which no source sees and no crystal forbids.
    """

    width: int
    cells: tuple[AlgemyCell, ...]
    empty: int
    shines: list[int]
    colours: list[tuple[str, int]]
    options: int
    demands: list[int]
    dark: int

    def lit_by(self, chosen: list[int]) -> int:
        """Marks of the cells that these options light."""
        lit = 0
        for option in chosen:
            lit |= self.shines[option // self.width]
        return lit

    def placed(self, chosen: list[int]) -> Solution:
        """Options that meet every demand as a solution, row by row; what is still dark gets a source of its own."""
        width = self.width
        dark = self.empty & ~self.lit_by(chosen)
        if dark:
            chosen = chosen.copy()
        while dark:
            cell = (dark.bit_length() - 1) // width
            own = self.options & ((1 << width) - 1) << cell * width
            chosen.append(own.bit_length() - 1)
            dark &= ~self.shines[cell]
        solution = {}
        for option in sorted(chosen):
            for letter, options in self.colours:
                if options >> option & 1:
                    solution[self.cells[option // width]] = letter
        return solution


def model(puzzle: Algemy, palette: str, *, every: bool) -> Model:
    """Options and demands of a board; `every` also keeps options that another one can always replace."""
    width = 6 if every else 3
    letters = "".join(puzzle.rows)
    cells, directions = _lines(puzzle.shape, puzzle.lengths, width)
    shines = [0] * len(letters)
    # What each crystal sees; the last place is for the edge.
    sight = [0] * (len(letters) + 1)
    ends = letters + "|"
    for line, marks in directions:
        begin, before = 0, EDGE
        for at in [at for at, number in enumerate(line) if ends[number] != EMPTY]:
            after = line[at]
            if at > begin:
                run = marks[at] - marks[begin]
                sight[before] |= run
                sight[after] |= run
                for number in line[begin:at]:
                    shines[number] |= run
            begin, before = at + 1, after
    empty = 0
    for lit in shines:
        empty |= lit

    crystals = [(letter, seen) for letter, seen in zip(letters, sight, strict=False) if letter != EMPTY]
    seen_by = dict.fromkeys(BITS, 0)
    for letter, seen in crystals:
        seen_by[letter] |= seen
    colours = _colours(seen_by, empty, palette, every=every)
    options = 0
    giving = {1: 0, 2: 0, 4: 0}
    for letter, some in colours:
        options |= some
        for primary in PRIMARIES[letter]:
            giving[primary] |= some
    every_colour = (1 << width) - 1
    demands = [
        seen * every_colour & giving[primary] for letter, seen in crystals for primary in PRIMARIES[letter]
    ]
    dark = empty if every else empty & ~(options | options >> 1 | options >> 2)
    return Model(width, cells, empty, shines, colours, options, demands, dark)


# A direction: the cell numbers of all its lines with EDGE after each, and the marks of those before each place, summed.
_Direction = tuple[tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=32)
def _lines(
    shape: Shape, lengths: tuple[int, ...], width: int
) -> tuple[tuple[AlgemyCell, ...], tuple[_Direction, ...]]:
    """The cells of a board, and its full lines in every direction."""
    lines: tuple[dict[int, list[int]], ...] = ({}, {}, {}) if shape == "hex" else ({}, {})
    cells: list[AlgemyCell] = []
    top = lengths.index(max(lengths))
    for row, length in enumerate(lengths):
        for col in range(length):
            q = col - min(row, top)
            keys = (row, q, q + row) if shape == "hex" else (row, col)
            for direction, key in zip(lines, keys, strict=True):
                direction.setdefault(key, []).append(len(cells))
            cells.append(Hex(q, row) if shape == "hex" else Square(row, col))
    directions = []
    for direction in lines:
        order = [number for line in direction.values() for number in (*line, EDGE)]
        marks = accumulate((0 if number == EDGE else 1 << width * number for number in order), initial=0)
        directions.append((tuple(order), tuple(marks)))
    return tuple(cells), tuple(directions)


def _colours(seen_by: dict[str, int], empty: int, palette: str, *, every: bool) -> list[tuple[str, int]]:
    """The options of each colour.

    seen_by: marks of the cells that crystals of a letter see.
    More light than needed never hurts, so unless `every` option is wanted only the richest colours stay (orange and red
    never in the same cell: they share a bit), and any one where nobody sees it.
    """
    white, red, yellow, orange, blue, violet, green, brown = (seen_by[letter] for letter in "WRYOBVGX")
    may_red = empty & ~(white | yellow | blue | green)
    may_yellow = empty & ~(white | red | blue | violet)
    may_blue = empty & ~(white | red | yellow | orange)
    may_orange, may_green, may_violet = may_red & may_yellow, may_yellow & may_blue, may_red & may_blue
    if every:
        shining = (may_red, may_orange, may_yellow, may_green, may_blue, may_violet)
        return [
            (letter, marks << place)
            for place, (letter, marks) in enumerate(zip("ROYGBV", shining, strict=True))
            if letter in palette
        ]
    unseen = may_orange & may_blue & ~brown
    if palette == PRIMARY:
        return [("R", may_red), ("Y", (may_yellow & ~unseen) << 1), ("B", (may_blue & ~unseen) << 2)]
    mixed = may_orange | may_green | may_violet
    return [
        ("R", may_red & ~mixed),
        ("O", may_orange),
        ("Y", (may_yellow & ~mixed) << 1),
        ("G", (may_green & ~unseen) << 1),
        ("B", (may_blue & ~mixed) << 2),
        ("V", (may_violet & ~unseen) << 2),
    ]
