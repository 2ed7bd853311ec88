"""Hundreds of games on screens that misbehave: each is finished, or stopped with the right words, and never believed wrongly.

Every game has 0 to 3 s latency, 5 % lost and 2 % doubled actions, and one trouble more (tests/troubled.py). Some
thirty games run by default, each trouble once, seventy with `-m long` and five hundred with `-m slow`; the table is printed.
"""

from __future__ import annotations

import random
import signal
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bot.actions import Step, Tap
from bot.clock import SimulatedClock, SystemClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import DeviceNotFound, NoProgress, PlayError, Stopped
from bot.games import GAMES
from bot.play import Notice, Options, play
from bot.practice.nonogram import NonogramBoard
from bot.practice.nonogram import practice as nonogram_practice
from bot.rounds import SAME_STEP_AT_MOST
from bot.screen import Screen
from solver.answer import Limits
from tests.lies import LIES
from tests.seldom import few
from tests.toy import CELLS, TOY, LightsBoard, centre, practice
from tests.troubled import DEVICE_TROUBLES, TROUBLES, Troubled, TroubledDevice, play_troubled, small_board
from vision.errors import BoardNotFound
from vision.frame import Frame

# What a run may end with under each trouble; the words must fit what has happened.
UNREADABLE = {"BoardNotFound", "UncertainReading", "PartlyOff"}
UNMOVED = {"NoProgress"}
RIGHT: dict[str, set[str]] = {
    "none": UNMOVED,
    "frozen": UNMOVED,
    "pop-up": UNMOVED,
    "device lost": UNMOVED | {"DeviceNotFound"},
    "device back": UNMOVED,
    "resolution": UNMOVED | UNREADABLE,
    "restart": UNMOVED,
    "taken back": UNMOVED,
    "some taken back": UNMOVED,
    "flash": UNMOVED,
    "exchanged": UNMOVED | UNREADABLE | {"PuzzleChanged", "finished"},
    "covered": UNMOVED | {"finished"},
    "dimmed": UNMOVED | {"finished"},
}
# Thaumcraft's table is large and never still, so that a game of it takes ten times as long to imitate.
IN_CI = [
    *((name, trouble) for name in ("bridges", "nonogram", "algemy", "rings") for trouble in TROUBLES),
    *(("thaumcraft", trouble) for trouble in ("none", "taken back", "exchanged", "covered")),
    *((name, TROUBLES[nth % len(TROUBLES)]) for nth, name in enumerate(GAMES) if nth >= 5),
]
# Each trouble in one game, and each game in one trouble.
NOW = [
    case
    for nth, case in enumerate(IN_CI)
    if nth >= 4 * len(TROUBLES) + 4 or case[0] == IN_CI[TROUBLES.index(case[1]) % 4 * len(TROUBLES)][0]
]
# Five hundred; of the declared games sixteen each, so that each meets every trouble. Algemy takes the longest by far.
GAMES_LONG = {"bridges": 120, "nonogram": 60, "algemy": 12, "rings": 40, "thaumcraft": 12}
LONG = [
    *((name, range(1000, 1000 + count)) for name, count in GAMES_LONG.items()),
    *(
        (name, range(1000 + 16 * nth, 1016 + 16 * nth))
        for nth, name in enumerate(GAMES)
        if name not in GAMES_LONG
    ),
]


def judge(games: Sequence[Troubled], capsys: pytest.CaptureFixture[str]) -> None:
    """Print the table and fail on a wrong belief, a wrong diagnosis or a stray press."""
    ends: dict[tuple[str, str], Counter[str]] = {}
    for game in games:
        ends.setdefault((game.game, game.trouble), Counter())[game.ended] += 1
    with capsys.disabled():
        for (name, trouble), counted in sorted(ends.items()):
            print(f"\n{name:11} {trouble:12} ", ", ".join(f"{n} {end}" for end, n in counted.items()), end="")
    assert [game for game in games if game.ended == "verified" and not game.solved] == []
    assert [game for game in games if _solved_but_failed(game)] == []
    assert [game for game in games if not _ended_well(game)] == []
    assert [game.stray for game in games if game.stray] == []


def _solved_but_failed(game: Troubled) -> bool:
    """Whether a board that stood solved ended in an error, though the device was there all the time.

    Whether a board that was exchanged stood solved is not to be seen: to say that another one came is the truth.
    """
    truthful = {"verified", "finished"} | ({"PuzzleChanged"} if game.trouble == "exchanged" else set())
    return game.solved and game.trouble in LIES and game.ended not in truthful


