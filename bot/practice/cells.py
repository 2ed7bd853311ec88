"""Cells of practice boards that a look alone does not tell: monsters, little pictures, cages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product

import cv2

from bot.practice.lettering import write
from solver.grid.board import Between, Board, Entries
from solver.lattice import Square
from vision.frame import Pixels, Point

# Of a board: the margin around its lines, and from line to line, px.
Ruling = tuple[int, int]
BLACK, GREY = (0, 0, 0), (153, 153, 153)


def _bgr(rgb: str) -> tuple[int, int, int]:
    return int(rgb[4:], 16), int(rgb[2:4], 16), int(rgb[:2], 16)


def rule(pixels: Pixels, board: Board, ruling: Ruling, colour: tuple[int, int, int]) -> None:
    """The lines between all cells."""
    margin, pitch = ruling
    right, bottom = margin + pitch * board.width, margin + pitch * board.height
    for row in range(board.height + 1):
        cv2.line(pixels, (margin, margin + pitch * row), (right, margin + pitch * row), colour, 1)
    for col in range(board.width + 1):
        cv2.line(pixels, (margin + pitch * col, margin), (margin + pitch * col, bottom), colour, 1)


def monsters(
    pixels: Pixels,
    board: Board,
    entries: Entries,
    ruling: Ruling,
    *,
    colours: Mapping[str, str],
    falling: str,
) -> None:
    """Mirrors, faces in the colours of the monsters, and how many of each there are."""
    margin, pitch = ruling
    for at in board.squares:
        left, top, inset = margin + pitch * at.col, margin + pitch * at.row, pitch // 5
        first, last = (left + inset, top + inset), (left + pitch - inset, top + pitch - inset)
        mirror = board.given.get(at)
        if mirror is not None:
            turned = ((first[0], last[1]), (last[0], first[1]))
            cv2.line(
                pixels,
                *((first, last) if mirror == falling else turned),
                BLACK,
                max(2, pitch // 14),
                cv2.LINE_AA,
            )
        elif at in entries:
            cv2.rectangle(pixels, first, last, _bgr(colours[entries[at]]), -1)
    rule(pixels, board, ruling, BLACK)
    for nth, number in enumerate(board.form.split(","), 1):
        x = margin + pitch * (board.width / 2 + 0.55 + 1.5 * (nth - 2))
        write(pixels, number, Point(x + 0.1 * pitch, margin - 1.5 * pitch), 0.36 * pitch, BLACK)


def switches(
    pixels: Pixels,
    board: Board,
    entries: Entries,
    ruling: Ruling,
    *,
    turns: Callable[[Board], Sequence[int]],
    after: Callable[[Board, Entries], Collection[Square]],
    small: float,
) -> None:
    """Dark and light cells, each with a little picture of what a click on it turns."""
    margin, pitch = ruling
    dark = set(after(board, entries))
    for at, turned in zip(board.squares, turns(board), strict=True):
        left, top = margin + pitch * at.col, margin + pitch * at.row
        ground = (76, 76, 76) if at in dark else (255, 255, 255)
        pixels[top : top + pitch, left : left + pitch] = ground
        for other in (cell for nth, cell in enumerate(board.squares) if turned >> nth & 1):
            x = left + pitch / 2 + (other.col - at.col) * small * pitch
            y = top + pitch / 2 + (other.row - at.row) * small * pitch
            half = small * pitch / 2
            box = (round(x - half), round(y - half)), (round(x + half), round(y + half))
            cv2.rectangle(pixels, *box, GREY, -1 if other == at else 1)
    rule(pixels, board, ruling, GREY)


def cages(
    pixels: Pixels,
    board: Board,
    entries: Entries,
    ruling: Ruling,
    *,
    of: Callable[[Board], Sequence[Sequence[Square]]],
    ink: str,
) -> None:
    """Entered digits, thick lines round the cages, and the clue of each in its first cell."""
    margin, pitch = ruling
    for at, value in entries.items():
        centre = Point(margin + pitch * (at.col + 0.52), margin + pitch * (at.row + 0.64))
        write(pixels, value, centre, 0.38 * pitch, _bgr(ink))
    rule(pixels, board, ruling, BLACK)
    cage = {at: nth for nth, cells in enumerate(of(board)) for at in cells}
    for at, (down, right) in product(board.squares, ((1, 0), (0, 1))):
        if cage[at] != cage.get(Square(at.row + down, at.col + right)):
            x, y = margin + pitch * (at.col + right), margin + pitch * (at.row + down)
            end = (x + pitch, y) if down else (x, y + pitch)
            cv2.line(pixels, (x, y), end, BLACK, 3)
    for place, clue in board.given.items():
        if isinstance(place, Square):
            high = 0.21 * pitch
            across, y_mid = margin + pitch * (place.col + 0.15), margin + pitch * (place.row + 0.18)
            for sign in clue[1:]:
                write(pixels, sign, Point(across + 0.06 * pitch, y_mid), high, BLACK)
                across += 0.21 * pitch
            _sign(pixels, clue[0], round(across + 0.1 * pitch), round(y_mid), max(3, round(0.08 * pitch)))


def _sign(pixels: Pixels, sign: str, x: int, y: int, half: int) -> None:
    """Plus, times, minus or divided by."""
    if sign != "m":
        cv2.line(pixels, (x - half, y), (x + half, y), BLACK, 1)
    if sign == "a":
        cv2.line(pixels, (x, y - half), (x, y + half), BLACK, 1)
    elif sign == "m":
        cv2.line(pixels, (x - half, y - half), (x + half, y + half), BLACK, 1)
        cv2.line(pixels, (x - half, y + half), (x + half, y - half), BLACK, 1)
    elif sign == "d":
        for side in (-half, half):
            pixels[y + side, x] = BLACK


def boxed(
    pixels: Pixels, board: Board, entries: Entries, ruling: Ruling, *, cell: float, ink: str, more: str
) -> None:
    """Framed cells that stand apart, their digits, and between them corners that point to the smaller one."""
    margin, pitch = ruling
    half = round(pitch * cell / 2)
    for at in board.squares:
        x, y = round(margin + pitch * (at.col + 0.5)), round(margin + pitch * (at.row + 0.5))
        cv2.rectangle(pixels, (x - half, y - half), (x + half, y + half), (128, 128, 128), 1)
        value = board.given.get(at) or entries.get(at)
        if value:
            colour = BLACK if at in board.given else _bgr(ink)
            write(pixels, value, Point(x + 0.5, y + 0.5), 0.34 * pitch, colour)
    for place, sign in board.given.items():
        if isinstance(place, Between):
            a, b = place
            x, y = (
                round(margin + pitch * (a.col + b.col + 1) / 2),
                round(margin + pitch * (a.row + b.row + 1) / 2),
            )
            size, way = round(0.09 * pitch), 1 if sign == more else -1
            for side in (-size, size):
                ends = ((x - way * size // 2, y + side), (x + way * size // 2, y))
                if a.row != b.row:
                    ends = ((x + side, y - way * size // 2), (x, y + way * size // 2))
                cv2.line(pixels, *ends, BLACK, 1, cv2.LINE_AA)


def pipes(
    pixels: Pixels,
    board: Board,
    entries: Entries,
    ruling: Ruling,
    *,
    tiles: str,
    ways: Sequence[tuple[int, int]],
) -> None:
    """Wires from the middles of cells to their sides, boxes where one ends, and a wall round the board."""
    margin, pitch = ruling
    rule(pixels, board, ruling, (115, 115, 115))
    for at, tile in entries.items():
        x, y = margin + pitch * at.col + pitch // 2, margin + pitch * at.row + pitch // 2
        bits = tiles.index(tile)
        for nth, (down, right) in enumerate(ways):
            if bits >> nth & 1:
                end_x, end_y, thin = x + right * pitch // 2, y + down * pitch // 2, max(1, pitch // 24)
                first = min(x, end_x) - thin * bool(down), min(y, end_y) - thin * bool(right)
                last = max(x, end_x) + thin * bool(down), max(y, end_y) + thin * bool(right)
                cv2.rectangle(pixels, first, last, BLACK, -1)
        if bits.bit_count() == 1:
            half = round(0.27 * pitch)
            box = (x - half, y - half), (x + half, y + half)
            cv2.rectangle(pixels, *box, (255, 0, 0), -1)
            cv2.rectangle(pixels, *box, BLACK, 1)
    right, bottom = margin + pitch * board.width, margin + pitch * board.height
    for wide, colour in ((1, BLACK), (0, (0, 0, 255)), (-1, BLACK)):
        cv2.rectangle(pixels, (margin - wide, margin - wide), (right + wide, bottom + wide), colour, 1)
