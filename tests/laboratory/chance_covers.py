"""Pictures of nonograms of which something is out of sight by chance: under a box or the pointer, or cut off at a side.

`uv run python -m tests.laboratory.chance_covers FOLDER FIRST END` reads every picture in a folder and below on which a board
with one solution is read, takes something of its clues away with these seeds, and names what is told otherwise then. Over
cells nothing is laid: a box in the very colour of a filled cell cannot be told from one.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from solver.nonogram import Nonogram, Picture
from tests.laboratory.chance import draw_pointer, judged
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.nonogram.board import read
from vision.readers.nonogram.corrections import witness_of
from vision.reading import Reading

PROFILE = Profile("nonogram", "default")
WAYS = "box", "pointer", "cut"
# A box is from so small to so large, and the clues reach so far from the cells, in cells.
BOX, CLUES = (0.3, 2.0), 4
PICTURES = ".png", ".jpg", ".jpeg", ".webp"


def board_on(pixels: Pixels) -> Reading[Nonogram, Picture] | None:
    """The board on a picture where it has one solution, which no filled cell contradicts; None where none is read so."""
    try:
        reading = read(Frame(pixels), PROFILE)
    except VisionError:
        return None
    witness, unique = witness_of(reading.puzzle)
    return reading if unique and not reading.placed.filled & witness.blank else None


def partly_hidden(pixels: Pixels, whole: Reading[Nonogram, Picture], way: str, seed: str) -> Pixels:
    """The picture with a part of the board's clues out of sight: see WAYS."""
    rng, page = random.Random(seed), pixels.copy()
    pitch, (high, wide) = whole.geometry.pitch_px, pixels.shape[:2]
    xs, ys = (sorted(place[axis] for place in whole.geometry.centres.values()) for axis in (0, 1))
    left, top, right, bottom = (
        int(edge) for edge in (xs[0] - pitch / 2, ys[0] - pitch / 2, xs[-1] + pitch / 2, ys[-1] + pitch / 2)
    )
    if way == "cut":
        after, level = rng.random() < 0.5, rng.random() < 0.5
        low, end = (
            (left if level else top, wide if level else high) if after else (0, right if level else bottom)
        )
        at = rng.randint(min(max(low, 1), end), end)
        kept = slice(None, at) if after else slice(at, None)
        return np.ascontiguousarray(page[:, kept] if level else page[kept])
    beside = rng.random() < 0.5
    x = rng.randint(max(left - int(CLUES * pitch), 0), max(left if beside else right, 1))
    y = rng.randint(max(top - int(CLUES * pitch), 0), max(bottom if beside else top, 1))
    if way == "pointer":
        draw_pointer(page, (x, y))
        return page
    colours = [
        pixels[min(y, high - 1), min(x, wide - 1)].tolist(),
        [0] * 3,
        [255] * 3,
        [rng.randrange(256) for _ in range(3)],
    ]
    across, down = (max(round(rng.uniform(*BOX) * pitch), 2) for _ in range(2))
    # Up to the cells, and no farther.
    ends = (min(x + across, left), y + down) if beside else (x + across, min(y + down, top))
    cv2.rectangle(page, (x, y), ends, rng.choice(colours), -1)
    return page


def main(folder: str, first: str, end: str) -> None:
    found: Counter[tuple[str, str]] = Counter()
    for path in sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in PICTURES):
        pixels = cv2.imread(str(path))
        if pixels is None or (whole := board_on(np.asarray(pixels, np.uint8))) is None:
            continue
        for seed in range(int(first), int(end)):
            for way in WAYS:
                page = partly_hidden(np.asarray(pixels, np.uint8), whole, way, f"{path.name} {seed}")
                outcome = judged(page, whole.puzzle, whole.placed)
                found[way, outcome] += 1
                if outcome == "wrong":
                    print(path.name, way, seed, flush=True)
    print({f"{way} {outcome}": count for (way, outcome), count in sorted(found.items())})


if __name__ == "__main__":
    main(*sys.argv[1:])
