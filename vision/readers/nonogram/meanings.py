"""What the looks of a nonogram's cells mean: filled, marked empty, or nothing.

That is not known beforehand (dark on light, light on dark, navy and yellow): it is concluded from the contrast, from
the crosses, and from the solutions of the puzzle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Literal, get_args

from solver.lattice import Square
from solver.nonogram import Nonogram, Picture, check
from vision.colour import apart
from vision.measures.looks import FEW, MARK_LEVELS, SAME_LOOK, Sample, SharedLook

Meaning = Literal["filled", "blank", "free"]
# What a cell may be, the likeliest first.
Possible = tuple[Meaning, ...]
MEANINGS: tuple[Meaning, ...] = get_args(Meaning)

# A player enters this share of the cells wrongly.
WRONGLY_ENTERED = 0.02
# One player in so many only guesses, or tries the program out: what he entered tells no more than cells left alone.
GUESSING = 0.02
# Who tries a program out enters few cells: of every share of them (as a logarithm) the chance is so much less.
TRIED_OUT = 8.0
# So many looks are decided together.
MOST_TOGETHER = 5
# Where another meaning is less than this (as a logarithm) less likely, a look is in doubt.
LEAST_MARGIN, HARMLESS_MARGIN = 3.0, 4.5
# Filled cells differ this much (levels of brightness) from the free ones.
FILLED_CONTRAST = 60.0
# A cross differs so many levels from its cell: lines of patterns that cross differ by 30, crosses of programs by 130 and more.
CLEAR_CROSS = 64.0
# What blue, green and red are of brightness (ITU-R BT.601).
BRIGHTNESS = (0.114, 0.587, 0.299)
# A colour that differs so much from the ground is no shade of it.
STRONG_COLOUR = 100.0
# What sgt-pattern paints cells with unless its colours are changed.
COLLECTION_GREYS: Mapping[Meaning, float] = {"filled": 0.0, "free": 128.0, "blank": 255.0}
# How bright it draws its lines, and what may happen to all of these on a screen.
COLLECTION_LINES = 76.0
LIKELY_GAMMA = (0.5, 2.0)
# Of cells that are filled, or red ones beside them, hardly anybody enters so large a share wrongly.
MISTAKEN = 0.25
# A sign on a cell that is filled or left alone is so unlikely (as a logarithm), and a cross even more.
SAYS_SOMETHING, CROSSED_OUT = 6.0, 10.0
# So unlikely are cells painted empty where none is filled, and things that lie on cells which are left alone.
NOTHING_FILLED, LIES = 4.0, 3.0
# A look is crossed out where so large a share of its cells is beside it with a mark.
CROSSED = 0.25
# Where so many times as many cells hold dirt as have a mark, that may be dirt too.
DIRTY = 4


@dataclass(frozen=True)
class Witness:
    """What the solution tells of the cells: those that are filled, and blank, whatever solution is meant."""

    puzzle: Nonogram
    filled: frozenset[Square] = frozenset()
    blank: frozenset[Square] = frozenset()


def meanings(
    found: Sequence[SharedLook],
    witness: Witness,
    *,
    lines: float | None,
    known: Sequence[tuple[Meaning, Sample]] = (),
) -> list[Possible]:
    """What every look may mean, the likeliest first; just one meaning where there is no doubt.

    lines: how bright the lines between the cells are in the collection's own window; None in any other program.
    known: how the states look in this program, when that has been learned; one may have several looks.
    """
    clear = [look for look in found if not look.odd]
    concluded: list[Possible] = []
    samples = [by_samples(look, known) for look in clear]
    for look, learned, meant in zip(clear, samples, _concluded(clear, witness, lines), strict=True):
        # Of its own accord a program that has been learned marks cells that no solution fills, in a colour of its own.
        own = bool(known) and look.marked and witness.blank.issuperset(look.cells)
        concluded.append((learned,) if learned else ("blank",) if own else meant)
    plain = [
        look for look, meant in zip(clear, concluded, strict=True) if not look.marked and meant == ("filled",)
    ]
    if sum(len(look.cells) for look in plain) >= FEW:
        # Where filled cells are full of a colour, a cross on another one is none, whatever the solution has there.
        concluded = [
            ("blank",)
            if meant == ("filled",)
            and look.crossed
            and all(look.away(one) > FILLED_CONTRAST for one in plain)
            else meant
            for look, meant in zip(clear, concluded, strict=True)
        ]
    dirt = sum(len(look.cells) for look in found if look.odd)
    if not known and dirt >= DIRTY * sum(len(look.cells) for look in clear if look.marked):
        concluded = [
            ("blank", "free") if look.marked and meant == ("blank",) else meant
            for look, meant in zip(clear, concluded, strict=True)
        ]
    # What is drawn on a filled cell is dirt; elsewhere it may be a mark. Where all clean ones have another look by now, as
    # under a veil, letters over the board may have the look that was learned.
    stands = "filled" in samples or ("filled",) not in concluded
    return concluded + [
        ("filled",)
        if stands and by_samples(look, known) == "filled"
        else _beneath_dirt(look, clear, concluded)
        for look in found
        if look.odd
    ]


def _beneath_dirt(look: SharedLook, clear: Sequence[SharedLook], meant: Sequence[Possible]) -> Possible:
    """What cells may mean that hold something drawn which is no cross."""
    same = [(other, one) for other, one in zip(clear, meant, strict=True) if other.away(look) < SAME_LOOK]
    # A cross in the colour of filled cells may have the pointer on it.
    if any(one == ("filled",) and other.within >= look.within for other, one in same):
        return ("filled",)
    sure = same and all("filled" not in one for _, one in same)
    return ("blank", "free") if sure else ("blank", "free", "filled")


def by_samples(look: SharedLook, known: Sequence[tuple[Meaning, Sample]]) -> Meaning | None:
    """What a look that has been learned means; None for another one (highlights, the mouse pointer).

    What is drawn in a filled cell is its relief, or dirt.
    """
    away = [
        (apart(one.colour, look.colour), meaning)
        for meaning, one in (*known, *crosses(look, known))
        if one.marked == look.marked or meaning == "filled"
    ]
    nearest, meaning = min(away, default=(SAME_LOOK, None))
    return meaning if nearest < SAME_LOOK else None


def crosses(look: SharedLook, known: Sequence[tuple[Meaning, Sample]]) -> list[tuple[Meaning, Sample]]:
    """How clear crosses as in this look are on every ground that cells left alone have, where those that were learned leave
    theirs as it was; none where it has no such crosses: lines of a ground's pattern may cross as well."""
    if not look.crossed or look.leaves < CLEAR_CROSS:
        return []
    free = [one for meaning, one in known if meaning == "free" and not one.marked]
    marks = [one for meaning, one in known if meaning == "blank" and one.marked]
    leaves = any(apart(mark.colour, one.colour) < SAME_LOOK for mark in marks for one in free)
    return [("blank", replace(one, marked=True)) for one in free] if leaves else []


