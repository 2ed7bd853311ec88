"""Bridges: rules, texts, and the solver from deduction to search."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island, Span
from solver.bridges.graph import Graph
from solver.bridges.search import Search
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.lattice import Square
from tests.shared_data import SHARED, needs_shared

BRIDGES = SHARED / "bridges"
MOST_COMBINATIONS = 60_000


def board(picture: str, max_bridges: int = 2, loops: bool = True) -> Bridges:
    """A board from a picture with one character per cell; `.` is empty."""
    rows = picture.split()
    islands = tuple(
        Island(Square(row, col), int(sign, 17))
        for row, line in enumerate(rows)
        for col, sign in enumerate(line)
        if sign != "."
    )
    return Bridges(islands, len(rows[0]), len(rows), max_bridges, loops)


def random_board(seed: int, side: int = 4, islands: int = 7, touching: bool = True) -> Bridges:
    """A board with at least one solution: bridges are laid first, the clues counted after."""
    rng = random.Random(seed)
    most, loops = rng.randint(1, 4), rng.random() < 0.6
    width, height = rng.randint(3, side), rng.randint(3, side)
    at = {Square(rng.randrange(height), rng.randrange(width))}
    cells = [Square(row, col) for row in range(height) for col in range(width)]
    rng.shuffle(cells)
    for cell in cells:
        near = {Square(cell.row + dr, cell.col + dc) for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        if len(at) < islands and (touching or not near & at):
            at.add(cell)
    bare = Bridges(tuple(Island(cell, 1) for cell in at), width, height, most, loops)
    clues = dict.fromkeys(bare.clues, 0)
    laid: dict[Span, int] = {}
    taken: set[Square] = set()
    reached = {min(at)}
    spans = list(bare.spans)
    for _ in range(3):
        rng.shuffle(spans)
        for span in spans:
            inside = (span.a in reached) + (span.b in reached)
            free = not taken & set(bridges.between(span)) and span not in laid
            if free and (inside == 1 or (inside == 2 and loops and rng.random() < 0.4)):
                laid[span] = rng.randint(1, most)
                taken |= set(bridges.between(span))
                reached |= {span.a, span.b}
    for span, count in laid.items():
        clues[span.a] += count
        clues[span.b] += count
    kept = tuple(Island(cell, clue) for cell, clue in clues.items() if clue)
    return Bridges(kept, width, height, most, loops)


def every_solution(puzzle: Bridges) -> list[dict[Span, int]]:
    """All solutions, by trying every number of bridges on every span."""
    counts = itertools.product(range(puzzle.max_bridges + 1), repeat=len(puzzle.spans))
    tries = (dict(zip(puzzle.spans, count, strict=True)) for count in counts)
    return [
        {span: count for span, count in solution.items() if count}
        for solution in tries
        if not bridges.check(puzzle, solution)
    ]


def is_small(puzzle: Bridges) -> bool:
    return (puzzle.max_bridges + 1) ** len(puzzle.spans) <= MOST_COMBINATIONS


def test_a_small_board_is_solved_and_drawn() -> None:
    puzzle = board("2.2\n...\n2.2")

    answer = bridges.solve(puzzle, Limits(unique=True))

    assert bridges.draw(puzzle, answer.solution) == "2---2\n|   |\n|   |\n|   |\n2---2"
    assert answer.unique is True
    assert bridges.solution_json(puzzle, answer.solution) == [
        [0, 0, 0, 2, 1],
        [0, 0, 2, 0, 1],
        [0, 2, 2, 2, 1],
        [2, 0, 2, 2, 1],
    ]


def test_without_loops_the_square_of_twos_has_no_solution() -> None:
    with pytest.raises(NoSolution):
        bridges.solve(board("2.2\n...\n2.2", loops=False))


def test_touching_islands_are_joined() -> None:
    puzzle = board("131\n.1.")

    answer = bridges.solve(puzzle, Limits(unique=True))

    assert bridges.draw(puzzle, answer.solution) == "1-3-1\n  |\n  1"
    assert answer.unique is True


def test_two_solutions_are_both_shown_when_asked() -> None:
    puzzle = board("3.3\n...\n3.3")

    answer = bridges.solve(puzzle, Limits(unique=True))

    assert answer.unique is False
    assert answer.second is not None
    assert answer.second != answer.solution
    assert bridges.check(puzzle, answer.solution) == ()
    assert bridges.check(puzzle, answer.second) == ()


def test_an_odd_sum_is_refused_with_the_sum() -> None:
    with pytest.raises(NoSolution, match="add up to 3"):
        bridges.solve(board("1.2"))


def test_two_closed_pairs_are_no_solution() -> None:
    with pytest.raises(NoSolution):
        bridges.solve(board("1.1\n...\n1.1"))


def test_a_single_island_has_no_solution_and_no_islands_need_no_bridge() -> None:
    with pytest.raises(NoSolution):
        bridges.solve(board("...\n.2.\n..."))
    assert bridges.solve(Bridges((), 3, 3)).solution == {}


def test_four_bridges_fit_on_a_span_where_the_board_says_so() -> None:
    puzzle = bridges.parse("3x1m4:4a4")

    assert bridges.draw(puzzle, bridges.solve(puzzle).solution) == "4≣≣≣4"
    with pytest.raises(NoSolution):
        bridges.solve(bridges.parse("3x1m3:4a4"))


def test_a_limit_is_an_error_of_its_own() -> None:
    with pytest.raises(SearchLimit):
        bridges.solve(board("\n".join(["4" * 12] * 12)), Limits(seconds=0.0))


@pytest.mark.parametrize("seed", range(150))
def test_random_boards_agree_with_trying_everything(seed: int) -> None:
    puzzle = random_board(seed, islands=5 + seed % 3)
    if not is_small(puzzle):
        puzzle = random_board(seed, islands=4)

    answer = bridges.solve(puzzle, Limits(unique=True))

    solutions = every_solution(puzzle)
    assert answer.solution in solutions
    assert answer.unique is (len(solutions) == 1)
    if answer.second is not None:
        assert answer.second in solutions
        assert answer.second != answer.solution


@given(st.integers(0, 10**6), st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_a_changed_clue_is_solved_exactly_when_trying_everything_finds_a_solution(
    seed: int, change: int
) -> None:
    puzzle = random_board(seed, side=4, islands=4)
    assume(puzzle.islands)
    rng = random.Random(change)
    clues = [island.clue for island in puzzle.islands]
    for _ in range(2):
        clues[rng.randrange(len(clues))] = rng.randint(1, 2 * puzzle.max_bridges)
    changed = tuple(Island(island.at, clue) for island, clue in zip(puzzle.islands, clues, strict=True))
    puzzle = Bridges(changed, puzzle.width, puzzle.height, puzzle.max_bridges, puzzle.loops)
    solutions = every_solution(puzzle)

    try:
        answer = bridges.solve(puzzle, Limits(unique=True))
    except NoSolution:
        assert solutions == []
    else:
        assert answer.solution in solutions
        assert answer.unique is (len(solutions) == 1)


@pytest.mark.parametrize("seed", range(40))
def test_larger_random_boards_are_solved_by_the_rules(seed: int) -> None:
    puzzle = random_board(seed, side=12, islands=50, touching=seed % 2 == 0)

    answer = bridges.solve(puzzle, Limits())

    assert bridges.check(puzzle, answer.solution) == ()
    assert 0 not in answer.solution.values()


def test_check_names_crossings_wrong_numbers_and_groups() -> None:
    puzzle = board(".1.\n1.1\n.1.")
    across = Span(Square(1, 0), Square(1, 2))
    down = Span(Square(0, 1), Square(2, 1))

    assert bridges.check(puzzle, {across: 1, down: 1}) == (
        "row 2, column 1 and row 2, column 3 crosses row 1, column 2 and row 3, column 2",
        "the islands form 2 groups instead of one",
    )
    assert bridges.check(puzzle, {across: 3})[0].endswith("3 bridges, at most 2 are allowed")


def test_check_sees_a_loop_and_a_span_that_is_none() -> None:
    puzzle = board("2.2\n...\n2.2", loops=False)
    ring = dict.fromkeys(puzzle.spans, 1)

    assert bridges.check(puzzle, ring) == ("the bridges form a loop",)
    diagonal = {**ring, Span(Square(0, 0), Square(2, 2)): 1}
    assert "row 1, column 1 and row 3, column 3 are not two islands next to each other" in bridges.check(
        puzzle, diagonal
    )


def test_texts_survive_reading_and_writing() -> None:
    for text in ("7x7m2:a3a3b12i2b3a4b2j3a2b23c2b", "3x1m4:4a4", "30x2m2L:1zc1zc", "4x4m4:AaGm"):
        assert bridges.unparse(bridges.parse(text)) == text
    assert bridges.unparse(bridges.parse("bridges:3i30e10d2:1a1f")) == "3x3m2:1a1f"
    assert bridges.unparse(bridges.parse("2 3 2\n1 0 1\n0 0 0\n")) == "3x2m2:1a1c"


def test_a_letter_out_of_order_is_ignored_as_the_game_does() -> None:
    assert bridges.parse("3x3m2d2L:1a1f").loops is True
    assert bridges.parse("3x3m2Ld2:1a1f").loops is False


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3x3m2:1a1", "describes 3 cells, a board of 3 by 3 has 9"),
        ("3x3m2:1a0f", "'0' at place 3"),
        ("3x3m9:1a1f", "9 bridges on one span"),
        ("3x3:1a1f\n3x3:1a1", "line 2: the ID describes 3 cells"),
        ("hello", "not a Bridges game ID"),
        ("999999x999999:a", "999999 by 999999"),
        ("2 3 2\n1 0 1\n0 0\n", "line 3: 2 cells"),
        ("2 3 3\n1 0 1\n0 0 0\n", "2 islands, the first line says 3"),
        ("1 2 1\n1 x\n", "line 2, column 2: 'x'"),
    ],
)
def test_a_bad_text_is_refused_with_place_and_reason(text: str, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        bridges.parse_file(text)


@needs_shared
@pytest.mark.parametrize(
    "name", ["7x7d2", "10x10m1d0", "15x15d2", "25x25d2", "25x25m2Ld2", "25x25m3d2", "25x25m4d2", "30x30d2"]
)
def test_boards_of_the_generator_are_decided_without_search(name: str) -> None:
    for puzzle in bridges.parse_file((BRIDGES / "sgt" / f"{name}.txt").read_text()):
        graph = Graph(puzzle)
        search = Search(graph, lambda: False)

        solutions = search.solutions(2)

        assert len(solutions) == 1
        assert search.tries == 0
        assert bridges.check(puzzle, graph.joins(solutions[0])) == ()
        assert bridges.parse(bridges.unparse(puzzle)) == puzzle


@needs_shared
@pytest.mark.parametrize("islands", [100, 200, 300])
def test_boards_of_the_coelho_set_get_an_answer_by_the_rules(islands: int) -> None:
    for path in sorted((BRIDGES / "coelho").glob(f"Hs_*_{islands}_*.has")):
        puzzle = bridges.parse(path.read_text())

        answer = bridges.solve(puzzle, Limits())

        assert bridges.check(puzzle, answer.solution) == (), path.name
