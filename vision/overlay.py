"""Paints what was read, and what is to be entered, over the frame: for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import cv2
import numpy as np

from vision.frame import Frame, Pixels, Point
from vision.profile import Profile
from vision.reading import Reading

# BGR. Green is what was read, orange what is to be entered, red what is in doubt.
READ = (90, 200, 60)
ENTER = (0, 140, 255)
DOUBT = (40, 40, 230)
FREE = (190, 170, 120)
LOOK = (230, 150, 60)
SHADE = 0.35
_RGB = re.compile("[0-9a-fA-F]{6}")


def paint(frame: Frame, reading: Reading[Any, Any], profile: Profile, solution: Any = None) -> Pixels:
    """The frame with every cell marked, and the solution drawn where it would be entered.

    Returns a new (H, W, 3) uint8 picture of the frame's size.
    """
    pixels = frame.pixels.copy()
    pitch = reading.geometry.pitch_px
    thick = max(1, round(pitch / 24))
    for cell, mark in reading.marks.items():
        centre = reading.geometry.centres[cell]
        if mark.symbol is None:
            cv2.circle(pixels, _whole(centre), max(2, round(pitch * 0.42)), DOUBT, thick * 2, cv2.LINE_AA)
        elif mark.state != "free":
            _tick(pixels, centre, pitch, READ)
        else:
            cv2.circle(pixels, _whole(centre), max(1, round(pitch * 0.06)), FREE, -1, cv2.LINE_AA)
    if solution is not None:
        _paint_solution(pixels, reading, profile, solution, thick)
    return pixels


def point_out(
    frame: Frame,
    reading: Reading[Any, Any],
    profile: Profile,
    focus: Iterable[Any],
    enter: Mapping[Any, Any],
    wrong: Mapping[Any, Any],
) -> Pixels:
    """The frame with the cells to look at shaded, what can be entered drawn in, and wrong marks crossed out.

    focus: cells and spans; those without a place on the picture are left out.
    Returns a new (H, W, 3) uint8 picture of the frame's size.
    """
    centres, pitch = reading.geometry.centres, reading.geometry.pitch_px
    thick = max(1, round(pitch / 24))
    shaded = frame.pixels.copy()
    for cell in focus:
        if cell in centres:
            cv2.circle(shaded, _whole(centres[cell]), max(3, round(pitch * 0.46)), LOOK, -1, cv2.LINE_AA)
        elif hasattr(cell, "a"):
            cv2.line(shaded, _whole(centres[cell.a]), _whole(centres[cell.b]), LOOK, 4 * thick, cv2.LINE_AA)
    pixels: Pixels = cv2.addWeighted(shaded, SHADE, frame.pixels, 1 - SHADE, 0).astype(np.uint8)
    for cell, value in enter.items():
        if hasattr(cell, "a"):
            _paint_bridges(pixels, centres[cell.a], centres[cell.b], int(value), pitch, thick)
        elif value == ".":
            cv2.circle(pixels, _whole(centres[cell]), max(2, round(pitch * 0.14)), ENTER, -1, cv2.LINE_AA)
        elif isinstance(getattr(reading.placed, "filled", None), frozenset):
            _paint_filled(pixels, [centres[cell]], pitch)
        else:
            _label(pixels, centres[cell], pitch, str(value), profile)
    for cell in wrong:
        ends = (centres[cell.a], centres[cell.b]) if hasattr(cell, "a") else (centres[cell],) * 2
        _cross(pixels, Point((ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2), pitch, 2 * thick)
    return pixels


def _cross(pixels: Pixels, centre: Point, pitch: float, thick: int) -> None:
    half = pitch * 0.36
    for turn in (-1, 1):
        first = round(centre.x - half), round(centre.y - turn * half)
        last = round(centre.x + half), round(centre.y + turn * half)
        cv2.line(pixels, first, last, DOUBT, thick, cv2.LINE_AA)


def _paint_solution(
    pixels: Pixels, reading: Reading[Any, Any], profile: Profile, solution: Any, thick: int
) -> None:
    centres, pitch = reading.geometry.centres, reading.geometry.pitch_px
    filled = getattr(solution, "filled", None)
    if filled is not None:
        colours = _ink_colours(reading.puzzle)
        inks = dict(solution.inks)
        for cell in sorted(filled):
            _paint_filled(pixels, [centres[cell]], pitch, colours.get(inks.get(cell), ENTER))
        return
    placed = reading.placed if isinstance(reading.placed, Mapping) else {}
    for where, what in solution.items():
        if where in centres:
            if placed.get(where) != what:
                _label(pixels, centres[where], pitch, str(what), profile)
        elif hasattr(where, "a") and what:
            _paint_bridges(pixels, centres[where.a], centres[where.b], int(what), pitch, thick)


def _ink_colours(puzzle: Any) -> dict[Any, tuple[int, int, int]]:
    """BGR by ink character of a coloured nonogram; an ink whose colour is no hexadecimal RGB is left out."""
    palette = getattr(puzzle, "palette", None)
    return {
        ink.char: (int(ink.rgb[4:], 16), int(ink.rgb[2:4], 16), int(ink.rgb[:2], 16))
        for ink in (palette.inks if palette else ())
        if _RGB.fullmatch(ink.rgb)
    }


def _paint_filled(
    pixels: Pixels, centres: Iterable[Point], pitch: float, colour: tuple[int, int, int] = ENTER
) -> None:
    """A square per cell, framed so that an ink like the background can be seen."""
    half = pitch * 0.3
    for centre in centres:
        first = round(centre.x - half), round(centre.y - half)
        last = round(centre.x + half), round(centre.y + half)
        cv2.rectangle(pixels, first, last, colour, -1)
        cv2.rectangle(pixels, first, last, ENTER, 1)


def _paint_bridges(pixels: Pixels, a: Point, b: Point, count: int, pitch: float, thick: int) -> None:
    across = np.array([b.y - a.y, a.x - b.x])
    across = across / max(1e-9, float(np.hypot(*across)))
    for nth in range(count):
        shift = across * (nth - (count - 1) / 2) * pitch * 0.16
        cv2.line(
            pixels,
            (round(a.x + shift[0]), round(a.y + shift[1])),
            (round(b.x + shift[0]), round(b.y + shift[1])),
            ENTER,
            thick,
            cv2.LINE_AA,
        )


def _label(pixels: Pixels, centre: Point, pitch: float, text: str, profile: Profile) -> None:
    """The symbol's own icon where the profile has one, else its name, inside a ring."""
    icon = profile.templates.get(f"aspects/{text}")
    cv2.circle(
        pixels, _whole(centre), max(3, round(pitch * 0.44)), ENTER, max(1, round(pitch / 20)), cv2.LINE_AA
    )
    if icon is not None:
        _paste(pixels, icon.pixels, icon.alpha, centre, max(6, round(pitch * 0.8)))
        return
    scale = pitch / 60 if len(text) > 2 else pitch / 34
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    at = round(centre.x - width / 2), round(centre.y + height / 2)
    for colour, weight in (((255, 255, 255), 4), ((0, 60, 200), 1)):
        line = max(1, round(weight * pitch / 48))
        cv2.putText(pixels, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, line, cv2.LINE_AA)


