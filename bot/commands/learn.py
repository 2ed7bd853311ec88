"""`calibrate`: learn what a game's symbols look like."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot import sources
from bot.devices.image import load_frame
from bot.games import GAMES
from bot.messages import DONE, log, show
from calibration import store
from calibration.errors import CalibrationError


def calibrate(
    game: Annotated[str, typer.Argument(help=f"One of: {', '.join(GAMES)}")],
    origin: Annotated[
        list[Path] | None,
        typer.Option(
            "--from", help="Jar, zip, resource pack, folder or screenshot; repeatable, later ones win"
        ),
    ] = None,
    truth: Annotated[
        str | None, typer.Option("--truth", help="Board on the screenshot as text, or a file of it")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Name of the profile; 'mine' by default")] = "mine",
) -> int:
    """Learn what the symbols look like, from the game's own files or a screenshot."""
    chosen = sources.find_game(game, GAMES)
    if chosen.calibrate is None:
        raise CalibrationError(f"{game} is read by measuring and needs no calibration", hint="just use it")
    pictures = [path for path in origin or () if sources.is_picture(str(path))]
    files = [path for path in origin or () if path not in pictures]
    if pictures and truth is None:
        raise CalibrationError(
            f"{pictures[0]} is a screenshot, and what is on it is not told", hint="add --truth with the board"
        )
    if truth is not None and not pictures:
        raise CalibrationError(
            "--truth tells the board of a screenshot", hint="add --from with the screenshot"
        )
    note = None if truth is None else sources.read_puzzles(truth, GAMES, game)[0].puzzle
    frames = [load_frame(path) for path in pictures]
    profile, review = chosen.calibrate(files, frames, note, name, store.candidates(game, measured=False))
    for line in review:
        log.print(line)
    show(str(store.save(profile)))
    return DONE