def _ended_well(game: Troubled) -> bool:
    # What the very first look refuses, before anything is touched, is no trouble of the screen's.
    refused = game.ended in UNREADABLE and game.actions == 0
    done = game.ended == "finished" and game.solved
    return game.ended == "verified" or game.ended in RIGHT[game.trouble] or refused or done


@pytest.mark.parametrize(("name", "trouble"), few(IN_CI, NOW))
def test_a_troubled_game_ends_well_or_with_the_right_words(
    name: str, trouble: str, capsys: pytest.CaptureFixture[str]
) -> None:
    judge([play_troubled(name, TROUBLES.index(trouble), trouble)], capsys)


@pytest.mark.parametrize("seed", few((15, 1024, 1043, 1062, 1063, 1087), 1))
def test_lost_and_doubled_clicks_and_pop_ups_teach_nothing_wrong_about_an_unknown_program(seed: int) -> None:
    """Each of these boards had been left unfinished, or spoilt, for what a troubled lesson had told."""
    game = play_troubled("nonogram", seed, DEVICE_TROUBLES[seed % len(DEVICE_TROUBLES)])

    assert (game.ended, game.solved) == ("verified", True)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), LONG)
def test_five_hundred_troubled_games_end_well_or_with_the_right_words(
    name: str, seeds: range, capsys: pytest.CaptureFixture[str]
) -> None:
    judge([play_troubled(name, seed, TROUBLES[seed % len(TROUBLES)]) for seed in seeds], capsys)


@pytest.mark.parametrize(
    ("name", "seed"), [("rings", 1062), ("algemy", 1006), ("algemy", 1040), ("algemy", 1090)]
)
def test_what_only_an_earlier_look_or_a_tap_beside_the_wheel_tells_stops_no_game(
    name: str, seed: int
) -> None:
    """A ring board without givens, and wheels that lost and late taps had left open over crystals."""
    game = play_troubled(name, seed, DEVICE_TROUBLES[seed % len(DEVICE_TROUBLES)])

    assert (game.ended, game.solved) == ("verified", True)


@pytest.mark.long
def test_a_table_that_never_rests_is_read_all_the_same() -> None:
    """While a bonus sparkled over an entry only every fifth picture could be reread: it was waited for for good."""
    game = play_troubled("thaumcraft", 1001, "none")

    assert (game.ended, game.solved) == ("verified", True)


def test_a_look_that_only_one_cell_has_is_told_as_nothing_new() -> None:
    """After a lesson that lost clicks, a crossed cell of a look never seen was told as filled, and no way led from it."""
    game = play_troubled("nonogram", 1038, "covered")

    assert (game.ended, game.solved) == ("finished", True)


def test_a_region_that_a_pop_up_left_chosen_is_entered_all_the_same() -> None:
    """The tap on the tile went to the pop-up; the chosen region shows a cursor, and was in doubt for good."""
    game = play_troubled("rings", 1016, "pop-up")

    assert (game.ended, game.solved) == ("verified", True)


def test_a_solved_board_that_looks_as_ours_would_is_ours() -> None:
    """All solved boards of Flip that have one form are one picture: nobody can tell them apart."""
    game = play_troubled("flip", 74266, "exchanged")

    assert (game.ended, game.solved) == ("verified", True)


def test_a_tile_that_has_gone_is_not_pressed_again() -> None:
    """The number stood in its region and was in doubt there: the step was taken for half done, and given once more."""
    game = play_troubled("rings", 53018, "device back")

    assert game.stray == [] and not game.solved


def test_what_an_earlier_step_does_late_is_no_misalignment() -> None:
    """The device was away for a while; half of the first step showed only after the next one."""
    game = play_troubled("bridges", 1005, "device back")

    assert (game.ended, game.solved) == ("verified", True)


def toy_run(board: LightsBoard, faults: Faults | None = None, **options: Any) -> tuple[Any, PracticeDevice]:
    clock = SimulatedClock()
    device = PracticeDevice(board, clock, faults)
    return play(TOY, board.profile, Screen(device, clock), Options(**options)), device


def test_the_same_action_is_never_sent_more_than_five_times() -> None:
    board = practice(random.Random(3))
    board.dead = True
    clock = SimulatedClock()
    device = PracticeDevice(board, clock)

    with pytest.raises(NoProgress) as stopped:
        play(TOY, board.profile, Screen(device, clock))

    assert "a tool, colour or kind has to be chosen" in stopped.value.hint
    assert max(Counter(action.at for action in device.sent).values()) <= SAME_STEP_AT_MOST