def _concluded(found: Sequence[SharedLook], witness: Witness, lines: float | None) -> Sequence[Possible]:
    # The collection draws no crosses: where several cells have one, its greys mean nothing.
    if sum(len(look.cells) for look in found if look.marked) >= 2:
        lines = None
    if lines is not None and (greys := _by_collection(found, lines)) is not None:
        return greys
    if witness.filled or witness.blank:
        return _by_witness(found, witness, sgt=lines is not None)
    return _by_contrast(found, witness.puzzle)


def by_grey(look: SharedLook, lines: float) -> Meaning | None:
    """Which of the collection's three greys a look has; None for another colour."""
    # The gamma that makes the collection's lines so bright.
    gamma = math.log(max(lines, 1.0) / 255) / math.log(COLLECTION_LINES / 255)
    if not LIKELY_GAMMA[0] <= gamma <= LIKELY_GAMMA[1]:
        return None
    for meaning, grey in COLLECTION_GREYS.items():
        if max(abs(value - 255 * (grey / 255) ** gamma) for value in look.colour) < SAME_LOOK / 2:
            return meaning
    return None


def _by_collection(found: Sequence[SharedLook], lines: float) -> list[Possible] | None:
    """The collection's own three greys say it themselves; None where a look has another colour.

    Brightness and gamma of a screen move them: the lines between the cells tell how far.
    """
    result: list[Possible] = []
    for look in found:
        meaning = by_grey(look, lines)
        if meaning is None:
            return None
        result.append((meaning,))
    # White cells alone are no board of the collection: a new one is grey, a finished one has black cells.
    return result if set(result) != {("blank",)} else None


