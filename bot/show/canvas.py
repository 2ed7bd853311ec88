"""A table of coloured characters: what the terminal shows and what a film is made of."""

from __future__ import annotations

from typing import NamedTuple

Rgb = tuple[int, int, int]

# Colours that every game uses for the same thing; readable on dark and on light ground.
GIVEN: Rgb = (150, 150, 160)
SOLVED: Rgb = (70, 190, 90)
GUESSED: Rgb = (225, 160, 40)
WRONG: Rgb = (225, 70, 70)
FOCUS: Rgb = (70, 140, 220)
QUIET: Rgb = (110, 110, 120)


class Glyph(NamedTuple):
    """One character: its colour, the colour behind it (None: the terminal's own), and whether it is bold."""

    char: str = " "
    ink: Rgb | None = None
    ground: Rgb | None = None
    bold: bool = False


NOTHING = Glyph()


class Canvas:
    """`height` rows of `width` glyphs; what is put outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.rows = [[NOTHING] * width for _ in range(height)]

    def put(
        self,
        row: int,
        col: int,
        text: str,
        ink: Rgb | None = None,
        ground: Rgb | None = None,
        bold: bool = False,
    ) -> None:
        """Write a text from a place to the right."""
        if 0 <= row < self.height:
            line = self.rows[row]
            for at, char in enumerate(map(_shown, text), col):
                if 0 <= at < self.width:
                    line[at] = Glyph(char, ink, ground, bold)

    def text(self) -> str:
        """The characters alone."""
        return "\n".join("".join(glyph.char for glyph in row).rstrip() for row in self.rows)

    def cut(self, top: int, left: int, width: int, height: int) -> Canvas:
        """A part as a canvas of its own; what lies outside is empty."""
        part = Canvas(width, height)
        for row in range(height):
            if 0 <= top + row < self.height:
                found = self.rows[top + row][max(0, left) : max(0, left + width)]
                start = max(0, -left)
                part.rows[row][start : start + len(found)] = found
        return part


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """A colour between two; share 0 is the first.

    >>> mix((0, 0, 0), (100, 200, 50), 0.5)
    (50, 100, 25)
    """
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _shown(char: str) -> str:
    """A character as it may stand in a picture; for what a terminal would obey, or does not show, a question mark."""
    return char if char.isprintable() else "?"
