"""A research table of seed 3 in a real window that draws so many unsteady pictures a second: `slow_table.py RATE TITLE`."""

from __future__ import annotations

import random
import sys
import time

from bot.practice import window
from bot.practice.thaumcraft.making import practice
from bot.practice.thaumcraft.table import ResearchTable
from vision.frame import Pixels

# A frame takes up to this share more or less of its time.
UNSTEADY = 0.5


def show(rate: float, title: str) -> None:
    """The window until it is closed; "open" and "solved" are printed."""
    table = practice(
        random.Random(3), ui="stock", scale=2, complexity=1, givens=2, frames_per_s=rate, unsteady=UNSTEADY
    )
    varied = random.Random(3)
    drawn = ResearchTable.render

    def render(board: ResearchTable, now_s: float) -> Pixels:
        # The whole program rests between two pictures: events of that time are handled all at once.
        time.sleep((1 + UNSTEADY * (2 * varied.random() - 1)) / rate)
        return drawn(board, now_s)

    ResearchTable.render = render  # type: ignore[method-assign]
    window.show(table, title, lambda: print("solved", flush=True), lambda: print("open", flush=True))


if __name__ == "__main__":
    show(float(sys.argv[1]), sys.argv[2])
