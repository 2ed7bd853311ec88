"""Reads an Algemy screen: the board's lattice from its lines, crystals and sources from hue and faces, the wheel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver import algemy
from solver.algemy import Algemy, Solution
from solver.algemy.board import EMPTY
from solver.errors import InvalidPuzzle
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.readers.algemy.bar import WHEEL_OUTER, next_arrow, open_wheel, wheel_controls
from vision.readers.algemy.claim import is_drawn
from vision.readers.algemy.filmed import OPEN_A_LEVEL, on_film, unread
from vision.readers.algemy.found import Found
from vision.readers.algemy.gems import CELL_PX, OUTER, Gem, look, other_paper, patches
from vision.readers.algemy.lattice import find_boards
from vision.readers.algemy.paper import Colour, Paper, sheets
from vision.readers.algemy.whole import covered, refuse_cut
from vision.reading import Control, Geometry, Mark, Reading
from vision.scene import scene_of

# A board with more cells in doubt than this, what an open wheel hides left aside, is some other table.
STRANGE_SHARE = 0.25
# Below this a thin line can be too faint to be found, and a board looks smaller than it is: it is looked at twice.
SMALL_PITCH_PX = 36.0
# What is nearer to an open wheel than this, in cells, may have some of its colour; less near, some of its blur.
BESIDE_WHEEL, WHEEL_BLUR = 0.05, 0.03
# A button reaches so far.
BUTTON_PX = 8


def read(frame: Frame, profile: Profile) -> Reading[Algemy, Solution]:
    """The board on the frame, what has been placed, the wheel's colours when it is open, and the next arrow.

    The palette is not on the screen, so the puzzle has none. A frame on which nothing is drawn straight may be a photograph.
    Raises BoardNotFound, UncertainReading.
    """
    del profile  # the game has one look; everything is measured in the picture
    scene = scene_of(frame)
    if not is_drawn(scene) and (filmed := scene.once(on_film)) is not None:
        if isinstance(filmed, BoardNotFound):
            raise filmed
        return filmed
    tables = 0
    best: Reading[Algemy, Solution] | None = None
    best_paper: Colour | None = None
    least = STRANGE_SHARE
    for sheet in sheets(frame.pixels):
        if best is not None and sheet.paper != best_paper:
            continue
        for found in find_boards(sheet):
            tables += 1
            seen = _reading(frame.pixels, sheet, found)
            if seen is None:
                continue
            # With its lines found only in part a board may be a little off, which brings doubt: look again.
            if best is not None and not least and not seen[1] and seen[0].puzzle != best.puzzle:
                raise UncertainReading(
                    "the outlines are too faint to tell the board's shape", hint="take a larger picture"
                )
            if best is None or seen[1] < least:
                best, least = seen
                best_paper = sheet.paper
            break
        if best is not None and not least and best.geometry.pitch_px >= SMALL_PITCH_PX:
            break
    if best is not None:
        return best
    what = "lines of a table, but without crystals and empty cells" if tables else "no lattice of cells"
    raise BoardNotFound(f"no Algemy board on the picture: {what}", hint=OPEN_A_LEVEL)


@dataclass(frozen=True, eq=False)
class Seen:
    """What a reading remembers: the picture, its sheet, the lattice, and every cell as it looks and what stands in it.

    wheel: the cell that the wheel is open on, and its colours. arrow: to the next level.
    """

    pixels: Pixels
    sheet: Paper
    found: Found
    cells: Sequence[Pixels]
    gems: Sequence[Gem]
    wheel: tuple[int | None, str]
    arrow: Control | None

    @property
    def centres(self) -> list[Point]:
        return [at for row in self.found.rows for at in row]


def _reading(pixels: Pixels, sheet: Paper, found: Found) -> tuple[Reading[Algemy, Solution], float] | None:
    """The reading of one board and the share of cells in doubt; None when it is a table of something else."""
    centres = [at for row in found.rows for at in row]
    wheel = open_wheel(sheet.pixels, centres, found.pitch_px)
    middle = None if wheel[0] is None else centres[wheel[0]]
    cells = list(patches(sheet.pixels, centres, found.pitch_px))
    gems = [look_at(sheet, found, patch, at, middle) for patch, at in zip(cells, centres, strict=True)]
    over = covered(sheet, found) | np.array(other_paper(cells), np.bool_)
    gems = [in_doubt(gem) if hidden else gem for gem, hidden in zip(gems, over.tolist(), strict=True)]
    kinds = [gem.kind for gem in gems]
    if "crystal" not in kinds or not {"empty", "source"} & set(kinds):
        return None
    if wheel[0] is None and "source" not in kinds and any(gem.content and gem.lit for gem in gems):
        return None  # gems that shine without any light are those of the level menu
    doubt = unread([gem.mark for gem in gems if not gem.covered])
    if doubt > STRANGE_SHARE:
        return None
    refuse_cut(sheet, found)
    arrow = next_arrow(sheet, board_top(found))
    return put_together(Seen(pixels, sheet, found, cells, gems, wheel, arrow)), doubt


def board_top(found: Found) -> float:
    """The board's upper end, px."""
    return min(at.y for row in found.rows for at in row) - 0.5 * found.pitch_px


