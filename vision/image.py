"""Opens pictures from files nobody vouches for: the header is read before anything is decoded.

Only PNG, JPEG, WebP and BMP; at most MAX_PIXELS; a truncated or damaged file is an error, never half a picture.
Formats: PNG (W3C, 2003), JPEG (ITU-T T.81), WebP container (RFC 9649), BMP (BITMAPINFOHEADER).
"""

from __future__ import annotations

import os
import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from vision import MAX_PIXELS
from vision.errors import UnreadableImage
from vision.frame import Pixels

# OpenCV and numpy are loaded with the first picture: a puzzle given as text is solved without them.
if TYPE_CHECKING:
    import numpy.typing as npt

MAX_BYTES = 200_000_000
# What libjpeg says of pixels that are damaged or missing.
JPEG_DAMAGE = (b"Corrupt JPEG data", b"Premature end of JPEG")
# The place of the standard error is the same for all threads.
STANDARD_ERROR, OVERHEARING, MOST_WORDS = 2, threading.Lock(), 10_000
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Start-of-frame markers that carry the size: all of C0..CF but DHT (C4), JPG (C8) and DAC (CC).
JPEG_SIZE_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Bytes around the body of a PNG chunk, before that of a RIFF file, of a bitmap's header; what every JPEG marker begins with.
PNG_FRAME, RIFF_HEADER, BMP_HEADER, JPEG_MARKER = 12, 8, 40, 0xFF
JPEG_START_OF_SCAN = 0xDA
# Whether a PNG may be transparent: in the colour type of its header, or in a chunk before its pixels.
PNG_COLOUR_TYPE, HAS_ALPHA, PNG_TRANSPARENT, PNG_PIXELS = 25, 4, b"tRNS", b"IDAT"
# From this opacity on a px is drawn; what differs from its ground by so many levels shows on it. Beside are so many px.
DRAWN, SHOWS, BESIDE_PX = 128, 28, 2
WHITE, BLACK, OPAQUE = 255, 0, 255
# Markers that nothing follows: TEM and RST0..7.
JPEG_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})
# What may come before the first scan, each with its length: tables, DNL and DRI, APPn, COM.
JPEG_SKIPPED_MARKERS = frozenset({0xC4, 0xCC, 0xDB, 0xDC, 0xDD, *range(0xE0, 0xF0), 0xFE})


def is_image(head: bytes) -> bool:
    """Whether a file that starts with these bytes (12 or more) claims to be a picture we open.

    >>> is_image(PNG_SIGNATURE + bytes(8)), is_image(b"10x10m2:4b6b")
    (True, False)
    """
    return (
        head.startswith((PNG_SIGNATURE, b"\xff\xd8\xff"))
        or (head.startswith(b"RIFF") and head[8:12] == b"WEBP")
        # "BM" alone could start a text: the next four reserved bytes of a bitmap are zero.
        or (head.startswith(b"BM") and head[6:10] == bytes(4))
    )


