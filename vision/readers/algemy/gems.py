"""What stands in one cell: nothing, a crystal, or a light source; its colour from hue and from the faces filled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from solver.algemy.board import BITS, Shape
from vision.colour import chroma, chroma_of, nearest_hue, strongest, turned, usual_colour
from vision.frame import Box, Pixels, Point
from vision.readers.algemy.paper import TINT_CHROMA
from vision.reading import Mark

# Cells are looked at in this size; smaller ones are enlarged.
CELL_PX = 64
# So many px of a cell of that size around it belong to the averages of its edge.
BLURRED_PX = 2
# Measures of a gem, in cells.
OUTER, INNER = 0.43, 0.215
# Part of a gem's outline that must be there. Beams reach the gem, and on small boards lines fade.
OUTLINE = 0.6
# Hues of the game's paint; brown is a dark orange.
HUES = {"R": 0.0, "O": 33.0, "Y": 60.0, "G": 120.0, "B": 240.0, "V": 300.0}
ORANGE_VALUE, BROWN_VALUE = 195, 165
# A gem's lines are no further from their places than half of this, in px of a cell of CELL_PX. Where none of them runs
# more dark px than these are writing that lies over a crystal or an empty cell: clean cells have up to 0 and 10.
LINE_PX, STRAY_ON_CRYSTAL, STRAY_ON_EMPTY = 5, 5, 13
# A gem's line is this much darker than what is beside it; less where that is dark itself.
LINE_DARKNESS = 40.0
# A face is filled when it has this chroma, and this much of its brightness is colour.
FILLED_CHROMA, FILLED_SHARE = 55, 0.3
BLACK_VALUE = 95
# A black core is no brighter than this in its middle, however small or dim; a dark brown one is, and has some colour.
CORE_VALUE = 40
# Red and yellow with this margin over orange are what they are, however dark.
PURE_MARGIN = 0.6
# Nearer to the runner-up than this is no decision.
LEAST_MARGIN = 0.2
# A part seen with fewer px (of a cell of CELL_PX) says nothing.
LEAST_PX = 12
# An empty cell is this white where there is no light (if there are px enough without light to tell); the thinnest gem
# darkens it by 0.06 on the whole.
MOST_DARKENING = 0.045
UNLIT_PX = 700
# Of a cell that is partly hidden less tells nothing.
BESIDE_WHEEL_PX = 250
# Its paper is the paper around the board.
LEAST_PAPER = 0.8
LIT_CHROMA, FULL_CHROMA = 40, 70
# The ground of a cell is no more coloured than the first, brighter than the second, and of one colour to this.
PALE_CHROMA, PALE_VALUE, ONE_PAPER = 40, 160, 14.0
# Beside light the paper is white nearly everywhere.
MOST_TINTED = 0.4
# Light is at least this bright, but for green light; brown, which never shines, is darker.
DARKEST_LIGHT = 180
# A face of a white crystal has on the mean no more chroma than this.
WHITE_CHROMA = 10.0
# Half the angle of a face without its borders, and with a little of the next ones, in degrees.
FACE_DEG, SECTOR_DEG = 50, 65
# What is nearer than this to a line of the gem, in cells, is its blur.
NEAR_LINE, NEAR_CORE, NEAR_OUTLINE = 0.03, 0.04, 0.05
# How deep the inside of a gem and its centre reach, in its own measure.
INSIDE, CENTRE = 0.4, 0.12
# Light reaches the border of a cell from the first on, and no wider than the second to each side of its axis; farther than the
# third from all axes there is none, up to the fourth.
BEAM_FROM, BEAM_HALF, NO_BEAM, BEAM_TO = 0.28, 0.14, 0.19, 0.42
# A core is black with no more chroma than this (levels), in this share of its px.
BLACK_CHROMA, MOSTLY_BLACK = 60, 0.8
# A line is darker than what is around it by this share of it at least.
LINE_SHARE = 0.25
# An empty cell: shares of coloured px that are no light between the axes, light in the centre, light at the border; of black
# px in the centre; and how sure it must be.
NO_FILLING, LIT_CENTRE, LIT_END, BLACK_CENTRE, SURE_EMPTY = 0.25, 0.5, 0.1, 0.3, 0.5
# Around the core of a white crystal so few px have a colour.
WHITE_SHARE = 0.01
# All three faces.
ALL_FACES = 1 | 2 | 4
LETTER = {bits: letter for letter, bits in BITS.items()}


@dataclass(frozen=True)
class Gem:
    """What was seen in a cell.

    kind: "empty", "crystal", "source", or "strange" for something that the game does not draw.
    mark: its colour, with state.
    content: a crystal that is drawn as getting what it wants.
    lit: a ring is coloured.
    covered: the wheel hides a part of the cell.
    """

    kind: str
    mark: Mark
    content: bool = False
    lit: bool = False
    covered: bool = False


def _grid() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    line = (np.arange(CELL_PX) + 0.5) / CELL_PX - 0.5
    across, down = np.meshgrid(line, line)
    return across, down


_X, _Y = _grid()
# Distance from the middle in the hexagon's own measure (1 on the outline of radius 1), and angle from the
# top.
_DEPTH = np.max(
    [np.abs(_X * math.cos(a) + _Y * math.sin(a)) for a in (0.0, math.pi / 3, -math.pi / 3)], axis=0
) / (math.sqrt(3) / 2)
_ANGLE = np.degrees(np.arctan2(_X, -_Y)) % 360
# Faces by their primary: the top one spans -60..60 degrees, lower right 60..180, lower left 180..300.
_OFF = {primary: turned(_ANGLE, middle) for primary, middle in ((1, 0), (2, 120), (4, 240))}
_FACE = {primary: off < FACE_DEG for primary, off in _OFF.items()}
# The whole face, and a little over its borders.
_SECTOR = {primary: off < SECTOR_DEG for primary, off in _OFF.items()}
_CORE = {
    primary: face & (_DEPTH > NEAR_OUTLINE) & (_DEPTH < INNER - NEAR_LINE) for primary, face in _FACE.items()
}
_RING = {
    primary: face & (_DEPTH > INNER + NEAR_CORE) & (_DEPTH < OUTER - NEAR_OUTLINE)
    for primary, face in _FACE.items()
}
_MIDDLE = _DEPTH < INNER - NEAR_OUTLINE
_INSIDE = _DEPTH < INSIDE
_CENTRE = _DEPTH < CENTRE


def _beams(*axes_deg: float) -> tuple[tuple[npt.NDArray[np.bool_], ...], npt.NDArray[np.bool_]]:
    """Where light along the axes reaches the border of a cell, and where no light ever is."""
    far = np.hypot(_X, _Y) > BEAM_FROM
    ends = []
    between = far & (np.hypot(_X, _Y) < BEAM_TO)
    for axis in axes_deg:
        along = _X * math.sin(math.radians(axis)) - _Y * math.cos(math.radians(axis))
        beside = np.abs(_X * math.cos(math.radians(axis)) + _Y * math.sin(math.radians(axis)))
        ends += [(along > BEAM_FROM) & (beside < BEAM_HALF), (along < -BEAM_FROM) & (beside < BEAM_HALF)]
        between &= beside > NO_BEAM
    return tuple(ends), between


_LIGHT = {"square": _beams(0.0, 90.0), "hex": _beams(30.0, 90.0, 150.0)}


def _outline_px() -> npt.NDArray[np.int64]:
    """Places on the outer hexagon and on the three spokes between the two, as (N, 2) px, x before y."""
    ring = [
        (OUTER * math.sin(math.radians(a)), -OUTER * math.cos(math.radians(a))) for a in range(0, 360, 60)
    ]
    places = []
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        places += [(ax + (bx - ax) * share, ay + (by - ay) * share) for share in np.linspace(0.1, 0.9, 7)]
    for index in (1, 3, 5):
        x, y = ring[index]
        places += [(x * share, y * share) for share in np.linspace(0.62, 0.9, 5)]
    return np.floor((np.array(places) + 0.5) * CELL_PX).astype(np.int64)


_OUTLINE = _outline_px()


def _no_lines() -> npt.NDArray[np.bool_]:
    """Where in a gem none of its lines runs."""
    lines = np.zeros((CELL_PX, CELL_PX), np.uint8)
    turns = np.radians(np.arange(0, 360, 60))
    corner = np.stack([np.sin(turns), -np.cos(turns)], axis=1)
    outlines = [OUTER * corner, INNER * corner]
    spokes = [np.stack([0 * corner[i], OUTER * corner[i]]) for i in (1, 3, 5)]
    for points, closed in [*((one, True) for one in outlines), *((one, False) for one in spokes)]:
        px = np.rint((points + 0.5) * CELL_PX * 16).astype(np.int32)
        cv2.polylines(lines, [px], closed, 1, LINE_PX, cv2.LINE_8, 4)
    return np.asarray(_INSIDE & (lines == 0), np.bool_)


_NO_LINES = _no_lines()


def patches(pixels: Pixels, centres: Sequence[Point], pitch_px: float) -> npt.NDArray[np.uint8]:
    """The cells in one size, (N, CELL_PX, CELL_PX, 3) uint8, BGR; white outside the picture."""
    shrink = min(1.0, CELL_PX / pitch_px)
    reach, size = pitch_px / 2 + BLURRED_PX / shrink, (pixels.shape[1], pixels.shape[0])
    cells = []
    for at in centres:
        box = Box.about(at, reach).clipped(size)
        if not box.width * box.height:
            cells.append(np.full((CELL_PX, CELL_PX, 3), 255, np.uint8))
            continue
        part = small = pixels[box.window]
        if shrink < 1:
            sides = max(1, round(box.width * shrink)), max(1, round(box.height * shrink))
            small = np.asarray(cv2.resize(part, sides, interpolation=cv2.INTER_AREA), np.uint8)
        step_x, step_y = small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]
        map_x = ((at.x - box.left + _X * pitch_px) * step_x - 0.5).astype(np.float32)
        map_y = ((at.y - box.top + _Y * pitch_px) * step_y - 0.5).astype(np.float32)
        white = (255, 255, 255)
        cell = cv2.remap(
            small, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=white
        )
        cells.append(np.asarray(cell, np.uint8))
    return np.asarray(cells, np.uint8)


def other_paper(cells: Sequence[Pixels]) -> list[bool]:
    """Which cells have a ground unlike the others', where no light falls on it: something lies over them."""
    shades: list[npt.NDArray[np.float64] | None] = []
    for patch in cells:
        plain = _INSIDE & (chroma_of(patch) < PALE_CHROMA) & (strongest(patch) > PALE_VALUE)
        shades.append(usual_colour(patch[plain]) if plain.sum() >= UNLIT_PX else None)
    known = [shade for shade in shades if shade is not None]
    if not known:
        return [False] * len(cells)
    usual = usual_colour(np.array(known))
    return [shade is not None and bool(np.abs(shade - usual).max() > ONE_PAPER) for shade in shades]


