"""A research table in a look that no profile knows: learned from one picture, on which a person names the icons."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.clock import SimulatedClock
from bot.devices.practice import PracticeDevice
from bot.games import GAMES
from bot.play import play
from bot.practice.thaumcraft import ResearchTable, own_textures, practice
from bot.practice.thaumcraft.art import Texture
from bot.screen import Screen
from solver.lattice import Hex
from tests.shared_data import SHARED, needs_shared
from tests.test_cli import two_lines
from tests.test_learn import boardsight
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.frame import Frame
from vision.image import encode_png
from vision.readers.lessons import Lesson, Named
from vision.reading import Reading

GAME = GAMES["thaumcraft"]
SCREENSHOTS = SHARED / "thaumcraft" / "screenshots"


@cache
def other_look() -> dict[str, Texture]:
    """Blue sheets and pale wood, blue outlines, and every sign turned by a quarter."""
    look = {}
    for name, texture in own_textures().items():
        pixels, alpha = texture[..., :3], texture[..., 3:]
        if name.startswith("aspects/"):
            look[name] = np.ascontiguousarray(np.rot90(texture))
            continue
        if name == "gui/hex1":
            pixels = np.full_like(pixels, (90, 30, 10))
        elif name == "misc/parchment3":
            pixels = pixels[..., [2, 1, 0]]
        elif name.startswith(("gui/guiresearch", "research/")):
            pixels = 255 - pixels[..., [1, 2, 0]]
        look[name] = np.ascontiguousarray(np.concatenate([pixels, alpha], axis=2))
    return look


def tables(ui: str, seed: int) -> tuple[ResearchTable, Reading]:
    """A practice table in the other look, and what is on it, read from the same table in our own look."""
    own = practice(random.Random(seed), ui=ui)
    truth = GAME.read(Frame(own.render(1.0)), own.profile)
    return practice(random.Random(seed), ui=ui, textures=other_look()), truth


def names_of(lesson: Lesson, truth: Reading, frame: Frame) -> dict[int, str]:
    """What a person who knows the aspects says of each look."""
    from vision.readers.thaumcraft.honeycomb import spot

    at = spot(frame.pixels)
    entries = {tag: control.at for tag, control in truth.controls.items() if control.symbol}
    names = {}
    for number, group in enumerate(lesson.groups):
        place = group.cells[0]
        if isinstance(place, Hex):
            names[number] = truth.puzzle.given.get(place, "")
            continue
        x, y = at.layout.palette_centres[place.number]
        x, y = at.left + at.scale * x, at.top + at.scale * y
        near = min(entries, key=lambda tag: abs(entries[tag].x - x) + abs(entries[tag].y - y))
        names[number] = near if abs(entries[near].x - x) < 8 * at.scale else ""
    return names


def named(names: dict[int, str]) -> dict[int, Named]:
    return {number: Named(name, "given" if name else "free") for number, name in names.items()}


@pytest.mark.long
@pytest.mark.parametrize(("ui", "seed"), [("tweaks", 0), ("tweaks-3col", 0)])
def test_a_table_in_a_look_that_nobody_knows_is_played_after_one_picture(ui: str, seed: int) -> None:
    board, truth = tables(ui, seed)
    frame = Frame(board.render(1.0).copy())
    with pytest.raises(VisionError):
        GAME.read(frame, board.profile)

    lesson = GAME.teach(frame)
    profile = lesson.profile("mine", named(names_of(lesson, truth, frame)))
    clock = SimulatedClock()
    outcome = play(GAME, profile, Screen(PracticeDevice(board, clock), clock))

    assert GAME.identity(outcome.before.reading.puzzle) == GAME.identity(truth.puzzle)
    assert outcome.status == "verified"


def test_the_command_shows_the_looks_and_takes_their_names(tmp_path: Path) -> None:
    board, truth = tables("stock", 1)
    pixels = board.render(1.0).copy()
    (tmp_path / "shot.png").write_bytes(encode_png(pixels))
    names = names_of(GAME.teach(Frame(pixels)), truth, Frame(pixels))
    words = ",".join(names[number] for number in sorted(names))
    read = ("read", "shot.png", "--game", "thaumcraft", "--json")
    learn = ("learn", "shot.png", "--game", "thaumcraft")

    refused = boardsight(*read, cwd=tmp_path)
    shown = boardsight(*learn, "--sheet", "sheet.png", cwd=tmp_path)
    strange = boardsight(*learn, "--names", words.replace("aer", "air", 1), cwd=tmp_path)
    few = boardsight(*learn, "--names", "aer,terra", cwd=tmp_path)
    learned = boardsight(*learn, "--names", words, cwd=tmp_path)
    told = boardsight(*read, "--profile", "mine", cwd=tmp_path)

    assert refused.returncode in (3, 4)
    assert shown.returncode == 2 and cv2.imread(str(tmp_path / "sheet.png")) is not None
    assert "--names" in shown.stderr
    assert strange.returncode == 2 and "'air'" in two_lines("\n".join(strange.stderr.splitlines()[-2:]))[0]
    assert few.returncode == 2 and f"{len(names)} looks" in few.stderr
    assert learned.returncode == 0, learned.stderr
    assert told.returncode == 0, told.stderr
    assert GAME.identity(GAME.parse(json.dumps(json.loads(told.stdout)["puzzle"]))) == GAME.identity(
        truth.puzzle
    )


def test_names_that_do_not_fit_the_picture_are_refused() -> None:
    board, truth = tables("tweaks", 0)
    frame = Frame(board.render(1.0).copy())
    lesson = GAME.teach(frame)
    names = names_of(lesson, truth, frame)
    on_note = [
        number
        for number, group in enumerate(lesson.groups)
        if names[number] and isinstance(group.cells[0], Hex)
    ]

    # Two different icons by one name.
    names[on_note[0]] = names[on_note[1]]

    with pytest.raises(UncertainReading):
        lesson.profile("mine", named(names))


def test_a_picture_without_a_note_teaches_nothing() -> None:
    with pytest.raises(BoardNotFound):
        GAME.teach(Frame(np.full((600, 800, 3), 90, np.uint8)))


@needs_shared
@pytest.mark.parametrize("changed", [False, True])
@pytest.mark.parametrize("name", ["stock_3x_board4", "tweaks3col_2x_early"])
def test_a_real_table_is_read_with_what_one_picture_taught(name: str, changed: bool) -> None:
    pixels = np.asarray(cv2.imread(str(SCREENSHOTS / f"{name}.png")), np.uint8)
    label = json.loads((SCREENSHOTS / f"{name}.json").read_text(encoding="utf-8"))
    given = {Hex(cell["q"], cell["r"]): cell["aspect"] for cell in label["cells"] if cell["aspect"]}
    frame = Frame(np.ascontiguousarray(255 - pixels[:, :, [1, 2, 0]]) if changed else pixels)
    lesson = GAME.teach(frame)

    profile = lesson.profile(
        "mine", named({number: given.get(group.cells[0], "") for number, group in enumerate(lesson.groups)})
    )
    reading = GAME.read(frame, profile)

    assert reading.puzzle.given == given
    assert reading.puzzle.cells == {Hex(cell["q"], cell["r"]) for cell in label["cells"]}
