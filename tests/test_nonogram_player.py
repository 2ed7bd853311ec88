"""Entering a nonogram: from the cells on the screen to the picture."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np
import pytest

from bot.actions import Action, Drag, Key, Move, Tap
from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import InputFailed, NoProgress
from bot.games import GAMES
from bot.play import UNSAID, Options, Outcome, play
from bot.players.nonogram import plan
from bot.players.nonogram.entering import STATES
from bot.players.nonogram.learning import _Lesson, still
from bot.practice.nonogram import SKINS, NonogramBoard, practice
from bot.screen import Budget, Glance, Hands, Screen
from solver import nonogram
from solver.answer import Answer, Limits
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture, fast
from vision.errors import BoardNotFound
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.readers.nonogram.meanings import Meaning
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
    xs, ys = (range(a, b + 1, 20) or (a,) for a, b in zip(start, end, strict=True))
    taps = tuple(Point(x, y) for x in xs for y in ys)
    return Drag(path, 0.0, 0.01, "left" if button == "left" else "right", press_s=0.0, taps=taps)


def test_every_run_is_one_stroke_and_the_first_stroke_goes_alone() -> None:
    found = plan(reading("???? ???? ????"), SOLUTION)

    assert found.missing == 12
    assert [step.actions for step in found.steps] == [
        (stroke((10, 10), (70, 10), "left"),),
        (stroke((10, 30), (30, 30), "left"), stroke((50, 30), (70, 30), "right")),
        (
            Tap(Point(10, 50), 0.0),
            Tap(Point(70, 50), 0.0),
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
        (Tap(Point(30, 10), 0.0),),
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
    toggles: dict[str, Meaning] = {
        "left.free": "filled",
        "left.filled": "free",
        "right.free": "blank",
        "right.blank": "free",
    }
    facts = {f"move.{now}": float(STATES.index(to)) for now, to in toggles.items()}
    found = plan(replace(reading(".### ##.. #..#", ui="generic"), facts=facts), SOLUTION)

    assert found.steps[0].actions == (
        Tap(Point(10, 10), 0.02, "right"),
        Tap(Point(10, 10), 0.02, "left"),
        Move(Point(2, 2)),
    )


def test_where_nothing_has_been_learned_the_right_button_is_left_alone() -> None:
    """It may open a menu."""
    found = plan(reading("???? ???? ????", ui="generic"), SOLUTION)

    taps = [action for step in found.steps for action in step.actions if isinstance(action, Tap)]
    assert {tap.button for tap in taps} == {"left"}
    assert len(taps) == found.missing == len(SOLUTION.filled)


def seen(board: NonogramBoard) -> Reading[Nonogram, Picture]:
    """What a reader without faults tells of a practice board."""
    puzzle = board.puzzle
    cells = [Square(row, col) for row in range(puzzle.height) for col in range(puzzle.width)]
    height, width = board.render(0.0).shape[:2]
    centres = {cell: board.centre(cell) for cell in cells}
    return Reading(puzzle, board.picture, Geometry(centres, 20.0), {}, Box(0, 0, width, height), ui="sgt")


@pytest.mark.parametrize("skin", sorted(name for name, skin in SKINS.items() if skin.clicks == "sets"))
@pytest.mark.parametrize("size", [(5, 5), (12, 8), (20, 20)])
def test_a_practice_board_is_solved_by_the_strokes(skin: str, size: tuple[int, int]) -> None:
    board = practice(random.Random(f"{skin} {size}"), skin=skin, size=size)
    solution = nonogram.solve(board.puzzle).solution

    for step in plan(seen(board), solution).steps:
        for action in step.actions:
            board.act(action, 0.0)

    assert board.solved()
    assert plan(seen(board), solution).missing == 0


def test_a_wrong_practice_board_is_put_right() -> None:
    board = practice(random.Random(4), skin="sgt", size=(10, 10))
    solution = nonogram.solve(board.puzzle).solution
    for row in range(0, 10, 2):
        path = (board.centre(Square(row, 0)), board.centre(Square(row, 9)))
        board.act(Drag(path, button="left"), 0.0)

    for step in plan(seen(board), solution).steps:
        for action in step.actions:
            board.act(action, 0.0)

    assert board.solved()


def played(
    board: NonogramBoard, profile: Profile, faults: Faults | None = None
) -> tuple[Outcome, list[Profile]]:
    """A board played by what is seen of it, and what was learned."""
    clock, kept = SimulatedClock(), list[Profile]()
    screen = Screen(PracticeDevice(board, clock, faults or Faults()), clock)
    return play(GAMES["nonogram"], profile, screen, keep=kept.append), kept


@pytest.mark.parametrize("skin", sorted(SKINS))
def test_a_program_that_nobody_told_us_about_is_learned_by_a_few_clicks(skin: str) -> None:
    board = practice(random.Random(f"learn {skin}"), skin=skin, size=(8, 8), tile_px=30)

    outcome, kept = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified"
    assert board.solved()
    # The collection is known.
    assert len(kept) == (0 if skin == "sgt" else 1)


class MenuDevice(PracticeDevice):
    """A right click opens a menu of which nothing is seen; it is a window of its own, that no click goes through."""

    menu = False

    def act(self, actions: Sequence[Action]) -> None:
        for action in actions:
            if isinstance(action, Key):
                self.menu = False
            elif isinstance(action, Tap) and self.menu:
                raise InputFailed("the window is covered by another where a click should go")
            elif isinstance(action, Tap) and action.button == "right":
                self.menu = True
            else:
                super().act((action,))


def test_a_menu_that_no_cell_shows_is_closed_and_the_right_button_left_alone() -> None:
    board, clock = practice(random.Random(6), skin="web", size=(6, 6), tile_px=30), SimulatedClock()
    device = MenuDevice(board, clock, Faults())

    outcome = play(GAMES["nonogram"], Profile("nonogram", "default"), Screen(device, clock))

    assert outcome.status == "verified"
    assert not device.menu


class PlainMenu(NonogramBoard):
    """A right click opens a menu in the colour of empty cells; `pressed` is how often it was clicked."""

    menu: Point | None = None
    pressed = 0

    def act(self, action: Action, now_s: float) -> None:
        if isinstance(action, Tap):
            at, self.menu = self.menu, action.at if action.button == "right" else None
            self.pressed += at is not None and 0 <= action.at.x - at.x < 60 and 0 <= action.at.y - at.y < 60
            if self.menu is None and at is None:
                super().act(action, now_s)
        elif isinstance(action, Key):
            self.menu = None

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.menu is not None:
            x, y = round(self.menu.x), round(self.menu.y)
            pixels[y : y + 60, x : x + 60] = self._skin.unknown
        return pixels


def test_a_menu_that_looks_like_cells_is_closed_and_not_clicked() -> None:
    puzzle = practice(random.Random(6), skin="web", size=(6, 6)).puzzle
    board = PlainMenu(puzzle, replace(SKINS["web"], around=False, done=None), 30)

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert (outcome.status, board.pressed, board.menu) == ("verified", 0, None)


def with_a_mistake(board: NonogramBoard) -> NonogramBoard:
    """The board with half of its cells filled, and one that is to stay empty."""
    solution = nonogram.solve(board.puzzle).solution
    for cell in (*sorted(solution.filled)[::2], min(solution.blank)):
        board.act(Tap(board.centre(cell)), 0.0)
    return board


@pytest.mark.parametrize(("skin", "left"), [("web", "free"), ("phone", "blank")])
def test_what_a_second_click_does_is_learned_where_an_entry_has_to_be_taken_back(
    skin: str, left: str
) -> None:
    board = with_a_mistake(practice(random.Random(5), skin=skin, size=(6, 6), tile_px=30))

    _, kept = played(board, Profile("nonogram", "default"))

    assert STATES[int(kept[0].settings["move.left.filled"])] == left


def test_what_a_second_click_does_is_learned_before_another_solution_is_tried() -> None:
    board = NonogramBoard(
        nonogram.parse("4x4:1/1/1.1/2/1.1/2/1/1"), replace(SKINS["paper"], around=False), 40
    )

    outcome, kept = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and board.solved()
    assert STATES[int(kept[-1].settings["move.left.filled"])] == "filled"


class StrictBoard(NonogramBoard):
    """A filled cell that is clicked again becomes red, and stays so: a mistake."""

    mistakes = 0
    red: set[Square]

    def act(self, action: Action, now_s: float) -> None:
        cell = self._cell_at(action.at) if isinstance(action, Tap) else None
        if cell in self.picture.filled:
            self.mistakes += 1
            self.red.add(cell)
        else:
            super().act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        for x, y in map(self.centre, self.red):
            pixels[round(y) - 12 : round(y) + 13, round(x) - 12 : round(x) + 13] = (70, 70, 230)
        return pixels


@pytest.mark.parametrize("seed", range(3))
def test_a_cell_that_has_been_filled_is_not_clicked_again(seed: int) -> None:
    """What a second click does was learned on a right cell, and counted as four mistakes."""
    puzzle = practice(random.Random(seed), skin="web", size=(6, 6)).puzzle
    board = StrictBoard(puzzle, replace(SKINS["web"], around=False), 30)
    board.red = set()

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and board.solved()
    assert board.mistakes == 0


class PaleBoard(NonogramBoard):
    """Clicks lead from empty to crossed to filled, and then to empty cells that are paler than those that nobody clicked."""

    def __init__(self, puzzle: Nonogram) -> None:
        super().__init__(puzzle, replace(SKINS["paper"], unknown=(192, 192, 192), blank=(255, 255, 255)), 32)
        self._clicked: set[Square] = set()

    def act(self, action: Action, now_s: float) -> None:
        if not isinstance(action, Tap) or not self._inside(cell := self._cell_at(action.at)):
            return
        self._clicked.add(cell)
        after = {None: False, False: True, True: None}[self._cells.pop(cell, None)]
        if after is not None:
            self._cells[cell] = after

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        for at in map(self.centre, self._clicked - self._cells.keys()):
            x, y, half = round(at.x), round(at.y), self._sheet.tile // 2 - 2
            pixels[y - half : y + half, x - half : x + half] = self._skin.blank
        return pixels


@pytest.mark.parametrize("seed", range(3))
def test_cells_that_are_empty_again_may_look_otherwise_than_before_they_were_clicked(seed: int) -> None:
    board = PaleBoard(practice(random.Random(seed), size=(5, 5)).puzzle)

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and board.solved()


def test_a_cell_at_the_edge_of_the_picture_is_looked_at_where_it_is_seen() -> None:
    board = practice(random.Random(1), skin="paper", size=(5, 5), tile_px=32)
    device, clock = PracticeDevice(board, SimulatedClock(), Faults()), SimulatedClock()
    screen = Screen(device, clock)
    reading = GAMES["nonogram"].read(device.capture(), board.profile)
    cell, half = Square(0, 0), reading.geometry.pitch_px / 2
    at_edge = replace(reading, geometry=replace(reading.geometry, centres={cell: Point(half - 2, half - 2)}))
    hands = Hands(screen, Glance(device.capture(), reading), Budget(screen))

    px = _Lesson(at_edge, hands, {}, {})._px(cell)

    assert px.size and still(px, px)


class FadingBoard(NonogramBoard):
    """Every click leaves a bright spot over the cell that fades away."""

    spot: tuple[Point, float] | None = None

    def act(self, action: Action, now_s: float) -> None:
        super().act(action, now_s)
        if isinstance(action, Tap):
            self.spot = action.at, now_s

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.spot is not None:
            (x, y), since = self.spot
            share = 0.6 * max(0.0, 1 - (now_s - since) / FADE_S)
            part = pixels[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5]
            part[:] = np.round(part + share * (np.array((40, 200, 250)) - part)).astype(np.uint8)
        return pixels


FADE_S = 1.2


def test_a_cell_is_looked_at_when_what_a_click_left_on_it_has_faded() -> None:
    puzzle = practice(random.Random(11), skin="web", size=(8, 8)).puzzle
    board = with_a_mistake(FadingBoard(puzzle, SKINS["web"], 30))

    outcome, kept = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified"
    assert STATES[int(kept[0].settings["move.left.filled"])] == "free"


class LightingBoard(NonogramBoard):
    """What stands left of the cells has another ground as soon as something has been filled in."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.picture.filled:
            clues = pixels[:, : round(self.centre(Square(0, 0)).x) - 16]
            clues[:] = np.round(clues * np.array((1.0, 0.93, 0.75))).astype(np.uint8)
        return pixels


