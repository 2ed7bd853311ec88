"""Reads boards of square cells by declared looks: which symbol looks how is told by the game, all else is shared.

The lattice is found first; every cell is compared with every look of the game, by the colour of its ground and by the
colour, size and form of what is drawn; the nearest look wins, and the distance to the next one says how sure that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, product
from typing import Any

import cv2
import numpy as np

from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Corner, Edge, Entries, Outside, Place, rows_of
from solver.lattice import Square
from vision.colour import strongest
from vision.digits import Number
from vision.errors import BoardNotFound, PartlyOff
from vision.eyesight import CORNER, Eyesight, Look, Region
from vision.frame import Box, Frame, Pixels, Point
from vision.grids import LEAST_CELLS, LEAST_PITCH_PX, Comb, Grid, find_grids
from vision.measures.borders import GOES_ON, NEARLY_ALL, goes_on
from vision.measures.circles import AROUND_POINT, with_circles
from vision.measures.edges import SIDES, near_edges, partly_off
from vision.measures.likeness import COLOUR, FARTHEST, Many, bgr, colours_away, distances
from vision.measures.likeness import tell as tell
from vision.measures.parts import (
    Part,
    box_at,
    grounds,
    line_colour,
    numbers,
    numbers_of,
    parts,
    parts_at,
    parts_in,
    patches_at,
)
from vision.measures.tints import entered, unmarked, without_thin
from vision.profile import Profile
from vision.reading import Geometry, Mark, Reading
from vision.scene import Claim, Scene, scene_of
from vision.track import Changes, Windows, later
from vision.writing import LEAST_CONTRAST

# Boards with more rows have numbers of more than one digit, or letters.
MOST_DIGITS = 9
# A lattice of which fewer cells look like anything of the game is not its board.
LEAST_KNOWN = 0.85
# Cells are as wide as they are high, to this share; otherwise lines of something else are among those of the lattice.
SQUARE = 0.05
# Grounds are told from a few px at first: so much less of a board may seem to have its colours.
LIKELY_SLACK = 0.1
# Lines of a lattice that strokes bend are stronger than this (levels).
STRONG_LEVELS = 100
# Levels of grain that hide faint lines; the steps of lines that show are so many times the grain.
GRAINY, OF_GRAIN = 3, 15
# A piece of a line is so long at least, and a gap in it at most.
PIECE_PX, GAP_PX = 6, 48
# Lines that are drawn in just one colour, give or take so many levels, have pieces of more than so many px, and gaps of so
# much of what all lines go over.
EXACT, DRAWN_PX, OF_LINES = 3, 3, 0.25
# A longer one has no soft edge of writing.
LONG_PX = 20
# What stands on a corner reaches less far than this from it, in pitches.
CLUES = 0.35
# What ends so near to an edge of the picture (in pitches) may go on beyond it.
EDGE = 0.12
# A line of a lattice goes through three of the smallest cells at least.
LEAST_LINE = 255 * LEAST_CELLS * LEAST_PITCH_PX
# What is looked at beside a board reaches so far beyond its place, in pitches.
BEYOND = 0.25
# What is drawn as a mistake has so many px of that colour, nearer to the middle of its place than this (share of the pitch).
MISTAKEN_PX, MIDDLE = 3, 0.4
UPRIGHT_LEVEL = ((0, 1), (1, 0))
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
    if claimed := scene.once(_claimed, eyes):
        return _uncut(scene, claimed, eyes)
    clear = _clear(scene, eyes)
    seen = _best(clear, _lattices(clear, eyes), eyes)
    if seen is None and any(_at_edge(clear, grid) for grid in clear.grids() if _is_square(grid)):
        raise partly_off(f"the lines of {title} end at the picture's edge")
    if seen is None:
        raise BoardNotFound(f"no lattice of {eyes.least} x {eyes.least} cells or more, as {title} has one")
    if seen.known >= LEAST_KNOWN and not (_lined(clear, seen.grid, eyes) and _evident(scene, seen, eyes)):
        raise BoardNotFound(f"a lattice without the signs or lines of {title}")
    if seen.known < LEAST_KNOWN:
        raise BoardNotFound(
            f"only {seen.known:.0%} of the cells of the lattice of {seen.grid.cols} x {seen.grid.rows} cells"
            f" look like {title}"
        )
    return _uncut(scene, _reading(scene, seen, eyes), eyes)


def claim(scene: Scene, eyes: Eyesight) -> Claim | None:
    """Where the board of a game would be."""
    return _claim_of(scene.once(_claimed, eyes))


def glance(scene: Scene, eyes: Eyesight) -> Claim | None:
    """The claim of the lattices that show at once, whatever the colours of their lines."""
    at_once = _clear(scene, eyes).once(_at_once, eyes)
    return _claim_of(scene.once(_board_on, eyes, at_once)) if at_once else None


def _claim_of(claimed: Reading[Board, Entries] | None) -> Claim | None:
    if claimed is None:
        return None
    seen: Seen = claimed.seen.board
    what = f"a lattice of {seen.grid.cols} x {seen.grid.rows} cells, {seen.known:.0%} of them known"
    return Claim(seen.grid.box, min(1.0, seen.known), what)


def _claimed(scene: Scene, eyes: Eyesight) -> Reading[Board, Entries] | None:
    """The board on a lattice whose lines and cells have colours of the game; None where there is none."""
    grids = _lattices(_clear(scene, eyes), eyes)
    return scene.once(_board_on, eyes, grids) if grids else None


def _board_on(scene: Scene, eyes: Eyesight, grids: Sequence[Grid]) -> Reading[Board, Entries] | None:
    """The board on the one of these lattices that looks most like the game; None where none does."""
    clear = _clear(scene, eyes)
    seen = _best(clear, [grid for grid in grids if _may_be(clear, grid, eyes)], eyes)
    if seen is None or seen.known < LEAST_KNOWN:
        return None
    if not (_lined(clear, seen.grid, eyes) and _evident(scene, seen, eyes)):
        return None
    try:
        return _reading(scene, seen, eyes)
    except (BoardNotFound, PartlyOff):
        return None


@dataclass(frozen=True, eq=False)
class Kept:
    """What a reading remembers: the picture, what was seen on it, and what was measured of its places."""

    pixels: Pixels
    board: Seen
    windows: Windows


def reread(frame: Frame, earlier: Reading[Board, Entries], eyes: Eyesight) -> Reading[Board, Entries] | None:
    """A later frame of a board that is known: its lattice stands; None where another board is there, or a part of one."""
    around = earlier.area.grown(round(BEYOND * earlier.geometry.pitch_px))
    return later(frame, earlier, partial(_again, eyes=eyes), around.clipped(frame.size))


def _again(
    frame: Frame, earlier: Reading[Board, Entries], changed: Changes, eyes: Eyesight
) -> Reading[Board, Entries] | None:
    kept: Kept = earlier.seen
    before, scene = kept.board, scene_of(frame)
    scene.windows = Windows(kept.windows, changed)
    seen = _look_at(_clear(scene, eyes), before.grid, eyes)
    if seen.known < LEAST_KNOWN:
        return None
    again = _reading(scene, seen, eyes, earlier)
    if eyes.turned:
        # What is printed changes in play, but not what a click does.
        return again if again.puzzle.form == earlier.puzzle.form else None
    return again if again.puzzle == earlier.puzzle else None


def _clear(scene: Scene, eyes: Eyesight) -> Scene:
    """The picture without what is printed over the cells, and without a cursor and marks of errors."""
    steps: list[tuple[Callable[..., Scene | None], tuple[str, ...]]] = []
    if eyes.clear is not None:
        steps.append((eyes.clear, ()))
    if eyes.cursor:
        steps.append((without_thin, (eyes.cursor,)))
    if eyes.errors:
        steps.append((unmarked, (eyes.errors,)))
    for step, colour in steps:
        cleared = scene.once(step, *colour)
        if cleared is not None:
            cleared.windows, cleared.without = scene.windows, (*scene.without, step)
            scene = cleared
    return scene


def _best(scene: Scene, grids: Sequence[Grid], eyes: Eyesight) -> Seen | None:
    """The lattice of which most looks like the game."""
    found = [_look_at(scene, grid, eyes) for grid in grids]
    seen = max(found, key=lambda one: (one.known, len(one.marks)), default=None)
    if seen is None or not eyes.corners or seen.known < LEAST_KNOWN:
        return seen
    if not (_lined(scene, seen.grid, eyes) and _evident(scene, seen, eyes)):
        return seen
    grown = _grown(scene, seen.grid, eyes)
    # Beyond the clues that stand on its outer corners.
    if scene.once(goes_on, grown, GOES_ON, CLUES) or _at_edge(scene, grown):
        return None
    return seen if grown == seen.grid else _look_at(scene, grown, eyes)


def _lattices(scene: Scene, eyes: Eyesight) -> tuple[Grid, ...]:
    """The lattices that are large enough for a board, as the first way to see lattices shows any."""
    return scene.once(_at_once, eyes) or _first_fitting(
        scene, eyes, islice(_seen_in_turn(scene, eyes), 1, None)
    )


def _at_once(scene: Scene, eyes: Eyesight) -> tuple[Grid, ...]:
    """Those that the first way shows."""
    return _first_fitting(scene, eyes, islice(_seen_in_turn(scene, eyes), 1))


def _first_fitting(scene: Scene, eyes: Eyesight, ways: Iterable[Sequence[Grid]]) -> tuple[Grid, ...]:
    found = (tuple(grid for grid in grids if _fits(scene, grid, eyes)) for grids in ways)
    return next(filter(None, found), ())


def _seen_in_turn(scene: Scene, eyes: Eyesight) -> Iterator[Sequence[Grid]]:
    """The lattices that each way shows to which the lines of a board may be seen, in order."""
    # Of two that are as good the game's own counts: others may be made of what stands on the cells.
    usual = [*(scene.once(eyes.lattices) if eyes.lattices else ()), *scene.grids()]
    if not eyes.corners:
        yield usual
    # A screen draws its lines in just one colour; where those of a lossy picture have it in part another way shows more.
    if eyes.corners:
        drawn = [grid for line in eyes.lines for grid in scene.once(drawn_in, line)]
        most = max((_cells_of(grid) for grid in usual if _fits(scene, grid, eyes)), default=0)
        yield [grid for grid in drawn if _cells_of(grid) >= most]
        usual = [*drawn, *usual]
    # Thin pieces of signs may be in the way, and what stands at the corners hides the crossings of the lines: by their
    # colour they are seen best.
    coloured = [grid for line in eyes.lines for grid in scene.once(tinted_in, line)]
    yield [*coloured, *usual] if eyes.corners else coloured
    # In a grainy picture there are steps everywhere: lines are those well above its grain.
    if scene.grain >= GRAINY:
        yield scene.grids(round(OF_GRAIN * scene.grain))
    # Strokes of what stands in the cells bend a lattice: its lines alone are stronger.
    if not all(map(_is_square, scene.grids())):
        yield scene.grids(STRONG_LEVELS)


def _cells_of(grid: Grid) -> int:
    return grid.rows * grid.cols


def _grown(scene: Scene, grid: Grid, eyes: Eyesight) -> Grid:
    """The lattice with the row or column that an outer line bounds of which clues on its corners hide the most."""
    around = Grid(*(Comb(comb.at(-1), comb.pitch, comb.count + 3) for comb in (grid.xs, grid.ys)))
    outer = {0, around.rows - 1}, {0, around.cols - 1}
    places = [
        at for at in product(range(around.rows), range(around.cols)) if at[0] in outer[0] or at[1] in outer[1]
    ]
    spots = _points(scene, around, places, eyes)
    seen = [at for at, mark in spots.items() if mark.symbol and isinstance(at, Corner)]
    return Grid(
        _longer(grid.xs, {at.col - 1 for at in seen}),
        _longer(grid.ys, {at.row - 1 for at in seen}),
    )


def _longer(comb: Comb, lines: Collection[int]) -> Comb:
    """The comb with the line before its first and the one behind its last, where those are among the lines."""
    before, behind = -1 in lines, comb.count in lines
    return Comb(comb.at(-before), comb.pitch, comb.count + before + behind)


def _fits(scene: Scene, grid: Grid, eyes: Eyesight) -> bool:
    """Whether a lattice has enough cells for a board, square ones, and is no part of a larger one."""
    # A row that clues on the corners hide is found again later.
    lines = NEARLY_ALL if eyes.corners else GOES_ON
    whole = not scene.once(goes_on, grid, lines) and not _at_edge(scene, grid)
    return min(grid.rows, grid.cols) >= eyes.least and _is_square(grid) and whole


def _at_edge(scene: Scene, grid: Grid) -> bool:
    """Whether the lattice ends at an edge of the picture, beyond which it may go on; one that is cut out has no more room
    at its other sides."""
    near = near_edges(grid.box, scene.size, EDGE * min(grid.xs.pitch, grid.ys.pitch))
    return 0 < len(near) < len(SIDES)


def _is_square(grid: Grid) -> bool:
    """Whether the cells are as wide as they are high."""
    return abs(grid.xs.pitch - grid.ys.pitch) <= SQUARE * grid.ys.pitch


def _may_be(scene: Scene, grid: Grid, eyes: Eyesight) -> bool:
    """Whether the lines and the cells of a lattice have colours of the game: what is told at once, before cells are looked at
    one by one, and of them before their numbers are read."""
    if eyes.likely is not None and not eyes.likely(scene, grid):
        return False
    if not _lined(scene, grid, eyes):
        return False
    wanted = sorted({colour for look in eyes.looks for colour in look.ground})
    if eyes.looks and all(look.ground for look in eyes.looks):
        own = scene.once(grounds, grid, eyes.region)
        if not len(own) or (colours_away(own, wanted) <= FARTHEST).mean() < LEAST_KNOWN - LIKELY_SLACK:
            return False
    if eyes.outside and not any(mark.symbol for mark in scene.once(_beside, grid, eyes).values()):
        return False
    if eyes.tell is not None:
        return True
    # Numbers that are not read yet may be any.
    every = Many(list(scene.once(parts, grid, eyes.region).values()))
    nearest = np.min([distances(every, look) for look in eyes.looks], axis=0) if len(every.share) else []
    return bool((np.asarray(nearest) <= FARTHEST).sum() >= LEAST_KNOWN * grid.rows * grid.cols)


def drawn_in(scene: Scene, rgb: str) -> list[Grid]:
    """The lattices that lines make of which every px has the colour. Use as `scene.once(drawn_in, rgb)`."""
    inked, straight, box = _straight(scene, rgb, EXACT, DRAWN_PX)
    if box is None:
        return []
    gap = round(OF_LINES * max(box.width, box.height))
    closed = [
        cv2.morphologyEx(one[box.window], cv2.MORPH_CLOSE, _bar(*way, gap))
        for way, one in zip(UPRIGHT_LEVEL, straight, strict=True)
    ]
    sheet = np.zeros_like(inked)
    sheet[box.window] = np.maximum(*closed)
    return find_grids(sheet)


def _straight(scene: Scene, rgb: str, levels: float, piece: int) -> tuple[Pixels, list[Pixels], Box | None]:
    """The px of a colour, give or take levels, the straight pieces of them, upright and level, and their box; None where
    those make no lattice."""
    wanted = bgr(rgb)
    inked = np.asarray(cv2.inRange(scene.pixels, wanted - levels, wanted + levels), np.uint8)
    straight = [
        np.asarray(cv2.morphologyEx(inked, cv2.MORPH_OPEN, _bar(*way, piece)), np.uint8)
        for way in UPRIGHT_LEVEL
    ]
    return inked, straight, Box(*cv2.boundingRect(cv2.max(*straight))) if _are_lines(straight) else None


def _are_lines(straight: Sequence[Pixels]) -> bool:
    """Whether straight pieces, upright and level ones, may be four lines both ways."""
    sums = (cv2.reduce(one, axis, cv2.REDUCE_SUM, dtype=cv2.CV_32S) for axis, one in enumerate(straight))
    return all(np.count_nonzero(px >= LEAST_LINE) > LEAST_CELLS for px in sums)


def tinted_in(scene: Scene, rgb: str) -> list[Grid]:
    """The lattices that lines make whose px are near the colour. Use as `scene.once(tinted_in, rgb)`."""
    inked, _, box = _straight(scene, rgb, COLOUR, PIECE_PX)
    if box is None:
        return []
    lines = inked[box.window]
    alone: list[Pixels] = []
    for way in UPRIGHT_LEVEL:
        # Soft edges of writing have the colour of a line, too: but those lie between a darker and a lighter side.
        between = scene.once(_between, way)[box.window]
        own = cv2.bitwise_and(lines, cv2.threshold(between, COLOUR, 255, cv2.THRESH_BINARY_INV)[1])
        # So long and straight is no edge of writing: a line between a dark and a light cell.
        own = np.maximum(
            own, np.asarray(cv2.morphologyEx(lines, cv2.MORPH_OPEN, _bar(*way, LONG_PX)), np.uint8)
        )
        # Straight pieces only, and what circles and signs have cut out of them.
        pieces = cv2.morphologyEx(own, cv2.MORPH_OPEN, _bar(*way, PIECE_PX))
        closed = cv2.morphologyEx(pieces, cv2.MORPH_CLOSE, _bar(*way, GAP_PX))
        alone.append(np.asarray(closed, np.uint8))
    if not _are_lines(alone):
        return []
    sheet = np.zeros_like(inked)
    sheet[box.window] = cv2.max(*alone)
    return find_grids(sheet)


def _between(scene: Scene, way: tuple[int, int]) -> Pixels:
    """(H, W) by how many levels each px is lighter than what is beside it across a way and darker than that, both."""
    beside, pixels = _bar(*way[::-1], 2), scene.pixels
    lighter, darker = (
        cv2.subtract(pixels, cv2.erode(pixels, beside)),
        cv2.subtract(cv2.dilate(pixels, beside), pixels),
    )
    return strongest(np.asarray(cv2.min(lighter, darker), np.uint8))


def _bar(wide: int, high: int, px: int) -> Pixels:
    """A straight piece to open and close with."""
    return np.ones((1 + px * high, 1 + px * wide), np.uint8)


def _evident(scene: Scene, seen: Seen, eyes: Eyesight) -> bool:
    """Whether the symbols are there without which it is another game; what is printed over cells is one."""
    # Where a game prints clues beside its board there is one at least.
    if eyes.outside and not any(
        mark.symbol for place, mark in seen.marks.items() if isinstance(place, Outside)
    ):
        return False
    if eyes.clear is not None and scene.once(eyes.clear) is not None:
        return True
    symbols = {mark.symbol for mark in seen.marks.values() if mark.symbol}
    numbers = bool(seen.clues) or any(symbol.isdigit() for symbol in symbols)
    return not eyes.evidence or bool(symbols & set(eyes.evidence)) or ("number" in eyes.evidence and numbers)


def _lined(scene: Scene, grid: Grid, eyes: Eyesight) -> bool:
    """Whether the lines between the cells have the colour of the game's."""
    if not eyes.lines:
        return True
    return bool(colours_away(np.array([scene.once(line_colour, grid)]), eyes.lines)[0] <= LINES * FARTHEST)


