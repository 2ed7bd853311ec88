"""Look, answer, plan, act, look again, until nothing is missing, and then once more.

A plan is the difference between the board now and the solution, so a lost tap, a board half filled by somebody
else and a restart are all the same thing: the next plan contains what is still missing.
The first step goes alone: only when it is seen to land where it was meant do the others follow, and the time it
took to show is how long later steps are waited for.

"Verified" is what was seen complete and is still complete after SETTLE_S: a program may take back what it showed, or
flash the solved picture. Where the board goes for good once everything was entered, the run is "finished".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, islice, takewhile
from math import dist
from typing import Any, Literal

from bot.actions import Key, Move, Plan, Step
from bot.changed import ends_of, touched
from bot.clock import Clock
from bot.drawn import drawn_small, drawn_strangely, drawn_unlike, drawn_weaker, fading, marked_red
from bot.ending import MOST_UNDER, End, boxed, hides_lines, lacking, overlaid, spoiled, went, words
from bot.errors import Misaligned, NeverStill, NoProgress, PuzzleChanged, WindowGone
from bot.eyes import Eyes
from bot.game import Game
from bot.lessons import Lessons
from bot.rounds import WAIT_FACTOR, Rounds, entries_of, moved_on, sends_all
from bot.screen import AnyReading, Budget, Glance, Screen, same_state
from solver.answer import Answer, Limits, has_several
from solver.errors import NoSolution, SearchLimit
from vision.errors import CELLS_NAMED, UncertainReading, VisionError
from vision.frame import Frame
from vision.profile import Profile

# A board that has been seen complete must still be so after this time, or WAIT_FACTOR times the slowest answer seen:
# programs take a move back within 2 s.
SETTLE_S = 2.1
# It is looked at after these times, in s. A flash of the solved picture is over before the first, and what blinks every 0.2 to
# 2.5 s is dark at one of them.
SETTLE_LOOKS_S = (0.78, 1.41, 1.76, 1.93, SETTLE_S)
# What comes and goes between these looks is given so many times that time to come to rest.
SETTLINGS = 3
# So many solutions are shown to a program that says nothing of them.
MOST_SOLUTIONS = 9
# What is said of an end that is right by the rules alone.
UNSAID = "the puzzle has several solutions, and the program has not shown that this is the one it wants"
# A board that says at once that it is finished, and then does not, is looked at so often.
FINISHED_LOOKS = 3
ROUNDS_WITHOUT_PROGRESS = 10
# A program that is known by its look is learned when so many of the first gestures were in vain, or a click opened a menu.
IN_VAIN = 2
BATCH = {"slow": 1, "normal": 12, "fast": 1000}
SEEN_COMPLETE = "it had been seen complete; then: "
# The board is not there any more: it cannot be read, or it is another one.
GONE = (VisionError, NeverStill, PuzzleChanged)

Speed = Literal["slow", "normal", "fast"]
Status = Literal["verified", "finished", "planned", "stopped"]


@dataclass(frozen=True)
class Notice:
    """Something that happened, for progress, reports and recordings."""

    kind: Literal["look", "answer", "plan", "act", "verify", "repair", "wait", "done"]
    text: str
    at_s: float
    look: Glance | None = None
    plan: Plan | None = None


@dataclass(frozen=True)
class Options:
    """How to play.

    speed: how many steps are sent between two looks.
    max_actions, max_s: stop (status "stopped") when one is reached; no step is begun that would go beyond.
    settle_s: a board that has been seen complete must still be so after this time, at least.
    """

    dry_run: bool = False
    speed: Speed = "normal"
    limits: Limits = field(default_factory=Limits)
    max_actions: int | None = None
    max_s: float | None = None
    settle_s: float = SETTLE_S


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    status: "verified" (nothing was missing, and still was not after the settling time), "finished" (everything was
        entered, then the board was covered or taken away for good), "planned" (a dry run), "stopped" (a limit of the
        options was reached).
    verified: cells that were missing at the start and seen in place at the last look at the board.
    repaired: steps that were sent again.
    seconds: time per verb, by the clock of the run.
    remarks: what the reader decided against the look of something, and how the board went, in words.
    """

    status: Status
    answer: Answer[Any] | None
    actions: int
    verified: int
    repaired: int
    rounds: int
    seconds: dict[str, float]
    before: Glance
    after: Glance
    plan: Plan
    remarks: tuple[str, ...] = ()


