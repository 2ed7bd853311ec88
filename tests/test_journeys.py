"""Five players' ways through the program, by the commands that their pages show: nothing else is typed.

What a page cannot know (the phone's name, where pictures lie) is put in the place of its example. The fifth player, who
writes programs, is in `test_library.py`, which runs that page from top to bottom.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.practice.algemy import practice as algemy_practice
from tests.fake_android import adb_server, practice_android
from tests.laboratory.live import game_id, missing
from tests.real_desktop import RealGame
from tests.shared_data import REQUIRE_REAL, SHARED, needs_shared, textures_jar
from vision.image import encode_png

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PATIENCE_S = 240
SEED = int(os.environ["BOARDSIGHT_SEED"])


class Player:
    """Somebody with the program installed, a home of their own and a terminal."""

    def __init__(self, home: Path) -> None:
        self.home = home
        folder = home / "bin"
        folder.mkdir()
        program = folder / "boardsight"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m bot "$@"\n')
        program.chmod(0o755)
        kept = {name: os.environ[name] for name in ("DISPLAY",) if name in os.environ}
        self.environ = kept | {
            "HOME": str(home),
            "PATH": f"{folder}:/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            "TERM": "xterm",
        }
        self._open: list[subprocess.Popen[str]] = []

    def types(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.home,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )

    def opens(self, command: str) -> subprocess.Popen[str]:
        """A program that stays, once it has said that it is there."""
        running = subprocess.Popen(
            shlex.split(command),
            cwd=self.home,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            executable=str(self.home / "bin/boardsight"),
        )
        self._open.append(running)
        assert running.stderr is not None
        while "open" not in running.stderr.readline().split():
            assert running.poll() is None
        return running

    def agrees(self, command: str) -> str:
        """A command on a terminal; what it asks is answered with yes. What was said."""
        answer = ["script", "-qefc", command, "/dev/null"]
        with subprocess.Popen(
            answer,
            cwd=self.home,
            env=self.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            said = ""
            while sign := process.stdout.read(1):
                said += sign
                if said.endswith("go on? [y/N]: "):
                    process.stdin.write("y\n")
                    process.stdin.flush()
            assert process.wait(PATIENCE_S) == 0, said
        return said

    def leaves(self) -> None:
        for one in self._open:
            one.terminate()
            one.communicate(timeout=20)


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    one = Player(tmp_path)
    yield one
    one.leaves()


def shown(page: str, start: str) -> str:
    """The command on a page of the documentation that begins so, without what is said about it."""
    text = (DOCS / page).read_text()
    lines = re.findall(rf"(?m)^\s*({re.escape(start)}.*)$", text)
    inline = re.findall(rf"`({re.escape(start)}[^`]*)`", text)
    assert lines or inline, f"docs/{page} shows no {start}"
    return re.split(r"\s{3,}|\s+#", (lines or inline)[0])[0]


needs_window = pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())


@pytest.mark.real
@needs_window
@pytest.mark.usefixtures("display")
def test_somebody_with_bridges_on_the_desktop(player: Player) -> None:
    page = "first-board.md"
    assert player.types(shown(page, "boardsight --version")).stdout.startswith("boardsight 0.")
    demo = player.types(shown(page, "boardsight demo bridges"))
    assert demo.returncode == 0 and "verified" in demo.stderr and "file://" in demo.stderr

    board = player.opens(shown(page, "boardsight practice bridges --window"))
    said = player.agrees(shown(page, "boardsight play 'desktop:Bridges practice'"))
    assert board.stdout is not None and board.stdout.readline() == "solved\n"
    assert "verified" in said
    player.leaves()

    real = RealGame("bridges", identity := game_id("bridges", "7x7", random.Random(SEED)))
    try:
        hint = player.types(shown("bridges.md", "boardsight hint desktop:Bridges"))
        said = player.agrees(shown(page, "boardsight play desktop:Bridges"))
        picture = player.types("boardsight read desktop:Bridges --overlay read.png")
    finally:
        real.close()
    assert hint.returncode == 0 and hint.stdout.strip()
    assert "verified" in said, identity
    assert picture.returncode == 0 and (player.home / "read.png").is_file()


@pytest.mark.real
@pytest.mark.skipif(shutil.which("adb") is None and not REQUIRE_REAL, reason="adb is not installed")
def test_somebody_with_a_phone(player: Player, tmp_path_factory: pytest.TempPathFactory) -> None:
    board = algemy_practice(random.Random(3), size=3, screen=(720, 1280))
    with adb_server(tmp_path_factory.mktemp("adb-home")) as server:
        phone = practice_android(board)
        server.ask(f"host:connect:{phone.serial}")
        player.environ["ANDROID_ADB_SERVER_PORT"] = str(server.port)

        devices = player.types(shown("android.md", "boardsight devices"))
        # The page's phone and its number of boards are examples; of a phone on the network the name must be given.
        play = shown("android.md", "boardsight play adb:emulator-5554")
        assert play == "boardsight play adb:emulator-5554 --watch --boards 20"
        # The number first: a port may have a 20 in it.
        mine = play.replace("--boards 20", "--boards 2").replace("emulator-5554", phone.serial)
        said = player.agrees(mine)

        server._quietly(f"host:disconnect:{phone.serial}")
        phone.close()
    assert f"adb:{phone.serial}" in devices.stdout
    assert len(re.findall(r"(?:verified|finished): \d+ cells", said)) == 2
    assert board.levels_solved >= 1


@pytest.mark.long
def test_somebody_who_pastes_the_lines_of_the_readme(player: Player) -> None:
    """All that need no window, no device and no game of one's own; the measurements take minutes."""
    (lines,) = re.findall(r"## Use\n\n```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    apart = re.compile("window|play|doctor|calibrate|replay|bench")
    pasted = [line for line in lines.splitlines() if not apart.search(line.partition("#")[0])]

    for line in pasted:
        done = player.types(line)
        assert done.returncode == 0, (line, done.stderr)

    assert len(pasted) == 8
    assert {path.name for path in player.home.glob("*.png")} == {
        "shot.png",
        "solved.png",
        "next.png",
        "lamps.png",
    }


@needs_shared
def test_somebody_with_thaumcraft_from_the_first_start(player: Player) -> None:
    picture = sorted((SHARED / "thaumcraft/screenshots").glob("stock_*.png"))[0]
    shutil.copy(picture, player.home / "minecraft.png")
    calibrate = shown("thaumcraft.md", "boardsight calibrate thaumcraft")

    # Without anything learned the way is told.
    first = player.types("boardsight solve minecraft.png")
    assert first.returncode == 3 and f"run '{calibrate}'" in first.stderr
    lost = player.types(calibrate)
    assert lost.returncode == 2 and "--from" in lost.stderr

    # The mod lies where its launcher keeps it.
    textures_jar(player.home / ".minecraft/mods/Thaumcraft-1.7.10-4.2.3.5.jar")
    learned = player.types(calibrate)
    assert learned.returncode == 0, learned.stderr

    page = shown("thaumcraft.md", "boardsight solve 'desktop:Minecraft'")
    solved = player.types(page.replace("'desktop:Minecraft'", "minecraft.png"))
    assert solved.returncode == 0, solved.stderr
    assert solved.stdout.strip()
    assert (player.home / "solved.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
@pytest.mark.real
@needs_window
@pytest.mark.usefixtures("display")
def test_somebody_who_tries_thaumcraft_without_minecraft(player: Player) -> None:
    page = "thaumcraft.md"
    board = player.opens(shown(page, "boardsight practice thaumcraft --window"))
    play = shown(page, "boardsight play 'desktop:Minecraft'")

    said = player.agrees(play.replace("Minecraft", "Thaumcraft research practice"))

    assert "verified" in said
    assert board.stdout is not None and board.stdout.readline() == "solved\n"


def test_somebody_with_many_pictures(player: Player) -> None:
    page = "many-pictures.md"
    (player.home / "shots").mkdir()
    for name, seed in (("bridges", 3), ("nonogram", 2), ("lightup", 3), ("rings", 11)):
        board = GAMES[name].practice(random.Random(seed))
        (player.home / f"shots/{name}.png").write_bytes(encode_png(board.render(0.0)))
    (player.home / "shots/nothing.png").write_bytes(b"no picture")

    read = player.types(shown(page, "boardsight read shots/ --json >"))
    readings = [json.loads(line) for line in (player.home / "readings.jsonl").read_text().splitlines()]
    assert read.returncode == 2
    assert {line["source"]: line["status"] for line in readings} == {
        "shots/bridges.png": "read",
        "shots/lightup.png": "read",
        "shots/nonogram.png": "read",
        "shots/nothing.png": "error",
        "shots/rings.png": "read",
    }

    solve = shown(page, "boardsight solve 'shots/*.png' --json")
    player.types(solve)
    again = player.types(solve)
    lines = [json.loads(line) for line in (player.home / "solutions.jsonl").read_text().splitlines()]
    assert again.returncode == 2
    assert [line["status"] for line in lines] == ["solved"] * 3 + ["error", "solved"] + ["error"]
    assert (player.home / "done.txt").read_text().count("\n") == 4
