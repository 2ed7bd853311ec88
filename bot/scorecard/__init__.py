"""How well boards are read: pictures whose truth is known are read, and every item is right, doubtful, refused or wrong.

An item is a cell, a clue, a bridge or a number in the palette. A doubtful or refused one costs a person a look; a wrong
one would be played, so there must be none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.games import Game
from bot.recognise import read_with_any
from bot.scorecard.items import Items, items_of_reading
from bot.scorecard.spoil import SPOILS, Spoil
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile

AS_IT_IS = "as it is"


@dataclass(frozen=True, eq=False)
class Case:
    """A picture and what is on it.

    items: name -> value; None for one that nobody knows. None as a whole: there is no board of the game.
    profiles: what to read it with.
    """

    name: str
    game: Game[Any, Any]
    pixels: Pixels
    items: Items | None
    profiles: Sequence[Profile]


@dataclass
class Score:
    """Counts for one game and one way of spoiling its pictures.

    pictures, unread: pictures shown, and those that were refused as a whole.
    wrong_items: the first few, in words.
    """

    game: str
    spoil: str
    pictures: int = 0
    unread: int = 0
    right: int = 0
    doubtful: int = 0
    refused: int = 0
    wrong: int = 0
    wrong_items: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


def score_of(
    cases: Iterable[Case],
    spoils: Mapping[str, Spoil] = SPOILS,
    observe: Callable[[str], None] = lambda what: None,
) -> Iterator[Score]:
    """Read every case as it is and in every way of `spoils`; one score per game and way, in this order."""
    table: dict[tuple[str, str], Score] = {}
    ways: dict[str, Spoil] = {AS_IT_IS: lambda pixels: pixels, **spoils}
    for case in cases:
        for way, change in ways.items():
            row = table.setdefault((case.game.name, way), Score(case.game.name, way))
            observe(f"{case.name}, {way}")
            _count(row, case, change(case.pixels))
    yield from table.values()


def _count(row: Score, case: Case, pixels: Pixels) -> None:
    row.pictures += 1
    try:
        found = read_with_any(Frame(pixels, source=case.name), case.game, case.profiles)
    except VisionError:
        row.unread += 1
        row.right += case.items is None
        row.refused += len(case.items or ())
        return
    if case.items is None:
        _wrong(row, case, "a board where there is none")
        return
    seen = items_of_reading(case.game, found.reading)
    for name, true in case.items.items():
        # An entry of the palette that the reader cannot name is left out of the palette.
        told = seen.get(name, None if _kind(name) == "palette" else "nothing")
        if told is None:
            row.doubtful += 1
        elif true is None or told == true:
            row.right += 1
        else:
            _wrong(row, case, f"{name} is {true!r}, read as {told!r}")
    kinds = {_kind(name) for name in case.items}
    for name in seen.keys() - case.items.keys():
        if _kind(name) in kinds and seen[name] is not None:
            _wrong(row, case, f"{name} is not there, read as {seen[name]!r}")


def _kind(name: str) -> str:
    return name.split(" ", 1)[0]


def _wrong(row: Score, case: Case, what: str) -> None:
    row.wrong += 1
    if len(row.wrong_items) < 5:
        row.wrong_items.append(f"{case.name}: {what}")
