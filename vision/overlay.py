"""Paints what was read, and what is to be entered, over the frame: for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.brush import LABELS, Brush, Canvas
from vision.frame import Frame, Pixels, Point
from vision.grids import Grid
from vision.profile import Profile
from vision.reading import Reading

# BGR. Green is what was read, orange what is to be entered, red what is in doubt.
READ = (90, 200, 60)
ENTER = (0, 140, 255)
DOUBT = (40, 40, 230)
FREE = (190, 170, 120)
LOOK = (230, 150, 60)
# Names in smaller cells are smears.
NAMED_PITCH_PX = 40
PLATE = (236, 240, 242)
BADGE = (0, 60, 170)
SHADE = 0.35
# Lines begin so far from the middle of a cell, in pitches: what is written there stays legible.
CLEAR = 0.34
_RGB = re.compile("[0-9a-fA-F]{6}")


def label(canvas: Canvas, ends: Sequence[Point], value: Any) -> None:
    """The symbol's own icon and its name where the profile has one, else the name alone, inside a ring."""
    pixels, pitch, centre, text = canvas.pixels, canvas.pitch, ends[0], str(value)
    icon = canvas.profile.templates.get(f"aspects/{text}")
    radius, thick = max(3, round(pitch * 0.44)), max(1, round(pitch / 20))
    if icon is None:
        cv2.circle(pixels, _whole(centre), radius, ENTER, thick, cv2.LINE_AA)
        _write(pixels, text, centre, pitch / 60 if len(text) > 2 else pitch / 34, pitch)
        return
    # A dark icon on dark ground, or a brown one on parchment, is seen by nobody.
    cv2.circle(pixels, _whole(centre), radius, PLATE, -1, cv2.LINE_AA)
    cv2.circle(pixels, _whole(centre), radius, ENTER, thick, cv2.LINE_AA)
    _paste(pixels, icon.pixels, icon.alpha, centre, max(6, round(pitch * 0.6)))
    if pitch >= NAMED_PITCH_PX:
        _badge(pixels, text, Point(centre.x, centre.y + pitch * 0.36), pitch / 120, pitch)


def _write(pixels: Pixels, text: str, centre: Point, scale: float, pitch: float) -> None:
    """A word around a place, with a light rim; lines are as thick as suits the pitch."""
    left, top, width, height = _ink(text, scale)
    at = round(centre.x - left - width / 2), round(centre.y - top - height / 2)
    line, rim = max(1, round(pitch / 48)), max(1, round(pitch / 30))
    # OpenCV 5 spaces thick letters more widely: a rim of thick ones would not lie around thin ones.
    around = [(right, down) for right in (-rim, 0, rim) for down in (-rim, 0, rim) if right or down]
    for right, down in (*around, (0, 0)):
        colour = (255, 255, 255) if right or down else (0, 60, 200)
        place = at[0] + right, at[1] + down
        cv2.putText(pixels, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, line, cv2.LINE_AA)


def _badge(pixels: Pixels, text: str, centre: Point, scale: float, pitch: float) -> None:
    """A short text in white on a plate of its own, for grounds of any colour."""
    line = max(1, round(pitch / 48))
    left, top, width, height = _ink(text, scale)
    room = max(2, round(pitch / 14))
    x, y = round(centre.x - width / 2), round(centre.y - height / 2)
    cv2.rectangle(pixels, (x - room, y - room), (x + width + room, y + height + room), BADGE, -1)
    cv2.putText(
        pixels, text, (x - left, y - top), cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), line, cv2.LINE_AA
    )


@lru_cache(maxsize=1024)
def _ink(text: str, scale: float) -> tuple[int, int, int, int]:
    """Where the ink of a word lies around the place that it is written at: left, top, width, height in px.

    What OpenCV tells of a word's size leaves room above the signs, and more in version 5 than in 4.
    """
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    rim = height + below + 8
    paper = np.zeros((2 * rim, width + 2 * rim), np.uint8)
    cv2.putText(paper, text, (rim, rim), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, 1, cv2.LINE_AA)
    rows, cols = np.flatnonzero(paper.any(axis=1)), np.flatnonzero(paper.any(axis=0))
    if not len(rows):
        return 0, 0, 0, 0
    return int(cols[0]) - rim, int(rows[0]) - rim, int(np.ptp(cols)) + 1, int(np.ptp(rows)) + 1


def filled_squares(canvas: Canvas, ends: Sequence[Point], value: Any) -> None:
    """A square, framed so that an ink like the background can be seen; a dot for a blank."""
    pixels, pitch, centre = canvas.pixels, canvas.pitch, ends[0]
    if value == ".":
        cv2.circle(pixels, _whole(centre), max(2, round(pitch * 0.14)), ENTER, -1, cv2.LINE_AA)
        return
    half = pitch * 0.3
    first = round(centre.x - half), round(centre.y - half)
    last = round(centre.x + half), round(centre.y + half)
    cv2.rectangle(pixels, first, last, canvas.colours.get(value, ENTER), -1)
    cv2.rectangle(pixels, first, last, ENTER, 1)


def parallel_lines(canvas: Canvas, ends: Sequence[Point], value: Any) -> None:
    """As many lines between the two ends as the value says; the ends themselves stay free."""
    a, b = (np.array(end) for end in ends)
    along = (b - a) / max(1e-9, float(np.hypot(*(b - a))))
    across = np.array([along[1], -along[0]])
    clear = min(CLEAR * canvas.pitch, float(np.hypot(*(b - a))) / 3)
    for nth in range(int(value)):
        shift = across * (nth - (int(value) - 1) / 2) * canvas.pitch * 0.16
        first, last = Point(*(a + along * clear + shift)), Point(*(b - along * clear + shift))
        cv2.line(canvas.pixels, _whole(first), _whole(last), ENTER, canvas.thick, cv2.LINE_AA)


