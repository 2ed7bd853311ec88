"""Enters Bridges: which drags turn the bridges on the screen into the solution.

In Simon Tatham's collection, and in most programs after it, a drag from an island to its neighbour adds a
bridge, and the drag after the last possible bridge takes all of them away. So a span with c of at most m
bridges reaches k with k - c drags, or, when k is smaller, with m - c + 1 drags to clear it and k more. What
is too much goes first: a bridge in the way makes the program refuse the one that crosses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bot.actions import Action, Plan, Step, Tap
from bot.players.bridges.entering import GESTURE, Entering, aside, entering_of, moves
from bot.players.bridges.learning import learn, taught
from solver.bridges import Bridges, Joins, Span
from solver.lattice import Square
from vision.readers.bridges.board import BoardReading
from vision.reading import Reading

__all__ = ["learn", "moves", "plan", "taught"]


def plan(reading: Reading[Bridges, Joins], solution: Joins) -> Plan:
    """The gestures that are missing, one step per island: its bridges to the right and down.

    Steps name the spans they change. First come those that take bridges away. The very first step is one span's.
    What the collection's player has locked or crossed out is freed by the first step that needs it.
    """
    puzzle = reading.puzzle
    entering = entering_of(reading)
    wrong = [span for span in puzzle.spans if reading.placed.get(span, 0) != solution.get(span, 0)]
    too_many = [span for span in wrong if reading.placed.get(span, 0) > solution.get(span, 0)]
    too_few = [span for span in wrong if reading.placed.get(span, 0) < solution.get(span, 0)]

    locked = set(reading.locked) if isinstance(reading, BoardReading) else set()
    steps: list[Step] = []
    for spans in (too_many, too_few):
        for _, from_one in groupby(spans, key=lambda span: span.a):
            both = list(from_one)
            if not steps:
                steps.append(_step(reading, solution, both[:1], entering, locked))
                both = both[1:]
            if both:
                steps.append(_step(reading, solution, both, entering, locked))
    return Plan(tuple(steps), missing=len(wrong))


def _step(
    reading: Reading[Bridges, Joins],
    solution: Joins,
    spans: Sequence[Span],
    entering: Entering,
    locked: set[Square],
) -> Step:
    """One island's spans; what it unlocks is taken out of `locked`."""
    actions: list[Action] = []
    words: list[str] = []
    for at in sorted({at for span in spans for at in span} & locked):
        actions.append(Tap(reading.geometry.centres[at], entering.hold_s))
        locked.discard(at)
    for span in spans:
        if isinstance(reading, BoardReading) and span in reading.crossed:
            actions += entering.once(reading, span, "right")
        now, then = reading.placed.get(span, 0), solution.get(span, 0)
        actions += entering.actions(reading, span, now, then)
        words.append(f"{then} {'right' if span.a.row == span.b.row else 'down'} (was {now})")
    if GESTURE in reading.facts:
        # What is under the pointer may look different.
        actions.append(aside(reading))
    row, col = spans[0].a
    why = f"island at row {row + 1}, column {col + 1}: {', '.join(words)}"
    return Step(tuple(actions), why, tuple(spans))
