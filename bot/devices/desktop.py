"""A window of this computer, or its whole virtual desktop, as a Device.

A picture and the clicks that follow from it are apart in time. So every capture remembers which windows
were where, and before anything is pressed the windows are looked at again: one that has moved is
followed, one that has another size or is covered is refused, one that is gone ends the run. A person who
takes the mouse gets it: we wait until it rests. A button that we pressed is released whatever happens in
between.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from bot.actions import Action, Button, Drag, Key, Move, Tap, Wait, points
from bot.clock import Clock, SystemClock
from bot.devices import windows as desk
from bot.devices.desktop_check import check
from bot.devices.finding import Finding
from bot.devices.held import HeldMouse
from bot.devices.session import Camera, Mouse
from bot.devices.system import desk_name, open_hands, open_windows
from bot.devices.windows import Window, Windows
from bot.errors import CaptureFailed, DeviceNotFound, InputFailed, Stopped, WindowGone
from bot.state import state_folder
from vision.frame import Box, Frame, Pixels, Point
from vision.measures.edges import near_edges

# The pointer is placed in whole units; the operating system may round once more on scaled screens.
POINTER_SLACK = 2
# A person who has let go of the mouse for this long has finished with it.
REST_S = 1.0
# After so long with a moving mouse somebody else is at work here.
PATIENCE_S = 60.0
# A notification or a tooltip over the board goes away by itself within this time.
COVERED_S = 4.0
# A list of windows older than this is not trusted. Listing them takes about 1 ms per window.
LOOK_AGAIN_S = 0.1
# Two points of a slow drag are this far apart in time; games redraw every 16 ms at most.
MOTION_S = 0.01
# A program shows what was done to it with its next redraws; a picture taken earlier shows it half way.
REDRAW_S = 0.04
# Programs that join what happens within a redraw lose a drag that begins as the one before it ends.
BETWEEN_DRAGS_S = 0.005
CAPTURE_TRIES = 3
CAPTURE_PAUSE_S = 0.5


@dataclass(frozen=True)
class View:
    """What the last frame showed.

    area: the part of the desktop that was taken, in input units.
    scale: px of the frame per input unit, (x, y), measured on the picture itself.
    windows: as they lay then, front to back.
    target: the window that was asked for; None for the whole desktop.
    """

    area: Box
    scale: tuple[float, float]
    windows: tuple[Window, ...]
    target: Window | None

    def place(self, at: Point) -> Point:
        """Where on the desktop a point of the frame was, in input units."""
        return Point(self.area.left + at.x / self.scale[0], self.area.top + at.y / self.scale[1])


class DesktopDevice:
    """Captures with a camera, acts with a mouse; both are given, so that tests need no desktop."""

    def __init__(
        self, camera: Camera, mouse: Mouse, windows: Windows, clock: Clock, title: str | None = None
    ) -> None:
        self._camera = camera
        self._mouse = mouse
        self._windows = windows
        self._clock = clock
        self._title = title
        self._target: Window | None = None
        self._view: View | None = None
        self._left_at: tuple[int, int] | None = None
        self._held: list[Button] = []
        self._acted_at = -math.inf
        self._looked_at = -math.inf
        self._released_at = -math.inf
        self._listed: tuple[Window, ...] = ()
        self._shifts: dict[int, tuple[int, int]] = {}

    def capture(self) -> Frame:
        """The window's picture, clipped to the desktop, or that of the whole desktop."""
        self._clock.sleep(self._acted_at + REDRAW_S - self._clock.now())
        for attempt in range(CAPTURE_TRIES):
            listed = self._windows.listed()
            target = self._find_target(listed)
            area = self._visible(target)
            try:
                pixels = self._camera.grab(area)
            except CaptureFailed:
                if attempt == CAPTURE_TRIES - 1:
                    raise
                self._clock.sleep(CAPTURE_PAUSE_S)
                continue
            break
        scale = (pixels.shape[1] / area.width, pixels.shape[0] / area.height)
        self._target = target
        self._view = View(area, scale, listed, target)
        self._shifts = {}
        if target is None:
            return Frame(pixels, self._clock.now(), "desktop")
        cut = near_edges(target.box.moved(-area.left, -area.top), (area.width, area.height), 0)
        return Frame(pixels, self._clock.now(), f"desktop:{target.title}", cut=cut, title=target.title)

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        """Where the parts were on the desktop: a window that has moved since the frame shows something else there."""
        return None if self._view is None else [self._part(self._view, part) for part in parts]

    def _part(self, view: View, part: Box) -> Pixels:
        near, far = view.place(Point(part.left, part.top)), view.place(Point(part.right, part.bottom))
        taken = Box.spanning(near, far)
        pixels = self._camera.grab(taken)
        left = part.left - round((taken.left - view.area.left) * view.scale[0])
        top = part.top - round((taken.top - view.area.top) * view.scale[1])
        return pixels[top : top + part.height, left : left + part.width]

    def act(self, actions: Sequence[Action]) -> None:
        """Do the actions in order; before each it is made sure that its places are still where they were."""
        if self._view is None:
            raise InputFailed(
                "nothing has been captured yet", hint="capture() first: points are px of its frame"
            )
        quickest = [part for action in actions for part in _quickest(action)]
        try:
            for number, action in enumerate(quickest):
                self._give_way()
                ahead = quickest[number:]
                # A pointer that goes aside presses nothing: a window that has closed by then is missed at the next look.
                if number == 0 or (self._is_stale() and not all(map(_harmless, ahead))):
                    self._make_sure([at for later in ahead for at in points(later)])
                self._do(action)
        finally:
            self._release_all()
            self._acted_at = self._clock.now()

    def close(self) -> None:
        self._release_all()
        if isinstance(self._mouse, HeldMouse):
            self._mouse.close()
        self._camera.close()
        self._windows.close()

    def _find_target(self, listed: Sequence[Window]) -> Window | None:
        if self._title is None:
            return None
        if self._target is not None:
            same = desk.by_id(listed, self._target.id)
            if same is None:
                raise _gone(self._target)
            return same
        return desk.titled(listed, self._title, desk.own_terminal())

    def _visible(self, target: Window | None) -> Box:
        """The part of the target that is on the desktop; libraries fail on boxes that reach over the edge."""
        whole = self._camera.monitors()[0]
        if target is None:
            return whole
        area = _intersection(target.box, whole)
        if area is None:
            raise DeviceNotFound(
                f"window {target.title!r} at ({target.box.left}, {target.box.top}) is outside the desktop",
                hint="move the window back onto the screen",
            )
        return area

    def _give_way(self) -> None:
        """Wait while somebody else moves the mouse; the windows are looked at again afterwards."""
        here = self._mouse.position()
        if self._left_at is None or _near(here, self._left_at):
            return
        began = moved = self._clock.now()
        while self._clock.now() - moved < REST_S:
            if self._clock.now() - began > PATIENCE_S:
                raise Stopped(
                    f"stopped: the mouse has been moved by somebody else for {PATIENCE_S:.0f} s",
                    hint="start again when the mouse is free",
                )
            self._clock.sleep(0.1)
            now_here = self._mouse.position()
            if now_here != here:
                here, moved = now_here, self._clock.now()
        self._left_at = here
        self._looked_at = -math.inf

    def _is_stale(self) -> bool:
        return self._clock.now() - self._looked_at >= LOOK_AGAIN_S

    def _make_sure(self, ahead: Sequence[Point]) -> None:
        """Find out how far each window has moved since the capture; refuse what cannot be clicked safely."""
        view = self._view
        assert view is not None  # act() asked
        began = self._clock.now()
        while True:
            if self._is_stale():
                self._listed = self._windows.listed()
                self._looked_at = self._clock.now()
            problem = self._problem(view, self._listed, ahead)
            if problem is None:
                return
            if not isinstance(problem, Covered) or self._looked_at - began >= COVERED_S:
                raise problem
            self._clock.sleep(2 * LOOK_AGAIN_S)

    def _problem(
        self, view: View, listed: Sequence[Window], ahead: Iterable[Point]
    ) -> DeviceNotFound | InputFailed | None:
        for at in ahead:
            place = view.place(at)
            if not view.area.contains(place):
                return InputFailed(f"({at.x:.0f}, {at.y:.0f}) is outside the captured picture")
            then = desk.at(view.windows, place)
            if view.target is not None and (then is None or then.id != view.target.id):
                return Covered(view.target, then)
            if then is None:
                now_there = desk.at(listed, place)
                if now_there is not None:
                    return Covered(None, now_there)
                continue
            now = desk.by_id(listed, then.id)
            if now is None:
                return _gone(then)
            if (now.box.width, now.box.height) != (then.box.width, then.box.height):
                return Resized(then, now)
            shift = (now.box.left - then.box.left, now.box.top - then.box.top)
            self._shifts[then.id] = shift
            moved_to = Point(place.x + shift[0], place.y + shift[1])
            if not self._camera.monitors()[0].contains(moved_to):
                return InputFailed(
                    f"window {now.title!r} has moved over the edge of the desktop",
                    hint="move the window back onto the screen",
                )
            on_top = desk.at(listed, moved_to)
            if on_top is None or on_top.id != now.id:
                return Covered(now, on_top)
        return None

    def _place(self, at: Point) -> tuple[int, int]:
        """A point of the frame as whole input units on the desktop as it is now."""
        view = self._view
        assert view is not None  # act() asked
        place = view.place(at)
        window = desk.at(view.windows, place)
        shift = self._shifts.get(window.id, (0, 0)) if window is not None else (0, 0)
        return math.floor(place.x) + shift[0], math.floor(place.y) + shift[1]

    def _do(self, action: Action) -> None:
        match action:
            case Tap(at=at, hold_s=hold_s, button=button, modifiers=modifiers):
                self._go(self._place(at))
                with self._keys(modifiers):
                    self._click(button, hold_s)
            case Drag():
                self._drag(action)
            case Key(name=name, hold_s=hold_s):
                self._press_key(name, hold_s)
            case Move(at=at):
                # Some programs ask with their next redraw where the pointer is that was released.
                self._clock.sleep(self._released_at + REDRAW_S - self._clock.now())
                self._go(self._place(at))
            case Wait(seconds=seconds):
                self._clock.sleep(seconds)

    def _drag(self, drag: Drag) -> None:
        places = [self._place(at) for at in drag.path]
        legs = max(1, len(places) - 1)
        handled = drag.answered and self._answered(drag.path[0])
        self._go(places[0])
        if not handled:
            self._clock.sleep(self._released_at + BETWEEN_DRAGS_S - self._clock.now())
        self._press(drag.button)
        self._clock.sleep(drag.hold_s if drag.press_s is None else drag.press_s)
        for start, end in pairwise(places):
            self._glide(start, end, drag.duration_s / legs)
            if drag.stamp:
                self._click("right", MOTION_S)
        if not handled:
            self._clock.sleep(drag.hold_s)
        self._release(drag.button)

    def _answered(self, at: Point) -> bool:
        """Whether the program that draws this place has handled all that it was sent."""
        view = self._view
        assert view is not None  # act() asked
        window = desk.at(view.windows, view.place(at))
        return window is not None and self._windows.answered(window.id)

    def _glide(self, start: tuple[int, int], end: tuple[int, int], duration_s: float) -> None:
        count = max(1, round(duration_s / MOTION_S))
        for number in range(1, count + 1):
            part = number / count
            x = round(start[0] + (end[0] - start[0]) * part)
            y = round(start[1] + (end[1] - start[1]) * part)
            self._go((x, y))
            if duration_s > 0:
                self._clock.sleep(duration_s / count)

    def _press_key(self, name: str, hold_s: float) -> None:
        """Keys of a combination go down in the order written, and up the other way round."""
        with self._keys(name.split("+") if len(name) > 1 else [name]):
            self._clock.sleep(hold_s)

    @contextmanager
    def _keys(self, names: Sequence[str]) -> Iterator[None]:
        """Keys that are down for a while and up afterwards, whatever happens."""
        down: list[str] = []
        try:
            for part in names:
                down.append(part)
                self._mouse.key(part, down=True)
                self._clock.sleep(MOTION_S)
            yield
        finally:
            for part in reversed(down):
                self._mouse.key(part, down=False)

    def _go(self, place: tuple[int, int]) -> None:
        self._mouse.move(*place)
        self._left_at = place

    def _click(self, button: Button, hold_s: float) -> None:
        self._press(button)
        self._clock.sleep(hold_s)
        self._release(button)

    def _press(self, button: Button) -> None:
        # Noted before the press: if the press is interrupted half way, one release too many does no harm.
        self._held.append(button)
        self._mouse.press(button)

    def _release(self, button: Button) -> None:
        self._mouse.release(button)
        self._released_at = self._clock.now()
        if button in self._held:
            self._held.remove(button)

    def _release_all(self) -> None:
        while self._held:
            self._mouse.release(self._held.pop())


