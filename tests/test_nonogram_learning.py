"""Nonograms: clause learning, in plain Python and compiled."""

from __future__ import annotations

import itertools
import os
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from solver import nonogram
from solver.answer import Limits
from solver.errors import NoSolution
from solver.lattice import Square
from solver.nonogram import Ink, Nonogram, Palette, Picture, clauses, fast
from solver.nonogram.branching import Brancher, fits
from solver.nonogram.clauses import shelf, state
from solver.nonogram.learning import Learner, can_encode
from solver.nonogram.machine import PLAIN, Machine
from solver.nonogram.nearby import picture_nearby
from solver.nonogram.symmetry import symmetries
from tests.test_nonogram_solver import coloured, every_picture, lengths, puzzle_of, random_picture


def compiled() -> Machine:
    machine = fast.machine()
    assert machine is not None, "the development group installs numba"
    return machine


MACHINES = {"plain": lambda: PLAIN, "fast": compiled}


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    return MACHINES[request.param]()


def pictures_of(puzzle: Nonogram, machine: Machine) -> list[str]:
    """All pictures, one after the other."""
    learner = Learner(puzzle, Picture(), machine)
    drawn = []
    while (picture := learner.next_picture(lambda: False)) is not None:
        assert nonogram.check(puzzle, picture) == ()
        drawn.append(nonogram.draw(puzzle, picture))
    assert learner.refuted
    return drawn


def test_every_picture_of_small_boards_is_met_exactly_once(machine: Machine) -> None:
    for seed in range(100):
        rng = random.Random(seed)
        puzzle = puzzle_of(
            random_picture(seed, rng.randint(1, 5), rng.randint(1, 5), rng.choice([0.2, 0.5, 0.8]))
        )

        assert sorted(pictures_of(puzzle, machine)) == sorted(every_picture(puzzle))


def test_clues_that_were_mixed_at_random_are_refuted_exactly_when_no_picture_meets_them(
    machine: Machine,
) -> None:
    for seed in range(100):
        rows, cols = (random_picture(seed * 2 + side, 4, 4, 0.6).split() for side in (0, 1))
        puzzle = Nonogram(tuple(map(lengths, rows)), tuple(map(lengths, cols)))

        assert sorted(pictures_of(puzzle, machine)) == sorted(every_picture(puzzle))


def test_every_picture_of_small_coloured_boards_is_met_exactly_once(machine: Machine) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        width, height = rng.randint(1, 4), rng.randint(1, 2)
        puzzle = coloured("\n".join("".join(rng.choice(".rb") for _ in range(width)) for _ in range(height)))
        cells = ("".join(cells) for cells in itertools.product(".rb", repeat=width * height))
        boards = ("\n".join(text[row * width :][:width] for row in range(height)) for text in cells)
        wanted = (puzzle.rows, puzzle.cols, puzzle.palette)

        assert sorted(pictures_of(puzzle, machine)) == sorted(
            board
            for board in boards
            if (other := coloured(board)) and (other.rows, other.cols, other.palette) == wanted
        )


def test_branching_finds_two_pictures_or_proves_that_there_is_one_or_none(machine: Machine) -> None:
    for seed in range(150):
        rng = random.Random(seed)
        if seed % 3:
            puzzle = puzzle_of(
                random_picture(seed, rng.randint(1, 5), rng.randint(1, 5), rng.choice([0.2, 0.5, 0.8]))
            )
        else:
            rows, cols = (random_picture(seed * 2 + side, 4, 4, 0.6).split() for side in (0, 1))
            puzzle = Nonogram(tuple(map(lengths, rows)), tuple(map(lengths, cols)))
        pictures = every_picture(puzzle)

        brancher = Brancher(puzzle, Picture(), machine, 2)

        assert brancher.go_on(lambda: False, 10_000)
        drawn = {nonogram.draw(puzzle, picture) for picture in brancher.pictures}
        assert drawn <= set(pictures)
        assert len(drawn) >= min(2, len(pictures))
        assert brancher.refuted or len(pictures) > 1 or len(drawn) == 1
        if pictures:
            certain = nonogram.draw(puzzle, brancher.certain)
            assert all(a in ("?", b) for picture in pictures for a, b in zip(certain, picture, strict=True))


