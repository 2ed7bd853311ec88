"""Three games that nobody plays, each made of one of the parts that declared games share: areas, dominoes, tiles of wires."""

from __future__ import annotations

import random
from functools import partial

from bot import digits
from bot.game import later
from bot.grid import GridGame, cycle, game
from bot.practice.making import filled, only_one
from solver.grid import cages, dominoes, wires
from solver.grid.board import Board, Entries, Outside, Place
from solver.grid.search import Problem
from solver.grid.text import as_runs, header, in_order, runs
from solver.lattice import Square
from vision.eyesight import Eyesight, Look, Region
from vision.grids import Grid
from vision.measures.arithmetic import clues_in
from vision.measures.parts import cage_lines
from vision.scene import Scene

CLUE = Region(0.09, 0.05, 0.92, 0.32)


# Areas: digits in a line differ, and those of an area make its sum.
def parse_sums(text: str) -> Board:
    side, _, _, description = header(text)
    borders, _, told = description.partition(",")
    totals = cages.with_totals(side, borders, told)
    return Board(side, side, {cage[0]: f"a{total}" for cage, total in totals}, cages.in_full(borders, side))


def unparse_sums(board: Board) -> str:
    totals = {at: int(clue[1:]) for at, clue in board.given.items() if isinstance(at, Square)}
    return f"{board.width}sums:{board.form},{cages.totals_of(board.width, totals)}"


def sums(problem: Problem) -> None:
    digits.latin(problem)
    for cage in cages.cages_on(problem.board):
        total = int(problem.board.given[cage[0]][1:])
        problem.total(cage, total, f"an area makes {total} of different digits")


def areas(scene: Scene, grid: Grid, board: Board) -> Board:
    found = cages.cages_of(board.width, scene.once(cage_lines, grid))
    given: dict[Place, str] = dict(clues_in(scene, grid, {cage[0]: False for cage in found}, CLUE).items())
    return Board(board.height, board.width, given, cages.borders_of(board.width, found))


def make_sums(rng: random.Random) -> Board:
    while True:
        order = rng.sample(range(4), 4)
        rows = [[(order[row] + col) % 4 + 1 for col in range(4)] for row in range(4)]
        found = cages.random_cages(rng, 4, 2)
        held = [[rows[at.row][at.col] for at in cage] for cage in found]
        given: dict[Place, str] = {cage[0]: f"a{sum(own)}" for cage, own in zip(found, held, strict=True)}
        board = Board(4, 4, given, cages.borders_of(4, found))
        if all(len(set(own)) == len(own) for own in held) and only_one(SUMS, board):
            return board


SUMS = GridGame(
    name="sums",
    title="Sums of areas",
    parse=parse_sums,
    unparse=unparse_sums,
    **digits.ENTERED,
    rules=sums,
    eyes=Eyesight(
        looks=digits.looks(("e6e6e6",)), region=Region(0.14, 0.36, 0.9, 0.93), lines=("000000",), finish=areas
    ),
    shared=True,
    draw=partial(later("bot.practice.cells:cages"), of=cages.cages_on, ink=digits.GREEN),
    make=make_sums,
)

# Dominoes: one half of each is light, the other one dark, and the numbers count the dark ones.
DARK, LIGHT = "#", "o"


def parse_halves(text: str) -> Board:
    width, height, _, description = header(text)
    told, _, form = description.partition(",")
    lines = [Outside("top", col) for col in range(width)] + [Outside("left", row) for row in range(height)]
    clues = runs(told, "[0-9]", width + height)
    given: dict[Place, str] = {place: clue for place, clue in zip(lines, clues, strict=True) if clue}
    return dominoes.laid(height, width, given, form)


def unparse_halves(board: Board) -> str:
    lines = [Outside("top", col) for col in range(board.width)]
    lines += [Outside("left", row) for row in range(board.height)]
    told = as_runs([board.given.get(place) for place in lines])
    return f"{board.width}x{board.height}halves:{told},{board.form}"


def halves(problem: Problem) -> None:
    board = problem.board
    for at in board.squares:
        if at < (other := dominoes.mate(board, at)):
            problem.exactly(1, (at, other), DARK, "one half of each domino is dark")
    for edge in ("top", "left"):
        for nth, line in enumerate(board.edge(edge)):
            if clue := board.given.get(Outside(edge, nth)):
                problem.exactly(
                    int(clue), line, DARK, f"line {nth + 1} from the {edge} has {clue} dark cells"
                )


