"""How much of a cell's outline is in a patch: fitted by least squares, edge by edge, away from the middle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.match import Floats, product
from vision.readers.thaumcraft.icons import PER_GUI, SIDE

# A rune lies where there is no cell.
RUNE_OUTLINE = 0.2
_OUTLINE_LIKENESS = 0.3
# Most edges must show it, since a neighbour's icon may brighten one or two.
_HOVER_EDGES = 0.3
# An edge of which an icon leaves less than this share is not fitted; one begins so far from the middle.
_SEEN, _MIDDLE_GUI = 0.06, 5.5


def fit_outline(left_over: Floats, covered: Floats, dark: Floats, hover: Floats) -> tuple[float, float]:
    """How much of the outline is in a patch, and of the hovered one (1 is all of it).

    Each of the six edges is fitted alone and the median edge counts, so that a link line or a neighbour's icon
    does no harm. covered: (32, 32, 1) alpha of the icon on top. (nan, 0) when the icon hides too much.
    """
    seen = (1 - covered[:, :, :1]).reshape(-1, 1)
    parts = np.concatenate([dark, hover], axis=2).reshape(-1, 6)
    weights = _EDGES * (seen[:, 0] ** 2)
    total = np.maximum(weights.sum(axis=1, keepdims=True), 1e-6)
    left, visible = left_over.reshape(-1, 3), parts * seen
    twice = np.tile(left, 2)
    # Over each edge, and all in one product.
    columns = np.concatenate([visible, visible**2, twice, twice * visible, left**2, parts**2], axis=1)
    weighed = np.split(weights @ columns[:, :27], [6, 12, 18, 24], axis=1)
    of_parts, of_squares, of_left, of_both, of_left_squares = weighed
    mean = of_parts / total
    energy = (of_squares - total * mean**2).reshape(-1, 2, 3).sum(axis=2)
    common = (of_both - of_left * mean).reshape(-1, 2, 3).sum(axis=2)
    whole = (_EDGES @ columns[:, 27:]).reshape(-1, 2, 3).sum(axis=2)
    clear = (energy > _SEEN * whole) & (whole > 0)
    amounts = common / np.maximum(energy, 1e-6)
    outlines, hovers = amounts[clear[:, 0], 0], amounts[clear[:, 1], 1]
    if len(outlines) < 2:
        return float("nan"), 0.0
    outline = float(np.median(outlines))
    rest = of_left_squares.sum() - (of_left[:, :3] ** 2 / total).sum()
    alike = float(common[:, 0].sum()) / max(float(np.sqrt(energy[:, 0].sum() * max(float(rest), 1e-6))), 1e-6)
    if outline > RUNE_OUTLINE and alike < _OUTLINE_LIKENESS:
        # What the icon leaves there is more like its own blurred edges.
        outline = float("nan")
    return outline, float(_few(hovers)) if len(hovers) else 0.0


def edges_of(dark: Floats, hover: Floats) -> Floats:
    """(12, 3072) what tells, as a product with a patch, how much it has of each edge of an outline, and of a hovered one."""
    rows = []
    for part in (dark, hover):
        for edge in _EDGES:
            weight = edge.reshape(SIDE, SIDE, 1)
            centred = (part - (part * weight).sum(axis=(0, 1)) / float(weight.sum())) * weight
            rows.append((centred / max(float((centred * part).sum()), 1e-6)).reshape(-1))
    return np.stack(rows).astype(np.float32)


def fit_outlines(inner: Floats, edges: Floats) -> npt.NDArray[np.float64]:
    """`fit_outline` of many patches with nothing on top, (N, 2), in one product of matrices. edges: see `edges_of`."""
    amounts = product(inner.reshape(len(inner), -1), edges)
    outlines, hovers = np.median(amounts[:, :6], axis=1), _few(amounts[:, 6:])
    return np.stack([outlines, hovers], axis=1).astype(np.float64)


def _few(hovers: Floats) -> Floats:
    """What all but a few edges, the last axis, show at least: a quantile, without the cost of `np.quantile`."""
    rows = np.sort(hovers, axis=-1)
    place = _HOVER_EDGES * (rows.shape[-1] - 1)
    low, part = int(place), place % 1
    high = min(low + 1, rows.shape[-1] - 1)
    return np.asarray(rows[..., low] * (1 - part) + rows[..., high] * part, np.float32)


def _edges() -> Floats:
    """(6, 1024) masks of the six edges of a flat-top hexagon, without its middle."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
    away = (x**2 + y**2) > (_MIDDLE_GUI * PER_GUI) ** 2
    sector = np.floor(np.degrees(np.arctan2(y, x)) / 60).astype(np.int64) % 6
    return np.stack([(away & (sector == k)).reshape(-1) for k in range(6)]).astype(np.float32)


_EDGES = _edges()
