"""What the cells of a nonogram hold, told from how they look; the same at the first look and at every later one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.colour import apart
from vision.errors import UncertainReading
from vision.frame import Box, Pixels
from vision.measures.borders import Borders
from vision.measures.covers import COVERED, covered, lined, unlined
from vision.measures.highlights import unlit
from vision.measures.looks import SAME_LOOK, Cells, Sample, SharedLook, grouped, measured
from vision.measures.shading import evened, joined
from vision.measures.strips import stripped
from vision.readers.nonogram.inks import Colour, ink_of
from vision.readers.nonogram.meanings import (
    CLEAR_CROSS,
    MEANINGS,
    Meaning,
    Possible,
    Witness,
    by_grey,
    by_samples,
    meanings,
    picture,
)
from vision.reading import Mark, Reading

# How the marks name what a cell holds, and how sure a cell is that is in doubt.
SYMBOLS: Mapping[Meaning, str] = {"filled": "#", "blank": ".", "free": ""}
DOUBTFUL = 0.3
# An ink this near (levels) to the empty cells is not told from them.
LIKE_FREE = 40.0
# What lies over a board covers so many rows and columns, or a part of the cells at so many sides, where no line tells of it.
LEAST_BLOCK = 2
# It lies over all cells of a look where it does over this share of them.
MOSTLY = 0.5
# It covers a block of which so many cells beside it are covered, and this share of them; a pointer covers few.
LEAST_RIM, ENCLOSED = 4, 0.4
# A program may count the lines by fives, within their last cells; of fewer counts it is not told that they are none entered.
FIVES, LEAST_COUNTS = 5, 4
BESIDE = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))


@dataclass(frozen=True, eq=False)
class Seen:
    """What a reading remembers for later looks.

    looks: with what each may mean. lines: see `meanings`. known: how the states look, where that has been learned.
    row_sure, col_sure: how sure the clues of each line are. least: how sure every cell is at least.
    board: the grid and its numbers. inks: the colours of a coloured nonogram, by their characters. first: the picture that
    was read whole, None while it is this one. free: the cells that were left alone on that one.
    """

    pixels: Pixels
    borders: Borders
    cells: Cells
    looks: tuple[tuple[SharedLook, Possible], ...]
    witness: Witness
    lines: float | None
    known: Sequence[tuple[Meaning, Sample]]
    row_sure: Sequence[float]
    col_sure: Sequence[float]
    least: float
    board: Box
    inks: Mapping[str, Colour] = field(default_factory=dict)
    first: Pixels | None = None
    free: frozenset[Square] = frozenset()


@dataclass(frozen=True)
class BoardReading(Reading[Nonogram, Picture]):
    """A reading that remembers its measurements, for `reread`."""

    seen: Seen | None = field(default=None, compare=False, repr=False)

    @property
    def looks(self) -> list[SharedLook]:
        return [look for look, _ in self.seen.looks] if self.seen is not None else []


# The picture, the borders of its cells, and (rows, cols) the numbers of their looks, on how many sides they are covered, and
# which have something in them that is no mark, nor the ground's texture.
_Where = tuple[Pixels, Borders, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]


def told(
    reading: BoardReading, found: Sequence[SharedLook], texture: Set[Square] = frozenset()
) -> BoardReading:
    """The reading with what these looks of all cells mean. texture: cells in which nothing is drawn but the ground's own."""
    seen = reading.seen
    assert seen is not None
    place = seen.pixels, seen.borders, seen.cells.colours
    if (plain := unlit(*place)) is not None:
        cells = measured(plain, seen.borders)
        place, found = (plain, seen.borders, cells.colours), grouped(cells, reading.puzzle.width)
    looks, found = found, joined(*place, found, seen.witness.filled, seen.witness.blank)
    pixels = evened(*place, found) if len(found) < len(looks) else place[0]
    names = np.zeros((reading.puzzle.height, reading.puzzle.width), np.int64)
    for number, look in enumerate(found):
        names[tuple(np.transpose(look.cells))] = number
    since = (seen.first, seen.pixels) if seen.first is not None else None
    known = [by_samples(look, seen.known) for look in found]
    learned = [one is not None for one in known]
    sides = covered(pixels, seen.borders, names, [look.colour for look in found], since, learned)
    for number, look in enumerate(found):
        # Over a cell that shows its cross as others do nothing lies, nor as crosses of this program are known to look.
        as_known = look.crossed and learned[number]
        if look.marked and not look.odd and (as_known or not sides[names == number].all()):
            sides[names == number] = 0
    odd = np.array([look.odd for look in found])[names]
    if texture:
        odd[tuple(np.transpose(list(texture)))] = False
    where = pixels, seen.borders, names, sides, odd
    if seen.inks:
        coloured, meant = _told_in_colours(reading, seen, found)
        sides[_bare(where, found, meant)] = COVERED
        return _uncovered(coloured, sides)
    # What lies over the board says nothing of what the cells mean that show.
    over = np.array([(sides[names == number] >= COVERED).all() for number in range(len(found))])
    meant = _meant(found, over, seen)
    lies = _on_blocks(found, meant, names, odd, seen.witness, known) & [one != "filled" for one in known]
    if lies.any() and _are_of_collection(where, found, lies, seen.lines):
        lies[:] = False
    hidden = _bare(where, found, meant) | _enclosed(where, found, meant) | _remains(where, found, meant)
    sides[hidden] = COVERED
    hidden |= _wrong(where, meant, seen.witness)
    if hidden.any():
        sides[hidden] = COVERED
        lies |= [hidden[names == number].mean() >= MOSTLY for number in range(len(found))]
    if lies.any():
        meant = _meant(found, over | lies, seen)
    result = replace(
        reading,
        placed=picture(found, meant),
        marks=_marks(found, [_symbol(possible) for possible in meant], seen),
        seen=replace(seen, looks=tuple(zip(found, meant, strict=True))),
    )
    return _uncounted(_uncovered(result, sides))


