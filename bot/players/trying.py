"""Trying out a program that nobody told us about: no gesture follows one after which the board is not to be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from bot.actions import Key
from bot.screen import Hands
from solver.errors import BoardsightError
from vision.errors import VisionError
from vision.frame import Frame
from vision.reading import Reading

# What covers the board after a gesture is waited for so long, and for so many looks: one may take seconds.
HIDDEN_S, LEAST_LOOKS = 15.0, 3
POLL_S = 0.08
# A menu closes within this time.
CLOSE_S = 1.0

Read = Callable[[Frame], Reading[Any, Any]]


def seen_again(hands: Hands, read: Read) -> Reading[Any, Any]:
    """The board as soon as it can be read. Raises the reader's VisionError where it stays away."""
    began, looks = hands.now(), 0
    while True:
        try:
            return read(hands.capture())
        except VisionError:
            looks += 1
            if looks >= LEAST_LOOKS and hands.now() - began >= HIDDEN_S:
                raise
        hands.sleep(min(POLL_S * looks, 1.0))


def close_menu(hands: Hands) -> None:
    """Escape, and the time that a menu takes to close."""
    hands.act((Key("escape"),))
    hands.sleep(CLOSE_S)


@contextmanager
def no_menu_left(hands: Hands) -> Iterator[None]:
    """Around the looks after a right click: a run that is stopped there closes the menu that may be open."""
    try:
        yield
    except (KeyboardInterrupt, BoardsightError):
        # As with a button that is down: what was begun is let go, and nothing else is done.
        with suppress(BoardsightError):
            hands.act((Key("escape"),))
        raise