def test_a_cell_is_repaired_at_most_three_times() -> None:
    board = practice(random.Random(3))
    stuck = sorted(board.puzzle.wanted)[2]

    class Stubborn(LightsBoard):
        def act(self, action: Any, now_s: float) -> None:
            before = set(self.lit)
            super().act(action, now_s)
            self._coming = [entry for entry in self._coming if entry[1] != stuck]
            self.lit = before

    stubborn = Stubborn(board.puzzle)
    clock = SimulatedClock()
    device = PracticeDevice(stubborn, clock)

    with pytest.raises(NoProgress):
        play(TOY, stubborn.profile, Screen(device, clock), Options(speed="slow"))

    assert sum(isinstance(action, Tap) and action.at == centre(stuck) for action in device.sent) == 4


@pytest.mark.parametrize("name", ["bridges", "nonogram", "rings"])
@pytest.mark.parametrize("seed", range(3))
def test_a_first_step_that_is_doubled_is_repaired_and_no_misalignment(name: str, seed: int) -> None:
    game, clock = GAMES[name], SimulatedClock()
    board = small_board(name, seed)
    device = PracticeDevice(board, clock, Faults(doubled=0.3), seed=seed)

    try:
        outcome = play(game, board.profile, Screen(device, clock))
    except NoProgress:
        # With nearly every third action doubled a bridge may miss its number again and again.
        return

    assert outcome.status == "verified" and board.solved()


@pytest.mark.parametrize("cut_after", few([2, 1, 5], 1))
@pytest.mark.parametrize("name", GAMES)
def test_a_run_that_was_cut_off_anywhere_goes_on_from_the_screen(name: str, cut_after: int) -> None:
    assert_goes_on(GAMES[name], small_board(name, 8), cut_after)


@pytest.mark.parametrize("cut_after", range(1, 15))
def test_a_lesson_that_was_cut_off_anywhere_is_given_again(cut_after: int) -> None:
    """It may leave one cell of another colour, blank or only highlighted: whichever it is, nothing wrong is entered."""
    assert_goes_on(GAMES["nonogram"], nonogram_practice(random.Random(2), size=(7, 7)), cut_after)


def assert_goes_on(game: Any, board: Any, cut_after: int) -> None:
    clock = SimulatedClock()

    class Killed(PracticeDevice):
        def act(self, actions: Any) -> None:
            for action in actions:
                if len(self.sent) >= cut_after:
                    raise KeyboardInterrupt
                super().act([action])

    with pytest.raises(KeyboardInterrupt):
        play(game, board.profile, Screen(Killed(board, clock), clock))
    outcome = play(game, board.profile, Screen(PracticeDevice(board, clock), clock))

    assert outcome.status == "verified" and board.solved()


class Behind(PracticeDevice):
    """From the second action on something lies over the board for so many seconds."""

    covered_s = 0.0
    _until: float | None = None

    def capture(self) -> Frame:
        frame = super().capture()
        if len(self.sent) >= 2 and self._until is None:
            self._until = frame.taken_at + self.covered_s
        if self._until is not None and frame.taken_at < self._until:
            return replace(frame, pixels=np.zeros_like(frame.pixels))
        return frame


@pytest.mark.parametrize("covered_s", [1.0, 5.0, 14.0])
def test_what_covers_the_board_for_a_while_is_waited_for(covered_s: float) -> None:
    board = practice(random.Random(3))
    clock = SimulatedClock()
    device = Behind(board, clock)
    device.covered_s = covered_s
    notices: list[Notice] = []

    outcome = play(TOY, board.profile, Screen(device, clock), observe=notices.append)

    assert outcome.status == "verified" and board.solved()
    told = [notice.text for notice in notices if notice.kind == "wait"]
    assert told == (["the board cannot be read, waiting: no lights"] if covered_s > 2 else [])


def test_what_covers_the_board_for_good_stops_the_run() -> None:
    board = practice(random.Random(3))
    clock = SimulatedClock()
    device = Behind(board, clock)
    device.covered_s = 99.0

    with pytest.raises(BoardNotFound, match="no lights"):
        play(TOY, board.profile, Screen(device, clock), Options(speed="slow"))

    assert len(device.sent) == 2
    assert 15 <= clock.now() < 20


@pytest.mark.parametrize("scale", [0.8, 1.5])
def test_another_resolution_in_the_middle_of_a_step_is_no_misalignment(scale: float) -> None:
    board = small_board("rings", 4)
    clock = SimulatedClock()
    device = TroubledDevice(PracticeDevice(board, clock), clock, "resolution", random.Random(1))
    device.begin_s, device.scale = 0.25, scale

    outcome = play(GAMES["rings"], board.profile, Screen(device, clock))

    assert outcome.status == "verified" and board.solved()
    assert outcome.before.frame.size != outcome.after.frame.size


