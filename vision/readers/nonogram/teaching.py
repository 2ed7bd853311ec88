"""Learns what the cells of a nonogram's program mean from one picture on which a person names their looks.

The lattice and the clues are read as always; what a look of cells means is what the person says, and is kept as the
settings that are kept of a program that was learned while it was played.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vision.errors import UncertainReading
from vision.frame import Box, Frame, Pixels
from vision.measures.looks import Sample, SharedLook
from vision.measures.parts import part_of
from vision.profile import Profile
from vision.readers.lessons import Group, Lesson, Named
from vision.readers.nonogram.board import read
from vision.readers.nonogram.learned import seen_looks, signature
from vision.readers.nonogram.meanings import Meaning
from vision.readers.nonogram.told import BoardReading

# What a person says of cells, and what it means; nothing said is nothing entered.
MEANINGS: Mapping[str, Meaning] = {"filled": "filled", "blank": "blank", "": "free"}


def teach(frame: Frame) -> Lesson:
    """The looks of the cells on a picture, to be named. Raises BoardNotFound, and UncertainReading where clues are."""
    reading = read(frame, Profile("nonogram", ""))
    if not isinstance(reading, BoardReading) or reading.seen is None or reading.seen.inks:
        raise UncertainReading(
            "the cells of a coloured nonogram are told by the colours of its clues",
            hint="there is nothing to teach: read the picture",
        )
    looks = [look for look in reading.looks if not look.odd]
    groups = tuple(
        Group(
            look.cells,
            part_of(_cell(frame.pixels, reading, look.cells[0])),
            f"row {look.cells[0].row + 1}, column {look.cells[0].col + 1}",
        )
        for look in looks
    )

    def profile(name: str, named: Mapping[int, Named]) -> Profile:
        for number, one in sorted(named.items()):
            _require_clues(reading, looks[number], MEANINGS[one.symbol], groups[number].where)
        known = [
            (MEANINGS[one.symbol], Sample(looks[number].colour, looks[number].marked))
            for number, one in sorted(named.items())
        ]
        made = Profile("nonogram", name, settings={**signature(frame.pixels, reading), **seen_looks(known)})
        again = read(frame, made)
        if again.doubtful:
            raise UncertainReading.of(
                again.doubtful, hint="two looks may be too much alike: compare their names"
            )
        return made

    width, height = reading.puzzle.width, reading.puzzle.height
    return Lesson(
        f"{width} x {height} cells", groups, lambda board: {}, profile, symbols=frozenset(MEANINGS), states=()
    )


def _require_clues(reading: BoardReading, look: SharedLook, meaning: Meaning, where: str) -> None:
    """Raise UncertainReading where the clues say of most cells of a look that it means something else."""
    assert reading.seen is not None
    witness = reading.seen.witness
    against = witness.blank if meaning == "filled" else witness.filled if meaning == "blank" else frozenset()
    wrong = [cell for cell in look.cells if cell in against]
    if 2 * len(wrong) > len(look.cells):
        raise UncertainReading(
            f"the clues settle that cells such as {where} are not {meaning}",
            hint="see the looks with --sheet OUT.png, and name them in their order",
            cells=wrong,
        )


def _cell(pixels: Pixels, reading: BoardReading, cell: object) -> Pixels:
    box = Box.about(reading.geometry.centres[cell], 0.4 * reading.geometry.pitch_px)
    return np.ascontiguousarray(pixels[box.clipped((pixels.shape[1], pixels.shape[0])).window])