class Resized(InputFailed):
    """The window has another size than in the last picture."""

    def __init__(self, then: Window, now: Window) -> None:
        super().__init__(
            f"window {now.title!r} was {then.box.width} x {then.box.height} in the last picture and is "
            f"{now.box.width} x {now.box.height} now",
            hint="leave the window as it is while the program plays; start again",
        )


class Covered(InputFailed):
    """Something else lies where a click should go."""

    def __init__(self, wanted: Window | None, cover: Window | None) -> None:
        what = f"window {wanted.title!r}" if wanted is not None else "the desktop"
        cause = f"{cover.title or 'a window without a title'!r}" if cover is not None else "nothing we know"
        super().__init__(
            f"{what} is covered by {cause} where a click should go; nothing was clicked there",
            hint="bring the game to the front and keep other windows off it",
        )


def open_desktop(title: str | None = None) -> DesktopDevice:
    """The window whose title contains `title`, or the whole virtual desktop.

    Raises DeviceNotFound, in words a person can act on, where there is no desktop or no such window.
    """
    camera, mouse = open_hands()
    held = HeldMouse(mouse, state_folder(), desk_name())
    device = DesktopDevice(camera, held, open_windows(), SystemClock(), title or None)
    if title:
        try:
            device.capture()
        except BaseException:
            device.close()
            raise
    return device


