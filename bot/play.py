"""Look, answer, plan, act, look again, until nothing is missing.

A plan is the difference between the board now and the solution, so a lost tap, a board half filled by somebody
else and a restart are all the same thing: the next plan contains what is still missing.
The first step goes alone: only when it is seen to land where it was meant do the others follow, and the time it
took to show is how long later steps are waited for.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

from bot.actions import Action, Plan, Step
from bot.clock import Clock
from bot.errors import LimitReached, Misaligned, NoProgress, SizeChanged
from bot.eyes import Eyes
from bot.game import Game
from bot.screen import Budget, Hands, Look, Screen
from solver.answer import Answer, Limits
from solver.errors import NoSolution
from vision.frame import Frame
from vision.profile import Profile

# A first step may take this long to show before it counts as lost: slow servers answer after up to 3 s.
FIRST_WAIT_S = 4.0
# Later steps are waited for this many times the slowest answer seen, and never shorter than LEAST_WAIT_S.
WAIT_FACTOR = 2.0
LEAST_WAIT_S = 0.5
# The first look after an action comes this soon; each further one waits half as long again, up to the second.
POLL_S = (0.05, 0.5)
ROUNDS_WITHOUT_PROGRESS = 10
SAME_STEP_AT_MOST = 5
# A cell that shows no effect is tried so many times more; then something is wrong that trying does not mend.
REPAIRS_AT_MOST = 3
# A first step that changes something else instead is tried once more.
ASTRAY_AT_MOST = 2
# A lesson about an unknown program that the screen disturbed is given so often.
LESSONS_AT_MOST = 2
BATCH = {"slow": 1, "normal": 12, "fast": 1000}

Speed = Literal["slow", "normal", "fast"]


@dataclass(frozen=True)
class Note:
    """Something that happened, for progress, reports and recordings."""

    kind: Literal["look", "answer", "plan", "act", "verify", "repair", "wait", "done"]
    text: str
    at_s: float
    look: Look | None = None
    plan: Plan | None = None


@dataclass(frozen=True)
class Options:
    """How to play.

    speed: how many steps are sent between two looks.
    max_actions, max_s: stop (status "stopped") when one is reached; no step is begun that would go beyond.
    """

    dry_run: bool = False
    speed: Speed = "normal"
    limits: Limits = field(default_factory=Limits)
    max_actions: int | None = None
    max_s: float | None = None


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    status: "verified" (two looks after the last action showed nothing missing), "planned" (a dry run),
        "stopped" (a limit of the options was reached).
    verified: cells that were missing at the start and seen in place at the end.
    repaired: steps that were sent again.
    seconds: time per verb, by the clock of the run.
    """

    status: Literal["verified", "planned", "stopped"]
    answer: Answer[Any] | None
    actions: int
    verified: int
    repaired: int
    rounds: int
    seconds: dict[str, float]
    before: Look
    after: Look
    plan: Plan


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
    observe: Callable[[Note], None] = lambda note: None,
    confirm: Callable[[Look, Plan], bool] = lambda look, plan: True,
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
        observe: Callable[[Note], None],
        confirm: Callable[[Look, Plan], bool],
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
        self.sent: Counter[tuple[Action, ...]] = Counter()
        self.tries: Counter[object] = Counter()
        self.astray = 0
        self.agreed = False
        self.slowest_s = 0.0
        self.repaired = 0
        self.rounds = 0
        # The looks after the last rounds.
        self.frames: deque[Frame] = deque(maxlen=3)

    def run(self) -> Outcome:
        first = self.eyes.look("look")
        self._note("look", f"read {len(first.reading.marks)} cells", first)
        if first.reading.finished:
            return self._outcome("verified", None, first, first, Plan((), 0), 0)
        first, found = self._answer(first)
        plan = self.game.plan(first.reading, found.solution)
        self._note("plan", f"{plan.missing} missing", first, plan)
        if plan.missing and (self.options.dry_run or not self.confirm(first, plan)):
            return self._outcome("planned", found, first, first, plan, 0)
        self.agreed = True
        lesson, first, room = self._lesson(first, found.solution) if plan.missing else (None, first, True)
        # What was tried out has changed the board, also where nothing could be learned.
        plan = self.game.plan(first.reading, found.solution)
        last, left = self._until_done(first, found.solution, plan) if room else (first, plan.missing)
        if lesson is not None and not left:
            last, left = self._end_of(lesson, last, found.solution)
        status: Literal["verified", "stopped"] = "stopped" if left else "verified"
        self._note("done", status, last)
        return self._outcome(status, found, first, last, plan, plan.missing - left)

    def _lesson(self, look: Look, solution: Any) -> tuple[Profile | None, Look, bool]:
        """What a few actions tell of an unknown program; from here on the screen is read with it.

        Returns it, the look afterwards, and whether the limits leave room to go on. Where something was tried and
        nothing came of it, as when a pop-up or another resolution interferes, it is tried once more from the beginning.
        """
        for _ in range(LESSONS_AT_MOST):
            hands = Hands(self.screen, look, self.budget)
            lesson, room, resized = None, True, False
            try:
                lesson = self.game.learn(look.frame, look.reading, solution, hands)
            except LimitReached:
                room = False
            except SizeChanged:
                resized = True
            if lesson is not None:
                self._note("act", "learned how this program is played")
                self.eyes.read_with(lesson)
            elif room and (hands.used or resized):
                # What was sent may show late, and would be taken for the effect of what is tried next.
                self.clock.sleep(FIRST_WAIT_S)
            if hands.used or resized:
                look = self.eyes.same_puzzle(look, self.eyes.look("look"))
            if lesson is not None or not room or not (hands.used or resized):
                break
        return lesson, look, room

    def _end_of(self, lesson: Profile, last: Look, solution: Any) -> tuple[Look, int]:
        """Whatever the program still waits for, though nothing is missing; then the lesson is complete.

        Returns the last look and how many cells are missing.
        """
        told = self.game.needs(lesson, tuple(self.frames), last.reading)
        self.eyes.read_with(told)
        look = self.eyes.look("verify")
        plan = self.game.plan(look.reading, solution)
        try:
            look, left = self._until_done(look, solution, plan)
        except (NoProgress, Misaligned):
            # It takes nothing more: the board was finished before, but for what the attempt may have done to it.
            told = lesson
            self.eyes.read_with(told)
            self.tries.clear()
            self.astray = 0
            look = self.eyes.look("verify")
            look, left = self._until_done(look, solution, self.game.plan(look.reading, solution))
        if not left:
            self.keep(told)
        return look, left

    def _until_done(self, look: Look, solution: Any, plan: Plan) -> tuple[Look, int]:
        """Rounds of plan, act and look. Returns the last look and how many cells are still missing."""
        least, since = plan.missing, 0
        landed = False
        first = look
        self.frames.append(look.frame)
        while plan.missing:
            if not self.budget.left:
                return look, plan.missing
            if not plan.steps:
                raise NoProgress(
                    f"{plan.missing} cells are missing, but nothing can be done about them here",
                    hint="look at the board: something this program does not know is in the way",
                )
            size = BATCH[self.options.speed] if landed else 1
            steps = self._within_budget(plan.steps[:size])
            if not steps:
                return look, plan.missing
            self.rounds += 1
            before = look
            look = self._act(look, steps, solution, plan)
            look = self.eyes.same_puzzle(first, look)
            self.frames.append(look.frame)
            solution = self._still_right(look, solution)
            landed = landed or self._landed(before, look, steps, solution)
            plan = Plan((), 0) if look.reading.finished else self.game.plan(look.reading, solution)
            self._note("verify", f"{plan.missing} missing", look, plan)
            since = 0 if plan.missing < least else since + 1
            least = min(least, plan.missing)
            if since > ROUNDS_WITHOUT_PROGRESS and not _moved_on(before, look):
                why = plan.steps[0].why if plan.steps else "the last step"
                raise NoProgress(
                    f"{since} rounds brought nothing closer; the first missing step is: {why}",
                    hint="check that the game takes input, then start again: the run goes on from what is there",
                )
        return look, 0

    def _within_budget(self, steps: Sequence[Step]) -> Sequence[Step]:
        """As many of the steps as there is room for: one that is begun is never left half done."""
        needed = accumulate(len(step.actions) for step in steps)
        return steps[: sum(count <= self.budget.left for count in needed)]

    def _act(self, look: Look, steps: Sequence[Step], solution: Any, plan: Plan) -> Look:
        """Send the steps, then wait until they show or are late beyond all experience."""
        for step in steps:
            self.sent[step.actions] += 1
            if self.sent[step.actions] > 1:
                self.repaired += 1
                self._note("repair", step.why)
            self.tries.update(step.cells)
            in_vain = any(self.tries[cell] > 1 + REPAIRS_AT_MOST for cell in step.cells)
            if in_vain or (self.sent[step.actions] > SAME_STEP_AT_MOST and step.cells):
                times = 1 + REPAIRS_AT_MOST if in_vain else SAME_STEP_AT_MOST
                raise NoProgress(
                    f"sent {times} times without effect: {step.why}",
                    hint="check that the game takes input there",
                )
        began = self.clock.now()
        for step in steps:
            if self.budget.late:
                break
            self._note("act", step.why)
            self.screen.act(step.actions, look.reading.area)
        sent_s = self.clock.now()
        self.seconds["act"] += sent_s - began
        after = self._wait_for(look, steps, solution, sent_s)
        for cell in _differing(self.game, look, after):
            del self.tries[cell]
        return after

    def _wait_for(self, before: Look, steps: Sequence[Step], solution: Any, sent_s: float) -> Look:
        """Look until every cell of the steps shows what was meant, or the patience is over."""
        meant = {cell for step in steps for cell in step.cells}
        patience = max(LEAST_WAIT_S, WAIT_FACTOR * self.slowest_s)
        if not self.slowest_s or any(self.tries[cell] > 1 for cell in meant):
            # Nothing is known yet, or the picture may stand still: trying again at once would tell nothing new.
            patience = max(patience, FIRST_WAIT_S)
        pause = POLL_S[0]
        while True:
            look = self.eyes.look("verify")
            waited = self.clock.now() - sent_s
            if look.reading.finished or self._shows(before, look, meant, solution):
                self.slowest_s = max(self.slowest_s, waited, POLL_S[0])
                return look
            if waited >= patience:
                return look
            self.clock.sleep(pause)
            pause = min(1.5 * pause, POLL_S[1])

    def _shows(self, before: Look, look: Look, meant: set[object], solution: Any) -> bool:
        """Whether all the cells meant are no longer missing; for a step that changes only controls, any change."""
        if not meant:
            return _moved_on(before, look)
        return meant.isdisjoint(self.game.plan(look.reading, solution).differing)

    def _uncover(self, look: Look) -> bool:
        """Close what the player knows to lie over the board, a menu left open; whether something was done."""
        step = self.game.uncover(look.reading)
        if step is None or self.sent[step.actions] > REPAIRS_AT_MOST or not self._within_budget((step,)):
            return False
        if not self.agreed and (self.options.dry_run or not self.confirm(look, Plan((step,), 1))):
            return False
        self.sent[step.actions] += 1
        self._note("act", step.why)
        self.screen.act(step.actions, look.reading.area)
        return True

    def _landed(self, before: Look, look: Look, steps: Sequence[Step], solution: Any) -> bool:
        """Whether the first step did what was meant. Raises Misaligned when it did something elsewhere.

        A step that was done twice, or half, changes the cells it was meant for: that is repaired, one step at a time.
        So is one that was on its way while the picture took another size, and what changes elsewhere once: it may come
        late, sent by a run that was cut off before this one or while its program was learned.
        """
        meant = {cell for step in steps for cell in step.cells}
        changed = _differing(self.game, before, look)
        elsewhere = changed - meant
        if (
            meant
            and elsewhere
            and before.frame.size == look.frame.size
            and not look.reading.finished
            and not self._shows(before, look, meant, solution)
        ):
            self.astray += 1
            if self.astray < ASTRAY_AT_MOST:
                return False
            where = ", ".join(sorted(map(str, elsewhere))[:3])
            raise Misaligned(
                f"the first step ({steps[0].why}) changed {where} instead",
                hint="the picture and the input do not agree: check scaling, or run 'boardsight doctor'",
            )
        return bool(meant) and self._shows(before, look, meant, solution)

    def _answer(self, look: Look) -> tuple[Look, Answer[Any]]:
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

    def _still_right(self, look: Look, solution: Any) -> Any:
        """The solution, or a new one where the screen has meanwhile told more of the puzzle and it breaks a rule."""
        puzzle = look.reading.puzzle
        if not self.game.learns or look.reading.finished or not self.game.check(puzzle, solution):
            return solution
        return answer(self.game, puzzle, self.options.limits).solution

    def _note(self, kind: Any, text: str, look: Look | None = None, plan: Plan | None = None) -> None:
        self.observe(Note(kind, text, self.clock.now() - self.start_s, look, plan))

    def _outcome(
        self, status: Any, found: Answer[Any] | None, first: Look, last: Look, plan: Plan, verified: int
    ) -> Outcome:
        seconds = {verb: round(value, 3) for verb, value in self.seconds.items()}
        return Outcome(
            status, found, self.screen.acted, verified, self.repaired, self.rounds, seconds, first, last, plan
        )


def _moved_on(before: Look, look: Look) -> bool:
    a, b = before.reading, look.reading
    return a.placed != b.placed or a.controls != b.controls or a.facts != b.facts


def to_enter(game: Game[Any, Any], placed: Any, solution: Any) -> Mapping[Any, Any]:
    """What the solution has and the board has not, cell -> value; what needs no mark is left out."""
    there, blank = game.entries(placed), None if game.guide is None else game.guide.blank
    return {
        cell: value
        for cell, value in game.entries(solution).items()
        if value != blank and there.get(cell) != value
    }


def _differing(game: Game[Any, Any], before: Look, after: Look) -> set[object]:
    """The cells in which two looks have different entries."""
    one, two = game.entries(before.reading.placed), game.entries(after.reading.placed)
    return {cell for cell, _ in set(one.items()) ^ set(two.items())}
