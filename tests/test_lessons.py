"""Learning a program that nobody told us about, where something goes wrong: nothing is pressed blindly, nothing left behind."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.actions import Action, Drag, Key, Move, Tap, points
from bot.clock import SimulatedClock
from bot.devices.practice import PracticeDevice
from bot.errors import NoProgress, Stopped
from bot.games import GAMES
from bot.play import Options, Outcome, play
from bot.practice import bridges as practice_bridges
from bot.practice.bridges import BridgesBoard
from bot.practice.nonogram import SKINS, NonogramBoard, practice
from bot.recording import Recording, RecordingDevice
from bot.replay import replay
from bot.screen import Screen
from bot.witness import recorded
from solver import nonogram
from solver.answer import Limits
from solver.lattice import Square
from tests.troubled import small_board
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.frame import Frame, Pixels, Point


class Gone(PracticeDevice):
    """After so many gestures the screen shows something else, for good."""

    after = 1

    def capture(self) -> Frame:
        frame = super().capture()
        pressed = sum(not isinstance(action, Move) for action in self.sent)
        return replace(frame, pixels=np.full_like(frame.pixels, 255)) if pressed >= self.after else frame


def bridges_board(**options: Any) -> BridgesBoard:
    board = practice_bridges.practice(random.Random(4), skin="paper", size=(6, 6), tile_px=32)
    return BridgesBoard(board.puzzle, practice_bridges.SKINS[options.pop("skin", "paper")], 32, **options)


def nonogram_board(skin: str = "web", seed: int = 4) -> NonogramBoard:
    return practice(random.Random(seed), skin=skin, size=(6, 6), tile_px=28)


def run(name: str, board: Any, device: PracticeDevice | None = None, **options: Any) -> Outcome:
    clock = SimulatedClock()
    shown = device or PracticeDevice(board, clock)
    return play(GAMES[name], board.profile, Screen(shown, clock), Options(**options))


@pytest.mark.parametrize(
    ("name", "after"), [("bridges", 1), ("bridges", 2), ("nonogram", 1), ("nonogram", 2)]
)
def test_nothing_follows_a_gesture_after_which_the_board_is_gone(name: str, after: int) -> None:
    board = bridges_board(gesture="between") if name == "bridges" else nonogram_board()
    if name == "nonogram":
        # What a second click does is learned where an entry has to be taken back.
        solution = nonogram.solve(board.puzzle).solution
        for cell in (*sorted(solution.filled)[::2], min(solution.blank)):
            board.act(Tap(board.centre(cell)), 0.0)
    clock = SimulatedClock()
    device = Gone(board, clock)
    device.after = after

    with pytest.raises(VisionError, match="to learn how this program is played the board cannot be read"):
        play(GAMES[name], board.profile, Screen(device, clock))

    assert sum(not isinstance(action, Move) for action in device.sent) == after


class SlowLooks(PracticeDevice):
    """Every picture takes so long."""

    look_s = 3.0

    def capture(self) -> Frame:
        self._clock.sleep(self.look_s)
        return super().capture()


@pytest.mark.parametrize("name", ["bridges", "nonogram"])
def test_a_lesson_succeeds_where_a_look_takes_longer_than_the_patience(name: str) -> None:
    board = bridges_board(gesture="taps") if name == "bridges" else nonogram_board()
    clock = SimulatedClock()
    device = SlowLooks(board, clock)

    outcome = play(GAMES[name], board.profile, Screen(device, clock))

    assert outcome.status == "verified" and board.solved()
    assert outcome.repaired == 0


class Menu:
    """A board in a browser: a right click opens a menu over it, and Escape closes it.

    rights: right clicks so far. What is pressed while the menu is open goes to the menu.
    """

    def __init__(self, board: Any) -> None:
        self.board = board
        self.at: Point | None = None
        self.rights = 0
        self.chosen = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.board, name)

    def render(self, now_s: float) -> Pixels:
        pixels = self.board.render(now_s)
        if self.at is not None:
            left, top = int(self.at.x), int(self.at.y)
            cv2.rectangle(pixels, (left, top), (left + 130, top + 150), (250, 250, 250), -1)
            for nth, word in enumerate(("Back", "Reload", "Save as", "Print", "Inspect")):
                cv2.putText(
                    pixels, word, (left + 8, top + 24 + 28 * nth), 0, 0.5, (20, 20, 20), 1, cv2.LINE_AA
                )
        return np.asarray(pixels)

    def act(self, action: Action, now_s: float) -> None:
        if isinstance(action, Key) and action.name == "escape":
            self.at = None
        elif isinstance(action, Tap | Drag) and action.button == "right":
            self.rights += 1
            self.at = points(action)[-1]
        elif self.at is not None and not isinstance(action, Move):
            self.chosen += 1
        else:
            self.board.act(action, now_s)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("skin", ["web", "paper"])
def test_a_browsers_menu_is_closed_and_never_opened_again(skin: str, seed: int) -> None:
    inner = practice(random.Random(seed), skin=skin, size=(6, 6), tile_px=28)
    board = Menu(inner)

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and inner.solved()
    assert (board.rights, board.chosen, board.at) == (1, 0, None)


# Half a cell of the board that hears of no release.
HALF_PX = 14


class Dragging(Menu):
    """A program that fills cells with every button, from the press on, and hears of no release while a menu is open.

    Until it hears of one, it fills the cells that the pointer passes.
    """

    held = False
    began: Point | None = None

    def render(self, now_s: float) -> Pixels:
        """While it hears of none, it shows how many cells it has filled, in the first of them."""
        pixels = super().render(now_s)
        if self.held and self.began is not None:
            cv2.circle(pixels, (round(self.began.x), round(self.began.y)), 9, (210, 120, 40), -1)
        return pixels

    def act(self, action: Action, now_s: float) -> None:
        if self.at is None and isinstance(action, Tap | Move):
            pressed = isinstance(action, Tap) and action.button == "right"
            if pressed or (self.held and self._is_free(action.at)):
                self.board.act(Tap(action.at), now_s)
                self.began = self.began or action.at
            self.held = pressed or (self.held and isinstance(action, Move))
        super().act(action, now_s)

    def _is_free(self, at: Point) -> bool:
        """Whether there is a cell that is not filled."""
        cells = (Square(row, col) for row in range(self.puzzle.height) for col in range(self.puzzle.width))
        near = [cell for cell in cells if math.dist(self.centre(cell), at) < HALF_PX]
        return bool(near) and near[0] not in self.picture.filled


def test_what_a_right_click_fills_under_a_menu_is_taken_back_at_once() -> None:
    inner = practice(random.Random(3), skin="web", size=(6, 6), tile_px=28)
    board = Dragging(inner)

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and inner.solved()
    assert (board.rights, board.chosen, board.at) == (1, 0, None)


@pytest.mark.parametrize(
    "stop", [KeyboardInterrupt(), Stopped("the mouse is in a corner")], ids=["ctrl-c", "corner"]
)
def test_a_run_that_stops_while_a_menu_is_open_closes_it(stop: BaseException) -> None:
    """Nothing else is sent after the stop."""
    inner = nonogram_board("paper")
    board = Menu(inner)

    class StoppedThere(PracticeDevice):
        asked = 0

        def capture(self) -> Frame:
            if board.at is not None:
                self.asked = len(self.sent)
                raise stop
            return super().capture()

    device = StoppedThere(board, SimulatedClock())
    with pytest.raises(type(stop)):
        run("nonogram", board, device)

    assert (board.rights, board.at) == (1, None)
    assert device.sent[device.asked :] == [Key("escape")]


@pytest.mark.parametrize("seed", range(3))
def test_a_program_that_looks_like_another_and_opens_a_menu_is_learned(seed: int) -> None:
    """It is drawn as Simon Tatham's, where the right button marks blank cells: the run ended with the menu open."""
    inner = practice(random.Random(seed), skin="sgt", size=(8, 7), tile_px=20)
    board = Menu(inner)

    outcome = run("nonogram", board)

    solution = GAMES["nonogram"].solve(inner.puzzle, Limits()).solution
    assert outcome.status == "verified" and inner.picture.filled == solution.filled
    assert board.at is None
    # The rest of the step that opened it, and those within 20 ms.
    assert board.chosen <= 4


