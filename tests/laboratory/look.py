"""Looking: what each stage of it costs, from the measures of a picture to a later look at a board that is known.

The yardstick is one pass over the same picture: `cv2.connectedComponentsWithStats`, 8-connectivity, of its shades parted
by Otsu's threshold; a picture under 1 Mpx counts as one of 1 Mpx. What a stage costs in passes is 1 / ratio.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.bench import Case, Row
from bot.games import GAMES
from bot.recognise import recognise
from calibration import store
from solver.answer import Limits
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.scene import Scene

BOARDS = 3
PASS, MATCHING = "one pass over the picture", "one small template matched over the picture"
# Folders of pictures, where there is one with shared data: the group's name, and where it lies.
SHARED = {
    "collection": "sgt",
    "bridges": "screens/bridges",
    "nonogram": "screens/nonogram",
    "algemy": "algemy",
    "thaumcraft": "thaumcraft/screenshots",
}
PICTURES = (".png", ".jpg", ".webp")
# Our own pictures, by the name of their game; in the folder NONE is none of a game that we play.
SCREENS, NONE = Path(__file__).parents[1] / "screens", "none"
TEMPLATE_PX = 24
LEAST_PX = 1_000_000


@dataclass(frozen=True, eq=False)
class Shown:
    """A picture and what it may be read with. game: the one on it, where somebody named it."""

    pixels: Pixels
    profiles: Callable[[str], Sequence[Profile]] = store.candidates
    game: str = ""


def rows(data: Path | None) -> Iterator[Row]:
    """Each stage on our own boards; finding out the game on saved and shared pictures too, and where there is no board."""
    stages = (("scene", _measured), ("claim", _claimed), ("recognise", _recognised))
    for stage, cost in stages:
        yield _row(f"look/{stage}/practice", f"{stage}, practice boards of all games", cost, _practised)
        yield _row(f"look/{stage}/none", f"{stage}, pictures of grain, stripes and boxes", cost, _nothing)
    yield Row(
        "look/claim/matching",
        "what all games claim of practice boards",
        lambda: [partial(_claimed, one) for one in _practised()],
        (MATCHING, lambda: [partial(_match, one.pixels) for one in _practised()]),
    )
    yield _row("look/recognise/screens", "the game on saved pictures of boards", _recognised, _saved)
    yield _row(
        "look/recognise/screens-none", "saved windows of other games", _recognised, partial(_saved, none=True)
    )
    yield _row("look/read/screens", "the right reader alone, on saved pictures", _recognised, _named)
    for name in GAMES:
        yield _track(name)
    if data is not None:
        for name, folder in SHARED.items():
            shown = partial(_pictures, data / folder)
            yield _row(
                f"look/recognise/shared-{name}", f"the game on pictures of {folder}", _recognised, shown
            )


def _row(name: str, what: str, cost: Callable[[Shown], object], shown: Callable[[], Sequence[Shown]]) -> Row:
    return Row(
        name,
        what,
        lambda: [partial(cost, one) for one in shown()],
        (PASS, lambda: [partial(_pass, one.pixels) for one in shown()]),
    )


def _track(name: str) -> Row:
    """The next look at a board that was read before, one step later."""
    game = GAMES[name]

    def boards() -> list[Any]:
        return [game.practice(random.Random(seed)) for seed in range(BOARDS)]

    def cases() -> list[Case]:
        found: list[Case] = []
        for board in boards():
            reading = game.read(Frame(board.render(0.0).copy()), board.profile)
            plan = game.plan(reading, game.solve(reading.puzzle, Limits()).solution)
            for nth, action in enumerate(plan.steps[0].actions):
                board.act(action, 1 + nth / 5)
            found.append(partial(_again, name, board.render(5.0).copy(), board.profile, reading))
        return found

    peers = (PASS, lambda: [partial(_pass, board.render(0.0)) for board in boards()])
    return Row(f"look/track/{name}", f"a step later, a known board of {game.title}", cases, peers)


def _again(name: str, pixels: Pixels, profile: Profile, reading: Any) -> object:
    """As play looks: a reader that cannot tell reads anew."""
    game = GAMES[name]
    return game.reread(Frame(pixels), reading) or game.read(Frame(pixels), profile)


def _measured(shown: Shown) -> object:
    scene = Scene(shown.pixels)
    return scene.grids(), scene.areas(3), scene.ground


def _claimed(shown: Shown) -> object:
    scene = Scene(shown.pixels)
    return [game.claim(scene) for game in GAMES.values() if game.claim]


def _recognised(shown: Shown) -> object:
    with suppress(VisionError):
        asked = {shown.game: GAMES[shown.game]} if shown.game else GAMES
        return recognise(Frame(shown.pixels), asked, shown.profiles)
    return None


def _pass(pixels: Pixels) -> object:
    shades = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    more = max(0, math.ceil(LEAST_PX / shades.shape[1]) - shades.shape[0])
    shades = cv2.copyMakeBorder(shades, 0, more, 0, 0, cv2.BORDER_WRAP)
    _, parted = cv2.threshold(shades, 0, 255, cv2.THRESH_OTSU)
    return cv2.connectedComponentsWithStats(parted, connectivity=8)


def _match(pixels: Pixels) -> object:
    return cv2.matchTemplate(pixels, pixels[:TEMPLATE_PX, :TEMPLATE_PX], cv2.TM_CCOEFF_NORMED)


def _practised() -> list[Shown]:
    shown = []
    for name, game in GAMES.items():
        board = game.practice(random.Random(1))
        known = {name: (board.profile,)}
        shown.append(
            Shown(board.render(0.0), lambda one, known=known: known.get(one) or store.candidates(one))  # type: ignore[misc]
        )
    return shown


def _nothing() -> list[Shown]:
    rng = np.random.default_rng(3)
    grain = rng.integers(0, 256, (800, 1280, 3), np.uint8)
    stripes = np.full((800, 1280, 3), 240, np.uint8)
    stripes[::20] = 60
    boxes = np.full((800, 1280, 3), 225, np.uint8)
    for left, top, wide, high in rng.integers(20, 700, (40, 4)).tolist():
        cv2.rectangle(
            boxes, (left, top), (left + wide // 4, top + high // 4), (left % 255, top % 255, 90), -1
        )
    return [Shown(grain), Shown(stripes), Shown(boxes)]


def _saved(none: bool = False) -> list[Shown]:
    """Our own pictures of boards, or those without one; nobody names a game."""
    return _pictures(SCREENS / NONE) if none else [replace(one, game="") for one in _named()]


def _named() -> list[Shown]:
    """Our own pictures of boards, each with the name of its game."""
    return [
        Shown(np.asarray(cv2.imread(str(path)), np.uint8), game=path.parent.name)
        for path in sorted(SCREENS.glob("*/*.png"))
        if path.parent.name != NONE
    ]


def _pictures(folder: Path) -> list[Shown]:
    paths = sorted(path for path in folder.glob("*") if path.suffix in PICTURES)
    return [Shown(np.asarray(cv2.imread(str(path)), np.uint8)) for path in paths]
