"""From circles and the numbers in them to a puzzle: names, order, and the rule that the picture does not tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from solver.lattice import Region
from solver.rings import Fillings, Place, Ring, Rings, strictest_rule
from vision.readers.rings.figure import Circle, Piece


def reading_order(circles: Sequence[Circle]) -> list[Circle]:
    """Row by row from the top, each from left to right."""
    rows: list[list[Circle]] = []
    for circle in sorted(circles, key=lambda c: c.y):
        if rows and circle.y - rows[-1][0].y <= rows[-1][0].radius / 2:
            rows[-1].append(circle)
        else:
            rows.append([circle])
    return [circle for row in rows for circle in sorted(row, key=lambda c: c.x)]


def region_names(circles: Sequence[Circle], pieces: Sequence[Piece]) -> list[Region]:
    """`r01`, `r01+r02`, ...; a second piece inside the same rings gets `~2`."""
    names = ring_names(len(circles))
    found: list[Region] = []
    for i, piece in enumerate(pieces):
        words = [names[ring] for ring in piece.covers]
        before = sum(other.covers == piece.covers for other in pieces[:i])
        if before:
            words[-1] += f"~{before + 1}"
        found.append(Region(tuple(words)))
    return found


def ring_names(count: int) -> list[str]:
    """Names for the rings of a picture, which has none."""
    return [f"r{number:02d}" for number in range(1, count + 1)]


def assemble(
    circles: Sequence[Circle],
    pieces: Sequence[Piece],
    *,
    given: Mapping[Region, int],
    numbers: Sequence[int],
    target: int | Literal["?", "own"],
    own: Sequence[int | Literal["?"]] = (),
) -> tuple[Rings, Fillings]:
    """The puzzle, and how many fillings it has.

    own: a target per circle when `target` is "own".
    """
    names = ring_names(len(circles))
    rings = tuple(
        Ring(names[i], own[i] if target == "own" else "=", c.x, c.y, c.radius) for i, c in enumerate(circles)
    )
    places = tuple(
        Place(region, given.get(region), piece.at.x, piece.at.y)
        for region, piece in zip(region_names(circles, pieces), pieces, strict=True)
    )
    return strictest_rule(Rings(rings, places, tuple(numbers), "any", target))
