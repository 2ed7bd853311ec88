"""Template matching in batches: many patches against many templates in a few matrix products."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

# Below about this many multiplications BLAS stays on the calling thread. Waking others costs a reading more
# than they save, and on a busy machine many times more.
_ONE_THREAD = 1 << 18
_COLUMNS = 40


def likeness(patches: Floats, templates: Floats, weights: Floats, *, centred: bool) -> Floats:
    """How alike each patch and each template are: (N, M), cosine up to 1.

    patches: (N, H, W, C); templates: (M, H, W, C); weights: (H, W), 0 where nothing should count.
    centred: take the mean of each channel off first, so that shade and tint of the light do not matter.
    """
    return product(
        unit_rows(patches, weights, centred=centred), unit_rows(templates, weights, centred=centred)
    )


def product(rows: Floats, columns: Floats) -> Floats:
    """Scalar product of each of (N, K) with each of (M, K): (N, M), on the calling thread alone."""
    count, length = rows.shape
    result = np.empty((count, len(columns)), np.float32)
    step = max(1, _ONE_THREAD // (length * min(_COLUMNS, max(1, len(columns)))))
    for i in range(0, count, step):
        for j in range(0, len(columns), _COLUMNS):
            result[i : i + step, j : j + _COLUMNS] = rows[i : i + step] @ columns[j : j + _COLUMNS].T
    return result


def unit_rows(images: Floats, weights: Floats, *, centred: bool) -> Floats:
    """Each image as a row of length 1: the product of two such rows is what `likeness` says of them."""
    weight = np.sqrt(weights.astype(np.float32))[:, :, None]
    if centred:
        total = max(float((weight**2).sum()), 1e-6)
        mean = (images * weight**2).sum(axis=(1, 2), keepdims=True) / total
        images = images - mean
    rows = (images * weight).reshape(len(images), -1)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(length, 1e-6), np.float32)


def best_two(scores: npt.NDArray[np.floating]) -> tuple[int, int, float]:
    """Index of the best score, of the second best, and the margin; one score is its own second."""
    if len(scores) == 1:
        return 0, 0, float(scores[0])
    second, first = (int(i) for i in np.argpartition(scores, -2)[-2:])
    return first, second, float(scores[first] - scores[second])
