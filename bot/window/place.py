"""Where our window may stand without lying over the one that is looked at."""

from __future__ import annotations

from vision.frame import Box

# What a window manager draws around a window: at its sides and below, and above.
FRAME_PX, TITLE_PX = 8, 36


def beside(target: Box, own: tuple[int, int], least: tuple[int, int], screen: Box) -> Box | None:
    """A place for a window of size `own`, made smaller down to `least` where it must; None where there is no room.

    All in px of the screen. The side with the most room is taken.

    >>> beside(Box(700, 300, 500, 400), (900, 600), (640, 400), Box(0, 0, 1280, 720))
    Box(left=8, top=36, width=676, height=600)
    >>> beside(Box(100, 0, 1100, 720), (900, 600), (640, 400), Box(0, 0, 1280, 720)) is None
    True
    """
    right, bottom = target.left + target.width, target.top + target.height
    end_x, end_y = screen.left + screen.width, screen.top + screen.height
    rooms = [
        Box(screen.left, screen.top, target.left - FRAME_PX - screen.left, screen.height),
        Box(right, screen.top, end_x - right, screen.height),
        Box(screen.left, screen.top, screen.width, target.top - TITLE_PX - screen.top),
        Box(screen.left, bottom, screen.width, end_y - bottom),
    ]
    found = []
    for room in rooms:
        width = min(own[0], room.width - 2 * FRAME_PX)
        height = min(own[1], room.height - TITLE_PX - FRAME_PX)
        if width >= least[0] and height >= least[1]:
            found.append(Box(room.left + FRAME_PX, room.top + TITLE_PX, width, height))
    return max(found, key=lambda box: box.width * box.height, default=None)


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes have px in common."""
    beside_it = a.left >= b.left + b.width or b.left >= a.left + a.width
    return not (beside_it or a.top >= b.top + b.height or b.top >= a.top + a.height)
