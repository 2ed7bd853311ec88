"""Nonograms: rules, texts, and the solver from single lines to search."""

from __future__ import annotations

import contextlib
import itertools
import pickle
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import nonogram
from solver.answer import Limits
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.lattice import Square
from solver.nonogram import Clue, Ink, Nonogram, Palette, Picture, together
from solver.nonogram.budget import Contradiction
from solver.nonogram.line import Line
from solver.nonogram.search import Solver
from tests.shared_data import SHARED, needs_shared

NONOGRAMS = SHARED / "nonograms"


def lengths(cells: str) -> Clue:
    return tuple(len(list(run)) for sign, run in itertools.groupby(cells) if sign == "#")


def puzzle_of(picture: str) -> Nonogram:
    rows = picture.split()
    return Nonogram(
        tuple(lengths(row) for row in rows),
        tuple(lengths("".join(col)) for col in zip(*rows, strict=True)),
    )


def every_line(clue: Clue, length: int) -> list[str]:
    lines = map("".join, itertools.product("#.", repeat=length))
    return [line for line in lines if lengths(line) == clue]


def every_picture(puzzle: Nonogram) -> list[str]:
    """All pictures, by trying every combination of rows."""
    rows = [every_line(clue, puzzle.width) for clue in puzzle.rows]
    return [
        "\n".join(picture)
        for picture in itertools.product(*rows)
        if all(
            lengths("".join(col)) == clue
            for col, clue in zip(zip(*picture, strict=True), puzzle.cols, strict=True)
        )
    ]


def random_picture(seed: int, width: int, height: int, share: float) -> str:
    rng = random.Random(seed)
    return "\n".join(
        "".join("#" if rng.random() < share else "." for _ in range(width)) for _ in range(height)
    )


def test_the_cross_is_drawn_from_its_clues() -> None:
    puzzle = nonogram.parse("5:1/1/5/1/1/1/1/5/1/1")

    answer = nonogram.solve(puzzle, Limits(unique=True))

    assert nonogram.draw(puzzle, answer.solution) == "..#..\n..#..\n#####\n..#..\n..#.."
    assert answer.unique is True


def test_two_pictures_are_both_shown_when_asked() -> None:
    puzzle = nonogram.parse("2:1/1/1/1")

    answer = nonogram.solve(puzzle, Limits(unique=True))

    assert answer.unique is False
    assert answer.second is not None
    pictures = {nonogram.draw(puzzle, picture) for picture in (answer.solution, answer.second)}
    assert pictures == {"#.\n.#", ".#\n#."}


def cells_of(drawing: str) -> Picture:
    cells = {
        Square(row, col): sign for row, line in enumerate(drawing.split()) for col, sign in enumerate(line)
    }
    filled = frozenset(at for at, sign in cells.items() if sign == "#")
    return Picture(filled, frozenset(cells) - filled)


@pytest.mark.parametrize("seed", range(4))
def test_a_picture_with_four_cells_switched_is_another_one(seed: int) -> None:
    drawing = random_picture(seed, 20, 20, 0.5)
    puzzle, picture = puzzle_of(drawing), cells_of(drawing)

    other = nonogram.picture_switched(puzzle, picture)

    assert other is not None and nonogram.check(puzzle, other) == ()
    assert len(other.filled ^ picture.filled) == 4
    held = replace(puzzle, given=Picture(frozenset({min(picture.filled - other.filled)})))
    assert nonogram.picture_switched(held, picture) != other


@pytest.mark.parametrize("seed", range(20))
def test_a_picture_that_is_the_only_one_has_no_cells_to_switch(seed: int) -> None:
    drawing = random_picture(seed, 6, 6, 0.6)

    other = nonogram.picture_switched(puzzle_of(drawing), cells_of(drawing))

    assert other is None or len(every_picture(puzzle_of(drawing))) > 1


def test_of_an_undecided_picture_another_one_is_told_where_it_is_seen_at_once() -> None:
    for seed in range(20):
        puzzle = puzzle_of(random_picture(seed, 8, 8, 0.5))
        for choices in range(1, 20):
            with contextlib.suppress(SearchLimit):
                answer = nonogram.solve(puzzle, Limits(choices=choices, unique=True))
                assert answer.unique is not None or nonogram.picture_switched(puzzle, answer.solution) is None


def test_a_given_cell_decides_between_two_pictures() -> None:
    puzzle = nonogram.parse("2:1/1/1/1,B")

    answer = nonogram.solve(puzzle, Limits(unique=True))

    assert nonogram.draw(puzzle, answer.solution) == ".#\n#."
    assert answer.unique is True


