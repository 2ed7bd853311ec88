"""Nonograms: what the program knows of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bot.game import Game, ItemForm, Items, Label, PracticeMaker, later
from bot.show import nonogram as show
from bot.show.guide import Guide, square_words
from bot.told import Telling, Word
from solver import nonogram
from solver.answer import Limits
from solver.errors import NoSolution, SearchLimit
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from solver.nonogram.steps import LineReasoner
from vision.brush import Brush

# Another solution is looked for in so many choices of the search.
CHOICES = 200


def _entries(picture: Picture) -> Mapping[Square, str]:
    """Every known cell: `#` or its ink, `.` for a blank."""
    return dict.fromkeys(picture.blank, ".") | dict.fromkeys(picture.filled, "#") | dict(picture.inks)


def _items(rows: Any, cols: Any, lines: Any) -> dict[str, str]:
    """rows, cols: runs of every line; lines: one string per row, `#` filled, `.` blank, `?` neither."""
    items = {}
    for word, clues in (("row", rows), ("col", cols)):
        for nth, runs in enumerate(clues):
            items[f"{word} {nth}"] = " ".join(str(run) for run in runs if run)
    for row, line in enumerate(lines):
        for col, sign in enumerate(line):
            items[f"cell {row},{col}"] = "" if sign == "?" else sign
    return items


def _of_label(label: Label) -> Items:
    """Windows of Simon Tatham's program, and screens of other programs."""
    if "row_clues" in label:
        return _items(label["row_clues"], label["column_clues"], label["cells"])
    if label.get("kind") != "nonogram":
        raise KeyError("row_clues")
    # Here `x` is marked blank, `.` is not marked, `?` cannot be seen.
    lines = [line.translate(str.maketrans("x.", ".?")) for line in label["cells"]]
    items: dict[str, str | None] = dict(_items(label["rows"], label["cols"], lines))
    for row, line in enumerate(label["cells"]):
        items |= {f"cell {row},{col}": None for col, sign in enumerate(line) if sign == "?"}
    return items


def _words(puzzle: Nonogram, at: Square, value: str) -> tuple[str, str]:
    names = {ink.char: ink.name for ink in puzzle.palette.inks} if puzzle.palette else {}
    return f"at {square_words(at)}", "blank" if value == "." else names.get(value, "filled")


def _colours(puzzle: Nonogram) -> Mapping[str, str]:
    """Hexadecimal RGB of every ink."""
    return {ink.char: ink.rgb for ink in puzzle.palette.inks} if puzzle.palette else {}


def _told(puzzle: Nonogram, placed: Picture, at: Square, word: Word) -> tuple[Nonogram, Picture]:
    filled, blank = placed.filled - {at}, placed.blank - {at}
    return puzzle, replace(
        placed,
        filled=filled | {at} if word.symbol == "#" else filled,
        blank=blank | {at} if word.symbol == "." else blank,
    )


def _agreeing(puzzle: Nonogram, placed: Picture, refused: Collection[Square]) -> Nonogram:
    """The puzzle in which filled cells stay so, and those that did not take it are blank."""
    blank = frozenset(refused) - placed.filled
    given = Picture(puzzle.given.filled | placed.filled, puzzle.given.blank | blank)
    return replace(puzzle, given=given)


def _solutions(puzzle: Nonogram) -> Iterator[Picture]:
    """Every solution, as far as the search comes with so many choices for each; they branch where two of them differ."""
    try:
        found = nonogram.solve(puzzle, Limits(choices=CHOICES, unique=True))
    except (NoSolution, SearchLimit):
        return
    differing = found.solution.filled ^ found.second.filled if found.second else frozenset()
    if not differing:
        yield found.solution
        return
    cell, given = min(differing), puzzle.given
    yield from _solutions(replace(puzzle, given=replace(given, filled=given.filled | {cell})))
    yield from _solutions(replace(puzzle, given=replace(given, blank=given.blank | {cell})))


def _skins() -> Mapping[str, PracticeMaker]:
    from bot.practice.nonogram import SKINS, practice

    return {name: partial(practice, skin=name) for name in sorted(SKINS)}


GAME: Game[Nonogram, Picture] = Game(
    name="nonogram",
    title="Nonogram",
    called="nonogram|picross|griddler|hanjie",
    looks_like=nonogram.looks_like,
    parse=nonogram.parse,
    parse_file=nonogram.parse_file,
    unparse=nonogram.unparse,
    puzzle_json=nonogram.puzzle_json,
    solution_json=nonogram.solution_json,
    draw=nonogram.draw,
    solve=nonogram.solve,
    check=nonogram.check,
    glance=later("vision.readers.nonogram.claim:glance"),
    claim=later("vision.readers.nonogram.claim:claim"),
    teach=later("vision.readers.nonogram.teaching:teach"),
    read=later("vision.readers.nonogram.board:read"),
    reread=later("vision.readers.nonogram.again:reread"),
    plan=later("bot.players.nonogram:plan"),
    learn=later("bot.players.nonogram:learn"),
    taught=later("bot.players.nonogram:taught"),
    said=later("bot.players.nonogram:said"),
    needs=later("bot.players.nonogram:what_is_needed"),
    back=later("bot.players.nonogram:back"),
    practice=later("bot.practice.nonogram:practice"),
    items=ItemForm(
        lambda puzzle, placed: _items(puzzle.rows, puzzle.cols, placed),
        nothing=lambda puzzle: ["?" * puzzle.width] * puzzle.height,
        of_label=_of_label,
    ),
    entries=_entries,
    agreeing=_agreeing,
    another=nonogram.picture_switched,
    solutions=_solutions,
    brush=Brush(draw=later("vision.overlay:filled_squares"), colours=_colours),
    guide=Guide(lambda puzzle, answer: LineReasoner(puzzle), show.show, _words, blank="."),
    skins=_skins,
    told=Telling(lambda puzzle: ("#", ".", ""), _told, printed=False),
)
