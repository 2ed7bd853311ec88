"""The note: cells, givens and what the player owns; its JSON form and its picture in text."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from solver.errors import InvalidPuzzle
from solver.lattice import Hex, in_columns
from solver.thaumcraft.aspects import ALL, EVERY, VANILLA, Aspects

MAX_TEXT = 4_000_000
MAX_CELLS = 1000
# No sum over a board may leave 32 bits.
MAX_COST = 100_000

Solution = Mapping[Hex, str]


@dataclass(frozen=True)
class Note:
    """A research note.

    cells: all cells, givens included.
    given: the aspects printed on it.
    stock: what the player owns; an aspect that is not named is not owned. None when unlimited.
    costs: replaces the price of single aspects; the others cost the number of primals in them.
    disabled: aspects that may not be placed.
    Raises InvalidPuzzle for givens off the board, unknown aspects and numbers out of range.
    """

    cells: frozenset[Hex]
    given: Mapping[Hex, str]
    stock: Mapping[str, int] | None = None
    costs: Mapping[str, int] = field(default_factory=dict)
    disabled: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        # Owned and read-only, so that nobody changes a puzzle that is being solved.
        object.__setattr__(self, "given", MappingProxyType(dict(sorted(self.given.items()))))
        object.__setattr__(self, "costs", MappingProxyType(dict(self.costs)))
        if self.stock is not None:
            object.__setattr__(self, "stock", MappingProxyType(dict(self.stock)))
        if len(self.cells) > MAX_CELLS:
            raise InvalidPuzzle(f"{len(self.cells)} cells, at most {MAX_CELLS} are understood")
        for cell in self.given:
            if cell not in self.cells:
                raise InvalidPuzzle(f"given {self.given[cell]} at {_name(cell)} is not on a cell of the note")
        for what, numbers, highest in (
            ("stock", self.stock or {}, 2**31),
            ("cost", self.costs, MAX_COST),
        ):
            for tag, number in numbers.items():
                if not 0 <= number <= highest:
                    raise InvalidPuzzle(f"{what} of {tag} is {number}, must be in 0..{highest}")

    def __hash__(self) -> int:
        stock = None if self.stock is None else frozenset(self.stock.items())
        costs = frozenset(self.costs.items())
        return hash((self.cells, frozenset(self.given.items()), stock, costs, self.disabled))

    @property
    def radius(self) -> int:
        """Steps from (0, 0) to the outermost cell."""
        return max((max(abs(q), abs(r), abs(q + r)) for q, r in self.cells), default=0)

    def name(self, cell: Hex) -> str:
        """Where a cell is, for people."""
        return in_columns(cell, self.cells)


def aspects_of(note: Note) -> Aspects:
    """The aspect lists that a note is played with.

    Without a stock everything of GT New Horizons may be placed. A stock comes from a player's palette: then
    the addons are in the game only when the note or the stock names one of theirs, since combining
    components that make nothing loses both. Aspects of other addons bring in those addons.
    """
    named = {*note.given.values(), *(note.stock or {}), *note.costs, *note.disabled}
    if note.stock is not None and named <= VANILLA.components.keys():
        return VANILLA
    return ALL if named <= ALL.components.keys() else EVERY


def looks_like(text: str) -> bool:
    """Whether a text is a note: a JSON object with `cells` and `given`."""
    head = text.lstrip()
    if not head.startswith("{"):
        return False
    try:
        value = json.loads(head.splitlines()[0]) if _is_lines(head) else json.loads(head)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "cells" in value and "given" in value


def parse(text: str) -> Note:
    """Reads one note.

    >>> parse('{"cells": [[0,0],[1,0],[2,0]], "given": {"0,0": "aer", "2,0": "ignis"}}').given[Hex(2, 0)]
    'ignis'
    """
    if len(text) > MAX_TEXT:
        raise InvalidPuzzle(f"a note of {len(text)} characters, at most {MAX_TEXT} are read")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidPuzzle(
            f"not JSON: {error}", hint='write {"cells": [[q,r],...], "given": {...}}'
        ) from error
    if not isinstance(value, dict):
        raise InvalidPuzzle(f"a note is a JSON object, got {type(value).__name__}")
    missing = [key for key in ("cells", "given") if key not in value]
    if missing:
        raise InvalidPuzzle(f"the note has no {' and no '.join(missing)}")
    cells, given = value["cells"], value["given"]
    if not isinstance(cells, list) or not isinstance(given, dict):
        raise InvalidPuzzle("cells must be a list of [q, r] and given an object of 'q,r': aspect")
    note = Note(
        frozenset(_hex(cell) for cell in cells),
        {_hex(key.split(",")): _tag(tag) for key, tag in given.items()},
        None if value.get("stock") is None else _numbers("stock", value["stock"]),
        _numbers("costs", value.get("costs") or {}),
        _tags("disabled", value.get("disabled") or []),
    )
    _known_aspects(note)
    scarce = value.get("scarce", False)
    if not isinstance(scarce, bool):
        raise InvalidPuzzle(f"scarce is {scarce!r}, must be true or false")
    return wished(note, scarce=scarce)


def parse_file(text: str) -> tuple[Note, ...]:
    """Every note of a file: one JSON object, a list of them, or one object per line (`.jsonl`)."""
    if len(text) > MAX_TEXT:
        raise InvalidPuzzle(f"a file of {len(text)} characters, at most {MAX_TEXT} are read")
    if _is_lines(text):
        notes = []
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                try:
                    notes.append(parse(line))
                except InvalidPuzzle as error:
                    raise InvalidPuzzle(f"line {number}: {error}", hint=error.hint) from error
        return tuple(notes)
    return (parse(text),)


def unparse(note: Note) -> str:
    """One line of JSON, `parse(unparse(note)) == note`."""
    return json.dumps(puzzle_json(note), separators=(",", ":"))


def puzzle_json(note: Note) -> dict[str, object]:
    value: dict[str, object] = {
        "cells": [[q, r] for q, r in sorted(note.cells)],
        "given": {_name(cell): tag for cell, tag in sorted(note.given.items())},
    }
    if note.stock is not None:
        value["stock"] = dict(sorted(note.stock.items()))
    if note.costs:
        value["costs"] = dict(sorted(note.costs.items()))
    if note.disabled:
        value["disabled"] = sorted(note.disabled)
    return value


def solution_json(note: Note, solution: Solution) -> dict[str, str]:
    """The placed cells only."""
    return {_name(cell): tag for cell, tag in sorted(solution.items()) if cell not in note.given}


def draw(note: Note, solution: Solution) -> str:
    """The board as text: columns run down as on the note, givens in capitals, `.` for a free cell.

    >>> note = parse('{"cells": [[0,0],[1,0],[2,-1]], "given": {"0,0": "aer", "2,-1": "ignis"}}')
    >>> print(draw(note, {Hex(1, 0): "lux"}))
    AER     IGNIS
        lux
    """
    if not note.cells:
        return ""
    words = {cell: solution.get(cell, ".") for cell in note.cells}
    words |= {cell: tag.upper() for cell, tag in note.given.items()}
    left: dict[int, int] = {}
    x = 0
    for q in range(min(cell.q for cell in words), max(cell.q for cell in words) + 1):
        left[q] = x
        x += 1 + max((len(word) for cell, word in words.items() if cell.q == q), default=1)
    lines: dict[int, str] = {}
    for cell in sorted(words):
        y = 2 * cell.r + cell.q
        lines[y] = lines.get(y, "").ljust(left[cell.q]) + words[cell]
    return "\n".join(lines.get(y, "") for y in range(min(lines), max(lines) + 1))


def _is_lines(text: str) -> bool:
    """Whether every non-empty line of a text is an object of its own."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return all(line.startswith("{") and line.endswith("}") for line in lines)


