"""Algemy: what the program knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bot.game import Game, ItemForm, Items, Label, PracticeMaker, later
from bot.show import algemy as show
from bot.show.guide import Guide
from bot.told import Telling, Word
from solver import algemy
from solver.algemy import Algemy, Solution
from solver.algemy.board import COLOUR_NAMES, EMPTY, AlgemyCell
from solver.algemy.steps import reasoner


def _items(puzzle: Algemy, placed: Any) -> dict[str, str]:
    items = {}
    for row, line in enumerate(placed):
        for col, sign in enumerate(line.split() if " " in line else line):
            crystal = puzzle.rows[row][col]
            free = "" if sign in ".-" else sign
            items[f"cell {row},{col}"] = free if sign != "*" else crystal
    return items


def _cell(puzzle: Algemy, cell: AlgemyCell) -> str:
    row, col = puzzle.place(cell)
    return f"cell {row},{col}"


def _of_label(label: Label) -> Items | None:
    if not any("content" in cell for cell in label.get("cells", ())):
        raise KeyError("content")
    if label.get("state") == "menu":
        return None
    return {f"cell {cell['row']},{cell['col']}": cell["content"].partition(":")[2] for cell in label["cells"]}


def _words(puzzle: Algemy, cell: AlgemyCell, colour: str) -> tuple[str, str]:
    return f"at {puzzle.name(cell)}", f"a {COLOUR_NAMES[colour]} source"


def _told(puzzle: Algemy, placed: Solution, cell: AlgemyCell, word: Word) -> tuple[Algemy, Solution]:
    others = {at: what for at, what in placed.items() if at != cell}
    if word.printed:
        rows = tuple(
            "".join(
                (word.symbol or EMPTY) if puzzle.cell(row, col) == cell else letter
                for col, letter in enumerate(text)
            )
            for row, text in enumerate(puzzle.rows)
        )
        return replace(puzzle, rows=rows), others
    return puzzle, {**others, cell: word.symbol} if word.symbol else others


def _skins() -> Mapping[str, PracticeMaker]:
    from bot.practice.algemy import practice

    return {shape: partial(practice, shape=shape) for shape in ("hex", "square")}


GAME: Game[Algemy, Solution] = Game(
    name="algemy",
    title="Algemy",
    looks_like=algemy.looks_like,
    parse=algemy.parse,
    parse_file=algemy.parse_file,
    unparse=algemy.unparse,
    puzzle_json=algemy.puzzle_json,
    solution_json=algemy.solution_json,
    draw=algemy.draw,
    solve=algemy.solve,
    check=algemy.check,
    claim=later("vision.readers.algemy.claim:claim"),
    read=later("vision.readers.algemy.board:read"),
    reread=later("vision.readers.algemy.again:reread"),
    plan=later("bot.players.algemy:plan"),
    uncover=later("bot.players.algemy:uncover"),
    onward=later("bot.players.algemy:onward"),
    learns=True,
    practice=later("bot.practice.algemy:practice"),
    items=ItemForm(
        _items,
        _cell,
        nothing=lambda puzzle: [" ".join("*" if sign != "-" else "." for sign in row) for row in puzzle.rows],
        of_label=_of_label,
    ),
    identity=lambda puzzle: (puzzle.shape, puzzle.rows),
    guide=Guide(lambda puzzle, answer: reasoner(puzzle, answer.solution), show.show, _words),
    skins=_skins,
    told=Telling(lambda puzzle: ("", *COLOUR_NAMES), _told),
    photographed=True,
)
