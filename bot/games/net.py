"""Net: turn the tiles until all wires make one net without a loop, and no wire ends at a border.

Where the board has no frame, wires go on at the opposite side. No wire crosses a wall.
"""

from __future__ import annotations

import random
import re
from functools import partial

from bot.game import later
from bot.grid import GridGame, game
from bot.practice.making import only_one
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Entries, Place, named
from solver.grid.search import Problem
from solver.grid.text import header
from solver.grid.wires import (
    DOWN,
    RIGHT,
    TILES,
    WALL,
    WAYS,
    WRAPPING,
    border,
    clicks,
    open_borders,
    shaped,
    tile_words,
    ways_of,
)
from solver.lattice import Square
from vision.eyesight import Eyesight, Look

# What a letter behind a tile of the ID says: a wall on its right, or below it.
WALLS = {"v": RIGHT, "h": DOWN}
LINE = "737373"


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    if not re.fullmatch(r"(w?)(b[\d.]+)?a?", params) or not re.fullmatch("([1-9a-f][vh]*)*", description):
        raise InvalidPuzzle(
            "a Net board has a digit 1 to f for each tile, and v or h behind it for its walls"
        )
    cells = re.findall("[1-9a-f][vh]*", description)
    board = Board(height, width)
    if len(cells) != len(board.squares):
        raise InvalidPuzzle(f"{len(cells)} tiles are told, the board has {len(board.squares)} cells")
    told = list(zip(board.squares, cells, strict=True))
    walls: dict[Place, str] = {border(board, at, WALLS[s]): WALL for at, cell in told for s in cell[1:]}
    tiles = {at: TILES[int(cell[0], 16)] for at, cell in told}
    return shaped(height, width, tiles, walls, WRAPPING if WRAPPING in params else "")


def unparse(board: Board) -> str:
    cells = []
    for at in board.squares:
        walls = [sign for sign, way in WALLS.items() if border(board, at, way) in board.given]
        cells.append(board.given.get(at, "0") + "".join(walls))
    return f"{board.width}x{board.height}{board.form}:{''.join(cells)}"


def rules(problem: Problem) -> None:
    board = problem.board
    number = {at: nth for nth, at in enumerate(board.squares)}
    joins: dict[Square, dict[str, list[tuple[int, int]]]] = {
        at: {tile: [] for tile in TILES[1:]} for at in number
    }
    for at in board.squares:
        problem.only(at, ways_of(board, at))
    for at, other, way, is_open in open_borders(board):
        # The tiles with a wire across the border, from either side.
        out, back = ({t for bits, t in enumerate(TILES) if bits >> w & 1} for w in (way, (way + 2) % 4))
        if not is_open:
            problem.only(at, set(TILES) - out)
            problem.only(other, set(TILES) - back)
            continue
        sides = f"wires meet between {named(at)} and {named(other)}"
        problem.both((at, out), (other, back), sides)
        for tile in out:
            joins[at][tile].append((number[at], number[other]))
    problem.forest(joins, len(number), "all wires make one net without a loop", spanning=True)


def make(rng: random.Random) -> Board:
    side = 5
    empty = Board(side, side)
    bits = {rng.choice(empty.squares): 0}
    while len(bits) < side * side:
        at, way = rng.choice(list(bits)), rng.randrange(4)
        other = Square(at.row + WAYS[way][0], at.col + WAYS[way][1])
        if empty.has(other) and other not in bits and bits[at].bit_count() < 3:
            bits |= {at: bits[at] | 1 << way, other: 1 << (way + 2) % 4}
    board = shaped(side, side, {at: TILES[bits[at]] for at in empty.squares}, {}, "")
    return board if only_one(GAMEPLAY, board) else make(rng)


def begin(board: Board) -> Entries:
    """Tiles as they lie at first, turned by their places."""
    ways = {at: ways_of(board, at) for at in board.squares}
    return {at: ways[at][(7 * at.row + 3 * at.col + at.row * at.col) % len(ways[at])] for at in board.squares}


GAMEPLAY = GridGame(
    name="net",
    title="Net",
    key="net",
    parse=parse,
    unparse=unparse,
    values=lambda board: TILES[1:],
    cells=lambda board: board.squares,
    rules=rules,
    words={tile: tile_words(tile) for tile in TILES[1:]},
    eyes=Eyesight(
        looks=(Look("", ground=("e6e6e6",)),),
        tell=later("vision.measures.wires:tell_tiles"),
        finish=later("vision.measures.wires:with_walls"),
        lines=(LINE,),
        lattices=partial(later("vision.measures.wires:wired_grids"), line=LINE, ends=("0000ff", "00ffff")),
    ),
    clicks=clicks(),
    turns=True,
    begin=begin,
    draw=partial(later("bot.practice.cells:pipes"), tiles=TILES, ways=WAYS),
    make=make,
)
GAME = game(GAMEPLAY)
