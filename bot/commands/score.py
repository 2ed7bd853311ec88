"""`score`: how well labelled pictures are read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bot import output, sources
from bot.commands.look import profiles_for
from bot.commands.options import JsonOption, ProfileOption
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.messages import DONE, NOT_VERIFIED, log, plain, show, show_table
from bot.scorecard import Case, Score, score_of
from bot.scorecard.spoil import SPOILS
from bot.scorecard.truth import labelled, practised


def score(
    source: Annotated[
        list[str], typer.Argument(help="Folders of labelled pictures, practice or practice:GAME")
    ],
    profile: ProfileOption = None,
    vary: Annotated[
        bool, typer.Option("--vary", help="Also at other sizes, with noise, other brightness and as JPEG")
    ] = False,
    boards: Annotated[int, typer.Option("--boards", min=1, help="Practice boards per game")] = 3,
    as_json: JsonOption = False,
) -> int:
    """Read labelled pictures and count what was right, doubtful, refused and wrong."""
    cases = chain.from_iterable(_cases(name, profile, boards) for name in source)
    with log.status("reading") as status:
        scores = list(
            score_of(cases, SPOILS if vary else {}, lambda what: status.update(plain(f"reading {what}")))
        )
    if not scores:
        raise WrongUsage(f"no labelled picture in {', '.join(source)}", hint="see docs/reliability.md")
    if as_json:
        for row in scores:
            show(output.line(row.as_json()))
    else:
        _show(scores)
    return NOT_VERIFIED if any(row.wrong for row in scores) else DONE


def _cases(name: str, profile: str | None, boards: int) -> Iterator[Case]:
    kind, _, game = name.partition(":")
    if kind == "practice" and not os.path.exists(name):
        return practised([sources.find_game(game, GAMES).name] if game else list(GAMES), boards)
    return labelled(Path(name), profiles_for(profile))


def _show(scores: list[Score]) -> None:
    table = Table("game", "pictures", "shown", "unread", "right", "doubtful", "refused", "wrong", box=None)
    for row in scores:
        counts = (row.pictures, row.unread, row.right, row.doubtful, row.refused, row.wrong)
        table.add_row(row.game, row.spoil, *map(str, counts))
    show_table(table, 120)
    for row in scores:
        for what in row.wrong_items:
            show(f"wrong, {row.spoil}: {what}")
