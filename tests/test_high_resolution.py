"""Windows on screens of high resolution: the same board, or none."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from tests.test_screens import SCREENS, frame_of, profile_of
from vision.errors import VisionError
from vision.frame import Frame

FLIP = GAMES["flip"]
PICTURES = sorted((SCREENS / "flip").glob("*.png"))
# Frames of errors are as wide as many px there.
MARKED = sorted((SCREENS / "unruly").glob("*.png"))
# What is thin, and what stands off its place, is as many px wide: lines under blocks and rings, the foot of a 1.
FINE = [*sorted(SCREENS.glob("towers/*solved.png")), SCREENS / "solo" / "sgt-solo-3x3k-part.png"]
FINE += [*sorted(SCREENS.glob("slant/*dh*.png")), *sorted(SCREENS.glob("net/*-new.png"))]


@pytest.mark.parametrize("times", [2, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "path", [*PICTURES, *MARKED, *FINE], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_window_drawn_several_times_as_large_is_the_same_board(path: Path, times: int) -> None:
    game, profile = GAMES[path.parent.name], profile_of(path.parent.name)
    pixels = frame_of(path).pixels.repeat(times, axis=0).repeat(times, axis=1)

    large, usual = game.read(Frame(pixels), profile), game.read(frame_of(path), profile)

    assert (large.puzzle, large.placed) == (usual.puzzle, usual.placed)
    assert not large.doubtful


def test_a_soft_or_noisy_picture_is_never_another_board() -> None:
    rng, told = np.random.default_rng(1), 0
    for path in PICTURES:
        true = FLIP.read(frame_of(path), profile_of("flip")).puzzle
        for scale in (0.8, 1.25, 1.5, 2.0):
            soft = cv2.resize(frame_of(path).pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
            noisy = np.clip(soft + rng.normal(0, 4, soft.shape), 0, 255).astype(np.uint8)
            for pixels in (np.asarray(soft, np.uint8), noisy):
                try:
                    seen = FLIP.read(Frame(pixels), profile_of("flip"))
                except VisionError:
                    continue
                assert seen.puzzle == true or seen.doubtful
                told += not seen.doubtful
    assert told >= 8
