"""`hint`: the next single deduction from what is on the board."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bot import output, sources
from bot.commands.look import look_at, see
from bot.commands.options import GameOption, JsonOption, OverlayOption, ProfileOption, countable
from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.messages import DONE, log, named, say, show, status_of, word_of, write_file
from bot.recognise import Recognised
from bot.show.hints import BY_SEARCH, Hint
from bot.show.hints import hint as find_hint
from bot.show.scene import Moment, Room
from bot.show.terminal import colour_depth, coloured, in_encoding
from bot.show.work import guide_of
from solver.answer import Limits
from solver.errors import BoardsightError, InvalidPuzzle
from vision.frame import Frame
from vision.image import encode_png
from vision.overlay import point_out


def hint(
    source: Annotated[
        str, typer.Argument(help="A picture or device as for read, a puzzle file, or a puzzle as a word")
    ],
    game: GameOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
    overlay: OverlayOption = None,
    limit: Annotated[
        float | None,
        typer.Option("--limit", min=0.0, callback=countable, help="Seconds for the solver; none by default"),
    ] = None,
    live: Annotated[
        bool,
        typer.Option("--live", help="Tell the next step again after each move, until the board is solved"),
    ] = False,
) -> int:
    """Tell the next deduction, or a mark that is wrong; touches nothing."""
    try:
        if live:
            return _follow(source, game, profile, as_json, overlay, Limits(limit))
        if not sources.is_seen(source):
            if overlay:
                raise WrongUsage("--overlay paints over a picture, and this is a text", hint="leave it out")
            puzzles = sources.read_puzzles(source, GAMES, game)
            if len(puzzles) > 1:
                raise InvalidPuzzle(
                    f"{source} holds {len(puzzles)} puzzles", hint="a hint is for one: give its text"
                )
            one = puzzles[0]
            found = find_hint(one.game, one.puzzle, None, Limits(limit))
            _tell(one.game, one.puzzle, None, found, as_json, source)
            return DONE
        seen = see(source, game, profile)
        doubt = seen.doubt(source, "no hint from them; take a clearer picture")
        if doubt is not None:
            raise doubt
        reading, known = seen.reading, seen.found
        found = find_hint(known.game, reading.puzzle, reading.placed, Limits(limit))
        if overlay:
            _paint(seen.frame, known, found, overlay)
        _tell(known.game, reading.puzzle, reading.placed, found, as_json, source)
        return DONE
    except BoardsightError as error:
        if as_json:
            show(output.line({"source": source, "status": word_of(error), "reason": str(error)}))
        say(named(error, source))
        return status_of(error)


def _follow(
    source: str, game: str | None, profile: str | None, as_json: bool, overlay: Path | None, limits: Limits
) -> int:
    """The hints of `--live`, one after the other."""
    from bot.live_hint import follow

    if source.split(":")[0] not in ("desktop", "adb") or not sources.is_live(source):
        raise WrongUsage(
            f"{source}: nobody moves on it, --live would wait for ever",
            hint="give a window or a phone; 'boardsight practice GAME --window' opens a board to try it on",
        )
    picture = sources.open_picture(source, GAMES)

    told = ""

    def tell(frame: Frame, known: Recognised, found: Hint) -> None:
        nonlocal told
        if overlay:
            _paint(frame, known, found, overlay)
        # A player who has moved elsewhere need not read the same sentence once more.
        if as_json or found.why != told:
            _tell(known.game, known.reading.puzzle, known.reading.placed, found, as_json, source)
        told = found.why

    try:
        follow(
            picture.device,
            picture.clock,
            lambda frame: look_at(frame, picture, game, profile),
            tell,
            limits,
            lambda why: log.print(f"waiting: {why}", style="dim"),
        )
    finally:
        picture.device.close()
    return DONE


def _paint(frame: Frame, known: Recognised, found: Hint, overlay: Path) -> None:
    marks = found.focus, found.settled, found.wrong
    painted = point_out(frame, known.reading, known.profile, *marks, known.game.brush)
    write_file(overlay, encode_png(painted))


def _tell(game: Game[Any, Any], puzzle: Any, placed: Any, found: Hint, as_json: bool, source: str) -> None:
    """The hint as a sentence, with the board where there is a terminal, or as JSON."""
    if as_json:
        show(output.line(hint_json(game, found) | {"source": source}))
        return
    if found.step is not None and sys.stdout.isatty():
        moment = Moment(found.step.board, found.step)
        depth = colour_depth(os.environ)
        canvas = guide_of(game).scene(puzzle, moment, Room(100, 200), depth == "none").canvas
        print(in_encoding(f"{coloured(canvas, depth)}\n", sys.stdout))
    for number, sentence in enumerate(found.because, 1):
        show(f"{number}. {sentence}")
    show(f"{len(found.because) + 1}. {found.why}" if found.because else found.why)
    if found.rule:
        log.print(f"{game.title}, rule: {found.rule}", style="dim")


def hint_json(game: Game[Any, Any], found: Hint) -> dict[str, Any]:
    """What `hint --json` says of one board."""
    return {
        "game": game.name,
        "status": found.status,
        "rule": found.rule or None,
        "text": found.why,
        "because": list(found.because),
        "by_search": found.rule == BY_SEARCH,
        "enter": [{"cell": cell.as_json(), "value": value} for cell, value in found.settled.items()],
        "take_back": [{"cell": cell.as_json(), "value": value} for cell, value in found.wrong.items()],
        "look_at": [cell.as_json() for cell in found.focus],
    }
