"""A device that is looked at until it is understood, and touched only where the board is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypeAlias

from bot.actions import Action, gestures, points
from bot.clock import Clock
from bot.devices.base import Device
from bot.errors import InputFailed, LimitReached, NeverStill, SizeChanged
from vision.errors import VisionError
from vision.frame import Box, Frame, Pixels, Point
from vision.reading import Geometry, Reading

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

AnyReading: TypeAlias = Reading[Any, Any]

# A fact of a reading that is handed to a lesson: the program is known by its look, but does not take what it is known for.
ANEW = "lesson.anew"
# A screen that cannot be read is asked less and less often, down to this.
MOST_PAUSE_S = 0.4
# On a busy machine a single look takes seconds: patience is over only after so many.
LEAST_UNREAD, LEAST_CHANGES = 2, 6
# Levels by which a pixel differs that has changed.
CHANGED_LEVELS = 42
# The inner part of a cell, without the lines around it, goes so far from its middle (share of the pitch).
INNER = 0.4
# A cell has changed where this share of its middle has.
MOST = 0.5
# Cells look alike where no more of their middles differs: a small sign in one of them may.
MOST_OTHER = 0.2
# A cell and the lines around it reach so far from its middle (share of the pitch), its neighbours do not.
AROUND = 0.52
# Cells lie side by side whose middles are nearer than so many pitches.
SIDE_BY_SIDE = 1.3
# What is drawn between them is looked for so far to both sides (share of a quarter of the pitch): marks keep away from it.
BETWEEN = 0.4
# The disc inside a cell, with the lines of a hex but not with its neighbours, reaches so far (share of the pitch).
INSIDE = 0.47
# What fills a cell reaches so far over its edge, in halves of a cell.
RIM = 0.25
# A span shows what it holds around its middle, so far along and across it (share of the pitch): islands keep away from there.
ALONG, ACROSS = 0.1, 0.3
# A preview is drawn with less than this share of what entries of its value are drawn with, and lacks this share of what most
# of them show, more than a line between two px does.
WEAKER, LACKS = 0.85, 0.3
# What changes by fewer levels is hardly drawn; fewer entries of a value tell nothing of each other.
DRAWN, LEAST_ALIKE = 12, 3
# What is drawn in one colour differs from it by less than this share of what it adds, px by px; from SOLID of the most that any
# px adds on it is no soft edge. Of red the other channels are lower by so many levels, and about alike.
MIXED, SOLID, RED = 0.25, 0.7, 100
# What keeps as much of what it has added to the first picture does not fade.
FADED = 0.95
# A number is as high as this share of the others: more than a small letter is beside a large one, and old figures are.
LOWER = 0.6
# What is drawn in a cell differs by this share from what others of its value show, at the best of the places a px away, where
# it is of another form, size or place; what differs by less than half of that is alike. Less than FAINT of a cell is noise.
UNLIKE, FAINT = 0.4, 0.04
# A mark for a mistake is this share of its cell.
LEAST_MARK = 0.008
# A cell with the lines on so many sides as they were, and its inside, is not covered.
SIDES_KEPT = 2
# A box over a board is larger than so many pitches, and closed where this share of each side has changed: its border may
# have the colour of what it crosses.
BOX, CLOSED = 1.5, 0.8
# A board has moved where one of its cells has by more px.
MOVED_PX = 1


@dataclass(frozen=True)
class Glance:
    """A frame and what was read on it.

    covered: it was read through a translucent cover; nothing is to be done on such a board.
    """

    frame: Frame
    reading: AnyReading
    covered: bool = False


@dataclass(frozen=True)
class Patience:
    """How long to wait for a screen.

    between_s: rest between two frames that must tell the same.
    still_s: how long the readings may keep changing before NeverStill.
    unread_s: how long a screen that cannot be read is given before its error is raised.
    hidden_s: the same once a board has been read there: whatever covers it may go away again.
    """

    between_s: float = 0.06
    still_s: float = 10.0
    unread_s: float = 2.0
    hidden_s: float = 15.0


class Screen:
    """The eyes and hands of a run.

    acted: how many gestures were sent; pauses are none.

    Stillness is judged by what is read, not by pixels: sparkles, pulsing lines and noise never rest, but two
    looks in a row that tell the same board do. A board that tells at once what must come of what was sent is not
    on its way to anything else.
    """

    def __init__(self, device: Device, clock: Clock, patience: Patience | None = None) -> None:
        self.device = device
        self.clock = clock
        self.acted = 0
        self._patience = patience or Patience()
        self._known = False

    def look(
        self,
        read: Callable[[Frame], AnyReading | None],
        waiting: Callable[[VisionError], object] = lambda error: None,
        expected: Callable[[AnyReading], bool] = lambda reading: False,
    ) -> Glance:
        """Capture and read until two looks in a row tell the same, or one tells what is expected.

        read: None for a picture that is not worth reading, since it still changes: the next one follows.
        waiting: hears once what is in the way of a board that has been read before.
        Raises NeverStill, or the reader's own VisionError when the screen stays unreadable.
        """
        start, pause = self.clock.now(), self._patience.between_s
        patience_s = self._patience.hidden_s if self._known else self._patience.unread_s
        before: Glance | None = None
        told = False
        unread = changes = 0
        while True:
            frame = self.device.capture()
            try:
                reading = read(frame)
            except VisionError as error:
                before = None
                unread += 1
                waited = self.clock.now() - start
                if unread >= LEAST_UNREAD and waited >= patience_s:
                    raise
                if not told and waited >= self._patience.unread_s:
                    told = True
                    waiting(error)
                pause = min(1.5 * pause, MOST_PAUSE_S)
            else:
                if reading is None:
                    before, pause = None, min(1.5 * pause, MOST_PAUSE_S)
                    self.clock.sleep(pause)
                    continue
                pause = self._patience.between_s
                if expected(reading) or (before is not None and same_state(before.reading, reading)):
                    self._known = True
                    return Glance(frame, reading)
                before = Glance(frame, reading)
                changes += 1
                if changes >= LEAST_CHANGES and self.clock.now() - start >= self._patience.still_s:
                    raise NeverStill(
                        f"the board kept changing for {self._patience.still_s:.0f} s",
                        hint="wait until animations have ended, and leave the mouse alone",
                    )
            self.clock.sleep(pause)

    def act(self, actions: Sequence[Action], area: Box) -> None:
        """Do the actions, all of them inside `area` (px of the frame) or none at all."""
        for action in actions:
            for at in points(action):
                if not area.contains(at):
                    raise InputFailed(
                        f"an action at ({at.x:.0f}, {at.y:.0f}) lies outside the board's area {tuple(area)}",
                        hint="this is a bug in the game's player: please report it; nothing was tapped",
                    )
        self.device.act(actions)
        self.acted += gestures(actions)


class Budget:
    """What a run may still do: so many actions, for so long from now on; None is no limit."""

    def __init__(self, screen: Screen, max_actions: int | None = None, max_s: float | None = None) -> None:
        self._screen = screen
        self._max_actions = math.inf if max_actions is None else max_actions
        self._end_s = math.inf if max_s is None else screen.clock.now() + max_s

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return self._screen.clock.now() >= self._end_s

    @property
    def actions(self) -> float:
        """How many actions are left, in time or not."""
        return max(0.0, self._max_actions - self._screen.acted)

    @property
    def left(self) -> float:
        """How many actions may still be begun: none once the time is over."""
        return 0.0 if self.late else self.actions


class Hands:
    """What a player may use to try out a program that it does not know: the screen, within the area of the board seen.

    used: whether anything was sent.
    """

    def __init__(self, screen: Screen, seen: Glance, budget: Budget) -> None:
        self._screen, self._area, self._size, self._budget = (
            screen,
            seen.reading.area,
            seen.frame.size,
            budget,
        )
        self._last_size = self._size
        self.used = False

    def require(self, actions: int) -> None:
        """Before something is begun that takes so many actions at most. Raises LimitReached."""
        if actions > self._budget.left:
            raise LimitReached(f"{self._budget.left:.0f} actions are left, {actions} are needed")

    def act(self, actions: Sequence[Action]) -> None:
        """Do the actions, also late: what was begun is brought to its end.

        Raises LimitReached; SizeChanged where the last picture had another size than the one that was read; InputFailed.
        """
        if self._last_size != self._size:
            raise SizeChanged(f"the picture is {self._last_size} px and was {self._size} px")
        needed = gestures(actions)
        if needed > self._budget.actions:
            raise LimitReached(f"{self._budget.actions:.0f} actions are left, {needed} are needed")
        self.used = True
        self._screen.act(actions, self._area)

    def capture(self) -> Frame:
        frame = self._screen.device.capture()
        self._last_size = frame.size
        return frame

    def sleep(self, seconds: float) -> None:
        self._screen.clock.sleep(seconds)

    def now(self) -> float:
        return self._screen.clock.now()


def changed_beside(
    look: Glance, frame: Frame, cells: Collection[object] = (), levels: int = CHANGED_LEVELS
) -> float:
    """The share of a later picture that has changed since a look, without these cells; 1.0 where it has another size.

    levels: what differs by more has changed.
    """
    if look.frame.size != frame.size:
        return 1.0
    changed = differ(look.frame.pixels, frame.pixels, levels)
    geometry = look.reading.geometry
    for window in _windows(geometry, cells, geometry.pitch_px / 2).values():
        changed[window] = False
    return float(changed.mean())


def put_back(look: Glance, frame: Frame, cells: Collection[object]) -> Frame:
    """A later picture of the same size with these cells as they were on a look."""
    pixels = frame.pixels.copy()
    for window in _windows(look.reading.geometry, cells, look.reading.geometry.pitch_px / 2).values():
        pixels[window] = look.frame.pixels[window]
    return replace(frame, pixels=pixels)


def lifted(look: Glance, frame: Frame) -> Frame:
    """A later picture of the same size without the boxes that came over the board since a look: it is there as it was then.

    A box is larger than a cell, and closed: along each of its sides, or as far as the picture goes, one thing has changed.
    """
    import cv2
    import numpy as np

    changed = differ(look.frame.pixels, frame.pixels, DRAWN)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)
    pixels = frame.pixels
    for mark in range(1, count):
        left, top, width, height = stats[mark, :4]
        if min(width, height) <= BOX * look.reading.geometry.pitch_px:
            continue
        window = slice(top, top + height), slice(left, left + width)
        part = marks[window] == mark
        if min(side.mean() for side in (part[0], part[-1], part[:, 0], part[:, -1])) >= CLOSED:
            pixels = pixels.copy() if pixels is frame.pixels else pixels
            pixels[window] = look.frame.pixels[window]
    return frame if pixels is frame.pixels else replace(frame, pixels=pixels)


def touched(look: Glance, frame: Frame, cells: Collection[object], but: Collection[object]) -> set[object]:
    """Those of these cells, or spans and their ends, in which anything has changed on a later picture of the same size.

    but: what changes in these, and at their ends, is not asked.
    """
    geometry = look.reading.geometry
    asked, apart = (
        {*some, *(end for cell in some for end in ends_of(geometry, cell))} for some in (cells, but)
    )
    changed = _changed(look, frame)
    for window in _windows(geometry, but, geometry.pitch_px / 2).values():
        changed[window] = False
    windows = _windows(geometry, asked - apart, geometry.pitch_px / 2, ACROSS * geometry.pitch_px)
    return {cell for cell, window in windows.items() if changed[window].any()}


def runs_beyond(look: Glance, frame: Frame, cells: Collection[object], but: Collection[object]) -> float:
    """How much has changed since a look around these cells, up to a cell's size away, as a share of what has in them.

    What a span holds is seen along its middle alone. but: cells that are not asked.
    """
    import numpy as np

    changed = differ(look.frame.pixels, frame.pixels, CHANGED_LEVELS)
    geometry = look.reading.geometry
    half = geometry.pitch_px / 2

    def there(cells: Collection[object], far: float) -> npt.NDArray[np.bool_]:
        part = np.zeros_like(changed)
        across = far - half + ACROSS * geometry.pitch_px
        for window in _windows(geometry, cells, far, across).values():
            part[window] = True
        return part

    inside = changed & there(cells, half)
    # What fills a cell may reach over its edge.
    beyond = changed & there(cells, 3 * half) & ~there({*cells, *but}, half + RIM * half)
    return float(beyond.sum() / max(1, inside.sum()))


def changed_around(look: Glance, frame: Frame, levels: int) -> float:
    """The share of a board beside its cells that differs by more than so many levels on a later picture of the same size."""
    beside = _beside_cells(look, AROUND)
    return float(differ(look.frame.pixels, frame.pixels, levels)[beside].mean()) if beside.any() else 0.0


def drawn_anew(
    look: Glance, frame: Frame, levels: int, reach: float = INNER, cells: Collection[object] = ()
) -> float:
    """The share of a board's lines and numbers that differ by more than so many levels on a later picture of the same size.

    reach: what is nearer to the middle of a cell is left out (share of the pitch); AROUND leaves the numbers.
    cells: what is around these is not asked, nor what has the colour of its cell.
    """
    import numpy as np

    beside = _beside_cells(look, reach)
    geometry = look.reading.geometry
    for window in _windows(geometry, cells, AROUND * geometry.pitch_px).values():
        beside[window] = False
    px = look.frame.pixels.astype(np.int16)
    ground = np.median(px[beside], axis=0) if beside.any() else 0
    drawn = beside & (np.abs(px - ground).max(axis=2) > CHANGED_LEVELS)
    for at in geometry.centres.values() if reach < AROUND else ():
        window, middle = _window(at, geometry.pitch_px / 2), px[_window(at, geometry.pitch_px / 4)]
        own = np.median(middle, axis=(0, 1)) if middle.size else ground
        drawn[window] &= np.abs(px[window] - own).max(axis=2) > CHANGED_LEVELS
    return float(differ(look.frame.pixels, frame.pixels, levels)[drawn].mean()) if drawn.any() else 0.0


def _beside_cells(look: Glance, reach: float) -> npt.NDArray[np.bool_]:
    """(h, w) the px of a board farther from the middles of its cells than that (share of the pitch)."""
    import numpy as np

    geometry, window = look.reading.geometry, look.reading.area.clipped(look.frame.size).window
    beside = np.zeros(look.frame.pixels.shape[:2], np.bool_)
    beside[window] = True
    for at in geometry.centres.values():
        beside[_window(at, reach * geometry.pitch_px)] = False
    return beside


def lines_gone(
    look: Glance,
    frame: Frame,
    cells: Collection[object],
    levels: int,
    moves: Collection[object] | None = None,
) -> float:
    """The share of what is drawn between these cells, lines or gaps, that differs by more levels on a later picture.

    It is asked for between each two that lie side by side, but for the one cell or move around which most is gone: what is
    drawn in a cell may reach over its lines. 0.0 where nothing else is drawn. frame: of the same size.
    moves: the cells that moves were sent for; None where it is asked for between these cells and all others as well.
    """
    import numpy as np

    geometry = look.reading.geometry
    own = {cell: geometry.centres[cell] for cell in cells if cell in geometry.centres}
    half = geometry.pitch_px / 4
    around = _windows(geometry, {*(moves or ()), *own}, AROUND * geometry.pitch_px)
    others = [at for cell, at in geometry.centres.items() if moves is None and cell not in own]
    found: list[tuple[Point, int, int]] = []
    for a, b in (*combinations(own.values(), 2), *product(own.values(), others)):
        if not 0 < math.dist(a, b) < SIDE_BY_SIDE * geometry.pitch_px:
            continue
        between, side = Point((a.x + b.x) / 2, (a.y + b.y) / 2), abs(a.x - b.x) > abs(a.y - b.y)
        wide, high = (_window(between, BETWEEN * half), _window(between, half))[:: 1 if side else -1]
        strip = high[0], wide[1]
        before, now = (one.pixels[strip].astype(np.int16) for one in (look.frame, frame))
        line = np.ones(before.shape[:2], np.bool_)
        for cell in (look.frame.pixels[_window(at, half)].reshape(-1, 3) for at in (a, b)):
            line &= np.abs(before - np.median(cell, axis=0)).max(axis=2) > levels
        changed = (np.abs(now - before).max(axis=2) > levels)[line]
        found.append((between, int(line.sum()), int(changed.sum())))

    def share(found: Sequence[tuple[Point, int, int]]) -> float:
        drawn = sum(one for _, one, _ in found)
        return sum(one for _, _, one in found) / drawn if drawn else 0.0

    def beside(at: Point, rows: slice, cols: slice) -> bool:
        return not (rows.start <= at.y <= rows.stop and cols.start <= at.x <= cols.stop)

    return min(
        (share([one for one in found if beside(one[0], *window)]) for window in around.values()), default=0.0
    )


def has_gone(look: Glance, frame: Frame, at: Point) -> bool:
    """Whether most of what was seen at a place has changed on a later picture, and the place is no cell's."""
    geometry = look.reading.geometry
    if look.frame.size != frame.size or geometry.nearest(at) is not None:
        return False
    part = _changed(look, frame)[_window(at, geometry.pitch_px / 4)]
    return bool(part.size) and float(part.mean()) >= MOST


