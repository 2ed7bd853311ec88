"""From circles and the numbers in them to a puzzle: names, order, and the rule that the picture does not tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from solver.lattice import Region
from solver.rings import Place, Ring, Rings, Search, Use
from vision.readers.rings.figure import Circle, Piece

# A rule is believed when it leaves one filling; looking for it must not take long.
MOST_GUESSES = 400
NO_FILLING = "no filling meets every target"


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
) -> tuple[Rings, str]:
    """The puzzle, and a remark ("" when its rule is beyond doubt).

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
    return _with_rule(Rings(rings, places, tuple(numbers), "any", target))


def _with_rule(puzzle: Rings) -> tuple[Rings, str]:
    """The first rule that leaves exactly one filling, from the strictest to the freest."""
    rules: list[Use] = ["ring-distinct", "any"]
    if len(puzzle.numbers) >= len(puzzle.blanks):
        rules.insert(0, "once")
    if len(set(puzzle.numbers)) < len(puzzle.numbers):
        rules = [rule for rule in rules if rule == "once"] or ["any"]
    possible: list[Rings] = []
    for rule in rules:
        candidate = replace(puzzle, use=rule)
        search = Search(candidate, most_guesses=MOST_GUESSES)
        found = search.solutions()
        first, second = next(found, None), next(found, None)
        if first is not None and second is None and not search.stopped:
            return candidate, ""
        if first is not None or search.stopped:
            possible.append(candidate)
    if possible:
        return possible[0], "more than one filling is possible"
    return replace(puzzle, use=rules[0]), NO_FILLING
