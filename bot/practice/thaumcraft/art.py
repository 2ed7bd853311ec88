"""The practice table's own art: wood, parchment, signs, digits, all drawn by code.

The names are the game's own relative paths, so that the renderer takes the real textures just as well:
`aspects/TAG`, `gui/guiresearchtable2`, `gui/hex1`, `misc/parchment3` and so on. Every texture is (H, W, 4)
uint8,
BGRA, in the size and with the parts where the game has them (specification of the table: see `blueprint.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.practice.thaumcraft.glyphs import GLYPHS, strokes

Texture = npt.NDArray[np.uint8]
Plane = npt.NDArray[np.float32]

# Drawings are made this much larger and shrunk, which gives them soft edges.
FINE = 8
ICON_PX = 32
# Width of the kernel that finds the rim of a sign: about 1.2 texels, or a pale sign is lost on parchment.
RIM = 19

# Digits of 5 x 7, a row per number in base 32, the leftmost pixel is the highest bit; the zero is slashed.
DIGITS = {
    "0": (14, 17, 19, 21, 25, 17, 14),
    "1": (4, 12, 4, 4, 4, 4, 31),
    "2": (14, 17, 1, 6, 8, 17, 31),
    "3": (14, 17, 1, 6, 1, 17, 14),
    "4": (3, 5, 9, 17, 31, 1, 1),
    "5": (31, 16, 30, 1, 1, 17, 14),
    "6": (6, 8, 16, 30, 17, 17, 14),
    "7": (31, 17, 1, 2, 4, 4, 4),
    "8": (14, 17, 17, 14, 17, 17, 14),
    "9": (14, 17, 17, 15, 1, 2, 12),
}


@cache
def own_textures() -> dict[str, Texture]:
    """Everything the three tables need, by the game's names. Do not change the arrays."""
    textures = {f"aspects/{tag}": icon(glyph) for tag, glyph in GLYPHS.items()}
    textures["aspects/_unknown"] = icon("arc 16 11 7 4 170 420; line 4 18 17 16 22; disc 16 28 2")
    textures["gui/hex1"] = _hexagon((0, 0, 0), 1.7)
    textures["gui/hex2"] = _hexagon((60, 230, 235), 3.0)
    textures["gui/guiresearchtable2"] = _stock_table()
    textures["research/table/research-table"] = _tweaks_table(342)
    textures["research/table/research-table-3col"] = _tweaks_table(310)
    textures["misc/parchment3"] = _parchment()
    textures["misc/script"] = _runes()
    textures["misc/particles"] = _particles()
    textures["font/ascii"] = _font()
    textures["items/inkwell"] = icon(
        "poly 24 2 29 6 14 22 10 24 11 19; disc 9 25 6; -disc 9 24 3", (235, 190, 120)
    )
    textures["items/researchnotes"] = icon(
        "poly 6 3 25 4 27 28 8 29; -line 2 11 10 21 10; -line 2 11 16 21 16; -line 2 12 22 20 22",
        (150, 200, 230),
    )
    textures["items/discovery"] = icon("poly 4 12 20 4 29 20 13 28; -disc 17 16 4", (90, 150, 200))
    return textures


