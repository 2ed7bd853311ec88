"""Pictures from anywhere: read whole, or refused with the reason."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.errors import UnreadableImage
from vision.image import PNG_SIGNATURE, decode, encode_png

ROOT = Path(__file__).resolve().parents[1]
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


def jpeg(width: int, height: int) -> tuple[bytes, bytes]:
    """A JPEG in two parts: all before its frame header, and the rest."""
    done, data = cv2.imencode(".jpg", np.full((height, width, 3), 200, np.uint8))
    assert done
    at = data.tobytes().index(b"\xff\xc0")
    return data.tobytes()[:at], data.tobytes()[at:]


@pytest.mark.parametrize("bare", [b"\xff\x01", b"\xff\xd0", b"\xff\xd7"], ids=["TEM", "RST0", "RST7"])
def test_a_jpeg_that_hides_a_large_picture_behind_a_small_header_is_refused(bare: bytes) -> None:
    before, large = jpeg(1500, 1000)
    _, small = jpeg(10, 10)
    frame = large[:19]
    hidden = b"\xff\xe1" + struct.pack(">H", 2 + 19) + small[:19]
    # Who takes the bare marker for one with a length steps over the true frame header, into the body of the next marker.
    jump = struct.pack(">H", 2 + len(frame) + 4)

    with pytest.raises(UnreadableImage, match="marker"):
        decode(before + bare + jump + frame + hidden + large[19:], "bomb.jpg")


def test_a_jpeg_with_bare_markers_between_the_others_is_read() -> None:
    before, rest = jpeg(60, 40)

    assert decode(before + b"\xff\x01\xff\xd3" + rest, "odd.jpg").shape == (40, 60, 3)


def test_a_jpeg_with_two_frame_headers_is_refused() -> None:
    before, rest = jpeg(60, 40)

    with pytest.raises(UnreadableImage, match="twice"):
        decode(before + rest[:19] + rest, "two.jpg")


def test_a_picture_that_is_not_the_one_of_its_header_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # No such file is known: what is decoded is looked at all the same.
    monkeypatch.setattr("vision.image._size", lambda data, name: (10, 10))

    with pytest.raises(UnreadableImage, match="10 x 10"):
        decode(encoded(".png"), "liar.png")


@pytest.mark.parametrize("module", ["bot.recording", "calibration.store", "vision.image", "bot.devices.adb"])
def test_opencv_itself_decodes_nothing_above_the_bound(module: str) -> None:
    code = (
        f"import {module}, cv2, numpy as np\n"
        "data = cv2.imencode('.png', np.zeros((6400, 6400), np.uint8))[1]\n"
        "try:\n    print(cv2.imdecode(data, 0))\nexcept cv2.error as error:\n    print(None)\n"
    )

    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)

    assert (told.stdout, told.returncode) == ("None\n", 0), told.stderr


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


def noisy(kind: str) -> bytes:
    pixels = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    return bytes(cv2.imencode(kind, pixels)[1].tobytes())


def test_a_jpeg_whose_pixels_end_early_is_no_half_picture(capfd: pytest.CaptureFixture[str]) -> None:
    whole = noisy(".jpg")

    with pytest.raises(UnreadableImage, match="some of its pixels are missing"):
        decode(whole[: len(whole) // 2] + b"\xff\xd9", "half.jpg")

    assert decode(whole, "whole.jpg").shape == (64, 64, 3)
    assert capfd.readouterr().err == ""


def test_what_a_decoder_says_is_no_third_line_of_a_message(capfd: pytest.CaptureFixture[str]) -> None:
    whole = noisy(".png")
    header = whole[8:33]

    with pytest.raises(UnreadableImage, match="cannot be decoded"):
        decode(whole[:33] + header + whole[33:], "two.png")

    assert capfd.readouterr().err == ""


def test_a_picture_is_decoded_where_there_is_no_standard_error() -> None:
    whole = noisy(".png")
    kept = os.dup(2)
    os.close(2)
    try:
        assert decode(whole, "whole.png").shape == (64, 64, 3)
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def transparent(ink: int, ground: tuple[int, int, int] = (0, 0, 0)) -> bytes:
    """A letter in grey ink on nothing, with a soft edge to the right; `ground` is the colour of what is not there."""
    picture = np.full((20, 20, 4), (*ground, 0), np.uint8)
    picture[4:16, 4:16] = ink, ink, ink, 255
    picture[4:16, 16] = ink, ink, ink, 128
    return encode_png(picture)


@pytest.mark.parametrize(("ink", "paper"), [(0, 255), (40, 255), (255, 0), (230, 0), (150, 255)])
def test_what_is_transparent_lies_on_the_ground_on_which_the_rest_shows(ink: int, paper: int) -> None:
    pixels = decode(transparent(ink), "letter")

    assert (pixels[0, 0] == paper).all() and (pixels[10, 10] == ink).all()
    assert abs(int(pixels[10, 16, 0]) - (ink + paper) // 2) <= 1


def test_colours_beneath_what_is_transparent_are_kept() -> None:
    """Some phones say of all their pictures that nothing is there."""
    picture = cv2.cvtColor(RAMP, cv2.COLOR_BGR2BGRA)
    picture[..., 3] = 0

    assert np.array_equal(decode(encode_png(picture), "phone"), RAMP)


def test_a_picture_of_one_colour_on_which_nothing_is_drawn_keeps_it() -> None:
    assert not decode(encode_png(np.zeros((30, 30, 4), np.uint8)), "black").any()
