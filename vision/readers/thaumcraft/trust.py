"""What the game's rules say about a reading: which icons are givens, how many blanks, what is linked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from solver.lattice import Hex, hex_distance, hex_neighbours
from solver.thaumcraft import EVERY, Note, in_ring_order, is_vanilla_research
from vision.readers.thaumcraft.cells import Sight
from vision.readers.thaumcraft.layout import LARGEST_RADIUS, given_places, ring

_CENTRE = Hex(0, 0)
_MOST_GIVENS = 12
# Of the outline that cells have on this picture.
_THERE, _ABSENT = 0.45, 0.2
_FAINTEST = 0.25
# Below this the edges of an icon can pass for an outline behind it, and one cell decides nothing.
_SOFT = 0.6
_CLOSE, _CLOSE_SOFT = 0.3, 2.1
# Of a ring this share of the positions is there, or so many icons.
_RING_SHARE, _RING_ICONS = 0.25, 2
# Evidence for a given, from -1 to 1: below the first it is in doubt; all of it may lack the second; one place the third.
_DOUBTED, _LACKING, _AGAINST = 0.5, 0.8, 0.2
# Up to this radius the game makes a fixed number of blanks, beyond it an even one of at least so many.
_FIXED_RADIUS, _FIXED_BLANKS, _LEAST_BLANKS = 3, 4, 6


def has_icon(sight: Sight) -> bool:
    """Whether an aspect is there, known or not."""
    return bool(sight.symbol) or (sight.symbol is None and not sight.foreign)


@dataclass(frozen=True)
class Outlines:
    """How strong an outline must be to be one, and how weak to be none; softer pictures have weaker ones."""

    there: float
    absent: float
    soft: bool = False

    def is_cell(self, sight: Sight) -> bool:
        """Whether the position certainly belongs to the note."""
        return has_icon(sight) or (not sight.foreign and (sight.hovered or sight.outline >= self.there))


def outlines(sights: Iterable[Sight]) -> Outlines:
    """The limits for this picture, from its positions without an icon."""
    seen = [sight.outline for sight in sights if not has_icon(sight) and sight.outline > _FAINTEST]
    usual = min(1.0, median(seen)) if seen else 1.0
    return Outlines(max(_FAINTEST, _THERE * usual), _ABSENT * max(usual, _FAINTEST), usual < _SOFT)


def note_radius(sights: Mapping[Hex, Sight], limits: Outlines) -> int:
    """The radius of the note: the outermost ring of which at least a quarter is there, or that has two icons.

    0 when nothing is there.
    """
    for radius in range(LARGEST_RADIUS, 0, -1):
        cells = [sight for cell, sight in sights.items() if hex_distance(cell, _CENTRE) == radius]
        there = sum(limits.is_cell(sight) for sight in cells)
        icons = sum(has_icon(sight) for sight in cells)
        if there >= max(_RING_SHARE * len(cells), 1) or (
            icons >= _RING_ICONS and any(sight.symbol for sight in cells)
        ):
            return radius
    return 0


def choose_givens(
    sights: Mapping[Hex, Sight], icons: Iterable[Hex], radius: int, limits: Outlines
) -> tuple[frozenset[Hex], frozenset[Hex], bool]:
    """(givens, cells where that is in doubt, whether they are where the game prints that many).

    A given has no outline behind it, and lies on the outer ring. The game prints givens in fixed places; the
    number whose places agree best with the outlines and with what is lit wins. Where no cell is seen, a given
    may be covered, or of the colour of the parchment.
    """
    outer = frozenset(ring(radius))
    symbols = {cell: sights[cell].symbol or "" for cell in icons}
    unseen = [cell for cell in outer if not limits.is_cell(sights[cell])]
    told = {cell: symbol for cell, symbol in symbols.items() if symbol}
    untold = [cell for cell, sight in sights.items() if sight.foreign or symbols.get(cell) == ""]
    evidence = {cell: _no_outline(sights[cell], limits) for cell in symbols.keys() & outer}
    there = {*symbols, *unseen}
    ranked: list[tuple[float, int, frozenset[Hex]]] = []
    for number, places in _printed(radius):
        if places & symbols.keys() and places <= there:
            score = sum(value if cell in places else -value for cell, value in evidence.items())
            ranked.append((score, number, places))
    if len(ranked) > 1:
        ranked = [
            (score - len(wrongly_lit(sights, told, untold, places)), number, places)
            for score, number, places in ranked
        ]
    if not ranked:
        # Not a note of the game, or not understood: only what is clear.
        givens = frozenset(cell for cell, value in evidence.items() if value > 0)
        return givens, frozenset(cell for cell, value in evidence.items() if abs(value) < _DOUBTED), False
    best, _, places = max(ranked, key=lambda row: row[:2])
    others = [other for score, _, other in ranked if best - score <= (_CLOSE_SOFT if limits.soft else _CLOSE)]
    doubtful = frozenset(cell for other in others for cell in places ^ other)
    most = sum(abs(value) for value in evidence.values())
    if best >= most - _LACKING:
        return places, doubtful, True
    # The game always keeps to its places, so what speaks against them is in doubt.
    against = {cell for cell, value in evidence.items() if (value if cell in places else -value) < _AGAINST}
    return places, doubtful | against, False


def givens_of_finished(
    symbols: Mapping[Hex, str], radius: int
) -> tuple[frozenset[Hex], frozenset[Hex], bool]:
    """The same of a finished note, which has no outlines but whose icons all hang together.

    symbols: "" for one that cannot be told. Nobody places an aspect that leads nowhere, so every end of a
    chain is a given. Where several numbers of givens fit, the game's own research decides, or it stays in
    doubt.
    """
    ends = {cell for cell in symbols if sum(1 for _ in _linked_beside(symbols, cell)) < 2}
    fitting = [places for _, places in _printed(radius) if ends <= places <= symbols.keys()]
    if not fitting:
        fitting = [places for _, places in _printed(radius) if places <= symbols.keys()]
    if not fitting:
        return frozenset(ends), frozenset(symbols) - ends, False
    if len(fitting) > 1:
        lists = [places for places in fitting if is_research(symbols, places, radius)]
        fitting = lists if len(lists) == 1 else fitting
    largest = max(fitting, key=len)
    return largest, frozenset(cell for places in fitting for cell in largest ^ places), True


def is_research(symbols: Mapping[Hex, str], givens: frozenset[Hex], radius: int) -> bool:
    """Whether these givens are those of a note of the game's own research."""
    if not all(symbols[cell] for cell in givens):
        return False
    note = Note(frozenset(symbols), {cell: symbols[cell] for cell in givens})
    return is_vanilla_research(radius, in_ring_order(note, radius))