def _uncounted(reading: BoardReading) -> BoardReading:
    """The reading without what a program itself writes into the last cells of every fifth row and column: their counts.

    Where other cells have signs as well, a mark may stand with a count: those are in doubt, but for filled ones.
    """
    height, width = reading.puzzle.height, reading.puzzle.width
    counts = {Square(row, width - 1) for row in range(FIVES - 1, height - 1, FIVES)}
    counts |= {Square(height - 1, col) for col in range(FIVES - 1, width - 1, FIVES)}
    drawn = [look for look in reading.looks if look.marked or look.odd]
    signs = {cell for look in drawn for cell in look.cells}
    # What other cells hold as well is what was entered.
    own = {cell for look in drawn if counts.issuperset(look.cells) for cell in look.cells}
    if len(counts) < LEAST_COUNTS or not counts <= signs | reading.placed.filled:
        return reading
    seen, alone = reading.seen, signs <= counts
    assert seen is not None
    told = {
        cell: Mark("", max(seen.least, min(seen.row_sure[cell.row], seen.col_sure[cell.col])))
        if alone
        else Mark(None, DOUBTFUL, SYMBOLS["blank"], "placed", harmless=True)
        for cell in sorted(own - reading.placed.filled)
    }
    placed = replace(reading.placed, blank=reading.placed.blank - own)
    return replace(reading, placed=placed, marks={**reading.marks, **told})


def _meant(found: Sequence[SharedLook], over: npt.NDArray[np.bool_], seen: Seen) -> list[Possible]:
    """What each look may mean; those that lie over the board may mean anything."""
    shown = [look for look, hidden in zip(found, over, strict=True) if not hidden]
    concluded = iter(meanings(shown, seen.witness, lines=seen.lines, known=seen.known))
    return [MEANINGS if hidden else next(concluded) for hidden in over]


def _on_blocks(
    found: Sequence[SharedLook],
    meant: Sequence[Possible],
    names: npt.NDArray[np.int64],
    odd: npt.NDArray[np.bool_],
    witness: Witness,
    known: Sequence[Meaning | None],
) -> npt.NDArray[np.bool_]:
    """(looks,) which only cells of one block have that cannot be what it seems: a box lies over it, that may be clear.

    Hardly anybody enters one block, and a mistake in it, before anything else. A box also covers a part of the cells beside it.
    names: (rows, cols) the numbers of the looks. known: what each has been learned to mean. odd: (rows, cols) which cells
    have something in them that is no mark.
    """
    odd = np.pad(odd, 1)
    over = np.zeros(len(found), np.bool_)
    empty = [look for look, one in zip(found, meant, strict=True) if not look.odd and "filled" not in one]
    most = max(empty, key=lambda look: len(look.cells), default=None)
    for look, possible, learned in zip(found, meant, known, strict=True):
        if look.odd and look.leaves < CLEAR_CROSS:
            # So faint are a ground's own patterns, and no letters of a box.
            continue
        (top, left), (bottom, right) = np.min(look.cells, axis=0), np.max(look.cells, axis=0) + 1
        level, upright = slice(left + 1, right + 1), slice(top + 1, bottom + 1)
        beside = odd[top, level], odd[bottom + 1, level], odd[upright, left], odd[upright, right + 1]
        half_over = sum(side.all() for side in beside)
        unlike = (possible == ("filled",) and not witness.blank.isdisjoint(look.cells)) or (
            possible == ("blank",) and not witness.filled.isdisjoint(look.cells)
        )
        # More of the cells that are not filled have another colour, and not line by line.
        within = bottom - top < names.shape[0] and right - left < names.shape[1]
        others = [other for other in empty if other is not look and other.away(look) < SAME_LOOK]
        usual = learned or look is most or look.marked or look.odd or others
        unlike |= within and possible == ("free",) and not usual
        broad = min(bottom - top, right - left) >= LEAST_BLOCK
        if not (half_over >= LEAST_BLOCK or (broad and (half_over or unlike))):
            continue
        block = names[top:bottom, left:right]
        if np.isin(names, block).sum() == block.size < names.size and not _crossed(
            found, set(np.unique(block).tolist())
        ):
            over[block] = True
    return over