def test_a_program_that_lights_up_what_is_finished_stays_the_same_one() -> None:
    puzzle = practice(random.Random(11), skin="web", size=(8, 8)).puzzle

    outcome, kept = played(LightingBoard(puzzle, SKINS["web"], 30), Profile("nonogram", "default"))
    again, _ = played(LightingBoard(puzzle, SKINS["web"], 30), kept[0])

    assert (outcome.status, again.status) == ("verified", "verified")
    # Another board of it, not begun, is known by how it looked before.
    GAMES["nonogram"].read(Frame(NonogramBoard(puzzle, SKINS["web"], 30).render(0.0)), kept[0])


class JudgingBoard(NonogramBoard):
    """Compares every cell that is filled with its own solution: a wrong one gets a cross that stays."""

    wanted: Picture

    def act(self, action: Action, now_s: float) -> None:
        if not isinstance(action, Tap):
            return
        cell = self._cell_at(action.at)
        if not self._inside(cell) or (action.button == "left" and self._cells.get(cell) is False):
            return
        if action.button == "left" and cell not in self.wanted.filled:
            self._cells[cell] = False
            return
        super().act(action, now_s)


def test_the_solution_that_the_program_wants_is_found_among_several() -> None:
    """Its marks tell which one it is."""
    puzzle = nonogram.parse("4x4:1/1/1.1/2/1.1/2/1/1")
    answers = nonogram.solve(puzzle, Limits(unique=True))
    assert answers.unique is False and answers.second is not None
    for wanted in (answers.solution, answers.second):
        board = JudgingBoard(puzzle, SKINS["web"], 40)
        board.wanted = wanted

        outcome, _ = played(board, Profile("nonogram", "default"))

        assert outcome.status == "verified"
        assert outcome.answer is not None
        assert outcome.answer.solution.filled == board.picture.filled == wanted.filled


