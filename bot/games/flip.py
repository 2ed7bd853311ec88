"""Flip (Lights out): a click turns a cell and those that its little picture shows; all cells shall become light."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from bot.actions import Plan, Step, Tap
from bot.game import later
from bot.grid import GridGame, game
from bot.show.guide import square_words
from solver.answer import Answer, Limits
from solver.errors import InvalidPuzzle, NoSolution
from solver.grid.board import Board, Entries, Place
from solver.grid.search import Problem
from solver.grid.text import header
from solver.lattice import Square
from vision.eyesight import WHOLE, Eyesight, Look
from vision.reading import Mark, Reading

if TYPE_CHECKING:
    import numpy as np

    from vision.grids import Grid
    from vision.scene import Scene

CLICK, DARK, LIGHT = "x", "#", "."
# A little picture shows cells up to so far; its squares are this share of a cell.
REACH, SMALL = 3, 1 / 8
# Squares smaller than this run into each other.
LEAST_PX = 4.5


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    matrix, comma, state = description.partition(",")
    cells = width * height
    digits = -(-cells * cells // 4), -(-cells // 4)
    if params not in ("", "c", "r") or not comma or (len(matrix), len(state)) != digits:
        raise InvalidPuzzle(
            f"a Flip board of {width} x {height} cells has {digits[0]} and {digits[1]} hex digits"
        )
    try:
        flips, dark = bits(matrix, cells * cells), bits(state, cells)
    except ValueError as error:
        raise InvalidPuzzle("a Flip board is told in hexadecimal digits") from error
    squares = Board(height, width).squares
    given: dict[Place, str] = {at: DARK for at, one in zip(squares, dark, strict=True) if one}
    return Board(height, width, given, "".join(map(str, flips)))


def bits(text: str, count: int) -> list[int]:
    """The bits of hexadecimal digits, the highest of each first."""
    return [int(bit) for digit in text for bit in f"{int(digit, 16):04b}"][:count]


def unparse(board: Board) -> str:
    state = "".join("1" if at in board.given else "0" for at in board.squares)
    return f"{board.width}x{board.height}:{hexed(board.form)},{hexed(state)}"


def hexed(flips: str) -> str:
    padded = flips.ljust(-(-len(flips) // 4) * 4, "0")
    return "".join(f"{int(padded[at : at + 4], 2):x}" for at in range(0, len(padded), 4))


def flips_of(board: Board) -> list[frozenset[int]]:
    """For every cell the numbers of the cells that a click on it turns."""
    count = board.height * board.width
    return [
        frozenset(i for i, bit in enumerate(board.form[nth * count : (nth + 1) * count]) if bit == "1")
        for nth in range(count)
    ]


def clicks(board: Board, liked: Sequence[Square] = ()) -> dict[Square, str]:
    """Cells whose clicks make all light (Gauss's elimination over two values), from `liked` where that is enough.

    Raises NoSolution.
    """
    squares, flips = board.squares, flips_of(board)
    order = [at for at in squares if at in liked] + [at for at in squares if at not in liked]
    number = {at: nth for nth, at in enumerate(squares)}
    # Each kept row: the cells that it turns, as bits, and the clicks that do it.
    kept: dict[int, tuple[int, int]] = {}
    for at in order:
        turns, made = sum(1 << cell for cell in flips[number[at]]), 1 << number[at]
        while turns:
            lead = turns.bit_length()
            if lead not in kept:
                kept[lead] = turns, made
                break
            turns, made = turns ^ kept[lead][0], made ^ kept[lead][1]
    dark, made = sum(1 << number[at] for at in squares if at in board.given), 0
    while dark:
        if dark.bit_length() not in kept:
            raise NoSolution("no clicks make all cells light")
        turns, more = kept[dark.bit_length()]
        dark, made = dark ^ turns, made ^ more
    return {at: CLICK for at in squares if made >> number[at] & 1}


def solve(board: Board, limits: Limits) -> Answer[Entries]:
    found = clicks(board)
    if not limits.unique:
        return Answer(found)
    flips = [sum(1 << cell for cell in one) for one in flips_of(board)]
    rank: dict[int, int] = {}
    for turns in flips:
        while turns and turns.bit_length() in rank:
            turns ^= rank[turns.bit_length()]
        if turns:
            rank[turns.bit_length()] = turns
    return Answer(found, unique=len(rank) == len(flips))


def check(board: Board, entries: Entries) -> Sequence[str]:
    return tuple(f"{square_words(at)} stays dark" for at in dark_after(board, entries))


def dark_after(board: Board, entries: Entries) -> list[Square]:
    """The dark cells once those entered have been clicked."""
    turned = dict.fromkeys(board.squares, 0) | {at: 1 for at in board.squares if at in board.given}
    for at, flips in zip(board.squares, flips_of(board), strict=True):
        if entries.get(at) == CLICK:
            for cell in flips:
                turned[board.squares[cell]] ^= 1
    return [at for at, dark in turned.items() if dark]


def plan(reading: Reading[Board, Entries], solution: Entries) -> Plan:
    """Clicks that are still to be made: those of the solution, less what the cells show to be done."""
    left = clicks(reading.puzzle, list(solution))
    steps = [Step((Tap(reading.geometry.centres[at]),), f"click {square_words(at)}", (at,)) for at in left]
    return Plan(tuple(steps), len(steps))


def tell(scene: Scene, grid: Grid) -> Mapping[Place, Mark]:
    """Whether each cell is dark, by its ground."""
    from vision.measures.parts import parts
    from vision.readers.grid import tell as tell_looks

    found = {Square(*at): part for at, part in scene.once(parts, grid, WHOLE).items()}
    return dict(tell_looks(found, LOOKS))


def matrix(scene: Scene, grid: Grid, board: Board) -> Board:
    """What each cell turns: its little picture has a small square for every cell, itself in the middle."""
    if SMALL * grid.xs.pitch < LEAST_PX:
        raise InvalidPuzzle("the little pictures in the cells are too small to be read")
    shades = scene.shades.astype("int16")
    rows = []
    for at in board.squares:
        middle = grid.centre(at.row, at.col)
        own = [0] * (board.width * board.height)
        for other in board.squares:
            down, right = other.row - at.row, other.col - at.col
            if max(abs(down), abs(right)) > REACH:
                continue
            x, y = middle.x + right * SMALL * grid.xs.pitch, middle.y + down * SMALL * grid.ys.pitch
            half = SMALL * grid.xs.pitch / 2
            ground = int(shades[round(grid.ys.at(at.row + 0.2)), round(grid.xs.at(at.col + 0.1))])
            sides = ((x - half, y), (x + half, y), (x, y - half), (x, y + half))
            own[board.squares.index(other)] = int(all(_line(shades, *side, ground) for side in sides))
        own[board.squares.index(at)] = 1
        rows.append("".join(map(str, own)))
    return Board(board.height, board.width, board.given, "".join(rows))


def _line(shades: np.typing.NDArray[np.int16], x: float, y: float, ground: int) -> bool:
    near = shades[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3]
    return bool((abs(near - ground) > 24).any())


def rules(problem: Problem) -> None:
    board = problem.board
    flips = flips_of(board)
    for nth, at in enumerate(board.squares):
        by = [other for other, turned in zip(board.squares, flips, strict=True) if nth in turned]
        odd = at in board.given
        told = "an odd" if odd else "an even"
        problem.parity(by, CLICK, odd, f"{square_words(at)} is turned {told} number of times")


def make(rng: random.Random) -> Board:
    side = 4
    empty = Board(side, side)
    flips = "".join(
        "1" if abs(at.row - other.row) + abs(at.col - other.col) <= 1 else "0"
        for at in empty.squares
        for other in empty.squares
    )
    light = Board(side, side, {}, flips)
    clicked = dict.fromkeys(rng.sample(empty.squares, 9), CLICK)
    given: dict[Place, str] = dict.fromkeys(dark_after(light, clicked), DARK)
    return Board(side, side, given, flips) if given else make(rng)


LOOKS = (
    Look("", ground=("ffffff",), form="anything"),
    Look(DARK, "given", ("4c4c4c",), form="anything"),
)
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
        looks=LOOKS,
        tell=tell,
        finish=matrix,
        lines=("999999",),
        lattices=partial(later("vision.measures.boxes:box_grids"), apart=(1.0, 1.2)),
    ),
    solve=solve,
    check=check,
    steps=plan,
    clicks={("", "left"): CLICK, (CLICK, "left"): ""},
    identity=lambda board: board.form,
    several=True,
    # The little pictures of larger cells hide the lattice from the search for lines.
    skins=("paper",),
    draw=partial(later("bot.practice.cells:switches"), flips=flips_of, after=dark_after, small=SMALL),
    make=make,
)
GAME = game(GAMEPLAY)
