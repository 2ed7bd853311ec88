"""Flip (Lights out): a click turns a cell and those that its little picture shows; all cells shall become light."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from bot.actions import Plan, Step, Tap
from bot.game import later
from bot.grid import GridGame, game
from bot.show.guide import square_words
from solver.answer import Answer, Limits
from solver.errors import InvalidPuzzle, NoSolution
from solver.grid.board import Board, Entries, Place
from solver.grid.linear import combination, independent
from solver.grid.search import Problem
from solver.grid.text import as_hex, bits, header
from solver.lattice import Square
from vision.eyesight import Eyesight, Look
from vision.reading import Reading

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

CLICK, DARK, LIGHT = "x", "#", "."
# A little picture shows cells up to so far; its squares are this share of a cell.
REACH, SMALL = 3, 1 / 8


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    matrix, comma, state = description.partition(",")
    cells = width * height
    digits = -(-cells * cells // 4), -(-cells // 4)
    if params not in ("", "c", "r") or not comma or (len(matrix), len(state)) != digits:
        raise InvalidPuzzle(f"Flip of {width} x {height} cells has {digits[0]} and {digits[1]} hex digits")
    dark = zip(Board(height, width).squares, bits(state, cells), strict=True)
    return Board(height, width, {at: DARK for at, one in dark if one == "1"}, bits(matrix, cells * cells))


def unparse(board: Board) -> str:
    state = "".join("1" if at in board.given else "0" for at in board.squares)
    return f"{board.width}x{board.height}:{as_hex(board.form)},{as_hex(state)}"


def turns(board: Board) -> list[int]:
    """For every cell the cells that a click on it turns, as bits in the order of the cells."""
    count = board.height * board.width
    return [int(board.form[nth * count : (nth + 1) * count][::-1], 2) for nth in range(count)]


def clicks(board: Board, liked: Sequence[Square] = ()) -> dict[Square, str]:
    """Cells whose clicks make all light, from `liked` where that is enough. Raises NoSolution."""
    squares = board.squares
    dark = sum(1 << nth for nth, at in enumerate(squares) if at in board.given)
    order = sorted(range(len(squares)), key=lambda nth: squares[nth] not in liked)
    chosen = combination(turns(board), dark, order)
    if chosen is None:
        raise NoSolution("no clicks make all cells light")
    return {at: CLICK for nth, at in enumerate(squares) if nth in chosen}


def solve(board: Board, limits: Limits) -> Answer[Entries]:
    return Answer(clicks(board), unique=independent(turns(board)) if limits.unique else None)


def check(board: Board, entries: Entries) -> Sequence[str]:
    return tuple(f"{square_words(at)} stays dark" for at in dark_after(board, entries))


def dark_after(board: Board, entries: Entries) -> list[Square]:
    """The dark cells once those entered have been clicked."""
    dark = sum(1 << nth for nth, at in enumerate(board.squares) if at in board.given)
    for at, turned in zip(board.squares, turns(board), strict=True):
        dark ^= turned if entries.get(at) == CLICK else 0
    return [at for nth, at in enumerate(board.squares) if dark >> nth & 1]


def plan(reading: Reading[Board, Entries], solution: Entries) -> Plan:
    """Clicks that are still to be made. Amid a turn, when no clicks lead on, no cell shows what is meant."""
    try:
        left = clicks(reading.puzzle, list(solution))
    except NoSolution:
        return Plan((), len(reading.puzzle.squares), frozenset(reading.puzzle.squares))
    steps = [Step((Tap(reading.geometry.centres[at]),), f"click {square_words(at)}", (at,)) for at in left]
    return Plan(tuple(steps), len(steps))


def matrix(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board with what each cell turns, by the little picture in it. Raises InvalidPuzzle where those are too small."""
    from vision.measures.little import little_pictures

    seen = little_pictures(scene, grid, SMALL, REACH)
    rows = ["".join(str(int(other in seen[at])) for other in board.squares) for at in board.squares]
    return Board(board.height, board.width, board.given, "".join(rows))


def rules(problem: Problem) -> None:
    board = problem.board
    for nth, at in enumerate(board.squares):
        by = [other for other, turned in zip(board.squares, turns(board), strict=True) if turned >> nth & 1]
        told = "an odd" if at in board.given else "an even"
        problem.parity(by, CLICK, at in board.given, f"{square_words(at)} is turned {told} number of times")


def make(rng: random.Random) -> Board:
    empty = Board(4, 4)
    near = [abs(a.row - b.row) + abs(a.col - b.col) <= 1 for a in empty.squares for b in empty.squares]
    flips = "".join("01"[turned] for turned in near)
    light = Board(empty.height, empty.width, {}, flips)
    clicked = dict.fromkeys(rng.sample(empty.squares, 9), CLICK)
    given: dict[Place, str] = dict.fromkeys(dark_after(light, clicked), DARK)
    return Board(empty.height, empty.width, given, flips) if given else make(rng)


GAMEPLAY = GridGame(
    name="flip",
    title="Flip",
    key="flip",
    parse=parse,
    unparse=unparse,
    values=lambda board: (CLICK, LIGHT),
    blank=LIGHT,
    cells=lambda board: board.squares,
    rules=rules,
    words={CLICK: "a click", LIGHT: "no click"},
    eyes=Eyesight(
        looks=(
            Look("", ground=("ffffff",), form="anything"),
            Look(DARK, "given", ("4c4c4c",), form="anything"),
        ),
        turned=True,
        finish=matrix,
        lines=("999999",),
        lattices=partial(later("vision.blobs:find_blob_grids"), filled=(0.83, 1.0)),
    ),
    solve=solve,
    check=check,
    steps=plan,
    clicks={("", "left"): CLICK, (CLICK, "left"): ""},
    identity=lambda board: board.form,
    several=True,
    shared=True,
    draw=partial(later("bot.practice.cells:switches"), turns=turns, after=dark_after, small=SMALL),
    make=make,
)
GAME = game(GAMEPLAY)
