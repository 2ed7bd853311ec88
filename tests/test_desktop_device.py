"""The desktop device: what it does with a mouse, told with a mouse, a screen and windows made of paper."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from bot.actions import Button, Drag, Key, Move, Tap, Wait, slower
from bot.clock import SimulatedClock
from bot.devices import session, windows
from bot.devices.desktop import DesktopDevice
from bot.devices.windows import Window
from bot.errors import CaptureFailed, DeviceNotFound, InputFailed, Stopped, WindowGone
from vision.frame import Box, Pixels, Point


class PaperCamera:
    """A virtual desktop of two monitors, one at negative places; a scaled screen has 2 px per unit."""

    def __init__(self, px_per_unit: int = 1) -> None:
        self.whole = Box(-800, 0, 2400, 1000)
        self.px_per_unit = px_per_unit
        self.grabbed: list[Box] = []
        self.failures = 0
        self.closed = False

    def monitors(self) -> tuple[Box, ...]:
        return self.whole, Box(0, 0, 1600, 1000), Box(-800, 0, 800, 1000)

    def grab(self, area: Box) -> Pixels:
        self.grabbed.append(area)
        if self.failures:
            self.failures -= 1
            raise CaptureFailed("no picture")
        return np.zeros((area.height * self.px_per_unit, area.width * self.px_per_unit, 3), np.uint8)

    def close(self) -> None:
        self.closed = True


class PaperMouse:
    """Writes down what it is told; `meddle` is called before each answer, as a hand on the mouse would."""

    def __init__(self) -> None:
        self.at = (500, 500)
        self.log: list[str] = []
        self.meddle: Callable[[], None] = lambda: None
        self.down: set[str] = set()

    def position(self) -> tuple[int, int]:
        self.meddle()
        return self.at

    def move(self, x: int, y: int) -> None:
        self.at = (x, y)
        self.log.append(f"{x},{y}")

    def press(self, button: Button) -> None:
        self.down.add(button)
        self.log.append(f"{button} down")

    def release(self, button: Button) -> None:
        self.down.discard(button)
        self.log.append(f"{button} up")

    def key(self, name: str, *, down: bool) -> None:
        self.log.append(f"{name} {'down' if down else 'up'}")


class PaperWindows:
    def __init__(self, *shown: Window) -> None:
        self.shown = list(shown)

    def listed(self) -> tuple[Window, ...]:
        return tuple(self.shown)

    def answered(self, window: int) -> bool:
        return False

    def close(self) -> None:
        self.shown = []


def window(identity: int, title: str, box: Box) -> Window:
    """A window with a title bar of 20 units."""
    return Window(identity, title, box, Box(box.left, box.top - 20, box.width, box.height + 20))


WAYLAND = ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE")
GAME = window(1, "Bridges", Box(100, 50, 300, 200))
NOTES = window(2, "Notes", Box(600, 50, 300, 200))


class Desk:
    """A device with all its paper parts."""

    def __init__(self, *shown: Window, title: str | None = "Bridges", px_per_unit: int = 1) -> None:
        self.camera = PaperCamera(px_per_unit)
        self.mouse = PaperMouse()
        self.windows = PaperWindows(*(shown or (GAME, NOTES)))
        self.clock = SimulatedClock()
        self.device = DesktopDevice(self.camera, self.mouse, self.windows, self.clock, title)


def test_a_window_is_cut_out_of_the_desktop_and_clicked_where_its_picture_says() -> None:
    desk = Desk()

    frame = desk.device.capture()
    desk.device.act([Tap(Point(10.5, 20.5))])

    assert frame.size == (300, 200) and not frame.cut
    assert frame.source == "desktop:Bridges"
    assert desk.camera.grabbed == [GAME.box]
    assert desk.mouse.log == ["110,70", "left down", "left up"]


def test_a_picture_right_after_an_action_waits_for_the_redraw() -> None:
    desk = Desk()
    desk.device.capture()
    before_s = desk.clock.now()

    desk.device.act([Drag((Point(10.5, 10.5), Point(50.5, 10.5)), 0.0, 0.02, press_s=0.0)])
    done_s = desk.clock.now()
    first = desk.device.capture()
    second = desk.device.capture()

    assert done_s - before_s == pytest.approx(0.02)
    assert first.taken_at - done_s == pytest.approx(0.04)
    assert second.taken_at == first.taken_at


@pytest.mark.parametrize("px_per_unit", [1, 2])
def test_a_part_is_seen_without_a_rest_where_the_picture_had_it(px_per_unit: int) -> None:
    desk = Desk(px_per_unit=px_per_unit)
    desk.device.capture()
    desk.device.act([Tap(Point(10.5, 20.5))])
    before_s = desk.clock.now()

    seen = desk.device.peek([Box(31, 41, 50, 7), Box(0, 0, 300, 8)])

    assert seen is not None and [one.shape for one in seen] == [(7, 50, 3), (8, 300, 3)]
    assert desk.clock.now() == before_s
    near = Point(31 / px_per_unit + GAME.box.left, 41 / px_per_unit + GAME.box.top)
    assert desk.camera.grabbed[1].contains(near) and len(desk.camera.grabbed) == 3


def test_a_window_reaching_over_the_edge_is_clipped_and_still_clicked_right() -> None:
    desk = Desk(window(1, "Bridges", Box(-900, 50, 300, 200)))

    frame = desk.device.capture()
    desk.device.act([Tap(Point(0.5, 0.5))])

    assert frame.size == (200, 200) and frame.cut
    assert desk.mouse.log[0] == "-800,50"


def test_a_window_outside_the_desktop_is_no_device() -> None:
    with pytest.raises(DeviceNotFound, match="outside the desktop"):
        Desk(window(1, "Bridges", Box(5000, 50, 300, 200))).device.capture()


def test_without_a_title_the_whole_desktop_is_seen_from_its_negative_corner() -> None:
    desk = Desk(title=None)

    frame = desk.device.capture()
    desk.device.act([Move(Point(910.5, 70.5))])

    assert frame.size == (2400, 1000)
    assert desk.mouse.log == ["110,70"]


def test_the_scale_is_measured_on_the_picture() -> None:
    desk = Desk(px_per_unit=2)

    frame = desk.device.capture()
    desk.device.act([Tap(Point(21.0, 41.0))])

    assert frame.size == (600, 400)
    assert desk.mouse.log[0] == "110,70"


def test_a_moved_window_is_followed() -> None:
    desk = Desk()
    desk.device.capture()

    desk.windows.shown[0] = window(1, "Bridges", Box(130, 90, 300, 200))
    desk.device.act([Tap(Point(10.5, 20.5))])

    assert desk.mouse.log[0] == "140,110"


def test_a_window_moved_within_a_long_batch_is_followed_too() -> None:
    desk = Desk()
    desk.device.capture()

    def move_it() -> None:
        if desk.clock.now() > 1.0:
            desk.windows.shown[0] = window(1, "Bridges", Box(130, 90, 300, 200))

    desk.mouse.meddle = move_it
    desk.device.act([Tap(Point(10.5, 20.5)), Wait(2.0), Tap(Point(10.5, 20.5))])

    assert [entry for entry in desk.mouse.log if "," in entry] == ["110,70", "140,110"]


def test_a_game_somewhere_on_the_whole_desktop_is_followed() -> None:
    desk = Desk(title=None)
    desk.device.capture()

    desk.windows.shown[0] = window(1, "Bridges", Box(130, 90, 300, 200))
    desk.device.act([Tap(Point(910.5, 70.5))])

    assert desk.mouse.log[0] == "140,110"


def test_a_resized_window_is_refused_untouched() -> None:
    desk = Desk()
    desk.device.capture()

    desk.windows.shown[0] = window(1, "Bridges", Box(100, 50, 400, 200))

    with pytest.raises(InputFailed, match="300 x 200 in the last picture and is 400 x 200 now"):
        desk.device.act([Tap(Point(10.5, 20.5))])
    assert desk.mouse.log == []


def test_a_covered_window_is_refused_untouched() -> None:
    desk = Desk()
    desk.device.capture()

    desk.windows.shown.insert(0, window(3, "Mail", Box(90, 40, 200, 100)))

    with pytest.raises(InputFailed, match="'Bridges' is covered by 'Mail'"):
        desk.device.act([Tap(Point(10.5, 20.5))])
    assert desk.mouse.log == []


def test_a_window_that_was_covered_in_the_picture_is_refused_as_well() -> None:
    desk = Desk(window(3, "Mail", Box(90, 40, 200, 100)), GAME)
    desk.device.capture()

    desk.windows.shown.pop(0)

    with pytest.raises(InputFailed, match="covered by 'Mail'"):
        desk.device.act([Tap(Point(10.5, 20.5))])


def test_a_cover_elsewhere_on_the_window_does_not_matter() -> None:
    desk = Desk()
    desk.device.capture()

    desk.windows.shown.insert(0, window(3, "Mail", Box(300, 200, 200, 100)))
    desk.device.act([Tap(Point(10.5, 20.5))])

    assert desk.mouse.log == ["110,70", "left down", "left up"]


def test_a_notification_that_goes_away_is_waited_for() -> None:
    desk = Desk()
    desk.device.capture()
    note = window(3, "You have mail", Box(90, 40, 200, 100))

    class Passing(PaperWindows):
        def listed(self) -> tuple[Window, ...]:
            return (note, GAME) if desk.clock.now() < 1.0 else (GAME,)

    desk.device._windows = Passing()
    desk.device.act([Tap(Point(10.5, 20.5))])

    assert desk.clock.now() >= 1.0
    assert desk.mouse.log == ["110,70", "left down", "left up"]


def test_a_closed_window_is_gone() -> None:
    desk = Desk()
    desk.device.capture()

    desk.windows.shown.pop(0)

    with pytest.raises(DeviceNotFound, match="'Bridges' is gone"):
        desk.device.act([Tap(Point(10.5, 20.5))])
    with pytest.raises(DeviceNotFound, match="'Bridges' is gone"):
        desk.device.capture()


def test_a_window_that_closes_with_the_last_press_is_missed_at_the_next_look() -> None:
    desk = Desk()
    desk.device.capture()
    desk.mouse.release = lambda button: desk.windows.shown.clear()  # type: ignore[method-assign]

    desk.device.act([Tap(Point(10.5, 20.5)), Wait(1.0), Move(Point(1.0, 1.0))])

    with pytest.raises(WindowGone):
        desk.device.capture()


def test_points_outside_the_picture_are_refused() -> None:
    desk = Desk()
    desk.device.capture()

    with pytest.raises(InputFailed, match="outside the captured picture"):
        desk.device.act([Tap(Point(310.0, 20.5))])


def test_acting_before_looking_is_refused() -> None:
    with pytest.raises(InputFailed, match="nothing has been captured"):
        Desk().device.act([Tap(Point(1.0, 1.0))])


def test_a_person_who_takes_the_mouse_is_waited_for() -> None:
    desk = Desk()
    desk.device.capture()
    desk.device.act([Tap(Point(10.5, 20.5))])
    began = desk.clock.now()

    def wave() -> None:
        if desk.clock.now() < began + 3.0:
            desk.mouse.at = (700 + int(desk.clock.now() * 50), 300)

    desk.mouse.meddle = wave
    desk.mouse.log.clear()
    desk.device.act([Tap(Point(10.5, 20.5))])

    assert desk.clock.now() >= began + 3.9
    assert desk.mouse.log == ["110,70", "left down", "left up"]


def test_a_mouse_that_never_rests_stops_the_run() -> None:
    desk = Desk()
    desk.device.capture()
    desk.device.act([Move(Point(10.5, 20.5))])

    def wave() -> None:
        desk.mouse.at = (700 + int(desk.clock.now() * 50) % 100, 300)

    desk.mouse.meddle = wave

    with pytest.raises(Stopped, match="somebody else"):
        desk.device.act([Tap(Point(10.5, 20.5))])
    assert "left down" not in desk.mouse.log


def test_a_button_comes_up_when_the_drag_breaks_off() -> None:
    desk = Desk()
    desk.device.capture()
    move = desk.mouse.move

    def corner(x: int, y: int) -> None:
        if desk.mouse.down:
            raise Stopped("stopped: the mouse is in a corner of the screen")
        move(x, y)

    desk.mouse.move = corner  # type: ignore[method-assign]  # the emergency stop in the middle of a drag

    with pytest.raises(Stopped):
        desk.device.act([Drag((Point(10, 10), Point(50, 10)), button="right")])
    assert desk.mouse.down == set()
    assert desk.mouse.log[-1] == "right up"


def test_a_button_comes_up_on_ctrl_c() -> None:
    desk = Desk()
    desk.device.capture()

    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    desk.clock.sleep = interrupt  # type: ignore[method-assign]  # Ctrl-C while the button is held

    with pytest.raises(KeyboardInterrupt):
        desk.device.act([Tap(Point(10, 10))])
    assert desk.mouse.down == set()


def test_a_pointer_that_was_released_goes_aside_after_the_next_redraw() -> None:
    desk = Desk()
    desk.device.capture()
    gone_s: list[float] = []
    desk.mouse.release = lambda button: gone_s.append(desk.clock.now())  # type: ignore[method-assign]

    desk.device.act([Tap(Point(10.5, 20.5)), Move(Point(1.0, 1.0))])

    assert desk.mouse.at == (101, 51)
    assert desk.clock.now() - gone_s[0] == pytest.approx(0.04)


def test_a_drag_right_after_another_one_rests_before_its_press() -> None:
    desk = Desk()
    desk.device.capture()
    before_s = desk.clock.now()
    drag = Drag((Point(10.5, 10.5), Point(50.5, 10.5)), 0.0, 0.02, press_s=0.0)

    desk.device.act([drag, drag, drag])

    assert desk.clock.now() - before_s == pytest.approx(3 * 0.02 + 2 * 0.005)


@pytest.mark.parametrize("answers", [True, False])
def test_a_drag_rests_only_where_the_program_does_not_say_that_the_one_before_is_handled(
    answers: bool,
) -> None:
    desk = Desk()
    asked: list[int] = []

    class Answering(PaperWindows):
        def answered(self, window: int) -> bool:
            asked.append(window)
            return answers

    desk.device._windows = Answering(GAME, NOTES)
    desk.device.capture()
    before_s = desk.clock.now()
    drag = Drag((Point(10.5, 10.5), Point(50.5, 10.5)), 0.0, 0.02, press_s=0.0, answered=True)

    desk.device.act([drag, drag, drag])

    assert desk.clock.now() - before_s == pytest.approx(0 if answers else 3 * 0.02 + 2 * 0.005)
    assert asked == [GAME.id] * 3
    assert desk.mouse.log == 3 * ["110,60", "left down", "150,60", "left up"]


def test_a_drag_that_is_made_more_slowly_asks_for_no_answer() -> None:
    drag = Drag((Point(1, 1), Point(9, 1)), 0.0, 0.02, press_s=0.0, answered=True)

    assert [made.answered for made in slower([drag], 1) if isinstance(made, Drag)] == [False]


def test_taps_that_do_the_same_as_a_drag_are_made_instead_and_take_no_time() -> None:
    desk = Desk()
    desk.device.capture()
    before_s = desk.clock.now()
    ends = (Point(10.5, 10.5), Point(50.5, 10.5))
    drag = Drag(ends, 0.0, 0.02, "right", press_s=0.0, taps=(ends[0], Point(30.5, 10.5), ends[1]))

    desk.device.act([drag])

    tap = ["right down", "right up"]
    assert desk.mouse.log == ["110,60", *tap, "130,60", *tap, "150,60", *tap]
    assert desk.clock.now() == before_s


def test_a_drag_that_got_lost_is_made_itself() -> None:
    drag = Drag((Point(1, 1), Point(9, 1)), 0.0, 0.02, press_s=0.0, taps=(Point(1, 1), Point(9, 1)))

    assert slower([drag], 0) == (drag,)
    assert [made.taps for made in slower([drag], 1) if isinstance(made, Drag)] == [()]


def test_a_tap_outside_the_picture_is_refused_before_anything_is_pressed() -> None:
    desk = Desk()
    desk.device.capture()

    with pytest.raises(InputFailed, match="outside the captured picture"):
        desk.device.act([Drag((Point(10, 10), Point(50, 10)), taps=(Point(10, 10), Point(350, 10)))])
    assert desk.mouse.log == []


class PaperGui:
    """pyautogui without a screen, and its part for one system: counts how often it is asked where the pointer is."""

    class FailSafeException(Exception):
        pass

    class PyAutoGUIException(Exception):
        pass

    FAILSAFE_POINTS = ((0, 0), (0, 999), (1599, 0), (1599, 999))

    def __init__(self) -> None:
        self.platformModule = self
        self.at = (500, 500)
        self.asked = 0
        self.log: list[str] = []

    def position(self) -> tuple[int, int]:
        self.asked += 1
        return self.at

    def _moveTo(self, x: int, y: int) -> None:
        self.at = (x, y)

    def _mouseDown(self, x: int, y: int, button: Button) -> None:
        self.at = (x, y)
        self.log.append(f"{button} down at {x},{y}")

    def _mouseUp(self, x: int, y: int, button: Button) -> None:
        self.at = (x, y)
        self.log.append(f"{button} up at {x},{y}")


@pytest.fixture
def paper_gui(monkeypatch: pytest.MonkeyPatch) -> tuple[session.AutoguiMouse, PaperGui, SimulatedClock]:
    """The mouse over a library of paper, and the clock by which it looks."""
    gui, clock = PaperGui(), SimulatedClock()
    monkeypatch.setattr(session, "load_pyautogui", lambda: gui)
    monkeypatch.setattr(session.time, "monotonic", clock.now)
    return session.AutoguiMouse(), gui, clock


Paper = tuple[session.AutoguiMouse, PaperGui, SimulatedClock]


def test_a_tap_asks_twice_where_the_pointer_is(paper_gui: Paper) -> None:
    """pyautogui's own functions ask 15 times, each time over the wire."""
    mouse, gui, _ = paper_gui

    mouse.position()
    mouse.move(300, 200)
    mouse.press("left")
    mouse.release("left")

    assert gui.log == ["left down at 300,200", "left up at 300,200"]
    assert gui.asked == 2


