"""`play`: read, solve, show the plan, ask, act, verify and repair; on one device, or on several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from bot.audience import Report, Terminal
from bot.commands.options import JsonOption, ReadOptions, WishOptions, countable
from bot.errors import WrongUsage
from bot.messages import USAGE, named
from bot.play import SETTLE_S, Options, Speed
from bot.playing import Order, play_source
from bot.state import file_name
from solver.answer import Limits
from solver.errors import BoardsightError

SourceArgument = Annotated[
    list[str],
    typer.Argument(help="adb[:SERIAL], desktop[:TITLE] or practice:GAME[:SEED]; several play side by side"),
]


@dataclass(frozen=True)
class WayOptions:
    """How boards are played."""

    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan, touch nothing")] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the first action")] = False
    speed: Annotated[str, typer.Option("--speed", help="slow, normal or fast: steps between two looks")] = (
        "normal"
    )
    watch: Annotated[bool, typer.Option("--watch", help="Go on to the next board")] = False
    boards: Annotated[
        int | None, typer.Option("--boards", min=1, help="Boards to play with --watch, on each device")
    ] = None
    settle: Annotated[
        float,
        typer.Option(
            "--settle",
            min=0,
            callback=countable,
            help="Seconds that a complete board must stay complete to be verified",
        ),
    ] = SETTLE_S


@dataclass(frozen=True)
class StopOptions:
    """When a board is given up."""

    max_actions: Annotated[
        int | None, typer.Option("--max-actions", min=1, help="Stop after so many actions on a board")
    ] = None
    max_minutes: Annotated[
        float | None,
        typer.Option(
            "--max-minutes", min=0, callback=countable, help="Stop after so many minutes on a board"
        ),
    ] = None

    @property
    def seconds(self) -> float | None:
        return None if self.max_minutes is None else 60 * self.max_minutes


@dataclass(frozen=True)
class KeepOptions:
    """What is kept of a run."""

    report: Annotated[Path | None, typer.Option("--report", help="Write an HTML report of the run")] = None
    record: Annotated[
        Path | None, typer.Option("--record", help="New folder for the recording; a private one by default")
    ] = None
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no recording of the run")] = False


def play(
    source: SourceArgument,
    reading: ReadOptions,
    wishes: WishOptions,
    way: WayOptions,
    stop: StopOptions,
    keep: KeepOptions,
    as_json: JsonOption = False,
) -> int:
    """Read, solve, show the plan, ask, act, verify and repair."""
    if way.boards is not None and not way.watch:
        raise WrongUsage("--boards counts the boards of --watch", hint="add --watch")
    if keep.record is not None and keep.no_record:
        raise WrongUsage("--record and --no-record contradict each other", hint="leave one of them out")
    order = Order(
        source[0],
        Options(way.dry_run, _speed(way.speed), Limits(), stop.max_actions, stop.seconds, way.settle),
        game=reading.game,
        profile=reading.profile,
        wishes=wishes.wishes(),
        yes=way.yes,
        watch=way.watch,
        boards=way.boards,
        reported=keep.report is not None,
        record=keep.record,
        kept=not keep.no_record,
    )
    pages = Report(keep.report)
    if len(source) == 1:
        with Terminal(way.yes, as_json, pages) as audience:
            try:
                status = play_source(order, audience)
            except BoardsightError as error:
                raise named(error, order.source) from error
    else:
        from bot.side_by_side import play_all

        status = play_all(_orders(order, source), as_json, pages)
    return max(status, USAGE) if pages.failed else status


def _orders(order: Order, names: Sequence[str]) -> list[Order]:
    """The same for each of several sources. Raises WrongUsage where they could only get into each other's way."""
    twice = next((name for nth, name in enumerate(names) if name in names[:nth]), None)
    if twice is not None:
        raise WrongUsage(f"{twice} is named twice", hint="name every device once")
    windows = [name for name in names if name.partition(":")[0] == "desktop"]
    if len(windows) > 1:
        raise WrongUsage(
            f"{' and '.join(windows)} would share one mouse",
            hint="play them one after the other; phones, and one window, can be played side by side",
        )
    return [
        replace(order, source=name, record=None if order.record is None else order.record / file_name(name))
        for name in names
    ]


def _speed(word: str) -> Speed:
    if word == "slow":
        return "slow"
    if word in ("normal", "fast"):
        return "normal" if word == "normal" else "fast"
    raise typer.BadParameter(f"--speed is slow, normal or fast, not {word}")