def in_doubt(gem: Gem) -> Gem:
    """A gem that something lies over, unless that is the wheel."""
    mark = Mark(None, 0.2, gem.mark.symbol or "", gem.mark.state)
    return gem if gem.covered else replace(gem, mark=mark)


def put_together(seen: Seen) -> Reading[Algemy, Solution]:
    """What was seen, as a board. Raises UncertainReading where it is none."""
    found, gems, centres, (wheel, colours) = seen.found, seen.gems, seen.centres, seen.wheel
    try:
        puzzle = Algemy(found.shape, _rows(found, gems))
    except InvalidPuzzle as error:
        raise UncertainReading(
            f"the lattice found is no board: {error}", hint="show the whole board"
        ) from error
    places = puzzle.cells
    placed = {
        cell: gem.mark.symbol
        for cell, gem in zip(places, gems, strict=True)
        if gem.kind == "source" and gem.mark.symbol
    }
    marks = {cell: gem.mark for cell, gem in zip(places, gems, strict=True)}
    geometry = Geometry(dict(zip(places, centres, strict=True)), found.pitch_px)
    controls: dict[str, Control] = {}
    facts: dict[str, float] = {}
    if wheel is not None:
        controls.update(wheel_controls(centres[wheel], found.pitch_px, colours))
        row, col = puzzle.place(places[wheel])
        facts = {"wheel_row": row, "wheel_col": col}
    if seen.arrow is not None:
        controls["next-level"] = seen.arrow
    return Reading(
        puzzle=puzzle,
        placed=placed,
        geometry=geometry,
        marks=marks,
        area=_area(seen.pixels, geometry, controls),
        controls=controls,
        finished=wheel is None and _finished(puzzle, placed, gems),
        ui="wheel" if wheel is not None else "board",
        facts=facts,
        seen=seen,
    )


def _rows(found: Found, gems: Sequence[Gem]) -> tuple[str, ...]:
    """The board's rows; a crystal in doubt stands as white, and its mark says that it is in doubt."""
    letters = [(gem.mark.symbol or "W") if gem.kind == "crystal" else EMPTY for gem in gems]
    rows, first = [], 0
    for row in found.rows:
        rows.append("".join(letters[first : first + len(row)]))
        first += len(row)
    return tuple(rows)


_LINE = (np.arange(CELL_PX) + 0.5) / CELL_PX - 0.5
_ACROSS, _DOWN = np.meshgrid(_LINE, _LINE)


def look_at(sheet: Paper, found: Found, patch: Pixels, at: Point, wheel: Point | None) -> Gem:
    """What stands in a cell; one that the wheel hides is judged by what is left of it. wheel: its middle."""
    if wheel is None:
        return look(patch, found.shape, sheet.ground)
    if at == wheel:
        # Only an empty cell or a source has a wheel; which of them is under it.
        return Gem("empty", Mark("", 0.6), covered=True)
    dx, dy = (at.x - wheel.x) / found.pitch_px, (at.y - wheel.y) / found.pitch_px
    if math.hypot(dx, dy) > WHEEL_OUTER + OUTER + BESIDE_WHEEL:
        return look(patch, found.shape, sheet.ground)
    hidden = np.hypot(_ACROSS + dx, _DOWN + dy) < WHEEL_OUTER + WHEEL_BLUR
    return replace(look(patch, found.shape, sheet.ground, hidden), covered=True)


def _finished(puzzle: Algemy, placed: Solution, gems: Sequence[Gem]) -> bool:
    """Whether the picture shows a solved board: every crystal drawn as content, and no rule broken."""
    crystals = [gem for gem in gems if gem.kind == "crystal"]
    if any(gem.mark.symbol is None for gem in gems) or not all(gem.content for gem in crystals):
        return False
    return not algemy.check(puzzle, placed)


def _area(pixels: Pixels, geometry: Geometry, controls: dict[str, Control]) -> Box:
    """Everything that may be tapped: the board, the wheel that reaches beyond it, and the buttons."""
    reach = (WHEEL_OUTER + 0.1) * geometry.pitch_px
    places = [Box.about(at, reach) for at in geometry.centres.values()]
    places += [Box.about(control.at, BUTTON_PX) for control in controls.values()]
    return Box.around(*places).clipped((pixels.shape[1], pixels.shape[0]))
