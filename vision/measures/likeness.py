"""How far what is seen in a cell is from the looks that a game declares, and which of them it is.

A look may tell the colour of the ground, and colour, size and form of what is drawn; the nearest look wins, and the distance
to the next one says how sure that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid.board import Outside, Place
from vision.digits import Number, among
from vision.eyesight import Form, Look
from vision.measures.parts import LEAST_DRAWN, SHAPE, Part, numbers_in, within_frame
from vision.reading import Mark, State

# Colours this many levels apart are no longer the same; measured distances count in shares of it.
COLOUR = 24.0
# Two drawings brought to one box differ by this share of their px at most.
SHAPES = 0.3
# How far a look may be from a cell, and how much farther the second one must be for the cell to be certain.
FARTHEST, SURE_MARGIN = 1.0, 0.6
# Of more cells than this no frame is looked through.
MOST_FRAMED = 0.25
# A cell told with less than this is in doubt.
LEAST_CONFIDENCE = 0.6
# What is drawn in a cell stands so far (share of the cell, and a px) from where others of its form stand at most, letters
# up and down; from the middle of the cell where fewer than so many are seen that are clearly of that form.
CLEAR = 0.5
OFF_MIDDLE, UNEVEN, OFF_ALONE, LEAST_WRITTEN = 0.06, 0.15, (0.13, 0.2), 3
# A number has no px on the far side of its ground, seen from its own colour (so many levels off, all channels together): no
# more than this, and than so many times what others of its look have.
BEYOND_LEVELS, BEYOND_PX, BEYOND_USUAL = 20, 6, 3
# What is lower than so many px is by up to this share nearer to its ground than its own colour is.
SMALL_PX, PALE = 16, 0.17
# As far as this is what differs in kind.
UNLIKE = 9.0
# Forms that are filled; of those made of strokes thin ones are alike.
FILLED: tuple[Form, ...] = ("disc", "square", "triangle")
STROKES: tuple[Form, ...] = ("slash", "backslash", "cross", "plus")
# Other forms that are filled for the most part are told from those, and not from each other.
CROWNED: tuple[Form, ...] = ("crown", "queen")
# What queens are drawn as: a crown, and the half of a chess piece and its balls; x, y, and radius, in shares of its box.
CROWN = (0.05, 1.0), (0.0, 0.2), (0.28, 0.5), (0.5, 0.0), (0.72, 0.5), (1.0, 0.2), (0.95, 1.0)
PIECE = (
    (0.15, 1.0), (0.18, 0.6), (0.04, 0.3), (0.12, 0.25), (0.28, 0.5), (0.25, 0.1), (0.33, 0.1), (0.44, 0.45), (0.47, 0.05),
    (0.5, 0.05), (0.5, 1.0),
)  # fmt: skip
BALLS = (0.07, 0.25), (0.27, 0.08), (0.5, 0.08)
BALL = 0.08
# What is larger than its place by this factor is no sign but the minus, which is as wide as it is.
TOO_LARGE = 1.8


def tell(
    found: Mapping[Any, Part],
    looks: Sequence[Look],
    clues: dict[Place, str] | None = None,
    read: Mapping[Any, Number] | None = None,
) -> dict[Any, Mark]:
    """The mark of every place: its nearest look, and how sure that is; numbers that are clues go into `clues`.

    read: the numbers in the places, where they are known.
    """
    if not found:
        return {}
    many, away = _compared(found, looks)
    framed = _framed(found, away)
    if framed:
        found = {**found, **framed}
        many, away = _compared(found, looks)
    numbered = any(look.form == "number" for look in looks)
    if framed and read is not None:
        signs = any(one.sign for one in read.values())
        read = {**read, **numbers_in(framed, signs=signs)}
    numbers = (numbers_in(found) if read is None else read) if numbered else {}
    # Beside a board every edge has a middle of its own.
    if not any(isinstance(place, Outside) for place in found):
        away[_off_middle(many, looks, away, letters=any(one.sign for one in numbers.values()))] = UNLIKE
    if numbered:
        _of_two_colours(list(found.values()), looks, away)
    return {
        place: _told(place, list(zip(looks, row, strict=True)), numbers.get(place), clues)
        for place, row in zip(found, np.minimum(away, UNLIKE).tolist(), strict=True)
    }


def _compared(found: Mapping[Any, Part], looks: Sequence[Look]) -> tuple[Many, npt.NDArray[np.float64]]:
    """The parts together, and (n, looks) how far each of them is from each look."""
    many = Many(list(found.values()))
    return many, np.stack([distances(many, look) for look in looks], axis=1)


def _framed(found: Mapping[Any, Part], away: npt.NDArray[np.float64]) -> dict[Any, Part]:
    """What a frame along the edge goes round, such as a cursor's: of the parts that look like nothing as they are."""
    strange = [place for place, far in zip(found, away.min(axis=1).tolist(), strict=True) if far > FARTHEST]
    # Where many look like nothing it is no board of this game.
    if len(strange) > MOST_FRAMED * len(found):
        return {}
    within = {place: part for place in strange if (part := within_frame(found[place])) is not None}
    # A ring within that frame is there still.
    return {place: replace(part, framed=part.framed or found[place].framed) for place, part in within.items()}