def answer(game: Game[Any, Any], puzzle: Any, limits: Limits) -> Answer[Any]:
    """Solve, then check: no solution leaves this function that breaks a rule.

    Raises NoSolution, SearchLimit. A solution that fails the check is a bug and an AssertionError.
    """
    found = game.solve(puzzle, limits)
    broken = game.check(puzzle, found.solution)
    if broken:
        raise AssertionError(
            f"the {game.name} solver broke a rule: {'; '.join(broken)}\n{game.unparse(puzzle)}"
        )
    return found


def play(
    game: Game[Any, Any],
    profile: Profile,
    screen: Screen,
    options: Options | None = None,
    observe: Callable[[Notice], None] = lambda notice: None,
    confirm: Callable[[Glance, Plan], bool] = lambda look, plan: True,
    keep: Callable[[Profile], object] = lambda profile: None,
) -> Outcome:
    """Play the board on the screen to a verified end.

    confirm: asked once with the first plan, and before that when something has to be closed to see the whole board;
        False ends the run as a dry run.
    keep: given what was learned of an unknown program, once that has brought a board to its end.
    Raises VisionError, PuzzleError, PlayError, DeviceError: nothing is tapped on a screen that is not understood.
    """
    return _Run(game, profile, screen, options or Options(), observe, confirm, keep).run()


