"""A board as a flat list of named items, so that what was read can be compared with what is there.

`cell 2,3` is a cell ("" when nothing is in it), `row 4` and `col 4` are a nonogram's clues, `bridge 0,0-0,3` a bridge,
`ring red` a ring's sum, `palette aer` a number in the palette. Rows and columns count from 0; those of Bridges from
the topmost and leftmost island, since a picture does not tell the empty margins. Which items there are is said by the
record of each game.
"""

from __future__ import annotations

from typing import Any

from bot.game import Game, Items
from vision.reading import Reading


def items_of_reading(game: Game[Any, Any], reading: Reading[Any, Any]) -> Items:
    """What was read; None for an item in doubt."""
    puzzle = reading.puzzle
    found: dict[str, str | None] = dict(game.items.of(puzzle, game.solution_json(puzzle, reading.placed)))
    for cell in reading.doubtful:
        found[game.items.cell(puzzle, cell)] = None
    for name, control in reading.controls.items():
        if control.symbol:
            found[f"palette {name}"] = None if control.count is None else str(control.count)
    return found
