"""Makes vision/data/marks.npz from this machine's fonts: `python -m tests.laboratory.train_question`.

What tells a question mark from the ten digits, learned as `train_digits.py` learns the digits and from the same fonts:
nothing of a font is stored, only averages. `--samples FILE` and `--with FILE` as there, for the fonts of another OpenCV.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.laboratory.train_digits import HEIGHTS_PX, LINE_BOLD, LINE_FACES, collect, faces
from vision.digits import normalise

Picture = NDArray[np.float32]
MARK = 10
# A mark has one shape per font where a digit has ten: each is drawn so many times.
TIMES = 3
DIRECTIONS = 30
DIGIT_CENTROIDS, MARK_CENTROIDS = 32, 64


def of_font(path: Path, rng: np.random.Generator) -> Iterator[Picture]:
    from PIL import Image, ImageDraw, ImageFont

    big = Image.new("L", (480, 480), 0)
    ImageDraw.Draw(big).text((160, 120), "?", 255, font=ImageFont.truetype(str(path), 160))
    for height in HEIGHTS_PX * TIMES:
        size = round(height / 0.72)
        hinted = Image.new("L", (size * 3, size * 3), 0)
        at = (size + rng.random(), size + rng.random())
        ImageDraw.Draw(hinted).text(at, "?", 255, font=ImageFont.truetype(str(path), size))
        yield np.asarray(hinted, np.float32) / 255
        scale = height / 116 * float(rng.uniform(0.93, 1.07))
        move = np.array([[scale, 0, rng.random()], [0, scale, rng.random()]])
        blur = float(rng.uniform(0.3, 0.65)) / scale
        soft = cv2.GaussianBlur(np.asarray(big, np.float32) / 255, (0, 0), blur)
        yield cv2.warpAffine(soft, move, (int(480 * scale) + 2, int(480 * scale) + 2))


def of_line_font(face: int, rng: np.random.Generator) -> Iterator[Picture]:
    (_, unit), _ = cv2.getTextSize("0", face, 10.0, 1)
    for height in HEIGHTS_PX * TIMES:
        for bold in LINE_BOLD:
            for times in (1, 8):
                high = height * times
                image = np.zeros((3 * high, 3 * high), np.uint8)
                at = (high + int(rng.integers(8)), 2 * high + int(rng.integers(8)))
                smooth = cv2.LINE_AA if rng.random() < 0.5 else cv2.LINE_8
                thick = max(1, round(bold * high))
                cv2.putText(image, "?", at, face, 10.0 * high / unit, 255, thick, smooth)
                picture = image.astype(np.float32) / 255
                yield cv2.resize(picture, None, fx=1 / times, fy=1 / times, interpolation=cv2.INTER_AREA)


def marks(paths: list[Path], rng: np.random.Generator) -> Picture:
    rows = []
    for source in [of_font(path, rng) for path in paths] + [of_line_font(face, rng) for face in LINE_FACES]:
        for image in source:
            strength = float(rng.choice((0.6, 1.0, 1.0, 1.5)))
            rows.append(normalise((image / max(float(image.max()), 1e-6)) ** strength))
    return np.stack(rows)


def train(rows: Picture, labels: NDArray[np.int64]) -> dict[str, NDArray[np.float16]]:
    """Fisher's directions for eleven shapes, the strongest of the rest, and the centroids of each shape."""
    mean = rows.mean(axis=0)
    centred = (rows - mean).astype(np.float64)
    within = sum(np.cov(centred[labels == shape].T) for shape in range(MARK + 1)) / (MARK + 1)
    values, vectors = np.linalg.eigh(within + 0.004 * np.eye(within.shape[0]) * np.trace(within))
    white = vectors / np.sqrt(values)
    middles = np.stack([(centred[labels == shape] @ white).mean(axis=0) for shape in range(MARK + 1)])
    directions = np.linalg.svd(middles, full_matrices=False)[2][:MARK]
    rest = centred @ white
    rest -= rest @ directions.T @ directions
    more = np.linalg.svd(rest[::7], full_matrices=False)[2]
    matrix = white @ np.concatenate([directions, 0.7 * more[: DIRECTIONS - MARK]]).T
    features = (centred @ matrix).astype(np.float32)
    found = []
    for shape in range(MARK + 1):
        cv2.setRNGSeed(shape + 1)
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.01)
        count = MARK_CENTROIDS if shape == MARK else DIGIT_CENTROIDS
        own = features[labels == shape]
        found.append(cv2.kmeans(own, count, None, stop, 2, cv2.KMEANS_PP_CENTERS)[2])
    stored = {
        "mean": mean,
        "directions": matrix,
        "centroids": np.concatenate(found),
    }
    marks = np.repeat([0, 1], [MARK * DIGIT_CENTROIDS, MARK_CENTROIDS])
    return {name: values.astype(np.float16) for name, values in stored.items()} | {
        "labels": marks,
        "scale": np.float32(1),
    }


def main() -> None:
    rng = np.random.default_rng(1)
    paths = [] if "--samples" in sys.argv else faces()
    rows, labels = collect(paths, rng)
    more = marks(paths, rng)
    rows, labels = np.concatenate([rows, more]), np.concatenate([labels, np.full(len(more), MARK)])
    if "--samples" in sys.argv:
        np.savez_compressed(sys.argv[sys.argv.index("--samples") + 1], rows=rows, labels=labels)
        return
    target = Path(__file__).parents[2] / "vision" / "data" / "marks.npz"
    np.savez_compressed(target, **train(rows, labels))


if __name__ == "__main__":
    main()
