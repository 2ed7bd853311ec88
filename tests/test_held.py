"""Nothing stays down: not after a request to end, and not after kill -9, once the program is started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.devices.held import HeldMouse
from bot.errors import InputFailed
from tests.test_desktop_device import PaperMouse

ROOT = Path(__file__).resolve().parents[1]


def notes(folder: Path) -> list[str]:
    """What stands in the notes; one in which nothing stands is none."""
    texts = [path.read_text().strip() for path in sorted(folder.glob("held-*"))]
    return [text for text in texts if text]


def test_what_is_down_is_noted_and_what_is_up_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "boardsight"
    mouse = HeldMouse(PaperMouse(), folder, ":7")

    mouse.press("left")
    mouse.key("shift", down=True)
    noted = notes(folder)
    mouse.key("shift", down=False)
    mouse.release("left")

    assert noted == ["button left\nkey shift"]
    assert notes(folder) == []


def test_the_note_stays_in_its_place_from_press_to_press_and_goes_with_the_run(tmp_path: Path) -> None:
    """Making a file anew and taking it away costs 10 ms on some file systems, at every press."""
    mouse = HeldMouse(PaperMouse(), tmp_path, ":7")

    mouse.press("left")
    first = [path.stat().st_ino for path in tmp_path.glob("held-*")]
    for _ in range(100):
        mouse.release("left")
        mouse.press("left")
    mouse.release("left")
    mouse.press("right")

    assert [path.stat().st_ino for path in tmp_path.glob("held-*")] == first
    assert [path.stat().st_size for path in tmp_path.glob("held-*")] == [len("button right")]
    assert notes(tmp_path) == ["button right"]

    mouse.release("right")
    mouse.close()

    assert list(tmp_path.glob("held-*")) == []


def killed_run(folder: Path, display: str) -> None:
    """A run on a display that is killed with a button and a key down."""
    script = (
        "import pathlib, sys, time\n"
        "from tests.test_held import HeldMouse, PaperMouse\n"
        "mouse = HeldMouse(PaperMouse(), pathlib.Path(sys.argv[1]), sys.argv[2])\n"
        "mouse.press('right')\n"
        "mouse.key('ctrl', down=True)\n"
        "print('down', flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", script, str(folder), display]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"down\n"
    paper = PaperMouse()
    HeldMouse(paper, folder, display)
    assert paper.log == [], "the other run still has its button down"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()


def test_the_next_start_lets_go_what_a_killed_run_held_and_not_what_another_one_holds(tmp_path: Path) -> None:
    killed_run(tmp_path, ":7")
    paper = PaperMouse()

    HeldMouse(paper, tmp_path, ":7")

    assert paper.log == ["right up", "ctrl up"]
    assert notes(tmp_path) == []


def test_the_buttons_of_another_display_are_left_alone(tmp_path: Path) -> None:
    killed_run(tmp_path, ":7")
    there, here = PaperMouse(), PaperMouse()

    HeldMouse(there, tmp_path, ":71")
    HeldMouse(here, tmp_path, ":7")

    assert (there.log, here.log) == ([], ["right up", "ctrl up"])


@pytest.mark.parametrize("text", ["", "button nose", "key \x00", "\xff" * 5000, "rm -rf /"])
def test_a_damaged_note_presses_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "held-_3a7-1").write_text(text, encoding="latin-1")
    paper = PaperMouse()

    HeldMouse(paper, tmp_path, ":7")

    assert not any("down" in line for line in paper.log)
    assert not paper.down
    assert notes(tmp_path) == []


def test_a_note_that_is_a_link_or_a_pipe_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("button left")
    (tmp_path / "held-_3a7-1").symlink_to(tmp_path / "mine")
    paper = PaperMouse()

    HeldMouse(paper, tmp_path, ":7")

    assert paper.log == [] and (tmp_path / "mine").read_text() == "button left"


def test_a_disk_that_cannot_be_written_stops_no_release(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    paper = PaperMouse()
    mouse = HeldMouse(paper, tmp_path / "file" / "held", ":7")

    mouse.press("left")
    mouse.release("left")

    assert paper.log == ["left down", "left up"]


class Broken(PaperMouse):
    def press(self, button: str) -> None:  # type: ignore[override]
        raise InputFailed("no")


def test_a_press_that_is_refused_is_still_let_go_next_time(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from tests.test_held import *\n"
        "HeldMouse(Broken(), pathlib.Path(sys.argv[1]), ':7').press('left')"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True)
    assert b"InputFailed: no" in ended.stderr
    paper = PaperMouse()

    HeldMouse(paper, tmp_path, ":7")

    assert paper.log == ["left up"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_request_to_end_is_a_stop_in_order(number: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot", "play", "practice:thaumcraft:1", "--watch", "--yes", "--json"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    log = tmp_path / "run" / "run.jsonl"
    with subprocess.Popen(
        [*command, "--record", str(tmp_path / "run")],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as child:
        # Until it plays, however long that takes here; a run that ends before is an error.
        while not (log.is_file() and '"act"' in log.read_text()):
            assert child.poll() is None, "the run has ended by itself"
            time.sleep(0.01)
        child.send_signal(number)
        told, _ = child.communicate()

    assert child.returncode == 130
    assert json.loads(told.splitlines()[-1])["status"] == "stopped"
    assert json.loads(log.read_text().splitlines()[-1])["status"] == "stopped"
