"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.games import GAMES

GameOption = Annotated[
    str | None,
    typer.Option("--game", "-g", help=f"Game on the picture: {', '.join(GAMES)}; found out by default"),
]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", "-p", help="Profile to read with; the best-fitting one by default")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object per picture or puzzle")]
OverlayOption = Annotated[
    Path | None,
    typer.Option("--overlay", help="Write the picture with what was read and solved painted over it"),
]
