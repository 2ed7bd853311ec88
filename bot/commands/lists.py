"""`games`, `profiles`, `practice`: what there is, without a screen."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from bot import sources
from bot.commands.look import measured_games
from bot.commands.options import games_that_begin
from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.messages import log, show, show_rows, show_table, write_file
from bot.practice.base import PracticeBoard
from calibration import store
from vision.image import encode_png


def games() -> None:
    """List the games, and which of them have to learn what their symbols look like."""
    table = Table("game", "title", "profile", box=None)
    for game in GAMES.values():
        table.add_row(game.name, game.title, profile_of(game)[1])
    show_table(table, 160)


def profile_of(game: Game[Any, Any]) -> tuple[bool, str]:
    """Whether a game can be read here, and a word about its profile for people."""
    if game.measured:
        return True, "none needed"
    names = [name for of, name, folder in store.available() if of == game.name and not _shipped(folder)]
    if names:
        return True, ", ".join(names)
    return False, f"needed, and not learned yet: boardsight calibrate {game.name}"


def _shipped(folder: Path | None) -> bool:
    return folder is not None and folder.is_relative_to(store.SHIPPED)


def profiles() -> None:
    """List the profiles: what has been learned of each game's looks."""
    rows = [("game", "profile", "where")]
    for game, name, path in store.available(measured_games()):
        shipped = "comes with boardsight" + (", for practice boards" if path is not None else "")
        rows.append((game, name, shipped if path is None or _shipped(path) else str(path)))
    show_rows(rows)


def practice(
    game: Annotated[str, typer.Argument(help=f"One of: {', '.join(GAMES)}", autocompletion=games_that_begin)],
    seed: Annotated[int, typer.Option("--seed", help="Which board; the same seed gives the same board")] = 0,
    text: Annotated[
        bool, typer.Option("--text", help="Print the puzzle as text, or write it with --out, instead")
    ] = False,
    window: Annotated[
        bool, typer.Option("--window", help="Show the board in a window, to be played by hand or by 'play'")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="File of the picture or text; GAME-SEED.png by default")
    ] = None,
) -> None:
    """Make a practice board: as a picture, as text, or in a window of its own."""
    if window and (text or out):
        raise WrongUsage(
            "--window leaves no picture and no text", hint="leave --window or the other option out"
        )
    chosen = sources.find_game(game, GAMES)
    board = chosen.practice(random.Random(seed))
    if window:
        _in_a_window(chosen, board)
        return
    puzzle = chosen.unparse(board.puzzle)
    if text and out is None:
        show(puzzle)
        return
    path = out or Path(f"{game}-{seed}.png")
    write_file(path, f"{puzzle}\n".encode() if text else encode_png(board.render(0.0)))
    show(str(path))


def _in_a_window(game: Game[Any, Any], board: PracticeBoard) -> None:
    """Show the board, and say how it can be played from elsewhere."""
    from bot.practice.window import show as show_window

    title = f"{game.title} practice"
    call = f"boardsight play 'desktop:{title}' --game {game.name}"

    def opened() -> None:
        log.print("the window is open")
        log.print("play it by hand, or in another terminal:")
        log.print(f"  {call}", soft_wrap=True)

    show_window(board, title, lambda: show("solved"), opened)
