"""The menu that a right click may open: in a program that was taken for another, or in a browser.

Until the right button has been seen to do what was meant, the board is looked at right after it; what has come up then, or
hides the board, is closed with Escape. A run that is stopped there leaves no menu behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from bot.actions import Action, Drag, Key, Step, Tap
from bot.changed import changed_beside
from bot.screen import Glance, Screen
from solver.errors import BoardsightError

# It is one where so large a share of the picture has changed.
MENU = 0.01
# A menu closes within this time.
CLOSE_S = 1.0
CLOSE = Step((Key("escape"),), "close the menu that the right button has opened")


class Menus:
    """Right clicks of one run, as long as it is not known what they do.

    found: whether one was seen to open a menu.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._known = False
        self.found = False

    def may_open(self, steps: Sequence[Step]) -> bool:
        """Whether these steps have a right click of which nobody knows what it does."""
        return not self._known and any(_right(action) for step in steps for action in step.actions)

    def known(self) -> None:
        """The right button has done what was meant."""
        self._known = True

    def shown(self, look: Glance, steps: Sequence[Step]) -> bool:
        """Whether something has come up over the board of a look, beside the cells that were clicked."""
        clicked = {cell for step in steps for cell in step.cells}
        return changed_beside(look, self._screen.device.capture(), clicked) > MENU

    def close(self, look: Glance) -> None:
        """Escape, and the time that a menu takes to close."""
        shown = replace(look, frame=self._screen.device.capture())
        self._screen.act(CLOSE.actions, look.reading.area)
        self._screen.clock.sleep(CLOSE_S)
        self.found = self.found or changed_beside(shown, self._screen.device.capture()) > MENU

    @contextmanager
    def none_left(self, look: Glance) -> Iterator[None]:
        """Around what follows upon such clicks: a run that is stopped there closes the menu that may be open."""
        before = self._screen.acted
        try:
            yield
        except (KeyboardInterrupt, BoardsightError):
            # What was begun is let go, once, and nothing else is done.
            if self._screen.acted == before:
                with suppress(BoardsightError):
                    self._screen.act(CLOSE.actions, look.reading.area)
            raise


def _right(action: Action) -> bool:
    # One that stamps is made for a game that knows it; there Escape would close the table.
    return isinstance(action, Tap | Drag) and action.button == "right"