class _Run:
    """One run: what has been seen, sent and learned so far."""

    def __init__(
        self,
        game: Game[Any, Any],
        profile: Profile,
        screen: Screen,
        options: Options,
        observe: Callable[[Notice], None],
        confirm: Callable[[Glance, Plan], bool],
        keep: Callable[[Profile], object],
    ) -> None:
        self.game, self.screen, self.options = game, screen, options
        self.observe, self.confirm, self.keep = observe, confirm, keep
        self.clock: Clock = screen.clock
        self.start_s = self.clock.now()
        self.budget = Budget(screen, self.options.max_actions, self.options.max_s)
        self.seconds = {"look": 0.0, "solve": 0.0, "act": 0.0, "verify": 0.0}
        self.eyes = Eyes(
            game, profile, screen, self.seconds, lambda why: self._note("wait", why), self._uncover
        )
        self.rounds = Rounds(game, screen, self.eyes, self.budget, self.seconds, self._note)
        self.lessons = Lessons(game, screen, self.eyes, self.rounds, self.budget, self._note)
        self.lesson: Profile | None = None
        self.agreed = False
        self.puzzle: Any = None
        self.solution: Any = None
        self.several: bool | None = None
        self.refused: frozenset[object] = frozenset()
        self.tried: list[Any] = []
        # Since when every entry has been seen, and how long the longest stood that was taken back without our doing.
        self.seen_at: dict[tuple[object, object], float] = {}
        self.taken_back_s = 0.0
        # The looks after the last rounds, and the first of all.
        self.frames: deque[Frame] = deque(maxlen=3)
        self.first: Frame

    def run(self) -> Outcome:
        first = self._begin()
        self.first = first.frame
        if first.reading.finished:
            return self._outcome("verified", None, first, End(first, 0), Plan((), 0))
        first, found = self._answer(first)
        self.puzzle, self.solution = first.reading.puzzle, found.solution
        plan = self._plan(first)
        self._note("plan", f"{plan.missing} missing", first, plan)
        if plan.missing and (self.options.dry_run or not self.confirm(first, plan)):
            return self._outcome("planned", found, first, End(first, plan.missing), plan)
        self.agreed = True
        look, room, missing = first, True, plan.missing
        if plan.missing:
            self.lesson, look, room = self.lessons.give(first, self.solution)
        if self.lesson is not None:
            # Only now is it known whether the program wants its blank cells marked.
            missing = self._plan(look).missing + len(self._right(look) - self._right(first))
        # What was tried out has changed the board, also where nothing could be learned.
        end = self._until_done(look) if room else End(look, self._plan(look).missing)
        silent = not end.left and not end.gone and self._silent(end.look)
        if silent:
            end = self._other_end(end)
        if self.lesson is not None and end.gone:
            self.keep(self.lesson)
        elif self.lesson is not None and not end.left:
            end = self._end_of(self.lesson, end.look)
        status: Status = "finished" if end.gone else "stopped" if end.left else "verified"
        unsaid = silent and status == "verified" and self._silent(end.look)
        return self._outcome(status, found, first, end, plan, missing, (UNSAID,) if unsaid else ())

    def _several(self) -> bool:
        """Whether the puzzle is known to have several solutions, of which the program may want another."""
        if self.game.several:
            # Its programs take every solution.
            return False
        if self.several is None:
            another = self.game.another(self.puzzle, self.solution)
            self.several = another is not None or has_several(partial(answer, self.game), self.puzzle)
        return self.several

    def _silent(self, last: Glance) -> bool:
        """Whether the program may want another solution: there is one, and it has said nothing of the last entry."""
        if last.covered or not self._several():
            return False
        return not self.game.said(self._last_looks(last), last.reading)

    def _last_looks(self, last: Glance) -> Sequence[Frame]:
        """The first one and those around the last entry; with what has settled since as the very last, where nothing was
        said at once."""
        frames = (self.first, *self.frames)
        return frames if self.game.said(frames, last.reading) else (*frames[:-1], last.frame)

    def _other_end(self, end: End) -> End:
        """How the board ends with the other solutions, one by one; with the last one that it took where it is silent of all."""
        for other in islice(self.game.solutions(self.puzzle), MOST_SOLUTIONS):
            if other == self.solution or other in self.tried:
                continue
            plan = self.game.plan(end.look.reading, other)
            # What cannot be taken back of ours would stand beside the other one.
            stuck = len(plan.differing) < max(1, plan.missing)
            if stuck or len(self.rounds.within_budget(plan.steps)) < len(plan.steps):
                return end
            self._note(
                "answer", "another of several solutions: the program has said nothing of this one", end.look
            )
            ours = self.solution
            self.tried.append(ours)
            end = self._end_with(other, ours, end)
            if end.left or end.gone or self.solution is ours or not self._silent(end.look):
                return end
        return end

    def _end_with(self, other: Any, ours: Any, end: End) -> End:
        """How the board ends with another solution; with ours again where the program does not take it.

        Raises NoProgress, Misaligned where ours cannot be entered again, and what looking raises where the board has not gone.
        """
        refused: tuple[type[Exception], ...] = (NoProgress, Misaligned)
        unseen: Exception | None = None
        for self.solution in (other, ours):
            self.rounds.forget()
            try:
                return self._until_done(self.eyes.same_puzzle(self.eyes.look("verify", end=True)))
            except GONE as error:
                unseen = error
            except refused:
                pass
            refused = ()
        if unseen is not None:
            gone = self._went(unseen, end.look, ())
            if not gone or spoiled(end.look, self.screen.device.capture()):
                # It is still there with the entries of both.
                raise unseen
        return replace(end, gone="it had been seen complete; then another solution was tried")

    def _right(self, look: Glance) -> set[tuple[object, object]]:
        """The entries of a look that are as the solution has them."""
        return entries_of(self.game, look) & self._right_entries()

    def _begin(self) -> Glance:
        """The first look. A board that says it is finished must still say so when it has settled."""
        first = self.eyes.look("look")
        self.eyes.begin(first)
        self._note("look", f"read {len(first.reading.marks)} cells", first)
        for _ in range(FINISHED_LOOKS):
            if not first.reading.finished:
                break
            self.clock.sleep(self.options.settle_s)
            again = self.eyes.look("look")
            if again.reading.finished and self.eyes.ours(again):
                return again
            first = again
            self.eyes.begin(first)
        return first

    def _end_of(self, lesson: Profile, last: Glance) -> End:
        """Whatever the program still waits for, though nothing is missing; then the lesson is complete."""
        if last.covered:
            self.keep(lesson)
            return End(last, 0)
        told = self.game.needs(lesson, self._last_looks(last), last.reading)
        self.eyes.read_with(told, last.reading)
        acted = self.screen.acted
        try:
            look = self.eyes.look("verify", end=True)
            # How what is needed is entered may be learned only now.
            more, look, _ = self.lessons.give(look, self.solution)
        except GONE:
            # It has been seen complete, and has settled: what covers it now is not asked for more.
            self.keep(lesson)
            return End(last, 0)
        if more is not None:
            told = replace(told, settings={**told.settings, **more.settings})
        plan = self._plan(look)
        if not plan.missing and self.screen.acted == acted:
            self.keep(told)
            return End(look, 0)
        # What a lesson has clicked may show late.
        end: End | None = None
        try:
            end = self._until_done(look)
        except GONE as error:
            seen = self.rounds.latest or look
            if 2 * self._plan(seen).missing < self._plan(look).missing:
                # It took most of them: the last ones may have been seen late.
                end = End(seen, 0, str(error))
        except (NoProgress, Misaligned):
            pass
        if end is not None:
            if not end.left or end.gone:
                self.keep(told)
            # What was entered besides is not missed where it was not seen.
            return End(end.look, 0, SEEN_COMPLETE + end.gone.removeprefix(SEEN_COMPLETE)) if end.gone else end
        # It takes nothing more: the board was finished before, but for what the attempt may have done to it.
        self.lessons.take_back(look, self.solution, self._plan(look).steps)
        self.eyes.read_with(lesson, look.reading)
        self.rounds.forget()
        try:
            again = self.eyes.same_puzzle(self.eyes.look("verify", end=True))
        except GONE as error:
            end = End(last, 0, f"{SEEN_COMPLETE}{error}")
        else:
            end = self._until_done(again)
        if not end.left:
            self.keep(lesson)
        return end

    def _until_done(self, look: Glance) -> End:
        """Rounds of plan, act and look, until nothing is missing and that has settled."""
        while True:
            end = self._round_by_round(look)
            if end.left or end.gone:
                return end
            try:
                look = self._settled(end.look)
            except GONE as error:
                other_size = self.screen.device.capture().size != end.look.frame.size
                if not other_size and not self._went(error, end.look, ()):
                    raise
                return replace(end, gone=f"{SEEN_COMPLETE}{error}")
            plan = self._plan(look)
            if not plan.missing:
                self._require_taken(look)
                return End(look, 0)
            missing = set(plan.differing)
            # Else it was taken back, and what else has changed is what a move changes.
            if hides_lines(end.look, look.frame, missing):
                under = self._overlaid((missing,), end.look, look.frame, set())
                if under is not None:
                    return under
            self._note("verify", f"{plan.missing} missing again", look, plan)

    def _round_by_round(self, look: Glance) -> End:
        """Rounds of plan, act and look, until nothing is missing."""
        plan = self._plan(look)
        least, since = plan.missing, 0
        landed = taught = False
        in_vain = 0
        before, sent = look, set[object]()
        self.frames.append(look.frame)
        while plan.missing:
            if look.covered and not plan.differing <= sent:
                # Cells are empty that were seen in place: the numbers around them are not those that were read.
                return End(before, self._plan(before).missing, "it was changed for another board")
            if look.covered:
                try:
                    look = self._past_cover(before, plan)
                except PuzzleChanged as error:
                    return self._gone_by_itself(before, error)
                plan = self._plan(look)
                continue
            steps = self._next_steps(plan, BATCH[self.options.speed] if landed else 1)
            if not steps:
                return End(look, plan.missing)
            before, tried = look, self.solution
            sent = {cell for step in steps for cell in step.cells}
            try:
                look = self._acted(look, plan, steps)
            except GONE as error:
                return self._gone_by_itself(before, error)
            except WindowGone as error:
                if not self.rounds.sent_all:
                    raise
                return self._gone(before, error)
            steps = self.rounds.sent
            if self.rounds.sent_all and not look.covered:
                cells = self._unsent(before, look)
                under = self._overlaid((cells,), before, look.frame, sent) if cells else None
                if under is not None:
                    return under
            self._watch(before, look, steps)
            self.frames.append(look.frame)
            self._keep_right(look)
            landed = landed or self.rounds.landed(before, look, steps, self.solution)
            in_vain += not moved_on(before, look)
            unlike = (not landed and in_vain == IN_VAIN) or self.rounds.menus.found
            if unlike and self.lesson is None and not taught:
                taught = True
                self.lesson, look, room = self.lessons.give(look, self.solution, anew=True)
                if not room:
                    return End(look, self._plan(look).missing)
            plan = self._plan(look)
            self._note("verify", f"{plan.missing} missing", look, plan)
            # Where another solution is tried, something was refused that no further one has.
            since = 0 if plan.missing < least or self.solution is not tried else since + 1
            least = min(least, plan.missing)
            if since > ROUNDS_WITHOUT_PROGRESS and not moved_on(before, look):
                why = plan.steps[0].why if plan.steps else "the last step"
                raise NoProgress(
                    f"{since} rounds brought nothing closer; the first missing step is: {why}",
                    hint="check that the game takes input, then start again: the run goes on from what is there",
                )
        return End(look, 0)

    def _next_steps(self, plan: Plan, most: int) -> Sequence[Step]:
        """What is sent before the next look; nothing where the budget is used up. Raises NoProgress."""
        if not self.budget.left:
            return ()
        if not plan.steps:
            raise NoProgress(
                f"{lacking(plan.missing)}, but nothing can be done about them here",
                hint="look at the board: something this program does not know is in the way",
            )
        steps = self.rounds.within_budget(plan.steps[:most])
        if len(steps) > 1 and sends_all(steps, plan) and self._several():
            # What covers the board after the last step alone is no judgement of the others, which have been seen.
            return steps[:-1]
        return steps

    def _acted(self, look: Glance, plan: Plan, steps: Sequence[Step]) -> Glance:
        """The board after these steps; as it is, and with another solution, where one was sent in vain too often."""
        try:
            return self.rounds.act(look, plan, steps, self.solution)
        except NoProgress:
            other = self._other_solution(look)
            if other is None:
                raise
            self._note("answer", "another of several solutions, which the program takes", look)
            self.tried.append(self.solution)
            self.solution = other
            self.rounds.forget()
            return look

    def _other_solution(self, look: Glance) -> Any:
        """A solution not tried yet that agrees with what the program has taken and refused; None where there is none."""
        if self.game.agreeing is None or self.game.several:
            return None
        # Of each solution that was tried it has refused something: that there is another one need not have been found before.
        self.refused |= self.rounds.in_vain
        agreeing = self.game.agreeing(self.puzzle, look.reading.placed, self.refused)
        try:
            other = answer(self.game, agreeing, self.options.limits).solution
        except (NoSolution, SearchLimit):
            return None
        if other == self.solution or other in self.tried or self.game.check(self.puzzle, other):
            return None
        self.several = True
        return other

    def _past_cover(self, before: Glance, plan: Plan) -> Glance:
        """The board when what lies over it has gone, without losing any entry. Raises NoProgress where it stays, and
        PuzzleChanged where another board was beneath.

        A dialog that a browser opens hides what was entered last: the page is not drawn before it is closed.
        """
        close = Step((Key("escape"),), "close what lies over the board")
        gone: Exception | None = None
        for step in (None, close):
            if step is not None and self.rounds.within_budget((step,)):
                self.rounds.send_alone(step, before)
            try:
                look = self.eyes.look("verify", end=True, sent=set(plan.differing))
                look = self.eyes.same_puzzle(look)
                if not look.covered and entries_of(self.game, before) <= entries_of(self.game, look):
                    return look
            except GONE as error:
                gone = error
        if isinstance(gone, PuzzleChanged):
            raise gone
        raise NoProgress(
            f"{lacking(plan.missing)}, and something lies over the board",
            hint="close what covers the board, then start again: the run goes on from what is there",
        )

    def _plan(self, look: Glance) -> Plan:
        """What is missing on a look."""
        return Plan((), 0) if look.reading.finished else self.game.plan(look.reading, self.solution)

    def _went(self, error: Exception, before: Glance, steps: Sequence[Step]) -> bool:
        """Whether the board itself has gone since everything was entered."""
        seen, shown = self.rounds.latest or before, self.screen.device.capture()
        cells, right = {cell for step in steps for cell in step.cells}, self._right_entries()
        placed = entries_of(self.game, seen)
        meant = {entry for entry in right if entry[0] in cells} - placed
        other = (
            set[tuple[object, object]]()
            if self.eyes.other is None
            else entries_of(self.game, self.eyes.other)
        )
        blank = None if self.game.guide is None else self.game.guide.blank
        doubtful = set(error.cells) if isinstance(error, UncertainReading) else set()
        if went(error, seen, shown, meant, other, right, placed, blank):
            return not self._lacks_beside(doubtful, seen, shown, cells)
        if shown.size != seen.frame.size:
            return False
        # A reader names no cells, or others, where something is drawn between them.
        changed = touched(seen, shown, {at for at, _ in right}, cells)
        return self._overlaid((doubtful, changed), seen, shown, cells) is not None

    def _lacks_beside(self, cells: Set[object], seen: Glance, shown: Frame, sent: Set[object]) -> bool:
        """Whether beside what lies over these cells the board can be read, and lacks some of what was sent."""
        look = self._seen_beside(cells, seen, shown, sent, most=1.0)
        return look is not None and self._plan(look).missing > 0

    def _seen_beside(
        self, cells: Set[object], seen: Glance, shown: Frame, sent: Set[object], most: float = MOST_UNDER
    ) -> Glance | None:
        """Our board as it is read beside what lies over these cells; None where it is not. Parameters as for `overlaid`."""
        under = overlaid(cells, seen, shown, sent, self.eyes.read, most)
        look = None if under is None else Glance(shown, under)
        return look if look is not None and self.eyes.ours(look) else None

    def _overlaid(
        self, choices: Sequence[Set[object]], seen: Glance, shown: Frame, sent: Set[object]
    ) -> End | None:
        """The end with a message over some cells of the board, one of these choices, where without it nothing is missing; else
        None."""
        if (under := boxed(seen, shown, self.eyes.read)) is not None:
            return self._ended_under(Glance(shown, under))
        ends = (self._beneath(cells, seen, shown, sent) for cells in choices)
        return next((end for end in ends if end is not None), None)

    def _beneath(self, cells: Set[object], seen: Glance, shown: Frame, sent: Set[object]) -> End | None:
        """The end with a message over these cells, and over what nobody sent."""
        look = self._seen_beside(cells, seen, shown, sent)
        if look is None:
            return None
        more = self._unsent(seen, look)
        return self._beneath(cells | more, seen, shown, sent) if more - cells else self._ended_under(look)

    def _ended_under(self, look: Glance) -> End | None:
        """The end with a message over a board that is read without it, where it is ours and nothing is missing; else None."""
        if not self.eyes.ours(look) or self._plan(look).missing:
            return None
        return End(look, 0, "something lies over a part of it")

    def _unsent(self, before: Glance, look: Glance) -> set[object]:
        """The cells that were right, and are wrong now though nothing was sent for them."""
        guide, right = self.game.guide, self.game.entries(self.solution)
        was, now = (self.game.entries(one.reading.placed) for one in (before, look))
        sent = {cell for step in self.rounds.sent for cell in step.cells}
        return {
            cell
            for cell, value in now.items()
            if guide and was.get(cell) == right.get(cell) != value and guide.wrong(value, right.get(cell))
        } - sent

    def _right_entries(self) -> set[tuple[object, object]]:
        """The entries of the solution."""
        return set(self.game.entries(self.solution).items())

    def _gone_by_itself(self, before: Glance, error: Exception) -> End:
        """The end of a board that went since everything was entered. Raises the error where it did not."""
        if not self.rounds.sent_all or not self._went(error, before, self.rounds.sent):
            raise error
        return self._gone(before, error)

    def _gone(self, before: Glance, error: Exception) -> End:
        """The end of a board that went for good after everything missing had been sent."""
        last = self.rounds.latest or before
        return End(last, self._plan(last).missing, str(error))

    def _settled(self, look: Glance) -> Glance:
        """The board some time after it was seen complete; a look at which it is not, where there is one.

        Raises NeverStill where it was complete at every look, and entries came and went between them all the same.
        """
        for _ in range(SETTLINGS):
            began = look
            look, wavered = self._settling(look)
            if self._plan(look).missing or not (wavered or self._fading(began, look)):
                return look
        if not wavered:
            # It has lost something every time, and is there all the same: a light that goes round.
            return look
        raise NeverStill(
            "entries keep coming and going on a board that is otherwise complete",
            hint="look at what blinks there: it may not have been taken, or be a mistake",
        )

    def _fading(self, began: Glance, look: Glance) -> bool:
        """Whether entries of ours have become weaker since a look, as those do that are taken back slowly."""
        first = self.eyes.first
        if first is None or look.covered:
            return False
        ours = self.game.entries(look.reading.placed).keys() - self.game.entries(first.reading.placed).keys()
        return bool(fading(first, began, look, ours))

    def _settling(self, look: Glance) -> tuple[Glance, bool]:
        """The board when the settling time is over, or at a look at which it is not complete, and whether any picture on
        the way showed other entries."""
        began, shown = self.clock.now(), entries_of(self.game, look)
        wait_s = max(self.options.settle_s, WAIT_FACTOR * max(self.rounds.slowest_s, self.taken_back_s))
        wavered = False

        def same(earlier: AnyReading, reading: AnyReading) -> bool:
            nonlocal wavered
            wavered |= set(self.game.entries(reading.placed).items()) != shown
            return same_state(earlier, reading)

        # The same times again and again where it has to be watched for longer.
        times = (turn * SETTLE_S + at_s for turn in count() for at_s in SETTLE_LOOKS_S)
        for at_s in (*takewhile(lambda at_s: at_s < wait_s, times), wait_s):
            self.clock.sleep(max(0.0, began + at_s - self.clock.now()))
            before = look
            look = self.eyes.same_puzzle(
                self.eyes.look("verify", end=True, expected=partial(same, before.reading))
            )
            self._watch(before, look, ())
            if self._plan(look).missing:
                break
        return look, wavered

    def _require_taken(self, look: Glance) -> None:
        """Raises NoProgress where the program marks mistakes, and where an entry of ours is drawn unlike others:
        what is not taken yet may be."""
        first = self.eyes.first
        if first is None or look.covered or look.reading.finished:
            return
        wrong = look.reading.mistakes
        if wrong:
            named = sorted(map(look.reading.name, wrong))
            raise NoProgress(
                f"nothing is missing, and the program marks {len(wrong)} places as mistakes: "
                + "; ".join(named[:CELLS_NAMED]),
                hint="compare the board with 'boardsight read': something may be read wrong, or not have been taken",
            )
        odd = self._drawn_otherwise(first, look)
        if odd:
            odd &= self._drawn_otherwise(first, self._pointed_elsewhere(look, odd))
        if odd:
            named = sorted(
                " to ".join(map(look.reading.name, ends_of(look.reading.geometry, at))) for at in odd
            )
            raise NoProgress(
                f"{len(odd)} of {len(entries_of(self.game, look))} entries are drawn weaker or smaller than others alike or in "
                "another way, as if they were not taken: " + "; ".join(named[:CELLS_NAMED]),
                hint="move the mouse away and look whether they stay, then start again: the run goes on from what is there",
            )

    def _drawn_otherwise(self, first: Glance, look: Glance) -> set[Any]:
        """The entries of ours, and the numbers, that are drawn as if they were not taken."""
        stood, shown = self.game.entries(first.reading.placed), dict(entries_of(self.game, look))
        ours = {at: value for at, value in shown.items() if at not in stood}
        told = (drawn_weaker, drawn_strangely, drawn_unlike, marked_red)
        return drawn_small(look, shown).union(*(tell(first, look, ours) for tell in told))

    def _pointed_elsewhere(self, look: Glance, places: Collection[Any]) -> Glance:
        """The board with the pointer as far from these places as its cells go: a page may draw what is under it paler."""
        centres = look.reading.geometry.centres
        here = [centres[end] for place in places for end in ends_of(look.reading.geometry, place)]
        away = max(centres.values(), key=lambda at: min(dist(at, other) for other in here))
        step = Step((Move(away),), "look at what was under the pointer")
        if self.rounds.within_budget((step,)):
            self.rounds.send_alone(step, look)
            self.clock.sleep(SETTLE_LOOKS_S[0])
            with suppress(*GONE):
                return self.eyes.same_puzzle(self.eyes.look("verify", end=True))
        return look

    def _watch(self, before: Glance, look: Glance, steps: Sequence[Step]) -> None:
        """Notice what the program takes back without our doing, and how long it had stood."""
        now, ours = self.clock.now(), {cell for step in steps for cell in step.cells}
        was, shown = entries_of(self.game, before), entries_of(self.game, look)
        self.rounds.came_late({cell for cell, _ in was ^ shown} - ours)
        for entry in shown - was:
            self.seen_at.setdefault(entry, now)
        for entry in was - shown:
            since = self.seen_at.pop(entry, now)
            if entry[0] not in ours:
                self.taken_back_s = max(self.taken_back_s, now - since)

    def _uncover(self, look: Glance) -> bool:
        """Close what the player knows to lie over the board, a menu left open; whether something was done."""
        step = self.rounds.uncover(look)
        if step is None:
            return False
        if not self.agreed and (self.options.dry_run or not self.confirm(look, Plan((step,), 1))):
            return False
        self.rounds.send_alone(step, look)
        return True

    def _answer(self, look: Glance) -> tuple[Glance, Answer[Any]]:
        """The checked solution; a puzzle without one is looked at afresh once, since it may be a misreading."""
        began = self.clock.now()
        try:
            found = answer(self.game, look.reading.puzzle, self.options.limits)
        except NoSolution:
            again = self.eyes.look("look")
            if again.reading.puzzle == look.reading.puzzle:
                raise
            look, found = again, answer(self.game, again.reading.puzzle, self.options.limits)
        self.seconds["solve"] += self.clock.now() - began
        self._note("answer", f"solved, cost {found.cost}" if found.cost is not None else "solved", look)
        return look, found

    def _keep_right(self, look: Glance) -> None:
        """Solve anew where the screen has meanwhile told more of the puzzle and the solution breaks a rule."""
        puzzle = look.reading.puzzle
        if self.game.learns and not look.reading.finished and self.game.check(puzzle, self.solution):
            self.solution = answer(self.game, puzzle, self.options.limits).solution

    def _note(self, kind: Any, text: str, look: Glance | None = None, plan: Plan | None = None) -> None:
        self.observe(Notice(kind, text, self.clock.now() - self.start_s, look, plan))

    def _outcome(
        self,
        status: Status,
        found: Answer[Any] | None,
        first: Glance,
        end: End,
        plan: Plan,
        missing: int | None = None,
        remarks: tuple[str, ...] = (),
    ) -> Outcome:
        """missing: how many cells had to be entered, where the first plan does not tell. remarks: on how it ended."""
        missing = plan.missing if missing is None else missing
        verified = missing - end.left
        remarks = first.reading.remarks + remarks
        if end.gone:
            remarks += (words(verified, missing, end.gone),)
        if status != "planned":
            self._note("done", status, end.look)
        seconds = {verb: round(value, 3) for verb, value in self.seconds.items()}
        return Outcome(
            status,
            found and replace(found, solution=self.solution),
            self.screen.acted,
            verified,
            self.rounds.repaired,
            self.rounds.count,
            seconds,
            first,
            end.look,
            plan,
            remarks,
        )


def to_enter(game: Game[Any, Any], placed: Any, solution: Any) -> Mapping[Any, Any]:
    """What the solution has and the board has not, cell -> value; what needs no mark is left out."""
    there, blank = game.entries(placed), None if game.guide is None else game.guide.blank
    return {
        cell: value
        for cell, value in game.entries(solution).items()
        if value != blank and there.get(cell) != value
    }
