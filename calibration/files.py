"""Opens files that nobody vouches for: regular ones only, and never more of one than is allowed."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from vision.errors import UnreadableImage

# A pipe that nobody writes to must not be waited for, and a terminal must not become ours.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_NOCTTY", "O_NONBLOCK", "O_CLOEXEC"))


# Nothing is there, and nothing can be made there.
_NOWHERE = Path(os.devnull, "no home")


def own_folder(find: Callable[[], str | Path]) -> Path:
    """A folder of the user, as `find` tells it; where the system knows none (a container's nameless user), no folder."""
    try:
        return Path(find())
    except RuntimeError:
        return _NOWHERE


def shortened(path: Path) -> str:
    """A path as people write it: with a ~ for their own folder."""
    home = own_folder(Path.home)
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)


# Files that came along with their names, from another machine; they are read instead of those of this machine.
_sent: dict[str, bytes] = {}


@contextmanager
def sent(files: Mapping[str, bytes]) -> Iterator[None]:
    """Within this, each of these files is what was sent of it."""
    _sent.update(files)
    try:
        yield
    finally:
        for name in files:
            del _sent[name]


def is_file(name: str | Path) -> bool:
    """Whether there is something of that name to be read: a file, or what will be refused as none."""
    # A puzzle typed as a word can be longer than any file name; `os.path` says no to that where `Path` raises.
    return str(name) in _sent or (os.path.exists(name) and not os.path.isdir(name))


def read_bytes(path: Path, most_bytes: int) -> bytes:
    """The whole of a regular file of at most `most_bytes`.

    Raises UnreadableImage for a file that is not there or larger, and for a pipe or a device, which may have no end.
    """
    data = read_start(path, most_bytes + 1)
    if len(data) > most_bytes:
        raise UnreadableImage(
            f"{path}: larger than {most_bytes} bytes", hint="give a smaller picture, or split the text"
        )
    return data


def read_text(path: Path, most_bytes: int) -> str:
    """A regular file of at most `most_bytes` as text: UTF-8, or UTF-16 with a mark in front, as PowerShell writes it.

    Raises UnreadableImage as `read_bytes` does, and UnicodeDecodeError for what is no text.
    """
    data = read_bytes(path, most_bytes)
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8-sig")


def read_start(path: Path, count: int) -> bytes:
    """The first `count` bytes of a regular file, or all there are. Raises UnreadableImage as `read_bytes` does."""
    if str(path) in _sent:
        return _sent[str(path)][:count]
    try:
        with open_regular(path) as file:
            return file.read(count)
    except OSError as error:
        hint = "check the file's rights" if isinstance(error, PermissionError) else "check the file's name"
        raise UnreadableImage(f"{path}: {error.strerror or error}", hint=hint) from error
    except ValueError as error:
        raise UnreadableImage(f"{path}: no file has such a name", hint="check the file's name") from error


def open_regular(path: Path) -> BinaryIO:
    """A regular file, open for reading. Raises UnreadableImage for a pipe or a device, OSError for what is not there."""
    # Opening a device may already do something, so it is looked at before and, in case it is exchanged, after.
    _require_regular(path, os.stat(path))
    file = os.fdopen(os.open(path, os.O_RDONLY | _FLAGS), "rb")
    try:
        _require_regular(path, os.fstat(file.fileno()))
    except BaseException:
        file.close()
        raise
    return file


def _require_regular(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise UnreadableImage(f"{path}: Is a directory", hint="name the files in it")
    if not stat.S_ISREG(found.st_mode):
        raise UnreadableImage(
            f"{path}: a pipe or a device, not a file", hint="save the picture or the text to a file first"
        )