def _by_witness(found: Sequence[SharedLook], witness: Witness, *, sgt: bool) -> list[Possible]:
    """The likeliest meanings of the looks, given which of their cells are filled in the solution.

    The five largest looks are decided together, the others one by one. A look is in doubt where another meaning is about
    as likely.
    """
    density = min(max(len(witness.filled) / max(len(witness.filled) + len(witness.blank), 1), 0.05), 0.95)
    chances = [_chances(look, witness, density) for look in found]
    plain = [look for look in found if not look.marked]
    alone = len(plain) == 1 and all(other.away(plain[0]) < SAME_LOOK for other in found)
    if alone and not witness.blank.isdisjoint(plain[0].cells):
        # Nothing stands out of a board that nobody has touched, however much of it is to be filled.
        chances[found.index(plain[0])].never("filled")
    empty = [look for look in plain if not _mostly(look, witness.filled, MISTAKEN)]
    if len(empty) == 1 and not witness.filled.isdisjoint(empty[0].cells):
        # Nor was all of it set to empty where some of it is to be filled.
        chances[found.index(empty[0])].never("blank")
    together = found[:MOST_TOGETHER]
    ways = _ways(together, chances)
    best = max(ways, key=lambda meant: ways[meant])
    result: list[Meaning] = list(best)
    for count in range(len(together), len(found)):
        largest = found[: count + 1]
        result.append(max(MEANINGS, key=lambda one: _likely(largest, chances, (*result, one))))
    possible = [_possible(found, chances, result, number) for number in range(len(found))]
    # Looks may have to change their meanings together.
    for other in (meant for meant, likely in ways.items() if likely > ways[best] - LEAST_MARGIN):
        for number, one in enumerate(other):
            if one not in possible[number]:
                possible[number] = (*possible[number], one)
    # First the plain ones: a sign on a colour means what the colour means.
    for number in sorted(range(len(found)), key=lambda number: found[number].marked):
        possible[number] = _on_colour(found[number], found, possible, number)
    for number, look in enumerate(found):
        # Something is drawn in all of them, and not in others that are empty, or something that is known as a mark.
        others = (
            one.leaves < SAME_LOOK or (one.marked and one.away(look) < SAME_LOOK)
            for one, meant in zip(found, possible, strict=True)
            if one is not look and meant != ("filled",)
        )
        if possible[number] == ("free",) and look.leaves > MARK_LEVELS and any(others):
            possible[number] = ("free", "blank")
    unfilled = [n for n, look in enumerate(found) if len(look.cells) >= FEW and _unfilled(look, possible[n])]
    if len(unfilled) > 1 and ("blank",) in possible:
        unfilled = [n for n in unfilled if not _is_lit(found[n])]
    if len(unfilled) == 1 and possible[unfilled[0]] == ("blank",) and not sgt:
        # That a cell or two look otherwise, or a row and a column, does not tell the others from cells left alone.
        possible[unfilled[0]] = ("blank", "free")
    empty = [look for look, meant in zip(found, possible, strict=True) if _unfilled(look, meant)]
    for number, look in enumerate(found):
        lit = _has_lines(look, empty) or (len(look.cells) >= FEW and _is_lit(look))
        if lit and look in empty and possible[number] == ("blank",):
            possible[number] = ("blank", "free")
    proven = [
        one
        for one, meant in zip(found, possible, strict=True)
        if meant == ("filled",) and _mostly(one, witness.filled)
    ]
    ground = _ground(found, [meant[0] for meant in possible])
    for number, look in enumerate(found):
        # Where all of the ground is crossed, cells of another strong colour may be guesses, or left alone.
        if possible[number] == ("free",) and ground and ground.marked and ground.away(look) >= STRONG_COLOUR:
            possible[number] = MEANINGS
        # Beside filled cells a second strong colour may say anything of cells of which the solutions are not sure.
        if possible[number] == ("filled",) and look not in proven and _is_other_colour(look, proven):
            possible[number] = MEANINGS
    filled = [number for number, meant in enumerate(possible) if "filled" in meant]
    if len(filled) == 1:
        seems = found[filled[0]]
        if ground and _is_highlight(seems, ground, witness):
            possible[filled[0]] = ("free",)
        elif _may_be_lit(seems, found, witness.puzzle):
            possible[filled[0]] = ("filled", "free")
    for number, another in _exchangeable(found, possible, chances, witness):
        possible[number] = (*possible[number], another)
    if not any("filled" in meant for meant in possible):
        left = [n for n, look in enumerate(found) if possible[n] == ("free",) and not look.marked]
        cells = {cell for number in left for cell in found[number].cells}
        if len(cells) >= FEW and witness.filled.issuperset(cells):
            # Nothing but what is to be filled is left alone: it may be filled, with the ground out of sight.
            possible = [("free", "filled") if n in left else meant for n, meant in enumerate(possible)]
    if _is_turned_round(found, possible, witness):
        return [MEANINGS for _ in found]
    if not _all_found(found, result, witness):
        return possible
    # On a finished board nothing tells cells left alone from those set to empty, but crosses do. Most programs leave them
    # alone; the collection paints them.
    empty = [look for look, meant in zip(found, possible, strict=True) if _unfilled(look, meant)]
    return [
        ("free",)
        if _unfilled(look, meant) and not sgt and look.away(empty[0]) < SAME_LOOK > 2 * look.leaves
        else ("blank", "free")
        if _unfilled(look, meant)
        else meant
        for look, meant in zip(found, possible, strict=True)
    ]


