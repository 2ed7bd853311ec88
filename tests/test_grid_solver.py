"""The solver of declared games: against every way to fill small boards, and in work that is counted, not timed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from bot.games import GAMES, filling
from solver.answer import Limits
from solver.errors import InvalidPuzzle
from solver.grid import search
from solver.grid.board import Board
from solver.lattice import Square

SMALL = Board(2, 3)


def groups(board: Board, values: dict[Square, str]) -> Iterator[tuple[str, int]]:
    """The digit and the number of cells of every group of equal digits."""
    left = set(board.squares)
    while left:
        front = [left.pop()]
        count, value = 0, values[front[0]]
        while front:
            count += 1
            near = [at for at in board.beside(front.pop()) if at in left and values[at] == value]
            left -= set(near)
            front += near
        yield value, count


@cache
def every_filling() -> tuple[dict[Square, str], ...]:
    """All ways to fill a small board by the rules of Filling, tried one by one."""
    tried = (dict(zip(SMALL.squares, row, strict=True)) for row in product("123456", repeat=6))
    return tuple(one for one in tried if all(int(value) == count for value, count in groups(SMALL, one)))


@pytest.mark.parametrize("seed", range(12))
def test_filling_finds_just_the_boards_that_trying_all_finds(seed: int) -> None:
    rng = random.Random(seed)
    one = rng.choice(every_filling())
    clues = {at: one[at] for at in rng.sample(SMALL.squares, seed % 5)}
    # A clue that belongs to another filling now and then, so that boards without a solution are among them.
    strange = rng.choice(every_filling()) if seed % 3 == 0 else one
    clues |= {at: strange[at] for at in rng.sample(SMALL.squares, 1)}
    board = Board(2, 3, dict(clues))
    found = list(search.solutions(filling.GAMEPLAY.problem(board)))
    wanted = [full for full in every_filling() if all(full[at] == value for at, value in clues.items())]
    assert sorted(map(sorted_items, found)) == sorted(map(sorted_items, wanted))


def sorted_items(entries: dict[Square, str]) -> list[tuple[Square, str]]:
    return sorted(entries.items())


def test_a_group_does_not_grow_round_the_end_of_a_row() -> None:
    # The 2 at the end of the first row and the one at the beginning of the second are no neighbours.
    board = Board(2, 4, {Square(0, 3): "2", Square(1, 0): "2"})
    problem = filling.GAMEPLAY.problem(board)
    found = list(search.solutions(problem))
    assert found
    for entries in found:
        assert all(int(value) == count for value, count in groups(board, entries))


@pytest.mark.parametrize("seed", (0, 1, 6))
def test_making_a_practice_board_of_filling_takes_few_tries(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without a limit for each choice these took 4,000, 6,000 and 82,000 tries.
    asked = 0
    plain = search.propagate

    def counted(*args: object) -> None:
        nonlocal asked
        asked += 1
        plain(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "propagate", counted)
    board = filling.GAMEPLAY.make(random.Random(seed))
    assert GAMES["filling"].solve(board, search.Limits(unique=True)).unique
    assert asked < MOST_ASKED


MOST_ASKED = 2_000


@pytest.mark.parametrize("clue", ["0", "5"])
def test_numbers_that_towers_cannot_show_are_refused_before_anything_is_tried(clue: str) -> None:
    """A board of Tents has noughts beside it; all heights of a line had been gone through for them."""
    towers = GAMES["towers"]
    board = towers.parse(f"4:////{clue}///////////")

    with pytest.raises(InvalidPuzzle, match=f"{clue} towers at the bottom: 1 to 4 can be seen"):
        towers.solve(board, Limits())


# Of 25 boards of the largest preset the one that took 3 s.
HARD = (
    "17x13:a6a6a2b7g5a566a35a7c7a63a5c8c8a8b8a752a6d81a88c7b38h544d2e5b553a7a85b55e35a56b2f5d5a6c33a843f56d3a55c42b9a66b5b39"
    "a7b9c5b5a533b77a3a3e7e4e54a"
)
MOST_CHOICES = 200


def test_where_a_rule_is_about_all_cells_the_cell_at_which_it_failed_comes_first() -> None:
    board, choices = GAMES["filling"].parse(HARD), iter(range(MOST_CHOICES))

    found = list(search.solutions(filling.GAMEPLAY.problem(board), lambda: next(choices, None) is None))

    assert len(found) == 1
