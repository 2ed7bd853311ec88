"""Pictures from anywhere: read whole, or refused with the reason."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.errors import UnreadableImage
from vision.image import PNG_SIGNATURE, decode, encode_png

RAMP = np.dstack([np.tile(np.arange(0, 240, 4, dtype=np.uint8), (40, 1))] * 3)
KINDS = (".png", ".jpg", ".webp", ".bmp")


def encoded(kind: str) -> bytes:
    done, data = cv2.imencode(kind, RAMP)
    assert done
    return bytes(data.tobytes())


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_that_we_promise_is_read(kind: str) -> None:
    pixels = decode(encoded(kind), "ramp")

    assert pixels.shape == (40, 60, 3)
    assert np.abs(pixels.astype(int) - RAMP).max() < 12


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_truncated_file_is_refused(kind: str, share: float) -> None:
    data = encoded(kind)

    with pytest.raises(UnreadableImage, match="ramp"):
        decode(data[: int(len(data) * share)], "ramp")


def test_a_png_with_a_wrong_checksum_is_refused() -> None:
    data = bytearray(encode_png(RAMP))
    data[60] ^= 1

    with pytest.raises(UnreadableImage, match="checksum"):
        decode(bytes(data), "ramp")


def test_a_picture_of_a_billion_pixels_is_refused_before_it_is_decoded() -> None:
    header = struct.pack(">IIBBBBB", 40_000, 40_000, 8, 2, 0, 0, 0)
    bomb = PNG_SIGNATURE + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", b"") + png_chunk(b"IEND", b"")

    with pytest.raises(UnreadableImage, match="40000 x 40000"):
        decode(bomb, "bomb.png")


@pytest.mark.parametrize("data", [b"", b"GIF89a" + bytes(40), b"%PDF-1.7", b"BM", PNG_SIGNATURE])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(UnreadableImage):
        decode(data, "x")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 2000), st.binary(min_size=1, max_size=8))
def test_damage_anywhere_is_a_picture_or_a_typed_error(kind: str, at: int, junk: bytes) -> None:
    data = bytearray(encoded(kind))
    at %= len(data)
    data[at : at + len(junk)] = junk

    try:
        pixels = decode(bytes(data), "damaged")
    except UnreadableImage:
        return

    assert pixels.ndim == 3 and pixels.shape[2] == 3
