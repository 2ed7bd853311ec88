"""What is in front on an Android device: the app, how the screen is turned, whether a call comes in.

Asked before every step, by one call of the shell that takes a few hundredths of a second: the lines are those of
`dumpsys window` (Android 4.2 and later) and `dumpsys telephony.registry`. What a device does not say cannot be compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.errors import InputFailed, WindowChanged

ASK = (
    "dumpsys window | grep -E 'mCurrentFocus=|mRotation=|mCurrentRotation=|cur=[0-9]+x';"
    " dumpsys telephony.registry | grep mCallState="
)
RINGING = "1"
# Between two touches of a step: a command of the shell that fails, with this word, where a call has come in meanwhile.
RINGS_WORD = "boardsight-rings"
UNLESS_IT_RINGS = (
    f"{{ ! dumpsys telephony.registry 2>/dev/null | grep -q mCallState={RINGING}"
    f" || {{ echo {RINGS_WORD}; false; }}; }}"
)


@dataclass(frozen=True)
class Front:
    """What a device says of its screen; empty where it says nothing.

    app: the package that has the focus, or the name of a part of the system: "com.example.game", "NotificationShade".
    window: which of its windows has it: a dialog or an advertisement of the same app is another one.
    turned: size and turn of the displays, as the device writes them.
    rings: whether a call comes in.
    """

    app: str = ""
    window: str = ""
    turned: tuple[str, ...] = ()
    rings: bool = False


def parse(text: str) -> Front:
    """What the answer to ASK says.

    >>> parse("  mCurrentFocus=Window{3f1 u0 com.example.game/.Main}\\n    cur=1080x2400 app=1080x2400\\n  mCallState=0\\n")
    Front(app='com.example.game', window='3f1', turned=('cur=1080x2400',), rings=False)
    """
    focus = re.findall(
        r"mCurrentFocus=Window\{(\S{1,20}) (?:u\d+ )?(?:[^\s/}]+ )*?([\w.$-]{1,200})[/}]", text
    )
    window, app = focus[0] if focus else ("", "")
    turned = re.findall(r"\bcur=\d{1,5}x\d{1,5}|\bm(?:Current)?Rotation=\w{1,20}", text)
    states = re.findall(r"mCallState=(\d)", text)
    return Front(app, window, tuple(turned[:8]), RINGING in states)


def interrupted(serial: str) -> InputFailed:
    """Why the rest of a step was left out."""
    return InputFailed(
        f"device {serial}: a call comes in; the rest of the step was not tapped",
        hint="take it or leave it, then start again: the run goes on where it stopped",
    )


def refusal(serial: str, then: Front, now: Front) -> InputFailed | None:
    """Why nothing may be touched `now`, where the board was read `then`; None where everything is as it was."""
    if now.rings:
        return InputFailed(
            f"device {serial}: a call comes in; nothing was tapped",
            hint="take it or leave it, then start again: the run goes on where it stopped",
        )
    if then.app != now.app:
        return InputFailed(
            f"device {serial}: {now.app or 'nothing'} is in front now, the board was read in {then.app or 'nothing'};"
            " nothing was tapped",
            hint="bring the game back to the front, then start again: the run goes on where it stopped",
        )
    if then.window != now.window:
        return WindowChanged(
            f"device {serial}: {now.app} shows another window than the board was read in; nothing was tapped",
            hint="close what the app shows over the board, then start again: the run goes on where it stopped",
        )
    if then.turned != now.turned:
        return InputFailed(
            f"device {serial}: the screen was turned after its picture was taken; nothing was tapped",
            hint="hold the device still, or switch the turning of its screen off, and start again",
        )
    return None