@pytest.mark.parametrize("corner", PaperGui.FAILSAFE_POINTS)
def test_the_mouse_in_any_corner_stops_the_next_call(paper_gui: Paper, corner: tuple[int, int]) -> None:
    mouse, gui, clock = paper_gui
    calls: list[Callable[[], object]] = [
        mouse.position,
        lambda: mouse.move(300, 200),
        lambda: mouse.press("left"),
    ]
    for call in calls:
        mouse.move(500, 500)
        clock.sleep(0.003)
        gui.at = corner
        with pytest.raises(Stopped, match="corner"):
            call()
        assert gui.at == corner and gui.log == []
        gui.at = (500, 500)
        clock.sleep(0.003)


@pytest.mark.parametrize("corner", [(0, 300), (0, 1019), (1279, 1019), (1280, 0), (2303, 0), (2303, 767)])
def test_a_corner_of_any_monitor_stops(paper_gui: Paper, corner: tuple[int, int]) -> None:
    """Beside a monitor of another height (0, 0) may be a place that no hand reaches."""
    mouse, gui, _ = paper_gui
    mouse.watch((Box(0, 0, 2304, 1020), Box(0, 300, 1280, 720), Box(1280, 0, 1024, 768)))
    gui.at = corner

    with pytest.raises(Stopped, match="corner"):
        mouse.position()


