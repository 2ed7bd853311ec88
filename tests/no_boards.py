"""Pictures that are no board of our games, all drawn here: desktops, photo-like noise, user interfaces, other puzzles."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np

from vision.frame import Pixels

Draw = Callable[[random.Random], Pixels]
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_PLAIN)
WORDS = (
    "File",
    "Edit",
    "View",
    "Help",
    "Save",
    "Total",
    "2026",
    "Name",
    "17",
    "42",
    "Level 3",
    "Score",
    "120",
    "No",
)


def _colour(rng: random.Random, low: int = 0, high: int = 255) -> tuple[int, int, int]:
    return rng.randint(low, high), rng.randint(low, high), rng.randint(low, high)


def _sheet(rng: random.Random, dark: float = 0.3) -> tuple[Pixels, tuple[int, int, int]]:
    """A plain ground and an ink that can be seen on it."""
    size = rng.choice(((480, 360), (640, 480), (400, 560), (560, 420)))
    is_dark = rng.random() < dark
    ground = _colour(rng, 10, 60) if is_dark else _colour(rng, 200, 255)
    ink = _colour(rng, 180, 255) if is_dark else _colour(rng, 0, 90)
    return np.full((size[1], size[0], 3), ground, np.uint8), ink


def _write(pixels: Pixels, text: str, x: float, y: float, scale: float, ink: tuple[int, int, int]) -> None:
    """Text with its middle at a place."""
    (wide, high), _ = cv2.getTextSize(text, FONTS[0], scale, 1)
    cv2.putText(pixels, text, (int(x - wide / 2), int(y + high / 2)), FONTS[0], scale, ink, 1, cv2.LINE_AA)


def desktop(rng: random.Random) -> Pixels:
    """Windows with title bars and lines of text over a wallpaper."""
    pixels = photo(rng)
    height, width = pixels.shape[:2]
    for _ in range(rng.randint(1, 4)):
        x, y = rng.randrange(width // 2), rng.randrange(height // 2)
        w, h = rng.randint(120, width // 2), rng.randint(90, height // 2)
        cv2.rectangle(pixels, (x, y), (x + w, y + h), _colour(rng, 200), -1)
        cv2.rectangle(pixels, (x, y), (x + w, y + 18), _colour(rng, 0, 140), -1)
        for line in range(y + 34, y + h - 8, 16):
            text = " ".join(rng.choices(WORDS, k=max(1, w // 60)))
            cv2.putText(pixels, text, (x + 6, line), FONTS[0], 0.38, (20, 20, 20), 1, cv2.LINE_AA)
    cv2.rectangle(pixels, (0, height - 24), (width, height), (40, 40, 40), -1)
    for nth in range(6):
        cv2.circle(pixels, (20 + 34 * nth, height - 12), 9, _colour(rng, 60), -1, cv2.LINE_AA)
    return pixels


def photo(rng: random.Random) -> Pixels:
    """Noise of all sizes, as in photographs of leaves, clouds and stone."""
    height, width = rng.choice(((360, 480), (480, 640), (560, 400)))
    noise = np.random.default_rng(rng.randrange(1 << 30))
    whole = np.zeros((height, width, 3), np.float32)
    side = 2
    while side < 128:
        part = noise.normal(0, 1, (side, side, 3)).astype(np.float32)
        whole += cv2.resize(part, (width, height), interpolation=cv2.INTER_CUBIC) / side**0.5
        side *= 2
    whole = (whole - whole.min()) / float(np.ptp(whole))
    return np.asarray(255 * whole, np.uint8)


def static(rng: random.Random) -> Pixels:
    """Noise without any order."""
    noise = np.random.default_rng(rng.randrange(1 << 30))
    return noise.integers(0, 256, (rng.choice((240, 360)), 480, 3), np.uint8)


def blobs(rng: random.Random) -> Pixels:
    """Discs, boxes and lines of any size anywhere."""
    pixels, _ = _sheet(rng)
    height, width = pixels.shape[:2]
    for _ in range(rng.randint(10, 80)):
        at = rng.randrange(width), rng.randrange(height)
        to = rng.randrange(width), rng.randrange(height)
        match rng.randrange(3):
            case 0:
                cv2.circle(pixels, at, rng.randint(3, 60), _colour(rng), rng.choice((-1, 1, 3)), cv2.LINE_AA)
            case 1:
                cv2.rectangle(pixels, at, to, _colour(rng), rng.choice((-1, 1, 2)))
            case 2:
                cv2.line(pixels, at, to, _colour(rng), rng.randint(1, 4), cv2.LINE_AA)
    return pixels


def table(rng: random.Random) -> Pixels:
    """A spreadsheet: a grid with words and numbers in its cells, and heads."""
    pixels, ink = _sheet(rng)
    height, width = pixels.shape[:2]
    wide, high = rng.randint(40, 90), rng.randint(16, 28)
    for x in range(10, width - 10, wide):
        cv2.line(pixels, (x, 10), (x, height - 10), ink, 1)
    for y in range(10, height - 10, high):
        cv2.line(pixels, (10, y), (width - 10, y), ink, 1)
        for x in range(10, width - wide, wide):
            if rng.random() < 0.8:
                _write(pixels, rng.choice(WORDS), x + wide / 2, y + high / 2, 0.35, ink)
    return pixels


def calendar(rng: random.Random) -> Pixels:
    """A month: seven columns of numbers, some in circles."""
    pixels, ink = _sheet(rng)
    step = rng.randint(36, 52)
    for day in range(1, 32):
        x, y = 40 + step * ((day + 2) % 7), 60 + step * ((day + 2) // 7)
        if day == 14 or rng.random() < 0.1:
            cv2.circle(pixels, (x, y), step // 3, _colour(rng), rng.choice((-1, 2)), cv2.LINE_AA)
        _write(pixels, str(day), x, y, 0.5, ink)
    for nth, word in enumerate(["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]):
        _write(pixels, word, 40 + step * nth, 30, 0.45, ink)
    return pixels


def keypad(rng: random.Random) -> Pixels:
    """A telephone's or a calculator's keys: round or square, in rows, each with a sign."""
    pixels, ink = _sheet(rng)
    step, is_round = rng.randint(56, 84), rng.random() < 0.5
    keys = rng.choice(("123456789*0#", "789456123+0=", "ABCDEFGHIJKL"))
    for nth, key in enumerate(keys):
        x, y = 70 + step * (nth % 3), 60 + step * (nth // 3)
        if is_round:
            cv2.circle(pixels, (x, y), int(step * 0.4), ink, rng.choice((1, 2)), cv2.LINE_AA)
        else:
            half = int(step * 0.4)
            cv2.rectangle(pixels, (x - half, y - half), (x + half, y + half), ink, 1)
        _write(pixels, key, x, y, 0.8, ink)
    return pixels


def clock(rng: random.Random) -> Pixels:
    """A clock's face: a ring with numbers inside."""
    pixels, ink = _sheet(rng)
    height, width = pixels.shape[:2]
    middle, radius = (width // 2, height // 2), min(width, height) * 0.42
    cv2.circle(pixels, middle, int(radius), ink, rng.randint(1, 4), cv2.LINE_AA)
    for hour in range(1, 13):
        angle = np.pi * hour / 6
        _write(
            pixels,
            str(hour),
            middle[0] + 0.85 * radius * np.sin(angle),
            middle[1] - 0.85 * radius * np.cos(angle),
            0.6,
            ink,
        )
    for length in (0.5, 0.75):
        angle = rng.uniform(0, 6.28)
        end = (
            int(middle[0] + length * radius * np.sin(angle)),
            int(middle[1] - length * radius * np.cos(angle)),
        )
        cv2.line(pixels, middle, end, ink, 3, cv2.LINE_AA)
    return pixels


def chart(rng: random.Random) -> Pixels:
    """Bars or bubbles over a light grid with numbers along the axes."""
    pixels, ink = _sheet(rng)
    height, width = pixels.shape[:2]
    for nth in range(8):
        y = height - 40 - nth * (height - 80) // 8
        cv2.line(pixels, (40, y), (width - 10, y), (190, 190, 190), 1)
        _write(pixels, str(nth * 10), 22, y, 0.4, ink)
    bubbles = rng.random() < 0.5
    for nth in range(8):
        x, value = 60 + nth * (width - 80) // 8, rng.randint(10, height - 90)
        if bubbles:
            at = x, height - 40 - value
            cv2.circle(pixels, at, rng.randint(8, 30), _colour(rng), rng.choice((-1, 2)), cv2.LINE_AA)
            _write(pixels, str(rng.randint(1, 99)), *at, 0.45, ink)
        else:
            cv2.rectangle(pixels, (x, height - 40 - value), (x + 20, height - 40), _colour(rng), -1)
            _write(pixels, str(nth + 1), x + 10, height - 25, 0.4, ink)
    return pixels


def _grid(pixels: Pixels, count: int, cell: int, ink: tuple[int, int, int], heavy: int = 0) -> None:
    for nth in range(count + 1):
        thick = 2 if heavy and nth % heavy == 0 else 1
        cv2.line(pixels, (20 + nth * cell, 20), (20 + nth * cell, 20 + count * cell), ink, thick)
        cv2.line(pixels, (20, 20 + nth * cell), (20 + count * cell, 20 + nth * cell), ink, thick)


def sudoku(rng: random.Random) -> Pixels:
    """Nine by nine with some numbers."""
    pixels, ink = _sheet(rng)
    cell = rng.randint(28, 34)
    _grid(pixels, 9, cell, ink, 3)
    for row in range(9):
        for col in range(9):
            if rng.random() < 0.4:
                _write(
                    pixels, str(rng.randint(1, 9)), 20 + cell * (col + 0.5), 20 + cell * (row + 0.5), 0.6, ink
                )
    return pixels


def mines(rng: random.Random) -> Pixels:
    """Bevelled cells, some open with coloured numbers."""
    pixels, _ = _sheet(rng, 0.0)
    cell = rng.randint(20, 28)
    for row in range(12):
        for col in range(14):
            x, y = 20 + cell * col, 20 + cell * row
            cv2.rectangle(pixels, (x, y), (x + cell - 1, y + cell - 1), (190, 190, 190), -1)
            if rng.random() < 0.5:
                cv2.line(pixels, (x, y), (x + cell, y), (250, 250, 250), 2)
                cv2.line(pixels, (x, y), (x, y + cell), (250, 250, 250), 2)
            elif rng.random() < 0.6:
                _write(pixels, str(rng.randint(1, 5)), x + cell / 2, y + cell / 2, 0.5, _colour(rng, 0, 160))
    return pixels


def chess(rng: random.Random) -> Pixels:
    """Eight by eight squares in two colours with round pieces."""
    pixels, _ = _sheet(rng)
    cell, two = rng.randint(34, 40), (_colour(rng, 180), _colour(rng, 40, 140))
    for row in range(8):
        for col in range(8):
            x, y = 20 + cell * col, 20 + cell * row
            cv2.rectangle(pixels, (x, y), (x + cell, y + cell), two[(row + col) % 2], -1)
            if rng.random() < 0.3:
                cv2.circle(pixels, (x + cell // 2, y + cell // 2), cell // 3, _colour(rng), -1, cv2.LINE_AA)
    return pixels


def crossword(rng: random.Random) -> Pixels:
    """A grid with black cells and small numbers in corners."""
    pixels, ink = _sheet(rng)
    cell, number = rng.randint(22, 30), 0
    _grid(pixels, 11, cell, ink)
    for row in range(11):
        for col in range(11):
            x, y = 20 + cell * col, 20 + cell * row
            if rng.random() < 0.25:
                cv2.rectangle(pixels, (x, y), (x + cell, y + cell), ink, -1)
            elif rng.random() < 0.3:
                number += 1
                _write(pixels, str(number), x + 7, y + 6, 0.28, ink)
    return pixels


def slitherlink(rng: random.Random) -> Pixels:
    """Dots in rows with numbers between them and some lines."""
    pixels, ink = _sheet(rng)
    cell = rng.randint(30, 40)
    for row in range(9):
        for col in range(9):
            x, y = 24 + cell * col, 24 + cell * row
            cv2.circle(pixels, (x, y), 3, ink, -1, cv2.LINE_AA)
            if rng.random() < 0.4:
                _write(pixels, str(rng.randint(0, 3)), x + cell / 2, y + cell / 2, 0.5, ink)
            if rng.random() < 0.3:
                cv2.line(pixels, (x, y), (x + cell, y), ink, 2)
    return pixels


def tiles(rng: random.Random) -> Pixels:
    """Four by four coloured tiles with powers of two."""
    pixels, _ = _sheet(rng)
    cell = rng.randint(70, 84)
    for row in range(4):
        for col in range(4):
            x, y = 12 + cell * col, 12 + cell * row
            cv2.rectangle(pixels, (x, y), (x + cell - 8, y + cell - 8), _colour(rng, 120), -1)
            if rng.random() < 0.7:
                _write(
                    pixels,
                    str(2 ** rng.randint(1, 11)),
                    x + cell / 2 - 4,
                    y + cell / 2 - 4,
                    0.7,
                    (40, 40, 40),
                )
    return pixels


def hexagons(rng: random.Random) -> Pixels:
    """A honeycomb of coloured cells, as in many strategy games."""
    pixels, ink = _sheet(rng)
    height, width = pixels.shape[:2]
    side = rng.randint(16, 30)
    for row in range(int(height / (1.5 * side)) + 1):
        for col in range(int(width / (1.732 * side)) + 1):
            x, y = 1.732 * side * (col + 0.5 * (row % 2)), 1.5 * side * row
            corners = [(x + side * np.sin(a), y + side * np.cos(a)) for a in np.arange(6) * np.pi / 3]
            shape = np.rint(corners).astype(np.int32)
            cv2.fillPoly(pixels, [shape], _colour(rng, 90, 220))
            cv2.polylines(pixels, [shape], True, ink, 1, cv2.LINE_AA)
    return pixels


def venn(rng: random.Random) -> Pixels:
    """Rings that overlap, with words instead of numbers."""
    pixels, ink = _sheet(rng)
    for nth in range(rng.randint(2, 4)):
        at = 130 + 70 * nth, 150 + 60 * (nth % 2)
        cv2.circle(pixels, at, 75, _colour(rng, 0, 200), 2, cv2.LINE_AA)
        _write(pixels, rng.choice(WORDS), at[0] + 20, at[1] + rng.randint(-40, 40), 0.45, ink)
    return pixels


def forms(rng: random.Random) -> Pixels:
    """Fields, buttons, check marks and switches."""
    pixels, ink = _sheet(rng)
    height, width = pixels.shape[:2]
    for y in range(24, height - 20, rng.randint(30, 44)):
        cv2.putText(pixels, rng.choice(WORDS), (16, y + 10), FONTS[0], 0.45, ink, 1, cv2.LINE_AA)
        match rng.randrange(3):
            case 0:
                cv2.rectangle(pixels, (130, y - 8), (width - 30, y + 16), ink, 1)
            case 1:
                cv2.rectangle(pixels, (130, y - 4), (146, y + 12), ink, 1)
                cv2.line(pixels, (132, y + 4), (144, y + 10), ink, 2)
            case 2:
                cv2.circle(pixels, (140, y + 4), 8, ink, 1, cv2.LINE_AA)
                cv2.circle(pixels, (200, y + 4), 8, ink, -1, cv2.LINE_AA)
    return pixels


def lines(rng: random.Random) -> Pixels:
    """An empty grid, or stripes."""
    pixels, ink = _sheet(rng)
    height, width = pixels.shape[:2]
    step = rng.randint(12, 40)
    for x in range(8, width, step):
        cv2.line(pixels, (x, 8), (x, height - 8), ink, 1)
    if rng.random() < 0.6:
        for y in range(8, height, step):
            cv2.line(pixels, (8, y), (width - 8, y), ink, 1)
    return pixels


KINDS: tuple[Draw, ...] = (
    desktop, photo, static, blobs, table, calendar, keypad, clock, chart, sudoku,
    mines, chess, crossword, slitherlink, tiles, hexagons, venn, forms, lines,
)  # fmt: skip


def picture(nth: int) -> tuple[str, Pixels]:
    """The nth picture: its kind by turns, everything else by lot."""
    draw = KINDS[nth % len(KINDS)]
    return draw.__name__, draw(random.Random(f"no-board-{nth}"))
