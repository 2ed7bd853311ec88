"""Towers (Skyscrapers): each height once in every row and column; a number beside the board says how many towers are seen.

A tower hides all lower ones behind it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import accumulate, permutations
from typing import TYPE_CHECKING

from bot import digits
from bot.game import later
from bot.grid import GridGame, game
from bot.practice.making import filled, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Edge, Outside, Place
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, header, numbers, runs
from solver.lattice import Square
from vision.eyesight import Eyesight, Look, Region
from vision.reading import Mark

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

# In the order of the ID.
EDGES: tuple[Edge, ...] = ("top", "bottom", "left", "right")
# A block of height h stands so much to the right and up of its cell, in cells times h / n.
SHIFT = (1 / 8, -1 / 4)
# Of free and of selected cells.
GROUNDS = ("e6e6e6", "b3b3b3")


def parse(text: str) -> Board:
    side, height, params, description = header(text)
    clues, _, cells = description.partition(",")
    if side != height or not 3 <= side <= 9 or params.strip("dehxu"):
        raise InvalidPuzzle(
            f"{text[:30]!r}: a Towers board has one side from 3 to 9, perhaps with 'd' and a letter"
        )
    found = (
        dict(board_of(side, side, runs(cells, "[1-9]", side * side)).given) if cells else dict[Place, str]()
    )
    for nth, clue in enumerate(numbers(clues, 4 * side, "/")):
        if clue:
            found[Outside(EDGES[nth // side], nth % side)] = clue
    return Board(side, side, found)


def unparse(board: Board) -> str:
    clues = [board.given.get(Outside(edge, nth), "") for edge in EDGES for nth in range(board.width)]
    cells = [board.given.get(at) for at in board.squares]
    return f"{board.width}:{'/'.join(clues)}{',' + as_runs(cells, apart='_') if any(cells) else ''}"


def seen(heights: tuple[str, ...]) -> int:
    """How many towers are seen from in front of the first one."""
    return len(set(accumulate(heights, max)))


def rules(problem: Problem) -> None:
    board = problem.board
    for edge in EDGES:
        # Asked before all heights of a line are gone through: what looks like a board may be another game's.
        clues = [board.given.get(Outside(edge, nth)) for nth in range(board.width)]
        wrong = [clue for clue in clues if clue is not None and not 1 <= int(clue) <= board.width]
        if wrong:
            raise InvalidPuzzle(f"{wrong[0]} towers at the {edge}: 1 to {board.width} can be seen")
        if clues.count("1") > 1:
            raise InvalidPuzzle(
                f"two lines show 1 from the {edge}: the highest tower cannot be first in both"
            )
    for place, value in board.given.items():
        if isinstance(place, Square):
            problem.only(place, value)
    digits.latin(problem)
    rows = [(row, seen(row), seen(row[::-1])) for row in permutations(digits.values(board))]
    for nth in range(board.width):
        for line, first, last in ((board.col(nth), "top", "bottom"), (board.row(nth), "left", "right")):
            near = board.given.get(Outside(first, nth))  # type: ignore[arg-type]
            far = board.given.get(Outside(last, nth))  # type: ignore[arg-type]
            if near or far:
                fits = [
                    row for row, one, other in rows if near in (None, str(one)) and far in (None, str(other))
                ]
                name = f"{'column' if first == 'top' else 'row'} {nth + 1}"
                told = " and ".join(
                    f"{clue} from the {edge}" for clue, edge in ((near, first), (far, last)) if clue
                )
                problem.table(line, fits, f"{name} shows {told}")


def make(rng: random.Random) -> Board:
    full = filled(GAMEPLAY, Board(4, 4), rng)
    given: dict[Place, str] = {}
    for nth in range(4):
        for line, first, last in ((full.col(nth), "top", "bottom"), (full.row(nth), "left", "right")):
            heights = tuple(full.given[at] for at in line)
            given[Outside(first, nth)] = str(seen(heights))  # type: ignore[arg-type]
            given[Outside(last, nth)] = str(seen(heights[::-1]))  # type: ignore[arg-type]
    return thinned(GAMEPLAY, Board(4, 4, given), rng)


def tell(scene: Scene, grid: Grid) -> Mapping[Place, Mark]:
    """Digits, which stand on blocks of their height: given ones are black, entered ones have a colour."""
    from vision.measures.blocks import covered_blocks, digits_on_blocks

    # Half the way of the highest block is in the middle of all.
    middle = SHIFT[0] / 2, SHIFT[1] / 2
    on_blocks = scene.once(digits_on_blocks, grid, middle, digits.INKS)
    found: dict[Place, Mark] = {
        Square(row, col): Mark("", 1.0) for row in range(grid.rows) for col in range(grid.cols)
    }
    for at, (number, state) in on_blocks.items():
        known = number.value is not None and 1 <= number.value <= grid.cols and number.confidence >= 0.6
        value, other = str(number.value) if known else None, str(number.runner_up or "")
        found[Square(*at)] = Mark(value, number.confidence, other, state)
    for at in scene.once(covered_blocks, grid, middle, GROUNDS):
        found[Square(*at)] = Mark(None, 0.0, found[Square(*at)].symbol or "")
    return found


GAMEPLAY = GridGame(
    name="towers",
    title="Towers",
    key="towers",
    parse=parse,
    unparse=unparse,
    **digits.ENTERED,
    rules=rules,
    eyes=Eyesight(
        looks=digits.looks(GROUNDS)[:2] + digits.looks(GROUNDS)[3:],
        tell=tell,
        outside=EDGES,
        outside_looks=(
            Look("", ground=("e6e6e6",), framed=False),
            Look("", "given", ("e6e6e6",), "number", ("000000", "ff0000", "999999"), (0.25, 1.0)),
        ),
        outside_region=Region(0.2, 0.15, 0.85, 0.72),
        lines=("000000",),
        lattices=later("vision.measures.blocks:block_grids"),
        evidence=("number",),
        finish=digits.square,
    ),
    make=make,
)
GAME = game(GAMEPLAY)
