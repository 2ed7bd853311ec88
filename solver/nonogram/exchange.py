"""Nonograms in the forms that other programs read: `.non`, and JSON, which is also read.

JSON is an object with `rows` and `columns`, a list of runs for every line. In a coloured nonogram a run is
`[length, character]`, and `background` and `inks` say what the characters mean. `given` holds one string per row, `#`
filled, `.` blank, `?` unknown; not with colours.

    {"rows": [[1], [2]], "columns": [[2], [1]]}
"""

from __future__ import annotations

import json

from solver.errors import InvalidPuzzle
from solver.lattice import Square
from solver.nonogram.board import (
    BLANK,
    FILLED,
    MOST_SIDE,
    UNKNOWN,
    Clue,
    Ink,
    Nonogram,
    Palette,
    Picture,
    draw,
)

_WANTED = 'expected {"rows": [[1, 2], ...], "columns": [...]}'


def to_non(puzzle: Nonogram) -> str:
    """The puzzle as a `.non` file. Raises InvalidPuzzle for what this format cannot hold: colours, given cells."""
    if puzzle.palette is not None or puzzle.given != Picture():
        raise InvalidPuzzle("a .non file holds no colours and no given cells", hint="write XML or JSON")
    parts = [f"width {puzzle.width}", f"height {puzzle.height}"]
    for word, lines in (("rows", puzzle.rows), ("columns", puzzle.cols)):
        parts += ["", word, *(",".join(map(str, clue)) or "0" for clue in lines)]
    return "\n".join(parts) + "\n"


def to_json(puzzle: Nonogram) -> str:
    """The puzzle as JSON on one line."""
    palette = puzzle.palette
    document: dict[str, object] = {}
    if palette is not None:
        document["background"] = palette.background._asdict()
        document["inks"] = [ink._asdict() for ink in palette.inks]
    for word, lines, inks in (
        ("rows", puzzle.rows, palette.rows if palette else ()),
        ("columns", puzzle.cols, palette.cols if palette else ()),
    ):
        document[word] = (
            [[list(run) for run in zip(*line, strict=True)] for line in zip(lines, inks, strict=True)]
            if palette
            else [list(clue) for clue in lines]
        )
    if puzzle.given != Picture():
        document["given"] = draw(puzzle, puzzle.given).split("\n")
    return json.dumps(document)


def looks_like_json(text: str) -> bool:
    """Whether a text could be a nonogram in JSON."""
    return text.lstrip().startswith("{") and '"rows"' in text and '"columns"' in text


def parse_json(text: str) -> Nonogram:
    """The nonogram of a JSON text. Raises InvalidPuzzle."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidPuzzle(f"the JSON cannot be read: {error}", hint=_WANTED) from error
    if not isinstance(document, dict):
        raise InvalidPuzzle("the JSON is not an object", hint=_WANTED)
    rows, row_inks = _lines(document, "rows")
    cols, col_inks = _lines(document, "columns")
    palette = None
    if "inks" in document:
        listed = document["inks"]
        if not isinstance(listed, list) or len(listed) > MOST_SIDE:
            raise InvalidPuzzle("`inks` is not a list of colours")
        palette = Palette(
            _ink(document.get("background"), "background"),
            tuple(_ink(ink, f"ink {number}") for number, ink in enumerate(listed, 1)),
            row_inks,
            col_inks,
        )
        chars = [ink.char for ink in (palette.background, *palette.inks)]
        if len(set(chars)) != len(chars):
            raise InvalidPuzzle("two colours share a character")
    elif any(row_inks) or any(col_inks):
        raise InvalidPuzzle("runs with colours, and no `inks` that say what they mean")
    given = _given(document.get("given"), len(rows), len(cols))
    if palette is not None and given != Picture():
        raise InvalidPuzzle("given cells in a coloured nonogram", hint="leave them out")
    return Nonogram(rows, cols, given, palette)


def _lines(document: dict[str, object], word: str) -> tuple[tuple[Clue, ...], tuple[str, ...]]:
    """The clues under a word, and the characters of their runs."""
    lines = document.get(word)
    if not isinstance(lines, list) or not 1 <= len(lines) <= MOST_SIDE:
        raise InvalidPuzzle(f"`{word}` is not a list of 1 to {MOST_SIDE} clues", hint=_WANTED)
    clues, inks = [], []
    for number, line in enumerate(lines, 1):
        where = f"`{word}`, clue {number}"
        if not isinstance(line, list):
            raise InvalidPuzzle(f"{where} is not a list of runs", hint=_WANTED)
        runs = [_run(run, where) for run in line if run != 0]
        if len({bool(char) for _, char in runs}) > 1:
            raise InvalidPuzzle(f"{where} has runs with and without a colour")
        clues.append(tuple(length for length, _ in runs))
        inks.append("".join(char for _, char in runs))
    return tuple(clues), tuple(inks)


def _run(run: object, where: str) -> tuple[int, str]:
    length, char = run if isinstance(run, list) and len(run) == 2 else (run, "")
    if type(length) is not int or not 1 <= length <= MOST_SIDE:
        raise InvalidPuzzle(f"{where}: {str(length)[:20]!r} is not the length of a run", hint=_WANTED)
    if not isinstance(char, str) or (isinstance(run, list) and len(char) != 1):
        raise InvalidPuzzle(f"{where}: {str(char)[:20]!r} is not a colour's character")
    return length, char


def _ink(ink: object, where: str) -> Ink:
    if not isinstance(ink, dict):
        raise InvalidPuzzle(f"the {where} is missing or not an object with char, name and rgb")
    char, name, rgb = (ink.get(word) for word in Ink._fields)
    if not (isinstance(char, str) and len(char) == 1 and char.isprintable() and char != UNKNOWN):
        raise InvalidPuzzle(f"the {where} needs a `char` of one character, not ?")
    if not (isinstance(name, str) and name.isprintable() and isinstance(rgb, str) and rgb.isalnum()):
        raise InvalidPuzzle(f"the {where} needs a `name` and an `rgb` such as FF0000")
    return Ink(char, name, rgb)


def _given(rows: object, height: int, width: int) -> Picture:
    if rows is None:
        return Picture()
    if not isinstance(rows, list) or len(rows) != height:
        raise InvalidPuzzle(f"`given` is not a list of {height} rows")
    cells: dict[str, set[Square]] = {FILLED: set(), BLANK: set(), UNKNOWN: set()}
    for row, signs in enumerate(rows):
        if not isinstance(signs, str) or len(signs) != width or not cells.keys() >= set(signs):
            raise InvalidPuzzle(
                f"`given`, row {row + 1} is not a string of {width} cells",
                hint="# filled, . blank, ? unknown",
            )
        for col, sign in enumerate(signs):
            cells[sign].add(Square(row, col))
    return Picture(frozenset(cells[FILLED]), frozenset(cells[BLANK]))
