"""`window`: looking, correcting, solving and playing with the mouse."""

from __future__ import annotations

from typing import Annotated

import typer


def window(
    source: Annotated[
        str | None, typer.Argument(help="What to look at first, as for read; chosen in the window by default")
    ] = None,
) -> None:
    """Open a window: choose a board, see what was read, correct it, solve, get hints, play."""
    from bot.window.view import show

    show(source)
