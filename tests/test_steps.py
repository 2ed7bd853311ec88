"""The steps of solving: true one by one, and together they lead to the solver's solution."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, islice, product
from pathlib import Path
from typing import Any

import pytest

from bot.games import GAMES
from bot.show.scene import moments
from solver import algemy, bridges, nonogram, rings, thaumcraft
from solver.algemy.steps import SourceReasoner
from solver.answer import Answer, Limits
from solver.bridges.steps import BridgeReasoner
from solver.errors import NoSolution, SearchLimit
from solver.lattice import Region, Square
from solver.nonogram.steps import LineReasoner, Place
from solver.nonogram.ways import shares
from solver.rings.steps import RingReasoner
from solver.steps import Thought, work
from solver.thaumcraft import aspects_of, linked_to
from solver.thaumcraft.steps import ChainReasoner
from tests.olympic import OLYMPIC
from tests.seldom import few
from tests.shared_data import SHARED, needs_shared


def steps_of(game: str, puzzle: Any, **options: Any) -> list[Thought[Any]]:
    """The work on a puzzle from its empty board."""
    guide = GAMES[game].guide
    assert guide is not None
    return list(work(guide.reasoner(puzzle, Answer(options.get("solution", {}))), **options))


def certain(steps: Iterable[Thought[Any]]) -> Iterable[Thought[Any]]:
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


# Nonograms


def nonogram_of(picture: Sequence[str]) -> nonogram.Nonogram:
    """The puzzle of a picture of `#` and `.`."""
    lines = [list(picture), ["".join(column) for column in zip(*picture, strict=True)]]
    clues = [tuple(tuple(map(len, re.findall("#+", line))) for line in side) for side in lines]
    return nonogram.Nonogram(*clues)


def every_picture(puzzle: nonogram.Nonogram) -> list[nonogram.Picture]:
    """All solutions, by trying everything against the rules."""
    cells = [Square(row, col) for row in range(puzzle.height) for col in range(puzzle.width)]
    found = []
    for number in range(1 << len(cells)):
        filled = frozenset(cell for bit, cell in enumerate(cells) if number >> bit & 1)
        picture = nonogram.Picture(filled, frozenset(cells) - filled)
        if not nonogram.check(puzzle, picture):
            found.append(picture)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_every_nonogram_rule_is_true_in_all_solutions(seed: int) -> None:
    rng = random.Random(seed)
    height, width = rng.choice(((3, 3), (2, 5), (3, 4)))
    puzzle = nonogram_of(["".join(rng.choice("##.") for _ in range(width)) for _ in range(height)])
    pictures = every_picture(puzzle)

    steps = steps_of("nonogram", puzzle)

    for step in certain(steps):
        for picture in pictures:
            assert {cell for cell, sign in step.settled.items() if sign == "#"} <= picture.filled, step
            assert {cell for cell, sign in step.settled.items() if sign == "."} <= picture.blank, step
    assert steps[-1].board in pictures


@pytest.mark.parametrize(
    ("clue", "known", "rule", "why"),
    [
        ((7,), "..........", "overlap", "Row 1 (7): wherever it starts, the 7 covers columns 4 to 7."),
        ((), "....", "empty line", "Row 1 (0) has no runs, so all of it is blank."),
        ((2, 1), "....", "exact fit", "Row 1 (2 1): the runs with a blank between them fill the line exactly."),
        ((1,), ".#..", "complete", "Row 1 (1) has all its filled cells, so the rest is blank."),
        ((3,), "#.....", "every way", "Row 1 (3): the only way to lay its runs on what is known leaves columns 4-6 "
         "blank and fills columns 2-3."),
    ],
)  # fmt: skip
def test_a_line_is_explained_by_the_easiest_rule(
    clue: tuple[int, ...], known: str, rule: str, why: str
) -> None:
    reasoner = LineReasoner(nonogram.Nonogram((clue,), ((1,),) * len(known)))
    filled = frozenset(Square(0, col) for col, sign in enumerate(known) if sign == "#")

    move = reasoner.look_at(reasoner.start(nonogram.Picture(filled)), Place(0, 0))

    assert move is not None
    assert (move.rule, move.why) == (rule, why)


@pytest.mark.parametrize("seed", range(30))
def test_the_fog_counts_every_way_to_lay_the_runs(seed: int) -> None:
    rng = random.Random(seed)
    length, kinds = rng.randint(1, 9), rng.choice((2, 3))
    runs = tuple((rng.randrange(1, kinds), rng.randint(1, 3)) for _ in range(rng.randint(0, 3)))
    masks = tuple(rng.getrandbits(length) | rng.getrandbits(length) for _ in range(kinds))
    lines = [
        line
        for line in product(range(kinds), repeat=length)
        if all(masks[ink] >> cell & 1 for cell, ink in enumerate(line))
        and tuple((ink, len(list(cells))) for ink, cells in groupby(line) if ink) == runs
    ]

    ways, counts = shares(runs, length, masks)

    assert ways == len(lines)
    assert counts == tuple(
        tuple(sum(line[cell] == ink for line in lines) for cell in range(length)) for ink in range(kinds)
    )


SMALL_NONOGRAMS = sorted((SHARED / "nonograms" / "extra").glob("*.non")) + sorted(
    (SHARED / "nonograms" / "colour").glob("*.xml")
)


@needs_shared
@pytest.mark.parametrize("path", few(SMALL_NONOGRAMS, 4), ids=lambda path: path.stem)
def test_the_steps_of_a_shared_nonogram_end_in_its_solution(path: Path) -> None:
    puzzle = nonogram.parse_file(path.read_text(encoding="utf-8"))[0]
    answer = nonogram.solve(puzzle, Limits(unique=True))

    steps = steps_of("nonogram", puzzle, solution=answer.solution, most=2000)

    assert not nonogram.check(puzzle, steps[-1].board)
    if answer.unique:
        assert steps[-1].board == answer.solution
        for step in certain(steps):
            assert step.board.filled <= answer.solution.filled, step
            assert step.board.blank <= answer.solution.blank, step


# Bridges


def random_bridges(rng: random.Random) -> bridges.Bridges | None:
    """A board of up to seven islands whose clues fit some bridges; None when no island has any."""
    size, most, loops = 5, rng.choice((1, 2, 2, 3)), rng.random() < 0.7
    cells = rng.sample([Square(row, col) for row in range(size) for col in range(size)], rng.randint(3, 7))
    board = bridges.Bridges(tuple(bridges.Island(at, 1) for at in cells), size, size, most, loops)
    clues = dict.fromkeys(cells, 0)
    taken: set[Square] = set()
    for span in rng.sample(board.spans, len(board.spans)):
        if not taken & set(bridges.between(span)):
            count = rng.choice((0, 1, 1, most))
            taken |= set(bridges.between(span)) if count else set()
            for end in span:
                clues[end] += count
    islands = tuple(bridges.Island(at, clue) for at, clue in clues.items() if clue)
    return bridges.Bridges(islands, size, size, most, loops) if islands else None


def every_joining(puzzle: bridges.Bridges) -> list[dict[bridges.Span, int]]:
    """All solutions, by trying everything against the rules."""
    counts = product(range(puzzle.max_bridges + 1), repeat=len(puzzle.spans))
    joinings = ({span: n for span, n in zip(puzzle.spans, chosen, strict=True) if n} for chosen in counts)
    return [joins for joins in joinings if not bridges.check(puzzle, joins)]


@pytest.mark.parametrize("seed", range(80))
def test_every_bridges_rule_is_true_in_all_solutions(seed: int) -> None:
    puzzle = random_bridges(random.Random(seed))
    if puzzle is None or len(puzzle.spans) > 8:
        return
    solutions = every_joining(puzzle)

    if not solutions:
        with pytest.raises(NoSolution):
            steps_of("bridges", puzzle)
        return
    steps = steps_of("bridges", puzzle)

    for step in certain(steps):
        for solution in solutions:
            assert all(solution.get(span, 0) >= count for span, count in step.settled.items()), step
            assert all(low <= solution.get(span, 0) <= high for span, (low, high) in step.maybe.items()), step
    assert steps[-1].board in solutions


@needs_shared
@pytest.mark.parametrize(
    "path", sorted((SHARED / "bridges" / "sgt").glob("*.txt")), ids=lambda path: path.stem
)
def test_the_steps_of_shared_bridges_end_in_their_solution(path: Path) -> None:
    for puzzle in bridges.parse_file(path.read_text(encoding="utf-8"))[:5]:
        answer = bridges.solve(puzzle, Limits(unique=True))

        steps = steps_of("bridges", puzzle, solution=answer.solution, most=2000)

        assert not bridges.check(puzzle, steps[-1].board)
        if answer.unique:
            assert steps[-1].board == answer.solution


@pytest.mark.parametrize(
    ("game_id", "rule", "why"),
    [
        ("3x1:1a1", "one way left", "The 1 at row 1, column 1 has one way left: one bridge to the 1 at row 1, column 3."),
        ("3x3:4a3c3a4", "all ways full", "The 4 at row 1, column 1 needs 4 bridges, and there is room for no more."),
        ("3x3:3a3c3a3", "at least", "The 3 at row 1, column 1 needs 3 bridges; without one way the others take 2 at most, "
         "so at least one bridge goes to each of the 3 at row 1, column 3 and the 3 at row 3, column 1."),
    ],
)  # fmt: skip
def test_an_island_is_explained_by_the_easiest_rule(game_id: str, rule: str, why: str) -> None:
    reasoner = BridgeReasoner(bridges.parse(game_id))

    move = reasoner.deduce(reasoner.start(None))

    assert move is not None
    assert (move.rule, move.why) == (rule, why)


# Algemy


def random_algemy(rng: random.Random) -> algemy.Algemy:
    """A board of up to seven cells, with crystals of the colours that some sources give them."""
    shape, lengths = rng.choice(
        (("square", (3, 3)), ("square", (4, 4)), ("hex", (2, 3, 2)), ("hex", (2, 3, 2)))
    )
    rows = tuple("".join(rng.choice("---RYBOGVW") for _ in range(length)) for length in lengths)
    return algemy.Algemy(shape, rows, rng.choice(("RYB", "ROYGBV")))


def every_lighting(puzzle: algemy.Algemy) -> list[dict[Any, str]]:
    """All solutions, by trying everything against the rules."""
    empty = [cell for cell in puzzle.cells if cell not in puzzle.crystals]
    choices = product("." + puzzle.palette, repeat=len(empty))
    lightings = ({cell: c for cell, c in zip(empty, chosen, strict=True) if c != "."} for chosen in choices)
    return [lighting for lighting in lightings if not algemy.check(puzzle, lighting)]


@pytest.mark.parametrize("seed", range(120))
def test_every_algemy_rule_is_true_in_all_solutions(seed: int) -> None:
    puzzle = random_algemy(random.Random(seed))
    if sum(row.count("-") for row in puzzle.rows) > (5 if puzzle.palette == "ROYGBV" else 6):
        return
    solutions = every_lighting(puzzle)
    reasoner = SourceReasoner(puzzle, puzzle.palette)

    if not solutions:
        with pytest.raises(NoSolution):
            list(work(reasoner))
        return
    steps = list(work(reasoner))

    for step in certain(steps):
        fitting = [
            solution
            for solution in solutions
            if all(solution.get(cell) == colour for cell, colour in step.board.items())
            and all(
                cell in step.board or colour in step.maybe.get(cell, "") for cell, colour in solution.items()
            )
        ]
        if step.rule == "as good":
            # From here on the rules keep one solution, not all of them.
            solutions = fitting
        assert fitting and fitting == solutions, step
    assert not steps or not algemy.check(puzzle, steps[-1].board)


@needs_shared
@pytest.mark.parametrize(
    "path", sorted((SHARED / "algemy" / "boards").glob("unique*.txt")), ids=lambda path: path.stem
)
def test_the_steps_of_a_shared_algemy_board_end_in_its_solution(path: Path) -> None:
    for puzzle in algemy.parse_file(path.read_text(encoding="utf-8")):
        solution = algemy.solve(puzzle).solution

        steps = steps_of("algemy", puzzle, solution=solution)

        assert steps[-1].board == solution


# Thaumcraft


def test_a_chain_begins_with_a_proved_bound_and_goes_on_link_by_link() -> None:
    note = thaumcraft.parse('{"cells": [[0,0],[1,0],[2,0]], "given": {"0,0": "aer", "2,0": "ignis"}}')

    steps = list(work(ChainReasoner(note, thaumcraft.solve(note))))

    assert [step.why for step in steps] == [
        "Whatever is placed, linking all 2 givens costs at least 2.",
        "lux at column 2, cell 1: it is made of aer and ignis, so it links to the aer at column 1, cell 1; the whole"
        " chain costs 2, proved cheapest.",
    ]


@needs_shared
def test_the_steps_of_shared_notes_are_links_of_the_answer() -> None:
    text = (SHARED / "thaumcraft" / "boards" / "small.jsonl").read_text(encoding="utf-8")
    for note in thaumcraft.parse_file(text)[:40]:
        answer = thaumcraft.solve(note)

        steps = list(work(ChainReasoner(note, answer)))

        bounds = [int(step.why.split()[-1].rstrip(".")) for step in steps if step.rule == "lower bound"]
        assert all(bound <= (answer.cost or 0) for bound in bounds)
        for step in steps:
            assert set(step.settled) <= linked_to(note, step.board, min(note.given), aspects_of(note))
        assert steps[-1].board == answer.solution


# The work as such


def test_a_long_work_ends_with_the_solver_s_solution() -> None:
    puzzle = rings.parse(OLYMPIC)
    solution = rings.solve(puzzle).solution

    steps = steps_of("rings", puzzle, solution=solution, most=2)

    assert [step.kind for step in steps] == ["rule", "rule", "search"]
    assert steps[-1].board == solution


def test_what_rests_on_a_guess_is_forgotten_with_it() -> None:
    def step(kind: Any, depth: int, settled: Mapping[str, int]) -> Thought[str]:
        return Thought(kind, kind, kind, settled, "board", depth=depth)

    work_done = [
        step("rule", 0, {"a": 1}),
        step("guess", 1, {"b": 1}),
        step("rule", 1, {"c": 1}),
        step("undo", 0, {}),
        step("rule", 0, {"b": 2}),
    ]

    guessed = [moment.guessed for moment in moments("start", work_done)]

    assert guessed == [frozenset(), frozenset(), frozenset("b"), frozenset("bc"), frozenset(), frozenset()]


# Every shared board


def shared_boards() -> Iterator[tuple[str, Path]]:
    """(game, file) of everything that the shared material has as text."""
    for game, pattern in (
        ("rings", "rings/*.txt"),
        ("nonogram", "nonograms/*/*.non"),
        ("nonogram", "nonograms/*/*.xml"),
        ("nonogram", "nonograms/sgt/*.txt"),
        ("bridges", "bridges/sgt/*.txt"),
        ("bridges", "bridges/coelho/*.has"),
        ("algemy", "algemy/boards/*.txt"),
        ("thaumcraft", "thaumcraft/boards/*.jsonl"),
    ):
        for path in sorted(SHARED.glob(pattern)):
            yield game, path


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize(
    ("name", "path"), list(shared_boards()), ids=lambda value: getattr(value, "stem", value)
)
def test_on_every_shared_board_the_steps_without_a_guess_lead_to_the_solution(name: str, path: Path) -> None:
    game = GAMES[name]
    for puzzle in game.parse_file(path.read_text(encoding="utf-8"))[:40]:
        try:
            answer = game.solve(puzzle, Limits(5.0, unique=True))
        except (NoSolution, SearchLimit):
            continue
        guide = game.guide
        assert guide is not None
        steps: list[Thought[Any]] = []
        for step in islice(work(guide.reasoner(puzzle, answer)), 400):
            if step.kind != "rule":
                break
            steps.append(step)
        else:
            if steps and len(steps) < 400:
                assert list(game.check(puzzle, steps[-1].board)) == [], path
        if answer.unique:
            right = game.entries(answer.solution)
            for step in steps:
                assert not any(guide.wrong(value, right.get(cell)) for cell, value in step.settled.items()), (
                    step
                )
