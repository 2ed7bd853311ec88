"""The colours of the clues: whether they are those of a coloured nonogram, whose runs of different inks may touch.

A program may also colour its clues: those of finished lines, of the line under the pointer. That is hardly ever more
than one strong colour beside the usual one, and it is no coloured nonogram: there the rows have as many cells of every
ink as the columns, and just one picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from solver.nonogram.board import Ink, Palette
from vision.colour import apart, chroma, chroma_of, nearest_hue, usual_colour
from vision.frame import Box, Pixels, Point
from vision.readers.nonogram.bands import Band
from vision.reading import Control
from vision.scene import Scene
from vision.writing import Letter

Colour = tuple[float, float, float]

# Channels of a strong colour differ by so many levels; where none differ by the second, its ink is grey.
STRONG, SOME_COLOUR = 70, 35
# Hues of one ink are at most so far apart (of 180).
SAME_HUE = 14
# So many lines with several numbers tell that each line has one colour.
SEVERAL_LINES = 3
# An ink has this share of the digits, and so many.
LEAST_SHARE, LEAST_DIGITS = 0.08, 2
# Colours of one ink differ by fewer levels; small digits on a bright ground are paler than large ones.
SAME_INK = 48.0
MOST_INKS = 12
# What surrounds a digit starts so many px beside it.
RING_PX = 2
# Subpixels colour so many px on both sides of a digit's own.
FRINGE_PX = 1
BRIGHTEST = 255
# Swatches have one colour; sides from and to these shares of the pitch, and fill so
# much of their box; sides of two differ by no more than this factor.
SWATCH_SIDE, LARGEST_SWATCH, SWATCH_FULL, SWATCHES_ALIKE = 0.35, 4.0, 0.55, 1.6
# Cells and swatches of an ink have its colour within so many levels, and are nearer to it by half than to any other.
LIKE_INK = 70.0
# Hues by name, for people; what has less chroma (levels) is black, grey or white.
HUES = {
    "red": 5,
    "orange": 28,
    "yellow": 54,
    "green": 125,
    "cyan": 185,
    "blue": 222,
    "purple": 278,
    "pink": 325,
}
GREYISH, DARK, BRIGHT = 36, 80, 190
CHARS = "abcdefghijkl"
# Of a number's parts the lower one shares this much of its height with the line.
ON_LINE = 0.25
# OpenCV's hues go once around in so many steps.
ALL_HUES = 180


def strong_inks(scene: Scene, rows: Band, cols: Band) -> int:
    """How many strong colours these numbers have, or the boxes behind them."""
    hues = [hue for letter in _colourful(scene, _first_digits(rows, cols)) for hue in _hue(scene, letter)]
    left, count = np.array(sorted(hues)), 0
    least = max(LEAST_DIGITS, LEAST_SHARE * len(hues))
    while len(left):
        away = np.abs(left[:, None] - left[None])
        near = np.minimum(away, ALL_HUES - away) <= SAME_HUE
        most = int(near.sum(axis=1).argmax())
        count += int(near[most].sum()) >= least
        left = left[~near[most]]
    return count


def one_a_line(scene: Scene, rows: Band, cols: Band) -> bool:
    """Whether all numbers of a line have one colour, or all boxes behind them, and several lines on both sides tell.

    That is no coloured nonogram: where lines of two colours cross no cell could be filled.
    """
    for band in (rows, cols):
        letters = ([number[0] for number in line] for line in band.letters)
        hues = ([hue for one in _colourful(scene, line) for hue in _hue(scene, one)] for line in letters)
        away = [np.abs(np.array(line) - line[0]) for line in hues if len(line) > 1]
        if len(away) < SEVERAL_LINES or any(np.minimum(off, ALL_HUES - off).max() > SAME_HUE for off in away):
            return False
    return True


def palettes(scene: Scene, rows: Band, cols: Band) -> Iterator[tuple[Palette, dict[str, Colour]]]:
    """The inks that the numbers may have, with their colours (BGR): those of the digits, and of the boxes around them."""
    colourful = _colourful(scene, _first_digits(rows, cols))
    shown = {
        _digit_colour: any(chroma(scene.once(_digit_colour, one)) >= STRONG for one in colourful),
        _box_colour: any(np.ptp(_corner(scene.pixels, one.box)) >= STRONG for one in colourful),
    }
    for measure in (one for one, strong in shown.items() if strong):
        sides = [_shades(scene, band, measure) for band in (rows, cols)]
        shades = [shade for side in sides for line in side for shade in line]
        inks = _clustered(shades)
        if not 2 <= len(inks) <= MOST_INKS or max(map(chroma, inks)) < STRONG:
            continue
        char_of = {shade: CHARS[_nearest(shade, inks)] for shade in {*shades}}
        chars = [["".join(char_of[shade] for shade in line) for line in side] for side in sides]
        named = zip(CHARS, _names(inks), inks, strict=False)
        yield (
            Palette(
                Ink(".", "blank", "ffffff"),
                tuple(
                    Ink(char, name, "".join(f"{round(v):02x}" for v in ink[::-1]))
                    for char, name, ink in named
                ),
                tuple(chars[0]),
                tuple(chars[1]),
            ),
            dict(zip(CHARS, inks, strict=False)),
        )


def _first_digits(rows: Band, cols: Band) -> list[Letter]:
    """One digit of each number."""
    return [number[0] for band in (rows, cols) for line in band.letters for number in line]


def _colourful(scene: Scene, letters: Sequence[Letter]) -> list[Letter]:
    """Those with some colour in them or right around them; the rest are grey."""
    if not letters:
        return []
    pixels = scene.pixels
    boxes = np.array([one.box for one in letters])
    first = np.maximum(boxes[:, :2] - RING_PX, 0)
    last = np.minimum(boxes[:, :2] + boxes[:, 2:] + RING_PX, pixels.shape[1::-1])
    (left, top), (right, bottom) = first.min(axis=0), last.max(axis=0)
    some = chroma_of(pixels[top:bottom, left:right]) >= SOME_COLOUR
    if not some.any():
        return []
    up_to = cv2.integral(some.view(np.uint8))
    (left, top), (right, bottom) = (first - (left, top)).T, (last - (left, top)).T
    count = up_to[bottom, right] - up_to[top, right] - up_to[bottom, left] + up_to[top, left]
    return [letters[i] for i in np.flatnonzero(count).tolist()]


def _shades(scene: Scene, band: Band, measure: Callable[[Scene, Letter], Colour]) -> list[list[Colour]]:
    """The colour of every number, line by line."""
    return [
        [scene.once(measure, own[0]) for number, own in zip(numbers, letters, strict=True) if number.value]
        for numbers, letters in zip(band.lines, band.letters, strict=True)
    ]


def _digit_colour(scene: Scene, letter: Letter) -> Colour:
    """The colour of all ink of a digit: a screen's subpixels colour the edges of grey ones, left and right unlike."""
    left, top, width, height = letter.box
    around = scene.pixels[top : top + height, max(left - FRINGE_PX, 0) : left + width + FRINGE_PX]
    ground, count = scene.once(_box_colour, letter), around.shape[0] * around.shape[1]
    ink = [total - count * level for total, level in zip(cv2.sumElems(around), ground, strict=False)]
    most = max(*map(abs, ink), 1.0)
    blue, green, red = (
        min(max(level + own * letter.contrast / most, 0.0), float(BRIGHTEST))
        for level, own in zip(ground, ink, strict=True)
    )
    return blue, green, red