def _look_at(scene: Scene, grid: Grid, eyes: Eyesight) -> Seen:
    clues: dict[Place, str] = {}
    if eyes.tell is not None:
        marks: dict[Place, Mark] = dict(eyes.tell(scene, grid))
    else:
        found, read = _cells(scene, grid, eyes)
        told = _told(scene, grid, eyes.looks, found, eyes.wider or eyes.region, read)
        # A cell that the edge of the picture cuts.
        squares = rows_of(grid.rows, grid.cols)
        marks = dict.fromkeys(chain.from_iterable(squares), Mark(None, 0.0))
        marks |= {squares[row][col]: mark for (row, col), (mark, _) in told.items()}
        clues = {squares[row][col]: clue for (row, col), (_, clue) in told.items() if clue}
    if eyes.corners:
        marks |= _points(scene, grid, list(product(range(grid.rows + 1), range(grid.cols + 1))), eyes)
    if eyes.outside:
        marks |= scene.once(_beside, grid, eyes)
    return Seen(grid, marks, clues)


def _told(
    scene: Scene,
    grid: Grid,
    looks: Sequence[Look],
    found: Mapping[tuple[int, int], Part],
    region: Region,
    read: Mapping[tuple[int, int], Number],
    edges: Mapping[tuple[int, int], Outside] | None = None,
) -> dict[tuple[int, int], tuple[Mark, str]]:
    """The mark at each place, by row and column, and the clue that is printed there, "" where there is none.

    region: that the parts there and the numbers in them were taken from. edges: those of the places that stand beside the
    board.
    """

    def tell_some(some: Sequence[tuple[int, int]]) -> dict[tuple[int, int], tuple[Mark, str]]:
        named: dict[tuple[int, int], Any] = {at: edges[at] if edges else at for at in some}
        clues: dict[Any, str] = {}
        marks = tell(
            {named[at]: found[at] for at in some},
            looks,
            clues,
            {named[at]: read[at] for at in some if at in read},
        )
        return {at: (marks[place], clues.get(place, "")) for at, place in named.items()}

    return scene.each(
        grid, (tell, looks, region), list(found), lambda at: box_at(grid, *at, region), tell_some
    )


