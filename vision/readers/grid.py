"""Reads boards of square cells by declared looks: which symbol looks how is told by the game, all else is shared.

The lattice is found first; every cell is compared with every look of the game, by the colour of its ground and by the
colour, size and form of what is drawn; the nearest look wins, and the distance to the next one says how sure that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Corner, Edge, Entries, Outside, Place
from solver.lattice import Square
from vision.errors import BoardNotFound
from vision.eyesight import CORNER, Eyesight, Form, Look
from vision.frame import Box, Frame, Point
from vision.grids import Comb, Grid, find_grids
from vision.measures.parts import SHAPE, Part, line_colour, numbers_of, parts
from vision.profile import Profile
from vision.reading import Geometry, Mark, Reading, State
from vision.scene import Claim, Scene, scene_of

# Colours this many levels apart are no longer the same; measured distances count in shares of it.
COLOUR = 24.0
# Two drawings brought to one box differ by this share of their px at most.
SHAPES = 0.3
# Less drawn than this share of a cell is noise.
LEAST_DRAWN = 0.008
# How far a look may be from a cell, and how much farther the second one must be for the cell to be certain.
FARTHEST, SURE_MARGIN = 1.0, 0.6
# A cell told with less than this is in doubt.
LEAST_CONFIDENCE = 0.6
# A lattice of which fewer cells look like anything of the game is not its board.
LEAST_KNOWN = 0.85
# Steps of so many levels make the lines of a lattice that is not seen with the usual ones.
LEVELS = (60, 100)
# A piece of a line is so long at least, and a gap in it at most.
PIECE_PX, GAP_PX = 6, 48
# Lines are thin and soft: their colour is this much less certain than that of a cell.
LINES = 1.7


@dataclass(frozen=True)
class Seen:
    """A board on a lattice: every place with its mark, and the numbers printed in cells that hold something else."""

    grid: Grid
    marks: Mapping[Place, Mark] = field(default_factory=dict)
    clues: Mapping[Place, str] = field(default_factory=dict)

    @property
    def known(self) -> float:
        """The share of the cells that look like something."""
        cells = [mark for place, mark in self.marks.items() if isinstance(place, Square)]
        return sum(mark.symbol is not None for mark in cells) / max(1, len(cells))


def read(frame: Frame, profile: Profile, eyes: Eyesight, title: str) -> Reading[Board, Entries]:
    """The board of a game on a frame; a profile with looks that were learned replaces those declared.

    Raises BoardNotFound.
    """
    scene = scene_of(frame)
    eyes = taught(profile, eyes)
    seen = _best(scene, eyes)
    if seen is None:
        raise BoardNotFound(f"no lattice of {eyes.least} x {eyes.least} cells or more, as {title} has one")
    if seen.known >= LEAST_KNOWN and not _evident(scene, seen, eyes):
        raise BoardNotFound(f"a lattice without the signs or lines of {title}")
    if seen.known < LEAST_KNOWN:
        raise BoardNotFound(
            f"only {seen.known:.0%} of the cells of the lattice of {seen.grid.cols} x {seen.grid.rows} cells"
            f" look like {title}"
        )
    return _reading(scene, seen, eyes)


def claim(scene: Scene, eyes: Eyesight) -> Claim | None:
    """Where the board of a game would be."""
    seen = _best(scene, eyes)
    if seen is None or seen.known < LEAST_KNOWN or not _evident(scene, seen, eyes):
        return None
    try:
        _reading(scene, seen, eyes)
    except BoardNotFound:
        return None
    what = f"a lattice of {seen.grid.cols} x {seen.grid.rows} cells, {seen.known:.0%} of them known"
    return Claim(seen.grid.box, min(1.0, seen.known), what)


def reread(frame: Frame, earlier: Reading[Board, Entries], eyes: Eyesight) -> Reading[Board, Entries] | None:
    """A later frame of a board that is known: its lattice stands; None where what is printed there is another."""
    grid = _grid_of(earlier)
    if grid is None:
        return None
    scene = scene_of(frame)
    seen = _look_at(scene, grid, eyes)
    if seen.known < LEAST_KNOWN:
        return None
    now = _reading(scene, seen, eyes, earlier)
    return now if now.puzzle == earlier.puzzle else None


def _best(scene: Scene, eyes: Eyesight) -> Seen | None:
    """The lattice of which most looks like the game."""
    grids = list(scene.grids()) + list(eyes.lattices(scene) if eyes.lattices else ())
    # Where no lattice is seen at once, thin pieces of signs are in the way, or lines are faint.
    if not any(min(grid.rows, grid.cols) >= eyes.least for grid in grids):
        grids += [grid for line in eyes.lines for grid in scene.once(_in_colour, line)]
        grids += next((list(found) for level in LEVELS if (found := scene.grids(level))), [])
    fitting = [grid for grid in grids if min(grid.rows, grid.cols) >= eyes.least]
    seen = [_look_at(scene, grid, eyes) for grid in fitting]
    return max(seen, key=lambda one: (one.known, len(one.marks)), default=None)


def _in_colour(scene: Scene, rgb: str) -> list[Grid]:
    """The lattices that lines of one colour make, whatever else is drawn across them."""
    away = np.abs(scene.pixels.astype(np.int16) - _bgr(rgb)).max(axis=2)
    lines = np.where(away <= COLOUR, 255, 0).astype(np.uint8)
    alone = np.zeros_like(lines)
    for wide, high in ((1, 0), (0, 1)):
        # Soft edges of writing have the colour of a line, too: but those lie between a darker and a lighter side.
        beside = np.ones((1 + 2 * wide, 1 + 2 * high), np.uint8)
        darker = cv2.subtract(scene.pixels, cv2.erode(scene.pixels, beside)) > COLOUR
        lighter = cv2.subtract(cv2.dilate(scene.pixels, beside), scene.pixels) > COLOUR
        own = np.where((darker & lighter).any(axis=2), 0, lines).astype(np.uint8)
        # Straight pieces only, and what circles and signs have cut out of them.
        pieces = cv2.morphologyEx(
            own, cv2.MORPH_OPEN, np.ones((1 + PIECE_PX * high, 1 + PIECE_PX * wide), np.uint8)
        )
        closed = cv2.morphologyEx(
            pieces, cv2.MORPH_CLOSE, np.ones((1 + GAP_PX * high, 1 + GAP_PX * wide), np.uint8)
        )
        alone = np.maximum(alone, np.asarray(closed, np.uint8))
    return find_grids(np.ascontiguousarray(np.repeat(alone[:, :, None], 3, axis=2)))


def _evident(scene: Scene, seen: Seen, eyes: Eyesight) -> bool:
    """Whether the symbols and the lines are there without which it is another game."""
    if eyes.lines:
        away = _colours(np.array(scene.once(line_colour, seen.grid)), eyes.lines)
        if away > LINES * FARTHEST:
            return False
    symbols = {mark.symbol for mark in seen.marks.values() if mark.symbol}
    numbers = bool(seen.clues) or any(symbol.isdigit() for symbol in symbols)
    return not eyes.evidence or bool(symbols & set(eyes.evidence)) or ("number" in eyes.evidence and numbers)


def _look_at(scene: Scene, grid: Grid, eyes: Eyesight) -> Seen:
    clues: dict[Place, str] = {}
    if eyes.tell is not None:
        marks: dict[Place, Mark] = dict(eyes.tell(scene, grid))
    else:
        found = scene.once(parts, grid, eyes.region)
        cells = {Square(*at): part for at, part in found.items()}
        marks = tell(cells, eyes.looks, clues)
        for row in range(grid.rows):
            for col in range(grid.cols):
                # A cell that the edge of the picture cuts.
                marks.setdefault(Square(row, col), Mark(None, 0.0))
    if eyes.corners:
        spots = scene.once(parts, _wider(grid), CORNER)
        marks |= tell({Corner(*at): part for at, part in spots.items()}, eyes.corners)
    if eyes.outside:
        around = scene.once(parts, grid, eyes.outside_region, 1)
        places = {place: around[at] for place, at in _outside(grid, eyes.outside).items() if at in around}
        marks |= tell(places, eyes.outside_looks)
    return Seen(grid, marks, clues)


def _wider(grid: Grid) -> Grid:
    """One more row and column, so that every corner is the top left one of a cell."""
    xs, ys = grid.xs, grid.ys
    return Grid(Comb(xs.first, xs.pitch, xs.count + 1), Comb(ys.first, ys.pitch, ys.count + 1))


def _outside(grid: Grid, edges: Sequence[Edge]) -> dict[Outside, tuple[int, int]]:
    """Where the clues beside the board stand, as rows and columns that go on beyond the lattice."""
    found: dict[Outside, tuple[int, int]] = {}
    for edge in edges:
        if edge in ("top", "bottom"):
            row = -1 if edge == "top" else grid.rows
            found |= {Outside(edge, col): (row, col) for col in range(grid.cols)}
        else:
            col = -1 if edge == "left" else grid.cols
            found |= {Outside(edge, row): (row, col) for row in range(grid.rows)}
    return found


def tell(
    found: Mapping[Any, Part], looks: Sequence[Look], clues: dict[Place, str] | None = None
) -> dict[Any, Mark]:
    """The mark of every place: its nearest look, and how sure that is; numbers that are clues go into `clues`."""
    numbered = [look for look in looks if look.form == "number"]
    drawn = [place for place, part in found.items() if numbered and part.share > LEAST_DRAWN]
    numbers = dict(zip(drawn, numbers_of([found[place] for place in drawn]), strict=True))
    marks = {}
    for place, part in found.items():
        ranked: dict[tuple[str, State], float] = {}
        printed: dict[tuple[str, State], str] = {}
        sure = 1.0
        for look in looks:
            away, symbol = distance(part, look), look.symbol
            if look.form == "number":
                number = numbers.get(place)
                if number is None or number.value is None:
                    continue
                value = str(number.value)
                symbol = look.symbol if look.clue and look.state == "placed" else value
                sure = min(sure, number.confidence) if away <= FARTHEST else sure
            key = symbol, look.state
            if look.clue and look.form == "number" and away < ranked.get(key, 9.0):
                printed[key] = value
            ranked[key] = min(away, ranked.get(key, 9.0))
        order = sorted(ranked.items(), key=lambda item: item[1])
        if not order or order[0][1] > FARTHEST:
            best = order[0][0][0] if order else ""
            marks[place] = Mark(None, 0.0, best)
            continue
        (symbol, state), nearest = order[0]
        second = next((away for (other, kind), away in order[1:] if (other, kind) != (symbol, state)), 9.0)
        runner_up = next((other for (other, kind), _ in order[1:] if (other, kind) != (symbol, state)), "")
        confidence = min(1.0, 0.5 + 0.5 * (second - nearest) / SURE_MARGIN)
        if symbol.isdigit() or (symbol, state) in printed:
            confidence = min(confidence, sure)
        if clues is not None and (symbol, state) in printed and confidence >= LEAST_CONFIDENCE:
            clues[place] = printed[symbol, state]
        told = symbol if confidence >= LEAST_CONFIDENCE else None
        marks[place] = Mark(told, confidence, runner_up if told is not None else symbol, state)
    return marks


def distance(part: Part, look: Look) -> float:
    """How far a cell is from a look: 0 exactly like it, above FARTHEST not like it."""
    away = _colours(part.ground, look.ground)
    nothing = part.share < LEAST_DRAWN
    if look.cut is not None and look.cut != part.cut:
        return 9.0
    if look.framed is not None and look.framed != part.framed:
        return 9.0
    if look.form == "nothing":
        return away if nothing else max(away, 1.0 + part.share)
    if nothing:
        return 9.0
    if not look.tall[0] <= part.tallest <= look.tall[1]:
        return 9.0
    least, most = look.size
    if not least <= part.size <= most:
        beyond = max(least - part.size, part.size - most)
        away = max(away, 1.0 + beyond * 10 - 0.2)
    away = max(away, _colours(part.ink, look.ink))
    if look.drawing:
        differ = float(np.abs(part.shape - np.reshape(look.drawing, part.shape.shape)).mean())
        away = max(away, differ / SHAPES)
    elif look.form not in ("anything", "number"):
        left, top, right, bottom = part.box
        wide, high = right - left, bottom - top
        flat = look.form == "minus"
        if not flat and max(wide, high) > 1.8 * min(wide, high):
            return 9.0
        differ = float(np.abs(part.shape - _pattern(look.form)).mean())
        away = max(away, differ / SHAPES)
    return away


def _colours(colour: npt.NDArray[np.float64], wanted: Sequence[str]) -> float:
    """The distance of a colour (BGR) to the nearest of several, in shares of what still is the same colour."""
    return min((float(np.abs(colour - _bgr(one)).max()) / COLOUR for one in wanted), default=0.0)


@cache
def _bgr(rgb: str) -> npt.NDArray[np.float64]:
    return np.array([int(rgb[4:], 16), int(rgb[2:4], 16), int(rgb[:2], 16)], np.float64)


@cache
def _pattern(form: Form) -> npt.NDArray[np.float32]:
    """A form that fills its box, (SHAPE, SHAPE), 0..1."""
    side = 8 * SHAPE
    canvas = np.zeros((side, side), np.uint8)
    last, thick = side - 1, side // 7
    match form:
        case "disc":
            cv2.circle(canvas, (side // 2, side // 2), side // 2, 255, -1)
        case "square" | "minus":
            canvas[:] = 255
        case "triangle":
            cv2.fillPoly(canvas, [np.array([(0, last), (last, last), (side // 2, 0)], np.int32)], 255)
        case "backslash":
            cv2.line(canvas, (0, 0), (last, last), 255, thick)
        case "slash":
            cv2.line(canvas, (0, last), (last, 0), 255, thick)
        case "cross":
            cv2.line(canvas, (0, 0), (last, last), 255, thick)
            cv2.line(canvas, (0, last), (last, 0), 255, thick)
        case "plus":
            canvas[side * 3 // 8 : side * 5 // 8] = 255
            canvas[:, side * 3 // 8 : side * 5 // 8] = 255
    small = cv2.resize(canvas, (SHAPE, SHAPE), interpolation=cv2.INTER_AREA)
    return np.asarray(small / 255, np.float32)


def taught(profile: Profile, eyes: Eyesight) -> Eyesight:
    """The eyesight with the looks that a profile holds; as it is for a profile without any."""
    from vision.readers.lessons import looks_in

    learned = looks_in(profile)
    return replace(eyes, looks=learned, lines=()) if learned else eyes


def _reading(
    scene: Scene, seen: Seen, eyes: Eyesight, earlier: Reading[Board, Entries] | None = None
) -> Reading[Board, Entries]:
    grid, marks = seen.grid, seen.marks
    given: dict[Place, str] = dict(seen.clues)
    given |= {place: mark.symbol for place, mark in marks.items() if mark.state == "given" and mark.symbol}
    hidden = [place for place, mark in marks.items() if mark.symbol in eyes.covers and place not in given]
    if earlier is not None:
        given |= {place: earlier.puzzle.given[place] for place in hidden if place in earlier.puzzle.given}
    else:
        marks = {**marks, **{place: Mark(None, 0.0, marks[place].symbol or "", "placed") for place in hidden}}
    placed = {
        place: mark.symbol
        for place, mark in marks.items()
        if mark.state == "placed" and mark.symbol and isinstance(place, Square)
    }
    try:
        board = eyes.finish(scene, grid, Board(grid.rows, grid.cols, given))
    except InvalidPuzzle as error:
        raise BoardNotFound(f"what is seen makes no board: {error}") from error
    centres: dict[Place, Point] = {
        Square(row, col): grid.centre(row, col) for row in range(grid.rows) for col in range(grid.cols)
    }
    for place in marks:
        if isinstance(place, Corner):
            centres[place] = Point(grid.xs.at(place.col), grid.ys.at(place.row))
        elif isinstance(place, Outside):
            row, col = _outside(grid, [place.edge])[place]
            centres[place] = grid.centre(row, col)
    geometry = Geometry(centres, min(grid.xs.pitch, grid.ys.pitch))
    return Reading(board, placed, geometry, marks, _area(scene, grid, eyes))


def _area(scene: Scene, grid: Grid, eyes: Eyesight) -> Box:
    """The board with its clues beside it."""
    before = 1 if eyes.outside or eyes.corners else 0.1
    left, top = max(0, round(grid.xs.at(-before))), max(0, round(grid.ys.at(-max(before, eyes.above))))
    right = min(scene.size[0], round(grid.xs.at(grid.cols + before)))
    return Box(left, top, right - left, min(scene.size[1], round(grid.ys.at(grid.rows + before))) - top)


def _grid_of(reading: Reading[Board, Entries]) -> Grid | None:
    """The lattice of an earlier reading."""
    board, centres = reading.puzzle, reading.geometry.centres
    if board.height < 2 or board.width < 2:
        return None
    first = centres[Square(0, 0)]
    last = centres[Square(board.height - 1, board.width - 1)]
    wide, high = (last.x - first.x) / (board.width - 1), (last.y - first.y) / (board.height - 1)
    return Grid(
        Comb(first.x - wide / 2, wide, board.width + 1), Comb(first.y - high / 2, high, board.height + 1)
    )
