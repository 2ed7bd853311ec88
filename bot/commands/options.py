"""Options that several commands share, alone and in groups."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bot.batch import Batch
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.wishes import Wishes
from vision.frame import Point


def games_that_begin(incomplete: str) -> list[str]:
    """What the Tab key makes of a game's first letters."""
    return [name for name in GAMES if name.startswith(incomplete)]


GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        help=f"Game on the picture: {', '.join(GAMES)}; found out by default",
        autocompletion=games_that_begin,
    ),
]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", "-p", help="Profile to read with; the best-fitting one by default")
]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print JSON, one object a line"),
]
OverlayOption = Annotated[
    Path | None,
    typer.Option("--overlay", help="Write the picture with what was read and solved painted over it"),
]
CornersOption = Annotated[
    str | None,
    typer.Option(
        "--corners",
        help="Corners of an Algemy board on a photograph, px, clockwise from its top left: 'x,y x,y x,y x,y'",
    ),
]


@dataclass(frozen=True)
class ReadOptions:
    """What a board is read as."""

    game: GameOption = None
    profile: ProfileOption = None


@dataclass(frozen=True)
class WishOptions:
    """What a player wants of a solution beside that it is right."""

    disable: Annotated[
        list[str] | None,
        typer.Option("--disable", help="Thaumcraft: an aspect that must not be placed; may be repeated"),
    ] = None
    scarce: Annotated[
        bool,
        typer.Option(
            "--scarce", help="Thaumcraft: aspects of which little is left cost up to ten times as much"
        ),
    ] = False

    def wishes(self) -> Wishes:
        return Wishes(tuple(sorted(set(self.disable or ()))), self.scarce)


@dataclass(frozen=True)
class BatchOptions:
    """How many inputs are worked through."""

    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes; all cores for more than 8 inputs by default"),
    ] = None
    done: Annotated[
        Path | None,
        typer.Option(
            "--done", help="File of the finished inputs: those in it are left out, others are added"
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", help="Dask scheduler that hands the inputs out: tcp://HOST:8786, or 'local'"
        ),
    ] = None

    def batch(self) -> Batch:
        return Batch(self.jobs, self.done, self.cluster)


def corners_of(text: str | None) -> tuple[Point, ...]:
    """The four places of `--corners`; none without it. Raises WrongUsage.

    >>> corners_of("1,2 30,2 30,40 1,41")[2]
    Point(x=30.0, y=40.0)
    """
    if text is None:
        return ()
    number = r"-?\d{1,6}(?:\.\d{1,6})?"
    pairs = [re.fullmatch(rf"({number}),({number})", word) for word in text.split()]
    if len(pairs) != 4 or not all(pairs):
        raise WrongUsage(
            f"--corners {text[:60]!r} are not four places", hint="for example '12,30 95,28 97,110 10,112'"
        )
    places = tuple(Point(float(pair[1]), float(pair[2])) for pair in pairs if pair)
    turns = [
        (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
        for a, b, c in zip(places, places[1:] + places[:1], places[2:] + places[:2], strict=True)
    ]
    if min(turns) <= 0:
        raise WrongUsage(
            f"--corners {text[:60]!r} do not go round a board",
            hint="clockwise, from the corner at its top left",
        )
    return places