def test_branching_a_part_at_a_time_comes_to_the_same_end(machine: Machine) -> None:
    puzzle = puzzle_of(random_picture(5, 12, 62, 0.45))
    whole, parts = (Brancher(puzzle, Picture(), each, 2) for each in (machine, machine._replace(tries=1)))
    if machine is PLAIN:
        whole, parts = (
            Brancher(puzzle_of(random_picture(5, 9, 9, 0.4)), Picture(), each, 2)
            for each in (machine, machine._replace(tries=1))
        )

    while not parts.go_on(lambda: False, 1):
        continue

    assert whole.go_on(lambda: False, 10**9)
    assert parts.pictures == whole.pictures
    assert parts.refuted == whole.refuted


def test_lines_longer_than_a_machine_word_are_left_to_clauses() -> None:
    assert fits(puzzle_of(random_picture(1, 62, 3, 0.5)))
    assert not fits(puzzle_of(random_picture(1, 63, 3, 0.5)))


def test_both_machines_make_the_same_steps() -> None:
    for seed in range(5):
        puzzle = puzzle_of(random_picture(seed, 14, 14, 0.4))

        first, second = (
            [Learner(puzzle, Picture(), machine).next_picture(lambda: False)]
            for machine in (PLAIN, compiled())
        )

        assert first == second


