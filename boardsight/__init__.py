"""boardsight as a library: read a board from a picture, solve it, ask for the next step, play it.

    import boardsight

    board = boardsight.read("shot.png")
    solved = boardsight.solve(board)
    print(solved)

Everything here is also what the command line uses; this module only hands it on. A *source* is what the command line
calls SOURCE (`"shot.png"`, `"adb"`, `"desktop:Bridges"`, `"practice:rings:7"`), a path, or pixels: an array of
(H, W, 3) uint8, BGR, as OpenCV gives it. Errors are `BoardsightError` and its kinds: `str(error)` says what was seen
where, `error.hint` what to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, TypeAlias

from bot import output, sources
from bot.clock import Clock
from bot.commands.look import Seen, look_at
from bot.devices.base import Device
from bot.errors import CaptureFailed, DeviceError, DeviceNotFound, InputFailed, PlayError, Stopped, WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.play import Notice, Options, Outcome
from bot.screen import Glance
from bot.show.hints import Hint
from calibration.errors import CalibrationError, ProfileInvalid, ProfileNotFound
from solver.answer import Answer
from solver.answer import Limits as _Limits
from solver.errors import BoardsightError, InvalidPuzzle, NoSolution, PuzzleError, SearchLimit
from vision.errors import BoardNotFound, UncertainReading, UnreadableImage, VisionError
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.reading import Control, Geometry, Mark, Reading

Source: TypeAlias = "str | PathLike[str] | Pixels | Frame"


@dataclass(frozen=True)
class Solved:
    """A solved puzzle.

    game: whose rules it follows. puzzle: as the game's solver takes it. answer: the solution and what is proved about it.
    """

    game: Game[Any, Any]
    puzzle: Any
    answer: Answer[Any]

    @property
    def solution(self) -> Any:
        """In the game's own type: cells or spans and what goes there."""
        return self.answer.solution

    def entries(self) -> Mapping[Any, Any]:
        """Cell -> value, the same form for every game."""
        return self.game.entries(self.answer.solution)

    def json(self) -> dict[str, Any]:
        """What `boardsight solve --json` says of it."""
        return output.answer_json(self.game, self.puzzle, self.answer)

    def __str__(self) -> str:
        return self.game.draw(self.puzzle, self.answer.solution)


def games() -> tuple[str, ...]:
    """The names of all games, as `game=` takes them."""
    return tuple(GAMES)


def game_of(name: str) -> Game[Any, Any]:
    """All that is known of a game: its rules, notation, reader, practice boards. Raises WrongUsage."""
    return sources.find_game(name, GAMES)


def read(source: Source, *, game: str | None = None, profile: str | None = None) -> Seen:
    """What is on one picture of the source. Nothing is solved, nothing is touched.

    game: the only one it may be; found out where it is left out. profile: the name of the one to read with.
    `.frame` is the picture, `.reading` the board: `puzzle`, `placed`, `marks` (per cell: symbol, confidence, runner-up; a
    symbol of None is in doubt), `geometry` (centres in px of the picture), `confidence`. `.found.game` tells which game.
    Raises BoardNotFound, UncertainReading (a board that cannot be understood), UnreadableImage, DeviceError, WrongUsage,
    ProfileNotFound and ProfileInvalid (for a profile that is named).
    """
    picture = _opened(source)
    try:
        frame = picture.device.capture()
        return Seen(frame, look_at(frame, picture, game, profile), 0.0)
    finally:
        picture.device.close()


def solve(
    what: Source | Seen, *, game: str | None = None, unique: bool = False, limit_s: float | None = None
) -> Solved:
    """The checked solution of a board that was read, of a source, or of a puzzle as text.

    unique: also decide whether it is the only one (`answer.unique`). limit_s: seconds for the solver; none by default.
    Raises like `read` for a source; UncertainReading where cells are in doubt, unless they hold entries alone as a
    nonogram's do; InvalidPuzzle, NoSolution, SearchLimit, WrongUsage.
    """
    from bot.play import answer

    limits = _limits(limit_s, unique)
    known, puzzle, _ = _board(what, game, cells=False)
    return Solved(known, puzzle, answer(known, puzzle, limits))


def hint(what: Source | Seen, *, game: str | None = None, limit_s: float | None = None) -> Hint:
    """The next single deduction from what is on the board, or a mark that is wrong.

    `.why` is one sentence, `.because` what had to be seen before, `.settled` what can be entered, cell -> value.
    Raises like `solve`.
    """
    from bot.show.hints import hint as find_hint

    limits = _limits(limit_s)
    known, puzzle, placed = _board(what, game)
    return find_hint(known, puzzle, placed, limits)


