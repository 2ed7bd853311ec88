"""Practice boards whose screen lies about the end: it is taken back, flashed, exchanged or covered."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import cv2
import numpy as np

from bot.actions import Action
from bot.games import GAMES
from solver.answer import Limits
from vision.frame import Pixels

LIES = ("taken back", "some taken back", "flash", "exchanged", "covered", "dimmed")
# The last step is taken back so long after it took effect; after the last only a longer settling time helps.
BACK_S = (0.2, 1.0, 2.0, 3.0)
# Any step is taken back with this chance, after so long.
SOME, SOME_BACK_S = 0.08, 2.0
FLASHES_S = (0.15, 0.6)


def state_of(name: str, board: Any) -> dict[Any, Any]:
    """What is entered on a practice board: its own dictionary, to be changed."""
    places = {"bridges": "joins", "nonogram": "_cells", "algemy": "_placed", "rings": "entered"}
    found: dict[Any, Any] = (
        board.server.placed if name == "thaumcraft" else getattr(board, places.get(name, "entries"))
    )
    return found


def solve_on(name: str, board: Any) -> None:
    """Enter the solution without any gesture."""
    solution = GAMES[name].solve(board.puzzle, Limits()).solution
    entries: Mapping[Any, Any] = GAMES[name].entries(solution)
    state = state_of(name, board)
    # A declared game's solution names the printed values as well; they are no entries.
    printed = getattr(board.puzzle, "given", {}) if hasattr(board, "entries") else {}
    for cell, value in entries.items():
        if printed.get(cell) != value:
            state[cell] = (value == "#") if name == "nonogram" else value
    if name == "thaumcraft":
        for cell in board.server.given:
            state.pop(cell, None)
        board.server._test_completion()


class LyingBoard:
    """A practice board that lies in one of the LIES.

    other: makes a board like it, for a flash of its solution (the same puzzle) and to be exchanged for (another one).
    begin_s: when it flashes or is exchanged.
    """

    def __init__(
        self, name: str, board: Any, lie: str, rng: random.Random, other: Callable[[int], Any], begin_s: float
    ) -> None:
        self.board, self._name, self._lie, self._rng = board, name, lie, rng
        self._begin_s, self._other = begin_s, other
        self.back_s = rng.choice(BACK_S)
        self._flash_s, self._after_s = rng.choice(FLASHES_S), rng.choice((0.0, 0.2, 0.5))
        self._backs = rng.choice((1, 2)) if lie == "taken back" else 0
        self._due: list[tuple[float, dict[Any, tuple[Any, Any]]]] = []
        self._solved_at: float | None = None
        self._known = dict(state_of(name, board))
        self._cells = board.server.cells if name == "thaumcraft" else frozenset()
        self._shown_instead: Any = None
        if lie in ("flash", "exchanged"):
            self._shown_instead = other(0 if lie == "flash" else 1)
            solve_on(name, self._shown_instead)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.board, name)

    def act(self, action: Action, now_s: float) -> None:
        self._live(now_s)
        if self._lie != "exchanged" or now_s < self._begin_s:
            self.board.act(action, now_s)
        self._live(now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = self.board.render(now_s)
        if self._live(now_s):
            pixels = self.board.render(now_s)
        since = now_s - self._begin_s
        if since >= 0 and (self._lie == "exchanged" or (self._lie == "flash" and since < self._flash_s)):
            return np.asarray(self._shown_instead.render(now_s))
        ended = self._solved_at is not None and now_s >= self._solved_at + self._after_s
        if ended and self._lie == "dimmed":
            return np.asarray(0.45 * pixels, np.uint8)
        return _dialog(pixels) if ended and self._lie == "covered" else pixels

    def tells_nothing(self) -> bool:
        """Whether the board that it is exchanged for looks exactly as ours does when it is solved: in Flip all do."""
        if self._lie != "exchanged":
            return False
        ours = self._other(0)
        solve_on(self._name, ours)
        return np.array_equal(ours.render(0.0), self._shown_instead.render(0.0))

    def _ended(self) -> bool:
        """Whether it stands as its program wants it; Simon Tatham's nonograms want the blank cells as well."""
        painted = self._name == "nonogram" and self.board._skin.mark == "colour"
        puzzle = self.board.puzzle
        return self.board.solved() and (not painted or len(self.board._cells) == puzzle.width * puzzle.height)

    def _live(self, now_s: float) -> bool:
        """Notice what has been entered, take back what is due; whether something was."""
        state = state_of(self._name, self.board)
        changed = {
            cell: (self._known.get(cell), state.get(cell))
            for cell in {*state, *self._known}
            if self._known.get(cell) != state.get(cell)
        }
        solved = self._ended()
        if solved and self._solved_at is None:
            self._solved_at = now_s
        if changed and solved and self._backs:
            self._backs -= 1
            self._due.append((now_s + self.back_s, changed))
        elif changed and self._lie == "some taken back" and self._rng.random() < SOME:
            self._due.append((now_s + SOME_BACK_S, changed))
        back = [entry for entry in self._due if entry[0] <= now_s]
        self._due = [entry for entry in self._due if entry[0] > now_s]
        for _, cells in back:
            for cell, (before, after) in cells.items():
                if state.get(cell) != after:
                    continue
                if before is None:
                    state.pop(cell, None)
                else:
                    state[cell] = before
            if self._name == "thaumcraft":
                self.board.server.complete, self.board.server.cells = False, self._cells
        self._known = dict(state)
        return bool(back)


