"""`demo` and `play`: from capture to a verified end."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot import output, sources
from bot.actions import Plan
from bot.commands.look import look_at
from bot.commands.options import DisableOption, GameOption, JsonOption, ProfileOption, ScarceOption
from bot.devices.alone import Alone
from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.messages import DONE, NOT_VERIFIED, log, say, show, status_of, word_of, write_file
from bot.play import SETTLE_S, Note, Options, Outcome, Speed
from bot.play import play as play_board
from bot.recognise import Recognised
from bot.recording import Recording, RecordingDevice, new_run
from bot.report import page, run_section, stopped_section
from bot.screen import Look, Screen
from bot.wishes import wishes_of
from bot.witness import recorded
from calibration import store
from solver.answer import Limits
from solver.errors import BoardsightError
from vision.errors import VisionError
from vision.profile import Profile
from vision.reading import Reading

# Outcomes after which `--watch` goes on.
GOOD = ("verified", "finished", "planned")
# How long `--watch` waits for another board.
NEXT_BOARD_S = 60.0
# A board that stays although the next one was asked for is asked once more after this time.
ASK_AGAIN_S = 5.0


class Watcher:
    """Keeps the notes of a run and shows its progress with the rest time."""

    def __init__(self, title: str, progress: Progress) -> None:
        self.notes: list[Note] = []
        self._progress = progress
        self._task = progress.add_task(title, total=None, now="")
        self._missing = 0

    def __call__(self, note: Note) -> None:
        self.notes.append(note)
        if note.plan is not None:
            self._missing = max(self._missing, note.plan.missing)
            done = self._missing - note.plan.missing
            total = max(1, self._missing)
            self._progress.update(self._task, total=total, completed=done if self._missing else total)
        words = {"act": "placing", "verify": "verified", "look": "reading", "answer": "solving"}
        words["wait"] = "waiting until the board can be read again"
        self._progress.update(self._task, now=words.get(note.kind, note.kind))


def progress_bar() -> Progress:
    """A bar on standard error: what is being done, how far, and the rest time; nothing where nobody looks."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.completed:.0f}/{task.total}"),
        TextColumn("{task.fields[now]}", markup=False),
        TimeRemainingColumn(),
        console=log if log.is_interactive else Console(quiet=True),
        transient=True,
    )


def demo(
    game: Annotated[
        list[str] | None, typer.Argument(help=f"Any of: {', '.join(GAMES)}; all by default")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", help="Which boards; the same seed gives the same boards")
    ] = 1,
    out: Annotated[Path, typer.Option("--out", help="Folder of the HTML report")] = Path("boardsight-demo"),
) -> int:
    """Play one practice board of each game from capture to verified end."""
    chosen = [sources.find_game(name, GAMES) for name in game or GAMES]
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUsage(f"{out}: cannot be made: {error.strerror}", hint="choose another --out") from error
    table = Table(
        "game", "result", "cells", "actions", "repaired", "cost", "game's time", "our time", box=None
    )
    sections: list[str] = []
    worst = DONE
    with progress_bar() as progress:
        for one in chosen:
            watcher = Watcher(one.title, progress)
            began = time.perf_counter()
            try:
                outcome, profile = _play_practice(one, seed, watcher)
            except BoardsightError as error:
                say(error)
                worst = max(worst, status_of(error))
                table.add_row(one.name, type(error).__name__)
                continue
            if outcome.status not in GOOD:
                worst = max(worst, NOT_VERIFIED)
            sections.append(run_section(one, profile, outcome, watcher.notes))
            table.add_row(one.name, *_row(outcome), f"{time.perf_counter() - began:.1f} s")
    report = out / "report.html"
    write_file(report, page("boardsight demo", sections).encode())
    log.print(table)
    log.print("The games' time is simulated: what the boards waited for did not pass. Our time is measured.")
    log.print(
        f"Pictures of every run are in the report; open it in a browser: {report.resolve().as_uri()}",
        soft_wrap=True,
    )
    show(str(report))
    return worst


def _play_practice(game: Game[Any, Any], seed: int, watcher: Watcher) -> tuple[Outcome, Profile]:
    picture = sources.open_practice(f"{game.name}:{seed}", GAMES)
    assert picture.profile is not None, "a practice board brings its profile"
    screen = Screen(picture.device, picture.clock)
    return play_board(game, picture.profile, screen, observe=watcher), picture.profile


