"""`read` and `solve`: look at pictures and puzzles, touch nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bot import output, sources
from bot.commands.options import (
    CornersOption,
    DisableOption,
    GameOption,
    JsonOption,
    OverlayOption,
    ProfileOption,
    ScarceOption,
    corners_of,
)
from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.messages import (
    DONE,
    DOUBT,
    LIMIT,
    NO_SOLUTION,
    OutputLost,
    Unexpected,
    log,
    say,
    show,
    status_of,
    word_of,
    write_file,
)
from bot.play import answer, to_enter
from bot.recognise import Recognised, read_with_any, recognise
from bot.show.work import animate
from bot.wishes import Wishes, wishes_of
from calibration import store
from solver.answer import Limits
from solver.errors import BoardsightError, NoSolution, SearchLimit
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.frame import Frame, Point
from vision.image import encode_png
from vision.profile import Profile
from vision.reading import Reading

# No board of any game has room in less.
LEAST_SIDE_PX = 12


@dataclass(frozen=True)
class Shown:
    """How a solved puzzle is shown: as a JSON line, played in the terminal, as a film in a file."""

    as_json: bool = False
    animated: bool = False
    film: Path | None = None

    def numbered(self, nth: int, count: int) -> Shown:
        """The same for one of several puzzles."""
        return replace(self, film=numbered(self.film, nth, count) if self.film else None)


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


def look_at(frame: Frame, picture: sources.Picture, game: str | None, profile: str | None) -> Recognised:
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

    def doubt(self, name: str, hint: str) -> UncertainReading | None:
        """The error of cells in doubt, None where there are none."""
        if not self.reading.doubtful:
            return None
        return UncertainReading.of(self.reading.doubtful, hint=hint, where=name)


def see(
    name: str,
    game: str | None,
    profile: str | None,
    corners: tuple[Point, ...] = (),
    wishes: Wishes = Wishes(),  # noqa: B008 - frozen
) -> Seen:
    """Capture a SOURCE once and read it. Raises like `sources.open_picture` and `recognise`."""
    picture = replace(sources.open_picture(name, GAMES), wishes=wishes)
    try:
        frame = replace(picture.device.capture(), corners=corners)
        began = time.perf_counter()
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
    # `load` then says which profiles there are.
    return found or {next(iter(GAMES)): next(iter(GAMES.values()))}


def numbered(path: Path, nth: int, count: int) -> Path:
    """The overlay's file for one of several pictures.

    >>> numbered(Path("out.png"), 2, 3).name
    'out-2.png'
    """
    return path if count == 1 else path.with_name(f"{path.stem}-{nth}{path.suffix or '.png'}")


def read(
    source: Annotated[
        list[str], typer.Argument(help="Pictures, adb[:SERIAL], desktop[:TITLE] or practice:GAME[:SEED]")
    ],
    game: GameOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
    overlay: OverlayOption = None,
    corners: CornersOption = None,
) -> int:
    """Read boards; solves nothing, touches nothing."""
    game, places = _photographed(game, corners)
    names = sources.expand(source)

    def one(name: str, nth: int) -> int:
        seen = see(name, game, profile, places)
        if overlay:
            write_file(numbered(overlay, nth, len(names)), seen.painted())
        if as_json:
            show(output.line(seen.json(name)))
        else:
            _show(seen.found)
        return DOUBT if seen.reading.doubtful else DONE

    return _each(names, one, as_json)


def _each(names: Sequence[str], one: Callable[[str, int], int], as_json: bool) -> int:
    """Handle every input with `one(name, number)`; what goes wrong with an input stops no other.

    Returns the largest status.
    """
    worst = DONE
    for nth, name in enumerate(names, start=1):
        try:
            status = one(name, nth)
        except OutputLost:
            raise
        except BoardsightError as error:
            status = _refused(name, error, as_json)
        except Exception as error:
            # Also a defect of ours, which a strange picture brings to light, is that picture's error.
            status = _refused(name, Unexpected.of(error, name), as_json)
        worst = max(worst, status)
    return worst


def _photographed(game: str | None, corners: str | None) -> tuple[str | None, tuple[Point, ...]]:
    """The game and the corners that `--corners` means. Raises WrongUsage for a game without photographs."""
    places = corners_of(corners)
    if not places:
        return game, places
    known = [name for name, one in GAMES.items() if one.photographed]
    if game is not None and game not in known:
        raise WrongUsage(
            f"--corners: photographs of {game} are not read", hint=f"only those of {', '.join(known)} are"
        )
    return game or (known[0] if len(known) == 1 else None), places


def _refused(name: str, error: BoardsightError, as_json: bool) -> int:
    """Report one input that could not be handled; the others go on. Returns its status."""
    status = status_of(error)
    if as_json:
        value: dict[str, Any] = {"source": name, "status": word_of(error), "reason": str(error)}
        if isinstance(error, VisionError) and error.game:
            value["game"] = error.game
        if isinstance(error, UncertainReading) and error.cells:
            value["doubtful"] = [cell.as_json() for cell in error.cells]
        if isinstance(error, NoSolution):
            value |= {"solution": None, "unique": None, "missing": error.missing}
        show(output.line(value))
    if isinstance(error, VisionError) and not str(error).startswith(name):
        error.args = (f"{name}: {error}",)
    say(error)
    return status


def _show(found: Recognised) -> None:
    """A reading for people: the board as text on standard output, what it is on standard error."""
    reading = found.reading
    doubt = f", {len(reading.doubtful)} in doubt" if reading.doubtful else ""
    what = f"{found.game.title}, profile {found.profile.name}, {len(reading.marks)} cells{doubt}"
    log.print(f"{what}, confidence {reading.confidence:.2f}", style="dim")
    for remark in reading.remarks:
        log.print(f"  {remark}", style="dim")
    show(found.game.draw(reading.puzzle, reading.placed))


def solve(
    source: Annotated[
        list[str], typer.Argument(help="Pictures or devices as for read, puzzle files, or a puzzle as a word")
    ],
    game: GameOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
    overlay: OverlayOption = None,
    corners: CornersOption = None,
    disable: DisableOption = None,
    scarce: ScarceOption = False,
    unique: Annotated[
        bool, typer.Option("--unique", help="Also decide whether the solution is the only one")
    ] = False,
    limit: Annotated[
        float | None, typer.Option("--limit", min=0.0, help="Seconds per puzzle; none by default")
    ] = None,
    animated: Annotated[
        bool,
        typer.Option(
            "--animate", help="Show in the terminal how it is solved, step by step; not with --json"
        ),
    ] = False,
    film: Annotated[
        Path | None, typer.Option("--gif", help="Write the solving as a small film: FILE.gif or FILE.webp")
    ] = None,
) -> int:
    """Read and solve; touches nothing."""
    if animated and as_json:
        raise WrongUsage(
            "--animate draws where --json prints", hint="choose one of them; --gif goes with both"
        )
    if film:
        from bot.show.film import require_film

        require_film(film)
    photographed, places = _photographed(game, corners)
    limits, wishes = Limits(seconds=limit, unique=unique), wishes_of(disable, scarce)
    names = sources.expand(source)

    def one(name: str, nth: int) -> int:
        shown = Shown(as_json, animated, film).numbered(nth, len(names))
        if sources.is_picture(name):
            seen = see(name, photographed, profile, places, wishes)
            return _solve_seen(
                name, seen, limits, shown, numbered(overlay, nth, len(names)) if overlay else None
            )
        puzzles = [wished(puzzle, wishes) for puzzle in sources.read_puzzles(name, GAMES, game)]
        statuses = [
            _solve_one(
                puzzle.game,
                puzzle.puzzle,
                limits,
                shown.numbered(number, len(puzzles)),
                {"source": puzzle.name},
            )[0]
            for number, puzzle in enumerate(puzzles, start=1)
        ]
        return max(statuses)

    return _each(names, one, as_json)


def wished(given: sources.Puzzle, wishes: Wishes) -> sources.Puzzle:
    """A puzzle given as text, as the player wants it solved. Raises WrongUsage where its game knows no wishes."""
    if not wishes:
        return given
    return replace(given, puzzle=wishes.with_puzzle(given.game, given.puzzle))


def _solve_seen(name: str, seen: Seen, limits: Limits, shown: Shown, overlay: Path | None) -> int:
    """Solve what a picture shows, unless a cell of it is in doubt. Returns the status."""
    head = seen.json(name)
    doubt = seen.doubt(name, "nothing was solved; take a clearer picture")
    if doubt is not None:
        say(doubt)
        if shown.as_json:
            show(output.line(head | {"solution": None, "unique": None}))
        if overlay:
            write_file(overlay, seen.painted())
        return DOUBT
    status, solution = _solve_one(seen.found.game, seen.reading.puzzle, limits, shown, head)
    if overlay:
        write_file(overlay, seen.painted(solution))
    return status


def _solve_one(
    game: Game[Any, Any], puzzle: Any, limits: Limits, shown: Shown, head: dict[str, Any]
) -> tuple[int, Any]:
    """Solve a puzzle and print it. Returns the status and the solution, None without one."""
    solution = None
    began = time.perf_counter()
    value = {"game": game.name, "puzzle": game.puzzle_json(puzzle)} | head
    try:
        found = answer(game, puzzle, limits)
    except (NoSolution, SearchLimit) as error:
        status = status_of(error)
        missing = error.missing if isinstance(error, NoSolution) else {}
        word = "no-solution" if status == NO_SOLUTION else "limit"
        value |= {"status": word, "solution": None, "unique": None, "missing": missing, "reason": str(error)}
        error.args = (f"{head['source']}: {error}",)
        say(error)
    else:
        value |= output.answer_json(game, puzzle, found)
        undecided = limits.unique and found.unique is None and found.cost is None
        status = LIMIT if found.optimal is False or undecided else DONE
        if status == LIMIT:
            value["status"] = "limit"
        solution = found.solution
    value["seconds"] = head.get("seconds", {}) | {"solve": round(time.perf_counter() - began, 6)}
    if shown.as_json:
        show(output.line(value))
    elif value["solution"] is not None:
        log.print(_proof(value), style="dim")
        if shown.animated:
            animate(game, puzzle, found)
        else:
            show(game.draw(puzzle, found.solution))
    if shown.film and value["solution"] is not None:
        from bot.show.film import film_of

        film = film_of(game, puzzle, found, shown.film)
        write_file(shown.film, film)
        log.print(f"{shown.film}: {len(film) / 1000:.0f} kB", style="dim")
    return status, solution


def _proof(value: dict[str, Any]) -> str:
    words = [str(value["source"]), value["status"]]
    if "cost" in value:
        words.append(
            f"cost {value['cost']}" + (" (proved cheapest)" if value["optimal"] else " (not proved cheapest)")
        )
    if value["unique"] is not None:
        words.append("the only solution" if value["unique"] else "not the only solution")
    return ", ".join(words)
