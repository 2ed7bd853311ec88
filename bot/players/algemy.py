"""Enters an Algemy solution: tap a cell, tap its colour on the wheel that opens there."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bot.actions import Action, Plan, Step, Tap, Wait
from solver.algemy import Algemy, Solution
from solver.algemy.board import COLOUR_NAMES, AlgemyCell
from vision.frame import Box, Point
from vision.reading import Reading

WHEEL = "ROYGBV"
# The wheel bounces for about 0.2 s after the tap that opens it.
OPEN_S, SETTLE_S = 0.3, 0.25
# Where on the ring (0.4 to 1.05 cells) to tap, best first; off the middle of a sector where the screen ends.
REACHES = (0.75, 0.6, 0.9)
TURNS_DEG = (0, -20, 20)
WHEEL_OUTER = 1.05


def plan(reading: Reading[Algemy, Solution], solution: Solution) -> Plan:
    """Sources that stand wrong go first, then the missing ones row by row.

    An open wheel is used or closed before anything else, and after taking sources away the board is looked at
    again: the plan ends there.
    """
    placed = reading.placed
    wrong = [cell for cell in sorted(placed) if cell not in solution]
    unset = [cell for cell in sorted(solution) if placed.get(cell) != solution[cell]]
    missing, cells = len(wrong) + len(unset), frozenset[object]((*wrong, *unset))
    if reading.ui == "wheel":
        return Plan((_with_open_wheel(reading, solution),), max(1, missing), cells)
    if wrong:
        return Plan(tuple(_taken_away(reading, cell) for cell in wrong), missing, cells)
    return Plan(tuple(_placed(reading, cell, solution[cell]) for cell in unset), missing)


def onward(before: Reading[Algemy, Solution], now: Reading[Algemy, Solution]) -> tuple[Action, ...]:
    """Tap the arrow to the next level, where it is lit."""
    arrow = now.controls.get("next-level")
    return (Tap(arrow.at),) if arrow is not None and arrow.active else ()


def uncover(reading: Reading[Algemy, Solution]) -> Step | None:
    """Close an open wheel: it may lie over cells that nobody knows yet."""
    if reading.ui != "wheel":
        return None
    cell = reading.puzzle.cell(int(reading.facts["wheel_row"]), int(reading.facts["wheel_col"]))
    middle = reading.geometry.centres[cell]
    taps = tuple(_closing(reading, cell, middle)) or (Tap(middle),)
    return Step((*taps, Wait(SETTLE_S)), f"close the wheel at {reading.puzzle.name(cell)}")


def _with_open_wheel(reading: Reading[Algemy, Solution], solution: Solution) -> Step:
    """The colour that its cell wants, or the middle of the wheel, which changes nothing or clears the cell."""
    cell = reading.puzzle.cell(int(reading.facts["wheel_row"]), int(reading.facts["wheel_col"]))
    where = reading.puzzle.name(cell)
    colour = solution.get(cell, "")
    if colour in reading.controls:
        at = _on_ring(reading, cell, colour)
        return Step(
            (Tap(at), Wait(SETTLE_S)), f"{COLOUR_NAMES[colour]} on the open wheel at {where}", (cell,)
        )
    return Step((Tap(reading.geometry.centres[cell]), Wait(SETTLE_S)), f"close the wheel at {where}")


def _placed(reading: Reading[Algemy, Solution], cell: AlgemyCell, colour: str) -> Step:
    at = _on_ring(reading, cell, colour)
    return Step(
        (
            Tap(reading.geometry.centres[cell]),
            Wait(OPEN_S),
            Tap(at),
            Wait(SETTLE_S),
            *_closing(reading, cell, at),
        ),
        f"{COLOUR_NAMES[colour]} source at {reading.puzzle.name(cell)}",
        (cell,),
    )


def _taken_away(reading: Reading[Algemy, Solution], cell: AlgemyCell) -> Step:
    """The middle of the wheel takes a source away; if it does not, the next look says so."""
    at = reading.geometry.centres[cell]
    return Step(
        (Tap(at), Wait(OPEN_S), Tap(at), Wait(SETTLE_S), *_closing(reading, cell, at)),
        f"take the source at {reading.puzzle.name(cell)} away",
        (cell,),
    )


def _closing(reading: Reading[Algemy, Solution], cell: AlgemyCell, last: Point) -> Iterator[Tap]:
    """A tap on a crystal well away: it closes a wheel that a lost tap has left open, and otherwise does nothing."""
    centres, pitch = reading.geometry.centres, reading.geometry.pitch_px
    # A wheel may be open on the cell itself, or on the one below the tap on the ring.
    reach = (WHEEL_OUTER + 0.6) * pitch
    away = [
        centres[crystal]
        for crystal in reading.puzzle.crystals
        if crystal not in reading.doubtful
        and math.dist(centres[crystal], centres[cell]) > reach
        and math.dist(centres[crystal], last) > reach
    ]
    if away:
        yield Tap(max(away, key=lambda at: (math.dist(at, centres[cell]), at)))


def _on_ring(reading: Reading[Algemy, Solution], cell: AlgemyCell, colour: str) -> Point:
    """A place of the colour's sector that may be tapped; the wheel is not moved inwards at the edge of the screen."""
    centre, pitch = reading.geometry.centres[cell], reading.geometry.pitch_px
    places = []
    for reach in REACHES:
        for turn in TURNS_DEG:
            angle = math.radians(60 * WHEEL.index(colour) + turn)
            places.append(
                Point(centre.x + reach * pitch * math.sin(angle), centre.y - reach * pitch * math.cos(angle))
            )
    inside = [at for at in places if _shrunk(reading.area).contains(at)]
    return inside[0] if inside else places[0]


def _shrunk(area: Box) -> Box:
    return Box(area.left + 3, area.top + 3, area.width - 6, area.height - 6)
