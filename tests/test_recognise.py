"""Which game is on a picture: claims come before readings, and what is said of a picture is said by the game that claims it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.game import Game, no_glance
from bot.games import GAMES
from bot.practice.nonogram import SKINS, NonogramBoard
from bot.recognise import CUT, recognise
from calibration import store
from tests.no_boards import KINDS, picture
from tests.shared_data import SHARED, needs_shared
from tests.test_screens import PAIRS, SCREENS, frame_of, profile_of
from vision.errors import BoardNotFound, PartlyOff, UncertainReading
from vision.frame import Box, Frame
from vision.profile import Profile
from vision.readers import grid
from vision.scene import Claim, Scene

NONE = sorted((SCREENS / "none").glob("*.png"))
TABLES = sorted((SHARED / "thaumcraft" / "screenshots").glob("*.png"))


def known(game: str) -> tuple[Profile, ...]:
    return (profile_of(game),) if game == "thaumcraft" else store.candidates(game)


def board() -> Frame:
    return Frame(GAMES["bridges"].practice(random.Random(2)).render(0.0))


def pretending(strength: float, read: Any, name: str) -> Game[Any, Any]:
    """A game that claims everything."""
    claim = Claim(Box(0, 0, 50, 50), strength, "anything") if strength else None
    return replace(GAMES["bridges"], name=name, title=name.title(), claim=lambda scene: claim, read=read)


def refuse(frame: Frame, profile: Profile) -> Any:
    raise UncertainReading("its heart is in doubt", hint="look again")


def never(frame: Frame, profile: Profile) -> Any:
    raise AssertionError("was asked to read")


def one_profile(name: str) -> tuple[Profile, ...]:
    return (Profile("bridges", "default"),)


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_game_on_a_golden_picture_is_found(path: Path) -> None:
    found = recognise(frame_of(path), GAMES, known)

    assert (found.game.name, found.reading.doubtful) == (path.parent.name, ())


def test_the_strongest_claim_is_read_and_no_other_when_it_is_sure() -> None:
    games = {"sure": pretending(0.9, GAMES["bridges"].read, "sure"), "weak": pretending(0.3, never, "weak")}

    assert recognise(board(), games, one_profile).game.name == "sure"


def test_a_game_that_claims_nothing_is_not_read() -> None:
    games = {"silent": pretending(0.0, never, "silent"), "other": pretending(0.0, never, "other")}

    with pytest.raises(BoardNotFound, match="no board of any game"):
        recognise(board(), games, one_profile)


def test_a_refusal_tells_of_the_cells_that_no_game_claimed() -> None:
    mines = frame_of(SCREENS / "none" / "sgt-mines.png")
    bare = Frame(np.full((300, 400, 3), 90, np.uint8))

    with pytest.raises(BoardNotFound, match="9 x 9 cells are on the picture, but no board of any game"):
        recognise(mines, GAMES, known)
    with pytest.raises(BoardNotFound, match=r"^no board of any game that we know is on the picture"):
        recognise(bare, GAMES, known)


@pytest.mark.parametrize("part", [np.s_[:, 100:], np.s_[120:], np.s_[:, :170], np.s_[:180]])
def test_of_a_cut_board_is_told_that_its_cells_go_on(part: tuple[slice, ...]) -> None:
    whole = frame_of(SCREENS / "lightup" / "sgt-10x10-cursor.png")

    with pytest.raises(BoardNotFound, match="cells are on the picture and go on to its edge, but no board"):
        recognise(Frame(np.ascontiguousarray(whole.pixels[part])), GAMES, known)


def test_a_board_in_doubt_is_told_in_the_words_of_the_game_that_claims_it() -> None:
    games = {"likely": pretending(0.8, refuse, "likely"), "silent": pretending(0.0, never, "silent")}

    with pytest.raises(UncertainReading, match="Likely: its heart") as told:
        recognise(board(), games, one_profile)

    assert told.value.game == "likely"


def test_where_other_games_are_drawn_alike_all_that_claim_as_clearly_are_read() -> None:
    asked = []

    def read(frame: Frame, profile: Profile) -> Any:
        asked.append(profile)
        raise BoardNotFound("no board of it")

    one, like = pretending(0.8, GAMES["bridges"].read, "one"), pretending(0.7, read, "like")
    recognise(board(), {"one": one, "like": like}, one_profile)
    alone = len(asked)
    recognise(
        board(), {"one": replace(one, lookalikes=True), "like": replace(like, lookalikes=True)}, one_profile
    )

    assert (alone, len(asked)) == (0, 1)


def test_colours_of_lines_are_asked_for_after_the_boards_that_show(monkeypatch: pytest.MonkeyPatch) -> None:
    # Where a grid is on the picture Bridges speaks late.
    pixels = np.pad(board().pixels, ((0, 200), (0, 0), (0, 0)), mode="edge")
    for at in range(20, 181, 40):
        pixels[-180:-18, at : at + 2] = pixels[at - 200 : at - 198, 20:182] = 0
    asked: list[str] = []
    monkeypatch.setattr(grid, "tinted_in", lambda scene, rgb: asked.append(rgb) or [])

    assert len(Scene(pixels).grids()) == 1
    assert recognise(Frame(pixels), GAMES, store.candidates).game.name == "bridges"
    # Lines on whose crossings signs stand show by their colour first.
    assert set(asked) <= {
        line for game in GAMES.values() if game.eyes and game.eyes.corners for line in game.eyes.lines
    }


@pytest.mark.parametrize(("title", "named"), [("", None), ("like", "like"), ("One and like", None)])
def test_a_board_that_two_games_surely_read_is_in_doubt_unless_the_title_tells(
    title: str, named: str | None
) -> None:
    one = replace(pretending(0.8, GAMES["bridges"].read, "one"), lookalikes=True)
    like = replace(pretending(0.7, GAMES["bridges"].read, "like"), lookalikes=True)
    shown = replace(board(), title=title)

    if named:
        assert recognise(shown, {"one": one, "like": like}, one_profile).game.name == named
        return
    with pytest.raises(UncertainReading, match="may be one of One or Like") as told:
        recognise(shown, {"one": one, "like": like}, one_profile)

    assert "--game" in told.value.hint


def test_no_other_game_is_asked_about_the_window_of_a_program_whose_looks_are_learned() -> None:
    def claim(scene: Scene) -> Claim:
        raise AssertionError("was asked")

    window = replace(pretending(0.8, refuse, "window"), measured=False)
    games = {"window": window, "other": replace(pretending(0.8, never, "other"), claim=claim)}

    with pytest.raises(UncertainReading, match="Window: its heart") as told:
        recognise(board(), games, one_profile)

    assert told.value.game == "window"


def test_a_game_has_its_whole_say_only_where_a_glance_at_a_grid_makes_no_other_one_sure() -> None:
    told: list[str] = []

    def asked(what: str) -> Callable[[Scene], None]:
        return lambda scene: told.append(what)

    slow = replace(pretending(0.0, never, "slow"), glance=asked("glance"), claim=asked("claim"))
    on_a_grid, on_none = frame_of(SCREENS / "unruly" / "sgt-new.png"), board()

    recognise(on_a_grid, {"slow": slow, "unruly": GAMES["unruly"]}, known)
    assert told == ["glance"]
    with pytest.raises(BoardNotFound):
        recognise(on_a_grid, {"slow": slow, "net": GAMES["net"]}, known)
    assert told == ["glance", "glance", "claim"]
    recognise(on_none, {"slow": slow, "bridges": GAMES["bridges"]}, known)
    assert told[3:] == ["claim"]


def test_a_glance_without_a_claim_is_not_the_whole_say_of_a_game_whose_looks_are_learned() -> None:
    told: list[str] = []
    on_a_grid = frame_of(SCREENS / "unruly" / "sgt-new.png")

    def claim(scene: Scene) -> Claim:
        told.append("claim")
        return Claim(Box(0, 0, *scene.size), 0.9, "anything")

    learned = replace(
        pretending(0.0, GAMES["unruly"].read, "learned"), glance=no_glance, claim=claim, measured=False
    )

    assert recognise(on_a_grid, {"learned": learned, "net": GAMES["net"]}, one_profile).game.name == "learned"
    assert told == ["claim"]


def test_what_is_hardly_claimed_is_no_board_in_doubt() -> None:
    games = {"faint": pretending(0.4, refuse, "faint"), "silent": pretending(0.0, never, "silent")}

    with pytest.raises(BoardNotFound, match="anything, but no board: Faint: its heart") as told:
        recognise(board(), games, one_profile)

    assert told.value.game == "faint"


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_game_claims_a_golden_picture_more_than_its_own(path: Path) -> None:
    scene = Scene(frame_of(path).pixels)
    own = path.parent.name
    claims = {
        name: game.claim(scene)
        for name, game in GAMES.items()
        if game.claim and (name == own or not game.lookalikes)
    }

    strengths = {name: claim.strength for name, claim in claims.items() if claim}
    assert strengths.get(own) == max(strengths.values(), default=0.0)


@needs_shared
@pytest.mark.parametrize("shipped", [True, False], ids=["practice skin", "nothing learned"])
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_thaumcraft_table_is_known_for_one_before_anything_was_learned(path: Path, shipped: bool) -> None:
    def profiles(game: str) -> tuple[Profile, ...]:
        learned = game != "thaumcraft"
        return store.candidates(game, measured=learned) if learned or shipped else ()

    bare = shipped and path.stem == "stock_4x_no_note"
    with pytest.raises(
        BoardNotFound, match="no note" if bare else "research table .* not learned yet"
    ) as told:
        recognise(frame_of(path), GAMES, profiles)

    assert told.value.game == "thaumcraft"
    assert bare or "boardsight calibrate thaumcraft" in told.value.hint
    assert bare or "minecraft" in told.value.hint


@pytest.mark.parametrize("path", NONE, ids=lambda path: path.stem)
def test_a_window_of_another_game_is_no_board(path: Path) -> None:
    # Netslide draws what Net draws.
    with pytest.raises(BoardNotFound, match=r"no board of any game|cells of Net has no solution"):
        recognise(frame_of(path), GAMES, known)


@pytest.mark.parametrize("nth", range(len(KINDS)), ids=lambda nth: KINDS[nth].__name__)
def test_a_picture_of_something_else_is_no_board(nth: int) -> None:
    """Desktops, photo-like noise, forms, charts, keypads and other puzzles; whole and cut."""
    _, pixels = picture(nth)

    for seen in (pixels, pixels[: len(pixels) // 2]):
        with pytest.raises(BoardNotFound):
            recognise(Frame(np.asarray(seen, np.uint8)), GAMES, store.candidates)


def test_a_picture_without_any_edge_is_no_board() -> None:
    soft = np.linspace(90, 140, 400, dtype=np.uint8)
    pixels = np.ascontiguousarray(np.repeat(np.tile(soft, (300, 1))[:, :, None], 3, axis=2))
    # Pieces of strong colour without any edge that is not one of theirs.
    pixels[50:90, 60:100] = 20, 30, 220
    pixels[150:190, 200:240] = 220, 90, 20

    with pytest.raises(BoardNotFound):
        recognise(Frame(pixels), GAMES, store.candidates)


def test_a_grey_picture_is_no_board() -> None:
    with pytest.raises(BoardNotFound):
        recognise(Frame(np.full((300, 400, 3), 90, np.uint8)), GAMES, known)


def test_a_part_of_a_window_without_a_board_is_said_to_be_a_part() -> None:
    with pytest.raises(BoardNotFound) as refused:
        recognise(Frame(np.full((300, 400, 3), 90, np.uint8), cut=("left",)), GAMES, known)

    assert "partly off the screen" in refused.value.hint


@pytest.mark.parametrize("gone_px", [67, 71])
def test_a_board_at_a_side_where_its_window_goes_on_is_no_smaller_one(gone_px: int) -> None:
    """What was left without its first column was read as a board of its own."""
    pixels = np.ascontiguousarray(frame_of(SCREENS / "slant" / "sgt-5x5de-loop.png").pixels[:, gone_px:])

    with pytest.raises(PartlyOff) as refused:
        recognise(Frame(pixels, cut=("left",)), GAMES, store.candidates)

    assert "left edge of the screen" in str(refused.value)
    assert (refused.value.game, refused.value.hint) == ("slant", CUT)


SINGLE = "4x4:3/4/1/1/4/2/2/1"


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("Our Nonogram game - Browser", True),
        ("PICROSS", True),
        ("pygame window", False),
        ("Nonograms and Hashi", False),
        ("Hanjiesomething of Hashicorp", True),
    ],
)
def test_the_title_of_a_window_names_a_game_that_claims_nothing(title: str, named: bool) -> None:
    """A small board with single numbers may be many a game's; a program's own title says whose it is."""
    puzzle = GAMES["nonogram"].parse(SINGLE)
    frame = Frame(NonogramBoard(puzzle, SKINS["web"], 30).render(0.0), title=title)

    if named:
        found = recognise(frame, GAMES, known)
        assert (found.game.name, found.reading.puzzle) == ("nonogram", puzzle)
    else:
        with pytest.raises(BoardNotFound, match="no board of any game"):
            recognise(frame, GAMES, known)


def test_a_title_alone_makes_no_board() -> None:
    with pytest.raises(BoardNotFound, match="Nonogram: no grid"):
        recognise(Frame(np.full((300, 400, 3), 90, np.uint8), title="Nonogram"), GAMES, known)


def test_single_numbers_beside_untouched_cells_are_a_nonogram_where_they_have_one_picture() -> None:
    puzzle = GAMES["nonogram"].parse("5x5:2/4/5/4/2/3/5/5/3/1")
    board = NonogramBoard(puzzle, SKINS["web"], 30).render(0.0)

    found = recognise(Frame(board), GAMES, known)

    assert (found.game.name, found.reading.puzzle) == ("nonogram", puzzle)
