"""Looks of cells that are one and the same, through which something is seen that changes over the board.

A photograph, a texture or a gradient goes on from cell to cell: beside the border between two of them both have the same
colour, though on the whole they differ. The colour that a program gives to a cell ends at its border; but stripes, a
chequered ground and blocks of five by five cells tell the place of a cell, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from vision.frame import Pixels
from vision.measures.borders import Borders
from vision.measures.looks import FEW, NEXT_LOOK, SharedLook

Floats = npt.NDArray[np.float64]

# What a cell shows beside its border: from here to there (shares of its size), seen at so many depths.
NEAR, FAR, DEPTHS = 0.08, 0.18, 3
# The px beside its ends are the other borders' (share of its size); in between it is seen at so many places.
ENDS, PLACES = 0.15, 12
# In smaller cells (px) this is no more than the line and its soft edge.
LEAST_PX = 20
# Looks farther apart (levels) are not shades of one.
SHADES = 60.0
# Where the step at a border is less than this share of how far the cells are apart, nothing ends there.
STEP = 0.5
# So large a share of the borders between two looks has to be so.
MOST = 0.9
# Grounds take turns after every row and column, after so many, or after both.
TURNS = ((1,), (5,), (1, 5))
# That makes so many kinds of places for each; a ground shows in this share of those that have it, and no other in them. Where
# it is both, every ground has so many kinds at least.
PLACES_APART, TURN, LEAST_KINDS = 4, 0.25, 3
# A ground shows in so many rows, and so many columns.
LEAST_LINES = 2


def joined(
    pixels: Pixels,
    borders: Borders,
    colours: Floats,
    found: Sequence[SharedLook],
    filled: frozenset[Square] = frozenset(),
    blank: frozenset[Square] = frozenset(),
) -> list[SharedLook]:
    """The looks, with those as one that go over into each other; the most frequent first, odd ones last.

    borders: of the rows and columns of cells. colours: (cells, 3) what each of them shows, row by row. filled: cells that
    may have been given a colour; looks of such cells alone take no turns. blank: cells that nobody gives one, but by mistake.
    """
    plain = [number for number, look in enumerate(found) if not (look.marked or look.odd)]
    near = [(a, b) for a, b in combinations(plain, 2) if found[a].away(found[b]) < SHADES]
    # Two strong colours that alone make up a board may be what was entered, unless each has a cell that is left blank.
    two = len(plain) == 2 and not any(blank.isdisjoint(found[number].cells) for number in plain)
    if not near and not two:
        return list(found)
    names = np.full((len(borders.ys) - 1, len(borders.xs) - 1), -1)
    for number in plain:
        names[tuple(np.transpose(found[number].cells))] = number
    if not near:
        whole = np.count_nonzero(names < 0) < FEW and _take_turns(names, plain)
        return [_one(found, group) for group in _united([(plain[0], plain[1])] if whole else [], len(found))]
    steps: Mapping[tuple[int, int], list[bool]] = {}
    if min(np.diff(borders.xs).min(), np.diff(borders.ys).min()) >= LEAST_PX:
        steps = _steps(names, colours.reshape(*names.shape, 3), _sides(pixels, borders))
    over = [pair for pair in near if sum(steps.get(pair, [])) >= MOST * max(len(steps.get(pair, [])), 1)]
    for shades in _united(near, len(found)):
        given = any(filled.issuperset(found[number].cells) for number in shades)
        if not given and _take_turns(names, sorted(shades)):
            over += combinations(sorted(shades), 2)
    return [_one(found, group) for group in _united(over, len(found))]


def _united(pairs: Iterable[tuple[int, int]], count: int) -> list[Set[int]]:
    """The numbers below a count, with those of a pair in one group; in the order of the first of each."""
    groups = [{number} for number in range(count)]
    for a, b in pairs:
        joint = groups[a] | groups[b]
        for number in joint:
            groups[number] = joint
    return [group for number, group in enumerate(groups) if number == min(group)]


def evened(pixels: Pixels, borders: Borders, colours: Floats, found: Sequence[SharedLook]) -> Pixels:
    """The picture with the ground of every plain cell in the colour of its look; lines and what is drawn stay as they are."""
    shape = len(borders.ys) - 1, len(borders.xs) - 1
    own = colours.reshape(*shape, 3)
    wanted = own.copy()
    for look in found:
        if not (look.marked or look.odd):
            wanted[tuple(np.transpose(look.cells))] = look.colour
    left, top = max(round(borders.xs[0]), 0), max(round(borders.ys[0]), 0)
    result = pixels.copy()
    board = result[top : round(borders.ys[-1]), left : round(borders.xs[-1])]
    rows, cols = (
        np.clip(np.searchsorted(np.asarray(at)[1:-1], first + np.arange(size), side="right"), 0, count - 1)
        for at, first, size, count in (
            (borders.ys, top, board.shape[0], shape[0]),
            (borders.xs, left, board.shape[1], shape[1]),
        )
    )
    cell = np.ix_(rows, cols)
    ground = np.abs(board - own[cell]).max(axis=2) < SHADES
    board[ground] = np.clip(board + (wanted - own)[cell], 0, 255).round()[ground]
    return result


def _take_turns(names: npt.NDArray[np.int64], looks: Sequence[int]) -> bool:
    """Whether which of these looks a cell has is told by its place alone; in a single line it may be told by that."""
    lines = (min(map(len, map(set, np.nonzero(names == look)))) for look in looks)
    if len(looks) < 2 or min(lines) < LEAST_LINES:
        return False
    down, across = np.arange(names.shape[0])[:, None], np.arange(names.shape[1])
    for turns in TURNS:
        kinds = PLACES_APART ** len(turns)
        place = np.zeros(names.shape, np.int64)
        for turn in turns:
            place = PLACES_APART * place + 2 * (down // turn % 2) + across // turn % 2
        own = np.array([np.bincount(place[names == look], minlength=kinds) for look in looks])
        every, shown = np.bincount(place.ravel(), minlength=kinds), own > 0
        if (shown.sum(axis=0) > 1).any():
            continue
        if len(turns) == 1:
            told = ~shown | (own >= np.maximum(TURN * every, FEW))
        else:
            # In one of so many kinds all cells may be filled, but for few.
            told = (shown.sum(axis=1) >= LEAST_KINDS) & (
                own.sum(axis=1) >= TURN * (shown * every).sum(axis=1)
            )
        if told.all():
            return True
    return False


def _one(found: Sequence[SharedLook], group: Set[int]) -> SharedLook:
    """The look of all the cells of several."""
    largest = max((found[number] for number in group), key=lambda look: len(look.cells))
    return replace(largest, cells=tuple(sorted(cell for number in group for cell in found[number].cells)))


def _steps(
    names: npt.NDArray[np.int64], own: Floats, sides: Mapping[str, Floats]
) -> dict[tuple[int, int], list[bool]]:
    """For every two looks that are neighbours somewhere: whether they go over into each other, border by border.

    What is in the middle of a cell alone, and reaches none of its sides, was put there.
    """
    reaches = (
        np.min([np.abs(np.median(one, axis=2) - own).max(axis=2) for one in sides.values()], axis=0)
        < NEXT_LOOK
    )
    found: dict[tuple[int, int], list[bool]] = {}
    for first, second, end, start in (
        (np.s_[:-1], np.s_[1:], "bottom", "top"),
        (np.s_[:, :-1], np.s_[:, 1:], "right", "left"),
    ):
        step = np.abs(np.median(sides[end][first] - sides[start][second], axis=2)).max(axis=2)
        over = step < STEP * np.abs(own[first] - own[second]).max(axis=2)
        over &= reaches[first] & reaches[second]
        for a, b, so in zip(names[first].ravel(), names[second].ravel(), over.ravel(), strict=True):
            if a != b:
                found.setdefault((int(min(a, b)), int(max(a, b))), []).append(bool(so))
    return found


def _sides(pixels: Pixels, borders: Borders) -> dict[str, Floats]:
    """(rows, cols, PLACES, 3) what the cells show beside their borders, by the names of the sides."""
    result = {}
    for low, high, image, across, along in (
        ("top", "bottom", pixels, borders.ys, borders.xs),
        ("left", "right", pixels.swapaxes(0, 1), borders.xs, borders.ys),
    ):
        starts, sizes = np.asarray(along)[:-1], np.diff(along)
        at = starts[:, None] + sizes[:, None] * np.linspace(ENDS, 1 - ENDS, PLACES)
        places = np.clip(at.round().astype(int), 0, image.shape[1] - 1)
        for name, first, last in ((low, NEAR, FAR), (high, 1 - FAR, 1 - NEAR)):
            deep = np.asarray(across)[:-1, None] + np.diff(across)[:, None] * np.linspace(first, last, DEPTHS)
            depths = np.clip(deep.round().astype(int), 0, image.shape[0] - 1)
            seen = np.median(image[depths[:, None, :, None], places[None, :, None, :]].astype(float), axis=2)
            result[name] = seen if image is pixels else seen.swapaxes(0, 1)
    return result