def test_a_run_that_cannot_do_without_the_right_button_leaves_no_menu_behind() -> None:
    inner = small_board("unruly", 1)
    board = Menu(inner)

    with pytest.raises(NoProgress):
        run("unruly", board)

    assert board.at is None and board.chosen == 0


@pytest.mark.parametrize("name", ["unruly", "nonogram"])
def test_a_run_that_is_stopped_after_a_right_click_closes_the_menu(name: str) -> None:
    """Of a program whose right button is known by its look, but has not been seen to do what it should."""
    made = {"nonogram": lambda: practice(random.Random(1), skin="sgt", size=(8, 7), tile_px=20)}
    board = Menu(made.get(name, lambda: small_board(name, 1))())

    class StoppedThere(PracticeDevice):
        def capture(self) -> Frame:
            if board.at is not None:
                raise KeyboardInterrupt
            return super().capture()

    device = StoppedThere(board, SimulatedClock())
    with pytest.raises(KeyboardInterrupt):
        run(name, board, device)

    assert board.at is None
    assert device.sent[-1] == Key("escape")


def test_a_menu_over_bridges_is_closed_as_well() -> None:
    """A bridge too many is there, and the right button, the last way tried, only opens a menu."""
    made = practice_bridges.practice(random.Random(1), skin="paper", size=(7, 7), tile_px=32)
    inner = BridgesBoard(made.puzzle, practice_bridges.SKINS["paper"], 32)
    solution = GAMES["bridges"].solve(inner.puzzle, Limits()).solution
    extra = next(span for span in inner.puzzle.spans if span not in solution)
    inner.joins[extra] = 1
    board = Menu(inner)

    outcome = run("bridges", board)

    assert outcome.status == "verified" and inner.solved()
    assert (board.rights, board.chosen, board.at) == (0, 0, None)


