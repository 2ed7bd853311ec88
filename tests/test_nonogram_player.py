"""Entering a nonogram: from the cells on the screen to the picture."""

from __future__ import annotations

from bot.actions import Drag, Tap
from bot.players.nonogram import plan
from solver import nonogram
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.frame import Box, Point
from vision.reading import Geometry, Reading


def picture(text: str) -> Picture:
    """`#` filled, `.` blank, `?` unknown."""
    cells = {Square(row, col): sign for row, line in enumerate(text.split()) for col, sign in enumerate(line)}
    return Picture(
        frozenset(at for at, sign in cells.items() if sign == "#"),
        frozenset(at for at, sign in cells.items() if sign == "."),
    )


def reading(placed: str, ui: str = "sgt") -> Reading[Nonogram, Picture]:
    """A board of 4 x 3 cells of 20 px, its first centre at (10, 10)."""
    centres = {Square(row, col): Point(10 + 20 * col, 10 + 20 * row) for row in range(3) for col in range(4)}
    area = Box(0, 0, 80, 60)
    return Reading(PUZZLE, picture(placed), Geometry(centres, 20.0), {}, area, ui=ui)


PUZZLE = nonogram.parse("4x3:3/2/1/1.1/4/2/1.1")
SOLUTION = picture("#### ##.. #..#")


def stroke(start: tuple[int, int], end: tuple[int, int], button: str) -> Drag:
    assert button in ("left", "right")
    path = (Point(*start), Point(*end))
    return Drag(path, 0.0, 0.01, "left" if button == "left" else "right")


def test_every_run_is_one_stroke_and_the_first_stroke_goes_alone() -> None:
    found = plan(reading("???? ???? ????"), SOLUTION)

    assert found.missing == 12
    assert [step.actions for step in found.steps] == [
        (stroke((10, 10), (70, 10), "left"),),
        (stroke((10, 30), (30, 30), "left"), stroke((50, 30), (70, 30), "right")),
        (
            Tap(Point(10, 50), 0.005),
            Tap(Point(70, 50), 0.005),
            stroke((30, 50), (50, 50), "right"),
        ),
    ]
    assert found.steps[1].why == "row 2: 2 filled, 2 blank"
    assert found.steps[2].cells == (Square(2, 0), Square(2, 3), Square(2, 1), Square(2, 2))


def test_a_finished_board_needs_nothing() -> None:
    assert plan(reading("#### ##.. #..#"), SOLUTION).missing == 0


def test_blank_cells_that_are_not_painted_are_missing() -> None:
    found = plan(reading("#### ##?? #??#"), SOLUTION)

    assert found.missing == 4
    assert all(
        action.button == "right"
        for step in found.steps
        for action in step.actions
        if isinstance(action, Drag)
    )


def test_wrong_cells_are_painted_over() -> None:
    found = plan(reading("#.## ##.. ####"), SOLUTION)

    assert found.missing == 3
    assert [step.actions for step in found.steps] == [
        (Tap(Point(30, 10), 0.005),),
        (stroke((30, 50), (50, 50), "right"),),
    ]


def test_a_gap_of_right_cells_inside_a_run_is_painted_along() -> None:
    found = plan(reading("?##? ##.. #..#"), SOLUTION)

    assert found.missing == 2
    assert [step.actions for step in found.steps] == [(stroke((10, 10), (70, 10), "left"),)]


def test_columns_are_taken_where_they_need_fewer_strokes() -> None:
    found = plan(reading("?### ?#.. ?..#"), SOLUTION)

    assert [step.why for step in found.steps] == ["column 1: 3 filled"]
    assert found.steps[0].actions == (stroke((10, 10), (10, 50), "left"),)


def test_where_buttons_toggle_a_wrong_cell_is_cleared_first() -> None:
    found = plan(reading(".### ##.. #..#", ui="toggles"), SOLUTION)

    assert found.steps[0].actions == (
        Tap(Point(10, 10), 0.005, "right"),
        Tap(Point(10, 10), 0.005, "left"),
    )
