"""One SOURCE, played from its first board to its last, and told to whoever follows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from bot import sources
from bot.actions import Plan, gestures
from bot.commands.look import look_at
from bot.devices.alone import Alone
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.messages import DONE, LIMIT, NOT_VERIFIED, log, word_of
from bot.play import Notice, Options, Outcome, play
from bot.recognise import Recognised
from bot.recording import Recording, RecordingDevice, new_run
from bot.report import run_section, stopped_section
from bot.screen import Glance, Screen
from bot.wishes import Wishes
from bot.witness import recorded
from calibration import store
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


@dataclass(frozen=True)
class Order:
    """What is to be played, and how; it can be sent to another process.

    boards: at most so many with `watch`; None for as many as come.
    reported: whether a section for the report is wanted of every board.
    record: the folder of the recording; None for a private one. kept: whether there is one at all.
    """

    source: str
    options: Options
    game: str | None = None
    profile: str | None = None
    wishes: Wishes = field(default_factory=Wishes)
    yes: bool = False
    watch: bool = False
    boards: int | None = None
    reported: bool = False
    record: Path | None = None
    kept: bool = True


@dataclass(frozen=True)
class Ending:
    """How one board went.

    facts: what `--json` says of it. words: for people, one a line. section: its part of the report; None where it was
    not asked for. steps: what a dry run would do.
    """

    status: str
    facts: dict[str, Any]
    words: tuple[str, ...]
    section: str | None
    steps: tuple[str, ...] = ()


class Audience(Protocol):
    """Who follows a run. What is said in passing goes to standard error, as everywhere."""

    def begin(self, title: str) -> None:
        """A board of the game of this title has been found."""
        ...

    def step(self, doing: str, done: int, total: int | None) -> None:
        """What is being done, and how many of the missing cells are in place; total is None before it is known."""
        ...

    def agree(self, words: Sequence[str]) -> bool:
        """Whether what is told, line by line, may be done."""
        ...

    def end(self, ending: Ending) -> None:
        """A board, or the whole run, has ended: well or not."""
        ...


class Watcher:
    """Keeps the notices of a run, and tells them as progress: what is done, cells in place, cells in all."""

    def __init__(self, step: Callable[[str, int, int | None], None]) -> None:
        self.notices: list[Notice] = []
        self._step = step
        self._missing = 0
        self._left: int | None = None

    def __call__(self, notice: Notice) -> None:
        self.notices.append(notice)
        if notice.plan is not None:
            self._missing = max(self._missing, notice.plan.missing)
            self._left = notice.plan.missing
        words = {"act": "placing", "verify": "verified", "look": "reading", "answer": "solving"}
        words["wait"] = "waiting until the board can be read again"
        doing = words.get(notice.kind, notice.kind)
        if self._left is None:
            self._step(doing, 0, None)
        else:
            # A board on which nothing is missing is done.
            self._step(doing, self._missing - self._left if self._missing else 1, max(1, self._missing))

    def how_far(self) -> tuple[int, int] | None:
        """Cells in place and cells in all, None before the first plan."""
        return None if self._left is None else (self._missing - self._left, self._missing)


def play_source(order: Order, audience: Audience) -> int:
    """Play what the order says. Returns the status.

    Raises what playing raises, KeyboardInterrupt too, after the audience has heard how the run ended.
    """
    run = _Run(order, audience)
    try:
        return run.to_the_end()
    except (KeyboardInterrupt, BoardsightError) as error:
        run.fail(error)
        raise
    finally:
        run.close()


class _Run:
    """One source while it is played."""

    def __init__(self, order: Order, audience: Audience) -> None:
        self._order, self._audience = order, audience
        self._picture: sources.Opened | None = None
        self._alone: Alone | None = None
        self._keep: Recording | None = None
        self._story: str | None = None

    def to_the_end(self) -> int:
        order = self._order
        opened = sources.open_picture(order.source, GAMES, far=order.yes)
        self._picture = picture = replace(opened, wishes=order.wishes)
        if not picture.live:
            raise WrongUsage(
                f"{order.source}: a saved picture cannot be played", hint="use 'boardsight solve' for it"
            )
        if picture.hands is not None and not order.options.dry_run:
            self._alone = Alone(picture.hands)
        self._keep = _recording(order)
        if self._keep is not None:
            self._picture = picture = replace(picture, device=RecordingDevice(picture.device, self._keep))
        played = 0
        while True:
            outcome = self._play(picture)
            played += 1
            if outcome.status not in GOOD:
                return LIMIT if outcome.status == "stopped" else NOT_VERIFIED
            if not order.watch or played == order.boards:
                return DONE
            self._audience.step("waiting for the next board", 0, None)
            if not go_on(picture, order.game, order.profile, outcome.before.reading):
                log.print(f"no further board came within {NEXT_BOARD_S:.0f} s; {played} played")
                return DONE

    def fail(self, error: BaseException) -> None:
        """Tell how a run ended that could not go on."""
        word, reason = word_of(error), str(error) or "stopped by the user"
        if self._keep is not None:
            self._keep.write("end", status=word, reason=reason[:500])
            log.print(f"recorded: boardsight replay {self._keep.folder}", soft_wrap=True)
        facts = {"source": self._order.source, "status": word, "reason": reason}
        self._audience.end(Ending(word, facts, (), self._story))

    def close(self) -> None:
        if self._picture is not None:
            self._picture.device.close()
        if self._alone is not None:
            self._alone.let_go()

    def _play(self, picture: sources.Opened) -> Outcome:
        """One board, from the first look to the end."""
        order, keep = self._order, self._keep
        screen = Screen(picture.device, picture.clock)
        frame = picture.device.capture()
        found = look_at(frame, picture, order.game, order.profile)
        game = found.game
        if keep is not None:
            keep.board(found.game, found.profile)
            game = recorded(found.game, keep)
        self._audience.begin(found.game.title)
        self._story = None
        watcher = Watcher(self._audience.step)

        def confirm(look: Glance, plan: Plan) -> bool:
            return self._audience.agree(_question(found, plan))

        def learned(profile: Profile) -> None:
            if picture.profile is None:
                log.print(f"learned how this program is played: {store.save(profile)}")

        try:
            outcome = play(game, found.profile, screen, order.options, watcher, confirm, learned)
        except (KeyboardInterrupt, BoardsightError) as error:
            if (far := watcher.how_far()) is not None:
                log.print(f"stopped after {screen.acted} actions: {far[0]} of {far[1]} cells verified")
            if order.reported:
                seen = [notice.look for notice in watcher.notices if notice.look is not None]
                last = seen[-1] if seen else Glance(frame, found.reading)
                self._story = stopped_section(found.game, found.profile, last, error, watcher.notices)
            raise
        if keep is not None:
            keep.write("end", status=outcome.status)
        self._audience.end(self._ending(found, outcome, watcher.notices))
        return outcome

    def _ending(self, found: Recognised, outcome: Outcome, notices: Sequence[Notice]) -> Ending:
        order = self._order
        facts = {
            "source": order.source,
            "game": found.game.name,
            "status": outcome.status,
            "actions": outcome.actions,
            "verified": outcome.verified,
            "repaired": outcome.repaired,
            "remarks": list(outcome.remarks),
            "seconds": outcome.seconds,
            "recording": str(self._keep.folder) if self._keep else None,
        }
        section = run_section(found.game, found.profile, outcome, notices) if order.reported else None
        if outcome.status == "planned":
            counts = facts["plan"] = _counted(outcome.plan)
            planned = (
                f"planned, nothing was touched: {counts['cells']} cells to enter,"
                f" by {counts['actions']} actions in {counts['steps']} steps"
            )
            return Ending(
                "planned", facts, (planned,), section, tuple(step.why for step in outcome.plan.steps)
            )
        words = (
            f"{outcome.status}: {outcome.verified} cells, {outcome.actions} actions, {outcome.repaired} repaired",
            *outcome.remarks[len(found.reading.remarks) :],
        )
        if outcome.status == "stopped":
            facts["reason"] = "--max-actions or --max-minutes is reached"
            words = (*words, f"{facts['reason']}; the same command goes on from here")
        return Ending(outcome.status, facts, words, section)


def _recording(order: Order) -> Recording | None:
    """Where this run is kept; a run that nobody asked to keep goes on without when that cannot be done."""
    if not order.kept:
        return None
    try:
        return new_run(tell=log.print) if order.record is None else Recording(order.record, tell=log.print)
    except WrongUsage as error:
        if order.record is not None:
            raise
        log.print(f"this run is not recorded: {error}", style="dim")
        return None


def _question(found: Recognised, plan: Plan) -> tuple[str, ...]:
    """What somebody is told before anything is touched."""
    first = plan.steps[0].why if plan.steps else "-"
    remarks = found.reading.remarks
    return (
        f"{found.game.title}: {plan.missing} cells to enter, first: {first}",
        *(f"the picture was read with this decided: {remark}" for remark in remarks),
        "this moves the mouse or taps the screen; Ctrl-C stops it at once",
    )


def _counted(plan: Plan) -> dict[str, int]:
    """What a run would do first: a plan may end early where the next step depends on what the screen will show."""
    actions = sum(gestures(step.actions) for step in plan.steps)
    return {"cells": plan.missing, "actions": actions, "steps": len(plan.steps)}


def go_on(picture: sources.Opened, game: str | None, profile: str | None, before: Reading[Any, Any]) -> bool:
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