def _box_colour(scene: Scene, letter: Letter) -> Colour:
    blue, green, red = usual_colour(_ring(scene.pixels, letter.box)).tolist()
    return blue, green, red


def _corner(pixels: Pixels, box: Box) -> npt.NDArray[np.int16]:
    """The px left of and above a digit."""
    return np.asarray(pixels[max(box.top - RING_PX, 0), max(box.left - RING_PX, 0)], np.int16)


def _ring(pixels: Pixels, box: Box) -> Pixels:
    """(n, 3) what is right around a digit."""
    top, left = max(box.top - RING_PX, 0), max(box.left - RING_PX, 0)
    around = pixels[top : box.bottom + RING_PX, left : box.right + RING_PX]
    return np.concatenate((around[0], around[-1], around[:, 0], around[:, -1]))


def _clustered(shades: Sequence[Colour]) -> list[Colour]:
    """The inks that these colours are shades of, the most frequent first."""
    groups: list[list[Colour]] = []
    for shade in shades:
        near = [group for group in groups if apart(shade, group[0]) < SAME_INK]
        if near:
            min(near, key=lambda group: apart(shade, group[0])).append(shade)
        else:
            groups.append([shade])
    groups.sort(key=len, reverse=True)
    return [(b, g, r) for b, g, r in (usual_colour(np.array(group)).tolist() for group in groups)]


