"""Looks of a skin that nobody declared, taught by one picture: the cells that look alike get names.

A lesson is kept in a profile: for each look a crop of one cell, named by the symbol (in hexadecimal UTF-8) and its state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from solver.lattice import Square
from vision.eyesight import Eyesight, Look
from vision.frame import Pixels
from vision.grids import Grid
from vision.measures.likeness import COLOUR, SHAPES
from vision.measures.parts import LEAST_DRAWN, Part, part_of, parts
from vision.profile import Icon, Profile
from vision.reading import State
from vision.scene import Scene

FOLDER = "looks"
# A group of cells with digits is called so; each digit is then read.
NUMBER = "number"
STATES: tuple[State, ...] = ("free", "given", "placed")


@dataclass(frozen=True)
class Named:
    """What a cell shows: its symbol ("" for nothing, "number" for any digit), and whether it is given, placed or free."""

    symbol: str
    state: State


@dataclass(frozen=True, eq=False)
class Group:
    """Cells that look alike; `part` is the first of them."""

    cells: tuple[Square, ...]
    part: Part


def groups(scene: Scene, grid: Grid, eyes: Eyesight) -> list[Group]:
    """The cells of a lattice by how they look, the most frequent look first; all digits of one colour are one look."""
    found: list[tuple[list[Square], Part]] = []
    for at, part in scene.once(parts, grid, eyes.region).items():
        for cells, first in found:
            if _alike(part, first):
                cells.append(Square(*at))
                break
        else:
            found.append(([Square(*at)], part))
    found.sort(key=lambda one: -len(one[0]))
    return [Group(tuple(cells), part) for cells, part in found]


def _alike(one: Part, other: Part) -> bool:
    grounds = float(np.abs(one.ground - other.ground).max())
    if grounds > COLOUR or one.framed != other.framed:
        return False
    empty = one.share < LEAST_DRAWN, other.share < LEAST_DRAWN
    if any(empty):
        return all(empty)
    if float(np.abs(one.ink - other.ink).max()) > COLOUR:
        return False
    if _is_number(one) and _is_number(other):
        return True
    return float(np.abs(one.shape - other.shape).mean()) <= SHAPES / 2


def _is_number(part: Part) -> bool:
    return part.share >= LEAST_DRAWN and part.number.value is not None and part.number.confidence >= 0.8


def lesson(profile: Profile, named: Mapping[int, Named], found: Sequence[Group]) -> Profile:
    """The profile with the looks of the groups that have a name, by the number of the group."""
    templates = {}
    for number, name in sorted(named.items()):
        patch = found[number].part.patch
        key = f"{FOLDER}/{name.state}/{name.symbol.encode().hex() or 'nothing'}-{number}"
        templates[key] = Icon(patch, np.full(patch.shape[:2], 255, np.uint8))
    return Profile(profile.game, profile.name, {**profile.templates, **templates}, profile.settings)


def looks_in(profile: Profile) -> tuple[Look, ...]:
    """The looks that a profile holds."""
    found = []
    for name, icon in sorted(profile.templates.items()):
        folder, _, rest = name.partition("/")
        state, _, coded = rest.partition("/")
        if folder != FOLDER or state not in STATES:
            continue
        code = coded.split("-")[0]
        try:
            symbol = "" if code == "nothing" else bytes.fromhex(code).decode()
        except ValueError:
            continue
        found.append(_look(symbol, state, part_of(icon.pixels)))
    return tuple(found)


def _look(symbol: str, state: State, part: Part) -> Look:
    ground, ink = _rgb(part.ground), _rgb(part.ink)
    if part.share < LEAST_DRAWN:
        return Look(symbol, state, (ground,), framed=part.framed)
    around = (max(0.0, part.size - 0.15), min(1.0, part.size + 0.15))
    if symbol == NUMBER:
        return Look("", state, (ground,), "number", (ink,), (0.2, 1.0), framed=part.framed)
    drawing = tuple(float(value) for value in part.shape.ravel())
    return Look(symbol, state, (ground,), "anything", (ink,), around, framed=part.framed, drawing=drawing)


def _rgb(colour: np.typing.NDArray[np.float64]) -> str:
    blue, green, red = (round(float(value)) for value in colour)
    return f"{red:02x}{green:02x}{blue:02x}"


def sheet(found: Sequence[Group], side: int = 64) -> Pixels:
    """A contact sheet: one cell of each group with its number, and how many cells look so."""
    cells = []
    for number, group in enumerate(found, 1):
        tile = np.full((side + 24, side + 12, 3), 255, np.uint8)
        way = cv2.INTER_AREA if group.part.patch.shape[0] > side else cv2.INTER_NEAREST
        tile[6 : 6 + side, 6 : 6 + side] = cv2.resize(group.part.patch, (side, side), interpolation=way)
        told = f"{number}: {len(group.cells)}x"
        cv2.putText(tile, told, (6, side + 19), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 0, 0), 1, cv2.LINE_AA)
        cells.append(tile)
    return np.hstack(cells)
