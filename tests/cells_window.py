"""Windows of declared games as a person leaves them: part-played, with wrong entries, notes, a cursor, in any size.

What a window must show is known from the board that the program was given and from what was entered; no reader tells it.

    uv run python -m tests.cells_window GAME PARAMS SEED     # on DISPLAY: golden pictures in screens/GAME
"""

from __future__ import annotations

import importlib
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2

from bot.actions import Key, Tap
from bot.devices.desktop import open_desktop
from bot.games import GAMES
from bot.grid import GridGame, _clicks
from solver.answer import Limits
from solver.grid.board import Board
from solver.lattice import Square
from tests.real_desktop import Desk
from vision.errors import VisionError
from vision.frame import Frame
from vision.profile import Profile

FOLDER = Path("/usr/games")
SCREENS = Path(__file__).parent / "screens"


def declared(name: str) -> GridGame:
    one: GridGame = importlib.import_module(f"bot.games.{name}").GAMEPLAY
    return one


def fresh_id(name: str, params: str, seed: int) -> str:
    told = [str(FOLDER / f"sgt-{name}"), "--generate", "1", f"{params}#{seed}"]
    return subprocess.run(told, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


class CellsWindow:
    """A running program with one board. entries: what its cells hold by our own account."""

    def __init__(self, name: str, identity: str) -> None:
        self.game, self.one, self.identity = GAMES[name], declared(name), identity
        self.board: Board = self.game.parse(identity)
        self._problem = self.one.problem(self.board)
        self.solution = self.game.solve(self.board, Limits(60)).solution
        self.entries: dict[Square, str] = _lying(name, self.board, identity)
        self._process = subprocess.Popen(
            [str(FOLDER / f"sgt-{name}"), identity], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._desk = Desk()
        end = time.monotonic() + 20
        found = None
        while found is None and time.monotonic() < end:
            time.sleep(0.1)
            listed = self._desk.windows.listed()
            found = next((one for one in listed if one.title == self.game.title and one.box.width > 60), None)
        assert found is not None, f"no window of {name}"
        self._window, self.size = found.id, (found.box.width, found.box.height)
        time.sleep(0.8)
        self._device = open_desktop(self.game.title)
        self._centres = self.game.read(self.capture(), Profile(name, "default")).geometry.centres

    def close(self) -> None:
        self._device.close()
        self._process.kill()
        self._process.wait(10)
        self._desk.close()

    def capture(self, size: tuple[int, int] | None = None) -> Frame:
        """The window as it is, or in another size; it gets its own one back."""
        if size is not None and size != self.size:
            self._desk.place(self._window, size=size)
            time.sleep(0.6)
        frame = self._device.capture()
        if size is not None and size != self.size:
            self._desk.place(self._window, size=self.size)
            time.sleep(0.5)
            self._device.capture()
        return frame

    def enter(self, at: Square, value: str) -> None:
        if self.one.keys is not None:
            self._device.act((Tap(self._centres[at]), Key(self.one.keys(value))))
        else:
            buttons = _clicks(self.one, self.entries.get(at, ""), {value})
            self._device.act(tuple(Tap(self._centres[at], button=button) for button in buttons))
        time.sleep(0.3 if self.one.turns else 0.05)
        self.entries |= {at: value, **self.one.together(self.board, at, value)}

    def note(self, at: Square, value: str) -> None:
        """A pencil mark."""
        assert self.one.keys is not None
        self._device.act((Tap(self._centres[at], button="right"), Key(self.one.keys(value))))
        time.sleep(0.05)

    def press(self, *names: str) -> None:
        for name in names:
            self._device.act((Key(name),))
            time.sleep(0.05)

    def free(self, rng: random.Random) -> list[Square]:
        """The cells in which something can be entered and nothing is, by lot."""
        own = [at for at in self.one.cells_of(self.board) if self.one.turns or at not in self.entries]
        # A given cell has one value from the beginning; a number of Singles is printed where something is entered.
        start = dict(zip(self._problem.cells, self._problem.start, strict=True))
        own = [at for at in own if start[at].bit_count() > 1]
        return rng.sample(own, len(own))

    # The ways in which a person may leave a window.

    def part(self, rng: random.Random) -> None:
        """Two fifths of the cells as in the solution."""
        cells = self.free(rng)
        for at in cells[: max(2, 2 * len(cells) // 5)]:
            value = self.solution.get(at, self.one.blank)
            if value is not None and (self.one.turns or at not in self.entries):
                self.enter(at, value)

    def wrong(self, rng: random.Random) -> None:
        """Four cells not as in the solution."""
        for at in self.free(rng)[:4]:
            right = self.solution.get(at, self.one.blank)
            may = [value for value in self.one.values(self.board) if value != right]
            if at not in self.entries:
                self.enter(at, rng.choice(may))

    def notes(self, rng: random.Random) -> None:
        """Up to three pencil marks in three cells."""
        values = self.one.values(self.board)
        for at in self.free(rng)[:3]:
            for value in rng.sample(list(values), min(3, len(values))):
                self.note(at, value)

    def cursor(self, rng: random.Random) -> None:
        """The program's own cursor somewhere on the board."""
        self.press("right", "down", "right", "down")


def _lying(name: str, board: Board, identity: str) -> dict[Square, str]:
    """What cells show before anything is entered: tiles that are turned lie as the ID tells."""
    if name != "net":
        return {}
    from solver.grid.wires import TILES

    signs = re.findall("[1-9a-f]", identity.split(":")[1])
    return {at: TILES[int(sign, 16)] for at, sign in zip(board.squares, signs, strict=True)}


@contextmanager
def opened(name: str, identity: str) -> Iterator[CellsWindow]:
    window = CellsWindow(name, identity)
    try:
        yield window
    finally:
        window.close()


def judged(window: CellsWindow, frame: Frame) -> tuple[str, str]:
    """ "right", "doubt", "refused" or "wrong", and about what: a reading against what the window was made to show."""
    game, board = window.game, window.board
    try:
        reading = game.read(frame, Profile(game.name, "default"))
    except VisionError as refused:
        return "refused", str(refused)
    seen: Any = reading.puzzle
    doubtful = set(reading.doubtful)
    bad: list[Any] = []
    if game.identity(seen) != game.identity(board):
        if (seen.height, seen.width, seen.form) != (board.height, board.width, board.form):
            bad.append(f"{seen.width} x {seen.height} cells, {seen.form!r}")
        places = {*seen.given, *board.given} - doubtful
        bad += [place for place in places if seen.given.get(place) != board.given.get(place)]
    for at in board.squares:
        if at not in doubtful and reading.placed.get(at, "") != window.entries.get(at, ""):
            bad.append(at)
    if bad:
        return "wrong", str(bad[:5])
    return ("doubt", str(reading.doubtful[:5])) if doubtful else ("right", "")


def keep(window: CellsWindow, title: str, size: tuple[int, int] | None = None) -> None:
    """Write a golden pair of the window, as it is or in another size."""
    game = window.game
    items = game.items.of(window.board, game.solution_json(window.board, window.entries))
    lines = [f"{item}: {value}".rstrip() for item, value in items.items()]
    folder = SCREENS / game.name
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{title}.png"), window.capture(size).pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    text = "\n".join([game.unparse(window.board).strip(), "---", *lines])
    (folder / f"{title}.txt").write_text(text + "\n", encoding="utf-8")


def main(name: str, params: str, seed: str) -> None:
    rng = random.Random(seed)
    with opened(name, fresh_id(name, params, int(seed))) as window:
        keep(window, f"sgt-{params}-new")
        window.part(rng)
        time.sleep(1.0)
        keep(window, f"sgt-{params}-part")
        window.wrong(rng)
        keep(window, f"sgt-{params}-wrong")


if __name__ == "__main__":
    main(*sys.argv[1:4])
