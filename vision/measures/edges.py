"""What the picture's edge cuts: a board of which a part is off the screen looks like a smaller whole one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vision.errors import PartlyOff
from vision.frame import Box

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
