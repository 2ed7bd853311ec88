"""`replay`: a recorded run once more, without the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot import output
from bot.bundle import bundle as make_bundle
from bot.commands.options import JsonOption
from bot.errors import WrongUsage
from bot.messages import DONE, NOT_VERIFIED, log, show
from bot.recording import kept_runs
from bot.replay import Replayed
from bot.replay import replay as replay_run
from bot.state import runs_folder


def replay(
    run: Annotated[
        Path | None, typer.Argument(help="Folder or bundle of a recorded run; the last run by default")
    ] = None,
    bundle: Annotated[
        Path | None, typer.Option("--bundle", help="Write the run as one zip for a bug report")
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Keep the whole pictures in the bundle, not only the board")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Read and decide a recorded run again, and show the first difference."""
    with output.refusals(as_json, run=None if run is None else str(run)):
        return _replay(run or _last_run(), bundle, whole, as_json)


def _replay(run: Path, bundle: Path | None, whole: bool, as_json: bool) -> int:
    if bundle is not None:
        made = make_bundle(run, bundle, whole=whole)
        for line in made.summary():
            log.print(f"  {line}")
        run = bundle
    done = replay_run(run)
    if as_json:
        show(output.line(_json(run, done)))
    else:
        _show(run, done)
    return DONE if done.difference is None else NOT_VERIFIED


def _last_run() -> Path:
    runs = kept_runs()
    if not runs:
        raise WrongUsage(f"no run is kept in {runs_folder()}", hint="'boardsight play' keeps one each time")
    return runs[-1]


def _show(run: Path, done: Replayed) -> None:
    show(f"{run}: pictures: {done.pictures}, decisions: {done.decisions}, ended: {done.ended or 'cut off'}")
    if done.skipped:
        show(f"{done.skipped} could not be compared: their pictures were not kept")
    if done.difference is None:
        show("every decision came out the same")
        return
    show(f"first difference, line {done.difference.line} of run.jsonl, {done.difference.what}")
    show(f"  recorded: {done.difference.recorded}")
    show(f"  now:      {done.difference.again}")


def _json(run: Path, done: Replayed) -> dict[str, object]:
    first = done.difference
    return {
        "run": str(run),
        "status": "same" if first is None else "different",
        "decisions": done.decisions,
        "skipped": done.skipped,
        "pictures": done.pictures,
        "ended": done.ended,
        "difference": None
        if first is None
        else {"line": first.line, "what": first.what, "recorded": first.recorded, "now": first.again},
    }
