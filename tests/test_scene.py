"""A frame is measured once, whoever asks, and coarse before fine."""

from __future__ import annotations

import gc
import random
import weakref
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from vision.frame import Box, Frame
from vision.measures.likeness import tell
from vision.measures.parts import part_of, parts_in
from vision.measures.tints import unmarked
from vision.scene import Claim, Scene, scene_of


def board() -> Frame:
    return Frame(GAMES["nonogram"].practice(random.Random(1)).render(0.0))


def test_a_measure_is_taken_the_first_time_it_is_asked_for_only() -> None:
    asked = []

    def brightest(scene: Scene, least: int = 0) -> int:
        asked.append(least)
        return max(least, int(scene.light.max()))

    scene = Scene(np.full((20, 30, 3), 7, np.uint8))

    assert [scene.once(brightest), scene.once(brightest), scene.once(brightest, 9)] == [7, 7, 9]
    assert asked == [0, 9]


def test_claiming_and_reading_share_the_scene_of_a_frame_and_nobody_keeps_it() -> None:
    frame = board()
    scene = weakref.ref(scene_of(frame))

    assert scene_of(frame) is scene()
    assert scene_of(Frame(frame.pixels)) is not scene()

    del frame
    gc.collect()
    assert scene() is None


def test_a_large_picture_is_looked_at_on_one_of_half_a_million_px() -> None:
    large = Scene(np.zeros((2160, 3840, 3), np.uint8))
    small = Scene(np.zeros((600, 800, 3), np.uint8))

    assert (large.factor, large.coarse.size, large.coarse.factor) == (4, (960, 540), 1)
    assert small.coarse is small


def test_areas_of_one_colour_are_told_with_their_boxes_and_middles() -> None:
    pixels = np.full((40, 60, 3), 200, np.uint8)
    pixels[10:20, 30:50] = (0, 0, 90)

    found = Scene(pixels).areas(3)

    number = found.names[15, 40]
    box = Box(*(int(one[number]) for one in (found.left, found.top, found.width, found.height)))
    assert (box, int(found.count[number])) == (Box(30, 10, 20, 10), 19 * 9)
    assert found.middles[number].tolist() == [40.0, 15.0]
    assert found.names[10, 30] == 0


def test_a_line_of_one_px_parts_areas_and_touches_at_corners_join_none() -> None:
    pixels = np.full((60, 60, 3), 200, np.uint8)
    pixels[::20] = pixels[:, ::20] = 0
    pixels[10] = pixels[:, 10] = 140

    found = Scene(pixels).areas(3)

    assert (
        sorted(zip(found.width[1:].tolist(), found.height[1:].tolist(), strict=True))[-4:] == [(19, 19)] * 4
    )


def test_the_ground_is_the_most_common_colour() -> None:
    pixels = np.full((300, 300, 3), (1, 2, 3), np.uint8)
    pixels[:100] = 255

    assert Scene(pixels).ground == (1, 2, 3)


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (3, 3)])
def test_the_smallest_pictures_have_all_measures(shape: tuple[int, int]) -> None:
    scene = Scene(np.full((*shape, 3), 5, np.uint8))

    assert scene.ground == (5, 5, 5)
    assert scene.grids() == ()
    assert scene.areas(3).names.shape == shape
    assert scene.coarse is scene


def test_marks_of_errors_are_filled_in_and_a_red_ground_is_none() -> None:
    pixels = np.full((200, 300, 3), 255, np.uint8)
    cv2.rectangle(pixels, (40, 40), (80, 80), (0, 0, 255), 2)
    cleared = Scene(pixels).once(unmarked, "ff0000")
    red = pixels.copy()
    red[:60] = (0, 0, 255)

    assert cleared is not None
    assert (cleared.pixels == 255).all()
    assert Scene(red).once(unmarked, "ff0000") is None


@pytest.mark.parametrize("strength", [0.0, 1.01, -1.0])
def test_a_claim_without_strength_is_none(strength: float) -> None:
    with pytest.raises(ValueError, match="strength"):
        Claim(Box(0, 0, 1, 1), strength, "nothing")


def test_a_ring_that_the_edge_cuts_into_pieces_goes_round_what_is_drawn() -> None:
    """The circles of Singles are as large as what is looked at of a cell, and a px off its middle."""
    patch = np.full((54, 54, 3), 230, np.uint8)
    cv2.circle(patch, (28, 28), 27, (0, 0, 0), 2)
    patch[15:40, 22:34] = 0

    part = part_of(patch)

    assert part.framed
    assert part.drawn.sum() == 25 * 12


def test_a_number_in_a_ring_is_one_where_a_frame_seems_to_go_round_both() -> None:
    """Beyond the ring a patch is filled with what was taken for its ground."""
    looks = GAMES["slant"].eyes.corners if GAMES["slant"].eyes else ()
    ringed, free = np.full((15, 15, 3), 184, np.uint8), np.full((15, 15, 3), 213, np.uint8)
    cv2.circle(ringed, (7, 7), 7, (213, 213, 213), -1)
    cv2.line(ringed, (7, 3), (7, 11), (20, 20, 20), 2)
    found = parts_in({0: ringed, 1: free, 2: free, 3: free}, in_round=True)

    told = tell(found | {0: replace(found[0], framed=True)}, looks)

    assert [mark.symbol for mark in told.values()] == ["1", "", "", ""]