def _paste(pixels: Pixels, icon: Pixels, alpha: Any, centre: Point, size: int) -> None:
    left, top = round(centre.x - size / 2), round(centre.y - size / 2)
    height, width = pixels.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + size), min(height, top + size)
    if x0 >= x1 or y0 >= y1:
        return
    colour = cv2.resize(icon, (size, size), interpolation=cv2.INTER_AREA)
    share = cv2.resize(alpha, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    inner = slice(y0 - top, y1 - top), slice(x0 - left, x1 - left)
    target = pixels[y0:y1, x0:x1]
    mixed = target * (1 - share[inner][..., None]) + colour[inner] * share[inner][..., None]
    target[:] = mixed.astype(np.uint8)


def _tick(pixels: Pixels, centre: Point, pitch: float, colour: tuple[int, int, int]) -> None:
    half = pitch * 0.46
    length = max(2, round(pitch * 0.14))
    for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        corner = round(centre.x + dx * half * 0.8), round(centre.y + dy * half * 0.8)
        cv2.line(pixels, corner, (corner[0] - dx * length, corner[1]), colour, max(1, round(pitch / 30)))
        cv2.line(pixels, corner, (corner[0], corner[1] - dy * length), colour, max(1, round(pitch / 30)))


def _whole(at: Point) -> tuple[int, int]:
    return round(at.x), round(at.y)