def _beside(scene: Scene, grid: Grid, eyes: Eyesight) -> dict[Place, Mark]:
    """What stands beside the board."""
    region, looks = eyes.outside_region, eyes.outside_looks
    edges = {at: place for place, at in _outside(grid, eyes.outside).items()}
    found = parts_at(scene, grid, list(edges), region)
    read = numbers_of(scene, grid, found, region, (parts, region)) if _numbered(looks) else {}
    told = _told(scene, grid, looks, found, region, read, edges)
    # A clue that would stand beyond the picture's edge.
    return {place: told[at][0] if at in told else Mark(None, 0.0) for at, place in edges.items()}


def _uncut(scene: Scene, reading: Reading[Board, Entries], eyes: Eyesight) -> Reading[Board, Entries]:
    """The reading. Raises PartlyOff where the picture's edge cuts what stands beside the board."""
    grid: Grid = reading.seen.board.grid
    cut: dict[str, dict[Place, Pixels]] = {}
    for place, at in _outside(grid, eyes.outside).items():
        box = box_at(grid, *at, eyes.outside_region)
        shown = scene.pixels[box.clipped(scene.size).window]
        for side in near_edges(box, scene.size, 0):
            if side == place.edge:
                cut.setdefault(side, {})[place] = shown
    for side, places in cut.items():
        # Where nothing is drawn in any of them all may be beyond the edge.
        if not any(map(_is_drawn, places.values())) or any(
            _is_drawn(_at(shown, side)) for shown in places.values()
        ):
            raise partly_off(
                f"numbers beside the board are cut by the {side} edge of the picture", list(places)
            )
    return reading


