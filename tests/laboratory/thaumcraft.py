"""Thaumcraft's solver measured: boards made here from seeds, and the boards of a data folder where there is one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bot.bench import Case, Row
from solver import thaumcraft
from solver.errors import NoSolution
from solver.lattice import Hex, hexagon
from solver.thaumcraft import ALL, Note

# (name, radius, fewest givens, most givens, blanks), like the kinds of note in the game and harder ones.
KINDS = (
    ("small", 2, 3, 4, 0),
    ("medium", 3, 4, 6, 4),
    ("large", 4, 6, 8, 6),
    ("huge", 4, 9, 12, 6),
)
BOARDS = 15


def rows(data: Path | None) -> Iterator[Row]:
    for name, radius, fewest, most, blanks in KINDS:
        yield Row(
            f"thaumcraft/solve/{name}",
            f"cheapest solution proved, {fewest} to {most} givens on radius {radius}",
            partial(_made, radius, fewest, most, blanks),
            repeats=2,
        )
    if data is not None:
        for path in sorted((data / "thaumcraft" / "boards").glob("*.jsonl")):
            yield Row(
                f"thaumcraft/solve/{path.stem}-data",
                f"cheapest solution proved, boards of {path.name}",
                partial(_from_file, path),
                repeats=2,
            )


def made_note(rng: random.Random, radius: int, count: int, blanks: int) -> Note:
    """A note as the game makes it: givens spread over the ring, then blanks anywhere but on them."""
    ring = [Hex(-radius, radius)]
    for step in (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1)):
        for _ in range(radius):
            ring.append(Hex(ring[-1].q + step.q, ring[-1].r + step.r))
    places = [ring[int(k * 6 * radius / count + 0.5)] for k in range(count)]
    givens = {place: rng.choice(list(ALL.components)) for place in places}
    free = [cell for cell in hexagon(radius) if cell not in givens]
    return Note(frozenset(hexagon(radius)) - set(rng.sample(free, blanks)), givens)


def _made(radius: int, fewest: int, most: int, blanks: int) -> Sequence[Case]:
    rng = random.Random(f"thaumcraft {radius} {fewest} {most}")
    notes = [made_note(rng, radius, rng.randint(fewest, most), blanks) for _ in range(BOARDS)]
    return [_case(note) for note in notes]


def _from_file(path: Path) -> Sequence[Case]:
    return [_case(note) for note in thaumcraft.parse_file(path.read_text(encoding="utf-8"))]


def _case(note: Note) -> Callable[[], object]:
    def run() -> object:
        try:
            return thaumcraft.solve(note)
        except NoSolution:
            return None

    return run
