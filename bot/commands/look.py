"""`read` and `solve`: look at pictures and puzzles, touch nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bot import batch, output, patience, sources
from bot.commands.options import (
    BatchOptions,
    JsonOption,
    OverlayOption,
    ReadOptions,
)
from bot.game import Game
from bot.games import GAMES
from bot.messages import (
    DONE,
    DOUBT,
    log,
    show,
    write_file,
)
from bot.play import to_enter
from bot.recognise import DOUBTED, Recognised, read_with_any, recognise
from bot.wishes import Wishes
from calibration import store
from calibration.errors import ProfileNotFound
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame
from vision.image import encode_png
from vision.profile import Profile
from vision.reading import Reading

# No board of any game has room in less.
LEAST_SIDE_PX = 12


def profiles_for(only: str | None) -> Callable[[str], Sequence[Profile]]:
    """The profiles to try for a game: the one named, or all there are."""

    def find(game: str) -> Sequence[Profile]:
        measured = GAMES[game].measured
        if only:
            return [store.load(game, only, measured=measured)]
        return store.candidates(game, measured=measured)

    return find


def measured_games() -> list[str]:
    """The games that are read without any profile made before."""
    return [name for name, game in GAMES.items() if game.measured]


def look_at(frame: Frame, picture: sources.Opened, game: str | None, profile: str | None) -> Recognised:
    """What is on a frame."""
    if min(frame.size) < LEAST_SIDE_PX:
        raise BoardNotFound(
            f"the picture is only {frame.size[0]} x {frame.size[1]} px", hint=BoardNotFound.usual_hint
        )
    name = game or picture.game
    wishes = picture.wishes
    if picture.profile is not None and profile is None:
        one = sources.find_game(name or "", GAMES)
        return read_with_any(frame, one, [wishes.with_profile(one, picture.profile)])
    games = {name: sources.find_game(name, GAMES)} if name else _games_with(profile)
    if wishes and name is None:
        # Only games in which there is something to choose can be meant.
        games = {known: one for known, one in games.items() if one.desires is not None}
    find = profiles_for(profile)
    return recognise(
        frame, games, lambda one: [wishes.with_profile(games[one], known) for known in find(one)]
    )


@dataclass(frozen=True)
class Seen:
    """One look at a SOURCE: its picture, what is on it, and the seconds of finding out which game and of reading it."""

    frame: Frame
    found: Recognised
    locate_s: float

    @property
    def reading(self) -> Reading[Any, Any]:
        return self.found.reading

    def json(self, name: str) -> dict[str, Any]:
        """What `read --json` says of it."""
        return output.reading_json(self.frame, self.found, self.locate_s, self.found.read_s) | {
            "source": name
        }

    def painted(self, solution: Any = None) -> bytes:
        """The picture with what was read on it, as PNG."""
        from vision.overlay import paint

        game, reading = self.found.game, self.reading
        enter = {} if solution is None else to_enter(game, reading.placed, solution)
        return encode_png(paint(self.frame, reading, self.found.profile, enter, game.brush))

    def unsolvable(self, name: str, hint: str) -> UncertainReading | None:
        """The error of cells in doubt that may change the puzzle; None where a solution needs none of them.

        Where many are in doubt the board itself may not be what it was taken for.
        """
        few = len(self.reading.doubtful) <= DOUBTED * len(self.reading.marks)
        return None if few and self.found.game.clued_beside else self.doubt(name, hint)

    def doubt(self, name: str, hint: str) -> UncertainReading | None:
        """The error of cells in doubt, None where there are none."""
        if not self.reading.doubtful:
            return None
        return UncertainReading.of(
            self.reading.doubtful, hint=self.reading.advice or hint, where=name, name=self.reading.name
        )


def see(
    name: str,
    game: str | None,
    profile: str | None,
    wishes: Wishes = Wishes(),  # noqa: B008 - frozen
    limit_s: float | None = None,
) -> Seen:
    """Capture a SOURCE once and read it. Raises like `sources.open_picture` and `recognise`, and SearchLimit."""
    picture = replace(sources.open_picture(name, GAMES), wishes=wishes)
    try:
        frame = picture.device.capture()
        began = time.perf_counter()
        with patience.shown(f"reading {name}"), patience.within(limit_s, "reading"):
            found = look_at(frame, picture, game, profile)
        return Seen(frame, found, max(0.0, time.perf_counter() - began - found.read_s))
    finally:
        picture.device.close()


def _games_with(profile: str | None) -> dict[str, Game[Any, Any]]:
    """All games, or only those that have a profile of that name."""
    if profile is None:
        return dict(GAMES)
    names = {game for game, name, _ in store.available(measured_games()) if name == profile}
    found = {name: game for name, game in GAMES.items() if name in names}
    if not found:
        raise ProfileNotFound(f"no profile {profile!r} for any game", hint="'boardsight profiles' lists them")
    return found


def numbered(path: Path, nth: int, count: int) -> Path:
    """The overlay's file for one of several pictures.

    >>> numbered(Path("out.png"), 2, 3).name
    'out-2.png'
    """
    return path if count == 1 else path.with_name(f"{path.stem}-{nth}{path.suffix or '.png'}")


@dataclass(frozen=True)
class OutputOptions:
    """How a reading is shown: as a JSON line, painted on its picture; and the lattices found, also where it is refused."""

    as_json: JsonOption = False
    overlay: OverlayOption = None
    lattice: Annotated[
        Path | None,
        typer.Option("--lattice", help="Write the picture with the lattices found on it, also if refused"),
    ] = None


@dataclass(frozen=True)
class ReadOne:
    """Reads one input and shows what is on it; can be sent to another process."""

    game: str | None
    profile: str | None
    shown: OutputOptions
    count: int

    def __call__(self, name: str, nth: int) -> int:
        shown = self.shown
        if shown.lattice:
            show_lattice(name, numbered(shown.lattice, nth, self.count))
        seen = see(name, self.game, self.profile)
        if shown.overlay:
            write_file(numbered(shown.overlay, nth, self.count), seen.painted())
        if shown.as_json:
            show(output.line(seen.json(name)))
        else:
            _show(seen.found, f"{name}: " if self.count > 1 else "")
        return DOUBT if seen.reading.doubtful else DONE


def read(
    source: Annotated[
        list[str],
        typer.Argument(help="Pictures, folders, adb[:SERIAL], desktop[:TITLE] or practice:GAME[:SEED]"),
    ],
    reading: ReadOptions,
    shown: OutputOptions,
    many: BatchOptions,
) -> int:
    """Read boards; solves nothing, touches nothing."""
    names = sources.expand(source)
    one = ReadOne(reading.game, reading.profile, shown, len(names))
    return batch.run(names, one, shown.as_json, many.batch())


def show_lattice(name: str, path: Path) -> None:
    """Write a picture with the lattices that are found on it."""
    # Imported late: a puzzle that is given as text needs no picture.
    from vision.overlay import lattices
    from vision.scene import scene_of

    picture = sources.open_picture(name, GAMES)
    try:
        frame = picture.device.capture()
    finally:
        picture.device.close()
    grids = scene_of(frame).grids()
    write_file(path, encode_png(lattices(frame, grids)))
    told = (
        ", ".join(f"{grid.cols} x {grid.rows} cells of {grid.xs.pitch:.1f} px" for grid in grids)
        or "no lattice"
    )
    log.print(f"{name}: {told}")


def _show(found: Recognised, whose: str) -> None:
    """A reading for people: the board as text on standard output, whose it is and of what on standard error."""
    reading = found.reading
    doubt = f", {len(reading.doubtful)} in doubt" if reading.doubtful else ""
    what = f"{whose}{found.game.title}, profile {found.profile.name}, {len(reading.marks)} cells{doubt}"
    log.print(f"{what}, confidence {reading.confidence:.2f}", style="dim")
    for remark in reading.remarks:
        log.print(f"  {remark}", style="dim")
    show(found.game.draw(reading.puzzle, reading.placed))
