"""The real sgt-bridges and sgt-pattern on a virtual X server, and a witness that reads their windows.

The witness shares no code with our readers: it knows the puzzle and the program's own geometry, and
samples single pixels. Needs Xvfb and sgt-puzzles (Debian: xvfb, sgt-puzzles).
"""

from __future__ import annotations

import importlib
import os
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.devices.session import x_display
from bot.devices.windows import Window
from bot.devices.x11 import X11Windows
from solver import bridges, nonogram
from solver.bridges import Bridges, Span, between
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from tests.laboratory.live import PROGRAMS, program
from vision.frame import Frame, Point


class RealGame:
    """A running program with one board in a window of the given size."""

    def __init__(
        self,
        game: str,
        identity: str,
        size: tuple[int, int] | None = None,
        colours: Mapping[str, str] | None = None,
    ) -> None:
        path = program(game)
        assert path is not None
        self.puzzle = {"bridges": bridges.parse, "nonogram": nonogram.parse}[game](identity)
        self.title = PROGRAMS[game][1]
        self.process = subprocess.Popen(
            [path, identity],
            env={**os.environ, **(colours or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.desk = Desk()
        self.window = self._wait()
        # A window starts with tiles of 24 px; what is higher than the board is the menu bar, as high as
        # its font.
        measure = _bridges_px if isinstance(self.puzzle, Bridges) else _pattern_px
        self.menu_px = self.window.box.height - measure(24, self.puzzle.height)[0]
        if size is not None:
            self.desk.place(self.window.id, size=size)
            self._settle(size)
        # GTK draws its first picture some time after the window is there.
        time.sleep(0.3)

    def _wait(self) -> Window:
        end = time.monotonic() + 15
        while time.monotonic() < end:
            for window in self.desk.windows.listed():
                if window.title == self.title and window.box.width > 10:
                    return window
            time.sleep(0.05)
        raise AssertionError(f"no window {self.title!r} within 15 s")

    def _settle(self, size: tuple[int, int]) -> None:
        end = time.monotonic() + 5
        while time.monotonic() < end:
            now = next(one for one in self.desk.windows.listed() if one.id == self.window.id)
            if (now.box.width, now.box.height) == size:
                self.window = now
                return
            time.sleep(0.05)
        raise AssertionError(f"the window did not become {size}")

    def shown(self, frame: Frame) -> Any:
        """What a frame of the window shows, told by the witness."""
        if isinstance(self.puzzle, Bridges):
            return shown_bridges(self.puzzle, frame, self.menu_px)
        return shown_pattern(self.puzzle, frame, self.menu_px)

    def middle(self, at: Square) -> Point:
        """Middle of a cell, in px of the window."""
        box = self.window.box
        x, y = board_of(self.puzzle, (box.width, box.height), self.menu_px).middle(at)
        return Point(x + 0.5, y + 0.5)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(10)
        self.desk.close()


class Desk:
    """What a person does with windows and the mouse, through a connection of its own."""

    def __init__(self) -> None:
        self.windows = X11Windows()
        self._display = x_display()
        self._root = self._display.screen().root

    def place(
        self, identity: int, at: tuple[int, int] | None = None, size: tuple[int, int] | None = None
    ) -> None:
        """Move or resize a window."""
        window: Any = self._display.create_resource_object("window", identity)
        if at is not None:
            window.configure(x=at[0], y=at[1])
        if size is not None:
            window.configure(width=size[0], height=size[1])
        self._display.sync()

    def cover(self, left: int, top: int, width: int, height: int) -> Any:
        """A new window on top of everything; destroy() it to uncover."""
        screen = self._display.screen()
        window = self._root.create_window(
            left,
            top,
            width,
            height,
            0,
            screen.root_depth,
            background_pixel=screen.white_pixel,
            override_redirect=1,
        )
        window.set_wm_name("Cover")
        window.map()
        window.configure(stack_mode=importlib.import_module("Xlib.X").Above)
        self._display.sync()
        return window

    def uncover(self, window: Any) -> None:
        window.destroy()
        self._display.sync()

    def move_mouse(self, x: int, y: int) -> None:
        self._root.warp_pointer(x, y)
        self._display.sync()

    def buttons_down(self) -> bool:
        """Whether any mouse button is pressed."""
        return bool(self._root.query_pointer().mask & 0x1F00)

    def close(self) -> None:
        self.windows.close()
        self._display.close()


@dataclass(frozen=True)
class Board:
    """Where the cells of a window are: the program takes the largest tile that fits and centres the board.

    left, top: of cell (0, 0), in px of the window.
    """

    tile: int
    left: int
    top: int

    def middle(self, at: Square) -> tuple[int, int]:
        return self.left + self.tile * at.col + self.tile // 2, self.top + self.tile * at.row + self.tile // 2


def board_of(puzzle: Bridges | Nonogram, size: tuple[int, int], menu_px: int) -> Board:
    """The geometry of a window of this size (width, height) with a menu bar of `menu_px`."""
    measure = _bridges_px if isinstance(puzzle, Bridges) else _pattern_px
    room = size[0], size[1] - menu_px
    sides = puzzle.width, puzzle.height
    fits = (
        tile
        for tile in range(3, 400)
        if all(measure(tile, cells)[0] <= space for cells, space in zip(sides, room, strict=True))
    )
    tile = max(fits)
    (width, before_x), (height, before_y) = (measure(tile, cells) for cells in sides)
    return Board(tile, (room[0] - width) // 2 + before_x, menu_px + (room[1] - height) // 2 + before_y)


def _bridges_px(tile: int, cells: int) -> tuple[int, int]:
    """A board's side, and how far its first cell lies inside."""
    return tile * cells + 2 * (tile // 2), tile // 2


def _pattern_px(tile: int, cells: int) -> tuple[int, int]:
    clues = tile * (cells // 5 + 2)
    before = 3 * tile // 4 + tile // 2 + clues
    return 2 * (3 * tile // 4) + tile // 2 + clues + tile * cells, before


def shown_bridges(puzzle: Bridges, frame: Frame, menu_px: int) -> dict[Span, int]:
    """The bridges in a window of sgt-bridges, counted as dark runs across every cell of each span."""
    board = board_of(puzzle, frame.size, menu_px)
    dark = frame.pixels.max(axis=2) < 110
    reach = round(0.38 * board.tile)
    found: dict[Span, int] = {}
    for span in puzzle.spans:
        across = span.a.row == span.b.row
        counts = set()
        for cell in between(span):
            x, y = board.middle(cell)
            upright, level = dark[y - reach : y + reach + 1, x], dark[y, x - reach : x + reach + 1]
            strip = upright if across else level
            # A bridge of a crossing span runs along the strip and fills it.
            counts.add(0 if strip.all() else _runs(strip))
        if len(counts) == 1 and (count := counts.pop()):
            found[span] = count
    return found


def _runs(strip: npt.NDArray[np.bool_]) -> int:
    padded = np.concatenate(([0], strip.astype(np.int8)))
    return int((np.diff(padded) == 1).sum())


def shown_pattern(puzzle: Nonogram, frame: Frame, menu_px: int) -> Picture:
    """The cells in a window of sgt-pattern, by the colour of their middle."""
    board = board_of(puzzle, frame.size, menu_px)
    filled, blank = set(), set()
    for row in range(puzzle.height):
        for col in range(puzzle.width):
            x, y = board.middle(Square(row, col))
            brightness = int(frame.pixels[y, x].mean())
            if brightness < 40:
                filled.add(Square(row, col))
            elif brightness > 245:
                blank.add(Square(row, col))
    return Picture(frozenset(filled), frozenset(blank))
