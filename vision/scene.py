"""A frame as it is measured: whatever can be told of a picture without knowing the game, each thing once.

    scene = scene_of(frame)
    scene.grids()                       # measured at the first call, remembered for all others
    scene.once(find_discs)              # any function of a Scene is a measure
    scene.coarse.once(find_discs)       # the same on a picture of about half a million px

A game's `claim` and `read` get the same Scene of a frame, and so do all other games: what one has measured none measures
again. Coarse comes before fine: a claim asks `coarse` first and looks at the whole picture in windows only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from vision.colour import common_colour, strongest, weakest
from vision.frame import Box, Frame, Pixels
from vision.grids import STEP_LEVELS, Grid, Mask, grids_of, straight_steps
from vision.measures.areas import EVEN_LEVELS, Areas, areas, spread
from vision.track import Windows

# What no measure says.
_UNKNOWN: Any = object()
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
P = ParamSpec("P")

# A coarse picture has about so many px: boards show on it, and a pass over it takes 3 ms.
COARSE_PX = 500_000
# Nothing of three by three cells fits on less.
LEAST_GRID_PX = 8
# Grain is of single px; of small writing a larger neighbourhood leaves nothing.
CALM_PX = 3
# Grain is told from about so many px.
SAMPLED_PX = 60_000


@dataclass(frozen=True)
class Claim:
    """That a game's board is on the picture.

    box: where, in px of the frame. strength: 0..1, how much speaks for it, comparable between games: the share of the
        board's lattice that shows symbols of the game, say. Below 0.5 it may well be something else.
    evidence: what was seen, in words that go on with "there is": "a lattice of 10 x 10 cells with numbers on two sides".
    """

    box: Box
    strength: float
    evidence: str

    def __post_init__(self) -> None:
        if not 0 < self.strength <= 1:
            raise ValueError(f"a claim's strength is above 0 and at most 1, got {self.strength}")


class Scene:
    """The measures of one picture.

    pixels: (H, W, 3) uint8, BGR; never changed. windows: the measures of single places. without: what was taken off the
    picture that was seen.
    """

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = pixels
        self.windows = Windows()
        self.without: tuple[Hashable, ...] = ()
        self._known: dict[Hashable, Any] = {}

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in px."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])

    def once(self, measure: Callable[Concatenate[Scene, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the measure says of this picture; it is asked the first time only, whoever asks."""
        key = (measure, args, tuple(sorted(kwargs.items())) if kwargs else ())
        # Asked for once: what a measure is named by may be long, and is hashed each time.
        found: T = self._known.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = self._known[key] = measure(self, *args, **kwargs)
        return found

    def each(
        self,
        grid: Hashable,
        name: Hashable,
        places: Sequence[K],
        window: Callable[[K], Box],
        measure: Callable[[Sequence[K]], Mapping[K, T]],
    ) -> dict[K, T]:
        """What a measure says of places of a lattice, of each by the px in its window alone.

        Places that it says nothing of are left out. A later look at a board asks it only of those whose windows have changed.
        name: of what is measured, and by what.
        """
        return self.windows.told(
            grid, (name, self.without), places, lambda at: window(at).clipped(self.size), measure
        )

    @cached_property
    def factor(self) -> int:
        """Px of this picture to one px of the coarse one, along each axis."""
        width, height = self.size
        return max(1, round(float(np.sqrt(width * height / COARSE_PX))))

    @cached_property
    def coarse(self) -> Scene:
        """The picture at about COARSE_PX px, by averages over `factor` px; itself where it is no larger."""
        if self.factor == 1:
            return self
        return Scene(reduced(self.pixels, self.factor))

    @cached_property
    def calm(self) -> Scene:
        """The picture without the grain of a camera and the traces of a lossy format, at its own size."""
        return Scene(np.asarray(cv2.medianBlur(np.ascontiguousarray(self.pixels), CALM_PX), np.uint8))

    @cached_property
    def shades(self) -> Pixels:
        """(H, W) uint8, the picture in grey."""
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def light(self) -> Pixels:
        """(H, W) uint8, the strongest channel."""
        return strongest(self.pixels)

    @cached_property
    def dark(self) -> Pixels:
        """(H, W) uint8, the weakest channel."""
        return weakest(self.pixels)

    @cached_property
    def spread(self) -> Pixels:
        """(H, W) uint8, by how many levels of its strongest channel each px and those above and left of it differ."""
        return spread(self.pixels)

    def areas(self, step: int = EVEN_LEVELS) -> Areas:
        """The areas of one colour, in which neighbours differ by at most `step` levels."""
        return self.once(_areas, step)

    def steps(self, least_levels: int = STEP_LEVELS) -> tuple[Mask, Mask]:
        """Where colour changes along straight upright, and along straight level, borders: see `straight_steps`."""
        return self.once(_steps, least_levels)

    def grids(self, least_levels: int = STEP_LEVELS) -> tuple[Grid, ...]:
        """The grids of equal cells on the picture, the largest first: see `grids_of`."""
        return self.once(_grids, least_levels)

    @cached_property
    def ground(self) -> tuple[int, int, int]:
        """The most common colour, BGR."""
        blue, green, red = common_colour(self.pixels).round().astype(int).tolist()
        return blue, green, red

    @cached_property
    def grain(self) -> float:
        """Levels by which neighbouring px differ nearly everywhere: none on a drawn screen, those of its noise on a film."""
        step = max(1, int(np.sqrt(self.pixels.shape[0] * self.pixels.shape[1] / SAMPLED_PX)))
        one, other = self.pixels[::step, 1::step, 1], self.pixels[::step, :-1:step, 1]
        return float(np.median(cv2.absdiff(np.ascontiguousarray(one), np.ascontiguousarray(other))))


def reduced(pixels: Pixels, factor: int) -> Pixels:
    """The picture by averages over `factor` x `factor` px, without what is left over at its right and bottom."""
    height, width = (max(1, side // factor) for side in pixels.shape[:2])
    whole = pixels[: height * factor, : width * factor]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


_scenes: WeakKeyDictionary[Frame, Scene] = WeakKeyDictionary()


def scene_of(frame: Frame) -> Scene:
    """The one Scene of a frame; it lasts as long as the frame."""
    if frame not in _scenes:
        _scenes[frame] = Scene(frame.pixels)
    return _scenes[frame]


def _areas(scene: Scene, step: int) -> Areas:
    return areas(scene.spread, step)


def _steps(scene: Scene, least_levels: int) -> tuple[Mask, Mask]:
    return straight_steps(scene.pixels, least_levels)


def _grids(scene: Scene, least_levels: int) -> tuple[Grid, ...]:
    return tuple(grids_of(*scene.steps(least_levels))) if min(scene.size) > LEAST_GRID_PX else ()