def look(patch: Pixels, shape: Shape, ground: int, hidden: npt.NDArray[np.bool_] | None = None) -> Gem:
    """What stands in a cell of a board.

    ground: brightness of the paper, 0..255.
    hidden: (CELL_PX, CELL_PX) bool, the part that something else covers.
    """
    visible = np.ones(patch.shape[:2], bool) if hidden is None else ~hidden
    value, chromas = strongest(patch), chroma_of(patch)
    dark = _dark(patch)
    # Where beams cross they are darker, but coloured.
    stray = int((dark & _NO_LINES & visible & (chromas < FILLED_CHROMA)).sum())
    near = np.asarray(cv2.dilate(dark.astype(np.uint8), np.ones((5, 5), np.uint8))) > 0
    x, y = _OUTLINE[:, 0], _OUTLINE[:, 1]
    seen = visible[y, x]
    if seen.sum() < LEAST_PX:
        return Gem("strange", Mark(None, 0.0))
    outline = float(near[y, x][seen].mean())
    middle = _MIDDLE & visible
    black = (value < BLACK_VALUE) & (chromas < BLACK_CHROMA)
    if middle.sum() >= LEAST_PX and float(black[middle].mean()) > MOSTLY_BLACK:
        if float(np.median(value[middle])) > CORE_VALUE:
            return Gem("strange", Mark(None, 0.2, "X"))
        return _source(patch, visible)
    if outline < OUTLINE:
        nothing = _nothing(patch, shape, ground, visible, outline)
        return Gem("strange", Mark(None, 0.2)) if stray > STRAY_ON_EMPTY else nothing
    crystal = _crystal(patch, visible)
    if stray > STRAY_ON_CRYSTAL:
        return replace(
            crystal,
            mark=Mark(None, 0.3, crystal.mark.symbol or crystal.mark.runner_up, "given"),
            content=False,
        )
    return crystal