def test_a_hand_that_moves_the_mouse_while_a_button_is_down_is_still_seen(paper_gui: Paper) -> None:
    mouse, gui, _ = paper_gui
    mouse.position()
    mouse.move(300, 200)
    mouse.press("left")
    gui.at = (320, 190)

    mouse.release("left")

    assert gui.log[-1] == "left up at 320,190"
    assert mouse.position() == (320, 190)


def test_a_button_comes_up_also_in_a_corner(paper_gui: Paper) -> None:
    mouse, gui, _ = paper_gui
    mouse.press("left")
    gui.at = (0, 0)

    mouse.release("left")

    assert gui.log[-1] == "left up at 0,0"
    with pytest.raises(Stopped):
        mouse.position()


def test_a_quick_drag_rests_before_the_release() -> None:
    desk = Desk()
    desk.device.capture()

    desk.device.act([Drag((Point(10.5, 10.5), Point(50.5, 10.5)), duration_s=0.0, hold_s=0.02)])

    assert desk.mouse.log == ["110,60", "left down", "150,60", "left up"]
    assert desk.clock.now() == pytest.approx(0.04)


def test_a_slow_drag_passes_through_every_point_of_its_path() -> None:
    desk = Desk()
    desk.device.capture()

    corner = (Point(10.5, 10.5), Point(30.5, 10.5), Point(30.5, 30.5))
    desk.device.act([Drag(corner, duration_s=0.04, hold_s=0.0)])

    assert desk.mouse.log == ["110,60", "left down", "120,60", "130,60", "130,70", "130,80", "left up"]


