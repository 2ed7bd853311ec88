"""Nonograms as webpbn XML, the usual notation with colours.

The text comes from strangers: an own document type, entities, deep or huge documents are refused before the
parser sees them; the `<!DOCTYPE pbn SYSTEM "...">` line of real files is allowed and never fetched.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from solver.errors import InvalidPuzzle
from solver.nonogram.board import MOST_SIDE, Clue, Ink, Nonogram, Palette, Picture

WHITE = Ink(".", "white", "FFFFFF")
BLACK = Ink("X", "black", "000000")
_START = re.compile(r"\s*<[?!a-zA-Z]")
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*\[")
MOST_ELEMENTS = 200_000


def looks_like_xml(text: str) -> bool:
    """Whether a text could be webpbn XML: markup with a puzzle in it."""
    text = text.removeprefix("\ufeff")
    return _START.match(text) is not None and ("<puzzle" in text)


def parse_xml(text: str) -> tuple[Nonogram, ...]:
    """Every puzzle of a webpbn document. Raises InvalidPuzzle."""
    text = text.removeprefix("\ufeff").lstrip()
    if "<!ENTITY" in text or "<!ELEMENT" in text or _DOCTYPE.search(text):
        raise InvalidPuzzle("the XML declares entities or a document type of its own", hint="remove them")
    if text.count("<") > MOST_ELEMENTS:
        raise InvalidPuzzle(f"the XML has more than {MOST_ELEMENTS} elements")
    try:
        # Entities and internal document types were refused above; external ones are never loaded.
        root = ElementTree.fromstring(text)  # noqa: S314
    except (ElementTree.ParseError, ValueError) as error:
        raise InvalidPuzzle(f"the XML cannot be read: {error}") from error
    nodes = [root] if root.tag == "puzzle" else root.findall("puzzle")
    if not nodes:
        raise InvalidPuzzle("the XML holds no <puzzle>")
    return tuple(_puzzle(node) for node in nodes)


def _puzzle(node: ElementTree.Element) -> Nonogram:
    kind = node.get("type", "grid")
    if kind != "grid":
        raise InvalidPuzzle(f"a puzzle of the type {kind!r}", hint="only grids can be solved")
    inks = {WHITE.name: WHITE, BLACK.name: BLACK}
    chars: dict[str, str] = {}
    for colour in node.findall("color"):
        name, char = colour.get("name", ""), colour.get("char", "")
        if not name or len(char) != 1 or char in "?\\[]{}()/":
            raise InvalidPuzzle(f"the colour {name!r} has the character {char!r}", hint="one character each")
        if chars.setdefault(char, name) != name:
            raise InvalidPuzzle(f"the colours {chars[char]!r} and {name!r} share the character {char!r}")
        inks[name] = Ink(char, name, (colour.text or "").strip().lstrip("#"))
    ground = _ink(inks, node.get("backgroundcolor", "white"))
    default = node.get("defaultcolor", "black")
    lines: dict[str, list[list[tuple[int, Ink]]]] = {}
    for clues in node.findall("clues"):
        lines[clues.get("type", "")] = [
            _line(line, f"{clues.get('type', '')} clue {number}", inks, default)
            for number, line in enumerate(clues.findall("line"), 1)
        ]
    if set(lines) != {"rows", "columns"}:
        raise InvalidPuzzle(
            f"clues for {', '.join(sorted(lines)) or 'nothing'}", hint="rows and columns are needed"
        )
    if max(map(len, lines.values())) > MOST_SIDE:
        raise InvalidPuzzle(f"a side of {max(map(len, lines.values()))} cells", hint=f"at most {MOST_SIDE}")
    rows, cols = ([_runs(line) for line in lines[kind]] for kind in ("rows", "columns"))
    used = {ink for kind in lines.values() for line in kind for _, ink in line}
    if ground in used:
        raise InvalidPuzzle(f"a run of the background colour {ground.name!r}")
    if used <= {inks["black"]} and ground.name == "white":
        return Nonogram(tuple(rows), tuple(cols))
    by_name = [ink for ink in inks.values() if ink in used]
    palette = Palette(ground, tuple(by_name), *(
        tuple("".join(ink.char for _, ink in line) for line in lines[kind]) for kind in ("rows", "columns")
    ))  # fmt: skip
    if len({ink.char for ink in (*by_name, ground)}) != len(by_name) + 1:
        raise InvalidPuzzle("two colours share a character")
    return Nonogram(tuple(rows), tuple(cols), palette=palette)


def _ink(inks: dict[str, Ink], name: str) -> Ink:
    if name not in inks:
        raise InvalidPuzzle(f"the colour {name!r} is not declared", hint="add a <color> element")
    return inks[name]


def _line(line: ElementTree.Element, where: str, inks: dict[str, Ink], default: str) -> list[tuple[int, Ink]]:
    runs = []
    for count in line.findall("count"):
        word = (count.text or "").strip()
        if not (word.isascii() and word.isdigit() and len(word) <= 6):
            raise InvalidPuzzle(f"{where}: {word[:20]!r} is not a number")
        if int(word):
            runs.append((int(word), _ink(inks, count.get("color", default))))
    return runs


def _runs(line: list[tuple[int, Ink]]) -> Clue:
    return tuple(length for length, _ in line)


def unparse_xml(puzzle: Nonogram) -> str:
    """A nonogram as a webpbn document on one line. Raises InvalidPuzzle for given cells."""
    if puzzle.given != Picture():
        raise InvalidPuzzle("given cells cannot be written as XML", hint="write a game ID or JSON")
    palette = puzzle.palette or Palette(
        WHITE,
        (BLACK,),
        tuple(BLACK.char * len(clue) for clue in puzzle.rows),
        tuple(BLACK.char * len(clue) for clue in puzzle.cols),
    )
    names = {ink.char: ink.name for ink in palette.inks}
    root = ElementTree.Element("puzzle", type="grid", backgroundcolor=palette.background.name)
    for ink in (palette.background, *palette.inks):
        ElementTree.SubElement(root, "color", name=ink.name, char=ink.char).text = ink.rgb
    for kind, lines, chars in (("columns", puzzle.cols, palette.cols), ("rows", puzzle.rows, palette.rows)):
        clues = ElementTree.SubElement(root, "clues", type=kind)
        for clue, inks in zip(lines, chars, strict=True):
            line = ElementTree.SubElement(clues, "line")
            for run, char in zip(clue, inks, strict=True):
                ElementTree.SubElement(line, "count", color=names[char]).text = str(run)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)
