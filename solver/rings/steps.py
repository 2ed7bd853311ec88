"""Ring puzzles step by step: the rules a player uses, the easiest first.

1. last blank       a ring with one blank left: the target says what it is
2. only number      all other numbers are used up, or stand in a ring of the blank
3. last place       the stock is as long as the blanks, and a number has one place left
4. sum              the numbers that some filling of the ring with the right sum contains
5. common target    the totals that every ring can reach, when they are equal but not told
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from solver.lattice import Region
from solver.rings.puzzle import Entries, Ring, Rings
from solver.steps import Contradiction, Finding

# With more fillings of a ring than this the numbers are not told apart by which of them differ.
MOST_SETS = 4000


@dataclass(frozen=True)
class Known:
    """What is known: entered numbers; the numbers that sums leave to blanks (all when a blank is missing);
    the totals that are possible where all rings have the same unknown one."""

    entered: Mapping[Region, int] = field(default_factory=dict)
    left: Mapping[Region, frozenset[int]] = field(default_factory=dict)
    totals: frozenset[int] | None = None


class RingReasoner:
    """The rules on one puzzle."""

    def __init__(self, puzzle: Rings) -> None:
        self.puzzle = puzzle
        self._stock = Counter(puzzle.numbers)
        self._exact = puzzle.use == "once" and len(puzzle.numbers) == len(puzzle.blanks)
        # A number that is listed once, or not to be repeated, differs from the others of its ring.
        self._differ = puzzle.use == "ring-distinct" or (
            puzzle.use == "once" and len(self._stock) == len(puzzle.numbers)
        )

    def start(self, placed: Entries | None) -> Known:
        puzzle = self.puzzle
        if puzzle.use == "once" and len(puzzle.numbers) < len(puzzle.blanks):
            raise Contradiction(f"{len(puzzle.blanks)} blanks, but only {len(puzzle.numbers)} numbers")
        if puzzle.use == "ring-distinct":
            for ring in puzzle.rings:
                given = [
                    puzzle.given[region] for region in puzzle.insides[ring.name] if region in puzzle.given
                ]
                if len(set(given)) < len(given):
                    raise Contradiction(f"ring {ring.name} has a number twice")
        return Known(dict(placed or {}))

    def known(self, board: Known) -> Entries:
        return board.entered

    def maybe(self, board: Known) -> Mapping[Region, frozenset[int]]:
        """The numbers that each blank can still have."""
        return {region: self._numbers(board, region) for region in self._blanks(board)}

    def branches(self, board: Known) -> Iterator[Sequence[Finding[Known]]]:
        """The numbers of a blank, those with the fewest first; the totals, where they are fewer."""
        blanks = self._blanks(board)
        numbers = {region: self._numbers(board, region) for region in blanks}
        blanks.sort(key=lambda region: (len(numbers[region]), -len(self.puzzle.covers[region])))
        totals = board.totals or frozenset()
        if blanks and 1 < len(totals) < len(numbers[blanks[0]]):
            yield [
                Finding(
                    "guess",
                    f"Suppose every ring adds up to {total}.",
                    replace(board, totals=frozenset((total,))),
                )
                for total in sorted(totals)
            ]
        for region in blanks:
            yield [
                self._enter(board, region, number, "guess", f"Suppose {_name(region)} is {number}.")
                for number in sorted(numbers[region])
            ]

    def deduce(self, board: Known) -> Finding[Known] | None:
        self._look_for_faults(board)
        for rule in (self._last_blank, self._only_number, self._last_place, self._common_target, self._sum):
            for finding in rule(board):
                return finding
        return None

    # The rules

    def _last_blank(self, board: Known) -> Iterator[Finding[Known]]:
        for ring in self.puzzle.rings:
            blanks, rest = self._open(board, ring)
            if rest is None or len(blanks) != 1:
                continue
            region, target = blanks[0], self._target(board, ring)
            if rest not in self._numbers(board, region):
                raise Contradiction(f"ring {ring.name} needs {rest} in {_name(region)}, which it cannot have")
            others = (target or 0) - rest
            why = f"Ring {ring.name}: {others} is there and {target} is wanted, so {_name(region)} is {rest}."
            yield self._enter(board, region, rest, "last blank", why, self.puzzle.insides[ring.name])

    def _only_number(self, board: Known) -> Iterator[Finding[Known]]:
        for region in self._blanks(board):
            numbers = self._numbers(board, region)
            if len(numbers) == 1:
                (number,) = numbers
                why = f"{_name(region)} can only be {number}: no other number is left for it."
                yield self._enter(board, region, number, "only number", why, (region,))

    def _last_place(self, board: Known) -> Iterator[Finding[Known]]:
        if not self._exact:
            return
        blanks = self._blanks(board)
        used = Counter(board.entered.values())
        places = {region: self._numbers(board, region) for region in blanks}
        for number, times in sorted(self._stock.items()):
            wanted = times - used[number]
            fitting = [region for region in blanks if number in places[region]]
            if len(fitting) < wanted:
                raise Contradiction(f"there is no place left for the {number}")
            if wanted and len(fitting) == wanted:
                region = fitting[0]
                why = f"Every number of the stock is needed, and {number} fits only into {_name(region)}."
                if wanted > 1:
                    why = f"{wanted} blanks are left for {wanted} times {number}; {_name(region)} is one of them."
                yield self._enter(board, region, number, "last place", why, tuple(blanks))

    def _sum(self, board: Known) -> Iterator[Finding[Known]]:
        """Rings with few blanks first: they are the easiest to see."""
        rings = sorted(self.puzzle.rings, key=lambda ring: len(self._open(board, ring)[0]))
        for ring in rings:
            blanks, rest = self._open(board, ring)
            if rest is None or not blanks:
                continue
            before = [self._numbers(board, region) for region in blanks]
            after = self._supported(before, frozenset((rest,)))
            if after is None:
                raise Contradiction(f"ring {ring.name} cannot get {rest} from its {len(blanks)} blanks")
            yield from self._narrowed(board, ring, blanks, before, after, f"{rest} from {len(blanks)} blanks")

    def _common_target(self, board: Known) -> Iterator[Finding[Known]]:
        shared = [ring for ring in self.puzzle.rings if ring.target == "=" and self.puzzle.target == "?"]
        if not shared or (board.totals is not None and len(board.totals) == 1):
            return
        totals = board.totals
        for ring in shared:
            reached = self._totals(board, ring)
            totals = reached if totals is None else totals & reached
            if not totals:
                raise Contradiction(f"ring {ring.name} cannot have the same total as the others")
        assert totals is not None
        if totals != board.totals:
            few = len(totals) <= 6
            words = f"the total is {_either(totals)}" if few else f"{len(totals)} totals are possible"
            focus = tuple(region for ring in shared for region in self.puzzle.insides[ring.name])
            why = f"All rings add up to the same, and what each can reach leaves: {words}."
            yield Finding(
                "common target", why, replace(board, totals=totals), {}, frozenset(self._blanks(board)), focus
            )
        for ring in shared:
            blanks = self._open(board, ring)[0]
            before = [self._numbers(board, region) for region in blanks]
            base = self._there(board, ring)
            after = self._supported(before, frozenset(total - base for total in totals))
            if after is None:
                raise Contradiction(f"ring {ring.name} reaches none of the totals {_either(totals)}")
            yield from self._narrowed(board, ring, blanks, before, after, "one of the totals")

    # What the rules are made of

    def _narrowed(
        self,
        board: Known,
        ring: Ring,
        blanks: Sequence[Region],
        before: Sequence[frozenset[int]],
        after: Sequence[frozenset[int]],
        what: str,
    ) -> Iterator[Finding[Known]]:
        """A finding that strikes out numbers, when there is something to strike; a blank with one left is settled."""
        changed = {
            region: now for region, was, now in zip(blanks, before, after, strict=True) if len(now) < len(was)
        }
        if not changed:
            return
        settled = {region: min(now) for region, now in changed.items() if len(now) == 1}
        told = settled or changed
        words = ", ".join(f"{_name(region)} {_can_be(changed[region])}" for region in list(told)[:3])
        why = f"Ring {ring.name} needs {what}, so {words}."
        left = {**board.left, **changed}
        # Settled one at a time, so that two blanks never take the same number at once.
        entered = dict(board.entered)
        done: dict[Region, int] = {}
        for region, number in settled.items():
            trial = Known(entered, left, board.totals)
            if number in self._numbers(trial, region):
                entered[region] = done[region] = number
        after_it = Known(entered, left, board.totals)
        yield Finding("sum", why, after_it, done, frozenset(changed), self.puzzle.insides[ring.name])

    def _supported(
        self, options: Sequence[frozenset[int]], rests: frozenset[int]
    ) -> list[frozenset[int]] | None:
        """The numbers of each blank that some filling with one of these sums contains; None without any.

        Fillings are looked at one by one while they are few; otherwise sums alone decide, and numbers that
        would have to differ may stay.
        """
        sets = self._fillings(options, rests) if self._differ else None
        if sets is not None:
            return [frozenset(column) for column in zip(*sets, strict=True)] if sets else None
        before = [frozenset((0,))]
        for numbers in options:
            before.append(frozenset(total + number for total in before[-1] for number in numbers))
        wanted = before[-1] & rests
        if not wanted:
            return None
        kept: list[frozenset[int]] = []
        for numbers, reached in zip(reversed(options), reversed(before[:-1]), strict=True):
            kept.append(frozenset(n for n in numbers if any(total - n in reached for total in wanted)))
            wanted = frozenset(total - n for total in wanted for n in kept[-1] if total - n in reached)
        return kept[::-1]

    def _fillings(
        self, options: Sequence[frozenset[int]], rests: frozenset[int]
    ) -> list[tuple[int, ...]] | None:
        """All choices of different numbers with one of these sums; None when they are too many."""
        least = [0] * (len(options) + 1)
        most = [0] * (len(options) + 1)
        for i in range(len(options) - 1, -1, -1):
            least[i] = least[i + 1] + min(options[i], default=0)
            most[i] = most[i + 1] + max(options[i], default=0)
        low, high = min(rests, default=0), max(rests, default=-1)
        found: list[tuple[int, ...]] = []
        looks = 0
        work: list[tuple[tuple[int, ...], int]] = [((), 0)]
        while work:
            chosen, total = work.pop()
            looks += 1
            if looks > MOST_SETS:
                return None
            if len(chosen) == len(options):
                if total in rests:
                    found.append(chosen)
                continue
            i = len(chosen)
            work += [
                ((*chosen, number), total + number)
                for number in options[i]
                if number not in chosen
                and low <= total + number + most[i + 1]
                and total + number + least[i + 1] <= high
            ]
        return found

    def _totals(self, board: Known, ring: Ring) -> frozenset[int]:
        """The sums that a ring can reach."""
        reached = frozenset((self._there(board, ring),))
        for region in self._open(board, ring)[0]:
            numbers = self._numbers(board, region)
            reached = frozenset(total + number for total in reached for number in numbers)
        return reached

    def _numbers(self, board: Known, region: Region) -> frozenset[int]:
        """What a blank can be: what sums have left to it, the stock has, and its rings do not hold."""
        puzzle = self.puzzle
        numbers = set(board.left.get(region, self._stock))
        if puzzle.use == "once":
            used = Counter(board.entered.values())
            numbers = {number for number in numbers if used[number] < self._stock[number]}
        if puzzle.use == "ring-distinct":
            for name in puzzle.covers[region]:
                for other in puzzle.insides[name]:
                    value = board.entered.get(other, puzzle.given.get(other))
                    if other != region and value is not None:
                        numbers.discard(value)
        return frozenset(numbers)

    def _blanks(self, board: Known) -> list[Region]:
        return [region for region in self.puzzle.blanks if region not in board.entered]

    def _there(self, board: Known, ring: Ring) -> int:
        """The sum of the numbers that a ring has."""
        values = {**self.puzzle.given, **board.entered}
        return sum(values.get(region, 0) for region in self.puzzle.insides[ring.name])

    def _target(self, board: Known, ring: Ring) -> int | None:
        target = self.puzzle.sum_of(ring)
        if target is None and ring.target == "=" and board.totals is not None and len(board.totals) == 1:
            (target,) = board.totals
        return target

    def _open(self, board: Known, ring: Ring) -> tuple[list[Region], int | None]:
        """The blanks of a ring, and what they must add up to; None when the target is not known."""
        values = {**self.puzzle.given, **board.entered}
        blanks = [region for region in self.puzzle.insides[ring.name] if region not in values]
        target = self._target(board, ring)
        return blanks, None if target is None else target - self._there(board, ring)

    def _enter(
        self, board: Known, region: Region, number: int, rule: str, why: str, focus: tuple[Region, ...] = ()
    ) -> Finding[Known]:
        after = replace(board, entered={**board.entered, region: number})
        return Finding(rule, why, after, {region: number}, frozenset((region,)), focus or (region,))

    def _look_for_faults(self, board: Known) -> None:
        puzzle = self.puzzle
        used = Counter(board.entered.values())
        for number, times in used.items():
            if puzzle.use == "once" and times > self._stock[number]:
                raise Contradiction(
                    f"{number} is used {times} times, the stock has it {self._stock[number]} times"
                )
        for region in self._blanks(board):
            if not self._numbers(board, region):
                raise Contradiction(f"no number is left for {_name(region)}")
        for ring in puzzle.rings:
            blanks, rest = self._open(board, ring)
            if rest is not None and (rest < 0 or (not blanks and rest)):
                raise Contradiction(f"ring {ring.name} adds up to {self._there(board, ring)}")
            if puzzle.use == "ring-distinct":
                values = {**puzzle.given, **board.entered}
                inside = [values[region] for region in puzzle.insides[ring.name] if region in values]
                if len(set(inside)) < len(inside):
                    raise Contradiction(f"ring {ring.name} has a number twice")


def _name(region: Region) -> str:
    """A region in a sentence.

    >>> _name(Region(("red",))), _name(Region(("red", "green")))
    ('red alone', 'red+green')
    """
    return f"{region} alone" if len(region.rings) == 1 else str(region)


def _can_be(numbers: frozenset[int]) -> str:
    if len(numbers) == 1:
        return f"is {min(numbers)}"
    return f"can only be {_either(numbers)}" if len(numbers) <= 5 else f"has {len(numbers)} numbers left"


def _either(numbers: frozenset[int]) -> str:
    """Numbers in a sentence.

    >>> _either(frozenset((3, 1, 2)))
    '1, 2 or 3'
    """
    words = [str(number) for number in sorted(numbers)]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
