"""Whole games against the clock: the real sgt-bridges and sgt-pattern on a virtual display, capture to verified.

Needs Xvfb and the programs (Debian: xvfb, sgt-puzzles); without them there are no such rows. Nothing is done to
the desktop of the person who measures: the display is an X server of its own, and a process of its own plays on it,
since pyautogui stays with the first display it has seen.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.bench import Row
from bot.clock import SystemClock
from bot.devices.desktop import open_desktop
from bot.errors import DeviceNotFound
from bot.games import GAMES
from bot.play import play
from bot.screen import Screen
from solver import bridges, nonogram
from solver.answer import Limits
from solver.bridges import Bridges
from solver.errors import NoSolution
from solver.nonogram import Nonogram
from vision.profile import Profile

GAMES_FOLDER = "/usr/games"
# Of each game the program and the title of its window.
PROGRAMS: Mapping[str, tuple[str, str]] = {
    "bridges": ("sgt-bridges", "Bridges"),
    "nonogram": ("sgt-pattern", "Pattern"),
}
# What is measured: the generator's parameters, and how many boards.
BOARDS: Mapping[str, str] = {"bridges": "15x15", "nonogram": "20x20"}
COUNT = 3
PATIENCE_S = 300.0
WINDOW_S = 20.0
# GTK draws its first picture some time after the window is there.
DRAWN_S = 0.5


def rows(data: Path | None) -> Iterator[Row]:
    """One row per game that can be played here."""
    if missing():
        return
    for game, params in BOARDS.items():
        title = PROGRAMS[game][1]
        yield Row(
            f"play/{game}-{params}",
            f"{title} {params} played in its window, from the first picture to the verified end (real time)",
            cases=lambda: (),
            seconds=partial(measured, game, params, COUNT),
        )


def measured(game: str, params: str, count: int) -> Sequence[float]:
    """Seconds of each of `count` boards, played by a process of its own."""
    command = [sys.executable, "-m", "tests.laboratory.live", game, params, str(count)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    return [float(seconds) for seconds in json.loads(told.stdout)]


def program(game: str) -> str | None:
    """The path of the game's program; Debian keeps games in a folder that is often not searched."""
    name, _ = PROGRAMS[game]
    return shutil.which(name, path=os.environ.get("PATH", "") + os.pathsep + GAMES_FOLDER)


def missing() -> str:
    """What is not installed, in words; empty when live games can be played."""
    absent = [name for name in ("Xvfb",) if shutil.which(name) is None]
    absent += [PROGRAMS[game][0] for game in PROGRAMS if program(game) is None]
    return f"not installed: {', '.join(absent)}" if absent else ""


@contextmanager
def x_server(size: str = "1600x1200x24", options: Sequence[str] = ()) -> Iterator[str]:
    """An X server of its own, without a window manager: its name, as DISPLAY takes it.

    options: more options of Xvfb.
    """
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
    command += options
    server = subprocess.Popen(
        command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)


@contextmanager
def on_display(name: str) -> Iterator[None]:
    """DISPLAY set to an X server, and nothing that speaks of Wayland."""
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")
    before = {variable: os.environ.get(variable) for variable in variables}
    for variable in variables:
        os.environ.pop(variable, None)
    os.environ["DISPLAY"] = name
    try:
        yield
    finally:
        for variable, value in before.items():
            if value is None:
                os.environ.pop(variable, None)
            else:
                os.environ[variable] = value


def tell_window(title: str, *words: str, only_visible: bool = False) -> str:
    """What xdotool says when it is told these words about the window of that title, as soon as there is one.

    Raises subprocess.TimeoutExpired where there is none in time.
    """
    command = [
        "xdotool",
        "search",
        "--sync",
        *["--onlyvisible"] * only_visible,
        "--name",
        f"^{title}$",
        *words,
    ]
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
        if told.returncode == 0:
            return told.stdout
        # Any window that closes while it looks at all of them ends its search.
        time.sleep(0.1)
    raise subprocess.TimeoutExpired(command, PATIENCE_S)


def game_id(game: str, params: str, rng: random.Random) -> str:
    """A fresh game ID from the program's own generator, decided by `rng`; of a board that the program shows whole, and that
    no other rules fit as well."""
    path = program(game)
    assert path is not None  # missing() was asked
    while True:
        seeded = f"{params}#{rng.randrange(10**12)}"
        told = subprocess.run(
            [path, "--generate", "1", seeded], capture_output=True, text=True, timeout=60, check=True
        )
        identity = told.stdout.strip()
        if game == "bridges" and fits_other_rules(bridges.parse(identity)):
            continue
        if game != "nonogram" or shows_all_clues(nonogram.parse(identity)):
            return identity


def fits_other_rules(puzzle: Bridges) -> bool:
    """Whether fewer bridges a span give the clues one solution, with loops, that is not the board's: of boards for four
    bridges without loops two in 700, as three bridges with loops."""
    for most in range(2, puzzle.max_bridges):
        with suppress(NoSolution):
            found = bridges.solve(replace(puzzle, max_bridges=most, loops=True), Limits(60, unique=True))
            return found.unique is True and bool(bridges.check(puzzle, found.solution))
    return False


def shows_all_clues(puzzle: Nonogram) -> bool:
    """Whether Pattern has room for the clues of every row: it cuts a longer one at the edge of its drawing.

    Its bold digits are so wide (shares of a tile) where a column has a number of two digits, or none has; what it keeps
    free beside the board is floor(width / 5) + 2 tiles.
    """
    wide = any(number > 9 for clue in puzzle.cols for number in clue)
    digit, room = (0.39 if wide else 0.58), puzzle.width // 5 + 2.3
    return all(
        digit * (sum(len(str(number)) for number in clue) + len(clue) - 1) <= room for clue in puzzle.rows
    )


def play_live(game: str, identity: str) -> float:
    """Seconds from the first picture of a new window to the verified end. Raises what `play` raises."""
    path = program(game)
    assert path is not None  # missing() was asked
    running = subprocess.Popen([path, identity], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + WINDOW_S
        while True:
            try:
                device = open_desktop(PROGRAMS[game][1])
                break
            except DeviceNotFound:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
        time.sleep(DRAWN_S)
        try:
            began = time.monotonic()
            play(GAMES[game], Profile(game, "measured"), Screen(device, SystemClock()))
            return time.monotonic() - began
        finally:
            device.close()
    finally:
        running.kill()
        running.wait(10)


def main(game: str, params: str, count: str) -> None:
    """Print the seconds of `count` boards as JSON."""
    rng = random.Random(0)
    with x_server() as name, on_display(name):
        print(json.dumps([play_live(game, game_id(game, params, rng)) for _ in range(int(count))]))


if __name__ == "__main__":
    main(*sys.argv[1:])