def changed_cells(look: Glance, frame: Frame) -> set[object]:
    """The cells of a board of which most has changed on a later picture of the same size."""
    changed, geometry = _changed(look, frame), look.reading.geometry
    found = set[object]()
    for cell, at in geometry.centres.items():
        part = changed[_window(at, geometry.pitch_px / 4)]
        if part.size and part.mean() >= MOST:
            found.add(cell)
    return found


def untouched_cells(look: Glance, frame: Frame, cells: Collection[object]) -> set[object]:
    """Those of some cells that are still seen on a later picture of the same size and look as before, with the lines around
    them, however pale, or with what shows inside; where nothing but one colour shows the same may cover it."""
    import numpy as np

    geometry = look.reading.geometry
    found = set[object]()
    for cell, window in _windows(geometry, cells, AROUND * geometry.pitch_px).items():
        before, now = (one.pixels[window].astype(np.int16) for one in (look.frame, frame))
        drawn, away = np.ptp(before, axis=(0, 1)).max(initial=0), np.abs(before - now).max(axis=2)
        as_before = drawn > DRAWN and away.max() <= min(CHANGED_LEVELS, drawn / 2)
        kept = cell in geometry.centres and _sides_kept(before, away, geometry.pitch_px) >= SIDES_KEPT
        if as_before or kept or _inside_kept(look, frame, cell):
            found.add(cell)
    return found


