"""`score`: how well labelled pictures are read."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from bot import batch, output, sources
from bot.commands.look import profiles_for
from bot.commands.options import BatchOptions, JsonOption, ProfileOption
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.messages import DONE, NOT_VERIFIED, log, show, show_table
from bot.scorecard import Score, score_of
from bot.scorecard.spoil import SPOILS
from bot.scorecard.truth import files_of, labelled_case, labels_below, practice_case
from calibration.files import read_text

# At most 1 in 1,000 of the cells told with this confidence may be wrong.
SURE = 0.9
MOST_TABLE_BYTES = 500_000_000


def score(
    source: Annotated[
        list[str], typer.Argument(help="Folders of labelled pictures, practice or practice:GAME")
    ],
    many: BatchOptions,
    profile: ProfileOption = None,
    vary: Annotated[
        bool,
        typer.Option(
            "--vary",
            help="Read each picture also at other sizes, with noise, in other brightness and as JPEG",
        ),
    ] = False,
    boards: Annotated[int, typer.Option("--boards", min=1, help="Practice boards per game")] = 3,
    calibration: Annotated[
        bool,
        typer.Option(
            "--calibration", help="Compare claimed confidence with the share of cells that is right"
        ),
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option("--against", help="Name what has changed since this earlier --json output"),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Read labelled pictures and count what was right, doubtful, refused and wrong."""
    with output.refusals(as_json):
        scores, moved = _counted(
            source,
            boards,
            ScoreOne(profile, tuple(SPOILS if vary else ())),
            against,
            many.batch(),
        )
    if as_json:
        for row in scores:
            show(output.line(row.as_json()))
    else:
        _show(scores)
        if calibration:
            _show_claims(scores)
    for line in moved:
        log.print(line, markup=False)
    worse = any(row.wrong for row in scores) or any(line.startswith("worse") for line in moved)
    return NOT_VERIFIED if worse else DONE


def _counted(
    source: list[str], boards: int, one: ScoreOne, against: Path | None, work: batch.Batch
) -> tuple[list[Score], list[str]]:
    """What was counted for every game and way, and in words what came out otherwise than in an earlier table."""
    names = [name for place in source for name in _names(place, boards)]
    if not names:
        raise WrongUsage(
            f"no labelled picture in {', '.join(source)}",
            hint="a label is NAME.json beside NAME.png: what 'boardsight read --json' prints, checked by a person",
        )
    before = earlier(against) if against else {}
    table: dict[tuple[str, str], Score] = {}
    for scores in batch.gather(names, one, work, files_of):
        for row in scores:
            table.setdefault((row.game, row.spoil), Score(row.game, row.spoil)).add(row)
    rows = list(table.values())
    moved = [line for row in rows for line in moved_items(before.get((row.game, row.spoil), {}), row)]
    return rows, moved


def earlier(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """What an earlier `score --json` told, by game and way. Raises WrongUsage, and UnreadableImage for what is no file."""
    try:
        lines = read_text(path, MOST_TABLE_BYTES).splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        return {(row["game"], row["spoil"]): row["told"] for row in rows}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WrongUsage(
            f"{path}: not written by score --json: {error}",
            hint="write one with: boardsight score FOLDER --json > FILE",
        ) from error


def moved_items(before: dict[str, Any], now: Score) -> list[str]:
    """In words, picture by picture, what was told otherwise before; what was right and is no more begins with "worse"."""
    lines = []
    for name, told in now.told.items():
        old = before.get(name)
        if old is None:
            continue
        where = f"{name}, {now.spoil}"
        if told.refused and not old["refused"]:
            lines.append(f"worse: {where}: refused now: {told.refused}")
        elif old["refused"] and not told.refused:
            lines.append(f"better: {where}: read now")
        elif not told.refused:
            lost = {*told.wrong, *told.doubtful} - {*old["wrong"], *old["doubtful"]}
            won = {*old["wrong"], *old["doubtful"]} - {*told.wrong, *told.doubtful}
            lines += [f"worse: {where}: {item} was right" for item in sorted(lost)]
            lines += [f"better: {where}: {item} is right" for item in sorted(won)]
    return lines


def _show_claims(scores: list[Score]) -> None:
    """The reliability table: how often cells were right, by the confidence they were told with."""
    total: dict[float, list[int]] = {}
    for row in scores:
        for step, counts in row.claimed.items():
            known = total.setdefault(float(step), [0, 0])
            known[0], known[1] = known[0] + counts[0], known[1] + counts[1]
    table = Table("confidence", "cells", "right", "wrong", "share right", box=None)
    for step, (right, wrong) in sorted(total.items()):
        share = f"{right / max(1, right + wrong):.4f}"
        table.add_row(f"{step:.2f} and more", str(right + wrong), str(right), str(wrong), share)
    show_table(table, 120)
    sure = [counts for step, counts in total.items() if step >= SURE]
    right, wrong = (sum(counts[way] for counts in sure) for way in (0, 1))
    show(f"told with {SURE} and more: {right + wrong} cells, {wrong} of them wrong")


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
