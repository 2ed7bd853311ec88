"""Nonogram programs that take clicks by rules made up by chance, drawn as in `chance`, each as a practice board.

A program is what its page is, and no more can be known of it: what a click does, where the pointer is seen, what becomes
of mistakes and of complete lines, how late and how slowly a cell changes, and what comes when the board is solved.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, product

import cv2
import numpy as np

from bot.actions import Action, Key, Move, Tap, points
from bot.games import GAMES
from bot.practice.nonogram import clues_of
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture, check
from tests.laboratory import chance
from tests.laboratory.chance import FONT, Colour, Style
from vision.frame import Box, Pixels, Point
from vision.profile import Profile

# What the buttons make of a cell, by what it is: left, right. A button that is not named does nothing, or opens a menu.
TOGGLES = {"free": "filled", "filled": "free", "blank": "filled"}
CROSSES = {"free": "blank", "blank": "free", "filled": "blank"}
CYCLES = {"free": "filled", "filled": "blank", "blank": "free"}
BACK = {"free": "blank", "blank": "filled", "filled": "free"}
FILLS, MARKS = dict.fromkeys(CYCLES, "filled"), dict.fromkeys(CYCLES, "blank")
GENTLE = {"free": "filled", "filled": "free"}
CLICKS: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "toggles": (TOGGLES, CROSSES),
    "gently": (GENTLE, {"free": "blank", "blank": "free"}),
    "left alone": (GENTLE, {}),
    "cycles": (CYCLES, {}),
    "cycles both ways": (CYCLES, BACK),
    "crosses first": (BACK, {}),
    "fills": (FILLS, {}),
    "sets": (FILLS, MARKS),
    "exchanged": (CROSSES, TOGGLES),
    "right cycles": (GENTLE, CYCLES),
    "mode": (TOGGLES, {}),
    "mode, crosses": (CROSSES, {}),
}
ENDS = (
    *("nothing", "banner", "banner", "dialog", "dialog", "dark dialog", "veil", "light veil", "words"),
    *("colours", "no lines", "no crosses", "no clues", "picture", "next", "gone"),
)
# A red cell is taken back after so long; a page shakes for so long, so far.
RED_S, SHAKE_S, SHAKE_PX = 0.8, 0.4, 4
RED, GREEN = (70, 70, 230), (90, 170, 90)
MENU_PX, BUTTON_PX = (110, 90), (76, 24)
# Levels between separate cells and the page.
LEAST_APART = 10


@dataclass(frozen=True)
class Rules:
    """How a program takes clicks.

    menu: the right button opens a menu where it does nothing else. lives: so many mistakes end the game; 0 where nobody
    judges. mistaken, locked: what becomes of a mistake ("blank", "red", "shakes"), and whether what is right stays.
    stays: the highlight of the pointer stays where that left the cells. done: how the numbers of a complete line look.
    crossed: its free cells get crosses, "seen" ones as long as it is complete, or "entered" ones.
    grows_s, late_s: how long a cell takes to change, and how long after the click it begins.
    end, end_s: what comes when the board is solved, and how long after. frozen: nothing changes then any more.
    crosses: it is not solved before every empty cell has its cross. one: only one of several solutions is taken.
    releases: a click is taken when the button is released. watch: a clock runs beside the board.
    """

    clicks: str
    menu: bool
    lives: int
    mistaken: str
    locked: bool
    stays: bool
    done: str
    crossed: str
    grows_s: float
    late_s: float
    end: str
    end_s: float
    frozen: bool
    crosses: bool
    one: bool
    releases: bool
    watch: bool


def rules_of(rng: random.Random) -> Rules:
    clicks = rng.choice(sorted(CLICKS))
    left, right = CLICKS[clicks]
    crossed = rng.choice(("", "", "", "seen", "entered"))
    crosses = crossed != "seen" and "blank" in (left.get("filled"), right.get("free"))
    judged = rng.random() < 0.25 and "blank" not in left.values()
    return Rules(
        clicks=clicks,
        menu=rng.random() < 0.4,
        lives=rng.choice((1, 3, 5)) if judged else 0,
        mistaken=rng.choice(("blank", "red", "shakes")),
        locked=rng.random() < 0.5,
        stays=rng.random() < 0.5,
        done=rng.choice(("", "", "faded", "green", "struck", "gone")),
        crossed=crossed,
        grows_s=rng.choice((0.0, 0.0, 0.0, 0.1, 0.2, 0.4)),
        late_s=rng.choice((0.0, 0.0, 0.0, 0.05, 0.3)),
        end=rng.choice(ENDS),
        end_s=rng.choice((0.0, 0.0, 0.1, 0.5, 1.0)),
        frozen=rng.random() < 0.6,
        crosses=crosses and rng.random() < 0.15,
        one=rng.random() < 0.5,
        releases=rng.random() < 0.5,
        watch=rng.random() < 0.3,
    )


@cache
def ambiguous(nth: int) -> tuple[Nonogram, tuple[Picture, ...]]:
    """A puzzle with a few solutions, and these."""
    rng = random.Random(nth)
    while True:
        side = rng.choice((5, 6, 8))
        puzzle = clues_of([[rng.random() < 0.5 for _ in range(side)] for _ in range(side)])
        solutions = tuple(GAMES["nonogram"].solutions(puzzle))
        if 1 < len(solutions) <= 4:
            return puzzle, solutions


class Program:
    """The program of a seed, as a practice board.

    ended_s: when it was solved. lost: whether too many mistakes have ended it.
    presses: how many there were. stray: those that are no clicks on cells of the board that is played, by what was hit.
    """

    profile = Profile("nonogram", "default")

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"play {seed}")
        self.rules = rules_of(rng)
        if rng.random() < 0.15:
            self.puzzle, solutions = ambiguous(rng.randrange(4))
        else:
            self.puzzle, solution = chance.puzzle_of(rng.choice(chance.SIDES), rng.randrange(6))
            solutions = (solution,)
        self.cells = [Square(*at) for at in product(range(self.puzzle.height), range(self.puzzle.width))]
        style = chance.style_of(rng, self.cells[0])
        self.style = replace(
            style,
            cursor=style.cursor.replace("pointer", ""),
            # Where nothing else can be made, only a cross tells that it fills no cell.
            mark="cross" if style.mark == "nothing" or self.rules.clicks == "mode, crosses" else style.mark,
            # The arms of a small cross that is broader have no ends.
            mark_width=min(style.mark_width, max(1, round(style.mark_size * style.cell / 6))),
            # Cells of the page's own colour need lines.
            lined=style.lined or chance.apart(style.free, style.page) < LEAST_APART,
        )
        self.wanted = rng.choice(solutions).filled
        self.states = dict.fromkeys(self.cells, "free")
        if rng.random() < 0.15 and not self.rules.lives and self.rules.done != "gone":
            share = 0.8 * rng.random()
            some = [cell for cell in self.cells if rng.random() < share]
            self.states |= {cell: "filled" if cell in self.wanted else "blank" for cell in some}
            if not any("blank" in button.values() for button in CLICKS[self.rules.clicks]):
                self.states |= {cell: "free" for cell in some if cell not in self.wanted}
        self.following = chance.puzzle_of(self.puzzle.width, 6)[0]
        self.left, self.top = rng.randrange(8, 80), rng.randrange(30, 60)
        self.lives = self.rules.lives
        self.hovered: Square | None = None
        self.menu: Box | None = None
        self.ended_s: float | None = None
        self.lost = False
        self.presses, self.stray = 0, Counter[str]()
        self._was: dict[Square, tuple[str, float]] = {}
        self._shaken_s = -SHAKE_S
        self._buttons: dict[str, Box] = {}
        self._shown: tuple[object, Pixels] = None, np.zeros(0, np.uint8)
        self._places = chance.ground(self.puzzle, self.style)[1]

    def solved(self) -> bool:
        """Whether the program says so, or would by its rules, and nothing has been spoiled since."""
        return self.ended_s is not None and (self.rules.end == "next" or self._accepted())

    def meets_clues(self) -> bool:
        filled = frozenset(cell for cell, now in self.states.items() if now == "filled")
        return not check(self.puzzle, Picture(filled, frozenset(self.cells) - filled))

    def act(self, action: Action, now_s: float) -> None:
        if isinstance(action, Key):
            self.menu = None
        elif isinstance(action, Move):
            self._hover(action.at)
        elif points(action):
            self.presses += 1
            self._hover(points(action)[0])
            button = getattr(action, "button", "left")
            hold_s = action.hold_s if isinstance(action, Tap) and self.rules.releases else 0.0
            self._press(points(action)[0], button, now_s + hold_s)

    def _hover(self, at: Point) -> None:
        cell = self._at(at)
        if cell is not None or not self.rules.stays:
            self.hovered = cell

    def _press(self, at: Point, button: str, now_s: float) -> None:
        hit = next((name for name, box in self._buttons.items() if box.contains(at)), None)
        cell, menu, self.menu = self._at(at), self.menu, None
        if menu is not None:
            if menu.contains(at):
                self.stray["menu"] += 1
        elif hit is not None:
            self.stray[hit] += 1
        elif self._over(now_s) and "Next" in self._buttons:
            self.stray["dialog"] += 1
        elif cell is None:
            self.stray["outside"] += 1
        elif self._over(now_s) and self.rules.end in ("next", "gone"):
            self.stray["next board"] += 1
        elif not self.lost and not (self.ended_s is not None and self.rules.frozen):
            self._click(cell, button, at, now_s)

    def _click(self, cell: Square, button: str, at: Point, now_s: float) -> None:
        rules, now = self.rules, self.states[cell]
        to = CLICKS[rules.clicks][button == "right"].get(now)
        if button == "right" and not CLICKS[rules.clicks][1] and rules.menu:
            self.menu = Box(round(at.x), round(at.y), *MENU_PX)
        if to is None or (rules.lives and rules.locked and now == self._right(cell)):
            return
        if rules.lives and to != "free" and to != self._right(cell):
            self.lives, self.lost = self.lives - 1, self.lives == 1
            self._shaken_s = now_s
            to = {"blank": "blank", "red": "wrong", "shakes": now}[rules.mistaken]
        self._set(cell, to, now_s)
        complete = self._complete()
        for row, col in self.cells if rules.crossed == "entered" else ():
            if self.states[Square(row, col)] == "free" and not complete.isdisjoint(
                (("row", row), ("col", col))
            ):
                self._set(Square(row, col), "blank", now_s)
        if self.ended_s is None and self._accepted():
            self.ended_s = now_s

    def _set(self, cell: Square, to: str, now_s: float) -> None:
        if to != self.states[cell]:
            self._was[cell] = self.states[cell], now_s + self.rules.late_s
            self.states[cell] = to

    def _right(self, cell: Square) -> str:
        return "filled" if cell in self.wanted else "blank"

    def _accepted(self) -> bool:
        filled = {cell for cell, now in self.states.items() if now == "filled"}
        crossed = all(now != "free" for now in self.states.values()) or not self.rules.crosses
        return crossed and (filled == self.wanted if self.rules.one else self.meets_clues())

    def _over(self, now_s: float) -> bool:
        return self.lost or (self.ended_s is not None and now_s >= self.ended_s + self.rules.end_s)

    def _complete(self) -> set[tuple[str, int]]:
        side, found = range(self.puzzle.width), set[tuple[str, int]]()
        for way, clues in (("row", self.puzzle.rows), ("col", self.puzzle.cols)):
            for nth, clue in enumerate(clues):
                line = [self.states[Square(nth, at) if way == "row" else Square(at, nth)] for at in side]
                if tuple(sum(1 for _ in run) for now, run in groupby(line) if now == "filled") == clue:
                    found.add((way, nth))
        return found

    def _at(self, at: Point) -> Square | None:
        places, found = self._places, []
        for value in (at.y - self.top, at.x - self.left):
            inside = [nth for nth, first in enumerate(places) if first <= value < first + self.style.cell]
            found += inside[:1]
        return Square(*found) if len(found) == 2 else None

    def render(self, now_s: float) -> Pixels:
        for cell in [cell for cell, now in self.states.items() if now == "wrong"]:
            if now_s >= self._was[cell][1] + RED_S:
                self._set(cell, "blank", now_s)
        over, end = self._over(now_s), "game over" if self.lost else self.rules.end
        last_s = max([began for _, began in self._was.values()], default=0.0) + self.rules.grows_s
        at_s = now_s if now_s <= max(last_s, self._shaken_s + SHAKE_S) else int(now_s)
        key = tuple(self.states.values()), self.hovered, self.menu, over, at_s
        if key != self._shown[0]:
            self._shown = key, self._page(now_s, end if over else "")
        return self._shown[1]

    def _page(self, now_s: float, end: str) -> Pixels:
        board, (wide, high) = self._board(now_s, end), BUTTON_PX
        below, beside = board.shape[0] + self.top, board.shape[1] + self.left
        page = np.full((below + 90, max(beside + 30, 360), 3), self.style.page, np.uint8)
        if end != "gone":
            page[self.top : below, self.left : beside] = board
        lives = f"   Lives {self.lives}" * bool(self.rules.lives)
        _write(page, "Nonogram" + lives, (12, 22), self.style.ink)
        if self.rules.watch:
            _write(page, f"00:{int(now_s) % 60:02}", (beside - 40, 22), self.style.ink)
        names = ("New game", "Give up", *("Fill", "Cross") * self.rules.clicks.startswith("mode"))
        self._buttons = {
            name: Box(12 + nth * (wide + 8), below + 54, wide, high) for nth, name in enumerate(names)
        }
        self._end(page, end)
        for name, box in self._buttons.items():
            _panel(page, box, (205, 205, 205), name)
        if self.menu is not None:
            _panel(page, self.menu, (240, 240, 240), "Reload")
        since = now_s - self._shaken_s
        if self.rules.mistaken == "shakes" and 0 <= since < SHAKE_S:
            page = np.roll(page, SHAKE_PX * (-1) ** int(since / 0.08), axis=1)
        return page

    def _end(self, page: Pixels, end: str) -> None:
        """Draw what comes over the page at the end; a dialog leaves no button but its own."""
        high, wide = page.shape[:2]
        if end in ("veil", "light veil"):
            page[:] = 0.45 * page + (0.55 * 255 if end == "light veil" else 0)
        if end == "banner":
            _panel(page, Box(0, 4 if self.rules.frozen else high - 86, wide, 34), GREEN, "You solved it!")
        elif end == "words":
            _write(page, "Solved", (12, high - 60), self.style.ink)
        elif end.endswith(("veil", "dialog", "over")):
            box = Box(wide // 2 - 90, high // 2 - 50, 180, 100)
            words = "Game over" if self.lost else "Well done!"
            _panel(page, box, (40, 40, 40) if end == "dark dialog" else (255, 255, 255), words)
            self._buttons = {"Next": Box(box.left + 52, box.top + 60, *BUTTON_PX)}

    def _board(self, now_s: float, end: str) -> Pixels:
        puzzle, style, states = self.puzzle, replace(self.style, cursor=""), self.states
        if end == "next":
            puzzle, states = self.following, dict.fromkeys(self.cells, "free")
        elif end == "colours":
            style = replace(style, fill=GREEN, free=style.page)
        elif end in ("no lines", "picture"):
            style = replace(style, lined=False, free=style.page)
        elif self.hovered is not None and self.style.cursor != "frame":
            style = replace(style, cursor=self.style.cursor, at=self.hovered)
        page, places = chance.ground(puzzle, style)
        complete = set() if end == "next" else self._complete()
        crossed = complete if self.rules.crossed == "seen" else set[tuple[str, int]]()
        for cell, now in states.items():
            own = chance.window(page, places, style, cell)
            if now == "free" and not crossed.isdisjoint((("row", cell.row), ("col", cell.col))):
                now = "blank"
            if end in ("no crosses", "picture") and now == "blank":
                now = "free"
            was, began = self._was.get(cell, (now, 0.0))
            draw_cell(own, cell, now, style)
            if now_s < began + self.rules.grows_s and end != "next":
                after, share = own.astype(float), max(0.0, now_s - began) / max(self.rules.grows_s, 0.01)
                draw_cell(own, cell, was, style)
                own[:] = np.round(own + share * (after - own))
            if end == "picture" and now == "filled":
                own[:] = (40 + 15 * cell.row, 90, 40 + 12 * cell.col)
        if self.style.cursor == "frame" and self.hovered is not None and not end:
            x, y = places[self.hovered.col], places[self.hovered.row]
            cv2.rectangle(page, (x, y), (x + style.cell - 1, y + style.cell - 1), (0, 140, 255), 2)
        if end not in ("no clues", "picture"):
            chance.write_clues(page, puzzle, places, style, complete, self.rules.done)
        return page


def draw_cell(own: Pixels, cell: Square, state: str, style: Style) -> None:
    if state == "wrong":
        state, style = "filled", replace(style, fill=RED)
    chance.draw_cell(own, cell, state, style)


def _panel(page: Pixels, box: Box, colour: Colour, words: str) -> None:
    ink = (20, 20, 20) if sum(colour) > 400 else (235, 235, 235)
    cv2.rectangle(page, (box.left, box.top), (box.right, box.bottom), colour, -1)
    cv2.rectangle(page, (box.left, box.top), (box.right, box.bottom), (128, 128, 128), 1)
    _write(page, words, (box.left + 4, box.top + 17), ink)


def _write(page: Pixels, words: str, at: tuple[int, int], ink: Colour) -> None:
    cv2.putText(page, words, at, FONT, 0.45, ink, 1, cv2.LINE_AA)
