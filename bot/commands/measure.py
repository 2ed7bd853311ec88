"""`devices`, `doctor`, `bench`: what this machine has, and how fast things are on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bot import bench as benches
from bot import output
from bot.commands.lists import profile_of
from bot.commands.options import JsonOption
from bot.devices.finding import Finding
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.messages import DONE, NO_DEVICE, log, show, show_table


def _checks(place: str | None) -> dict[str, Callable[[], Iterable[Finding]]]:
    """The checks of each kind of device; imported late, since none of them may be needed. place: a device's serial."""
    from bot.devices import adb_check, desktop

    return {"desktop": desktop.check_desktop, "adb": partial(adb_check.check_adb, place)}


def doctor(
    source: Annotated[
        str | None, typer.Argument(help="desktop, adb or adb:SERIAL; both kinds by default")
    ] = None,
) -> int:
    """Check display, mouse, adb, device and capture speed; say what to do about each finding.

    Leaves with status 0 where something that was checked can be played on, else with 5.
    """
    kind, _, place = (source or "").partition(":")
    checks = _checks(place or None)
    if kind and kind not in checks:
        raise WrongUsage(f"nothing to check for {source!r}", hint=f"choose one of: {', '.join(checks)}")
    usable = False
    for name, check in checks.items():
        if kind not in ("", name):
            continue
        usable_here = True
        for finding in check():
            usable_here = usable_here and finding.ok
            show(f"{'ok ' if finding.ok else 'BAD'}  {name}: {finding.what}: {finding.text}")
            if finding.advice:
                show(f"     {finding.advice}")
        usable = usable or usable_here
    for game in GAMES.values():
        known, word = profile_of(game)
        if not game.measured and not kind:
            show(f"{'ok ' if known else '-  '}  {game.name}: profile: {word}")
    return DONE if usable else NO_DEVICE


def devices() -> None:
    """List the Android devices and the windows that could be played on."""
    from bot.devices import adb, desktop

    table = Table("source", "what", box=None)
    for source, what in (*adb.list_devices(), *desktop.list_windows()):
        table.add_row(source, what)
    table.add_row("practice:GAME[:SEED]", "a practice board, in memory")
    show_table(table)


def bench(
    name: Annotated[
        list[str] | None, typer.Argument(help="Rows whose name starts so; all by default")
    ] = None,
    data: Annotated[Path | None, typer.Option("--data", help="Folder with more boards to measure on")] = None,
    as_json: JsonOption = False,
) -> int:
    """Measure capture, read and solve, with peers where they are installed."""
    beside = Path("../shared/data")
    folder = data or (beside if beside.is_dir() else None)
    rows = list(benches.rows(name or [], folder))
    if not rows:
        raise WrongUsage(
            f"no row starts with {', '.join(name or ['anything'])}", hint="run 'boardsight bench'"
        )
    table = Table("row", "cases", "median ms", "p95", "worst", "MiB", "peer", "its median", "ratio", box=None)
    with log.status("measuring") as status:
        for nth, row in enumerate(rows, start=1):
            status.update(f"measuring {nth}/{len(rows)}: {row.name}")
            figure = benches.measure(row)
            if as_json:
                show(output.line(figure.as_json()))
                continue
            times = (
                f"{value:.3g}"
                for value in (figure.median_ms, figure.p95_ms, figure.worst_ms, figure.memory_mib)
            )
            peer = (figure.peer or "", f"{figure.peer_median_ms:.3g}" if figure.peer_median_ms else "")
            ratio = f"{figure.ratio:.3g}x" if figure.ratio else ""
            table.add_row(figure.name, str(figure.cases), *times, *peer, ratio)
    if not as_json:
        show_table(table, 160)
    return DONE