def test_a_shelf_that_is_too_small_for_all_that_is_learned_changes_no_answer(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = puzzle_of(random_picture(11, 15, 15, 0.42))
    small = machine._replace(shelf=1, most_clauses=40)

    plenty, little = (Learner(puzzle, Picture(), each) for each in (machine, small))

    first = little.next_picture(lambda: False)
    assert first is not None
    assert nonogram.check(puzzle, first) == ()
    second, other = little.next_picture(lambda: False), plenty.next_picture(lambda: False)
    assert other is not None
    assert (second is None) == (plenty.next_picture(lambda: False) is None)


def test_given_cells_hold_in_every_picture(machine: Machine) -> None:
    puzzle = nonogram.parse("3:1/1/1/1/1/1")
    learner = Learner(puzzle, nonogram.parse("3:1/1/1/1/1/1,B").given, machine)

    drawn = []
    while (picture := learner.next_picture(lambda: False)) is not None:
        drawn.append(nonogram.draw(puzzle, picture))

    assert sorted(drawn) == [".#.\n#..\n..#", ".#.\n..#\n#.."]


def test_a_learner_stops_when_it_is_told_to(machine: Machine) -> None:
    learner = Learner(puzzle_of(random_picture(3, 25, 25, 0.4)), Picture(), machine)

    assert learner.next_picture(lambda: True) is None
    assert not learner.refuted


@pytest.mark.parametrize("installed", [False, True])
def test_a_board_that_probing_leaves_open_is_decided_with_and_without_the_extra(
    installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "is_installed", lambda: installed)
    monkeypatch.setattr(sys.modules["solver.nonogram.solve"], "TRIES", 3)
    for seed in range(20):
        puzzle = puzzle_of(random_picture(seed, 5, 5, 0.5))

        answer = nonogram.solve(puzzle, Limits(unique=True))

        pictures = every_picture(puzzle)
        assert nonogram.draw(puzzle, answer.solution) in pictures
        assert answer.unique is (len(pictures) == 1)
        if answer.second is not None:
            assert nonogram.draw(puzzle, answer.second) in pictures
            assert answer.second != answer.solution


def test_a_board_too_large_for_clauses_is_left_to_probing() -> None:
    clue = (1,) * 400
    huge = Nonogram((clue,) * 1000, (clue,) * 1000)

    assert not can_encode(huge)
    assert can_encode(replace(huge, rows=huge.rows[:4], cols=((1, 1),) * 1000))


def test_three_inks_in_one_cell_exclude_each_other(machine: Machine) -> None:
    inks = tuple(Ink(char, char, "000000") for char in "abc")
    puzzle = Nonogram(
        ((1, 1, 1),),
        ((1,), (1,), (1,)),
        palette=Palette(Ink(".", "white", ""), inks, ("abc",), ("a", "b", "c")),
    )

    assert pictures_of(puzzle, machine) == ["abc"]


def test_clauses_are_kept_by_the_levels_they_join(machine: Machine) -> None:
    learner = Learner(puzzle_of(random_picture(3, 20, 20, 0.4)), Picture(), machine)
    learner.next_picture(lambda: False, conflicts=200)
    search = learner._search
    before = search.now[state.CLAUSES]

    shelf.tidy(search)

    kept = search.now[state.CLAUSES]
    assert kept < before
    assert search.now[state.ROOM] == search.clause_start[kept]
    watched = sum(1 for literal in search.watch_first if literal != state.NONE)
    assert 0 < watched <= 2 * kept


def test_lines_give_the_same_picture_compiled_and_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled()
    for seed in range(30):
        puzzle = puzzle_of(random_picture(seed, 12, 9, 0.75))
        contradiction = replace(puzzle, rows=puzzle.rows[::-1])

        answers = []
        for loaded in (True, False):
            monkeypatch.setattr(fast, "is_loaded", lambda loaded=loaded: loaded)
            answers.append([outcome(puzzle), outcome(contradiction)])

        assert answers[0] == answers[1]


def outcome(puzzle: Nonogram) -> str | None:
    try:
        answer = nonogram.solve(puzzle, Limits(unique=True))
    except NoSolution:
        return None
    return nonogram.draw(puzzle, answer.solution) if answer.unique else "several"


def test_the_symmetries_of_the_clues_are_found() -> None:
    diagonal = nonogram.parse("2:1/1/1/1")
    margin = nonogram.parse("3x2:1/1//1/1")

    assert [len(pairs) for pairs in symmetries(diagonal)] == [4, 2, 2, 4, 4, 4]
    assert symmetries(margin) == symmetries(diagonal)
    assert symmetries(puzzle_of("##.#\n....\n#...")) == []


def test_searching_for_symmetric_pictures_meets_each_of_them_once(machine: Machine) -> None:
    seen = 0
    for seed in range(60):
        side = random_picture(seed, 2, 4, 0.5).split()
        picture = "\n".join([row + row[::-1] for row in side][:: random.Random(seed).choice([1, -1])])
        puzzle = puzzle_of(picture)
        for pairs in symmetries(puzzle):
            learner = Learner(puzzle, Picture(), machine, pairs)

            met = learner.next_pictures(100, lambda: False)

            symmetric = [
                drawn
                for drawn in every_picture(puzzle)
                if all(drawn.split()[a.row][a.col] == drawn.split()[b.row][b.col] for a, b in pairs)
            ]
            assert sorted(nonogram.draw(puzzle, picture) for picture in met) == sorted(symmetric)
            seen += 1
    assert seen > 60


def test_a_board_with_symmetric_clues_is_decided_by_all_its_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    solving = sys.modules["solver.nonogram.solve"]
    for name in ("TRIES", "CONFLICTS_FIRST", "BRANCH_TRIES"):
        monkeypatch.setattr(solving, name, 0)
    monkeypatch.setattr(fast, "is_loaded", lambda: False)
    for text in ("2:1/1/1/1", "3:1/1/1/1/1/1", "4:1.1/1.1/1.1/1.1/1.1/1.1/1.1/1.1"):
        puzzle = nonogram.parse(text)

        answer = nonogram.solve(puzzle, Limits(unique=True))

        assert answer.unique is False
        assert answer.second is not None
        assert nonogram.check(puzzle, answer.second) == ()
        assert answer.second != answer.solution


def test_compiled_code_older_than_one_of_its_sources_is_thrown_away(tmp_path: Path) -> None:
    index = tmp_path / "search.go_on-100.py311.nbi"
    index.touch()
    assert fast.is_cached(str(tmp_path), clauses.go_on)
    os.utime(index, (0, 0))
    assert not fast.is_cached(str(tmp_path), clauses.go_on)
    assert not index.exists()


def test_without_a_cache_folder_nothing_is_cached() -> None:
    assert not fast.is_cached(None, clauses.go_on)


def below(*cells: Square) -> Picture:
    """These cells of the first two of 14 rows, and everything from the fourth row on."""
    filled = frozenset({Square(row, col) for row in range(3, 14) for col in range(14)} | set(cells))
    return Picture(filled, frozenset(Square(row, col) for row in range(14) for col in range(14)) - filled)


def test_two_cells_that_can_be_exchanged_are_found_near_a_known_picture(machine: Machine) -> None:
    puzzle = Nonogram(((1,), (1,), (), *((14,),) * 11), ((1, 11), (1, 11), *((11,),) * 12))
    one, other = below(Square(0, 0), Square(1, 1)), below(Square(0, 1), Square(1, 0))

    assert picture_nearby(puzzle, one, machine, lambda: False) == other


def test_near_the_only_picture_there_is_no_other(machine: Machine) -> None:
    puzzle = Nonogram(((), (), (), *((14,),) * 11), ((11,),) * 14)

    assert picture_nearby(puzzle, below(), machine, lambda: False) is None
