"""A practice board in a real window, to be played by hand or by `play desktop:`."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from bot.practice.base import PracticeBoard
from bot.practice.gestures import Fingers, Touch
from bot.window.toolkit import fitted, open_root, photo_of, until_closed
from vision.frame import Pixels, Point

FRAMES_PER_S = 30
BUTTONS = {1: "left", 2: "middle", 3: "right"}
# What tkinter calls keys that boards know under another name.
KEYS = {"Return": "enter", "Escape": "esc", "BackSpace": "backspace", "Delete": "delete", "space": " "}
# Bit of an event's state that says that Shift is down.
SHIFT = 0x1
# Of a screen, so much is left to panels and the frames of windows.
ROOM = 0.92


def show(
    board: PracticeBoard, title: str, solved: Callable[[], object], shown: Callable[[], object] = lambda: None
) -> None:
    """Show the board until its window is closed.

    solved: called once, when the board is solved by the rules. shown: called once, when it is first to be seen.
    Raises DeviceNotFound where no window can be opened.
    """
    root = open_root(title)
    root.resizable(False, False)
    picture = _Picture(board, root)
    picture.draw()
    root.update()
    shown()
    told = False

    def tick() -> None:
        nonlocal told
        picture.draw()
        if not told and board.solved():
            told = True
            solved()

    until_closed(root, tick, 1 / FRAMES_PER_S)


class _Picture:
    """The board's picture in the window, and the pointer over it."""

    def __init__(self, board: PracticeBoard, root: Any) -> None:
        self._board, self._root = board, root
        self._began = time.monotonic()
        self._fingers = Fingers(board)
        self._shown: Pixels | None = None
        self._photo: Any = None
        self._room = int(root.winfo_screenwidth() * ROOM), int(root.winfo_screenheight() * ROOM)
        self._factor = 1.0
        self._label = label = import_module("tkinter").Label(root, borderwidth=0, highlightthickness=0)
        label.pack()
        for number in BUTTONS:
            label.bind(f"<ButtonPress-{number}>", lambda event: self._touch("press", event))
            label.bind(f"<ButtonRelease-{number}>", lambda event: self._touch("release", event))
        label.bind("<Motion>", lambda event: self._touch("move", event))
        root.bind("<KeyPress>", self._type)

    @property
    def _now_s(self) -> float:
        return time.monotonic() - self._began

    def draw(self) -> None:
        """Show what the board shows now, unless that is what is shown."""
        pixels = self._board.render(self._now_s)
        if self._shown is not None and np.array_equal(pixels, self._shown):
            return
        self._shown = pixels
        small, self._factor = fitted(pixels, *self._room)
        self._photo = photo_of(small, self._root)
        self._label.configure(image=self._photo)

    def _touch(self, kind: Any, event: Any) -> None:
        at = Point((event.x + 0.5) / self._factor, (event.y + 0.5) / self._factor)
        button: Any = BUTTONS.get(event.num, "left") if kind != "move" else "left"
        touch = Touch(kind, at, event.time / 1000, button, bool(event.state & SHIFT))
        self._fingers.feel(touch, self._now_s)

    def _type(self, event: Any) -> None:
        self._fingers.type(KEYS.get(event.keysym, event.keysym), self._now_s)
