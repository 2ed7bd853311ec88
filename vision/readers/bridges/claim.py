"""Whether a Bridges board may be on a picture: discs of one size with numbers inside, apart from each other, on one lattice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island
from solver.errors import PuzzleError
from solver.lattice import Square
from vision.frame import Box
from vision.grids import Comb
from vision.readers.bridges.discs import (
    DRAWN,
    PHOTOGRAPHED,
    Disc,
    Found,
    islands_of_areas,
    islands_of_circles,
)
from vision.readers.bridges.lattice import in_line, on_lattice
from vision.readers.bridges.layout import LEAST_OF_OTHERS
from vision.readers.bridges.witness import SURE, USUAL_BRIDGES
from vision.scene import Claim, Scene

# Islands reach to this share of the pitch; squares that reach so far to each side are the cells of a grid.
TOUCHING = 0.42
# Between so many and so many areas with a number, beside others without one, are too few to tell without the circles.
FEW_SURE, FEW, MOST_BLANK = 2, 8, 2
# At least this share of the discs are islands of the board, and of those have a number that is not 0.
LEAST_SHARE = 0.5
# Where more than this share of the lattice is islands, keys and tiles are likelier, unless the numbers have a solution.
CROWDED = 0.6
# Numbers may be bridges that are still missing; without a solution so much speaks for a board, compared with one.
UNSOLVED = 0.7
SECONDS = 0.01


def claim(scene: Scene) -> Claim | None:
    """Where the board would be; None where nothing speaks for one."""
    found = scene.once(islands_of_areas, DRAWN)
    told = _claim_of(found, 1)
    sure = sum(disc.number.confidence >= SURE for disc in found.islands)
    if told is not None or LEAST_OF_OTHERS <= sure == len(found.islands):
        return told
    coarse = scene.coarse
    soft = coarse.once(islands_of_areas, PHOTOGRAPHED)
    told = _claim_of(soft, scene.factor)
    if told is not None or not _too_few_to_tell(soft):
        return told
    # Digits that fill their rings leave no area around them.
    return _claim_of(coarse.once(islands_of_circles), scene.factor)


def _too_few_to_tell(found: Found) -> bool:
    """Whether there are a few islands, and about as many shapes like theirs whose number could not be read."""
    sure = len(found.islands)
    return FEW_SURE <= sure < FEW and 0 < len(found.blank) <= MOST_BLANK * sure


def _claim_of(found: Found, factor: int) -> Claim | None:
    """The claim of these islands; factor: px of the picture to one px of where they were found."""
    linked = in_line(found.islands)
    placed = on_lattice(linked) if len(linked) >= LEAST_OF_OTHERS else None
    if placed is None:
        return None
    discs, xs, ys = placed
    share = len(discs) / len(found.islands)
    numbers = sum(bool(disc.number.value) for disc in discs.values())
    few = len(discs) < LEAST_OF_OTHERS or min(share, numbers / len(discs)) < LEAST_SHARE
    cells = found.square and _radius(list(discs.values())) > TOUCHING * min(xs.pitch, ys.pitch)
    solved = _has_solution(discs, xs, ys)
    if few or cells or (len(discs) > CROWDED * xs.count * ys.count and not solved):
        return None
    sure = float(np.mean([disc.number.confidence for disc in discs.values()]))
    left, top = factor * xs.at(-0.5), factor * ys.at(-0.5)
    right, bottom = factor * xs.at(xs.count - 0.5), factor * ys.at(ys.count - 0.5)
    return Claim(
        Box(int(left), int(top), int(right - left), int(bottom - top)),
        sure * share * (1.0 if solved else UNSOLVED),
        f"{len(discs)} islands with numbers on a lattice of {ys.count} x {xs.count}",
    )


def _has_solution(discs: Mapping[Square, Disc], xs: Comb, ys: Comb) -> bool:
    """Whether the numbers have a solution as they were read."""
    try:
        islands = tuple(Island(at, disc.number.value or 0) for at, disc in discs.items())
        bridges.solve(Bridges(islands, xs.count, ys.count, USUAL_BRIDGES), Limits(SECONDS))
    except PuzzleError:
        return False
    return True


def _radius(discs: Sequence[Disc]) -> float:
    return float(np.median([disc.radius for disc in discs]))
