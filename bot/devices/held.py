"""A mouse that remembers on the disk what it holds down, so that the next start can let go what a killed one could not.

Every run has a note of its own, which it holds from its first press to its end: a run beside it on the same display leaves
it alone, and the next one after a kill finds it free. It is empty while nothing is down.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from pathlib import Path
from typing import get_args

from bot.actions import Button
from bot.devices.session import Mouse
from bot.state import Hold, file_name, make_private
from solver.errors import BoardsightError

# One process may play several windows, one after the other.
NUMBERS = itertools.count(1)


class HeldMouse:
    """Passes everything on to another mouse; a note in `folder` says which buttons and keys are down.

    display: whose buttons they are; notes of other displays are none of our business.
    """

    def __init__(self, inner: Mouse, folder: Path, display: str) -> None:
        self._inner, self._folder = inner, folder
        self._prefix = f"held-{file_name(display)}-"
        self._note: Hold | None = None
        self._held: list[str] = []
        for left in self._notes():
            self._let_go(left)

    def position(self) -> tuple[int, int]:
        return self._inner.position()

    def move(self, x: int, y: int) -> None:
        self._inner.move(x, y)

    def press(self, button: Button) -> None:
        self._down(f"button {button}")
        self._inner.press(button)

    def release(self, button: Button) -> None:
        self._inner.release(button)
        self._up(f"button {button}")

    def key(self, name: str, *, down: bool) -> None:
        if down:
            self._down(f"key {name}")
        self._inner.key(name, down=down)
        if not down:
            self._up(f"key {name}")

    def _down(self, what: str) -> None:
        # Noted before it is pressed: letting go once too often does no harm.
        self._held.append(what)
        self._write()

    def _up(self, what: str) -> None:
        if what in self._held:
            self._held.remove(what)
        self._write()

    def _write(self) -> None:
        # A disk that cannot be written must not stop a release.
        with contextlib.suppress(OSError):
            if self._note is None:
                make_private(self._folder)
                self._note = Hold.take(self._folder / f"{self._prefix}{os.getpid()}-{next(NUMBERS)}")
            if self._note is not None:
                self._note.write("\n".join(self._held))

    def close(self) -> None:
        """Take the note away, unless something is still down."""
        if self._note is not None and not self._held:
            self._note.let_go()
            self._note = None

    def _notes(self) -> list[Path]:
        try:
            return sorted(path for path in self._folder.iterdir() if path.name.startswith(self._prefix))
        except OSError:
            return []

    def _let_go(self, path: Path) -> None:
        """Release what a run noted that ended without being able to; one that still runs keeps what it holds."""
        try:
            note = Hold.take(path)
        except OSError:
            return
        if note is None:
            return
        for line in note.read().splitlines():
            kind, _, name = line.partition(" ")
            with contextlib.suppress(BoardsightError):
                if kind == "button" and name in get_args(Button):
                    self._inner.release(name)  # type: ignore[arg-type]  # one of the three, as just asked
                elif kind == "key":
                    self._inner.key(name, down=False)
        note.let_go()
