"""A later look at a ring puzzle that has been read before: what has come into its blanks since was entered."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from solver.rings import Entries, Rings, check
from vision.frame import Frame
from vision.profile import Profile
from vision.readers.rings.board import read
from vision.reading import Reading


def reread(frame: Frame, earlier: Reading[Rings, Entries]) -> Reading[Rings, Entries]:
    """A later frame of a board that has been read: what has come into its blanks was entered. Raises like `read`."""
    return as_entered(read(frame, Profile("rings", earlier.ui)), earlier)


def as_entered(now: Reading[Rings, Entries], earlier: Reading[Rings, Entries]) -> Reading[Rings, Entries]:
    """The reading with those numbers as entered ones that stand in blanks of the earlier reading.

    A single picture tells givens from entries by their colour. Where nothing is given, all its numbers have that
    colour, which may as well be the ink of the screen. Another puzzle comes back as it is.
    """
    was, puzzle = earlier.puzzle, now.puzzle
    fresh = {region: value for region, value in puzzle.given.items() if region not in was.given}
    same_figure = was.rings == puzzle.rings and [p.region for p in was.places] == [
        p.region for p in puzzle.places
    ]
    same_givens = {
        region: value for region, value in puzzle.given.items() if region not in fresh
    } == was.given
    stock = Counter(puzzle.numbers)
    same_stock = Counter(was.numbers) in (stock, stock + Counter(fresh.values()))
    if not fresh or not (same_figure and same_givens and same_stock):
        return now
    places = tuple(replace(place, value=None) if place.region in fresh else place for place in puzzle.places)
    told = replace(puzzle, places=places, numbers=was.numbers, use=was.use, target=was.target)
    placed = {**now.placed, **fresh}
    marks = {
        region: replace(mark, state="placed") if region in fresh else mark
        for region, mark in now.marks.items()
    }
    complete = len(placed) == len(told.blanks) and not now.doubtful
    return replace(
        now,
        puzzle=told,
        placed=placed,
        marks=marks,
        finished=complete and not check(told, placed),
        remarks=(),
    )
