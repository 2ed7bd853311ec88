"""What every device can do: show itself, and take actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.actions import Action
from vision.frame import Box, Frame, Pixels


class Device(Protocol):
    """A screen with hands.

    `act` takes points in px of the device's own last frame and does the actions in order, without looking in
    between. `close` releases everything; calling it twice does no harm.
    Raises DeviceNotFound when the device is gone, CaptureFailed, InputFailed.
    """

    def capture(self) -> Frame: ...

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        """What is shown now in some parts of the last frame, (h, w, 3) uint8 BGR, without any rest before it.

        None where that takes as long as a whole picture. Parts of other shapes where the screen has another size.
        """
        ...

    def act(self, actions: Sequence[Action]) -> None: ...

    def close(self) -> None: ...
