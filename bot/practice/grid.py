"""Practice boards of declared games: drawn and played by their declaration, in several skins.

A board drawn from the declaration that also reads it proves nothing of the reader; the captures of real programs in
`tests/screens` do. It shows that reading, playing and repairing go together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from bot.actions import Action, Key, Tap
from bot.grid import GridGame
from bot.practice.lettering import write
from solver.grid.board import Board, Corner, Outside, Place
from solver.lattice import Square
from vision.eyesight import WHOLE, Look
from vision.frame import Pixels, Point
from vision.measures.likeness import CROWN, PIECE
from vision.profile import Profile

Bgr = tuple[int, int, int]
# Of the paper, where no look tells its colour.
PLAIN = "ffffff"


@dataclass(frozen=True)
class Skin:
    """pitch_px: of the cells; line: colour of the lines, BGR, and their width; margin_px: round the board.

    parted_px: width of the lines between cells on different grounds; 0 where those are as all others.
    """

    pitch_px: int
    line: Bgr
    line_px: int
    margin_px: int
    parted_px: int = 0


SKINS: Mapping[str, Skin] = {
    "paper": Skin(40, (60, 60, 60), 1, 84, 4),
    "large": Skin(57, (120, 110, 100), 2, 116),
}


class GridBoard:
    """An imitation of one declared game."""

    def __init__(self, one: GridGame, board: Board, skin: str) -> None:
        self._game, self._board, self._skin = one, board, SKINS[skin]
        self.profile = Profile(one.name, skin)
        self.entries: dict[Square, str] = dict(one.begin(board))
        self._selected: Square | None = None
        self._thick = one.thick(board) if one.thick else None
        self._free = set(one.problem(board).cells)

    @property
    def puzzle(self) -> Board:
        return self._board

    def solved(self) -> bool:
        blank = self._game.blank
        known = {at: value for at, value in self.entries.items() if value != blank}
        return not self._game.broken(self._board, known)

    def act(self, action: Action, now_s: float) -> None:
        match action:
            case Tap(at=at, button=button):
                cell = Square(
                    int((at.y - self._skin.margin_px) // self._skin.pitch_px),
                    int((at.x - self._skin.margin_px) // self._skin.pitch_px),
                )
                if cell not in self._free:
                    self._selected = None
                elif self._game.keys is not None:
                    self._selected = cell
                else:
                    self._enter(cell, self._game.clicks.get((self.entries.get(cell, ""), button)))
            case Key(name=name) if self._selected is not None and self._game.keys is not None:
                values = {self._game.keys(value): value for value in self._game.values(self._board)}
                self._enter(self._selected, values.get(name, "" if name == "backspace" else None))
                self._selected = None

    def _enter(self, cell: Square, value: str | None) -> None:
        if value is None:
            return
        for at, entry in {cell: value, **self._game.together(self._board, cell, value)}.items():
            if entry:
                self.entries[at] = entry
            else:
                self.entries.pop(at, None)

    def render(self, now_s: float) -> Pixels:
        skin, board = self._skin, self._board
        pitch, margin = skin.pitch_px, skin.margin_px
        looks, eyes = self._game.eyes.looks, self._game.eyes
        told = (look.ground[0] for look in (*eyes.outside_looks, *looks) if look.ground)
        ground = _bgr(next(told, PLAIN))
        size = board.height * pitch + 2 * margin, board.width * pitch + 2 * margin, 3
        pixels = np.full(size, ground, np.uint8)
        if self._game.draw is not None:
            self._game.draw(pixels, board, self.entries, (margin, pitch))
        else:
            for at in board.squares:
                box = (margin + pitch * at.col, margin + pitch * at.row, pitch)
                symbol, state = board.given.get(at, ""), "given"
                if at in self.entries or not symbol:
                    symbol, state = self.entries.get(at, ""), "placed" if at in self.entries else "free"
                look = _look_of(looks, symbol, state)
                for clued in looks:
                    # What is printed in a cell shows beside what is entered there.
                    if state == "placed" and clued.clue and clued.symbol == symbol and at in board.given:
                        look, symbol = clued, board.given[at]
                        break
                if self._game.ground is not None:
                    look = replace(look, ground=(self._game.ground(board, at),))
                if self._game.mate is not None and look.ground:
                    _half(pixels, box, at, self._game.mate(board, at), _bgr(look.ground[0]))
                fill = self._game.mate is None
                _draw(pixels, box, symbol, look, WHOLE.right - WHOLE.left, fill=fill)
            if self._game.mate is None:
                _lines(pixels, board, skin, _bgr(eyes.lines[0]) if eyes.lines else skin.line, self._thick)
            if self._game.ground is not None and skin.parted_px:
                self._part(pixels, self._game.ground)
        for place, value in board.given.items():
            at_px = _spot(place, board, margin, pitch)
            if isinstance(place, Outside):
                _draw(pixels, at_px, value, _look_of(eyes.outside_looks, value, "given"), 0.8, fill=False)
            elif isinstance(place, Corner):
                look = _look_of(eyes.corners, value, "given")
                middle = round(at_px[0] + pitch / 2), round(at_px[1] + pitch / 2)
                cv2.circle(pixels, middle, round(0.34 * pitch), _bgr(look.ground[0]), -1, cv2.LINE_AA)
                cv2.circle(pixels, middle, round(0.34 * pitch), (0, 0, 0), 1, cv2.LINE_AA)
                write(pixels, value, Point(middle[0] + 0.5, middle[1] + 0.5), 0.36 * pitch, (0, 0, 0))
        return pixels

    def _part(self, pixels: Pixels, ground: Callable[[Board, Square], str]) -> None:
        """Lines round the board and between the cells on different grounds."""
        skin, board = self._skin, self._board
        colour = {at: ground(board, at) for at in board.squares}
        for at, (down, right) in product(board.squares, ((1, 0), (0, 1))):
            for near in (Square(at.row - down, at.col - right), Square(at.row + down, at.col + right)):
                if colour.get(near) != colour[at]:
                    x, y, side = _spot(max(at, near), board, skin.margin_px, skin.pitch_px)
                    cv2.line(pixels, (x, y), (x + side * down, y + side * right), skin.line, skin.parted_px)


def _spot(place: Place, board: Board, margin: int, pitch: int) -> tuple[int, int, int]:
    """Left, top and side of the square of a place."""
    match place:
        case Outside(edge, nth):
            row = {"top": -1, "bottom": board.height}.get(edge, nth)
            col = {"left": -1, "right": board.width}.get(edge, nth)
        case Corner(row, col):
            return margin + pitch * col - pitch // 2, margin + pitch * row - pitch // 2, pitch
        case Square(row, col):
            pass
        case _:
            row = col = 0
    return margin + pitch * col, margin + pitch * row, pitch


def _look_of(looks: Sequence[Look], symbol: str, state: str) -> Look:
    """The first look of a symbol; of one without a look that of a cell with nothing in it."""
    numbers = [look for look in looks if look.form == "number" and look.state == state]
    for look in looks:
        if look.symbol == symbol and look.state == state and look.form != "number":
            return look
    if symbol and numbers:
        return numbers[0]
    return next((look for look in looks if look.symbol == symbol), Look(""))


def _draw(
    pixels: Pixels, box: tuple[int, int, int], symbol: str, look: Look, share: float, *, fill: bool = True
) -> None:
    """One cell: its ground, and what is drawn on it."""
    left, top, side = box
    if fill and look.ground:
        pixels[max(0, top) : top + side, max(0, left) : left + side] = _bgr(look.ground[0])
    ink = _bgr(look.ink[0]) if look.ink else (0, 0, 0)
    centre = Point(left + side / 2, top + side / 2)
    size = side * share * min(0.8, max(0.6 * sum(look.size), look.size[0] + 0.03))
    x, y, half = round(centre.x), round(centre.y), size / 2
    first, last = (round(x - half), round(y - half)), (round(x + half), round(y + half))
    thick = max(2, round(side / 14))
    if look.framed and fill:
        shade = ink if look.form == "number" else tuple(v + 70 if v < 128 else v - 70 for v in _ground(look))
        cv2.circle(pixels, (x, y), round(0.36 * side), shade, max(1, thick // 2), cv2.LINE_AA)
    match look.form:
        case "number":
            digits = "".join(sign for sign in symbol if sign.isdigit())
            write(pixels, digits, centre, side * (0.5 if len(digits) == 1 else 0.38), ink)
        case "disc":
            cv2.circle(pixels, (x, y), round(half), ink, -1, cv2.LINE_AA)
        case "square" | "anything":
            cv2.rectangle(pixels, first, last, ink, -1)
        case "triangle":
            corners = [(first[0], last[1]), last, (x, first[1])]
            cv2.fillPoly(pixels, [np.array(corners, np.int32)], ink, cv2.LINE_AA)
        case "crown" | "queen":
            outline = {"crown": CROWN, "queen": PIECE}[look.form]
            for points in (outline, [(1 - along, down) for along, down in outline]):
                ends = np.rint(np.array(first) + size * np.array(points)).astype(np.int32)
                cv2.fillPoly(pixels, [ends], ink, cv2.LINE_AA)
        case "backslash" | "cross" | "slash":
            if look.form != "slash":
                cv2.line(pixels, first, last, ink, thick, cv2.LINE_AA)
            if look.form != "backslash":
                cv2.line(pixels, (first[0], last[1]), (last[0], first[1]), ink, thick, cv2.LINE_AA)
        case "plus" | "minus":
            bar = max(2, round(size / 8))
            cv2.rectangle(pixels, (first[0], y - bar), (last[0], y + bar), ink, -1)
            if look.form == "plus":
                cv2.rectangle(pixels, (x - bar, first[1]), (x + bar, last[1]), ink, -1)
        case _:
            pass


def _half(pixels: Pixels, box: tuple[int, int, int], at: Square, mate: Square, colour: Bgr) -> None:
    """One cell of a domino, which ends a little before the edge of the cell but where its other half is."""
    left, top, side = box
    gap = max(1, side // 16)
    first = left + gap * (mate.col >= at.col), top + gap * (mate.row >= at.row)
    last = left + side - 1 - gap * (mate.col <= at.col), top + side - 1 - gap * (mate.row <= at.row)
    cv2.rectangle(pixels, first, last, colour, -1)


def _ground(look: Look) -> Bgr:
    """The colour of a look's ground."""
    return _bgr(look.ground[0])


def _lines(
    pixels: Pixels, board: Board, skin: Skin, colour: Bgr, thick: tuple[int, int] | None = None
) -> None:
    margin, pitch = skin.margin_px, skin.pitch_px
    right, bottom = margin + pitch * board.width, margin + pitch * board.height
    for row in range(board.height + 1):
        y = margin + pitch * row
        wide = 3 if thick and row % thick[1] == 0 else 1
        cv2.line(pixels, (margin, y), (right, y), colour, wide * skin.line_px)
    for col in range(board.width + 1):
        x = margin + pitch * col
        wide = 3 if thick and col % thick[0] == 0 else 1
        cv2.line(pixels, (x, margin), (x, bottom), colour, wide * skin.line_px)


def _bgr(rgb: str) -> Bgr:
    return int(rgb[4:], 16), int(rgb[2:4], 16), int(rgb[:2], 16)


def practice(one: GridGame, rng: random.Random, skin: str) -> GridBoard:
    """A fresh board."""
    return GridBoard(one, one.make(rng), skin)