def _dark(patch: Pixels) -> npt.NDArray[np.bool_]:
    """Where lines are. A line is thin: a beam or a face that is darker than the paper is none."""
    value = strongest(patch)
    around = cv2.morphologyEx(value, cv2.MORPH_CLOSE, np.ones((11, 11), np.uint8)).astype(np.float64)
    return np.asarray(around - value > np.minimum(LINE_DARKNESS, LINE_SHARE * around), np.bool_)


def _nothing(patch: Pixels, shape: Shape, ground: int, visible: npt.NDArray[np.bool_], outline: float) -> Gem:
    """An empty cell, perhaps with light in it; writing, or a gem whose lines are too faint, is strange."""
    value, chromas = strongest(patch), chroma_of(patch)
    ends, between = _LIGHT[shape]
    strange = Gem("strange", Mark(None, 0.2))
    white = visible & (chromas < TINT_CHROMA)
    plain = white & _INSIDE
    covered = not visible.all()
    if covered and plain.sum() < BESIDE_WHEEL_PX:
        return strange
    if covered or plain.sum() >= UNLIT_PX:
        paper = float(np.percentile(value[white], 90))
        darkening = float(np.maximum(paper - value[plain].astype(np.float64), 0.0).mean()) / max(1.0, paper)
        if darkening > MOST_DARKENING or paper < LEAST_PAPER * ground:
            return strange
    if _share(chromas >= FULL_CHROMA, between & visible) > NO_FILLING:
        return strange  # light goes through the middle, it does not fill the cell
    if _share(chromas >= LIT_CHROMA, _CENTRE & visible) > LIT_CENTRE:
        if not any(_share(chromas >= LIT_CHROMA, end & visible) > LIT_END for end in ends):
            return strange
        if _share(chromas >= TINT_CHROMA, between & visible) > MOST_TINTED:
            return strange  # a crystal that has what it wants tints its whole cell
        blue, green, red = usual_colour(patch[_CENTRE & visible]).tolist()
        if max(blue, green, red) < DARKEST_LIGHT and green < max(blue, red):
            return strange
    elif _share(value < BLACK_VALUE, _CENTRE & visible) > BLACK_CENTRE:
        return strange
    confidence = min(1.0, 1.0 - max(outline / OUTLINE - 0.5, 0.0))
    if confidence < SURE_EMPTY:
        return strange
    return Gem("empty", Mark("", confidence))