def _ways(found: Sequence[SharedLook], chances: Sequence[_Chances]) -> dict[tuple[Meaning, ...], float]:
    """How likely the meanings of the looks are together: the best ones, and those that are hardly less likely."""
    most = {meant: _at_most(chances, meant) for meant in product(MEANINGS, repeat=len(found))}
    likely: dict[tuple[Meaning, ...], float] = {}
    best = -math.inf
    for meant in sorted(most, key=lambda meant: -most[meant]):
        if likely and most[meant] <= best - LEAST_MARGIN:
            break
        likely[meant] = _likely(found, chances, meant)
        best = max(best, likely[meant])
    return {meant: likely[meant] for meant in most if meant in likely}


def _is_other_colour(look: SharedLook, some: Sequence[SharedLook]) -> bool:
    """Whether there are other looks, and it has a colour of its own, no shade of theirs."""
    return bool(some) and all(one.away(look) >= STRONG_COLOUR for one in some)


def _mostly(look: SharedLook, cells: frozenset[Square], but: float = 0.5) -> bool:
    """Whether the cells of a look are these, but for so large a share."""
    return len(look.cells) - len(cells.intersection(look.cells)) < but * len(look.cells)


def _on_colour(
    look: SharedLook, found: Sequence[SharedLook], possible: Sequence[Possible], number: int
) -> Possible:
    """What a look of another colour may mean: a few cells of a strong one may be anything; a sign on it is no cross."""
    ground = _ground(found, [meant[0] for meant in possible])
    beneath = [
        meant
        for other, meant in zip(found, possible, strict=True)
        if look.marked and not other.marked and other.away(look) < SAME_LOOK
    ]
    if ground is None or ground is look or ground.away(look) < STRONG_COLOUR:
        few = ground is not None and len(look.cells) < FEW and ground.away(look) >= SAME_LOOK
        if few and look.marked and not beneath and possible[number] == ("filled",):
            # A broad ring.
            return MEANINGS
        # A few cells of another shade may be highlit, or set to empty, unless crosses stand on that shade.
        few = few and not any(other.marked and other.away(look) < SAME_LOOK for other in found)
        return ("free", "blank") if few and possible[number] == ("free",) else possible[number]
    # A white spot in one or two filled cells is the pointer, say: it leaves no corners free.
    alike = look.within or bool(beneath) == (len(look.cells) >= FEW)
    ring = look.marked and _shows(look, ground) and alike
    if ring and possible[number] == ("filled",):
        # In the colour of filled cells, or a broad cross in that of its soft edge.
        return MEANINGS
    if len(look.cells) >= FEW and possible[number] == (("free",) if look.marked else ("blank",)):
        # Where crosses mark empty cells, a few red ones may be those that were entered wrongly.
        told = list(zip(found, possible, strict=True))
        filled = sum(len(one.cells) for one, meant in told if meant == ("filled",))
        if ("blank",) in (meant for one, meant in told if one.marked) and len(
            look.cells
        ) <= MISTAKEN * filled:
            return (*possible[number], *(one for one in MEANINGS if one != possible[number][0]))
    if len(look.cells) >= FEW or possible[number] == ("filled",):
        return possible[number]
    # Few cells are weak evidence: what the colour means has a say.
    said = {*possible[number], *beneath[0]} if beneath else set(MEANINGS)
    return tuple(one for one in MEANINGS if one in said)


