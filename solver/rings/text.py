"""The text format of ring puzzles, their JSON forms, and the figure as a picture in text.

id: dev-00-olympic                  unknown keys are kept as remarks; # starts a comment
numbers: 1 2 3 4 6                  the stock for the blanks
use: once                           once | any | ring-distinct
target: 11                          number | ? (common, unknown) | own
ring red 100 100 100 =              name, centre x, y, radius, target ('=' common, number own, '?' own
unknown) region red+green 152.8 155.6 ?      rings, label point x, y, value or ? for a blank
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from solver.errors import InvalidPuzzle
from solver.lattice import Region
from solver.rings.puzzle import LARGEST_NUMBER, Entries, Place, Ring, Rings, Use

MOST_CHARACTERS = 1_000_000
LARGEST_PX = 1e6
HINT = "the format is explained in docs/rings.md"

# A ring is 21 columns wide and 14 rows high, which looks round in most terminals.
COLUMNS_PER_RADIUS = 10.0
ROWS_PER_COLUMN = 0.66
MOST_COLUMNS = 240

_USES: tuple[Use, ...] = ("once", "any", "ring-distinct")
_RING_LINE = re.compile(r"^[ \t]*ring[ \t]+\S+([ \t]+\S+){4}[ \t]*(#.*)?$", re.MULTILINE)
_REGION_LINE = re.compile(r"^[ \t]*region[ \t]+\S+([ \t]+\S+){3}[ \t]*(#.*)?$", re.MULTILINE)


def looks_like(text: str) -> bool:
    """Whether a text is a ring puzzle: it has lines for rings and for regions."""
    return bool(_RING_LINE.search(text)) and bool(_REGION_LINE.search(text))


def parse(text: str) -> Rings:
    """The one puzzle of a text. Raises InvalidPuzzle with the line that is wrong and why."""
    puzzles = parse_file(text)
    if len(puzzles) != 1:
        raise InvalidPuzzle(f"the text holds {len(puzzles)} ring puzzles, not one")
    return puzzles[0]


def parse_file(text: str) -> tuple[Rings, ...]:
    """Every puzzle of a text, in order; a repeated `id:` or `numbers:` after regions starts the next one."""
    if len(text) > MOST_CHARACTERS:
        raise InvalidPuzzle(f"the text has {len(text)} characters, at most {MOST_CHARACTERS} are read")
    return tuple(_Draft(block).puzzle() for block in _blocks(text))


def unparse(puzzle: Rings) -> str:
    """The canonical text: parse(unparse(puzzle)) == puzzle, drawing included."""
    lines = [f"{key}: {value}" for key, value in puzzle.remarks]
    lines += [
        f"numbers: {' '.join(map(str, puzzle.numbers))}",
        f"use: {puzzle.use}",
        f"target: {puzzle.target}",
        "",
    ]
    lines += [f"ring {r.name} {_px(r.x)} {_px(r.y)} {_px(r.radius)} {r.target}" for r in puzzle.rings]
    lines.append("")
    for place in puzzle.places:
        # A second piece is written like the first: the order of the lines tells them apart.
        name = "+".join(puzzle.covers[place.region])
        lines.append(
            f"region {name} {_px(place.x)} {_px(place.y)} {'?' if place.value is None else place.value}"
        )
    return "\n".join(lines) + "\n"


def puzzle_json(puzzle: Rings) -> str:
    """The puzzle as it stands in JSON output: its text."""
    return unparse(puzzle)


def solution_json(puzzle: Rings, solution: Entries) -> dict[str, int]:
    """`{"red+green": 2, ...}`: the entered numbers by region, in the order of the file."""
    return {str(region): solution[region] for region in puzzle.blanks if region in solution}


class _Draft:
    """The lines of one puzzle, read one by one."""

    def __init__(self, lines: Sequence[tuple[int, str]]) -> None:
        self.first_line = lines[0][0]
        self.keys: dict[str, tuple[int, str]] = {}
        self.rings: list[Ring] = []
        self.places: list[Place] = []
        for number, line in lines:
            try:
                self._line(number, line)
            except InvalidPuzzle as error:
                raise InvalidPuzzle(f"line {number}: {error}", hint=error.hint or HINT) from None

    def _line(self, number: int, line: str) -> None:
        words = line.split()
        if words[0] == "ring":
            self.rings.append(_ring(words))
        elif words[0] == "region":
            self.places.append(self._place(words))
        else:
            key, colon, value = line.partition(":")
            key = key.strip()
            if not colon or not key:
                raise InvalidPuzzle(f"{line!r} is neither 'key: value' nor a ring nor a region")
            if key in self.keys:
                raise InvalidPuzzle(f"{key!r} is there already, in line {self.keys[key][0]}")
            self.keys[key] = (number, value.strip())

    def _place(self, words: list[str]) -> Place:
        if len(words) != 5:
            raise InvalidPuzzle(
                f"a region has rings, x, y and a value, here are {len(words) - 1} words: {words[1:]}"
            )
        rings = tuple(words[1].split("+"))
        if not all(rings):
            raise InvalidPuzzle(f"region {words[1]!r} has an empty ring name")
        names = frozenset(ring.name for ring in self.rings)
        stranger = next((n for n in rings if n not in names and "~" not in n), None)
        if stranger is not None:
            raise InvalidPuzzle(f"region {words[1]} names a ring {stranger!r} that is not above")
        value = None if words[4] == "?" else _whole(words[4], "value")
        region = Region(rings)
        piece = 2
        taken = {place.region for place in self.places}
        while region in taken:
            region = Region((*rings[:-1], f"{rings[-1]}~{piece}"))
            piece += 1
        return Place(region, value, _coordinate(words[2], "x"), _coordinate(words[3], "y"))

    def puzzle(self) -> Rings:
        for key in ("numbers", "use", "target"):
            if key not in self.keys:
                raise InvalidPuzzle(f"the puzzle from line {self.first_line} has no '{key}:' line", hint=HINT)
        line, text = self.keys["numbers"]
        try:
            numbers = tuple(_whole(word, "number") for word in text.split())
            line, text = self.keys["use"]
            use = _use(text)
            line, text = self.keys["target"]
            target = _target(text)
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f"line {line}: {error}", hint=HINT) from None
        told = {"numbers", "use", "target"}
        remarks = tuple((key, value) for key, (_, value) in self.keys.items() if key not in told)
        try:
            return Rings(tuple(self.rings), tuple(self.places), numbers, use, target, remarks)
        except InvalidPuzzle as error:
            where = f"the puzzle from line {self.first_line}"
            raise InvalidPuzzle(f"{where}: {error}", hint=error.hint or HINT) from None


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    keys: set[str] = set()
    regions = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        key = line.split(":", 1)[0].strip()
        if regions and key in ("id", "numbers") and key in keys:
            yield block
            block, keys, regions = [], set(), False
        block.append((number, line))
        keys.add(key)
        regions = regions or line.startswith("region")
    if not block:
        raise InvalidPuzzle("the text holds no ring puzzle", hint=HINT)
    yield block


def _ring(words: list[str]) -> Ring:
    if len(words) != 6:
        raise InvalidPuzzle(
            f"a ring has name, x, y, radius and target, here are {len(words) - 1} words: {words[1:]}"
        )
    if "+" in words[1]:
        raise InvalidPuzzle(f"a ring's name has no +, but this one is {words[1]!r}")
    radius = _coordinate(words[4], "radius")
    if radius < 0:
        raise InvalidPuzzle(f"the radius of ring {words[1]} is {words[4]}")
    target: int | Literal["=", "?"]
    if words[5] == "=" or words[5] == "?":
        target = "=" if words[5] == "=" else "?"
    else:
        target = _whole(words[5], "target", most=LARGEST_NUMBER * 1000)
    return Ring(words[1], target, _coordinate(words[2], "x"), _coordinate(words[3], "y"), radius)


def _use(text: str) -> Use:
    for use in _USES:
        if text == use:
            return use
    raise InvalidPuzzle(f"use is once, any or ring-distinct, not {text!r}")


def _target(text: str) -> int | Literal["?", "own"]:
    if text == "?":
        return "?"
    if text == "own":
        return "own"
    return _whole(text, "target", most=LARGEST_NUMBER * 1000)


def _whole(word: str, what: str, most: int = LARGEST_NUMBER) -> int:
    if not (word.isascii() and word.isdigit()):
        raise InvalidPuzzle(f"a {what} is a whole number of 0 or more, not {word!r}")
    if len(word) > 12 or int(word) > most:
        raise InvalidPuzzle(f"the {what} {word[:12]} is too large, at most {most}")
    return int(word)


def _coordinate(word: str, what: str) -> float:
    try:
        value = float(word)
    except ValueError:
        raise InvalidPuzzle(f"{what} is a number of px, not {word!r}") from None
    if not math.isfinite(value) or abs(value) > LARGEST_PX:
        raise InvalidPuzzle(f"{what} is {word}, which is no place on a drawing")
    return value


def _px(value: float) -> str:
    return repr(int(value)) if value == int(value) else repr(value)


def draw(puzzle: Rings, solution: Entries) -> str:
    """The figure as circles of letters, and the sum of every ring below.

    `<9>` is a given, `[2]` an entered number, `{?}` a blank. Where rings cross, the later one is on top.
    Puzzles without a drawing, and those wider than a terminal can be, are shown as sums only.
    """
    sums = "\n".join(_sum_line(puzzle, ring, solution) for ring in puzzle.rings)
    picture = _picture(puzzle, solution)
    return f"{picture}\n\n{sums}" if picture else sums


def _label(puzzle: Rings, region: Region, solution: Entries) -> str:
    if region in puzzle.given:
        return f"<{puzzle.given[region]}>"
    return f"[{solution[region]}]" if region in solution else "{?}"


def _sum_line(puzzle: Rings, ring: Ring, solution: Entries) -> str:
    terms = " + ".join(_label(puzzle, region, solution) for region in puzzle.insides[ring.name])
    values = {**puzzle.given, **solution}
    inside = puzzle.insides[ring.name]
    total = (
        str(sum(values[region] for region in inside)) if all(region in values for region in inside) else "?"
    )
    target = puzzle.sum_of(ring)
    wanted = "" if target is None or total == str(target) else f" (must be {target})"
    return f"{ring.name}: {terms} = {total}{wanted}"


def _picture(puzzle: Rings, solution: Entries) -> str:
    radius = min(ring.radius for ring in puzzle.rings)
    if radius <= 0:
        return ""
    scale = COLUMNS_PER_RADIUS / radius
    left = min(ring.x - ring.radius for ring in puzzle.rings)
    top = min(ring.y - ring.radius for ring in puzzle.rings)
    columns = 1 + round((max(ring.x + ring.radius for ring in puzzle.rings) - left) * scale)
    rows = 1 + round((max(ring.y + ring.radius for ring in puzzle.rings) - top) * scale * ROWS_PER_COLUMN)
    if columns > MOST_COLUMNS or rows > MOST_COLUMNS:
        return ""
    table = [[" "] * (columns + 8) for _ in range(rows)]
    for number, ring in enumerate(puzzle.rings):
        letter = _letter(number)
        steps = max(16, round(16 * ring.radius * scale))
        for step in range(steps):
            angle = 2 * math.pi * step / steps
            column = round((ring.x + ring.radius * math.cos(angle) - left) * scale)
            row = round((ring.y + ring.radius * math.sin(angle) - top) * scale * ROWS_PER_COLUMN)
            table[min(row, rows - 1)][min(column, columns - 1)] = letter
    for place in puzzle.places:
        label = _label(puzzle, place.region, solution)
        row = min(max(round((place.y - top) * scale * ROWS_PER_COLUMN), 0), rows - 1)
        column = min(max(round((place.x - left) * scale) - len(label) // 2, 0), columns)
        table[row][column : column + len(label)] = label
    return "\n".join("".join(line).rstrip() for line in table)


def _letter(number: int) -> str:
    """One letter per ring, from the start again after the 26th."""
    return chr(ord("a") + number % 26)
