"""Looks of a skin that nobody knows, taught by one picture: the looks on it are shown, and a person names them.

For declared games a lesson is kept in a profile as a crop of one cell for each look, named by the symbol (in hexadecimal
UTF-8) and its state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np

from solver.errors import InvalidPuzzle
from solver.grid.board import Board
from solver.lattice import Square
from vision.errors import BoardNotFound
from vision.eyesight import Eyesight, Look
from vision.frame import Frame, Pixels
from vision.grids import Grid
from vision.measures.likeness import COLOUR, SHAPES
from vision.measures.parts import LEAST_DRAWN, Part, part_of, parts
from vision.profile import Icon, Profile
from vision.reading import State
from vision.scene import Scene, scene_of

FOLDER = "looks"
# A group of cells with digits is called so; each digit is then read.
NUMBER = "number"
# Looks in one row of a contact sheet.
SHEET_COLUMNS = 12
STATES: tuple[State, ...] = ("free", "given", "placed")
# A number as sure as this is one.
SURE_NUMBER = 0.8


@dataclass(frozen=True)
class Named:
    """What a cell shows: its symbol ("" for nothing, "number" for any digit), and whether it is given, placed or free."""

    symbol: str
    state: State


@dataclass(frozen=True, eq=False)
class Group:
    """Cells that look alike; `part` is the first of them, and `where` says in words where that is."""

    cells: tuple[Any, ...]
    part: Part
    where: str


@dataclass(frozen=True, eq=False)
class Lesson:
    """The looks on a picture, to be named.

    what: what was found, in words. groups: the looks. told: the names of cells by a board that is on the picture.
    profile: what was learned, from its name and the names of the looks by their numbers.
    symbols: all names that there are; None where that is not known. states: the states that a look may have; none where
        there is nothing to choose.
    keeps: the folder of the templates that an earlier lesson of the same name may have taught, and this one adds to.
    Both functions raise BoardsightErrors where what they are told cannot be.
    """

    what: str
    groups: tuple[Group, ...]
    told: Callable[[Any], Mapping[Any, Named]]
    profile: Callable[[str, Mapping[int, Named]], Profile]
    symbols: Collection[str] | None = None
    states: tuple[State, ...] = STATES
    keeps: str = ""


def teach(frame: Frame, eyes: Eyesight, game: str) -> Lesson:
    """The looks of the cells on a picture of a declared game. Raises BoardNotFound."""
    scene = scene_of(frame)
    grids = scene.grids() or tuple(eyes.lattices(scene) if eyes.lattices else ())
    if not grids:
        raise BoardNotFound("no lattice of cells", hint="crop the picture to the board, or take a larger one")
    found = tuple(groups(scene, grids[0], eyes))
    size = (grids[0].rows, grids[0].cols)
    return Lesson(
        f"{size[1]} x {size[0]} cells",
        found,
        partial(_told, size, {look.state for look in eyes.looks}),
        lambda name, named: lesson(Profile(game, name), named, found),
    )


def _told(size: tuple[int, int], states: Collection[State], board: Board) -> dict[Square, Named]:
    """What each cell of an untouched board shows; what is given is no look where none is of that state. Raises InvalidPuzzle
    for a board of another size."""
    if (board.height, board.width) != size:
        raise InvalidPuzzle(
            f"the picture has {size[1]} x {size[0]} cells, --truth has {board.width} x {board.height}",
            hint="give the board that is on this very picture",
        )
    return {
        at: Named(board.given[at], "given") if at in board.given and "given" in states else Named("", "free")
        for at in board.squares
    }


def groups(scene: Scene, grid: Grid, eyes: Eyesight) -> list[Group]:
    """The cells of a lattice by how they look, the most frequent look first; all digits of one colour are one look."""
    found: list[tuple[list[Square], Part]] = []
    for at, part in scene.once(parts, grid, eyes.region).items():
        for cells, first in found:
            if _alike(part, first, on_any=eyes.on_any_ground):
                cells.append(Square(*at))
                break
        else:
            found.append(([Square(*at)], part))
    found.sort(key=lambda one: -len(one[0]))
    return [
        Group(tuple(cells), part, f"row {cells[0].row + 1}, column {cells[0].col + 1}")
        for cells, part in found
    ]


def _alike(one: Part, other: Part, *, on_any: bool) -> bool:
    grounds = float(np.abs(one.ground - other.ground).max())
    if (grounds > COLOUR and not on_any) or one.framed != other.framed:
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
    return (
        part.share >= LEAST_DRAWN and part.number.value is not None and part.number.confidence >= SURE_NUMBER
    )


def lesson(profile: Profile, named: Mapping[int, Named], found: Sequence[Group]) -> Profile:
    """The profile with the looks of the groups that have a name, by the number of the group."""
    templates = {}
    for number, name in sorted(named.items()):
        patch = found[number].part.patch
        key = f"{FOLDER}/{name.state}/{name.symbol.encode().hex() or 'nothing'}-{number}"
        templates[key] = Icon(patch, np.full(patch.shape[:2], 255, np.uint8))
    return Profile(profile.game, profile.name, {**profile.templates, **templates}, profile.settings)


def looks_in(profile: Profile, *, on_any_ground: bool) -> tuple[Look, ...]:
    """The looks that a profile holds; on_any_ground: whatever the ground is on which they were learned."""
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
        look = _look(symbol, state, part_of(icon.pixels))
        found.append(replace(look, ground=()) if on_any_ground else look)
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
    if not cells:
        return np.full((side, side, 3), 255, np.uint8)
    blank = np.full_like(cells[0], 255)
    cells += [blank] * (-len(cells) % min(len(cells), SHEET_COLUMNS))
    wide = min(len(cells), SHEET_COLUMNS)
    return np.vstack([np.hstack(cells[start : start + wide]) for start in range(0, len(cells), wide)])