def test_a_stamping_drag_clicks_the_right_button_at_every_later_point() -> None:
    desk = Desk()
    desk.device.capture()

    desk.device.act([Drag((Point(10.5, 10.5), Point(30.5, 10.5)), 0.0, 0.0, stamp=True)])

    assert desk.mouse.log == ["110,60", "left down", "130,60", "right down", "right up", "left up"]


def test_a_combination_of_keys_comes_up_the_other_way_round() -> None:
    desk = Desk()
    desk.device.capture()

    desk.device.act([Key("ctrl+z"), Key("+")])

    assert desk.mouse.log == ["ctrl down", "z down", "z up", "ctrl up", "+ down", "+ up"]


def test_a_modifier_is_down_during_a_click_and_up_afterwards() -> None:
    desk = Desk()
    desk.device.capture()

    desk.device.act([Tap(Point(10.5, 10.5), modifiers=("shift",))])

    assert desk.mouse.log == ["110,60", "shift down", "left down", "left up", "shift up"]


def test_a_failed_capture_is_tried_again_and_then_reported() -> None:
    desk = Desk()

    desk.camera.failures = 2
    assert desk.device.capture().size == (300, 200)

    desk.camera.failures = 3
    with pytest.raises(CaptureFailed):
        desk.device.capture()


