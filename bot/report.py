"""One self-contained HTML page of a run: before, plan, after, times. Nothing is loaded from elsewhere.

Every text is escaped, pictures are inside as PNG, and the page's own policy forbids scripts and the network.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from typing import Any

from bot.games import Game
from bot.play import Note, Outcome, crop_to_board
from vision.frame import Frame, Pixels
from vision.image import encode_png
from vision.overlay import paint
from vision.profile import Profile

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem;
  color: #1d2733; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #d6dde5 }
img { max-width: 100%; border: 1px solid #d6dde5; border-radius: 4px }
.pair { display: flex; flex-wrap: wrap; gap: 1rem } .pair figure { flex: 1 1 20rem; margin: 0 }
table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }
.verified { color: #0a7a35 } .other { color: #b3541e } .wide { overflow-x: auto }
.bar { background: #4c86c6; height: .7rem; display: inline-block; border-radius: 2px }
@media (prefers-color-scheme: dark) { body { color: #dde5ee; background: #14191f } }
"""
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def page(title: str, sections: Sequence[str]) -> str:
    """A whole page. title is text; sections are HTML made by this module."""
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1>{''.join(sections)}</body></html>\n"
    )


def run_section(game: Game[Any, Any], profile: Profile, outcome: Outcome, notes: Sequence[Note]) -> str:
    """The story of one run, as HTML."""
    before, after = outcome.before, outcome.after
    solution = outcome.answer.solution if outcome.answer else None
    painted = Frame(paint(before.frame, before.reading, profile, solution), source=before.frame.source)
    left, top, width, height = before.reading.area
    planned = painted.pixels[max(0, top) : top + height, max(0, left) : left + width]
    kind = "verified" if outcome.status == "verified" else "other"
    return (
        f"<h2>{escape(game.title)} <span class='{kind}'>{escape(outcome.status)}</span></h2>"
        f"<p>{escape(before.frame.source)}, profile {escape(profile.name)}</p>"
        f"<div class='pair'>{_figure(crop_to_board(before), 'before')}{_figure(planned, 'read, and planned')}"
        f"{_figure(crop_to_board(after), 'after')}</div>"
        f"{_figures(outcome)}{_marks(outcome)}{_steps(notes)}"
    )


def _figures(outcome: Outcome) -> str:
    rows = [
        ("actions", str(outcome.actions)),
        ("cells verified", str(outcome.verified)),
        ("steps repaired", str(outcome.repaired)),
        ("rounds", str(outcome.rounds)),
    ]
    if outcome.answer is not None and outcome.answer.cost is not None:
        proof = "proved cheapest" if outcome.answer.optimal else f"at least {outcome.answer.bound}"
        rows.append(("cost", f"{outcome.answer.cost}, {proof}"))
    whole = sum(outcome.seconds.values()) or 1.0
    times = "".join(
        f"<tr><th>{escape(verb)}</th><td>{value:.3f} s</td>"
        f"<td><span class='bar' style='width:{value / whole * 12:.2f}rem'></span></td></tr>"
        for verb, value in outcome.seconds.items()
    )
    counts = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<div class='pair'><table>{counts}</table><table>{times}</table></div>"


def _marks(outcome: Outcome, most: int = 20) -> str:
    """The least certain cells, with what they might have been."""
    marks = sorted(outcome.before.reading.marks.items(), key=lambda item: item[1].confidence)[:most]
    rows = "".join(
        f"<tr><td>{escape(str(tuple(cell)))}</td><td>{escape(mark.state)}</td>"
        f"<td>{escape('in doubt' if mark.symbol is None else mark.symbol)}</td>"
        f"<td>{mark.confidence:.3f}</td><td>{escape(mark.runner_up)}</td></tr>"
        for cell, mark in marks
    )
    head = "<tr><th>cell</th><th>state</th><th>symbol</th><th>confidence</th><th>runner-up</th></tr>"
    return f"<details><summary>least certain cells</summary><div class='wide'><table>{head}{rows}</table></div></details>"


def _steps(notes: Sequence[Note]) -> str:
    rows = "".join(
        f"<tr><td>{note.at_s:.2f} s</td><td>{escape(note.kind)}</td><td>{escape(note.text)}</td></tr>"
        for note in notes
    )
    return f"<details><summary>every step</summary><div class='wide'><table>{rows}</table></div></details>"


def _figure(pixels: Pixels, caption: str) -> str:
    data = base64.b64encode(encode_png(pixels)).decode("ascii")
    return (
        f"<figure><img alt='{escape(caption)}' src='data:image/png;base64,{data}'>"
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )
