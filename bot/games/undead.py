"""Undead: ghosts, vampires and zombies stand in the cells; a number says how many are seen along a line of sight.

The line is reflected by mirrors. Vampires are seen only before the first mirror, ghosts only behind one, zombies always.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from bot.game import later
from bot.grid import GridGame, game
from bot.practice.making import thinned
from solver.errors import InvalidPuzzle
from solver.grid.beams import around, sight
from solver.grid.board import Board, Place, counted
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, header, in_order, runs
from solver.lattice import Square
from vision.eyesight import WHOLE, Eyesight, Look, Region
from vision.reading import Mark

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

NAMES = {"G": "a ghost", "V": "a vampire", "Z": "a zombie"}
COLOURS = {"G": "73e6e6", "V": "e6cfcf", "Z": "73e673"}
# In play a face has its colour give or take so many levels.
SAME = 9
LIGHT, FALLING, RISING = "e6e6e6", "L", "R"


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


def rules(problem: Problem) -> None:
    board = problem.board
    for monster, number in zip(NAMES, board.form.split(","), strict=True):
        problem.exactly(
            int(number), problem.cells, monster, f"the number of {NAMES[monster][2:]}s is {number}"
        )
    # A clue that could not be read rules nothing out.
    for place in (place for place in around(board) if place in board.given):
        clue = int(board.given[place])
        seen = [
            (at, problem.bits["Z"] | problem.bits["G" if mirrored else "V"])
            for at, mirrored in sight(board, place, FALLING)
        ]
        line = f"{'column' if place.edge in ('top', 'bottom') else 'row'} {place.nth + 1}"
        shown = f"{line} shows {counted(clue, 'monster')} from the {place.edge}"
        problem.literals(seen, clue, clue, shown)


def make(rng: random.Random) -> Board:
    side = 4
    cells = [rng.choice((None, None, FALLING, RISING)) for _ in range(side * side)]
    board = board_of(side, side, cells)
    there = {at: rng.choice("GVZ") for at in board.squares if at not in board.given}
    totals = ",".join(str(list(there.values()).count(monster)) for monster in NAMES)
    given: dict[Place, str] = dict(board.given)
    for place in around(board):
        seen = [there[at] in ("Z", "G" if mirrored else "V") for at, mirrored in sight(board, place, FALLING)]
        given[place] = str(sum(seen))
    return thinned(GAMEPLAY, Board(side, side, given, totals), rng, lambda place: given[place])


def tell(scene: Scene, grid: Grid) -> Mapping[Place, Mark]:
    """Monsters by the colour of their faces, which are smaller in notes; mirrors by their form."""
    from vision.measures.parts import box_at, parts
    from vision.measures.pieces import faces, shaded
    from vision.readers.grid import tell as tell_looks

    found = scene.once(parts, grid, WHOLE)
    # The program mixes the colours of faces from that of its ground, which is another one on another system.
    colours = shaded(COLOURS, LIGHT, list(found.values()))

    def tell_some(some: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Mark]:
        own = {at: found[at] for at in some}
        return tell_looks(own, LOOKS) | faces(own, colours, SAME)

    name = tell, *(tuple(colour) for colour in colours.values())
    told = scene.each(grid, name, list(found), lambda at: box_at(grid, *at), tell_some)
    return {Square(*at): mark for at, mark in told.items()}


def totals(scene: Scene, grid: Grid, board: Board) -> Board:
    """The numbers of monsters, which stand above the board beside a picture of each."""
    from vision.measures.pieces import numbers_at

    # The three pictures stand one and a half cells apart, each with its number to the right.
    icons = [grid.cols / 2 - 0.07 + 1.5 * (nth - 1) for nth in range(3)]
    read = numbers_at(scene, grid, [Region(icon + 0.3, -1.8, icon + 1.12, -1.2) for icon in icons])
    return Board(board.height, board.width, board.given, ",".join(map(str, read)))


# In small windows mirrors are thin and soft lines, which are nowhere black.
MIRROR = ("000000", "303030")
# Of free cells and of the selected one.
GROUNDS = (LIGHT, "b3b3b3")
LOOKS = (
    Look("", ground=GROUNDS),
    Look(FALLING, "given", GROUNDS, "backslash", MIRROR, (0.5, 1.0)),
    Look(RISING, "given", GROUNDS, "slash", MIRROR, (0.5, 1.0)),
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
        outside_looks=(Look("", "given", (LIGHT,), "number", ("000000", "ff0000", "999999"), (0.25, 1.0)),),
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
