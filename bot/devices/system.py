"""What this system has for a desktop: X11, Windows and macOS through mss and pyautogui, sway and its like by themselves."""

from __future__ import annotations

import os
import sys

from bot.devices import sway
from bot.devices.session import AutoguiMouse, Camera, Mouse, MssCamera, display_name
from bot.devices.wayland import WaylandMouse
from bot.devices.windows import Windows


def open_hands() -> tuple[Camera, Mouse]:
    """A camera and a mouse that count in the same units. Raises DeviceNotFound, CaptureFailed."""
    if sway.is_here():
        pointer = sway.open_mouse()
        return sway.GrimCamera(pointer), pointer
    _see_true_pixels()
    mouse = AutoguiMouse()
    camera = MssCamera(mouse.size())
    mouse.watch(camera.monitors())
    return camera, mouse


def open_camera() -> Camera:
    """A camera alone, for somebody who only looks. Raises DeviceNotFound, CaptureFailed."""
    if sway.is_here():
        return sway.GrimCamera()
    _see_true_pixels()
    return MssCamera()


def open_windows() -> Windows:
    """The list of the windows of this system. Raises DeviceNotFound, ImportError."""
    if sys.platform == "win32":
        from bot.devices.win32 import Win32Windows

        return Win32Windows()
    if sys.platform == "darwin":
        from bot.devices.quartz import QuartzWindows

        return QuartzWindows()
    if sway.is_here():
        return sway.SwayWindows()
    from bot.devices.x11 import X11Windows

    return X11Windows()


def desk_name() -> str:
    """The desktop with its one mouse, the same however it is written; empty where there is only one."""
    return sway.socket_path(os.environ) if sway.is_here() else display_name()


def is_watched(mouse: Mouse) -> bool:
    """Whether the mouse can be asked where it is: only then somebody who takes it, or pushes it into a corner, is noticed."""
    return not isinstance(mouse, WaylandMouse)


def _see_true_pixels() -> None:
    """On Windows, before pyautogui is imported: it asks for less, and the first who asks decides."""
    if sys.platform == "win32":
        from bot.devices.win32 import use_true_pixels

        use_true_pixels()