def paint(
    frame: Frame,
    reading: Reading[Any, Any],
    profile: Profile,
    enter: Mapping[Any, Any] | None = None,
    brush: Brush = LABELS,
) -> Pixels:
    """The frame with every cell marked, and the entries to be made drawn where they belong.

    enter: what is still to be entered, cell -> value; None where nothing is known of that.
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
    _enter(pixels, reading, profile, enter or {}, brush)
    return pixels


def point_out(
    frame: Frame,
    reading: Reading[Any, Any],
    profile: Profile,
    focus: Iterable[Any],
    enter: Mapping[Any, Any],
    wrong: Mapping[Any, Any],
    brush: Brush = LABELS,
) -> Pixels:
    """The frame with the cells to look at shaded, what can be entered drawn in, and wrong marks crossed out.

    focus: cells and entries; those without a place on the picture are left out.
    Returns a new (H, W, 3) uint8 picture of the frame's size.
    """
    centres, pitch = reading.geometry.centres, reading.geometry.pitch_px
    thick = max(1, round(pitch / 24))
    shaded = frame.pixels.copy()
    for cell in focus:
        if cell in centres:
            cv2.circle(shaded, _whole(centres[cell]), max(3, round(pitch * 0.46)), LOOK, -1, cv2.LINE_AA)
            continue
        ends = _ends(centres, brush, cell)
        if ends:
            cv2.line(shaded, _whole(ends[0]), _whole(ends[-1]), LOOK, 4 * thick, cv2.LINE_AA)
    pixels: Pixels = cv2.addWeighted(shaded, SHADE, frame.pixels, 1 - SHADE, 0).astype(np.uint8)
    _enter(pixels, reading, profile, enter, brush)
    for cell in wrong:
        ends = _ends(centres, brush, cell)
        middle = Point((ends[0].x + ends[-1].x) / 2, (ends[0].y + ends[-1].y) / 2)
        _cross(pixels, middle, pitch, 2 * thick)
    return pixels


def _ends(centres: Mapping[Any, Point], brush: Brush, cell: Any) -> list[Point]:
    """Where an entry lies; nothing for one without a place on the picture."""
    if cell in centres:
        return [centres[cell]]
    ends = brush.ends(cell)
    return [centres[end] for end in ends] if all(end in centres for end in ends) else []


def _enter(
    pixels: Pixels, reading: Reading[Any, Any], profile: Profile, enter: Mapping[Any, Any], brush: Brush
) -> None:
    pitch = reading.geometry.pitch_px
    canvas = Canvas(pixels, pitch, max(1, round(pitch / 24)), profile, _bgr(brush.colours(reading.puzzle)))
    numbers = _number_palette(canvas, reading, enter)
    for cell, value in sorted(enter.items(), key=lambda item: str(item[0])):
        ends = _ends(reading.geometry.centres, brush, cell)
        if ends:
            (brush.draw or label)(canvas, ends, value)
            if value in numbers:
                corner = Point(ends[0].x - pitch * 0.3, ends[0].y - pitch * 0.3)
                _badge(pixels, str(numbers[value]), corner, pitch / 90, pitch)


def _number_palette(canvas: Canvas, reading: Reading[Any, Any], enter: Mapping[Any, Any]) -> dict[Any, int]:
    """Numbers what is dragged from a palette, one after the other, where both ends of the drag are to be seen.

    Each entry gets its number and how often it is needed; the same number stands at its cells.
    """
    shown = [value for value in sorted(set(enter.values()), key=str) if value in reading.controls]
    for number, value in enumerate(shown, start=1):
        control = reading.controls[value]
        times = sum(one == value for one in enter.values())
        cv2.circle(
            canvas.pixels,
            _whole(control.at),
            round(canvas.pitch * 0.46),
            ENTER,
            canvas.thick + 1,
            cv2.LINE_AA,
        )
        corner = Point(control.at.x, control.at.y - canvas.pitch * 0.3)
        _badge(canvas.pixels, f"{number}: {times}x", corner, canvas.pitch / 90, canvas.pitch)
    return {value: number for number, value in enumerate(shown, start=1)}


def _bgr(colours: Mapping[str, str]) -> dict[str, tuple[int, int, int]]:
    """BGR by value; a colour that is no hexadecimal RGB is left out."""
    return {
        value: (int(rgb[4:], 16), int(rgb[2:4], 16), int(rgb[:2], 16))
        for value, rgb in colours.items()
        if _RGB.fullmatch(rgb)
    }


def _cross(pixels: Pixels, centre: Point, pitch: float, thick: int) -> None:
    half = pitch * 0.36
    for turn in (-1, 1):
        first = round(centre.x - half), round(centre.y - turn * half)
        last = round(centre.x + half), round(centre.y + turn * half)
        cv2.line(pixels, first, last, DOUBT, thick, cv2.LINE_AA)


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


def lattices(frame: Frame, grids: Sequence[Grid]) -> Pixels:
    """The frame with every lattice that was found on it drawn in, the largest in orange and the others in blue."""
    pixels = frame.pixels.copy()
    for number, grid in reversed(list(enumerate(grids))):
        colour = LOOK if number else ENTER
        left, right = round(grid.xs.at(0)), round(grid.xs.at(grid.cols))
        top, bottom = round(grid.ys.at(0)), round(grid.ys.at(grid.rows))
        for col in range(grid.cols + 1):
            x = round(grid.xs.at(col))
            cv2.line(pixels, (x, top), (x, bottom), colour, 2)
        for row in range(grid.rows + 1):
            y = round(grid.ys.at(row))
            cv2.line(pixels, (left, y), (right, y), colour, 2)
    return pixels
