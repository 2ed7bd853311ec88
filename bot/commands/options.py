"""Options that several commands share, alone and in groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bot.batch import Batch
from bot.games import GAMES
from bot.wishes import Wishes

# The system's alarms count no more seconds than this by far.
MOST_TIME = 1e9


def games_that_begin(incomplete: str) -> list[str]:
    """What the Tab key makes of a game's first letters."""
    return [name for name in GAMES if name.startswith(incomplete)]


def countable(time: float | None) -> float | None:
    """A time that a clock can count: neither "nan" nor "inf", which are numbers as well."""
    if time is not None and not time <= MOST_TIME:
        raise typer.BadParameter(f"{time:g} is no time that can be counted")
    return time


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
