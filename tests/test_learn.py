"""`learn`: a new skin of a game from one picture, without code; and what is shown of a picture that is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.commands.learn import by_board
from bot.devices.image import load_frame
from bot.games import GAMES
from tests.seldom import few
from tests.test_cli import ROOT, two_lines

SCREENS = Path(__file__).parent / "screens"


def boardsight(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command line, with profiles of its own."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(cwd)}
    environment["BOARDSIGHT_PROFILES"] = str(cwd / "profiles")
    return subprocess.run(
        [sys.executable, "-m", "bot", *words], cwd=cwd, env=environment, capture_output=True, text=True
    )


def in_other_colours(path: Path, target: Path) -> str:
    """A window of a real program in colours that nobody declared. Returns its board."""
    pixels = np.asarray(cv2.imread(str(path)), np.uint8)
    turned = np.ascontiguousarray(255 - pixels[:, :, [1, 2, 0]])
    cv2.imwrite(str(target), turned)
    return path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")[0]


@pytest.mark.parametrize("game", ["lightup", "solo", "range", "unruly"])
def test_a_skin_in_other_colours_is_learned_from_one_picture(game: str, tmp_path: Path) -> None:
    picture = next(iter(sorted((SCREENS / game).glob("*new.png"))))
    board = in_other_colours(picture, tmp_path / "shot.png")
    words = ("read", "shot.png", "--game", game, "--json")

    refused = boardsight(*words, cwd=tmp_path)
    learned = boardsight(
        "learn",
        "shot.png",
        "--game",
        game,
        "--truth",
        f"{game}:{board}",
        "--sheet",
        "sheet.png",
        cwd=tmp_path,
    )
    read = boardsight(*words, "--profile", "mine", cwd=tmp_path)

    assert refused.returncode in (3, 4)
    assert learned.returncode == 0, learned.stderr
    assert (tmp_path / "sheet.png").is_file()
    assert read.returncode == 0, read.stderr
    assert GAMES[game].parse(board) == GAMES[game].parse(json.loads(read.stdout)["puzzle"])


TAUGHT = [name for name, game in GAMES.items() if game.teach is not None and game.eyes is not None]


@pytest.mark.parametrize("name", few(TAUGHT, ("singles", "mosaic", "flip", "unequal", "tents")))
def test_what_a_picture_teaches_is_enough_to_read_it(name: str, tmp_path: Path) -> None:
    """Numbers beside the board, as in Tents and Magnets, are no looks of cells."""
    game = GAMES[name]
    board = in_other_colours(next(iter(sorted((SCREENS / name).glob("*new.png")))), tmp_path / "shot.png")
    frame = load_frame(tmp_path / "shot.png")
    assert game.teach is not None
    lesson = game.teach(frame)

    read = game.read(frame, lesson.profile("mine", by_board(lesson, game.parse(board))))

    assert game.unparse(read.puzzle) == game.unparse(game.parse(board))


def test_a_lesson_that_its_picture_is_not_read_with_is_not_kept(tmp_path: Path) -> None:
    in_other_colours(SCREENS / "lightup" / "sgt-7x7-new.png", tmp_path / "shot.png")
    looks = boardsight("learn", "shot.png", "--game", "lightup", "--names", "B", cwd=tmp_path).stderr
    count = int(looks.split(" looks")[0].split()[-1])

    done = boardsight(
        "learn", "shot.png", "--game", "lightup", "--names", "," * (count - 1) + "3", cwd=tmp_path
    )

    assert done.returncode == 2
    assert "with what was learned" in done.stderr and "nothing was saved" in done.stderr


def test_a_truth_of_another_board_is_refused(tmp_path: Path) -> None:
    in_other_colours(SCREENS / "lightup" / "sgt-7x7-new.png", tmp_path / "shot.png")

    smaller = boardsight("learn", "shot.png", "--game", "lightup", "--truth", "lightup:5x5:y", cwd=tmp_path)
    other = boardsight("learn", "shot.png", "--game", "lightup", "--truth", "lightup:7x7:v2z", cwd=tmp_path)

    assert (smaller.returncode, other.returncode) == (2, 2)
    assert "7 x 7 cells" in two_lines("\n".join(smaller.stderr.splitlines()[-2:]))[0]
    assert "look alike" in two_lines("\n".join(other.stderr.splitlines()[-2:]))[0]


def test_no_lesson_takes_the_place_of_what_is_known_without_one(tmp_path: Path) -> None:
    in_other_colours(SCREENS / "lightup" / "sgt-7x7-new.png", tmp_path / "shot.png")

    done = boardsight("learn", "shot.png", "--game", "lightup", "--name", "default", cwd=tmp_path)

    assert done.returncode == 2
    assert "--name" in two_lines(done.stderr)[1]


def test_the_lattice_of_a_refused_picture_is_shown(tmp_path: Path) -> None:
    in_other_colours(SCREENS / "lightup" / "sgt-7x7-new.png", tmp_path / "shot.png")

    done = boardsight("read", "shot.png", "--lattice", "seen.png", cwd=tmp_path)

    assert done.returncode == 3
    assert "7 x 7 cells" in done.stderr
    assert (tmp_path / "seen.png").is_file()


@pytest.mark.parametrize("game", ["bridges", "net", "keen", "slant"])
def test_a_game_whose_looks_are_not_taught_says_so(game: str, tmp_path: Path) -> None:
    in_other_colours(SCREENS / "lightup" / "sgt-7x7-new.png", tmp_path / "shot.png")

    done = boardsight("learn", "shot.png", "--game", game, cwd=tmp_path)

    assert done.returncode == 2
    first, hint = two_lines(done.stderr)
    assert game in first
    assert "lightup" in hint and "net" not in hint.replace(",", " ").split()


@pytest.mark.parametrize(("game", "leads_to"), [("lightup", "learn SHOT.png"), ("bridges", "--lattice")])
def test_calibrate_of_a_measured_game_leads_to_a_command_that_works(
    game: str, leads_to: str, tmp_path: Path
) -> None:
    done = boardsight("calibrate", game, cwd=tmp_path)

    assert done.returncode == 2
    assert leads_to in two_lines(done.stderr)[1]
