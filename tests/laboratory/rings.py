"""Rings: solving practice puzzles and the puzzles of a data folder, with OR-tools CP-SAT as a peer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bot.bench import Case, Row
from bot.practice import rings as practice
from bot.practice.rings.figures import FIGURES, Figure
from solver import rings
from solver.answer import Limits
from solver.lattice import Region
from solver.rings import Rings

PUZZLES = 4
PEER_SECONDS = 60.0


def rows(data: Path | None) -> Iterator[Row]:
    """One row per figure of the practice boards, and one for all puzzles of `data/rings`; all are decided."""
    for figure in FIGURES:
        yield _row(figure, f"practice puzzles, {figure}, decided", partial(_made, figure))
    paths = [] if data is None else sorted((data / "rings").glob("*.txt"))
    if paths:
        yield _row("data", "puzzles of the data folder, decided", partial(_puzzles, paths))


def _made(figure: Figure) -> list[Rings]:
    return [practice.practice(random.Random(seed), figure=figure).puzzle for seed in range(PUZZLES)]


def _puzzles(paths: Sequence[Path]) -> list[Rings]:
    return [puzzle for path in paths for puzzle in rings.parse_file(path.read_text(encoding="utf-8"))]


def _row(name: str, what: str, puzzles: Callable[[], list[Rings]]) -> Row:
    def ours() -> Sequence[Case]:
        return [partial(rings.solve, puzzle, Limits(unique=True)) for puzzle in puzzles()]

    def peer() -> Sequence[Case]:
        from ortools.sat.python import cp_model  # an optional peer: its ImportError means "not installed"

        return [partial(cp_sat, cp_model, puzzle) for puzzle in puzzles()]

    return Row(
        f"rings/solve/{name}", what, ours, peer=("OR-tools CP-SAT", peer), package="ortools", repeats=2
    )


# `Any`: an optional module that is handed over untyped.
def cp_sat(cp_model: Any, puzzle: Rings, most: int = 2) -> list[dict[Region, int]]:
    """Up to `most` fillings by CP-SAT, one after the other: two are enough to tell whether one is the only one."""
    model = cp_model.CpModel()
    stock = Counter(puzzle.numbers)
    chosen = {(at, n): model.new_bool_var("") for at in puzzle.blanks for n in stock}
    for at in puzzle.blanks:
        model.add_exactly_one(chosen[at, n] for n in stock)
    if puzzle.use == "once":
        for n, times in stock.items():
            model.add(sum(chosen[at, n] for at in puzzle.blanks) <= times)
    common = model.new_int_var(0, sum(puzzle.given.values()) + len(puzzle.blanks) * max(stock, default=0), "")
    for ring in puzzle.rings:
        inside = puzzle.insides[ring.name]
        given = [puzzle.given[at] for at in inside if at in puzzle.given]
        blanks = [at for at in inside if at not in puzzle.given]
        total = sum(given) + sum(n * chosen[at, n] for at in blanks for n in stock)
        target = puzzle.sum_of(ring)
        if target is not None:
            model.add(total == target)
        elif ring.target == "=":
            model.add(total == common)
        if puzzle.use == "ring-distinct":
            for n in stock:
                model.add(sum(chosen[at, n] for at in blanks) <= (0 if n in given else 1))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = PEER_SECONDS
    found: list[dict[Region, int]] = []
    while len(found) < most and solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found.append({at: n for (at, n), var in chosen.items() if solver.boolean_value(var)})
        model.add_bool_or([chosen[place].negated() for place in found[-1].items()])
    return found
