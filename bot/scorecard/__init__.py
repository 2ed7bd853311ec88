"""How well boards are read: pictures whose truth is known are read, and every item is right, doubtful, refused or wrong.

An item is a cell, a clue, a bridge or a number in the palette. A doubtful or refused one costs a person a look; a wrong
one would be played, so there must be none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.game import Game, Items
from bot.recognise import read_with_any
from bot.scorecard.items import items_of_reading
from bot.scorecard.spoil import SPOILS, Spoil
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.reading import Reading

AS_IT_IS = "as it is"
CONFIDENCE_STEP = 0.05
# So many wrong items are named in words.
WRONG_NAMED = 5


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
class Told:
    """What came of one picture's items; those that are named nowhere were right.

    refused: nothing was read; why, in words.
    """

    right: int = 0
    doubtful: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    refused: str = ""


@dataclass
class Score:
    """Counts for one game and one way of spoiling its pictures.

    pictures, unread: pictures shown, and those that were refused as a whole.
    wrong_items: the first few, in words.
    told: picture -> what came of its items.
    claimed: confidence of a cell, in steps of CONFIDENCE_STEP -> how many such cells were right, and wrong.
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
    told: dict[str, Told] = field(default_factory=dict)
    claimed: dict[float, list[int]] = field(default_factory=dict)

    def add(self, other: Score) -> None:
        """Count the pictures of another score of the same game and way as well."""
        for name in ("pictures", "unread", "right", "doubtful", "refused", "wrong"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong_items = (self.wrong_items + other.wrong_items)[:WRONG_NAMED]
        self.told |= other.told
        for step, (right, wrong) in other.claimed.items():
            counts = self.claimed.setdefault(step, [0, 0])
            counts[0] += right
            counts[1] += wrong

    def as_json(self) -> dict[str, Any]:
        return vars(self) | {"told": {name: vars(told) for name, told in self.told.items()}}


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
    told = row.told.setdefault(case.name, Told())
    try:
        found = read_with_any(Frame(pixels, source=case.name), case.game, case.profiles)
    except VisionError as error:
        row.unread += 1
        row.right += case.items is None
        row.refused += len(case.items or ())
        told.refused = str(error)
        return
    if case.items is None:
        _wrong(row, case, "board", "a board where there is none")
        return
    seen = items_of_reading(case.game, found.reading)
    for name, true in case.items.items():
        # An entry of the palette that the reader cannot name is left out of the palette.
        value = seen.get(name, None if _kind(name) == "palette" else "nothing")
        if value is None:
            row.doubtful += 1
            told.doubtful.append(name)
        elif true is None or value == true:
            row.right += 1
            told.right += 1
        else:
            _wrong(row, case, name, f"{name} is {true!r}, read as {value!r}")
    kinds = {_kind(name) for name in case.items}
    for name in seen.keys() - case.items.keys():
        if _kind(name) in kinds and seen[name] is not None:
            _wrong(row, case, name, f"{name} is not there, read as {seen[name]!r}")
    _count_claims(row, case, found.reading, seen)


def _count_claims(row: Score, case: Case, reading: Reading[Any, Any], seen: Items) -> None:
    """How sure the reader was of the cells that it named, and whether it was right."""
    for cell, mark in reading.marks.items():
        name = case.game.items.cell(reading.puzzle, cell)
        true = (case.items or {}).get(name, "nothing")
        if mark.symbol is not None and true is not None:
            step = round(mark.confidence // CONFIDENCE_STEP * CONFIDENCE_STEP, 2)
            counts = row.claimed.setdefault(step, [0, 0])
            counts[seen.get(name, "nothing") != true] += 1


def _kind(name: str) -> str:
    return name.split(" ", 1)[0]


def _wrong(row: Score, case: Case, item: str, what: str) -> None:
    row.wrong += 1
    row.told[case.name].wrong.append(item)
    if len(row.wrong_items) < WRONG_NAMED:
        row.wrong_items.append(f"{case.name}: {what}")
