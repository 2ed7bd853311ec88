"""Aspects: which there are, what they are made of, what links and what a placement costs.

Two neighbouring aspects link when one is a component of the other. A primal costs 1, a compound the sum of
its two components, that is the number of primals in it. Recipes differ between packs, so they are data:
`VANILLA`, `ALL` (vanilla and the addons of GT New Horizons), `EVERY` (further addons too), or a table of
your own by `Aspects.parse`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from solver.errors import InvalidPuzzle
from solver.thaumcraft.tables import GTNH_TABLE, OLDER, OTHER_TABLE, VANILLA_TABLE


@dataclass(frozen=True, eq=False)
class Aspects:
    """The aspects of one pack.

    components: the two components of every compound; primals map to None. The order is the order of the
    table. colours: tint of the icon as `#RRGGBB`, where known.
    Raises InvalidPuzzle when a component is missing or an aspect is made of itself.
    """

    components: Mapping[str, tuple[str, str] | None]
    colours: Mapping[str, str] = field(default_factory=dict)
    costs: Mapping[str, int] = field(init=False)
    links: Mapping[str, frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        links: dict[str, set[str]] = {tag: set() for tag in self.components}
        for tag, pair in self.components.items():
            for part in pair or ():
                if part not in links:
                    raise InvalidPuzzle(f"{tag} is made of {part}, which is not in the table")
                links[tag].add(part)
                links[part].add(tag)
        object.__setattr__(self, "links", {tag: frozenset(linked) for tag, linked in links.items()})
        object.__setattr__(self, "costs", _costs(self.components))

    @classmethod
    def parse(cls, *tables: str) -> Aspects:
        """Reads tables of lines `tag colour [component component]`, `-` for an unknown colour; later tables
        win.

        >>> Aspects.parse("ignis #FF5A01", "aer #FFFF7E", "lux #FFF663 aer ignis").costs["lux"]
        2
        """
        components: dict[str, tuple[str, str] | None] = {}
        colours: dict[str, str] = {}
        for line in "\n".join(tables).splitlines():
            match line.split():
                case []:
                    continue
                case [tag, colour]:
                    components[tag] = None
                case [tag, colour, first, second]:
                    components[tag] = (first, second)
                case _:
                    raise InvalidPuzzle(
                        f"{line!r} is not a line of an aspect table",
                        hint="write: tag colour, or: tag colour component component",
                    )
            if colour != "-":
                colours[tag] = colour
        return cls(components, colours)

    @cached_property
    def primals(self) -> frozenset[str]:
        return frozenset(tag for tag, pair in self.components.items() if pair is None)

    @cached_property
    def dearest_first(self) -> tuple[str, ...]:
        """All aspects by falling cost, so that every compound comes before its components."""
        return tuple(sorted(self.components, key=lambda tag: (-self.costs[tag], tag)))

    @cached_property
    def _made(self) -> Mapping[frozenset[str], str]:
        return {frozenset(pair): tag for tag, pair in self.components.items() if pair is not None}

    def made_of(self, first: str, second: str) -> str | None:
        """The compound of two aspects in either order; None when combining them loses both.

        >>> VANILLA.made_of("ignis", "aer")
        'lux'
        """
        return self._made.get(frozenset((first, second)))

    def rgb(self, tag: str) -> tuple[int, int, int]:
        """Tint as (red, green, blue) in 0..255, white where unknown.

        >>> VANILLA.rgb("ignis")
        (255, 90, 1)
        """
        number = int(self.colours.get(tag, "#FFFFFF")[1:], 16)
        return number >> 16, number >> 8 & 255, number & 255

    def __contains__(self, tag: object) -> bool:
        return tag in self.components


def _costs(components: Mapping[str, tuple[str, str] | None]) -> dict[str, int]:
    costs = {tag: 1 for tag, pair in components.items() if pair is None}
    waiting = [tag for tag in components if tag not in costs]
    while waiting:
        left = []
        for tag in waiting:
            first, second = components[tag] or ("", "")
            if first in costs and second in costs:
                costs[tag] = costs[first] + costs[second]
            else:
                left.append(tag)
        if len(left) == len(waiting):
            raise InvalidPuzzle(f"{left[0]} is made of itself in the end")
        waiting = left
    return {tag: costs[tag] for tag in components}


VANILLA = Aspects.parse(VANILLA_TABLE)
ALL = Aspects.parse(VANILLA_TABLE, GTNH_TABLE)
EVERY = Aspects.parse(VANILLA_TABLE, GTNH_TABLE, OTHER_TABLE)


def older(version: str) -> Aspects:
    """The vanilla aspects of an older version, named as in `tables.OLDER`.

    >>> older("4.1.1.14 - 4.2.1.4").components["cognitio"]
    ('spiritus', 'terra')
    """
    return Aspects.parse(VANILLA_TABLE, OLDER[version])
