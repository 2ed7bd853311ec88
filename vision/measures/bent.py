"""The bend of a photographed page, told by the lines on it.

A line across a flat page has one height all along, and so have its pieces. On a bent page it is the sum of their height and
of a smooth function of the place that is the same at both ends of every piece: a polynomial, which least squares find
without following any line. Pieces of writing agree with no neighbour and lose their weight.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = Callable[[Floats], Floats]

# The powers along a line and over it, of such a sum at most; what has none along it moves whole lines, which no piece of
# theirs tells.
DEGREE = 4
POWERS = tuple((along, over) for along in range(1, DEGREE + 1) for over in range(DEGREE + 1 - along))
# Where no lines are the page is flat: pieces at so many places each way together count for this share of the lines.
FLAT_AT, FLAT_SHARE = 12, 0.003
# A piece that is off by so many degrees counts for a quarter; so often are they weighed again.
OFF_DEG, ROUNDS = 0.5, 6
# Pieces agree within so many degrees. A bend is told where this share of the length of each family does, and by the second
# share more of either than before.
AGREES_DEG, LEAST_AGREE, LEAST_GAIN = 0.3, 0.4, 0.15
# A page is nowhere stretched, pressed or turned by more than this share: its lines would fold.
MOST_STRETCHED = 0.35


def flattened(level: Floats, upright: Floats, size: tuple[int, int]) -> Places | None:
    """Where (n, 2) places of a bent page are on a flat one; None where its lines are straight, or do not tell.

    level, upright: (n, 4) the ends (x, y) of straight pieces of lines. size: (width, height) of the picture, in px.
    """
    families = (upright[:, [1, 0, 3, 2]], size[::-1]), (level, size)
    bends, gains = [], []
    for lines, extent in families:
        bend, before, since = _bend(lines, extent)
        if since < max(LEAST_AGREE, before):
            return None
        bends.append(bend)
        gains.append(since - before)
    if max(gains) < LEAST_GAIN:
        return None

    def flat(places: Floats) -> Floats:
        return np.asarray(places + np.column_stack([bends[0](places[:, ::-1]), bends[1](places)]))

    return flat if _folds_nowhere(flat, size) else None


def _bend(lines: Floats, size: tuple[int, int]) -> tuple[Places, float, float]:
    """What is added to the height of places where lines run across, and the shares of them that agree before and since."""
    half = max(size) / 2
    middle = np.array(size) / 2
    one, other = ((ends - middle) / half for ends in (lines[:, :2], lines[:, 2:]))
    wide, high = middle / half
    across, down = np.meshgrid(np.linspace(-wide, wide, FLAT_AT), np.linspace(-high, high, FLAT_AT))
    beside = np.array([wide / FLAT_AT, 0.0])
    everywhere = np.column_stack([across.ravel(), down.ravel()])
    length = np.hypot(*(other - one).T)
    seen = (_powers(other) - _powers(one)) / length[:, None]
    slope = (other - one)[:, 1] / length
    page = (_powers(everywhere + beside) - _powers(everywhere - beside)) / (2 * beside[0])
    page *= np.sqrt(FLAT_SHARE * length.sum() / len(page))
    off = np.zeros(len(lines))
    for _ in range(ROUNDS):
        weight = np.sqrt(length) / (1 + (off / OFF_DEG) ** 2)
        equations = np.vstack([seen * weight[:, None], page])
        told = np.concatenate([-slope * weight, np.zeros(len(page))])
        shares = np.linalg.lstsq(equations, told, rcond=None)[0]
        off = np.degrees(np.abs(seen @ shares + slope))
    before, since = (
        float(length[each <= AGREES_DEG].sum() / length.sum()) for each in (np.degrees(np.abs(slope)), off)
    )
    return lambda places: np.asarray(half * _powers((places - middle) / half) @ shares), before, since


def _powers(places: Floats) -> Floats:
    """(n, POWERS) of places in halves of the longer side from the middle."""
    x, y = places.T
    return np.stack([x**along * y**over for along, over in POWERS], axis=-1)


def _folds_nowhere(flat: Places, size: tuple[int, int]) -> bool:
    """Whether neighbours stay neighbours, about as far from each other, all over the picture."""
    across, down = np.meshgrid(*(np.linspace(0, side, FLAT_AT + 1) for side in size))
    moved = flat(np.column_stack([across.ravel(), down.ravel()])).reshape(*across.shape, 2)
    steps = np.array(size) / FLAT_AT
    changes = (
        np.diff(moved, axis=1) / steps[0] - (1, 0),
        np.diff(moved, axis=0) / steps[1] - (0, 1),
    )
    return all(np.abs(change).max() <= MOST_STRETCHED for change in changes)
