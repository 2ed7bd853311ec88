"""How a run learns a program that nobody told us about: when, how often, and what is left on the screen when it cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bot.actions import Step
from bot.changed import changed_beside, changed_cells
from bot.errors import LimitReached, SizeChanged
from bot.eyes import Eyes
from bot.game import Game
from bot.rounds import FIRST_WAIT_S, Rounds
from bot.screen import ANEW, Budget, Glance, Hands, Screen
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.profile import Profile

# A lesson that the screen disturbed is given so often.
LESSONS_AT_MOST = 2
# A board is covered where so large a share of the picture has changed beside the cells that were clicked.
COVERED = 0.02


class Lessons:
    """Lessons of one run.

    note: hears what is done: the kind of note, and in words.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        screen: Screen,
        eyes: Eyes,
        rounds: Rounds,
        budget: Budget,
        note: Callable[[str, str], object],
    ) -> None:
        self._game, self._screen, self._eyes = game, screen, eyes
        self._rounds, self._budget, self._note = rounds, budget, note

    def give(self, look: Glance, solution: Any, *, anew: bool = False) -> tuple[Profile | None, Glance, bool]:
        """What a few actions tell of an unknown program; from here on the screen is read with it.

        anew: also where the program is known by its look, but does not take what it is known for.
        Returns it, the look afterwards, and whether the limits leave room to go on. Where something was tried and
        nothing came of it, as when a pop-up or another resolution interferes, it is tried once more from the beginning.
        Raises VisionError where the board is not to be seen any more: nothing follows then.
        """
        for _ in range(LESSONS_AT_MOST):
            hands = Hands(self._screen, look, self._budget)
            reading = replace(look.reading, facts={ANEW: 1.0}) if anew else look.reading
            lesson, room, resized = None, True, False
            try:
                lesson = self._game.learn(look.frame, reading, solution, hands)
            except LimitReached:
                room = False
            except SizeChanged:
                resized = True
            except VisionError as error:
                raise _gone(error, self._screen.acted) from error
            if lesson is not None:
                self._note("act", "learned how this program is played")
                self._eyes.read_with(lesson, look.reading)
            elif room and (hands.used or resized):
                # What was sent may show late, and would be taken for the effect of what is tried next.
                self._screen.clock.sleep(FIRST_WAIT_S)
            if hands.used or resized:
                look = self._eyes.same_puzzle(self._eyes.look("look"))
            if lesson is not None or not room or not (hands.used or resized):
                break
        return lesson, look, room

    def take_back(self, look: Glance, solution: Any, steps: Sequence[Step]) -> None:
        """Undo what was sent since a look, after which the board cannot be read, where it is still there to be seen.

        steps: all that was missing at that look; of those that were seen to land, only what shows is undone.
        """
        shown, unseen = self._screen.device.capture(), self._rounds.unseen
        late = {cell for step in unseen for cell in step.cells}
        landed = changed_cells(look, shown) - late
        sent = [step for step in steps if landed.issuperset(step.cells)] + list(unseen)
        if changed_beside(look, shown, {cell for step in sent for cell in step.cells}) >= COVERED:
            return
        for step in reversed(sent):
            back = self._game.back(look.reading, solution, step)
            if back is None or not self._rounds.within_budget((back,)):
                return
            self._rounds.send_alone(back, look)


def _gone(error: VisionError, actions: int) -> VisionError:
    """The error of a board that went while its program was learned."""
    kind = UncertainReading if isinstance(error, UncertainReading) else BoardNotFound
    words = f"after {actions} actions to learn how this program is played the board cannot be read: {error}"
    return kind(words, hint=error.hint or "close what covers the board, then start again")
