"""Makes the golden pictures in `tests/screens/`: windows of real programs under Xvfb, our own page and our own practice boards.

    uv run python -m tests.laboratory.capture_screens [DISPLAY]        # ":99" by default

Each is a pair: NAME.png and NAME.txt with the puzzle and, after a line of dashes, every item on it. What the text says
comes from the puzzle that was given to the program, never from a reader. `screens/none` holds windows of other games.
Everything is chosen by seeds, so that a second run writes the same; look at what changed before keeping it. Only `sgt-web-*`
are not made here: they are boards of others here in the collection's web version, shown by Chromium.
Needs Xvfb, sgt-puzzles, chromium.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import cv2

from bot.clock import SimulatedClock
from bot.devices.desktop import open_desktop
from bot.devices.practice import PracticeDevice
from bot.games import GAMES
from bot.practice.thaumcraft.art import own_textures
from calibration.thaumcraft.textures import profile_from_textures
from solver.answer import Limits
from solver.bridges import Span
from solver.lattice import Square
from solver.nonogram import Picture
from tests.chromium import Browser
from tests.real_desktop import Desk
from vision.eyesight import SIGNS
from vision.frame import Pixels

TESTS = Path(__file__).resolve().parents[1]
SCREENS = TESTS / "screens"
PAGE = TESTS / "pages" / "nonogram.html"
GAMES_FOLDER = Path("/usr/games")
MEASURED = ("thaumcraft", "bridges", "nonogram", "algemy", "rings")
DIGITS = ("solo", "unequal", "undead", "towers")
PLAYED = {"sgt-bridges": "bridges", "sgt-pattern": "nonogram", **{f"sgt-{name}": name for name in DIGITS}}

BRIDGES = {
    "7x7": "7x7m2:3d2j4a4a4n3a5a1c2d4",
    "10x10": "10x10m2:2a4a4a6a2k2o4a3j1b1e1a6c7a3b4a2a1f2j2b5a2b2",
    "12x9": "12x9m2:4b4b3a5b3a1b3b1b1g3a5p3a5b1c3f1b2c6a2a4a6c4m4b5b4d3",
    "15x15": "15x15m2:3e4b5d2a3b4b1c2a3q4b5b3a4m2b6a6q4a2i2a5c5e1q1a5a1e3a3j4d5a4c1a3d1r2c1c5b3a1c4m3",
    "25x25": "25x25m2:a4v3za2r4a4b5j4q3b2p2e1c2a5j4b4c3r4z5a5t5d4e5j5a3f3b2w2b4s4o5c4zc4q1v2h6q4b3zza2t4za4h5i6b2w4b4"
    "a2g4a2g4c2a5s4",
}
NONOGRAMS = {
    "10x10": "10x10:3/1.3/1.1.1/1.1/3/4.3/8/5.2/2.4/4.3/1.1/1.1/5/5/1.1.3/1.2/9/1.3.2/9/4",
    "15x15": "15x15:7.3/9.2/10/1.6/1.3/3.3/3.2/2.6/1.7/1.3/1.4/1.2.5/1.8/2.4.3/2.5.2/5.2/3.4/3/3.1/4.1/3.2.2/4.3.4/4.9/"
    "9.3/6.2.1.1.1/5.1.3/3.1.5/1.1.5/2.3/2.1",
    "20x20": "20x20:3.3.3/4.3.3/1.4.1.1.3/3.7.3/1.4.4/6.2.4/3.1.3.1/1.1.1.3.3.1/4.3/4.5.4/5.2.3/5.4.1/7.4/1.8.3/1.7.1.1/"
    "1.3.1.3/1.8.3/2.1.3.3/3.5/3.6/2.1.2.8/4.1.1.4.3/2.3.4.2/1.1.3.5/2.5/3.4/6/5.2.4/6.3.4/10.2.1/3.3.4.1.2/1.4.4/2.3.4/"
    "1.9/1.2.1.2/5.3.1/9.2/7.2.3/6.1.2/2.4.1.1",
    "25x10": "25x10:5.2/4.2/3/1/1/1/5/9/1.3/1/3/4.4/1.4.2/5/5/6.1/7/2.4/1.4/5.1/5.1/6/4/2.3/4.3/3.1.3.2.4/3.1.1.1.10/"
    "3.1.1.6.4.1/2.2.14/1.3.10.1/5.1.8.2/3.1.5.1/3.2.1/2.2.3/2.3.1.2",
}
SOLO = {
    "9j": "9j:4_7a9f9_3b6c1e3a6d2a7b8g1b2a1d5a1e2c7b6_1f7a5_9,"
    "bae_bba_aa__aa__a_a_a__ccaaacb_bcbha_bbacbb_a__a_c_bbadcdd",
    "3x3k": "3x3k:zzzc,_aa____a_a__a__aaa_aa_aa__aa___________a__aa_aaaac____a_____a___a_a__a__a_____b_a__a_b___a_a_aa_aaaa_,"
    "4_11a10a22_11_10_5a11a7e13a11a6a10a11_7b16a9a17a17a3a8_9b11_22a5_9b21_6a9g11a5a14a17_12b11a11c13b",
    "3x4": "3x4:b10_8_7c4d1c8a4a10_12b4_2_3b6_11b7a2a8f5_10e6a2a7i5_3a1a4_8a11a1_5i4a9a8e3_1f6a7a7b3_12b5_11_8b8_12a4a11"
    "c3d10c2_6_9b",
    "4x4": "4x4:15i11_6_1b14_16_13_3_12d7_8_14g10a15_14b2a5e4_7f12_10a1e9_8_15_4_11c7b16_3c14_7_13a2b11_3a12a9_5c12_3d5b"
    "16_7b11a11b7b9_1a2_8a6d6a2_5a14_10b9b1a10b11_13b16d5_2c15_9a11a4_6b13a14_12_8c2_16b8c12_14_10_11_9e6a14_8f16"
    "_15e1a2b10_4a8g13_12_4d6_14_10_5_11b8_9_16i2",
    "9jx": "9jx:4_6j1i1g5a6b8_8g5_5b2a1g2i8j7_3,dccb_aaaaadaa___aaaaaa__bbbedcdabbbabab_ab_d_bcaba__aa_e__",
}
UNEQUAL = {
    "5a": "5a:0,0D,0R,0L,0D,0RD,0URL,0L,0R,0UL,0U,0R,0L,0,0,0R,0RDL,0L,1,0D,5,0UR,0L,0R,0UL,",
    "7a": "7a:0D,0,0R,0L,0,0,0D,0UR,0DL,0,0D,0RD,0L,0U,1,0UD,0RD,0UL,0U,2,0D,0RD,0UL,0UD,0,0,"
    "6R,0UL,0U,0D,0U,0D,0RD,0DL,0,0D,0UR,0L,0U,0URD,0UL,0,0UR,0L,0,0,0U,0,4,",
}
UNDEAD = {"4x4": "4x4:3,1,5,RRRbRcLRdL,0,2,0,1,3,3,2,3,3,2,2,2,2,2,1,0"}
TOWERS = {
    "5x5": "5:1/4/3/3/2/3/1/2/2/2/1/5/3/2/2/2/1/3/2/3",
    "6x6": "6:4///3//3//4///3/3/4//2//2/////1//3,e1o2n",
}
BOARDS = {
    "bridges": BRIDGES,
    "nonogram": NONOGRAMS,
    "solo": SOLO,
    "unequal": UNEQUAL,
    "undead": UNDEAD,
    "towers": TOWERS,
}
# (puzzle, share of its solution that has been entered, size of the window where it is not the program's own).
WINDOWS: Mapping[str, tuple[tuple[str, float, tuple[int, int] | None], ...]] = {
    "sgt-bridges": (
        ("7x7", 0.0, None),
        ("10x10", 0.5, None),
        ("12x9", 1.0, None),
        ("15x15", 0.4, (800, 830)),
        ("25x25", 0.7, (700, 740)),
    ),
    "sgt-pattern": (
        ("10x10", 0.0, None),
        ("10x10", 0.5, (300, 330)),
        ("15x15", 0.6, None),
        ("20x20", 1.0, (900, 930)),
        ("25x10", 0.3, None),
    ),
    "sgt-unequal": (("5a", 0.0, None), ("5a", 0.5, (400, 430)), ("7a", 0.4, None)),
    "sgt-towers": (("5x5", 1.0, None), ("6x6", 0.5, None)),
    "sgt-undead": (("4x4", 0.0, (260, 325)),),
    "sgt-solo": (
        ("9j", 0.0, None),
        ("9j", 0.4, (560, 590)),
        ("9jx", 0.5, None),
        ("3x3k", 0.0, None),
        ("3x3k", 0.5, (400, 430)),
        ("3x4", 0.5, None),
        ("4x4", 0.0, (560, 590)),
        ("4x4", 1.0, None),
    ),
}  # fmt: skip


def main(display: str = ":99") -> None:
    with x_server(display):
        for program, windows in WINDOWS.items():
            for name, share, size in windows:
                saved_window(program, name, share, size)
        others(SCREENS / "none")
    pages()
    boards()


@contextmanager
def x_server(display: str) -> Iterator[None]:
    server = subprocess.Popen(
        ["Xvfb", display, "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], stderr=subprocess.DEVNULL
    )
    os.environ["DISPLAY"] = display
    time.sleep(2)
    try:
        yield
    finally:
        server.terminate()
        server.wait(10)


@contextmanager
def opened(command: list[str], size: tuple[int, int] | None = None) -> Iterator[Pixels]:
    """What the window of a program shows."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    desk = Desk()
    try:
        window = None
        while window is None:
            time.sleep(0.2)
            window = next((one for one in desk.windows.listed() if one.box.width > 60), None)
        if size is not None:
            desk.place(window.id, size=size)
        # GTK draws its first picture some time after the window is there.
        time.sleep(1.5)
        device = open_desktop(window.title)
        try:
            yield device.capture().pixels
        finally:
            device.close()
    finally:
        process.kill()
        process.wait(10)
        desk.close()