def _off_middle(
    many: Many, looks: Sequence[Look], away: npt.NDArray[np.float64], *, letters: bool
) -> npt.NDArray[np.bool_]:
    """(n, looks) which drawings do not stand in their cells where others of their form do, as what lies over a cell.

    letters: some are higher than others, or reach lower.
    """
    off = np.zeros(away.shape, np.bool_)
    for form in {look.form for look in looks} - {"nothing", "anything"}:
        own = [nth for nth, look in enumerate(looks) if look.form == form and not look.drawing]
        like = (away[:, own] <= CLEAR * FARTHEST).any(axis=1)
        several = np.count_nonzero(like) >= LEAST_WRITTEN
        usual = np.median(many.middle[like], axis=0) if several else np.full(2, 0.5)
        most = (OFF_MIDDLE, UNEVEN if letters else OFF_MIDDLE) if several else OFF_ALONE
        astray = np.asarray((np.abs(many.middle - usual) > most + many.px).any(axis=1), np.bool_)
        off[:, own] |= astray[:, None]
    return off


def _of_two_colours(parts: Sequence[Part], looks: Sequence[Look], away: npt.NDArray[np.float64]) -> None:
    """Take for no numbers, in (n, looks) of how far parts are from looks, those with px that no number drawn in one colour
    has: a pointer has a rim of another."""
    written = [nth for nth, look in enumerate(looks) if look.form == "number"]
    likes = {nth: np.flatnonzero(away[:, nth] <= FARTHEST).tolist() for nth in written}
    like = sorted({one for some in likes.values() for one in some})
    ground = np.median([parts[one].ground for one in like], axis=0) if len(like) else np.zeros(3)
    beyond = dict(zip(like, _beyond([parts[one] for one in like], ground).tolist(), strict=True))
    for nth, own in likes.items():
        # A look that one cell has is compared with the other numbers.
        others = own if len(own) > 1 else [one for one in like if one not in own]
        usual = sorted(beyond[one] for one in others)[(len(others) - 1) // 2] if others else 0
        astray = [one for one in own if beyond[one] > BEYOND_PX + BEYOND_USUAL * usual]
        away[astray, nth] = UNLIKE


def _beyond(parts: Sequence[Part], usual: npt.NDArray[np.float64]) -> npt.NDArray[np.int_]:
    """(n,) how many px of a drawing lie on the other side of its ground, and of the usual one, than its own colour."""
    counts = np.zeros(len(parts), np.int_)
    sizes: dict[tuple[int, ...], list[int]] = {}
    for nth, part in enumerate(parts):
        sizes.setdefault(part.patch.shape[:2], []).append(nth)
    for (height, width), own in sizes.items():
        grounds = np.array([parts[nth].ground for nth in own])
        ways = np.array([parts[nth].ink for nth in own]) - grounds
        ways /= np.maximum(1.0, np.linalg.norm(ways, axis=1))[:, None]
        least = np.minimum(0.0, ((usual - grounds) * ways).sum(axis=1)) - BEYOND_LEVELS
        patches = np.stack([parts[nth].patch for nth in own])
        along = np.einsum("nyxc,nc->nyx", patches, ways) - (grounds * ways).sum(axis=1)[:, None, None]
        left, top, right, bottom = np.array([parts[nth].box for nth in own]).T[:, :, None]
        y, x = np.arange(height), np.arange(width)
        rows = (y >= np.round(top * height) - 1) & (y <= np.round(bottom * height))
        cols = (x >= np.round(left * width) - 1) & (x <= np.round(right * width))
        far = (along < least[:, None, None]) & rows[:, :, None] & cols[:, None, :]
        counts[own] = np.count_nonzero(far, axis=(1, 2))
    return counts


def _told(
    place: Any, away: Sequence[tuple[Look, float]], number: Number | None, clues: dict[Place, str] | None
) -> Mark:
    """The mark of one place, from how far it is from each look, and from the number that it may be."""
    ranked: dict[tuple[str, State], float] = {}
    printed: dict[tuple[str, State], str] = {}
    written = set[tuple[str, State]]()
    sure = 1.0
    for look, far in away:
        symbol = look.symbol
        if look.form == "number":
            if number is None or number.value is None:
                continue
            number = number if look.most is None else among(number, look.most)
            value = number.text
            symbol = look.symbol if look.clue and look.state == "placed" else value
            sure = min(sure, number.confidence) if far <= FARTHEST else sure
        key = symbol, look.state
        if look.form == "number" and symbol == value:
            written.add(key)
        if key in ranked and far >= ranked[key]:
            continue
        ranked[key] = far
        if look.clue and look.form == "number" and far < UNLIKE:
            printed[key] = value
    order = sorted(ranked, key=ranked.__getitem__)
    if not order or ranked[order[0]] > FARTHEST:
        return Mark(None, 0.0, order[0][0] if order else "")
    (symbol, state), nearest = order[0], ranked[order[0]]
    runner_up, second = (order[1][0], ranked[order[1]]) if len(order) > 1 else ("", UNLIKE)
    confidence = min(1.0, 0.5 + 0.5 * (second - nearest) / SURE_MARGIN)
    if symbol.isdigit() or (symbol, state) in written | printed.keys():
        confidence = min(confidence, sure)
    if clues is not None and (symbol, state) in printed and confidence >= LEAST_CONFIDENCE:
        clues[place] = printed[symbol, state]
    told = symbol if confidence >= LEAST_CONFIDENCE else None
    return Mark(told, confidence, runner_up if told is not None else symbol, state)


class Many:
    """What is measured of n parts, one array for each thing; px: one of the picture as a share of the part."""

    def __init__(self, every: Sequence[Part]) -> None:
        self.ground = np.array([part.ground for part in every]).reshape(-1, 3)
        self.ink = np.array([part.ink for part in every]).reshape(-1, 3)
        self.share = np.array([part.share for part in every])
        self.box = np.array([part.box for part in every]).reshape(-1, 4)
        self.tallest = np.array([part.tallest for part in every])
        self.framed = np.array([part.framed for part in every], np.bool_)
        self.frame = np.array([part.frame for part in every]).reshape(-1, 3)
        self.middle = np.array([part.middle for part in every]).reshape(-1, 2)
        self.px = 1.0 / np.array([part.patch.shape[1::-1] for part in every]).reshape(-1, 2)
        self.shape = np.array([part.shape for part in every]).reshape(-1, SHAPE, SHAPE)


def distances(many: Many, look: Look) -> npt.NDArray[np.float64]:
    """(n,) how far each cell is from a look: 0 exactly like it, above FARTHEST not like it."""
    away = colours_away(many.ground, look.ground)
    nothing = many.share < LEAST_DRAWN
    if look.form == "nothing":
        away = np.where(nothing, away, np.maximum(away, 1.0 + many.share))
    else:
        wide, high = many.box[:, 2] - many.box[:, 0], many.box[:, 3] - many.box[:, 1]
        size = np.maximum(wide, high)
        beyond = np.maximum(look.size[0] - size, size - look.size[1])
        away = np.maximum(away, np.where(beyond > 0, 0.8 + beyond * 10, 0.0))
        away = np.maximum(away, _ink_away(many, look.ink))
        other = nothing | (many.tallest < look.tall[0]) | (many.tallest > look.tall[1])
        if look.drawing:
            pattern = np.reshape(look.drawing, (SHAPE, SHAPE)).astype(np.float32)
        elif look.form not in ("anything", "number"):
            pattern = _pattern(look.form)
            other |= _like_another(many, look.form, np.maximum(wide, high) >= SHAPE * many.px.max(axis=1))
            other |= (look.form != "minus") & (size > TOO_LARGE * np.minimum(wide, high))
        else:
            pattern = None
        if pattern is not None:
            drawn = many.shape
            if look.form in STROKES:
                # A line of one px is nowhere as wide as what is compared.
                drawn = drawn / np.maximum(drawn.max(axis=(1, 2), keepdims=True), np.finfo(np.float32).tiny)
            away = np.maximum(away, np.abs(drawn - pattern).mean(axis=(1, 2)) / SHAPES)
        away = np.where(other, UNLIKE, away)
    if look.frame:
        away = np.maximum(away, colours_away(many.frame, look.frame))
    if look.framed is not None:
        away = np.where(many.framed == look.framed, away, UNLIKE)
    return np.asarray(away, np.float64)


def _ink_away(many: Many, wanted: Sequence[str]) -> npt.NDArray[np.float64]:
    """(n,) how far the colours of drawings are from the nearest of several; small ones are nowhere quite their colour."""
    away = colours_away(many.ink, wanted)
    small = many.tallest < SMALL_PX * many.px[:, 1]
    if wanted and small.any():
        fuller = many.ink[small] + PALE * (many.ink[small] - many.ground[small])
        away[small] = np.minimum(away[small], colours_away(fuller, wanted))
    return away


def _like_another(many: Many, form: Form, large: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """(n,) which drawings, if they are large enough to have a form, are more like another filled form than like this one."""
    found = np.zeros(len(many.share), np.bool_)
    if form in (*FILLED, *CROWNED) and large.any():
        shapes = many.shape[large]
        own = np.abs(shapes - _pattern(form)).mean(axis=(1, 2))
        others = [_pattern(one) for one in FILLED if one != form]
        nearest = np.min([np.abs(shapes - other).mean(axis=(1, 2)) for other in others], axis=0)
        found[large] = nearest < own
    return found


def colours_away(colours: npt.NDArray[np.float64], wanted: Sequence[str]) -> npt.NDArray[np.float64]:
    """(n,) the distance of colours (n, 3) to the nearest of several, in shares of what still is the same colour."""
    if not wanted:
        return np.zeros(len(colours))
    away = [np.abs(colours - bgr(one)).max(axis=1) for one in wanted]
    return np.asarray(np.min(away, axis=0) / COLOUR, np.float64)


@cache
def bgr(rgb: str) -> npt.NDArray[np.float64]:
    return np.array([int(rgb[4:], 16), int(rgb[2:4], 16), int(rgb[:2], 16)], np.float64)


@cache
def _pattern(form: Form) -> npt.NDArray[np.float32]:
    """A form that fills its box, (SHAPE, SHAPE), 0..1."""
    side = 8 * SHAPE
    canvas = np.zeros((side, side), np.uint8)
    last, thick = side - 1, side // 7
    match form:
        case "disc":
            cv2.circle(canvas, (side // 2, side // 2), side // 2, 255, -1)
        case "square" | "minus":
            canvas[:] = 255
        case "triangle":
            cv2.fillPoly(canvas, [np.array([(0, last), (last, last), (side // 2, 0)], np.int32)], 255)
        case "crown":
            cv2.fillPoly(canvas, [np.rint(last * np.array(CROWN)).astype(np.int32)], 255)
        case "queen":
            cv2.fillPoly(canvas, [np.rint(last * np.array(PIECE)).astype(np.int32)], 255)
            for x, y in BALLS:
                cv2.circle(canvas, (round(last * x), round(last * y)), round(last * BALL), 255, -1)
            canvas = np.maximum(canvas, canvas[:, ::-1])
        case "backslash":
            cv2.line(canvas, (0, 0), (last, last), 255, thick)
        case "slash":
            cv2.line(canvas, (0, last), (last, 0), 255, thick)
        case "cross":
            cv2.line(canvas, (0, 0), (last, last), 255, thick)
            cv2.line(canvas, (0, last), (last, 0), 255, thick)
        case "plus":
            canvas[side * 3 // 8 : side * 5 // 8] = 255
            canvas[:, side * 3 // 8 : side * 5 // 8] = 255
    small = cv2.resize(canvas, (SHAPE, SHAPE), interpolation=cv2.INTER_AREA)
    return np.asarray(small / 255, np.float32)