def _at(shown: Pixels, side: str) -> Pixels:
    """The outermost line of px on a side."""
    return {"left": shown[:, :1], "top": shown[:1], "right": shown[:, -1:], "bottom": shown[-1:]}[side]


def _is_drawn(shown: Pixels) -> bool:
    """Whether something is drawn on px, which may be none."""
    return bool(shown.size) and int(np.ptp(shown.reshape(-1, 3), axis=0).max()) >= LEAST_CONTRAST


def _numbered(looks: Sequence[Look]) -> bool:
    """Whether there are numbers to be read; a game without any has none read."""
    return any(look.form == "number" for look in looks)


def _cells(
    scene: Scene, grid: Grid, eyes: Eyesight
) -> tuple[dict[tuple[int, int], Part], dict[tuple[int, int], Number]]:
    """The cells, and the numbers in them."""
    if eyes.wider is not None:
        found = scene.once(entered, grid, eyes.region, eyes.wider)
        return found, numbers_of(scene, grid, found, eyes.wider, (entered, eyes.region))
    # Numbers that go beyond nine; letters stand for those.
    signs = eyes.letters and grid.rows > MOST_DIGITS
    read = scene.once(numbers, grid, eyes.region, signs=signs) if _numbered(eyes.looks) else {}
    return scene.once(parts, grid, eyes.region), read


