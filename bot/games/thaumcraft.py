"""Thaumcraft's research notes: what the program knows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.game import Desires, Game, ItemForm, Items, Label, PracticeMaker, later
from bot.show import thaumcraft as show
from bot.show.guide import Guide
from bot.told import Telling, Word
from solver import thaumcraft
from solver.lattice import Hex
from solver.thaumcraft import EVERY, Note, Solution, aspects_of, wished
from solver.thaumcraft.steps import ChainReasoner
from vision.frame import Frame
from vision.profile import Profile

if TYPE_CHECKING:
    from vision.readers.lessons import Lesson


def _items(note: Note, placed: Any) -> dict[str, str]:
    items = {f"cell {cell.q},{cell.r}": note.given.get(cell, "") for cell in note.cells}
    return items | {f"cell {place}": aspect for place, aspect in placed.items()}


def _of_label(label: Label) -> Items | None:
    if "hex" not in label:
        raise KeyError("hex")
    if label["note"] == "none":
        return None
    items: dict[str, str | None] = {
        f"cell {cell['q']},{cell['r']}": cell["aspect"] or "" for cell in label["cells"]
    }
    for entry in label["palette"]:
        count = entry["count"]
        items[f"palette {entry['aspect']}"] = None if count is None else str(count)
    return items


def _in_profile(profile: Profile, disabled: Sequence[str], scarce: bool) -> Profile:
    """Wishes travel as settings of the profile, so that a recorded run is decided again with them."""
    from vision.readers.thaumcraft.board import DISABLED, SCARCE

    settings = {DISABLED + tag: 1.0 for tag in disabled}
    if scarce:
        settings[SCARCE] = 1.0
    return replace(profile, settings={**profile.settings, **settings})


def _calibrate(
    files: Sequence[Path], frames: Sequence[Frame], note: Note | None, name: str, known: Sequence[Profile]
) -> tuple[Profile, Sequence[str]]:
    from calibration.thaumcraft.measure import measure_icons
    from calibration.thaumcraft.textures import calibrate_thaumcraft

    if note is None:
        return calibrate_thaumcraft(files or None, name)
    bases = (calibrate_thaumcraft(files, name)[0],) if files else known
    return measure_icons(frames, note, bases, name)


def _teach(frame: Frame) -> Lesson:
    from calibration.store import load
    from vision.readers.thaumcraft.teaching import teach

    return teach(frame, load("thaumcraft", "practice"))


def _told(note: Note, placed: Solution, cell: Hex, word: Word) -> tuple[Note, Solution]:
    others = {at: aspect for at, aspect in placed.items() if at != cell}
    printed = {at: aspect for at, aspect in note.given.items() if at != cell}
    if word.symbol and word.printed:
        printed[cell] = word.symbol
    elif word.symbol:
        others[cell] = word.symbol
    return replace(note, given=printed), others


def _skins() -> Mapping[str, PracticeMaker]:
    from bot.practice.thaumcraft import practice
    from bot.practice.thaumcraft.blueprint import BLUEPRINTS

    return {ui: partial(practice, ui=ui) for ui in sorted(BLUEPRINTS)}


GAME: Game[Note, Solution] = Game(
    name="thaumcraft",
    title="Thaumcraft research",
    looks_like=thaumcraft.looks_like,
    parse=thaumcraft.parse,
    parse_file=thaumcraft.parse_file,
    unparse=thaumcraft.unparse,
    puzzle_json=thaumcraft.puzzle_json,
    solution_json=thaumcraft.solution_json,
    draw=thaumcraft.draw,
    solve=thaumcraft.solve,
    check=thaumcraft.check,
    claim=later("vision.readers.thaumcraft.claim:claim"),
    read=later("vision.readers.thaumcraft.board:read"),
    reread=later("vision.readers.thaumcraft.again:reread"),
    plan=later("bot.players.thaumcraft:plan"),
    onward=later("bot.players.thaumcraft:onward"),
    practice=later("bot.practice.thaumcraft:practice"),
    items=ItemForm(_items, of_label=_of_label),
    identity=lambda note: (note.cells, note.given),
    became=lambda begun, finished: finished.given == begun.given and finished.cells <= begun.cells,
    guide=Guide(
        ChainReasoner,
        show.show,
        lambda note, cell, tag: (f"at {note.name(cell)}", tag),
        # What lies beside the chain does no harm.
        wrong=lambda placed, right: right is not None and placed != right,
    ),
    skins=_skins,
    told=Telling(lambda note: ("", *sorted(aspects_of(note).components)), _told),
    measured=False,
    calibrate=_calibrate,
    teach=_teach,
    kept_in=later("calibration.thaumcraft.sources:launcher_folders"),
    desires=Desires("aspect", lambda tag: tag in EVERY, _in_profile, wished),
)