def _is_turned_round(found: Sequence[SharedLook], possible: Sequence[Possible], witness: Witness) -> bool:
    """Whether what the solution fills is told as empty and what it leaves empty as filled: nothing is understood then."""
    told = list(zip(found, possible, strict=True))
    unfilled = [look for look, meant in told if "filled" not in meant and len(look.cells) >= FEW]
    filled = [look for look, meant in told if meant == ("filled",)]
    return any(witness.filled.issuperset(look.cells) for look in unfilled) and any(
        _mostly(look, witness.blank) for look in filled
    )


def _exchangeable(
    found: Sequence[SharedLook],
    possible: Sequence[Possible],
    chances: Sequence[_Chances],
    witness: Witness,
) -> list[tuple[int, Meaning]]:
    """Which looks are told as left alone though all of their cells are to be filled, and those that are told as filled, where
    these are no likelier to be that by the solution; with the other meaning. The ground of marks is left alone."""
    free: list[int] = []
    filled: list[int] = []
    for number, (look, meant) in enumerate(zip(found, possible, strict=True)):
        if meant[0] == "filled" and not look.marked and "free" not in meant:
            filled.append(number)
        elif meant == ("free",) and not look.marked and not any(_stands_on(one, look) for one in found):
            free.append(number)
    alone = {cell for number in free for cell in found[number].cells}
    if len(alone) < FEW or not filled or not witness.filled.issuperset(alone):
        return []
    exchanged: list[tuple[int, Meaning]] = [(number, "free") for number in filled]
    exchanged += [(number, "filled") for number in free]
    told = sum(chances[number].player[possible[number][0]] for number, _ in exchanged)
    other = sum(chances[number].player[one] for number, one in exchanged)
    return exchanged if other >= told else []


def _stands_on(mark: SharedLook, look: SharedLook) -> bool:
    """Whether a mark is drawn on cells of a look, or shows them beside what is drawn."""
    return mark.marked and (mark.away(look) < SAME_LOOK or _shows(mark, look))


