"""Many inputs at once: what goes wrong with one, also a defect of ours, is that input's error and stops no other."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bot import batch
from bot.batch import Batch, Finished, contents, ordered, with_files
from bot.cluster import Cluster
from bot.commands import look, score, solve
from bot.commands.groups import spread
from bot.errors import Lost, WrongUsage
from bot.games import GAMES
from bot.processes import Processes, later_ctrl_c
from bot.scorecard.truth import files_of
from solver.errors import InvalidPuzzle
from tests.seldom import ASKED_FIRST
from vision.image import encode_png

# With their options side by side, as the command line has them.
read, solve_all, score_all = spread(look.read), spread(solve.solve), spread(score.score)
ROOT = Path(__file__).resolve().parents[1]
# Where rings are found differs in the sixth digit from one reading to the next, and their text says all digits.
BOARDS = [f"practice:{name}:{seed}" for seed in range(4) for name in ("bridges", "nonogram")]
SLIM = [(1, 1), (1, 300), (300, 1), (2, 300), (300, 2), (5, 5), (300, 7)]
GAMES_ASKED = [None, *ASKED_FIRST]


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("game", GAMES_ASKED)
def test_a_picture_as_slim_as_a_line_holds_no_board(
    game: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = []
    for width, height in SLIM:
        names.append(str(tmp_path / f"{width}x{height}.png"))
        pixels = np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)
        Path(names[-1]).write_bytes(encode_png(pixels))

    status = read([*names, "practice:rings:1"], game=game, as_json=True)

    told = lines(capsys)
    assert [one["status"] for one in told[:-1]] == ["no-board"] * len(SLIM)
    assert status == 3 if game in (None, "rings") else 2


@pytest.mark.parametrize("command", [read, solve_all])
def test_a_defect_that_one_input_brings_to_light_is_its_error(
    command: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(name: str, *rest: object) -> look.Seen:
        if "2" in name:
            raise IndexError("list index out of range")
        return seen(name, *rest)

    seen = look.see
    for module in (look, solve):
        monkeypatch.setattr(module, "see", broken)
    names: Sequence[str] = ["practice:rings:1", "practice:rings:2", "practice:rings:3"]

    status = command(names, as_json=True)  # type: ignore[operator]

    told = capsys.readouterr()
    said = [json.loads(line) for line in told.out.splitlines()]
    good = "read" if command is read else "solved"
    assert [one["status"] for one in said] == [good, "error", good]
    assert "IndexError: list index out of range" in said[1]["reason"]
    assert status == 1
    assert "practice:rings:2: an internal error" in told.err and "Traceback" not in told.err


def deadly(name: str, nth: int) -> int:
    """Takes its process with it."""
    if name == "deadly":
        os.kill(os.getpid(), signal.SIGKILL)
    return nth


def without_seconds(told: str) -> list[dict[str, object]]:
    return [
        {key: value for key, value in json.loads(line).items() if key != "seconds"}
        for line in told.splitlines()
    ]


@pytest.mark.parametrize("command", [read, solve_all])
def test_side_by_side_says_the_same_in_the_same_order(
    command: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.txt").write_text("not a puzzle")
    names = [*BOARDS[:3], str(tmp_path / "text.txt"), "no such.png", *BOARDS[3:5]]

    one = command(names, as_json=True, jobs=1)  # type: ignore[operator]
    alone = capsys.readouterr()
    other = command(names, as_json=True, jobs=2)  # type: ignore[operator]
    beside = capsys.readouterr()

    # Two cannot be read at all; a skin may have left a cell in doubt.
    assert one == other >= 2
    assert without_seconds(alone.out) == without_seconds(beside.out) and len(alone.out.splitlines()) == 7
    assert alone.err == beside.err


def test_scores_add_up_to_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for jobs in (1, 2):
        assert score_all(["practice:nonogram", "practice:bridges"], boards=2, as_json=True, jobs=jobs) == 0
        told.append(capsys.readouterr().out)

    assert told[0] == told[1] and len(told[0].splitlines()) == 2


class Counted:
    """An engine that does nothing before it is asked for a result."""

    slots = 2

    def __init__(self) -> None:
        self.waiting, self.most = 0, 0

    def submit(self, call: object, *arguments: object) -> object:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return arguments

    def result(self, place: object) -> object:
        self.waiting -= 1
        return place

    def stop(self) -> None:
        pass


def test_only_a_few_results_wait_for_their_turn() -> None:
    engine = Counted()

    made = list(ordered(((nth, (print, nth)) for nth in range(10_000)), engine))

    assert made == [(nth, (nth,)) for nth in range(10_000)]
    assert engine.most <= batch.AHEAD * engine.slots


def test_an_input_that_kills_its_process_is_the_only_one_lost() -> None:
    names = ["a", "b", "deadly", "c", "d", "e"]

    made = list(ordered(((name, (deadly, name, nth)) for nth, name in enumerate(names)), Processes(2)))

    assert [name for name, _ in made] == names
    assert isinstance(made[2][1], Lost)
    assert [result for name, result in made if name != "deadly"] == [0, 1, 3, 4, 5]


def test_a_process_that_dies_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    status = batch.run(["a", "deadly", "b"], deadly, True, Batch(jobs=2))

    told = capsys.readouterr()
    assert status == 3
    assert json.loads(told.out) == {
        "source": "deadly",
        "status": "error",
        "reason": "deadly: its process died",
    }


def rest_of(child: subprocess.Popen[str]) -> tuple[str, str]:
    """What a process says after a first line was read of it; `communicate` would lose what came with that line."""
    assert child.stdout is not None and child.stderr is not None
    with child:
        return child.stdout.read(), child.stderr.read()


@pytest.mark.parametrize("alone", [True, False], ids=["the program", "its group, as a terminal does"])
def test_ctrl_c_ends_a_batch_at_once_and_leaves_no_process(alone: bool, tmp_path: Path) -> None:
    names = [f"practice:rings:{seed}" for seed in range(1, 1000)]
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "bot",
            "read",
            *names,
            "--game",
            "rings",
            "--json",
            "--jobs",
            "2",
            "--done",
            "done.txt",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None
    # Sign by sign: what a buffer reads ahead of the first line would be missing from the rest.
    while os.read(child.stdout.fileno(), 1) not in (b"\n", b""):
        pass

    (os.kill if alone else os.killpg)(child.pid, signal.SIGINT)
    out, err = rest_of(child)

    assert (child.returncode, err) == (130, "boardsight: stopped by the user\n")
    told = 1 + len(out.splitlines())
    assert told < 900
    assert len((tmp_path / "done.txt").read_text().splitlines()) in (told - 1, told)
    for _ in range(3000):
        try:
            os.killpg(child.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    else:
        raise AssertionError("a process is left")


def test_the_first_process_hears_nothing_of_ctrl_c_while_it_starts(tmp_path: Path) -> None:
    """The first one starts a helper of Python's own, which lets it in again."""
    (tmp_path / "starts.py").write_text(
        """
import multiprocessing, signal
from bot.processes import later_ctrl_c

def tell(line):
    line.send(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))

if __name__ == "__main__":
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=tell, args=(theirs,))
    with later_ctrl_c():
        process.start()
    print(ours.recv())
    process.join()
"""
    )

    done = subprocess.run(
        [sys.executable, "starts.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )

    assert (done.stdout.strip(), done.returncode) == ("True", 0), done.stderr


def test_ctrl_c_that_another_thread_is_told_of_comes_later_as_well() -> None:
    """A pool has threads of its own, whose signals are not masked; a process half started said so on the terminal."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    told = threading.Event()
    other = threading.Thread(target=lambda: (told.wait(), os.kill(os.getpid(), signal.SIGINT)))
    other.start()
    steps = []
    try:
        with pytest.raises(KeyboardInterrupt), later_ctrl_c():
            steps.append("begun")
            told.set()
            other.join()
            time.sleep(0.05)
            steps.append("ended")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, handler)

    assert steps == ["begun", "ended"]


def test_what_is_done_is_left_out_and_what_failed_is_tried_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = tmp_path / "done.txt"
    done.write_text(f"{BOARDS[0]}\n")
    names = [*BOARDS[:3], str(tmp_path / "not yet.png")]

    first = read(names, as_json=True, done=done)
    told = [line["source"] for line in lines(capsys)]
    second = read(names, as_json=True, done=done)
    again = [line["source"] for line in lines(capsys)]

    assert (first, told) == (2, names[1:])
    assert (second, again) == (2, names[3:])
    assert done.read_text().splitlines() == BOARDS[:3]


def test_a_last_line_without_an_end_is_an_entry_of_its_own(tmp_path: Path) -> None:
    """As an editor leaves it, or a run that was killed while it wrote."""
    (tmp_path / "done").write_text("0.png")

    Finished(tmp_path / "done").add("1.png", 0)

    assert (tmp_path / "done").read_text() == "0.png\n1.png\n"


def test_a_name_with_a_line_in_it_is_one_entry(tmp_path: Path) -> None:
    Finished(tmp_path / "done").add("two\nlines.png", 0)

    assert "two\nlines.png" in Finished(tmp_path / "done")
    assert "two" not in Finished(tmp_path / "done")


@pytest.mark.parametrize("kind", ["folder", "pipe", "picture"])
def test_a_file_of_finished_inputs_that_cannot_be_one_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "done"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(b"\x89PNG\xff\xfe")

    with pytest.raises(WrongUsage, match="--done"):
        read(BOARDS[:1], done=path)


def test_a_folder_is_the_pictures_in_it_and_below(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/2.png", "1.PNG", "a.jpg", "notes.txt"):
        (tmp_path / name).write_bytes(encode_png(np.zeros((40, 40, 3), np.uint8)))
    (tmp_path / "empty").mkdir()

    assert read([str(tmp_path)], as_json=True) == 3
    assert [Path(str(line["source"])).name for line in lines(capsys)] == ["1.PNG", "a.jpg", "2.png"]
    assert read([str(tmp_path / "empty")]) == 2
    assert "no picture in this folder" in capsys.readouterr().err


def test_hidden_files_of_a_folder_are_no_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As for a pattern: a Mac writes ._1.png beside 1.png, and desktops keep their thumbnails in hidden folders."""
    (tmp_path / ".thumbnails").mkdir()
    (tmp_path / "._1.png").write_bytes(b"\x00\x05\x16\x07")
    for name in ("1.png", ".thumbnails/1.png"):
        (tmp_path / name).write_bytes(encode_png(np.zeros((40, 40, 3), np.uint8)))

    assert read([str(tmp_path)], as_json=True) == 3
    assert [line["source"] for line in lines(capsys)] == [str(tmp_path / "1.png")]


@pytest.mark.long
def test_workers_that_are_killed_in_the_middle_lose_nothing(tmp_path: Path) -> None:
    """The command line with a Dask cluster of its own; the files are sent along."""
    import psutil

    names = []
    for seed in range(12):
        names.append(f"{seed}.png")
        subprocess.run(
            [sys.executable, "-m", "bot", "practice", "rings", "--seed", str(seed), "--out", names[-1]],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True,
        )  # fmt: skip
    child = subprocess.Popen(
        [sys.executable, "-m", "bot", "read", *names, "missing.png", "--json", "--cluster", "local", "--jobs", "2"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    first = child.stdout.readline()
    workers = [one for one in psutil.Process(child.pid).children() if "spawn_main" in " ".join(one.cmdline())]
    workers[0].kill()
    rest, err = rest_of(child)

    told = [json.loads(line) for line in (first + rest).splitlines()]
    assert len(workers) >= 2
    assert [one["source"] for one in told] == [*names, "missing.png"]
    assert {one["status"] for one in told[:-1]} == {"read"} and told[-1]["status"] == "error"
    assert child.returncode == 2 and "missing.png: No such file" in err and "Traceback" not in err


def labelled_pictures(folder: Path) -> list[str]:
    """Two practice boards as pictures with labels; the names of the labels."""
    for seed in (1, 2):
        board = GAMES["bridges"].practice(random.Random(seed))
        (folder / f"{seed}.png").write_bytes(encode_png(board.render(0.0)))
        told = {"game": "bridges", "puzzle": GAMES["bridges"].unparse(board.puzzle)}
        (folder / f"{seed}.json").write_text(json.dumps(told))
    return [str(folder / f"{seed}.json") for seed in (1, 2)]


def test_a_machine_that_has_none_of_the_files_scores_what_was_sent_along(tmp_path: Path) -> None:
    (label, _) = labelled_pictures(tmp_path)
    one = score.ScoreOne(None, ())
    here = one(label, 1)
    files = contents(files_of(label))
    for path in tmp_path.iterdir():
        path.unlink()

    there = with_files(one, label, 1, files)

    assert [row.as_json() for row in there] == [row.as_json() for row in here]
    assert there[0].right > 0
    with pytest.raises(InvalidPuzzle, match="no picture beside it"):
        one(label, 1)


def test_scores_on_a_cluster_add_up_to_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labelled_pictures(tmp_path)
    told = []
    for cluster in (None, "local"):
        sources = [str(tmp_path), "practice:flip"]
        assert score_all(sources, boards=1, as_json=True, jobs=1, cluster=cluster) == 0
        told.append(capsys.readouterr().out)

    assert told[0] == told[1] and len(told[0].splitlines()) == 2


def test_two_clusters_of_their_own_stand_side_by_side() -> None:
    """The second one took the port of the first one's page, with a warning in the middle of what it printed."""
    for one in [Cluster("local", 1), Cluster("local", 1)]:
        one.stop()


def test_a_cluster_that_is_not_there_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cluster.CONNECT_S", 0.2)

    with pytest.raises(WrongUsage, match=r"--cluster tcp://127\.0\.0\.1:1"):
        Cluster("tcp://127.0.0.1:1", 1)


@pytest.mark.parametrize("address", ["", "host", "host:port", "http://127.0.0.1:8786", "foo://host:1"])
def test_what_is_no_address_of_a_cluster_is_refused_at_once(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Dask's client of such an address waits for long and prints a traceback.
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(WrongUsage, match="no address"):
        Cluster(address, 1)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(WrongUsage) as refused:
        read(BOARDS[:1], cluster="local")

    assert "boardsight[cluster]" in refused.value.hint
