"""Whether a board is solved: the four rules and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from solver.algemy.board import BITS, COLOUR_NAMES, FULL, Algemy, AlgemyCell, Solution
from solver.lattice import Hex, Square

SQUARE_LINES = ((1, 0), (0, 1), (-1, 0), (0, -1))
HEX_LINES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def check(puzzle: Algemy, solution: Solution) -> tuple[str, ...]:
    """Broken rules in words; empty means solved. An unknown palette allows all six sources.

    >>> board = Algemy("square", ("R-",))
    >>> check(board, {Square(0, 1): "Y"})
    ('the red crystal at row 1, column 1 gets yellow',)
    """
    broken = list(_misplaced(puzzle, solution))
    if broken:
        return tuple(broken)
    crystals = puzzle.crystals
    lit: set[AlgemyCell] = set(solution)
    light = dict.fromkeys(crystals, 0)
    for source in sorted(solution):
        for ray in _rays(puzzle, source):
            for cell in ray:
                if cell in crystals:
                    light[cell] |= BITS[solution[source]]
                    break
                if cell in solution:
                    if source < cell:
                        broken.append(
                            f"the sources at {puzzle.name(source)} and {puzzle.name(cell)} see each other"
                        )
                    break
                lit.add(cell)
    broken.extend(
        f"the empty cell at {puzzle.name(cell)} is dark"
        for cell in puzzle.cells
        if cell not in crystals and cell not in lit
    )
    colours = {bits: COLOUR_NAMES[letter] for letter, bits in BITS.items()} | {0: "no light"}
    broken.extend(
        f"the {COLOUR_NAMES[letter]} crystal at {puzzle.name(cell)} gets {colours[light[cell]]}"
        for cell, letter in crystals.items()
        if light[cell] != BITS[letter]
    )
    return tuple(broken)


def _misplaced(puzzle: Algemy, solution: Solution) -> Iterator[str]:
    """Sources that cannot be where or what they are."""
    cells = set(puzzle.cells)
    palette = puzzle.palette or FULL
    for cell, colour in solution.items():
        if cell not in cells:
            yield f"the source at {tuple(cell)} is not on the board"
        elif cell in puzzle.crystals:
            yield f"the source at {puzzle.name(cell)} stands on a crystal"
        if colour not in palette:
            yield f"the source at {tuple(cell)} is {colour!r}, which is not in the palette {palette}"


def _rays(puzzle: Algemy, source: AlgemyCell) -> Iterator[list[AlgemyCell]]:
    """The cells beyond a source, nearest first, one list per direction."""
    cells = set(puzzle.cells)
    make = Square if isinstance(source, Square) else Hex
    for step in SQUARE_LINES if make is Square else HEX_LINES:
        ray: list[AlgemyCell] = []
        at: AlgemyCell = make(source[0] + step[0], source[1] + step[1])
        while at in cells:
            ray.append(at)
            at = make(at[0] + step[0], at[1] + step[1])
        yield ray
