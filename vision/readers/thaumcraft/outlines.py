"""How much of a cell's outline is in a patch: fitted by least squares, edge by edge, away from the middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.grids import quantiles
from vision.match import Floats, product
from vision.readers.thaumcraft.icons import PER_GUI, SIDE

# A rune lies where there is no cell.
RUNE_OUTLINE = 0.2
_OUTLINE_LIKENESS = 0.3
# As much as the middle one of the edges counts; most must show a hovered one, since a neighbour's icon may brighten one or two.
_HALF, _HOVER_EDGES = 0.5, 0.3
# An edge of which an icon leaves less than this share is not fitted; one begins so far from the middle.
_SEEN, _MIDDLE_GUI = 0.06, 5.5
# So many edges must be seen.
_LEAST_EDGES = 2


@dataclass(frozen=True, eq=False)
class Edges:
    """What the six edges of a cell add to a patch, as far as they are seen.

    rows: (12, 3072) what tells, as a product with a patch, how much it has of each edge, then of each hovered one.
    weights: (6, 1024) of the px of each edge; energy: (6, 2) how much of each, and of each hovered one, is seen; clear: (6, 2)
    whether that is enough.
    """

    rows: Floats
    weights: Floats
    energy: Floats
    clear: npt.NDArray[np.bool_]

    def fit(self, patches: Floats) -> npt.NDArray[np.float64]:
        """(N, 2) how much of the outline is in each patch, and of the hovered one: 1 is all of it, nan hidden.

        Each edge is fitted alone and the median edge counts, so that a link line or a neighbour's icon does no harm.
        """
        return self._told(product(patches.reshape(len(patches), -1), self.rows))

    def _told(self, amounts: Floats) -> npt.NDArray[np.float64]:
        """`fit`, from how much there is of each edge, and of each hovered one (N, 12)."""
        outlines, hovers = (amounts[:, 6 * part : 6 * part + 6][:, self.clear[:, part]] for part in range(2))
        found = np.full((len(amounts), 2), (np.nan, 0.0))
        if outlines.shape[1] >= _LEAST_EDGES:
            found[:, 0] = quantiles(outlines, _HALF)
            found[:, 1] = quantiles(hovers, _HOVER_EDGES) if hovers.shape[1] else 0.0
        return found

    def fit_behind(self, patch: Floats) -> tuple[float, float]:
        """`fit` of what an icon leaves of a patch, which may be more like the icon's own blurred edges."""
        amounts = product(patch.reshape(1, -1), self.rows)
        outline, hover = self._told(amounts)[0].tolist()
        if outline > RUNE_OUTLINE:
            left, total = patch.reshape(-1, 3), np.maximum(self.weights.sum(axis=1, keepdims=True), 1e-6)
            spread = float((self.weights @ left**2 - (self.weights @ left) ** 2 / total).sum())
            own = self.energy[:, 0]
            common = float((amounts[0, :6] * own).sum())
            if common < _OUTLINE_LIKENESS * np.sqrt(max(float(own.sum()) * spread, 1e-12)):
                outline = float("nan")
        return outline, hover


def edges_of(dark: Floats, hover: Floats, covered: Floats | None = None) -> Edges:
    """Those of a cell. covered: (32, 32, 1) alpha of the icon on top."""
    parts = np.concatenate([dark, hover], axis=2).reshape(-1, 6)
    seen = np.ones((len(parts), 1), np.float32) if covered is None else (1 - covered).reshape(-1, 1)
    weights, visible = _EDGES * seen[:, 0] ** 2, parts * seen
    mean = weights @ visible / np.maximum(weights.sum(axis=1, keepdims=True), 1e-6)
    centred = (visible - mean[:, None]) * weights[:, :, None]
    energy, whole = (
        each.reshape(6, 2, 3).sum(axis=2) for each in ((centred * visible).sum(axis=1), _EDGES @ parts**2)
    )
    rows = centred.reshape(6, -1, 2, 3) / np.maximum(energy, 1e-6)[:, None, :, None]
    clear = (energy > _SEEN * whole) & (whole > 0)
    return Edges(rows.transpose(2, 0, 1, 3).reshape(12, -1).astype(np.float32), weights, energy, clear)


def _edges() -> Floats:
    """(6, 1024) masks of the six edges of a flat-top hexagon, without its middle."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
    away = (x**2 + y**2) > (_MIDDLE_GUI * PER_GUI) ** 2
    sector = np.floor(np.degrees(np.arctan2(y, x)) / 60).astype(np.int64) % 6
    return np.stack([(away & (sector == k)).reshape(-1) for k in range(6)]).astype(np.float32)


_EDGES = _edges()