class Highlighting(NonogramBoard):
    """Row and column of the cell that the pointer was on last are light, as in Picmi; filled cells have a relief."""

    at = Square(0, 0)

    def act(self, action: Action, now_s: float) -> None:
        for place in points(action)[-1:]:
            cell = self._cell_at(place)
            self.at = cell if self._inside(cell) else self.at
        super().act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        tile = self._sheet.tile
        for row in range(self.puzzle.height):
            for col in range(self.puzzle.width):
                cell = Square(row, col)
                middle = self.centre(cell)
                half = math.floor(0.42 * tile)
                x, y = int(middle.x), int(middle.y)
                inner = pixels[y - half : y + half, x - half : x + half]
                if cell in self.picture.filled:
                    cv2.rectangle(inner, (2, 2), (2 * half - 3, 2 * half - 3), (150, 150, 150), 2)
                elif row == self.at.row or col == self.at.col:
                    inner[:] = (inner * 0.3 + np.array((215, 250, 235)) * 0.7).astype(np.uint8)
        return pixels


@pytest.mark.parametrize("seed", range(3))
def test_a_program_that_highlights_a_row_and_a_column_is_learned(seed: int) -> None:
    """The light cells of the first row and column were taken for filled, and most others for strange."""
    made = practice(random.Random(seed), skin="web", size=(8, 7), tile_px=32)
    skin = replace(SKINS["web"], unknown=(70, 190, 150), background=(90, 200, 170), around=False, done=None)
    board = Highlighting(made.puzzle, skin, 32, (18, 20))

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and board.solved()