def _points(scene: Scene, grid: Grid, places: Sequence[tuple[int, int]], eyes: Eyesight) -> dict[Place, Mark]:
    """What stands at the top left corners of some cells, framed where a circle goes round it."""
    found = scene.each(
        grid,
        with_circles,
        places,
        lambda at: box_at(grid, *at, AROUND_POINT),
        lambda some: with_circles(
            scene.pixels, grid, parts_in(patches_at(scene.pixels, grid, some, CORNER), in_round=True)
        ),
    )
    read = numbers_of(scene, grid, found, AROUND_POINT, with_circles)
    told = _told(scene, grid, eyes.corners, found, AROUND_POINT, read)
    return {Corner(*at): mark for at, (mark, _) in told.items()}


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


def taught(profile: Profile, eyes: Eyesight) -> Eyesight:
    """The eyesight with the looks that a profile holds; as it is for a profile without any."""
    from vision.readers.lessons import looks_in

    learned = looks_in(profile, on_any_ground=eyes.on_any_ground)
    if not learned:
        return eyes
    # Numbers beside the board are told by their form, whatever their colours.
    outside = tuple(replace(look, ground=(), ink=(), frame=()) for look in eyes.outside_looks)
    return replace(eyes, looks=learned, lines=(), outside_looks=outside, mistake="")


