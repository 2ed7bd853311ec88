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


def test_what_is_down_is_noted_and_what_is_up_is_not(tmp_path: Path) -> None:
    mouse = HeldMouse(PaperMouse(), tmp_path / "state" / "held")

    mouse.press("left")
    mouse.key("shift", down=True)
    noted = (tmp_path / "state" / "held").read_text()
    mouse.key("shift", down=False)
    mouse.release("left")

    assert noted == "button left\nkey shift"
    assert not (tmp_path / "state" / "held").exists()


def test_the_next_start_lets_go_what_a_killed_run_held(tmp_path: Path) -> None:
    script = (
        "import pathlib, sys, time\n"
        "from tests.test_held import HeldMouse, PaperMouse\n"
        "mouse = HeldMouse(PaperMouse(), pathlib.Path(sys.argv[1]))\n"
        "mouse.press('right')\n"
        "mouse.key('ctrl', down=True)\n"
        "print('down', flush=True)\n"
        "time.sleep(600)\n"
    )
    note = tmp_path / "held"
    child = subprocess.Popen([sys.executable, "-c", script, str(note)], cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"down\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    paper = PaperMouse()

    HeldMouse(paper, note)

    assert paper.log == ["right up", "ctrl up"]
    assert not note.exists()


@pytest.mark.parametrize("text", ["", "button nose", "key \x00", "\xff" * 5000, "rm -rf /"])
def test_a_damaged_note_presses_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "held").write_text(text, encoding="latin-1")
    paper = PaperMouse()

    HeldMouse(paper, tmp_path / "held")

    assert not any("down" in line for line in paper.log)
    assert not paper.down


def test_a_disk_that_cannot_be_written_stops_no_release(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    paper = PaperMouse()
    mouse = HeldMouse(paper, tmp_path / "file" / "held")

    mouse.press("left")
    mouse.release("left")

    assert paper.log == ["left down", "left up"]


def test_a_press_that_is_refused_is_still_let_go_next_time(tmp_path: Path) -> None:
    class Broken(PaperMouse):
        def press(self, button: str) -> None:  # type: ignore[override]
            raise InputFailed("no")

    with pytest.raises(InputFailed):
        HeldMouse(Broken(), tmp_path / "held").press("left")
    paper = PaperMouse()
    HeldMouse(paper, tmp_path / "held")

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
        for _ in range(6000):
            if log.is_file() and '"act"' in log.read_text():
                break
            time.sleep(0.01)
        child.send_signal(number)
        told, _ = child.communicate()

    assert child.returncode == 130
    assert json.loads(told.splitlines()[-1])["status"] == "stopped"
    assert json.loads(log.read_text().splitlines()[-1])["status"] == "stopped"
