"""Labelled pictures spoilt by chance: other sizes, blur, sharpening, colours, veils, grain and lossy files, mixed.

`uv run python -m tests.laboratory.chance_spoils FOLDER FIRST END` reads every labelled picture in a folder and below, spoilt
with these seeds, and names what is told wrong. Nothing takes away what a picture tells, as grey or few colours would.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from bot.scorecard import score_of
from bot.scorecard.spoil import Spoil, as_jpeg, brightened, grainy
from bot.scorecard.truth import labelled
from calibration import store
from vision.frame import Pixels

SIZES, WAYS = (
    (0.5, 1.9),
    (cv2.INTER_NEAREST, cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4),
)
SHARPENED_PX = 1.2


def chance_spoil(seed: str) -> tuple[str, Spoil]:
    """What happens to a picture, in words, and the way to do it; the same at all times."""
    steps = list(_steps(random.Random(seed)))

    def change(pixels: Pixels) -> Pixels:
        for _, step in steps:
            pixels = step(pixels)
        return pixels

    return ", ".join(name for name, _ in steps) or "nothing", change


def _steps(rng: random.Random) -> Iterator[tuple[str, Spoil]]:
    if rng.random() < 0.6:
        size, how = rng.uniform(*SIZES), rng.choice(WAYS)
        across = size * rng.uniform(0.96, 1.04) if rng.random() < 0.2 else size
        yield f"size {size:.2f} x {across:.2f} ({how})", _resized(size, across, how)
    if rng.random() < 0.25:
        blur = rng.uniform(0.4, 1.3)
        yield f"blur {blur:.2f}", lambda pixels: _blurred(pixels, blur)
    if rng.random() < 0.25:
        more = rng.uniform(0.3, 1.2)
        yield f"sharpened {more:.2f}", lambda pixels: _sharpened(pixels, more)
    if rng.random() < 0.3:
        gamma = rng.uniform(0.6, 1.6)
        yield f"gamma {gamma:.2f}", brightened(gamma)
    if rng.random() < 0.15:
        left, shade = rng.uniform(0.35, 0.8), rng.choice((0, 255))
        yield f"veil {left:.2f} {shade}", lambda pixels: _veiled(pixels, left, shade)
    if rng.random() < 0.08:
        yield "inverted", lambda pixels: np.asarray(255 - pixels, np.uint8)
    if rng.random() < 0.15:
        sigma = rng.uniform(2, 10)
        yield f"noise {sigma:.1f}", grainy(sigma)
    if rng.random() < 0.4:
        quality = rng.randrange(35, 95)
        yield f"jpeg {quality}", as_jpeg(quality)
    if rng.random() < 0.25:
        edges, colour = [rng.randrange(60) for _ in range(4)], [rng.randrange(256) for _ in range(3)]
        yield f"edges {edges} {colour}", lambda pixels: _edged(pixels, edges, colour)


def _resized(down: float, across: float, how: int) -> Spoil:
    return lambda pixels: np.asarray(
        cv2.resize(pixels, None, fx=across, fy=down, interpolation=how), np.uint8
    )


def _blurred(pixels: Pixels, sigma: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma), np.uint8)


def _sharpened(pixels: Pixels, more: float) -> Pixels:
    return np.asarray(cv2.addWeighted(pixels, 1 + more, _blurred(pixels, SHARPENED_PX), -more, 0), np.uint8)


def _veiled(pixels: Pixels, left: float, shade: int) -> Pixels:
    return np.asarray(pixels * left + shade * (1 - left), np.uint8)


def _edged(pixels: Pixels, edges: list[int], colour: list[int]) -> Pixels:
    top, bottom, left, right = edges
    return np.asarray(
        cv2.copyMakeBorder(pixels, top, bottom, left, right, cv2.BORDER_CONSTANT, value=colour), np.uint8
    )


def main(folder: str, first: str, end: str) -> None:
    found: Counter[str] = Counter()
    for case in labelled(Path(folder), store.candidates):
        spoils = [(seed, *chance_spoil(f"{case.name} {seed}")) for seed in range(int(first), int(end))]
        _, *rows = score_of([case], {f"{seed}: {name}": change for seed, name, change in spoils})
        for row in rows:
            found.update({name: getattr(row, name) for name in ("right", "doubtful", "refused", "wrong")})
            if row.wrong:
                print(f"{case.name}, {row.spoil}: {'; '.join(row.wrong_items)}", flush=True)
    print(dict(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
