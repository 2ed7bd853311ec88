"""A terminal as a screen of characters: only what changes is sent, and everything is put back at the end.

Colours, cursor and the second screen are the sequences of ECMA-48 and xterm. Keys come one by one where the
standard input is a terminal of a Unix system; elsewhere there are none, and Ctrl-C still ends the show.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Mapping
from types import FrameType, TracebackType
from typing import Any, Literal, TextIO

from rich.console import detect_legacy_windows

from bot.show.canvas import NOTHING, Canvas, Glyph, Rgb

Depth = Literal["none", "256", "full"]

ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[2J"
LEAVE_SCREEN = "\x1b[0m\x1b[?25h\x1b[?1049l"
# The levels of each part of a colour where there are 256 colours.
CUBE = (0, 95, 135, 175, 215, 255)
# What a terminal that knows no Unicode gets instead.
PLAIN = str.maketrans("█▓▒░▀▄✓✗·═─≡≣│║⦀⁞…", '##+-""+x.=-==|HHH.')


def in_encoding(text: str, out: TextIO) -> str:
    """A text that the stream can write, with plainer signs where it does not know ours."""
    if "utf" in (out.encoding or "").lower():
        return text
    return text.translate(PLAIN).encode("ascii", "replace").decode("ascii")


def colour_depth(environment: Mapping[str, str]) -> Depth:
    """How many colours a terminal shows, as far as its environment says (https://no-color.org).

    >>> colour_depth({"TERM": "xterm-256color"}), colour_depth({"TERM": "xterm", "NO_COLOR": "1"})
    ('256', 'none')
    """
    if environment.get("NO_COLOR"):
        return "none"
    if environment.get("COLORTERM", "") in ("truecolor", "24bit") or "WT_SESSION" in environment:
        return "full"
    return "256"


def can_move_cursor(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a picture can be drawn over on this stream: a terminal that is neither dumb nor an old Windows console."""
    return (
        out.isatty() and not detect_legacy_windows() and environment.get("TERM", "xterm") not in ("dumb", "")
    )


def changes(before: Canvas | None, after: Canvas, depth: Depth) -> str:
    """What to send so that a terminal that shows `before` shows `after`; None for an empty screen."""
    sent: list[str] = []
    style = ""
    for row in range(after.height):
        old = before.rows[row] if before and row < before.height else []
        cursor = -1
        for col, glyph in enumerate(after.rows[row]):
            if glyph == (old[col] if col < len(old) else NOTHING):
                continue
            if cursor != col:
                sent.append(f"\x1b[{row + 1};{col + 1}H")
            wanted = style_of(glyph, depth)
            if wanted != style:
                sent.append(wanted)
                style = wanted
            sent.append(glyph.char)
            cursor = col + 1
    if style not in ("", style_of(NOTHING, depth)):
        sent.append("\x1b[0m")
    return "".join(sent)


def style_of(glyph: Glyph, depth: Depth) -> str:
    """The sequence that selects a glyph's colours, from whatever was selected before."""
    codes = ["0"]
    if glyph.bold:
        codes.append("1")
    if depth != "none":
        codes += [_colour(3, glyph.ink, depth)] if glyph.ink else []
        codes += [_colour(4, glyph.ground, depth)] if glyph.ground else []
    return f"\x1b[{';'.join(codes)}m"


def _colour(kind: int, colour: Rgb, depth: Depth) -> str:
    if depth == "full":
        return f"{kind}8;2;{colour[0]};{colour[1]};{colour[2]}"
    # A cube of 216 colours, and a ramp of 24 greys from 8 to 238 by 10: whatever is nearer.
    cube = [min(range(6), key=lambda level: abs(CUBE[level] - part)) for part in colour]
    grey = min(23, max(0, round((sum(colour) / 3 - 8) / 10)))
    off_cube = sum((CUBE[level] - part) ** 2 for level, part in zip(cube, colour, strict=True))
    off_grey = sum((8 + 10 * grey - part) ** 2 for part in colour)
    if off_grey < off_cube:
        return f"{kind}8;5;{232 + grey}"
    return f"{kind}8;5;{16 + 36 * cube[0] + 6 * cube[1] + cube[2]}"


def coloured(canvas: Canvas, depth: Depth) -> str:
    """A canvas as lines of text with colours, to be printed once."""
    lines = []
    for row in canvas.rows:
        used = max((col for col, glyph in enumerate(row, 1) if glyph != NOTHING), default=0)
        line, style = "", style_of(NOTHING, depth)
        for glyph in row[:used]:
            wanted = style_of(glyph, depth)
            line += glyph.char if wanted == style else wanted + glyph.char
            style = wanted
        lines.append(line + ("\x1b[0m" if style != style_of(NOTHING, depth) else ""))
    return "\n".join(lines)


class Terminal:
    """The screen and the keys while a show is on; use it with `with`."""

    def __init__(self, out: TextIO, environment: Mapping[str, str]) -> None:
        self.out = out
        self.depth = colour_depth(environment)
        self._shown: Canvas | None = None
        self._size = (0, 0)
        self._keys: Any = None
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> Terminal:
        self._take_over()
        # A terminal left without cursor and echo is of no use to anybody: put it back on these signals, too.
        for name, handler in (("SIGTERM", self._ended), ("SIGHUP", self._ended), ("SIGTSTP", self._paused)):
            number = getattr(signal, name, None)
            if number is not None:
                self._handlers[number] = signal.signal(number, handler)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._give_back()

    def size(self) -> tuple[int, int]:
        """(columns, rows) of the window as it is now."""
        columns, rows = shutil.get_terminal_size()
        return max(1, columns), max(1, rows)

    def show(self, canvas: Canvas) -> None:
        """Make the window show a canvas of its size; sends only what differs from what it shows."""
        if self.size() != self._size:
            self._size = self.size()
            self._shown = None
            self.out.write("\x1b[0m\x1b[2J")
        text = changes(self._shown, canvas, self.depth)
        self._shown = canvas
        if text:
            self.out.write(in_encoding(text, self.out))
            self.out.flush()

    def key(self, wait_s: float) -> str:
        """The next key, or "" when none is pressed within the time."""
        if self._keys is None:
            time.sleep(wait_s)
            return ""
        ready, _, _ = select.select([sys.stdin], [], [], wait_s)
        return os.read(sys.stdin.fileno(), 16).decode("utf-8", "ignore") if ready else ""

    def _take_over(self) -> None:
        self._keys = _without_echo()
        self._shown = None
        self.out.write(ENTER_SCREEN)
        self.out.flush()

    def _give_back(self) -> None:
        self.out.write(LEAVE_SCREEN)
        self.out.flush()
        if self._keys is not None:
            import termios

            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._keys)
            self._keys = None

    def _ended(self, number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    def _paused(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: give the terminal back, stop, and take it over again when we go on."""
        self._give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._paused)
        self._size = (0, 0)
        self._take_over()


def _without_echo() -> Any:
    """Switch the standard input to single keys without echo; what to put back later, None where that cannot be."""
    try:
        import termios
        import tty
    except ImportError:
        return None
    if not sys.stdin.isatty():
        return None
    before = termios.tcgetattr(sys.stdin.fileno())
    tty.setcbreak(sys.stdin.fileno())
    return before
