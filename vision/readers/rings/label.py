"""What one piece of writing on a ring figure is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.frame import Box, Point

Kind = Literal["number", "question", "empty", "unclear"]


@dataclass(frozen=True)
class Label:
    """Something written, or an empty plate.

    kind: "question" is a question mark, "empty" a plate with nothing on it, "unclear" no number we know.
    saturation: of the ink, 0 grey .. 255; plate: it stands on a filled or framed rectangle.
    likely: what an unclear label is nearest to; captioned: it stands behind a word.
    until: the other end of a range, "1-9".
    """

    box: Box
    kind: Kind
    value: int | None
    confidence: float
    runner_up: int | None
    likely: int | None
    saturation: float
    plate: bool
    captioned: bool = False
    until: int | None = None

    @property
    def at(self) -> Point:
        return self.box.centre
