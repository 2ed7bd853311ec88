"""Ring puzzles: rules, search, exact counts."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter

import pytest

from solver import rings
from solver.answer import Limits
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.lattice import Region
from solver.rings import Place, Ring, Rings
from solver.rings.combinations import by_table, values_of
from solver.rings.sums import FAILED, Sums
from tests.olympic import OLYMPIC, OLYMPIC_ANSWER
from tests.shared_data import SHARED, needs_shared


def figure(covers: str, **rules: object) -> Rings:
    """A puzzle of blanks: `"a ab b"` has two rings that overlap."""
    names = sorted({name for word in covers.split() for name in word})
    targets = rules.pop("targets", {})
    return Rings(
        rings=tuple(Ring(name, targets.get(name, "=")) for name in names),
        places=tuple(Place(Region(tuple(word))) for word in covers.split()),
        **rules,
    )


def sujiko(totals: tuple[int, ...]) -> Rings:
    """Nine cells, four overlapping squares of four: a b over c d, by rows."""
    return figure(
        "a ab b ac abcd bd c cd d",
        numbers=tuple(range(1, 10)),
        use="once",
        target="own",
        targets=dict(zip("abcd", totals, strict=True)),
    )


def brute_force(puzzle: Rings) -> int:
    """Every filling, tried one by one by the rules alone."""
    if puzzle.use == "once":
        fillings = set(itertools.permutations(puzzle.numbers, len(puzzle.blanks)))
    else:
        fillings = set(itertools.product(set(puzzle.numbers), repeat=len(puzzle.blanks)))
    return sum(not rings.check(puzzle, dict(zip(puzzle.blanks, f, strict=True))) for f in fillings)


def test_the_olympic_rings_need_no_guess() -> None:
    puzzle = rings.parse(OLYMPIC)
    search = rings.Search(puzzle)

    (solution,) = search.solutions()

    assert rings.solution_json(puzzle, solution) == OLYMPIC_ANSWER
    assert search.guesses == 0
    assert rings.check(puzzle, solution) == []


def test_what_rings_without_a_common_blank_leave_over_adds_up_to_the_rest_of_the_stock() -> None:
    targets = {"a": 11, "b": 13, "c": 16}
    puzzle = figure("a b c ab bc ac abc", numbers=tuple(range(1, 8)), target="own", targets=targets)
    search = rings.Search(puzzle)

    (solution,) = search.solutions()

    assert rings.check(puzzle, solution) == []
    assert search.guesses == 0


@pytest.mark.parametrize(("pruning", "calls"), [(True, 16), (False, 113)])
def test_the_original_order_takes_exactly_as_many_calls_as_the_original_program(
    pruning: bool, calls: int
) -> None:
    puzzle = rings.parse(OLYMPIC)

    found = rings.solve_in_order(puzzle, pruning=pruning)

    assert rings.solution_json(puzzle, found.solution) == OLYMPIC_ANSWER
    assert found.calls == calls


def test_three_overlapping_rings_have_the_known_numbers_of_fillings() -> None:
    known = {13: 6, 14: 18, 15: 12, 16: 36, 17: 12, 18: 18, 19: 6}
    overlaps = "a b c ab bc ac abc"
    stock = tuple(range(1, 8))

    counts = {
        total: rings.count(figure(overlaps, numbers=stock, use="once", target=total))
        for total in range(1, 29)
    }

    assert {total: n for total, n in counts.items() if n} == known
    assert rings.count(figure(overlaps, numbers=stock, use="once", target="?")) == sum(known.values())


def test_the_chain_of_five_with_nine_numbers_has_the_known_numbers_of_fillings() -> None:
    puzzle = figure("a ab b bc c cd d de e", numbers=tuple(range(1, 10)), use="once", target="?")

    totals = Counter(
        sum(solution[region] for region in puzzle.insides["a"])
        for solution in rings.Search(puzzle).solutions()
    )

    assert totals == {11: 2, 13: 4, 14: 2}


def test_clue_free_sujiko_has_the_known_numbers_of_fillings() -> None:
    fillings: Counter[tuple[int, ...]] = Counter()
    for a, b, c, d, e, f, g, h, i in itertools.permutations(range(1, 10)):
        fillings[(a + b + d + e, b + c + e + f, d + e + g + h, e + f + h + i)] += 1
    turns = [(0, 1, 2, 3), (1, 3, 0, 2), (3, 2, 1, 0), (2, 0, 3, 1)]
    turns += [(1, 0, 3, 2), (2, 3, 0, 1), (0, 2, 1, 3), (3, 1, 2, 0)]
    shapes = {min(tuple(totals[i] for i in turn) for turn in turns) for totals in fillings}
    sample = random.Random(5).sample(sorted(shapes), 60)

    assert len(shapes) == 8607
    assert sum(fillings[shape] == 1 for shape in shapes) == 1035
    assert max(fillings.values()) == 64
    assert {shape: rings.count(sujiko(shape)) for shape in sample} == {
        shape: fillings[shape] for shape in sample
    }


@pytest.mark.parametrize("seed", range(30))
def test_a_table_keeps_just_the_numbers_that_some_choice_has(seed: int) -> None:
    rng = random.Random(seed)
    values = tuple(sorted(rng.sample(range(30), rng.randint(1, 10))))
    size, total = rng.randint(1, 5), rng.randint(0, 60)
    choices = [c for c in itertools.combinations(values, size) if sum(c) == total]

    table = by_table(values, size, total)

    assert values_of(table) == tuple(sorted({value for choice in choices for value in choice}))


@pytest.mark.parametrize("use", ["any", "ring-distinct"])
@pytest.mark.parametrize("seed", range(30))
def test_three_blanks_of_a_ring_keep_just_what_some_filling_has(seed: int, use: str) -> None:
    rng = random.Random(f"three {seed}")
    stock = tuple(sorted(rng.sample(range(15), 9)))
    total = rng.randint(0, 30)
    targets = {"a": total, "b": "?", "c": "?"}
    sums = Sums(figure("a ab ac", numbers=stock, use=use, target="own", targets=targets))
    start = sums.start()
    assert start is not None
    domains = [sum(1 << value for value in rng.sample(stock, rng.randint(2, 9))) for _ in range(3)]
    fillings = [
        filling
        for filling in itertools.product(*map(values_of, domains))
        if sum(filling) == total and (use == "any" or len(set(filling)) == 3)
    ]

    failed = sums.propagate(domains, start[1], [], [0]) == FAILED

    assert failed == (not fillings)
    if fillings:
        assert domains == [sum(1 << value for value in set(column)) for column in zip(*fillings, strict=True)]


@pytest.mark.parametrize("seed", range(40))
def test_counts_agree_with_brute_force_on_small_random_figures(seed: int) -> None:
    rng = random.Random(seed)
    subsets = [word for n in (1, 2, 3) for word in map("".join, itertools.combinations("abc", n))]
    words = sorted({*"abc", *rng.sample(subsets, 3)})
    use = rng.choice(["once", "any", "ring-distinct"])
    numbers = tuple(rng.randint(0, 6) for _ in range(6 if use == "once" else 4))
    places = tuple(
        Place(Region(tuple(word)), rng.choice(numbers) if rng.random() < 0.2 else None) for word in words
    )
    rings_of_it = tuple(Ring(name, rng.choice(["=", "?", rng.randint(4, 12)])) for name in "abc")
    puzzle = Rings(rings_of_it, places, numbers, use, rng.choice([7, "?"]))

    assert rings.count(puzzle) == brute_force(puzzle)


def test_solve_says_whether_the_solution_is_the_only_one() -> None:
    olympic = rings.solve(rings.parse(OLYMPIC), Limits(unique=True))
    puzzle = figure("a ab b", numbers=(1, 2, 3), use="any", target="?")
    overlaps = rings.solve(puzzle, Limits(unique=True))

    assert (olympic.unique, olympic.second) == (True, None)
    assert overlaps.unique is False
    assert overlaps.second is not None and overlaps.second != overlaps.solution


def test_an_impossible_puzzle_is_refused() -> None:
    with pytest.raises(NoSolution, match="5 blanks"):
        rings.solve(rings.parse(OLYMPIC.replace("target: 11", "target: 12")))


def test_too_few_numbers_for_the_blanks_is_no_solution() -> None:
    with pytest.raises(NoSolution):
        rings.solve(figure("a ab b", numbers=(1, 2), use="once", target=3))


def test_no_time_means_no_claim() -> None:
    puzzle = figure("a b c ab bc ac abc", numbers=tuple(range(1, 8)), use="once", target="?")

    with pytest.raises(SearchLimit):
        rings.solve(puzzle, Limits(seconds=0))
    with pytest.raises(SearchLimit):
        rings.count(puzzle, limits=Limits(seconds=0))


def test_check_names_every_broken_rule() -> None:
    puzzle = rings.parse(OLYMPIC)
    entries = {"red+green": 3, "green+black": 4, "black": 4, "yellow+blue": 5}

    broken = rings.check(puzzle, {Region(tuple(name.split("+"))): n for name, n in entries.items()})

    assert broken == [
        "region black+yellow is empty",
        "region yellow+blue has 5, which is not in the stock",
        "4 is used 2 times, the stock has it 1 times",
        "ring red adds up to 12, not 11",
        "ring green adds up to 12, not 11",
        "ring blue adds up to 13, not 11",
    ]


def test_rings_with_an_unknown_common_target_must_be_equal() -> None:
    puzzle = figure("a ab b", numbers=(1, 2, 3), use="any", target="?")
    a, ab, b = puzzle.blanks

    assert rings.check(puzzle, {a: 1, ab: 3, b: 1}) == []
    assert rings.check(puzzle, {a: 1, ab: 3, b: 2}) == [
        "the rings must have equal sums, but they add up to a 4, b 5"
    ]


def test_a_number_stands_once_in_a_distinct_ring_and_givens_count() -> None:
    places = (Place(Region(("a",)), 2), Place(Region(("a", "b"))), Place(Region(("b",))))
    puzzle = Rings((Ring("a", 4), Ring("b", 3)), places, (1, 2), "ring-distinct")

    assert rings.check(puzzle, {Region(("a", "b")): 2, Region(("b",)): 1}) == ["2 stands twice in ring a"]
    with pytest.raises(NoSolution):
        rings.solve(puzzle)


def test_a_ring_without_a_region_is_no_puzzle() -> None:
    with pytest.raises(InvalidPuzzle, match="ring b has no region"):
        Rings((Ring("a", 1), Ring("b", 1)), (Place(Region(("a",))),), (1,))


@needs_shared
@pytest.mark.parametrize(
    "name", sorted(path.name for path in (SHARED / "rings").glob("*.txt")) or ["missing"]
)
def test_a_shared_puzzle_has_its_stored_answer_and_no_other(name: str) -> None:
    text = (SHARED / "rings" / name).read_text()
    stored = [int(word) for word in re.findall(r"# answer: (.*)", text)[0].split()]
    puzzle = rings.parse(text)
    expected = {p.region: n for p, n in zip(puzzle.places, stored, strict=True) if p.value is None}

    # The most that one of them takes is 19.
    answer = rings.solve(puzzle, Limits(unique=True, choices=60))

    assert answer.solution == expected
    assert answer.unique is True
