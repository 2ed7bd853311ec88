"""Whole games in programs made up by chance, in simulated time: see `chance_programs`.

`uv run python -m tests.laboratory.chance_play FIRST END` plays those with these seeds, counts how they went, and names
those that were not played or touched what they must not. `SEED` alone tells one game look by look; with a folder behind it,
what was looked at is kept there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import cv2

from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.games import GAMES
from bot.play import Notice, play
from bot.screen import Screen
from solver.errors import BoardsightError
from tests.laboratory.chance_programs import Program

# So many presses for each cell, and for learning how they are clicked, are hopeless repetition.
HOPELESS, LESSONS = 4, 40


@dataclass
class Game:
    """How a game went.

    ended: "played"; "refused", "stopped" or "solved, stopped", before anything was pressed, on the way, or when it was solved;
        "not taken", where the clues are met and the program wants something else; "false" where they are not; "crashed".
    why: the status or the error, in words. spoiled: what must not be pressed, and how often it was; hopeless repetition.
    """

    program: Program
    ended: str
    why: str
    spoiled: dict[str, int] = field(default_factory=dict)


def game(seed: int, observe: Callable[[Notice], None] = lambda notice: None) -> Game:
    """The game of a seed, from the first look to the end."""
    return played(Program(seed), observe)


def played(program: Program, observe: Callable[[Notice], None] = lambda notice: None) -> Game:
    """The game in a program, from the first look to the end."""
    clock = SimulatedClock()
    screen = Screen(PracticeDevice(program, clock, Faults()), clock)
    try:
        outcome = play(GAMES["nonogram"], program.profile, screen, observe=observe)
    except BoardsightError as error:
        ended, why = "stopped", f"{type(error).__name__}: {error}"
    except Exception as error:
        ended, why = "crashed", f"{type(error).__name__}: {error}"
    else:
        why = outcome.status
        met = program.meets_clues() and not program.lost
        played = program.solved() or (met and program.rules.end == "nothing")
        ended = "played" if played else "not taken" if met else "false"
    spoiled = dict(program.stray)
    if program.presses > HOPELESS * len(program.cells) + LESSONS:
        spoiled["hopeless"] = program.presses
    if ended == "stopped":
        ended = "solved, stopped" if program.solved() else ended if program.presses else "refused"
    return Game(program, ended, why, spoiled)


def tell(game: Callable[[int, Callable[[Notice], None]], Game], first: str, end: str = "") -> None:
    """Print how games went, as the module's words say."""
    found: Counter[str] = Counter()
    shown = count()

    def note(notice: Notice) -> None:
        print(f"{notice.at_s:7.2f} {notice.kind:7} {notice.text}")
        if folder and notice.look is not None:
            cv2.imwrite(f"{folder}/{next(shown):03}.png", notice.look.frame.pixels)

    alone = not end.isdigit()
    folder = end if alone else ""
    for seed in (int(first),) if alone else range(int(first), int(end)):
        one = game(seed, note if alone else lambda notice: None)
        found.update((one.ended, *one.spoiled))
        if alone or one.ended != "played" or one.spoiled:
            rules = one.program.rules
            print(
                f"{seed} {one.ended}: {one.why[:200]} {one.spoiled or ''} ({rules.clicks}, {rules.end})",
                flush=True,
            )
    print(dict(found))


if __name__ == "__main__":
    tell(game, *sys.argv[1:])
