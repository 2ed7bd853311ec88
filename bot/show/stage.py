"""Plays the moments of a solver's work in a terminal, at a pace that the keys change."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from bot.show.canvas import FOCUS, GUESSED, QUIET, SOLVED, WRONG, Canvas, Rgb
from bot.show.scene import Drawing, Moment, Room

# The first steps are slow enough to be read; long works become quicker by themselves.
FIRST_PACE_S, QUICKEST_PACE_S, SLOWEST_PACE_S = 0.6, 1 / 30, 5.0
STEPS_PER_PACE, QUICKER = 20, 0.75
# How long nothing is looked at between two steps: a pressed key or a new window size shows within this time.
GLANCE_S = 0.1
FOOTER_ROWS = 4
KEYS = "space pause · n next step · + - speed · q end"
COLOURS: dict[str, Rgb] = {"rule": SOLVED, "guess": GUESSED, "undo": WRONG, "search": FOCUS}

Drawer = Callable[[Moment[Any], Room], Drawing]


class Screen(Protocol):
    """What a show needs of a terminal; `Terminal` has it."""

    def size(self) -> tuple[int, int]: ...
    def show(self, canvas: Canvas) -> None: ...
    def key(self, wait_s: float) -> str: ...


class Pace:
    """How fast it goes: the keys say so, and until then long works become quicker."""

    def __init__(self) -> None:
        self.step_s = FIRST_PACE_S
        self.paused = False
        self.next = False
        self.ended = False
        self._own = False

    def press(self, key: str) -> None:
        self.next = False
        match key:
            case "q" | "Q" | "\x1b" | "\x03" | "\x04":
                self.ended = True
            case " " | "p":
                self.paused = not self.paused
            case "n" | "." | "s" | "\x1b[C":
                self.paused = self.next = True
            case "+" | "=" | "\x1b[A":
                self._change(1 / 1.5)
            case "-" | "_" | "\x1b[B":
                self._change(1.5)

    def after(self, steps: int) -> None:
        """Told how many steps have been shown."""
        if not self._own and steps and steps % STEPS_PER_PACE == 0:
            self.step_s = max(QUICKEST_PACE_S, self.step_s * QUICKER)

    def _change(self, factor: float) -> None:
        self._own = True
        self.step_s = min(SLOWEST_PACE_S, max(QUICKEST_PACE_S, self.step_s * factor))


def perform(
    moments: Iterable[Moment[Any]], draw: Drawer, screen: Screen, title: str
) -> tuple[Moment[Any] | None, int]:
    """Show moment after moment. Returns the last one (None when ended by a key) and how many steps were shown."""
    pace = Pace()
    last: Moment[Any] | None = None
    for steps, moment in enumerate(moments):
        last = moment
        pace.after(steps)
        waited = 0.0
        drawn: tuple[tuple[int, int], bool] | None = None
        while True:
            # Drawn again only when something would look different.
            if drawn != (screen.size(), pace.paused):
                drawn = screen.size(), pace.paused
                canvas = page(moment, draw, drawn[0], title, steps, pace)
            screen.show(canvas)
            key = screen.key(min(GLANCE_S, pace.step_s))
            waited += min(GLANCE_S, pace.step_s)
            pace.press(key)
            if pace.ended:
                return None, steps
            if pace.next or (not pace.paused and waited >= pace.step_s):
                break
    return last, steps if last else 0


def page(
    moment: Moment[Any], draw: Drawer, size: tuple[int, int], title: str, steps: int, pace: Pace | None = None
) -> Canvas:
    """A window full: the picture, or the part of it where something happens, and what happens in words."""
    columns, rows = size
    canvas = Canvas(columns, rows)
    high = max(1, rows - FOOTER_ROWS)
    picture = draw(moment, Room(columns, high))
    top = _from(picture.canvas.height, high, picture.focus[0] if picture.focus else 0)
    left = _from(picture.canvas.width, columns, picture.focus[1] if picture.focus else 0)
    part = picture.canvas.cut(top, left, columns, high)
    canvas.rows[:high] = part.rows[: min(high, rows)]
    for row, (text, colour) in enumerate(words(moment, columns, title, steps), rows - FOOTER_ROWS):
        canvas.put(row, 0, text, colour)
    if pace is not None:
        paused = "paused · " if pace.paused else ""
        canvas.put(rows - 1, 0, _fit(paused + KEYS, columns), QUIET)
    return canvas


def words(moment: Moment[Any], columns: int, title: str, steps: int) -> list[tuple[str, Rgb | None]]:
    """Three lines: how far we are and the rule, and its sentence."""
    step = moment.step
    if step is None:
        return [(_fit(f"{title}: {'solved' if moment.finished else 'the board'}", columns), None)]
    guesses = f" · {step.depth} {'guess' if step.depth == 1 else 'guesses'} deep" if step.depth else ""
    head = f"{title}: {'solved after ' if moment.finished else ''}step {steps} · {step.rule}{guesses}"
    why = textwrap.wrap(step.why, max(1, columns))
    if len(why) > 2:
        why = [why[0], _fit(" ".join(why[1:]), columns)]
    return [(_fit(head, columns), COLOURS[step.kind]), *((line, None) for line in why)]


def _from(length: int, room: int, focus: int) -> int:
    """Where a window on something longer starts, so that `focus` is in its middle, or the end is at its end.

    >>> _from(100, 20, 50), _from(100, 20, 95), _from(10, 20, 5)
    (40, 80, 0)
    """
    return max(0, min(focus - room // 2, length - room))


def _fit(text: str, columns: int) -> str:
    """A text cut to a width, with a sign that it is cut.

    >>> _fit("a long text", 6)
    'a lon…'
    """
    return text if len(text) <= columns else text[: max(0, columns - 1)] + "…"
