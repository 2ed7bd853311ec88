"""Between the steps of a batch: is the board that was understood still the one that is shown?

Up to twelve steps are sent between two looks. A dialog, or the next board, may come up meanwhile, and whatever else is sent
would be pressed on that. So what was seen is trusted for a moment only; then some strips of the board are compared with
the last look, but for the places that this batch has touched. A large change there ends the batch, and a look follows: a
false alarm costs no more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.actions import Action, Drag, points
from bot.changed import differ
from bot.screen import Glance, Screen
from vision.frame import Box, Pixels

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# What was seen longer ago is not trusted, nor what was seen so many times longer ago than seeing it took.
TRUSTED_S = 0.02
TRUSTED_TIMES = 10.0
# On a phone, where seeing takes longer than a step, a batch takes no longer than this.
UNSEEN_S = 2.0
# How many strips, and how high, px.
STRIPS = 6
STRIP_PX = 8
# So much of the strips changes beside the touched places where a board is covered or exchanged: a share of their px.
MUCH = 0.02
# Levels by which a px differs: a dialog may have nearly the board's own colour.
LEVELS = 12
# What turned out to be the board itself may change so many times more: lamps that light their rows, a highlighted row.
HARMLESS_TIMES = 1.5
# What a gesture changes at its way: so far to both sides (share of the pitch).
BESIDE = 0.6


class Guard:
    """Watches over the batches of a run: `begin` a batch, `sent` after every step, `alarmed` before the next one."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._much = MUCH
        self._strips: Strips | None = None
        self._began_s = self._trusted_s = 0.0
        self._alarm = False

    def begin(self, look: Glance) -> None:
        """A batch follows upon this look."""
        self._strips, self._alarm = Strips(look), False
        self._began_s = self._screen.clock.now()
        self._trusted_s = self._began_s + TRUSTED_S

    def sent(self, actions: Sequence[Action]) -> None:
        """These have been done."""
        if self._strips is not None:
            self._strips.touched += actions

    def alarmed(self) -> bool:
        """Whether a look is due before anything else is done."""
        began = self._screen.clock.now()
        if self._strips is None or began < self._trusted_s:
            return False
        shown = self._screen.device.peek(self._strips.boxes)
        if shown is None:
            return began - self._began_s >= UNSEEN_S
        now = self._screen.clock.now()
        self._trusted_s = now + max(TRUSTED_S, TRUSTED_TIMES * (now - began))
        self._alarm = self._strips.changed(shown) > self._much
        return self._alarm

    def harmless(self, look: Glance) -> None:
        """The look after the batch shows our board: what has changed on it is no reason for another alarm."""
        if self._alarm and self._strips is not None and not look.covered:
            shown = [look.frame.pixels[box.window] for box in self._strips.boxes]
            self._much = max(self._much, HARMLESS_TIMES * self._strips.changed(shown))


class Strips:
    """Parts of a board, all across it and in equal distances.

    touched: the actions that were done since the look; their ways are not compared.
    """

    def __init__(self, look: Glance) -> None:
        area = look.reading.area.clipped(look.frame.size)
        high = min(STRIP_PX, area.height)
        tops = [area.top + (area.height - high) * (2 * nth + 1) // (2 * STRIPS) for nth in range(STRIPS)]
        self.boxes = [Box(area.left, top, area.width, high) for top in tops]
        self.touched: list[Action] = []
        self._seen = [look.frame.pixels[box.window] for box in self.boxes]
        self._wide_px = max(1, round(2 * BESIDE * look.reading.geometry.pitch_px))
        self._beside: list[npt.NDArray[np.uint8]] = []
        self._drawn = 0

    def changed(self, shown: Sequence[Pixels]) -> float:
        """The share of their px that differ from the look, beside what was touched; 1.0 for other sizes."""
        if any(one.shape != other.shape for one, other in zip(self._seen, shown, strict=True)):
            return 1.0
        self._draw()
        count = differing = 0
        for beside, one, other in zip(self._beside, self._seen, shown, strict=True):
            count += int(beside.sum())
            differing += int((differ(one, other, LEVELS) & (beside > 0)).sum())
        return differing / max(1, count)

    def _draw(self) -> None:
        """Bring the px that lie beside all ways up to date."""
        import cv2
        import numpy as np

        if not self._beside:
            self._beside = [np.ones((box.height, box.width), np.uint8) for box in self.boxes]
        for action in self.touched[self._drawn :]:
            way = action.path if isinstance(action, Drag) else points(action)
            for start, end in pairwise([*way[:1], *way]):
                for box, beside in zip(self.boxes, self._beside, strict=True):
                    ends = [(round(at.x) - box.left, round(at.y) - box.top) for at in (start, end)]
                    cv2.line(beside, ends[0], ends[1], 0, self._wide_px)
        self._drawn = len(self.touched)