def _row(outcome: Outcome) -> tuple[str, ...]:
    found = outcome.answer
    cost = "" if found is None or found.cost is None else str(found.cost)
    figures = (outcome.status, str(outcome.verified), str(outcome.actions), str(outcome.repaired), cost)
    return (*figures, f"{sum(outcome.seconds.values()):.1f} s")


def play(
    source: Annotated[str, typer.Argument(help="adb[:SERIAL], desktop[:TITLE] or practice:GAME[:SEED]")],
    game: GameOption = None,
    profile: ProfileOption = None,
    disable: DisableOption = None,
    scarce: ScarceOption = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan, touch nothing")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the first action")] = False,
    speed: Annotated[
        str, typer.Option("--speed", help="slow, normal or fast: steps between two looks")
    ] = "normal",
    watch: Annotated[bool, typer.Option("--watch", help="Go on to the next board")] = False,
    boards: Annotated[int | None, typer.Option("--boards", min=1, help="Boards to play with --watch")] = None,
    settle: Annotated[
        float,
        typer.Option(
            "--settle", min=0, help="A complete board must stay so for so many seconds to count as verified"
        ),
    ] = SETTLE_S,
    max_actions: Annotated[
        int | None, typer.Option("--max-actions", min=1, help="Stop after so many actions")
    ] = None,
    max_minutes: Annotated[
        float | None, typer.Option("--max-minutes", min=0, help="Stop after so many minutes")
    ] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write an HTML report of the run")] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="New folder for the recording; a private one by default")
    ] = None,
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no recording of the run")] = False,
    as_json: JsonOption = False,
) -> int:
    """Read, solve, show the plan, ask, act, verify and repair."""
    if speed not in ("slow", "normal", "fast"):
        raise typer.BadParameter(f"--speed is slow, normal or fast, not {speed}")
    seconds = None if max_minutes is None else 60 * max_minutes
    options = Options(dry_run, _speed(speed), Limits(), max_actions, seconds, settle)
    picture = replace(sources.open_picture(source, GAMES, far=yes), wishes=wishes_of(disable, scarce))
    if not picture.live:
        raise WrongUsage(f"{source}: a saved picture cannot be played", hint="use 'boardsight solve' for it")
    alone = None if dry_run or picture.hands is None else Alone(picture.hands)
    keep = None if no_record else _recording(record)
    if keep is not None:
        picture = replace(picture, device=RecordingDevice(picture.device, keep))
    try:
        outcome, played = _play_one(picture, game, profile, options, yes, report, as_json, keep), 1
        while watch and outcome.status in GOOD and played != boards:
            if not go_on(picture, game, profile, outcome.before.reading):
                log.print(f"no further board came within {NEXT_BOARD_S:.0f} s; {played} played")
                break
            outcome = _play_one(picture, game, profile, options, yes, report, as_json, keep)
            played += 1
        return DONE if outcome.status in GOOD else NOT_VERIFIED
    except (KeyboardInterrupt, BoardsightError) as error:
        if keep is not None:
            keep.write("end", status=word_of(error), reason=str(error)[:500])
            log.print(f"recorded: boardsight replay {keep.folder}", soft_wrap=True)
        if as_json:
            reason = str(error) or "stopped by the user"
            show(output.line({"status": word_of(error), "reason": reason}))
        raise
    finally:
        picture.device.close()
        if alone is not None:
            alone.let_go()


def _recording(record: Path | None) -> Recording | None:
    """Where this run is kept; a run that nobody asked to keep goes on without when that cannot be done."""
    try:
        return new_run(tell=log.print) if record is None else Recording(record, tell=log.print)
    except WrongUsage as error:
        if record is not None:
            raise
        log.print(f"this run is not recorded: {error}", style="dim")
        return None


def go_on(picture: sources.Picture, game: str | None, profile: str | None, before: Reading[Any, Any]) -> bool:
    """Bring on the next board as the game does it, or wait until somebody shows one.

    before: the board that has been finished, as it was read when it was begun.
    """
    clock, screen = picture.clock, Screen(picture.device, picture.clock)
    end, ask_again, pause = clock.now() + NEXT_BOARD_S, clock.now(), 0.25
    while clock.now() < end:
        clock.sleep(pause)
        pause = min(1.5 * pause, 2.0)
        try:
            found = look_at(picture.device.capture(), picture, game, profile)
        except VisionError:
            continue
        reading = found.reading
        if not reading.finished and not reading.doubtful and not _complete(found):
            return True
        actions = found.game.onward(before, reading) if reading.finished else ()
        if actions and clock.now() >= ask_again:
            screen.act(actions, reading.area)
            ask_again, pause = clock.now() + ASK_AGAIN_S, 0.25
    return False


