"""Plays what can be played on Windows, under Wine, and prints a table: `python -m tests.windows.run FOLDER [BOARDS [MORE]]`.

BOARDS of Bridges and Pattern each, 20 by default, and MORE of each of the declared games, 2 by default.

FOLDER is what build.sh makes, and is made when it is missing. Wine is not Windows: it has no compositor (invisible frames,
cloaked windows), no scaling of the screen, no protection of one program from another's clicks. What the programs show in
the end is told from the X server, by the witness of the Linux tests; of the declared games, by their readers.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import tests.conftest  # noqa: F401 - the seed that the tests want
from bot.devices.desktop import open_desktop
from bot.errors import DeviceError
from bot.games import GAMES
from solver import bridges, nonogram
from solver.answer import Limits
from solver.errors import BoardsightError
from tests.laboratory.live import game_id, on_display, x_server
from tests.real_desktop import _bridges_px, _pattern_px, shown_bridges, shown_pattern
from tests.test_real_games import PARAMS as DECLARED
from tests.test_real_games import program
from vision.frame import Frame
from vision.profile import Profile

HERE = Path(__file__).parent
PARAMS = {
    "bridges": ("7x7", "10x10", "10x10d2", "15x15"),
    "nonogram": ("5x5", "10x10", "15x15", "20x20"),
}
TITLES = {"bridges": "Bridges", "nonogram": "Pattern"}
# A cell of a new window, px.
TILE_PX = 24
CALL = "import sys; sys.argv[0] = 'boardsight'; from bot.start import main; main()"
WINDOW_S, PLAY_S = 60.0, 300.0
# A window without a title comes over the board after the picture was taken.
COVERED = """
import ctypes, time
from bot.actions import Tap
from bot.devices.desktop import open_desktop
from bot.errors import InputFailed
from vision.frame import Point
device = open_desktop("Bridges")
width, height = device.capture().size
# On top of all others; a window of its own; shown.
ctypes.windll.user32.CreateWindowExW(0x8, "Static", "", 0x90000000, 0, 0, 900, 900, None, None, None, None)
time.sleep(1)
try:
    device.act([Tap(Point(width / 2, height / 2))])
    print("clicked")
except InputFailed as error:
    print(error)
