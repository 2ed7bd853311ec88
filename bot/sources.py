"""What a SOURCE or a TEXT on the command line means: pictures, devices, practice boards, puzzles as text."""

from __future__ import annotations

import glob
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.clock import Clock, SimulatedClock, SystemClock
from bot.devices.base import Device
from bot.devices.image import ImageDevice, load_frame
from bot.errors import DeviceNotFound, WrongUsage
from bot.game import Game
from bot.games import may_be
from bot.messages import log
from bot.wishes import Wishes
from calibration.files import is_file, read_start, read_text
from solver.errors import InvalidPuzzle
from vision.errors import UnreadableImage
from vision.image import is_image
from vision.profile import Profile

if TYPE_CHECKING:
    from bot.devices.practice import Faults

MAX_TEXT_BYTES = 20_000_000
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")

Games = Mapping[str, Game[Any, Any]]


@dataclass(frozen=True)
class Opened:
    """A SOURCE that was opened and shows a board: a saved picture or a live device.

    profile: what to read it with, where the source itself knows (a practice board).
    wishes: what is wanted of the solution.
    hands: what it is played with, which only one run can have: a phone, a display with its one mouse; None where every
        run has its own.
    """

    name: str
    device: Device
    clock: Clock
    profile: Profile | None = None
    game: str | None = None
    live: bool = False
    wishes: Wishes = field(default_factory=Wishes)
    hands: str | None = None


@dataclass(frozen=True)
class Puzzle:
    """A puzzle given as text."""

    name: str
    game: Game[Any, Any]
    puzzle: Any


def expand(arguments: Sequence[str]) -> list[str]:
    """Patterns that the shell left alone become the files they match, folders the pictures in and below them, sorted;
    everything else stays, also a folder without pictures: opening it says so."""
    names: list[str] = []
    for argument in arguments:
        matches = sorted(glob.glob(argument)) if any(sign in argument for sign in "*?[") else []
        for match in matches or [argument]:
            below = _pictures_below(match) if os.path.isdir(match) and not is_live(match) else []
            names.extend(below or [match])
    return names


def _pictures_below(folder: str) -> list[str]:
    """The pictures in a folder and below it, without hidden ones: a Mac leaves ._SHOT.png beside SHOT.png on a stick.

    A folder that may not be looked into stays: opening it says so.
    """
    found: list[str] = []
    for root, folders, files in os.walk(folder, onerror=lambda error: found.append(error.filename)):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        shown = sorted(name for name in files if not name.startswith("."))
        found.extend(os.path.join(root, name) for name in shown if _has_suffix(name))
    return found