def decode(data: bytes, name: str) -> Pixels:
    """The picture in a file's bytes, as (H, W, 3) uint8, BGR; on the likely ground if transparent, EXIF rotation obeyed.

    name: what the file is called, for messages.
    Raises UnreadableImage.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableImage(
            f"{name}: {len(data)} bytes, more than {MAX_BYTES}", hint="save a smaller picture"
        )
    try:
        width, height = _size(data, name)
    except (struct.error, IndexError) as error:
        raise _damaged(name, "its header is cut off") from error
    if width <= 0 or height <= 0:
        raise _damaged(name, f"its header says {width} x {height} px")
    if width * height > MAX_PIXELS:
        raise UnreadableImage(
            f"{name}: {width} x {height} px, more than {MAX_PIXELS // 1_000_000} million",
            hint="crop or scale it",
        )
    import cv2
    import numpy as np

    transparent = _may_be_transparent(data)
    pixels = _decoded(data, name, cv2.IMREAD_UNCHANGED if transparent else cv2.IMREAD_COLOR)
    if transparent:
        laid = pixels.dtype == np.uint8 and pixels.shape[2:] == (4,)
        pixels = _laid(pixels) if laid else _decoded(data, name, cv2.IMREAD_COLOR)
    # EXIF may turn it.
    if sorted(pixels.shape[:2]) != sorted((width, height)):
        raise _damaged(name, f"its header says {width} x {height} px, and it holds another picture")
    return np.ascontiguousarray(pixels, dtype=np.uint8)


def _may_be_transparent(data: bytes) -> bool:
    alpha = data.startswith(PNG_SIGNATURE) and data[PNG_COLOUR_TYPE] & HAS_ALPHA
    return bool(alpha) or data.find(PNG_TRANSPARENT, 0, max(data.find(PNG_PIXELS), 0)) >= 0


def _laid(picture: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A picture (H, W, 4) on white or black: where more of what is drawn beside its transparent parts shows.

    Without transparency where those have colours of their own: a phone may say of any picture that it is transparent.
    """
    import cv2
    import numpy as np

    pixels, alpha = np.ascontiguousarray(picture[..., :3]), picture[..., 3]
    clear = alpha == 0
    if not clear.any() or np.ptp(pixels[clear], axis=0).any():
        return pixels
    reach = np.ones((2 * BESIDE_PX + 1,) * 2, np.uint8)
    beside = cv2.dilate(clear.view(np.uint8), reach).view(np.bool_) & (alpha >= DRAWN)
    edge = pixels[beside].astype(np.int16)
    if len(edge):
        ground = max((WHITE, BLACK), key=lambda one: int((np.abs(edge - one).max(axis=1) >= SHOWS).sum()))
        soft = alpha < OPAQUE
        share = alpha[soft][:, None] / OPAQUE
        pixels[soft] = np.rint(share * pixels[soft] + (1 - share) * ground)
    return pixels


def decode_png(data: bytes, name: str, most_pixels: int) -> npt.NDArray[Any]:
    """A PNG with the channels and the depth it has: (H, W), (H, W, 3) or (H, W, 4), BGR(A).

    Its chunks are checked first: where one is cut off OpenCV makes room for what it says it holds, up to 2 GB.
    Raises UnreadableImage.
    """
    if not data.startswith(PNG_SIGNATURE):
        raise UnreadableImage(f"{name}: no PNG")
    try:
        width, height = _png_size(data, name)
    except struct.error as error:
        raise _damaged(name, "its header is cut off") from error
    if not 0 < width * height <= most_pixels:
        raise UnreadableImage(f"{name}: {width} x {height} px is no reasonable size for a PNG")
    import cv2

    pixels = _decoded(data, name, cv2.IMREAD_UNCHANGED)
    if pixels.shape[:2] != (height, width):
        raise _damaged(name, f"its header says {width} x {height} px, and it holds another picture")
    return pixels


def _decoded(data: bytes, name: str, flag: int) -> npt.NDArray[Any]:
    """What OpenCV makes of bytes whose header has been checked. Raises UnreadableImage."""
    import cv2
    import numpy as np

    with _overheard() as words:
        try:
            pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
        except cv2.error as error:
            raise _damaged(name, "its pixels cannot be decoded") from error
    if pixels is None:
        raise _damaged(name, "its pixels cannot be decoded")
    if any(sign in b"".join(words) for sign in JPEG_DAMAGE):
        raise _damaged(name, "some of its pixels are missing")
    return np.asarray(pixels)


@contextmanager
def _overheard() -> Iterator[list[bytes]]:
    """What decoders in C write to the standard error meanwhile, known afterwards: nobody else reads it there.

    A JPEG whose pixels end early is half a picture, and its decoder says so in no other way.
    """
    words: list[bytes] = []
    if os.name != "posix":
        # Windows' decoders have a standard error of their own.
        yield words
        return
    with OVERHEARING:
        try:
            kept = os.dup(STANDARD_ERROR)
        except OSError:
            # There is none, so that nothing is written to it.
            yield words
            return
        hears, says = os.pipe()
        for end in (hears, says):
            # More words than the pipe holds are lost.
            os.set_blocking(end, False)
        os.dup2(says, STANDARD_ERROR)
        try:
            yield words
        finally:
            os.dup2(kept, STANDARD_ERROR)
            with suppress(BlockingIOError):
                words.append(os.read(hears, MOST_WORDS))
            for end in (kept, hears, says):
                os.close(end)


