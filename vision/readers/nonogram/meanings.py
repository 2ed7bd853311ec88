"""What the looks of a nonogram's cells mean: filled, marked empty, or nothing.

That is not known beforehand (dark on light, light on dark, navy and yellow): it is concluded from the contrast, from
the crosses, and from the solution of the puzzle, where there is exactly one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal, get_args

from solver.lattice import Square
from solver.nonogram import Picture
from vision.readers.nonogram.cells import FEW, SAME_LOOK, Look, Sample

Meaning = Literal["filled", "blank", "free"]
MEANINGS: tuple[Meaning, ...] = get_args(Meaning)
# What is said of a look: its meaning; that it is not filled, where blank and free are about as likely; or nothing.
Said = Meaning | Literal["unfilled"] | None

# A player enters this share of the cells wrongly.
WRONGLY_ENTERED = 0.02
# So many looks are decided together.
MOST_TOGETHER = 5
# Where another meaning of a few cells is less than so many times (as a logarithm) less likely, they are in doubt.
LEAST_MARGIN = 3.0
# Filled cells differ this much (levels of brightness) from the free ones.
FILLED_CONTRAST = 60.0
# What sgt-pattern paints cells with unless its colours are changed.
COLLECTION_GREYS: Mapping[Meaning, float] = {"filled": 0.0, "free": 128.0, "blank": 255.0}


def meanings(
    found: Sequence[Look],
    solution: Picture | None,
    *,
    sgt: bool,
    known: Mapping[Meaning, Sample] | None = None,
) -> list[Said]:
    """What every look means, as far as that can be said.

    solution: the only one, when there is just one.
    known: how the states look in this program, when that has been learned.
    """
    clear = [look for look in found if not look.odd]
    concluded: list[Said] = [
        by_samples(look, known or {}) or meant
        for look, meant in zip(clear, _concluded(clear, solution, sgt=sgt), strict=True)
    ]
    # What is drawn on a filled cell is dirt; elsewhere it may be a mark.
    filled = [look for look, meant in zip(clear, concluded, strict=True) if meant == "filled"]
    return concluded + [
        "filled" if any(_near(one, look) for one in filled) else None for look in found if look.odd
    ]


def by_samples(look: Look, known: Mapping[Meaning, Sample]) -> Meaning | None:
    """What a look that has been learned means; None for another one (highlights, the mouse pointer)."""
    away = {
        meaning: max(abs(a - b) for a, b in zip(one.colour, look.colour, strict=True))
        for meaning, one in known.items()
        if one.marked == look.marked
    }
    nearest = min(away, key=lambda meaning: away[meaning], default=None)
    return nearest if nearest is not None and away[nearest] < SAME_LOOK else None


def _concluded(found: Sequence[Look], solution: Picture | None, *, sgt: bool) -> Sequence[Said]:
    # The collection draws no crosses: where several cells have one, its greys mean nothing.
    sgt = sgt and sum(len(look.cells) for look in found if look.marked) < 2
    if sgt and (greys := _by_collection(found)) is not None:
        return greys
    if solution is not None:
        return _by_solution(found, solution, sgt=sgt)
    return _by_contrast(found, sgt=sgt)


def _by_collection(found: Sequence[Look]) -> list[Meaning] | None:
    """The collection's own three greys say it themselves; None where a look has another colour."""
    result: list[Meaning] = []
    for look in found:
        near = [
            meaning
            for meaning, grey in COLLECTION_GREYS.items()
            if max(abs(value - grey) for value in look.colour) < SAME_LOOK / 2
        ]
        if not near:
            return None
        result.append(near[0])
    # White cells alone are no board of the collection: a new one is grey, a finished one has black cells.
    return result if set(result) != {"blank"} else None


def _by_solution(found: Sequence[Look], solution: Picture, *, sgt: bool) -> list[Said]:
    """The likeliest meanings of the looks, given which of their cells are filled in the only solution.

    The five largest looks are decided together, the others one by one. A look of a few cells (a highlight, perhaps)
    is in doubt where another meaning is about as likely.
    """
    cells = sum(len(look.cells) for look in found)
    density = min(max(len(solution.filled) / max(cells, 1), 0.05), 0.95)
    chances = [_chances(look, solution, density) for look in found]
    together = found[:MOST_TOGETHER]
    best = max(product(MEANINGS, repeat=len(together)), key=lambda meant: _likely(together, chances, meant))
    result: list[Meaning] = list(best)
    for count in range(len(together), len(found)):
        largest = found[: count + 1]
        result.append(max(MEANINGS, key=lambda one: _likely(largest, chances, (*result, one))))
    doubtful: dict[int, Said] = {}
    for number, look in enumerate(found):
        if len(look.cells) < FEW and _margin(found, chances, result, number, MEANINGS) < LEAST_MARGIN:
            filled = result[number] == "filled" or (
                _margin(found, chances, result, number, ("filled",)) < LEAST_MARGIN
            )
            doubtful[number] = None if filled else "unfilled"
    left = [cell for look, one in zip(found, result, strict=True) if one == "free" for cell in look.cells]
    if not sgt and solution.filled.isdisjoint(left):
        # On a finished board nothing tells cells left alone from those set to empty, but crosses do.
        result = [
            "free" if meant == "blank" and not look.marked else meant
            for look, meant in zip(found, result, strict=True)
        ]
    return [doubtful.get(number, meant) for number, meant in enumerate(result)]


