"""Bridges: solving generated boards and the Coelho set, with OR-tools CP-SAT as a peer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bot.bench import Case, Row
from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Span
from solver.lattice import Square

# Boards of 7x7 and 15x15 made with Simon Tatham's generator; measured where no folder of boards is given.
_OWN = (
    "7x7m2:a1d23c3k2a5a43d3g12b2a3a",
    "7x7m2:a3a3b12i2b3a4b2j3a2b23c2b",
    "15x15m2:j2c43a3b4a6a2b2r1c2b2c6a54e1p3b2c6f7d7a5i1k2v1f4o4a5a1q24e5b3a1d2a4c4d6a4",
)
PEER_SECONDS = 60.0


def rows(data: Path | None) -> Iterator[Row]:
    """One row per file of generated boards in `data/bridges`, and per size of the Coelho set."""
    folder = None if data is None else data / "bridges"
    if folder is None or not folder.is_dir():
        yield _row(
            "generated", "boards of the generator, decided", lambda: [*map(bridges.parse, _OWN)], unique=True
        )
        return
    for path in sorted((folder / "sgt").glob("*.txt")):
        what = f"{path.stem} boards of the generator, decided"
        yield _row(path.stem, what, partial(_boards, [path]), unique=True)
    for islands in (100, 200, 300, 400):
        paths = sorted((folder / "coelho").glob(f"Hs_*_{islands}_*.has"))
        if paths:
            what = f"Coelho boards with {islands} islands, first answer"
            yield _row(f"coelho-{islands}", what, partial(_boards, paths), unique=False)


def _boards(paths: Sequence[Path]) -> list[Bridges]:
    return [board for path in paths for board in bridges.parse_file(path.read_text(encoding="utf-8"))]


def _row(name: str, what: str, boards: Callable[[], list[Bridges]], unique: bool) -> Row:
    def ours() -> Sequence[Case]:
        return [partial(bridges.solve, board, Limits(unique=unique)) for board in boards()]

    def peer() -> Sequence[Case]:
        from ortools.sat.python import cp_model  # an optional peer: its ImportError means "not installed"

        return [partial(cp_sat, cp_model, board) for board in boards()]

    return Row(
        f"bridges/solve/{name}", what, ours, peer=("OR-tools CP-SAT", peer), package="ortools", repeats=1
    )


# `Any`: an optional module that is handed over untyped.
def cp_sat(cp_model: Any, puzzle: Bridges) -> dict[Span, int] | None:
    """A first answer from CP-SAT with a spanning tree: every island but the first has a parent one step nearer.

    None when there is no answer, or none in time.
    """
    model = cp_model.CpModel()
    counts = {span: model.new_int_var(0, puzzle.max_bridges, "") for span in puzzle.spans}
    used = {span: model.new_bool_var("") for span in puzzle.spans}
    taken: dict[Square, Any] = {}
    for span, count in counts.items():
        model.add(count >= used[span])
        model.add(count <= puzzle.max_bridges * used[span])
        for cell in bridges.between(span):
            if cell in taken:
                model.add_bool_or(used[span].negated(), taken[cell].negated())
            else:
                taken[cell] = used[span]
    size = len(puzzle.islands)
    depth = {at: model.new_int_var(0, size, "") for at in puzzle.clues}
    parents: dict[Square, list[Any]] = {at: [] for at in puzzle.clues}
    for span in puzzle.spans:
        for child, parent in ((span.a, span.b), (span.b, span.a)):
            chosen = model.new_bool_var("")
            parents[child].append(chosen)
            model.add_implication(chosen, used[span])
            model.add(depth[child] == depth[parent] + 1).only_enforce_if(chosen)
    for number, (at, clue) in enumerate(puzzle.clues.items()):
        model.add(sum(count for span, count in counts.items() if at in span) == clue)
        model.add(sum(parents[at]) == (number > 0))
    if not puzzle.loops:
        model.add(sum(used.values()) == size - 1)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = PEER_SECONDS
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {span: solver.value(count) for span, count in counts.items() if solver.value(count)}
