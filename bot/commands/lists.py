"""`games`, `profiles`, `practice`: what there is, without a screen."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bot import sources
from bot.commands.look import measured_games
from bot.games import GAMES
from bot.messages import show, show_table, write_file
from calibration import store
from vision.image import encode_png


def games() -> None:
    """List the games."""
    table = Table("game", "title", "profiles", box=None)
    known = store.available(measured_games())
    for game in GAMES.values():
        names = [name for of, name, _ in known if of == game.name]
        table.add_row(game.name, game.title, ", ".join(names))
    show_table(table)


def profiles() -> None:
    """List the profiles: what has been learned of each game's looks."""
    table = Table("game", "profile", "where", box=None)
    for game, name, path in store.available(measured_games()):
        table.add_row(game, name, str(path))
    show_table(table)


def practice(
    game: Annotated[str, typer.Argument(help=f"One of: {', '.join(GAMES)}")],
    seed: Annotated[int, typer.Option("--seed", help="Which board; the same seed gives the same board")] = 0,
    text: Annotated[bool, typer.Option("--text", help="Print the puzzle as text instead")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="File of the picture; GAME-SEED.png by default")
    ] = None,
) -> None:
    """Make a practice board and write its picture, or its text."""
    chosen = sources.find_game(game, GAMES)
    board = chosen.practice(random.Random(seed))
    if text:
        show(chosen.unparse(board.puzzle))
        return
    path = out or Path(f"{game}-{seed}.png")
    write_file(path, encode_png(board.render(0.0)))
    show(str(path))
