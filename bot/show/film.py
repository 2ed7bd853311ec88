"""A work as a small film: the pages of the terminal, drawn as pictures, in an animated GIF or WebP."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.errors import WrongUsage
from bot.game import Game
from bot.show import gif
from bot.show.canvas import Canvas, Glyph, Rgb
from bot.show.scene import Drawing, Moment, Room
from bot.show.stage import FOOTER_ROWS, page
from bot.show.work import guide_of, moments_of
from solver.answer import Answer
from vision.frame import Pixels

# One character in px; with 0.66 rows per column a circle of characters is round.
COLUMN_PX, ROW_PX = 10, 15
LETTER_PX = 9.5
OVERSIZE = 6
MARGIN_PX = 10
INK: Rgb = (215, 218, 224)
GROUND: Rgb = (22, 24, 30)
# A film is this long, and has at most this many pictures; the last one stays long enough to be looked at.
LENGTH_S, MOST_PICTURES = 14.0, 120
SLOWEST_S, QUICKEST_S, FIRST_S, LAST_S = 0.8, 0.06, 1.0, 3.0
LEAST_COLUMNS, LARGEST = 56, Room(120, 60)
# Larger pictures make films that no page can show.
MOST_PX = 4_000_000
# A quality of WebP that means: every px as it is.
LOSSLESS = 101

Ink = npt.NDArray[np.uint8]


def require_film(path: Path) -> None:
    """Raises WrongUsage for a name or an OpenCV that make no film, before any work is done."""
    if path.suffix.lower() not in (".gif", ".webp"):
        raise WrongUsage(f"{path}: films are GIF or WebP", hint="name the file FILE.gif or FILE.webp")
    if path.suffix.lower() == ".webp" and not hasattr(cv2, "imwriteanimation"):
        raise _no_webp()


def film_of(game: Game[Any, Any], puzzle: Any, found: Answer[Any], path: Path) -> bytes:
    """The solving of a puzzle as a film, in the form that the file's name asks for."""
    steps = sum(1 for _ in moments_of(game, puzzle, found)) - 1
    every = -(-steps // MOST_PICTURES) if steps else 1
    chosen = [
        (number, moment)
        for number, moment in enumerate(moments_of(game, puzzle, found))
        if number % every == 0 or number == steps
    ]
    pictures = [pixels_of(canvas) for canvas in _pages(game, puzzle, chosen)]
    pace_s = min(SLOWEST_S, max(QUICKEST_S, LENGTH_S / len(pictures)))
    lasting = [FIRST_S, *[pace_s] * (len(pictures) - 2), LAST_S][-len(pictures) :]
    return _webp(pictures, lasting) if path.suffix.lower() == ".webp" else gif.encode(pictures, lasting)


def _pages(game: Game[Any, Any], puzzle: Any, chosen: list[tuple[int, Moment[Any]]]) -> Iterator[Canvas]:
    scene = guide_of(game).scene

    def draw(moment: Moment[Any], room: Room) -> Drawing:
        return scene(puzzle, moment, room, False)

    first = draw(chosen[0][1], LARGEST).canvas
    columns, rows = max(LEAST_COLUMNS, first.width), first.height + 1 + FOOTER_ROWS
    if (columns * COLUMN_PX) * (rows * ROW_PX) > MOST_PX:
        rows = MOST_PX // (columns * COLUMN_PX * ROW_PX)
    for number, moment in chosen:
        yield page(moment, draw, (columns, rows), game.title, number)


def pixels_of(canvas: Canvas) -> Pixels:
    """A page as a picture, (H, W, 3) uint8 BGR."""
    height, width = canvas.height * ROW_PX + 2 * MARGIN_PX, canvas.width * COLUMN_PX + 2 * MARGIN_PX
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = GROUND[::-1]
    for row, line in enumerate(canvas.rows):
        for col, glyph in enumerate(line):
            if glyph.char == " " and glyph.ground is None:
                continue
            top, left = MARGIN_PX + row * ROW_PX, MARGIN_PX + col * COLUMN_PX
            pixels[top : top + ROW_PX, left : left + COLUMN_PX] = _tile(glyph)
    return pixels


@lru_cache(maxsize=4096)
def _tile(glyph: Glyph) -> Pixels:
    """A glyph in its colours, (ROW_PX, COLUMN_PX, 3) uint8 BGR."""
    share = _shape(glyph.char, glyph.bold)[..., None].astype(np.float32) / 255
    ink = np.array((glyph.ink or INK)[::-1], np.float32)
    ground = np.array((glyph.ground or GROUND)[::-1], np.float32)
    tile: Pixels = np.rint(ground + (ink - ground) * share).astype(np.uint8)
    return tile


@lru_cache(maxsize=512)
def _shape(char: str, bold: bool) -> Ink:
    """How much of every px a character covers, (ROW_PX, COLUMN_PX) uint8."""
    shape = np.zeros((ROW_PX, COLUMN_PX), np.uint8)
    middle_row, middle_col = ROW_PX // 2, COLUMN_PX // 2
    if char in SHADES:
        shape[:] = SHADES[char]
    elif char in HALVES:
        rows, cols = HALVES[char]
        shape[rows, cols] = 255
    elif char in LINES:
        across, down = LINES[char]
        for shift in _shifts(across):
            shape[middle_row + shift, :] = 255
        for shift in _shifts(down):
            shape[:, middle_col + shift] = 255
    elif char in STROKES:
        points = np.array([(round(x * (COLUMN_PX - 1)), round(y * (ROW_PX - 1))) for x, y in STROKES[char]])
        cv2.polylines(shape, [points.astype(np.int32)], False, 255, 1, cv2.LINE_AA)
    elif char == "…":
        shape[ROW_PX - 4, 1::3] = 255
    elif char == "·":
        shape[middle_row - 1 : middle_row + 1, middle_col - 1 : middle_col + 1] = 255
    elif char != " ":
        shape[:] = _letter(char, bold)
    return shape


SHADES = {"█": 255, "▓": 190, "▒": 120, "░": 60}
HALVES = {"▀": (slice(0, ROW_PX // 2), slice(None)), "▄": (slice(ROW_PX // 2, None), slice(None))}
# How many lines run across and down.
LINES = {
    "─": (1, 0),
    "│": (0, 1),
    "═": (2, 0),
    "║": (0, 2),
    "≡": (3, 0),
    "⦀": (0, 3),
    "≣": (4, 0),
    "⁞": (0, 4),
    "┼": (1, 1),
}
STROKES = {
    "✓": ((0.0, 0.55), (0.35, 0.8), (1.0, 0.2)),
    "✗": ((0.1, 0.2), (0.9, 0.8), (0.5, 0.5), (0.9, 0.2), (0.1, 0.8)),
}


def _shifts(lines: int) -> range:
    """Where parallel lines run, in px from the middle.

    >>> list(_shifts(1)), list(_shifts(2)), list(_shifts(3))
    ([0], [-1, 1], [-2, 0, 2])
    """
    return range(1 - lines, lines, 2)


def _letter(char: str, bold: bool) -> Ink:
    """A letter of OpenCV's line font, drawn large and shrunk; all stand on one line."""
    if not char.isascii():
        char = "?"
    height, width = ROW_PX * OVERSIZE, COLUMN_PX * OVERSIZE
    scale = LETTER_PX * OVERSIZE / 21
    thick = round(OVERSIZE * (1.6 if bold else 1.15))
    (wide, _), _ = cv2.getTextSize(char, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    drawn = np.zeros((height, max(width, wide)), np.uint8)
    at = (drawn.shape[1] - wide) // 2, round(height * 0.74)
    cv2.putText(drawn, char, at, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
    small = cv2.resize(drawn, (COLUMN_PX, ROW_PX), interpolation=cv2.INTER_AREA)
    # Few levels of grey keep the colours of a film few.
    levels = np.array((0, 85, 170, 255), np.uint8)
    letter: Ink = levels[np.minimum(3, np.rint(small.astype(np.float32) * 1.5 / 85).astype(int))]
    return letter


def _webp(pictures: list[Pixels], lasting_s: list[float]) -> bytes:
    film = cv2.Animation()
    film.frames = pictures
    film.durations = [round(1000 * seconds) for seconds in lasting_s]
    film.loop_count = 0
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "film.webp"
        try:
            done = cv2.imwriteanimation(str(written), film, [cv2.IMWRITE_WEBP_QUALITY, LOSSLESS])
        except cv2.error as error:
            raise _no_webp() from error
        if not done:
            raise _no_webp()
        return written.read_bytes()


def _no_webp() -> WrongUsage:
    return WrongUsage(
        f"OpenCV {cv2.__version__} here writes no animated WebP",
        hint="name the file FILE.gif, which needs none",
    )
