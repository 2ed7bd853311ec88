"""Learns a program that nobody told us about, by a few clicks at the start of a run.

Only cells whose value the solution knows are clicked: one that is to be filled gets the left button. Where that fills it,
it is not clicked again: some programs count a click on a right cell as a mistake. Where it crosses it, or entries may have
to be taken back, it is clicked until it looks as before or does not change any more. What that shows is how filled, empty
and unknown cells look, and whether a click sets, toggles or cycles. Where it only crosses cells, the right button may fill
them. The cell is brought back to what is right.
Whether crosses are needed shows at the end: a program that says nothing when the last cell is filled waits for them. Only
then does a cell that is to stay empty get the right button: it may open a menu, cost a life, or make the cells grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from bot.actions import Button, Move, Tap
from bot.changed import changed_beside, changed_cells
from bot.errors import InputFailed, LimitReached
from bot.players.nonogram.colours import CYCLE, EMPTY, cycle_of
from bot.players.nonogram.entering import BLANKS, MOVE, STATES, Entering, entering_of, parking
from bot.players.trying import LEAST_LOOKS, close_menu, no_menu_left, seen_again
from bot.screen import ANEW, Glance, Hands
from solver import nonogram
from solver.answer import has_several
from solver.lattice import Square
from solver.nonogram import Picture
from vision.colour import strongest
from vision.errors import BoardNotFound, VisionError
from vision.frame import Box, Frame, Pixels
from vision.measures.looks import Sample, sample
from vision.profile import Profile, learned, of_known_program
from vision.readers.nonogram.again import reread
from vision.readers.nonogram.board import read
from vision.readers.nonogram.inks import ink_of
from vision.readers.nonogram.learned import ENTERING, looks_of, seen_looks, signature
from vision.readers.nonogram.meanings import Meaning
from vision.readers.nonogram.told import BoardReading, told
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
# A cell rests when none of its px changes more than this (levels) between two looks, which it is given so long to do.
STILL_LEVELS = 4
STILL_S = 1.5
# What differs less than this (levels) from an untouched cell, and has something drawn in it, is crossed.
CROSSED_LEVELS = 45.0
# A cell of which more stands out from its own colour has none: what is drawn there does not fill it.
UNEVEN = 0.75
# Actions of one click, of a lesson that goes as lessons do, and kept for bringing the cell back when one is cut short.
CLICK, USUAL, BACK = 2, 20, 6
# The two states that a first look may take for each other.
EXCHANGED: Mapping[Meaning, Meaning] = {"filled": "blank", "blank": "filled"}
# A second click that is to be seen is held longer.
SLOW_TAP_S = 0.12
# A round through the inks of a coloured nonogram may have a cross and the empty cell besides.
MORE_CLICKS = 3
# Something that comes over the board changes so many cells' worth of px beside the one that was clicked.
COVER_CELLS = 2.0
# So many may be a menu that the right button has opened: of one in the colour of cells little more shows than its edge.
MENU_CELLS = 0.5
# So many looks of one state are kept.
MOST_LOOKS = 6
# Read without anything that was learned.
PLAIN = Profile("nonogram", "measured")
# The end of a puzzle is told by so many times the px that a single click changes beside the cells, and by so many. It
# is known of the first look and so many of the last ones, at least.
TOLD = 3
FEWEST_LOOKS = 4
LEAST_TOLD_PX = 150
# Of fewer filled cells that look another way nothing is said.
FEWEST_PAINTED = 3


@dataclass
class _Lesson:
    """What has been seen so far.

    looks: a sample of every state. slowest_s: the slowest answer.
    menu: whether a right click has opened a menu, which has been closed. last: the button of the last click.
    """

    reading: Reading[Any, Picture]
    hands: Hands
    moves: dict[tuple[Button, Meaning], Meaning]
    looks: dict[Meaning, Sample]
    slowest_s: float = 0.0
    menu: bool = False
    last: Button = "left"

    def sample(self, cell: Square) -> Sample:
        return sample(self.hands.capture().pixels, self.reading.geometry, cell)

    def hover(self, cell: Square) -> Sample:
        """The cell after the pointer has been on it: many programs highlight it from then on."""
        self.hands.act((Move(self.reading.geometry.centres[cell]), Move(parking(self.reading))))
        self.hands.sleep(POLL_S)
        return self.sample(cell)

    def click(self, cell: Square, button: Button, *, back: bool = False, tap_s: float = TAP_S) -> Sample:
        """The cell after a click, once it rests; the pointer has gone away.

        back: it brings the cell back, and may use the actions that are kept for that. Else raises LimitReached
            rather than touching them.
        Raises VisionError where the board is not to be seen any more, and does not come back.
        """
        if not back:
            self.hands.require(CLICK + BACK)
        shown = self.hands.capture()
        before = sample(shown.pixels, self.reading.geometry, cell)
        at = self.reading.geometry.centres[cell]
        try:
            self.hands.act((Tap(at, tap_s, button), Move(parking(self.reading))))
        except InputFailed:
            if self.last != "right":
                raise
            # A small menu over large cells is seen in none of them; nothing was clicked, for it is a window of its own.
            close_menu(self.hands)
            self.menu = True
            return self.sample(cell)
        finally:
            self.last = button
        with no_menu_left(self.hands) if button == "right" else nullcontext():
            last = self._rested(cell, before)
            covered = self._covered(shown, cell)
        if covered:
            self._uncover(button)
            last = self.sample(cell)
        return last

    def _patience(self) -> float:
        """How long a click may take to show once others have, s."""
        return max(LEAST_S, 2 * self.slowest_s)

    def _rested(self, cell: Square, before: Sample) -> Sample:
        """The cell once it has changed and rests, or when the patience and a few looks are over."""
        began, looks = self.hands.now(), 0
        patience = self._patience() if self.slowest_s else FIRST_S
        last, was = before, self._px(cell)
        while True:
            self.hands.sleep(POLL_S)
            frame, looks = self.hands.capture(), looks + 1
            now, px = sample(frame.pixels, self.reading.geometry, cell), self._px(cell, frame)
            waited = self.hands.now() - began
            same = not alike(now, before) and alike(now, last)
            # What fades away changes a little each time, and what blinks never rests.
            if same and (still(px, was) or waited > STILL_S):
                self.slowest_s = max(self.slowest_s, waited)
                return now
            if waited > patience and looks >= LEAST_LOOKS and not same:
                return now
            last, was = now, px

    def _px(self, cell: Square, frame: Frame | None = None) -> Pixels:
        """The px of a cell now, or on a picture."""
        geometry = self.reading.geometry
        shown = frame or self.hands.capture()
        box = Box.about(geometry.centres[cell], geometry.pitch_px / 2).clipped(shown.size)
        return shown.pixels[box.window]

    def _covered(self, shown: Frame, cell: Square) -> bool:
        """Whether so much has changed beside a cell that was clicked that the board itself may be gone."""
        frame = self.hands.capture()
        cell_px = self.reading.geometry.pitch_px**2
        changed = changed_beside(Glance(shown, self.reading), frame, {cell}) * frame.pixels[..., 0].size
        if self.last == "right" and changed >= MENU_CELLS * cell_px:
            # A menu may look like cells. Where there is none, nothing is lost but the time to close it.
            return True
        if changed < COVER_CELLS * cell_px:
            return False
        try:
            return self._unlike(self._read(frame))
        except VisionError:
            return True

    def _read(self, frame: Frame) -> Reading[Any, Picture]:
        """The board on a frame. Its numbers may be those of before in another style: a browser selects what it takes for words.

        What hides some of them is a menu of the right button.
        """
        hidden = {"most_gone": 0.0} if self.last == "right" else {}
        return reread(frame, self.reading, **hidden) or read(frame, PLAIN)

    def _unlike(self, now: Reading[Any, Picture]) -> bool:
        """Whether that is another puzzle, or has other cells that nobody can read."""
        return now.puzzle != self.reading.puzzle or not set(now.unknown) <= set(self.reading.unknown)

    def _uncover(self, button: Button) -> None:
        """Close the menu that a right click may have opened, and wait until the board is there again.

        Raises VisionError where it is not.
        """
        if button == "right":
            shown = self.hands.capture()
            close_menu(self.hands)
            self.menu = changed_beside(Glance(shown, self.reading), self.hands.capture()) > 0.0
        again = seen_again(self.hands, self._read)
        if again.puzzle != self.reading.puzzle:
            raise BoardNotFound("after a click another board is shown", hint="start again on the new board")

    def click_surely(self, cell: Square, button: Button, now: Meaning) -> Sample:
        """A click that does something, or else two that do nothing: one may get lost. The second is slower."""
        after = self.click(cell, button)
        if self.menu or not alike(after, self.looks[now]):
            return after
        return self.click(cell, button, tap_s=SLOW_TAP_S)

    def left(self, cell: Square, *, once: bool) -> bool:
        """What the left button does, on a cell that is to be filled. False where it does nothing or that is not clear.

        once: a cell that the first click fills is not clicked again.
        """
        for _ in range(LESSONS):
            first = self.click_surely(cell, "left", "free")
            if alike(first, self.looks["free"]):
                return False
            if once and not self._drawn(first):
                self.moves["left", "free"], self.looks["filled"] = "filled", first
                return True
            if self._round(cell, first):
                now = self.moves["left", "free"] if "filled" in self.looks else self._right_fills(cell)
                if self._marks_fill():
                    self._exchange()
                    now = EXCHANGED.get(now, now)
                for button in Entering(self.moves).way(now, "filled"):
                    self.click(cell, button)
                return "filled" in self.looks
            # A click that came twice or too late. Once more, from the beginning.
            self.looks, self.moves = {"free": self.looks["free"]}, {}
            if not self._cleared(cell):
                return False
        return False

    def _right_fills(self, cell: Square) -> Meaning:
        """What a cell is after the right button, which fills in programs whose left button only crosses."""
        # Where each button sets what it means, no click clears a cell.
        now: Meaning = "free" if self._cleared(cell) else "blank"
        first = self.click_surely(cell, "right", now)
        known = any(alike(first, look) for look in self.looks.values())
        mark = first.marked and not self.looks["blank"].marked
        if self.menu or known or (crossed(first, self.looks["free"]) and not mark):
            return now
        self.moves["right", now], self.looks["filled"] = "filled", first
        again = self.click_surely(cell, "right", "filled")
        for state, look in self.looks.items():
            if alike(again, look):
                self.moves["right", "filled"] = state
                return state
        return "filled"

    def _round(self, cell: Square, first: Sample) -> bool:
        """Click until the cell is as after the first click again; whether that went by way of free, or it stayed so.

        A cell that is free again may look otherwise than before any click.
        """
        free = self.looks["free"]
        if self._goes_round(cell, first):
            return True
        self.looks["free"] = free
        return False

    def _goes_round(self, cell: Square, first: Sample) -> bool:
        start: Meaning = "blank" if self._drawn(first) else "filled"
        self.moves["left", "free"], self.looks[start] = start, first
        now = start
        for _ in STATES:
            after = self.click_surely(cell, "left", now)
            to = next((state for state, look in self.looks.items() if alike(look, after)), None)
            if to is None:
                to = "free" if EXCHANGED[start] in self.looks else EXCHANGED[start]
                self.looks[to] = after
            known = self.moves.setdefault(("left", now), to)
            if known != to:
                return False
            if to == start:
                return now in (start, "free")
            now = to
        return False

    def _drawn(self, now: Sample) -> bool:
        """Whether what a click has made of a free cell is drawn in it, and does not fill it."""
        return now.marked or now.drawn > UNEVEN or crossed(now, self.looks["free"])

    def _marks_fill(self) -> bool:
        """Whether what was taken for filled holds a cross or dot, and what was taken for crossed only shades of its colour."""
        filled, blank = self.looks.get("filled"), self.looks.get("blank")
        return filled is not None and blank is not None and filled.marked and not blank.marked

    def _exchange(self) -> None:
        """Take what was filled for crossed, and the other way round."""
        self.looks = {EXCHANGED.get(state, state): look for state, look in self.looks.items()}
        self.moves = {
            (button, EXCHANGED.get(now, now)): EXCHANGED.get(to, to)
            for (button, now), to in self.moves.items()
        }

    def second(self, cell: Square) -> None:
        """What further left clicks do, on a cell that is filled and stays so."""
        first, moves, looks = self.hover(cell), dict(self.moves), dict(self.looks)
        clear = False
        try:
            clear = self._round(cell, first)
        finally:
            if not clear:
                self.moves, self.looks = moves, looks
            for _ in STATES:
                # A click may show later than those before it.
                self.hands.sleep(self._patience())
                if alike(self.sample(cell), first):
                    break
                self.click(cell, "left", back=True)

    def _emptied(self, cell: Square, *, back: bool = False) -> None:
        """Take back what has been filled."""
        way = Entering(self.moves).way("filled", "free")
        for button in way:
            self.click(cell, button, back=back)
        if not way:
            self._cleared(cell, back=back)

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
            self._emptied(cell, back=True)

    def right(self, cell: Square) -> None:
        """What the right button does, on a cell that is to stay empty. Never a second time where it opened a menu."""
        self.hover(cell)
        first = self.click_surely(cell, "right", "free")
        if self.menu:
            # A program that hears no release under it goes on filling what the pointer passes, until a click ends that.
            if not (alike(first, self.looks["free"]) or crossed(first, self.looks["free"])):
                self._cleared(cell)
            return
        if alike(first, self.looks["free"]):
            return
        if alike(first, self.looks["filled"]):
            self._emptied(cell)
            return
        self.moves["right", "free"], self.looks["blank"] = "blank", first
        again = self.click_surely(cell, "right", "blank")
        if self.menu:
            # It was the menu that the cell seemed to hold.
            del self.moves["right", "free"], self.looks["blank"]
            return
        for state in ("blank", "free"):
            if alike(again, self.looks[state]):
                self.moves["right", "blank"] = state

    def other_looks(
        self, frames: Sequence[Frame], clicked: Mapping[Square, Meaning], free: Sample
    ) -> list[tuple[Meaning, Sample]]:
        """Further looks of the states, where the program highlights a row and a column, or its ground shows through the cells.

        frames: of a board on which nothing else was clicked than `clicked`, cells with what they are in the last frame. A
        cell that nobody clicked is in all of them what it looks like in one. free: as most free cells look.
        """
        geometry = self.reading.geometry
        views = [{cell: sample(one.pixels, geometry, cell) for cell in geometry.centres} for one in frames]
        plain = {cell for cell in geometry.centres if any(alike(view[cell], free) for view in views)}
        found: list[tuple[Meaning, Sample]] = []
        for view in views:
            strange = {cell for cell in plain - clicked.keys() if not alike(view[cell], free)}
            if _in_one_row_and_column(strange):
                found += [("free", view[cell]) for cell in sorted(strange)]
        known = self.reading.placed.filled | self.reading.placed.blank | set(self.reading.doubtful)
        found += [("free", views[0][cell]) for cell in geometry.centres if cell not in known]
        return [("free", free), *found, *((meaning, views[-1][cell]) for cell, meaning in clicked.items())]

    def all_looks(self, further: Sequence[tuple[Meaning, Sample]]) -> list[tuple[Meaning, Sample]]:
        """Every state's looks, those of its own first; what two states look like is neither's."""
        free = self.looks["free"]
        marked = {name: crossed(one, free) for name, one in self.looks.items()}
        every = [(name, replace(one, marked=marked[name])) for name, one in self.looks.items()]
        for meaning, one in further:
            near = [name for name, other in every if _away(one, other) < SAME_LEVELS]
            same = [name for name in near if marked[name] == marked[meaning]]
            if not same and sum(name == meaning for name, _ in every) < MOST_LOOKS:
                every.append((meaning, replace(one, marked=marked[meaning])))
        return every


def learn(frame: Frame, reading: Reading[Any, Picture], solution: Picture, hands: Hands) -> Profile | None:
    """The profile of the program on the screen; None where it is known already, or does not take clicks.

    frame, reading: the board before anything is clicked.
    Raises LimitReached where the limits of the run leave too little for a lesson, or end it; then the cell that was
    being clicked has been brought back. Raises VisionError where the board is not to be seen any more after a click.
    """
    if reading.puzzle.palette is not None:
        return _learn_cycle(frame, reading, solution, hands)
    known = reading.ui != "generic" or any(key.startswith(MOVE) for key in reading.facts)
    moves = entering_of(reading).moves
    once = ("left", "free") in moves and ("left", "filled") not in moves
    if known and ANEW not in reading.facts and not (once and _to_take_back(reading, solution)):
        return _learn_crosses(frame, reading, solution, hands)
    free = _plain(frame, reading)
    to_fill = next((cell for cell in free if cell in solution.filled), None)
    if to_fill is None:
        return None
    hands.require(USUAL + BACK)
    lesson = _Lesson(reading, hands, {}, {})
    plain, lesson.looks["free"] = sample(frame.pixels, reading.geometry, to_fill), lesson.hover(to_fill)
    clicked: dict[Square, Meaning] = {to_fill: "filled"}
    frames = [frame]
    try:
        if not lesson.left(to_fill, once=not _to_take_back(reading, solution)):
            return None
    except LimitReached:
        lesson.cut(to_fill, filled=True)
        raise
    frames.append(hands.capture())
    lesson.hover(free[-1])
    frames.append(hands.capture())
    looks = lesson.all_looks(lesson.other_looks(frames, clicked, plain))
    profile = learned("nonogram", {**signature(frame.pixels, reading), **_settings(looks, lesson.moves)})
    beside = {cell for cell in solution.blank if cell.row == to_fill.row or cell.col == to_fill.col}
    return profile if _proved(profile, reading, {to_fill}, {to_fill}, hands.capture(), beside) else None


def _to_take_back(reading: Reading[Any, Picture], solution: Picture) -> bool:
    """Whether entries may have to be taken back: some are wrong, or other solutions may have to be tried."""
    if reading.placed.filled & solution.blank or nonogram.picture_switched(reading.puzzle, solution):
        return True
    return has_several(nonogram.solve, reading.puzzle)


def _learn_crosses(
    frame: Frame, reading: Reading[Any, Picture], solution: Picture, hands: Hands
) -> Profile | None:
    """What the right button does in a program that wants its blank cells marked; None where that is known, or nothing.

    reading: with what is known of the left button. A cell that is to stay empty is clicked.
    """
    entering = entering_of(reading)
    free = [cell for cell in _plain(frame, reading) if cell not in solution.filled]
    shown = sorted(reading.placed.filled)
    wanted = entering.blanks and not entering.way("free", "blank") and reading.ui == "generic"
    if not (wanted and free and shown and isinstance(reading, BoardReading) and reading.seen is not None):
        return None
    hands.require(USUAL + BACK)
    to_leave = free[0]
    filled = sample(frame.pixels, reading.geometry, shown[0])
    lesson = _Lesson(reading, hands, dict(entering.moves), {"filled": filled})
    lesson.looks["free"] = lesson.hover(to_leave)
    try:
        lesson.right(to_leave)
    except LimitReached:
        lesson.cut(to_leave, filled=False)
        raise
    free_looks = [one for name, one in reading.seen.known if name == "free"]
    # Cells that the program itself has marked tell nothing of clicks.
    alone = any(_away(one, lesson.looks["free"]) < SAME_LEVELS for one in free_looks)
    if alone and "blank" not in lesson.looks and ("left", "filled") not in lesson.moves:
        lesson.second(shown[0])
    looks, blank = list(reading.seen.known), lesson.looks.get("blank")
    if blank is not None:
        # Where the row of the pointer is highlighted late, what was sampled as free is no ground of the cross.
        marked = blank.marked or crossed(blank, lesson.looks["free"])
        looks.append(("blank", replace(blank, marked=marked)))
    profile = learned("nonogram", {**_settings(looks, lesson.moves), BLANKS: float(blank is not None)})
    return profile if _proved(profile, reading, {to_leave}, reading.placed.filled, hands.capture()) else None


def _settings(
    looks: Sequence[tuple[Meaning, Sample]], moves: Mapping[tuple[Button, Meaning], Meaning]
) -> dict[str, float]:
    """What has been learned of how cells look and what clicks do, as settings of a profile."""
    entering = {f"{MOVE}{button}.{now}": float(STATES.index(to)) for (button, now), to in moves.items()}
    return {**seen_looks(looks), **entering}


def _learn_cycle(
    frame: Frame, reading: Reading[Any, Picture], solution: Picture, hands: Hands
) -> Profile | None:
    """In which order clicks bring a cell of a coloured nonogram to its inks; None where there are swatches to pick from.

    One cell that is to be filled is clicked until it looks as before.
    """
    inks = {ink.char: ink for ink in reading.puzzle.palette.inks}
    colours = {char: _bgr(ink.rgb) for char, ink in inks.items()}
    free = [
        cell for cell in sorted(solution.filled) if cell not in reading.placed.filled | set(reading.doubtful)
    ]
    if inks.keys() <= reading.controls.keys() or cycle_of(reading) or not free:
        return None
    hands.require(CLICK * (len(inks) + MORE_CLICKS) + BACK)
    lesson = _Lesson(reading, hands, {}, {"free": sample(frame.pixels, reading.geometry, free[0])})
    settings: dict[str, float] = {}
    for clicks in range(1, len(inks) + MORE_CLICKS + 1):
        now = lesson.click(free[0], "left", tap_s=SLOW_TAP_S)
        if _away(now, lesson.looks["free"]) < SAME_LEVELS and not crossed(now, lesson.looks["free"]):
            settings[EMPTY] = float(clicks)
            break
        ink = ink_of(now.colour, colours)
        if ink is not None:
            settings.setdefault(f"{CYCLE}{inks[ink].rgb}", float(clicks))
    known = cycle_of(replace(reading, facts=settings))
    return learned("nonogram", {**signature(frame.pixels, reading), **settings}) if known else None


def _bgr(rgb: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(rgb)
    return float(blue), float(green), float(red)


def _in_one_row_and_column(cells: Set[Square]) -> bool:
    """Whether cells lie as a highlight does; what comes over the board covers a block of them."""
    rows, cols = Counter(cell.row for cell in cells), Counter(cell.col for cell in cells)
    if not cells:
        return False
    row, col = rows.most_common(1)[0][0], cols.most_common(1)[0][0]
    return all(cell.row == row or cell.col == col for cell in cells)


def _plain(frame: Frame, reading: Reading[Any, Picture]) -> list[Square]:
    """The free cells that look as most of them do: others may be highlighted, or lie under the pointer."""
    known = reading.placed.filled | reading.placed.blank | set(reading.doubtful)
    free = [cell for cell in reading.geometry.centres if cell not in known]
    views = [sample(frame.pixels, reading.geometry, cell) for cell in free]
    if not views:
        return []
    usual = Sample(
        _middle([view.colour for view in views]), False, float(np.median([v.drawn for v in views]))
    )
    return [cell for cell, view in zip(free, views, strict=True) if alike(view, usual)] or free


def _middle(colours: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    blue, green, red = np.median(np.array(colours), axis=0).tolist()
    return blue, green, red


def _proved(
    profile: Profile,
    before: Reading[Any, Picture],
    clicked: Set[Square],
    filled: Set[Square],
    frame: Frame,
    crossed: Set[Square] = frozenset(),
) -> bool:
    """Whether the board seen with what was learned is the same but for what was clicked, and that is as it should be.

    Something that came over the board meanwhile teaches nothing. Cells that were in doubt may have been recognised, and
    highlighted ones be known as free. crossed: cells that a program may cross by itself, as a line is done.
    """
    known = taught(before, profile)
    try:
        now = (known and reread(frame, known)) or read(frame, of_known_program(profile))
    except VisionError:
        return False
    more = (now.placed.filled - before.placed.filled) | (now.placed.blank - before.placed.blank - crossed)
    return (
        now.puzzle == before.puzzle
        and filled <= now.placed.filled
        and more <= clicked | set(before.doubtful)
        and not set(now.unknown) - set(before.unknown)
    )


def taught(before: Reading[Any, Picture], profile: Profile) -> Reading[Any, Picture] | None:
    """The reading with what was learned since; None where it remembers nothing that a later frame can be compared with.

    Programs recolour the numbers of lines that are done: the puzzle is what it was before the lesson.
    """
    if not isinstance(before, BoardReading) or before.seen is None:
        return None
    known = () if before.seen.inks else looks_of(profile)
    again = replace(before, facts=profile.named(*ENTERING), seen=replace(before.seen, known=known))
    return told(again, again.looks)


def what_is_needed(profile: Profile, frames: Sequence[Frame], reading: Reading[Any, Picture]) -> Profile:
    """The profile with what the end of the puzzle tells: whether blank cells are to be crossed.

    frames: see `said`.
    """
    if len(frames) < FEWEST_LOOKS:
        return profile
    clicked = any(key.startswith(MOVE) for key in profile.settings)
    return replace(
        profile, settings={**profile.settings, BLANKS: float(clicked and not said(frames, reading))}
    )


def said(frames: Sequence[Frame], reading: Reading[Any, Picture]) -> bool:
    """Whether more changes beside the board with the last entry than with those before it; so too where that is unknown.

    A small picture of the board changes with every cell, so many of which more may have been filled with the last entry. Places
    that have changed since the first look, as those of a clock, say nothing. So too where most of what was filled before
    looks another way with the last entry. frames: the first look and the last ones, only the very last with all filled cells.
    """
    frames = [one for one in frames if one.pixels.shape == frames[-1].pixels.shape]
    if len(frames) < FEWEST_LOOKS or reading.ui != "generic":
        return True
    filled = changed_cells(Glance(frames[0], reading), frames[-2]) & set(reading.placed.filled)
    painted = changed_cells(Glance(frames[-2], reading), frames[-1]) & filled
    if len(filled) >= FEWEST_PAINTED and 2 * len(painted) > len(filled):
        return True
    near = np.ones((2 * round(reading.geometry.pitch_px / 2) + 1,) * 2, np.uint8)
    known = np.zeros(frames[-1].pixels.shape[:2], np.bool_)
    told: list[int] = []
    for before, after in pairwise(frames):
        beside = _beside(before, after, reading)
        told.append(int(np.count_nonzero(beside & ~known)))
        known |= np.asarray(cv2.dilate(beside.view(np.uint8), near)) > 0
    earlier, last = (
        len(changed_cells(Glance(one, reading), two) & reading.placed.filled)
        for one, two in pairwise(frames[-3:])
    )
    return told[-1] > max(LEAST_TOLD_PX, TOLD * told[-2] * max(1.0, last / max(earlier, 1)))


def _beside(before: Frame, after: Frame, reading: Reading[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The px beside the board that have changed."""
    changed = _changed(before, after)
    left, top, width, height = reading.area
    changed[max(top, 0) : top + height, max(left, 0) : left + width] = False
    return changed


def _changed(before: Frame, after: Frame) -> np.ndarray[Any, np.dtype[np.bool_]]:
    if before.pixels.shape != after.pixels.shape:
        return np.ones(after.pixels.shape[:2], np.bool_)
    return np.asarray(strongest(cv2.absdiff(before.pixels, after.pixels)) > 3 * SAME_LEVELS)


def alike(a: Sample, b: Sample) -> bool:
    """Whether two samples show the same."""
    return _away(a, b) < SAME_LEVELS and abs(a.drawn - b.drawn) < SAME_DRAWN


def still(now: Pixels, last: Pixels) -> bool:
    """Whether no px of a cell has changed between two looks by more than a little."""
    return now.shape == last.shape and not (cv2.absdiff(now, last) > STILL_LEVELS).any()


def crossed(now: Sample, free: Sample) -> bool:
    """Whether something has been drawn in a free cell."""
    return now.drawn - free.drawn >= SAME_DRAWN and _away(now, free) < CROSSED_LEVELS


def _away(a: Sample, b: Sample) -> float:
    return max(abs(x - y) for x, y in zip(a.colour, b.colour, strict=True))
