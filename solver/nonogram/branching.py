"""Puts a black-and-white puzzle into `probing` and takes the pictures out."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, chain

from solver.nonogram import probing
from solver.nonogram.board import Nonogram, Picture
from solver.nonogram.clauses import OPEN, REFUTED
from solver.nonogram.machine import Machine
from solver.nonogram.probing import Probing

# Boards on the stack; a search that goes deeper is better left to clause learning.
MOST_BOARDS = 64


def fits(puzzle: Nonogram) -> bool:
    """Whether every line fits a machine word."""
    return puzzle.palette is None and max(puzzle.width, puzzle.height) <= probing.MOST_LENGTH


class Brancher:
    """One puzzle being probed and branched on, a part at a time.

    certain: cells that are known already. boards: how deep the search may go.
    """

    def __init__(
        self,
        puzzle: Nonogram,
        certain: Picture,
        machine: Machine,
        at_most: int,
        boards: int = MOST_BOARDS,
    ) -> None:
        self._puzzle, self._machine = puzzle, machine
        self._lines = puzzle.height + puzzle.width
        self._probing = _blank_probing(puzzle, machine, at_most, boards)
        now = self._probing.now
        now[probing.HEIGHT], now[probing.WIDTH] = puzzle.height, puzzle.width
        first = probing.STACK * self._lines
        for cells, values in (
            (certain.filled, self._probing.filled),
            (certain.blank, self._probing.blank),
        ):
            for row, col in cells:
                values[first + row] |= 1 << col
                values[first + puzzle.height + col] |= 1 << row
        self._probing.known[probing.STACK] = len(certain.filled) + len(certain.blank)
        self._state = machine.begin_probing(self._probing, at_most)

    def go_on(self, stop: Callable[[], bool], tries: int) -> bool:
        """Go on until all wanted pictures are found or proved not to exist (True), or for so many tries."""
        # A part is never shorter than one look at every cell, so that it always gets somewhere.
        if self._state == OPEN and not len(self._probing.memory):
            memory = self._machine.longs(4 * probing.REMEMBERED * self._lines + 4)
            self._probing = self._probing._replace(memory=memory)
        part = max(self._machine.tries, 2 * self._puzzle.width * self._puzzle.height)
        while self._state == OPEN and tries > 0 and not stop():
            self._state = self._machine.go_on_probing(self._probing, part)
            tries -= part
            if self._state == OPEN and self._probing.now[probing.TRIES] > 0:
                # The stack is full: there is nothing more to be had here.
                break
        return self._state != OPEN

    @property
    def refuted(self) -> bool:
        """Whether there are no more pictures than those found."""
        return self._state == REFUTED

    @property
    def pictures(self) -> list[Picture]:
        height, width = self._puzzle.height, self._puzzle.width
        count = int(self._probing.now[probing.FOUND])
        found = self._machine.numbers(self._probing.found[: count * height])
        return [
            Picture.from_bits(found[number * height : (number + 1) * height], None, width)
            for number in range(count)
        ]

    @property
    def certain(self) -> Picture:
        """The cells that are the same in every picture, as far as that is proved."""
        first = probing.ROOT * self._lines
        filled, blank = (
            self._machine.numbers(values[first : first + self._puzzle.height])
            for values in (self._probing.filled, self._probing.blank)
        )
        return Picture.from_bits(filled, blank, self._puzzle.width)


def _blank_probing(puzzle: Nonogram, machine: Machine, at_most: int, boards: int) -> Probing:
    lines, longs = puzzle.height + puzzle.width, machine.longs
    clues = puzzle.rows + puzzle.cols
    boards += probing.STACK
    return Probing(
        runs=machine.long_array(chain.from_iterable((*clues, (0,)))),
        run_start=machine.long_array(accumulate(map(len, clues), initial=0)),
        filled=longs(boards * lines),
        blank=longs(boards * lines),
        known=longs(boards),
        start=longs(lines),
        reach=longs(lines),
        queue=longs(lines),
        queued=longs(lines),
        new_rows=longs(boards),
        new_cols=longs(boards),
        changed=longs(lines),
        probed=longs(puzzle.height * puzzle.width),
        gain=longs(puzzle.height * puzzle.width),
        # One try can find two pictures at once.
        found=longs((at_most + 1) * puzzle.height),
        # Boards that single lines solve need none.
        memory=longs(0),
        now=longs(probing.NUMBERS),
    )