"""


class Wine:
    """Windows programs, and boardsight among them."""

    def __init__(self, home: Path) -> None:
        self._home = home
        own = {"WINEPREFIX": str(home / "prefix"), "WINEARCH": "win64", "WINEDEBUG": "-all"}
        self._environ = os.environ | own | {"WINEDLLOVERRIDES": "mscoree,mshtml="}

    def boardsight(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.python(CALL, *arguments)

    def python(self, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        # Wine 8 gives Python no handles but pipes.
        return subprocess.run(
            ["wine", str(self._home / "python/python.exe"), "-c", code, *arguments],
            # Where Python finds the wheel that was installed, not the checkout.
            cwd=self._home,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PLAY_S,
        )

    def start(self, game: str, identity: str) -> None:
        path = self._home / "games" / f"{exe(game)}.exe"
        subprocess.Popen(
            ["wine", str(path), identity],
            env=self._environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end(self, game: str) -> None:
        self.kill(f"{exe(game)}.exe")

    def kill(self, name: str) -> None:
        subprocess.run(["wine", "taskkill", "/f", "/im", name], env=self._environ, capture_output=True)

    def close(self) -> None:
        subprocess.run(["wineserver", "-k"], env=self._environ, capture_output=True)


def play(wine: Wine, game: str, identity: str) -> tuple[bool, str, float]:
    """Whether the witness saw the board solved, what boardsight said of it, and the seconds it took."""
    wine.start(game, identity)
    end = time.monotonic() + WINDOW_S
    while True:
        try:
            device = open_desktop(title(game))
            break
        except DeviceError:
            if time.monotonic() > end:
                return False, "no window", 0.0
            time.sleep(0.3)
    time.sleep(1.0)
    untouched = device.capture()
    began = time.monotonic()
    try:
        told = wine.boardsight("play", f"desktop:{title(game)}", "--yes", "--json")
    except subprocess.TimeoutExpired:
        device.close()
        # The Python that was started by Wine lives on.
        wine.end(game)
        wine.kill("python.exe")
        return False, "no end", PLAY_S
    took_s = time.monotonic() - began
    # The declared games flash when a board is done.
    time.sleep(1.2)
    frame = device.capture()
    device.close()
    wine.end(game)
    lines = told.stdout.splitlines()
    word = json.loads(lines[-1])["status"] if lines else f"exit {told.returncode}"
    if word != "verified":
        print(f"{game} {identity}: {word}\n{told.stderr}", file=sys.stderr)
    return shown_solved(game, identity, untouched, frame), word, took_s


def shown_solved(game: str, identity: str, untouched: Frame, frame: Frame) -> bool:
    """Whether a window shows the board solved. untouched: the window before, since entries may hide numbers (Singles)."""
    if game == "bridges":
        board = bridges.parse(identity)
        menu = frame.size[1] - _bridges_px(TILE_PX, board.height)[0]
        return not GAMES[game].check(board, shown_bridges(board, frame, menu))
    if game == "nonogram":
        picture = nonogram.parse(identity)
        menu = frame.size[1] - _pattern_px(TILE_PX, picture.height)[0]
        return not GAMES[game].check(picture, shown_pattern(picture, frame, menu))
    one, profile = GAMES[game], Profile(game, "default")
    try:
        solved = one.solve(one.parse(identity), Limits()).solution
        shown = one.reread(frame, one.read(untouched, profile)) or one.read(frame, profile)
        return one.plan(shown, solved).missing == 0
    except BoardsightError as error:
        print(f"{game} {identity}: {error}", file=sys.stderr)
        return False


def exe(game: str) -> str:
    # Windows has a net.exe of its own.
    return "netgame" if game == "net" else TITLES.get(game, game).lower()


def title(game: str) -> str:
    return TITLES.get(game) or GAMES[game].title


def declared_id(game: str, params: str, seed: int) -> str:
    told = [program(game), "--generate", "1", f"{params}#{seed}"]
    return subprocess.run(told, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


def row(wine: Wine, game: str, count: int) -> str:
    """A row of the table: boards of a game."""
    ends = []
    sizes = PARAMS.get(game) or DECLARED[game][:2]
    for number in range(count):
        params, rng = sizes[number % len(sizes)], random.Random(f"windows {game} {number}")
        fresh = (
            game_id(game, params, rng) if game in PARAMS else declared_id(game, params, rng.randrange(10**9))
        )
        ends.append(play(wine, game, fresh))
        print(f"{game} {number + 1}/{count}: {ends[-1][1]}", file=sys.stderr)
    verified = sum(word == "verified" for _, word, _ in ends)
    seen = sum(solved for solved, _, _ in ends)
    false = sum(word == "verified" and not solved for solved, word, _ in ends)
    median = statistics.median(took_s for _, _, took_s in ends)
    return (
        f"| {exe(game)}.exe, {', '.join(sizes)} | {verified} of {count} verified, "
        f"{seen} seen solved in the end, {false} wrongly called verified; median {median:.0f} s with the start |"
    )


def command(wine: Wine, *arguments: str) -> str:
    done = wine.boardsight(*arguments)
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
    return f"| `{' '.join(arguments)}` | exit {done.returncode} |"


def main(arguments: Sequence[str]) -> None:
    home = Path(arguments[0]).resolve()
    count = int(arguments[1]) if len(arguments) > 1 else 20
    more = int(arguments[2]) if len(arguments) > 2 else 2
    with x_server("1280x1024x24") as name, on_display(name):
        # Without a window manager there are no frames.
        manager = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not (home / "prefix").is_dir():
            subprocess.run([HERE / "build.sh", str(home)], check=True)
        wine = Wine(home)
        try:
            print("| what | how it went |\n| --- | --- |", flush=True)
            # The doctor wants something to see on the screen.
            wine.start("bridges", "7x7#1")
            time.sleep(WINDOW_S / 6)
            for words in (["--version"], ["demo", "bridges", "rings"], ["devices"], ["doctor", "desktop"]):
                print(command(wine, *words), flush=True)
            refused = "is covered by 'a window without a title'" in (told := wine.python(COVERED)).stdout
            if not refused:
                print(told.stdout, told.stderr, file=sys.stderr)
            print(
                f"| a window without a title over the board | {'refused' if refused else 'NOT refused'} |",
                flush=True,
            )
            wine.end("bridges")
            for game in PARAMS:
                if count:
                    print(row(wine, game, count), flush=True)
            for game in DECLARED:
                print(row(wine, game, more), flush=True)
        finally:
            wine.close()
            manager.terminate()
            manager.wait(10)


if __name__ == "__main__":
    main(sys.argv[1:])
