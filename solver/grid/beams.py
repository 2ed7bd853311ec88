"""Lines of sight that begin beside a board and are reflected by mirrors in its cells."""

from __future__ import annotations

from solver.grid.board import Board, Outside
from solver.lattice import Square


def around(board: Board) -> list[Outside]:
    """The places beside the board, clockwise from the top left."""
    edges: list[Outside] = [Outside("top", col) for col in range(board.width)]
    edges += [Outside("right", row) for row in range(board.height)]
    edges += [Outside("bottom", col) for col in reversed(range(board.width))]
    return edges + [Outside("left", row) for row in reversed(range(board.height))]


def sight(board: Board, start: Outside, falling: str) -> list[tuple[Square, bool]]:
    """The cells without mirror on a line of sight, and whether a mirror lies before each. falling: the mirror `\\`."""
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
            down, right = (right, down) if mirror == falling else (-right, -down)
        row, col = row + down, col + right
    return found
