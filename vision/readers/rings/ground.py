"""What is written or drawn: how far every pixel is from the ground it stands on.

Rings may be filled, and where filled rings overlap the colours mix. So every part of the plane that lies in the same
rings has a ground of its own: the most common colour beside its lines - digits and boxes stand in its middle - unless
the ground of the picture shows through there.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest
from vision.frame import Box, Pixels
from vision.readers.rings.figure import Circle

Gray = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

# Colours are looked up on a picture thinned out to at most this size.
SAMPLED_PX = 900
# A part where this share is the ground of the picture is not filled: boxes and digits may cover the most of it.
UNFILLED = 0.2
# Colours nearer than this, 0..255, are one.
ALIKE = 7.0
# Sides of what is painted over a line, for a number: in px and in radii.
LEAST_PATCH_PX, MOST_PATCH = 4, 0.9
# So far beside a line, in radii, there is ground.
BESIDE = 0.07


def ink_over(pixels: Pixels, circles: Sequence[Circle], line_px: float) -> Gray:
    """How far every pixel is from its ground, (H, W), 0..255.

    pixels: (H, W, 3) uint8, BGR; line_px: how wide the lines of the rings are.
    """
    step = max(1, -(-max(pixels.shape[:2]) // SAMPLED_PX))
    sample = np.ascontiguousarray(pixels[::step, ::step])
    labels, covers = _parts(sample.shape[:2], circles, step)
    grounds = _grounds(sample, labels, len(covers), _beside_lines(labels, circles, step, line_px))
    outside = grounds[0]
    if (np.abs(grounds - outside) <= ALIKE).all():
        return strongest(np.abs(pixels.astype(np.float32) - outside))
    ground_of = dict(zip(covers, grounds, strict=True))
    labels, covers = _parts(pixels.shape[:2], circles, 1)
    # Slivers between the samples have no ground of their own.
    grounds = np.stack([ground_of.get(rings, outside) for rings in covers])
    under = grounds[labels]
    bare = strongest(np.abs(pixels.astype(np.float32) - outside)) <= ALIKE
    filled = strongest(np.abs(grounds - outside)) > ALIKE
    for box in _patches(bare & filled[labels], circles):
        under[box.top : box.top + box.height, box.left : box.left + box.width] = outside
    return strongest(np.abs(pixels.astype(np.float32) - under))


def _patches(bare: Mask, circles: Sequence[Circle]) -> list[Box]:
    """Rectangles painted over the line of a filled ring, for its target. bare: the picture's ground on filled parts."""
    most = MOST_PATCH * min(c.radius for c in circles)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(bare.astype(np.uint8), connectivity=4)
    found = []
    for i in range(1, count):
        box = Box(*(int(value) for value in stats[i, :4]))
        if min(box.width, box.height) < LEAST_PATCH_PX or max(box.width, box.height) > most:
            continue
        rows, columns = np.nonzero(
            labels[box.top : box.top + box.height, box.left : box.left + box.width] == i
        )
        xs, ys = columns + box.left + 0.5, rows + box.top + 0.5
        if any(float(np.abs(np.hypot(xs - c.x, ys - c.y) - c.radius).min()) < 1.0 for c in circles):
            found.append(box)
    return found


def _parts(
    shape: tuple[int, ...], circles: Sequence[Circle], step: int
) -> tuple[Labels, list[tuple[int, ...]]]:
    """(H, W) a number for every set of rings that a pixel lies in, 0 for none; and the rings of every number.

    step: px of the frame between two samples.
    """
    labels = np.zeros(shape[:2], np.int32)
    covers: list[tuple[int, ...]] = [()]
    for i, c in enumerate(circles):
        x0, x1 = (int(np.clip((c.x + s * c.radius) / step + s, 0, shape[1])) for s in (-1, 1))
        y0, y1 = (int(np.clip((c.y + s * c.radius) / step + s, 0, shape[0])) for s in (-1, 1))
        if x1 <= x0 or y1 <= y0:
            continue
        window = labels[y0:y1, x0:x1]
        xs = ((np.arange(x0, x1) + 0.5) * step - c.x).astype(np.float32)
        ys = ((np.arange(y0, y1) + 0.5) * step - c.y).astype(np.float32)
        inside = (xs**2)[None, :] + (ys**2)[:, None] < c.radius**2
        seen = np.flatnonzero(np.bincount(window[inside], minlength=1))
        renamed = np.zeros(len(covers), np.int32)
        renamed[seen] = np.arange(len(covers), len(covers) + len(seen))
        window[inside] = renamed[window[inside]]
        covers += [(*covers[old], i) for old in seen.tolist()]
    return labels, covers


def _beside_lines(labels: Labels, circles: Sequence[Circle], step: int, line_px: float) -> Mask:
    """(H, W) where the ground of a part is to be seen: near its lines and off them, outside the rings anywhere."""
    away = np.full(labels.shape, np.inf, np.float32)
    for c in circles:
        reach = c.radius + line_px + BESIDE * c.radius
        x0, x1 = (int(np.clip((c.x + s * reach) / step, 0, labels.shape[1])) for s in (-1, 1))
        y0, y1 = (int(np.clip((c.y + s * reach) / step, 0, labels.shape[0])) for s in (-1, 1))
        xs = ((np.arange(x0, x1) + 0.5) * step - c.x).astype(np.float32)
        ys = ((np.arange(y0, y1) + 0.5) * step - c.y).astype(np.float32)
        gap = np.abs(np.hypot(xs[None, :], ys[:, None]) - c.radius)
        window = away[y0:y1, x0:x1]
        np.minimum(window, gap, out=window)
    off = line_px / 2 + 1.5
    radius = min((c.radius for c in circles), default=0.0)
    near = (away > off) & (away < off + max(2.0 * step, BESIDE * radius))
    return np.asarray((labels == 0) | near)


def _grounds(sample: Pixels, labels: Labels, count: int, seen: Mask) -> Gray:
    """(parts, 3) the most common colour of every part, where it is to be seen."""
    high = (sample >> 4).astype(np.int64)
    keys = labels.astype(np.int64) << 12 | high[..., 0] << 8 | high[..., 1] << 4 | high[..., 2]
    common = np.bincount(keys[seen], minlength=count << 12).reshape(count, 4096).argmax(axis=1)
    usual = ((keys & 4095) == common[labels]) & seen
    times = np.maximum(np.bincount(labels[usual], minlength=count), 1)
    colours = np.stack(
        [np.bincount(labels[usual], sample[..., i][usual], minlength=count) / times for i in range(3)], axis=1
    ).astype(np.float32)
    bare = strongest(np.abs(sample.astype(np.float32) - colours[0])) <= ALIKE
    sizes = np.maximum(np.bincount(labels.ravel(), minlength=count), 1)
    unfilled = np.bincount(labels[bare], minlength=count) / sizes >= UNFILLED
    colours[unfilled] = colours[0]
    return colours