def play(
    source: str | tuple[Device, Clock],
    *,
    game: str | None = None,
    profile: str | None = None,
    options: Options | None = None,
    confirm: Callable[[Any, Any], bool] = lambda look, plan: True,
    observe: Callable[[Notice], None] = lambda notice: None,
) -> Outcome:
    """Play the board of a live source to its verified end. **This moves the mouse or taps the screen.**

    source: "desktop:TITLE", "adb", "practice:GAME"; or a device of your own (`Device`: capture, act, close) and its clock.
    confirm: asked once with the first look and the plan; False ends the run with status "planned".
    observe: hears every `Notice` of the run. `options` holds limits, speed and `dry_run`.
    Raises like `read` and `solve`, and PlayError where the end could not be verified.
    """
    from bot.play import play as play_board
    from bot.screen import Screen

    if isinstance(source, tuple):
        picture = sources.Opened("device", *source, live=True)
    else:
        picture = _opened(source)
    if not picture.live:
        raise WrongUsage(f"{picture.name}: a saved picture cannot be played", hint="solve it instead")
    try:
        found = look_at(picture.device.capture(), picture, game, profile)
        screen = Screen(picture.device, picture.clock)
        return play_board(found.game, found.profile, screen, options, observe, confirm)
    finally:
        picture.device.close()


def _limits(seconds: float | None, unique: bool = False) -> _Limits:
    """Raises WrongUsage for a time that is none."""
    if seconds is not None and not seconds >= 0:
        raise WrongUsage(f"limit_s is {seconds}", hint="give seconds, 0 or more; None for no limit")
    return _Limits(seconds, unique)


def _opened(source: Source) -> sources.Opened:
    if isinstance(source, str | PathLike):
        return sources.open_picture(_name(source), GAMES)
    from bot.clock import SimulatedClock
    from bot.devices.image import ImageDevice

    frame = source if isinstance(source, Frame) else Frame(_pixels(source), source="pixels")
    return sources.Opened(frame.source, ImageDevice([frame]), SimulatedClock())


def _name(source: str | PathLike[str]) -> str:
    """A source as the command line takes it. A path is a file, also where it is called as a device is."""
    name = fspath(source)
    return os.path.join(os.curdir, name) if not isinstance(source, str) and sources.is_live(name) else name


def _pixels(source: Any) -> Pixels:
    """Raises WrongUsage for what is no picture in our form."""
    shape: tuple[int, ...] = getattr(source, "shape", ())
    kind = str(getattr(source, "dtype", type(source).__name__))
    if len(shape) != 3 or shape[2] != 3 or kind != "uint8":
        raise WrongUsage(
            f"a picture is an array of (H, W, 3) uint8, BGR, not {shape} of {kind}",
            hint="cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGR) makes one of RGBA",
        )
    pixels: Pixels = source
    return pixels


def _board(what: Source | Seen, game: str | None, *, cells: bool = True) -> tuple[Game[Any, Any], Any, Any]:
    """Its game, the puzzle, and what has been entered; nothing (None) for a text.

    cells: whether all must be sure, also where the puzzle does not depend on them.
    """
    if isinstance(what, str | PathLike) and not sources.is_seen(_name(what)):
        puzzles = sources.read_puzzles(_name(what), GAMES, game)
        if len(puzzles) > 1:
            raise InvalidPuzzle(
                f"{len(puzzles)} puzzles in one text", hint="give one, or its file to the CLI"
            )
        return puzzles[0].game, puzzles[0].puzzle, None
    seen = what if isinstance(what, Seen) else read(what, game=game)
    if game not in (None, seen.found.game.name):
        raise WrongUsage(
            f"the board was read as {seen.found.game.name}, not {game}", hint="read it anew with that game"
        )
    doubt = (seen.doubt if cells else seen.unsolvable)(seen.frame.source, "take a clearer picture")
    if doubt is not None:
        raise doubt
    return seen.found.game, seen.reading.puzzle, seen.reading.placed


__all__ = [
    "Answer",
    "BoardNotFound",
    "BoardsightError",
    "Box",
    "CalibrationError",
    "CaptureFailed",
    "Clock",
    "Control",
    "Device",
    "DeviceError",
    "DeviceNotFound",
    "Frame",
    "Game",
    "Geometry",
    "Glance",
    "Hint",
    "InputFailed",
    "InvalidPuzzle",
    "Mark",
    "NoSolution",
    "Notice",
    "Options",
    "Outcome",
    "Pixels",
    "PlayError",
    "Point",
    "Profile",
    "ProfileInvalid",
    "ProfileNotFound",
    "PuzzleError",
    "Reading",
    "SearchLimit",
    "Seen",
    "Solved",
    "Source",
    "Stopped",
    "UncertainReading",
    "UnreadableImage",
    "VisionError",
    "WrongUsage",
    "game_of",
    "games",
    "hint",
    "play",
    "read",
    "solve",
]
