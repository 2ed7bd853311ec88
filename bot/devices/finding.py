"""What a check of a device found, for `doctor`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One thing that was checked.

    what: "display", "adb server"; text: what was found; advice: what to do when it is not `ok`.
    """

    what: str
    ok: bool
    text: str
    advice: str = ""
