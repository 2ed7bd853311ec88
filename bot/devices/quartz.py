"""The windows of macOS, through the library that pyautogui brings there."""

from __future__ import annotations

import importlib

from bot.devices.windows import Window
from vision.frame import Box


class QuartzWindows:
    """Windows of macOS; the window server lists them front to back.

    Titles need the permission to record the screen; without it a window has its program's name.
    """

    def __init__(self) -> None:
        self._quartz = importlib.import_module("Quartz")

    def listed(self) -> tuple[Window, ...]:
        quartz = self._quartz
        options = quartz.kCGWindowListOptionOnScreenOnly | quartz.kCGWindowListExcludeDesktopElements
        found = []
        for facts in quartz.CGWindowListCopyWindowInfo(options, quartz.kCGNullWindowID):
            if facts.get("kCGWindowLayer", 0) != 0:
                continue  # the menu bar, the dock and their like
            bounds = facts["kCGWindowBounds"]
            box = Box(*(round(bounds[side]) for side in ("X", "Y", "Width", "Height")))
            title = str(facts.get("kCGWindowName") or facts.get("kCGWindowOwnerName") or "")
            found.append(Window(int(facts["kCGWindowNumber"]), title, box, box))
        return tuple(found)

    def answered(self, window: int) -> bool:
        return False

    def close(self) -> None:
        return None