def _given(
    seen: Seen, marks: Mapping[Place, Mark], eyes: Eyesight, earlier: Reading[Board, Entries] | None
) -> tuple[dict[Place, str], list[Place]]:
    """What is printed, and the places under whose marks it cannot be seen; there it is what was seen earlier."""
    given: dict[Place, str] = dict(seen.clues)
    given |= {place: mark.symbol for place, mark in marks.items() if mark.state == "given" and mark.symbol}
    hidden = [place for place, mark in marks.items() if mark.symbol in eyes.covers and place not in given]
    if earlier is not None:
        given |= {place: earlier.puzzle.given[place] for place in hidden if place in earlier.puzzle.given}
    return given, hidden


def _as_before(marks: Mapping[Place, Mark], earlier: Reading[Board, Entries]) -> dict[Place, Mark]:
    """The marks of a later look: whether a sign is printed where its colour does not say so is what it was earlier."""
    found = dict(marks)
    for place, mark in marks.items():
        before = earlier.marks[place]
        undecided = before.state == "either" and mark.symbol in (before.symbol, before.runner_up)
        if mark.state == "either" and undecided:
            found[place] = before
        elif mark.state == "either":
            is_given = mark.symbol is not None and earlier.puzzle.given.get(place) == mark.symbol
            found[place] = replace(mark, state="given" if is_given else "placed")
        elif mark.state == "given" and undecided and place not in earlier.puzzle.given:
            found[place] = replace(mark, state="either")
    return found


