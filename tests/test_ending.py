"""What "verified" covers: a board that shows its end and takes it back, flashes it, hides it or is exchanged."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import cv2
import numpy as np
import pytest

from bot.actions import Action, Key, Tap
from bot.changed import lines_gone, untouched_cells
from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.drawn import drawn_small, drawn_strangely, drawn_unlike, drawn_weaker, marked_red
from bot.ending import boxed, mistaken, overlaid, spoiled, went
from bot.errors import NeverStill, NoProgress, PlayError, PuzzleChanged, WindowGone
from bot.games import GAMES
from bot.play import Options, Outcome, play
from bot.practice import bridges as bridges_practice
from bot.practice.lettering import Bgr, write
from bot.practice.nonogram import SKINS, NonogramBoard
from bot.practice.nonogram.skins import Skin
from bot.screen import Glance, Screen
from solver.answer import Limits
from solver.bridges import Bridges
from solver.errors import SearchLimit
from solver.lattice import Square
from tests.calls import calls_of
from tests.lies import HalfTaken, NeverTaken
from tests.seldom import few
from tests.toy import CELLS, LIT, TOY, Lights, LightsBoard, centre, practice
from tests.troubled import play_troubled, small_board
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.reading import Geometry, Reading


class Liar(LightsBoard):
    """The last action shows and is taken back after `back_s`, the first `times` times that the board is complete."""

    def __init__(self, puzzle: Lights, back_s: float, times: int = 1) -> None:
        super().__init__(puzzle)
        self._back_s, self._times = back_s, times
        self._back_at: tuple[float, frozenset[Square]] | None = None

    def render(self, now_s: float) -> Pixels:
        if self._back_at is not None and now_s >= self._back_at[0]:
            self.lit, self._back_at = set(self._back_at[1]), None
        return super().render(now_s)

    def act(self, action: Any, now_s: float) -> None:
        self.render(now_s)
        before = frozenset(self.lit)
        super().act(action, now_s)
        super().render(now_s)
        if self.solved() and self._times:
            self._times -= 1
            self._back_at = (now_s + self._back_s, before)


def run(board: Any, game: Any = TOY, faults: Faults | None = None, **options: Any) -> Outcome:
    clock = SimulatedClock()
    device = PracticeDevice(board, clock, faults)
    return play(game, board.profile, Screen(device, clock), Options(**options))


class ClosingDevice(PracticeDevice):
    """Its window goes when the board is solved, or when somebody closes it after a few actions."""

    after = 1000

    def capture(self) -> Frame:
        if self.board.solved() or not self.after:
            raise WindowGone("window 'Lights' is gone", hint="it was closed")
        return super().capture()

    def act(self, actions: Sequence[Action]) -> None:
        super().act(actions)
        self.after -= 1


def test_a_window_that_closes_with_the_last_entry_is_a_finished_board() -> None:
    clock = SimulatedClock()
    board = practice(random.Random(3))

    outcome = play(TOY, board.profile, Screen(ClosingDevice(board, clock), clock), Options())

    assert outcome.status == "finished" and board.solved()
    assert any("is gone" in remark for remark in outcome.remarks)


def test_a_window_that_closes_earlier_is_none() -> None:
    clock = SimulatedClock()
    board = practice(random.Random(3))
    device = ClosingDevice(board, clock)
    device.after = 1

    with pytest.raises(WindowGone):
        play(TOY, board.profile, Screen(device, clock), Options(speed="slow"))


@pytest.mark.parametrize("speed", ["slow", "normal", "fast"])
@pytest.mark.parametrize("back_s", [0.05, 0.2, 1.0, 2.0])
def test_a_last_step_that_is_taken_back_is_entered_again(back_s: float, speed: str) -> None:
    board = Liar(practice(random.Random(3)).puzzle, back_s)

    outcome = run(board, speed=speed)

    assert outcome.status == "verified" and board.solved()
    assert outcome.repaired == 1


def test_what_is_taken_back_later_needs_a_longer_settling_time() -> None:
    board = Liar(practice(random.Random(3)).puzzle, back_s=3.0)

    outcome = run(board, settle_s=4.0)

    assert outcome.status == "verified" and board.solved()


def test_a_program_that_has_taken_something_back_is_watched_for_twice_as_long() -> None:
    board = Liar(practice(random.Random(3)).puzzle, back_s=2.0, times=2)

    outcome = run(board)

    assert outcome.status == "verified" and board.solved()


class Flashing(LightsBoard):
    """Shows the solved picture for a moment, from so many s after the first action, though little is entered."""

    def __init__(self, puzzle: Lights, after_s: float, flash_s: float) -> None:
        super().__init__(puzzle)
        self._after_s, self._flash_s = after_s, flash_s
        self._first_s: float | None = None

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self._first_s is None or not 0 <= now_s - self._first_s - self._after_s < self._flash_s:
            return pixels
        for cell in CELLS:
            x, y = (int(value) for value in centre(cell))
            if cell in self.puzzle.wanted:
                pixels[y - 9 : y - 3, x - 9 : x - 3] = LIT
        return pixels

    def act(self, action: Any, now_s: float) -> None:
        self._first_s = now_s if self._first_s is None else self._first_s
        super().act(action, now_s)


@pytest.mark.parametrize("flash_s", [0.15, 0.6])
@pytest.mark.parametrize("after_s", [0.0, 0.1, 0.3, 0.7])
def test_a_flash_of_the_solved_picture_is_no_end(after_s: float, flash_s: float) -> None:
    board = Flashing(practice(random.Random(5)).puzzle, after_s, flash_s)

    outcome = run(board, speed="slow")

    assert outcome.status == "verified" and board.solved()


class Blinking(LightsBoard):
    """Its last light cannot be switched on: it only blinks, half of the time, as a mark for a mistake does."""

    def __init__(self, puzzle: Lights, period_s: float, phase: float) -> None:
        super().__init__(puzzle)
        self._last, self._period_s, self._phase = max(puzzle.wanted), period_s, phase
        self._blinks = False

    def render(self, now_s: float) -> Pixels:
        super().render(now_s)
        self._blinks |= self._last in self.lit
        self.lit.discard(self._last)
        if self._blinks and (now_s / self._period_s + self._phase) % 1 < 0.5:
            self.lit.add(self._last)
        pixels = super().render(now_s)
        self.lit.discard(self._last)
        return pixels


@pytest.mark.parametrize("period_s", [0.3, 0.4, 0.525, 0.7, 1.0, 1.5])
def test_a_light_that_blinks_is_not_on(period_s: float) -> None:
    """Whenever its blinking begins, some look falls where it is dark."""
    puzzle, game = practice(random.Random(5)).puzzle, replace(TOY, reread=lambda frame, _: reread(frame))

    def reread(frame: Frame) -> Any:
        return TOY.read(frame, LightsBoard.profile)

    for phase in range(10):
        with pytest.raises((NoProgress, NeverStill)):
            run(Blinking(puzzle, period_s, phase / 10), game, speed="fast")


def finished_when_lit(frame: Frame, profile: Profile) -> Any:
    """The toy's reader for a program that says itself when a board is finished."""
    reading = TOY.read(frame, profile)
    return replace(reading, finished=set(reading.placed) == reading.puzzle.wanted)


TELLING = replace(TOY, read=finished_when_lit)


class Exchanged(PracticeDevice):
    """After so many actions another board is shown, solved already."""

    after = 3

    def capture(self) -> Frame:
        assert isinstance(self.board, LightsBoard)
        if len(self.sent) == self.after:
            self.board.puzzle = Lights(frozenset({Square(0, 0), Square(3, 3)}))
            self.board.lit = set(self.board.puzzle.wanted)
        return super().capture()


@pytest.mark.parametrize("game", [TOY, TELLING], ids=["silent", "telling"])
def test_another_board_that_is_solved_already_is_not_ours(game: Any) -> None:
    board = practice(random.Random(5))
    clock = SimulatedClock()
    device = Exchanged(board, clock)

    with pytest.raises(PuzzleChanged):
        play(game, board.profile, Screen(device, clock), Options(speed="slow"))

    assert len(device.sent) == 3


@pytest.mark.parametrize("name", ["algemy", "rings"])
def test_a_finished_board_of_another_level_is_not_ours(name: str) -> None:
    game, board, other = GAMES[name], small_board(name, 4), small_board(name, 5)
    clock = SimulatedClock()
    play(game, other.profile, Screen(PracticeDevice(other, clock), clock))
    assert other.solved()

    class Swapped(PracticeDevice):
        def capture(self) -> Frame:
            if len(self.sent) >= 6:
                self.board = other
            return super().capture()

    with pytest.raises(PuzzleChanged):
        play(game, board.profile, Screen(Swapped(board, clock), clock), Options(speed="slow"))


class Covered(LightsBoard):
    """Once it is solved, `cover` makes of the picture what is shown from then on."""

    def __init__(self, puzzle: Lights, cover: Callable[[Pixels], Pixels], after_s: float = 0.0) -> None:
        super().__init__(puzzle)
        self._cover, self._after_s = cover, after_s
        self._solved_at: float | None = None

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self._solved_at is None and self.solved():
            self._solved_at = now_s
        covered = self._solved_at is not None and now_s >= self._solved_at + self._after_s
        return self._cover(pixels) if covered else pixels