def test_what_the_program_refuses_tells_of_another_solution_that_no_search_has_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With what it has taken and refused another one is found at once, though of all cells none was within the limit."""
    puzzle = nonogram.parse("4x4:1/1/1.1/2/1.1/2/1/1")
    answers = nonogram.solve(puzzle, Limits(unique=True))
    assert answers.second is not None
    monkeypatch.setattr("bot.play.has_several", lambda *asked: False)
    game = replace(GAMES["nonogram"], another=lambda puzzle, known: None)
    for wanted in (answers.solution, answers.second):
        board, clock = JudgingBoard(puzzle, SKINS["web"], 40), SimulatedClock()
        board.wanted = wanted

        outcome = play(game, Profile("nonogram", "default"), Screen(PracticeDevice(board, clock), clock))

        assert outcome.status == "verified"
        assert board.picture.filled == wanted.filled


class StayingBoard(NonogramBoard):
    """What is filled stays filled."""

    def act(self, action: Action, now_s: float) -> None:
        if not (isinstance(action, Tap) and self._cells.get(self._cell_at(action.at))):
            super().act(action, now_s)


def test_no_other_solution_is_tried_where_the_cells_of_this_one_cannot_be_taken_back() -> None:
    """Cells of two solutions stood on the board, and that was told as its end."""
    puzzle = nonogram.parse("4x4:1/1/1.1/2/1.1/2/1/1")
    board = StayingBoard(puzzle, SKINS["web"], 40)

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and outcome.remarks == (UNSAID,)
    assert outcome.answer is not None
    assert board.picture.filled == outcome.answer.solution.filled


class ClosingBoard(NonogramBoard):
    """Once it was complete one more cell can be filled in; others can only be taken back."""

    full = False
    more = 1

    def act(self, action: Action, now_s: float) -> None:
        adds = isinstance(action, Tap) and not self._cells.get(self._cell_at(action.at))
        if self.full and adds:
            self.more -= 1
        if self.more >= 0 or not adds:
            super().act(action, now_s)
        self.full = self.full or self.solved()


def test_a_complete_board_that_the_next_solution_spoiled_is_not_finished() -> None:
    puzzle = nonogram.parse("4x4:1/1/1.1/2/1.1/2/1/1")
    board = ClosingBoard(puzzle, SKINS["web"], 40)

    with pytest.raises(NoProgress):
        played(board, Profile("nonogram", "default"))

    assert not board.solved()


class RefusingBoard(JudgingBoard):
    """It takes no cell that is not filled in its own solution, and says nothing of it."""

    def act(self, action: Action, now_s: float) -> None:
        if isinstance(action, Tap) and self._cell_at(action.at) in self.wanted.filled:
            super().act(action, now_s)


@pytest.mark.parametrize("machine", ["plain", "fast"])
def test_every_cell_that_was_refused_counts_for_the_next_solution(
    monkeypatch: pytest.MonkeyPatch, machine: str
) -> None:
    """Else two solutions are tried by turns, neither of which the program takes."""
    # The two machines come upon other solutions first.
    monkeypatch.setattr(fast, "is_loaded", lambda: machine == "fast")
    puzzle = nonogram.parse("8x8:1/1.1.1/1.1/1.1.2/1/1.1/1/1.4/1.2/1.2/1/2/1.1/1.1/1.1.1/2.1")
    board = RefusingBoard(puzzle, SKINS["web"], 24)
    board.wanted = picture("#..##... .#...##. .......# ..##.... .#.....# ...#...# ...#.#.# .##....#")

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified"
    assert board.picture.filled == board.wanted.filled


class TellingBoard(NonogramBoard):
    """Says in large letters below the board that it is solved, and takes no click from then on; of other pictures nothing."""

    wanted: Picture
    crosses = False

    def act(self, action: Action, now_s: float) -> None:
        if not self.over():
            super().act(action, now_s)

    def over(self) -> bool:
        rest = self.puzzle.height * self.puzzle.width - len(self.wanted.filled)
        crossed = not self.crosses or len(self.picture.blank) == rest
        return self.picture.filled == self.wanted.filled and crossed

    def render(self, now_s: float) -> Pixels:
        pixels = cv2.copyMakeBorder(super().render(now_s), 0, 80, 0, 0, cv2.BORDER_CONSTANT, value=(255,) * 3)
        if self.over():
            cv2.putText(pixels, "Solved!", (20, pixels.shape[0] - 25), 0, 1.4, (30, 120, 30), 3, cv2.LINE_AA)
        return np.asarray(pixels)

    def _flashing(self, now_s: float) -> bool:
        return False


B = TypeVar("B", bound=TellingBoard)


def of_several(kind: type[B], nth: int) -> B:
    """A board of 4x4 cells with two solutions, of which it wants the one."""
    puzzle = nonogram.parse("4x4:1/1/1.1/2/1.1/2/1/1")
    answers = nonogram.solve(puzzle, Limits(unique=True))
    board = kind(puzzle, replace(SKINS["web"], around=False), 40)
    board.wanted = (answers.solution, answers.second or answers.solution)[nth]
    return board


@pytest.mark.parametrize("crosses", [False, True])
@pytest.mark.parametrize("nth", [0, 1])
def test_a_program_that_says_nothing_of_one_solution_is_shown_the_other(nth: int, crosses: bool) -> None:
    """Crosses were tried instead, and the run told as verified."""
    board = of_several(TellingBoard, nth)
    board.crosses = crosses

    outcome, _ = played(board, Profile("nonogram", "default"))

    # With crosses nothing tells the two apart before the last one: the one that has just been tried is as good.
    assert outcome.status == "verified" and board.solved()
    assert crosses or board.over()
    assert outcome.remarks == (() if board.over() else (UNSAID,))
    assert outcome.answer is not None and outcome.answer.solution.filled == board.picture.filled


class LenientBoard(TellingBoard):
    """It is satisfied as soon as all that it wants is filled, whatever else is."""

    def over(self) -> bool:
        return self.wanted.filled <= self.picture.filled


@pytest.mark.parametrize("nth", [0, 1])
def test_one_solution_is_taken_away_before_the_other_is_filled(nth: int) -> None:
    """A program that took no further click stood there with a cell of each, which nobody could empty any more."""
    board = of_several(LenientBoard, nth)

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and outcome.remarks == ()
    assert board.picture.filled == board.wanted.filled


@pytest.mark.parametrize("wanted", [7, 8])
def test_a_cell_that_differs_between_many_solutions_is_not_in_vain(
    monkeypatch: pytest.MonkeyPatch, wanted: int
) -> None:
    """It had been filled and emptied for one after the other, which was counted as clicks that had no effect."""
    # The two machines come upon other solutions first.
    monkeypatch.setattr(fast, "is_loaded", lambda: False)
    puzzle = nonogram.parse(
        "10x10:2.1.1/1.1.3/2/2.1/1.1.2/1.4.3/1.7/2.1.1/1.1.1.1/1.2.1.1/"
        "1.1.2.1/1.2.1/1.1.1/1.3/1.4.1/1.2.2/2.1.1/2.6/1.2/1.3.1"
    )
    board = TellingBoard(puzzle, replace(SKINS["web"], around=False), 24)
    board.wanted = list(GAMES["nonogram"].solutions(puzzle))[wanted]

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and outcome.remarks == ()
    assert board.over()


class Timed(TellingBoard):
    """A clock stands beside its board, which says nothing of the picture."""

    ahead_s = 0.0

    def render(self, now_s: float) -> Pixels:
        pixels = cv2.copyMakeBorder(super().render(now_s), 0, 60, 0, 0, cv2.BORDER_CONSTANT, value=(255,) * 3)
        told = f"0:{int(now_s + self.ahead_s) % 60:02}"
        cv2.putText(pixels, told, (20, pixels.shape[0] - 15), 0, 1.4, (200, 30, 30), 3, cv2.LINE_AA)
        return np.asarray(pixels)


@pytest.mark.parametrize("ahead_s", [0.0, 0.25, 0.5, 0.75])
@pytest.mark.parametrize("nth", [0, 1])
def test_a_clock_beside_the_board_says_nothing_of_a_solution(nth: int, ahead_s: float) -> None:
    """It went on with the last entry, and the run told as verified what the program did not take."""
    board = of_several(Timed, nth)
    board.ahead_s = ahead_s

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and board.over()


class Late(TellingBoard):
    """Says so a moment after the last entry."""

    since: float | None = None
    in_vain = 0

    def act(self, action: Action, now_s: float) -> None:
        self.in_vain += self.over() and isinstance(action, Tap)
        super().act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        self.since = self.since or (now_s if self.over() else None)
        pixels = super().render(now_s)
        if self.since is not None and now_s - self.since < 0.4:
            pixels[-80:] = 255
        return pixels


def small(kind: type[B]) -> B:
    """A board of 8x8 cells that is played to the one picture that it wants."""
    puzzle = practice(random.Random(5), skin="web", size=(8, 8), tile_px=28).puzzle
    board = kind(puzzle, replace(SKINS["web"], around=False), 28)
    board.wanted = nonogram.solve(puzzle).solution
    return board


def test_a_program_that_says_late_that_it_is_solved_is_not_shown_crosses() -> None:
    board = small(Late)

    outcome, kept = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and not board.in_vain
    assert kept[-1].settings["entering.blanks"] == 0.0


class Losing(TellingBoard):
    """A right click costs the only life: what says so covers the board for good."""

    lost = False

    def act(self, action: Action, now_s: float) -> None:
        self.lost |= isinstance(action, Tap) and action.button == "right"
        super().act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.lost:
            pixels[:] = 40
            cv2.putText(pixels, "Game over", (20, 150), 0, 1.4, (230, 230, 230), 3, cv2.LINE_AA)
        return pixels


def test_the_right_button_is_left_alone_where_the_program_says_without_it_that_it_is_solved() -> None:
    board = small(Losing)

    outcome, kept = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and board.over() and not board.lost
    assert not any(key.startswith("move.right") for key in kept[-1].settings)


class Marking(NonogramBoard):
    """Marks the empty cells of a line that is done by a colour, of its own accord."""

    def act(self, action: Action, now_s: float) -> None:
        super().act(action, now_s)
        filled = nonogram.solve(self.puzzle).solution.filled
        rows, cols = range(self.puzzle.height), range(self.puzzle.width)
        lines = [[Square(row, col) for col in cols] for row in rows]
        for line in (*lines, *map(list, zip(*lines, strict=True))):
            if filled.intersection(line) <= self.picture.filled:
                self._cells.update(dict.fromkeys(set(line) - filled, False))


@pytest.mark.parametrize("seed", range(2))
def test_marks_that_the_program_makes_of_its_own_accord_stay_marks_when_the_board_is_complete(
    seed: int,
) -> None:
    """Then they were taken for cells left alone, which a cover might hide."""
    made = practice(random.Random(seed), skin="candy", size=(8, 8), tile_px=30)
    board = Marking(made.puzzle, replace(SKINS["candy"], around=False), 30, (18, 20))

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and board.solved()


def test_a_program_that_crosses_what_remains_of_a_line_is_learned_from_its_first_cell() -> None:
    board = Marking(nonogram.parse("4x4:3/1/2/1/1/1/4/1"), replace(SKINS["web"], around=False), 40)

    outcome, kept = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and board.solved()
    assert len(kept) == 1


class Congratulating(TellingBoard):
    """Says that it is solved in a dialog over the board."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.over():
            height, width = pixels.shape[:2]
            cv2.rectangle(pixels, (width // 6, height // 6), (width - 20, height - 40), (90, 90, 90), -1)
            cv2.putText(pixels, "Excellent!", (width // 4, height // 2), 0, 0.8, (250, 250, 250), 2)
        return pixels


def test_a_program_that_wants_crosses_and_then_covers_its_board_is_known_to_want_them() -> None:
    """The next board was told as verified without them, of which its program knew nothing."""
    made = practice(random.Random(5), skin="web", size=(8, 8), tile_px=28)
    board = Congratulating(made.puzzle, replace(SKINS["web"], around=False, done=None), 28)
    board.wanted, board.crosses = nonogram.solve(made.puzzle).solution, True

    outcome, kept = played(board, Profile("nonogram", "default"))

    assert outcome.status == "finished" and board.over()
    filled = len(board.wanted.filled)
    assert f"{filled} of {filled} cells were seen in place" in outcome.remarks[-1]
    assert kept[-1].settings["entering.blanks"] == 1.0


class Generous(Congratulating):
    """Is content while a few crosses are missing."""

    def over(self) -> bool:
        rest = self.puzzle.height * self.puzzle.width - len(self.wanted.filled)
        return self.picture.filled == self.wanted.filled and len(self.picture.blank) >= rest - 3


def test_a_board_that_is_covered_before_its_last_crosses_is_finished() -> None:
    made = practice(random.Random(5), skin="web", size=(8, 8), tile_px=28)
    skin = replace(SKINS["web"], around=False, done=None)
    boards = [Congratulating(made.puzzle, skin, 28), Generous(made.puzzle, skin, 28)]
    for board in boards:
        board.wanted, board.crosses = nonogram.solve(made.puzzle).solution, True
    known = played(boards[0], Profile("nonogram", "default"))[1][-1]

    clock = SimulatedClock()
    screen = Screen(PracticeDevice(boards[1], clock), clock)
    outcome = play(GAMES["nonogram"], known, screen, Options(speed="slow"))

    assert outcome.status == "finished" and boards[1].over()


def test_one_of_many_solutions_is_found_in_a_program_that_says_nothing_of_the_others() -> None:
    """Twice two cells may be exchanged."""
    puzzle = nonogram.parse("6x6:1/1/5/1.1/1/1/1/1/5/1.1/1/1")
    every = list(GAMES["nonogram"].solutions(puzzle))
    assert len(every) > 3 and len(set(every)) == len(every)
    assert all(not nonogram.check(puzzle, one) for one in every)
    for wanted in (every[0], every[2], every[3]):
        board = TellingBoard(puzzle, replace(SKINS["web"], around=False), 40)
        board.wanted = wanted

        outcome, _ = played(board, Profile("nonogram", "default"))

        assert outcome.status == "verified" and board.over()


class LateBoard(TellingBoard):
    """It takes a second to say so, and would take clicks all the same."""

    over_at: float | None = None
    changed_after = False

    def act(self, action: Action, now_s: float) -> None:
        NonogramBoard.act(self, action, now_s)
        if self.over_at is None and self.over():
            self.over_at = now_s
        self.changed_after |= self.over_at is not None and not self.over()

    def render(self, now_s: float) -> Pixels:
        late = self.over_at is not None and now_s > self.over_at + 1.0
        wanted, self.wanted = self.wanted, self.wanted if late else Picture(frozenset({Square(-1, -1)}))
        pixels = super().render(now_s)
        self.wanted = wanted
        return pixels


def test_a_program_that_says_late_that_it_is_solved_is_left_so() -> None:
    puzzle = nonogram.parse("4x4:1/1/1.1/2/1.1/2/1/1")
    board = LateBoard(puzzle, replace(SKINS["web"], around=False), 40)
    board.wanted = nonogram.solve(puzzle).solution

    outcome, _ = played(board, Profile("nonogram", "default"))

    assert outcome.status == "verified" and not board.changed_after


class FickleBoard(NonogramBoard):
    """As soon as all that is to be filled is, its right button fills every other time; of the end it says nothing."""

    fickle = 0

    def act(self, action: Action, now_s: float) -> None:
        full = len(self.picture.filled) == sum(map(sum, self.puzzle.rows))
        if isinstance(action, Tap) and action.button == "right" and (full or self.fickle):
            self.fickle += 1
            if self.fickle % 2 == 0:
                return
            action = replace(action, button="left")
        super().act(action, now_s)

    def _flashing(self, now_s: float) -> bool:
        return False


def test_a_solution_that_was_tried_is_no_other_one() -> None:
    """Else it would be tried again for ever, and nothing would be sent."""
    puzzle = nonogram.parse("5x5:1/3/3/5/1.1/2/2/4/4/1.1")
    answers, game = list[object](), GAMES["nonogram"]

    def solve(puzzle: Nonogram, limits: Limits) -> Answer[Picture]:
        answers.append(puzzle)
        assert len(answers) < 20
        return game.solve(puzzle, limits)

    board, clock = FickleBoard(puzzle, SKINS["web"], 40), SimulatedClock()
    screen = Screen(PracticeDevice(board, clock), clock)

    outcome = play(replace(game, solve=solve), Profile("nonogram", "default"), screen)

    assert outcome.status == "verified"


def test_what_was_learned_saves_the_test_clicks_the_next_time() -> None:
    boards = [practice(random.Random(7), skin="web", size=(8, 8), tile_px=30) for _ in range(2)]
    first, kept = played(boards[0], Profile("nonogram", "default"))

    second, again = played(boards[1], kept[0])

    assert second.status == "verified"
    assert boards[1].solved()
    assert second.actions < first.actions
    assert again == []


def test_a_program_is_not_taken_for_another_one() -> None:
    web, candy = (practice(random.Random(8), skin=skin, size=(8, 8), tile_px=30) for skin in ("web", "candy"))
    _, kept = played(web, Profile("nonogram", "default"))

    with pytest.raises(BoardNotFound):
        GAMES["nonogram"].read(Frame(candy.render(0.0)), kept[0])


def test_a_test_click_never_makes_a_cell_wrong() -> None:
    board = practice(random.Random(9), skin="web", size=(8, 8), tile_px=30)
    solution = nonogram.solve(board.puzzle).solution
    act, wrong = board.act, list[Picture]()

    def watched(action: Action, now_s: float) -> None:
        act(action, now_s)
        if board.picture.filled - solution.filled or board.picture.blank - solution.blank:
            wrong.append(board.picture)

    board.act = watched  # type: ignore[method-assign]
    played(board, Profile("nonogram", "default"))

    assert wrong == []


def test_practice_strokes_follow_the_longer_side_and_the_middle_button_clears() -> None:
    board = practice(random.Random(1), skin="sgt", size=(5, 5))

    board.act(Drag((board.centre(Square(1, 1)), board.centre(Square(2, 4))), button="right"), 0.0)
    board.act(Tap(board.centre(Square(1, 2)), button="middle"), 0.0)
    board.act(Tap(board.centre(Square(1, 3))), 0.0)

    assert board.picture == picture("????? ?.?#. ????? ????? ?????")


def test_the_same_seed_makes_the_same_practice_board() -> None:
    one, other = practice(random.Random(9)), practice(random.Random(9))

    assert one.puzzle == other.puzzle
    assert (one.render(0.0) == other.render(0.0)).all()


def test_a_board_of_the_collection_is_read_anew_once_and_in_its_flash() -> None:
    board, clock = practice(random.Random(5), skin="sgt", size=(10, 10)), SimulatedClock()
    game, reads = GAMES["nonogram"], list[Frame]()

    def read(frame: Frame, profile: Profile) -> Reading[Nonogram, Picture]:
        reads.append(frame)
        return game.read(frame, profile)

    outcome = play(replace(game, read=read), board.profile, Screen(PracticeDevice(board, clock), clock))

    assert outcome.status == "verified" and board.solved()
    assert len(reads) <= 2
