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
        for ray, crystal in sight(puzzle, source):
            lit.update(ray)
            seen = next((cell for cell in ray if cell in solution), None)
            if seen is not None:
                if source < seen:
                    broken.append(
                        f"the sources at {puzzle.name(source)} and {puzzle.name(seen)} see each other"
                    )
            elif crystal is not None:
                light[crystal] |= BITS[solution[source]]
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
    palette = puzzle.palette or FULL
    for cell, colour in solution.items():
        if cell not in puzzle.places:
            yield f"the source at {tuple(cell)} is not on the board"
        elif cell in puzzle.crystals:
            yield f"the source at {puzzle.name(cell)} stands on a crystal"
        if colour not in palette:
            yield f"the source at {tuple(cell)} is {colour!r}, which is not in the palette {palette}"


def sight(puzzle: Algemy, source: AlgemyCell) -> Iterator[tuple[tuple[AlgemyCell, ...], AlgemyCell | None]]:
    """What a cell sees, one entry per direction: the empty cells up to the first crystal, and that crystal.

    Opposite directions are three (hexagonal) or two (square) entries apart; the crystal is None at the edge.
    """
    cells = puzzle.places
    crystals = puzzle.crystals
    make = Square if isinstance(source, Square) else Hex
    for step in SQUARE_LINES if make is Square else HEX_LINES:
        ray: list[AlgemyCell] = []
        at: AlgemyCell = make(source[0] + step[0], source[1] + step[1])
        while at in cells and at not in crystals:
            ray.append(at)
            at = make(at[0] + step[0], at[1] + step[1])
        yield tuple(ray), at if at in cells else None