def _reading(
    scene: Scene, seen: Seen, eyes: Eyesight, earlier: Reading[Board, Entries] | None = None
) -> Reading[Board, Entries]:
    grid = seen.grid
    marks = seen.marks if earlier is None else _as_before(seen.marks, earlier)
    given, hidden = _given(seen, marks, eyes, earlier)
    if earlier is None:
        marks = {**marks, **{place: Mark(None, 0.0, marks[place].symbol or "", "placed") for place in hidden}}
    placed = {
        place: mark.symbol
        for place, mark in marks.items()
        if mark.state in ("placed", "either") and mark.symbol and isinstance(place, Square)
    }
    try:
        board = eyes.finish(scene, grid, Board(grid.rows, grid.cols, given))
    except InvalidPuzzle as error:
        raise BoardNotFound(f"what is seen makes no board: {error}") from error
    if "" in board.given.values():
        unsure = {place for place, sign in board.given.items() if not sign}
        marks = {**marks, **{place: Mark(None, 0.0, marks[place].symbol or "") for place in unsure}}
        placed = {place: value for place, value in placed.items() if place not in unsure}
        board = replace(board, given={at: sign for at, sign in board.given.items() if sign})
    kept = Kept(scene.pixels, seen, scene.windows.of(grid))
    if earlier is not None:
        wrong = _mistakes(scene, earlier.geometry, earlier.area, eyes)
        return replace(earlier, puzzle=board, placed=placed, marks=marks, mistakes=wrong, seen=kept)
    xs, ys = ([comb.at(nth + 0.5) for nth in range(comb.count - 1)] for comb in (grid.xs, grid.ys))
    centres: dict[Place, Point] = {
        square: Point(x, y)
        for row, y in zip(rows_of(grid.rows, grid.cols), ys, strict=True)
        for square, x in zip(row, xs, strict=True)
    }
    for place in marks:
        if isinstance(place, Corner):
            centres[place] = Point(grid.xs.at(place.col), grid.ys.at(place.row))
        elif isinstance(place, Outside):
            row, col = _outside(grid, [place.edge])[place]
            centres[place] = grid.centre(row, col)
    geometry = Geometry(centres, min(grid.xs.pitch, grid.ys.pitch))
    area = _area(scene, grid, eyes)
    wrong = _mistakes(scene, geometry, area, eyes)
    return Reading(board, placed, geometry, marks, area, mistakes=wrong, seen=kept)


