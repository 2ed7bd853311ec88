"""`solve`: looks at pictures and puzzles and solves them, touches nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bot import batch, output, patience, sources
from bot.commands.look import Seen, numbered, see
from bot.commands.options import (
    BatchOptions,
    JsonOption,
    OverlayOption,
    ReadOptions,
    WishOptions,
    countable,
)
from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.messages import DONE, DOUBT, LIMIT, NO_SOLUTION, log, named, say, show, status_of, write_file
from bot.play import answer
from bot.show.work import animate
from bot.wishes import Wishes
from solver.answer import Limits
from solver.errors import NoSolution, SearchLimit


@dataclass(frozen=True)
class ShowOptions:
    """How a solved puzzle is shown: as a JSON line, on its picture, played in the terminal, as a film in a file."""

    as_json: JsonOption = False
    overlay: OverlayOption = None
    animated: Annotated[
        bool,
        typer.Option(
            "--animate", help="Show in the terminal how it is solved, step by step; not with --json"
        ),
    ] = False
    film: Annotated[
        Path | None, typer.Option("--gif", help="Write the solving as a small film: FILE.gif or FILE.webp")
    ] = None

    def numbered(self, nth: int, count: int) -> ShowOptions:
        """The same for one of several puzzles."""
        return replace(
            self,
            overlay=numbered(self.overlay, nth, count) if self.overlay else None,
            film=numbered(self.film, nth, count) if self.film else None,
        )

    def require(self) -> None:
        """Raises WrongUsage where it cannot be shown so."""
        if self.animated and self.as_json:
            raise WrongUsage(
                "--animate draws where --json prints", hint="choose one of them; --gif goes with both"
            )
        if self.film:
            from bot.show.film import require_film

            require_film(self.film)


@dataclass(frozen=True)
class LimitOptions:
    """What is decided, and how long it may take."""

    unique: Annotated[
        bool, typer.Option("--unique", help="Also decide whether the solution is the only one")
    ] = False
    limit: Annotated[
        float | None,
        typer.Option(
            "--limit",
            min=0.0,
            callback=countable,
            help="Seconds to read and solve each puzzle; none by default",
        ),
    ] = None

    def limits(self) -> Limits:
        return Limits(seconds=self.limit, unique=self.unique)


@dataclass(frozen=True)
class SolveOne:
    """Solves one input and shows its solution; can be sent to another process."""

    reading: ReadOptions
    wishes: Wishes
    limits: Limits
    shown: ShowOptions
    count: int

    def __call__(self, name: str, nth: int) -> int:
        shown = self.shown.numbered(nth, self.count)
        if sources.is_seen(name):
            began = time.perf_counter()
            seen = see(name, self.reading.game, self.reading.profile, self.wishes, self.limits.seconds)
            limits = self.limits
            if limits.seconds is not None:
                # Reading and solving share what was given for both.
                limits = replace(limits, seconds=max(0.0, limits.seconds - (time.perf_counter() - began)))
            return _solve_seen(name, seen, limits, shown)
        if shown.overlay:
            raise WrongUsage("--overlay paints over a picture, and this is a text", hint="leave it out")
        found = sources.read_puzzles(name, GAMES, self.reading.game)
        puzzles = [wished(puzzle, self.wishes) for puzzle in found]
        worst = DONE
        for number, puzzle in enumerate(puzzles, start=1):
            here = shown.numbered(number, len(puzzles))
            status = _solve_one(puzzle.game, puzzle.puzzle, self.limits, here, {"source": puzzle.name})
            worst = max(worst, status)
        return worst


def solve(
    source: Annotated[
        list[str],
        typer.Argument(help="Pictures, folders or devices as for read, puzzle files, or a puzzle as a word"),
    ],
    reading: ReadOptions,
    wishes: WishOptions,
    limited: LimitOptions,
    shown: ShowOptions,
    many: BatchOptions,
) -> int:
    """Read and solve; touches nothing."""
    shown.require()
    names = sources.expand(source)
    one = SolveOne(reading, wishes.wishes(), limited.limits(), shown, len(names))
    work = many.batch()
    if shown.animated:
        # A show on the terminal is for one after the other.
        work = replace(work, jobs=1, cluster=None)
    return batch.run(names, one, shown.as_json, work)


def wished(given: sources.Puzzle, wishes: Wishes) -> sources.Puzzle:
    """A puzzle given as text, as the player wants it solved. Raises WrongUsage where its game knows no wishes."""
    if not wishes:
        return given
    return replace(given, puzzle=wishes.with_puzzle(given.game, given.puzzle))


def _solve_seen(name: str, seen: Seen, limits: Limits, shown: ShowOptions) -> int:
    """Solve what a picture shows, unless a cell that may change the puzzle is in doubt. Returns the status."""
    head = seen.json(name)
    doubt = seen.unsolvable(name, "nothing was solved; take a clearer picture")
    if doubt is not None:
        say(doubt)
        if shown.overlay:
            write_file(shown.overlay, seen.painted())
        if shown.as_json:
            show(output.line(head | {"solution": None, "unique": None}))
        return DOUBT
    if "reason" in head:
        head["remarks"] = [*head.get("remarks", ()), f"{head.pop('reason')}; solved from the clues"]
    for remark in head.get("remarks", ()):
        log.print(f"{name}: {remark}", style="dim")
    return _solve_one(seen.found.game, seen.reading.puzzle, limits, shown, head, seen.painted)


def _solve_one(
    game: Game[Any, Any],
    puzzle: Any,
    limits: Limits,
    shown: ShowOptions,
    head: dict[str, Any],
    painted: Callable[[Any], bytes] | None = None,
) -> int:
    """Solve a puzzle and print it. Returns the status.

    painted: the picture it is on, with a solution or None painted over it; None for a text.
    """
    solution = None
    began = time.perf_counter()
    value = {"game": game.name, "puzzle": game.puzzle_json(puzzle)} | head
    try:
        with patience.shown(f"solving {head['source']}"):
            found = answer(game, puzzle, limits)
    except (NoSolution, SearchLimit) as error:
        status = status_of(error)
        missing = error.missing if isinstance(error, NoSolution) else {}
        word = "no-solution" if status == NO_SOLUTION else "limit"
        value |= {"status": word, "solution": None, "unique": None, "missing": missing, "reason": str(error)}
        say(named(error, str(head["source"])))
    else:
        value |= output.answer_json(game, puzzle, found)
        undecided = limits.unique and found.unique is None and found.cost is None
        status = LIMIT if found.optimal is False or undecided else DONE
        if status == LIMIT:
            proof = "the only one" if undecided else "the cheapest"
            value |= {"status": "limit", "reason": f"at the limit the solution is not proved to be {proof}"}
        solution = found.solution
    value["seconds"] = head.get("seconds", {}) | {"solve": round(time.perf_counter() - began, 6)}
    if value["solution"] is not None and not shown.as_json:
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
    if shown.overlay and painted is not None:
        write_file(shown.overlay, painted(solution))
    if shown.as_json:
        # The last of all: of an input of which a file cannot be written, the one line is that error.
        show(output.line(value))
    return status


def _proof(value: dict[str, Any]) -> str:
    words = [str(value["source"]), value["status"]]
    if "cost" in value:
        words.append(
            f"cost {value['cost']}" + (" (proved cheapest)" if value["optimal"] else " (not proved cheapest)")
        )
    if value["unique"] is not None:
        words.append("the only solution" if value["unique"] else "not the only solution")
    return ", ".join(words)