def make_halves(rng: random.Random) -> Board:
    while True:
        board = dominoes.tiling(rng, 4, 4)
        dark = filled(HALVES, board, rng).given
        given = {
            Outside(edge, nth): str(sum(dark.get(at) == DARK for at in line))
            for edge in ("top", "left")
            for nth, line in enumerate(board.edge(edge))
        }
        if only_one(HALVES, Board(4, 4, given, board.form)):
            return Board(4, 4, given, board.form)


def other_half(board: Board, at: Square, value: str) -> Entries:
    return {dominoes.mate(board, at): {DARK: LIGHT, LIGHT: DARK, "": ""}[value]}


HALVES = GridGame(
    name="halves",
    title="Halves of dominoes",
    parse=parse_halves,
    unparse=unparse_halves,
    values=lambda board: (DARK, LIGHT),
    cells=lambda board: board.squares,
    rules=halves,
    eyes=Eyesight(
        looks=(
            Look("", ground=("adadad",)),
            Look(DARK, "placed", ("adadad",), "disc", ("000000",), (0.4, 1.0)),
            Look(LIGHT, "placed", ("adadad",), "disc", ("ffffff",), (0.4, 1.0)),
        ),
        outside=("top", "left"),
        outside_looks=(
            Look("", ground=("d5d5d5",), framed=False),
            Look("", "given", ("d5d5d5",), "number", ("000000",), (0.25, 1.0)),
        ),
        region=Region(0.16, 0.16, 0.84, 0.84),
        lattices=later("vision.measures.dominoes:domino_grids"),
        finish=later("vision.measures.dominoes:with_dominoes"),
    ),
    clicks=cycle(DARK, LIGHT),
    together=other_half,
    mate=dominoes.mate,
    make=make_halves,
)


# Tiles of wires: each is turned until no wire ends where its neighbour has none; they may make many nets.
def parse_ends(text: str) -> Board:
    width, height, _, description = header(text)
    cells = runs(description, "[1-9a-f]", width * height)
    tiles = {
        at: wires.TILES[int(cell or "0", 16)]
        for at, cell in zip(Board(height, width).squares, cells, strict=True)
    }
    return wires.shaped(height, width, tiles, {}, "")


def ends(problem: Problem) -> None:
    board = problem.board
    for at in board.squares:
        problem.only(at, wires.ways_of(board, at))
    for at, other, way, is_open in wires.open_borders(board):
        out, back = (
            {tile for bits, tile in enumerate(wires.TILES) if bits >> w & 1} for w in (way, (way + 2) % 4)
        )
        if is_open:
            problem.both((at, out), (other, back), "wires meet")
        else:
            problem.only(at, set(wires.TILES) - out)
            problem.only(other, set(wires.TILES) - back)


def make_ends(rng: random.Random) -> Board:
    while True:
        empty = Board(5, 5)
        bits = dict.fromkeys(empty.squares, 0)
        for at, other, way, is_open in wires.open_borders(empty):
            if is_open and rng.random() < 0.6:
                bits[at], bits[other] = bits[at] | 1 << way, bits[other] | 1 << (way + 2) % 4
        if all(bits.values()) and sum(one.bit_count() == 1 for one in bits.values()) > 1:
            board = wires.shaped(5, 5, {at: wires.TILES[one] for at, one in bits.items()}, {}, "")
            if only_one(ENDS, board):
                return board


def begin(board: Board) -> Entries:
    return {at: wires.ways_of(board, at)[-1] for at in board.squares}


ENDS = GridGame(
    name="ends",
    title="Ends of wires",
    parse=parse_ends,
    unparse=lambda board: (
        f"{board.width}x{board.height}ends:{''.join(cell or '' for cell in in_order(board))}"
    ),
    values=lambda board: wires.TILES[1:],
    cells=lambda board: board.squares,
    rules=ends,
    words={tile: wires.tile_words(tile) for tile in wires.TILES[1:]},
    eyes=Eyesight(
        looks=(Look("", ground=("e6e6e6",)),),
        tell=later("vision.measures.wires:tell_tiles"),
        finish=later("vision.measures.wires:with_walls"),
        lines=("737373",),
        lattices=partial(later("vision.measures.wires:wired_grids"), line="737373", ends=("0000ff",)),
    ),
    clicks=wires.clicks(),
    turns=True,
    begin=begin,
    draw=partial(later("bot.practice.cells:pipes"), tiles=wires.TILES, ways=wires.WAYS),
    make=make_ends,
)

MADE_UP = {one.name: game(one) for one in (SUMS, HALVES, ENDS)}
