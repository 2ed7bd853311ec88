"""The text form of boards and solutions.

A board is header lines `key: value`, an empty line, and one line per row with the cells separated by blanks:
a colour letter is a crystal, `-` an empty cell. A line `---` separates boards, `#` starts a comment line. In
a solution a letter is a source, `*` a crystal and `.` an empty cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.algemy.board import BITS, EMPTY, FULL, Algemy, Shape, Solution
from solver.errors import InvalidPuzzle

HEADER = re.compile(r"\s*([A-Za-z][\w-]*)\s*:\s*(.*?)\s*")
MAX_CHARS = 4_000_000
TOKENS = frozenset(BITS) | {EMPTY}


def looks_like(text: str) -> bool:
    """Whether a text is this game's: it names the shape, or is bare rows of cells.

    >>> looks_like("- R -\\nV - -\\n- - Y")
    True
    >>> looks_like("10x10:3.1/2")
    False
    """
    lines = [line for line in text[:MAX_CHARS].splitlines() if line.strip() and not line.startswith("#")]
    for line in lines:
        header = HEADER.fullmatch(line)
        if header and header[1].lower() == "shape":
            return header[2].lower() in ("square", "hex")
    tokens = [line.split() for line in lines]
    bare = bool(tokens) and all(set(row) <= TOKENS for row in tokens)
    return bare and any(len(row) > 1 and EMPTY in row for row in tokens)


def parse(text: str) -> Algemy:
    """The one board of a text. Raises InvalidPuzzle."""
    boards = parse_file(text)
    if len(boards) != 1:
        raise InvalidPuzzle(f"{len(boards)} boards where one was expected", hint="give one board at a time")
    return boards[0]


def parse_file(text: str) -> tuple[Algemy, ...]:
    """Every board of a text, in order. Raises InvalidPuzzle."""
    if len(text) > MAX_CHARS:
        raise InvalidPuzzle(f"the text has {len(text)} characters; at most {MAX_CHARS} are read")
    blocks: list[list[str]] = [[]]
    for line in text.removeprefix("\ufeff").splitlines():
        if line.strip() == "---":
            blocks.append([])
        elif line.strip() and not line.lstrip().startswith("#"):
            blocks[-1].append(line)
    boards = tuple(_board(block) for block in blocks if block)
    if not boards:
        raise InvalidPuzzle("the text has no board in it", hint="rows of cells, like '- R -'")
    return boards


def _board(lines: Sequence[str]) -> Algemy:
    headers: dict[str, str] = {}
    rows: list[str] = []
    for line in lines:
        header = HEADER.fullmatch(line)
        if header and not rows:
            headers[header[1].lower()] = header[2]
            continue
        cells = line.split()
        wrong = [cell for cell in cells if cell not in TOKENS]
        if wrong:
            raise InvalidPuzzle(
                f"{wrong[0][:20]!r} in row {len(rows) + 1} is no cell",
                hint=f"a cell is {EMPTY} or one of {' '.join(BITS)}, with blanks between",
            )
        rows.append("".join(cells))
    board = Algemy(_shape(headers, rows), tuple(rows), headers.get("palette", "").upper())
    _check_size(headers.get("size"), board)
    return board


def _shape(headers: dict[str, str], rows: Sequence[str]) -> Shape:
    told = headers.get("shape", "square" if len(set(map(len, rows))) <= 1 else "hex").lower()
    if told == "square":
        return "square"
    if told == "hex":
        return "hex"
    raise InvalidPuzzle(f"shape {told[:20]!r} is unknown", hint="square or hex")


def _check_size(told: str | None, board: Algemy) -> None:
    """A size in the header must be the board's; a cut-off hexagon has no size that could be compared."""
    if told is None:
        return
    lengths = board.lengths
    whole = board.shape == "square" or (lengths[0] == lengths[-1] and len(lengths) == 2 * lengths[0] - 1)
    size = len(lengths) if board.shape == "square" else lengths[0]
    if not told.isdecimal() or len(told) > 4 or (whole and int(told) != size):
        raise InvalidPuzzle(
            f"size {told[:20]!r} does not fit a board of {len(lengths)} rows",
            hint="the size is the number of rows of a square board, the side of a hexagonal one",
        )


def unparse(puzzle: Algemy) -> str:
    """The canonical text of a board; `parse(unparse(puzzle)) == puzzle`."""
    size = len(puzzle.rows) if puzzle.shape == "square" else puzzle.lengths[0]
    headers = [f"shape: {puzzle.shape}", f"size: {size}"]
    if puzzle.palette:
        headers.append(f"palette: {puzzle.palette}")
    return "\n".join((*headers, "", *_shifted(puzzle, puzzle.rows))) + "\n"


def draw(puzzle: Algemy, solution: Solution) -> str:
    """The solution in its text form: sources as letters, `*` crystals, `.` empty cells."""
    return "\n".join(_shifted(puzzle, _solution_rows(puzzle, solution)))


def puzzle_json(puzzle: Algemy) -> str:
    """The canonical text."""
    return unparse(puzzle)


def solution_json(puzzle: Algemy, solution: Solution) -> list[str]:
    """One string per row, cells separated by blanks."""
    return [" ".join(row) for row in _solution_rows(puzzle, solution)]


def parse_solution(puzzle: Algemy, text: str) -> Solution:
    """The sources of a drawing of this board, whole or partial. Raises InvalidPuzzle."""
    rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    if tuple(map(len, rows)) != puzzle.lengths:
        raise InvalidPuzzle("the solution has other rows than the board")
    sources = {}
    for row, line in enumerate(rows):
        for col, letter in enumerate(line):
            if (letter == "*") != (puzzle.rows[row][col] != EMPTY) or letter not in FULL + "*.":
                raise InvalidPuzzle(f"{letter!r} at row {row + 1}, column {col + 1} does not fit the board")
            if letter in FULL:
                sources[puzzle.cell(row, col)] = letter
    return sources


def _solution_rows(puzzle: Algemy, solution: Solution) -> list[str]:
    return [
        "".join(
            "*" if letter != EMPTY else solution.get(puzzle.cell(row, col), ".")
            for col, letter in enumerate(text)
        )
        for row, text in enumerate(puzzle.rows)
    ]


def _shifted(puzzle: Algemy, rows: Sequence[str]) -> list[str]:
    """Cells with blanks between; hexagonal rows moved to where they are."""
    widest = max(map(len, rows)) if puzzle.shape == "hex" else 0
    return [" " * max(0, widest - len(row)) + " ".join(row) for row in rows]