def test_an_empty_board_and_a_full_one_are_solved() -> None:
    for text, drawn in (("3x1:///", "..."), ("3x2:2/2/2/3/3", "###\n###")):
        puzzle = nonogram.parse(text)
        assert nonogram.draw(puzzle, nonogram.solve(puzzle).solution) == drawn


def test_clues_that_exclude_each_other_have_no_solution() -> None:
    puzzle = nonogram.parse("3:1.1//1.1/1.1//1.1")
    contradiction = Nonogram(rows=((3,), (), ()), cols=((), (2,), (1,)))

    assert nonogram.draw(puzzle, nonogram.solve(puzzle).solution) == "#.#\n...\n#.#"
    with pytest.raises(NoSolution):
        nonogram.solve(contradiction)


def test_sums_that_differ_are_no_solution_when_the_clues_were_read_from_a_screen() -> None:
    with pytest.raises(NoSolution, match="the rows have 2 filled cells, the columns 1"):
        nonogram.solve(Nonogram(rows=((1,), (1,)), cols=((1,), ())))


def test_a_limit_is_an_error_of_its_own() -> None:
    puzzle = puzzle_of(random_picture(3, 25, 25, 0.45))

    with pytest.raises(SearchLimit):
        nonogram.solve(puzzle, Limits(seconds=0.0))


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_line_tells_exactly_what_all_its_placements_have_in_common(data: st.DataObject) -> None:
    length = data.draw(st.integers(1, 11))
    clue = lengths(data.draw(st.text("#.", min_size=length, max_size=length)))
    state = data.draw(st.text("#.?", min_size=length, max_size=length))
    line = Line(clue, length)
    known = 0
    for cell, sign in enumerate(state):
        known |= {"#": line.set_filled[cell], ".": line.set_blank[cell], "?": 0}[sign]

    possible = line.deduce(known)

    fitting = [
        text
        for text in every_line(clue, length)
        if all(sign in ("?", cell) for sign, cell in zip(state, text, strict=True))
    ]
    expected = tuple(
        sum(1 << cell for cell in range(length) if any(text[cell] == sign for text in fitting))
        for sign in "#."
    )
    assert possible == (expected if fitting else None)


def lines_one_by_one(puzzle: Nonogram) -> Picture | None:
    """What single lines tell, each by itself until nothing changes; None for a contradiction."""
    filled, blank = set(puzzle.given.filled), set(puzzle.given.blank)
    lines = [
        ([Square(row, col) for col in range(puzzle.width)], clue) for row, clue in enumerate(puzzle.rows)
    ] + [([Square(row, col) for row in range(puzzle.height)], clue) for col, clue in enumerate(puzzle.cols)]
    before = -1
    while len(filled) + len(blank) != before:
        before = len(filled) + len(blank)
        for squares, clue in lines:
            told = Line(clue, len(squares)).deduce(known_of(squares, filled, blank))
            if told is None or filled & blank:
                return None
            can_fill, can_blank = told
            filled |= {at for cell, at in enumerate(squares) if not can_blank >> cell & 1}
            blank |= {at for cell, at in enumerate(squares) if not can_fill >> cell & 1}
    return Picture(frozenset(filled), frozenset(blank))


def known_of(squares: list[Square], filled: set[Square], blank: set[Square]) -> int:
    """What `Line.deduce` asks for: filled and blank cells as bits, and both mirrored."""
    slot, known = Line((), len(squares)).slot, 0
    for field, (cells, order) in enumerate(
        itertools.product((filled, blank), (squares, squares[::-1])),
    ):
        bits = sum(1 << number for number, at in enumerate(order) if at in cells)
        known |= bits << (0, 2, 1, 3)[field] * slot
    return known


