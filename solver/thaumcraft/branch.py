"""What the search keeps: its open parts, and relaxations that are solved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.thaumcraft.surcharges import SCALE, Key
from solver.thaumcraft.trees import Prices

Charged = Mapping[Key, int]


@dataclass(order=True)
class Branch:
    """A part of the search: the nodes that may be used, and the aspects that must be, at least so often.

    limit: only solutions of at most this price are looked for; None for the branch of all dearer ones.
    stretch: how far above its bound that one looks first.
    """

    bound: int
    depth: int
    number: int
    nodes: int = field(compare=False)
    reserved: Counter[str] = field(compare=False, default_factory=Counter)
    charged: Charged = field(compare=False, default_factory=dict)
    limit: int | None = field(compare=False, default=None)
    stretch: int = field(compare=False, default=0)


@dataclass(frozen=True, eq=False)
class Relaxation:
    """A solved relaxation.

    low: what it proves, in fractions of a unit.
    unit, back: fractions per step of its prices, and what charges give back.
    """

    prices: Prices
    low: int
    unit: int = SCALE
    back: int = 0

    @property
    def bound(self) -> int:
        """The lowest whole price that is not excluded."""
        return -(-self.low // SCALE)

    def highest(self, limit: int) -> int:
        """What a solution of at most `limit` costs at most in the relaxation's own prices."""
        return (limit * SCALE + self.back) // self.unit
