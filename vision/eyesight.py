"""How the cells of a declared game look: what its file tells, and the reader of grids goes by.

Nothing here measures a picture, so that a game is known without any library of pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from solver.grid.board import Board, Edge, Place
from vision.reading import Mark, State

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

Form = Literal[
    "nothing",
    "anything",
    "number",
    "disc",
    "square",
    "triangle",
    "crown",
    "queen",
    "backslash",
    "slash",
    "cross",
    "plus",
    "minus",
]


_RGB = re.compile("[0-9a-f]{6}", re.IGNORECASE)
# Numbers of one sign each: letters stand for those above nine.
SIGNS = "123456789abcdefg"


class Region(NamedTuple):
    """What is looked at of a cell, in shares of its size from its top left corner; may reach beyond it.

    round: only what lies in the ellipse inside it.
    """

    left: float = 0.1
    top: float = 0.1
    right: float = 0.9
    bottom: float = 0.9
    round: bool = False


WHOLE = Region()
# The point where four cells meet, and the cell to its right and below names it: the inside of a small circle there.
CORNER = Region(-0.28, -0.28, 0.28, 0.28, round=True)


@dataclass(frozen=True)
class Look:
    """How a symbol may look; a symbol may have several.

    symbol: "" for a cell with nothing in it. A number stands for itself, in front of and behind what `{}` separates.
    ground, ink: hexadecimal RGB, any of several; none: any colour. size: of the drawing, least and most of its larger
    side in shares of the region; tall: of the height of its tallest piece. framed: whether a frame or ring goes round it;
    None: either; frame: its colour, any of several.
    drawing: the form itself, (SHAPE * SHAPE) values 0..1 row by row, where it was learned from a picture.
    clue: the number is printed in the cell, whatever else stands there. most: the largest number there is.
    """

    symbol: str
    state: State = "free"
    ground: tuple[str, ...] = ()
    form: Form = "nothing"
    ink: tuple[str, ...] = ()
    size: tuple[float, float] = (0.0, 1.0)
    framed: bool | None = None
    frame: tuple[str, ...] = ()
    tall: tuple[float, float] = (0.0, 1.0)
    clue: bool = False
    drawing: tuple[float, ...] = ()
    most: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for what no cell could ever look like: a word that was mistyped."""
        for told, known in ((self.form, get_args(Form)), (self.state, get_args(State))):
            if told not in known:
                raise ValueError(
                    f"a look of {self.symbol!r} says {told!r}, which is none of {', '.join(known)}"
                )
        for colour in (*self.ground, *self.ink, *self.frame):
            if not _RGB.fullmatch(colour):
                raise ValueError(f"a look of {self.symbol!r} has the colour {colour!r}: 'e6e6e6' is one")


@dataclass(frozen=True, eq=False)
class Eyesight:
    """What a game tells of its looks.

    looks: of the cells. outside: the edges with clues, and how those look. corners: how the points between cells look.
    region, outside_region: what is looked at of a cell, and of a place beside it. wider: where entries that `region` cuts are
    looked at, without what is printed there in black.
    least: rows and columns of the smallest board.
    evidence: symbols of which at least one must be seen, "number" for any. lattices: more lattices than lines show.
    above: how far what is printed above the board reaches, in cells. lines: the colour of the lines
    between cells, where that tells the game from others.
    letters: numbers are SIGNS where the board has more than nine rows.
    covers: symbols under which what is printed in a cell cannot be seen.
    clear: the picture without what is printed over its cells; None where nothing is.
    errors: the colour, RGB, that marks errors and nothing else: the cells are looked at without it.
    mistake: the colour, RGB, in which the program draws what it takes for a mistake; "" where none is known.
    cursor: the colour, RGB, of thin lines that the keyboard's cursor draws in a cell, and nothing else has: as `errors`.
    turned: whether clicks turn what is printed: then another board of the same form is the same one.
    likely: whether a lattice may be a board of the game, told at once; asked for every lattice on every picture.
    finish: what else the picture tells: from the scene, the grid and the board so far the whole board. A place that "" is given
    for is in doubt. Raises InvalidPuzzle where it is no board of the game.
    """

    looks: tuple[Look, ...]
    outside: tuple[Edge, ...] = ()
    outside_looks: tuple[Look, ...] = ()
    outside_region: Region = WHOLE
    corners: tuple[Look, ...] = ()
    region: Region = WHOLE
    wider: Region | None = None
    least: int = 3
    evidence: tuple[str, ...] = ()
    above: float = 0.0
    letters: bool = False
    covers: tuple[str, ...] = ()
    turned: bool = False
    lines: tuple[str, ...] = ()
    lattices: Callable[[Scene], Iterable[Grid]] | None = None
    clear: Callable[[Scene], Scene | None] | None = None
    errors: str = ""
    mistake: str = "ff0000"
    cursor: str = ""
    likely: Callable[[Scene, Grid], bool] | None = None
    finish: Callable[[Scene, Grid, Board], Board] = lambda scene, grid, board: board
    tell: Callable[[Scene, Grid], Mapping[Place, Mark]] | None = None

    @property
    def on_any_ground(self) -> bool:
        """Whether cells look alike whatever the colour of their ground, which tells something else."""
        return not any(look.ground for look in self.looks)
