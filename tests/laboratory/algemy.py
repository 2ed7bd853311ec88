"""Algemy: solving made levels and the boards of a data folder, with both solvers of OR-tools as peers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from bot.bench import Case, Row
from bot.practice.algemy.levels import make_level
from solver import algemy
from solver.algemy import BITS, Algemy
from solver.algemy.board import FULL, AlgemyCell, Shape
from solver.answer import Limits
from solver.errors import NoSolution, SearchLimit

LEVELS = 8
# (name, shape, size, palette)
_OWN: tuple[tuple[str, Shape, int, str], ...] = (
    ("square-6", "square", 6, "RYB"),
    ("hex-4", "hex", 4, FULL),
)
GAME_LIKE = ("unique-", "levels-seen")
MOST_SECONDS = 20.0
PRIMARIES = (1, 2, 4)
# A source colour in a cell.
Choice = tuple[AlgemyCell, str]


def rows(data: Path | None) -> Iterator[Row]:
    """One row per file of `data/algemy/boards` and peer, one for those like the game's, one for all.

    `unique-` files hold boards with a single solution. CP-SAT is given what our solver works out first (colours that no
    crystal in sight forbids); the classic solver is given the rules as they stand.
    """
    folder = None if data is None else data / "algemy" / "boards"
    if folder is None or not folder.is_dir():
        for name, shape, size, palette in _OWN:
            yield from _row(name, f"made levels, {shape}, size {size}", partial(_made, shape, size, palette))
        return
    paths = sorted(folder.glob("*.txt"))
    for path in paths:
        yield from _row(path.stem, f"boards of {path.name}", partial(_boards, [path]))
    alike = [path for path in paths if path.stem.startswith(GAME_LIKE)]
    yield from _row("game-like", "boards with one solution, as the game's", partial(_boards, alike))
    yield from _row("all", "all boards", partial(_boards, paths))


def _made(shape: Shape, size: int, palette: str) -> list[Algemy]:
    rng = random.Random(f"algemy {shape} {size} {palette}")
    return [make_level(rng, shape, size, palette) for _ in range(LEVELS)]


def _boards(paths: Sequence[Path]) -> list[Algemy]:
    return [board for path in paths for board in algemy.parse_file(path.read_text(encoding="utf-8"))]


def _row(name: str, what: str, boards: Callable[[], list[Algemy]]) -> Iterator[Row]:
    def ours() -> Sequence[Case]:
        return [partial(_solve, board) for board in boards()]

    def cp_sat_peer() -> Sequence[Case]:
        from ortools.sat.python import cp_model  # an optional peer: its ImportError means "not installed"

        return [partial(cp_sat, cp_model, board) for board in boards()]

    def classic_peer() -> Sequence[Case]:
        from ortools.constraint_solver import pywrapcp

        return [partial(classic, pywrapcp, board) for board in boards()]

    what = f"{what}, first answer"
    yield Row(
        f"algemy/solve/{name}",
        what,
        ours,
        peer=("OR-tools CP-SAT", cp_sat_peer),
        package="ortools",
        repeats=1,
    )
    yield Row(
        f"algemy/classic/{name}", what, ours, peer=("OR-tools CP", classic_peer), package="ortools", repeats=1
    )


def _solve(board: Algemy) -> None:
    """A first answer, or the proof that there is none: both are decisions."""
    with suppress(NoSolution, SearchLimit):
        algemy.solve(board, Limits(MOST_SECONDS))


def _rules(puzzle: Algemy) -> tuple[list[Choice], list[list[Choice]], list[list[Choice]]]:
    """(choices, groups of which at most one is taken, groups of which at least one is taken)."""
    palette = puzzle.palette or FULL
    crystals = puzzle.crystals
    empty = [cell for cell in puzzle.cells if cell not in crystals]
    sees = {cell: [(set(ray), crystal) for ray, crystal in algemy.sight(puzzle, cell)] for cell in empty}
    # Light that a crystal must not get is no choice.
    choices = {
        cell: [
            (cell, colour)
            for colour in palette
            if all(
                crystal is None or not BITS[colour] & ~BITS[crystals[crystal]] for _, crystal in sees[cell]
            )
        ]
        for cell in empty
    }
    at_most: list[list[Choice]] = []
    at_least: list[list[Choice]] = []
    around: Mapping[AlgemyCell, list[Choice]] = {cell: [] for cell in crystals}
    for cell in empty:
        rays = [ray for ray, _ in sees[cell]]
        at_least.append([c for at in {cell}.union(*rays) for c in choices[at]])
        at_most.append(choices[cell])
        for k in range(len(rays) // 2):
            line = {cell} | rays[k] | rays[k + len(rays) // 2]
            if cell == min(line):
                at_most.append([c for at in line for c in choices[at]])
        for _, crystal in sees[cell]:
            if crystal is not None:
                around[crystal].extend(choices[cell])
    for crystal, near in around.items():
        wanted = BITS[crystals[crystal]]
        at_least += [[c for c in near if BITS[c[1]] & bit] for bit in PRIMARIES if wanted & bit]
    return [c for own in choices.values() for c in own], at_most, at_least


# `Any`: an optional module that is handed over untyped.
def cp_sat(cp_model: Any, puzzle: Algemy) -> dict[AlgemyCell, str] | None:
    """A first answer of CP-SAT; None when there is none, or none in time."""
    model = cp_model.CpModel()
    choices, at_most, at_least = _rules(puzzle)
    taken = {choice: model.new_bool_var("") for choice in choices}
    for group in at_most:
        model.add_at_most_one(taken[c] for c in group)
    for group in at_least:
        model.add_bool_or([taken[c] for c in group])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = MOST_SECONDS
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {cell: colour for (cell, colour), var in taken.items() if solver.boolean_value(var)}


def classic(pywrapcp: Any, puzzle: Algemy) -> dict[AlgemyCell, str] | None:
    """A first answer of OR-tools' original CP solver: the rules as they stand, one variable per empty cell.

    The variable is 0 for no source, else the place of its colour in the palette, counted from 1.
    """
    solver = pywrapcp.Solver("algemy")
    palette, crystals = puzzle.palette or FULL, puzzle.crystals
    sources = {cell: solver.IntVar(0, len(palette), "") for cell in puzzle.cells if cell not in crystals}
    seen: dict[AlgemyCell, list[Any]] = {crystal: [] for crystal in crystals}
    for cell, source in sources.items():
        rays = list(algemy.sight(puzzle, cell))
        solver.Add(solver.Sum([source, *(sources[at] for ray, _ in rays for at in ray)]) >= 1)
        half = len(rays) // 2
        for (ahead, _), (behind, _) in zip(rays[:half], rays[half:], strict=True):
            line = {cell, *ahead, *behind}
            if cell == min(line) and len(line) > 1:
                solver.Add(solver.Sum([sources[at] > 0 for at in sorted(line)]) <= 1)
        for _, crystal in rays:
            if crystal is not None:
                seen[crystal].append(source)
    for crystal, near in seen.items():
        wanted = BITS[crystals[crystal]]
        if not near and wanted:
            return None
        for number, colour in enumerate(palette, start=1):
            if near and BITS[colour] & ~wanted:
                solver.Add(solver.Sum([source == number for source in near]) == 0)
        for bit in PRIMARIES:
            if wanted & bit:
                giving = [number for number, colour in enumerate(palette, start=1) if BITS[colour] & bit]
                solver.Add(solver.Sum([solver.IsMemberVar(source, giving) for source in near]) >= 1)
    way = solver.Phase(list(sources.values()), solver.INT_VAR_DEFAULT, solver.INT_VALUE_DEFAULT)
    solver.NewSearch(way, [solver.TimeLimit(round(MOST_SECONDS * 1000))])
    found = None
    if solver.NextSolution():
        found = {cell: palette[source.Value() - 1] for cell, source in sources.items() if source.Value()}
    solver.EndSearch()
    return found
