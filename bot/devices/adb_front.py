"""What is in front on an Android device: the app, what lies over it, how the screen is turned, whether a call comes in.

Asked before every step, by one call of the shell that takes some hundredths of a second: the lines are those of
`dumpsys window` (Android 4.2 and later) and `dumpsys telephony.registry`. What a device does not say cannot be compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.errors import InputFailed, WindowChanged

ASK = (
    "dumpsys window | grep -E 'mCurrentFocus=|mRotation=|mCurrentRotation=|cur=[0-9]+x';"
    " dumpsys window windows | grep -E 'Window #[0-9]|package=|mHasSurface=|[ m][fF]rame=\\[';"
    " dumpsys telephony.registry | grep mCallState="
)
RINGING = "1"
GOES_ON = "then start again: the run goes on where it stopped"
# Between two touches of a step: a command of the shell that fails, with this word, where a call has come in meanwhile.
RINGS_WORD = "boardsight-rings"
UNLESS_IT_RINGS = (
    f"{{ ! dumpsys telephony.registry 2>/dev/null | grep -q mCallState={RINGING}"
    f" || {{ echo {RINGS_WORD}; false; }}; }}"
)


@dataclass(frozen=True)
class Front:
    """What a device says of its screen; empty where it says nothing.

    app: the package that has the focus, or the title of a window that tells none: "com.example.game", "NotificationShade".
    window: which of its windows has it: a dialog or an advertisement of the same app is another one.
    frame: where that window lies: "[0,0][1080,2400]"; less than the screen when it is split.
    above: the windows that are drawn over it, each with its place: banners, bubbles, small pictures of a film.
    turned: size and turn of the displays, as the device writes them.
    rings: whether a call comes in.
    """

    app: str = ""
    window: str = ""
    frame: str = ""
    above: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    rings: bool = False


@dataclass(frozen=True)
class Window:
    """One window of the list: its id, the package it belongs to, its place, and whether there is anything to be seen of it."""

    name: str
    package: str
    frame: str
    drawn: bool


def parse(text: str) -> Front:
    """What the answer to ASK says.

    >>> parse("  mCurrentFocus=Window{3f1 u0 com.example.game/.Main}\\n    cur=1080x2400 app=1080x2400\\n  mCallState=0\\n")
    Front(app='com.example.game', window='3f1', frame='', above=(), turned=('cur=1080x2400',), rings=False)
    """
    focus = re.search(r"mCurrentFocus=Window\{(\S{1,20}) (?:u\d+ )?([^}\n]{1,300})\}", text)
    window, title = focus.groups() if focus else ("", "")
    windows = _windows(text)
    own = next((one for one in windows if one.name == window), Window(window, "", "", drawn=True))
    named = re.search(r"([\w.$-]{1,200})/", title)
    above = windows[: windows.index(own)] if own in windows else []
    turned = re.findall(r"\bcur=\d{1,5}x\d{1,5}|\bm(?:Current)?Rotation=\w{1,20}", text)
    return Front(
        named[1] if named else own.package or title,
        window,
        own.frame,
        tuple(f"{one.name} {one.frame}" for one in above if one.drawn),
        tuple(sorted(set(turned))),
        RINGING in re.findall(r"mCallState=(\d)", text),
    )


def _windows(text: str) -> list[Window]:
    """The windows of `dumpsys window windows`, the topmost first."""
    _, *blocks = re.split(r"Window #\d+ Window\{", text)
    return [
        Window(
            block.split(maxsplit=1)[0],
            _first(r"package=([\w.$-]{1,200})", block),
            _first(r"[ m][fF]rame=(\[-?\d+,-?\d+\]\[-?\d+,-?\d+\])", block),
            "mHasSurface=true" in block,
        )
        for block in blocks
        if block.strip()
    ]


def _first(form: str, text: str) -> str:
    found = re.search(form, text)
    return found[1] if found else ""


def interrupted(serial: str) -> InputFailed:
    """Why the rest of a step was left out."""
    return InputFailed(
        f"device {serial}: a call comes in; the rest of the step was not tapped",
        hint=f"take it or leave it, {GOES_ON}",
    )


def refusal(serial: str, then: Front, now: Front) -> InputFailed | None:
    """Why nothing may be touched `now`, where the board was read `then`; None where everything is as it was."""
    differences: list[tuple[bool, type[InputFailed], str, str]] = [
        (now.rings, InputFailed, "a call comes in", f"take it or leave it, {GOES_ON}"),
        (
            then.app != now.app,
            InputFailed,
            f"{now.app or 'nothing'} is in front now, the board was read in {then.app or 'nothing'}",
            f"bring the game back to the front, {GOES_ON}",
        ),
        (
            then.window != now.window,
            WindowChanged,
            f"{now.app} shows another window than the board was read in",
            f"close what the app shows over the board, {GOES_ON}",
        ),
        (
            then.turned != now.turned,
            InputFailed,
            "the screen was turned after its picture was taken",
            "hold the device still, or switch the turning of its screen off, and start again",
        ),
        (
            then.frame != now.frame,
            WindowChanged,
            f"the window of {now.app} was moved or its screen was split",
            f"leave the windows where they are, {GOES_ON}",
        ),
        (
            then.above != now.above,
            WindowChanged,
            f"what lies over {now.app} has changed",
            f"close what lies over the board, {GOES_ON}",
        ),
    ]
    for differs, error, what, hint in differences:
        if differs:
            return error(f"device {serial}: {what}; nothing was tapped", hint=hint)
    return None
