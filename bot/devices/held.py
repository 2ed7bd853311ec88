"""A mouse that remembers on the disk what it holds down, so that the next start can let go what a killed one could not."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import get_args

from bot.actions import Button
from bot.devices.session import Mouse
from bot.recording import runs_folder
from solver.errors import BoardsightError

MOST_NOTE_BYTES = 2000


def note_file() -> Path:
    """Where what is held is noted, beside the kept runs."""
    return runs_folder().parent / "boardsight-held"


class HeldMouse:
    """Passes everything on to another mouse; `note` exists as long as a button or key is down."""

    def __init__(self, inner: Mouse, note: Path) -> None:
        self._inner, self._note = inner, note
        self._held: list[str] = []
        self._let_go_what_is_left()

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
            if self._held:
                self._note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._note.write_text("\n".join(self._held), encoding="utf-8")
            else:
                self._note.unlink(missing_ok=True)

    def _let_go_what_is_left(self) -> None:
        """Release what a run noted that ended without being able to."""
        try:
            with self._note.open("rb") as file:
                words = file.read(MOST_NOTE_BYTES).decode("utf-8", "replace")
        except OSError:
            return
        for line in words.splitlines():
            kind, _, name = line.partition(" ")
            with contextlib.suppress(BoardsightError):
                if kind == "button" and name in get_args(Button):
                    self._inner.release(name)  # type: ignore[arg-type]  # one of the three, as just asked
                elif kind == "key":
                    self._inner.key(name, down=False)
        with contextlib.suppress(OSError):
            self._note.unlink()
