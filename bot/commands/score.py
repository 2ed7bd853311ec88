"""`score`: how well labelled pictures are read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bot import batch, output, sources
from bot.commands.look import profiles_for
from bot.commands.options import DoneOption, JobsOption, JsonOption, ProfileOption
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.messages import DONE, NOT_VERIFIED, show, show_table
from bot.scorecard import Score, score_of
from bot.scorecard.spoil import SPOILS
from bot.scorecard.truth import labelled_case, labels_below, practice_case


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
    jobs: JobsOption = None,
    done: DoneOption = None,
) -> int:
    """Read labelled pictures and count what was right, doubtful, refused and wrong."""
    names = [name for one in source for name in _names(one, boards)]
    if not names:
        raise WrongUsage(f"no labelled picture in {', '.join(source)}", hint="see docs/reliability.md")
    table: dict[tuple[str, str], Score] = {}
    ways = SPOILS if vary else {}
    for scores in batch.gather(names, ScoreOne(profile, tuple(ways)), batch.Batch(jobs, done)):
        for row in scores:
            table.setdefault((row.game, row.spoil), Score(row.game, row.spoil)).add(row)
    scores = list(table.values())
    if as_json:
        for row in scores:
            show(output.line(row.as_json()))
    else:
        _show(scores)
    return NOT_VERIFIED if any(row.wrong for row in scores) else DONE


def _names(source: str, boards: int) -> list[str]:
    """The labels and practice boards that a SOURCE stands for."""
    kind, _, game = source.partition(":")
    if kind == "practice" and not os.path.exists(source):
        games = [sources.find_game(game, GAMES).name] if game else list(GAMES)
        return [f"practice:{name}:{seed}" for name in games for seed in range(boards)]
    return [str(path) for path in labels_below(Path(source))]


@dataclass(frozen=True)
class ScoreOne:
    """Reads one label's picture, or a practice board, and counts; can be sent to another process."""

    profile: str | None
    ways: tuple[str, ...]

    def __call__(self, name: str, nth: int) -> list[Score]:
        kind, _, rest = name.partition(":")
        if kind == "practice":
            game, _, seed = rest.partition(":")
            case = practice_case(game, int(seed))
        else:
            case = labelled_case(Path(name), profiles_for(self.profile))
        return list(score_of([case], {way: SPOILS[way] for way in self.ways}))


def _show(scores: list[Score]) -> None:
    table = Table("game", "pictures", "shown", "unread", "right", "doubtful", "refused", "wrong", box=None)
    for row in scores:
        counts = (row.pictures, row.unread, row.right, row.doubtful, row.refused, row.wrong)
        table.add_row(row.game, row.spoil, *map(str, counts))
    show_table(table, 120)
    for row in scores:
        for what in row.wrong_items:
            show(f"wrong, {row.spoil}: {what}")
