"""How a board ends that cannot be looked at any more: gone for good, or only in doubt."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any

from bot.changed import (
    AROUND,
    INNER,
    cells_like,
    changed_around,
    changed_beside,
    changed_cells,
    drawn_anew,
    lifted,
    lines_gone,
    put_back,
    runs_beyond,
    untouched_cells,
    window_at,
)
from bot.errors import PuzzleChanged
from bot.lessons import COVERED
from bot.screen import Glance
from solver.grid.board import counted
from vision.errors import UncertainReading, VisionError
from vision.frame import Frame
from vision.reading import Reading

Entry = tuple[object, object]

# A light veil changes little (levels), but this share of the whole picture.
VEIL_LEVELS, VEILED = 12, 0.5
# Where less than this share of the picture has changed beside the cells nothing came over them; a pointer is as small.
STIRRED = 0.0005
# One over a dark board alone dims most of its lines and numbers; a bright frame around the cells may lie over it.
DRAWN_ANEW = 0.5
# A dialog hides this share of what is drawn between cells in doubt, some of which lie around it; marks keep within cells.
LINES_GONE = 0.25
# Where the picture is painted at the end this share of the entries that stood before are so.
PAINTED = 0.5
# Cells hold the same where they differ by at most this share of what parts them from all that hold something else, which
# is at least so many levels: a veil leaves little between nearly black ones.
ALIKE, PARTED = 0.25, 6
# A message lies over at most this share of the cells, and runs on beside those that it hides by this share of what has
# changed in them: a mark for a mistake keeps within its cell.
MOST_UNDER, BEYOND = 0.25, 0.1


@dataclass(frozen=True)
class End:
    """How the rounds ended.

    look: the last one at the board. left: how many cells are missing there.
    gone: why the board cannot be seen any more since everything missing was entered; "" where it can.
    """

    look: Glance
    left: int
    gone: str = ""


def went(
    error: Exception,
    seen: Glance,
    shown: Frame,
    meant: Set[Entry],
    other: Set[Entry],
    right: Set[Entry],
    placed: Set[Entry],
    blank: object = None,
) -> bool:
    """Whether the board itself has gone, by a cover or because the program went on to the next one.

    It has not where the picture has another size and no empty next board is seen there, nor where nothing but what was meant
    has changed, whatever the reader makes of that, nor where cells are in doubt and little else has changed, nor where a part
    of it is still seen and cells there have not taken what was sent, or look as if they had taken what was not meant for
    them. Nor did the program go on by itself where the other board has what the last steps meant for ours: they may all have
    gone there; nor where it has most of what stood on ours before: it is ours, misread. What a move changes in other cells, as
    light that falls there, is nothing that lies over them.
    error: why there is no further look. seen: the last look; shown: the picture now.
    meant: the entries of the last steps, of which a program that is satisfied may leave out those that are `blank`.
    other: those of the other board, where there is one. right, placed: all of the solution, and those of the last look.
    """
    from vision.veil import over_others

    if shown.size != seen.frame.size:
        return isinstance(error, PuzzleChanged) and not other
    before = {entry for entry in placed - meant if entry[1] != blank}
    if isinstance(error, PuzzleChanged):
        return meant.isdisjoint(other) and 2 * len(before & other) <= len(before)
    doubtful = set(error.cells) if isinstance(error, UncertainReading) else set()
    cells = {cell for cell, _ in meant}
    if not doubtful and changed_beside(seen, shown, cells, VEIL_LEVELS) < STIRRED:
        return False
    sent = {entry for entry in meant if blank is None or entry[1] != blank}
    taken = look_taken(seen, shown, sent, placed, right)
    if not taken and untouched_cells(seen, shown, {cell for cell, _ in sent}):
        return False
    veiled = changed_around(seen, shown, VEIL_LEVELS) >= VEILED
    veiled |= drawn_anew(seen, shown, VEIL_LEVELS, AROUND) >= DRAWN_ANEW
    over = over_others(shown.pixels, seen.frame.pixels, seen.reading.geometry, cells)
    # A button over what is veiled may have the colour of filled cells.
    if not (veiled or over) and not taken and mistaken(seen, shown, right, placed, blank):
        return False
    told = cells | set(seen.reading.geometry.centres)
    covered = over or changed_beside(seen, shown, told) >= COVERED
    # A reader that sees the board and doubts a part of it tells of no cover.
    unsure = isinstance(error, UncertainReading)
    covered |= changed_beside(seen, shown, told, VEIL_LEVELS) >= (VEILED if unsure else STIRRED)
    covered |= drawn_anew(seen, shown, VEIL_LEVELS, INNER, doubtful) >= DRAWN_ANEW
    between, changed = doubtful, changed_cells(seen, shown)
    if unsure and not doubtful and {cell for cell, _ in sent} <= changed:
        # One that names no cells sees no board at all: the lines between them may have gone, and all that was sent is there.
        between = set(seen.reading.geometry.centres)
    covered |= lines_gone(seen, shown, between, VEIL_LEVELS, cells) >= LINES_GONE
    return covered or repainted(changed, cells, doubtful, {cell for cell, _ in before})


def look_taken(seen: Glance, shown: Frame, sent: Set[Entry], placed: Set[Entry], right: Set[Entry]) -> bool:
    """Whether every cell that was sent looks as one does that had its value before, and as none that is empty or has another.

    A veil changes all of them, whatever they hold, and what holds the same in the same way.
    """
    import numpy as np

    geometry, cells = seen.reading.geometry, {cell for cell, _ in right}
    # Without an empty cell nothing tells how one looks now that was not taken.
    if not sent or not cells <= geometry.centres.keys() or cells <= {cell for cell, _ in placed | sent}:
        return False
    reach = geometry.pitch_px / 4
    looks = {
        cell: np.median(shown.pixels[window_at(geometry.centres[cell], reach)].astype(int), axis=(0, 1))
        for cell in cells
    }

    def away(one: object, cells: Set[object]) -> list[float]:
        return [float(np.abs(looks[one] - looks[cell]).max()) for cell in cells]

    def alike(value: object) -> bool:
        cells = {cell for cell, other in sent if other == value}
        others = looks.keys() - {cell for cell, other in right if other == value}
        for one in {cell for cell, other in placed & right if other == value} - cells:
            apart = min(away(one, others))
            if apart >= PARTED and max(away(one, cells)) <= ALIKE * apart:
                return True
        return False

    return all(alike(value) for value in {value for _, value in sent})


def mistaken(seen: Glance, shown: Frame, right: Set[Entry], placed: Set[Entry], blank: object = None) -> bool:
    """Whether cells look as others did that had what is not meant for them; a sign for an empty cell is not asked."""
    examples = {value: cell for cell, value in placed & right if value != blank}
    wrong = {
        cell
        for value, example in examples.items()
        for cell in cells_like(seen, shown, example)
        if (cell, value) not in right
    }
    # A dialog of their colour hides the lines around them.
    return bool(wrong) and not hides_lines(seen, shown, wrong)


def spoiled(seen: Glance, shown: Frame) -> bool:
    """Whether cells have changed since a look with nothing over them: what has been done since may still be there."""
    changed = changed_cells(seen, shown) if shown.size == seen.frame.size else set()
    return bool(changed) and not hides_lines(seen, shown, changed)


def hides_lines(seen: Glance, shown: Frame, cells: Set[object]) -> bool:
    """Whether what is drawn between these cells has gone as well since a look: then something lies over them."""
    return lines_gone(seen, shown, cells, VEIL_LEVELS) >= LINES_GONE


def repainted(changed: Set[object], meant: Set[object], doubtful: Set[object], before: Set[object]) -> bool:
    """Whether the program shows its entries in other colours now that every one of the last has been taken.

    All that was meant has changed since the last look, and so have most entries that stood before: a picture that is
    painted at the end. One that the program did not take would look as before. changed: the cells that have.
    """
    return bool(meant) and meant <= changed and PAINTED * len(before) <= len(before & doubtful & changed) > 0


def boxed(seen: Glance, shown: Frame, read: Callable[[Frame], Reading[Any, Any]]) -> Reading[Any, Any] | None:
    """The board with what boxes lie over as it was seen last; None where there is no box, it cannot be read beside them, or the
    picture has another size.

    What was sent since is there only where it is seen. read: as for `overlaid`.
    """
    clear = lifted(seen, shown) if shown.size == seen.frame.size else shown
    if clear is shown:
        return None
    try:
        reading = read(clear)
    except VisionError:
        return None
    return None if reading.unknown else reading


def overlaid(
    cells: Set[object],
    seen: Glance,
    shown: Frame,
    sent: Set[object],
    read: Callable[[Frame], Reading[Any, Any]],
    most: float = MOST_UNDER,
) -> Reading[Any, Any] | None:
    """The board with cells that a message lies over as they were seen last; None where it is no message, over too many of them,
    or the picture has another size.

    cells: those that are in doubt, or have what nobody sent. sent: those of the last steps, which have to be seen now.
    read: the game's reader. most: the share of the board that may be under it. Otherwise as for `went`.
    """
    if shown.size != seen.frame.size:
        return None
    hidden: set[object] = set()
    while cells and not cells <= hidden:
        hidden |= cells
        if hidden & sent or len(hidden) > most * len(seen.reading.geometry.centres):
            return None
        try:
            reading = read(put_back(seen, shown, hidden))
        except VisionError as error:
            cells = set(error.cells) if isinstance(error, UncertainReading) else set()
            continue
        if not reading.unknown:
            return reading if runs_beyond(seen, shown, hidden, sent) >= BEYOND else None
        cells = set(reading.unknown)
    return None


def lacking(missing: int) -> str:
    """That so many cells are missing."""
    return f"{counted(missing, 'cell')} {'is' if missing == 1 else 'are'} missing"


def words(verified: int, missing: int, gone: str) -> str:
    """What was seen of a board that then went, and what was not."""
    unseen = missing - verified
    last = "the last one was" if unseen == 1 else f"the last {unseen} were"
    rest = f"{last} entered and not seen" if unseen else "none was seen to be taken back"
    return f"{verified} of {missing} cells were seen in place, {rest}: the board went ({gone})"
