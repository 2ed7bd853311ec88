"""Animated GIFs of flat pictures: every picture holds only what changed, in exact colours.

OpenCV's own encoder writes whole pictures with dithered colours, ten times as large. The format is GIF89a
(CompuServe 1990); its compression is LZW (Welch, "A technique for high-performance data compression", 1984).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.frame import Pixels

# One entry of the table of colours means "as before".
MOST_COLOURS = 255
MOST_CODES = 4096
CODE_BITS = 8
KEEP_BELOW = 1

Indices = npt.NDArray[np.uint8]
Packed = npt.NDArray[np.uint32]


def encode(pictures: Sequence[Pixels], lasting_s: Sequence[float]) -> bytes:
    """A GIF that repeats for ever. pictures: all of one shape (H, W, 3), uint8 BGR."""
    height, width = pictures[0].shape[:2]
    packed = [_pack(pixels) for pixels in pictures]
    table = _table(packed)
    transparent = len(table)
    colours = np.zeros((256, 3), np.uint8)
    colours[: len(table)] = _parts(table)
    parts = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF7, 0, 0), colours.tobytes()]
    parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    before: Packed | None = None
    for picture, seconds in zip(packed, lasting_s, strict=True):
        changed = np.ones(picture.shape, bool) if before is None else picture != before
        rows, cols = np.flatnonzero(changed.any(1)), np.flatnonzero(changed.any(0))
        # A picture like the one before still takes its time: one pixel of it is sent.
        top, bottom = (int(rows[0]), int(rows[-1]) + 1) if rows.size else (0, 1)
        left, right = (int(cols[0]), int(cols[-1]) + 1) if cols.size else (0, 1)
        inside = np.s_[top:bottom, left:right]
        indices = np.where(changed[inside], _indices(picture[inside], table), transparent).astype(np.uint8)
        hundredths = max(2, round(100 * seconds))
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, KEEP_BELOW << 2 | 1, hundredths, transparent, 0))
        parts.append(struct.pack("<BHHHHBB", 0x2C, left, top, right - left, bottom - top, 0, CODE_BITS))
        parts.append(_blocks(compress(indices.tobytes())))
        before = picture
    return b"".join([*parts, b"\x3b"])


def _pack(pixels: Pixels) -> Packed:
    """Red, green and blue of every px in one number."""
    wide = pixels.astype(np.uint32)
    packed = wide[..., 2] << 16 | wide[..., 1] << 8 | wide[..., 0]
    return packed.astype(np.uint32)


def _table(pictures: Sequence[Packed]) -> Packed:
    """The colours to use, sorted: all there are, or the most frequent ones."""
    counts: dict[int, int] = {}
    for picture in pictures:
        for colour, times in zip(*np.unique(picture, return_counts=True), strict=True):
            counts[int(colour)] = counts.get(int(colour), 0) + int(times)
    most = sorted(counts, key=lambda colour: (-counts[colour], colour))[:MOST_COLOURS]
    table: Packed = np.array(sorted(most), np.uint32)
    return table


def _indices(picture: Packed, table: Packed) -> Indices:
    """The place in the table of every colour, or of the nearest one that is there."""
    colours, inverse = np.unique(picture, return_inverse=True)
    known = _parts(table)
    nearest = np.array([((known - part) ** 2).sum(1).argmin() for part in _parts(colours)], np.uint8)
    found: Indices = nearest[inverse].reshape(picture.shape)
    return found


def _parts(packed: Packed) -> npt.NDArray[np.int32]:
    """(N,) packed colours as (N, 3) red, green, blue."""
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=1).astype(np.int32)


def compress(data: bytes) -> bytes:
    """LZW with codes of 9 to 12 bits, as GIF wants them.

    >>> compress(bytes([1, 1, 1, 1])).hex()
    '0003080c1010'
    """
    clear, end = 256, 257
    out = bytearray()
    buffer, bits, size = clear, CODE_BITS + 1, CODE_BITS + 1
    codes: dict[int, int] = {}
    prefix = data[0]
    for byte in data[1:]:
        key = prefix << 8 | byte
        code = codes.get(key)
        if code is not None:
            prefix = code
            continue
        buffer |= prefix << bits
        bits += size
        while bits >= 8:
            out.append(buffer & 255)
            buffer >>= 8
            bits -= 8
        new = len(codes) + 258
        if new < MOST_CODES:
            codes[key] = new
            if new == 1 << size:
                size += 1
        else:
            buffer |= clear << bits
            bits += size
            codes, size = {}, CODE_BITS + 1
        prefix = byte
    buffer |= prefix << bits
    bits += size
    # The reader enters one more code than we did, and may need one more bit for the last word.
    if len(codes) + 258 == 1 << size and size < 12:
        size += 1
    buffer |= end << bits
    bits += size
    out += buffer.to_bytes(-(-bits // 8), "little")
    return bytes(out)


def _blocks(data: bytes) -> bytes:
    """Data in blocks of at most 255 bytes, each after its length, and an empty one."""
    blocks = [data[start : start + 255] for start in range(0, len(data), 255)]
    return b"".join(bytes((len(block),)) + block for block in blocks) + b"\x00"
