"""Nonograms in text: game IDs of Simon Tatham's Pattern, `.non`, webpbn XML and contest batches.

    game id = W ['x' H] ':' clue '/' clue '/' ... [',' given]     columns first, then rows
    clue    = runs joined by '.', nothing for an empty line
    given   = fixed cells row by row: the letter's place in the alphabet (a = 0) is the number of free cells
              before it; lower case blank, upper case filled; 'z' or 'Z' is 25 free cells and no fixed one

The game ID is the canonical notation; coloured nonograms, which it cannot hold, are written as webpbn XML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from solver.errors import InvalidPuzzle
from solver.lattice import Square
from solver.nonogram.board import MOST_SIDE, Clue, Nonogram, Picture, faults
from solver.nonogram.exchange import looks_like_json, parse_json, to_json, to_non
from solver.nonogram.webpbn import looks_like_xml, parse_xml, unparse_xml

PREFIX = "pattern:"
MOST_CHARACTERS = 4_000_000
_ID = re.compile(r"\d+(?:x\d+)?:[\d./]*/[\d./]*(?:,[a-zA-Z]*)?")
_SIZE = re.compile(r"(\d{1,6})(?:x(\d{1,6}))?")
_NON_WORD = re.compile(r"(width|height|rows|columns)\b")
_BATCH_HEAD = re.compile(r"\s*\$\d+\s*$", re.MULTILINE)


def looks_like(text: str) -> bool:
    """Whether a text is a Pattern game ID (or several), a `.non` file, webpbn XML or a contest batch.

    >>> looks_like("2:1/1/1/1"), looks_like("width 2\\nheight 2\\nrows\\n1\\n1\\ncolumns\\n1\\n1")
    (True, True)
    """
    lines = _content(text)
    if not lines:
        return False
    first = lines[0][1]
    if first.startswith(PREFIX) or _ID.fullmatch(first) or _BATCH_HEAD.match(first):
        return True
    return looks_like_xml(text) or looks_like_json(text) or _is_non(text)


def parse(text: str) -> Nonogram:
    """One nonogram from any of the notations. Raises InvalidPuzzle, which names the line and the reason."""
    puzzles = parse_file(text)
    if len(puzzles) != 1:
        raise InvalidPuzzle(f"{len(puzzles)} puzzles where one was expected", hint="pass them one by one")
    return puzzles[0]


def parse_file(text: str) -> tuple[Nonogram, ...]:
    """Every nonogram of a text, in order; lines of game IDs may be mixed with `#` comment lines."""
    if len(text) > MOST_CHARACTERS:
        raise InvalidPuzzle(f"a text of {len(text)} characters", hint=f"at most {MOST_CHARACTERS} are read")
    lines = _content(text)
    if not lines:
        raise InvalidPuzzle(
            "an empty text", hint="expected a game ID such as 2:1/1/1/1, a .non file or webpbn XML"
        )
    if looks_like_xml(text):
        return tuple(_sound(puzzle, "") for puzzle in parse_xml(text))
    if looks_like_json(text):
        return (_sound(parse_json(text), ""),)
    if _BATCH_HEAD.match(lines[0][1]):
        return _parse_batch(lines)
    if _is_non(text):
        return (_parse_non(text),)
    return tuple(_parse_id(line, f"line {number}: " if len(lines) > 1 else "") for number, line in lines)


def unparse(puzzle: Nonogram) -> str:
    """The game ID (columns first), or webpbn XML for a coloured nonogram.

    >>> unparse(parse("pattern:2:1/1/1/1"))
    '2x2:1/1/1/1'
    """
    if puzzle.palette is not None:
        return unparse_xml(puzzle)
    clues = "/".join(".".join(map(str, clue)) for clue in puzzle.cols + puzzle.rows)
    given = _unparse_given(puzzle)
    return f"{puzzle.width}x{puzzle.height}:{clues}{',' if given else ''}{given}"


def write(puzzle: Nonogram, form: str) -> str:
    """The puzzle in one of `FORMS`. Raises InvalidPuzzle where the form cannot hold it.

    >>> print(write(parse("2:1/1/1/1"), "json"))
    {"rows": [[1], [1]], "columns": [[1], [1]]}
    """
    if form not in FORMS:
        raise InvalidPuzzle(f"{form!r} is no form of a nonogram", hint=f"one of {', '.join(FORMS)}")
    if form == "id" and puzzle.palette is not None:
        raise InvalidPuzzle("a game ID holds no colours", hint="write XML or JSON")
    return FORMS[form](puzzle)


def puzzle_json(puzzle: Nonogram) -> str:
    """The canonical notation."""
    return unparse(puzzle)


def _content(text: str) -> list[tuple[int, str]]:
    """Lines that say something, with their numbers from 1."""
    numbered = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in numbered if line and not line.startswith("#")]


def _sound(puzzle: Nonogram, where: str) -> Nonogram:
    found = faults(puzzle)
    if found:
        raise InvalidPuzzle(f"{where}{found[0]}", hint="compare the clues with where they come from")
    return puzzle


# Forms that can be written; the game ID of a coloured nonogram would be its XML.
FORMS: dict[str, Callable[[Nonogram], str]] = {
    "id": unparse,
    "non": to_non,
    "xml": unparse_xml,
    "json": to_json,
}


# Game IDs


def _parse_id(text: str, where: str) -> Nonogram:
    head, colon, body = text.removeprefix(PREFIX).strip().partition(":")
    size = _SIZE.fullmatch(head)
    if size is None or not colon:
        raise InvalidPuzzle(
            f"{where}{text[:40]!r} is not a Pattern game ID",
            hint="expected SIZE:CLUES with a / between lines, such as 2x2:1/1/1/1",
        )
    width = int(size[1])
    height = int(size[2] or width)
    if not (1 <= width <= MOST_SIDE and 1 <= height <= MOST_SIDE):
        raise InvalidPuzzle(
            f"{where}a nonogram of {width} by {height} cells", hint=f"a side has 1 to {MOST_SIDE}"
        )
    clues, _, given = body.partition(",")
    words = clues.split("/")
    if len(words) != width + height:
        raise InvalidPuzzle(
            f"{where}{len(words)} clues, {width} columns and {height} rows need {width + height}",
            hint="columns come first, an empty line keeps its /",
        )
    names = [f"column {number}" for number in range(1, width + 1)]
    names += [f"row {number}" for number in range(1, height + 1)]
    lines = [
        _clue(word.split(".") if word else [], where + name) for word, name in zip(words, names, strict=True)
    ]
    fixed = _parse_given(given, width, height, where)
    return _sound(Nonogram(tuple(lines[width:]), tuple(lines[:width]), fixed), where)


def _clue(words: Iterable[str], where: str) -> Clue:
    runs = []
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= 6):
            raise InvalidPuzzle(f"{where}: {word[:20]!r} is not a number")
        runs.append(int(word))
    if runs == [0]:
        return ()
    if 0 in runs:
        raise InvalidPuzzle(f"{where}: a run of 0 beside others", hint="0 alone means an empty line")
    return tuple(runs)


def _parse_given(text: str, width: int, height: int, where: str) -> Picture:
    filled: set[Square] = set()
    blank: set[Square] = set()
    cell = 0
    for sign in text:
        if not (sign.isascii() and sign.isalpha()):
            raise InvalidPuzzle(f"{where}{sign!r} among the given cells", hint="given cells are letters")
        cell += ord(sign.lower()) - ord("a")
        if sign in "zZ":
            continue
        if cell >= width * height:
            raise InvalidPuzzle(f"{where}a given cell behind the end of the board")
        (filled if sign.isupper() else blank).add(Square(*divmod(cell, width)))
        cell += 1
    return Picture(frozenset(filled), frozenset(blank))


def _unparse_given(puzzle: Nonogram) -> str:
    signs: list[str] = []
    next_cell = 0
    for at in sorted(puzzle.given.filled | puzzle.given.blank):
        cell = at.row * puzzle.width + at.col
        skips, rest = divmod(cell - next_cell, 25)
        letter = chr(ord("a") + rest)
        signs += ["z" * skips, letter.upper() if at in puzzle.given.filled else letter]
        next_cell = cell + 1
    return "".join(signs)


# .non files (Steve Simpson's format)


def _is_non(text: str) -> bool:
    words = {match[1] for match in _NON_WORD.finditer(text)}
    return {"rows", "columns"} <= words


def _parse_non(text: str) -> Nonogram:
    sizes: dict[str, int] = {}
    sections: dict[str, list[Clue]] = {"rows": [], "columns": []}
    at: dict[str, int] = {}
    section = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        word = line.split(maxsplit=1)[0] if line else ""
        if word in sections:
            section = word
        elif word in ("width", "height"):
            rest = line[len(word) :].strip()
            if not (rest.isascii() and rest.isdigit() and 1 <= int(rest[:7]) <= MOST_SIDE):
                raise InvalidPuzzle(f"line {number}: {rest[:20]!r} is not a {word}", hint=f"1 to {MOST_SIDE}")
            sizes[word] = int(rest)
        elif word and (word[0].isdigit() or word[0] in ",-") and section:
            clue = _clue(re.split(r"[\s,]+", line.strip(" ,\t")), f"line {number}")
            sections[section].append(clue)
            at[f"{section.removesuffix('s')} {len(sections[section])}"] = number
        elif not word or not word[0].isdigit():
            # A blank line or another property ends nothing: some files have blank lines between clues.
            continue
        else:
            raise InvalidPuzzle(f"line {number}: clues before `rows` or `columns`")
    for name, side in (("rows", "height"), ("columns", "width")):
        found = len(sections[name])
        if found != sizes.get(side, found):
            raise InvalidPuzzle(f"{found} clue lines under `{name}`, {side} says {sizes[side]}")
    puzzle = Nonogram(tuple(sections["rows"]), tuple(sections["columns"]))
    wrong = next(iter(faults(puzzle)), "").split(" needs ")[0]
    return _sound(puzzle, f"line {at[wrong]}: " if wrong in at else "")


# Contest batches: `$n`, then the columns and the rows of a square board, runs parted by tabs


def _parse_batch(lines: Sequence[tuple[int, str]]) -> tuple[Nonogram, ...]:
    blocks: list[tuple[int, list[Clue]]] = []
    for number, line in lines:
        if _BATCH_HEAD.match(line):
            blocks.append((number, []))
        else:
            blocks[-1][1].append(_clue(line.split(), f"line {number}"))
    puzzles = []
    for number, clues in blocks:
        if not clues or len(clues) % 2:
            raise InvalidPuzzle(f"line {number}: {len(clues)} clues follow", hint="as many rows as columns")
        side = len(clues) // 2
        puzzles.append(_sound(Nonogram(tuple(clues[side:]), tuple(clues[:side])), f"line {number}: "))
    return tuple(puzzles)
