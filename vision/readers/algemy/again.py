"""A later look at a board that is known: cells that changed are looked at; what an open wheel hides is what was seen there."""

from __future__ import annotations

from dataclasses import replace

from solver.algemy import Algemy, Solution
from vision.frame import Box, Frame, Point
from vision.readers.algemy.bar import next_arrow, open_wheel
from vision.readers.algemy.board import Seen, board_top, in_doubt, look_at, put_together
from vision.readers.algemy.found import Found
from vision.readers.algemy.gems import other_paper, patches
from vision.readers.algemy.paper import part_on_white
from vision.readers.algemy.whole import covered
from vision.reading import Reading
from vision.track import Changes, later

# A cell is looked at so far from its middle, in cells, and so far around it an open wheel reaches and borders are judged.
REACH, AROUND = 0.6, 1.2


def reread(frame: Frame, earlier: Reading[Algemy, Solution]) -> Reading[Algemy, Solution] | None:
    """The reading of a later frame, where an open wheel hides something with what an earlier one saw there.

    None where it has to be read anew.
    """
    # Above the board stands the arrow to the next level.
    top = Box(0, 0, frame.size[0], min(frame.size[1], earlier.area.bottom))
    now = later(frame, earlier, _again, top)
    if now is None or now is earlier:
        return now
    if not _same_board(now, earlier):
        return None
    if now.ui != "wheel" or not now.doubtful or earlier.doubtful:
        return now if now.puzzle == earlier.puzzle else None
    hidden = set(now.doubtful)
    placed = {cell: colour for cell, colour in now.placed.items() if cell not in hidden}
    placed |= {cell: colour for cell, colour in earlier.placed.items() if cell in hidden}
    marks = {cell: earlier.marks[cell] if cell in hidden else mark for cell, mark in now.marks.items()}
    return replace(now, puzzle=earlier.puzzle, placed=placed, marks=marks)


def _again(
    frame: Frame, earlier: Reading[Algemy, Solution], changed: Changes
) -> Reading[Algemy, Solution] | None:
    seen: Seen = earlier.seen
    found, centres, pitch = seen.found, seen.centres, seen.found.pitch_px
    above = Box(0, 0, frame.size[0], max(0, int(board_top(found))))
    arrow = seen.arrow
    if changed.within([above])[0]:
        sheet = part_on_white(seen.sheet, frame.pixels[above.window])
        arrow = next_arrow(sheet, above.height)
    inside = changed.within([Box.about(at, REACH * pitch) for at in centres])
    touched = [index for index, n in enumerate(inside.tolist()) if n]
    now = replace(seen, pixels=frame.pixels, arrow=arrow)
    if touched:
        # An open wheel says how the cells around it are to be looked at.
        open_on = [] if seen.wheel[0] is None else [seen.wheel[0]]
        now = _with_cells(frame, now, sorted({*touched, *open_on}))
    return put_together(now)


def _with_cells(frame: Frame, seen: Seen, which: list[int]) -> Seen:
    """With what these cells look like on the frame; the wheel is open on one of them or none."""
    pitch, places = seen.found.pitch_px, [seen.centres[index] for index in which]
    box = Box.around(*(Box.about(at, AROUND * pitch) for at in places)).clipped(frame.size)
    sheet = part_on_white(seen.sheet, frame.pixels[box.window])
    here = [Point(at.x - box.left, at.y - box.top) for at in places]
    part = Found(seen.found.shape, (tuple(here),), pitch)
    wheel, colours = open_wheel(sheet.pixels, here, pitch)
    cells, gems = list(seen.cells), list(seen.gems)
    over = covered(sheet, part).tolist()
    for index, at, patch, hidden in zip(which, here, patches(sheet.pixels, here, pitch), over, strict=True):
        gem = look_at(sheet, part, patch, at, None if wheel is None else here[wheel])
        cells[index], gems[index] = patch, in_doubt(gem) if hidden else gem
    strange = other_paper(cells)
    for index in which:
        gems[index] = in_doubt(gems[index]) if strange[index] else gems[index]
    return replace(seen, cells=cells, gems=gems, wheel=(None if wheel is None else which[wheel], colours))


def _same_board(now: Reading[Algemy, Solution], earlier: Reading[Algemy, Solution]) -> bool:
    """Whether both show the same crystals wherever both can be seen."""
    hidden = set(now.doubtful)
    before, after = earlier.puzzle.crystals, now.puzzle.crystals
    return all(cell in hidden or before.get(cell) == after.get(cell) for cell in now.geometry.centres)
