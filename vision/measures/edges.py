"""What the picture's edge cuts: a board of which a part is off the screen looks like a smaller whole one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from vision.errors import PartlyOff
from vision.frame import Box, Pixels

# What is drawn differs by so many levels from the left end of its row; so many px apart lines begin together.
DRAWN_LEVELS, TOGETHER_PX = 40, 3
SIDES = ("left", "top", "right", "bottom")


def near_edges(box: Box, size: tuple[int, int], px: float) -> tuple[str, ...]:
    """The sides of the picture that the box comes nearer to than so many px; size: (width, height) of the picture.

    >>> near_edges(Box(3, 40, 50, 60), (90, 100), 5)
    ('left', 'bottom')
    """
    width, height = size
    room = (box.left, box.top, width - box.left - box.width, height - box.top - box.height)
    return tuple(side for side, free in zip(SIDES, room, strict=True) if free < px)


def partly_off(what: str, cells: Sequence[Any] = ()) -> PartlyOff:
    """The refusal of a board that may go on beyond the picture; what: was seen there, as a sentence's beginning."""
    return PartlyOff(
        f"{what}: the window is partly off the screen",
        hint="move the window so that the whole board is on the screen",
        cells=cells,
    )


def left_margin(pixels: Pixels, box: Box) -> int:
    """How far from the picture's left edge two lines of what is drawn above and below the box begin, in px; else 0.

    Lines of a page begin together at its margin. Where an edge cuts them they begin by chance. What stands on another
    ground than the box is of another window.
    """
    half = pixels[:, : pixels.shape[1] // 2]
    drawn = cv2.absdiff(half, np.repeat(half[:, :1], half.shape[1], axis=1)).max(axis=2) >= DRAWN_LEVELS
    beside = np.median(half[max(box.top, 0) : box.bottom, 0], axis=0)
    drawn &= (np.abs(half[:, 0] - beside).max(axis=1) < DRAWN_LEVELS)[:, None]
    drawn[max(box.top, 0) : box.bottom] = False
    ends = np.flatnonzero(np.diff(np.concatenate(([False], drawn.any(axis=1), [False])).astype(np.int8)))
    begins = [int(drawn[top:bottom].any(axis=0).argmax()) for top, bottom in ends.reshape(-1, 2)]
    first = min(begins, default=0)
    together = sum(at <= first + TOGETHER_PX for at in begins)
    return first if together >= 2 and first > TOGETHER_PX else 0
