"""Finds the board on a photograph of a screen: the bright quadrilateral first, then even lines on it seen straight."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest, weakest
from vision.frame import Pixels, Point
from vision.readers.algemy.combs import alone, darkest
from vision.scene import Scene

Numbers = npt.NDArray[np.float64]
Shades = npt.NDArray[np.float32]

# The screen seen straight, px; what is smooth is seen as well on a picture that is smaller by the second.
SCREEN_PX, SMOOTHER = 480, 8
# A screen fills this part of the picture at least, and its four corners this part of its outline's area.
LEAST_SCREEN, FOUR_CORNERED, SCREENS = 0.01, 0.93, 4
# A picture of which all sides run along the picture's own to this is no photograph.
STRAIGHT_DEG = 1.0
CORNERS = 4
# A board's side is no longer than another by this.
MOST_ASKEW = 2.0
# A line is no wider than this share of the screen, and no darker than this share of white (a gem's core is); around the screen
# it is dark, so far into it, px.
LINE, MOST_DARK, EDGE_PX = 0.045, 0.35, 5
# So many combs of a family that is looked at first are tried, and with each so many of the other (of the film's and the drawn
# boards the second of two at most, and the tenth).
FIRST, NEXT = 3, 12
# What is more coloured is light; of a line so much must be seen.
COLOURED, LEAST_SEEN = 0.15, 0.2
# Light runs through the middle of cells: where there is little of it, in cells from a line.
BESIDE_LIGHT = (0.14, 0.3), (0.7, 0.86)
# Lines run where this share of them has at least this share of its usual darkness. In a cell at the end of the others they run
# along so much of it, nowhere nearer to the border than this, and half a cell beyond it less than half.
MOST_LINES, RUNS, LEAST_RUN, BORDER, HALF = 0.4, 0.25, 0.3, 0.15, 0.5


class Filmed(NamedTuple):
    """A square board on a photographed screen: its corners, clockwise from its top left, and its cells each way."""

    corners: tuple[Point, ...]
    size: int


def filmed_board(scene: Scene) -> Filmed | None:
    """The one square board on a photographed screen; None without one."""
    found = [_board(scene.pixels, screen) for screen in _screens(scene.pixels)]
    boards = [board for board in found if board is not None and _is_square(board)]
    return boards[0] if len(boards) == 1 else None


def _is_square(board: Filmed) -> bool:
    """Whether a board is no more askew than people hold a phone or a camera."""
    (first, *_, last), second = board.corners, board.corners[1]
    sides = math.dist(first, second), math.dist(first, last)
    return max(sides) <= MOST_ASKEW * min(sides)


def _board(pixels: Pixels, screen: Shades) -> Filmed | None:
    """The darkest even lines on a screen, as many across as down, that run from end to end of each other."""
    # OpenCV counts from the middle of the first px.
    side = float(SCREEN_PX)
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - np.float32(0.5)
    turn = cv2.getPerspectiveTransform(screen, target)
    straight = cv2.warpPerspective(pixels, turn, (SCREEN_PX, SCREEN_PX), flags=cv2.INTER_CUBIC)
    value = strongest(straight).astype(np.float32)
    # What is as smooth as this is seen as well on a small picture.
    small = cv2.resize(value, None, fx=1 / SMOOTHER, fy=1 / SMOOTHER, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), SCREEN_PX / 12 / SMOOTHER)
    white = np.maximum(cv2.resize(soft, value.shape, interpolation=cv2.INTER_LINEAR), np.float32(1.0))
    seen = (value - weakest(straight).astype(np.float32) < COLOURED * white).astype(np.float32)
    value /= white
    dark = seen * np.clip(1.0 - value, 0.0, MOST_DARK)
    upright, level = _thin(value), _thin(value.T)
    found = list(_lattices(upright, level, [_line_strength(dark, seen, across=way) for way in (False, True)]))
    # Where light covers nearly all lines, what is thin and dark may still be lines.
    found = found or list(_lattices(upright, level, [lines.mean(axis=0) for lines in (upright, level)]))
    if not found:
        return None
    _, x, y = max(found, key=lambda one: one[0])
    places = np.array([[(x[0], y[0]), (x[-1], y[0]), (x[-1], y[-1]), (x[0], y[-1])]])
    back = cv2.perspectiveTransform(places - 0.5, np.linalg.inv(turn))
    return Filmed(tuple(Point(float(at[0]) + 0.5, float(at[1]) + 0.5) for at in back[0]), len(x) - 1)


def _lattices(
    upright: Shades, level: Shades, strengths: Sequence[Numbers]
) -> Iterator[tuple[float, Numbers, Numbers]]:
    """Upright lines and as many level ones from end to end of them, and how dark those are that were found among the others.

    upright, level: darkness of thin things, the second seen with level lines upright. strengths: that of the lines of each
    family that is found first.
    """
    for lines, others, strength in zip((upright, level), (level, upright), strengths, strict=True):
        for across in alone(strength)[:FIRST]:
            runs = _runs(lines, across)
            for dark, down in islice(darkest(_beside_light(others, across), len(across) - 1), NEXT):
                if _fits(runs, down) and _fits(_runs(others, down), across):
                    yield dark, *((across, down) if lines is upright else (down, across))
                    break


def _thin(value: Shades) -> Shades:
    """How much darker each place is than what is left and right of it, as far as a line is wide."""
    width = np.ones((1, 2 * round(LINE / 2 * SCREEN_PX) + 1), np.uint8)
    thin = cv2.morphologyEx(np.ascontiguousarray(value), cv2.MORPH_BLACKHAT, width)
    # Around the screen it is dark.
    thin[:, :EDGE_PX] = thin[:, -EDGE_PX:] = 0.0
    return np.minimum(thin, np.float32(MOST_DARK))


def _beside_light(others: Shades, across: Numbers) -> Numbers:
    """How dark each row is where light covers little: between two upright lines, to both sides of the middle.

    others: darkness of level lines, seen with them upright. across: the upright lines.
    """
    pitch = across[1] - across[0]
    pieces = [
        others[max(0, round(line + low * pitch)) : max(1, round(line + high * pitch))]
        for line in across[:-1].tolist()
        for low, high in BESIDE_LIGHT
    ]
    return np.asarray(np.mean([piece.mean(axis=0) for piece in pieces], axis=0), np.float64)


def _runs(lines: Shades, across: Numbers) -> Numbers:
    """How dark most of these upright lines are, from row to row."""
    reach = round(0.2 * LINE * SCREEN_PX)
    columns = np.array([np.rint(across) + off for off in range(-reach, reach + 1)]).astype(int)
    near = lines[:, np.clip(columns, 0, SCREEN_PX - 1)].max(axis=1)
    return np.asarray(np.quantile(near, 1 - MOST_LINES, axis=1), np.float64)


def _fits(runs: Numbers, comb: Numbers) -> bool:
    """Whether lines run from the first line of a comb of the other family to its last, and not beyond."""
    pitch = float(comb[1] - comb[0])

    def there(at: float, low: float, high: float) -> float:
        part = runs[max(0, round(at + low * pitch)) : max(1, round(at + high * pitch))]
        return float(np.mean(part > least)) if part.size else 0.0

    least = RUNS * float(np.quantile(runs[max(0, round(comb[0])) : round(comb[-1])], 0.9))
    inside = min(there(line, BORDER, 1 - BORDER) for line in (comb[0], comb[-2]))
    beyond = max(there(comb[0], -HALF, -BORDER), there(comb[-1], BORDER, HALF))
    return inside > LEAST_RUN and beyond < HALF


def _screens(pixels: Pixels) -> Iterator[Shades]:
    """The corners of large bright four-cornered things that stand askew, (4, 2), clockwise from the top left."""
    value = strongest(pixels)
    height, width = value.shape
    _, bright = cv2.threshold(cv2.GaussianBlur(value, (0, 0), 1.0), 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    # Lines and buttons are no holes.
    reach = max(3, round(0.01 * min(height, width))) | 1
    whole = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    outlines = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[-2]
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True)[:SCREENS]:
        hull = cv2.convexHull(outline)
        area = float(cv2.contourArea(hull))
        if area < LEAST_SCREEN * height * width:
            return
        for share in (0.02, 0.03, 0.05, 0.08):
            corners = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True).reshape(-1, 2)
            if len(corners) == CORNERS:
                break
        else:
            continue
        if float(cv2.contourArea(corners)) < FOUR_CORNERED * area or _is_straight(corners.tolist()):
            continue
        ordered = np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)
        # Clockwise, seen with y down, the next corner is the one to the right.
        if ordered[1][0] < ordered[3][0]:
            ordered = ordered[[0, 3, 2, 1]]
        yield ordered.astype(np.float32)


def _is_straight(corners: Sequence[Sequence[float]]) -> bool:
    """Whether all four sides run along the picture's."""
    turns = []
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        turn = math.degrees(math.atan2(by - ay, bx - ax)) % 90
        turns.append(min(turn, 90 - turn))
    return max(turns) < STRAIGHT_DEG


def _line_strength(dark: npt.NDArray[np.float32], seen: npt.NDArray[np.float32], *, across: bool) -> Numbers:
    """How much darker each column, or row across, is than those beside it, in the mean of what light does not cover.

    dark: 0 where light covers it. seen: 1 where none does, else 0.
    """
    reach = round(0.012 * SCREEN_PX)
    total, known = (
        np.asarray(cv2.reduce(one, int(across), cv2.REDUCE_SUM, dtype=cv2.CV_64F), np.float64).ravel()
        for one in (dark, seen)
    )
    mean = total / np.maximum(known, 1.0)
    mean[known < LEAST_SEEN * dark.shape[1 if across else 0]] = 0.0
    padded = np.pad(mean, reach, mode="edge")
    beside = np.maximum(padded[: -2 * reach], padded[2 * reach :])
    return np.asarray(mean - beside, np.float64)