def black(pixels: Pixels) -> Pixels:
    return np.zeros_like(pixels)


def dimmed(pixels: Pixels) -> Pixels:
    return np.asarray(np.rint(0.4 * pixels.astype(float)), np.uint8)


def whitened(pixels: Pixels) -> Pixels:
    return np.asarray(np.rint(0.3 * pixels.astype(float) + 0.7 * 255), np.uint8)


@pytest.mark.parametrize("after_s", [0.0, 0.5])
@pytest.mark.parametrize("speed", ["slow", "fast"])
def test_a_board_that_is_covered_for_good_at_its_end_is_finished(speed: str, after_s: float) -> None:
    board = Covered(practice(random.Random(5)).puzzle, black, after_s)

    outcome = run(board, speed=speed)

    assert outcome.status == "finished" and board.solved()
    seen = 7 if after_s else 6 if speed == "slow" else 1
    assert outcome.verified == seen
    left = "the last one was" if seen == 6 else f"the last {7 - seen} were"
    words = "none was seen to be taken back" if after_s else f"{left} entered and not seen"
    assert f"{seen} of 7 cells were seen in place, {words}" in outcome.remarks[-1]
    assert "no lights" in outcome.remarks[-1]


def half_covered(pixels: Pixels) -> Pixels:
    """Something comes up over the first row of cells."""
    shown = pixels.copy()
    shown[:30] = 240
    return shown


@pytest.mark.parametrize("seed", range(3))
def test_what_was_seen_in_place_before_the_board_went_was_taken(seed: int) -> None:
    """Of the last steps some show earlier than others: later they look as at that look, and not as before it."""
    board, clock = Covered(practice(random.Random(5)).puzzle, half_covered), SimulatedClock()
    device = PracticeDevice(board, clock, Faults(jitter_s=2.0), seed=seed)

    outcome = play(TOY, board.profile, Screen(device, clock), Options(speed="fast"))

    assert outcome.status == "finished" and board.solved()


def test_the_last_step_goes_alone_where_the_program_may_have_wanted_another_solution() -> None:
    several = replace(TOY, solve=lambda puzzle, limits: replace(TOY.solve(puzzle, limits), unique=False))
    board = Covered(practice(random.Random(5)).puzzle, black)

    outcome = run(board, several, speed="fast")

    assert (outcome.status, outcome.verified) == ("finished", 6)


def test_another_solution_that_is_seen_at_once_counts_where_the_search_for_one_takes_too_long() -> None:
    def solve(puzzle: Lights, limits: Limits) -> Any:
        if limits.unique:
            raise SearchLimit("too many choices")
        return TOY.solve(puzzle, limits)

    seen = []
    for another in (None, {}):
        several = replace(TOY, solve=solve, another=lambda puzzle, known, other=another: other)
        outcome = run(Covered(practice(random.Random(5)).puzzle, black), several, speed="fast")
        seen.append(outcome.verified)

    # The last step goes alone.
    assert seen[0] < seen[1] == 6


def test_a_board_that_cannot_be_read_with_the_entries_of_two_solutions_has_not_gone() -> None:
    """It had been seen complete, and was left with a part of another solution that was tried, as finished."""
    board = LightsBoard(practice(random.Random(5)).puzzle)
    ours = set(board.puzzle.wanted)
    other = {*sorted(ours)[2:], *[cell for cell in CELLS if cell not in ours][:2]}
    looks = 0

    def read(frame: Frame, profile: Profile) -> Any:
        nonlocal looks
        reading = TOY.read(frame, profile)
        looks += bool(set(reading.placed) - ours)
        if looks > 1:
            raise BoardNotFound("no lights")
        return reading

    several = replace(
        TOY,
        solve=lambda puzzle, limits: replace(TOY.solve(puzzle, limits), unique=False),
        solutions=lambda puzzle: iter([dict.fromkeys(other, "lit")]),
        said=lambda frames, reading: False,
        read=read,
    )

    with pytest.raises(BoardNotFound):
        run(board, several, speed="slow")

    assert board.lit not in (ours, other)


def test_other_solutions_are_looked_for_in_choices_and_not_by_the_clock() -> None:
    asked: list[Limits] = []

    def solve(puzzle: Any, limits: Limits) -> Any:
        asked.append(limits)
        return TOY.solve(puzzle, limits)

    run(LightsBoard(practice(random.Random(5)).puzzle), replace(TOY, solve=solve), speed="fast")

    assert [limits.seconds for limits in asked if limits.unique] == [None]
    assert all(limits.choices for limits in asked if limits.unique)


def nearly_black(pixels: Pixels) -> Pixels:
    return np.asarray(np.rint(0.08 * pixels.astype(float) + 8), np.uint8)


def test_entries_that_look_gone_beneath_a_dark_cover_are_not_entered_again() -> None:
    empty = practice(random.Random(5))

    def read(frame: Frame, profile: Profile) -> Any:
        """Under a cover that leaves so little all lamps look dark."""
        return TOY.read(Frame(empty.render(0.0)) if frame.pixels.max() < 64 else frame, profile)

    board = Covered(empty.puzzle, nearly_black)

    outcome = run(board, replace(TOY, read=read, reread=lambda frame, earlier: None), speed="fast")

    assert outcome.status == "finished" and board.solved()


class Strict(LightsBoard):
    """It counts the third right entry as a mistake too many, and covers the board."""

    def render(self, now_s: float) -> Pixels:
        shown = super().render(now_s)
        return black(shown) if len(self.lit) > 2 else shown


def test_a_board_that_goes_before_the_last_step_is_not_finished() -> None:
    several = replace(TOY, solve=lambda puzzle, limits: replace(TOY.solve(puzzle, limits), unique=False))

    with pytest.raises(BoardNotFound):
        run(Strict(practice(random.Random(5)).puzzle), several, speed="fast")


def smaller(pixels: Pixels) -> Pixels:
    return np.ascontiguousarray(pixels[::2, ::2])


def test_a_board_that_was_seen_complete_before_its_picture_became_too_small_is_finished() -> None:
    board = Covered(practice(random.Random(5)).puzzle, smaller, 0.5)

    outcome = run(board)

    assert outcome.status == "finished" and board.solved()
    assert "7 of 7 cells were seen in place" in outcome.remarks[-1]


def test_a_covered_board_of_a_program_that_takes_every_solution_is_finished() -> None:
    game = play_troubled("flip", 1259, "covered")

    assert (game.ended, game.solved) == ("finished", True)


