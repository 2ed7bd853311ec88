"""Rings: what the program knows of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bot.game import Game, ItemForm, PracticeMaker, later, no_glance
from bot.show import rings as show
from bot.show.guide import Guide
from bot.told import Telling, Word
from solver import rings
from solver.lattice import Region
from solver.rings import Entries, Rings
from solver.rings.steps import RingReasoner


def _items(puzzle: Rings, placed: Any) -> dict[str, str]:
    items = {f"ring {ring.name}": str(ring.target) for ring in puzzle.rings}
    for place in puzzle.places:
        value = place.value if place.value is not None else placed.get(str(place.region), "")
        items[f"cell {place.region}"] = str(value)
    return items


def _told(puzzle: Rings, placed: Entries, region: Region, word: Word) -> tuple[Rings, Entries]:
    value = int(word.symbol) if word.symbol else None
    if word.printed:
        places = tuple(replace(one, value=value) if one.region == region else one for one in puzzle.places)
        return replace(puzzle, places=places), placed
    others = {at: entry for at, entry in placed.items() if at != region}
    return puzzle, others if value is None else {**others, region: value}


def _skins() -> Mapping[str, PracticeMaker]:
    from bot.practice.rings import practice
    from bot.practice.rings.drawing import SKINS

    return {name: partial(practice, skin=name) for name in sorted(SKINS)}


GAME: Game[Rings, Entries] = Game(
    name="rings",
    title="Rings",
    looks_like=rings.looks_like,
    parse=rings.parse,
    parse_file=rings.parse_file,
    unparse=rings.unparse,
    puzzle_json=rings.puzzle_json,
    solution_json=rings.solution_json,
    draw=rings.draw,
    solve=rings.solve,
    check=rings.check,
    read=later("vision.readers.rings.board:read"),
    glance=no_glance,
    claim=later("vision.readers.rings.claim:claim"),
    reread=later("vision.readers.rings.again:reread"),
    plan=later("bot.players.rings:plan"),
    practice=later("bot.practice.rings:practice"),
    items=ItemForm(_items, lambda puzzle, region: f"cell {region}"),
    guide=Guide(
        lambda puzzle, answer: RingReasoner(puzzle),
        show.show,
        lambda puzzle, region, number: (f"in region {region}", f"the {number}"),
    ),
    skins=_skins,
    told=Telling(lambda puzzle: ("", *sorted({str(number) for number in puzzle.numbers}, key=int)), _told),
)
