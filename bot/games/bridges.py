"""Bridges: what the program knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bot.game import Game, ItemForm, Items, Label, PracticeMaker, later, no_glance
from bot.show import bridges as show
from bot.show.guide import Guide, square_words
from bot.told import Telling, Word
from solver import bridges
from solver.bridges import Bridges, Island, Joins, Span
from solver.bridges.steps import BridgeReasoner
from solver.lattice import Square
from vision.brush import Brush


def _figure(puzzle: Bridges) -> object:
    """The islands without the empty margins, and without the most bridges that a span may carry.

    A picture shows no margins, and how many bridges are allowed only once a span carries that many.
    """
    top, left = _corner(puzzle)
    return {(island.at.row - top, island.at.col - left, island.clue) for island in puzzle.islands}


def _corner(puzzle: Bridges) -> tuple[int, int]:
    return min(island.at.row for island in puzzle.islands), min(island.at.col for island in puzzle.islands)


def _items(islands: Any, joins: Any) -> dict[str, str]:
    """islands: (row, col, clue); joins: (row, col, row, col, bridges). Counted from the topmost and leftmost island."""
    top = min(row for row, _, _ in islands)
    left = min(col for _, col, _ in islands)
    items = {f"cell {row - top},{col - left}": str(clue) for row, col, clue in islands}
    for row_a, col_a, row_b, col_b, count in joins:
        ends = sorted([(row_a - top, col_a - left), (row_b - top, col_b - left)])
        items["bridge " + "-".join(f"{row},{col}" for row, col in ends)] = str(count)
    return items


def _cell(puzzle: Bridges, cell: Square) -> str:
    top, left = _corner(puzzle)
    return f"cell {cell.row - top},{cell.col - left}"


def _of_label(label: Label) -> Items:
    """Windows of Simon Tatham's program, and screens of other programs."""
    if "islands" not in label:
        raise KeyError("islands")
    if "schema" not in label:
        return _items(label["islands"], label["bridges"])
    islands = [(y, x, clue) for x, y, clue in label["islands"]]
    return _items(islands, [(y1, x1, y2, x2, n) for x1, y1, x2, y2, n in label["bridges"]])


def _words(puzzle: Bridges, span: Span, count: int) -> tuple[str, str]:
    where = f"between {square_words(span.a)} and {square_words(span.b)}"
    return where, "one bridge" if count == 1 else f"{count} bridges"


def _told(puzzle: Bridges, placed: Joins, at: Square, word: Word) -> tuple[Bridges, Joins]:
    islands = tuple(Island(at, int(word.symbol)) if one.at == at else one for one in puzzle.islands)
    return replace(puzzle, islands=islands), placed


def _skins() -> Mapping[str, PracticeMaker]:
    from bot.practice.bridges import SKINS, practice

    return {name: partial(practice, skin=name) for name in sorted(SKINS)}


GAME: Game[Bridges, Joins] = Game(
    name="bridges",
    title="Bridges",
    called=r"bridges\b|hashi\b|hashiwokakero",
    looks_like=bridges.looks_like,
    parse=bridges.parse,
    parse_file=bridges.parse_file,
    unparse=bridges.unparse,
    puzzle_json=bridges.puzzle_json,
    solution_json=bridges.solution_json,
    draw=bridges.draw,
    solve=bridges.solve,
    check=bridges.check,
    read=later("vision.readers.bridges.board:read"),
    reread=later("vision.readers.bridges.again:reread"),
    glance=no_glance,
    claim=later("vision.readers.bridges.claim:claim"),
    plan=later("bot.players.bridges:plan"),
    learn=later("bot.players.bridges:learn"),
    taught=later("bot.players.bridges:taught"),
    practice=later("bot.practice.bridges:practice"),
    items=ItemForm(
        lambda puzzle, placed: _items([(*island.at, island.clue) for island in puzzle.islands], placed),
        _cell,
        nothing=lambda puzzle: [],
        of_label=_of_label,
    ),
    brush=Brush(ends=lambda span: (span.a, span.b), draw=later("vision.overlay:parallel_lines")),
    identity=_figure,
    guide=Guide(
        lambda puzzle, answer: BridgeReasoner(puzzle),
        show.show,
        _words,
        # Fewer bridges than there will be are not wrong.
        wrong=lambda placed, right: placed > (right or 0),
    ),
    skins=_skins,
    told=Telling(
        lambda puzzle: tuple(str(clue) for clue in range(1, 4 * puzzle.max_bridges + 1)), _told, entered=False
    ),
)
