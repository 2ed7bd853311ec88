"""One round of play: steps are sent, and waited for until they show or are late beyond all experience.

A gesture that got lost is sent again more slowly each time: a program that samples the mouse once per picture misses
what is over between two of them. Where many got lost, the pace that was needed is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate
from typing import Any

from bot.actions import PACES, Action, Plan, Step, gestures, points, slower
from bot.changed import changed_beside, has_gone
from bot.errors import Misaligned, NeverStill, NoProgress, WindowChanged
from bot.eyes import Eyes
from bot.game import Game
from bot.guard import Guard
from bot.menus import Menus
from bot.screen import AnyReading, Budget, Glance, Screen
from vision.errors import UncertainReading, VisionError

# A first step may take this long to show before it counts as lost: slow servers answer after up to 3 s.
FIRST_WAIT_S = 4.0
# What is sent before any step has shown is made at least so slowly.
FIRST_PACE = 1
# Later steps are waited for this many times the slowest answer seen, and never shorter than LEAST_WAIT_S.
WAIT_FACTOR = 2.0
LEAST_WAIT_S = 0.5
# The first look after an action comes this soon; each further one waits half as long again, up to the second.
POLL_S = (0.05, 0.5)
SAME_STEP_AT_MOST = 5
# A cell that shows no effect is tried so many times more; then something is wrong that trying does not mend.
REPAIRS_AT_MOST = 3
# A first step that changes something else instead is tried once more.
ASTRAY_AT_MOST = 2
# A window that comes and goes is looked at so often in a row, with nothing sent in between.
WINDOWS_AT_MOST = 4
# A gesture is half done, and not hidden, where so small a share of the picture has changed beside its cells.
HALF_DONE = 0.05
# Where less than this share of the steps got lost at one pace, they were not too fast: of those that a program takes
# which samples the mouse 60 times a second, two of five get lost.
LOST_SHARE = 0.3


class Rounds:
    """Sends steps and sees what came of them.

    note: hears what is done: the kind of note, and in words.
    repaired: steps that were sent again. count: rounds so far. slowest_s: the slowest answer seen.
    unseen: the steps that were sent since `latest`, the last look that showed a board.
    sent: the steps of the last round that were sent. sent_all: whether nothing that its plan found missing is left to send.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        screen: Screen,
        eyes: Eyes,
        budget: Budget,
        seconds: dict[str, float],
        note: Callable[[str, str], object],
    ) -> None:
        self._game, self._screen, self._eyes, self._budget = game, screen, eyes, budget
        self._clock, self._seconds, self._note = screen.clock, seconds, note
        self.repaired = 0
        self.count = 0
        self.slowest_s = 0.0
        self.latest: Glance | None = None
        self.unseen: tuple[Step, ...] = ()
        self.sent: tuple[Step, ...] = ()
        self.sent_all = False
        self._guard = Guard(screen)
        self.menus = Menus(screen)
        self._sent: Counter[tuple[Action, ...]] = Counter()
        self._tries: Counter[object] = Counter()
        # When a step was last sent for a cell: what changes there later was meant, and came late.
        self._aimed: dict[object, float] = {}
        self._astray = 0
        # How often in a row a step was refused because of another window.
        self._windows = 0
        self._pace = 0
        # How many steps were sent, and how many of them got lost, since the pace is what it is.
        self._sent_so, self._lost_so = 0, 0
        # The latest reading that was compared with a solution, and the cells that it lacks.
        self._planned: tuple[AnyReading, Any, frozenset[object]] | None = None

    def forget(self) -> None:
        """What was tried without success may be tried again."""
        self._tries.clear()
        self._sent.clear()
        self._astray = 0

    @property
    def in_vain(self) -> frozenset[object]:
        """The cells for which something was sent again, and which have not changed."""
        return frozenset(cell for cell, tries in self._tries.items() if tries > 1)

    def came_late(self, cells: Collection[object]) -> None:
        """Learn how slow the program is from cells that change though no step for them is waited for."""
        for cell in self._aimed.keys() & set(cells):
            waited = min(self._clock.now() - self._aimed[cell], FIRST_WAIT_S)
            self.slowest_s = max(self.slowest_s, waited)

    def within_budget(self, steps: Sequence[Step]) -> Sequence[Step]:
        """As many of the steps as there is room for: one that is begun is never left half done."""
        needed = accumulate(gestures(step.actions) for step in steps)
        return steps[: sum(count <= self._budget.left for count in needed)]

    def act(self, look: Glance, plan: Plan, steps: Sequence[Step], solution: Any) -> Glance:
        """Send the first steps of a plan, then wait until they show or are late beyond all experience.

        A board that is covered or exchanged meanwhile gets no more of them, as far as that is seen.
        Raises NoProgress where one has been tried too often, PuzzleChanged, and what looking raises.
        """
        self.count += 1
        self.sent, self.sent_all = (), False
        for step in steps:
            self._require_hope(step)
        self.latest, self.unseen = look, ()
        began = self._clock.now()
        paces = self._send(look, steps)
        self.sent = tuple(steps[: len(paces)])
        end = self._ends(steps, plan, solution)
        self.sent_all = self._ends(self.sent, plan, solution) and self._entered(plan, solution)
        sent_s = self._clock.now()
        self._seconds["act"] += sent_s - began
        after = self._board_after(look, solution, sent_s, end)
        self._guard.harmless(after)
        for step, pace in zip(self.sent, paces, strict=True):
            self._keep_pace(pace, shown=self._shows(look, after, set(step.cells), solution))
        for cell in differing(self._game, look, after):
            del self._tries[cell]
        return after

    def _board_after(self, look: Glance, solution: Any, sent_s: float, end: bool) -> Glance:
        """The board after the steps that were sent; one that was half done, and leaves its cell in doubt, is sent again."""
        try:
            return self._menu_closed(look, solution, sent_s, end)
        except UncertainReading as error:
            half = None if end else self._half_done(look, set(error.cells))
            if half is None:
                raise
        self._pace_of(half)
        self.send_alone(half, look)
        return self._menu_closed(look, solution, self._clock.now(), end)

    def _half_done(self, look: Glance, doubtful: set[object]) -> Step | None:
        """The step of several gestures of which only the first may have been taken: its cell alone is in doubt.

        None where more has changed on the picture than the cells and tiles that the last steps were about, and where the
        last thing that it pressed has gone: then all of it was taken.
        """
        steps = [step for step in self.sent if doubtful & set(step.cells)]
        if len(steps) != 1 or not doubtful <= set(steps[0].cells) or gestures(steps[0].actions) == 1:
            return None
        cells = {cell for step in self.sent for cell in step.cells}
        shown = self._screen.device.capture()
        pressed = [at for action in steps[0].actions for at in points(action)]
        if pressed and has_gone(look, shown, pressed[-1]):
            return None
        covered = changed_beside(look, shown, cells) > HALF_DONE
        tried = self._sent[steps[0].actions] > REPAIRS_AT_MOST
        return None if covered or tried or not self.within_budget(steps) else steps[0]

    def _menu_closed(self, look: Glance, solution: Any, sent_s: float, end: bool) -> Glance:
        """The board after the steps that were sent; a menu that their right clicks may have opened is closed."""
        if not self.menus.may_open(self.sent):
            return self._eyes.same_puzzle(self._wait_for(look, self.sent, solution, sent_s, end))
        with self.menus.none_left(look):
            if self.menus.shown(look, self.sent):
                self.menus.close(look)
            try:
                after = self._wait_for(look, self.sent, solution, sent_s, end)
            except (VisionError, NeverStill):
                self.menus.close(look)
                after = self._wait_for(look, self.sent, solution, sent_s, end)
            after = self._eyes.same_puzzle(after)
        if any(
            self._shows(look, after, set(step.cells), solution)
            for step in self.sent
            if self.menus.may_open((step,))
        ):
            self.menus.known()
        return after

    def _send(self, look: Glance, steps: Sequence[Step]) -> Sequence[int]:
        """Send as many steps as there is time for, and as long as the board is seen: the pace of each."""
        paces: list[int] = []
        self._guard.begin(look)
        for step in steps:
            if self._budget.late or self._guard.alarmed():
                break
            paces.append(self._pace_of(step))
            self._note("act", step.why)
            self.unseen += (step,)
            # One that gets lost before anything was seen to land costs the patience for a slow server.
            pace = paces[-1] if self.slowest_s else max(paces[-1], FIRST_PACE)
            try:
                self._screen.act(slower(step.actions, pace), look.reading.area)
            except WindowChanged as error:
                # A look tells whether that is over the board: nothing was done there.
                self._note("wait", str(error))
                self.unseen = self.unseen[:-1]
                self._tries.subtract(step.cells)
                self._sent[step.actions] -= 1
                self._windows += 1
                if self._windows > WINDOWS_AT_MOST:
                    raise
                return paces[:-1]
            self._windows = 0
            self._guard.sent(step.actions)
        return paces

    def _ends(self, steps: Sequence[Step], plan: Plan, solution: Any) -> bool:
        """Whether these steps bring a plan to its end; a program may be satisfied before all that needs no mark has one."""
        cells = {cell for step in steps for cell in step.cells}
        return sends_all(steps, plan) or plan.differing - cells <= self._needless(solution)

    def _entered(self, plan: Plan, solution: Any) -> bool:
        """Whether every cell that a plan would change has been sent, now or before; what needs no mark may be left out."""
        return all(self._tries[cell] for cell in plan.differing - self._needless(solution))

    def _needless(self, solution: Any) -> set[object]:
        """The cells that a solution leaves blank."""
        guide = self._game.guide
        return {
            cell for cell, value in self._game.entries(solution).items() if guide and value == guide.blank
        }

    def _require_hope(self, step: Step) -> None:
        """Raises NoProgress where a step has been tried too often."""
        in_vain = any(self._tries[cell] > REPAIRS_AT_MOST for cell in step.cells)
        if in_vain or (self._sent[step.actions] >= SAME_STEP_AT_MOST and step.cells):
            times = 1 + REPAIRS_AT_MOST if in_vain else SAME_STEP_AT_MOST
            raise NoProgress(
                f"sent {times} times without effect: {step.why}",
                hint="check that the game takes input there; where a tool, colour or kind has to be chosen in it first, "
                "choose what fills cells, or builds, and start again",
            )

    def _pace_of(self, step: Step) -> int:
        """How slowly a step is sent now."""
        self._sent[step.actions] += 1
        if self._sent[step.actions] > 1:
            self.repaired += 1
            self._note("repair", step.why)
        self._tries.update(step.cells)
        self._aimed.update(dict.fromkeys(step.cells, self._clock.now()))
        repeats = max((self._tries[cell] for cell in step.cells), default=self._sent[step.actions]) - 1
        return min(self._pace + repeats, PACES - 1)

    def _keep_pace(self, pace: int, *, shown: bool) -> None:
        """Learn from a step whether steps get lost at the present pace, and keep one that was needed."""
        if pace == self._pace:
            self._sent_so += 1
            self._lost_so += not shown
        elif pace > self._pace and shown and self._lost_so >= LOST_SHARE * self._sent_so:
            self._pace, self._sent_so, self._lost_so = pace, 0, 0

    def _wait_for(
        self, before: Glance, steps: Sequence[Step], solution: Any, sent_s: float, end: bool
    ) -> Glance:
        """Look until every cell of the steps shows what was meant, or the patience is over."""
        meant = {cell for step in steps for cell in step.cells}

        def as_meant(reading: AnyReading) -> bool:
            """Whether all that was sent shows, and nothing else has changed."""
            look = Glance(before.frame, reading)
            return (
                bool(meant)
                and not reading.doubtful
                and differing(self._game, before, look) <= meant
                and self._shows(before, look, meant, solution)
            )

        known = bool(self.slowest_s) and all(self._tries[cell] <= 1 for cell in meant)
        pause = POLL_S[0]
        while True:
            look = self._eyes.look("verify", end=end, expected=as_meant, sent=meant)
            if not steps or not self._eyes.ours(look):
                return look
            self.latest, self.unseen = look, ()
            waited = self._clock.now() - sent_s
            if self._shows(before, look, meant, solution):
                self.slowest_s = max(self.slowest_s, waited, POLL_S[0])
                return look
            patience = max(LEAST_WAIT_S, WAIT_FACTOR * self.slowest_s)
            if not known and meant.isdisjoint(differing(self._game, before, look)):
                # Nothing is known yet, or the picture may stand still: trying again at once would tell nothing new.
                patience = max(patience, FIRST_WAIT_S)
            if waited >= patience:
                return look
            self._clock.sleep(pause)
            pause = min(1.5 * pause, POLL_S[1])

    def _shows(self, before: Glance, look: Glance, meant: set[object], solution: Any) -> bool:
        """Whether all the cells meant are no longer missing; for a step that changes only controls, any change."""
        if look.reading.finished:
            return True
        if not meant:
            return moved_on(before, look)
        return meant.isdisjoint(self._missing(look.reading, solution))

    def _missing(self, reading: AnyReading, solution: Any) -> frozenset[object]:
        """The cells that a plan would change. One reading is asked about every step that was sent."""
        if self._planned is None or self._planned[0] is not reading or self._planned[1] is not solution:
            self._planned = reading, solution, self._game.plan(reading, solution).differing
        return self._planned[2]

    def uncover(self, look: Glance) -> Step | None:
        """What closes a menu that the player knows to lie over the board; None where that has been tried enough."""
        step = self._game.uncover(look.reading)
        if step is None or self._sent[step.actions] > REPAIRS_AT_MOST or not self.within_budget((step,)):
            return None
        return step

    def send_alone(self, step: Step, look: Glance) -> None:
        """Send a step that belongs to no plan."""
        self._sent[step.actions] += 1
        self._note("act", step.why)
        self._screen.act(step.actions, look.reading.area)

    def landed(self, before: Glance, look: Glance, steps: Sequence[Step], solution: Any) -> bool:
        """Whether the first step did what was meant. Raises Misaligned when it did something elsewhere.

        A step that was done twice, or half, changes the cells it was meant for: that is repaired, one step at a time.
        So is one that was on its way while the picture took another size, and what changes elsewhere once: it may come
        late, sent by a run that was cut off before this one or while its program was learned.
        """
        meant = {cell for step in steps for cell in step.cells}
        elsewhere = differing(self._game, before, look) - self._aimed.keys()
        if (
            meant
            and elsewhere
            and before.frame.size == look.frame.size
            and not self._shows(before, look, meant, solution)
        ):
            self._astray += 1
            if self._astray < ASTRAY_AT_MOST:
                return False
            where = ", ".join(sorted(map(str, elsewhere))[:3])
            raise Misaligned(
                f"the first step ({steps[0].why}) changed {where} instead",
                hint="the picture and the input do not agree: check scaling, or run 'boardsight doctor'",
            )
        return bool(meant) and self._shows(before, look, meant, solution)


def sends_all(steps: Sequence[Step], plan: Plan) -> bool:
    """Whether these steps enter everything that a plan finds missing."""
    cells = {cell for step in steps for cell in step.cells}
    return len(steps) == len(plan.steps) and plan.differing <= cells and plan.missing <= len(cells)


def moved_on(before: Glance, look: Glance) -> bool:
    """Whether anything differs that a step can change."""
    a, b = before.reading, look.reading
    return a.placed != b.placed or a.controls != b.controls or a.facts != b.facts


def entries_of(game: Game[Any, Any], look: Glance) -> set[tuple[object, object]]:
    """What is on the board as (cell, value)."""
    return set(game.entries(look.reading.placed).items())


def differing(game: Game[Any, Any], before: Glance, after: Glance) -> set[object]:
    """The cells in which two looks have different entries."""
    return {cell for cell, _ in entries_of(game, before) ^ entries_of(game, after)}