class NeverTaken:
    """A practice board that never takes the entry which would complete it."""

    def __init__(self, board: Any) -> None:
        self.board = board

    def __getattr__(self, name: str) -> Any:
        return getattr(self.board, name)

    def act(self, action: Action, now_s: float) -> None:
        taken = deepcopy(self.board)
        taken.act(action, now_s)
        if taken.solved():
            self.left_out(self.board.render(now_s), taken.render(now_s), now_s)
        else:
            self.board.act(action, now_s)

    def left_out(self, old: Pixels, new: Pixels, now_s: float) -> None:
        """The last entry was sent: how the board looks, and would look with it."""


class HalfTaken(NeverTaken):
    """One that draws something of that entry all the same."""

    def __init__(self, board: Any, drawn: str) -> None:
        super().__init__(board)
        self._drawn = drawn
        self._shown: tuple[Pixels, Pixels] | None = None

    def left_out(self, old: Pixels, new: Pixels, now_s: float) -> None:
        self._shown = old, self._half(old, new)

    def render(self, now_s: float) -> Pixels:
        pixels = self.board.render(now_s)
        return self._shown[1] if self._shown and np.array_equal(pixels, self._shown[0]) else pixels

    def _half(self, old: Pixels, new: Pixels) -> Pixels:
        """A board with the largest thing that is new on another one drawn in this way."""
        changed = cv2.dilate(
            (np.abs(old.astype(int) - new).max(axis=2) > 8).astype(np.uint8), np.ones((3, 3))
        )
        _, _, stats, _ = cv2.connectedComponentsWithStats(changed)
        nth = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
        left, top, width, height = stats[nth, :4].tolist()
        shown, part = old.copy(), np.s_[top : top + height, left : left + width]
        match self._drawn:
            case "half":
                shown[part][:, : width // 2] = new[part][:, : width // 2]
            case "pale":
                shown[part] = np.rint(0.5 * old[part] + 0.5 * new[part])
            case "paler":
                shown[part] = np.rint(old[part] + (new[part].astype(float) - old[part]) / 3)
            case "small" | "three quarters":
                sides = [round(side * (0.5 if self._drawn == "small" else 0.75)) for side in (height, width)]
                rows, cols = (
                    slice(at + (side - less) // 2, at + (side - less) // 2 + less)
                    for at, side, less in zip((top, left), (height, width), sides, strict=True)
                )
                shown[rows, cols] = cv2.resize(new[part], sides[::-1], interpolation=cv2.INTER_AREA)
            case "moved":
                there = shown[top + 4 : top + 4 + height, left + 4 : left + 4 + width]
                there[changed[part] > 0] = new[part][changed[part] > 0]
            case "red":
                shown[part][changed[part] > 0] = 60, 60, 220
            case "error":
                strong = np.abs(old[part].astype(int) - new[part]).max(axis=2) > 60
                shown[part] = np.where(strong[..., None], (0, 0, 255), old[part])
            case "sign" | "wave":
                # The corner of a cell of 40 px, or a line beneath what is in it.
                x, y = left + width // 2, top + height // 2
                shown = new.copy()
                if self._drawn == "sign":
                    cv2.circle(shown, (x + 13, y - 13), 5, (0, 0, 220), -1, cv2.LINE_AA)
                else:
                    teeth = [(x - 14 + 2 * nth, y + 14 + 2 * (nth % 2)) for nth in range(15)]
                    cv2.polylines(shown, [np.array(teeth)], False, (0, 0, 220), 1, cv2.LINE_AA)
            case "dialog":
                rows = slice(len(old) // 6, len(old) // 2 - 4)
                if top + height / 2 < len(old) / 2:
                    rows = slice(len(old) // 2 + 4, 5 * len(old) // 6)
                shown = old.copy()
                shown[rows, old.shape[1] // 6 : 5 * old.shape[1] // 6] = 240
            case "noise":
                grain = np.random.default_rng(nth).integers(0, 256, (height, width, 3), np.uint8)
                shown[part] = np.where(changed[part][..., None] > 0, grain, old[part])
        return shown


def _dialog(pixels: Pixels) -> Pixels:
    """A dialog over everything, with nothing behind it that could be seen."""
    shown = np.full_like(pixels, 235)
    height, width = shown.shape[:2]
    shown[height // 3 : height // 3 + 6, width // 4 : 3 * width // 4] = 90
    return shown