def _mistakes(scene: Scene, geometry: Geometry, area: Box, eyes: Eyesight) -> tuple[Place, ...]:
    """The places that have px in the colour of mistakes."""
    if not eyes.mistake:
        return ()
    shown, wanted = scene.pixels[area.window], bgr(eyes.mistake)
    wrong = cv2.inRange(shown, wanted - COLOUR, wanted + COLOUR)
    if not cv2.countNonZero(wrong):
        return ()
    half = MIDDLE * geometry.pitch_px

    def among(at: float, first: int) -> slice:
        return slice(max(0, round(at - half) - first), max(0, round(at + half) - first))

    return tuple(
        place
        for place, at in geometry.centres.items()
        if np.count_nonzero(wrong[among(at.y, area.top), among(at.x, area.left)]) >= MISTAKEN_PX
    )


def _area(scene: Scene, grid: Grid, eyes: Eyesight) -> Box:
    """The board with its clues beside it."""
    before = 1 if eyes.outside or eyes.corners else 0.1
    left, top = max(0, round(grid.xs.at(-before))), max(0, round(grid.ys.at(-max(before, eyes.above))))
    right = min(scene.size[0], round(grid.xs.at(grid.cols + before)))
    return Box(left, top, right - left, min(scene.size[1], round(grid.ys.at(grid.rows + before))) - top)
