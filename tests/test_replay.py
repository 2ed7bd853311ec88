"""Every run is kept, can be decided again offline, and can be sent to somebody: told from the folder it leaves."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.bundle import bundle
from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import PlayError, WrongUsage
from bot.games import GAMES
from bot.play import play
from bot.recording import KEPT_RUNS, Recording, RecordingDevice, changed, kept_runs, new_run
from bot.replay import Pictures, RunInvalid, entries, replay
from bot.screen import Screen
from bot.witness import recorded
from solver.answer import Limits
from tests.troubled import small_board
from vision.frame import Box, Frame
from vision.image import encode_png

ROOT = Path(__file__).resolve().parents[1]


def record(
    folder: Path, name: str = "rings", seed: int = 1, faults: Faults | None = None, **options: Any
) -> None:
    game = GAMES[name]
    board, clock = game.practice(random.Random(seed)), SimulatedClock()
    keep = Recording(folder, **options)
    device = RecordingDevice(PracticeDevice(board, clock, faults, seed=seed), keep)
    keep.board(game, board.profile)
    try:
        status: str = play(recorded(game, keep), board.profile, Screen(device, clock)).status
    except PlayError as error:
        status = type(error).__name__
    keep.write("end", status=status)
    device.close()


def events(folder: Path) -> list[dict[str, Any]]:
    return [dict(entry) for _, entry in entries(folder)]


def rewrite(folder: Path, change: Any) -> None:
    """Change every event of a run with `change(entry)`."""
    lines = [json.dumps(change(entry)) + "\n" for entry in events(folder)]
    (folder / "run.jsonl").write_text("".join(lines))


@pytest.mark.parametrize("name", ["rings", "bridges", "nonogram"])
def test_a_run_with_faults_decides_the_same_again(name: str, tmp_path: Path) -> None:
    record(tmp_path / "run", name, 3, Faults(lost=0.1, late_s=0.2))

    done = replay(tmp_path / "run")

    assert done.difference is None
    assert done.decisions > 4 and done.skipped == 0
    assert done.ended == events(tmp_path / "run")[-1]["status"]


def test_a_wheel_that_had_to_be_closed_first_is_decided_again(tmp_path: Path) -> None:
    game, clock = GAMES["algemy"], SimulatedClock()
    board = small_board("algemy", 8)
    device = PracticeDevice(board, clock)
    reading = game.read(device.capture(), board.profile)
    opening = game.plan(reading, game.solve(reading.puzzle, Limits()).solution).steps[0].actions[:2]
    # A killed run leaves the wheel open, over two crystals.
    device.act(opening)
    keep = Recording(tmp_path / "run")
    keep.board(game, board.profile)

    outcome = play(recorded(game, keep), board.profile, Screen(RecordingDevice(device, keep), clock))
    keep.close()
    done = replay(tmp_path / "run")

    assert outcome.status == "verified" and board.solved()
    assert [entry["kind"] for entry in events(tmp_path / "run")].count("uncover") == 1
    assert done.difference is None and done.skipped == 0


@pytest.mark.parametrize("name", GAMES)
def test_a_bundle_shows_the_board_only_and_decides_the_same(name: str, tmp_path: Path) -> None:
    record(tmp_path / "run", name, 2)

    made = bundle(tmp_path / "run", tmp_path / "report.zip")

    assert made.box is not None
    with zipfile.ZipFile(tmp_path / "report.zip") as archive:
        assert sorted(archive.namelist()) == sorted(kept for kept, _ in made.contents)
        assert '"source"' not in archive.read("run.jsonl").decode()
    assert replay(tmp_path / "report.zip").difference is None


def test_what_is_beside_the_board_does_not_go_into_a_bundle(tmp_path: Path) -> None:
    game = GAMES["nonogram"]
    board, clock = game.practice(random.Random(4)), SimulatedClock()
    keep = Recording(tmp_path / "run")
    keep.board(game, board.profile)
    secret = (37, 201, 93)

    class Wide:
        def capture(self) -> Frame:
            shown = board.render(clock.now())
            return Frame(
                np.hstack([shown, np.full((shown.shape[0], 400, 3), secret, np.uint8)]), source="Bank"
            )

    device = RecordingDevice(Wide(), keep)  # type: ignore[arg-type]
    recorded(game, keep).read(device.capture(), board.profile)
    keep.close()

    bundle(tmp_path / "run", tmp_path / "cropped.zip")
    bundle(tmp_path / "run", tmp_path / "whole.zip", whole=True)

    def pixels(name: str) -> Any:
        with zipfile.ZipFile(tmp_path / name) as archive:
            return cv2.imdecode(np.frombuffer(archive.read("frames/00001.png"), np.uint8), cv2.IMREAD_COLOR)

    assert not (pixels("cropped.zip")[:, -200:] == secret).all(axis=2).any()
    assert (pixels("whole.zip")[:, -200:] == secret).all()


def test_the_first_decision_that_differs_is_shown(tmp_path: Path) -> None:
    record(tmp_path / "run", "rings", 1)
    lines = events(tmp_path / "run")
    first = next(nth for nth, entry in enumerate(lines, start=1) if entry["kind"] == "act")

    def elsewhere(entry: dict[str, Any]) -> dict[str, Any]:
        return entry | {"actions": [{"kind": "Tap", "at": [3.0, 4.0]}]} if entry["kind"] == "act" else entry

    rewrite(tmp_path / "run", elsewhere)

    difference = replay(tmp_path / "run").difference
    assert difference is not None
    assert (difference.line, difference.what) == (first, "act: actions")
    assert difference.recorded.endswith("3.0")


def test_another_picture_is_another_reading(tmp_path: Path) -> None:
    record(tmp_path / "run", "nonogram", 1)
    grey = encode_png(np.full_like(cv2.imread(str(tmp_path / "run/frames/00001.png")), 90))
    (tmp_path / "run/frames/00001.png").write_bytes(grey)

    difference = replay(tmp_path / "run").difference

    assert difference is not None and difference.what == "read: error"
    assert "BoardNotFound" in difference.again


def test_a_run_is_private(tmp_path: Path) -> None:
    record(tmp_path / "run", "rings", 1)

    for path in [tmp_path / "run", *(tmp_path / "run").iterdir(), *(tmp_path / "run/frames").iterdir()]:
        if not path.name.startswith("profile"):
            assert path.stat().st_mode & 0o077 == 0, path


def test_a_small_change_is_kept_as_a_small_picture(tmp_path: Path) -> None:
    keep = Recording(tmp_path / "run")
    pixels = np.random.default_rng(1).integers(0, 256, (300, 400, 3), np.uint8)
    later = pixels.copy()
    later[20:30, 50:60] = 0
    keep.picture(Frame(pixels))
    keep.picture(Frame(pixels.copy()))
    keep.picture(Frame(later))
    keep.close()

    frames = [entry for entry in events(tmp_path / "run") if entry["kind"] == "frame"]
    again = Pictures(tmp_path / "run")
    assert [again.next(frame, "").tolist() for frame in frames] == [pixels.tolist(), later.tolist()]  # type: ignore[union-attr]
    assert frames[1]["at_px"] == [50, 20]
    assert (tmp_path / "run" / frames[1]["file"]).stat().st_size < 1000


@pytest.mark.parametrize("seed", range(20))
def test_the_changed_part_holds_every_difference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = rng.integers(0, 256, (40, 50, 3), np.uint8)
    after = before.copy()
    for _ in range(int(rng.integers(1, 4))):
        after[rng.integers(40), rng.integers(50), rng.integers(3)] ^= 1

    box = changed(before, after)

    rows, cols = np.nonzero((before != after).any(axis=2))
    assert box == Box(cols.min(), rows.min(), np.ptp(cols) + 1, np.ptp(rows) + 1)
    assert changed(before, before.copy()) is None


def test_a_full_run_says_so_and_is_still_replayed(tmp_path: Path) -> None:
    record(tmp_path / "run", "nonogram", 1, most_bytes=20_000)

    size = sum(path.stat().st_size for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert size < 30_000
    assert events(tmp_path / "run")[-1]["kind"] == "full"
    assert replay(tmp_path / "run").difference is None


def test_only_so_many_runs_are_kept(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    for nth in range(KEPT_RUNS + 3):
        (tmp_path / f"20260101-0000{nth:02}-1").mkdir()
        (tmp_path / f"20260101-0000{nth:02}-1" / "run.jsonl").write_text("")

    new_run(tmp_path).close()

    assert len(kept_runs(tmp_path)) == KEPT_RUNS
    assert (tmp_path / "mine").is_dir()
    assert not (tmp_path / "20260101-000000-1").exists()


def test_a_run_that_was_killed_can_be_read(tmp_path: Path) -> None:
    script = (
        "import random, time, pathlib\n"
        "from tests.test_replay import *\n"
        "game = GAMES['nonogram']\n"
        "board = game.practice(random.Random(1))\n"
        f"keep = Recording(pathlib.Path({str(tmp_path / 'run')!r}))\n"
        "keep.board(game, board.profile)\n"
        "device = RecordingDevice(PracticeDevice(board, SimulatedClock()), keep)\n"
        "recorded(game, keep).read(device.capture(), board.profile)\n"
        "print('ready', flush=True)\n"
        "time.sleep(600)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"ready\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    with (tmp_path / "run/run.jsonl").open("a") as log:
        log.write('{"kind": "read", "fra')

    done = replay(tmp_path / "run")

    assert (done.decisions, done.difference, done.ended) == (1, None, "")


def test_a_folder_that_holds_something_is_never_mixed_into(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")

    with pytest.raises(WrongUsage, match="already holds"):
        Recording(tmp_path)


BAD_LINES = {
    "no JSON": "{",
    "no object": "[1]",
    "deep": "[" * 100_000,
    "unknown format": '{"kind": "run", "format": 99}',
    "unknown game": '{"kind": "run", "format": 1}\n{"kind": "board", "game": "chess"}',
    "no such profile": (
        '{"kind": "run", "format": 1}\n{"kind": "board", "game": "rings"}\n{"kind": "profile", "kept": "../x"}'
    ),
    "read first": '{"kind": "run", "format": 1}\n{"kind": "read"}',
    "leaves the folder": '{"kind": "frame", "file": "../../etc/passwd", "size": [1, 1], "at_px": [0, 0]}',
    "differs from nothing": (
        '{"kind": "frame", "file": "frames/00001.png", "size": [4, 4], "at_px": [0, 0], "differs": true}'
    ),
    "patch of nothing": '{"kind": "frame", "file": "frames/00001.png", "size": [9, 9], "at_px": [1, 1]}',
    "huge": '{"kind": "frame", "file": "frames/00001.png", "size": [99999999, 99999999], "at_px": [0, 0]}',
    "negative": '{"kind": "frame", "file": "frames/00001.png", "size": [9, 9], "at_px": [-1, 0]}',
}


@pytest.mark.parametrize("text", BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_hostile_run_is_refused_in_words(text: str, tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames/00001.png").write_bytes(encode_png(np.zeros((4, 4, 3), np.uint8)))
    (tmp_path / "run.jsonl").write_text(text + "\n")

    with pytest.raises(RunInvalid):
        replay(tmp_path)


@pytest.mark.parametrize(
    "name", ["../evil.txt", "/etc/x", "frames/../../x.png", "frames/1.png", "x" * 200, "run.sh"]
)
def test_a_bundle_with_a_strange_file_is_refused(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr(name, b"x")

    with pytest.raises(RunInvalid, match="does not belong"):
        replay(tmp_path / "b.zip")


def test_a_bundle_that_swells_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.jsonl", bytes(210_000_000))

    with pytest.raises(RunInvalid, match="too large"):
        replay(tmp_path / "b.zip")


def test_the_command_keeps_runs_by_itself_and_replays_the_last(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    environment["BOARDSIGHT_RUNS"] = str(tmp_path / "runs")

    def boardsight(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bot", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)

    played = boardsight("play", "practice:rings:1", "--yes", "--json")
    same = boardsight("replay", "--json")
    run = Path(json.loads(played.stdout)["recording"])
    rewrite(run, lambda entry: entry | {"cost": 77} if entry["kind"] == "solve" else entry)
    different = boardsight("replay", str(run), "--bundle", "out.zip")
    boardsight("play", "practice:rings:1", "--yes", "--no-record")

    assert run.parent == tmp_path / "runs"
    assert (same.returncode, json.loads(same.stdout)["status"]) == (0, "same")
    assert different.returncode == 7
    assert "first difference" in different.stdout and "solve: cost" in different.stdout
    assert "run.jsonl" in different.stderr and (tmp_path / "out.zip").is_file()
    assert kept_runs(tmp_path / "runs") == [run]
