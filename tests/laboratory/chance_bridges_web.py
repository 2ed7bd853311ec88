"""Bridges as web pages in chance styles, in real Chromium: drawings, boxes and canvases, with what pages put around them.

`uv run python -m tests.laboratory.chance_bridges_web FIRST END` shows and reads those with these seeds, and names the wrong.
The fonts are those of the machine: other ones, other boards. Where two bridges are one broad line there are two of each kind.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from bot.practice.bridges import unique
from solver import bridges
from solver.bridges import Bridges, Joins
from solver.lattice import Square
from tests.chromium import Browser
from tests.laboratory.chance import Outcome
from tests.laboratory.chance_bridges import judged
from tests.laboratory.chance_web import AROUND, BUTTONS, FONTS, LEAST_FONT_PX, shown, tell_pages

SIZES = ((5, 5), (6, 6), (7, 7), (7, 9), (8, 8), (10, 10), (12, 8), (15, 15))
PUZZLES = 4
PITCHES_PX, ZOOMS = (26, 32, 38, 44, 50, 56, 64), (0.67, 0.8, 0.9, 1, 1, 1, 1.1, 1.25, 1.5)
# Of light pages and of dark ones: the page, the board, islands, their edges, bridges, and lines of the lattice.
COLOURS = {
    False: (
        ("#fff", "#f5f5f5", "#e8eef4", "#f3e9d2", "#dbeafe"),
        ("#fff", "#fafafa", "#f0f4f8", "#e0f2fe", "#fdf6e3"),
        ("#fff", "#fff", "#fffbe6", "#e2e8f0", "#333", "#2563eb", "#f59e0b", "#8b5cf6"),
        ("#000", "#333", "#1f3a5f", "#888", "#b5651d"),
        ("#000", "#333", "#64748b", "#2563eb", "#b5651d", "#16a34a"),
        ("#eee", "#ddd", "#ccc", "#cbd5e1"),
    ),
    True: (
        ("#111", "#1e1e2e", "#222831", "#0f172a"),
        ("#111", "#1a1a24", "#1e293b", "#2d2d44"),
        ("#222", "#334155", "#eee", "#fbbf24", "#3b82f6", "#111"),
        ("#eee", "#94a3b8", "#facc15", "#60a5fa"),
        ("#eee", "#94a3b8", "#4ade80", "#60a5fa", "#facc15"),
        ("#222a35", "#334155", "#444"),
    ),
}
FORMS = ("disc", "disc", "disc", "ring", "ring", "ring", "rounded", "square", "badge", "bare")
RED, GREY = "#dc2626", "#9ca3af"
DONE = ("", "", "fade", "green", "grey", "tick", "thick")
HEADINGS = (
    "",
    "<h2>Hashi</h2>",
    "<h2>Bridges 10x10</h2><p>00:42</p>",
    "<h2>Level 12</h2><p>Moves: 3 &nbsp; Islands: 5/14</p>",
)
LEVELS = "<nav>" + "".join(f"<button>{n}</button>" for n in range(1, 13)) + "</nav>"
LIST = "<nav><h3>Levels</h3>" + "".join(f"<p>Easy {n}</p>" for n in range(1, 9)) + "</nav>"


class Line(NamedTuple):
    x: float
    y: float
    end_x: float
    end_y: float
    width: float
    colour: str
    cap: str = "butt"
    dash: str = ""


class Shape(NamedTuple):
    x: float
    y: float
    half: float
    corner: float
    fill: str
    edge: str = "none"
    width: float = 0
    shade: str = ""
    opacity: float = 1


class Text(NamedTuple):
    x: float
    y: float
    text: str
    size: float
    colour: str
    opacity: float = 1


class Look(NamedTuple):
    """Of an island and its number."""

    fill: str
    ink: str
    edge: str
    width: float
    half: float
    opacity: float = 1


Part = Line | Shape | Text


@dataclass(frozen=True, eq=False)
class Page:
    html: str
    puzzle: Bridges
    joins: Joins


def page(seed: int) -> Page:
    """The page of a seed, the same at all times."""
    rng = random.Random(seed)
    puzzle, solution = _puzzle(rng.choice(SIZES), rng.randrange(PUZZLES))
    joins = _entered(rng, puzzle, solution)
    return Page(_html(rng, puzzle, joins), puzzle, joins)


def outcome_in(browser: Browser, folder: Path) -> Callable[[int], Outcome]:
    """Tells what becomes of the page of a seed."""

    def outcome(seed: int) -> Outcome:
        one = page(seed)
        return judged(shown(browser, folder, one.html), one.puzzle, one.joins)

    return outcome


@cache
def _puzzle(size: tuple[int, int], nth: int) -> tuple[Bridges, Joins]:
    puzzle = unique(random.Random(nth), *size)
    return puzzle, bridges.solve(puzzle).solution


def _entered(rng: random.Random, puzzle: Bridges, solution: Joins) -> Joins:
    """Nothing, a part of the solution, all of it, or with mistakes."""
    how = rng.choice(("new", "part", "part", "finished", "mistakes"))
    share = {"new": 0.0, "part": rng.random(), "finished": 1.0, "mistakes": 0.6}[how]
    joins = {span: count for span, count in solution.items() if count and rng.random() < share}
    if how != "mistakes":
        return joins
    taken = {cell for span in joins for cell in bridges.between(span)}
    for span in puzzle.spans:
        if rng.random() < 0.2 and span not in joins and taken.isdisjoint(bridges.between(span)):
            joins[span] = 1
            taken.update(bridges.between(span))
    return {span: rng.choice((1, 2)) if rng.random() < 0.3 else count for span, count in joins.items()}


def _html(rng: random.Random, puzzle: Bridges, joins: Joins) -> str:
    dark = rng.random() < 0.35
    ground, board, _, _, _, _ = colours = [rng.choice(some) for some in COLOURS[dark]]
    board = rng.choice((board, ground))
    colours[1] = board
    zoom = rng.choice(ZOOMS)
    longest = max(puzzle.width, puzzle.height)
    pitch = min(rng.choice(PITCHES_PX), 800 / zoom / longest)
    rim = pitch * rng.choice((0.5, 0.5, 0.6, 0.8, 1, 1.5))
    parts = _parts(rng, puzzle, joins, colours, pitch, rim, zoom)
    wide, high = (pitch * (n - 1) + 2 * rim for n in (puzzle.width, puzzle.height))
    write = rng.choice((_svg, _boxes, _canvas))
    font = rng.choice(FONTS)
    drawn = write(parts, wide, high, font)
    ink = "#eee" if dark else "#222"
    back = f"linear-gradient({ground}, #8886)" if rng.random() < 0.12 else ground
    aside = rng.choice(("", "", "", LEVELS, LIST))
    before = rng.random() < 0.5
    style = f"""
      body {{ margin: 0; background: {back} fixed; color: {ink}; font-family: {font}; zoom: {zoom};
        padding: {rng.choice((0, 8, 16, 24, 24, 40))}px; }}
      section {{ display: flex; gap: 24px; align-items: flex-start; {rng.choice(("", "justify-content: center"))} }}
      main {{ background: {board}; {rng.choice(list(AROUND.values()))} }}
      .board {{ position: relative; width: {wide}px; height: {high}px; display: block; }}
      .board i {{ position: absolute; box-sizing: border-box; display: flex; align-items: center; justify-content: center;
        font-style: normal; line-height: 1; }}
      nav {{ width: 150px; }} nav button {{ width: 40px; height: 40px; margin: 3px; }}"""
    main = f"<main>{drawn}</main>"
    both = (aside + main if before else main + aside) if aside else main
    return (
        f"<!doctype html><meta charset=utf-8><style>{style}</style>{rng.choice(HEADINGS)}"
        f"<section>{both}</section><p>{rng.choice(BUTTONS)}</p>"
    )


def _parts(
    rng: random.Random,
    puzzle: Bridges,
    joins: Joins,
    colours: Sequence[str],
    pitch: float,
    rim: float,
    zoom: float,
) -> list[Part]:
    _, board, fill, edge, bridge, lattice = colours
    form = rng.choice(FORMS)
    half = pitch * rng.choice((0.28, 0.33, 0.36, 0.4, 0.43))
    size = max(half * rng.choice((0.9, 1.0, 1.1, 1.25)), LEAST_FONT_PX / zoom)
    half = max(half, 0.75 * size)
    if form in ("ring", "bare"):
        fill = board
    number = "#fff" if _light(fill) < 140 else rng.choice(("#000", "#222", "#1f3a5f"))
    width = rng.choice((1, 1.5, 2, 3)) if form != "disc" else 0
    if form == "badge":
        edge, width = "#fff", 2
    if form == "disc" and abs(_light(fill) - _light(board)) < 40:
        width = 2
    corner = {"rounded": 0.5 * half, "square": 0.0}.get(form, half)
    shade = rng.choice(("", "", "", "shadow", "gradient")) if form != "bare" else ""
    if abs(_light(bridge) - _light(board)) < 60:
        bridge = "#eee" if _light(board) < 128 else "#333"
    thick = rng.choice((1, 1.5, 2, 2, 3, 4))
    gap = max(thick + 2, half * rng.choice((0.3, 0.45, 0.6)))
    counts = Counter(joins.values())
    broad = rng.random() < 0.2 and min(counts[1], counts[2]) >= 2
    cap = rng.choice(("butt", "butt", "round"))
    ends = rng.choice((0.0, 0.0, 0.0, half, half + width / 2 + 1)) if form != "bare" else half
    at = {one.at: (rim + pitch * one.at.col, rim + pitch * one.at.row) for one in puzzle.islands}
    full = Counter[Square]()
    for span, count in joins.items():
        full.update(dict.fromkeys(span, count))
    parts: list[Part] = []
    parts += _lattice(rng.choice(("", "", "", "lines", "cells", "dots")), puzzle, pitch, rim, lattice)
    lines: list[Part] = []
    for span, count in joins.items():
        (x, y), (end_x, end_y) = at[span.a], at[span.b]
        level = y == end_y
        own = thick * (2.5 if broad and count == 2 else 1)
        for off in (-gap / 2, gap / 2) if count == 2 and not broad else (0.0,):
            if level:
                lines.append(Line(x + ends, y + off, end_x - ends, y + off, own, bridge, cap))
            else:
                lines.append(Line(x + off, y + ends, x + off, end_y - ends, own, bridge, cap))
    done, remaining, over = rng.choice(DONE), rng.random() < 0.08, rng.random() < 0.5
    lacks = [one.clue - full[one.at] for one in puzzle.islands]
    # Where none lacks nothing, nothing tells that numbers count down.
    remaining &= min(lacks) == 0
    clear = rng.random() < 0.3
    chosen = rng.choice(puzzle.islands).at if rng.random() < 0.2 else None
    chosen_how = rng.choice(("outline", "glow", "larger", "hints"))
    islands: list[Part] = []
    for one in puzzle.islands:
        x, y = at[one.at]
        look = Look(fill, number, edge, width, half)
        if full[one.at] == one.clue:
            look = _done(look, done, board, hollow=form in ("ring", "bare"), clear=clear)
        elif full[one.at] > one.clue and over:
            filled = _light(fill) < 120 and form not in ("ring", "bare")
            look = look._replace(edge=RED, fill=RED if filled else fill, ink="#fff" if filled else RED)
        if one.at == chosen and chosen_how == "outline":
            look = look._replace(edge="#f80", width=max(width, 3))
        elif one.at == chosen and chosen_how == "larger":
            look = look._replace(half=1.12 * half)
        elif one.at == chosen and chosen_how == "glow":
            islands.append(Shape(x, y, half + 4, corner + 4, "#f804"))
        elif one.at == chosen:
            ways = [
                (*at[span.a], *at[span.b]) for span in puzzle.spans if chosen in span and span not in joins
            ]
            parts += [Line(*way, 2, lattice, "butt", "4") for way in ways]
        if form != "bare":
            rounding = corner * look.half / half
            islands.append(
                Shape(x, y, look.half, rounding, look.fill, look.edge, look.width, shade, look.opacity)
            )
        label = one.clue - full[one.at] if remaining else one.clue
        islands.append(Text(x, y, str(label), size, look.ink, look.opacity))
        if done == "tick" and full[one.at] == one.clue:
            islands.append(Text(x + 0.8 * half, y - 0.8 * half, "✓", 0.7 * size, "#16a34a"))
    front = rng.random() < 0.15 and ends >= half
    return [*parts, *(islands + lines if front else lines + islands)]


def _done(look: Look, how: str, board: str, *, hollow: bool, clear: bool) -> Look:
    """An island that has its bridges; clear: what fades lets the bridges be seen through it."""
    match how:
        case "fade" if clear:
            return look._replace(opacity=0.5)
        case "fade":
            fill, ink, edge = (_mixed(one, board) for one in (look.fill, look.ink, look.edge))
            return look._replace(fill=fill, ink=ink, edge=edge)
        case "green":
            return (
                look._replace(fill=board, ink="#16a34a")
                if hollow
                else look._replace(fill="#22c55e", ink="#fff")
            )
        case "grey":
            return look._replace(fill=board, ink=GREY) if hollow else look._replace(fill=GREY, ink="#fff")
        case "thick":
            return look._replace(width=look.width + 2)
    return look


def _lattice(how: str, puzzle: Bridges, pitch: float, rim: float, colour: str) -> list[Part]:
    """Hairlines through the islands or around their cells, or dots at empty places."""
    if how == "dots":
        free = set(product(range(puzzle.height), range(puzzle.width))) - puzzle.clues.keys()
        return [Shape(rim + pitch * col, rim + pitch * row, 2, 2, colour) for row, col in sorted(free)]
    if not how:
        return []
    off, more = (0.0, 0) if how == "lines" else (pitch / 2, 1)
    first, right, low = (
        rim - off,
        rim + pitch * (puzzle.width - 1) + off,
        rim + pitch * (puzzle.height - 1) + off,
    )
    places = [first + pitch * nth for nth in range(max(puzzle.width, puzzle.height) + more)]
    return [
        *(Line(at, first, at, low, 1, colour) for at in places[: puzzle.width + more]),
        *(Line(first, at, right, at, 1, colour) for at in places[: puzzle.height + more]),
    ]


def _mixed(one: str, other: str) -> str:
    """Half of each."""
    return "#" + "".join(f"{(a + b) // 2:02x}" for a, b in zip(_rgb(one), _rgb(other), strict=True))


def _light(colour: str) -> float:
    red, green, blue = _rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _rgb(colour: str) -> tuple[int, ...]:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return tuple(bytes.fromhex(digits))


def _svg(parts: Sequence[Part], wide: float, high: float, font: str) -> str:
    return (
        f"<svg class=board style='font-family: {font}; text-anchor: middle; dominant-baseline: central' "
        f"viewBox='0 0 {wide} {high}'><defs><linearGradient id=ramp x2=0 y2=1><stop stop-color=#fff stop-opacity=.3 />"
        f"<stop offset=1 stop-color=#000 stop-opacity=.2 /></linearGradient></defs>{''.join(map(_in_svg, parts))}</svg>"
    )


def _in_svg(part: Part) -> str:
    match part:
        case Line(x, y, end_x, end_y, width, colour):
            return (
                f"<line x1={x} y1={y} x2={end_x} y2={end_y} stroke='{colour}' stroke-width={width} "
                f"stroke-linecap={part.cap} stroke-dasharray='{part.dash}' />"
            )
        case Shape(x, y, half, corner, fill, edge):
            look = "filter: drop-shadow(0 2px 3px #0008)" if part.shade == "shadow" else ""
            place = f"x={x - half} y={y - half} width={2 * half} height={2 * half} rx={corner}"
            shape = (
                f"<rect {place} fill='{fill}' stroke='{edge}' stroke-width={part.width} opacity={part.opacity} "
                f"style='{look}' />"
            )
            return shape + (f"<rect {place} fill='url(#ramp)' />" if part.shade == "gradient" else "")
        case Text(x, y, text, size, colour):
            return f"<text x={x} y={y} font-size={size} fill='{colour}' opacity={part.opacity}>{text}</text>"


def _boxes(parts: Sequence[Part], wide: float, high: float, font: str) -> str:
    return f"<div class=board>{''.join(map(_in_boxes, parts))}</div>"


def _in_boxes(part: Part) -> str:
    match part:
        case Line(x, y, end_x, end_y, width, colour):
            level = y == end_y
            place = (x, y - width / 2, end_x - x, width) if level else (x - width / 2, y, width, end_y - y)
            look = f"background: {colour}; border-radius: {width / 2 if part.cap == 'round' else 0}px"
            if part.dash:
                look = f"border-{'top' if level else 'left'}: {width}px dashed {colour}"
            return _box(*place, look)
        case Shape(x, y, half, corner, fill, edge, width):
            half += width / 2
            looks = {
                "shadow": "box-shadow: 0 2px 5px #0008",
                "gradient": "background-image: linear-gradient(#fff5, #0003)",
            }
            look = f"background-color: {fill}; opacity: {part.opacity}; {looks.get(part.shade, '')}"
            look += f"; border-radius: {corner + width / 2 if corner else 0}px"
            look += f"; border: {width}px solid {edge}" if width else ""
            return _box(x - half, y - half, 2 * half, 2 * half, look)
        case Text(x, y, text, size, colour):
            look = f"font-size: {size}px; color: {colour}; opacity: {part.opacity}"
            return _box(x - 20, y - 20, 40, 40, look, text)


def _box(left: float, top: float, width: float, height: float, look: str, text: str = "") -> str:
    return f"<i style='left: {left}px; top: {top}px; width: {width}px; height: {height}px; {look}'>{text}</i>"


def _canvas(parts: Sequence[Part], wide: float, high: float, font: str) -> str:
    told = json.dumps([(type(part).__name__, *part) for part in parts])
    return f"""<canvas class=board width={round(wide)} height={round(high)}></canvas><script>
      const c = document.querySelector("canvas").getContext("2d");
      c.textAlign = "center"; c.textBaseline = "middle";
      for (const [kind, x, y, ...rest] of {told}) {{
        c.globalAlpha = 1; c.shadowColor = "transparent"; c.beginPath();
        if (kind == "Line") {{
          const [endX, endY, width, colour, cap, dash] = rest;
          c.setLineDash(dash ? [+dash] : []); c.lineWidth = width; c.strokeStyle = colour; c.lineCap = cap;
          c.moveTo(x, y); c.lineTo(endX, endY); c.stroke();
        }} else if (kind == "Shape") {{
          const [half, corner, fill, edge, width, shade, opacity] = rest;
          c.setLineDash([]); c.globalAlpha = opacity; c.roundRect(x - half, y - half, 2 * half, 2 * half, corner);
          if (shade == "shadow") {{ c.shadowColor = "#0008"; c.shadowBlur = 5; c.shadowOffsetY = 2; }}
          c.fillStyle = fill; c.fill(); c.shadowColor = "transparent";
          if (shade == "gradient") {{
            const ramp = c.createLinearGradient(0, y - half, 0, y + half);
            ramp.addColorStop(0, "#fff5"); ramp.addColorStop(1, "#0003"); c.fillStyle = ramp; c.fill();
          }}
          if (width) {{ c.lineWidth = width; c.strokeStyle = edge; c.stroke(); }}
        }} else {{
          const [text, size, colour, opacity] = rest;
          c.globalAlpha = opacity; c.font = `${{size}}px {font}`; c.fillStyle = colour; c.fillText(text, x, y);
        }}
      }}</script>"""


if __name__ == "__main__":
    tell_pages(outcome_in, *sys.argv[1:])