@pytest.mark.parametrize("seed", range(60))
def test_all_lines_together_tell_what_they_tell_one_by_one(seed: int) -> None:
    rng = random.Random(f"together {seed}")
    picture = random_picture(seed, rng.randint(1, 25), rng.randint(1, 25), rng.choice((0.3, 0.5, 0.7)))
    squares = [
        (Square(row, col), sign == "#")
        for row, line in enumerate(picture.split())
        for col, sign in enumerate(line)
    ]
    given = rng.sample(squares, len(squares) // 10)
    # In every third board a cell is wrong.
    flip = rng.choice(squares) if seed % 3 == 0 else None
    given = [
        (at, not value) if (at, value) == flip else (at, value) for at, value in {*given, *({flip} - {None})}
    ]
    puzzle = replace(
        puzzle_of(picture),
        given=Picture(
            frozenset(at for at, value in given if value), frozenset(at for at, value in given if not value)
        ),
    )

    try:
        told: Picture | None = together.settle(puzzle)
    except Contradiction:
        told = None

    assert told == lines_one_by_one(puzzle)


def test_a_board_too_long_for_working_together_is_solved_line_by_line() -> None:
    picture = "\n".join(["#" * 3 + "." * together.MOST_LENGTH, "." * (together.MOST_LENGTH - 1) + "####"])
    puzzle = puzzle_of(picture)

    answer = nonogram.solve(puzzle, Limits(unique=True))

    assert not together.fits(puzzle)
    assert nonogram.draw(puzzle, answer.solution) == picture
    assert answer.unique


@pytest.mark.parametrize("seed", range(60))
def test_small_random_boards_agree_with_trying_everything(seed: int) -> None:
    rng = random.Random(seed)
    puzzle = puzzle_of(
        random_picture(seed, rng.randint(1, 5), rng.randint(1, 5), rng.choice([0.3, 0.5, 0.7]))
    )

    answer = nonogram.solve(puzzle, Limits(unique=True))

    pictures = every_picture(puzzle)
    assert nonogram.draw(puzzle, answer.solution) in pictures
    assert answer.unique is (len(pictures) == 1)
    if answer.second is not None:
        assert nonogram.draw(puzzle, answer.second) in pictures
        assert answer.second != answer.solution


@pytest.mark.parametrize("seed", range(60))
def test_random_clues_without_a_picture_are_refused_and_no_others(seed: int) -> None:
    rng = random.Random(seed)
    rows, cols = (random_picture(seed * 2 + side, 4, 4, 0.5).split() for side in (0, 1))
    puzzle = Nonogram(tuple(map(lengths, rows)), tuple(map(lengths, cols)))
    pictures = every_picture(puzzle)
    rng.shuffle(pictures)

    if not pictures:
        with pytest.raises(NoSolution):
            nonogram.solve(puzzle)
    else:
        assert nonogram.draw(puzzle, nonogram.solve(puzzle).solution) in pictures


def test_a_picture_made_from_bits_is_the_same_as_one_made_from_cells() -> None:
    cells = frozenset({Square(0, 0), Square(0, 2), Square(1, 1)})
    others = frozenset({Square(0, 1), Square(1, 0), Square(1, 2)})
    assert Picture.from_bits([0b101, 0b010], None, 3) == Picture(cells, others)
    partly = Picture.from_bits([0b101, 0b010], [0b010, 0], 3)
    assert pickle.loads(pickle.dumps(partly)) == partly == Picture(cells, frozenset({Square(0, 1)}))  # noqa: S301
    assert hash(Picture.from_bits([0b001], [0b110], 3)) == hash(Picture.from_bits([0b001], None, 3))
    assert replace(partly, blank=others) == Picture(cells, others)
    assert not hasattr(partly, "cells")


def test_check_names_every_broken_line() -> None:
    puzzle = nonogram.parse("2x2:1/1/2/")
    wrong = Picture(frozenset({Square(1, 0)}), frozenset({Square(0, 0), Square(0, 1)}))

    assert nonogram.check(puzzle, wrong) == (
        "1 cells are unknown",
        "row 1 has nothing instead of 2",
        "row 2 has 1 instead of nothing",
        "column 2 has nothing instead of 1",
    )


def test_texts_survive_reading_and_writing() -> None:
    for text in ("2x2:1/1/1/1", "3x1:1//1/1.1,bA", "1x1:1/1"):
        assert nonogram.unparse(nonogram.parse(text)) == text
    non = 'title "T"\nwidth 3\nheight 1\n\nrows\n1,1\n\ncolumns\n1\n0\n1\ngoal 101\n'
    assert nonogram.unparse(nonogram.parse(non)) == "3x1:1//1/1.1"
    assert nonogram.unparse(nonogram.parse("pattern:2:1/1/1/1")) == "2x2:1/1/1/1"


def test_coloured_puzzles_keep_their_inks() -> None:
    text = (
        '<puzzle><color name="red" char="*">FF0000</color>'
        '<clues type="columns"><line><count>1</count></line><line><count color="red">1</count></line></clues>'
        '<clues type="rows"><line><count>1</count><count color="red">1</count></line></clues></puzzle>'
    )

    puzzle = nonogram.parse(text)

    assert puzzle.palette is not None
    assert puzzle.palette.rows == ("X*",)
    assert nonogram.parse(nonogram.unparse(puzzle)) == puzzle


@pytest.mark.parametrize("form", ["id", "non", "xml", "json"])
def test_every_form_that_is_written_is_read_again(form: str) -> None:
    for text in ("3x2:2/1/1/3/1", "3x1:1//1/1.1"):
        puzzle = nonogram.parse(text)

        written = nonogram.write(puzzle, form)

        assert nonogram.looks_like(written)
        assert nonogram.parse(written) == puzzle


def test_colours_and_given_cells_are_written_where_the_form_holds_them() -> None:
    rosy, given = coloured("rrb\nb.r\nbbr"), nonogram.parse("3x1:1//1/1.1,bA")

    assert nonogram.parse(nonogram.write(rosy, "json")) == rosy
    assert nonogram.parse(nonogram.write(rosy, "xml")) == rosy
    assert nonogram.parse(nonogram.write(given, "json")) == given
    for puzzle, form in ((rosy, "id"), (rosy, "non"), (given, "non"), (given, "xml"), (given, "jpg")):
        with pytest.raises(InvalidPuzzle):
            nonogram.write(puzzle, form)


def coloured(picture: str) -> Nonogram:
    """A coloured puzzle from its picture; `r` and `b` are inks, `.` is blank."""
    rows = picture.split()
    cols = ["".join(col) for col in zip(*rows, strict=True)]
    pairs = [
        [
            [(sign, len(list(cells))) for sign, cells in itertools.groupby(line) if sign != "."]
            for line in lines
        ]
        for lines in (rows, cols)
    ]
    clues = [tuple(tuple(run for _, run in line) for line in lines) for lines in pairs]
    inks = [tuple("".join(sign for sign, _ in line) for line in lines) for lines in pairs]
    palette = Palette(
        Ink(".", "white", "FFFFFF"), (Ink("r", "red", "FF0000"), Ink("b", "blue", "0000FF")), *inks
    )
    return Nonogram(*clues, palette=palette)


def test_runs_of_two_colours_may_touch() -> None:
    puzzle = coloured("rrb\nb.r\nbbr")

    answer = nonogram.solve(puzzle, Limits(unique=True))

    assert nonogram.draw(puzzle, answer.solution) == "rrb\nb.r\nbbr"
    assert answer.unique is True


@pytest.mark.parametrize("seed", range(60))
def test_small_coloured_boards_agree_with_trying_everything(seed: int) -> None:
    rng = random.Random(seed)
    width, height = rng.randint(1, 4), rng.randint(1, 2)
    grid = "\n".join("".join(rng.choice(".rb") for _ in range(width)) for _ in range(height))
    puzzle = coloured(grid)
    every = ("".join(cells) for cells in itertools.product(".rb", repeat=width * height))
    boards = ("\n".join(cells[row * width :][:width] for row in range(height)) for cells in every)
    wanted = (puzzle.rows, puzzle.cols, puzzle.palette)
    pictures = [grid for grid in boards if (p := coloured(grid)) and (p.rows, p.cols, p.palette) == wanted]

    answer = nonogram.solve(puzzle, Limits(unique=True))

    assert nonogram.check(puzzle, answer.solution) == ()
    assert nonogram.draw(puzzle, answer.solution) in pictures
    assert answer.unique is (len(pictures) == 1)
    if answer.second is not None:
        assert nonogram.draw(puzzle, answer.second) in pictures


@needs_shared
def test_the_shared_coloured_puzzles_have_one_picture() -> None:
    for path in sorted((NONOGRAMS / "colour").glob("*.xml")):
        puzzle = nonogram.parse(path.read_text())

        answer = nonogram.solve(puzzle, Limits(unique=True))

        assert nonogram.check(puzzle, answer.solution) == ()
        assert answer.unique is True


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2:1/1/1", "3 clues"),
        ("2:1/1/1/2", "the rows have 3 filled cells, the columns 2"),
        ("2:2/1/1.1/", "row 1 needs 3 cells and has 2"),
        ("2:1/1/1/x", "'x' is not a number"),
        ("2x2:1/1/1/1\n2x2:1/1/1", "line 2: 3 clues"),
        ("width 2\nheight 2\nrows\n1\n1\ncolumns\n1\n1,a\n", "line 8: 'a' is not a number"),
        ("width 2\nheight 3\nrows\n1\n1\ncolumns\n1\n1\n", "2 clue lines under `rows`, height says 3"),
        ('<!DOCTYPE p [<!ENTITY a "aaa">]><puzzle>&a;</puzzle>', "declares entities"),
        ("<puzzle", "XML cannot be read"),
        ('<puzzle type="triddler"/>', "'triddler'"),
        ("width 2\nheight 2\nrows\n1\n1,1\ncolumns\n1\n1\n", "line 5: row 2 needs 3 cells and has 2"),
        ("width 2\nheight 2\nrows\n1\n1\ncolumns\n3\n1\n", "line 7: column 1 needs 3 cells and has 2"),
        ('{"rows": [[1]], "columns": [[1]', "JSON cannot be read"),
        ('{"rows": [[1]], "columns": "1"}', "`columns` is not a list of 1 to"),
        ('{"rows": [[1], ["x"]], "columns": [[1]]}', "`rows`, clue 2: 'x' is not the length"),
        ('{"rows": [[true]], "columns": [[1]]}', "`rows`, clue 1: 'True' is not the length"),
        ('{"rows": [[1]], "columns": [[1], [1]]}', "the rows have 1 filled cells, the columns 2"),
        ('{"rows": [[[1, "r"]]], "columns": [[[1, "r"]]]}', "no `inks`"),
        ('{"rows": [[1]], "columns": [[1]], "given": ["x"]}', "`given`, row 1"),
        ('{"rows": ' + "[" * 100_000 + ', "columns": []}', "JSON cannot be read"),
    ],
)
def test_a_bad_text_is_refused_with_line_and_reason(text: str, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        nonogram.parse(text)


@needs_shared
@pytest.mark.parametrize("size", [10, 20, 30, 40])
def test_every_board_of_the_pattern_generator_has_exactly_one_picture(size: int) -> None:
    for puzzle in nonogram.parse_file((NONOGRAMS / "sgt" / f"{size}x{size}.txt").read_text()):
        answer = nonogram.solve(puzzle, Limits(unique=True))

        assert nonogram.check(puzzle, answer.solution) == ()
        assert answer.unique is True


@needs_shared
def test_every_shared_nonogram_survives_reading_and_writing() -> None:
    files = [path for path in sorted(NONOGRAMS.rglob("*")) if path.suffix in (".non", ".xml", ".txt")]
    for path in files:
        text = path.read_text()
        assert nonogram.looks_like(text)
        for puzzle in nonogram.parse_file(text):
            assert nonogram.parse(nonogram.unparse(puzzle)) == puzzle


@pytest.mark.parametrize("seed", range(12))
def test_what_all_pictures_have_in_common_is_what_trying_all_of_them_says(seed: int) -> None:
    puzzle = puzzle_of(random_picture(seed, 5, 5, 0.4))
    every = every_picture(puzzle)
    answer = nonogram.solve(puzzle, Limits(unique=True))
    if answer.second is None:
        assert len(every) == 1
        return

    common = nonogram.in_common(puzzle, answer.solution, answer.second, choices=10_000)

    cells = {
        Square(row, col): {one.split()[row][col] for one in every} for row in range(5) for col in range(5)
    }
    assert common.filled == {cell for cell, signs in cells.items() if signs == {"#"}}
    assert common.blank == {cell for cell, signs in cells.items() if signs == {"."}}


def test_what_two_pictures_have_in_common_stays_where_there_is_no_time_for_a_third() -> None:
    puzzle = puzzle_of("#...\n.#..\n..#.\n...#")
    answer = nonogram.solve(puzzle, Limits(unique=True))
    assert answer.second is not None

    common = nonogram.in_common(puzzle, answer.solution, answer.second, choices=0)

    assert common.filled == answer.solution.filled & answer.second.filled


def test_no_third_picture_is_looked_for_where_single_lines_tell_the_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rest = "." * 28
    puzzle = puzzle_of("\n".join(["#." + rest, ".#" + rest, ".." + rest] + ["#" * 30] * 27))
    answer = nonogram.solve(puzzle, Limits(unique=True))
    assert answer.second is not None
    searched = []
    monkeypatch.setattr(
        Solver,
        "solutions",
        lambda self, most, find=Solver.solutions: searched.append(self) or find(self, most),
    )

    common = nonogram.in_common(puzzle, answer.solution, answer.second, choices=10_000)

    assert len(common.filled | common.blank) == 896
    assert not searched
