"""`demo`: from capture to a verified end, on practice boards."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from bot import sources
from bot.audience import progress_bar
from bot.commands.options import games_that_begin
from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.messages import DONE, NOT_VERIFIED, log, say, show, status_of, write_file
from bot.play import Outcome
from bot.play import play as play_board
from bot.playing import GOOD, Watcher
from bot.report import page, run_section
from bot.screen import Screen
from solver.errors import BoardsightError
from vision.profile import Profile

# What is told of every game, padded to the longest name and result.
COLUMNS = (
    f"{'game':{max(map(len, GAMES))}}",
    "result  ",
    "cells",
    "actions",
    "repaired",
    "cost",
    "game's time",
    "our time",
)
WIDER = 2


def demo(
    game: Annotated[
        list[str] | None,
        typer.Argument(help=f"Any of: {', '.join(GAMES)}; all by default", autocompletion=games_that_begin),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", help="Which boards; the same seed gives the same boards")
    ] = 1,
    out: Annotated[Path, typer.Option("--out", help="Folder of the HTML report")] = Path("boardsight-demo"),
) -> int:
    """Play one practice board of each game from capture to verified end."""
    chosen = [sources.find_game(name, GAMES) for name in game or GAMES]
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUsage(f"{out}: cannot be made: {error.strerror}", hint="choose another --out") from error
    sections: list[str] = []
    worst = DONE
    log.print(_line(*COLUMNS), style="bold", soft_wrap=True)
    with progress_bar() as progress:
        for one in chosen:
            watcher = Watcher(_bar_of(one, progress))
            began = time.perf_counter()
            try:
                outcome, profile = _play_practice(one, seed, watcher)
            except BoardsightError as error:
                say(error)
                worst = max(worst, status_of(error))
                log.print(_line(one.name, type(error).__name__), soft_wrap=True)
                continue
            if outcome.status not in GOOD:
                worst = max(worst, NOT_VERIFIED)
            sections.append(run_section(one, profile, outcome, watcher.notices))
            told = _line(one.name, *_row(outcome), f"{time.perf_counter() - began:.1f} s")
            log.print(told, soft_wrap=True)
    report = out / "report.html"
    write_file(report, page("boardsight demo", sections).encode())
    log.print("The games' time is simulated: what the boards waited for did not pass. Our time is measured.")
    log.print(
        f"Pictures of every run are in the report; open it in a browser: {report.resolve().as_uri()}",
        soft_wrap=True,
    )
    show(str(report))
    return worst


def _bar_of(game: Game[Any, Any], progress: Progress) -> Callable[[str, int, int | None], None]:
    """A bar for a game's run, to be moved on."""
    task = progress.add_task(game.title, total=None, now="")
    return lambda doing, done, total: progress.update(task, now=doing, completed=done, total=total)


def _play_practice(game: Game[Any, Any], seed: int, watcher: Watcher) -> tuple[Outcome, Profile]:
    picture = sources.open_practice(f"{game.name}:{seed}", GAMES)
    assert picture.profile is not None, "a practice board brings its profile"
    screen = Screen(picture.device, picture.clock)
    return play_board(game, picture.profile, screen, observe=watcher), picture.profile


def _line(*columns: str) -> str:
    """A row of the table, which is shown as soon as it is known."""
    return "".join(
        text.ljust(len(name) + WIDER) for text, name in zip(columns, COLUMNS, strict=False)
    ).rstrip()


def _row(outcome: Outcome) -> tuple[str, ...]:
    found = outcome.answer
    cost = "" if found is None or found.cost is None else str(found.cost)
    figures = (outcome.status, str(outcome.verified), str(outcome.actions), str(outcome.repaired), cost)
    return (*figures, f"{sum(outcome.seconds.values()):.1f} s")