def list_windows() -> Iterable[tuple[str, str]]:
    """(source, size) of every window with a title; nothing where there is no desktop."""
    try:
        windows = open_windows()
    except DeviceNotFound:
        return []
    try:
        titled = [window for window in windows.listed() if window.title]
        return [(f"desktop:{one.title}", f"window, {one.box.width} x {one.box.height}") for one in titled]
    finally:
        windows.close()


def check_desktop() -> Iterable[Finding]:
    """What `doctor desktop` reports, one finding at a time."""
    return check()


def _quickest(action: Action) -> tuple[Action, ...]:
    """What a mouse does for an action: a tap takes it no time, a drag has to rest before its release."""
    if isinstance(action, Drag) and action.taps:
        return tuple(Tap(at, 0.0, action.button) for at in action.taps)
    return (action,)


def _harmless(action: Action) -> bool:
    """Whether it presses nothing."""
    return isinstance(action, Move | Wait)


def _gone(window: Window) -> WindowGone:
    return WindowGone(
        f"window {window.title!r} is gone", hint="it was closed or minimised; open it again and start again"
    )


def _near(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return abs(a[0] - b[0]) <= POINTER_SLACK and abs(a[1] - b[1]) <= POINTER_SLACK


def _intersection(a: Box, b: Box) -> Box | None:
    left, top = max(a.left, b.left), max(a.top, b.top)
    right = min(a.left + a.width, b.left + b.width)
    bottom = min(a.top + a.height, b.top + b.height)
    return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None
