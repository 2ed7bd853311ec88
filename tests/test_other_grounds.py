"""Programs take the colour of their ground from the system, and mix others from it: the same boards on a lighter ground."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.games import GAMES
from tests.test_real_games import PARAMS
from tests.test_screens import SCREENS, frame_of, profile_of
from vision.frame import Frame

# Ours have a ground of 230, Windows' menus one of 240.
LIGHTER = 240 / 230
PICTURES = [
    pytest.param(path, id=f"{name}-{path.stem}", marks=[] if name == "undead" else pytest.mark.long)
    for name in PARAMS
    for path in sorted((SCREENS / name).glob("*.png"))
]


@pytest.mark.parametrize("path", PICTURES)
def test_a_board_on_a_lighter_ground_is_the_same(path: Path) -> None:
    game, profile = GAMES[path.parent.name], profile_of(path.parent.name)
    pixels = np.clip(frame_of(path).pixels * LIGHTER, 0, 255).astype(np.uint8)

    light, usual = game.read(Frame(pixels), profile), game.read(frame_of(path), profile)

    assert (light.puzzle, light.placed) == (usual.puzzle, usual.placed)
    assert not light.doubtful
