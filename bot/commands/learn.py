"""`calibrate` and `learn`: what a game's symbols look like, from its files or from one picture."""

from __future__ import annotations

import sys
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot import sources
from bot.commands.options import games_that_begin
from bot.devices.image import load_frame
from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.messages import DONE, log, named, show, write_file
from calibration import store
from calibration.errors import CalibrationError
from solver.errors import BoardsightError
from vision.errors import VisionError
from vision.frame import Frame
from vision.image import encode_png
from vision.profile import Profile
from vision.reading import State

if TYPE_CHECKING:
    from vision.readers.lessons import Lesson, Named


def calibrate(
    game: Annotated[str, typer.Argument(help=f"One of: {', '.join(GAMES)}", autocompletion=games_that_begin)],
    origin: Annotated[
        list[Path] | None,
        typer.Option(
            "--from", help="Jar, zip, resource pack, folder or screenshot; repeatable, later ones win"
        ),
    ] = None,
    truth: Annotated[
        str | None, typer.Option("--truth", help="Board on the screenshot as text, or a file of it")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Name of the profile")] = "mine",
) -> int:
    """Learn what the symbols look like, from the game's own files or a screenshot."""
    chosen = sources.find_game(game, GAMES)
    if chosen.calibrate is None:
        see = f"see what is found on a screenshot: boardsight read SHOT.png --game {game} --lattice OUT.png"
        teach = f"teach a new skin from a screenshot: boardsight learn SHOT.png --game {game}"
        raise CalibrationError(
            f"{game} is read by measuring and needs no files of the game",
            hint=see if chosen.teach is None else teach,
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
    source: Annotated[str, typer.Argument(help="A picture of a board in the look that is to be learned")],
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="Game on the picture; by default that of --truth")
    ] = None,
    truth: Annotated[
        str | None,
        typer.Option("--truth", help="Board on the picture as text, or a file of it, which names its looks"),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            "--names",
            help="Names of the looks in the order of the sheet, with commas; none for an empty cell, 'placed:X' for an entry",
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Name of the profile")] = "mine",
    sheet: Annotated[
        Path | None, typer.Option("--sheet", help="Write a contact sheet: each look that was found, numbered")
    ] = None,
) -> int:
    """Learn a new look of a game from one picture, by names for what is seen on it."""
    from vision.readers.lessons import sheet as contact_sheet

    if truth is not None and names is not None:
        raise WrongUsage("--truth and --names both name the looks", hint="give one of them")
    if truth is None and game is None:
        raise WrongUsage(
            f"{source}: a look that is not known does not tell its game",
            hint="name it with --game, or with the board: --truth GAME:TEXT",
        )
    told = None if truth is None else sources.read_puzzles(truth, GAMES, game)[0]
    chosen = sources.find_game(game or (told.game.name if told else ""), GAMES)
    if chosen.measured and name == store.DEFAULT:
        raise WrongUsage(
            f"{name} is how {chosen.name} is read without learning", hint="choose another --name"
        )
    lesson, frame = _lesson(source, chosen)
    log.print(f"{source}: {lesson.what}, {len(lesson.groups)} looks")
    if sheet is not None:
        write_file(sheet, encode_png(contact_sheet(lesson.groups)))
    if told is not None:
        by_name = by_board(lesson, told.puzzle)
    elif names is not None:
        by_name = _by_list(lesson, names)
    else:
        by_name = {nth: _ask(nth, lesson) for nth in range(len(lesson.groups))}
    if not any(one.symbol for one in by_name.values()):
        raise WrongUsage("no look has a name", hint="see the looks with --sheet OUT.png, and name them")
    profile = _added(lesson, lesson.profile(name, by_name))
    if chosen.eyes is not None:
        _prove(chosen, frame, profile, source, None if told is None else told.puzzle)
    show(str(store.save(profile)))
    return DONE


def _prove(game: Game[Any, Any], frame: Frame, profile: Profile, source: str, board: Any) -> None:
    """Read the picture with what was learned. Raises CalibrationError where it cannot be, or shows another board.

    board: the one that is told to be on it; None where nobody told.
    """
    hint = "nothing was saved; see the looks with --sheet OUT.png, and compare their names, or --truth, with the picture"
    try:
        read = game.read(frame, profile).puzzle
    except VisionError as error:
        raise CalibrationError(
            f"{source}: not read with what was learned from it: {error}", hint=hint
        ) from error
    if board is not None and game.unparse(read) != game.unparse(board):
        raise CalibrationError(f"{source}: another board is read with what was learned from it", hint=hint)


