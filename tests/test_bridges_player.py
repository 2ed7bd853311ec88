"""Entering Bridges: from what is on the screen to what should be."""

from __future__ import annotations

from bot.actions import Action, Drag, Tap
from bot.players.bridges import moves, plan
from solver import bridges
from solver.bridges import Bridges, Joins, Span
from solver.lattice import Square
from vision.frame import Box, Point
from vision.reading import Geometry, Mark, Reading


def reading(puzzle: Bridges, placed: Joins, ui: str = "sgt") -> Reading[Bridges, Joins]:
    """A board with cells of 20 px and its first centre at (10, 10)."""
    centres = {
        Square(row, col): Point(10 + 20 * col, 10 + 20 * row)
        for row in range(puzzle.height)
        for col in range(puzzle.width)
    }
    marks = {island.at: Mark(str(island.clue), 1.0, state="given") for island in puzzle.islands}
    area = Box(0, 0, 20 * puzzle.width, 20 * puzzle.height)
    return Reading(puzzle, placed, Geometry(centres, 20.0), marks, area, ui=ui)


# 3=2   four islands in a square, two cells apart, and the solution
# |
# 2-1
SQUARE = bridges.parse("3x3m2:3a2c2a1")
ACROSS = Span(Square(0, 0), Square(0, 2))
DOWN = Span(Square(0, 0), Square(2, 0))
BELOW = Span(Square(2, 0), Square(2, 2))
RIGHT = Span(Square(0, 2), Square(2, 2))
SOLUTION = {ACROSS: 2, DOWN: 1, BELOW: 1}


def drag(*path: tuple[float, float]) -> Drag:
    return Drag(tuple(Point(*at) for at in path), duration_s=0.0, hold_s=0.02, press_s=0.0)


def test_an_empty_board_gets_every_bridge_of_the_solution() -> None:
    found = plan(reading(SQUARE, {}), SOLUTION)

    assert found.missing == 3
    assert [step.cells for step in found.steps] == [(ACROSS, DOWN), (BELOW,)]
    assert found.steps[0].actions == (
        drag((10, 10), (50, 10)),
        drag((10, 10), (50, 10)),
        drag((10, 10), (10, 50)),
    )
    assert found.steps[0].why == "island at row 1, column 1: 2 right (was 0), 1 down (was 0)"


def test_a_solved_board_needs_nothing() -> None:
    found = plan(reading(SQUARE, SOLUTION), SOLUTION)

    assert found.missing == 0
    assert found.steps == ()


def test_only_what_is_missing_is_added() -> None:
    found = plan(reading(SQUARE, {ACROSS: 1, DOWN: 1, BELOW: 1}), SOLUTION)

    assert [step.actions for step in found.steps] == [(drag((10, 10), (50, 10)),)]


def test_too_many_bridges_go_first_and_go_round() -> None:
    found = plan(reading(SQUARE, {RIGHT: 1, DOWN: 2, BELOW: 1}), SOLUTION)

    assert [step.cells for step in found.steps] == [(DOWN,), (RIGHT,), (ACROSS,)]
    assert found.steps[0].actions == (drag((10, 10), (10, 50)),) * 2
    assert found.steps[1].actions == (drag((50, 10), (50, 50)),) * 2


def test_bridges_go_round_after_the_most_that_the_board_allows() -> None:
    assert [[moves(now, then, most=3) for then in range(4)] for now in range(4)] == [
        [0, 1, 2, 3],
        [3, 0, 1, 2],
        [2, 3, 0, 1],
        [1, 2, 3, 0],
    ]


def test_a_program_of_taps_gets_taps() -> None:
    found = plan(reading(SQUARE, {ACROSS: 2, DOWN: 1}, ui="taps"), SOLUTION)

    wanted: tuple[Action, ...] = (Tap(Point(10, 50), 0.03), Tap(Point(50, 50), 0.03))
    assert found.steps[0].actions == wanted


def test_a_program_nobody_has_seen_gets_the_drags_of_the_collection() -> None:
    assert plan(reading(SQUARE, {}, ui="?"), SOLUTION) == plan(reading(SQUARE, {}), SOLUTION)
