"""What can be done to a screen. Points are px of the frame; `Screen` turns them into px of the input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vision.frame import Point

Button = Literal["left", "right", "middle"]
Modifier = Literal["shift", "ctrl"]


@dataclass(frozen=True)
class Tap:
    """Press and release at one place; modifiers are keys that are held down meanwhile."""

    at: Point
    hold_s: float = 0.05
    button: Button = "left"
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True)
class Drag:
    """Press at the first point, move through the others, release at the last.

    hold_s: rest after the press and before the release; many games miss a release that comes with the move.
    press_s: rest after the press, where it is another one.
    jump: the way takes no time, however slowly the gesture is made: what lies under it must not be touched.
    stamp: click the right button at every point after the first while the first button stays down; a finger, which
        has no second button, drags to each of them instead.
    taps: places on the way where taps without any rest do the same; empty where there are none. A mouse takes them, and
        is done sooner; for a finger every touch costs more than its way.
    answered: the program takes every event for itself: a drag needs no rest where it says that the one before is handled.
    """

    path: tuple[Point, ...]
    duration_s: float = 0.3
    hold_s: float = 0.1
    button: Button = "left"
    stamp: bool = False
    press_s: float | None = None
    jump: bool = False
    taps: tuple[Point, ...] = ()
    answered: bool = False


@dataclass(frozen=True)
class Key:
    """Press and release one key, named as pyautogui names it."""

    name: str
    hold_s: float = 0.05


@dataclass(frozen=True)
class Move:
    """Bring the pointer to a place without pressing (to park it off the board). Touch screens ignore it."""

    at: Point


@dataclass(frozen=True)
class Wait:
    """Do nothing for a while."""

    seconds: float


Action = Tap | Drag | Key | Move | Wait


@dataclass(frozen=True)
class Step:
    """All it takes to settle one cell (or a few at once), and in words.

    cells: the cells that this step is meant to change; empty for a step that only changes controls.
    """

    actions: tuple[Action, ...]
    why: str
    cells: tuple[object, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The difference between the board now and the solution, as steps.

    missing: cells that still differ; 0 means done. May be larger than the steps given: a plan ends early
        where the next step depends on what the screen will show.
    cells: those that still differ, where the steps do not name them all; None where they do.
    """

    steps: tuple[Step, ...]
    missing: int
    cells: frozenset[object] | None = None

    @property
    def differing(self) -> frozenset[object]:
        """The cells that still differ, as far as they are known."""
        return (
            frozenset(cell for step in self.steps for cell in step.cells)
            if self.cells is None
            else self.cells
        )


# A gesture is made at so many paces: the times that it names so many times longer, and none of its times, nor the pause
# after it, shorter than so many s. The last is slow enough for a program that draws five unsteady pictures a second.
_LONGER = (1.0, 2.0, 3.0, 5.0)
_LEAST_S = (0.0, 0.06, 0.15, 0.35)
PACES = len(_LONGER)
# A tap that is held longer means something else in many programs: it is not made longer than this, s.
_LONG_TAP_S = 0.35


def slower(actions: Sequence[Action], pace: int) -> tuple[Action, ...]:
    """The same gestures at one of the PACES, 0 is as they are. What is made slower is not replaced by quick taps.

    >>> slower([Tap(Point(3, 4), hold_s=0.02)], 1)
    (Tap(at=Point(x=3, y=4), hold_s=0.06, button='left', modifiers=()), Wait(seconds=0.06))
    """
    if not pace:
        return tuple(actions)
    longer, least_s = _LONGER[pace], _LEAST_S[pace]

    def rest(seconds: float) -> float:
        return max(longer * seconds, least_s)

    made: list[Action] = []
    for action in actions:
        match action:
            case Tap(hold_s=hold_s) | Key(hold_s=hold_s):
                made += [replace(action, hold_s=max(hold_s, min(rest(hold_s), _LONG_TAP_S))), Wait(least_s)]
            case Drag():
                press_s = None if action.press_s is None else rest(action.press_s)
                way_s = 0.0 if action.jump else rest(action.duration_s)
                made += [
                    replace(
                        action,
                        duration_s=way_s,
                        hold_s=rest(action.hold_s),
                        press_s=press_s,
                        taps=(),
                        answered=False,
                    ),
                    Wait(least_s),
                ]
            case Wait(seconds=seconds):
                made.append(Wait(longer * seconds))
            case Move():
                made.append(action)
    return tuple(made)


def gestures(actions: Sequence[Action]) -> int:
    """How many of the actions do something: pauses do not."""
    return sum(not isinstance(action, Wait) for action in actions)


def points(action: Action) -> tuple[Point, ...]:
    """Every place an action touches."""
    match action:
        case Tap(at=at) | Move(at=at):
            return (at,)
        case Drag(path=path, taps=taps):
            return path + taps
        case _:
            return ()