def test_an_action_of_a_run_that_was_cut_off_may_land_late() -> None:
    """The first step is lost, and what lands instead was sent before: that is no misalignment."""
    board = practice(random.Random(3))
    wrong = next(cell for cell in CELLS if cell not in board.puzzle.wanted)
    clock = SimulatedClock()

    class LosesTheFirst(PracticeDevice):
        def act(self, actions: Any) -> None:
            aimed = [Tap(centre(wrong))] if not self.sent else actions
            super().act(aimed)

    outcome = play(TOY, board.profile, Screen(LosesTheFirst(board, clock), clock))

    assert outcome.status == "verified" and board.solved()


def test_a_wait_between_two_actions_ends_with_the_signal() -> None:
    """The clock would rest for an hour after the first action, whose effect does not show."""
    board = practice(random.Random(3))
    board.dead = True
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)

    class Resting(SystemClock):
        def sleep(self, seconds: float) -> None:
            if device.sent:
                main = threading.main_thread().ident
                threading.Timer(0.05, lambda: signal.pthread_kill(main or 0, signal.SIGINT)).start()
                super().sleep(3600.0)

    clock = Resting()
    device = PracticeDevice(board, SimulatedClock())
    try:
        with pytest.raises(KeyboardInterrupt):
            play(TOY, board.profile, Screen(device, clock))
    finally:
        signal.signal(signal.SIGINT, handler)

    assert len(device.sent) == 1


def test_the_limit_of_minutes_is_kept() -> None:
    outcome, device = toy_run(practice(random.Random(7)), Faults(late_s=1.0), max_s=3.0, speed="slow")

    assert outcome.status == "stopped"
    assert 0 < len(device.sent) < 7


@pytest.mark.parametrize("most", [1, 5, 20, 27])
@pytest.mark.parametrize("name", ["bridges", "rings", "nonogram"])
def test_the_limit_of_actions_is_kept_exactly(name: str, most: int) -> None:
    """Also while an unknown program is learned; a step that would go beyond is not begun."""
    game, clock = GAMES[name], SimulatedClock()
    board = small_board(name, 1)
    device = PracticeDevice(board, clock)

    outcome = play(game, board.profile, Screen(device, clock), Options(max_actions=most, speed="fast"))

    assert outcome.status == ("verified" if board.solved() else "stopped")
    assert outcome.actions == len(device.sent) <= most


@pytest.mark.parametrize("most", [19, 20, 22, 24, 28, 35])
@pytest.mark.parametrize("lost", [0.0, 0.3])
def test_a_lesson_that_the_limit_cuts_short_takes_everything_back(most: int, lost: float) -> None:
    """Nothing that is wrong stays on the board, and an unlimited run goes on from it."""
    game, clock = GAMES["nonogram"], SimulatedClock()
    board = small_board("nonogram", 1)
    assert board.profile.settings == {}
    device = PracticeDevice(board, clock, Faults(lost=lost), seed=most)

    solution = game.solve(board.puzzle, Limits()).solution

    # Three in ten lost may be four of one cell, which is given up.
    with suppress(NoProgress) if lost else nullcontext():
        play(game, board.profile, Screen(device, clock), Options(max_actions=most))

    assert len(device.sent) <= most
    assert isinstance(board, NonogramBoard) and not board.picture.filled & solution.blank
    assert play(game, board.profile, Screen(PracticeDevice(board, clock), clock)).status == "verified"


def test_a_device_that_goes_away_is_named() -> None:
    board = practice(random.Random(3))
    clock = SimulatedClock()

    class Unplugged(PracticeDevice):
        def capture(self) -> Frame:
            if len(self.sent) > 2:
                raise DeviceNotFound("the device went away")
            return super().capture()

    with pytest.raises(DeviceNotFound):
        play(TOY, board.profile, Screen(Unplugged(board, clock), clock))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Stopped("the mouse is in a corner")])
def test_nothing_is_sent_after_a_stop(stop: BaseException | type[BaseException]) -> None:
    board = practice(random.Random(3))
    clock = SimulatedClock()
    calls: list[Step] = []

    class Cornered(PracticeDevice):
        def act(self, actions: Any) -> None:
            calls.append(actions)
            if len(calls) == 3:
                raise stop
            super().act(actions)

    with pytest.raises((KeyboardInterrupt, PlayError)):
        play(TOY, board.profile, Screen(Cornered(board, clock), clock))

    assert len(calls) == 3
