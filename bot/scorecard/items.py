"""A board as a flat list of named items, so that what was read can be compared with what is there.

`cell 2,3` is a cell ("" when nothing is in it), `row 4` and `col 4` are a nonogram's clues, `bridge 0,0-0,3` a bridge,
`ring red` a ring's sum, `palette aer` a number in the palette. Rows and columns count from 0; those of Bridges from
the topmost and leftmost island, since a picture does not tell the empty margins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.games import Game
from vision.reading import Reading

Items = Mapping[str, str | None]


def items_of_reading(game: Game[Any, Any], reading: Reading[Any, Any]) -> Items:
    """What was read; None for an item in doubt."""
    puzzle = reading.puzzle
    found: dict[str, str | None] = dict(
        items_of(game.name, puzzle, game.solution_json(puzzle, reading.placed))
    )
    for cell in reading.doubtful:
        found[cell_item(game.name, puzzle, cell)] = None
    for name, control in reading.controls.items():
        if control.symbol:
            found[f"palette {name}"] = None if control.count is None else str(control.count)
    return found


def items_of(game: str, puzzle: Any, placed: Any) -> dict[str, str]:
    """The items of a puzzle and of what has been entered, `placed` in the JSON form of the game's solutions."""
    return _OF_GAME[game](puzzle, placed)


def bridges_items(islands: Any, joins: Any) -> dict[str, str]:
    """islands: (row, col, clue); joins: (row, col, row, col, bridges)."""
    top = min(row for row, _, _ in islands)
    left = min(col for _, col, _ in islands)
    items = {f"cell {row - top},{col - left}": str(clue) for row, col, clue in islands}
    for row_a, col_a, row_b, col_b, count in joins:
        ends = sorted([(row_a - top, col_a - left), (row_b - top, col_b - left)])
        items["bridge " + "-".join(f"{row},{col}" for row, col in ends)] = str(count)
    return items


def nonogram_items(rows: Any, cols: Any, lines: Any) -> dict[str, str]:
    """rows, cols: runs of every line; lines: one string per row, `#` filled, `.` blank, `?` neither."""
    items = {}
    for word, clues in (("row", rows), ("col", cols)):
        for nth, runs in enumerate(clues):
            items[f"{word} {nth}"] = " ".join(str(run) for run in runs if run)
    for row, line in enumerate(lines):
        for col, sign in enumerate(line):
            items[f"cell {row},{col}"] = "" if sign == "?" else sign
    return items


def _of_bridges(puzzle: Any, placed: Any) -> dict[str, str]:
    return bridges_items([(*island.at, island.clue) for island in puzzle.islands], placed)


def _of_nonogram(puzzle: Any, placed: Any) -> dict[str, str]:
    return nonogram_items(puzzle.rows, puzzle.cols, placed)


def _of_thaumcraft(puzzle: Any, placed: Any) -> dict[str, str]:
    items = {f"cell {cell.q},{cell.r}": puzzle.given.get(cell, "") for cell in puzzle.cells}
    return items | {f"cell {place}": aspect for place, aspect in placed.items()}


def _of_algemy(puzzle: Any, placed: Any) -> dict[str, str]:
    items = {}
    for row, line in enumerate(placed):
        for col, sign in enumerate(line.split() if " " in line else line):
            crystal = puzzle.rows[row][col]
            free = "" if sign in ".-" else sign
            items[f"cell {row},{col}"] = free if sign != "*" else crystal
    return items


def _of_rings(puzzle: Any, placed: Any) -> dict[str, str]:
    items = {f"ring {ring.name}": str(ring.target) for ring in puzzle.rings}
    for place in puzzle.places:
        value = place.value if place.value is not None else placed.get(str(place.region), "")
        items[f"cell {place.region}"] = str(value)
    return items


_OF_GAME = {
    "bridges": _of_bridges,
    "nonogram": _of_nonogram,
    "thaumcraft": _of_thaumcraft,
    "algemy": _of_algemy,
    "rings": _of_rings,
}


def cell_item(game: str, puzzle: Any, cell: Any) -> str:
    """The item of a cell of a reading."""
    return f"cell {_cell(game, puzzle, cell)}"


def _cell(game: str, puzzle: Any, cell: Any) -> str:
    match game:
        case "rings":
            return str(cell)
        case "algemy":
            row, col = puzzle.place(cell)
            return f"{row},{col}"
        case "bridges":
            top = min(island.at.row for island in puzzle.islands)
            left = min(island.at.col for island in puzzle.islands)
            return f"{cell.row - top},{cell.col - left}"
        case _:
            return f"{cell[0]},{cell[1]}"