def _lesson(source: str, chosen: Game[Any, Any]) -> tuple[Lesson, Frame]:
    """What there is to be named on a picture. Raises CalibrationError for a game whose looks no picture teaches."""
    if chosen.teach is None:
        known = [one.name for one in GAMES.values() if one.teach is not None]
        raise CalibrationError(
            f"the looks of {chosen.name} cannot be taught by a picture",
            hint=f"learn is for {', '.join(known)}; for files of a game see 'boardsight calibrate'",
        )
    picture = sources.open_picture(source, GAMES)
    try:
        frame = picture.device.capture()
        return chosen.teach(frame), frame
    except BoardsightError as error:
        raise named(error, source) from error
    finally:
        picture.device.close()


def _added(lesson: Lesson, fresh: Profile) -> Profile:
    """What was learned, with what an earlier picture taught under the same name."""
    known = [one for one in store.candidates(fresh.game, measured=False) if one.name == fresh.name]
    if not lesson.keeps or not known:
        return fresh
    kept = {key: icon for key, icon in known[0].templates.items() if key.startswith(lesson.keeps)}
    return replace(fresh, templates={**kept, **fresh.templates})


def by_board(lesson: Lesson, board: Any) -> dict[int, Named]:
    """The names of the looks by the board on the picture. Raises CalibrationError where one look has two names."""
    from vision.readers.lessons import Named

    told = lesson.told(board)
    named: dict[int, Named] = {}
    for nth, group in enumerate(lesson.groups):
        names = {told[at] for at in group.cells if at in told}
        digits = {one for one in names if one.symbol.isdigit()}
        if names == digits and len({one.state for one in names}) == 1:
            names = {Named("number", next(iter(names)).state)}
        if len(names) > 1:
            both = " and ".join(sorted(f"{one.state} {one.symbol or 'nothing'}" for one in names))
            raise CalibrationError(
                f"cells that look alike are told to be {both}, such as {group.where}",
                hint="compare --truth with the picture: it must be the board on it, with nothing entered",
            )
        if names:
            named[nth] = names.pop()
    return named


def _by_list(lesson: Lesson, names: str) -> dict[int, Named]:
    """The names of the looks in their order. Raises WrongUsage."""
    words = names.split(",")
    if len(words) != len(lesson.groups):
        raise WrongUsage(
            f"{len(words)} names for {len(lesson.groups)} looks",
            hint="see the looks with --sheet OUT.png, and name them in their order",
        )
    named = {}
    for nth, word in enumerate(words):
        state, colon, symbol = word.strip().partition(":")
        named[nth] = _named(lesson, symbol, state) if colon else _named(lesson, word.strip(), "")
    return named


def _named(lesson: Lesson, symbol: str, state: str) -> Named:
    """A name for a look, in the state that goes without saying where none is told. Raises WrongUsage."""
    from vision.readers.lessons import Named

    if symbol and lesson.symbols is not None and symbol not in lesson.symbols:
        near = get_close_matches(symbol, sorted(lesson.symbols), 3) or sorted(lesson.symbols)[:8]
        raise WrongUsage(f"{symbol!r} is no name here", hint=f"names are such as {', '.join(near)}")
    usual: State = "given" if symbol else "free"
    chosen = next((one for one in lesson.states if one == state), usual)
    if state and chosen != state:
        raise WrongUsage(
            f"{state!r} is none of {', '.join(lesson.states) or 'no states'}", hint="begin again"
        )
    return Named(symbol, chosen)


def _ask(nth: int, lesson: Lesson) -> Named:
    """What a person says of a look. Raises WrongUsage where nobody can be asked."""
    if not sys.stdin.isatty():
        raise WrongUsage(
            "nobody can be asked what the looks mean",
            hint="see them with --sheet OUT.png and name them with --names, or tell the board with --truth",
        )
    group = lesson.groups[nth]
    where = f"look {nth + 1}: {len(group.cells)} times, such as {group.where}"
    digits = "" if lesson.symbols is not None else "'number' for digits, "
    symbol = typer.prompt(f"{where}: name ({digits}empty for nothing)", default="", err=True)
    state = ""
    if lesson.states:
        usual = "given" if symbol else "free"
        state = typer.prompt(f"{where}: {', '.join(lesson.states)}", default=usual, err=True)
    return _named(lesson, symbol, state)