def _complete(found: Recognised) -> bool:
    """Whether everything on the board already stands as the rules want it."""
    return not found.game.check(found.reading.puzzle, found.reading.placed)


def _speed(word: str) -> Speed:
    return "slow" if word == "slow" else "fast" if word == "fast" else "normal"


def _play_one(
    picture: sources.Picture,
    game: str | None,
    profile: str | None,
    options: Options,
    yes: bool,
    report: Path | None,
    as_json: bool,
    keep: Recording | None,
) -> Outcome:
    """One board, told of on the screen or as a line of JSON."""
    screen = Screen(picture.device, picture.clock)
    frame = picture.device.capture()
    found = look_at(frame, picture, game, profile)
    played = found.game
    if keep is not None:
        keep.board(found.game, found.profile)
        played = recorded(found.game, keep)
    with progress_bar() as progress:
        watcher = Watcher(found.game.title, progress)

        def confirm(look: Look, plan: Plan) -> bool:
            progress.stop()
            agreed = _confirm(found, plan, yes)
            progress.start()
            return agreed

        def learned(profile: Profile) -> None:
            if picture.profile is None:
                log.print(f"learned how this program is played: {store.save(profile)}")

        try:
            outcome = play_board(played, found.profile, screen, options, watcher, confirm, learned)
        except (KeyboardInterrupt, BoardsightError) as error:
            _tell_how_far(watcher, screen)
            if report is not None:
                seen = [note.look for note in watcher.notes if note.look is not None]
                last = seen[-1] if seen else Look(frame, found.reading)
                section = stopped_section(found.game, found.profile, last, error, watcher.notes)
                write_file(report, page("boardsight play", [section]).encode())
            raise
    if keep is not None:
        keep.write("end", status=outcome.status)
    if outcome.status == "planned" and not as_json:
        for number, step in enumerate(outcome.plan.steps, start=1):
            show(f"{number:4}  {step.why}")
    if report is not None:
        write_file(
            report,
            page(
                "boardsight play", [run_section(found.game, found.profile, outcome, watcher.notes)]
            ).encode(),
        )
    if as_json:
        show(output.line(_outcome_json(outcome, report, keep)))
    elif outcome.status == "planned":
        log.print(f"planned, nothing was touched: {_told_plan(outcome.plan)}")
    else:
        log.print(
            f"{outcome.status}: {outcome.verified} cells, {outcome.actions} actions, {outcome.repaired} repaired"
        )
        for remark in outcome.remarks[len(found.reading.remarks) :]:
            log.print(remark)
    return outcome


def _confirm(found: Recognised, plan: Plan, yes: bool) -> bool:
    log.print(
        f"{found.game.title}: {plan.missing} cells to enter, first: {plan.steps[0].why if plan.steps else '-'}"
    )
    for remark in found.reading.remarks:
        log.print(f"the picture was read with this decided: {remark}", style="yellow")
    log.print("this moves the mouse or taps the screen; Ctrl-C stops it at once", style="yellow")
    if yes:
        return True
    if not sys.stdin.isatty():
        log.print("nobody to ask: use --yes to go on; nothing was touched")
        return False
    return typer.confirm("go on?", err=True)


def _tell_how_far(watcher: Watcher, screen: Screen) -> None:
    plans = [note.plan.missing for note in watcher.notes if note.plan is not None]
    if plans:
        log.print(
            f"stopped after {screen.acted} actions: {plans[0] - plans[-1]} of {plans[0]} cells verified"
        )


def _told_plan(plan: Plan) -> str:
    """What a run would do first: a plan may end early where the next step depends on what the screen will show."""
    steps, actions = len(plan.steps), sum(len(step.actions) for step in plan.steps)
    return f"{plan.missing} cells to enter, by {actions} actions in {steps} steps"


def _outcome_json(outcome: Outcome, report: Path | None, keep: Recording | None) -> dict[str, Any]:
    return {
        "status": outcome.status,
        "actions": outcome.actions,
        "verified": outcome.verified,
        "repaired": outcome.repaired,
        "remarks": list(outcome.remarks),
        "seconds": outcome.seconds,
        "report": str(report) if report else None,
        "recording": str(keep.folder) if keep else None,
    }
