"""Shows how a puzzle is solved: in the terminal, as a still picture where there is none, and as a film."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from bot.errors import WrongUsage
from bot.game import Game
from bot.show.guide import Guide
from bot.show.scene import Drawing, Moment, Room, moments
from bot.show.stage import perform, words
from bot.show.terminal import Terminal, can_move_cursor, colour_depth, coloured, in_encoding
from solver.answer import Answer
from solver.steps import work

# A work of more steps than this ends with what the solver found: nobody watches longer.
MOST_STEPS = 1000
STILL = Room(100, 200)


def guide_of(game: Game[Any, Any]) -> Guide[Any, Any]:
    """How a game is shown. Raises WrongUsage for one that is not."""
    if game.guide is None:
        raise WrongUsage(f"the solving of {game.name} cannot be shown", hint="solve without --animate")
    return game.guide


def moments_of(game: Game[Any, Any], puzzle: Any, found: Answer[Any]) -> Iterator[Moment[Any]]:
    """The moments of solving a puzzle from its empty board; `found` is the solver's answer."""
    reasoner = guide_of(game).reasoner(puzzle, found)
    start = reasoner.known(reasoner.start(None))
    return moments(start, work(reasoner, solution=found.solution, most=MOST_STEPS))


def animate(game: Game[Any, Any], puzzle: Any, found: Answer[Any], out: TextIO = sys.stdout) -> Any:
    """Play the solving of a puzzle on a terminal and leave its last picture there. Returns the solution shown.

    Where the output is no terminal, only the last picture is printed.
    """
    guide = guide_of(game)
    depth = colour_depth(os.environ) if out.isatty() else "none"

    def draw(moment: Moment[Any], room: Room) -> Drawing:
        return guide.scene(puzzle, moment, room, depth == "none")

    if can_move_cursor(out, os.environ):
        with Terminal(out, os.environ) as terminal:
            last, steps = perform(moments_of(game, puzzle, found), draw, terminal, game.title)
            room = Room(*terminal.size())
    else:
        last, steps, room = None, 0, STILL
        for steps, last in enumerate(moments_of(game, puzzle, found)):  # noqa: B007 - the last ones are used
            pass
    if last is None:
        last = Moment(found.solution, finished=True)
    canvas = draw(last, room._replace(rows=STILL.rows)).canvas
    lines = [coloured(canvas, depth) if out.isatty() else canvas.text()]
    lines += [text for text, _ in words(last, room.columns, game.title, steps)[:1]]
    print(in_encoding("\n".join(lines), out), file=out)
    return last.board
