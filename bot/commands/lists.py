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
from bot.messages import log, show, show_table, write_file
from bot.practice.base import PracticeBoard
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
    window: Annotated[
        bool, typer.Option("--window", help="Show the board in a window, to be played by hand or by 'play'")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="File of the picture; GAME-SEED.png by default")
    ] = None,
) -> None:
    """Make a practice board: as a picture, as text, or in a window of its own."""
    chosen = sources.find_game(game, GAMES)
    board = chosen.practice(random.Random(seed))
    if text:
        show(chosen.unparse(board.puzzle))
        return
    if window:
        _in_a_window(chosen.title, board)
        return
    path = out or Path(f"{game}-{seed}.png")
    write_file(path, encode_png(board.render(0.0)))
    show(str(path))


def _in_a_window(game: str, board: PracticeBoard) -> None:
    """Show the board, and say how it can be played from elsewhere."""
    from bot.practice.window import show as show_window

    title = f"{game} practice"
    with_profile = ""
    if board.profile.templates:
        store.save(board.profile)
        with_profile = f" --profile {board.profile.name}"
    call = f"boardsight play 'desktop:{title}'{with_profile}"
    log.print("play it by hand, or in another terminal:")
    log.print(f"  {call}", soft_wrap=True)
    show_window(board, title, lambda: show("solved"), lambda: log.print("the window is open"))