class Modal(LightsBoard):
    """After its third action a dialog lies over the upper half, and nothing below it takes a click any more."""

    def __init__(self, puzzle: Lights) -> None:
        super().__init__(puzzle)
        self._actions = 0

    def act(self, action: Any, now_s: float) -> None:
        self._actions += 1
        if self._actions <= 3:
            super().act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self._actions >= 3:
            pixels[: len(pixels) // 2] = 250
        return pixels


def test_a_board_that_is_half_seen_and_did_not_take_the_last_steps_is_not_finished() -> None:
    with pytest.raises(BoardNotFound):
        run(Modal(practice(random.Random(5)).puzzle), speed="fast")


@pytest.mark.parametrize("seed", range(4))
def test_a_board_that_has_not_taken_one_bridge_is_not_finished_because_of_one_in_doubt(seed: int) -> None:
    """What has changed on it are its own bridges, and no cover."""
    board = bridges_practice.practice(random.Random(seed), size=(7, 7))
    frame = Frame(board.render(0.0))
    seen = Glance(frame, GAMES["bridges"].read(frame, board.profile))
    solution = GAMES["bridges"].solve(seen.reading.puzzle, Limits()).solution
    *taken, doubtful, _lost = solution
    for span in (*taken, doubtful):
        board.joins[span] = solution[span]
    shown = Frame(board.render(0.0))
    error = UncertainReading("they cannot be counted", cells=doubtful)
    right = set(solution.items())

    assert not went(error, seen, shown, right, set(), right, set())
    assert went(error, seen, Frame(255 - shown.pixels), right, set(), right, set())


@pytest.mark.parametrize("seed", range(3))
def test_a_message_over_cells_that_were_right_leaves_a_board_complete(seed: int) -> None:
    """What keeps within them may be a mark for a mistake, and what was sent last has to be seen."""
    board = bridges_practice.practice(random.Random(seed), size=(7, 7))
    read = partial(GAMES["bridges"].read, profile=board.profile)
    board.joins.update(GAMES["bridges"].solve(board.puzzle, Limits()).solution)
    whole = read(Frame(board.render(0.0))).placed
    last, count = max(board.joins.items())
    del board.joins[last]
    seen = Glance(frame := Frame(board.render(0.0)), read(frame))
    board.joins[last], last = count, max(whole)
    hidden = next(span for span in whole if span.a.col == span.b.col and span != last)
    (ax, ay), (bx, by) = (seen.reading.geometry.centres[at] for at in hidden)
    x, y, wide = round((ax + bx) / 2), round((ay + by) / 2), round(1.2 * seen.reading.geometry.pitch_px)
    marked, told = board.render(0.0), board.render(0.0)
    marked[y - 3 : y + 4, x - 3 : x + 4] = 0, 200, 0
    told[y - 3 : y + 4, max(0, x - wide) : x + wide] = 0, 200, 0

    under = overlaid({hidden}, seen, Frame(told), {last}, read)

    assert under is not None and under.placed == whole
    assert overlaid({hidden}, seen, Frame(marked), {last}, read) is None
    assert overlaid({hidden}, seen, Frame(told), {hidden}, read) is None


class TellingBoard(bridges_practice.BridgesBoard):
    """A board of Bridges that lays something over the upper part of its picture once it has its last bridge.

    how: a "box" with a frame, "nothing" but the ground, or "words". takes: whether the last bridge is then seen.
    """

    def __init__(self, puzzle: Bridges, how: str, takes: bool = True) -> None:
        super().__init__(puzzle)
        self._how, self._takes = how, takes
        self._before: dict[Any, int] = {}

    def act(self, action: Any, now_s: float) -> None:
        if not self.solved():
            before = dict(self.joins)
            super().act(action, now_s)
            self._before = before

    def render(self, now_s: float) -> Pixels:
        if not self.solved():
            return super().render(now_s)
        whole = self.joins
        self.joins = whole if self._takes else self._before
        pixels = super().render(now_s)
        self.joins = whole
        high, wide = pixels.shape[:2]
        rows, cols = slice(high // 8, high // 2), slice(wide // 8, 7 * wide // 8)
        if self._how != "words":
            pixels[rows, cols] = pixels[0, 0]
        if self._how == "box":
            cv2.rectangle(pixels, (cols.start, rows.start), (cols.stop, rows.stop), (90, 40, 40), 2)
        if self._how != "nothing":
            write(pixels, "600000", Point(wide / 2, (2.5 * high) // 8), high / 9, (0, 180, 0))
        return pixels


@pytest.mark.parametrize("how, seed", [*(("box", seed) for seed in range(4)), ("words", 0), ("words", 4)])
def test_a_message_over_a_part_of_a_board_of_bridges_leaves_it_complete(how: str, seed: int) -> None:
    board = TellingBoard(bridges_practice.practice(random.Random(seed), size=(10, 10)).puzzle, how)

    outcome = run(board, GAMES["bridges"])

    assert outcome.status == "finished" and board.solved()


@pytest.mark.parametrize("how, takes", [("box", False), ("words", False), ("nothing", True)])
@pytest.mark.parametrize("seed", range(3))
def test_a_board_of_bridges_that_has_lost_some_is_none(how: str, takes: bool, seed: int) -> None:
    board = TellingBoard(bridges_practice.practice(random.Random(seed), size=(10, 10)).puzzle, how, takes)

    with pytest.raises((VisionError, PlayError)):
        run(board, GAMES["bridges"])


def solved_nonogram() -> tuple[NonogramBoard, Glance]:
    """A small nonogram with all of its filled cells, and a look at it."""
    made = GAMES["nonogram"].practice(random.Random(3), size=(8, 8), tile_px=30, skin="web")  # type: ignore[call-arg]
    board = NonogramBoard(made.puzzle, replace(SKINS["web"], around=False), 30, (18, 20))
    for cell in GAMES["nonogram"].solve(board.puzzle, Limits()).solution.filled:
        board.act(Tap(board.centre(cell)), 0.0)
    frame = Frame(board.render(0.0))
    return board, Glance(frame, GAMES["nonogram"].read(frame, board.profile))


def painted(board: NonogramBoard, seen: Glance, cells: Collection[Square], half: int, colour: Bgr) -> Frame:
    """The look with these cells painted so far from their middles."""
    pixels = seen.frame.pixels.copy()
    for at in map(board.centre, cells):
        x, y = round(at.x), round(at.y)
        pixels[y - half : y + half + 1, x - half : x + half + 1] = colour
    return Frame(pixels)


BLOCK = [Square(row, col) for row in (2, 3, 4) for col in (1, 2, 3, 4)]


def test_a_dialog_that_hides_nothing_but_cells_in_doubt_is_an_end_and_marks_in_them_are_none() -> None:
    board, seen = solved_nonogram()
    error = UncertainReading("they are hidden", cells=tuple(BLOCK))

    dialog, marks = (painted(board, seen, BLOCK, half, (250, 250, 250)) for half in (16, 9))

    assert went(error, seen, dialog, set(), set(), set(), set())
    assert not went(error, seen, marks, set(), set(), set(), set())


@pytest.mark.parametrize("entered", [True, False])
def test_a_board_whose_lines_go_as_it_is_complete_has_gone_whatever_is_made_of_its_numbers(
    entered: bool,
) -> None:
    board, whole = solved_nonogram()
    centres, half = whole.reading.geometry.centres, round(whole.reading.geometry.pitch_px / 2)
    last = set(sorted(whole.reading.placed.filled)[-4:])
    shown = board.render(0.0)
    for cell in last:
        board.act(Tap(board.centre(cell)), 0.0)
    frame = Frame(board.render(0.0))
    seen = Glance(frame, GAMES["nonogram"].read(frame, board.profile))
    (left, top), (right, bottom) = (
        (round(at.x), round(at.y)) for at in (min(centres.values()), max(centres.values()))
    )
    shown = shown if entered else frame.pixels.copy()
    inner = shown.copy()
    # Some of them do: without them all, nothing of the board is drawn as it was.
    for x, y in ((round(at.x), round(at.y)) for cell, at in centres.items() if cell.row % 3):
        inner[y - half : y + half, x - half : x + half] = inner[y, x]
    shown[top:bottom, left:right] = inner[top:bottom, left:right]
    wanted, meant = ({(cell, "#") for cell in cells} for cells in (whole.reading.placed.filled, last))

    error = UncertainReading("the clues contradict each other: row 5 needs 11 cells and has 8")
    assert went(error, seen, Frame(shown), meant, set(), wanted, wanted - meant) == entered


@pytest.mark.parametrize("cut", [np.s_[:150, :150], np.s_[40:]])
def test_a_picture_of_another_size_has_no_message_over_the_board(cut: Any) -> None:
    _, seen = solved_nonogram()
    shown = Frame(np.ascontiguousarray(seen.frame.pixels[cut]))

    def read(frame: Frame) -> Reading[Any, Any]:
        return seen.reading

    assert boxed(seen, shown, read) is None
    assert overlaid(set(BLOCK), seen, shown, set(), read) is None


def test_a_dialog_in_the_colour_of_filled_cells_is_no_mistake_in_the_cells_that_it_hides() -> None:
    board, seen = solved_nonogram()
    right = set(GAMES["nonogram"].entries(GAMES["nonogram"].solve(board.puzzle, Limits()).solution).items())

    dialog, filled = (painted(board, seen, BLOCK, half, board._skin.filled) for half in (16, 13))

    assert not mistaken(seen, dialog, right, right, ".")
    assert mistaken(seen, filled, right, right, ".")


def test_a_board_on_which_the_next_solution_was_begun_has_not_gone_with_its_numbers() -> None:
    """It was told as finished, with the entries of two solutions on it, where a program hides its numbers at the end."""
    board, seen = solved_nonogram()
    first = board.centre(Square(0, 0))

    begun, dialog = (painted(board, seen, BLOCK, half, board._skin.filled) for half in (13, 16))
    begun.pixels[: round(first.y) - 17] = board._skin.background

    assert went(BoardNotFound("no numbers"), seen, begun, set(), set(), set(), set())
    assert spoiled(seen, begun)
    assert not spoiled(seen, dialog)


@pytest.mark.parametrize("drawn", ["half", "red", "noise"])
@pytest.mark.parametrize("name", few(("algemy", "flip", "nonogram", "rings", "unruly"), 2))
def test_a_board_on_which_one_cell_is_strange_has_not_gone(name: str, drawn: str) -> None:
    """What the last moves changed in other cells and on the lines around their own ones was taken for a dialog."""
    for seed in range(2):
        board, clock = HalfTaken(small_board(name, seed), drawn), SimulatedClock()

        with pytest.raises((VisionError, PlayError)):
            play(GAMES[name], board.profile, Screen(PracticeDevice(board, clock), clock))


@pytest.mark.parametrize("name", few(("solo", "towers", "range", "unequal", "filling"), 3))
def test_a_complete_board_on_which_the_program_marks_a_mistake_is_not_verified(name: str) -> None:
    """It was believed as it was read; the program says that something is wrong."""
    board, clock = HalfTaken(small_board(name, 0), "error"), SimulatedClock()

    with pytest.raises(NoProgress, match="the program marks"):
        play(GAMES[name], board.profile, Screen(PracticeDevice(board, clock), clock))


@pytest.mark.parametrize("drawn", few(("pale", "red", "noise"), 1))
def test_a_digit_on_a_block_in_a_colour_that_digits_do_not_have_is_not_verified(drawn: str) -> None:
    for seed in range(3):
        board, clock = HalfTaken(small_board("towers", seed), drawn), SimulatedClock()

        with pytest.raises((VisionError, NoProgress)):
            play(GAMES["towers"], board.profile, Screen(PracticeDevice(board, clock), clock))


@pytest.mark.parametrize("drawn", ["pale", "paler", "half", "noise", "error"])
def test_a_bridge_that_is_not_drawn_as_others_are_is_not_verified(drawn: str) -> None:
    """A preview, a move that waits for something more, and a mistake were read as the bridge that it would become."""
    for seed in range(3):
        board, clock = HalfTaken(small_board("bridges", seed), drawn), SimulatedClock()

        with pytest.raises((VisionError, NoProgress)):
            play(GAMES["bridges"], board.profile, Screen(PracticeDevice(board, clock), clock))


@pytest.mark.parametrize("name", few(("solo", "keen", "unequal", "filling"), 2))
def test_a_number_of_half_the_size_of_others_is_not_verified(name: str) -> None:
    """What these programs draw as a note, and any of them while it grows, was read as the number itself."""
    for seed in range(2):
        board, clock = HalfTaken(small_board(name, seed), "small"), SimulatedClock()

        with pytest.raises(NoProgress, match="smaller than others alike"):
            play(GAMES[name], board.profile, Screen(PracticeDevice(board, clock), clock))


@pytest.mark.parametrize(
    ("name", "drawn"),
    few(
        [
            (name, "three quarters")
            for name in (
                "solo",
                "mosaic",
                "tents",
                "lightup",
                "filling",
                "slant",
                "towers",
                "keen",
                "unequal",
            )
        ]
        + [(name, "moved") for name in ("filling", "towers")],
        2,
    ),
)
def test_an_entry_of_another_form_or_place_than_others_alike_is_not_verified(name: str, drawn: str) -> None:
    """One that is on its way to its place or size was read as the entry itself."""
    board, clock = HalfTaken(small_board(name, 0), drawn), SimulatedClock()

    with pytest.raises(NoProgress, match="in another way, as if they were not taken"):
        play(GAMES[name], board.profile, Screen(PracticeDevice(board, clock), clock))


@pytest.mark.parametrize(
    ("name", "drawn"),
    few(
        [
            *((name, "sign") for name in ("lightup", "towers", "unequal")),
            *((name, "wave") for name in ("filling", "slant", "towers", "unequal")),
        ],
        [("unequal", "sign"), ("slant", "wave")],
    ),
)
def test_an_entry_beside_which_something_red_is_drawn_is_not_verified(name: str, drawn: str) -> None:
    """The entry itself looked as others do, and what the program says of it was not seen."""
    board, clock = HalfTaken(small_board(name, 0), drawn), SimulatedClock()

    with pytest.raises(NoProgress, match="in another way, as if they were not taken"):
        play(GAMES[name], board.profile, Screen(PracticeDevice(board, clock), clock))


@pytest.mark.parametrize(("sides", "marked"), [([20] * 4, True), ([20] * 2, False), ([20, 20, 18, 20], True)])
def test_something_red_in_one_cell_is_a_mark_and_in_others_none(sides: list[int], marked: bool) -> None:
    """A game may have one red thing, or more, and a red frame may tell which cell is chosen."""
    first, look, entries = boxes_of([(side, 0) for side in sides])

    def told(*where: tuple[int, int, int, int], blue: int = 30, red: Sequence[int] = (220, 220)) -> set[Any]:
        drawn = look.frame.pixels.copy()
        for (left, top, right, bottom), ruddy in zip(where, red, strict=False):
            drawn[top:bottom, left:right] = blue, blue, ruddy
        return marked_red(first, replace(look, frame=Frame(drawn, 0.0)), entries)

    sign, frame = (80, 16, 86, 22), [(55, 15, 85, 17), (55, 43, 85, 45), (55, 15, 57, 45), (83, 15, 85, 45)]
    assert told(sign) == ({Square(0, 1)} if marked else set())
    assert told((60, 20, 80, 40)) == ({Square(0, 1)} if marked else set())
    assert told() == told(sign, (40, 16, 46, 22)) == told(*frame, red=[220] * 4) == set()
    # Entries that are all dark red, and one a little more than the others.
    assert told((60, 20, 80, 40), (20, 20, 40, 40), blue=0, red=(101, 97)) == set()


def boxes_of(
    sides: Sequence[tuple[int, int]], levels: Sequence[int] = ()
) -> tuple[Glance, Glance, dict[Any, str]]:
    """A row of empty cells of 40 px, the same with a dark box in each, and what they hold.

    sides: of each box, px, and how far it lies beside the middle. levels: by how many each cell is darker than the first.
    """
    empty = np.full((60, 20 + 40 * len(sides), 3), 240, np.uint8)
    drawn = empty.copy()
    centres = {Square(0, col): Point(30.0 + 40 * col, 30.0) for col in range(len(sides))}
    for col, darker in enumerate(levels):
        drawn[10:50, 10 + 40 * col : 50 + 40 * col] -= np.uint8(darker)
    for at, (side, beside) in zip(centres.values(), sides, strict=True):
        left, top = round(at.x) + beside - side // 2, round(at.y) - side // 2
        drawn[top : top + side, left : left + side] = 40
    reading: Reading[Any, Any] = Reading("", {}, Geometry(centres, 40.0), {}, Box(0, 0, 1, 1))
    first, look = (Glance(Frame(pixels, 0.0), reading) for pixels in (empty, drawn))
    return first, look, dict.fromkeys(centres, "lamp")


@pytest.mark.parametrize("odd", [(15, 0), (20, 6), (0, 0), (28, 0)])
def test_one_entry_is_unlike_others_in_size_or_place_where_those_are_alike(odd: tuple[int, int]) -> None:
    first, look, entries = boxes_of([(20, 0), odd, (20, 1), (20, 0)])
    away = look.reading.geometry.centres | {Square(0, 0): Point(30.0, 33.0)}
    moved = replace(look.reading, geometry=Geometry(away, 40.0))

    assert drawn_unlike(first, look, entries) == {Square(0, 1)}
    assert drawn_unlike(replace(first, reading=moved), look, entries) == set()
    assert drawn_unlike(first, look, {at: entries[at] for at in list(entries)[:2]}) == set()
    assert drawn_unlike(first, look, entries | {Square(0, 1): "mark"}) == set()
    # What stood in a cell at first may hide what is entered there.
    clued = first.frame.pixels.copy()
    clued[15:45, 55:85] = 100
    assert drawn_unlike(replace(first, frame=Frame(clued, 0.0)), look, entries) == set()


@pytest.mark.parametrize(
    ("sides", "levels"),
    [
        ([(20, 0), (20, 1), (20, 0), (20, 0)], ()),
        ([(20, 0), (18, 0), (20, 0), (20, 0)], ()),
        # Two forms, each of some cells, and none of any two cells.
        ([(20, 0), (14, 0), (20, 0), (14, 0)], ()),
        ([(20, 0), (15, 0), (24, 0), (11, 0)], ()),
        # What reaches beyond its cell is more than an entry.
        ([(20, 0), (20, 12), (20, 0), (20, 0)], ()),
        # A cell that is chosen, and one in shade.
        ([(20, 0), (20, 0), (20, 0), (20, 0)], (0, 60, 0, 20)),
    ],
)
def test_entries_are_not_unlike_others_by_a_px_their_ground_or_what_lies_over_them(
    sides: list[tuple[int, int]], levels: tuple[int, ...]
) -> None:
    assert drawn_unlike(*boxes_of(sides, levels)) == set()


def numbers_of(heights: Sequence[float]) -> tuple[Glance, dict[Any, str]]:
    """A row of cells of 40 px with a stroke in each, of such a height in px, and what they hold."""
    drawn = np.full((60, 20 + 40 * len(heights), 3), 240, np.uint8)
    centres = {Square(0, col): Point(30.0 + 40 * col, 30.0) for col in range(len(heights))}
    for at, height in zip(centres.values(), heights, strict=True):
        x, top = round(at.x), round(at.y - height / 2)
        drawn[top : top + round(height), x - 2 : x + 3] = 40
    reading: Reading[Any, Any] = Reading("", {}, Geometry(centres, 40.0), {}, Box(0, 0, 1, 1))
    return Glance(Frame(drawn, 0.0), reading), dict.fromkeys(centres, "1")


@pytest.mark.parametrize("heights", [(20, 20, 20, 20), (20, 13, 20, 13, 20), (20, 20, 10), (20, 20, 20, 40)])
def test_figures_of_an_old_form_are_not_small_nor_one_that_has_too_few_beside_it(heights: Any) -> None:
    """The last one reaches beyond its cell: it is no number alone."""
    assert drawn_small(*numbers_of(heights)) == set()


def test_one_number_is_small_beside_three_others() -> None:
    look, entries = numbers_of((20, 10, 20, 20))

    assert drawn_small(look, entries) == {Square(0, 1)}
    assert drawn_small(look, entries | {Square(0, 0): "12", Square(0, 1): "12"}) == set()
    assert drawn_small(look, dict.fromkeys(entries, "lamp")) == set()


@pytest.mark.parametrize(("name", "seed"), few([("mosaic", 0), ("unruly", 1), ("lightup", 0), ("net", 1)], 2))
def test_a_last_cell_that_is_still_seen_empty_beside_a_dialog_is_no_end(name: str, seed: int) -> None:
    """Beyond the lines around it neighbours had taken what was sent for them: it was not seen to be as before."""
    board, clock = HalfTaken(small_board(name, seed), "dialog"), SimulatedClock()

    with pytest.raises((VisionError, NoProgress)):
        play(GAMES[name], board.profile, Screen(PracticeDevice(board, clock), clock))


def test_what_shows_inside_a_cell_is_seen_though_others_reach_into_its_square() -> None:
    """Neighbours of a hex have a part of the square around it; so has what meets a bridge at its ends."""
    first, look, _ = spans_of((1, 1))
    cell, span = Square(0, 0), (Square(1, 0), Square(1, 2))
    before = look.frame.pixels.copy()
    before[26:35, 26:35] = 90
    now = before.copy()
    now[:14, :14] = now[60:80, 20:40] = 30
    seen = replace(look, frame=Frame(before, 0.0))

    assert untouched_cells(seen, Frame(now, 0.0), {cell, span}) == {cell, span}
    assert untouched_cells(first, Frame(now, 0.0), {cell, span}) == set()
    now[28:33, 28:33] = now[66:70, 60:100] = 200
    assert untouched_cells(seen, Frame(now, 0.0), {cell, span}) == set()


class Fading(NeverTaken):
    """One whose last entry stands for a while, and fades away within a second."""

    def __init__(self, board: Any, stands_s: float) -> None:
        super().__init__(board)
        self._stands_s = stands_s
        self._shown: tuple[float, Pixels, Pixels] | None = None

    def left_out(self, old: Pixels, new: Pixels, now_s: float) -> None:
        self._shown = now_s, old.astype(float), new.astype(float)

    def render(self, now_s: float) -> Pixels:
        if self._shown is None:
            return np.asarray(self.board.render(now_s))
        since_s, old, new = self._shown
        left = min(1.0, max(0.0, 1 - (now_s - since_s - self._stands_s)))
        return np.asarray(np.rint(old + left * (new - old)), np.uint8)


@pytest.mark.parametrize(
    ("name", "seed"), few([("bridges", 1), ("rings", 1), ("nonogram", 0), ("unruly", 0)], 1)
)
def test_an_entry_that_begins_to_fade_while_the_board_settles_is_watched_to_its_end(
    name: str, seed: int
) -> None:
    """Half of a bridge was left at the last look, and was believed."""
    board, clock = Fading(small_board(name, seed), stands_s=1.6), SimulatedClock()

    with pytest.raises(NoProgress):
        play(GAMES[name], board.profile, Screen(PracticeDevice(board, clock), clock))


def test_entries_that_sparkle_for_ever_are_watched_for_longer_and_believed() -> None:
    """Each is drawn with less at times, and never another way."""
    board, clock = Sparkling(small_board("bridges", 1)), SimulatedClock()

    outcome = play(GAMES["bridges"], board.profile, Screen(PracticeDevice(board, clock), clock))

    assert outcome.status == "verified"


class Sparkling:
    """A practice board that draws what is entered now weaker, now stronger, in less than two seconds."""

    def __init__(self, board: Any) -> None:
        self.board, self._empty = board, board.render(0.0).astype(float)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.board, name)

    def render(self, now_s: float) -> Pixels:
        share = 0.9 + 0.1 * np.cos(2 * np.pi * now_s / 1.9)
        return np.asarray(np.rint(self._empty + share * (self.board.render(now_s) - self._empty)), np.uint8)


class Begun:
    """A practice board that shows its first picture for good once it is solved."""

    def __init__(self, board: Any) -> None:
        self.board, self._first = board, board.render(0.0).copy()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.board, name)

    def render(self, now_s: float) -> Pixels:
        return self._first if self.board.solved() else np.asarray(self.board.render(now_s))


@pytest.mark.parametrize("name", few(("magnets", "bridges", "algemy"), 1))
def test_a_board_that_looks_as_at_first_lies_under_no_dark_cover(name: str) -> None:
    """Its dominoes are hardly darker than the ground: what had stood in them was taken for gone beneath a cover."""
    board, clock = Begun(small_board(name, 0)), SimulatedClock()

    with pytest.raises(NoProgress):
        play(GAMES[name], board.profile, Screen(PracticeDevice(board, clock), clock))


class Hovered:
    """A practice board that draws what stands around the pointer at half of its strength."""

    def __init__(self, board: Any) -> None:
        self.board, self._empty, self._pointer = board, board.render(0.0).copy(), Point(0.0, 0.0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.board, name)

    def act(self, action: Action, now_s: float) -> None:
        self._pointer = getattr(action, "at", self._pointer)
        self.board.act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = self.board.render(now_s).copy()
        x, y = map(round, self._pointer)
        under = np.s_[max(0, y - 60) : y + 60, max(0, x - 60) : x + 60]
        pixels[under] = np.rint(0.5 * pixels[under] + 0.5 * self._empty[under])
        return pixels


@pytest.mark.parametrize("seed", [0, 1, 3, 9])
def test_a_bridge_that_is_paler_under_the_pointer_is_taken_all_the_same(seed: int) -> None:
    board, clock = Hovered(small_board("bridges", seed)), SimulatedClock()

    outcome = play(GAMES["bridges"], board.profile, Screen(PracticeDevice(board, clock), clock))

    assert outcome.status == "verified"


def spans_of(inks: Sequence[float]) -> tuple[Glance, Glance, dict[Any, int]]:
    """Pairs of cells 80 px apart, the same with a line between those of each, so much of it drawn, and what they hold."""
    empty = np.full((20 + 40 * len(inks), 140, 3), 240, np.uint8)
    drawn = empty.copy()
    centres = {
        Square(row, col): Point(30.0 + 40 * col, 30.0 + 40 * row)
        for row in range(len(inks))
        for col in (0, 2)
    }
    for row, ink in enumerate(inks):
        drawn[28 + 40 * row : 33 + 40 * row, 40:100] = round(240 - 200 * ink)
    reading: Reading[Any, Any] = Reading("", {}, Geometry(centres, 40.0), {}, Box(0, 0, 1, 1))
    spans = {(Square(row, 0), Square(row, 2)): 1 for row in range(len(inks))}
    return Glance(Frame(empty, 0.0), reading), Glance(Frame(drawn, 0.0), reading), spans


@pytest.mark.parametrize("inks", [(1, 1, 1, 1), (0.8, 0.8, 0.8), (1, 0.9, 1), (1, 0.3), (0, 0, 0)])
def test_bridges_that_are_all_alike_are_not_weak_nor_one_that_has_too_few_beside_it(inks: Any) -> None:
    first, look, spans = spans_of(inks)

    assert drawn_weaker(first, look, spans) == set()


def test_a_pale_bridge_is_weak_also_beside_another_one_but_not_where_the_board_has_moved() -> None:
    first, look, spans = spans_of((1, 0.3, 1, 1, 0.4))
    at = look.reading.geometry.centres | {Square(0, 0): Point(30.0, 33.0)}
    elsewhere = replace(look.reading, geometry=Geometry(at, 40.0))

    assert drawn_weaker(first, look, spans) == {span for span in spans if span[0].row in (1, 4)}
    assert drawn_weaker(replace(first, reading=elsewhere), look, spans) == set()


def test_a_bridge_is_strange_in_red_among_others_and_in_many_colours_and_no_other_is() -> None:
    first, look, spans = spans_of((1, 1, 1, 0.4))
    themed, planked, marked, grainy = (look.frame.pixels.copy() for _ in range(4))
    drawn = look.frame.pixels[..., 0] < 240
    themed[drawn] = 30, 40, 200
    planked[drawn] = np.random.default_rng(1).integers(0, 256, (int(drawn.sum()), 3))
    line = np.s_[68:73, 40:100]
    marked[line] = 30, 40, 200
    grainy[line] = np.random.default_rng(1).integers(0, 256, (5, 60, 3))

    def strange(pixels: Pixels) -> set[int]:
        return {a.row for a, _ in drawn_strangely(first, replace(look, frame=Frame(pixels, 0.0)), spans)}

    # Lines that fall between two px differ a little, and of a dark red some reach what is red for certain.
    dark = np.where(drawn[..., None], np.uint8((0, 0, 97)), look.frame.pixels)
    dark[line] = 0, 0, 101

    assert strange(look.frame.pixels) == strange(themed) == strange(planked) == strange(dark) == set()
    assert strange(marked) == strange(grainy) == {1}


def test_a_bridge_is_of_one_colour_where_as_much_of_another_one_went() -> None:
    """By the sum of all its px nothing had changed, and in no colour."""
    first, look, spans = spans_of((1, 1, 1, 1))
    crossed = first.frame.pixels.copy()
    # Four columns of 25 px by 90 levels are as much as 5 rows of 9 px by 200, of which all are compared.
    crossed[10:50, 68:72] = 150

    assert drawn_strangely(replace(first, frame=Frame(crossed, 0.0)), look, spans) == set()


def test_a_line_between_two_px_is_not_weak() -> None:
    first, look, spans = spans_of((1, 1, 1, 1))
    pixels = np.full_like(look.frame.pixels, 240)
    for row in range(4):
        pixels[30 + 40 * row, 40:100] = 40
    # As much ink, in two rows of px.
    pixels[110:112, 40:100] = 140

    assert drawn_weaker(first, replace(look, frame=Frame(pixels, 0.0)), spans) == set()


class Smeared(LightsBoard):
    """From its third light on all cells are lit; without a dark one its reader does not find the board."""

    def render(self, now_s: float) -> Pixels:
        super().render(now_s)
        if len(self.lit) >= 3:
            self.lit = set(CELLS)
        return super().render(now_s)

    @staticmethod
    def read(frame: Frame, profile: Profile) -> Any:
        reading = TOY.read(frame, profile)
        if len(reading.placed) == len(CELLS):
            raise BoardNotFound("no lights")
        return reading


def test_a_board_whose_cells_took_what_was_not_meant_for_them_is_not_finished() -> None:
    board = Smeared(practice(random.Random(5)).puzzle, appears_s=0.5)

    with pytest.raises(BoardNotFound):
        run(board, replace(TOY, read=Smeared.read), speed="fast")


@pytest.mark.parametrize("cover", [dimmed, whitened])
def test_a_board_that_can_be_seen_through_its_cover_is_verified(cover: Callable[[Pixels], Pixels]) -> None:
    board = Covered(practice(random.Random(5)).puzzle, cover)

    outcome = run(board)

    assert (outcome.status, outcome.verified) == ("verified", 7)


class Ending(PracticeDevice):
    """Shows something else from the moment on at which the board is solved."""

    ended_s: float | None = None

    def __init__(self, board: Any, clock: SimulatedClock, shown: Callable[[Pixels, float], Pixels]) -> None:
        super().__init__(board, clock)
        self._shown = shown

    def capture(self) -> Frame:
        frame = super().capture()
        if self.ended_s is None and self.board.solved():
            self.ended_s = frame.taken_at
        if self.ended_s is None:
            return frame
        return replace(frame, pixels=self._shown(frame.pixels, frame.taken_at - self.ended_s))


def whitening(pixels: Pixels, for_s: float) -> Pixels:
    left = max(0.35, 1.0 - for_s)
    return np.asarray(np.rint(left * pixels.astype(float) + (1.0 - left) * 255), np.uint8)


def greyed(pixels: Pixels, for_s: float) -> Pixels:
    return np.asarray(0.5 * pixels + 60, np.uint8)


@pytest.mark.parametrize("cover", [whitening, greyed])
def test_a_veil_over_a_board_whose_every_cell_was_just_entered_is_looked_through(
    cover: Callable[[Pixels, float], Pixels],
) -> None:
    """Of the cells that the last look shows hardly one has kept its colour: what is beside them tells the veil."""
    board = GAMES["nonogram"].practice(random.Random(41), size=(8, 7), tile_px=20, skin="sgt")  # type: ignore[call-arg]
    clock = SimulatedClock()

    outcome = play(GAMES["nonogram"], board.profile, Screen(Ending(board, clock, cover), clock))

    assert (outcome.status, outcome.verified) == ("verified", 56)


def ended(seed: int, skin: Skin, cover: Callable[[Pixels, float], Pixels]) -> tuple[str, bool]:
    """How play ends on a small nonogram that covers itself so when it is complete, and whether it is solved."""
    made = GAMES["nonogram"].practice(random.Random(seed), size=(6, 6), tile_px=32, skin="web")  # type: ignore[call-arg]
    board, clock = NonogramBoard(made.puzzle, skin, 32, (18, 20)), SimulatedClock()
    outcome = play(GAMES["nonogram"], board.profile, Screen(Ending(board, clock, cover), clock))
    return outcome.status, board.solved()


def lightly_veiled(pixels: Pixels, for_s: float) -> Pixels:
    """A tenth darker, and a small white dialog over cells in the middle of the board."""
    shown = np.asarray(np.rint(0.9 * pixels.astype(float)), np.uint8)
    top, left = shown.shape[0] * 5 // 9, shown.shape[1] * 5 // 9
    cv2.rectangle(shown, (left, top), (left + 80, top + 42), (0, 0, 0), 1)
    cv2.rectangle(shown, (left + 1, top + 1), (left + 79, top + 41), (255, 255, 255), -1)
    cv2.putText(shown, "Winner!", (left + 8, top + 26), 0, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    return shown


@pytest.mark.parametrize("seed", range(3))
def test_a_light_veil_with_a_dialog_over_some_cells_is_an_end(seed: int) -> None:
    """So light a veil is no change of any px by itself, and the dialog leaves cells in doubt."""
    status, solved = ended(seed, replace(SKINS["web"], done=None, around=False), lightly_veiled)

    assert status == "finished" and solved


def darkly_veiled(pixels: Pixels, for_s: float) -> Pixels:
    """A fifth of the light is left, and a white dialog lies over most of the board."""
    shown = np.asarray(np.rint(0.2 * pixels.astype(float)), np.uint8)
    height, width = shown.shape[:2]
    shown[height * 4 // 9 : height * 8 // 9, width * 4 // 9 : width * 8 // 9] = 255
    return shown


@pytest.mark.parametrize("seed", range(3))
def test_a_veil_under_which_empty_cells_look_as_filled_ones_did_is_an_end(seed: int) -> None:
    """Lines and numbers are so dark that the veil hardly changes them."""
    skin = replace(SKINS["web"], done=None, around=False, clue=(8, 6, 4), grid=(10, 8, 6))

    status, solved = ended(seed, skin, darkly_veiled)

    assert status == "finished" and solved


class Night(NonogramBoard):
    """A dark board on a large dark page."""

    def render(self, now_s: float) -> Pixels:
        page = [round(value) for value in self._skin.background]
        return cv2.copyMakeBorder(super().render(now_s), 0, 600, 0, 800, cv2.BORDER_CONSTANT, value=page)


def dark_over_the_board(left: float, pixels: Pixels) -> Pixels:
    """A veil over the board alone that leaves so much of it, with words over two rows of cells."""
    shown = pixels.copy()
    board = shown[:-600, :-800]
    board[:] = np.rint(left * board.astype(float)).astype(np.uint8)
    middle = int(0.62 * len(board))
    for size, thick, word in ((0.9, 3, "SOLVED!"), (0.5, 1, "Time: 0:14")):
        cv2.putText(board, word, (board.shape[1] // 2, middle), 0, size, (90, 230, 120), thick, cv2.LINE_AA)
        middle += 30
    return shown


class Framed(Night):
    """One with faint lines and a bright frame around its cells."""

    def frame(self, shown: Pixels) -> Pixels:
        first, last = self.centre(Square(0, 0)), self.centre(Square(4, 4))
        near, far = (round(first.x) - 13, round(first.y) - 13), (round(last.x) + 13, round(last.y) + 13)
        return cv2.rectangle(shown, near, far, (90, 230, 120), 2)

    def render(self, now_s: float) -> Pixels:
        return self.frame(super().render(now_s))


def test_a_dark_veil_beneath_the_frame_of_a_small_board_is_an_end() -> None:
    """The frame stays as it was, and is a large part of all the lines."""
    made = GAMES["nonogram"].practice(random.Random(1), size=(5, 5), tile_px=26, skin="night")  # type: ignore[call-arg]
    skin = replace(
        SKINS["night"], clicks="toggles", unknown=(56, 44, 38), filled=(130, 225, 75), grid=(76, 64, 58)
    )
    board, clock = Framed(made.puzzle, skin, 26, (18, 20)), SimulatedClock()

    def veiled(pixels: Pixels, for_s: float) -> Pixels:
        return board.frame(dark_over_the_board(0.3, pixels))

    outcome = play(GAMES["nonogram"], board.profile, Screen(Ending(board, clock, veiled), clock))

    assert outcome.status == "finished" and board.solved()


@pytest.mark.parametrize("left", [0.4, 0.5])
@pytest.mark.parametrize("button", [False, True])
def test_a_dark_veil_over_a_dark_board_alone_is_an_end(left: float, button: bool) -> None:
    """Next to nothing changes beside the cells but lines and numbers, and a button has the colour of filled cells."""
    made = GAMES["nonogram"].practice(random.Random(1), size=(8, 8), tile_px=32, skin="night")  # type: ignore[call-arg]
    page = (20, 16, 15) if button else SKINS["night"].background
    skin = replace(
        SKINS["night"], clicks="toggles", background=page, unknown=(56, 44, 38), filled=(130, 225, 75)
    )
    board, clock = Night(made.puzzle, skin, 32, (18, 20)), SimulatedClock()

    def veiled(pixels: Pixels, for_s: float) -> Pixels:
        shown = dark_over_the_board(left, pixels)
        if button:
            first, last = board.centre(Square(2, 0)), board.centre(Square(3, 7))
            shown[int(first.y) - 12 : int(last.y), int(first.x) : int(last.x)] = skin.filled
        return shown

    outcome = play(GAMES["nonogram"], board.profile, Screen(Ending(board, clock, veiled), clock))

    assert outcome.status == "finished" and board.solved()


def half_grey(pixels: Pixels) -> Pixels:
    """Half of a dark grey over everything, and a message over numbers and a part of the first row."""
    shown = np.asarray(np.rint(0.5 * pixels.astype(float) + 9), np.uint8)
    cv2.rectangle(shown, (10, 60), (shown.shape[1] - 10, 146), (18, 18, 18), -1)
    cv2.rectangle(shown, (10, 60), (shown.shape[1] - 10, 146), (250, 250, 250), 1)
    cv2.putText(shown, "SOLVED in 0:02", (90, 130), 0, 0.4, (250, 250, 250), 1, cv2.LINE_AA)
    return shown


@pytest.mark.parametrize("seed", range(3))
def test_cells_that_look_as_one_seen_filled_and_as_no_blank_one_are_filled(seed: int) -> None:
    """They differ so little from blank ones that beneath a veil they seem to be as they were, however pale."""
    board, clock = faint_board(seed), SimulatedClock()

    def shown(pixels: Pixels, for_s: float) -> Pixels:
        return half_grey(pixels)

    outcome = play(GAMES["nonogram"], board.profile, Screen(Ending(board, clock, shown), clock))

    assert outcome.status == "finished" and board.solved()


@pytest.mark.parametrize("seed", range(3))
def test_a_cell_that_looks_as_blank_ones_beneath_a_cover_is_not_filled(seed: int) -> None:
    board, clock = faint_board(seed), SimulatedClock()
    last = max(GAMES["nonogram"].solve(board.puzzle, Limits()).solution.filled)
    at = board.centre(last)

    def shown(pixels: Pixels, for_s: float) -> Pixels:
        covered = half_grey(pixels)
        covered[int(at.y) - 14 : int(at.y) + 14, int(at.x) - 14 : int(at.x) + 14] = 19
        return covered

    with pytest.raises((VisionError, PlayError)):
        play(GAMES["nonogram"], board.profile, Screen(Ending(board, clock, shown), clock))


def faint_board(seed: int) -> NonogramBoard:
    """One whose filled cells are only a little darker than its others, which are dark."""
    made = GAMES["nonogram"].practice(random.Random(seed), size=(6, 6), tile_px=32, skin="night")  # type: ignore[call-arg]
    skin = replace(
        SKINS["night"], background=(0, 0, 0), unknown=(20, 20, 20), filled=(0, 0, 0), grid=(60, 60, 60)
    )
    return NonogramBoard(made.puzzle, replace(skin, clicks="toggles"), 32, (18, 20))


def paled(pixels: Pixels, for_s: float) -> Pixels:
    """A tenth of the board is left beneath white, with words over it."""
    shown = np.asarray(np.rint(0.1 * pixels.astype(float) + 0.9 * 248), np.uint8)
    cv2.putText(shown, "Complete", (60, shown.shape[0] // 2), 0, 0.9, (20, 20, 20), 2, cv2.LINE_AA)
    return shown


@pytest.mark.parametrize("seed", range(3))
def test_a_white_veil_beneath_which_pale_cells_lose_their_lines_is_an_end(seed: int) -> None:
    """Neither an empty cell nor a filled one beneath it differs much from an empty one before, but for the lines."""
    skin = replace(SKINS["web"], done=None, around=False, grid=(209, 209, 209), filled=(255, 99, 108))

    status, solved = ended(seed, skin, paled)

    assert status == "finished" and solved


def test_a_next_board_in_a_larger_window_is_an_end_as_well() -> None:
    first, following = small_board("rings", 41), small_board("rings", 7041)
    clock = SimulatedClock()
    shown = np.asarray(following.render(0.0))
    assert shown.shape != first.render(0.0).shape
    device = Ending(first, clock, lambda pixels, for_s: shown)

    outcome = play(GAMES["rings"], first.profile, Screen(device, clock))

    assert outcome.status == "finished" and "another puzzle" in outcome.remarks[-1]


def test_what_is_seen_through_a_cover_must_be_right() -> None:
    """The last tap is lost, and a dialog dims the board all the same."""

    class Lost(Covered):
        def act(self, action: Any, now_s: float) -> None:
            super().render(now_s)
            if len(self.lit) < 6:
                super().act(action, now_s)

        def solved(self) -> bool:
            return len(self.lit) == 6

    board = Lost(practice(random.Random(5)).puzzle, dimmed)

    with pytest.raises(NoProgress, match="1 cell is missing, and something lies over the board"):
        run(board, speed="fast")

    assert len(board.lit) == 6


class Alerting:
    """A browser's own dialog over a board: the page under it is not drawn anew, and what covers it goes with a key."""

    shown: Pixels | None = None

    def act(self: Any, action: Any, now_s: float) -> None:
        if isinstance(action, Key):
            self.shown = None
        if self.shown is not None:
            return
        before = super().render(now_s)
        super().act(action, now_s)
        super().render(now_s)
        if self.solved() and not isinstance(action, Key):
            self.shown = dimmed(before)
            self.shown[:8, 20:80] = 250

    def render(self: Any, now_s: float) -> Pixels:
        return super().render(now_s) if self.shown is None else self.shown


class Alert(Alerting, LightsBoard):
    pass


class NightAlert(Alerting, Night):
    pass


def test_a_dialog_that_keeps_the_last_entry_from_showing_is_closed() -> None:
    board = Alert(practice(random.Random(5)).puzzle)

    outcome = run(board, speed="fast")

    assert (outcome.status, outcome.verified) == ("verified", 7)
    assert board.solved()


def test_a_dialog_behind_which_the_next_board_waits_is_an_end() -> None:
    """Many a page says that the board is solved in a dialog of its browser, and begins another when that is closed."""

    class Onward(Alert):
        def act(self, action: Any, now_s: float) -> None:
            if isinstance(action, Key) and self.shown is not None:
                self.puzzle, self.lit = Lights(frozenset({Square(0, 0), Square(3, 3)})), set()
            super().act(action, now_s)

    outcome = run(Onward(practice(random.Random(5)).puzzle), speed="fast")

    assert (outcome.status, outcome.verified) == ("finished", 6)
    assert "another puzzle" in outcome.remarks[-1]


def test_a_dialog_behind_which_a_board_with_the_last_entry_waits_is_no_end() -> None:
    class Early(Alert):
        def act(self, action: Any, now_s: float) -> None:
            if isinstance(action, Key) and self.shown is not None:
                wanted = set(self.puzzle.wanted)
                self.puzzle, self.lit = Lights(frozenset({Square(0, 0), Square(3, 3)})), wanted
            super().act(action, now_s)

    with pytest.raises(PuzzleChanged):
        run(Early(practice(random.Random(5)).puzzle), speed="fast")


def test_a_dialog_under_which_a_dark_board_is_read_without_its_last_entry_is_closed() -> None:
    """What is dark stays so under a veil: nothing but the missing entry tells of it."""
    made = GAMES["nonogram"].practice(random.Random(1), size=(8, 8), tile_px=32, skin="night")  # type: ignore[call-arg]
    skin = replace(SKINS["night"], clicks="toggles", unknown=(30, 30, 30), filled=(238, 238, 238))
    board, clock = NightAlert(made.puzzle, skin, 32, (18, 20)), SimulatedClock()

    outcome = play(GAMES["nonogram"], board.profile, Screen(PracticeDevice(board, clock), clock))

    assert outcome.status == "verified" and board.solved()


def test_a_cover_before_everything_was_entered_is_no_end() -> None:
    board = practice(random.Random(5))
    clock = SimulatedClock()

    class Gone(PracticeDevice):
        def capture(self) -> Frame:
            frame = super().capture()
            return replace(frame, pixels=black(frame.pixels)) if len(self.sent) >= 6 else frame

    with pytest.raises(BoardNotFound):
        play(TOY, board.profile, Screen(Gone(board, clock), clock), Options(speed="slow"))


def test_a_cover_before_the_last_steps_were_sent_again_is_no_end() -> None:
    """They had been sent before, in vain: what counts is what was sent in this round."""

    class Lossy(LightsBoard):
        sent = 0

        def act(self, action: Any, now_s: float) -> None:
            self.sent += 1
            if not 4 <= self.sent <= 7:
                super().act(action, now_s)

    class Gone(PracticeDevice):
        def capture(self) -> Frame:
            frame = super().capture()
            return replace(frame, pixels=black(frame.pixels)) if len(self.sent) > 7 else frame

    board, clock = Lossy(practice(random.Random(5)).puzzle), SimulatedClock()

    with pytest.raises(BoardNotFound):
        play(TOY, board.profile, Screen(Gone(board, clock), clock), Options(speed="fast"))

    assert not board.solved()


def test_a_table_that_goes_before_the_pages_for_all_aspects_were_turned_is_no_end() -> None:
    """A plan ends where the palette has to be turned: more is missing than its steps name."""
    board, clock = small_board("thaumcraft", 3), SimulatedClock()

    class Gone(PracticeDevice):
        def capture(self) -> Frame:
            frame = super().capture()
            return replace(frame, pixels=black(frame.pixels)) if board.server.placed else frame

    with pytest.raises(BoardNotFound):
        play(GAMES["thaumcraft"], board.profile, Screen(Gone(board, clock), clock))

    assert len(board.server.placed) == 1 and not board.solved()


def test_the_next_board_of_itself_is_an_end_as_well() -> None:
    class Onward(LightsBoard):
        def render(self, now_s: float) -> Pixels:
            pixels = super().render(now_s)
            if self.lit == set(self.puzzle.wanted):
                self.puzzle, self.lit = Lights(frozenset({Square(0, 0), Square(3, 3)})), set()
                return super().render(now_s)
            return pixels

    outcome = run(Onward(practice(random.Random(5)).puzzle))

    assert outcome.status == "finished"
    assert "another puzzle" in outcome.remarks[-1]


def test_another_board_that_got_the_last_steps_is_no_end() -> None:
    """It came while they were on their way, so that ours was never finished."""

    class Early(LightsBoard):
        def act(self, action: Any, now_s: float) -> None:
            if self.lit and self.puzzle.wanted != OTHER:
                self.puzzle, self.lit = Lights(OTHER), set()
            super().act(action, now_s)

    board = Early(practice(random.Random(5)).puzzle)

    with pytest.raises(PuzzleChanged):
        run(board, speed="fast")


OTHER = frozenset({Square(0, 0), Square(3, 3)})


@pytest.mark.parametrize("after_s", [0.0, 0.5])
@pytest.mark.parametrize("speed", ["slow", "fast"])
def test_a_last_cell_in_doubt_is_named_and_no_end(speed: str, after_s: float) -> None:
    """Everything was entered and the board is still there: it has not gone, and is not "finished"."""
    puzzle = practice(random.Random(5)).puzzle
    last = max(puzzle.wanted)

    class Strange(Covered):
        def __init__(self) -> None:
            super().__init__(puzzle, self.smear, after_s)

        def smear(self, pixels: Pixels) -> Pixels:
            x, y = (int(value) for value in centre(last))
            pixels[y - 9 : y + 9, x - 9 : x + 9] = 128
            pixels[y - 2 : y + 2, x - 2 : x + 2] = 255
            return pixels

    def read(frame: Frame, profile: Profile) -> Any:
        x, y = (int(value) for value in centre(last))
        reading = TOY.read(frame, profile)
        if frame.pixels[y - 6, x - 6, 0] != 128:
            return reading
        marks = {**reading.marks, last: replace(reading.marks[last], symbol=None, confidence=0.3)}
        return replace(reading, marks=marks)

    board = Strange()
    with pytest.raises(UncertainReading, match="1 cell is in doubt") as told:
        run(board, replace(TOY, read=read), speed=speed)

    assert told.value.cells == (last,) and board.solved()


class Painted(LightsBoard):
    """When it is complete, or `early`, what is lit shines in a colour that its reader does not know."""

    early: int = 0
    deaf: Square | None = None

    def act(self, action: Any, now_s: float) -> None:
        if self.deaf is None or action.at != centre(self.deaf):
            super().act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.solved() or (self.early and len(self.lit) >= self.early):
            for cell in self.lit:
                x, y = (int(value) for value in centre(cell))
                pixels[y - 9 : y + 9, x - 9 : x + 9] = GREEN
                pixels[y - 2 : y + 2, x - 2 : x + 2] = 255
        return pixels

    @staticmethod
    def read(frame: Frame, profile: Profile) -> Any:
        reading = TOY.read(frame, profile)
        strange = {
            cell: replace(mark, symbol=None, confidence=0.3)
            for cell, mark in reading.marks.items()
            if tuple(frame.pixels[int(centre(cell).y) - 6, int(centre(cell).x) - 6]) == GREEN
        }
        return replace(reading, marks={**reading.marks, **strange})


GREEN = (40, 200, 40)


def test_a_picture_that_is_painted_at_the_end_is_an_end() -> None:
    board = Painted(practice(random.Random(5)).puzzle)

    outcome = run(board, replace(TOY, read=Painted.read), speed="fast")

    assert outcome.status == "finished" and board.solved()
    assert outcome.verified == 1


def test_a_picture_that_is_painted_before_all_was_taken_is_no_end() -> None:
    """What it did not take looks as before."""
    board = Painted(practice(random.Random(5)).puzzle)
    board.early, board.deaf = 3, max(board.puzzle.wanted)

    with pytest.raises(UncertainReading):
        run(board, replace(TOY, read=Painted.read), speed="fast")


def test_a_board_that_claims_to_be_finished_and_is_not_is_played() -> None:
    """The very first looks fall into a flash."""

    class Banner(LightsBoard):
        def render(self, now_s: float) -> Pixels:
            pixels = super().render(now_s)
            pixels[0, 0] = 0 if now_s < 0.6 else 255
            return pixels

    def read(frame: Frame, profile: Profile) -> Any:
        return replace(TOY.read(frame, profile), finished=not frame.pixels[0, 0].any())

    board = Banner(practice(random.Random(5)).puzzle)

    outcome = run(board, replace(TOY, read=read))

    assert outcome.status == "verified" and board.solved()


@pytest.mark.parametrize("rate", few((5.0, 12.0, 30.0, 60.0), 1))
@pytest.mark.parametrize("name", ["bridges", "nonogram", "algemy", "rings"])
def test_a_program_that_samples_its_input_now_and_then_is_played_slowly_enough(
    name: str, rate: float
) -> None:
    board, clock = small_board(name, 3), SimulatedClock()
    device = PracticeDevice(board, clock, Faults(frames_per_s=rate, unsteady=0.5))

    outcome = play(GAMES[name], board.profile, Screen(device, clock))

    assert outcome.status == "verified" and board.solved()


@pytest.mark.parametrize("ui", ["stock", "tweaks"])
@pytest.mark.parametrize("rate", few((5.0, 10.0, 20.0, 60.0), 1))
def test_a_research_table_is_played_at_few_and_unsteady_frames_a_second(rate: float, ui: str) -> None:
    make: Any = GAMES["thaumcraft"].practice
    board = make(random.Random(3), ui=ui, scale=2, complexity=1, givens=2, frames_per_s=rate, unsteady=0.5)

    outcome = run(board, GAMES["thaumcraft"])

    assert outcome.status == "verified" and board.solved()


def veiled_alone(skin: str, sign: bool) -> str:
    """How a nonogram ends over whose cells alone a white veil comes; sign: with a broad stroke over some of them."""
    made: Any = GAMES["nonogram"].practice
    board, clock = made(random.Random(5), size=(12, 12), tile_px=26, skin=skin), SimulatedClock()
    first, last = board.centre(Square(0, 0)), board.centre(Square(11, 11))
    cells = np.s_[round(first.y) - 13 : round(last.y) + 13, round(first.x) - 13 : round(last.x) + 13]

    def veiled(pixels: Pixels, for_s: float) -> Pixels:
        shown = pixels.astype(float)
        part = 0.7 * shown[cells] + 0.3 * 255
        stroke = np.zeros(part.shape[:2], np.uint8)
        cv2.line(stroke, (78, 156), (151, 208), 1, 22)
        cv2.line(stroke, (151, 208), (234, 78), 1, 22)
        part[stroke * sign > 0] = 0.6 * part[stroke * sign > 0] + (0, 32, 0)
        shown[cells] = part
        return np.asarray(np.rint(shown), np.uint8)

    status = play(GAMES["nonogram"], board.profile, Screen(Ending(board, clock, veiled), clock)).status
    assert board.solved()
    return status


def test_a_veil_over_the_cells_alone_is_looked_through() -> None:
    """Beside them nothing has changed, which was taken for no veil: cells under it counted as left blank."""
    assert veiled_alone("sgt", False) == "verified"


def test_a_veil_over_the_cells_alone_with_a_sign_on_it_is_an_end() -> None:
    assert veiled_alone("round", True) == "finished"


def ruled(side: int) -> tuple[Glance, Frame]:
    """A board of so many rows and columns of cells between lines, and the same without lines in its lower half."""
    pitch, centres = 14, dict[Any, Point]()
    page = np.full((side * pitch + 1, side * pitch + 1, 3), 255, np.uint8)
    page[::pitch] = page[:, ::pitch] = 80
    for row, col in np.ndindex(side, side):
        centres[Square(row, col)] = Point((col + 0.5) * pitch, (row + 0.5) * pitch)
    seen = Reading(None, None, Geometry(centres, pitch), {}, Box(0, 0, side * pitch, side * pitch))
    bare = page.copy()
    bare[side * pitch // 2 :] = 255
    return Glance(Frame(page), seen), Frame(bare)


def test_lines_between_all_cells_take_work_as_the_cells_are_many() -> None:
    """Each two cells were asked whether they lie side by side: a board of 50x50 took seconds at every look."""
    shares, calls = [], []
    for side in (20, 40):
        look, frame = ruled(side)
        cells = look.reading.geometry.centres
        shares.append(lines_gone(look, frame, cells, 12, ()))
        calls.append(calls_of(partial(lines_gone, look, frame, cells, 12, ())))

    assert shares == pytest.approx([0.5, 0.5], abs=0.05)
    assert calls[1] < 6 * calls[0]
