"""What can be done to a screen. Points are px of the frame; `Screen` turns them into px of the input."""

from __future__ import annotations

from dataclasses import dataclass
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
    stamp: click the right button at every point after the first while the first button stays down; a finger, which
        has no second button, drags to each of them instead.
    """

    path: tuple[Point, ...]
    duration_s: float = 0.3
    hold_s: float = 0.1
    button: Button = "left"
    stamp: bool = False
    press_s: float | None = None


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


def points(action: Action) -> tuple[Point, ...]:
    """Every place an action touches."""
    match action:
        case Tap(at=at) | Move(at=at):
            return (at,)
        case Drag(path=path):
            return path
        case _:
            return ()