def encode_png(pixels: Pixels) -> bytes:
    """The picture as a PNG file. pixels: (H, W, 3) or (H, W, 4) uint8, BGR or BGRA."""
    import cv2

    done, data = cv2.imencode(".png", pixels)
    assert done, "OpenCV refused to write a PNG"
    return data.tobytes()


def _damaged(name: str, what: str) -> UnreadableImage:
    return UnreadableImage(f"{name}: damaged picture, {what}", hint="save or copy the picture again")


def _size(data: bytes, name: str) -> tuple[int, int]:
    """(width, height) in px from the header; the file's own structure is checked to its end."""
    if data.startswith(PNG_SIGNATURE):
        return _png_size(data, name)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg_size(data, name)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp_size(data, name)
    if data.startswith(b"BM"):
        return _bmp_size(data, name)
    raise UnreadableImage(
        f"{name}: not a picture that boardsight opens", hint="save it as PNG, JPEG, WebP or BMP"
    )


def _png_chunks(data: bytes, name: str) -> Iterator[tuple[bytes, bytes]]:
    at = len(PNG_SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if len(body) < length or at + PNG_FRAME + length > len(data):
            raise _damaged(name, "it ends in the middle of a chunk")
        (sum_,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(kind + body) != sum_:
            raise _damaged(name, f"the checksum of its {kind.decode('latin-1')} chunk is wrong")
        yield kind, body
        if kind == b"IEND":
            return
        at += PNG_FRAME + length
    raise _damaged(name, "it ends before its last chunk")


def _png_size(data: bytes, name: str) -> tuple[int, int]:
    kind = data[12:16]
    if kind != b"IHDR":
        raise _damaged(name, "it has no header chunk")
    width, height = struct.unpack_from(">II", data, 16)
    if width * height <= MAX_PIXELS:
        for _ in _png_chunks(data, name):
            pass
    return width, height


def _jpeg_size(data: bytes, name: str) -> tuple[int, int]:
    at = 2
    size = None
    while True:
        if data[at] != JPEG_MARKER:
            raise _damaged(name, "a marker is missing")
        marker = data[at + 1]
        if marker == JPEG_MARKER:
            at += 1
            continue
        if marker == JPEG_START_OF_SCAN:
            break
        if marker in JPEG_BARE_MARKERS:
            at += 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if marker in JPEG_SIZE_MARKERS:
            if size is not None:
                raise _damaged(name, "it says its size twice")
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = width, height
        elif marker not in JPEG_SKIPPED_MARKERS or length < 2:
            raise _damaged(name, f"marker FF{marker:02X} has no place in its header")
        at += 2 + length
    if size is None or data.rfind(b"\xff\xd9") < at:
        raise _damaged(name, "it ends before its last marker")
    return size


def _webp_size(data: bytes, name: str) -> tuple[int, int]:
    (length,) = struct.unpack_from("<I", data, 4)
    if length + RIFF_HEADER > len(data):
        raise _damaged(name, "it is shorter than its header says")
    kind = data[12:16]
    if kind == b"VP8X":
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
    elif kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif kind == b"VP8 ":
        width, height = (value & 0x3FFF for value in struct.unpack_from("<HH", data, 26))
    else:
        raise _damaged(name, "its first chunk is unknown")
    return width, height


def _bmp_size(data: bytes, name: str) -> tuple[int, int]:
    (pixels_at,) = struct.unpack_from("<I", data, 10)
    header, width, height, _, bits, compression = struct.unpack_from("<IiiHHI", data, 14)
    if header < BMP_HEADER:
        raise _damaged(name, "its header is of an old kind")
    height = abs(height)
    row = (width * bits + 31) // 32 * 4
    if compression == 0 and pixels_at + row * height > len(data):
        raise _damaged(name, "it is shorter than its header says")
    return width, height
