"""Undead: ghosts, vampires and zombies stand in the cells; a number says how many are seen along a line of sight.

The line is reflected by mirrors. Vampires are seen only before the first mirror, ghosts only behind one, zombies always.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from bot.game import later
from bot.grid import GridGame, game
from bot.practice.making import thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Outside, Place
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, header, in_order, runs
from solver.lattice import Square
from vision.eyesight import WHOLE, Eyesight, Look
from vision.reading import Mark

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

NAMES = {"G": "a ghost", "V": "a vampire", "Z": "a zombie"}
COLOURS = {"G": "73e6e6", "V": "e6cfcf", "Z": "73e673"}
# The face of a monster is so large in shares of what is looked at, that of a note is smaller; less is an edge of writing.
FACE, SMALL, NOTE, SAME = 0.6, 0.52, 0.15, 9
LIGHT, FALLING, RISING = "e6e6e6", "L", "R"


def around(board: Board) -> list[Outside]:
    """The places beside the board, clockwise from the top left."""
    edges: list[Outside] = [Outside("top", col) for col in range(board.width)]
    edges += [Outside("right", row) for row in range(board.height)]
    edges += [Outside("bottom", col) for col in reversed(range(board.width))]
    return edges + [Outside("left", row) for row in reversed(range(board.height))]


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    parts = description.split(",")
    count = 2 * (width + height)
    if (
        params.strip("dent")
        or len(parts) != 4 + count
        or not all(re.fullmatch(r"\d+", p) for p in parts[:3] + parts[4:])
    ):
        raise InvalidPuzzle(f"an Undead board has three numbers of monsters, its mirrors and {count} clues")
    given = dict(board_of(width, height, runs(parts[3], "[LR]", width * height)).given)
    board = Board(height, width, given, ",".join(parts[:3]))
    given |= dict(zip(around(board), parts[4:], strict=True))
    return Board(height, width, given, board.form)


def unparse(board: Board) -> str:
    clues = ",".join(board.given.get(place, "0") for place in around(board))
    return f"{board.width}x{board.height}:{board.form},{as_runs(in_order(board))},{clues}"


def sight(board: Board, start: Outside) -> list[tuple[Square, bool]]:
    """The cells on a line of sight, and whether a mirror lies before each."""
    row, col, down, right = {
        "top": (0, start.nth, 1, 0),
        "bottom": (board.height - 1, start.nth, -1, 0),
        "left": (start.nth, 0, 0, 1),
        "right": (start.nth, board.width - 1, 0, -1),
    }[start.edge]
    found, mirrored = [], False
    while board.has(at := Square(row, col)):
        mirror = board.given.get(at)
        if mirror is None:
            found.append((at, mirrored))
        else:
            mirrored = True
            down, right = (right, down) if mirror == FALLING else (-right, -down)
        row, col = row + down, col + right
    return found


def rules(problem: Problem) -> None:
    board = problem.board
    for monster, number in zip(NAMES, board.form.split(","), strict=True):
        problem.exactly(int(number), problem.cells, monster, f"there are {number} of {NAMES[monster][2:]}s")
    for place in around(board):
        clue = int(board.given.get(place, "0"))
        seen = [
            (at, problem.bits["Z"] | problem.bits["G" if mirrored else "V"])
            for at, mirrored in sight(board, place)
        ]
        problem.literals(
            seen, clue, clue, f"from the {place.edge}, line {place.nth + 1}, {clue} monsters are seen"
        )


def make(rng: random.Random) -> Board:
    side = 4
    cells = [rng.choice((None, None, FALLING, RISING)) for _ in range(side * side)]
    board = board_of(side, side, cells)
    there = {at: rng.choice("GVZ") for at in board.squares if at not in board.given}
    totals = ",".join(str(list(there.values()).count(monster)) for monster in NAMES)
    given: dict[Place, str] = dict(board.given)
    for place in around(board):
        seen = [there[at] in ("Z", "G" if mirrored else "V") for at, mirrored in sight(board, place)]
        given[place] = str(sum(seen))
    return thinned(GAMEPLAY, Board(side, side, given, totals), rng, lambda place: given[place])


def tell(scene: Scene, grid: Grid) -> Mapping[Place, Mark]:
    """Monsters by the colour of their faces, mirrors by their form."""
    from vision.measures.parts import largest_piece, parts
    from vision.readers.grid import tell as tell_looks

    found = {Square(*at): part for at, part in scene.once(parts, grid, WHOLE).items()}
    marks: dict[Place, Mark] = dict(tell_looks(found, LOOKS))
    for at, part in found.items():
        sizes = {monster: largest_piece(part.patch, colour, SAME) for monster, colour in COLOURS.items()}
        best = max(sizes, key=lambda monster: sizes[monster])
        if sizes[best] >= FACE:
            marks[at] = Mark(best, 1.0, state="placed")
        elif sizes[best] > NOTE:
            # Notes are small monsters beside each other.
            small = sizes[best] <= SMALL
            marks[at] = Mark("" if small else None, float(small))
    return marks


def totals(scene: Scene, grid: Grid, board: Board) -> Board:
    """The numbers of monsters, which stand above the board beside a picture of each."""
    from vision.digits import ink_of, read_numbers

    inks = []
    for nth in (1, 2, 3):
        # The three pictures stand one and a half cells apart, each with its number to the right.
        icon = grid.cols / 2 - 0.07 + 1.5 * (nth - 2)
        top, bottom = round(grid.ys.at(-1.8)), round(grid.ys.at(-1.2))
        left, right = round(grid.xs.at(icon + 0.3)), round(grid.xs.at(icon + 1.12))
        if top < 0 or left < 0:
            raise InvalidPuzzle("the numbers of monsters above the board are not on the picture")
        inks.append(ink_of(scene.pixels[top:bottom, left:right]))
    numbers = read_numbers(inks)
    if any(number.value is None or number.confidence < 0.6 for number in numbers):
        raise InvalidPuzzle("the numbers of monsters above the board cannot be read")
    return Board(board.height, board.width, board.given, ",".join(str(number.value) for number in numbers))


LOOKS = (
    Look("", ground=(LIGHT, "b3b3b3")),
    Look(FALLING, "given", (LIGHT,), "backslash", ("000000",), (0.5, 1.0)),
    Look(RISING, "given", (LIGHT,), "slash", ("000000",), (0.5, 1.0)),
)
GAMEPLAY = GridGame(
    name="undead",
    title="Undead",
    key="undead",
    parse=parse,
    unparse=unparse,
    values=lambda board: tuple(NAMES),
    rules=rules,
    words=NAMES,
    eyes=Eyesight(
        looks=LOOKS,
        tell=tell,
        outside=("top", "right", "bottom", "left"),
        outside_looks=(Look("", "given", (LIGHT,), "number", ("000000", "ff0000", "808080"), (0.25, 1.0)),),
        lines=("000000",),
        evidence=("number",),
        finish=totals,
        above=2.0,
    ),
    keys=lambda value: value.lower() or "backspace",
    draw=partial(later("bot.practice.cells:monsters"), colours=COLOURS, falling=FALLING),
    make=make,
)
GAME = game(GAMEPLAY)
