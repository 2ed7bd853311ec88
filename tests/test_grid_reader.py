"""Boards of declared games over which something lies: what it hides is in doubt, never told as empty."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from tests.test_screens import SCREENS, frame_of, profile_of
from vision.frame import Frame

GREY, WHITE, NOTE = (230, 230, 230), (255, 255, 255), (225, 255, 255)


@pytest.mark.parametrize("colour", [GREY, WHITE, NOTE], ids=["grey", "white", "note"])
@pytest.mark.parametrize("clear", [0.0, 0.1])
@pytest.mark.parametrize(
    "name",
    ["mosaic/sgt-10x10-small-new", "range/sgt-16x11-new", "lightup/sgt-10x10-cursor", "slant/sgt-part"],
)
def test_cells_under_a_box_are_in_doubt(name: str, clear: float, colour: tuple[int, int, int]) -> None:
    """clear: the share of the board that shows through the box."""
    frame, game = frame_of(SCREENS / f"{name}.png"), GAMES[name.partition("/")[0]]
    first = game.read(frame, profile_of(game.name))
    pitch = first.geometry.pitch_px
    middle = sorted(first.geometry.centres.values())[len(first.geometry.centres) // 2]
    left, top = round(middle.x - 1.2 * pitch), round(middle.y - 1.2 * pitch)
    right, bottom = round(left + 2.6 * pitch), round(top + 2.4 * pitch)
    pixels = frame.pixels.copy()
    under = pixels[top:bottom, left:right]
    under[:] = np.rint(clear * under + (1 - clear) * np.array(colour))
    cv2.putText(pixels, "7", (left + 3, bottom - 3), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (128, 128, 128), 1)

    reading = game.read(Frame(pixels), profile_of(game.name))

    margin = 0.7 * pitch
    hidden = [
        place
        for place, at in first.geometry.centres.items()
        if left + margin <= at.x <= right - margin and top + margin <= at.y <= bottom - margin
    ]
    assert hidden and set(hidden) <= set(reading.doubtful)
