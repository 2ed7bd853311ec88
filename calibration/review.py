"""Which symbols of a profile look alike, so that people know where a reading could go wrong."""

from __future__ import annotations

import cv2
import numpy as np

from vision.profile import Profile

_SIDE = 16


def look_alikes(
    profile: Profile, most: int = 5, folder: str = "aspects/"
) -> tuple[tuple[str, str, float], ...]:
    """The pairs of symbols that are most alike, worst first: (symbol, symbol, likeness up to 1).

    Likeness is the correlation of the icons drawn on a mid grey at half their size, in colour.
    """
    names = sorted(name for name in profile.templates if name.startswith(folder))
    if len(names) < 2:
        return ()
    rows = []
    for name in names:
        icon = profile.templates[name]
        alpha = icon.alpha[:, :, None].astype(np.float32) / 255
        drawn = icon.pixels.astype(np.float32) * alpha + 128 * (1 - alpha)
        small = cv2.resize(drawn, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).reshape(-1) - 128
        rows.append(small / max(float(np.linalg.norm(small)), 1e-6))
    matrix = np.stack(rows)
    alike = matrix @ matrix.T
    first, second = np.triu_indices(len(names), 1)
    order = np.argsort(-alike[first, second])[:most]
    return tuple(
        (names[i].removeprefix(folder), names[j].removeprefix(folder), float(alike[i, j]))
        for i, j in zip(first[order], second[order], strict=True)
    )
