"""One run at a time on what is played: two on the same phone, or with the same mouse, would undo each other."""

from __future__ import annotations

import contextlib
import os

from bot.errors import DeviceError
from bot.state import Hold, file_name, make_private, note_of, state_folder


class DeviceBusy(DeviceError):
    """Another run plays on the device."""


class Alone:
    """Has a device, by its name, to itself until `let_go`, or until the process ends. Raises DeviceBusy."""

    def __init__(self, name: str) -> None:
        self._hold: Hold | None = None
        path = state_folder() / f"played-{file_name(name)}"
        # Where nothing can be written the run cannot be guarded, and is played all the same.
        with contextlib.suppress(OSError):
            make_private(path.parent)
            self._hold = Hold.take(path)
            if self._hold is None:
                raise DeviceBusy(
                    f"{name} is already played on by process {note_of(path) or 'unknown'}",
                    hint="wait until that run has ended, or stop it with Ctrl-C there",
                )
            self._hold.write(str(os.getpid()))

    def let_go(self) -> None:
        if self._hold is not None:
            self._hold.let_go()
            self._hold = None
