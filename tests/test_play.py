"""The loop: look, answer, plan, act, look again, told on the smallest game there is."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import InputFailed, Misaligned, NoProgress, PuzzleChanged
from bot.play import Options, Outcome, play
from bot.screen import AnyReading, Screen
from solver.answer import Answer
from solver.lattice import Square
from tests.toy import CELL_PX, DARK, TOY, Lights, LightsBoard, centre, practice
from vision.errors import BoardNotFound
from vision.frame import Box, Frame, Pixels, Point


def run(
    board: LightsBoard, faults: Faults | None = None, seed: int = 0, **options: object
) -> tuple[Outcome, Screen]:
    clock = SimulatedClock()
    screen = Screen(PracticeDevice(board, clock, faults, seed=seed), clock)
    return play(TOY, board.profile, screen, Options(**options)), screen  # type: ignore[arg-type]


def test_a_board_is_played_to_a_verified_end() -> None:
    board = practice(random.Random(1))

    outcome, _ = run(board)

    assert outcome.status == "verified"
    assert board.solved()
    assert (outcome.actions, outcome.verified, outcome.repaired) == (7, 7, 0)


def test_the_first_step_goes_alone() -> None:
    board = practice(random.Random(1))

    outcome, _ = run(board, speed="fast")

    assert outcome.rounds == 2


def test_a_solved_board_is_not_touched() -> None:
    board = practice(random.Random(2))
    board.lit = set(board.puzzle.wanted)

    outcome, _ = run(board)

    assert (outcome.status, outcome.actions) == ("verified", 0)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(
    "faults",
    [
        Faults(lost=0.2),
        Faults(doubled=0.2),
        Faults(lost=0.1, doubled=0.1),
        Faults(late_s=0.9),
        Faults(late_s=0.2, jitter_s=0.2, lost=0.05, doubled=0.02),
    ],
    ids=["lost", "doubled", "both", "late", "mixed"],
)
def test_faulty_input_is_repaired_and_verified_means_solved(faults: Faults, seed: int) -> None:
    board = practice(random.Random(seed))

    outcome, _ = run(board, faults, seed)

    assert outcome.status == "verified"
    assert board.solved()


def test_a_screen_that_takes_no_input_is_no_progress() -> None:
    board = practice(random.Random(3))
    board.dead = True

    with pytest.raises(NoProgress, match="switch"):
        run(board)


def test_taps_that_land_one_cell_off_stop_after_the_first() -> None:
    board = practice(random.Random(4))
    clock = SimulatedClock()
    device = PracticeDevice(board, clock, Faults(shift=Point(0, CELL_PX)))

    with pytest.raises(Misaligned):
        play(TOY, board.profile, Screen(device, clock))

    assert len(device.sent) <= 2


def test_another_puzzle_on_the_screen_stops_the_run() -> None:
    board = practice(random.Random(5))
    clock = SimulatedClock()
    device = PracticeDevice(board, clock)

    def swap(look: object, plan: object) -> bool:
        board.puzzle = Lights(frozenset({Square(0, 0)}))
        return True

    with pytest.raises(PuzzleChanged):
        play(TOY, board.profile, Screen(device, clock), confirm=swap)


class HalfDrawn(LightsBoard):
    """Once something is lit, the picture lacks a dot until 0.9 s have passed."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        if self.lit and now_s < 0.9:
            at = centre(min(self.puzzle.wanted - self.lit))
            x, y = int(at.x), int(at.y)
            pixels[y - 2 : y + 2, x - 2 : x + 2] = DARK
        return pixels


def test_a_puzzle_that_is_misread_for_a_moment_is_waited_for() -> None:
    board = HalfDrawn(practice(random.Random(5)).puzzle)

    outcome, _ = run(board)

    assert outcome.status == "verified"
    assert board.solved()


def test_a_dry_run_touches_nothing() -> None:
    board = practice(random.Random(6))

    outcome, screen = run(board, dry_run=True)

    assert outcome.status == "planned"
    assert len(outcome.plan.steps) == 7
    assert screen.acted == 0 and not board.lit


def test_the_limit_of_actions_is_kept() -> None:
    board = practice(random.Random(7))

    outcome, screen = run(board, max_actions=3, speed="slow")

    assert (outcome.status, screen.acted) == ("stopped", 3)


def test_a_screen_without_a_board_is_never_touched() -> None:
    board = practice(random.Random(8))
    clock = SimulatedClock()
    device = PracticeDevice(board, clock, Faults(scale=2.0))

    with pytest.raises(BoardNotFound):
        play(TOY, board.profile, Screen(device, clock))

    assert device.sent == []


def test_nothing_outside_the_board_is_ever_tapped() -> None:
    board = practice(random.Random(9))
    clock = SimulatedClock()
    device = PracticeDevice(board, clock)
    narrow = replace(TOY, read=lambda frame, profile: replace(TOY.read(frame, profile), area=Box(0, 0, 5, 5)))

    with pytest.raises(InputFailed, match="outside"):
        play(narrow, board.profile, Screen(device, clock))

    assert device.sent == []


def test_a_solution_that_breaks_a_rule_is_a_bug_and_nothing_is_tapped() -> None:
    board = practice(random.Random(10))
    clock = SimulatedClock()
    device = PracticeDevice(board, clock)
    wrong = replace(TOY, solve=lambda puzzle, limits: Answer({}))

    with pytest.raises(AssertionError, match="broke a rule"):
        play(wrong, board.profile, Screen(device, clock))

    assert device.sent == []


def test_a_run_that_was_cut_off_goes_on_from_what_the_screen_shows() -> None:
    board = practice(random.Random(11))
    run(board, max_actions=3, speed="slow")

    outcome, _ = run(board)

    assert (outcome.status, outcome.actions) == ("verified", 4)
    assert board.solved()


def test_a_slow_server_is_waited_for_and_not_tapped_twice() -> None:
    board = LightsBoard(Lights(frozenset({Square(1, 1), Square(2, 3)})), appears_s=1.7)

    outcome, _ = run(board)

    assert (outcome.actions, outcome.repaired) == (2, 0)
    assert centre(Square(1, 1)) == Point(40, 40)


def test_a_look_that_takes_long_is_no_board_that_never_rests() -> None:
    board = practice(random.Random(5))
    clock = SimulatedClock()
    looks: list[int] = []

    def slowly(frame: Frame) -> AnyReading:
        """Takes four seconds, and the first two times the board flashes or is half drawn."""
        clock.sleep(4.0)
        looks.append(1)
        if len(looks) == 1:
            raise BoardNotFound("a flash")
        if len(looks) <= 3:
            board.lit ^= {Square(0, 0)}
        return TOY.read(Frame(board.render(clock.now())), board.profile)

    look = Screen(PracticeDevice(board, clock), clock).look(slowly)

    assert look.reading.placed == TOY.read(Frame(board.render(clock.now())), board.profile).placed
    assert len(looks) == 4
