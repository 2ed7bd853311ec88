"""Learns a program that nobody told us about, by a few clicks at the start of a run.

Only cells whose value the solution knows are clicked: one that is to be filled gets the left button until it looks as
before or does not change any more; one that is to stay empty gets the right button. What that shows is how filled,
empty and unknown cells look, and whether a click sets, toggles or cycles. Every cell is brought back to what is right.
Whether crosses are needed shows at the end: a program that says nothing when the last cell is filled waits for them.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from bot.actions import Button, Key, Move, Tap
from bot.errors import LimitReached
from bot.players.nonogram.entering import BLANKS, MOVE, STATES, Entering, parking
from bot.screen import Hands
from solver.lattice import Square
from solver.nonogram import Picture
from vision.colour import strongest
from vision.errors import VisionError
from vision.frame import Frame
from vision.profile import Profile, learned
from vision.readers.nonogram import Meaning, Sample, read, sample, seen_looks, signature
from vision.reading import Reading

# A first click may take this long to show; later ones twice as long as the slowest, and never less than the second.
FIRST_S, LEAST_S = 4.0, 0.6
POLL_S = 0.08
TAP_S = 0.03
# A lesson that did not go as lessons do is given so often.
LESSONS = 2
# Two samples of a cell are the same within this many levels.
SAME_LEVELS = 14.0
SAME_DRAWN = 0.02
# What differs less than this (levels) from an untouched cell, and has something drawn in it, is crossed.
CROSSED_LEVELS = 45.0
# Actions of one click, of a lesson that goes as lessons do, and kept for bringing the cell back when one is cut short.
CLICK, USUAL, BACK = 2, 14, 6
# A menu that opens changes this share of the frame, a cell does not.
MENU = 0.02
# The end of a puzzle is told by so many times the px that a single click changes beside the cells, and by so many.
TOLD = 3
LEAST_TOLD_PX = 150


@dataclass
class _Lesson:
    reading: Reading[Any, Picture]
    hands: Hands
    moves: dict[tuple[Button, Meaning], Meaning]
    looks: dict[Meaning, Sample]
    slowest_s: float = 0.0

    def sample(self, cell: Square) -> Sample:
        return sample(self.hands.capture().pixels, self.reading.geometry, cell)

    def click(self, cell: Square, button: Button, *, back: bool = False) -> Sample:
        """The cell after a click, once it rests; the pointer has gone away.

        back: it brings the cell back, and may use the actions that are kept for that. Else raises LimitReached
            rather than touching them.
        """
        if not back:
            self.hands.require(CLICK + BACK)
        before = self.sample(cell)
        at = self.reading.geometry.centres[cell]
        self.hands.act((Tap(at, TAP_S, button), Move(parking(self.reading))))
        began = self.hands.now()
        patience = max(LEAST_S, 2 * self.slowest_s) if self.slowest_s else FIRST_S
        last = before
        while True:
            self.hands.sleep(POLL_S)
            now = self.sample(cell)
            waited = self.hands.now() - began
            if not alike(now, before) and alike(now, last):
                self.slowest_s = max(self.slowest_s, waited)
                return now
            if waited > patience:
                return now
            last = now

    def click_surely(self, cell: Square, button: Button, now: Meaning) -> Sample:
        """A click that does something, or else two that do nothing: one may get lost."""
        after = self.click(cell, button)
        return self.click(cell, button) if alike(after, self.looks[now]) else after

    def left(self, cell: Square) -> bool:
        """What the left button does, on a cell that is to be filled. False where it does nothing or that is not clear."""
        for _ in range(LESSONS):
            first = self.click_surely(cell, "left", "free")
            if alike(first, self.looks["free"]):
                return False
            if self._round(cell, first):
                for button in Entering(self.moves).way(self.moves["left", "free"], "filled"):
                    self.click(cell, button)
                return "filled" in self.looks
            # A click that came twice or too late. Once more, from the beginning.
            self.looks, self.moves = {"free": self.looks["free"]}, {}
            if not self._cleared(cell):
                return False
        return False

    def _round(self, cell: Square, first: Sample) -> bool:
        """Click until the cell is as after the first click again; whether that went by way of free, or it stayed so."""
        free = self.looks["free"]
        start: Meaning = "blank" if crossed(first, free) else "filled"
        self.moves["left", "free"], self.looks[start] = start, first
        now = start
        for _ in STATES:
            after = self.click_surely(cell, "left", now)
            to = next((state for state, look in self.looks.items() if alike(look, after)), None)
            if to is None:
                to = "filled" if now == "blank" else "blank"
                if to in self.looks:
                    return False
                self.looks[to] = after
            known = self.moves.setdefault(("left", now), to)
            if known != to:
                return False
            if to == start:
                return now in (start, "free")
            now = to
        return False

    def _cleared(self, cell: Square, *, back: bool = False) -> bool:
        """Click until the cell looks free, as before the lesson."""
        for _ in STATES:
            if alike(self.sample(cell), self.looks["free"]):
                return True
            self.click(cell, "left", back=back)
        return alike(self.sample(cell), self.looks["free"])

    def cut(self, cell: Square, *, filled: bool) -> None:
        """Bring back a cell at which the lesson has to end, with the actions that are kept for that.

        filled: whether it is one that is to be filled; one that is to stay empty may keep its cross.
        """
        if filled:
            self._cleared(cell, back=True)
        elif "filled" in self.looks and alike(self.sample(cell), self.looks["filled"]):
            for button in Entering(self.moves).way("filled", "free"):
                self.click(cell, button, back=True)

    def right(self, cell: Square) -> None:
        """What the right button does, on a cell that is to stay empty."""
        shown = self.hands.capture()
        first = self.click_surely(cell, "right", "free")
        if alike(first, self.looks["free"]):
            if _changed(shown, self.hands.capture()).mean() > MENU:
                self.hands.act((Key("escape"),))
                self.hands.sleep(POLL_S)
            return
        if alike(first, self.looks["filled"]):
            for button in Entering(self.moves).way("filled", "free"):
                self.click(cell, button)
            return
        self.moves["right", "free"], self.looks["blank"] = "blank", first
        again = self.click_surely(cell, "right", "blank")
        for state in ("blank", "free"):
            if alike(again, self.looks[state]):
                self.moves["right", "blank"] = state


def learn(frame: Frame, reading: Reading[Any, Picture], solution: Picture, hands: Hands) -> Profile | None:
    """The profile of the program on the screen; None where it is known already, or does not take clicks.

    frame, reading: the board before anything is clicked.
    Raises LimitReached where the limits of the run leave too little for a lesson, or end it; then the cell that was
    being clicked has been brought back.
    """
    known = reading.placed.filled | reading.placed.blank | set(reading.doubtful)
    free = [cell for cell in reading.geometry.centres if cell not in known]
    to_fill = next((cell for cell in free if cell in solution.filled), None)
    if reading.ui != "generic" or any(key.startswith(MOVE) for key in reading.facts) or to_fill is None:
        return None
    hands.require(USUAL + BACK)
    lesson = _Lesson(reading, hands, {}, {"free": sample(frame.pixels, reading.geometry, to_fill)})
    to_leave = next((cell for cell in free if cell not in solution.filled), None)
    under_way = to_fill
    try:
        if not lesson.left(to_fill):
            return None
        if "blank" not in lesson.looks and to_leave is not None:
            under_way = to_leave
            lesson.right(to_leave)
    except LimitReached:
        lesson.cut(under_way, filled=under_way == to_fill)
        raise
    start = lesson.looks["free"]
    looks = {name: replace(one, marked=crossed(one, start)) for name, one in lesson.looks.items()}
    settings = {**signature(frame.pixels, reading), **seen_looks(looks)}
    settings |= {f"{MOVE}{b}.{now}": float(STATES.index(to)) for (b, now), to in lesson.moves.items()}
    told = learned("nonogram", settings)
    return told if _proved(told, reading, {to_fill, to_leave}, to_fill, hands.capture()) else None


def _proved(
    told: Profile, before: Reading[Any, Picture], clicked: Set[Square | None], filled: Square, frame: Frame
) -> bool:
    """Whether the board read with what was learned is the same but for what was clicked, and that is as it should be.

    Something that came over the board meanwhile teaches nothing. Cells that were in doubt may have been recognised.
    """
    try:
        now = read(frame, told)
    except VisionError:
        return False
    changed = (now.placed.filled ^ before.placed.filled) | (now.placed.blank ^ before.placed.blank)
    return (
        now.puzzle == before.puzzle
        and filled in now.placed.filled
        and changed <= clicked | set(before.doubtful)
    )


def what_is_needed(profile: Profile, frames: Sequence[Frame], reading: Reading[Any, Picture]) -> Profile:
    """The profile with what the end of the puzzle tells: whether blank cells are to be crossed.

    frames: the last looks, only the very last with all the filled cells.
    """
    if len(frames) < 3:
        return profile
    earlier, before, after = frames[-3:]
    usual, last = _told(earlier, before, reading), _told(before, after, reading)
    said_so = last > max(LEAST_TOLD_PX, TOLD * usual)
    crosses = float(STATES.index("blank")) in [
        v for key, v in profile.settings.items() if key.startswith(MOVE)
    ]
    return replace(profile, settings={**profile.settings, BLANKS: float(crosses and not said_so)})


def _told(before: Frame, after: Frame, reading: Reading[Any, Any]) -> int:
    """How many px beside the board have changed."""
    changed = _changed(before, after)
    left, top, width, height = reading.area
    changed[max(top, 0) : top + height, max(left, 0) : left + width] = False
    return int(changed.sum())


def _changed(before: Frame, after: Frame) -> np.ndarray[Any, np.dtype[np.bool_]]:
    if before.pixels.shape != after.pixels.shape:
        return np.ones(after.pixels.shape[:2], np.bool_)
    return np.asarray(strongest(cv2.absdiff(before.pixels, after.pixels)) > 3 * SAME_LEVELS)


def alike(a: Sample, b: Sample) -> bool:
    """Whether two samples show the same."""
    return _away(a, b) < SAME_LEVELS and abs(a.drawn - b.drawn) < SAME_DRAWN


def crossed(now: Sample, free: Sample) -> bool:
    """Whether something has been drawn in a free cell."""
    return now.drawn - free.drawn >= SAME_DRAWN and _away(now, free) < CROSSED_LEVELS


def _away(a: Sample, b: Sample) -> float:
    return max(abs(x - y) for x, y in zip(a.colour, b.colour, strict=True))