def scarce_costs(note: Note) -> dict[str, int]:
    """Prices by which the rare is dear: the usual price times a factor of 1 (plenty) to 10 (none left).

    For `Note.costs`; what can be combined counts as owned by its rarer component. Empty without a stock.
    """
    if note.stock is None:
        return {}
    aspects = aspects_of(note)
    owned: dict[str, int] = {}
    for tag in reversed(aspects.dearest_first):
        pair = aspects.components[tag]
        makes = 0 if pair is None else min(owned[part] for part in pair)
        owned[tag] = note.stock.get(tag, 0) + makes
    return {tag: aspects.costs[tag] * (1 + 9 * 10 // (10 + owned[tag])) for tag in aspects.components}


def wished(note: Note, disabled: Collection[str] = (), scarce: bool = False) -> Note:
    """The note with aspects disabled and, where it names no price itself, prices from its stock.

    Raises InvalidPuzzle where there is no stock to tell what is scarce.
    """
    note = replace(note, disabled=note.disabled.union(disabled)) if disabled else note
    if not scarce:
        return note
    if note.stock is None:
        raise InvalidPuzzle(
            "scarce aspects cannot be told without a stock", hint='add "stock": {"aspect": number, ...}'
        )
    return replace(note, costs={**scarce_costs(note), **note.costs})


def _known_aspects(note: Note) -> None:
    known = aspects_of(note)
    everything = {*note.given.values(), *(note.stock or {}), *note.costs, *note.disabled}
    named = sorted(everything - known.components.keys())
    if named:
        raise InvalidPuzzle(
            f"unknown aspects: {', '.join(named)}", hint="tags are the game's internal names, in lower case"
        )


def _name(cell: Hex) -> str:
    return f"{cell.q},{cell.r}"


def _hex(pair: Iterable[object]) -> Hex:
    try:
        q, r = pair
        where = Hex(int(str(q)), int(str(r)))
    except (TypeError, ValueError) as error:
        raise InvalidPuzzle(f"{pair!r} is not a cell", hint="cells are q, r in whole numbers") from error
    if max(abs(where.q), abs(where.r)) > MAX_CELLS:
        raise InvalidPuzzle(f"cell {_name(where)} is too far out")
    return where


def _tag(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidPuzzle(f"{value!r} is not the name of an aspect")
    return value


def _tags(what: str, value: object) -> frozenset[str]:
    if not isinstance(value, list):
        raise InvalidPuzzle(f"{what} must be a list of aspects, got {type(value).__name__}")
    return frozenset(_tag(tag) for tag in value)


def _numbers(what: str, value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        raise InvalidPuzzle(f"{what} must be an object of aspect: number, got {type(value).__name__}")
    for tag, number in value.items():
        if not isinstance(number, int) or isinstance(number, bool):
            raise InvalidPuzzle(f"{what} of {tag} is {number!r}, must be a whole number")
    return dict(value)