def _inside_kept(look: Glance, frame: Frame, cell: Any) -> bool:
    """Whether something shows inside a cell, or half way along a span, that is as it was: beyond it others may have changed."""
    import numpy as np

    geometry = look.reading.geometry
    if cell in geometry.centres:
        window = _window(geometry.centres[cell], INSIDE * geometry.pitch_px)
        parts = [one.pixels[window] for one in (look.frame, frame)]
        down, right = np.ogrid[tuple(slice(-1, 1, side * 1j) for side in parts[0].shape[:2])]
        before, now = (part[down**2 + right**2 <= 1].astype(np.int16) for part in parts)
    else:
        before, now = (
            _shown_between(one.pixels, geometry, *cell).reshape(-1, 3).astype(np.int16)
            for one in (look.frame, frame)
        )
    drawn = np.ptp(before, axis=0).max() if before.size else 0
    return bool(drawn > CHANGED_LEVELS and np.abs(now - before).max() <= DRAWN)


def _sides_kept(before: npt.NDArray[np.int16], away: npt.NDArray[np.int16], pitch_px: float) -> int:
    """How many sides of a cell, with a line on them, are as they were; 0 where its inside is not.

    before: (h, w, 3) it was, AROUND its middle; away: (h, w) by how many levels it is otherwise now. Beyond the line of a side
    its neighbour may have taken what was sent for it.
    """
    import numpy as np

    rim = max(1, round((AROUND - INNER) * pitch_px))
    if not away.size or away[rim:-rim, rim:-rim].max(initial=0) > DRAWN:
        return 0
    line = np.abs(before - np.median(before, axis=(0, 1))).max(axis=2) > CHANGED_LEVELS
    sides = (np.s_[:rim, rim:-rim], np.s_[-rim:, rim:-rim], np.s_[rim:-rim, :rim], np.s_[rim:-rim, -rim:])
    return sum(bool(line[side].any()) and away[side].max(initial=0) <= DRAWN for side in sides)


