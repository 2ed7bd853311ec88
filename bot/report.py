"""One self-contained HTML page of a run: before, plan, after, times. Nothing is loaded from elsewhere.

Every text is escaped, pictures are inside as PNG, and the page's own policy forbids scripts and the network.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from bot.game import Game
from bot.play import Notice, Outcome, to_enter
from bot.screen import Glance
from solver.errors import BoardsightError
from vision.frame import Frame, Pixels
from vision.image import encode_png
from vision.overlay import paint
from vision.profile import Profile

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem;
  color: #1d2733; background: #fff; overflow-wrap: anywhere }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #d6dde5 }
img { max-width: 100%; border: 1px solid #d6dde5; border-radius: 4px }
.pair { display: flex; flex-wrap: wrap; gap: 1rem } .pair figure { flex: 1 1 20rem; margin: 0 }
h3 { font-size: 1rem; margin: 1rem 0 .3rem }
img.cell { height: 2.5rem; image-rendering: pixelated; vertical-align: middle }
table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }
.verified { color: #0a7a35 } .other { color: #b3541e } .wide { overflow-x: auto }
.bar { background: #4c86c6; height: .7rem; display: inline-block; border-radius: 2px }
@media (prefers-color-scheme: dark) { body { color: #dde5ee; background: #14191f } }
"""
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
# Cells listed in a page: all but those of the largest boards.
MOST_CELLS, MOST_DOUBTS = 1000, 60


def page(title: str, sections: Sequence[str]) -> str:
    """A whole page. title is text; sections are HTML made by this module."""
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1>{''.join(sections)}</body></html>\n"
    )


def run_section(game: Game[Any, Any], profile: Profile, outcome: Outcome, notices: Sequence[Notice]) -> str:
    """The story of one run, as HTML."""
    before, after = outcome.before, outcome.after
    solution = outcome.answer.solution if outcome.answer else None
    enter = {} if solution is None else to_enter(game, before.reading.placed, solution)
    planned = paint(before.frame, before.reading, profile, enter, game.brush)
    kind = "verified" if outcome.status == "verified" else "other"
    return (
        f"{_head(game, profile, before, outcome.status, kind)}"
        f"<div class='pair'>{_figure(_board_of(before), 'before')}"
        f"{_figure(_cropped(planned, before), 'read, and planned')}"
        f"{_figure(_board_of(after), 'after')}</div>"
        f"{_figures(outcome)}{_repairs(notices)}{_marks(before, profile)}{_steps(notices)}"
    )


def stopped_section(
    game: Game[Any, Any], profile: Profile, look: Glance, error: BaseException, notices: Sequence[Notice]
) -> str:
    """The story of a run that ended with an error, as HTML. look: the last one that is known."""
    hint = error.hint if isinstance(error, BoardsightError) else ""
    painted = paint(look.frame, look.reading, profile)
    return (
        f"{_head(game, profile, look, type(error).__name__, 'other')}"
        f"<p>{escape(str(error) or 'stopped by the user')}</p><p>{escape(hint)}</p>"
        f"<div class='pair'>{_figure(_board_of(look), 'seen last')}{_figure(_cropped(painted, look), 'read')}</div>"
        f"{_repairs(notices)}{_marks(look, profile)}{_steps(notices)}"
    )


def _head(game: Game[Any, Any], profile: Profile, look: Glance, status: str, kind: str) -> str:
    return (
        f"<h2>{escape(game.title)} <span class='{kind}'>{escape(status)}</span></h2>"
        # A window's title may turn the direction of the text round.
        f"<p><bdi>{escape(look.frame.source)}</bdi>, profile <bdi>{escape(profile.name)}</bdi></p>"
    )


def _cropped(pixels: Pixels, look: Glance) -> Pixels:
    return _board_of(Glance(Frame(pixels), look.reading))


def _repairs(notices: Sequence[Notice]) -> str:
    """What had to be done again."""
    rows = "".join(
        f"<tr><td>{notice.at_s:.2f} s</td><td>{escape(notice.text)}</td></tr>"
        for notice in notices
        if notice.kind == "repair"
    )
    return f"<h3>Done again</h3><div class='wide'><table>{rows}</table></div>" if rows else ""


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


def _marks(look: Glance, profile: Profile) -> str:
    """Every cell with its confidence and what it might have been; those in doubt first, with their pictures."""
    marks = sorted(look.reading.marks.items(), key=lambda item: item[1].confidence)
    doubtful = [(cell, mark) for cell, mark in marks if mark.symbol is None][:MOST_DOUBTS]
    told = "".join(
        f"<tr><td>{escape(look.reading.name(cell))}</td><td>{_small(_cell_of(look, cell), 'the cell')}</td>"
        f"<td>{mark.confidence:.3f}</td><td>{escape(mark.runner_up)} {_icon(profile, mark.runner_up)}</td></tr>"
        for cell, mark in doubtful
    )
    head = "<tr><th>cell</th><th>seen</th><th>confidence</th><th>looks like</th></tr>"
    in_doubt = f"<h3>In doubt</h3><div class='wide'><table>{head}{told}</table></div>" if told else ""
    rows = "".join(
        f"<tr><td>{escape(look.reading.name(cell))}</td><td>{escape(mark.state)}</td>"
        f"<td>{escape('in doubt' if mark.symbol is None else mark.symbol)}</td>"
        f"<td>{mark.confidence:.3f}</td><td>{escape(mark.runner_up)}</td></tr>"
        for cell, mark in marks[:MOST_CELLS]
    )
    head = "<tr><th>cell</th><th>state</th><th>symbol</th><th>confidence</th><th>runner-up</th></tr>"
    of_all = f"{min(MOST_CELLS, len(marks))} of {len(marks)} cells, the least certain first"
    return f"{in_doubt}<details><summary>{of_all}</summary><div class='wide'><table>{head}{rows}</table></div></details>"


def _cell_of(look: Glance, cell: Any) -> Pixels:
    """The px around a cell's centre."""
    at, half = look.reading.geometry.centres[cell], max(4.0, look.reading.geometry.pitch_px / 2)
    top, left = max(0, int(at.y - half)), max(0, int(at.x - half))
    return look.frame.pixels[top : int(at.y + half) + 1, left : int(at.x + half) + 1]


def _icon(profile: Profile, symbol: str) -> str:
    """What the profile knows of a symbol, where it has a picture of it."""
    icon = profile.templates.get(f"aspects/{symbol}")
    return "" if icon is None else _small(icon.pixels, symbol)


def _small(pixels: Pixels, caption: str) -> str:
    return f"<img class='cell' alt='{escape(caption)}' src='{_data(pixels)}'>" if pixels.size else ""


def _steps(notices: Sequence[Notice]) -> str:
    rows = "".join(
        f"<tr><td>{notice.at_s:.2f} s</td><td>{escape(notice.kind)}</td><td>{escape(notice.text)}</td></tr>"
        for notice in notices
    )
    return f"<details><summary>every step</summary><div class='wide'><table>{rows}</table></div></details>"


def _figure(pixels: Pixels, caption: str) -> str:
    return (
        f"<figure><img alt='{escape(caption)}' src='{_data(pixels)}'>"
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _data(pixels: Pixels) -> str:
    """A picture as an address that needs no network."""
    return (
        f"data:image/png;base64,{base64.b64encode(encode_png(np.ascontiguousarray(pixels))).decode('ascii')}"
    )


def _board_of(look: Glance) -> Pixels:
    """The part of the frame that belongs to the board."""
    left, top, width, height = look.reading.area
    return look.frame.pixels[max(0, top) : top + height, max(0, left) : left + width]
