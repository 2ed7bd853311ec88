"""The rule that says outright which values its cells may hold together; the only one that needs numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.grid.rules import Narrowed, Sets
from solver.steps import Contradiction


@dataclass(frozen=True, eq=False)
class Table:
    """The cells together hold one of these rows of values. rows: (n, cells) int64, one bit each."""

    cells: tuple[int, ...]
    rows: npt.NDArray[np.int64]
    why: str

    @classmethod
    def of(cls, cells: tuple[int, ...], rows: Sequence[Sequence[int]], why: str) -> Table:
        """The rule of these rows, at least one."""
        return cls(cells, np.array(rows, np.int64).reshape(len(rows), len(cells)), why)

    def narrow(self, sets: Sets) -> Narrowed:
        have = np.array([sets[cell] for cell in self.cells], np.int64)
        left = self.rows[((self.rows & have) != 0).all(axis=1)]
        if not len(left):
            raise Contradiction(f"{self.why}, and that is not possible any more")
        union = np.bitwise_or.reduce(left, axis=0).tolist()
        return {cell: both for cell, both in zip(self.cells, union, strict=True) if both != sets[cell]}

    def holds(self, sets: Sets) -> bool:
        return bool((self.rows == [sets[cell] for cell in self.cells]).all(axis=1).any())
