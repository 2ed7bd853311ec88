"""Text forms that many games share: game IDs of Simon Tatham's collection, `7x7PARAMS:DESCRIPTION`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Place
from solver.lattice import Square

_SIZE = re.compile(r"(\d{1,3})(?:x(\d{1,3}))?([^:]*)")
MOST_CHARACTERS = 100_000


def header(text: str) -> tuple[int, int, str, str]:
    """Width, height, the parameters after the size, and the description of an ID. Raises InvalidPuzzle.

    >>> header("7x6b20s4d0:aB")
    (7, 6, 'b20s4d0', 'aB')
    """
    head, colon, description = text.strip().partition(":")
    size = _SIZE.fullmatch(head)
    if not colon or size is None or len(text) > MOST_CHARACTERS:
        raise InvalidPuzzle(f"{text[:40]!r} is no game ID", hint="for example 7x7:... with the size in front")
    return int(size[1]), int(size[2] or size[1]), size[3], description


def runs(description: str, tokens: str, cells: int, *, unit: int = 1) -> list[str | None]:
    """What stands in each cell, row by row, of a description in which a letter a..z stands for 1..26 empty cells.

    tokens: a regular expression of what a cell may hold; `_` stands between two neighbours and means nothing.
    Raises InvalidPuzzle with the place that is wrong.

    >>> runs("a1b", "[0-9]", 4)
    [None, '1', None, None]
    """
    found: list[str | None] = []
    at = 0
    token = re.compile(tokens)
    while at < len(description):
        sign = description[at]
        match = token.match(description, at)
        if match and match.end() > at:
            found.append(match[0])
            at = match.end()
        elif "a" <= sign <= "z":
            found += [None] * (ord(sign) - 96)
            at += 1
        elif sign == "_":
            at += 1
        else:
            raise InvalidPuzzle(f"{sign!r} at place {at + 1} of the description means nothing in this game")
    if len(found) != cells:
        raise InvalidPuzzle(f"the description is of {len(found)} cells, the board has {cells}")
    return found


def as_runs(cells: Iterable[str | None], *, apart: str = "") -> str:
    """The description of what stands in the cells; `apart`: what separates two neighbours, "_" for numbers.

    >>> as_runs([None, "1", None, None]), as_runs(["1", "12", None], apart="_")
    ('a1b', '1_12a')
    """
    parts: list[str] = []
    empty = 0
    for cell in cells:
        if cell is None:
            empty += 1
            continue
        if empty:
            parts.append(letters(empty))
        elif parts and apart:
            parts.append(apart)
        parts.append(cell)
        empty = 0
    return "".join(parts) + letters(empty)


def letters(empty: int) -> str:
    """A run of empty cells.

    >>> letters(27), letters(0)
    ('za', '')
    """
    return "z" * (empty // 26) + (chr(96 + empty % 26) if empty % 26 else "")


def numbers(text: str, count: int, separator: str = ",", nothing: Sequence[str] = ("",)) -> list[str]:
    """So many numbers, "" where there is none. Raises InvalidPuzzle."""
    parts = ["" if part in nothing else part for part in text.split(separator)]
    if len(parts) != count or any(part and not re.fullmatch(r"\d{1,3}", part) for part in parts):
        raise InvalidPuzzle(
            f"{text[:40]!r}: {count} numbers belong there", hint="compare it with where it comes from"
        )
    return parts


def board_of(width: int, height: int, cells: Sequence[str | None], form: str = "") -> Board:
    """The board with what stands in its cells, row by row."""
    squares = [Square(row, col) for row in range(height) for col in range(width)]
    given: dict[Place, str] = {at: cell for at, cell in zip(squares, cells, strict=True) if cell is not None}
    return Board(height, width, given, form)


def in_order(board: Board) -> Iterator[str | None]:
    """What stands in each cell, row by row."""
    for at in board.squares:
        yield board.given.get(at)


def rows_of(board: Board, entries: Mapping[Square, str], blank: str = ".") -> list[str]:
    """One string per row: entries, what is given, and `.` for nothing; cells of more than a character are set apart."""
    signs = [
        [entries.get(at) or board.given.get(at) or blank for at in board.row(row)]
        for row in range(board.height)
    ]
    wide = max(len(sign) for row in signs for sign in row) > 1
    return [(" " if wide else "").join(row) for row in signs]


def bits(text: str, count: int) -> str:
    """The first so many bits of hexadecimal digits, the highest of each first. Raises InvalidPuzzle.

    >>> bits("a8", 5)
    '10101'
    """
    if not re.fullmatch("[0-9a-f]*", text):
        raise InvalidPuzzle(f"{text[:40]!r} is told in hexadecimal digits")
    return "".join(f"{int(digit, 16):04b}" for digit in text)[:count]


def as_hex(told: str) -> str:
    """The hexadecimal digits of bits.

    >>> as_hex("10101")
    'a8'
    """
    padded = told.ljust(-(-len(told) // 4) * 4, "0")
    return "".join(f"{int(padded[at : at + 4], 2):x}" for at in range(0, len(padded), 4))
