"""The steps of solving: true one by one, and together they lead to the solver's solution."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from itertools import combinations, product
from typing import Any

import pytest

from bot.games import GAMES
from bot.show.scene import moments
from solver import rings
from solver.errors import NoSolution
from solver.lattice import Region
from solver.rings.steps import RingReasoner
from solver.steps import Step, work
from tests.shared_data import SHARED, needs_shared


def steps_of(game: str, puzzle: Any, **options: Any) -> list[Step[Any]]:
    """The work on a puzzle from its empty board."""
    guide = GAMES[game].guide
    assert guide is not None
    return list(work(guide.reasoner(puzzle, options.get("solution")), **options))


def certain(steps: Iterable[Step[Any]]) -> Iterable[Step[Any]]:
    """The steps that rest on no guess."""
    return (step for step in steps if step.depth == 0 and step.kind == "rule")


# Rings


def random_rings(rng: random.Random) -> rings.Rings:
    """A figure of two or three rings with up to six regions, solved once to have its targets."""
    names = ["a", "b", "c"][: rng.choice((2, 3, 3))]
    sets = [c for n in range(1, len(names) + 1) for c in combinations(names, n)]
    chosen = (
        [c for c in sets if len(c) == 1] + rng.sample([c for c in sets if len(c) > 1], rng.randint(1, 3))
        if len(names) == 3
        else sets
    )
    use = rng.choice(("once", "any", "ring-distinct"))
    stock = rng.sample(range(1, 9), len(chosen)) if use == "once" else list(range(1, rng.randint(4, 8)))
    values = {c: stock[i] if use == "once" else rng.choice(stock) for i, c in enumerate(chosen)}
    given = set(rng.sample(chosen, rng.randint(0, 2)))
    if use == "once":
        for region in given:
            stock.remove(values[region])
    kind = rng.choice(("own", "own", "?"))
    sums = {name: sum(v for c, v in values.items() if name in c) for name in names}
    return rings.Rings(
        tuple(rings.Ring(name, "=" if kind == "?" else sums[name]) for name in names),
        tuple(rings.Place(Region(c), values[c] if c in given else None) for c in chosen),
        tuple(stock),
        use,
        "?" if kind == "?" else "own",
    )


def every_filling(puzzle: rings.Rings) -> list[dict[Region, int]]:
    """All solutions, by trying everything against the rules."""
    numbers = sorted(set(puzzle.numbers))
    fillings = (
        dict(zip(puzzle.blanks, choice, strict=True))
        for choice in product(numbers, repeat=len(puzzle.blanks))
    )
    return [filling for filling in fillings if not rings.check(puzzle, filling)]


@pytest.mark.parametrize("seed", range(60))
def test_every_ring_rule_is_true_in_all_solutions(seed: int) -> None:
    puzzle = random_rings(random.Random(seed))
    fillings = every_filling(puzzle)

    if not fillings:
        with pytest.raises(NoSolution):
            steps_of("rings", puzzle)
        return
    steps = steps_of("rings", puzzle)

    for step in certain(steps):
        for filling in fillings:
            assert all(filling[region] == number for region, number in step.settled.items()), step
            assert all(filling[region] in numbers for region, numbers in step.maybe.items()), step
    if steps:
        assert steps[-1].board in fillings


@needs_shared
@pytest.mark.parametrize("path", sorted((SHARED / "rings").glob("*.txt")), ids=lambda path: path.stem)
def test_the_steps_of_a_shared_ring_puzzle_end_in_its_solution(path: Any) -> None:
    puzzle = rings.parse(path.read_text(encoding="utf-8"))

    steps = steps_of("rings", puzzle)

    assert steps[-1].board == rings.solve(puzzle).solution


OLYMPIC = """\
numbers: 1 2 3 4 6
use: once
target: 11
ring red 100 100 100 =
ring green 215 200 100 =
ring black 330 100 100 =
ring yellow 445 200 100 =
ring blue 560 100 100 =
region red 80.6 86.1 9
region red+green 152.8 155.6 ?
region green 215 225 5
region green+black 277 155 ?
region black 330 80 ?
region black+yellow 383 155 ?
region yellow 445 225 7
region yellow+blue 507 155 ?
region blue 580 86 8
"""


def test_the_olympic_rings_need_no_guess_and_say_why() -> None:
    steps = steps_of("rings", rings.parse(OLYMPIC))

    assert [(step.kind, step.rule) for step in steps] == [("rule", "last blank")] * 5
    assert steps[0].why == "Ring red: 9 is there and 11 is wanted, so red+green is 2."


def test_a_guess_is_taken_back_with_all_that_came_of_it() -> None:
    puzzle = rings.parse(
        "numbers: 1 2 3 4\nuse: any\ntarget: own\nring a 0 0 9 5\nring b 0 0 9 5\nring c 0 0 9 4\n"
        "region a+b 0 0 ?\nregion a+c 0 0 ?\nregion b+c 0 0 ?\n"
    )

    steps = steps_of("rings", puzzle)

    undone = [step for step in steps if step.kind == "undo"]
    assert undone
    for step in undone:
        before = next(other for other in reversed(steps[: steps.index(step)]) if other.kind == "guess")
        assert not set(before.settled) & set(step.board)
    assert not rings.check(puzzle, steps[-1].board)


def test_a_wrong_mark_leaves_no_solution() -> None:
    puzzle = rings.parse(OLYMPIC)

    with pytest.raises(NoSolution, match="ring red adds up to 15"):
        list(work(RingReasoner(puzzle), {Region(("red", "green")): 6}))


# The work as such


def test_a_long_work_ends_with_the_solver_s_solution() -> None:
    puzzle = rings.parse(OLYMPIC)
    solution = rings.solve(puzzle).solution

    steps = steps_of("rings", puzzle, solution=solution, most=2)

    assert [step.kind for step in steps] == ["rule", "rule", "search"]
    assert steps[-1].board == solution


def test_what_rests_on_a_guess_is_forgotten_with_it() -> None:
    def step(kind: Any, depth: int, settled: Mapping[str, int]) -> Step[str]:
        return Step(kind, kind, kind, settled, "board", depth=depth)

    work_done = [
        step("rule", 0, {"a": 1}),
        step("guess", 1, {"b": 1}),
        step("rule", 1, {"c": 1}),
        step("undo", 0, {}),
        step("rule", 0, {"b": 2}),
    ]

    guessed = [moment.guessed for moment in moments("start", work_done)]

    assert guessed == [frozenset(), frozenset(), frozenset("b"), frozenset("bc"), frozenset(), frozenset()]
