"""What is kept on the disk: private, guarded, never in the way of a run, and nothing of others is replaced by it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot import recording
from bot.devices.alone import Alone, DeviceBusy
from bot.errors import WrongUsage
from bot.messages import write_file
from bot.recording import Recording, new_run
from bot.state import Hold, make_private, state_folder

ROOT = Path(__file__).resolve().parents[1]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def play(
    *words: str, cwd: Path, most_bytes: int | None = None, umask: int = 0o022
) -> subprocess.CompletedProcess[str]:
    """`boardsight play`. most_bytes: no file may grow larger, as on a disk that is full."""

    def limited() -> None:
        import resource

        os.umask(umask)
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    return subprocess.run(
        [sys.executable, "-m", "bot", "play", *words, "--yes", "--json"],
        cwd=cwd,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "HOME": str(cwd),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        preexec_fn=limited,
    )


@pytest.mark.parametrize("most_bytes", [100, 3000, 20_000])
def test_a_disk_that_fills_up_ends_the_recording_and_not_the_run(most_bytes: int, tmp_path: Path) -> None:
    done = play("practice:rings:1", cwd=tmp_path, most_bytes=most_bytes)

    assert json.loads(done.stdout)["status"] == "verified", done.stderr
    assert done.returncode == 0
    assert done.stderr.count("recording stopped, the run goes on") == 1
    assert "File too large" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without /dev/full")
@pytest.mark.parametrize("full", ["run.jsonl", ".png"])
def test_a_full_disk_is_told_once(full: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private = recording._private

    def on_a_full_disk(path: Path, mode: str = "w") -> Any:
        return open("/dev/full", mode) if path.name.endswith(full) else private(path, mode)

    monkeypatch.setattr(recording, "_private", on_a_full_disk)
    told: list[str] = []
    keep = Recording(tmp_path / "run", tell=told.append)

    for number in range(3):
        keep.picture(frame_of(number))
        keep.write("act", actions=[])
    keep.close()

    assert len(told) == 1 and "No space left on device" in told[0]
    assert list((tmp_path / "run" / "frames").iterdir()) == []


def frame_of(number: int) -> Any:
    import numpy as np

    from vision.frame import Frame

    return Frame(np.full((20, 20, 3), number, np.uint8))


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_what_is_kept_is_private_whatever_the_umask(umask: int, tmp_path: Path) -> None:
    done = play("practice:rings:1", cwd=tmp_path, umask=umask)

    assert done.returncode == 0, done.stderr
    kept = list((tmp_path / ".local").rglob("*"))
    assert any(path.name == "run.jsonl" for path in kept)
    assert {mode(path) for path in kept if path.is_dir()} == {0o700}
    assert {
        mode(path) & 0o077 for path in kept if path.name == "run.jsonl" or path.parent.name == "frames"
    } == {0}


def test_a_folder_of_somebody_else_keeps_its_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    make_private(tmp_path)
    new_run(tmp_path).close()

    assert mode(tmp_path) == 0o755


def test_a_file_is_held_by_one_process_and_free_when_that_is_killed(tmp_path: Path) -> None:
    script = (
        "import pathlib, sys, time\nfrom bot.state import Hold\n"
        "hold = Hold.take(pathlib.Path(sys.argv[1])); hold.write('me')\n"
        "print('held', flush=True); time.sleep(600)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "x")], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert child.stdout is not None and child.stdout.readline() == b"held\n"

    while_it_lives = Hold.take(tmp_path / "x")
    child.kill()
    child.wait()
    child.stdout.close()
    after = Hold.take(tmp_path / "x")

    assert while_it_lives is None
    assert after is not None and after.read() == "me"
    after.let_go()
    assert not (tmp_path / "x").exists()


def test_the_second_run_on_a_device_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDSIGHT_RUNS", str(tmp_path / "runs"))
    first = Alone("adb:emulator-5554")

    Alone("adb:emulator-5556").let_go()
    with pytest.raises(DeviceBusy, match=f"adb:emulator-5554 is already played on by process {os.getpid()}"):
        Alone("adb:emulator-5554")
    first.let_go()
    Alone("adb:emulator-5554").let_go()

    assert list(state_folder().iterdir()) == []


def test_output_goes_through_a_link_and_keeps_its_target_a_file(tmp_path: Path) -> None:
    (tmp_path / "real.png").write_bytes(b"old")
    (tmp_path / "real.png").chmod(0o640)
    (tmp_path / "link.png").symlink_to("real.png")

    write_file(tmp_path / "link.png", b"new")

    assert (tmp_path / "link.png").is_symlink()
    assert (tmp_path / "real.png").read_bytes() == b"new" and mode(tmp_path / "real.png") == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.png", "real.png"]


@pytest.mark.parametrize("kind", ["pipe", "null", "link to null", "folder", "x" * 300])
def test_output_never_replaces_what_is_no_file(kind: str, tmp_path: Path) -> None:
    path = tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "null":
        if os.geteuid():
            pytest.skip("only root can make a device")
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    elif kind == "link to null":
        path.symlink_to(os.devnull)
    elif kind == "folder":
        path.mkdir()
    before = None if len(kind) > 200 else path.lstat().st_mode

    with pytest.raises(WrongUsage):
        write_file(path, b"new")

    assert before is None or path.lstat().st_mode == before
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    assert len(list(tmp_path.iterdir())) == (0 if before is None else 1)


def test_ctrl_c_while_a_file_is_written_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.html").write_bytes(b"old")

    def ctrl_c(*paths: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped, pytest.raises(KeyboardInterrupt):
        stopped.setattr(os, "replace", ctrl_c)
        write_file(tmp_path / "report.html", b"new")

    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_bytes() == b"old"


def test_a_new_file_has_the_rights_of_any_other(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")

    write_file(tmp_path / "new", b"")

    assert mode(tmp_path / "new") == mode(tmp_path / "other")