def test_closing_twice_does_no_harm() -> None:
    desk = Desk()

    desk.device.close()
    desk.device.close()

    assert desk.camera.closed


def test_an_equal_title_wins_over_one_that_only_contains_it() -> None:
    terminal = window(7, "boardsight play desktop:Bridges", Box(0, 0, 10, 10))

    assert windows.titled([terminal, GAME], "bridges") == GAME
    assert windows.titled([terminal, window(8, "My Bridges 2", Box(0, 0, 9, 9))], "bridges", 7).id == 8


def test_a_title_that_no_window_has_names_those_there_are() -> None:
    with pytest.raises(DeviceNotFound, match="'Chess'") as caught:
        windows.titled([GAME, NOTES], "Chess")

    assert caught.value.hint == "open windows: 'Bridges', 'Notes'"


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"XDG_SESSION_TYPE": "wayland", "DISPLAY": ":0"}, "Wayland"),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "Wayland"),
        ({}, "DISPLAY is not set"),
    ],
)
def test_a_session_that_cannot_be_played_is_explained_in_two_lines(
    environ: dict[str, str], words: str
) -> None:
    refused = session.refusal(environ, platform="linux")

    assert refused is not None
    assert words in str(refused)
    assert refused.hint
    assert "\n" not in str(refused) + refused.hint


def test_an_x11_session_windows_and_macos_are_not_refused() -> None:
    assert session.refusal({"DISPLAY": ":0", "XDG_SESSION_TYPE": "x11"}, platform="linux") is None
    assert session.refusal({}, platform="win32") is None
    assert session.refusal({}, platform="darwin") is None


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="X11 only")
def test_a_display_where_nobody_answers_is_explained() -> None:
    environ = {name: value for name, value in os.environ.items() if name not in WAYLAND}
    environ |= {"DISPLAY": ":4093", "XAUTHORITY": "nowhere/at/all"}
    attempt = (
        "from bot.devices.desktop import open_desktop\n"
        "from bot.errors import DeviceNotFound\n"
        "try: open_desktop()\n"
        "except DeviceNotFound as error: print(error)"
    )

    told = subprocess.run([sys.executable, "-c", attempt], env=environ, capture_output=True, text=True)

    assert told.stdout.startswith("no X server answers on display :4093")


def test_hiding_modules_leaves_no_trace() -> None:
    before = dict(sys.modules)

    with session._hidden(("json", "no_such_module")), pytest.raises(ImportError):
        import json  # noqa: F401  # the import is the test

    assert sys.modules == before