def icon(glyph: str, colour: tuple[int, int, int] = (255, 255, 255)) -> Texture:
    """A sign as (32, 32, 4): soft edges, a dark rim, lighter at the top than at the bottom."""
    shape = np.zeros((ICON_PX * FINE, ICON_PX * FINE), np.uint8)
    for word, cuts, numbers in strokes(glyph):
        _stroke(shape, word, numbers, 0 if cuts else 255)
    alpha = cv2.resize(shape, (ICON_PX, ICON_PX), interpolation=cv2.INTER_AREA)
    inner = cv2.erode(shape, np.ones((RIM, RIM), np.uint8))
    body = cv2.resize(inner, (ICON_PX, ICON_PX), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    shade = np.linspace(1.0, 0.75, ICON_PX, dtype=np.float32)[:, None] * (0.45 + 0.55 * body)
    pixels = np.empty((ICON_PX, ICON_PX, 4), np.uint8)
    pixels[..., :3] = np.asarray(colour, np.float32) * shade[..., None]
    pixels[..., 3] = alpha
    return pixels


def _stroke(shape: Texture, word: str, n: list[float], value: int) -> None:
    """Paint one stroke of a drawing into a plane of FINE times its size."""
    if word in ("line", "poly"):
        corners = n[1:] if word == "line" else n
        points = np.round(np.array(corners, np.float32).reshape(-1, 2) * FINE).astype(np.int32)
        if word == "poly":
            cv2.fillPoly(shape, [points], value)
        else:
            cv2.polylines(shape, [points], False, value, round(n[0] * FINE))
        return
    centre = (round(n[0] * FINE), round(n[1] * FINE))
    radius = round(n[2] * FINE)
    match word:
        case "disc":
            cv2.circle(shape, centre, radius, value, -1)
        case "ring":
            cv2.circle(shape, centre, radius, value, round(n[3] * FINE))
        case "oval":
            cv2.ellipse(shape, centre, (radius, round(n[3] * FINE)), 0, 0, 360, value, -1)
        case "arc":
            cv2.ellipse(shape, centre, (radius, radius), 0, n[4], n[5], value, round(n[3] * FINE))
        case _:
            raise ValueError(f"a drawing knows no stroke {word!r}")


def _hexagon(colour: tuple[int, int, int], width: float) -> Texture:
    """The outline of a flat-top cell, (32, 32, 4); its corners are 14 texels from the middle."""
    turns = np.arange(6) * np.pi / 3
    corners = [value for turn in turns for value in (16 + 14.5 * np.cos(turn), 16 + 14.5 * np.sin(turn))]
    shape = np.zeros((ICON_PX * FINE, ICON_PX * FINE), np.uint8)
    _stroke(shape, "line", [width, *corners, corners[0], corners[1]], 255)
    pixels = np.zeros((ICON_PX, ICON_PX, 4), np.uint8)
    pixels[..., :3] = colour
    pixels[..., 3] = cv2.resize(shape, (ICON_PX, ICON_PX), interpolation=cv2.INTER_AREA)
    return pixels


def _noise(seed: int, width: int, height: int, grain: tuple[int, int]) -> Plane:
    """Smooth noise of mean 0, (height, width); `grain` is its size in texels (along x, along y)."""
    rng = np.random.default_rng(seed)
    small = rng.normal(size=(height // grain[1] + 2, width // grain[0] + 2)).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def _wood(seed: int, width: int, height: int) -> Texture:
    """Dark planks with grain, lying; each a little different, dark seams between them."""
    light = 46 + 5 * _noise(seed, width, height, (24, 1)) + 4 * _noise(seed + 1, width, height, (2, 2))
    plank = 33
    for start in range(0, height, plank):
        part = light[start : start + plank]
        part += 6 * np.sin(start * 1.7)
        part[:1] = 12
        part[1:2] += 14
        knot = (int(start * 7.3) % max(1, width - 30) + 15, plank // 2)
        cv2.circle(part, knot, 4, 22.0, 1)
        cv2.circle(part, knot, 7, 30.0, 1)
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[..., :3] = np.clip(light[..., None] * np.array([0.72, 0.9, 1.15], np.float32), 0, 255)
    pixels[..., 3] = 255
    pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1] = ((8, 8, 10, 255),) * 4
    return pixels


def _recess(pixels: Texture, x: int, y: int, width: int, height: int) -> None:
    """A sunken field: darker, with a dark upper left and a light lower right edge."""
    part = pixels[y : y + height, x : x + width, :3]
    part[:] = part * 0.5
    part[0], part[:, 0] = 8, 8
    part[-1], part[:, -1] = (52, 64, 80), (52, 64, 80)


def _stock_table() -> Texture:
    """256 x 256: the wood (0,0,255,167), the inventory frame (0,166,184,88), arrows and buttons on
    the right.
    """
    pixels = np.zeros((256, 256, 4), np.uint8)
    wood = _wood(11, 255, 167)
    for field in ((13, 9, 18, 18), (69, 9, 18, 18), (8, 38, 84, 84), (34, 138, 34, 18), (92, 6, 154, 154)):
        _recess(wood, *field)
    for x in (21, 79):
        cv2.circle(wood, (x, 147), 10, (30, 38, 46, 255), 2)
        cv2.circle(wood, (x, 147), 5, (18, 22, 28, 255), 1)
    cv2.line(wood, (43, 147), (58, 147), (26, 33, 40, 255), 2)
    cv2.line(wood, (51, 142), (51, 152), (26, 33, 40, 255), 2)
    pixels[:167, :255] = wood
    pixels[167:254, :184] = _inventory()[1:]
    _arrow(pixels[208:216, 184:208], left=True)
    _arrow(pixels[208:216, 208:232], left=False)
    pixels[168:184, 184:216] = (255, 255, 255, 90)
    pixels[200:224, 232:256] = (60, 170, 200, 255)
    return pixels


def _inventory() -> Texture:
    """The player's inventory, 184 x 88 (the last 8 columns are clear): a grey plate with 4 rows of 9
    slots.
    """
    pixels = np.zeros((88, 184, 4), np.uint8)
    pixels[:, :176] = (190, 192, 194, 255)
    pixels[:2, :176], pixels[:, :2] = (235, 235, 235, 255), (235, 235, 235, 255)
    pixels[-2:, :176], pixels[:, 174:176] = (70, 70, 72, 255), (70, 70, 72, 255)
    for y in (8, 26, 44, 66):
        for x in range(8, 8 + 9 * 18, 18):
            pixels[y - 1 : y + 17, x - 1 : x + 17] = (235, 235, 235, 255)
            pixels[y - 1 : y + 16, x - 1 : x + 16] = (60, 60, 60, 255)
            pixels[y : y + 16, x : x + 16] = (132, 133, 135, 255)
    return pixels


def _arrow(part: Texture, *, left: bool) -> None:
    """A page arrow, 24 x 8, dark blue plate with a bright head."""
    part[:] = (70, 45, 20, 255)
    tip, back = (3, 12) if left else (20, 11)
    cv2.fillPoly(part, [np.array([[tip, 4], [back, 1], [back, 7]], np.int32)], (210, 160, 70, 255))
    cv2.line(part, (back, 4), (20 if left else 3, 4), (210, 160, 70, 255), 1)


def _tweaks_table(width: int) -> Texture:
    """The tweaks table, `width` x 245: the wood (0,0,width,219), below it buttons of 24 x 24."""
    columns = 4 if width == 342 else 3
    side, offset = 16 * columns + 8, 16 if width == 342 else 0
    pixels = np.zeros((245, width, 4), np.uint8)
    wood = _wood(23 if width == 342 else 37, width, 219)
    right = width - 12 - 16 * columns - 4
    fields = (
        (8, 8, side, 200),
        (right, 8, side, 200),
        (74 + offset, 9, 18, 18),
        (218 + offset, 9, 18, 18),
        (76 + offset, 31, 158, 158),
    )
    for field in fields:
        _recess(wood, *field)
    for x in (3, width - 4):
        for y in (20, 70, 120, 170):
            cv2.circle(wood, (x, y), 2, (70, 110, 140, 255), -1)
    pixels[:219] = wood
    for n, colour in enumerate(((40, 60, 80), (80, 140, 180), (60, 70, 40), (90, 50, 40))):
        pixels[220:244, 25 * n : 25 * n + 24] = (*colour, 255)
    return pixels


def _parchment() -> Texture:
    """256 x 256, of which the top left 150 x 150 is used: a yellowed sheet with torn edges and stains."""
    light = 0.82 + 0.05 * _noise(41, 150, 150, (22, 18)) + 0.025 * _noise(42, 150, 150, (3, 3))
    pixels = np.zeros((256, 256, 4), np.uint8)
    sheet = pixels[:150, :150]
    sheet[..., :3] = np.clip(light[..., None] * np.array([112, 186, 236], np.float32), 0, 255)
    tear = 2.5 + 1.2 * _noise(43, 150, 4, (3, 1))
    x, y = np.meshgrid(np.arange(150), np.arange(150))
    inside = (y >= tear[0][None, :]) & (149 - y >= tear[1][None, :])
    inside &= (x >= tear[2][:, None]) & (149 - x >= tear[3][:, None])
    sheet[..., 3] = np.where(inside, 255, 0)
    depth = np.minimum(np.minimum(x, 149 - x), np.minimum(y, 149 - y))
    sheet[..., :3] = sheet[..., :3] * np.clip(0.6 + depth / 18.0, 0, 1)[..., None]
    return pixels


def _runes() -> Texture:
    """16 signs of 16 x 16 in a row, (16, 256, 4), white: the game paints them dark."""
    rng = np.random.default_rng(5)
    pixels = np.zeros((16, 256, 4), np.uint8)
    for n in range(16):
        sign = np.zeros((16 * FINE, 16 * FINE), np.uint8)
        corners = [3.0, 3.0, 13.0, 3.0, 3.0, 8.0, 13.0, 8.0, 3.0, 13.0, 13.0, 13.0, 8.0, 2.0, 8.0, 14.0]
        spots = rng.choice(8, size=3, replace=False)
        _stroke(
            sign, "line", [1.5, *(value for spot in spots for value in corners[2 * spot : 2 * spot + 2])], 255
        )
        pixels[:, 16 * n : 16 * n + 16, :3] = 255
        pixels[:, 16 * n : 16 * n + 16, 3] = cv2.resize(sign, (16, 16), interpolation=cv2.INTER_AREA)
    return pixels


def _particles() -> Texture:
    """256 x 256 in cells of 16: eight orbs from (128, 128) on, sixteen sparkles from (0, 80) on."""
    pixels = np.zeros((256, 256, 4), np.uint8)
    x, y = np.meshgrid(np.arange(16) - 7.5, np.arange(16) - 7.5)
    away = np.hypot(x, y)
    for n in range(8):
        swell = 0.75 + 0.25 * np.sin(n * np.pi / 4)
        part = pixels[128:144, 128 + 16 * n : 144 + 16 * n]
        part[..., :3] = 255
        part[..., 3] = np.clip(150 * np.exp(-((away / (3.6 * swell)) ** 2)), 0, 255)
    for n in range(16):
        size = 1.5 + 4.0 * np.sin((n + 0.5) * np.pi / 16)
        star = np.clip(1.5 - np.minimum(abs(x), abs(y)) * 1.1, 0, 1) * np.clip(1 - away / size, 0, 1)
        part = pixels[80:96, 16 * n : 16 * n + 16]
        part[..., :3] = (255, 250, 190)
        part[..., 3] = 200 * star
    return pixels


def _font() -> Texture:
    """128 x 128, 16 x 16 glyphs of 8 x 8: only the digits, in row 3."""
    pixels = np.zeros((128, 128, 4), np.uint8)
    for digit, rows in DIGITS.items():
        left = 8 * int(digit)
        for y, bits in enumerate(rows):
            for x in _bits(bits):
                pixels[24 + y, left + x] = 255
    return pixels


def _bits(row: int) -> Iterable[int]:
    return (x for x in range(5) if row >> (4 - x) & 1)