def _has_suffix(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in PICTURE_SUFFIXES


def is_live(argument: str) -> bool:
    """Whether a SOURCE names a device.

    The bare word always does: a folder of Android's tools holds a program `adb`, and Windows finds the folder Desktop
    by `desktop`.

    >>> is_live("adb:emulator-5554"), is_live("shot.png")
    (True, False)
    """
    kind, colon, _ = argument.partition(":")
    return kind in ("adb", "desktop", "practice") and not (colon and os.path.exists(argument))


def open_picture(argument: str, games: Games, *, far: bool = False) -> Opened:
    """The device behind a SOURCE. far: whether a phone outside private networks may be dialled.

    Raises UnreadableImage, DeviceNotFound, WrongUsage (unknown game).
    """
    if not is_live(argument):
        if os.path.isdir(argument):
            raise _no_single_picture(argument)
        if not os.path.lexists(argument) and not _has_suffix(argument):
            raise UnreadableImage(
                f"{argument or repr(argument)}: No such file",
                hint="check the file's name; a puzzle as text is for 'boardsight solve' and 'hint'",
            )
        return Opened(argument, ImageDevice([load_frame(Path(argument))]), SimulatedClock())
    kind, _, rest = argument.partition(":")
    if kind == "practice":
        return open_practice(rest, games)
    device, hands = _open_adb(rest or None, far) if kind == "adb" else _open_desktop(rest or None)
    return Opened(argument, device, SystemClock(), live=True, hands=hands)


def _no_single_picture(folder: str) -> UnreadableImage:
    if not os.access(folder, os.R_OK | os.X_OK):
        return UnreadableImage(f"{folder}: may not be looked into", hint="check the folder's rights")
    if _pictures_below(folder):
        return UnreadableImage(
            f"{folder}: a folder, where one picture is wanted", hint="name a picture in it"
        )
    return UnreadableImage(f"{folder}: no picture in this folder", hint="PNG, JPEG, WebP and BMP are read")


def open_practice(
    rest: str, games: Games, faults: Faults | None = None, clock: SimulatedClock | None = None
) -> Opened:
    """The practice board of `GAME[:SEED]`, in simulated time."""
    from bot.devices.practice import PracticeDevice

    name, _, seed_text = rest.partition(":")
    if not name:
        raise WrongUsage(
            "practice: no game is named", hint="for example practice:rings:7; 'boardsight games' lists them"
        )
    seed = _seed(seed_text or "0")
    game = find_game(name, games)
    board = game.practice(random.Random(seed))
    clock = clock or SimulatedClock()
    source = f"practice:{name}:{seed}"
    device = PracticeDevice(board, clock, faults, seed=seed, source=source)
    return Opened(source, device, clock, board.profile, name, live=True)


def find_game(name: str, games: Games) -> Game[Any, Any]:
    """The game of that name. Raises WrongUsage, naming those we have."""
    if name not in games:
        raise WrongUsage(f"no game called {name!r}", hint=f"choose one of: {', '.join(games)}")
    return games[name]


def read_puzzles(argument: str, games: Games, only: str | None = None) -> list[Puzzle]:
    """Every puzzle of a text file, or of the word itself when there is no such file.

    only: the game it must be; None tells it from the form of the text, or from a game's name and a colon in front.
    Raises InvalidPuzzle, UnreadableImage (for a file that cannot be read at all).
    """
    path = Path(argument)
    from_file = is_file(argument)
    text = (_read_text(path) if from_file else argument).replace("\r\n", "\n").replace("\r", "\n")
    if not from_file and _names_a_file(argument):
        raise UnreadableImage(f"{argument}: No such file", hint="check the file's name")
    if not text.strip():
        raise InvalidPuzzle(
            f"{argument or 'the source'}: nothing stands there", hint="give a picture or a puzzle"
        )
    name, colon, rest = text.lstrip().partition(":")
    if colon and name in games and only in (None, name):
        # A game's own notation may begin with such a word, too.
        own = not games[name].looks_like(rest) and games[name].looks_like(text)
        only, text = name, text if own else rest
    game = find_game(only, games) if only else _game_of(text, argument, games)
    try:
        puzzles = game.parse_file(text)
    except InvalidPuzzle as error:
        if not from_file:
            raise
        raise InvalidPuzzle(f"{argument}: {error}", hint=error.hint) from error
    if not puzzles:
        raise InvalidPuzzle(
            f"{argument}: no {game.name} puzzle in it",
            hint=f"'boardsight practice {game.name} --text' shows the form",
        )
    if len(puzzles) == 1:
        return [Puzzle(argument, game, puzzles[0])]
    return [Puzzle(f"{argument}#{nth}", game, puzzle) for nth, puzzle in enumerate(puzzles, start=1)]


def is_seen(argument: str) -> bool:
    """Whether an argument of `solve` is looked at rather than read as a text: a SOURCE, or a folder of pictures."""
    return is_picture(argument) or os.path.isdir(argument)


def is_picture(argument: str) -> bool:
    """Whether an argument of `solve` is a SOURCE rather than a text."""
    if is_live(argument):
        return True
    path = Path(argument)
    if _has_suffix(argument):
        return True
    try:
        return is_image(read_start(path, 16))
    except UnreadableImage:
        return False


def _names_a_file(argument: str) -> bool:
    suffix = Path(argument).suffix.lower()
    return "\n" not in argument and suffix in (".txt", ".json", ".jsonl", ".non", ".xml", ".has")


def _read_text(path: Path) -> str:
    try:
        return read_text(path, MAX_TEXT_BYTES)
    except UnicodeDecodeError as error:
        raise UnreadableImage(
            f"{path}: neither a picture that we open nor text (byte {error.start})",
            hint="give a PNG, JPEG, WebP or BMP picture, or a puzzle as text",
        ) from error


def _game_of(text: str, name: str, games: Games) -> Game[Any, Any]:
    found = [games[name] for name in games if may_be(name, text) and games[name].looks_like(text)]
    if len(found) > 1:
        # Forms alike may still be told apart: a text that is wrong by the rules of a game is not meant for it.
        found = [game for game in found if _parses(game, text)] or found
    if len(found) == 1:
        return found[0]
    if found:
        *first, last = (game.name for game in found)
        names = f"{', '.join(first)} and {last}"
        raise InvalidPuzzle(
            f"{name[:60]}: may be a puzzle of {names}",
            hint=f"write the game and a colon in front, as in {found[0].name}:..., or use --game",
        )
    seen = f"{name[:60]}: neither a file nor a puzzle" if text is name else f"{name}: holds no puzzle"
    raise InvalidPuzzle(
        f"{seen} in a form of {', '.join(games)}",
        hint="check the file's name, or name the game with --game to hear what is wrong with the text",
    )


def _parses(game: Game[Any, Any], text: str) -> bool:
    try:
        return bool(game.parse_file(text))
    except InvalidPuzzle:
        return False


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise WrongUsage(
            f"the seed {text!r} is no whole number", hint="for example practice:rings:7"
        ) from error


def _open_adb(serial: str | None, far: bool) -> tuple[Device, str]:
    from bot.devices.adb import open_adb

    device = open_adb(serial, tell=log.print, far=far)
    return device, f"adb:{device.serial}"


def _open_desktop(title: str | None) -> tuple[Device, str]:
    try:
        from bot.devices.desktop import open_desktop
        from bot.devices.system import desk_name
    except ImportError as error:
        raise DeviceNotFound(
            f"the desktop cannot be used here: {error}", hint="reinstall boardsight"
        ) from error
    return open_desktop(title), f"the desktop {desk_name()}".rstrip()
