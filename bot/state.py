"""What the program keeps on the disk between two runs: in folders for the user alone, guarded against a second run.

Folders are private whatever the umask says. A `Hold` lasts exactly as long as the process that has it, also when that
one is killed: the system's own locks on files are used (flock, on Windows `msvcrt.locking`).
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path

import platformdirs

from calibration.files import own_folder

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

ENVIRONMENT = "BOARDSIGHT_RUNS"
MOST_NOTE_BYTES = 2000
# As it is: Windows would write two bytes for every line end.
_NEW = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
_NEW |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def state_folder() -> Path:
    """Where the program keeps what it must know again; it need not exist yet."""
    override = os.environ.get(ENVIRONMENT)
    if override:
        return own_folder(Path(override).expanduser)
    return own_folder(lambda: platformdirs.user_state_dir("boardsight", appauthor=False))


def runs_folder() -> Path:
    """Where runs are kept that no `--record` has given a place; it need not exist yet."""
    override = os.environ.get(ENVIRONMENT)
    return state_folder() if override else state_folder() / "runs"


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for the user alone; what is there stays. Raises OSError."""
    for one in reversed([folder, *folder.parents]):
        with contextlib.suppress(FileExistsError):
            one.mkdir(mode=0o700)
            # The umask may have taken what we need ourselves.
            one.chmod(0o700)


def file_name(words: str) -> str:
    """Words as a part of a file's name, different for different words.

    >>> file_name(":99"), file_name("emulator-5554"), file_name("../x")
    ('_3a99', 'emulator-5554', '_2e_2e_2fx')
    """
    return re.sub(r"[^A-Za-z0-9-]", lambda sign: f"_{ord(sign[0]):02x}", words)[:150]


class Hold:
    """A file that this process holds against all others, with a note in it; `take` makes one."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path, self._handle = path, handle

    @classmethod
    def take(cls, path: Path) -> Hold | None:
        """The file, made where it is missing; None while another process holds it. Raises OSError."""
        while True:
            handle = os.open(path, _NEW, 0o600)
            try:
                _lock(handle)
            except OSError:
                os.close(handle)
                return None
            if _is_at(handle, path):
                return cls(path, handle)
            # Who held it before has just taken it away.
            os.close(handle)

    def read(self) -> str:
        """The note. What a stranger may have put there is cut and made text."""
        os.lseek(self._handle, 0, os.SEEK_SET)
        return os.read(self._handle, MOST_NOTE_BYTES).decode("utf-8", "replace")

    def write(self, note: str) -> None:
        """Replace the note; where it gets shorter, line ends follow it. Raises OSError."""
        # In place: to give back what a file holds takes 10 ms on some file systems.
        size = min(os.fstat(self._handle).st_size, MOST_NOTE_BYTES)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, note.encode().ljust(size, b"\n"))

    def let_go(self) -> None:
        """Take the file away; another process may make it anew."""
        with contextlib.suppress(OSError):
            self._path.unlink()
        with contextlib.suppress(OSError):
            os.close(self._handle)


def note_of(path: Path) -> str:
    """The note in a file that another process holds; empty where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(MOST_NOTE_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _lock(handle: int) -> None:
    """Raises OSError when another process has it."""
    if sys.platform == "win32":
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path, follow_symlinks=False))
    except OSError:
        return False