def test_a_light_row_whose_numbers_cannot_be_read_anew_is_no_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Picmi the numbers of finished lines are blue: the board with its first cross was taken for a menu."""
    made = practice(random.Random(1), skin="web", size=(8, 7), tile_px=32)
    skin = replace(SKINS["web"], unknown=(70, 190, 150), background=(90, 200, 170), around=False, done=None)
    board = Highlighting(made.puzzle, skin, 32, (18, 20))

    def unreadable(frame: Frame, profile: Any) -> Any:
        raise UncertainReading("the clues contradict each other")

    monkeypatch.setattr("bot.players.nonogram.learning.read", unreadable)

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and board.solved()


class Selecting(NonogramBoard):
    """Its second click is taken for a drag that selects numbers, white on blue, until the next press."""

    presses = 0

    def act(self, action: Action, now_s: float) -> None:
        self.presses += isinstance(action, Tap)
        if self.presses != 2:
            super().act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.presses != 2:
            return pixels
        corner, tile = self.centre(Square(0, 0)), self._sheet.tile
        left, top = int(corner.x - tile / 2) - 3, int(corner.y - tile / 2) - 3
        for part in (pixels[:top, left:], pixels[top : top + tile, :left]):
            ink = np.abs(part.astype(float) - self._skin.background).max(axis=2) / 200
            words = cv2.dilate((ink > 0.3).astype(np.uint8), np.ones((7, 9), np.uint8)) > 0
            selected = np.array((200, 90, 40)) * (1 - ink[..., None]) + 255 * ink[..., None]
            part[words] = np.clip(selected, 0, 255).astype(np.uint8)[words]
        return pixels


@pytest.mark.parametrize("seed", range(3))
def test_numbers_that_a_click_selects_are_still_the_same(seed: int) -> None:
    """A busy browser takes a click for a drag: the numbers could not be read any more, and the lesson ended."""
    made = nonogram_board(seed=seed)
    board = Selecting(made.puzzle, replace(SKINS["web"], around=False, done=None), 28, (18, 20))

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and board.solved()


@pytest.mark.parametrize("gesture", ["taps", "between"])
def test_bridges_that_only_look_like_simon_tathams_are_learned(gesture: str) -> None:
    board = bridges_board(skin="sgt", gesture=gesture)

    outcome = run("bridges", board)

    assert outcome.before.reading.ui == "sgt"
    assert outcome.status == "verified" and board.solved()


@pytest.mark.parametrize("clicks", ["toggles", "cycles"])
def test_a_nonogram_that_only_looks_like_simon_tathams_is_learned(clicks: Any) -> None:
    made = practice(random.Random(2), skin="sgt", size=(6, 6), tile_px=28)

    class OnlyTaps(NonogramBoard):
        def act(self, action: Action, now_s: float) -> None:
            if isinstance(action, Tap):
                super().act(action, now_s)

    board = OnlyTaps(made.puzzle, replace(SKINS["sgt"], clicks=clicks), 28, (18, 30))

    outcome = run("nonogram", board)

    assert outcome.before.reading.ui == "sgt"
    assert outcome.status == "verified" and board.solved()


class Shaded(NonogramBoard):
    """Dark cells: filled ones get darker towards a corner, crossed ones are lighter and hold a cross."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        half = math.floor(0.44 * self._sheet.tile)
        ramp = np.add.outer(np.arange(2 * half), np.arange(2 * half)) / (4 * half)
        for cell in (
            Square(row, col) for row in range(self.puzzle.height) for col in range(self.puzzle.width)
        ):
            middle = self.centre(cell)
            x, y = int(middle.x), int(middle.y)
            inner = pixels[y - half : y + half, x - half : x + half]
            inner[:] = (73, 54, 42)
            if cell in self.picture.filled:
                inner[:] = (
                    (73, 60, 54) * (1 - ramp[..., None]) + np.array((25, 7, 2)) * ramp[..., None]
                ).astype(np.uint8)
            elif cell in self.picture.blank:
                inner[:] = (112, 91, 77)
                third = half // 3
                for way in (-1, 1):
                    cv2.line(
                        pixels, (x - third, y - way * third), (x + third, y + way * third), (113, 113, 248), 2
                    )
        return pixels


class Veiled(Shaded):
    """Once it is solved a dark veil lies over everything."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        return (0.5 * pixels).astype(np.uint8) if self.solved() else pixels


@pytest.mark.parametrize("made_of", [Shaded, Veiled])
@pytest.mark.parametrize("clicks", ["cycles", "toggles"])
def test_a_cell_that_a_gradient_fills_is_not_taken_for_crossed(
    clicks: Any, made_of: type[NonogramBoard]
) -> None:
    """The cells with a cross were taken for filled: the board was told as solved."""
    made = practice(random.Random(3), skin="web", size=(6, 6), tile_px=38)
    cells = {"unknown": (73, 54, 42), "blank": (73, 54, 42), "filled": (49, 36, 29)}
    skin = replace(SKINS["night"], clicks=clicks, grid=(110, 94, 82), **cells)
    board = made_of(made.puzzle, skin, 38, (18, 20))

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and board.solved()


class CrossingOut(NonogramBoard):
    """What is left of a finished row becomes a blue cell with a relief and a cross, of the program's own accord."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        solution = GAMES["nonogram"].solve(self.puzzle, Limits()).solution
        half = math.floor(self._sheet.tile / 2)
        for row in range(self.puzzle.height):
            cells = [Square(row, col) for col in range(self.puzzle.width)]
            left = [cell for cell in cells if cell not in solution.filled]
            if not self.picture.filled.issuperset(set(cells) - set(left)):
                continue
            for x, y in (map(int, self.centre(cell)) for cell in left):
                inner = pixels[y - half : y + half, x - half : x + half]
                cell = (np.abs(inner.astype(int) - self._skin.background) > 9).any(axis=2)
                inner[cell] = (254, 151, 1)
                inner[-8:][cell[-8:]] = (140, 90, 10)
                for way in (-1, 1):
                    cv2.line(pixels, (x - 8, y - 3 - way * 8), (x + 8, y - 3 + way * 8), (90, 55, 10), 5)
        return pixels


