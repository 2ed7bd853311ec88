"""What the game's rules say about a reading: which icons are givens, how many blanks, what is linked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from solver.lattice import Hex, hex_distance, hex_neighbours, hexagon
from solver.thaumcraft import EVERY
from vision.readers.thaumcraft.cells import Sight
from vision.readers.thaumcraft.layout import LARGEST_RADIUS, given_places

_CENTRE = Hex(0, 0)
_MOST_GIVENS = 12
OUTLINE_THERE, OUTLINE_ABSENT = 0.45, 0.2


def has_icon(sight: Sight) -> bool:
    """Whether an aspect is there, known or not."""
    return bool(sight.symbol) or (sight.symbol is None and not sight.foreign)


def is_cell(sight: Sight) -> bool:
    """Whether the position certainly belongs to the note."""
    return has_icon(sight) or sight.hovered or sight.outline >= OUTLINE_THERE


def note_radius(sights: Mapping[Hex, Sight]) -> int:
    """The radius of the note: the outermost ring of which at least a quarter is there, or where an icon is.

    0 when nothing is there.
    """
    for radius in range(LARGEST_RADIUS, 0, -1):
        cells = [cell for cell in sights if hex_distance(cell, _CENTRE) == radius]
        there = sum(is_cell(sights[cell]) for cell in cells)
        corner = sights[Hex(-radius, radius)]
        if there * 4 >= len(cells) or has_icon(corner):
            return radius
    return 0


def choose_givens(
    sights: Mapping[Hex, Sight], icons: Iterable[Hex], radius: int, complete: bool
) -> tuple[frozenset[Hex], frozenset[Hex], bool]:
    """(givens, cells where that is in doubt, whether they are where the game prints that many).

    A given has no outline behind it. The game prints givens in fixed places of the outer ring; the number
    whose places agree best with the outlines wins. A finished note has no outlines: then as many as fit.
    Where no cell is seen, a given may be covered, or of the colour of the parchment.
    """
    icons = frozenset(icons)
    hidden = frozenset(cell for cell, sight in sights.items() if not is_cell(sight) and not complete)
    evidence = {cell: 0.0 if complete else _no_outline(sights[cell].outline) for cell in icons}
    ranked: list[tuple[float, int, frozenset[Hex]]] = []
    for number in range(1, min(_MOST_GIVENS, 6 * radius) + 1):
        places = given_places(radius, number)
        if len(places) == number and places & icons and places <= icons | hidden:
            places &= icons
            score = sum(evidence[c] for c in places) - sum(evidence[c] for c in icons - places)
            ranked.append((score, number, places))
    ranked.sort(key=lambda row: row[:2], reverse=True)
    most = sum(abs(value) for value in evidence.values())
    if ranked and ranked[0][0] >= most - 0.8:
        clear = complete or len(ranked) == 1 or ranked[0][0] - ranked[1][0] > 0.3
        return ranked[0][2], frozenset() if clear else ranked[0][2] ^ ranked[1][2], True
    givens = frozenset(cell for cell, value in evidence.items() if value > 0)
    return givens, frozenset(cell for cell, value in evidence.items() if abs(value) < 0.2), False


def _no_outline(outline: float) -> float:
    """-1 an outline is certainly there, 1 it is certainly not, 0 hidden."""
    if outline != outline:
        return 0.0
    return max(-1.0, min(1.0, (0.4 - outline) / 0.3))


def odd_blanks(radius: int, blanks: int) -> int:
    """How many blanks too many (or, negative, too few) for a note that the game makes; 0 when it may be so."""
    if radius <= 3:
        return blanks - (4 if radius == 3 else 0)
    return min(0, blanks - 6) or blanks % 2


def linked(symbols: Mapping[Hex, str], givens: Iterable[Hex]) -> frozenset[Hex]:
    """The cells that hang together with a given over links, as the game counts it: from any given."""
    reached: set[Hex] = set()
    waiting = [cell for cell in givens if cell in symbols]
    while waiting:
        cell = waiting.pop()
        if cell in reached:
            continue
        reached.add(cell)
        links = EVERY.links.get(symbols[cell], frozenset())
        waiting += [n for n in hex_neighbours(cell) if symbols.get(n) in links and n not in reached]
    return frozenset(reached)


def all_linked(symbols: Mapping[Hex, str], givens: Iterable[Hex]) -> bool:
    """Whether one chain of links reaches every given."""
    cells = list(givens)
    return bool(cells) and set(cells) <= linked(symbols, cells[:1])


def inside(radius: int) -> tuple[Hex, ...]:
    """All positions of a note of that radius."""
    return hexagon(radius)
