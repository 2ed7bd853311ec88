"""A program whose cells the reader refuses: their looks are named by a person, from one picture."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bot.games import GAMES
from solver import nonogram
from solver.lattice import Square
from solver.nonogram import Nonogram
from tests.test_learn import boardsight
from tests.test_nonogram_looks import drawn
from vision.errors import UncertainReading
from vision.frame import Frame, Pixels
from vision.image import encode_png
from vision.profile import Profile
from vision.readers.lessons import Lesson, Named

GAME = GAMES["nonogram"]
# Three colours that are equally bright: nothing but a person tells which is which.
COLOURS = {"filled": (200, 150, 90), "blank": (120, 150, 210), "": (170, 165, 120)}


# A picture of which the clues leave eight cells open.
OPEN = (
    "##.#....##",
    ".#..#..##.",
    "####.#.##.",
    ".#.##..#.#",
    "#.#..#....",
    "#.#..#..#.",
    "##...#.#..",
    "######....",
    ".#.##.#..#",
    ".....#..##",
)


def puzzle_of(lines: Sequence[str]) -> Nonogram:
    columns = ["".join(line[col] for line in lines) for col in range(len(lines[0]))]
    runs = [".".join(str(len(run)) for run in line.replace(".", " ").split()) for line in (*columns, *lines)]
    return nonogram.parse(f"{len(columns)}x{len(lines)}:" + "/".join(runs))


PUZZLE = puzzle_of(OPEN)
EMPTY = {Square(row, col): "" for row in range(10) for col in range(10)}


def entered(rows: int) -> dict[Square, str]:
    """What a person has entered: the cells that no clue settles, and as many rows."""
    seen = GAME.read(Frame(pictured(EMPTY)), Profile("nonogram", "default")).seen
    settled = seen.witness.filled | seen.witness.blank
    return {
        cell: ""
        if cell in settled and cell.row >= rows
        else "filled"
        if OPEN[cell.row][cell.col] == "#"
        else "blank"
        for cell in EMPTY
    }


def pictured(meant: Mapping[Square, str]) -> Pixels:
    return drawn(PUZZLE, {}, highlit={cell: COLOURS[word] for cell, word in meant.items()})


def names(lesson: Lesson, meant: Mapping[Square, str]) -> list[str]:
    return [meant[group.cells[0]] for group in lesson.groups]


def test_cells_that_nobody_can_tell_are_told_after_one_picture() -> None:
    first, later = entered(0), entered(4)
    frame = Frame(pictured(first))
    assert GAME.read(frame, Profile("nonogram", "default")).doubtful

    lesson = GAME.teach(frame)
    named = {number: Named(word, "free") for number, word in enumerate(names(lesson, first))}
    profile = lesson.profile("mine", named)

    for meant in (first, later):
        reading = GAME.read(Frame(pictured(meant)), profile)
        assert not reading.doubtful
        assert reading.puzzle == PUZZLE
        assert reading.placed.filled == {cell for cell, word in meant.items() if word == "filled"}
        assert reading.placed.blank == {cell for cell, word in meant.items() if word == "blank"}


def test_the_command_teaches_them(tmp_path: Path) -> None:
    meant = entered(0)
    (tmp_path / "shot.png").write_bytes(encode_png(pictured(meant)))
    words = ",".join(names(GAME.teach(Frame(pictured(meant))), meant))
    read = ("read", "shot.png", "--game", "nonogram", "--json")

    refused = boardsight(*read, cwd=tmp_path)
    learned = boardsight("learn", "shot.png", "--game", "nonogram", "--names", words, cwd=tmp_path)
    told = boardsight(*read, "--profile", "mine", cwd=tmp_path)

    assert refused.returncode == 4
    assert learned.returncode == 0, learned.stderr
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["status"] == "read"


def test_names_that_the_clues_contradict_are_refused() -> None:
    meant = entered(0)
    frame = Frame(pictured(meant))
    lesson = GAME.teach(frame)

    swapped = {"filled": "blank", "blank": "filled", "": "filled"}
    wrong = {number: Named(swapped[word], "free") for number, word in enumerate(names(lesson, meant))}

    with pytest.raises(UncertainReading, match="clues"):
        lesson.profile("mine", wrong)
