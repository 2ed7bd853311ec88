"""Reins on a device: somebody else may pause it or stop it, between two actions and never in the middle of one."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from bot.actions import Action
from bot.devices.base import Device
from bot.errors import Stopped
from vision.frame import Box, Frame, Pixels


class Reins:
    """A device that waits while it is paused, and raises Stopped once it is stopped. Safe to hold in another thread."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._going = threading.Event()
        self._going.set()
        self._stopped = False

    @property
    def paused(self) -> bool:
        return not self._going.is_set()

    def pause(self) -> None:
        self._going.clear()

    def go_on(self) -> None:
        self._going.set()

    def stop(self) -> None:
        """End the run before its next action or look."""
        self._stopped = True
        self._going.set()

    def capture(self) -> Frame:
        self._wait()
        return self._device.capture()

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        self._wait()
        return self._device.peek(parts)

    def act(self, actions: Sequence[Action]) -> None:
        for action in actions:
            self._wait()
            self._device.act([action])

    def close(self) -> None:
        self._device.close()

    def _wait(self) -> None:
        self._going.wait()
        if self._stopped:
            raise Stopped("stopped in the window", hint="press Play to go on from what is there")
