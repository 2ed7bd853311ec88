"""Bridges in text: game IDs of Simon Tatham's Bridges, `.has` files of the Coelho set, one ID per line.

    game id = W ['x' H] ['i' PCT] ['e' EXP] ['m' MAXB] ['L'] ['d' DIFF] ':' cells
    cells   = row by row; 'a'..'z' is a run of 1..26 empty cells, '1'..'9' and 'A'..'G' an island of 1..16

The game ignores whatever follows a letter that is out of order, so `30x30m4d2L` allows loops; so do we.
Other than that game, islands that touch may be joined (specification of the Coelho set).
"""

from __future__ import annotations

import re

from solver.bridges.board import CLUE_SIGNS, MOST_CELLS, Bridges, Island
from solver.errors import InvalidPuzzle
from solver.lattice import Square

PREFIX = "bridges:"
# A full board of the largest size needs 250 kB; files with many IDs some more.
MOST_CHARACTERS = 4_000_000
_ID = re.compile(r"(?:bridges:)?\d+(?:x\d+)?(?:[ie]\d+|m\d+|L|d\d+)*:[a-z1-9A-G]*")
_PARAMS = re.compile(r"(\d{1,6})(?:x(\d{1,6}))?(?:i\d+)?(?:e\d+)?(?:m(\d{1,6}))?(L)?(?:d\d+)?[A-Za-z0-9]*")
_HAS_HEAD = re.compile(r"\s*\d+[ \t]+\d+[ \t]+\d+[ \t]*(?:\r?\n|$)")


def looks_like(text: str) -> bool:
    """Whether the first line has the form of a Bridges game ID, or the text that of a `.has` file.

    >>> looks_like("7x7m2:a1d23c3k2a5a43d3g12b2a3a")
    True
    >>> looks_like("2:1/1/1/1")
    False
    """
    lines = _content(text)
    if not lines:
        return False
    first = lines[0][1]
    return first.startswith(PREFIX) or _ID.fullmatch(first) is not None or _HAS_HEAD.match(text) is not None


def parse(text: str) -> Bridges:
    """One board from a game ID or the text of a `.has` file. Raises InvalidPuzzle."""
    boards = parse_file(text)
    if len(boards) != 1:
        raise InvalidPuzzle(f"{len(boards)} puzzles where one was expected", hint="pass them one by one")
    return boards[0]


def parse_file(text: str) -> tuple[Bridges, ...]:
    """Every board of a text: a `.has` file, or one game ID per line (`#` starts a comment line).

    Raises InvalidPuzzle, which names the line.
    """
    if len(text) > MOST_CHARACTERS:
        raise InvalidPuzzle(f"a text of {len(text)} characters", hint=f"at most {MOST_CHARACTERS} are read")
    if _HAS_HEAD.match(text):
        return (_parse_has(text),)
    lines = _content(text)
    if not lines:
        raise InvalidPuzzle("an empty text", hint="expected a game ID such as 7x7m2:a1d23c3k2a5a43d3g12b2a3a")
    return tuple(_parse_id(line, f"line {number}: " if len(lines) > 1 else "") for number, line in lines)


def unparse(puzzle: Bridges) -> str:
    """The game ID of a board, without `bridges:` in front.

    >>> unparse(parse("bridges:3x2:1a1c"))
    '3x2m2:1a1c'
    """
    parts = [f"{puzzle.width}x{puzzle.height}m{puzzle.max_bridges}{'' if puzzle.loops else 'L'}:"]
    next_cell = 0
    for island in puzzle.islands:
        cell = island.at.row * puzzle.width + island.at.col
        parts += [_gap(cell - next_cell), CLUE_SIGNS[island.clue]]
        next_cell = cell + 1
    parts.append(_gap(puzzle.width * puzzle.height - next_cell))
    return "".join(parts)


def puzzle_json(puzzle: Bridges) -> str:
    """The canonical notation: the game ID."""
    return unparse(puzzle)


def _content(text: str) -> list[tuple[int, str]]:
    """Lines that say something, with their numbers from 1."""
    numbered = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in numbered if line and not line.startswith("#")]


def _gap(cells: int) -> str:
    return "z" * (cells // 26) + (chr(ord("a") + cells % 26 - 1) if cells % 26 else "")


def _parse_id(text: str, where: str) -> Bridges:
    head, colon, cells = text.removeprefix(PREFIX).strip().partition(":")
    params = _PARAMS.fullmatch(head)
    if params is None or not colon:
        raise InvalidPuzzle(
            f"{where}{text[:40]!r} is not a Bridges game ID",
            hint="expected SIZE:CELLS, such as 7x7m2:a1d23c3k2a5a43d3g12b2a3a",
        )
    width = int(params[1])
    height = int(params[2] or width)
    if not 1 <= width * height <= MOST_CELLS:
        raise InvalidPuzzle(
            f"{where}a board of {width} by {height} cells", hint=f"boards have 1 to {MOST_CELLS} cells"
        )
    islands: list[Island] = []
    cell = 0
    for place, sign in enumerate(cells, 1):
        if "a" <= sign <= "z":
            cell += ord(sign) - ord("a") + 1
            continue
        if sign not in CLUE_SIGNS[1:]:
            raise InvalidPuzzle(
                f"{where}{sign!r} at place {place} of the cells", hint="cells are a-z, 1-9 and A-G"
            )
        islands.append(Island(Square(*divmod(cell, width)), CLUE_SIGNS.index(sign)))
        cell += 1
    if cell != width * height:
        raise InvalidPuzzle(
            f"{where}the ID describes {cell} cells, a board of {width} by {height} has {width * height}",
            hint="a letter stands for 1 to 26 empty cells",
        )
    try:
        return Bridges(tuple(islands), width, height, int(params[3] or 2), loops=params[4] is None)
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{where}{error}", hint=error.hint) from error


def _parse_has(text: str) -> Bridges:
    lines = _content(text)
    height, width, count = (int(word[:9]) for word in lines[0][1].split())
    if not 1 <= width * height <= MOST_CELLS:
        raise InvalidPuzzle(
            f"line {lines[0][0]}: a board of {width} by {height} cells",
            hint=f"boards have 1 to {MOST_CELLS} cells",
        )
    if len(lines) - 1 != height:
        raise InvalidPuzzle(f"{len(lines) - 1} rows of cells, the first line says {height}")
    islands: list[Island] = []
    for row, (number, line) in enumerate(lines[1:]):
        words = line.split()
        if len(words) != width:
            raise InvalidPuzzle(f"line {number}: {len(words)} cells, the first line says {width}")
        for col, word in enumerate(words):
            if not (word.isascii() and word.isdigit() and len(word) <= 2 and int(word) < len(CLUE_SIGNS)):
                raise InvalidPuzzle(
                    f"line {number}, column {col + 1}: {word[:20]!r} is not a clue", hint="0 means no island"
                )
            if int(word):
                islands.append(Island(Square(row, col), int(word)))
    if len(islands) != count:
        raise InvalidPuzzle(f"{len(islands)} islands, the first line says {count}")
    return Bridges(tuple(islands), width, height)