def _is_lit(look: SharedLook) -> bool:
    """Whether it may be a highlight: cells of a row and a column alone."""
    rows = {cell.row for cell in look.cells}
    return any(len({cell.col for cell in look.cells if cell.row != row}) <= 1 for row in rows)


def _has_lines(look: SharedLook, empty: Sequence[SharedLook]) -> bool:
    """Whether none of these other looks is in its rows, or in its columns: it may be the shade of lines that are done.

    It hardly differs from one of them then. A few of its cells may be elsewhere, as a highlight of that shade is.
    """
    if not any(one.away(look) < SAME_LOOK for one in empty if one is not look):
        return False
    for way in (0, 1):
        others = {cell[way] for one in empty if one is not look for cell in one.cells}
        if len([cell for cell in look.cells if cell[way] in others]) < FEW:
            return True
    return False


def _is_highlight(look: SharedLook, ground: SharedLook, witness: Witness) -> bool:
    """Whether it surely is one: of a whole row and a whole column, with or without the cell where these cross, about as
    bright as the ground. Nobody fills them, and nothing else, where the solution does not."""
    whole = witness.puzzle.width + witness.puzzle.height - len(look.cells) in (1, 2) and _is_lit(look)
    lighter = sum(part * (a - b) for part, a, b in zip(BRIGHTNESS, look.colour, ground.colour, strict=True))
    return whole and abs(lighter) < FILLED_CONTRAST and not _mostly(look, witness.filled, MISTAKEN)


def _may_be_lit(look: SharedLook, found: Sequence[SharedLook], puzzle: Nonogram) -> bool:
    """Whether it may be a highlight of whole lines, of no strong colour."""
    if not min(puzzle.width, puzzle.height) - 1 <= len(look.cells) < puzzle.width + puzzle.height:
        return False
    ground = _ground(found, ["filled" if one is look or one.marked else "free" for one in found])
    return ground is not None and ground.away(look) < STRONG_COLOUR and _is_lit(look)


def _unfilled(look: SharedLook, meant: Possible) -> bool:
    """Whether it is surely not filled, and has no cross."""
    return "filled" not in meant and not look.marked


def _all_found(found: Sequence[SharedLook], meant: Sequence[Meaning], witness: Witness) -> bool:
    """Whether every cell that has to be filled is."""
    told = list(zip(found, meant, strict=True))
    left = {cell for look, one in told if one == "free" for cell in look.cells}
    return left <= witness.blank or _solves(
        witness.puzzle, [look for look, one in told if one == "filled"], found
    )


def _possible(
    found: Sequence[SharedLook],
    chances: Sequence[_Chances],
    meant: Sequence[Meaning],
    number: int,
) -> Possible:
    """What one look may mean, given the others: the likeliest first, down to what is hardly less likely."""
    likely = {one: _likely(found, chances, [*meant[:number], one, *meant[number + 1 :]]) for one in MEANINGS}
    best = max(MEANINGS, key=lambda one: likely[one])
    # Between nothing and a mark for nothing a doubt costs nobody anything.
    few = len(found[number].cells) < FEW and best != "filled"
    # A sign says something, as a rule.
    few |= found[number].marked and best == "free"
    near = [
        one
        for one in MEANINGS
        if likely[one] > likely[best] - (HARMLESS_MARGIN if few and one != "filled" else LEAST_MARGIN)
    ]
    return tuple(sorted(near, key=lambda one: -likely[one]))


@dataclass(frozen=True)
class _Chances:
    """The logarithms of the chances that a look of each meaning has as many filled cells as it has: where the player
    follows the clues, and where he only guesses."""

    player: dict[Meaning, float]
    guesser: dict[Meaning, float]

    def never(self, meaning: Meaning) -> None:
        self.player[meaning] = self.guesser[meaning] = -math.inf


