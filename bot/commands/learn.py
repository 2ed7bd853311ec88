"""`calibrate` and `learn`: what a game's symbols look like, from its files or from one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bot import sources
from bot.devices.image import load_frame
from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.messages import DONE, log, show, write_file
from calibration import store
from calibration.errors import CalibrationError
from solver.lattice import Square
from vision.errors import BoardNotFound
from vision.image import encode_png
from vision.profile import Profile


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
        see = f"see what is found on a screenshot: boardsight read SHOT.png --game {game} --lattice OUT.png"
        teach = f"teach a new skin from a screenshot: boardsight learn SHOT.png --game {game}"
        raise CalibrationError(
            f"{game} is read by measuring and needs no files of the game",
            hint=teach if _taught(chosen) else see,
        )
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
    log.print(
        f"next: open the board and run 'boardsight read desktop:TITLE --game {game}', or 'boardsight window'; "
        "'boardsight devices' lists the titles",
        soft_wrap=True,
    )
    return DONE


def learn(
    source: Annotated[str, typer.Argument(help="A picture of a board in the skin that is to be learned")],
    game: Annotated[str, typer.Option("--game", "-g", help="Game on the picture")],
    truth: Annotated[
        str | None,
        typer.Option(
            "--truth", help="Board on the picture as text, or a file of it; else each look is asked for"
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Name of the profile; 'mine' by default")] = "mine",
    sheet: Annotated[
        Path | None, typer.Option("--sheet", help="Write a contact sheet: one cell of each look, numbered")
    ] = None,
) -> int:
    """Learn a new skin of a game from one picture, by names for the cells that look alike."""
    from vision.readers.lessons import Named, groups, lesson
    from vision.readers.lessons import sheet as contact_sheet
    from vision.scene import scene_of

    chosen = sources.find_game(game, GAMES)
    if chosen.eyes is None or not _taught(chosen):
        known = [one.name for one in GAMES.values() if _taught(one)]
        raise CalibrationError(
            f"the looks of {game} are not taught cell by cell",
            hint=f"learn is for {', '.join(known)}; for files of a game see 'boardsight calibrate'",
        )
    picture = sources.open_picture(source, GAMES)
    try:
        scene = scene_of(picture.device.capture())
    finally:
        picture.device.close()
    grids = scene.grids() or tuple(chosen.eyes.lattices(scene) if chosen.eyes.lattices else ())
    if not grids:
        raise BoardNotFound(
            f"{source}: no lattice of cells", hint="crop the picture to the board, or take a larger one"
        )
    found = groups(scene, grids[0], chosen.eyes)
    log.print(f"{source}: {grids[0].cols} x {grids[0].rows} cells in {len(found)} looks")
    if sheet is not None:
        write_file(sheet, encode_png(contact_sheet(found)))
    if truth is None:
        named = {nth: _ask(nth, one, chosen) for nth, one in enumerate(found)}
    else:
        told = _told(
            chosen, sources.read_puzzles(truth, GAMES, game)[0].puzzle, (grids[0].rows, grids[0].cols)
        )
        named = {}
        for nth, group in enumerate(found):
            names = {told[at] for at in group.cells}
            digits = {one for one in names if one.symbol.isdigit()}
            if names == digits and len({one.state for one in names}) == 1:
                names = {Named("number", next(iter(names)).state)}
            if len(names) > 1:
                both = " and ".join(sorted(f"{one.state} {one.symbol or 'nothing'}" for one in names))
                at = group.cells[0]
                raise CalibrationError(
                    f"cells that look alike are told to be {both}, such as row {at.row + 1}, column {at.col + 1}",
                    hint="compare --truth with the picture: it must be the board on it, with nothing entered",
                )
            named[nth] = names.pop()
    profile = lesson(Profile(chosen.name, name), named, found)
    show(str(store.save(profile)))
    return DONE


def _taught(game: Game[Any, Any]) -> bool:
    """Whether the looks of a game's cells are taught: they are declared, and nothing but looks tells what a cell holds."""
    return game.eyes is not None and game.eyes.tell is None


def _told(game: Game[Any, Any], board: Any, size: tuple[int, int]) -> dict[Square, Any]:
    """What each cell of an untouched board shows. Raises CalibrationError for a board of another size."""
    from vision.readers.lessons import Named

    if (board.height, board.width) != size:
        raise CalibrationError(
            f"the picture has {size[1]} x {size[0]} cells, --truth has {board.width} x {board.height}",
            hint="give the board that is on this very picture",
        )
    return {
        at: Named(board.given[at], "given") if at in board.given else Named("", "free")
        for at in board.squares
    }


def _ask(nth: int, group: Any, game: Game[Any, Any]) -> Any:
    """What a person says of a look. Raises WrongUsage where nobody can be asked."""
    import sys

    from vision.readers.lessons import STATES, Named

    if not sys.stdin.isatty():
        raise WrongUsage(
            "nobody can be asked what the looks mean", hint="tell the board with --truth, or use a terminal"
        )
    at = group.cells[0]
    where = f"look {nth + 1}: {len(group.cells)} cells, such as row {at.row + 1}, column {at.col + 1}"
    symbol = typer.prompt(f"{where}: symbol ('number' for digits, empty for nothing)", default="", err=True)
    state = typer.prompt(f"{where}: {', '.join(STATES)}", default="free" if not symbol else "given", err=True)
    if state not in STATES:
        raise WrongUsage(f"{state!r} is none of {', '.join(STATES)}", hint="begin again")
    return Named(symbol, state)
