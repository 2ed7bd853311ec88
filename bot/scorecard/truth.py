"""Pictures with their truth: folders of labelled screenshots, and practice boards.

`NAME.json` beside `NAME.png` (or .jpg, .webp, .bmp) is the label. Its own form is what `boardsight read --json` prints,
checked by a person: `{"game": G, "puzzle": TEXT-OR-OBJECT, "placed": SOLUTION}`, or `{"game": G, "status": "no-board"}`.
The forms of several collections are taken as well: windows of Simon Tatham's programs (`islands`, `row_clues`), screens
of other programs (`kind`), Thaumcraft tables (`hex`, `cells`), Algemy boards (`cells` with `content`).
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from bot.devices.image import load_frame
from bot.game import Items, Label
from bot.games import GAMES
from bot.scorecard import Case
from calibration.files import is_file, read_bytes
from solver.errors import BoardsightError, InvalidPuzzle
from vision.profile import Profile

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
MOST_LABEL_BYTES = 5_000_000


def labelled(folder: Path, profiles: Callable[[str], Sequence[Profile]]) -> Iterator[Case]:
    """Every labelled picture in a folder and below, sorted by name. Raises InvalidPuzzle, UnreadableImage."""
    for path in labels_below(folder):
        yield labelled_case(path, profiles)


def labels_below(folder: Path) -> list[Path]:
    """The labels of the pictures in a folder and below, sorted. Raises InvalidPuzzle.

    A folder that may not be looked into is among them: `labelled_case` says so.
    """
    if not os.path.isdir(folder):
        raise InvalidPuzzle(f"{folder}: no such folder", hint="name a folder of pictures with labels")
    found: list[Path] = []
    for root, _, files in os.walk(folder, onerror=lambda error: found.append(Path(error.filename))):
        labels = (Path(root, name) for name in files if name.endswith(".json"))
        found.extend(label for label in labels if _picture_of(label) is not None)
    return sorted(found)


def labelled_case(path: Path, profiles: Callable[[str], Sequence[Profile]]) -> Case:
    """The picture of a label. Raises InvalidPuzzle, UnreadableImage."""
    if path.is_dir():
        raise InvalidPuzzle(f"{path}: may not be looked into", hint="check the folder's rights")
    picture = _picture_of(path)
    if picture is None:
        raise InvalidPuzzle(f"{path}: no picture beside it", hint="a label has the name of its picture")
    label = _label(path)
    try:
        game, items = items_of_label(label)
    except (KeyError, TypeError, ValueError, IndexError, BoardsightError) as error:
        raise InvalidPuzzle(
            f"{path}: not a label: {error}", hint="see docs/reliability.md for the form"
        ) from error
    return Case(path.stem, GAMES[game], load_frame(picture).pixels, items, profiles(game))


def files_of(name: str) -> list[str]:
    """The files that scoring needs: a label and its picture; none for a practice board."""
    picture = _picture_of(Path(name)) if name.endswith(".json") else None
    return [] if picture is None else [name, str(picture)]


def _picture_of(label: Path) -> Path | None:
    return next((label.with_suffix(end) for end in PICTURES if is_file(label.with_suffix(end))), None)


def practised(games: Sequence[str], boards: int) -> Iterator[Case]:
    """Practice boards of the first seeds in their skins by turns, as they are when nothing has been entered."""
    for name in games:
        for seed in range(boards):
            yield practice_case(name, seed)


def practice_case(name: str, seed: int) -> Case:
    """A practice board of a game; its skins are taken by turns."""
    game = GAMES[name]
    skins = list((game.skins() or {"plain": game.practice}).items())
    skin, make = skins[seed % len(skins)]
    board = make(random.Random(seed))
    items = game.items.of(board.puzzle, game.items.nothing(board.puzzle))
    return Case(f"practice:{name}:{seed}:{skin}", game, board.render(0.0), items, [board.profile])


def _label(path: Path) -> Label:
    try:
        value = json.loads(read_bytes(path, MOST_LABEL_BYTES))
    except (ValueError, RecursionError) as error:
        raise InvalidPuzzle(
            f"{path}: no JSON: {error}", hint="see docs/reliability.md for the form"
        ) from error
    if not isinstance(value, dict):
        raise InvalidPuzzle(
            f"{path}: a label is one JSON object", hint="see docs/reliability.md for the form"
        )
    return value


def items_of_label(label: Label) -> tuple[str, Items | None]:
    """The game of a label, and its items; None for a picture without a board."""
    if "puzzle" in label or label.get("status") == "no-board":
        return _own(label)
    if label.get("expect") == "refuse":
        return str(label["kind"]), None
    for name, game in GAMES.items():
        if game.items.of_label is not None:
            with suppress(KeyError):
                return name, game.items.of_label(label)
    raise ValueError("no form that we know")


def _own(label: Label) -> tuple[str, Items | None]:
    name = label["game"]
    if name not in GAMES:
        raise ValueError(f"no game called {str(name)[:40]!r}")
    if label.get("status") == "no-board":
        return name, None
    text = label["puzzle"]
    game = GAMES[name]
    puzzle = game.parse(text if isinstance(text, str) else json.dumps(text))
    placed = label.get("placed")
    if placed is not None:
        return name, game.items.of(puzzle, placed)
    nothing = game.items.of(puzzle, game.items.nothing(puzzle))
    return name, {item: value or None for item, value in nothing.items()}
