"""`window`: looking, correcting, solving and playing with the mouse."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.messages import log


def window(
    source: Annotated[
        str | None, typer.Argument(help="What to look at first, as for read; chosen in the window by default")
    ] = None,
    install: Annotated[
        bool,
        typer.Option("--install-entry", help="Put boardsight into the desktop's menu of programs (Linux)"),
    ] = False,
    remove: Annotated[bool, typer.Option("--remove-entry", help="Take it out of the menu again")] = False,
) -> None:
    """Open a window: choose a board, see what was read, correct it, solve, get hints, play."""
    if install or remove:
        from bot.window import entry

        for path in entry.install() if install else entry.remove():
            log.print(f"{'written' if install else 'removed'}: {path}", soft_wrap=True)
        return
    from bot.window.view import show

    show(source)
