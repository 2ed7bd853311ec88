"""All lines of a side at once, in plain Python: what single lines tell of a board.

A clue is read cell by cell by a small automaton: blank cells, a run, blank cells, the next run and so on. Its states are
bits, one for every cell of a run and one for the blanks behind it, and all that it may be in after a cell is one
integer (bit-parallel automata: Baeza-Yates and Gonnet, "A new approach to text searching", 1992). One cell further, every
state moves to the next one, and a blank one may stay as well. That is the same for every line, so the automata of all
lines of a side lie side by side in one long integer and go through the board together, in four operations a cell. The
way back keeps the states from which the line can be finished, and tells for each cell whether some line must fill it.
"""

from __future__ import annotations

from functools import lru_cache

from solver.nonogram.board import Clue, Nonogram, Picture
from solver.nonogram.budget import Contradiction

# Longer sides are worked out line by line: the integers would fill the memory.
MOST_LENGTH = 128


@lru_cache(maxsize=4096)
def automaton(clue: Clue) -> tuple[int, int, int, int]:
    """(states, those of filled cells, those of blank cells, those at which a line may end)."""
    text = "".join(["0" + "1" * run for run in reversed(clue)]) + "0"
    size = len(text)
    filled = int(text, 2)
    return size, filled, filled ^ (1 << size) - 1, 3 << size - 2 if clue else 1


def fits(puzzle: Nonogram) -> bool:
    """Whether the lines of the board can be worked out together."""
    return max(puzzle.width, puzzle.height) <= MOST_LENGTH


def settle(puzzle: Nonogram) -> Picture:
    """The given cells and everything that single lines tell of the others. Raises Contradiction."""
    rows, cols = _Side(puzzle.rows, puzzle.width), _Side(puzzle.cols, puzzle.height)
    filled = [0] * puzzle.height
    for row, col in puzzle.given.filled:
        rows.may[col] ^= rows.not_blank[row]
        cols.may[row] ^= cols.not_blank[col]
        filled[row] |= 1 << col
    for row, col in puzzle.given.blank:
        rows.may[col] ^= rows.not_filled[row]
        cols.may[row] ^= cols.not_filled[col]
    _sweep(rows, cols, filled, by_rows=True)
    while _sweep(cols, rows, filled, by_rows=False) and _sweep(rows, cols, filled, by_rows=True):
        pass
    full = (1 << puzzle.width) - 1
    blank = [full ^ row ^ unknown for row, unknown in zip(filled, cols.unknown(), strict=True)]
    return Picture.from_bits(filled, blank, puzzle.width)


class _Side:
    """The rows, or the columns: each line has a slot of bits.

    may: for each cell of a line what the lines may be in there, and at the top of a line's slot whether the cell is
    unknown.
    """

    def __init__(self, clues: tuple[Clue, ...], length: int) -> None:
        automata = [automaton(clue) for clue in clues]
        # One bit more for what moves out of the last state, and the topmost.
        self.slot = max(size for size, *_ in automata) + 2
        self.blank = self.ends = self.starts = states = at = 0
        # Of each line: its topmost bit, and what goes out of `may` when a cell is found to be filled or blank.
        self.tops: list[int] = []
        self.not_blank: list[int] = []
        self.not_filled: list[int] = []
        for _, filled, blank, end in automata:
            top = 1 << at + self.slot - 1
            filled <<= at
            blank <<= at
            self.tops.append(top)
            self.not_filled.append(filled | top)
            self.not_blank.append(blank | top)
            states |= filled
            self.blank |= blank
            self.ends |= end << at
            self.starts |= 1 << at
            at += self.slot
        self.top = self.starts << self.slot - 1
        # Added to a slot it carries into the topmost bit, unless the slot is empty.
        self.carry = self.top - self.starts
        self.may = [states | self.blank | self.top] * length

    def unknown(self) -> list[int]:
        """Of each cell, the lines that do not know it, as bits."""
        whole = self.slot * len(self.tops)
        return [int(f"{may & self.top:0{whole}b}"[:: self.slot], 2) for may in self.may]


def _sweep(here: _Side, there: _Side, filled: list[int], by_rows: bool) -> bool:
    """Work out the lines of one side, and tell those across and `filled`. Whether there was anything to tell.

    Raises Contradiction when a line cannot be laid out.
    """
    slot, tops, top, blanks, carry, may = here.slot, here.tops, here.top, here.blank, here.carry, here.may
    across, not_blank, not_filled = there.may, there.not_blank, there.not_filled
    state = here.starts
    reached = [state]
    for states in may:
        state = (state << 1 | state & blanks) & states
        reached.append(state)
    alive = reached.pop() & here.ends
    if alive + carry & top != top:
        raise Contradiction
    news = False
    for cell in range(len(may) - 1, -1, -1):
        blank = alive & blanks
        unknown = may[cell] & top
        if unknown:
            can_blank = blank + carry & unknown
            can_fill = (alive ^ blank) + carry & unknown
            if can_blank & can_fill != unknown:
                news = True
                may[cell] ^= can_blank ^ can_fill
                found, mine = unknown ^ can_blank, not_blank[cell]
                while found:
                    number = found.bit_length() // slot - 1
                    found ^= tops[number]
                    across[number] ^= mine
                    if by_rows:
                        filled[number] |= 1 << cell
                    else:
                        filled[cell] |= 1 << number
                found, mine = unknown ^ can_fill, not_filled[cell]
                while found:
                    number = found.bit_length() // slot - 1
                    found ^= tops[number]
                    across[number] ^= mine
        alive = reached[cell] & (alive >> 1 | blank)
    return news