def _chances(look: SharedLook, witness: Witness, density: float) -> _Chances:
    filled = sum(cell in witness.filled for cell in look.cells)
    blank = sum(cell in witness.blank for cell in look.cells)
    shares: dict[Meaning, float] = {"filled": 1 - WRONGLY_ENTERED, "blank": WRONGLY_ENTERED, "free": density}
    player = {
        meaning: filled * math.log(share) + blank * math.log(1 - share) for meaning, share in shares.items()
    }
    entered = player["free"] - TRIED_OUT * len(look.cells) / (witness.puzzle.width * witness.puzzle.height)
    return _Chances(
        player,
        {
            "filled": max(player["filled"], entered),
            "blank": max(player["blank"], player["free"]),
            "free": player["free"],
        },
    )


def _at_most(chances: Sequence[_Chances], meant: Sequence[Meaning]) -> float:
    """How likely these meanings are by what is filled in the solution alone: looks only speak against them."""
    return max(
        sum(chance.player[one] for one, chance in zip(meant, chances, strict=False)),
        sum(chance.guesser[one] for one, chance in zip(meant, chances, strict=False)) + math.log(GUESSING),
    )


def _likely(found: Sequence[SharedLook], chances: Sequence[_Chances], meant: Sequence[Meaning]) -> float:
    """How likely these meanings are together, as a logarithm."""
    total = _at_most(chances, meant)
    first: dict[tuple[Meaning, bool], SharedLook] = {}
    free = _ground(found, meant)
    for look, one, chance in zip(found, meant, chances, strict=False):
        # What leaves some of the ground free is a filled cell, or something on one that is left alone: a star, a coin.
        shows = _shows(look, free)
        lies, marked = one == "free" and shows, look.marked and not shows
        # Two looks of one meaning are rare, but for a cell or two; a highlight is like what it highlights.
        same = first.setdefault((one, look.marked), look)
        if same is not look and not lies:
            away, few = same.away(look), look.marked or len(look.cells) < FEW
            total -= 1 + min(away / 80, 2) if few else min(3, away / 8) + away / 25
        apart = free.away(look) if free is not None and free is not look else FILLED_CONTRAST
        beneath = _beneath(look, found, meant)
        if look.crossed:
            total -= 0 if one == "blank" else CROSSED_OUT
            # Nor are cells filled that have the colour of crossed ones.
            total -= 8 if beneath == "filled" else 0
        elif beneath == "filled":
            # What is in a filled cell is dirt.
            total -= 0 if one == "filled" else 8
        elif one == "filled":
            # Filled cells stand out; they have no crosses, nor have crossed cells their colour.
            total -= max(0.0, FILLED_CONTRAST - apart) / 5
            crossed = any(
                o.marked and len(o.cells) >= CROSSED * len(look.cells) and not _shows(o, free)
                for o in found
                if o is not look and o.away(look) < SAME_LOOK
            )
            # Where no clean cell has its colour, what is drawn may be the texture of all filled ones.
            clean = any(m == one and not o.marked for o, m in zip(found, meant, strict=False))
            textured = not clean and beneath is None and apart >= FILLED_CONTRAST
            total -= SAYS_SOMETHING if (marked and not textured) or crossed else 0
            # A cross on the colour of cells that are not filled leaves its cell unfilled.
            total -= 8 if beneath is not None else 0
        elif one == "blank" and not (look.marked or shows):
            # Nothing is marked empty in the strongest contrast, nor in two ways at once.
            total -= 3.4 + max(0.0, FILLED_CONTRAST - apart) / 10 + max(0.0, apart - 2 * FILLED_CONTRAST) / 30
            # Nor is anything as a rule before a cell is filled.
            total -= 0 if "filled" in meant else NOTHING_FILLED
            crosses = [o for o, m in zip(found, meant, strict=False) if o.marked and m == "blank"]
            total -= (
                4 if crosses and (apart >= FILLED_CONTRAST or min(map(look.away, crosses)) < SAME_LOOK) else 0
            )
        elif one == "blank" and any(
            m == one and (o.crossed or (shows and o.marked and o is not look))
            for o, m in zip(found, meant, strict=False)
        ):
            # Beside crosses another mark says something else, and so does beside marks what hides the ground.
            total -= 4
        elif lies:
            total -= LIES
        elif one == "free" and marked:
            total -= SAYS_SOMETHING
        elif one == "free" and len(look.cells) >= FEW and free is not look:
            # Cells left alone are alike. Where both filled and empty ones are among them, that is what they are, whatever
            # crosses stand on.
            mixed = chance.player["free"] > max(chance.player["filled"], chance.player["blank"])
            unlike = max(0.0, apart - FILLED_CONTRAST) / 8
            total -= min(unlike, SAYS_SOMETHING) if mixed else unlike
    return total


