"""Pictures of `boardsight window` in each of its states: `python -m tests.window_pictures FOLDER [SCALE]`.

A real window under Xvfb with a window manager, used by clicks, as in test_window_real.py. SCALE 2 is a screen of twice the
dots per inch. The documentation's pictures are those of scale 1, made with few colours to keep them small.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.games import GAMES
from tests.laboratory.live import on_display, tell_window, x_server
from tests.test_window_real import CALL, ROOT, Person
from vision.frame import Box, Frame, Pixels
from vision.image import encode_png
from vision.overlay import DOUBT
from vision.reading import Reading

# Time for a window to be drawn, and for a thing that was asked for to be done.
DRAWN_S, DONE_S = 1.5, float(os.environ.get("DONE_S", 4))


class Photographer(Person):
    """A person who keeps a picture of every state."""

    def __init__(self, folder: Path, scale: int) -> None:
        super().__init__()
        self._folder, self.scale = folder, scale

    def take(self, name: str) -> None:
        time.sleep(DRAWN_S)
        (self._folder / f"window-{name}.png").write_bytes(encode_png(self.screen()))

    def click_red(self) -> None:
        """A click on the ring around a cell in doubt."""
        red = (np.abs(self.screen().astype(int) - DOUBT).max(axis=2) < 30).nonzero()
        x, y = round(float(red[1].mean())), round(float(red[0].mean()))
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"], check=True)

    def type(self, *keys: str) -> None:
        subprocess.run(["xdotool", "key", *keys], check=True)

    def ready(self) -> None:
        """A board, or the reason why there is none, is shown."""
        self.until(lambda: len(self.buttons()) == 6)
        time.sleep(3 * DONE_S)

    def asked(self) -> Box:
        """Press Play, as soon as it can be pressed: the button Start."""

        def question() -> list[Box]:
            self.press(2)
            time.sleep(DRAWN_S)
            return self.question()

        return self.until(question)[0]

    def press(self, nth: int) -> None:
        """Solve, Hint, Play, Pause, Stop, Open the report."""
        self.click(self.buttons()[nth])


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A command of ours, ended afterwards."""
    one = subprocess.Popen(
        [*CALL, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield one
    finally:
        one.terminate()
        one.communicate(timeout=20)


@contextmanager
def practice(game: str, place: tuple[int, int], scale: int) -> Iterator[None]:
    with running("practice", game, "--seed", "3", "--window") as board:
        assert board.stderr is not None
        while "open" not in board.stderr.readline().split():
            assert board.poll() is None
        tell_window(f"{GAMES[game].title} practice", "windowmove", *(str(scale * side) for side in place))
        yield


def choosing(person: Photographer) -> None:
    with practice("bridges", (730, 330), person.scale), running("window"):
        person.ready()
        person.take("choose")


def played(person: Photographer) -> None:
    """A board from the first look to the report."""
    with practice("bridges", (730, 330), person.scale), running("window", "desktop:Bridges practice"):
        person.ready()
        person.take("read")
        person.press(1)
        person.take("hint")
        person.press(0)
        person.take("solved")
        start = person.asked()
        person.take("ask")
        person.click(start)
        time.sleep(DRAWN_S)
        person.take("play")
        person.press(3)
        person.take("paused")
        person.press(4)
        time.sleep(DONE_S)
        person.take("stopped")
        start = person.asked()
        person.click(start)
        time.sleep(10 * DONE_S)
        person.take("done")


def over(person: Photographer) -> None:
    """A board without room beside it: a click brings the window to the front, over the board."""
    with practice("bridges", (370, 190), person.scale), running("window", "desktop:Bridges practice"):
        person.ready()
        person.press(1)
        person.take("over")


def table(seed: int = 3) -> tuple[Pixels, Reading[Any, Any]]:
    """A practice table of Thaumcraft, and what is where on it."""
    board = GAMES["thaumcraft"].practice(random.Random(seed))
    pixels = board.render(0.0).copy()
    return pixels, GAMES["thaumcraft"].read(Frame(pixels), board.profile)


def kept(pixels: Pixels, path: Path) -> str:
    path.write_bytes(encode_png(pixels))
    return str(path)


def doubted(person: Photographer, folder: Path) -> None:
    """An icon under a blot; a click says what it is."""
    pixels, reading = table()
    cell = next(cell for cell, mark in reading.marks.items() if mark.symbol)
    at, pitch = reading.geometry.centres[cell], reading.geometry.pitch_px
    cv2.circle(pixels, (round(at.x) - 3, round(at.y) + 2), round(0.28 * pitch), (110, 120, 130), -1)
    with running("window", kept(pixels, folder / "minecraft.png")):
        person.ready()
        person.take("doubt")
        person.click_red()
        time.sleep(DRAWN_S)
        person.take("menu")
        person.type("Down", "Return")
        time.sleep(DONE_S)
        person.take("corrected")


def unknown(person: Photographer, folder: Path) -> None:
    """A table with icons that nobody has seen."""
    pixels, reading = table()
    stars = random.Random(1)
    centres = [reading.geometry.centres[cell] for cell, mark in reading.marks.items() if mark.symbol]
    for at in [*centres, *(control.at for control in reading.controls.values())]:
        reach = 0.42 * reading.geometry.pitch_px
        colour = tuple(stars.randrange(60, 256) for _ in range(3))
        turns = np.arange(16) * np.pi / 8
        sides = np.where(np.arange(16) % 2, 0.5, 1.0) * reach
        star = np.stack([at.x + sides * np.sin(turns), at.y - sides * np.cos(turns)], axis=1)
        cv2.fillPoly(pixels, [np.rint(star).astype(np.int32)], colour, cv2.LINE_AA)
    with running("window", kept(pixels, folder / "pack.png")):
        person.ready()
        person.take("learn")


def refused(person: Photographer, folder: Path) -> None:
    sky = np.linspace(90, 220, 400)[:, None, None] * np.array([1.0, 0.8, 0.6])
    holiday = np.broadcast_to(sky, (400, 600, 3)).astype(np.uint8)
    with running("window", kept(holiday.copy(), folder / "holiday.png")):
        person.ready()
        person.take("error")


def main(arguments: Sequence[str]) -> None:
    folder, scale = Path(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 1
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        x_server(f"{1280 * scale}x{720 * scale}x24", ["-dpi", str(96 * scale)]) as name,
        on_display(name),
    ):
        os.environ["HOME"] = home
        manager = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        person = Photographer(folder, scale)
        try:
            choosing(person)
            played(person)
            over(person)
            doubted(person, Path(home))
            unknown(person, Path(home))
            refused(person, Path(home))
        finally:
            person.close()
            manager.terminate()
            manager.wait(10)


if __name__ == "__main__":
    main(sys.argv[1:])