def cells_like(look: Glance, frame: Frame, example: object) -> set[object]:
    """The cells that look on a later picture of the same size as one of them did: in most of their middle."""
    geometry = look.reading.geometry
    if example not in geometry.centres:
        return set()
    half = geometry.pitch_px / 4
    was = look.frame.pixels[_window(geometry.centres[example], half)]
    found = set[object]()
    for cell, at in geometry.centres.items():
        now = frame.pixels[_window(at, half)]
        height, width = min(was.shape[0], now.shape[0]), min(was.shape[1], now.shape[1])
        other = differ(was[:height, :width], now[:height, :width])
        if other.size and other.mean() <= MOST_OTHER:
            found.add(cell)
    return found


def drawn_weaker(first: Glance, look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The spans whose entry is drawn with less than most others of its value: pale, or only a part of it.

    first: the board without them, in the same place; else nothing is told. entries: span -> value, of which LEAST_ALIKE are
    compared. Cells are not asked: what is drawn in them may have stood on another ground at first, under a cursor or a
    highlight.
    """
    import cv2
    import numpy as np

    from vision.colour import strongest

    geometry = look.reading.geometry
    spans = {at: value for at, value in entries.items() if len(ends_of(geometry, at)) > 1}
    if not spans or not _in_place(first, look):
        return set()
    # A line between two px is half as strong, and twice as broad.
    broad = max(3, round(ALONG * geometry.pitch_px)) | 1
    added: Pixels = np.asarray(
        cv2.blur(strongest(cv2.absdiff(first.frame.pixels, look.frame.pixels)), (broad, broad))
    )
    found = set[Any]()
    for value in set(spans.values()):
        parts = {span: _shown_between(added, geometry, *span) for span, own in spans.items() if own == value}
        if len(parts) < LEAST_ALIKE:
            continue
        height, width = np.min([part.shape for part in parts.values()], axis=0)
        drawn = np.array([part[:height, :width] for part in parts.values()], np.float32)
        usual = np.median(drawn, axis=0)
        share = drawn.sum(axis=(1, 2)) / max(1, usual.sum())
        lacks = np.maximum(usual - drawn, 0).sum(axis=(1, 2)) / max(1, usual.sum())
        weak = (share < WEAKER) & (lacks > LACKS) & (usual.max() > DRAWN)
        found.update(span for span, one in zip(parts, weak, strict=True) if one)
    return found


def drawn_strangely(first: Glance, look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The spans whose entry is of no one colour where most are not, or red where most of its kind are not: no bridge, or one
    that is marked as a mistake.

    first, entries: as in `drawn_weaker`. One alone may look as it does.
    """
    import numpy as np

    from vision.colour import usual_colour

    geometry = look.reading.geometry
    spans = [at for at in entries if len(ends_of(geometry, at)) > 1]
    if not spans or not _in_place(first, look):
        return set()
    mixed, red, reddish = set[Any](), set[Any](), set[Any]()
    for span in spans:
        before, now = (
            _shown_between(one.frame.pixels, geometry, *span).reshape(-1, 3).astype(float)
            for one in (first, look)
        )
        amount = np.linalg.norm(now - before, axis=1)
        drawn = amount > CHANGED_LEVELS
        if not drawn.any():
            continue
        added, now, amount = (now - before)[drawn], now[drawn], amount[drawn]
        way = added.sum(axis=0)
        way /= max(1.0, float(np.linalg.norm(way)))
        beside = np.linalg.norm(added - (added @ way)[:, None] * way, axis=1)
        if beside.sum() > MIXED * amount.sum():
            mixed.add(span)
        colour = usual_colour(now[amount >= SOLID * amount.max()])
        red |= {span} if _is_red(colour) else set()
        reddish |= {span} if _is_red(colour, RED / 2) else set()
    # A theme may draw all bridges as planks, and those of one kind in red: in a dark one some are hardly less red than others.
    kinds, reds = (Counter(entries[span] for span in some) for some in (spans, reddish))
    alone = {span for span in red if 2 * reds[entries[span]] < kinds[entries[span]]}
    return alone | (mixed if 2 * len(mixed) < len(spans) else set())


def fading(first: Glance, before: Glance, look: Glance, entries: Collection[Any]) -> set[Any]:
    """The entries that are drawn with less than on a look before: they are on their way to nothing, or come to rest.

    first: the board without them, in the same place; else nothing is told.
    """
    import cv2

    from vision.colour import strongest

    if not (_in_place(first, look) and _in_place(before, look)):
        return set()
    was, now = (
        strongest(cv2.absdiff(first.frame.pixels, one.frame.pixels)).astype(float) for one in (before, look)
    )
    windows = _windows(look.reading.geometry, entries, INNER * look.reading.geometry.pitch_px)
    return {at for at, window in windows.items() if now[window].sum() < FADED * was[window].sum()}


def drawn_small(look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The cells whose number is much lower than most others, as a note is, or one that still grows.

    entries: cell -> value; of numbers of as many digits LEAST_ALIKE and one more are compared. What reaches to the edge of its
    cell is not asked: more than a number is seen there.
    """
    import numpy as np

    from vision.measures.parts import parts_in

    geometry = look.reading.geometry
    written = {at: len(str(value)) for at, value in entries.items() if str(value).isdigit()}
    windows = _windows(geometry, written.keys() & geometry.centres.keys(), INNER * geometry.pitch_px)
    parts = parts_in({cell: look.frame.pixels[window] for cell, window in windows.items()})
    highs = {cell: part.tallest * len(part.drawn) for cell, part in parts.items() if not part.cut}
    found = set[Any]()
    for digits in set(written.values()):
        alike = {cell: high for cell, high in highs.items() if written[cell] == digits}
        if len(alike) > LEAST_ALIKE:
            usual = np.median(list(alike.values()))
            found.update(cell for cell, high in alike.items() if high < LOWER * usual)
    return found


def drawn_unlike(first: Glance, look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The cells in which something of another form or size, or in another place, is drawn than in all others of their value.

    first, entries: as in `drawn_weaker`, cell -> value; of LEAST_ALIKE and more all but one are alike. Their grounds and their
    strength are not asked, nor what stood in any of them at first. What reaches to the edge of its cell is left out: more than
    an entry is seen there.
    """
    import cv2
    import numpy as np

    from vision.measures.parts import parts_in

    geometry = look.reading.geometry
    cells = [at for at in entries if at in geometry.centres]
    if not _in_place(first, look):
        return set()
    windows = _windows(geometry, cells, INNER * geometry.pitch_px)
    was, now = (
        parts_in({at: one.frame.pixels[part] for at, part in windows.items()}) for one in (first, look)
    )
    found = set[Any]()
    for value in {entries[at] for at in cells}:
        own = [at for at in cells if entries[at] == value]
        if len(own) < LEAST_ALIKE:
            continue
        high, wide = np.min([now[at].drawn.shape for at in own], axis=0)
        stood = np.any([was[at].for_digits[:high, :wide] > 0 for at in own], axis=0)
        empty = cv2.dilate(stood.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
        inks = {at: now[at].for_digits[:high, :wide] * empty for at in own}
        inks = {at: ink for at, ink in inks.items() if not _at_edge(ink)}
        if len(inks) < LEAST_ALIKE:
            continue
        usual = np.median(list(inks.values()), axis=0)
        away = {at: _apart(usual, ink) for at, ink in inks.items()}
        odd = [at for at, far in away.items() if far > UNLIKE / 2]
        if len(odd) == 1 and away[odd[0]] > UNLIKE:
            found.update(odd)
    return found


def marked_red(first: Glance, look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The one cell of all with something red in it, as a program marks a mistake; others of its value have none.

    first, entries: as in `drawn_unlike`. A red frame around a cell is no mark: it may be chosen.
    """
    geometry = look.reading.geometry
    windows = _windows(geometry, [at for at in entries if at in geometry.centres], INNER * geometry.pitch_px)
    if not _in_place(first, look):
        return set()
    red, reddish = (
        _is_red(look.frame.pixels, levels) & _changed(first, look.frame) for levels in (RED, RED / 2)
    )

    def with_any(of: npt.NDArray[np.bool_]) -> list[object]:
        return [at for at, window in windows.items() if of[window].size and of[window].mean() >= LEAST_MARK]

    marked = with_any(red)
    alike = {at for at in windows if len(marked) == 1 and entries[at] == entries[marked[0]]}
    # Of entries in one dark red some may be more so than others.
    if len(alike) < LEAST_ALIKE or alike & {*with_any(reddish)} > {*marked}:
        return set()
    return set() if _goes_round(red[windows[marked[0]]]) else set(marked)


def _is_red(pixels: npt.NDArray[Any], levels: float = RED) -> npt.NDArray[np.bool_]:
    """(...) whether colours, (..., 3) BGR, are red as marks for mistakes are, by so many levels."""
    import numpy as np

    blue, green, ruddy = np.moveaxis(pixels.astype(np.float32), -1, 0)
    return np.asarray((ruddy - np.maximum(blue, green) >= levels) & (np.abs(blue - green) < RED / 2))


def _goes_round(drawn: npt.NDArray[np.bool_]) -> bool:
    """Whether something is drawn along the middle of each side of (h, w) a part of a picture, as a frame is."""
    (top, left), (high, wide) = (tuple(-(-side // parts) for side in drawn.shape) for parts in (6, 3))
    upright, level = slice(high, -high), slice(wide, -wide)
    sides = drawn[:top, level], drawn[-top:, level], drawn[upright, :left], drawn[upright, -left:]
    return all(side.any() for side in sides)


def _at_edge(ink: npt.NDArray[np.float32]) -> bool:
    """Whether anything is drawn at the edge of (h, w) a part of a picture."""
    return bool(max(side.max(initial=0) for side in (ink[0], ink[-1], ink[:, 0], ink[:, -1])))


def _apart(usual: npt.NDArray[np.float32], ink: npt.NDArray[np.float32]) -> float:
    """By what share of the stronger one (h, w) two drawings differ, one of them moved by a px where that is better."""
    import numpy as np

    inner = ink[1:-1, 1:-1]
    most = max(1.0, FAINT * inner.size, float(usual.sum()), float(inner.sum()))
    high, wide = inner.shape
    moved = (usual[y : y + high, x : x + wide] for y, x in product(range(3), repeat=2))
    return min(float(np.abs(inner - one).sum()) for one in moved) / most


def _in_place(first: Glance, look: Glance) -> bool:
    """Whether the board has not moved since a look."""
    before, now = first.reading.geometry.centres, look.reading.geometry.centres
    moved = any(math.dist(at, before.get(cell, (0, 0))) > MOVED_PX for cell, at in now.items())
    return not moved and first.frame.size == look.frame.size


def _shown_between(drawn: Pixels, geometry: Geometry, one: Any, other: Any) -> Pixels:
    """The part of a picture half way between two cells, turned to lie."""
    a, b = geometry.centres[one], geometry.centres[other]
    middle, upright = Point((a.x + b.x) / 2, (a.y + b.y) / 2), abs(a.x - b.x) < abs(a.y - b.y)
    along, across = _window(middle, ALONG * geometry.pitch_px), _window(middle, ACROSS * geometry.pitch_px)
    return drawn[along[0], across[1]].swapaxes(0, 1) if upright else drawn[across[0], along[1]]


def _changed(look: Glance, frame: Frame) -> npt.NDArray[np.bool_]:
    """(h, w) which px have changed on a later picture of the same size."""
    return differ(look.frame.pixels, frame.pixels)


def differ(before: Pixels, now: Pixels, levels: int = CHANGED_LEVELS) -> npt.NDArray[np.bool_]:
    """(h, w) which px of two pictures of one size differ by more than so many levels."""
    import cv2

    from vision.colour import strongest

    return strongest(cv2.absdiff(before, now)) > levels


def _window(at: Point, half: float) -> tuple[slice, slice]:
    """The rows and columns of px that reach so far from a place to all sides."""
    return slice(max(0, int(at.y - half)), int(at.y + half) + 1), slice(
        max(0, int(at.x - half)), int(at.x + half) + 1
    )


def _windows(
    geometry: Geometry, cells: Collection[object], half: float, across: float | None = None
) -> dict[object, tuple[slice, slice]]:
    """The rows and columns of px of cells that are on a board, so far to all sides; of a span from end to end.

    across: how far a span reaches to both of its sides; None for as far as its ends.
    """
    found = dict[object, tuple[slice, slice]]()
    for cell in cells:
        if ends := ends_of(geometry, cell):
            rows, cols = zip(*(_window(geometry.centres[end], half) for end in ends), strict=True)
            if across is not None and len(ends) > 1:
                a, b = (geometry.centres[end] for end in ends)
                narrow = zip(*(_window(at, across) for at in (a, b)), strict=True)
                slim_rows, slim_cols = narrow
                rows, cols = (rows, slim_cols) if abs(a.x - b.x) < abs(a.y - b.y) else (slim_rows, cols)
            found[cell] = _all_from(rows), _all_from(cols)
    return found


def ends_of(geometry: Geometry, cell: object) -> tuple[object, ...]:
    """The cell itself, or those at the ends of a span; none where they are not on the board."""
    ends = (cell,) if cell in geometry.centres or not isinstance(cell, tuple) else cell
    return ends if all(end in geometry.centres for end in ends) else ()


def _all_from(parts: Sequence[slice]) -> slice:
    return slice(min(part.start for part in parts), max(part.stop for part in parts))


def same_state(a: AnyReading, b: AnyReading) -> bool:
    """Whether two readings tell the same board with the same things on it."""
    return bool(
        a.puzzle == b.puzzle
        and a.placed == b.placed
        and a.finished == b.finished
        and a.doubtful == b.doubtful
        and _controls(a) == _controls(b)
    )


def _controls(reading: AnyReading) -> dict[str, tuple[int | None, bool]]:
    return {name: (control.count, control.active) for name, control in reading.controls.items()}
