"""Enters ring puzzles: clear what is wrong, then tap each region and the tile that belongs there, or type the number."""

from __future__ import annotations

from bot.actions import Key, Plan, Step, Tap
from solver.rings import Entries, Rings
from vision.reading import Reading

# Held at least this long a tap clears a region.
CLEAR_S = 0.8


def plan(reading: Reading[Rings, Entries], solution: Entries) -> Plan:
    """The steps from what is entered to the solution.

    A wrong number goes first, so that its tile is back in the stock. A number whose tile is not shown is left for
    the next plan, when a clearing has brought it back. On a screen without tiles ("1-9") numbers are typed.
    """
    placed, centres = reading.placed, reading.geometry.centres
    wrong = [region for region, number in placed.items() if solution.get(region) != number]
    missing = [region for region, number in solution.items() if placed.get(region) != number]
    steps = [
        Step((Tap(centres[region], CLEAR_S),), f"clear {placed[region]} from {region}", (region,))
        for region in wrong
    ]
    if not wrong:
        for region in missing:
            tile = reading.controls.get(str(solution[region]))
            if not reading.controls:
                typed = tuple(Key(digit) for digit in str(solution[region]))
                steps.append(
                    Step((Tap(centres[region]), *typed), f"type {solution[region]} into {region}", (region,))
                )
            elif tile is not None and tile.active:
                taps = (Tap(centres[region]), Tap(tile.at))
                steps.append(Step(taps, f"put {solution[region]} into {region}", (region,)))
    return Plan(tuple(steps), len(set(missing) | set(wrong)))
