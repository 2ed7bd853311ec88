"""What a practice board is: a small imitation of a game that can be seen and touched, but is not there."""

from __future__ import annotations

from typing import Any, Protocol

from bot.actions import Action
from vision.frame import Pixels
from vision.profile import Profile


class PracticeBoard(Protocol):
    """An imitation of one game, in simulated time.

    puzzle: what it shows, so that tests can compare a reading with the truth.
    profile: what its symbols look like.
    render(now_s): the screen at that time, (H, W, 3) uint8, BGR. Called with times that never go back.
    act(action, now_s): what the player does. Points are px of the rendered picture.
    solved(): the truth about the board, by the rules and not by the picture.
    """

    @property
    def puzzle(self) -> Any: ...

    @property
    def profile(self) -> Profile: ...

    def render(self, now_s: float) -> Pixels: ...

    def act(self, action: Action, now_s: float) -> None: ...

    def solved(self) -> bool: ...
