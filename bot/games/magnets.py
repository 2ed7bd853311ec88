"""Magnets: every domino holds a plus and a minus pole, or is neutral; equal poles never touch along a side.

Numbers beside the board say how many plus (above, left) and minus poles (below, right) a row or column has.
"""

from __future__ import annotations

import random

from bot.game import later
from bot.grid import GridGame, game
from bot.practice.making import filled, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Edge, Entries, Outside, Place, counted, named
from solver.grid.dominoes import SINGLE, laid, mate, tiling
from solver.grid.search import Problem
from solver.grid.text import header
from solver.lattice import Square
from vision.eyesight import Eyesight, Look, Region

PLUS, MINUS, NEUTRAL, NOTE = "+", "-", "x", "?"
# In the order of the ID, with the pole that is counted.
EDGES: dict[Edge, str] = {"top": PLUS, "left": PLUS, "bottom": MINUS, "right": MINUS}
POLES = {PLUS: "plus pole", MINUS: "minus pole"}
SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GROUND, TILE, RED, BLACK, GREEN = "d5d5d5", "adadad", "cc0000", "000000", "199919"
CURSOR = "e6e6e6"
INK, SIZE = (GROUND, "ff0000"), (0.4, 1.0)


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    *lines, form = description.split(",")
    sizes = [width, height, width, height]
    if params.strip("detS") or [*map(len, lines)] != sizes:
        raise InvalidPuzzle("a Magnets board has four groups of clues, and L, R, T, B or * for each cell")
    given: dict[Place, str] = {}
    for edge, clues in zip(EDGES, lines, strict=True):
        for nth, sign in enumerate(clues):
            if sign != "." and sign not in SIGNS:
                raise InvalidPuzzle(f"{sign!r} is no clue of Magnets")
            given |= {Outside(edge, nth): str(SIGNS.index(sign))} if sign != "." else {}
    return laid(height, width, given, form)


def unparse(board: Board) -> str:
    lines = []
    for edge in EDGES:
        clues = (board.given.get(Outside(edge, nth)) for nth in range(len(board.edge(edge))))
        lines.append("".join("." if clue is None else SIGNS[int(clue)] for clue in clues))
    return f"{board.width}x{board.height}:{','.join(lines)},{board.form}"


def rules(problem: Problem) -> None:
    board = problem.board
    for at in problem.cells:
        if at in board.given:
            problem.only(at, board.given[at])
        other = mate(board, at)
        if at < other:
            for one, two in ((PLUS, MINUS), (MINUS, PLUS)):
                problem.both((at, one), (other, two), f"the domino at {named(at)} has both poles or none")
        for near in board.beside(at):
            if at < near and near in problem.numbers:
                for pole, name in ((PLUS, "plus"), (MINUS, "minus")):
                    problem.at_most(1, (at, near), pole, f"{named(at)} and {named(near)} are not both {name}")
    for edge, pole in EDGES.items():
        for nth, line in enumerate(board.edge(edge)):
            clue, name = (
                board.given.get(Outside(edge, nth)),
                f"{'column' if edge in ('top', 'bottom') else 'row'}",
            )
            if clue is not None:
                cells = [at for at in line if at in problem.numbers]
                problem.exactly(int(clue), cells, pole, f"{name} {nth + 1} has {counted(clue, POLES[pole])}")


def make(rng: random.Random) -> Board:
    board = tiling(rng, 5, 5)
    poles, given = filled(GAMEPLAY, board, rng).given, dict(board.given)
    for edge, pole in EDGES.items():
        for nth, line in enumerate(board.edge(edge)):
            given[Outside(edge, nth)] = str(sum(poles.get(at) == pole for at in line))
    full = Board(board.height, board.width, given, board.form)
    return thinned(GAMEPLAY, full, rng, lambda place: board.given.get(place))


def together(board: Board, at: Square, value: str) -> Entries:
    """What an entry makes of the other half of its domino."""
    return {mate(board, at): {PLUS: MINUS, MINUS: PLUS}.get(value, value)}


GAMEPLAY = GridGame(
    name="magnets",
    title="Magnets",
    key="magnets",
    parse=parse,
    unparse=unparse,
    values=lambda board: (PLUS, MINUS, NEUTRAL),
    cells=lambda board: [at for at in board.squares if board.given.get(at) != SINGLE],
    rules=rules,
    words={PLUS: f"a {POLES[PLUS]}", MINUS: f"a {POLES[MINUS]}", NEUTRAL: "a neutral domino"},
    eyes=Eyesight(
        looks=(
            Look("", ground=(TILE, CURSOR)),
            Look(NOTE, "placed", (TILE,), "anything", ("3333ff",)),
            Look(SINGLE, "given", (GROUND,)),
            Look(PLUS, "placed", (RED,), "plus", INK, SIZE),
            Look(MINUS, "placed", (BLACK,), "minus", INK, SIZE),
            # Its lines are thin, and nowhere quite as light as the others.
            Look(NEUTRAL, "placed", (GREEN,), "cross", size=SIZE),
            # Under the keyboard's cursor every sign is black.
            Look(PLUS, "placed", (CURSOR,), "plus", (BLACK,), SIZE),
            Look(MINUS, "placed", (CURSOR,), "minus", (BLACK,), SIZE),
            Look(NEUTRAL, "placed", (CURSOR,), "cross", (BLACK,), SIZE),
        ),
        outside=tuple(EDGES),
        outside_looks=(
            Look("", ground=(GROUND,), framed=False),
            Look("", "given", (GROUND,), "number", (BLACK, "ff0000", "888888"), (0.25, 1.0)),
        ),
        region=Region(0.16, 0.16, 0.84, 0.84),
        lattices=later("vision.measures.dominoes:domino_grids"),
        finish=later("vision.measures.dominoes:with_dominoes"),
    ),
    clicks={
        ("", "left"): PLUS,
        (PLUS, "left"): MINUS,
        (MINUS, "left"): "",
        ("", "right"): NEUTRAL,
        (NEUTRAL, "right"): NOTE,
        (NOTE, "left"): PLUS,
        (NOTE, "right"): "",
    },
    notes=(NOTE,),
    together=together,
    mate=mate,
    make=make,
)
GAME = game(GAMEPLAY)
