"""Tiles with wires to some of their four sides, which can be turned, and the borders between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from solver.errors import InvalidPuzzle
from solver.grid.board import Between, Board, Place
from solver.lattice import Square

# Right, up, left and down as steps of (row, col); bit n of a tile is the nth of them.
WAYS = ((0, 1), (-1, 0), (0, -1), (1, 0))
# A tile by the bits of its wires: right 1, up 2, left 4, down 8.
TILES = " ╶╵└╴─┘┴╷┌│├┐┬┤┼"
NAMES = ("right", "up", "left", "down")
RIGHT, DOWN = 0, 3
# The form of a board whose wires go on at the opposite side; the sign of a wall.
WRAPPING, WALL = "w", "|"


def tile_words(tile: str) -> str:
    """What a tile is called.

    >>> tile_words("┌")
    'a tile that opens right and down'
    """
    bits = TILES.index(tile)
    return "a tile that opens " + " and ".join(name for way, name in enumerate(NAMES) if bits >> way & 1)


def clicks() -> dict[tuple[str, Literal["left", "right", "middle"]], str]:
    """What a click makes of a tile, where the left button turns it anticlockwise and the right one clockwise."""
    found: dict[tuple[str, Literal["left", "right", "middle"]], str] = {}
    for bits, tile in enumerate(TILES):
        after = TILES[turned(bits)]
        found |= {(tile, "left"): after, (after, "right"): tile}
    return found


def turned(bits: int) -> int:
    """A tile a quarter turn anticlockwise."""
    return bits << 1 & 15 | bits >> 3


def turns(bits: int) -> str:
    """A tile in every direction, of which the first one stands for all.

    >>> turns(8), turns(5)
    ('╶╵╴╷', '─│')
    """
    ways = {bits, turned(bits), turned(turned(bits)), turned(turned(turned(bits)))}
    return "".join(TILES[way] for way in sorted(ways))


def shaped(
    height: int, width: int, tiles: Mapping[Square, str], walls: Mapping[Place, str], form: str
) -> Board:
    """The board of these tiles, whichever way they are turned. Raises InvalidPuzzle."""
    if min(height, width) < 3 or " " in tiles.values():
        raise InvalidPuzzle("a board of wires has three rows and columns or more, and a wire in every cell")
    given: dict[Place, str] = {
        at: f"{TILES.index(turns(TILES.index(tile))[0]):x}" for at, tile in tiles.items()
    }
    return Board(height, width, given | dict(walls), form)


def ways_of(board: Board, at: Square) -> str:
    """How the tile of a cell may lie; one that was not read may be any."""
    return turns(int(board.given[at], 16)) if at in board.given else TILES[1:]


def beyond(board: Board, at: Square, way: int) -> tuple[Square, bool]:
    """The cell on a side of another, and whether it lies at the opposite edge of the board."""
    down, right = WAYS[way]
    other = Square((at.row + down) % board.height, (at.col + right) % board.width)
    return other, other != (at.row + down, at.col + right)


def border(board: Board, at: Square, way: int) -> Between:
    """The border on a side of a cell."""
    other, _ = beyond(board, at, way)
    return Between(min(at, other), max(at, other))


def open_borders(board: Board) -> Iterator[tuple[Square, Square, int, bool]]:
    """Every border once: a cell, the one to its right or below, the side, and whether wires may cross it."""
    for at in board.squares:
        for way in (RIGHT, DOWN):
            other, far = beyond(board, at, way)
            closed = (far and board.form != WRAPPING) or border(board, at, way) in board.given
            yield at, other, way, not closed