def _shows(look: SharedLook, ground: SharedLook | None) -> bool:
    """Whether cells of this look show the ground beside what is in them."""
    if ground is None:
        return False
    away = look.away(ground)
    return away > FILLED_CONTRAST and abs(look.leaves - away) < SAME_LOOK


def _ground(found: Sequence[SharedLook], meant: Sequence[Meaning]) -> SharedLook | None:
    """What shows the ground: most cells left alone do, or most that only have a cross."""
    shown = [
        look
        for look, one in zip(found, meant, strict=False)
        if one == "free" or (one == "blank" and look.marked)
    ]
    most = max(shown, key=lambda look: len(look.cells), default=None)
    # A broad cross has the colour of its ink, and leaves some of the ground free.
    free = (
        look
        for look in shown
        if most and most.marked and not (most.crossed or look.marked) and _shows(most, look)
    )
    return max(free, key=lambda look: len(look.cells), default=most)


def _beneath(look: SharedLook, found: Sequence[SharedLook], meant: Sequence[Meaning]) -> Meaning | None:
    """What the cells without a mark mean that have the colour of a marked look."""
    if not look.marked:
        return None
    same = [
        one
        for other, one in zip(found, meant, strict=True)
        if not other.marked and other.away(look) < SAME_LOOK
    ]
    return same[0] if same else None


def _by_contrast(found: Sequence[SharedLook], puzzle: Nonogram) -> list[Possible]:
    """Where no solution is known: an untouched board, crosses, a finished board. The rest is in doubt."""
    plain = [look for look in found if not look.marked]
    if len(plain) == 1:
        return [("blank",) if look.marked else ("free",) for look in found]
    some = plain[:MOST_TOGETHER]
    finished = [
        dark
        for count in range(1, len(some))
        for dark in combinations(some, count)
        if _solves(puzzle, dark, found)
    ]
    if len(finished) != 1:
        return [("blank",) if look.marked else MEANINGS for look in found]
    left: Possible = ("free",) if len(plain) == len(finished[0]) + 1 else ("blank", "free")
    return [("blank",) if look.marked else ("filled",) if look in finished[0] else left for look in found]


def _solves(puzzle: Nonogram, filled: Sequence[SharedLook], found: Sequence[SharedLook]) -> bool:
    """Whether the cells of these looks of all are a picture of the clues."""
    cells, every = ({cell for look in looks for cell in look.cells} for looks in (filled, found))
    return not check(puzzle, Picture(frozenset(cells), frozenset(every - cells)))


def picture(found: Sequence[SharedLook], meant: Sequence[Possible]) -> Picture:
    """What has been entered so far, as far as there is no doubt."""
    cells: Mapping[Meaning, set[Square]] = {"filled": set(), "blank": set(), "free": set()}
    for look, possible in zip(found, meant, strict=True):
        if len(possible) == 1:
            cells[possible[0]].update(look.cells)
    return Picture(frozenset(cells["filled"]), frozenset(cells["blank"]))