def test_cells_that_a_program_crosses_out_in_another_colour_are_no_cover() -> None:
    """The first two of them were in doubt: few cells of a strong colour, crosses that a relief makes uneven."""
    made = practice(random.Random(0), skin="web", size=(8, 8), tile_px=40)
    colours = {"unknown": (253, 242, 233), "filled": (20, 136, 255), "background": (255, 200, 120)}
    skin = replace(SKINS["phone"], clicks="toggles", around=False, boxes=None, clue=(150, 80, 0), **colours)
    board = CrossingOut(made.puzzle, skin, 40, (18, 20))

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and board.solved()


class Swapped(NonogramBoard):
    """The left button crosses, and the right one fills."""

    def act(self, action: Action, now_s: float) -> None:
        if isinstance(action, Tap):
            action = replace(action, button="left" if action.button == "right" else "right")
        super().act(action, now_s)


@pytest.mark.parametrize("clicks", ["toggles", "sets"])
def test_a_nonogram_that_the_right_button_fills_is_learned(clicks: Any) -> None:
    made = nonogram_board("web")
    board = Swapped(made.puzzle, replace(SKINS["web"], clicks=clicks), 28, (18, 20))

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and board.solved()


class Spoilt(NonogramBoard):
    """Once everything is filled, crosses are drawn in a way that nobody can read."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.solved() and len(self.picture.blank) >= 2:
            for cell in self.picture.blank:
                x, y = (int(value) for value in self.centre(cell))
                pixels[y - 10 : y + 10, x - 10 : x] = self._skin.filled
                pixels[y - 10 : y + 10, x : x + 6] = (40, 40, 220)
        return pixels


def test_a_finished_board_that_a_cross_too_many_spoils_is_verified_all_the_same() -> None:
    made = nonogram_board("web", seed=3)
    skin = replace(SKINS["web"], done=None, around=False)
    board = Spoilt(made.puzzle, skin, 28, (18, 20))

    outcome = run("nonogram", board)

    assert outcome.status == "verified" and board.solved()


def test_a_run_that_took_a_step_back_is_replayed(tmp_path: Path) -> None:
    made = nonogram_board("web", seed=3)
    board = Spoilt(made.puzzle, replace(SKINS["web"], done=None, around=False), 28, (18, 20))
    game, clock, keep = GAMES["nonogram"], SimulatedClock(), Recording(tmp_path / "run")
    keep.board(game, board.profile)
    device = RecordingDevice(PracticeDevice(board, clock), keep)

    outcome = play(recorded(game, keep), board.profile, Screen(device, clock))
    device.close()

    assert outcome.status == "verified"
    assert replay(tmp_path / "run").difference is None


def test_a_lesson_whose_board_is_gone_says_so_in_two_lines() -> None:
    board = nonogram_board()
    clock = SimulatedClock()

    with pytest.raises(BoardNotFound) as told:
        play(GAMES["nonogram"], board.profile, Screen(Gone(board, clock), clock))

    assert "after" in str(told.value) and told.value.hint


def test_a_learned_board_that_is_covered_at_its_end_counts_only_what_had_to_be_entered() -> None:
    """This program wants no crosses: blank cells are neither seen in place nor missing."""
    made = nonogram_board("web", seed=3)

    class Covered(NonogramBoard):
        def render(self, now_s: float) -> Pixels:
            pixels = super().render(now_s)
            return np.full_like(pixels, 30) if self.solved() else pixels

    board = Covered(made.puzzle, replace(SKINS["web"], around=False), 28, (18, 20))
    solution = GAMES["nonogram"].solve(board.puzzle, Limits()).solution

    outcome = run("nonogram", board)

    assert outcome.status == "finished" and board.solved()
    assert f" of {len(solution.filled)} cells were seen in place" in outcome.remarks[-1]
