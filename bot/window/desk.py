"""What the window does, without a window: one thing after the other in a thread of its own, told as events.

The rules, readers and players are those of the command line; nothing of a game is decided here.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bot import sources
from bot.commands.look import look_at
from bot.devices.reins import Reins
from bot.errors import Stopped
from bot.game import Game
from bot.games import GAMES
from bot.messages import status_of
from bot.play import Notice, answer, play, to_enter
from bot.recognise import Recognised
from bot.screen import Glance, Screen
from bot.show.hints import Hint
from bot.show.hints import hint as find_hint
from bot.told import Word, with_words
from bot.window import words
from bot.window.events import Asked, Ended, Event, Idle, Moved, Said, Shown
from calibration.errors import CalibrationError
from solver.answer import Limits
from solver.errors import BoardsightError
from vision.errors import UncertainReading, VisionError
from vision.frame import Frame
from vision.overlay import paint, point_out
from vision.reading import Reading

# The solver's patience while somebody looks at a window.
LIMIT_S = 60.0


class Desk:
    """One source, what is on it and what somebody said of it. Everything but `events` runs in the desk's own thread.

    is_under_ours: whether our own window lies over a source, so that a picture would show that.
    """

    def __init__(self, is_under_ours: Callable[[str], bool] = lambda source: False) -> None:
        self._is_under_ours = is_under_ours
        self._hidden = False
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._picture: sources.Opened | None = None
        self._reins: Reins | None = None
        self._seen: tuple[Frame, Recognised] | None = None
        self._failed: tuple[Frame, str] | None = None
        self._words: dict[Any, dict[Any, Word]] = {}
        self._solution: Any = None
        self._hint: Hint | None = None
        self._live_hint = False
        self._reply: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._asked = self._done = 0
        self._looking = False
        self._thread = threading.Thread(target=self._work, name="desk", daemon=True)
        self._thread.start()

    # What a person does; all of it returns at once.

    def choose(self, source: str) -> None:
        self._ask(lambda: self._choose(source))

    def look(self) -> None:
        """Look again, unless there is something better to do; nobody has to wait for it to ask for something else."""
        if not self.busy and not self._looking:
            self._looking = True
            self._jobs.put(self._glance)

    def tell(self, cell: Any, word: Word) -> None:
        self._ask(lambda: self._tell(cell, word))

    def solve(self) -> None:
        self._ask(self._solve)

    def hint(self) -> None:
        self._ask(self._give_hint)

    def hint_after_each_move(self, wanted: bool) -> None:
        self._live_hint = wanted

    def play(self) -> None:
        self._ask(self._play)

    def calibrate(self, game: str, files: tuple[Path, ...] = ()) -> None:
        self._ask(lambda: self._calibrate(game, files))

    def reply(self, agreed: bool) -> None:
        self._reply.put(agreed)

    def pause(self, wanted: bool) -> None:
        if self._reins is not None:
            self._reins.pause() if wanted else self._reins.go_on()

    def stop(self) -> None:
        """Stop the run, if there is one. May be called from any thread."""
        if self._reins is not None:
            self._reins.stop()
            self._reply.put(False)

    def close(self) -> None:
        self.stop()
        self._reply.put(False)
        self._jobs.put(None)
        self._thread.join(5)

    @property
    def busy(self) -> bool:
        """Whether something that a person asked for is not done yet."""
        return self._asked > self._done

    def _ask(self, job: Callable[[], None]) -> None:
        def counted() -> None:
            try:
                job()
            finally:
                self._done += 1

        self._asked += 1
        self._jobs.put(counted)

    # What the thread does.

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except BoardsightError as error:
                self.events.put(words.wrong(error))
            finally:
                self.events.put(Idle(self._seen[1].game.name if self._seen else ""))
        if self._picture is not None:
            self._picture.device.close()

    def _say(self, kind: str, text: str, more: str = "") -> None:
        self.events.put(Said(kind, text, more))

    def _choose(self, source: str) -> None:
        if self._picture is not None:
            self._picture.device.close()
            self._picture = None
        self._seen = self._failed = self._solution = self._hint = None
        self._hidden = False
        self._picture = sources.open_picture(source, GAMES)
        self._look()

    def _glance(self) -> None:
        try:
            self._look()
        finally:
            self._looking = False

    def _look(self) -> None:
        """Read what is there now; a picture that has not changed is not read again."""
        if self._picture is None:
            return
        frame = self._capture()
        if frame is None:
            return
        if self._seen is not None and np.array_equal(frame.pixels, self._seen[0].pixels):
            return
        if self._failed is not None and np.array_equal(frame.pixels, self._failed[0].pixels):
            return
        known = self._seen[1] if self._seen is not None else None
        if known is None:
            # Finding out which game it is may take a while.
            self.events.put(Shown(frame.pixels))
        try:
            found = look_at(frame, self._picture, None if known is None else known.game.name, None)
        except VisionError as error:
            self._failed, self._seen, self._solution, self._hint = (frame, str(error)), None, None, None
            self.events.put(Shown(frame.pixels))
            self.events.put(words.refusal(error))
            return
        self._failed = None
        self._seen = frame, self._told(found)
        if known is None or _other(known, self._seen[1]):
            self._solution = None
        moved = known is None or known.reading.placed != self._seen[1].reading.placed
        self._hint = None if moved else self._hint
        self._show()
        if known is None or _other(known, self._seen[1]):
            self._describe()
        if moved and self._live_hint:
            self._give_hint()

    def _capture(self) -> Frame | None:
        """A picture of the source; None where our own window lies over it, before the picture or after it."""
        assert self._picture is not None
        hidden = self._is_under_ours(self._picture.name)
        frame = None if hidden else self._picture.device.capture()
        hidden = hidden or self._is_under_ours(self._picture.name)
        if hidden != self._hidden:
            self._hidden = hidden
            self.events.put(Moved(-1, 0, words.HIDDEN if hidden else ""))
        return None if hidden else frame

    def _told(self, found: Recognised) -> Recognised:
        believed = self._words.get(_board_of(found), {})
        return replace(found, reading=with_words(found.game.told, found.reading, believed))

    def _tell(self, cell: Any, word: Word) -> None:
        assert self._seen is not None
        frame, found = self._seen
        self._words.setdefault(_board_of(found), {})[cell] = word
        self._seen, self._solution, self._hint = (frame, self._told(found)), None, None
        self._show()
        self._describe(f"As you said, one cell is {word.symbol or 'empty'}.")

    def _describe(self, told: str = "A click on a cell corrects it.") -> None:
        assert self._seen is not None
        reading = self._seen[1].reading
        title = self._seen[1].game.title
        if reading.doubtful:
            self._say(
                "doubt",
                f"In doubt: {len(reading.doubtful)} of {len(reading.marks)} cells.",
                "Click a cell with a red ring to say what it is.",
            )
        else:
            more = " ".join(reading.remarks) or told
            self._say("read", f"{title}: {len(reading.marks)} cells read.", more)

    def _show(self) -> None:
        assert self._seen is not None
        frame, found = self._seen
        reading, profile, brush = found.reading, found.profile, found.game.brush
        if self._hint is not None and self._hint.status != "solved":
            told = self._hint
            pixels = point_out(frame, reading, profile, told.focus, told.settled, told.wrong, brush)
        else:
            enter = {} if self._solution is None else to_enter(found.game, reading.placed, self._solution)
            pixels = paint(frame, reading, profile, enter, brush)
        self.events.put(Shown(pixels, reading, found.game.title))

    def _board(self) -> tuple[Frame, Recognised]:
        """What is there now. Raises UncertainReading where cells are in doubt; nothing is solved then."""
        self._look()
        if self._seen is None:
            if self._hidden:
                raise UncertainReading(words.HIDDEN)
            raise UncertainReading(
                "no board is read on this picture",
                hint=self._failed[1] if self._failed else "choose a window, phone or picture",
            )
        reading = self._seen[1].reading
        if reading.doubtful:
            raise UncertainReading.of(
                reading.doubtful,
                hint="click the cells ringed in red to say what they are",
                name=reading.name,
            )
        return self._seen

    def _solve(self) -> None:
        _, found = self._board()
        self._say("read", "Solving …")
        solved = answer(found.game, found.reading.puzzle, Limits(LIMIT_S))
        self._solution, self._hint = solved.solution, None
        self._show()
        missing = len(to_enter(found.game, found.reading.placed, solved.solution))
        cost = "" if solved.cost is None else f", cost {solved.cost}"
        self._say("solved", f"Solved{cost}: {words.entries(missing)} to make.", "They are painted in orange.")

    def _give_hint(self) -> None:
        _, found = self._board()
        self._say("read", "Looking for the next step …")
        self._hint = find_hint(found.game, found.reading.puzzle, found.reading.placed, Limits(LIMIT_S))
        self._show()
        self._say("hint", self._hint.why, "\n".join(self._hint.because))

    def _play(self) -> None:
        frame, found = self._board()
        picture = self._picture
        assert picture is not None
        if not picture.live:
            self._say("error", "A saved picture cannot be played.", "Solve shows what to enter.")
            return
        if self._solution is None:
            # So that the plan is to be seen while it is asked for.
            self._solve()
        self._reins = Reins(picture.device)
        screen = Screen(self._reins, picture.clock)
        told = _Teller(found, self, self._solution)
        game = self._with_words(found)
        from bot.report import run_section, stopped_section

        try:
            outcome = play(game, found.profile, screen, None, told, self._confirm(found))
        except BoardsightError as error:
            last = Glance(frame, found.reading) if told.last is None else told.last
            stopped = isinstance(error, Stopped)
            word = "stopped" if stopped else f"error {status_of(error)}"
            ended = Ended(word, stopped_section(found.game, found.profile, last, error, told.notices))
            said = replace(words.wrong(error), kind="stopped" if stopped else "error")
        else:
            ended = Ended(outcome.status, run_section(found.game, found.profile, outcome, told.notices))
            said = Said("done", words.end_of(outcome))
        finally:
            self._reins = None
        self._solution = self._hint = None
        # The window comes to the front at the end: then it may lie over the board.
        self._look()
        self.events.put(ended)
        self.events.put(said)

    def _with_words(self, found: Recognised) -> Game[Any, Any]:
        """The game, whose reader believes what somebody said of this board."""
        believed = self._words.get(_board_of(found), {})
        if not believed:
            return found.game

        def read(frame: Frame, profile: Any) -> Reading[Any, Any]:
            return with_words(found.game.told, found.game.read(frame, profile), believed)

        return replace(found.game, read=read, reread=lambda frame, earlier: None)

    def _confirm(self, found: Recognised) -> Callable[[Any, Any], bool]:
        def confirm(look: Glance, plan: Any) -> bool:
            assert self._picture is not None
            while not self._reply.empty():
                self._reply.get()
            self.events.put(Asked(words.question(plan.missing, self._picture.name)))
            return self._reply.get()

        return confirm

    def _calibrate(self, name: str, files: tuple[Path, ...]) -> None:
        from calibration import store

        game = GAMES[name]
        assert game.calibrate is not None
        self._say("read", "Learning the icons …" if files else "Looking for the game's files …")
        try:
            profile, lines = game.calibrate(list(files), (), None, "mine", ())
        except CalibrationError as error:
            self.events.put(words.not_learned(error, name))
            return
        store.save(profile)
        self._failed = self._seen = None
        self._look()
        if self._seen is not None and not self._seen[1].reading.doubtful:
            self.events.put(words.learned(lines))


class _Teller:
    """Hears the notices of a run and hands them on as events."""

    def __init__(self, found: Recognised, desk: Desk, solution: Any) -> None:
        self.notices: list[Notice] = []
        self.last: Glance | None = None
        self._found, self._desk, self._solution, self._total = found, desk, solution, 0

    def __call__(self, notice: Notice) -> None:
        self.notices.append(notice)
        found, events = self._found, self._desk.events
        if notice.look is not None:
            self.last = notice.look
            reading = notice.look.reading
            enter = {} if self._solution is None else to_enter(found.game, reading.placed, self._solution)
            pixels = paint(notice.look.frame, reading, found.profile, enter, found.game.brush)
            events.put(Shown(pixels, notice.look.reading, found.game.title))
        if notice.plan is not None:
            self._total = max(self._total, notice.plan.missing)
            events.put(Moved(self._total - notice.plan.missing, self._total, words.left(notice.plan.missing)))
        elif notice.kind in ("act", "wait", "repair"):
            events.put(Moved(-1, self._total, notice.text))


def _board_of(found: Recognised) -> Any:
    """What makes two looks the same board for what somebody said of it: its game and where its cells are to each other."""
    return found.game.name, frozenset(found.reading.geometry.centres)


def _other(a: Recognised, b: Recognised) -> bool:
    return a.game is not b.game or a.game.identity(a.reading.puzzle) != b.game.identity(b.reading.puzzle)
