"""Whether a Bridges board may be on a picture: discs of one size with numbers inside, apart from each other, on one lattice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island
from solver.errors import PuzzleError
from solver.lattice import Square
from vision.frame import Box
from vision.grids import Comb
from vision.measures.straight import is_photograph
from vision.readers.bridges.discs import (
    DRAWN,
    PHOTOGRAPHED,
    Disc,
    Found,
    in_line,
    islands_of_areas,
)
from vision.readers.bridges.lattice import on_lattice
from vision.readers.bridges.sea import LEAST_OF_OTHERS
from vision.readers.bridges.witness import USUAL_BRIDGES
from vision.readers.bridges.written import islands_of_writing
from vision.scene import Claim, Scene

# Squares that reach to this share of the pitch to each side are the cells of a grid.
TOUCHING = 0.42
# At least this share of the discs are islands of the board, and of those have a number that is not 0.
LEAST_SHARE = 0.5
# Where more than this share of the lattice is islands, keys and tiles are likelier, unless round ones have a solution.
CROWDED = 0.6
# Numbers may be bridges that are still missing; without a solution so much speaks for a board, compared with one.
UNSOLVED = 0.7
CHOICES = 30
# What looks like another game's board as well speaks for this one so much, with so many islands and one solution. Of 546
# boards of Rectangles, Range, Filling, Mosaic and Palisade with seven or eight numbers 11 had one, of 750 with more none.
UNLIKE, LEAST_UNLIKE = 0.69, 9
# Numbers alone that stand in no cells of a grid may be so few. Those in cells are this near to the middle of theirs, in cells.
LEAST_BARE, MIDDLE = 7, 0.25


def claim(scene: Scene) -> Claim | None:
    """Where the board would be; None where nothing speaks for one."""
    # Areas and edges of so few levels are grain on a photograph.
    drawn = not scene.once(is_photograph)
    found = _claim_of(scene, scene.once(islands_of_areas, DRAWN), 1) if drawn else None
    found = found or _claim_of(scene, scene.coarse.once(islands_of_areas, PHOTOGRAPHED), scene.factor)
    return found or _claim_of(scene, scene.once(islands_of_writing, DRAWN if drawn else PHOTOGRAPHED), 1)


def _claim_of(scene: Scene, found: Found, factor: int) -> Claim | None:
    """The claim of these islands, None where they are no board; factor: px of the picture to one px of theirs."""
    linked = in_line(found.islands)
    placed = on_lattice(linked) if len(linked) >= LEAST_OF_OTHERS else None
    if placed is None:
        return None
    discs, xs, ys = placed
    share = len(discs) / len(found.islands)
    numbers = sum(bool(disc.number.value) for disc in discs.values())
    if len(discs) < LEAST_OF_OTHERS or min(share, numbers / len(discs)) < LEAST_SHARE:
        return None
    # Numbers in the cells of a grid, and numbers alone, belong to many a game.
    radius = median([disc.radius for disc in discs.values()])
    unlike = found.bare or (found.square and radius > TOUCHING * min(xs.pitch, ys.pitch))
    solved = _has_solution(discs, xs, ys, unique=unlike)
    crowded = len(discs) + len(found.blank) > CROWDED * xs.count * ys.count
    if (crowded and (found.square or not solved)) or (unlike and (len(discs) < LEAST_BARE or not solved)):
        return None
    if unlike and len(discs) < LEAST_UNLIKE and not (found.bare and _off_cells(scene, list(discs.values()))):
        return None
    sure = float(np.mean([disc.number.confidence for disc in discs.values()]))
    left, top = factor * xs.at(-0.5), factor * ys.at(-0.5)
    right, bottom = factor * xs.at(xs.count - 0.5), factor * ys.at(ys.count - 0.5)
    return Claim(
        Box(int(left), int(top), int(right - left), int(bottom - top)),
        sure * share * (UNLIKE if unlike else 1.0) * (1.0 if solved else UNSOLVED),
        f"{len(discs)} islands with numbers on a lattice of {ys.count} x {xs.count}",
    )


def _has_solution(discs: Mapping[Square, Disc], xs: Comb, ys: Comb, *, unique: bool) -> bool:
    """Whether the numbers have a solution as they were read; unique: exactly one."""
    try:
        islands = tuple(Island(at, disc.number.value or 0) for at, disc in discs.items())
        puzzle = Bridges(islands, xs.count, ys.count, USUAL_BRIDGES)
        answer = bridges.solve(puzzle, Limits(unique=unique, choices=CHOICES))
    except PuzzleError:
        return False
    return not unique or answer.unique is True


def _off_cells(scene: Scene, discs: Sequence[Disc]) -> bool:
    """Whether no grid on the picture has most of the numbers in the middles of its cells."""
    at = np.array([(disc.x, disc.y) for disc in discs])
    for grid in scene.grids():
        off = ((at - (grid.xs.first, grid.ys.first)) / (grid.xs.pitch, grid.ys.pitch)) % 1 - 0.5
        if (np.abs(off).max(axis=1) < MIDDLE).mean() >= LEAST_SHARE:
            return False
    return True