def _crossed(found: Sequence[SharedLook], within: Set[int]) -> bool:
    """Whether some of these looks, by their numbers, are crosses on a colour that other cells have: nothing lies over those."""
    outside = [look for number, look in enumerate(found) if number not in within]
    return any(
        found[number].crossed and any(look.away(found[number]) < SAME_LOOK for look in outside)
        for number in within
    )


def _are_of_collection(
    where: _Where,
    found: Sequence[SharedLook],
    asked: npt.NDArray[np.bool_],
    lines: float | None,
) -> bool:
    """Whether these looks of all are the collection's own greys with its lines between the cells: what lies over a board would
    change the ones or hide the others.

    where: see `_Where`. asked: (looks,). lines: see `meanings`.
    """
    pixels, borders, names, _, _ = where
    if lines is None or any(
        by_grey(look, lines) is None for look, one in zip(found, asked, strict=True) if one
    ):
        return False
    return lined(pixels, borders, names, [look.colour for look in found], asked[names])


def _bare(
    where: _Where,
    found: Sequence[SharedLook],
    meant: Sequence[Possible],
) -> npt.NDArray[np.bool_]:
    """(rows, cols) the cells that seem to be left alone or filled, but have no lines between them as others have: something
    lies over them.

    where: see `_Where`.
    """
    pixels, borders, names, sides, strange = where
    odd = np.array([look.odd for look in found])
    bare = np.zeros(names.shape, np.bool_)
    only = not ((sides >= COVERED) | strange).any()
    colours = [look.colour for look in found]
    filled, alone = (np.array([one == (what,) for one in meant]) & ~odd for what in ("filled", "free"))
    empty = np.array(["filled" not in one for one in meant]) & ~odd
    unseen = unlined(pixels, borders, names, colours, (empty[names], filled[names]), alone=only)
    for hidden, asked in zip(unseen, (alone, filled), strict=True):
        bare |= hidden & asked[names]
    return bare


def _remains(
    where: _Where,
    found: Sequence[SharedLook],
    meant: Sequence[Possible],
) -> npt.NDArray[np.bool_]:
    """(rows, cols) the cells that seem to be left alone, but have the colour of filled ones along a side: what lies over the
    rest of a filled cell has the colour of the ground.

    where: see `_Where`.
    """
    pixels, borders, names, _, _ = where
    plain = np.array([not (look.odd or look.marked) for look in found])
    alone, filled = (np.array([one == (what,) for one in meant]) & plain for what in ("free", "filled"))
    colours = [look.colour for look, one in zip(found, filled, strict=True) if one]
    return stripped(pixels, borders, colours, alone[names])


def _enclosed(
    where: _Where,
    found: Sequence[SharedLook],
    meant: Sequence[Possible],
) -> npt.NDArray[np.bool_]:
    """(rows, cols) the cells that seem to be filled amid those that something covers: it covers them, too.

    where: see `_Where`.
    """
    _, _, names, sides, odd = where
    within = np.zeros(names.shape, np.bool_)
    if not (sides >= COVERED).any():
        return within
    rim = (sides >= COVERED) | odd
    for number, possible in enumerate(meant):
        if found[number].odd or possible != ("filled",):
            continue
        count, blocks = cv2.connectedComponents((names == number).view(np.uint8), connectivity=4)
        for block in (blocks == one for one in range(1, count)):
            beside = (cv2.dilate(block.view(np.uint8), BESIDE) > 0) & ~block
            touched = int((beside & rim).sum())
            within |= block & (touched >= max(LEAST_RIM, ENCLOSED * int(beside.sum())))
    return within