def _margin(
    found: Sequence[Look],
    chances: Sequence[Mapping[Meaning, float]],
    meant: Sequence[Meaning],
    number: int,
    others: Sequence[Meaning],
) -> float:
    """How much likelier (as a logarithm) the meaning of one look is than any of the others given."""
    instead = [
        _likely(found, chances, [*meant[:number], one, *meant[number + 1 :]])
        for one in others
        if one != meant[number]
    ]
    return _likely(found, chances, meant) - max(instead)


def _chances(look: Look, solution: Picture, density: float) -> dict[Meaning, float]:
    """The logarithm of the chance that a look of each meaning has as many filled cells as this one."""
    filled = sum(cell in solution.filled for cell in look.cells)
    shares: dict[Meaning, float] = {"filled": 1 - WRONGLY_ENTERED, "blank": WRONGLY_ENTERED, "free": density}
    return {
        meaning: filled * math.log(share) + (len(look.cells) - filled) * math.log(1 - share)
        for meaning, share in shares.items()
    }


def _likely(
    found: Sequence[Look], chances: Sequence[Mapping[Meaning, float]], meant: Sequence[Meaning]
) -> float:
    """How likely these meanings are together, as a logarithm."""
    total = 0.0
    first: dict[tuple[Meaning, bool], Look] = {}
    free = next((look for look, one in zip(found, meant, strict=True) if one == "free"), None)
    for look, one, chance in zip(found, meant, chances, strict=False):
        total += chance[one]
        # Two looks of one meaning are rare, but for a cell or two; a highlight is like what it highlights.
        same = first.setdefault((one, look.marked), look)
        if same is not look:
            unlike = _away(same, look) / 25
            total -= 1 + min(unlike, 2) if len(look.cells) < FEW else 3 + unlike
        apart = _away(free, look) if free is not None and free is not look else FILLED_CONTRAST
        beneath = _beneath(look, found, meant)
        if beneath == "filled":
            # What is in a filled cell is dirt.
            total -= 0 if one == "filled" else 8
        elif one == "filled":
            # Filled cells stand out; they have no crosses, nor have crossed cells their colour.
            total -= max(0.0, FILLED_CONTRAST - apart) / 5
            crossed = any(o.marked and len(o.cells) >= len(look.cells) / 4 for o in found if _near(o, look))
            total -= 6 if look.marked or crossed else 0
        elif one == "blank" and not look.marked:
            total -= 4 + max(0.0, FILLED_CONTRAST - apart) / 10
        elif one == "free" and look.marked:
            total -= 6
    return total


def _beneath(look: Look, found: Sequence[Look], meant: Sequence[Meaning]) -> Meaning | None:
    """What the cells without a mark mean that have the colour of a marked look."""
    if not look.marked:
        return None
    same = [one for other, one in zip(found, meant, strict=True) if not other.marked and _near(other, look)]
    return same[0] if same else None


def _near(a: Look, b: Look) -> bool:
    return _away(a, b) < SAME_LOOK


def _away(a: Look, b: Look) -> float:
    return max(abs(x - y) for x, y in zip(a.colour, b.colour, strict=True))


def _by_contrast(found: Sequence[Look], *, sgt: bool) -> list[Meaning]:
    """The collection's three greys; elsewhere, what stands out most against the usual look is filled."""
    plain = [look for look in found if not look.marked] or list(found)
    if sgt and len(plain) >= 3:
        dark, light = min(p.brightness for p in plain), max(p.brightness for p in plain)
        return [
            "filled" if p.brightness < dark + 30 else "blank" if p.brightness > light - 30 else "free"
            for p in found
        ]
    usual = max(plain, key=lambda look: look.brightness) if not sgt else plain[0]
    result: list[Meaning] = []
    for look in found:
        if look.marked:
            result.append("blank")
        elif abs(look.brightness - usual.brightness) >= FILLED_CONTRAST:
            result.append("filled" if look.brightness < usual.brightness else "blank")
        else:
            result.append("free")
    return result


def picture(found: Sequence[Look], meant: Sequence[Said]) -> Picture:
    """What has been entered so far."""
    cells: Mapping[Meaning, set[Square]] = {"filled": set(), "blank": set(), "free": set()}
    for look, meaning in zip(found, meant, strict=True):
        if meaning is not None and meaning != "unfilled":
            cells[meaning].update(look.cells)
    return Picture(frozenset(cells["filled"]), frozenset(cells["blank"]))
