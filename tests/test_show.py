"""Watching a solver: on a terminal of every size and kind, under every key, and as a film."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.play import answer
from bot.show import gif
from bot.show.canvas import Canvas
from bot.show.film import film_of, pixels_of, require_film
from bot.show.rings import circle
from bot.show.scene import Drawing, Moment, Room
from bot.show.stage import FIRST_PACE_S, Pace, page, perform
from bot.show.terminal import changes, colour_depth, coloured, in_encoding
from bot.show.work import guide_of, moments_of
from solver.answer import Limits
from solver.steps import Thought
from tests.test_cli import ROOT, boardsight, two_lines

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
NONOGRAM = "5x5:1.1/1.1/5/1.1/1.1/3/1/5/1/3"


# Every game


@EVERY_GAME
@pytest.mark.parametrize("seed", (0, 1))
def test_a_practice_board_is_watched_to_its_end(game: Game[Any, Any], seed: int) -> None:
    puzzle = game.practice(random.Random(seed)).puzzle
    found = answer(game, puzzle, Limits())

    last = list(moments_of(game, puzzle, found))[-1]

    assert last.finished
    assert list(game.check(puzzle, last.board)) == []


@EVERY_GAME
@pytest.mark.parametrize("room", [Room(20, 8), Room(80, 20), Room(200, 60)])
def test_a_page_fills_its_window_and_no_more(game: Game[Any, Any], room: Room) -> None:
    puzzle = game.practice(random.Random(1)).puzzle
    watched = list(moments_of(game, puzzle, answer(game, puzzle, Limits())))

    for moment in (watched[0], watched[len(watched) // 2], watched[-1]):
        for marked in (True, False):
            canvas = page(moment, drawer(game, puzzle, marked), room, game.title, 1)

            assert [len(row) for row in canvas.rows] == [room.columns] * room.rows
            assert all(
                len(glyph.char) == 1 and glyph.char.isprintable() for row in canvas.rows for glyph in row
            )
            if marked:
                assert not any(glyph.ground for row in canvas.rows for glyph in row)


def drawer(game: Game[Any, Any], puzzle: Any, marked: bool) -> Callable[[Moment[Any], Room], Drawing]:
    return lambda moment, room: guide_of(game).scene(puzzle, moment, room, marked)


def test_a_circle_is_the_same_in_all_four_quarters() -> None:
    for radius in range(1, 40):
        points = set(circle(radius))

        assert (
            points
            == {(-x, y) for x, y in points}
            == {(x, -y) for x, y in points}
            == {(y, x) for x, y in points}
        )
        assert all(abs(x * x + y * y - radius * radius) <= radius + 1 for x, y in points)


# The terminal


class Window:
    """A terminal that understands what we send, and presses keys."""

    def __init__(self, columns: int = 60, rows: int = 20, keys: str = "") -> None:
        self.columns, self.rows = columns, rows
        self.pages: list[str] = []
        self.waited_s = 0.0
        self._keys = list(keys)

    def size(self) -> tuple[int, int]:
        return self.columns, self.rows

    def show(self, canvas: Canvas) -> None:
        if not self.pages or self.pages[-1] != canvas.text():
            self.pages.append(canvas.text())

    def key(self, wait_s: float) -> str:
        self.waited_s += wait_s
        return self._keys.pop(0).strip("_") if self._keys else ""


def counting(steps: int) -> list[Moment[str]]:
    """Moments of a made-up work."""
    made = [Thought("rule", f"rule {n}", "Because.", {}, "board") for n in range(1, steps + 1)]
    return [Moment("board"), *(Moment("board", step, step is made[-1]) for step in made)]


def nothing(moment: Moment[Any], room: Room) -> Drawing:
    return Drawing(Canvas(1, 1))


def screen_after(sent: str, before: list[list[str]]) -> list[list[str]]:
    """What a terminal shows after receiving text and cursor moves."""
    rows = [list(row) for row in before]
    row = col = 0
    rest = sent
    while rest:
        if rest.startswith("\x1b["):
            end = next(i for i, char in enumerate(rest[2:], 2) if char.isalpha())
            if rest[end] == "H":
                row, col = (int(part) - 1 for part in rest[2:end].split(";"))
            rest = rest[end + 1 :]
            continue
        rows[row][col] = rest[0]
        col += 1
        rest = rest[1:]
    return rows


@pytest.mark.parametrize("seed", range(10))
def test_only_changed_cells_are_sent_and_they_are_enough(seed: int) -> None:
    rng = random.Random(seed)
    before, after = Canvas(12, 4), Canvas(12, 4)
    for canvas in (before, after):
        for row in range(4):
            canvas.put(row, 0, "".join(rng.choice("ab ") for _ in range(12)), rng.choice((None, (255, 0, 0))))

    first = screen_after(changes(None, before, "full"), [[" "] * 12 for _ in range(4)])
    second = screen_after(changes(before, after, "full"), first)

    assert second == [[glyph.char for glyph in row] for row in after.rows]
    assert changes(after, after, "full") == ""


def test_one_changed_cell_is_one_character_in_one_colour() -> None:
    before, after = Canvas(9, 3), Canvas(9, 3)
    after.put(1, 4, "x", (1, 2, 3))

    assert changes(before, after, "full") == "\x1b[2;5H\x1b[0;38;2;1;2;3mx\x1b[0m"
    assert changes(before, after, "none") == "\x1b[2;5H\x1b[0mx"


def test_a_colour_is_the_nearest_of_256() -> None:
    assert [changes(None, dot(colour), "256")[6:] for colour in ((38, 41, 50), (250, 2, 3))] == [
        "\x1b[0;38;5;236mx\x1b[0m",
        "\x1b[0;38;5;196mx\x1b[0m",
    ]


def dot(colour: tuple[int, int, int]) -> Canvas:
    canvas = Canvas(1, 1)
    canvas.put(0, 0, "x", colour)
    return canvas


def test_the_environment_says_how_many_colours_there_are() -> None:
    assert colour_depth({"COLORTERM": "truecolor"}) == "full"
    assert colour_depth({"COLORTERM": "truecolor", "NO_COLOR": "1"}) == "none"
    assert colour_depth({"NO_COLOR": ""}) == "256"


def test_a_canvas_without_colours_is_its_text() -> None:
    canvas = Canvas(5, 1)
    canvas.put(0, 0, "ab", (9, 9, 9))

    assert coloured(canvas, "none").replace("\x1b[0m", "") == "ab"


# The keys


def test_a_show_without_keys_goes_on_to_the_end() -> None:
    window = Window()

    last, steps = perform(counting(3), nothing, window, "Toy")

    assert (steps, last is not None and last.finished) == (3, True)
    assert "solved after step 3" in window.pages[-1]
    assert window.waited_s == pytest.approx(4 * FIRST_PACE_S)


def test_a_pause_lasts_until_the_next_press() -> None:
    window = Window(keys=" " + "_" * 50 + " ")

    perform(counting(2), nothing, window, "Toy")

    assert window.waited_s > 50 * 0.1
    assert "paused" in window.pages[1]


def test_single_steps_are_taken_one_by_one() -> None:
    window = Window(keys="nn" + "_" * 30 + "q")

    last, steps = perform(counting(9), nothing, window, "Toy")

    assert (last, steps) == (None, 2)


def test_faster_and_slower_change_the_pace() -> None:
    pace = Pace()

    pace.press("+")
    quick = pace.step_s
    pace.press("-")
    pace.press("\x1b[B")

    assert quick < FIRST_PACE_S < pace.step_s


def test_a_long_work_becomes_faster_by_itself_unless_told_otherwise() -> None:
    alone, told = Pace(), Pace()
    told.press("-")
    slow = told.step_s

    for steps in range(200):
        alone.after(steps)
        told.after(steps)

    assert alone.step_s < FIRST_PACE_S / 5
    assert told.step_s == slow


def test_a_small_window_shows_where_something_happens() -> None:
    large = Canvas(300, 100)
    large.put(80, 250, "here")

    canvas = page(counting(1)[1], lambda moment, room: Drawing(large, (80, 250)), (40, 12), "Toy", 1)

    assert "here" in canvas.text()


# Films


def test_a_gif_shows_every_picture_exactly(tmp_path: Path) -> None:
    if not hasattr(cv2, "imreadanimation"):
        pytest.skip("this OpenCV reads no films")
    rng = np.random.default_rng(5)
    colours = rng.integers(0, 256, (200, 3), dtype=np.uint8)
    pictures = [colours[rng.integers(0, 200, (61, 83))] for _ in range(3)]
    pictures.append(pictures[-1])
    path = tmp_path / "film.gif"

    path.write_bytes(gif.encode(pictures, [0.5, 0.1, 0.1, 2.0]))
    read, film = cv2.imreadanimation(str(path))

    assert read
    assert list(film.durations) == [500, 100, 100, 2000]
    for was, now in zip(pictures, film.frames, strict=True):
        assert np.array_equal(was, now[..., :3])


def test_more_colours_than_a_gif_has_are_replaced_by_near_ones(tmp_path: Path) -> None:
    if not hasattr(cv2, "imreadanimation"):
        pytest.skip("this OpenCV reads no films")
    steep = np.zeros((40, 40, 3), np.uint8)
    steep[..., 0], steep[..., 1] = np.mgrid[0:40, 0:40] * 6

    (tmp_path / "many.gif").write_bytes(gif.encode([steep, steep], [0.1, 0.1]))
    _, film = cv2.imreadanimation(str(tmp_path / "many.gif"))

    assert np.abs(film.frames[0][..., :3].astype(int) - steep).mean() < 30


def test_a_film_of_every_kind_is_small(tmp_path: Path) -> None:
    game = GAMES["nonogram"]
    puzzle = game.parse(NONOGRAM)

    data = film_of(game, puzzle, answer(game, puzzle, Limits()), tmp_path / "film.gif")

    assert data.startswith(b"GIF89a") and len(data) < 60_000


def test_a_page_is_drawn_in_its_colours() -> None:
    canvas = Canvas(3, 1)
    canvas.put(0, 1, "█", (10, 20, 30))

    pixels = pixels_of(canvas)

    middle = pixels[pixels.shape[0] // 2, pixels.shape[1] // 2]
    assert middle.tolist() == [30, 20, 10]


def test_webp_without_an_encoder_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(cv2, "imwriteanimation", raising=False)

    with pytest.raises(WrongUsage, match="no animated WebP") as refused:
        require_film(Path("film.webp"))

    assert "gif" in refused.value.hint


def test_a_webp_film_has_the_same_pictures(tmp_path: Path) -> None:
    if not hasattr(cv2, "imwriteanimation"):
        pytest.skip("this OpenCV writes no films")
    game = GAMES["nonogram"]
    puzzle = game.parse(NONOGRAM)
    path = tmp_path / "film.webp"

    path.write_bytes(film_of(game, puzzle, answer(game, puzzle, Limits()), path))

    read, film = cv2.imreadanimation(str(path))
    assert read and len(film.frames) > 3


def test_a_film_has_one_of_two_endings() -> None:
    with pytest.raises(WrongUsage, match="GIF or WebP"):
        require_film(Path("film.mp4"))


# The command line


def test_without_a_terminal_the_last_picture_is_printed() -> None:
    done = boardsight("solve", NONOGRAM, "--animate")

    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "solved after step" in done.stdout


def test_a_stream_without_unicode_gets_plainer_signs() -> None:
    old = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    new = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")

    assert in_encoding("█· ═║ ✓ … é", old) == "#. =H + . ?"
    assert in_encoding("█· ═║ ✓ … é", new) == "█· ═║ ✓ … é"


def test_a_show_and_json_exclude_each_other() -> None:
    done = boardsight("solve", NONOGRAM, "--animate", "--json")

    assert (done.returncode, done.stdout) == (2, "")
    two_lines(done.stderr)


def test_a_film_is_written_beside_json(tmp_path: Path) -> None:
    done = boardsight("solve", NONOGRAM, "--json", "--gif", "film.gif", cwd=tmp_path)

    assert json.loads(done.stdout)["status"] == "solved"
    assert (tmp_path / "film.gif").read_bytes().startswith(b"GIF89a")
    assert boardsight("solve", NONOGRAM, "--gif", "film.mp4", cwd=tmp_path).returncode == 2


def on_a_terminal(press: bytes, *, environment: dict[str, str] | None = None) -> tuple[str, int, bool]:
    """Run the show on a pseudo-terminal of 60 by 20; what it sent, its status, whether the terminal is as before."""
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    import fcntl
    import struct

    main, ours = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 60, 0, 0))
    before = termios.tcgetattr(ours)
    command = [sys.executable, "-m", "bot", "solve", NONOGRAM, "--animate"]
    wanted = {
        "PATH": "/usr/bin:/bin",
        "TERM": "xterm-256color",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
    }
    child = subprocess.Popen(
        command,
        cwd=ROOT,
        env=wanted | (environment or {}),
        stdin=ours,
        stdout=ours,
        stderr=ours,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(ours, termios.TIOCSCTTY, 0),
    )
    os.set_blocking(main, False)
    sent, pressed = b"", False
    for _ in range(1200):
        ended = child.poll() is not None
        with suppress(BlockingIOError):
            sent += os.read(main, 65536)
        if b"\x1b[?1049h" in sent and b"step 1" in sent and not pressed:
            os.write(main, press)
            pressed = True
        if ended:
            break
        time.sleep(0.05)
    else:
        child.kill()
        child.wait()
        raise AssertionError(f"the show never ended: {sent[-300:]!r}")
    with suppress(BlockingIOError):
        sent += os.read(main, 65536)
    after = termios.tcgetattr(ours)
    os.close(main)
    os.close(ours)
    return sent.decode(), child.returncode, after == before


def test_a_show_on_a_terminal_ends_on_a_still_picture() -> None:
    sent, status, as_before = on_a_terminal(b"++++++++")

    shown, after = sent.split("\x1b[?1049l")
    assert (status, as_before) == (0, True)
    assert shown.endswith("\x1b[?25h")
    assert "solved after step" in after
    assert "\x1b[0;" in shown


def test_q_goes_to_the_end_at_once_and_no_color_sends_none() -> None:
    sent, status, as_before = on_a_terminal(b"q", environment={"NO_COLOR": "1"})

    assert (status, as_before) == (0, True)
    assert "38;" not in sent and "48;" not in sent


def test_ctrl_c_leaves_the_terminal_as_it_was() -> None:
    sent, status, as_before = on_a_terminal(b"\x03")

    assert (status, as_before) == (130, True)
    assert "\x1b[?1049l" in sent