def _share(what: npt.NDArray[np.bool_], where: npt.NDArray[np.bool_]) -> float:
    """Part of the px there that are so; 0 when there are none."""
    return float(what[where].mean()) if where.any() else 0.0


def _paint(patch: Pixels, where: npt.NDArray[np.bool_]) -> tuple[float, float, float] | None:
    """The colour of a face: of its px those with the least line in them. None for a face that cannot be seen."""
    px = patch[where].astype(np.float64)
    if len(px) < LEAST_PX:
        return None
    spread = px.max(axis=1) - px.min(axis=1)
    clear = np.argsort(-(px.max(axis=1) + spread), kind="stable")[: max(4, len(px) // 2)]
    blue, green, red = usual_colour(px[clear]).tolist()
    return blue, green, red


def _faces(
    patch: Pixels, faces: dict[int, npt.NDArray[np.bool_]], visible: npt.NDArray[np.bool_]
) -> tuple[int, int, tuple[float, float, float] | None]:
    """Primaries of the filled faces, of the faces that can be seen, and the colour of the filled ones."""
    filled, known, paints = 0, 0, []
    for primary, where in faces.items():
        paint = _paint(patch, where & visible)
        if paint is None:
            continue
        known |= primary
        if chroma(paint) >= max(FILLED_CHROMA, FILLED_SHARE * max(paint)):
            filled |= primary
            paints.append(paint)
    if not paints:
        return filled, known, None
    blue, green, red = usual_colour(np.array(paints)).tolist()
    return filled, known, (blue, green, red)


def _named(paint: tuple[float, float, float]) -> tuple[str, float, str]:
    """Letter, margin and runner-up of a paint."""
    named = nearest_hue(paint, HUES)
    bright = max(paint)
    brownish = named.name in "RY" and named.runner_up == "O" and named.margin < PURE_MARGIN
    if named.name == "O" or (brownish and bright < BROWN_VALUE):
        if bright >= ORANGE_VALUE:
            return "O", named.margin, named.runner_up
        if bright <= BROWN_VALUE:
            return "X", max(named.margin, 0.5), "O"
        return "O", 0.0, "X"
    return named.name, named.margin, named.runner_up


def _source(patch: Pixels, visible: npt.NDArray[np.bool_]) -> Gem:
    filled, known, paint = _faces(patch, _RING, visible)
    if paint is None:
        return Gem("strange", Mark(None, 0.2))
    letter, margin, runner_up = _named(paint)
    mark = _witnesses(letter, margin, runner_up, filled, known, whole_is_fine=True)
    if letter == "X":
        mark = Mark(None, 0.2, "X")
    return Gem("source", Mark(mark.symbol, mark.confidence, mark.runner_up, "placed"), lit=True)


def _crystal(patch: Pixels, visible: npt.NDArray[np.bool_]) -> Gem:
    filled, known, paint = _faces(patch, _CORE, visible)
    ring, ring_known, ring_paint = _faces(patch, _RING, visible)
    if paint is None:
        # White crystals have no colour at all; with a part out of sight another letter remains possible.
        white = bool(visible[_DEPTH < INNER].all()) and not any(
            chroma(tuple(patch[face].mean(axis=0))) > WHITE_CHROMA for face in _CORE.values()
        )
        white = white and _share(chroma_of(patch) >= FILLED_CHROMA, _around_core(ring)) < WHITE_SHARE
        mark = Mark("W", 0.95, "", "given") if white else Mark(None, 0.3, "W", "given")
        return Gem("crystal", mark, content=not ring and ring_known == ALL_FACES, lit=bool(ring))
    letter, margin, runner_up = _named(paint)
    ring_letter = _named(ring_paint)[0] if ring_paint is not None else ""
    content = ring_letter == letter and (ring == ring_known or ring == BITS[letter])
    mark = _witnesses(letter, margin, runner_up, filled, known, whole_is_fine=content)
    return Gem("crystal", Mark(mark.symbol, mark.confidence, mark.runner_up, "given"), content, bool(ring))


def _around_core(lit: int) -> npt.NDArray[np.bool_]:
    """The core and the line around it, but for where the ring beside it is lit: colour runs over the line there."""
    beside = np.any([sector for primary, sector in _SECTOR.items() if lit & primary], axis=0)
    return np.asarray((_DEPTH < INNER + NEAR_LINE) & ~(beside & (_DEPTH >= INNER - NEAR_LINE)))


def _witnesses(
    letter: str, margin: float, runner_up: str, filled: int, known: int, *, whole_is_fine: bool
) -> Mark:
    """What hue and faces say together; they must not contradict each other.

    whole_is_fine: a gem that is filled all over says nothing by its faces.
    """
    by_faces = filled == BITS[letter] & known
    if by_faces and known == ALL_FACES:
        # Two witnesses agree: the hue may be as vague as it likes as long as it is nearest.
        return Mark(letter, min(0.99, 0.8 + 0.4 * margin), runner_up)
    # A face out of sight could tell another letter, and what hides it may colour the others.
    if known == ALL_FACES and whole_is_fine and filled == known and margin >= LEAST_MARGIN:
        return Mark(letter, min(0.97, 0.6 + 0.6 * margin), runner_up)
    return Mark(None, 0.3, LETTER.get(filled, letter) if filled != BITS[letter] else letter)