def _printed(radius: int) -> Iterator[tuple[int, frozenset[Hex]]]:
    """Every number of givens with the places where the game prints them; one alone would be no puzzle."""
    for number in range(2, min(_MOST_GIVENS, 6 * radius) + 1):
        places = given_places(radius, number)
        if len(places) == number:
            yield number, places


def _no_outline(sight: Sight, limits: Outlines) -> float:
    """-1 an outline is certainly there, 1 it is certainly not, 0 hidden."""
    if sight.hovered or not sight.symbol or sight.outline != sight.outline:
        # The outline under the cursor is no given's, but link lines and orbs can look like one; and without
        # its icon nobody knows what is behind it.
        return 0.0
    return max(-1.0, min(1.0, (0.9 * limits.there - sight.outline) / (0.67 * limits.there)))


def _linked_beside(symbols: Mapping[Hex, str], cell: Hex) -> Iterator[Hex]:
    """The neighbours that a cell's aspect links to; an aspect that cannot be told ("") may link to any."""
    links = EVERY.links.get(symbols[cell], frozenset())
    for beside in hex_neighbours(cell):
        other = symbols.get(beside)
        if other is not None and (other in links or not other or not symbols[cell]):
            yield beside


def odd_blanks(radius: int, blanks: int) -> int:
    """How many blanks too many (or, negative, too few) for a note that the game makes; 0 when it may be so."""
    if radius <= _FIXED_RADIUS:
        return blanks - (_FIXED_BLANKS if radius == _FIXED_RADIUS else 0)
    return min(0, blanks - _LEAST_BLANKS) or blanks % 2


def blanks_decide(radius: int, unclear: int) -> bool:
    """Whether the number of blanks that the game makes tells what so many faint positions are.

    Up to radius 3 the number is fixed, beyond that it is only even.
    """
    return radius <= _FIXED_RADIUS or unclear == 1


def linked(symbols: Mapping[Hex, str], givens: Iterable[Hex]) -> frozenset[Hex]:
    """The cells that hang together with a given over links, as the game counts it: from any given.

    symbols: "" for an aspect that cannot be told and may link to any.
    """
    reached: set[Hex] = set()
    waiting = [cell for cell in givens if cell in symbols]
    while waiting:
        cell = waiting.pop()
        if cell not in reached:
            reached.add(cell)
            waiting += [beside for beside in _linked_beside(symbols, cell) if beside not in reached]
    return frozenset(reached)


def wrongly_lit(
    sights: Mapping[Hex, Sight], symbols: Mapping[Hex, str], hidden: Iterable[Hex], givens: frozenset[Hex]
) -> list[Hex]:
    """Placed aspects that are drawn as linked and can not be, or are and are not drawn so.

    hidden: cells with something on them that cannot be told; they may link what is beside them, or not.
    """
    surely = linked(symbols, givens)
    perhaps = linked({**symbols, **dict.fromkeys(hidden, "")}, givens)
    wrong = []
    for cell in symbols:
        dim = sights[cell].dim
        if cell not in givens and dim is not None and (cell in surely if dim else cell not in perhaps):
            wrong.append(cell)
    return wrong


def all_linked(symbols: Mapping[Hex, str]) -> bool:
    """Whether everything hangs together, as on a finished note, which loses what does not."""
    return linked(symbols, list(symbols)[:1]) == symbols.keys()
