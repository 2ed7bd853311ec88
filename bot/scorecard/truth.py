"""Pictures with their truth: folders of labelled screenshots, and practice boards.

`NAME.json` beside `NAME.png` (or .jpg, .webp, .bmp) is the label. Its own form is what `boardsight read --json` prints,
checked by a person: `{"game": G, "puzzle": TEXT-OR-OBJECT, "placed": SOLUTION}`, or `{"game": G, "status": "no-board"}`.
The forms of several collections are taken as well: windows of Simon Tatham's programs (`islands`, `row_clues`), screens
of other programs (`kind`), Thaumcraft tables (`hex`, `cells`), Algemy boards (`cells` with `content`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.devices.image import load_frame
from bot.games import GAMES
from bot.practice import bridges, nonogram
from bot.practice.rings import drawing
from bot.practice.thaumcraft.layout import LAYOUTS
from bot.scorecard import Case
from bot.scorecard.items import Items, bridges_items, items_of, nonogram_items
from calibration.files import read_bytes
from solver.errors import BoardsightError, InvalidPuzzle
from vision.profile import Profile

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
MOST_LABEL_BYTES = 5_000_000
Label = Mapping[str, Any]
# How the practice boards of a game differ in looks: the option, and its values.
SKINS: Mapping[str, tuple[str, Sequence[str]]] = {
    "thaumcraft": ("ui", sorted(LAYOUTS)),
    "bridges": ("skin", sorted(bridges.SKINS)),
    "nonogram": ("skin", sorted(nonogram.SKINS)),
    "algemy": ("shape", ("hex", "square")),
    "rings": ("skin", sorted(drawing.SKINS)),
}


def labelled(folder: Path, profiles: Callable[[str], Sequence[Profile]]) -> Iterator[Case]:
    """Every labelled picture in a folder and below, sorted by name. Raises InvalidPuzzle, UnreadableImage."""
    if not folder.is_dir():
        raise InvalidPuzzle(f"{folder}: no such folder", hint="name a folder of pictures with labels")
    for path in sorted(folder.rglob("*.json")):
        picture = next((path.with_suffix(end) for end in PICTURES if path.with_suffix(end).is_file()), None)
        if picture is None:
            continue
        label = _label(path)
        try:
            game, items = items_of_label(label)
        except (KeyError, TypeError, ValueError, IndexError, BoardsightError) as error:
            raise InvalidPuzzle(
                f"{path}: not a label: {error}", hint="see docs/reliability.md for the form"
            ) from error
        yield Case(path.stem, GAMES[game], load_frame(picture).pixels, items, profiles(game))


def practised(games: Sequence[str], boards: int) -> Iterator[Case]:
    """Practice boards of the first seeds in their skins by turns, as they are when nothing has been entered."""
    for name in games:
        game, (option, skins) = GAMES[name], SKINS[name]
        for seed in range(boards):
            skin = skins[seed % len(skins)]
            # The record of a game knows `practice` without its options.
            make: Any = game.practice
            board = make(random.Random(seed), **{option: skin})
            items = items_of(name, board.puzzle, nothing_on(name, board.puzzle))
            yield Case(f"practice:{name}:{seed}:{skin}", game, board.render(0.0), items, [board.profile])


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
    if "hex" in label:
        return "thaumcraft", _thaumcraft(label)
    if "islands" in label:
        return "bridges", _bridges(label)
    if "row_clues" in label or label.get("kind") == "nonogram":
        return "nonogram", _nonogram(label)
    if any("content" in cell for cell in label.get("cells", ())):
        return "algemy", None if label.get("state") == "menu" else _algemy(label)
    raise ValueError("no form that we know")


def _own(label: Label) -> tuple[str, Items | None]:
    name = label["game"]
    if name not in GAMES:
        raise ValueError(f"no game called {str(name)[:40]!r}")
    if label.get("status") == "no-board":
        return name, None
    text = label["puzzle"]
    puzzle = GAMES[name].parse(text if isinstance(text, str) else json.dumps(text))
    placed = label.get("placed")
    if placed is not None:
        return name, items_of(name, puzzle, placed)
    return name, {
        item: value or None for item, value in items_of(name, puzzle, nothing_on(name, puzzle)).items()
    }


def nothing_on(name: str, puzzle: Any) -> Any:
    """An empty board in the JSON form of solutions."""
    match name:
        case "nonogram":
            return ["?" * puzzle.width] * puzzle.height
        case "algemy":
            return [" ".join("*" if sign != "-" else "." for sign in row) for row in puzzle.rows]
        case "bridges":
            return []
        case _:
            return {}


def _bridges(label: Label) -> Items:
    if "schema" not in label:
        return bridges_items(label["islands"], label["bridges"])
    islands = [(y, x, clue) for x, y, clue in label["islands"]]
    return bridges_items(islands, [(y1, x1, y2, x2, n) for x1, y1, x2, y2, n in label["bridges"]])


def _nonogram(label: Label) -> Items:
    if "row_clues" in label:
        return nonogram_items(label["row_clues"], label["column_clues"], label["cells"])
    # Here `x` is marked blank, `.` is not marked, `?` cannot be seen.
    lines = [line.translate(str.maketrans("x.", ".?")) for line in label["cells"]]
    items: dict[str, str | None] = dict(nonogram_items(label["rows"], label["cols"], lines))
    for row, line in enumerate(label["cells"]):
        items |= {f"cell {row},{col}": None for col, sign in enumerate(line) if sign == "?"}
    return items


def _thaumcraft(label: Label) -> Items | None:
    if label["note"] == "none":
        return None
    items: dict[str, str | None] = {
        f"cell {cell['q']},{cell['r']}": cell["aspect"] or "" for cell in label["cells"]
    }
    for entry in label["palette"]:
        count = entry["count"]
        items[f"palette {entry['aspect']}"] = None if count is None else str(count)
    return items


def _algemy(label: Label) -> Items:
    return {f"cell {cell['row']},{cell['col']}": cell["content"].partition(":")[2] for cell in label["cells"]}
