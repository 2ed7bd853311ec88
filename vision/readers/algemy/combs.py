"""Even lines among the dark places along one way: the teeth of a comb."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.grids import evenly

Numbers = npt.NDArray[np.float64]

# Cells each way, and how wide one may be, px.
SIZES = range(4, 10)
LEAST_PITCH_PX, MOST_PITCH_PX = 16.0, 120.0
# How dark a line is at least, a share of white; of the palest one and of where the next one would be, a share of the usual one.
LEAST_LINE, PALEST, BEYOND = 0.03, 0.4, 0.25
# A line is as near as this to its place, in cells; two combs with all lines as near as the second are the same.
OFF_LINE, SAME = 0.08, 0.3
# The darkest place has none that is darker so near to it, px.
PEAK_PX = 4


def alone(strength: Numbers) -> list[Numbers]:
    """Combs with none of the next lines there; only the widest of those that share a line. Each is its lines' places, px."""
    found: list[Numbers] = []
    for count in sorted(SIZES, reverse=True):
        combs, heights = _combs(strength, count)
        usual = np.median(heights[:, 1:-1], axis=1)
        for comb in combs[np.maximum(heights[:, 0], heights[:, -1]) <= BEYOND * usual]:
            half = (comb[1] - comb[0]) / 2
            if not any(comb[1] >= one[0] - half and comb[-2] <= one[-1] + half for one in found):
                found.append(_fitted(strength, comb[1:-1]))
    return found


def darkest(strength: Numbers, count: int) -> Iterator[tuple[float, Numbers]]:
    """Combs for so many cells, the darkest first, each with how dark it is.

    That is the mean of logarithms: beams are dark and even, too, but not everywhere that a comb has lines.
    """
    combs, heights = _combs(strength, count)
    scores = np.log(heights[:, 1:-1]).mean(axis=1)
    order = np.argsort(-scores, kind="stable")
    combs, scores = combs[order, 1:-1], scores[order]
    left = np.ones(len(combs), np.bool_)
    for index, comb in enumerate(combs):
        if left[index]:
            yield float(scores[index]), _fitted(strength, comb)
            away = np.abs(combs[index:] - comb).max(axis=1)
            left[index:] &= away >= SAME * (combs[index:, 1] - combs[index:, 0])


def _combs(strength: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """(n, count + 3) places of even lines that are all there, with the next one at both ends, and how dark it is there."""
    highest = _highest(strength, PEAK_PX)
    peaks = np.flatnonzero((strength == highest) & (strength >= LEAST_LINE))
    ends = np.array(list(itertools.combinations(peaks.tolist(), 2)), np.float64).reshape(-1, 2)
    pitches = (ends[:, 1] - ends[:, 0]) / count
    fits = (pitches >= LEAST_PITCH_PX) & (pitches <= MOST_PITCH_PX)
    combs = ends[fits, :1] + pitches[fits, None] * np.arange(-1, count + 2)
    reaches = np.maximum(2, np.rint(OFF_LINE * pitches[fits])).astype(int)
    # Nothing is beyond the picture, and what is brighter than beside it is no line.
    most = math.ceil(OFF_LINE * MOST_PITCH_PX) + math.ceil(MOST_PITCH_PX) + 1
    padded = np.pad(np.maximum(strength, 0.0), most)
    heights = np.zeros_like(combs)
    for reach in np.unique(reaches).tolist():
        own = reaches == reach
        heights[own] = _highest(padded, reach)[np.rint(combs[own]).astype(int) + most]
    usual = np.median(heights[:, 1:-1], axis=1)
    good = heights[:, 1:-1].min(axis=1) >= np.maximum(LEAST_LINE, PALEST * usual)
    return combs[good], heights[good]


def _fitted(strength: Numbers, comb: Numbers) -> Numbers:
    """The even lines that come nearest to the darkest places around those of a comb."""
    reach = max(2, round(OFF_LINE * (comb[1] - comb[0])))
    near = [(max(0, round(at) - reach), round(at) + reach + 1) for at in comb.tolist()]
    places = np.array([low + int(strength[low:high].argmax()) for low, high in near], np.float64)
    order = np.arange(len(comb)) - (len(comb) - 1) / 2
    slope, middle = evenly(order, places)
    return np.asarray(middle + slope * order + 0.5, np.float64)


def _highest(strength: Numbers, reach: int) -> Numbers:
    """The highest within reach of each place."""
    around = np.ones((1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(strength.reshape(1, -1), around), np.float64).ravel()
