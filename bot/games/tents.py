"""Tents: beside each tree stands a tent of its own, and no tent without a tree.

Tents do not touch, not even at corners. Numbers beside the board say how many tents a row or column has.
"""

from __future__ import annotations

import random
import re

from bot.grid import GridGame, game
from bot.practice.making import only_one
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Edge, Outside, Place, counted, named
from solver.grid.search import Problem
from solver.grid.text import board_of, header, in_order, numbers
from solver.lattice import Square
from vision.eyesight import Eyesight, Look, Region

TREE, TENT, GRASS = "T", "A", "."
LIGHT, GREEN = "e6e6e6", "b3ff80"


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    trees, comma, clues = description.partition(",")
    if not re.fullmatch(r"(d[et])?", params) or not comma or not re.fullmatch("[_a-z]*", trees):
        raise InvalidPuzzle("a Tents board has letters for its trees, a comma, and the numbers of its lines")
    cells: list[str | None] = []
    for sign in trees:
        empty = 0 if sign == "_" else ord(sign) - 96
        cells += [None] * 25 if sign == "z" else [None] * empty + [TREE]
    # A tree behind the last cell ends the description.
    if len(cells) != width * height + 1:
        raise InvalidPuzzle(f"the trees are of {len(cells) - 1} cells, the board has {width * height}")
    board = board_of(width, height, cells[:-1])
    sums = numbers(clues, width + height)
    given = dict(board.given)
    for nth, clue in enumerate(sums):
        given[Outside("bottom", nth) if nth < width else Outside("right", nth - width)] = clue
    return Board(height, width, given)


def unparse(board: Board) -> str:
    signs, empty = [], 0
    for cell in (*in_order(board), TREE):
        empty += cell is None
        if cell is not None:
            signs.append("z" * (empty // 25) + ("_" if empty % 25 == 0 else chr(96 + empty % 25)))
            empty = 0
    clues = [board.given.get(Outside("bottom", col), "") for col in range(board.width)]
    clues += [board.given.get(Outside("right", row), "") for row in range(board.height)]
    return f"{board.width}x{board.height}:{''.join(signs)},{','.join(clues)}"


def rules(problem: Problem) -> None:
    board = problem.board
    trees = [at for at in board.squares if board.given.get(at) == TREE]
    for at in problem.cells:
        if not set(board.beside(at)) & set(trees):
            problem.only(at, GRASS)
    for block in board.fours:
        problem.at_most(1, block, TENT, f"tents do not touch around {named(block[0])}")
    for tree in trees:
        problem.count(board.beside(tree), TENT, 1, 4, f"the tree at {named(tree)} has a tent beside it")
    lines: list[tuple[Edge, int, str, tuple[Square, ...]]] = []
    lines += [("right", row, f"row {row + 1}", board.row(row)) for row in range(board.height)]
    lines += [("bottom", col, f"column {col + 1}", board.col(col)) for col in range(board.width)]
    for edge, nth, name, line in lines:
        clue = board.given.get(Outside(edge, nth))
        if clue:
            problem.exactly(int(clue), line, TENT, f"{name} has {counted(clue, 'tent')}")
    problem.matched([board.beside(tree) for tree in trees], TENT, "each tree has a tent of its own")


def make(rng: random.Random) -> Board:
    side = 6
    empty = Board(side, side)
    while True:
        tents: list[Square] = []
        given: dict[Place, str] = {}
        for at in rng.sample(empty.squares, side * side):
            free = [near for near in empty.beside(at) if near not in given and near not in tents]
            if len(tents) < 7 and at not in given and free and not set(empty.around(at)) & set(tents):
                tents.append(at)
                given[rng.choice(free)] = TREE
        for nth in range(side):
            given[Outside("bottom", nth)] = str(sum(at.col == nth for at in tents))
            given[Outside("right", nth)] = str(sum(at.row == nth for at in tents))
        board = Board(side, side, given)
        if len(tents) == 7 and only_one(GAMEPLAY, board):
            return board


GAMEPLAY = GridGame(
    name="tents",
    title="Tents",
    key="tents",
    parse=parse,
    unparse=unparse,
    values=lambda board: (GRASS, TENT),
    blank=GRASS,
    rules=rules,
    words={TENT: "a tent", GRASS: "grass"},
    eyes=Eyesight(
        looks=(
            Look("", ground=(LIGHT,)),
            Look(GRASS, "placed", (GREEN,)),
            Look(TREE, "given", (GREEN,), "anything", ("00b300",), (0.5, 1.0)),
            Look(TENT, "placed", (GREEN,), "triangle", ("ccb300", "ff0000"), (0.4, 1.0)),
        ),
        outside=("bottom", "right"),
        outside_looks=(Look("", "given", (LIGHT,), "number", ("000000", "ff0000"), (0.2, 0.95)),),
        # The numbers stand away from the board.
        outside_region=Region(0.15, 0.15, 1.2, 1.2),
        least=4,
        lines=("000000",),
        evidence=(TREE,),
    ),
    clicks={
        ("", "left"): TENT,
        (TENT, "left"): "",
        ("", "right"): GRASS,
        (GRASS, "right"): "",
        (GRASS, "left"): "",
    },
    make=make,
)
GAME = game(GAMEPLAY)
