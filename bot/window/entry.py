"""The entry in a Linux desktop's menu of programs: a file that says what to start, and its picture.

Form: freedesktop.org's Desktop Entry Specification 1.5; places: its Base Directory and Icon Theme specifications.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from bot.errors import WrongUsage
from bot.messages import write_file
from calibration.files import own_folder

# Drawn for this project: islands with bridges, one of them seen through a glass.
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="12" fill="#20262d"/>
<path d="M17 17h30M17 21h30M19 17v30M19 47h16" stroke="#e8edf2" stroke-width="3" fill="none"/>
<g fill="#20262d" stroke="#e8edf2" stroke-width="3"><circle cx="19" cy="19" r="8"/><circle cx="19" cy="47" r="8"/></g>
<circle cx="43" cy="35" r="15" fill="#20262d" stroke="#ff8c00" stroke-width="4"/>
<path d="M54 46l7 8" stroke="#ff8c00" stroke-width="6" stroke-linecap="round"/>
<path d="M36 35l5 6 9-11" stroke="#3cc85a" stroke-width="4" fill="none"/>
</svg>
"""
_ENTRY = """[Desktop Entry]
Type=Application
Version=1.0
Name=boardsight
Comment=Reads, explains and plays the puzzle in another window
Exec={command} window
Icon={icon}
Terminal=false
Categories=Game;LogicGame;
Keywords=puzzle;hint;solver;nonogram;bridges;
"""


def install() -> tuple[Path, ...]:
    """Write the entry and its picture, in the user's own folders. Raises WrongUsage where there is no such menu."""
    if sys.platform in ("win32", "darwin"):
        raise WrongUsage(
            "this system has no menu of programs that takes such an entry",
            hint="make a shortcut to 'boardsight window' by hand",
        )
    entry, icon = _places()
    for path in (entry, icon):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUsage(
                f"{path.parent}: cannot be made: {error.strerror}", hint="check its rights"
            ) from error
    write_file(icon, ICON.encode())
    write_file(entry, _ENTRY.format(command=_command(), icon=icon).encode())
    return entry, icon


def remove() -> tuple[Path, ...]:
    """Take away what `install` wrote; the files that were there."""
    there = tuple(path for path in _places() if os.path.isfile(path))
    for path in there:
        with suppress(OSError):
            path.unlink()
    return there


def _places() -> tuple[Path, Path]:
    given = os.environ.get("XDG_DATA_HOME", "")
    home = Path(given) if os.path.isabs(given) else own_folder(Path.home) / ".local/share"
    return home / "applications/boardsight.desktop", home / "icons/hicolor/scalable/apps/boardsight.svg"


def _command() -> str:
    """How this very program is started, as the entry takes it."""
    program = Path(sys.argv[0])
    if getattr(sys, "frozen", False):
        return _quoted(sys.executable)
    if program.name == "boardsight" and (found := shutil.which(str(program))):
        return _quoted(os.path.abspath(found))
    return f"{_quoted(sys.executable)} -m bot"


def _quoted(path: str) -> str:
    """An argument as the specification quotes it.

    >>> print(_quoted("/opt/my games/boardsight"))
    "/opt/my games/boardsight"
    """
    for sign in ("\\", '"', "`", "$"):
        path = path.replace(sign, "\\" + sign)
    # A string of an entry is unquoted once more before, and a percent sign begins a field.
    path = path.replace("\\", "\\\\").replace("%", "%%")
    return f'"{path}"'
