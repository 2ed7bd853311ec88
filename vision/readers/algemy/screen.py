"""Finds the board on a photograph of a screen: the bright quadrilateral first, then even lines on it seen straight."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest, weakest
from vision.frame import Pixels, Point
from vision.scene import Scene

Numbers = npt.NDArray[np.float64]

# The screen seen straight, and lines that may be the board's, in px of it.
SCREEN_PX, SMOOTHER = 720, 8
LEAST_PITCH_PX, MOST_PITCH_PX = 24.0, 180.0
SIZES = range(4, 10)
# A screen fills this part of the picture at least, and its four corners this part of its outline's area.
LEAST_SCREEN, FOUR_CORNERED, SCREENS = 0.01, 0.93, 4
# A picture of which all sides run along the picture's own to this is no photograph.
STRAIGHT_DEG = 1.0
CORNERS = 4
# The mean darkness that a line has above that beside it, as a share of white.
LEAST_LINE = 0.03
# Against the usual line of a board the palest one, and the darkest place where the next one would be.
PALEST, BEYOND = 0.4, 0.25
OFF_LINE = 0.08
# What is more coloured is light; a line is no darker than this (a gem's core is), and of it so much must be seen.
COLOURED, MOST_DARK, LEAST_SEEN = 0.15, 0.35, 0.2


class Filmed(NamedTuple):
    """A square board on a photographed screen: its corners, clockwise from its top left, and its cells each way."""

    corners: tuple[Point, ...]
    size: int


def filmed_board(scene: Scene) -> Filmed | None:
    """The one square board on a photographed screen; None without one."""
    found = [board for screen in _screens(scene.pixels) for board in _boards(scene.pixels, screen)]
    return found[0] if len(found) == 1 else None


def _boards(pixels: Pixels, screen: npt.NDArray[np.float32]) -> Iterator[Filmed]:
    """Everything on a screen that has as many even lines across as down."""
    # OpenCV counts from the middle of the first px.
    side = float(SCREEN_PX)
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - np.float32(0.5)
    turn = cv2.getPerspectiveTransform(screen, target)
    straight = cv2.warpPerspective(pixels, turn, (SCREEN_PX, SCREEN_PX), flags=cv2.INTER_CUBIC)
    value, least = strongest(straight).astype(np.float32), weakest(straight).astype(np.float32)
    # What is as smooth as this is seen as well on a small picture.
    small = cv2.resize(value, None, fx=1 / SMOOTHER, fy=1 / SMOOTHER, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), SCREEN_PX / 12 / SMOOTHER)
    white = np.maximum(cv2.resize(soft, value.shape, interpolation=cv2.INTER_LINEAR), np.float32(1.0))
    seen = (value - least < COLOURED * white).astype(np.float32)
    dark = seen * np.clip(1.0 - value / white, 0.0, MOST_DARK)
    for y in _combs(_line_strength(dark, seen, across=True)):
        rows = slice(max(0, round(y[0])), round(y[-1]))
        for x in _combs(_line_strength(dark[rows], seen[rows], across=False)):
            if len(x) == len(y):
                places = [(x[0], y[0]), (x[-1], y[0]), (x[-1], y[-1]), (x[0], y[-1])]
                back = cv2.perspectiveTransform(np.array([places], np.float64) - 0.5, np.linalg.inv(turn))
                corners = tuple(Point(float(at[0]) + 0.5, float(at[1]) + 0.5) for at in back[0])
                yield Filmed(corners, len(x) - 1)


def _screens(pixels: Pixels) -> Iterator[npt.NDArray[np.float32]]:
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


def _combs(strength: Numbers) -> list[Numbers]:
    """Evenly spaced lines, all of them there and none beyond; only the widest of those that share a line."""
    near = np.ones(2 * round(0.008 * SCREEN_PX) + 1)
    highest = np.asarray(cv2.dilate(strength.reshape(1, -1), near.reshape(1, -1).astype(np.uint8))).ravel()
    peaks = np.flatnonzero((strength == highest) & (strength >= LEAST_LINE))
    ends = np.array(list(itertools.combinations(peaks.tolist(), 2)), np.float64).reshape(-1, 2)
    # Nothing is beyond the picture, and what is brighter than beside it is no line.
    most = math.ceil(OFF_LINE * MOST_PITCH_PX) + math.ceil(MOST_PITCH_PX) + 1
    padded = np.pad(np.maximum(strength, 0.0), most)
    within = {reach: _highest(padded, reach) for reach in range(2, round(OFF_LINE * MOST_PITCH_PX) + 1)}
    found: list[Numbers] = []
    for count in sorted(SIZES, reverse=True):
        pitches = (ends[:, 1] - ends[:, 0]) / count
        fits = (pitches >= LEAST_PITCH_PX) & (pitches <= MOST_PITCH_PX)
        wanted = ends[fits, :1] + pitches[fits, None] * np.arange(-1, count + 2)
        reaches = np.maximum(2, np.rint(OFF_LINE * pitches[fits])).astype(int)
        heights = np.zeros_like(wanted)
        for reach in np.unique(reaches).tolist():
            own = reaches == reach
            heights[own] = within[reach][np.rint(wanted[own]).astype(int) + most]
        usual = np.median(heights[:, 1:-1], axis=1)
        good = heights[:, 1:-1].min(axis=1) >= np.maximum(LEAST_LINE, PALEST * usual)
        good &= np.maximum(heights[:, 0], heights[:, -1]) <= BEYOND * usual
        for comb in wanted[good]:
            half = (comb[1] - comb[0]) / 2
            if not any(comb[1] >= one[0] - half and comb[-2] <= one[-1] + half for one in found):
                found.append(_even(strength, comb[1:-1], half))
    return found


def _even(strength: Numbers, comb: Numbers, half: float) -> Numbers:
    """The even lines that come nearest to the darkest places around those of a comb."""
    reach = max(2, round(2 * OFF_LINE * half))
    near = [(max(0, round(at) - reach), round(at) + reach + 1) for at in comb.tolist()]
    darkest = [low + int(np.argmax(strength[low:high])) for low, high in near]
    order = np.arange(len(comb))
    return np.asarray(np.polyval(np.polyfit(order, darkest, 1), order) + 0.5, np.float64)


def _highest(strength: Numbers, reach: int) -> Numbers:
    """The highest within reach of each place."""
    around = np.ones((1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(strength.reshape(1, -1), around), np.float64).ravel()
