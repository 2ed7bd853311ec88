"""One line of a nonogram: which cells can be filled and which blank, for every placement of its runs at once.

A set of positions is one integer with a bit per position, so that the work for a run is a dozen operations
on integers, whatever the length of the line. `reach` holds the positions up to which the line can be laid out
with its first runs. Going over blank cells is a flood towards higher bits, which an addition does by its
carry: `(((start & blank) + blank) ^ blank) | start` (the step of Langdale and Lemire, "Parsing Gigabytes of
JSON per Second", 2019). The way back is the same on the mirrored line; its sets are packed into one integer
side by side and mirrored together through a table of bytes, and one AND joins both ways for all runs.

What is known of a line is one integer of four fields of `slot` bits: filled, blank, and both mirrored, so
that a cell is set by OR with one constant, and two boards have in common what an AND leaves.
"""

from __future__ import annotations

from functools import lru_cache

from solver.nonogram.board import Clue

_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class Line:
    """A clue on a line of `length` cells, with everything that does not depend on what is known of its cells.

    set_filled, set_blank: what to OR for each cell.
    """

    __slots__ = (
        "_both_size",
        "_fits",
        "_fold_blank",
        "_fold_runs",
        "_need",
        "_pattern",
        "_runs",
        "_runs_back",
        "_shift",
        "_slots_blank",
        "_slots_runs",
        "_spread",
        "full",
        "known",
        "length",
        "set_blank",
        "set_filled",
        "slot",
    )

    def __init__(self, clue: Clue, length: int) -> None:
        slot = (length + 8) // 8 * 8
        self.length, self.slot = length, slot
        self.full = (1 << length) - 1
        self._need = sum(clue)
        self._pattern = " ".join(["1" * run for run in reversed(clue)])
        self.set_filled, self.set_blank = _settings(length, slot)
        self._prepare(clue)

    def _prepare(self, clue: Clue) -> None:
        runs, slot = len(clue), self.slot
        self._slots_runs, self._slots_blank = runs * slot, (runs + 1) * slot
        self._both_size = (2 * runs + 1) * slot // 8
        self._shift = slot - 1 - self.length
        self._fold_blank = _halvings(runs + 1, slot)
        self._fold_runs = _halvings(runs, slot)
        # Which slots have a run of each length; the last run has the lowest slot.
        slots: dict[int, int] = {}
        ones = (1 << slot) - 1
        for run in reversed(clue):
            slots[run] = slots.get(run, 0) | ones
            ones <<= slot
        # A cell fits the end of a longer run when it fits two shorter ones that overlap; so starts become runs, too.
        self._fits: list[int] = []
        self._spread: list[tuple[int, int]] = []
        place: dict[int, int] = {}
        size, longer = 1, (1 << self._slots_runs) - 1
        for run in sorted(slots):
            while size < run:
                step = size if 2 * size < run else run - size
                self._fits.append(step)
                self._spread.append((step, longer))
                size += step
            place[run] = len(self._fits)
            longer ^= slots[run]
        self._runs = [(place[run], run) for run in clue]
        self._runs_back = self._runs[::-1]

    def deduce(self, known: int) -> tuple[int, int] | None:
        """(cells that can be filled, cells that can be blank), or None when no placement fits.

        known: the four fields described above.
        """
        slot, full = self.slot, self.full
        filled = known & full
        if filled.bit_count() == self._need:
            # Nothing to place any more; the runs are compared as text, which C code does at once.
            fits = " ".join(bin(filled)[2:].replace("0", " ").split()) == self._pattern
            return (filled, full ^ filled) if fits and not filled & (known >> slot) else None
        blank_free = full ^ ((known >> slot) & full)
        fit = blank_free
        fits_run = [fit]
        for step in self._fits:
            fit &= fit >> step
            fits_run.append(fit)
        may_blank = full ^ filled
        reach = ((1 & may_blank) + may_blank ^ may_blank) | 1
        start = reaches = reach
        starts = 0
        for place, run in self._runs:
            start &= fits_run[place]
            end = start << run
            reach = ((end & may_blank) + may_blank ^ may_blank) | end
            reaches = reaches << slot | reach
            starts = starts << slot | start
            start = (reach & may_blank) << 1
        if not reach >> self.length:
            return None

        fit = full ^ (known >> 3 * slot)
        fits_run = [fit]
        for step in self._fits:
            fit &= fit >> step
            fits_run.append(fit)
        may_blank_back = full ^ ((known >> 2 * slot) & full)
        start = ((1 & may_blank_back) + may_blank_back ^ may_blank_back) | 1
        blanks = (start & may_blank_back) << 1
        ends = 0
        for place, run in self._runs_back:
            end = (start & fits_run[place]) << run
            reach = ((end & may_blank_back) + may_blank_back ^ may_blank_back) | end
            start = (reach & may_blank_back) << 1
            blanks = blanks << slot | start
            ends = ends << slot | end
        back = blanks << self._slots_runs | ends
        mirrored = int.from_bytes(back.to_bytes(self._both_size, "little").translate(_MIRRORED), "big")
        both = (starts << self._slots_blank | reaches) & mirrored >> self._shift
        runs = both >> self._slots_blank
        for step, mask in self._spread:
            runs |= (runs & mask) << step
        for step in self._fold_runs:
            runs |= runs >> step
        blank = both & ((1 << self._slots_blank) - 1)
        for step in self._fold_blank:
            blank |= blank >> step
        return runs & full, blank & full


@lru_cache(maxsize=64)
def _settings(length: int, slot: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What to OR to fill a cell, and to blank it, for every cell."""
    cells = [1 << cell | 1 << length - 1 - cell + 2 * slot for cell in range(length)]
    return tuple(cells), tuple(bits << slot for bits in cells)


@lru_cache(maxsize=4096)
def _halvings(slots: int, slot: int) -> tuple[int, ...]:
    """Shifts that bring all slots on top of the lowest one."""
    steps = []
    while slots > 1:
        slots = (slots + 1) // 2
        steps.append(slots * slot)
    return tuple(steps)


@lru_cache(maxsize=4096)
def line(clue: Clue, length: int) -> Line:
    """The line for a clue, prepared once."""
    return Line(clue, length)
