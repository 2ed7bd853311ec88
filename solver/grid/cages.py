"""Areas of a square board, as blocks and cages are: which borders between cells are thick, and how a game ID tells it.

A border is (row, col, "r" or "d"): to the right of a cell, or below it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, product

from solver.errors import InvalidPuzzle
from solver.grid.board import Board
from solver.grid.text import as_runs, runs
from solver.lattice import Square

Border = tuple[int, int, str]


def _order(side: int) -> list[Border]:
    """All inner borders in the order of the ID: upright ones row by row, level ones column by column."""
    upright = [(row, col, "r") for row in range(side) for col in range(side - 1)]
    return upright + [(row, col, "d") for col in range(side) for row in range(side - 1)]


def parse_borders(text: str, side: int) -> frozenset[Border]:
    """The thick borders: runs of thin ones, `_` none and `a`..`y` 1..25 before a thick one, `z` 25; `a5` is five times a."""
    plain = re.sub(r"([_a-z])(\d{1,3})", lambda found: found[1] * int(found[2]), text)
    if not re.fullmatch("[_a-z]*", plain):
        raise InvalidPuzzle(f"{text[:40]!r} does not tell the borders of cages")
    thick: list[bool] = []
    for sign in plain:
        run = 0 if sign == "_" else ord(sign) - 96
        thick += [False] * 25 if sign == "z" else [False] * run + [True]
    order = _order(side)
    # One border behind the last one ends the text.
    if len(thick) != len(order) + 1:
        raise InvalidPuzzle(f"{len(thick) - 1} borders are told, the board has {len(order)}")
    return frozenset(border for border, one in zip(order, thick, strict=False) if one)


def cages_of(side: int, thick: Collection[Border]) -> list[tuple[Square, ...]]:
    """The cages that thick borders make, by their first cells."""
    return list(_cages(side, frozenset(thick)))


# A board is looked at again and again.
@lru_cache(maxsize=16)
def _cages(side: int, thick: frozenset[Border]) -> tuple[tuple[Square, ...], ...]:
    board, left, found = Board(side, side), set(Board(side, side).squares), []
    for start in board.squares:
        if start not in left:
            continue
        cage, front = {start}, [start]
        while front:
            at = front.pop()
            for near in board.beside(at):
                first = min(at, near)
                border = (first.row, first.col, "r" if at.row == near.row else "d")
                if border not in thick and near not in cage:
                    cage.add(near)
                    front.append(near)
        left -= cage
        found.append(tuple(sorted(cage)))
    return tuple(found)


def borders_of(side: int, cages: Iterable[Sequence[Square]]) -> str:
    """The text of the borders between cages."""
    cage = {at: nth for nth, cells in enumerate(cages) for at in cells}
    signs, run = [], 0
    for row, col, way in (*_order(side), (-1, -1, "")):
        other = Square(row, col + 1) if way == "r" else Square(row + 1, col)
        if way and cage[Square(row, col)] == cage[other]:
            run += 1
            continue
        signs.append("z" * ((run - 1) // 25) + (chr(96 + (run - 1) % 25 + 1)) if run else "_")
        run = 0
    return "".join(signs)


def in_full(text: str, side: int) -> str:
    """The text of borders in the one form that `borders_of` makes. Raises InvalidPuzzle."""
    return borders_of(side, cages_of(side, parse_borders(text, side)))


def shortened(borders: str) -> str:
    """The text of borders with a number for three and more equal signs.

    >>> shortened("aab___")
    'aab_3'
    """
    runs = [(sign, len(list(same))) for sign, same in groupby(borders)]
    return "".join(sign * count if count < 3 else f"{sign}{count}" for sign, count in runs)


def cages_on(board: Board) -> list[tuple[Square, ...]]:
    """The cages of a board whose form tells their borders."""
    return cages_of(board.width, parse_borders(board.form, board.width))


def rectangles(side: int, wide: int, high: int) -> list[tuple[Square, ...]]:
    """The areas of so many columns and rows that cover a board, by their first cells."""
    return [
        tuple(Square(top + down, left + right) for down in range(high) for right in range(wide))
        for top, left in product(range(0, side, high), range(0, side, wide))
    ]


def with_totals(side: int, borders: str, totals: str) -> list[tuple[tuple[Square, ...], int]]:
    """The cages of a text of borders, each with its number from a text of runs. Raises InvalidPuzzle where those do not stand
    in the first cells of the cages, one by one."""
    cages = cages_of(side, parse_borders(borders, side))
    told = dict(zip(Board(side, side).squares, runs(totals, r"\d{1,3}", side * side), strict=True))
    if {at for at, total in told.items() if total} != {cage[0] for cage in cages}:
        raise InvalidPuzzle("the sums do not stand in the first cells of the cages")
    return [(cage, int(told[cage[0]] or 0)) for cage in cages]


def totals_of(side: int, totals: Mapping[Square, int]) -> str:
    """The text of the numbers that stand in some cells, in runs."""
    return as_runs([str(totals[at]) if at in totals else None for at in Board(side, side).squares], apart="_")


def clash(cage: Sequence[Square], row: Sequence[str]) -> bool:
    """Whether equal values stand in one line of a cage."""
    cells = list(zip(cage, row, strict=True))
    return any(
        value == other and (at.row == to.row or at.col == to.col)
        for nth, (at, value) in enumerate(cells)
        for to, other in cells[:nth]
    )


def random_cages(rng: random.Random, side: int, most: int) -> list[tuple[Square, ...]]:
    """Cages of a few cells, up to `most` and one more, by lot."""
    board = Board(side, side)
    group: dict[Square, int] = {}
    for at in rng.sample(board.squares, side * side):
        sizes = list(group.values())
        near = [one for one in board.beside(at) if one in group and sizes.count(group[one]) < most]
        group[at] = group[rng.choice(near)] if near and rng.random() < 0.85 else len(group)
    members: dict[int, list[Square]] = {}
    for at, number in sorted(group.items()):
        members.setdefault(number, []).append(at)
    return [tuple(cells) for cells in members.values()]


def grown_areas(rng: random.Random, side: int, seeds: Sequence[Square]) -> list[tuple[Square, ...]]:
    """Areas that grow from some cells, by lot, until they cover a board; by their first cells."""
    board = Board(side, side)
    area = {at: nth for nth, at in enumerate(seeds)}
    while len(area) < side * side:
        edge = [(at, near) for at in area for near in board.beside(at) if near not in area]
        at, near = rng.choice(edge)
        area[near] = area[at]
    return sorted(tuple(sorted(at for at in area if area[at] == nth)) for nth in range(len(seeds)))
