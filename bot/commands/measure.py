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
from bot.batch import progress
from bot.commands.lists import profile_of
from bot.commands.options import JsonOption
from bot.devices.finding import Finding
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.messages import DONE, NO_DEVICE, log, show, show_rows, show_table


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

    practice = ("practice:GAME[:SEED]", "a practice board, in memory")
    show_rows([("source", "what"), *adb.list_devices(), *desktop.list_windows(), practice])


def bench(
    name: Annotated[
        list[str] | None, typer.Argument(help="Rows whose name starts so; all by default")
    ] = None,
    data: Annotated[Path | None, typer.Option("--data", help="Folder with more boards to measure on")] = None,
    against: Annotated[
        Path | None,
        typer.Option("--against", help="Also tell how many times faster than in this earlier --json output"),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Tell what the rows measure; measure nothing")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Measure capture, read and solve, with peers where they are installed."""
    with output.refusals(as_json):
        if data is not None and not data.is_dir():
            raise WrongUsage(f"--data {data}: no such folder", hint="name a folder with boards")
        before = benches.earlier(against) if against else None
        rows = list(benches.rows(name or [], data))
        if not rows:
            raise WrongUsage(
                f"no row starts with {', '.join(name or ['anything'])}", hint="run 'boardsight bench --list'"
            )
    if listed:
        for row in rows:
            show(output.line({"name": row.name, "what": row.what}) if as_json else f"{row.name}: {row.what}")
        return DONE
    table = Table(*COLUMNS, *(CHANGES if before is not None else ()), box=None)
    with progress("measuring", len(rows), results_show=as_json) as step:
        for row in rows:
            log.print(f"measuring {row.name}: {row.what}", style="dim")
            figure = benches.measure(row)
            known = before.get(figure.name) if before is not None else None
            changed = benches.change(known, figure) if known else None
            step()
            if as_json:
                value = figure.as_json() | ({"faster": changed.as_json()} if changed else {})
                show(output.line(value))
            else:
                ends = [f"{changed.median:.2f}x", f"{changed.worst:.2f}x"] if changed else []
                table.add_row(*_columns(figure), *ends)
    if not as_json:
        show_table(table, 180)
    return DONE


COLUMNS = ("row", "cases", "median ms", "p95", "worst", "MiB", "peer", "its median", "peer / ours")
CHANGES = ("faster", "worst case")


def _columns(figure: benches.Figure) -> tuple[str, ...]:
    times = (figure.median_ms, figure.p95_ms, figure.worst_ms, figure.memory_mib)
    peer = (figure.peer or "", f"{figure.peer_median_ms:.3g}" if figure.peer_median_ms else "")
    ratio = f"{figure.ratio:.3g}x" if figure.ratio else ""
    return (figure.name, str(figure.cases), *(f"{value:.3g}" for value in times), *peer, ratio)