def _wrong(where: _Where, meant: Sequence[Possible], witness: Witness) -> npt.NDArray[np.bool_]:
    """(rows, cols) the cells that seem to be filled where no solution fills them, and hang together with those that something
    covers, or are a block with filled ones: it covers them, too.

    where: see `_Where`.
    """
    _, _, names, sides, odd = where
    blank = np.zeros(names.shape, np.bool_)
    if witness.blank:
        blank[tuple(np.transpose(list(witness.blank)))] = True
    filled = np.array([one == ("filled",) for one in meant])[names]
    wrong = filled & blank
    rim = ((sides >= COVERED) | odd) & ~wrong
    _, blocks = cv2.connectedComponents((wrong | rim).view(np.uint8), connectivity=4)
    over = wrong & np.isin(blocks, blocks[rim])
    count, _, boxes, _ = cv2.connectedComponentsWithStats(wrong.view(np.uint8), connectivity=4)
    for left, top, wide, high, _ in boxes[1:count].tolist():
        window = Box(left, top, wide, high).window
        if min(wide, high) >= LEAST_BLOCK and wide * high < MOSTLY * filled.size and filled[window].all():
            over[window] |= wrong[window]
    return over


def _uncovered(reading: BoardReading, sides: npt.NDArray[np.int64]) -> BoardReading:
    """The reading with cells in doubt over which something lies: a tooltip, a large pointer.

    A pointer that only touches an empty cell hides nothing of it. sides: (rows, cols) see `covered`.
    """
    touched = sides.tolist()
    hidden = {
        cell: replace(mark, symbol=None, confidence=DOUBTFUL, runner_up=mark.symbol, state="placed")
        for cell, mark in reading.marks.items()
        if mark.symbol is not None and touched[cell.row][cell.col] >= (1 if mark.symbol else COVERED)
    }
    placed = reading.placed
    told = Picture(
        placed.filled - hidden.keys(),
        placed.blank - hidden.keys(),
        frozenset(entry for entry in placed.inks if entry[0] not in hidden),
    )
    return replace(reading, placed=told, marks={**reading.marks, **hidden}) if hidden else reading


def _told_in_colours(
    reading: BoardReading, seen: Seen, found: Sequence[SharedLook]
) -> tuple[BoardReading, Sequence[Possible]]:
    """The cells of a coloured nonogram, one that has the colour of an ink is filled with it; and what each look may mean.

    Raises UncertainReading where an ink looks like the empty cells.
    """
    named = [None if look.marked or look.odd else ink_of(look.colour, seen.inks) for look in found]
    empty = [one for one, ink in zip(found, named, strict=True) if not (ink or one.odd)]
    # On a finished board every cell without an ink may have its cross.
    free = max(empty, key=lambda one: len(one.cells), default=None)
    if free is not None and any(apart(free.colour, ink) < LIKE_FREE for ink in seen.inks.values()):
        raise UncertainReading(
            "one of the clues' colours is that of an empty cell", hint="another theme of the program may help"
        )
    meant: list[Possible] = []
    symbols: list[str | Mark] = []
    for look, ink in zip(found, named, strict=True):
        plain = free is not None and apart(look.colour, free.colour) < SAME_LOOK
        possible: Possible = ("filled",) if ink else ("free",) if plain and not look.marked else ("blank",)
        symbols.append(ink or SYMBOLS[possible[0]])
        if look.odd or not (ink or plain):
            possible, symbols[-1] = (
                ("blank", "free", "filled"),
                Mark(None, DOUBTFUL, "", "placed", harmless=plain),
            )
        meant.append(possible)
    marks = _marks(found, symbols, seen)
    told = [(cell, mark.symbol) for cell, mark in marks.items() if mark.symbol]
    inks = frozenset((cell, symbol) for cell, symbol in told if symbol in seen.inks)
    coloured = replace(
        reading,
        placed=Picture(frozenset(cell for cell, _ in inks), frozenset(dict(told)) - dict(inks).keys(), inks),
        marks=marks,
        seen=replace(seen, looks=tuple(zip(found, meant, strict=True))),
    )
    return coloured, meant


def _symbol(possible: Possible) -> str | Mark:
    """How a look is marked that may mean so much; one of several meanings is in doubt."""
    likeliest = SYMBOLS[possible[0]]
    if len(possible) == 1:
        return likeliest
    return Mark(None, DOUBTFUL, likeliest, "placed", harmless="filled" not in possible)


def _marks(found: Sequence[SharedLook], symbols: Sequence[str | Mark], seen: Seen) -> dict[Square, Mark]:
    """One mark per cell; no cell is surer than the clues of its row and column, or than a witness makes it."""
    marks: dict[Square, Mark] = {}
    rows, cols = ([max(seen.least, one) for one in sure] for sure in (seen.row_sure, seen.col_sure))
    for look, symbol in zip(found, symbols, strict=True):
        if isinstance(symbol, Mark):
            marks |= dict.fromkeys(look.cells, symbol)
            continue
        sure = {cell: min(rows[cell.row], cols[cell.col]) for cell in look.cells}
        alike = {one: Mark(symbol, one, state="placed" if symbol else "free") for one in set(sure.values())}
        marks |= {cell: alike[one] for cell, one in sure.items()}
    return {cell: marks[cell] for cell in sorted(marks)}
