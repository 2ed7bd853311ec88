"""The nearest of some named hues, and how much nearer it is than the next."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels

T = TypeVar("T", bound=np.generic)
Angle = TypeVar("Angle", float, npt.NDArray[np.float64])

# The ground's colour is looked for among about so many px.
SAMPLED_PX = 20_000


class Named(NamedTuple):
    """A colour by name.

    margin: 0..1; 0 as far from the runner-up, 1 exactly the named hue.
    """

    name: str
    margin: float
    runner_up: str


def hue_deg(colour: tuple[float, float, float]) -> float:
    """Hue of a BGR colour in 0..360; 0 for a grey.

    >>> hue_deg((255.0, 0.0, 0.0))
    240.0
    """
    blue, green, red = (min(255.0, max(0.0, float(part))) / 255 for part in colour)
    return colorsys.rgb_to_hsv(red, green, blue)[0] * 360


def turned(one: Angle, other: float) -> Angle:
    """How far apart two directions or hues are, in degrees, 0..180.

    >>> turned(350.0, 20.0)
    30.0
    """
    return abs((one - other + 180) % 360 - 180)


def chroma(colour: tuple[float, float, float]) -> float:
    """How far a BGR colour is from grey, 0..255."""
    return max(colour) - min(colour)


def apart(one: Sequence[float], other: Sequence[float]) -> float:
    """By how many levels two colours differ, in the channel that differs most."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]), abs(one[2] - other[2]))


def nearest_hue(colour: tuple[float, float, float], hues_deg: Mapping[str, float]) -> Named:
    """The hue nearest to a BGR colour's, by name; at least two names are needed.

    >>> nearest_hue((10.0, 5.0, 250.0), {"red": 0, "orange": 33, "blue": 240}).name
    'red'
    """
    hue = hue_deg(colour)
    ranked = sorted((turned(hue, at), name) for name, at in hues_deg.items())
    (near, name), (far, runner_up) = ranked[:2]
    return Named(name, 1 - near / far if far > 0 else 0.0, runner_up)


def strongest(channels: npt.NDArray[T]) -> npt.NDArray[T]:
    """The largest channel of every pixel, (H, W); several times as fast as a maximum over the last axis."""
    largest: npt.NDArray[T] = np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2])
    return largest


def weakest(channels: npt.NDArray[T]) -> npt.NDArray[T]:
    """The smallest channel of every pixel, without the last axis; as fast as `strongest`."""
    smallest: npt.NDArray[T] = np.minimum(np.minimum(channels[..., 0], channels[..., 1]), channels[..., 2])
    return smallest


def away_from(pixels: Pixels, colour: Iterable[float]) -> Pixels:
    """(H, W) uint8, by how many levels every px differs from a BGR colour, in the channel that differs most."""
    blue, green, red = (min(max(round(level), 0), 255) for level in colour)
    # One colour is taken for a picture of it, which the library's types do not tell.
    channels = cv2.split(cv2.absdiff(pixels, (blue, green, red, 0.0)))  # type: ignore[call-overload]
    return np.asarray(cv2.max(cv2.max(channels[0], channels[1]), channels[2]), np.uint8)


def common_colour(pixels: Pixels) -> npt.NDArray[np.float32]:
    """(3,) the colour that most px have, give or take a few levels."""
    step = max(1, round(math.sqrt(pixels.shape[0] * pixels.shape[1] / SAMPLED_PX)))
    sample = pixels[step // 2 :: step, step // 2 :: step].reshape(-1, 3)
    blue, green, red = (sample.T >> 3).astype(np.int32)
    keys = blue << 10 | green << 5 | red
    return np.asarray(np.median(sample[keys == np.bincount(keys).argmax()], axis=0), np.float32)


def chroma_of(channels: npt.NDArray[T]) -> npt.NDArray[T]:
    """The largest channel of every pixel less its smallest, without the last axis: how far it is from grey."""
    away: npt.NDArray[T] = np.subtract(strongest(channels), weakest(channels))
    return away


def usual_colour(px: npt.NDArray[T]) -> npt.NDArray[np.float64]:
    """(3,) the median of each channel of (n, 3) px, at least one: for few px in a fraction of NumPy's own time."""
    ordered = np.sort(px.T, axis=1)
    low, high = ordered[:, (len(px) - 1) // 2], ordered[:, len(px) // 2]
    return np.asarray((low.astype(np.float64) + high) / 2, np.float64)