def _nearest(shade: Colour, inks: Sequence[Colour]) -> int:
    return min(range(len(inks)), key=lambda i: apart(shade, inks[i]))


def _names(inks: Sequence[Colour]) -> list[str]:
    """A name for every ink, and no name twice."""
    found: list[str] = []
    for ink in inks:
        grey = "black" if max(ink) < DARK else "white" if min(ink) > BRIGHT else "grey"
        name = grey if chroma(ink) < GREYISH else nearest_hue(ink, HUES).name
        same = sum(other.split()[0] == name for other in found)
        found.append(f"{name} {same + 1}" if same else name)
    return found


def ink_of(colour: Colour, inks: Mapping[str, Colour]) -> str | None:
    """The ink that something of this colour has, if it is clearly that one."""
    away = sorted((apart(colour, ink), char) for char, ink in inks.items())
    return away[0][1] if away[0][0] < LIKE_INK and away[0][0] < away[1][0] / 2 else None


def swatches(scene: Scene, board: Box, pitch: float, inks: Mapping[str, Colour]) -> dict[str, Control]:
    """Where each ink is picked: fields of its colour beside the board, in one row or column, or in several full ones; none
    unless all are there."""
    fields: dict[str, list[Box]] = {char: [] for char in inks}
    for box, colour in _fields(scene, board, pitch):
        ink = ink_of(colour, inks)
        if ink is not None:
            fields[ink].append(box)
    for first in fields[next(iter(inks))]:
        like = {char: [box for box in own if _as_large(first, box)] for char, own in fields.items()}
        for along in (0, 1, None):
            nearest = {char: _beside(first, own, along) for char, own in like.items()}
            found = {char: box for char, box in nearest.items() if box is not None}
            if len(found) == len(inks) and (along is not None or _is_block(list(found.values()))):
                return {char: Control(box.centre) for char, box in found.items()}
    return {}


def _fields(scene: Scene, board: Box, pitch: float) -> Iterator[tuple[Box, Colour]]:
    """Fields of one colour, about as large as a cell, outside the board."""
    found = scene.areas()
    least, most = np.minimum(found.width, found.height), np.maximum(found.width, found.height)
    good = (least >= SWATCH_SIDE * pitch) & (most <= LARGEST_SWATCH * pitch)
    good &= found.count >= SWATCH_FULL * found.width * found.height
    good[0] = False
    for i in np.flatnonzero(good).tolist():
        box = Box(int(found.left[i]), int(found.top[i]), int(found.width[i]), int(found.height[i]))
        x, y = (round(v) for v in found.middles[i].tolist())
        if not board.contains(Point(x, y)) and found.names[y, x] == i:
            blue, green, red = scene.pixels[y, x].tolist()
            yield box, (float(blue), float(green), float(red))


def _as_large(one: Box, other: Box) -> bool:
    sides = (one.width / other.width, one.height / other.height)
    return max(*sides, *(1 / side for side in sides)) <= SWATCHES_ALIKE


def _beside(first: Box, others: Sequence[Box], along: int | None) -> Box | None:
    """The nearest of the boxes to the first. along: of those in one line with it, 0 side by side, 1 stacked; None for all."""
    at = first.centre
    if along is not None:
        across = 1 - along
        others = [
            box
            for box in others
            if abs(box.centre[across] - at[across]) <= ON_LINE * min(first[2 + across], box[2 + across])
        ]
    return min(others, key=lambda box: math.dist(box.centre, at), default=None)


def _is_block(boxes: Sequence[Box]) -> bool:
    """Whether boxes stand in rows and columns, full ones but for the last row or column."""
    counts = []
    for way in (0, 1):
        places = sorted(box.centre[way] for box in boxes)
        side = min(box[2 + way] for box in boxes)
        counts.append(1 + sum(b - a > ON_LINE * side for a, b in pairwise(places)))
    return 0 <= math.prod(counts) - len(boxes) < max(counts)


def _hue(scene: Scene, letter: Letter) -> Iterator[float]:
    """The hue of a digit, or else of what is right around it; nothing where both are grey."""
    colour = scene.once(_digit_colour, letter)
    if chroma(colour) < STRONG and np.ptp(_corner(scene.pixels, letter.box)) >= STRONG:
        colour = scene.once(_box_colour, letter)
    if chroma(colour) >= STRONG:
        one = np.array(colour).round().astype(np.uint8).reshape(1, 1, 3)
        yield float(cv2.cvtColor(one, cv2.COLOR_BGR2HSV)[0, 0, 0])
