"""The rules of the research table: what is wrong with a solution. Shares no search code with the solver."""

from __future__ import annotations

from solver.lattice import Hex, hex_neighbours
from solver.thaumcraft.aspects import Aspects
from solver.thaumcraft.note import Note, Solution, aspects_of
from solver.thaumcraft.stock import shortage


def linked_to(note: Note, solution: Solution, start: Hex, aspects: Aspects) -> frozenset[Hex]:
    """The cells that the game's flood fill reaches from `start` over linking neighbours."""
    board = {**solution, **note.given}
    reached = {start}
    edge = [start]
    while edge:
        cell = edge.pop()
        linked = aspects.links.get(board[cell], frozenset())
        for other in hex_neighbours(cell):
            if other in board and other in note.cells and other not in reached and board[other] in linked:
                reached.add(other)
                edge.append(other)
    return frozenset(reached)


def check(note: Note, solution: Solution) -> tuple[str, ...]:
    """Broken rules in words; empty means complete. Placed aspects that link to nothing do no harm."""
    aspects = aspects_of(note)
    broken = []
    for cell, tag in sorted(solution.items()):
        if cell not in note.cells:
            broken.append(f"{tag} at {note.name(cell)} is not on the note")
        elif cell in note.given and note.given[cell] != tag:
            broken.append(f"{tag} at {note.name(cell)} covers the given {note.given[cell]}")
        if tag not in aspects:
            broken.append(f"{tag} at {note.name(cell)} is not an aspect of this game")
        if tag in note.disabled and cell not in note.given:
            broken.append(f"{tag} at {note.name(cell)} is disabled")
    if note.given:
        start = min(note.given)
        reached = linked_to(note, solution, start, aspects)
        broken += [
            f"given {tag} at {note.name(cell)} is not linked to {note.given[start]} at {note.name(start)}"
            for cell, tag in sorted(note.given.items())
            if cell not in reached
        ]
    broken += [f"{units} {tag} too few in stock" for tag, units in shortage(note, solution).items()]
    return tuple(broken)


def cost_of(note: Note, solution: Solution) -> int:
    """What the placed cells cost together."""
    costs = aspects_of(note).costs
    return sum(
        note.costs.get(tag, costs.get(tag, 0)) for cell, tag in solution.items() if cell not in note.given
    )