def saved_window(program: str, name: str, share: float, size: tuple[int, int] | None) -> None:
    """One window of a game that we play, with a share of the solution entered."""
    game = GAMES[PLAYED[program]]
    identity = BOARDS[game.name][name]
    puzzle = game.parse(identity)
    solution = game.solve(puzzle, Limits()).solution
    rng = random.Random(name)
    if game.name == "bridges":
        chosen = rng.sample(sorted(solution), round(share * len(solution)))
        placed: Any = {span: solution[span] for span in chosen}
        moves = [bridge_move(span, count) for span, count in placed.items()]
    elif game.name != "nonogram":
        free = sorted(solution.keys() - puzzle.given.keys())
        placed = {at: solution[at] for at in rng.sample(free, round(share * len(free)))}
        numbers = {sign: number for number, sign in enumerate(SIGNS, 1)}
        moves = [f"R{at.col},{at.row},{numbers.get(value, value)}" for at, value in placed.items()]
    else:
        squares = [Square(r, c) for r in range(puzzle.height) for c in range(puzzle.width)]
        seen = frozenset(rng.sample(squares, round(share * len(squares))))
        filled = solution.filled & seen
        placed = Picture(filled, seen - filled)
        moves = [f"{'F' if at in filled else 'E'}{at.col},{at.row},1,1" for at in sorted(seen)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board"
        file.write_text(saved_game(program, identity, moves))
        with opened([str(GAMES_FOLDER / program), "--load", str(file)], size) as pixels:
            done = "empty" if not moves else "solved" if share == 1 else "part"
            keep(game.name, f"{program}-{name}-{done}", pixels, puzzle, placed)


def bridge_move(span: Span, count: int) -> str:
    return f"L{span.a.col},{span.a.row},{span.b.col},{span.b.row},{count}"


def saved_game(program: str, identity: str, moves: list[str]) -> str:
    """A saved game of the collection, in its own text form."""
    params, text = identity.split(":")
    title = program.removeprefix("sgt-").title()
    entries = [
        ("SAVEFILE", "Simon Tatham's Portable Puzzle Collection"),
        ("VERSION", "1"),
        ("GAME", title),
        ("PARAMS", params),
        ("CPARAMS", params),
        ("DESC", text),
        ("NSTATES", str(len(moves) + 1)),
        ("STATEPOS", str(len(moves) + 1)),
        *(("MOVE", move) for move in moves),
    ]
    return "".join(f"{key:8}:{len(value)}:{value}\n" for key, value in entries)


def others(folder: Path) -> None:
    """The first window of every game of the collection that we do not play."""
    folder.mkdir(parents=True, exist_ok=True)
    for program in sorted(GAMES_FOLDER.glob("sgt-*")):
        if program.name not in PLAYED:
            with opened([str(program)]) as pixels:
                write(folder / f"{program.name}.png", pixels)


def pages() -> None:
    """Our own page in its three looks, empty."""
    game = GAMES["nonogram"]
    drawn = "01110.11111.10101.11111.01010"
    filled = [[sign == "1" for sign in row] for row in drawn.split(".")]
    clues = [[clue_of(line) for line in lines] for lines in (filled, list(zip(*filled, strict=True)))]
    rows, cols = ("/".join(".".join(map(str, clue)) for clue in side) for side in clues)
    puzzle = game.parse(f"5x5:{cols}/{rows}")
    with Browser() as browser, tempfile.TemporaryDirectory() as folder:
        for look in ("light", "dark", "round"):
            # A page opened from a file is asked nothing: its wishes are written into a copy.
            wishes = urlencode({"picture": drawn, "look": look, "cell": 34})
            copy = Path(folder) / f"{look}.html"
            copy.write_text(PAGE.read_text().replace("location.search", f'"?{wishes}"'))
            nothing = Picture(frozenset(), frozenset())
            keep("nonogram", f"page-{look}", browser.picture(copy, 480, 420), puzzle, nothing)


def clue_of(line: Any) -> list[int]:
    return [len(run) for run in "".join("#" if one else " " for one in line).split()]


def boards() -> None:
    """A practice board of every measured game in every skin: as it begins, and played half way."""
    own = profile_from_textures(own_textures(), "own")
    for name in MEASURED:
        game = GAMES[name]
        for seed, (skin, make) in enumerate(game.skins().items()):
            more = {"scale": 2, "window": (760, 520)} if name == "thaumcraft" else {}
            board: Any = make(random.Random(100 + seed), **more)
            clock = SimulatedClock()
            device = PracticeDevice(board, clock)
            keep(name, f"practice-{skin}-empty", device.capture().pixels, board.puzzle, entered(name, board))
            reading = game.read(device.capture(), own if name == "thaumcraft" else board.profile)
            steps = game.plan(reading, game.solve(reading.puzzle, Limits()).solution).steps
            for step in steps[: (len(steps) + 1) // 2]:
                device.act(step.actions)
                clock.sleep(1.0)
            keep(name, f"practice-{skin}-part", device.capture().pixels, board.puzzle, entered(name, board))


def entered(name: str, board: Any) -> Any:
    """What a practice board holds by its own account."""
    match name:
        case "bridges":
            return {span: count for span, count in board.joins.items() if count}
        case "nonogram":
            return board.picture
        case "algemy":
            return board.placed
        case "rings":
            return board.entered
        case _:
            return board.server.placed


def keep(name: str, title: str, pixels: Pixels, puzzle: Any, placed: Any) -> None:
    """Write one pair."""
    game = GAMES[name]
    items = game.items.of(puzzle, game.solution_json(puzzle, placed))
    folder = SCREENS / name
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / f"{title}.png", pixels)
    lines = [f"{item}: {value}".rstrip() for item, value in items.items()]
    text = "\n".join([game.unparse(puzzle).strip(), "---", *lines])
    (folder / f"{title}.txt").write_text(text + "\n", encoding="utf-8")


def write(path: Path, pixels: Pixels) -> None:
    _, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    path.write_bytes(data.tobytes())
    print(f"{path.relative_to(SCREENS)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:2])
