"""Writes down what a game reads, solves and plans while it is played, so that `replay` can decide it all again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from bot.actions import Plan, Step
from bot.game import Game
from bot.recording import Recording, action_json
from bot.screen import Hands
from solver.answer import Answer, Limits
from solver.errors import BoardsightError
from vision.frame import Frame
from vision.profile import Profile
from vision.reading import Reading

# A plan may follow from a reading that is not the last one.
LATELY = 8
# The steps of a plan that are written down; the count of all is kept.
STEPS_WRITTEN = 12


def recorded(game: Game[Any, Any], recording: Recording) -> Game[Any, Any]:
    """The game, with everything that it reads, solves and plans written down."""
    witness = Witness(game, recording)
    return replace(
        game,
        read=witness.read,
        reread=witness.reread,
        solve=witness.solve,
        plan=witness.plan,
        uncover=witness.uncover,
        back=witness.back,
        learn=witness.learn,
        taught=witness.taught,
    )


class Witness:
    """Does what a game does, and writes it down. One for each board."""

    def __init__(self, game: Game[Any, Any], recording: Recording) -> None:
        self._game, self._recording = game, recording
        self._lately: deque[tuple[Reading[Any, Any], int | None]] = deque(maxlen=LATELY)
        self._planned: dict[str, Any] | None = None
        self._profile: Profile | None = None
        self._solved = False

    def read(self, frame: Frame, profile: Profile) -> Reading[Any, Any]:
        if self._profile is not profile:
            self._profile = profile
            self._recording.read_with(profile)
        with self._refusals("read", frame=self._recording.number_of(frame)):
            reading = self._game.read(frame, profile)
        return self._told(reading, frame)

    def reread(self, frame: Frame, earlier: Reading[Any, Any]) -> Reading[Any, Any] | None:
        since = self._number_of(earlier)
        with self._refusals("read", frame=self._recording.number_of(frame), again=True, since=since):
            reading = self._game.reread(frame, earlier)
        return None if reading is None else self._told(reading, frame, again=True, since=since)

    def solve(self, puzzle: Any, limits: Limits) -> Answer[Any]:
        if limits.unique and self._solved:
            # Whether there is another solution is asked besides; what comes of that is not played.
            return self._game.solve(puzzle, limits)
        with self._refusals("solve"):
            found = self._game.solve(puzzle, limits)
        solution = self._game.solution_json(puzzle, found.solution)
        self._recording.write("solve", solution=solution, cost=found.cost)
        self._solved = True
        return found

    def plan(self, reading: Reading[Any, Any], solution: Any) -> Plan:
        made = self._game.plan(reading, solution)
        entry = {"frame": self._number_of(reading)} | plan_json(made)
        # The loop asks for the same plan several times per look.
        if entry != self._planned:
            self._planned = entry
            self._recording.write("plan", **entry)
        return made

    def uncover(self, reading: Reading[Any, Any]) -> Step | None:
        step = self._game.uncover(reading)
        if step is not None:
            actions = [action_json(action) for action in step.actions]
            self._recording.write("uncover", frame=self._number_of(reading), actions=actions)
            self._planned = None
        return step

    def back(self, reading: Reading[Any, Any], solution: Any, step: Step) -> Step | None:
        """What is taken back belongs to no plan."""
        self._planned = None
        self._recording.write("plan", frame=None, missing=0, count=0, steps=[])
        return self._game.back(reading, solution, step)

    def learn(self, frame: Frame, reading: Reading[Any, Any], solution: Any, hands: Hands) -> Profile | None:
        self._recording.write("learn", begins=True)
        lesson = None
        try:
            lesson = self._game.learn(frame, reading, solution, hands)
        finally:
            self._recording.write("learn", begins=False, learned=lesson is not None)
        if lesson is not None:
            self._planned = None
        return lesson

    def taught(self, before: Reading[Any, Any], profile: Profile) -> Reading[Any, Any] | None:
        again = self._game.taught(before, profile)
        if again is not None:
            self._profile = profile
            self._recording.read_with(profile)
            number = self._number_of(before)
            self._recording.write("taught", frame=number)
            self._lately.append((again, number))
        return again

    def _told(self, reading: Reading[Any, Any], frame: Frame, **entry: Any) -> Reading[Any, Any]:
        number = self._recording.number_of(frame)
        self._recording.write("read", frame=number, **entry, reading=reading_json(self._game, reading))
        self._lately.append((reading, number))
        return reading

    def _number_of(self, reading: Reading[Any, Any]) -> int | None:
        """The number of the picture that a reading came from."""
        return next((number for one, number in self._lately if one is reading), None)

    @contextmanager
    def _refusals(self, kind: str, **entry: Any) -> Iterator[None]:
        try:
            yield
        except BoardsightError as error:
            self._recording.write(kind, **entry, error=type(error).__name__, message=str(error)[:500])
            raise


def reading_json(game: Game[Any, Any], reading: Reading[Any, Any]) -> dict[str, Any]:
    """What a reading tells, as far as decisions hang on it."""
    return {
        "puzzle": game.unparse(reading.puzzle),
        "placed": game.solution_json(reading.puzzle, reading.placed),
        "finished": reading.finished,
        "ui": reading.ui,
        "doubtful": [cell.as_json() for cell in reading.doubtful],
        "controls": {
            name: [round(one.at.x, 1), round(one.at.y, 1), one.count, one.active]
            for name, one in reading.controls.items()
        },
        "area": [int(value) for value in reading.area],
        "confidence": round(reading.confidence, 3),
    }


def plan_json(plan: Plan) -> dict[str, Any]:
    """A plan's first steps, and how many there are."""
    steps = [
        {"why": step.why, "actions": [action_json(action) for action in step.actions]}
        for step in plan.steps[:STEPS_WRITTEN]
    ]
    return {"missing": plan.missing, "count": len(plan.steps), "steps": steps}
