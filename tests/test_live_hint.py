"""`hint --live`: the next step after each of the player's moves; nothing is ever clicked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from bot.actions import Action
from bot.clock import SimulatedClock
from bot.commands.hint import hint
from bot.games import GAMES
from bot.live_hint import follow
from bot.play import answer
from bot.recognise import Recognised, read_with_any
from bot.show.hints import Hint
from solver.answer import Limits
from vision.frame import Frame


class Watched:
    """A practice board with a player: at every look but the first one something has happened."""

    def __init__(self, name: str, moves: int) -> None:
        self.game = GAMES[name]
        self.board = self.game.practice(random.Random(3))
        self.looks = 0
        self.moves = moves

    def capture(self) -> Frame:
        self.looks += 1
        assert self.looks < 100
        frame = Frame(self.board.render(float(self.looks)))
        # Every second look sees the same as the one before.
        if self.looks % 2 == 0 and not self.board.solved():
            reading = self.game.read(frame, self.board.profile)
            solution = answer(self.game, self.board.puzzle, Limits()).solution
            for step in self.game.plan(reading, solution).steps[: self.moves]:
                for action in step.actions:
                    self.board.act(action, float(self.looks))
        return frame

    def act(self, actions: Sequence[Action]) -> None:
        raise AssertionError("a hint touches nothing")

    def close(self) -> None:
        return None


def test_the_next_step_is_told_once_after_each_move_until_the_board_is_solved() -> None:
    device = Watched("rings", 1)
    told: list[Hint] = []
    placed: list[int] = []

    def tell(frame: Frame, known: Recognised, found: Hint) -> None:
        told.append(found)
        placed.append(len(known.reading.placed))

    follow(
        device,
        SimulatedClock(),
        lambda frame: read_with_any(frame, device.game, [device.board.profile]),
        tell,
        Limits(),
        lambda why: pytest.fail(why),
    )

    assert told[-1].status == "solved"
    assert all(one.status == "hint" and one.why for one in told[:-1])
    assert placed == sorted(set(placed)) and len(placed) > 2


def test_what_nobody_moves_on_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert hint("practice:bridges:3", live=True) == 2
    assert "nobody moves on it" in capsys.readouterr().err


def test_a_hint_that_stays_the_same_is_printed_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = SimpleNamespace(game=GAMES["bridges"], reading=SimpleNamespace(puzzle=None, placed=None))

    def follow_three(device: Any, clock: Any, find: Any, tell: Any, limits: Any, wait: Any) -> None:
        for why in ("One way left.", "One way left.", "All ways full."):
            tell(None, known, Hint("hint", why=why))

    picture = SimpleNamespace(device=SimpleNamespace(close=lambda: None), clock=None)
    monkeypatch.setattr("bot.sources.open_picture", lambda *given: picture)
    monkeypatch.setattr("bot.live_hint.follow", follow_three)

    assert hint("desktop:Bridges", live=True) == 0
    assert capsys.readouterr().out == "One way left.\nAll ways full.\n"
