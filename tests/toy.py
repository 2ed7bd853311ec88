"""The smallest game there is: a board of lights to be switched until the lit ones are those with a dot.

Tapping a cell switches it. It has every trap of a toggling game and nothing else, so the play loop can be tested
without any real reader or solver.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bot.actions import Action, Plan, Step, Tap
from bot.game import Game, ItemForm
from solver.answer import Answer
from solver.lattice import Square
from vision.errors import BoardNotFound
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.reading import Geometry, Mark, Reading

SIZE = 4
CELL_PX = 20
EDGE_PX = 10
LIT, DARK, FRAME = (0, 220, 255), (60, 60, 60), (200, 30, 30)


@dataclass(frozen=True)
class Lights:
    """The cells that must be lit."""

    wanted: frozenset[Square]


Lit = Mapping[Square, str]
CELLS = [Square(row, col) for row in range(SIZE) for col in range(SIZE)]


def centre(cell: Square) -> Point:
    return Point(EDGE_PX + CELL_PX * (cell.col + 0.5), EDGE_PX + CELL_PX * (cell.row + 0.5))


class LightsBoard:
    """The imitation; `appears_s` is the server's delay, `dead` a screen that takes no input."""

    profile = Profile("toy", "practice")

    def __init__(self, puzzle: Lights, *, appears_s: float = 0.0, dead: bool = False) -> None:
        self.puzzle = puzzle
        self.lit: set[Square] = set()
        self.dead = dead
        self._appears_s = appears_s
        self._coming: list[tuple[float, Square]] = []

    def render(self, now_s: float) -> Pixels:
        for at_s, cell in [entry for entry in self._coming if entry[0] <= now_s]:
            self._coming.remove((at_s, cell))
            self.lit ^= {cell}
        side = 2 * EDGE_PX + SIZE * CELL_PX
        pixels = np.full((side, side, 3), FRAME, np.uint8)
        for cell in CELLS:
            x, y = (int(value) for value in centre(cell))
            pixels[y - 9 : y + 9, x - 9 : x + 9] = LIT if cell in self.lit else DARK
            if cell in self.puzzle.wanted:
                pixels[y - 2 : y + 2, x - 2 : x + 2] = 255
        return pixels

    def act(self, action: Action, now_s: float) -> None:
        if isinstance(action, Tap) and not self.dead:
            for cell in CELLS:
                at = centre(cell)
                if abs(at.x - action.at.x) < CELL_PX / 2 and abs(at.y - action.at.y) < CELL_PX / 2:
                    self._coming.append((now_s + self._appears_s, cell))

    def solved(self) -> bool:
        return self.lit == set(self.puzzle.wanted)


def read(frame: Frame, profile: Profile) -> Reading[Lights, Lit]:
    if frame.pixels.shape[0] != 2 * EDGE_PX + SIZE * CELL_PX or tuple(frame.pixels[2, 2]) != FRAME:
        raise BoardNotFound("no lights")
    marks = {}
    for cell in CELLS:
        x, y = (int(value) for value in centre(cell))
        lit = frame.pixels[y - 6, x - 6, 2] > 128
        marks[cell] = Mark("lit" if lit else "", 1.0, state="placed" if lit else "free")
    wanted = frozenset(c for c in CELLS if frame.pixels[int(centre(c).y), int(centre(c).x), 0] == 255)
    placed = {cell: "lit" for cell, mark in marks.items() if mark.symbol}
    geometry = Geometry({cell: centre(cell) for cell in CELLS}, CELL_PX)
    side = SIZE * CELL_PX
    return Reading(Lights(wanted), placed, geometry, marks, Box(EDGE_PX, EDGE_PX, side, side))


def plan(reading: Reading[Lights, Lit], solution: Lit) -> Plan:
    wrong = [cell for cell in CELLS if (cell in reading.placed) != (cell in solution)]
    steps = [
        Step((Tap(reading.geometry.centres[c]),), f"switch {c.row + 1}, {c.col + 1}", (c,)) for c in wrong
    ]
    return Plan(tuple(steps), len(wrong))


def practice(rng: random.Random) -> LightsBoard:
    return LightsBoard(Lights(frozenset(rng.sample(CELLS, 7))))


TOY: Game[Lights, Lit] = Game(
    name="toy",
    title="Lights",
    looks_like=lambda text: False,
    parse=lambda text: Lights(frozenset()),
    parse_file=lambda text: [],
    unparse=str,
    puzzle_json=str,
    solution_json=lambda puzzle, solution: sorted(map(list, solution)),
    draw=lambda puzzle, lit: "\n".join(
        "".join("#" if Square(row, col) in lit else "." for col in range(SIZE)) for row in range(SIZE)
    ),
    solve=lambda puzzle, limits: Answer(dict.fromkeys(puzzle.wanted, "lit")),
    check=lambda puzzle, lit: [] if set(lit) == puzzle.wanted else ["the lit cells are not those with a dot"],
    read=read,
    plan=plan,
    practice=practice,
    items=ItemForm(
        lambda puzzle, placed: {f"cell {row},{col}": "lit" for row, col in placed}, nothing=lambda puzzle: []
    ),
)
