"""How practice nonograms look and behave: imitations of the kinds of programs that there are, none of one in particular."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bot.practice.lettering import Bgr

Clicks = Literal["sets", "toggles", "cycles"]


@dataclass(frozen=True)
class Skin:
    """How a board looks and what clicks do; colours BGR, lengths in px or as a share of the tile.

    mark: what a blank cell carries; "colour" is a colour of its own.
    line_px, bold_px: grid lines, and every fifth of them.
    gap, radius: between two cells, and of their corners; with a gap there are no lines.
    done: of the clues of a finished line.
    boxes: behind every clue, where clues have boxes as large as the cells.
    texture: grain and planks behind everything.
    fade: what the background fades to downwards; cells let it through.
    around: a title, a small picture of the board and buttons with numbers stand around it.
    clicks: whether a button sets a cell, toggles it, or the left one leads from empty to filled to blank. Only a
        program whose buttons set takes strokes.
    """

    name: str
    background: Bgr
    unknown: Bgr
    filled: Bgr
    blank: Bgr
    grid: Bgr
    clue: Bgr
    line_px: int = 1
    bold_px: int = 3
    mark: Literal["colour", "cross", "dot"] = "cross"
    gap: float = 0.0
    radius: float = 0.0
    done: Bgr | None = None
    boxes: Bgr | None = None
    texture: bool = False
    fade: Bgr | None = None
    around: bool = False
    clicks: Clicks = "sets"


_ALL = (
    Skin(
        "sgt", (230, 230, 230), (128, 128, 128), (0, 0, 0), (255, 255, 255), (76, 76, 76), (0, 0, 0),
        mark="colour",
    ),
    Skin(
        "paper", (255, 255, 255), (255, 255, 255), (40, 30, 30), (255, 255, 255), (150, 150, 150), (30, 20, 20),
        bold_px=2,
    ),
    Skin(
        "night", (46, 36, 30), (86, 72, 62), (235, 206, 120), (46, 36, 30), (140, 124, 110), (240, 236, 230),
    ),
    Skin(
        "web", (247, 244, 243), (255, 255, 255), (60, 46, 38), (255, 255, 255), (163, 147, 138), (40, 34, 32),
        bold_px=2, done=(180, 172, 164), around=True, clicks="toggles",
    ),
    Skin(
        "phone", (58, 30, 24), (238, 232, 226), (150, 74, 32), (238, 232, 226), (140, 120, 110), (255, 255, 255),
        gap=0.1, radius=0.18, boxes=(92, 58, 50), around=True, clicks="cycles",
    ),
    Skin(
        "round", (236, 240, 228), (214, 222, 200), (96, 60, 180), (214, 222, 200), (130, 120, 150), (70, 50, 60),
        gap=0.14, radius=0.3, mark="dot", clicks="toggles",
    ),
    Skin(
        "wood", (110, 160, 196), (170, 208, 232), (28, 44, 70), (170, 208, 232), (60, 96, 130), (20, 34, 56),
        bold_px=4, texture=True,
    ),
    Skin(
        "candy", (250, 225, 255), (255, 250, 252), (200, 120, 40), (190, 240, 250), (210, 150, 200), (120, 20, 90),
        mark="colour", done=(190, 150, 180), clicks="toggles",
    ),
    Skin(
        "photo", (150, 110, 60), (250, 246, 240), (90, 40, 30), (250, 246, 240), (120, 110, 100), (30, 26, 24),
        bold_px=3, fade=(90, 170, 230), around=True, clicks="toggles",
    ),
)  # fmt: skip
SKINS: Mapping[str, Skin] = {skin.name: skin for skin in _ALL}
