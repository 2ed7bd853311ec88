"""The Bridges reader against real windows, where the shared material is, and against what is no board."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.actions import Drag, Tap
from bot.practice import bridges as practice_bridges
from bot.practice.bridges import BridgesBoard
from solver import bridges
from solver.bridges import Bridges, Island, Span
from solver.lattice import Square
from tests import no_boards
from tests.shared_data import SHARED, needs_shared
from vision.digits import Glyph, Number
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame, Pixels, Point
from vision.profile import Profile
from vision.readers.bridges.again import reread
from vision.readers.bridges.board import BoardReading, read
from vision.readers.bridges.claim import claim
from vision.readers.bridges.discs import DRAWN, Disc, islands_of_areas, with_numbers
from vision.readers.bridges.lines import UNSURE, count_lines, like_drawn
from vision.readers.bridges.sea import sea_of
from vision.readers.bridges.whole import unread
from vision.readers.bridges.witness import rivalled, settled
from vision.readers.bridges.written import islands_of_writing
from vision.scene import scene_of

PROFILE = Profile("bridges", "default")
WINDOWS = sorted((SHARED / "sgt").glob("bridges-*.json"))
SCREENS = sorted((SHARED / "screens" / "bridges").glob("*.json"))


def board(reading) -> tuple[dict, dict]:  # type: ignore[no-untyped-def]
    return dict(reading.puzzle.clues), {(*span.a, *span.b): n for span, n in reading.placed.items()}


@needs_shared
@pytest.mark.parametrize("truth_file", WINDOWS, ids=lambda path: path.stem)
def test_every_window_of_the_collection_is_read_exactly(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())

    reading = read(Frame(cv2.imread(str(truth_file.with_suffix(".png")))), PROFILE)

    islands = {(y, x): clue for x, y, clue in truth["islands"]}
    joins = {(y1, x1, y2, x2): n for x1, y1, x2, y2, n in truth["bridges"]}
    assert board(reading) == (islands, joins)
    assert reading.ui == "sgt"


@needs_shared
@pytest.mark.parametrize("truth_file", WINDOWS, ids=lambda path: path.stem)
def test_locked_islands_and_crossed_spans_of_the_collection_are_noticed(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())

    reading = read(Frame(cv2.imread(str(truth_file.with_suffix(".png")))), PROFILE)

    assert isinstance(reading, BoardReading)
    assert reading.locked == {Square(y, x) for x, y in truth["locked_islands"]}
    crossed = {Span(*sorted((Square(y1, x1), Square(y2, x2)))) for x1, y1, x2, y2 in truth["no_line_marks"]}
    # One whose only cell lies under a bridge is no matter until that bridge is gone.
    under = {span for span in crossed if all(cell in hidden(reading) for cell in bridges.between(span))}
    assert reading.crossed == crossed - under


def hidden(reading: BoardReading) -> set[Square]:
    return {cell for span in reading.placed for cell in bridges.between(span)}


# What is a stretch may be refused: handwriting, islands that the picture cuts.
STRETCH = [path for path in SCREENS if json.loads(path.read_text())["stretch"]]


def screen(truth_file: Path) -> Frame:
    return Frame(cv2.imread(str(truth_file.with_name(json.loads(truth_file.read_text())["picture"]))))


@needs_shared
@pytest.mark.parametrize("truth_file", STRETCH, ids=lambda path: path.stem)
def test_screens_that_are_a_stretch_are_refused(truth_file: Path) -> None:
    with pytest.raises((BoardNotFound, UncertainReading)):
        read(screen(truth_file), PROFILE)


@needs_shared
@pytest.mark.parametrize(
    "truth_file", [path for path in SCREENS if path not in STRETCH], ids=lambda path: path.stem
)
def test_the_screens_of_other_programs_are_read_exactly(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())

    reading = read(screen(truth_file), PROFILE)

    islands = {(row, col): clue for row, col, clue in truth["islands"]}
    joins = {(*a, *b): n for *ends, n in truth["bridges"] for a, b in [sorted((ends[:2], ends[2:]))]}
    assert board(reading) == (islands, joins)
    assert reading.ui == "generic"


@needs_shared
@pytest.mark.parametrize("scale", [0.8, 1.25, 2.0])
def test_a_scaled_jpeg_of_a_window_is_read_alike(scale: float) -> None:
    window = cv2.imread(str(SHARED / "sgt" / "bridges-03-15x15-m2-noloops-partial.png"))
    scaled = cv2.resize(window, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, packed = cv2.imencode(".jpg", scaled, [cv2.IMWRITE_JPEG_QUALITY, 85])

    assert board(read(Frame(cv2.imdecode(packed, cv2.IMREAD_COLOR)), PROFILE)) == board(
        read(Frame(window), PROFILE)
    )


@needs_shared
def test_a_window_on_a_larger_desktop_is_found_where_it_is() -> None:
    window = cv2.imread(str(SHARED / "sgt" / "bridges-02-10x10-m1.png"))
    desktop = np.full((900, 1300, 3), (90, 60, 40), np.uint8)
    desktop[200 : 200 + window.shape[0], 500 : 500 + window.shape[1]] = window

    alone, there = read(Frame(window), PROFILE), read(Frame(desktop), PROFILE)

    assert board(there) == board(alone)
    for cell, centre in alone.geometry.centres.items():
        assert there.geometry.centres[cell].x == pytest.approx(centre.x + 500, abs=1)
        assert there.geometry.centres[cell].y == pytest.approx(centre.y + 200, abs=1)


@needs_shared
@pytest.mark.parametrize(
    "truth_file", [*WINDOWS, *(path for path in SCREENS if path not in STRETCH)], ids=lambda path: path.stem
)
def test_a_board_is_claimed_where_it_is(truth_file: Path) -> None:
    frame = (
        screen(truth_file)
        if truth_file in SCREENS
        else Frame(cv2.imread(str(truth_file.with_suffix(".png"))))
    )

    told = claim(scene_of(frame))

    assert told is not None and told.strength > 0.5
    centres = read(frame, PROFILE).geometry.centres
    assert all(told.box.contains(centres[at]) for at in read(frame, PROFILE).puzzle.clues)


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent / "screens" / "none").glob("*.png")), ids=lambda p: p.stem
)
def test_windows_of_other_puzzles_are_not_claimed(path: Path) -> None:
    assert claim(scene_of(Frame(cv2.imread(str(path))))) is None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("what", [no_boards.keypad, no_boards.desktop], ids=lambda what: what.__name__)
def test_keys_and_desktops_are_not_claimed(what: no_boards.Draw, seed: int) -> None:
    assert claim(scene_of(Frame(what(random.Random(seed))))) is None


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_no_board(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (300, 400, 3), np.uint8)

    with pytest.raises(BoardNotFound):
        read(Frame(noise), PROFILE)


@needs_shared
def test_a_nonogram_is_no_bridges_board() -> None:
    window = cv2.imread(str(SHARED / "sgt" / "pattern-01-10x10-default.png"))

    with pytest.raises(BoardNotFound):
        read(Frame(window), PROFILE)


def drawn(identity: str, tile_px: int = 32) -> tuple[Bridges, Pixels]:
    puzzle = bridges.parse(identity)
    return puzzle, BridgesBoard(puzzle, tile_px=tile_px, margin_px=(tile_px // 2, tile_px // 2)).render(0.0)


def test_islands_in_every_second_row_and_column_still_stand_on_the_cells_of_the_collection() -> None:
    puzzle, pixels = drawn("7x7m2:2a4c2g1m4a2k4e3")

    reading = read(Frame(pixels), PROFILE)

    assert reading.puzzle.clues == puzzle.clues
    assert (reading.ui, reading.puzzle.width) == ("sgt", 7)


@pytest.mark.parametrize(
    "identity",
    ["7x7m4L:4e7n2e9n1e5", "7x7m2:3e1zi4e2", "10x10m4:4h8w3zzg7e8"],
    ids=["3", "6", "3 but not beside"],
)
@pytest.mark.parametrize("tile_px", [24, 32])
def test_islands_many_cells_apart_stand_on_the_cells_of_the_collection(identity: str, tile_px: int) -> None:
    """Its window ends one cell beyond the outer islands; no other lattice of the pitch would."""
    puzzle, pixels = drawn(identity, tile_px)
    desktop = np.zeros((pixels.shape[0] + 200, pixels.shape[1] + 300, 3), np.uint8)
    desktop[80 : 80 + pixels.shape[0], 120 : 120 + pixels.shape[1]] = pixels

    for picture in (pixels, desktop):
        reading = read(Frame(picture), PROFILE)

        assert reading.puzzle.clues == puzzle.clues
        assert (reading.ui, reading.puzzle.width, reading.puzzle.height) == (
            "sgt",
            puzzle.width,
            puzzle.height,
        )


def test_small_islands_far_apart_are_no_cells_of_the_collection_where_no_window_ends_as_its_does() -> None:
    puzzle = bridges.parse("7x7m4L:4e7n2e9n1e5")
    pixels = np.full((500, 700, 3), 213, np.uint8)
    for at, clue in puzzle.clues.items():
        x, y = 140 + 24 * at.col, 140 + 24 * at.row
        cv2.circle(pixels, (x, y), 13, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(
            pixels, str(clue), (x - 6, y + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA
        )

    reading = read(Frame(pixels), PROFILE)

    assert (reading.ui, reading.puzzle.width) == ("generic", 3)


def test_three_islands_are_a_board_of_the_collection() -> None:
    puzzle, pixels = drawn("3x3m2:2a3e1")

    assert read(Frame(pixels), PROFILE).puzzle.clues == puzzle.clues


@pytest.mark.parametrize("tile_px", [12, 14])
def test_tiny_tiles_are_read(tile_px: int) -> None:
    puzzle, pixels = drawn("7x7m2:a1d23c3k2a5a43d3g12b2a3a", tile_px)

    try:
        reading = read(Frame(pixels), PROFILE)
    except (BoardNotFound, UncertainReading):
        # The digits that OpenCV 4 draws so small are other ones, and no number for certain.
        assert tile_px == 12 and cv2.__version__ < "5"
        return
    assert reading.puzzle.clues == {Square(at.row, at.col): clue for at, clue in puzzle.clues.items()}


def test_bridges_beside_islands_with_broad_edges_are_seen() -> None:
    """Around the numbers most of what shows is edge and bridges: that was taken for the ground, and no bridge was told."""
    clues = {(0, 1): 3, (0, 3): 4, (0, 5): 4, (2, 3): 2, (3, 1): 3, (3, 5): 3, (4, 3): 3}
    clues |= {(5, 5): 1, (6, 1): 1, (7, 0): 1, (7, 3): 5, (7, 5): 2}
    puzzle = Bridges(tuple(Island(Square(*at), clue) for at, clue in clues.items()), 6, 8)
    joins, page = bridges.solve(puzzle).solution, np.full((360, 290, 3), (17, 33, 93), np.uint8)
    middles = {at: (60 + 34 * at[1], 60 + 34 * at[0]) for at in clues}
    for span, count in joins.items():
        (left, top), (right, bottom) = middles[span.a], middles[span.b]
        for off in (0,) if count == 1 else (-4, 4):
            across, down = (0, off) if top == bottom else (off, 0)
            start, end = (left + across, top + down), (right + across, bottom + down)
            cv2.line(page, start, end, (90, 243, 219), 5)
    for at, clue in clues.items():
        cv2.circle(page, middles[at], 10, (17, 33, 93), -1)
        cv2.circle(page, middles[at], 10, (90, 243, 219), 3, cv2.LINE_AA)
        x, y = middles[at]
        cv2.putText(
            page, str(clue), (x - 3, y + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.33, (90, 243, 219), 1, cv2.LINE_AA
        )

    reading = read(Frame(page), PROFILE)

    assert reading.puzzle == puzzle
    assert reading.placed == joins


def test_an_island_that_is_covered_by_half_is_in_doubt() -> None:
    """What was left of a 3 was told as a 1, and the board had one solution as before."""
    page = cv2.imread(str(Path(__file__).parent / "screens" / "bridges" / "practice-paper-empty.png"))
    whole = read(Frame(page), PROFILE)
    cv2.rectangle(page, (158, 203), (179, 271), (255, 255, 255), -1)

    covered = read(Frame(page), PROFILE)

    assert not whole.doubtful
    assert list(covered.doubtful) == [Square(5, 4)]


def test_an_island_without_a_number_is_reported() -> None:
    _, pixels = drawn("7x7m2:a1d23c3k2a5a43d3g12b2a3a")
    cv2.circle(pixels, (32, 32 * 6 + 32), 8, (213, 213, 213), -1)

    with pytest.raises(UncertainReading, match="1 islands without a number"):
        read(Frame(pixels), PROFILE)


def test_two_bridges_that_a_scaled_picture_has_blurred_are_two_or_in_doubt() -> None:
    contrast = np.array([[0, 22, 170, 90, 95, 165, 22, 0], [0, 22, 170, 142, 140, 165, 22, 0]], np.float32)

    assert count_lines(np.stack([contrast[0]] * 2)) == 2
    assert count_lines(np.stack([contrast[1]] * 2)) == UNSURE


def test_the_sharpened_edge_of_a_marked_line_is_no_bridge_of_its_own() -> None:
    seen = np.zeros((1, 41), np.float32)
    seen[0, 12:17] = 61, 73, 90, 60, 58
    seen[0, 22:27] = 60, 40, 90, 89, 77

    assert count_lines(np.concatenate([seen] * 2)) == UNSURE

    seen[0] = 0
    seen[0, 12:16] = seen[0, 18:22] = seen[0, 25:29] = 90

    assert count_lines(np.concatenate([seen] * 2)) == 3


def test_the_stronger_one_of_two_resampled_lines_is_not_a_bridge_of_its_own() -> None:
    seen = np.zeros((3, 25), np.float32)
    seen[:, 8:10], seen[:, 15] = (98, 13), 238

    assert count_lines(seen) == UNSURE


def test_a_line_that_a_smaller_picture_has_nearly_lost_is_in_doubt() -> None:
    puzzle = page()[0]
    one, other, lost = [span for span in puzzle.spans if span.a.row == span.b.row][:3]
    _, pixels, at = page({one: 1})
    for span, level in ((other, 150), (lost, 236)):
        (x1, y), (x2, _) = (at[end] for end in span)
        cv2.line(pixels, (x1 + 20, y), (x2 - 20, y), (level, level, level), 2)

    with pytest.raises(
        UncertainReading, match=r"between row 2, column \d+ and row 2, column \d+ cannot be counted"
    ):
        read(Frame(pixels), PROFILE)


def add_bridge(board: BridgesBoard, span: Span, now_s: float = 0.0) -> None:
    board.act(Drag((board.centre(span.a), board.centre(span.b))), now_s)


@pytest.mark.parametrize("skin", sorted(practice_bridges.SKINS))
def test_a_later_frame_of_the_same_board_is_told_by_what_has_changed(skin: str) -> None:
    board = practice_bridges.practice(random.Random(4), skin=skin, size=(7, 7), tile_px=32)
    solution = bridges.solve(board.puzzle).solution
    first = read(Frame(board.render(0.0)), PROFILE)
    for span in list(solution)[:4]:
        add_bridge(board, span)
    board.act(Tap(board.centre(board.puzzle.islands[0].at)), 0.0)
    later = Frame(board.render(0.0))

    again = reread(later, first)

    assert again is not None
    assert again.placed == dict.fromkeys(list(solution)[:4], 1)
    assert again.placed == read(later, PROFILE).placed
    assert again.puzzle == first.puzzle


def test_a_frame_where_more_than_bridges_has_changed_is_read_afresh() -> None:
    board = practice_bridges.practice(random.Random(4), skin="sgt", size=(7, 7), tile_px=32)
    pixels = board.render(0.0)
    first = read(Frame(pixels), PROFILE)
    free = next(at for at in first.geometry.centres if at not in first.puzzle.clues)
    x, y = (int(value) for value in board.centre(free))
    island, tooltip, moved = pixels.copy(), pixels.copy(), np.roll(pixels, 3, axis=1)
    cv2.circle(island, (x, y), 17, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.rectangle(tooltip, (x - 10, y - 5), (x + 70, y + 30), (225, 255, 255), -1)

    assert reread(Frame(island), first) is None
    assert reread(Frame(tooltip), first) is None
    assert reread(Frame(moved), first) is None
    assert reread(Frame(pixels[:-1]), first) is None


@pytest.mark.parametrize("skin", sorted(practice_bridges.SKINS))
@pytest.mark.parametrize("cover", ["flat", "dim", "pale"])
def test_a_board_under_a_cover_is_not_an_empty_one(skin: str, cover: str) -> None:
    board = practice_bridges.practice(random.Random(4), skin=skin, size=(7, 7), tile_px=32)
    solution = bridges.solve(board.puzzle).solution
    for span in list(solution)[:4]:
        add_bridge(board, span)
    pixels = board.render(0.0)
    first = read(Frame(pixels), PROFILE)
    covered = {
        "flat": np.full_like(pixels, 235),
        "dim": (0.45 * pixels).astype(np.uint8),
        "pale": (0.4 * pixels + 150).astype(np.uint8),
    }[cover]

    again = reread(Frame(covered), first)

    assert again is None or again.placed == first.placed


def faded(pixels: Pixels, x: int, y: int) -> None:
    part = pixels[y - 12 : y + 13, x - 12 : x + 13]
    part[:] = 255 - (255 - part) // 5


def struck(pixels: Pixels, x: int, y: int) -> None:
    cv2.line(pixels, (x - 9, y + 9), (x + 9, y - 9), (30, 30, 30), 2, cv2.LINE_AA)


def lit(pixels: Pixels, x: int, y: int) -> None:
    cv2.circle(pixels, (x, y), 21, (60, 200, 250), 3, cv2.LINE_AA)


def crossed(pixels: Pixels, x: int, y: int) -> None:
    cv2.line(pixels, (x - 24, y), (x + 24, y), (30, 30, 30), 3)


def gone(pixels: Pixels, x: int, y: int) -> None:
    cv2.circle(pixels, (x, y), 13, (250, 250, 250), -1)


def counted_down(pixels: Pixels, x: int, y: int) -> None:
    gone(pixels, x, y)
    cv2.putText(pixels, "0", (x - 6, y + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 2, cv2.LINE_AA)


@pytest.mark.parametrize("restyled", [faded, struck, lit, crossed, gone, counted_down])
def test_numbers_that_look_different_on_finished_islands_stop_nothing(restyled: Any) -> None:
    puzzle, before, _ = page()
    solution = bridges.solve(puzzle).solution
    done = {span: 1 for span, count in solution.items() if count == 1}
    first = read(Frame(before), PROFILE)
    _, pixels, at = page(done)
    for cell, clue in puzzle.clues.items():
        if sum(count for span, count in done.items() if cell in span) == clue:
            restyled(pixels, *at[cell])

    again = reread(Frame(pixels), first)

    assert again is not None
    assert (again.puzzle.clues, again.placed) == (puzzle.clues, done)


def test_another_number_that_is_surely_read_is_another_puzzle() -> None:
    puzzle, before, at = page()
    first = read(Frame(before), PROFILE)
    pixels = before.copy()
    x, y = at[next(cell for cell, clue in puzzle.clues.items() if clue == 1)]
    gone(pixels, x, y)
    cv2.putText(pixels, "3", (x - 6, y + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 2, cv2.LINE_AA)

    assert reread(Frame(pixels), first) is None


# Boards of the collection's generator; each has one solution under its own rules.
@pytest.mark.parametrize(
    ("identity", "most", "loops"),
    [
        ("7x7m1:2c3a1c1g1b3b4b2h1a3a1a2e2", 1, True),
        ("10x10m1L:2b3c3a1d1j1a4a22a1a3a2a1k2a2a1l1b1b4b3a2f1c2a1a3d1a", 1, False),
        ("7x7m2:a1d23c3k2a5a43d3g12b2a3a", 2, True),
        ("7x7m2L:f11a3b2m1a1a5c5g1a3a1a2", 2, False),
        ("7x7m3:5e5a5a6a2h5b3d5c4a2g2d4", 3, True),
        ("7x7m4L:a1b5a56a9b5j9a3k3b3a4e3", 4, False),
    ],
)
def test_rules_that_no_picture_shows_follow_from_there_being_one_solution(
    identity: str, most: int, loops: bool
) -> None:
    puzzle = bridges.parse(identity)
    board = BridgesBoard(puzzle, tile_px=32)

    reading = read(Frame(board.render(0.0)), PROFILE)

    assert bridges.solve(reading.puzzle).solution == bridges.solve(puzzle).solution


def test_more_than_two_bridges_on_a_span_with_several_solutions_are_told_in_words() -> None:
    """A program of others shows no more than its islands."""
    puzzle = bridges.parse("4x4m3:a3a42656b56b32")
    board = BridgesBoard(puzzle, tile_px=48)

    with pytest.raises(UncertainReading, match="with 2 bridges a span, and more than one with up to 3"):
        read(Frame(board.render(0.0)), PROFILE)


@pytest.mark.parametrize("skin", ["sgt", "paper", "night"])
@pytest.mark.parametrize("colour", [(225, 255, 255)], ids=["pale"])
def test_a_tooltip_that_hides_a_part_of_the_board_is_noticed(skin: str, colour: tuple[int, int, int]) -> None:
    """Whatever it hides: the board is read as without it, or not at all."""
    board = practice_bridges.practice(random.Random(5), skin=skin, size=(8, 8), tile_px=36)
    pixels = board.render(0.0)
    whole = read(Frame(pixels), PROFILE)
    height, width = pixels.shape[:2]
    refused = 0
    for left, top in np.random.default_rng(1).uniform(0.05, 0.7, (8, 2)) * (width, height):
        spoilt = pixels.copy()
        cv2.rectangle(spoilt, (int(left), int(top)), (int(left) + 90, int(top) + 40), colour, -1)
        try:
            seen = read(Frame(spoilt), PROFILE)
        except (BoardNotFound, UncertainReading):
            refused += 1
            continue
        assert seen.doubtful or list(seen.puzzle.clues.values()) == list(whole.puzzle.clues.values())
    assert refused > 4


def test_a_part_of_an_islands_edge_is_no_empty_place() -> None:
    """What lies over it has the colour of the ground, and a board of the other islands has a solution, too."""
    board = practice_bridges.practice(random.Random(5), skin="paper", size=(8, 8), tile_px=36)
    pixels = board.render(0.0)
    whole = read(Frame(pixels), PROFILE)
    for at in whole.puzzle.clues:
        spoilt, middle = pixels.copy(), whole.geometry.centres[at]
        x, y = round(middle.x), round(middle.y)
        cv2.rectangle(spoilt, (x - 18, y - 18), (x + 18, y + 2), pixels[1, 1].tolist(), -1)
        with pytest.raises(UncertainReading):
            read(Frame(spoilt), PROFILE)


def test_the_collection_counts_with_lines_and_not_with_badges() -> None:
    """A sign of its own on a span passes for a number in a circle where it is blurred."""
    puzzle = bridges.parse("7x7m2:a1d23c3k2a5a43d3g12b2a3a")
    board = BridgesBoard(puzzle, tile_px=40)
    plain = read(Frame(board.render(0.0)), PROFILE)
    span = max(puzzle.spans, key=lambda span: len(bridges.between(span)))
    a, b = (plain.geometry.centres[at] for at in span)
    board.act(Drag((a, b), hold_s=0.05), 0.0)
    pixels = board.render(9.0)
    at = int((a.x + b.x) / 2), int((a.y + b.y) / 2)
    cv2.circle(pixels, at, 9, (255, 255, 255), -1, cv2.LINE_AA)
    cv2.putText(pixels, "4", (at[0] - 4, at[1] + 5), 0, 0.4, (0, 0, 0), 1, cv2.LINE_AA)

    assert read(Frame(pixels), PROFILE).placed == {span: 1}


def test_numbers_in_circles_of_other_windows_are_no_islands() -> None:
    puzzle, pixels = drawn("7x7m2:a1d23c3k2a5a43d3g12b2a3a")
    desktop = np.full((600, 900, 3), (120, 60, 20), np.uint8)
    desktop[200 : 200 + pixels.shape[0], 400 : 400 + pixels.shape[1]] = pixels
    # One in line with an island, one not.
    for x, y in ((100, 200 + 32 * 2), (200, 557)):
        cv2.circle(desktop, (x, y), 17, (240, 240, 240), 4, cv2.LINE_AA)
        cv2.putText(
            desktop, "3", (x - 7, y + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (240, 240, 240), 2, cv2.LINE_AA
        )

    reading = read(Frame(desktop), PROFILE)

    assert sorted(reading.puzzle.clues.values()) == sorted(puzzle.clues.values())


def test_an_island_in_line_with_no_other_is_not_left_out_of_a_board() -> None:
    """Without the 4 in the middle, to which no bridge can lead, the four others have a solution."""
    corners = [Island(Square(row, col), 2) for row in (0, 8) for col in (0, 8)]
    islands = (*corners[:2], Island(Square(4, 4), 4), *corners[2:])
    _, pixels, _ = page(puzzle=Bridges(islands, 9, 9))

    with pytest.raises(UncertainReading, match="in line with no other"):
        read(Frame(pixels), PROFILE)


def test_islands_of_one_row_are_no_board_beside_others_of_their_kind() -> None:
    """On a photograph one look saw five of twelve islands; three of them stood in a row and had a solution."""
    row = [Island(Square(8, col), clue) for col, clue in ((0, 2), (3, 4), (7, 4), (10, 2))]
    strays = [Island(Square(2, 5), 4), Island(Square(4, 8), 3)]
    _, pixels, _ = page(puzzle=Bridges((*strays, *row), 11, 9))
    ample = cv2.copyMakeBorder(pixels, *[120] * 4, cv2.BORDER_REPLICATE)

    with pytest.raises(UncertainReading, match="in line with no other"):
        read(Frame(np.asarray(ample, np.uint8)), PROFILE)


def test_the_ring_of_a_near_neighbour_is_no_second_bridge() -> None:
    one_side = np.array([0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255], np.float32)
    two_bridges = np.array([0, 0, 0, 255, 255, 0, 0, 0, 255, 255], np.float32)

    assert count_lines(np.stack([one_side] * 2)) == 1
    assert count_lines(np.stack([one_side[::-1]] * 2)) == 1
    assert count_lines(np.stack([two_bridges] * 2)) == 2


def test_the_rings_of_neighbours_are_no_bridges() -> None:
    both_sides = np.array([160, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 160], np.float32)

    assert count_lines(np.stack([both_sides] * 2)) == 0


def test_a_line_between_two_px_is_as_much_of_a_line() -> None:
    """Of a pair that is measured a little beside its middle it is the paler one, and its ink is the other one's."""
    seen = np.zeros(37, np.float32)
    seen[17:19], seen[26:28] = (144, 17), (71, 65)

    assert count_lines(np.stack([seen] * 2)) == UNSURE


def test_a_bridge_as_bright_as_a_shaded_sea_is_told_by_its_colour() -> None:
    """Its edges are nearer to the sea's brightness than the sea beside it, which looks like lines of their own."""
    seen = np.repeat(
        np.array([[15, 81, 157, 81, 14], [14, 7, 22, 7, 12]], np.float32), (19, 1, 8, 1, 24), axis=1
    )
    mostly, strongest = np.full(seen.shape, 5, np.float32), np.full(seen.shape, 5, np.float32)
    strongest[0, 17:36], strongest[1, 17:36] = 12, 10

    assert count_lines(seen, (mostly, strongest)) == 1


def test_a_bridge_with_a_middle_as_bright_as_the_sea_is_not_two() -> None:
    """A light plank between dark edges: of another colour than the sea, and about as bright."""
    seen = np.zeros((2, 41), np.float32)
    seen[0, 18:23] = 175, 175, 135, 135, 175
    seen[1, 18:23] = 52, 52, 7, 7, 52

    assert count_lines(seen) == UNSURE


def test_a_line_of_one_colour_whose_edges_are_darker_is_not_two() -> None:
    seen = np.zeros((2, 41), np.float32)
    seen[0, 17:24] = 221, 231, 232, 223, 219, 202, 218
    seen[1, 17:24] = 113, 87, 69, 66, 70, 63, 114

    assert count_lines(seen) == UNSURE


def test_four_lines_as_wide_as_what_is_looked_at_are_not_two() -> None:
    four, two = np.zeros((2, 2, 37), np.float32)
    for start, end in ((0, 5), (10, 16), (21, 27), (32, 37)):
        four[:, start:end] = 213
    two[:] = four
    two[:, 3:5] = two[:, 32:35] = 0

    assert [count_lines(four), count_lines(two)] == [UNSURE, 2]


def test_a_bridge_stays_whole_on_a_line_of_a_lattice_that_is_as_strong() -> None:
    drawn, broad, thin, two, none = np.zeros((5, 2, 41), np.float32)
    drawn[:, 20] = broad[:, 15:26] = thin[:, 19:22] = 255
    two[:, 15:18] = two[:, 20] = two[:, 23:26] = none[:, 21] = 255

    assert [count_lines(seen, (drawn, drawn)) for seen in (broad, thin, two, none)] == [1, 1, 2, 0]


def test_a_bridge_of_another_colour_on_a_line_of_a_lattice_is_seen_where_the_page_grows_darker() -> None:
    """What the page itself differs there made the line as dark as the lattice's."""
    drawn, seen = np.zeros((2, 2, 37), np.float32)
    drawn[:, 18] = 108, 86
    seen[:] = 11
    seen[:, 19] = 148, 40

    assert count_lines(seen, (drawn, drawn)) == UNSURE


def test_a_resampled_line_of_a_lattice_between_two_bridges_makes_no_third_one() -> None:
    drawn, seen = np.zeros((2, 2, 41), np.float32)
    drawn[:, 19:22] = 40, 190, 40
    seen[:, 16:25] = 60, 250, 255, 120, 190, 120, 255, 250, 60

    assert count_lines(seen, (drawn, drawn)) == 2


PAGE = bridges.parse("7x7m2:3c3a3a3a4a2g2g4b1b1a1e4b4a3a")


def page(
    joins: dict[Span, int] | None = None,
    radius: int = 17,
    puzzle: Bridges = PAGE,
    labels: dict[Square, int] | None = None,
) -> tuple[Bridges, Pixels, dict[Square, tuple[int, int]]]:
    """A board as other programs draw it, with bridges, and where its islands are."""
    at = {cell: (60 + 48 * cell.col, 60 + 48 * cell.row) for cell in puzzle.clues}
    pixels = np.full((84 + 48 * puzzle.height, 84 + 48 * puzzle.width, 3), 250, np.uint8)
    for span, count in (joins or {}).items():
        for off in ((0,), (-5, 5))[count - 1]:
            ends = [(x, y + off) if span.a.row == span.b.row else (x + off, y) for x, y in map(at.get, span)]
            cv2.line(pixels, *ends, (30, 30, 30), 3)
    for cell, clue in (labels or puzzle.clues).items():
        cv2.circle(pixels, at[cell], radius, (250, 250, 250), -1, cv2.LINE_AA)
        cv2.circle(pixels, at[cell], radius, (30, 30, 30), 2, cv2.LINE_AA)
        corner = at[cell][0] - 6, at[cell][1] + 7
        cv2.putText(pixels, str(clue), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 2, cv2.LINE_AA)
    return puzzle, pixels, at


def on_a_lattice(joins: dict[Span, int], thick: int) -> Pixels:
    """A board with bridges of 3 px on lattice lines as dark as these."""
    _, pixels, at = page(joins)
    lattice = np.zeros(pixels.shape[:2], np.uint8)
    for x, y in at.values():
        lattice[y - thick // 2 :, 20:-20][:thick] = lattice[20:-20, x - thick // 2 :][:, :thick] = 1
    for middle in at.values():
        cv2.circle(lattice, middle, 18, 0, -1)
    pixels[lattice > 0] = 30
    return pixels


def some_joins() -> dict[Span, int]:
    """One bridge and two in turn on spans that do not cross."""
    taken: set[Square] = set()
    spans = []
    for span in PAGE.spans[::2]:
        if taken.isdisjoint(bridges.between(span)):
            taken.update(bridges.between(span))
            spans.append(span)
    return {span: 1 + nth % 2 for nth, span in enumerate(spans)}


def test_bridges_on_lattice_lines_that_are_as_dark_are_seen() -> None:
    assert read(Frame(on_a_lattice(some_joins(), 1)), PROFILE).placed == some_joins()


def test_a_bridge_paler_than_the_line_of_a_lattice_that_it_covers_is_seen_or_in_doubt() -> None:
    drawn, thin, broad, resampled = np.zeros((4, 2, 41), np.float32)
    drawn[:, 20] = 224
    thin[:, 20], broad[:, 18:24], resampled[:, 20:22] = 112, 90, 112

    counts = [count_lines(seen, (drawn, drawn)) for seen in (thin, broad, resampled)]

    assert counts == [UNSURE, 1, 0]


def test_a_dark_line_of_a_lattice_between_two_bridges_or_through_one_tells_neither() -> None:
    drawn, seen = np.zeros((2, 2, 41), np.float32)
    drawn[:, 20] = 231
    seen[:, 15:26] = 202
    seen[:, 20] = 231

    assert count_lines(seen, (drawn, drawn)) == UNSURE


def test_two_thin_bridges_beside_a_line_of_a_lattice_are_none_of_it() -> None:
    drawn, seen = np.zeros((2, 2, 41), np.float32)
    drawn[:, 20] = seen[:, 18] = seen[:, 20] = seen[:, 23] = 183

    assert count_lines(seen, (drawn, drawn)) == 2


def test_one_of_two_bridges_that_are_lines_as_the_lattice_has_would_not_show_on_that() -> None:
    drawn, thin, broad = np.zeros((3, 3, 41), np.float32)
    drawn[:, 19:22] = 200
    thin[:, 14:17] = thin[:, 19:22] = thin[:, 24:27] = 220
    broad[:, 12:17] = broad[:, 19:22] = broad[:, 24:29] = 220

    assert [like_drawn(seen, 2, (drawn, drawn)) for seen in (thin, broad)] == [True, False]


def test_a_plain_page_is_read() -> None:
    puzzle, pixels, _ = page()

    reading = read(Frame(pixels), PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (puzzle.clues, {})


def test_a_line_that_is_not_quite_straight_makes_no_other_broad() -> None:
    level = [span for span in PAGE.spans if span.a.row == span.b.row][:4]
    _, pixels, at = page(dict.fromkeys(level, 1))
    (x1, y), (x2, _) = (at[end] for end in level[0])
    pixels[y - 2 : y + 3, x1 + 19 : x2 - 18] = 250
    bend = x1 + 19 + round(0.6 * (x2 - x1 - 37))
    pixels[y - 2 : y + 3, x1 + 19 : bend] = pixels[y : y + 5, bend : x2 - 18] = 30

    assert read(Frame(pixels), PROFILE).placed == dict.fromkeys(level, 1)


def test_a_number_beside_other_writing_is_not_left_out_among_bare_ones() -> None:
    """Two bridges side by side look like a letter; the board without that island may have a solution as well."""
    pixels = np.full((84 + 48 * PAGE.height, 84 + 48 * PAGE.width, 3), 250, np.uint8)
    for cell, clue in PAGE.clues.items():
        x, y = 60 + 48 * cell.col, 60 + 48 * cell.row
        cv2.putText(pixels, str(clue), (x - 5, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1)
    at = next(at for at in PAGE.clues if 0 < at.row < PAGE.height - 1 and 0 < at.col < PAGE.width - 1)
    x, y = 60 + 48 * at.col, 60 + 48 * at.row
    pixels[y - 17 : y + 18, x - 24 : x - 18] = 30

    found = islands_of_writing(scene_of(Frame(pixels)), DRAWN)

    assert any(abs(place.x - x) < 3 and abs(place.y - y) < 3 for place in [*found.islands, *found.blank])


def rounded(
    ones: Sequence[float],
    twos: Sequence[Sequence[float]],
    thin: int = 30,
    missing: int = 0,
    counts_down: bool = False,
) -> tuple[dict[Span, int], Pixels]:
    """A page whose lines are so many px broad in turn, as a browser rounds them; two bridges are one line or two.

    thin: the grey of single ones; missing: so many spans lack their bridges; counts_down: numbers are bridges that are missing.
    """
    solution = bridges.solve(PAGE).solution
    joins = dict(list(solution.items())[missing:])
    lacking = {
        at: sum(n for span, n in solution.items() if at in span and span not in joins) for at in PAGE.clues
    }
    _, pixels, at = page(labels=lacking if counts_down else None)
    breadths = {1: [[width] for width in ones], 2: list(twos)}
    for nth, (span, count) in enumerate(joins.items()):
        (x, y), (end_x, end_y) = (at[end] for end in span)
        lines, grey = breadths[count][nth % len(breadths[count])], thin if count == 1 else 30
        for off, width in zip((0,) if len(lines) == 1 else (-5, 5), lines, strict=True):
            for aside in range(math.ceil(width)):
                # What is less than a px is as much paler.
                shade, at_px = (
                    round(250 - (250 - grey) * min(width - aside, 1)),
                    off - int(width) // 2 + aside,
                )
                if y == end_y:
                    pixels[y + at_px, x + 19 : end_x - 18] = shade
                else:
                    pixels[y + 19 : end_y - 18, x + at_px] = shade
    return joins, pixels


@pytest.mark.parametrize(
    ("ones", "twos"),
    [([1, 2], [[1, 2], [2, 1]]), ([1, 2], [[4], [5]]), ([2, 3], [[6], [7]])],
)
def test_lines_whose_breadths_a_browser_rounds_are_of_one_kind(
    ones: Sequence[float], twos: Sequence[Sequence[float]]
) -> None:
    joins, pixels = rounded(ones, twos)

    assert read(Frame(pixels), PROFILE).placed == joins


def test_thin_lines_that_are_pale_for_their_px_are_thinner_than_broad_ones() -> None:
    joins, pixels = rounded([2], [[3]], thin=130)

    assert read(Frame(pixels), PROFILE).placed == joins


def test_lines_that_are_broader_by_a_px_are_two_bridges_where_all_islands_then_have_theirs() -> None:
    joins, pixels = rounded([1], [[2]])

    assert read(Frame(pixels), PROFILE).placed == joins


def test_broad_lines_are_two_bridges_also_where_islands_show_how_many_they_lack() -> None:
    joins, pixels = rounded([2], [[5]], missing=3, counts_down=True)

    reading = read(Frame(pixels), PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (PAGE.clues, joins)


@pytest.mark.parametrize("radius", [15, 17, 20, 22])
def test_islands_of_another_size_are_seen_as_well(radius: int) -> None:
    """As one under the pointer; the board without it may have a solution, too."""
    _, pixels, at = page()
    islands = islands_of_areas(scene_of(Frame(pixels)), DRAWN).islands
    one = Square(1, 3)
    x, y = at[one]
    cv2.circle(pixels, (x, y), 24, (250, 250, 250), -1)
    cv2.circle(pixels, (x, y), radius, (30, 30, 30), 2, cv2.LINE_AA)

    sea = sea_of(pixels, [disc for disc in islands if abs(disc.x - x) + abs(disc.y - y) > 5])

    assert list(unread(sea, [], list(sea.discs))) == [one]


def test_levels_numbered_beside_the_board_are_no_islands() -> None:
    _, board, _ = page()
    pixels = np.full((420, 760, 3), 250, np.uint8)
    pixels[:, 340:] = board[:, :420]
    font = cv2.FONT_HERSHEY_SIMPLEX
    for number in range(1, 17):
        x, y = 30 + 75 * ((number - 1) % 4), 80 + 75 * ((number - 1) // 4)
        cv2.rectangle(pixels, (x, y), (x + 56, y + 56), (90, 90, 90), 2)
        (wide, high), _ = cv2.getTextSize(str(number), font, 0.6, 2)
        place = x + 28 - wide // 2, y + 28 + high // 2
        cv2.putText(pixels, str(number), place, font, 0.6, (30, 30, 30), 2, cv2.LINE_AA)

    assert list(read(Frame(pixels), PROFILE).puzzle.clues.values()) == list(PAGE.clues.values())


@pytest.mark.parametrize(
    ("ones", "twos"), [([1], [[2]]), ([1, 2], [[3]]), ([1, 3], [[5]]), ([0.67], [[1], [1.5]])]
)
def test_lines_of_several_breadths_are_not_counted_where_rounding_may_have_made_them(
    ones: Sequence[float], twos: Sequence[Sequence[float]]
) -> None:
    _, pixels = rounded(ones, twos, missing=1)

    with pytest.raises(UncertainReading, match="cannot be counted"):
        read(Frame(pixels), PROFILE)


def test_letters_beside_a_bridge_are_no_bridges_beyond_what_its_islands_ask_for() -> None:
    """A message over a complete board has strokes that are as long as the gap between two islands."""
    span = next(
        span for span in PAGE.spans if span.a.col == span.b.col and min(PAGE.clues[at] for at in span) < 3
    )
    _, pixels, at = page({span: 1})
    (x, top), (_, bottom) = (at[end] for end in span)
    for aside in (-10, 10):
        cv2.line(pixels, (x + aside, top + 16), (x + aside, bottom - 16), (0, 200, 0), 3)

    with pytest.raises(UncertainReading, match="cannot be counted"):
        read(Frame(pixels), PROFILE)


def test_numbers_a_sixth_as_high_as_their_islands_are_read() -> None:
    puzzle = bridges.parse("5x4m2:4a5a2j4a6a3")
    pixels = np.full((360, 470, 3), 255, np.uint8)
    for cell, clue in puzzle.clues.items():
        x, y = 60 + 85 * cell.col, 60 + 75 * cell.row
        cv2.circle(pixels, (x, y), 31, (112, 85, 71), 2, cv2.LINE_AA)
        cv2.putText(
            pixels, str(clue), (x - 4, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (50, 40, 30), 1, cv2.LINE_AA
        )

    reading = read(Frame(pixels), PROFILE)

    assert list(reading.puzzle.clues.values()) == list(puzzle.clues.values())


def test_letters_in_a_line_above_the_board_are_no_islands() -> None:
    """One of them may happen to stand on the lattice; that alone it may be an island that cannot be read."""
    _, pixels, _ = page()
    scene = scene_of(Frame(pixels))
    sea = sea_of(pixels, scene.once(islands_of_areas, DRAWN).islands)
    on, beside = Point(156, 12), Point(186, 12)

    assert list(unread(sea, [on], list(sea.discs))) == [Square(-1, 2)]
    assert unread(sea, [on, beside], list(sea.discs)) == {}


def test_many_islands_with_one_solution_are_a_whole_board_wherever_the_picture_ends() -> None:
    """A page with its board at the left, which no frame goes round."""
    puzzle = bridges.parse("9x9m2:3a5e2c4a4a2c4i4d3d1j2b2k1e2a3a3a6a3")
    board = BridgesBoard(puzzle).render(0.0)
    pixels = cv2.copyMakeBorder(
        board[:, 6:], 70, 200, 0, 300, cv2.BORDER_CONSTANT, value=board[0, 0].tolist()
    )

    assert list(read(Frame(pixels), PROFILE).puzzle.clues.values()) == list(puzzle.clues.values())


@pytest.mark.parametrize("celled", [False, True], ids=["alone", "in the cells of a grid"])
def test_few_bare_numbers_are_islands_where_they_stand_in_no_cells(celled: bool) -> None:
    """Eight numbers in the cells of a grid may be many a game's."""
    pixels = np.full((420, 420, 3), 250, np.uint8)
    for at in range(30, 391, 60) if celled else ():
        cv2.line(pixels, (30, at), (390, at), (0, 0, 0), 1)
        cv2.line(pixels, (at, 30), (at, 390), (0, 0, 0), 1)
    few = bridges.parse("6x6m2:2b4a2g1c2m3a5a3")
    for at, clue in few.clues.items():
        corner = 53 + 60 * at.col, 67 + 60 * at.row
        cv2.putText(pixels, str(clue), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (30, 30, 30), 2, cv2.LINE_AA)

    assert len(few.clues) == 8
    assert (claim(scene_of(Frame(pixels))) is None) == celled


def test_a_solved_board_does_not_go_on_beyond_the_picture() -> None:
    puzzle, empty, _ = page()
    joins = bridges.solve(puzzle).solution
    _, solved, _ = page(joins)

    reading = read(Frame(np.ascontiguousarray(solved[:-36, 30:])), PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (puzzle.clues, joins)
    with pytest.raises(UncertainReading, match="may go on beyond"):
        read(Frame(np.ascontiguousarray(empty[:-36, 30:])), PROFILE)


def test_bridges_at_the_edges_of_a_picture_cut_out_close_around_the_islands_are_read() -> None:
    puzzle, _, _ = page()
    joins = bridges.solve(puzzle).solution
    _, solved, _ = page(joins, radius=14)

    reading = read(Frame(np.ascontiguousarray(solved[44:365, 44:365])), PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (puzzle.clues, joins)


@pytest.mark.parametrize(("on_px", "off_px"), [(9, 4), (5, 7), (4, 8)])
def test_a_dashed_line_is_a_bridge_or_in_doubt(on_px: int, off_px: int) -> None:
    """It may be a bridge, or a hint where one can be."""
    puzzle, pixels, at = page()
    span = next(span for span in puzzle.spans if not bridges.between(span)[1:] and span.a.row == span.b.row)
    (x1, y), (x2, _) = (at[end] for end in span)
    for x in range(x1 + 19, x2 - 18, on_px + off_px):
        cv2.line(pixels, (x, y), (min(x + on_px, x2 - 18), y), (30, 30, 30), 3)

    try:
        placed = read(Frame(pixels), PROFILE).placed
    except UncertainReading:
        # More gap than line may be anything.
        assert off_px >= 2 * on_px
        return
    assert placed == {span: 1}


@pytest.mark.parametrize(("apart", "seed"), [(4, 3), (5, 8), (6, 0)])
def test_dashed_bridges_are_counted_or_in_doubt(apart: int, seed: int) -> None:
    """Of dashes that are longer than their gaps some seem to be whole: the others were taken for hints beside them."""
    puzzle = bridges.parse("11x5m2:2a1b2d3k5g5a6k4g4a2")
    solution, rng = bridges.solve(puzzle).solution, random.Random(seed)
    joins = {
        span: solution[span] for span in rng.sample(sorted(solution), rng.randrange(2, len(solution) + 1))
    }
    _, pixels, at = page(puzzle=puzzle)
    for (a, b), count in joins.items():
        across = a.row == b.row
        for off in (apart * (nth - (count - 1) / 2) for nth in range(count)):
            for place in range(17, abs(at[a][0] - at[b][0]) + abs(at[a][1] - at[b][1]) - 18, 10):
                x, y = (
                    at[a][0] + (place if across else round(off)),
                    at[a][1] + (round(off) if across else place),
                )
                cv2.rectangle(pixels, (x, y), (x + 6, y + 1) if across else (x + 1, y + 6), (120, 60, 20), -1)

    try:
        placed = read(Frame(pixels), PROFILE).placed
    except UncertainReading:
        return
    assert placed == joins


def pale_on_dark(puzzle: Bridges) -> Pixels:
    """Discs that are hardly lighter than a dark page."""
    pixels = np.full((420, 420, 3), 16, np.uint8)
    for cell, clue in puzzle.clues.items():
        at = 60 + 48 * cell.col, 60 + 48 * cell.row
        cv2.circle(pixels, at, 17, (30, 28, 28), -1, cv2.LINE_AA)
        corner = at[0] - 6, at[1] + 7
        cv2.putText(pixels, str(clue), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (230, 230, 230), 2, cv2.LINE_AA)
    return pixels


def test_islands_hardly_lighter_than_the_page_stand_where_they_were() -> None:
    puzzle = page()[0]
    pixels = pale_on_dark(puzzle)
    first = read(Frame(pixels), PROFILE)
    span = next(iter(puzzle.spans))
    (x1, y), (x2, _) = ((60 + 48 * at.col, 60 + 48 * at.row) for at in span)
    later = pixels.copy()
    cv2.line(later, (x1 + 17, y), (x2 - 17, y), (150, 150, 150), 3)
    for x in (x1, x2):
        # They are lit up as long as they are chosen.
        cv2.circle(later, (x, y), 17, (40, 90, 40), 2, cv2.LINE_AA)

    again = reread(Frame(later), first)

    assert again is not None and again.placed == {span: 1}


@pytest.mark.parametrize("chosen", [False, True])
def test_even_dashes_beside_a_bridge_are_a_hint(chosen: bool) -> None:
    """Also where the edge of the island that was chosen grows and is stronger than the dashes."""
    puzzle = page()[0]
    bridge, hint = [span for span in puzzle.spans if span.a.row == span.b.row][:2]
    _, pixels, at = page({bridge: 1})
    grown = pixels.copy()
    (x1, y), (x2, _) = (at[end] for end in hint)
    for x in range(x1 + 19, x2 - 18, 8):
        pixels[y - 1 : y + 1, x : x + 5] = 150, 190, 220
    if chosen:
        cv2.circle(pixels, (x1, y), 20, (0, 0, 160), 3, cv2.LINE_AA)
    cv2.line(grown, (x1, y), ((x1 + x2) // 2 + 4, y), (30, 30, 30), 3)

    assert read(Frame(pixels), PROFILE).placed == {bridge: 1}
    with pytest.raises(UncertainReading):
        read(Frame(grown), PROFILE)


def dashed(pixels: Pixels, at: dict[Square, tuple[int, int]], spans: Sequence[Span]) -> None:
    """Lines in even dashes between islands."""
    for span in spans:
        a, b = at[span.a], at[span.b]
        for place in range(0, max(b[0] - a[0], b[1] - a[1]) - 36, 8):
            x, y = (a[0] + 18 + place, a[1]) if a[1] == b[1] else (a[0], a[1] + 18 + place)
            cv2.rectangle(
                pixels, (x, y), (x + 3, y + 1) if a[1] == b[1] else (x + 1, y + 3), (150, 150, 150), -1
            )


def test_dashes_on_all_spans_that_cross_each_other_are_a_lattice() -> None:
    puzzle, pixels, at = page()
    over = [cell for span in puzzle.spans for cell in bridges.between(span)]
    assert len(set(over)) < len(over)
    dashed(pixels, at, puzzle.spans)

    assert read(Frame(pixels), PROFILE).placed == {}


def test_dashes_on_the_spans_of_a_solution_are_no_lattice() -> None:
    puzzle, pixels, at = page()
    dashed(pixels, at, list(bridges.solve(puzzle).solution))

    with pytest.raises(UncertainReading, match="cannot be counted"):
        read(Frame(pixels), PROFILE)


def test_a_faint_line_beside_strong_bridges_is_in_doubt() -> None:
    """Programs hint in so faint lines where bridges can be."""
    puzzle = page()[0]
    strong, faint = [span for span in puzzle.spans if span.a.row == span.b.row][:2]
    _, pixels, at = page({strong: 1})
    (x1, y), (x2, _) = (at[end] for end in faint)
    cv2.line(pixels, (x1 + 20, y), (x2 - 20, y), (218, 218, 218), 3)

    with pytest.raises(UncertainReading, match="cannot be counted"):
        read(Frame(pixels), PROFILE)


def badged(pixels: Pixels, a: tuple[int, int], b: tuple[int, int], text: str) -> None:
    """One line, and how many bridges it stands for in a disc of its own colour."""
    middle = (a[0] + b[0]) // 2, (a[1] + b[1]) // 2
    cv2.line(pixels, a, b, (120, 150, 240), 4)
    cv2.circle(pixels, middle, 11, (120, 150, 240), -1, cv2.LINE_AA)
    corner = middle[0] - 5, middle[1] + 5
    cv2.putText(pixels, text, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)


def badged_page(texts: dict[Span, str]) -> Pixels:
    _, pixels, at = page()
    blank = pixels.copy()
    for span, text in texts.items():
        badged(pixels, at[span.a], at[span.b], text)
    for x, y in at.values():
        pixels[y - 18 : y + 19, x - 18 : x + 19] = blank[y - 18 : y + 19, x - 18 : x + 19]
    return pixels


def test_a_badge_tells_how_many_bridges_its_line_stands_for() -> None:
    puzzle, blank, _ = page()
    one, two = [span for span in puzzle.spans if len(bridges.between(span)) > 1][:2]
    first = read(Frame(blank), PROFILE)

    pixels = badged_page({one: "1", two: "2"})

    assert read(Frame(pixels), PROFILE).placed == {one: 1, two: 2}
    again = reread(Frame(pixels), first)
    assert again is not None and again.placed == {one: 1, two: 2}


def test_a_badge_that_cannot_be_read_is_no_single_bridge() -> None:
    puzzle = page()[0]
    span = next(span for span in puzzle.spans if len(bridges.between(span)) > 1)

    with pytest.raises(UncertainReading, match="cannot be counted"):
        read(Frame(badged_page({span: "x"})), PROFILE)


def test_a_bridge_that_leads_nowhere_tells_that_an_island_is_missing() -> None:
    puzzle = page()[0]
    corner = max(puzzle.clues)
    joined = {span: 1 for span in puzzle.spans if corner in span}
    _, pixels, at = page(joined)
    x, y = at[corner]
    cv2.rectangle(pixels, (x - 20, y - 20), (x + 20, y + 20), (250, 250, 250), -1)

    with pytest.raises(UncertainReading):
        read(Frame(pixels), PROFILE)


def test_a_bridge_that_ends_before_the_next_island_that_is_read_tells_that_one_is_missing() -> None:
    """Most of the span showed nothing, and that was no bridge."""
    one, missing, other = Square(0, 0), Square(4, 0), Square(6, 0)
    puzzle = page()[0]
    assert {Span(one, missing), Span(missing, other)} <= set(puzzle.spans)
    _, pixels, at = page({Span(missing, other): 1})
    x, y = at[missing]
    cv2.rectangle(pixels, (x - 20, y - 20), (x + 20, y + 20), (250, 250, 250), -1)

    with pytest.raises(UncertainReading, match="leads to no island"):
        read(Frame(pixels), PROFILE)


@pytest.mark.parametrize("two", [False, True])
def test_lines_that_run_past_the_only_islands_are_no_bridges(two: bool) -> None:
    """Where all points of the lattice are islands no empty one tells what is drawn anyway."""
    puzzle = bridges.parse("3x3m2:4a3c2a1")
    pixels = np.full((310, 310, 3), 255, np.uint8)
    for place in range(55, 256, 50):
        cv2.line(pixels, (30, place), (280, place), (215, 180, 215), 1)
        cv2.line(pixels, (place, 30), (place, 280), (215, 180, 215), 1)
    at = {cell: (105 + 50 * cell.col, 105 + 50 * cell.row) for cell in puzzle.clues}
    span = next(span for span in puzzle.spans if min(at) in span and span.a.col == span.b.col)
    for off in (-5, 5) if two else ():
        (x, y), (_, end_y) = (at[end] for end in span)
        cv2.line(pixels, (x + off, y), (x + off, end_y), (140, 30, 140), 3)
    for cell, clue in puzzle.clues.items():
        x, y = at[cell]
        cv2.circle(pixels, (x, y), 18, (230, 240, 160), -1, cv2.LINE_AA)
        cv2.circle(pixels, (x, y), 18, (140, 30, 140), 1, cv2.LINE_AA)
        corner = x - 6, y + 7
        cv2.putText(pixels, str(clue), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2, cv2.LINE_AA)

    assert list(read(Frame(pixels), PROFILE).placed.values()) == ([2] if two else [])


@pytest.mark.parametrize("offs", [(0,), (-5, 5)])
def test_lines_between_which_no_ground_shows_may_be_single_ones_with_edges(offs: Sequence[int]) -> None:
    """They are where two of them stand side by side."""
    some = [span for span in page()[0].spans if span.a.row == span.b.row][:3]
    _, pixels, at = page()
    for span, off in [*product(some[:1], offs), *product(some[1:], (0,))]:
        for colour, width in (((40, 40, 40), 5), ((110, 110, 110), 3)):
            cv2.line(pixels, *((x, y + off) for x, y in map(at.get, span)), colour, width)
    for x, y in at.values():
        pixels[y - 18 : y + 19, x - 18 : x + 19] = page()[1][y - 18 : y + 19, x - 18 : x + 19]

    if len(offs) > 1:
        assert read(Frame(pixels), PROFILE).placed == {**dict.fromkeys(some, 1), some[0]: 2}
        return
    with pytest.raises(UncertainReading, match="cannot be counted"):
        read(Frame(pixels), PROFILE)


def test_pale_islands_without_a_number_that_can_be_read_are_noticed() -> None:
    _, pixels, at = page()
    x, y = at[max(at)]
    cv2.rectangle(pixels, (x - 20, y - 20), (x + 20, y + 20), (250, 250, 250), -1)
    cv2.circle(pixels, (x, y), 17, (180, 180, 180), 2, cv2.LINE_AA)

    with pytest.raises(UncertainReading, match="without a number"):
        read(Frame(pixels), PROFILE)


def test_hexagons_whose_number_cannot_be_read_are_noticed() -> None:
    """Their thin edges are on no circle."""
    puzzle = page()[0]
    pixels = np.full((420, 420, 3), 250, np.uint8)
    turns = np.pi * (np.arange(6) + 0.5) / 3
    outline = np.rint(16 * np.column_stack((np.cos(turns), np.sin(turns)))).astype(np.int32)
    for at, clue in puzzle.clues.items():
        x, y = 60 + 48 * at.col, 60 + 48 * at.row
        cv2.polylines(pixels, [outline + (x, y)], True, (30, 30, 30), 1, cv2.LINE_AA)
        if at == Square(4, 0):
            cv2.line(pixels, (x, y - 15), (x, y + 15), (30, 30, 30), 1)
        else:
            corner = x - 6, y + 7
            cv2.putText(
                pixels, str(clue), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 2, cv2.LINE_AA
            )

    with pytest.raises(UncertainReading, match="without a number"):
        read(Frame(pixels), PROFILE)


def test_the_inside_of_a_thick_ring_is_no_zero() -> None:
    pixels = np.full((120, 120, 3), 30, np.uint8)
    cv2.circle(pixels, (60, 60), 26, (200, 200, 200), -1, cv2.LINE_AA)
    cv2.circle(pixels, (60, 60), 15, (50, 50, 50), -1, cv2.LINE_AA)

    discs = with_numbers(pixels, [(60.0, 60.0, 26.0)])

    assert all(disc.number.value or disc.number.confidence < 0.6 for disc in discs)


def test_an_island_in_the_broad_edge_of_a_selection_is_read() -> None:
    """What is read as far as the others' edges is its own edge, too."""
    puzzle, pixels, at = page()
    chosen = at[min(at)]
    cv2.circle(pixels, chosen, 15, (0, 160, 255), 4, cv2.LINE_AA)

    assert read(Frame(pixels), PROFILE).puzzle == puzzle


@pytest.mark.parametrize("clue", [1, 2, 4])
def test_the_inside_of_an_edge_with_its_number_is_no_zero(clue: int) -> None:
    pixels = np.full((60, 60, 3), 230, np.uint8)
    cv2.circle(pixels, (30, 30), 11, (20, 50, 180), -1, cv2.LINE_AA)
    cv2.circle(pixels, (30, 30), 6, (120, 255, 150), -1, cv2.LINE_AA)
    cv2.putText(pixels, str(clue), (26, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (0, 0, 0), 1, cv2.LINE_AA)

    assert {disc.number.value for disc in with_numbers(pixels, [(30.0, 30.0, 11.0)])} <= {clue}


@pytest.mark.parametrize("confidence", [0.4, 0.72, 1.0])
def test_no_number_is_changed_to_fit_the_others(confidence: float) -> None:
    clues = {Square(0, 0): 2, Square(0, 2): 2, Square(2, 0): 2, Square(2, 2): 2}
    discs = {
        at: Disc(0.0, 0.0, 9.0, Number(3, confidence, 2) if at == Square(2, 2) else Number(clue, 1.0, None))
        for at, clue in clues.items()
    }

    with pytest.raises((BoardNotFound, UncertainReading)):
        settled(discs, {}, (3, 3), sgt=True)


def test_two_numbers_that_may_both_be_others_have_no_witness() -> None:
    """Two islands beside each other with one bridge less each have one solution as well."""
    puzzle = page()[0]
    solution = bridges.solve(puzzle).solution
    a, b = next(span for span, n in solution.items() if n == 2)
    unsure = {a: puzzle.clues[a] - 1, b: puzzle.clues[b] - 1}

    def discs(*doubtful: Square) -> dict[Square, Disc]:
        return {
            at: Disc(
                0.0, 0.0, 9.0, Number(clue, 0.55, unsure[at]) if at in doubtful else Number(clue, 1.0, None)
            )
            for at, clue in puzzle.clues.items()
        }

    assert rivalled(puzzle, discs(a, b)) == {a, b}
    assert rivalled(puzzle, discs(a)) == set()


def test_one_solution_speaks_for_no_two_numbers_that_are_as_near_to_others() -> None:
    """Far from all digits the second one is there by chance."""
    puzzle = page()[0]
    a, b = next(span for span, n in bridges.solve(puzzle).solution.items() if n == 2)

    def number(at: Square, as_near: float) -> Number:
        if at not in (a, b):
            return Number(puzzle.clues[at], 1.0, None)
        far = np.full(10, 2.0)
        far[[puzzle.clues[at], 9, puzzle.clues[at] - 1]] = 1.4, 1.45, 1.4 * as_near
        glyph = Glyph(puzzle.clues[at], 0.55, 9, 1.4, tuple(far.tolist()))
        return Number(glyph.value, glyph.confidence, glyph.runner_up, (glyph,))

    for as_near, rivals in ((1.05, {a, b}), (1.3, set())):
        discs = {at: Disc(0.0, 0.0, 9.0, number(at, as_near)) for at in puzzle.clues}
        assert rivalled(puzzle, discs) == rivals


def test_one_solution_speaks_for_none_of_very_many_unclear_numbers() -> None:
    row = [Square(0, 2 * i) for i in range(50)]
    clues = {at: 1 if at in (row[0], row[-1]) else 2 for at in row}
    puzzle = Bridges(tuple(Island(at, clue) for at, clue in clues.items()), 99, 1)
    discs = {at: Disc(0.0, 0.0, 9.0, Number(clue, 0.55, 3 - clue)) for at, clue in clues.items()}

    assert rivalled(puzzle, discs) == set(row)


def test_drawn_bridges_that_cross_are_said_to_cross() -> None:
    puzzle = page()[0]
    one, other = next(
        (a, b)
        for a in puzzle.spans
        for b in puzzle.spans
        if set(bridges.between(a)) & set(bridges.between(b)) and a < b
    )
    _, pixels, _ = page({one: 1, other: 1})

    with pytest.raises(UncertainReading, match=r"cross those between row \d+, column \d+"):
        read(Frame(pixels), PROFILE)


@pytest.mark.parametrize("level", [205, 225])
def test_pale_lines_wherever_a_bridge_may_be_are_none(level: int) -> None:
    puzzle, _, at = page()
    built = next(span for span in puzzle.spans if len(bridges.between(span)) > 1)

    for joins in ({}, {built: 1}):
        pixels = page()[1]
        for span in puzzle.spans:
            (x1, y1), (x2, y2) = (at[end] for end in span)
            strong = span in joins
            # From edge to edge of the islands.
            dx, dy = 18 * (x2 > x1), 18 * (y2 > y1)
            ink, thick = ((30, 30, 30), 3) if strong else ((level,) * 3, 1)
            cv2.line(pixels, (x1 + dx, y1 + dy), (x2 - dx, y2 - dy), ink, thick)

        assert read(Frame(pixels), PROFILE).placed == joins


def test_the_frame_of_a_window_beside_the_islands_is_no_bridge() -> None:
    puzzle, pixels, at = page()
    left, top = (min(place[k] for place in at.values()) - 22 for k in (0, 1))
    right, bottom = (max(place[k] for place in at.values()) + 22 for k in (0, 1))
    whole = np.full_like(pixels, 20)
    whole[top - 24 : top, left:right] = (200, 160, 120)
    whole[bottom : bottom + 14, left:right] = 215
    for column in (at[min(at)][0], at[max(at)][0]):
        whole[bottom + 2 : bottom + 14, column] = 90
    whole[top:bottom, left:right] = pixels[top:bottom, left:right]

    reading = read(Frame(whole), PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (puzzle.clues, {})


def test_a_bridge_at_an_island_beside_the_frame_of_its_window_is_seen_later() -> None:
    """More than half of what is around a corner's island may be the frame."""
    puzzle, pixels, at = page()
    left, top = (min(place[k] for place in at.values()) - 18 for k in (0, 1))
    for edge in (pixels[:top], pixels[:, :left]):
        edge[:] = (200, 160, 120)
    span = next(span for span in puzzle.spans if min(at) in span and span.a.row == span.b.row)
    before = read(Frame(pixels), PROFILE)
    later = pixels.copy()
    cv2.line(later, at[span.a], at[span.b], (30, 30, 30), 3)

    again = reread(Frame(later), before)

    assert again is not None and again.placed == {span: 1}


@pytest.mark.parametrize("count", [1, 2])
def test_bridges_that_end_short_of_islands_side_by_side_are_seen(count: int) -> None:
    """So short a bridge is hardly longer than the room that it leaves."""
    puzzle = bridges.parse("4x3m2:33a3d2b3")
    at = {cell: (60 + 60 * cell.col, 60 + 60 * cell.row) for cell in puzzle.clues}
    pixels = np.full((300, 300, 3), 250, np.uint8)
    side = next(span for span in puzzle.spans if span.b.col - span.a.col == 1)
    for off in (0,) if count == 1 else (-5, 5):
        (x1, y), (x2, _) = (at[end] for end in side)
        cv2.line(pixels, (x1 + 25, y + off), (x2 - 25, y + off), (60, 40, 30), 2)
    for cell, clue in puzzle.clues.items():
        cv2.circle(pixels, at[cell], 18, (180, 229, 255), -1, cv2.LINE_AA)
        cv2.circle(pixels, at[cell], 18, (20, 70, 140), 2, cv2.LINE_AA)
        corner = at[cell][0] - 6, at[cell][1] + 7
        cv2.putText(pixels, str(clue), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (80, 60, 45), 2, cv2.LINE_AA)

    assert list(read(Frame(pixels), PROFILE).placed.values()) == [count]


def in_a_table(puzzle: Bridges, *, across: bool = False) -> Pixels:
    """A board of 6x6 islands in the cells of a table, 50 px from the picture's edges."""
    pixels = np.full((460, 460, 3), 255, np.uint8)
    for at in range(50, 411, 60):
        cv2.line(pixels, (50, at), (410, at), (224, 224, 224), 1)
        cv2.line(pixels, (at, 50), (at, 410), (224, 224, 224), 1)
    for cell, clue in puzzle.clues.items():
        col, row = cell if across else (cell.col, cell.row)
        x, y = 80 + 60 * col, 80 + 60 * row
        cv2.circle(pixels, (x, y), 20, (180, 130, 70), -1, cv2.LINE_AA)
        corner = x - 7, y + 7
        cv2.putText(pixels, str(clue), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255,) * 3, 2, cv2.LINE_AA)
    return pixels


@pytest.mark.parametrize("across", [False, True])
def test_a_board_in_a_table_that_runs_off_the_picture_is_cut(across: bool) -> None:
    """What is drawn beyond the islands that show is their own table, and no end of it."""
    # Without its last row it has a solution, too.
    puzzle = bridges.parse("6x6m2:a3a2a2g4c4i1a2a3b1a")
    pixels = in_a_table(puzzle, across=across)
    cut = pixels[:, :345] if across else pixels[:345]

    assert len(read(Frame(pixels), PROFILE).puzzle.islands) == len(puzzle.islands)
    with pytest.raises(UncertainReading, match="edge of the picture"):
        read(Frame(np.ascontiguousarray(cut)), PROFILE)


@pytest.mark.parametrize(
    "text", ["6x6m2:3a3b1h4b23g4b24b2b", "6x6m2:a4a2a1g6a5a5i1c2c2"], ids=["full", "empty line"]
)
def test_a_table_that_ends_where_its_window_does_is_whole(text: str) -> None:
    puzzle = bridges.parse(text)
    pixels = in_a_table(puzzle)

    filled = read(Frame(np.ascontiguousarray(pixels[50:411, 50:411])), PROFILE)

    assert list(filled.puzzle.clues.values()) == list(puzzle.clues.values())
    with pytest.raises(UncertainReading, match="edge of the picture"):
        read(Frame(np.ascontiguousarray(pixels[50:411, 50:395])), PROFILE)


@pytest.mark.parametrize("half_px", [2, 3])
def test_bare_numbers_among_more_dots_of_a_lattice_are_the_islands(half_px: int) -> None:
    """Such dots look like eights of one size, of which there are more than islands."""
    puzzle = bridges.parse("5x5m2:4a4a2i34a3c1b3")
    pixels = np.zeros((252, 252, 3), np.uint8)
    for at in (Square(row, col) for row in range(5) for col in range(5)):
        x, y = 38 + 44 * at.col, 37 + 43 * at.row
        if at in puzzle.clues:
            corner = x - 10, y + 12
            clue = str(puzzle.clues[at])
            cv2.putText(pixels, clue, corner, cv2.FONT_HERSHEY_SIMPLEX, 1.1, (90, 255, 50), 2, cv2.LINE_AA)
        else:
            cv2.circle(pixels, (x, y), half_px, (20, 70, 20), -1, cv2.LINE_AA)

    assert read(Frame(pixels), PROFILE).puzzle.clues == puzzle.clues


def test_bridges_in_narrow_gaps_between_square_islands_are_seen() -> None:
    """A gap of 7 px was no room to look at, and nothing to look at was no bridge."""
    puzzle = bridges.parse("4x3m2:33a3d2b3")
    side = next(span for span in puzzle.spans if span.b.col - span.a.col == 1)
    pixels = np.full((250, 280, 3), (15, 56, 15), np.uint8)
    at = {cell: (44 + 48 * cell.col, 44 + 48 * cell.row) for cell in puzzle.clues}
    (x1, y), (x2, _) = at[side.a], at[side.b]
    pixels[y - 1 : y + 2, x1:x2] = 15, 172, 139
    for cell, (x, y) in at.items():
        pixels[y - 20 : y + 21, x - 20 : x + 21] = 15, 188, 155
        corner = x - 7, y + 8
        cv2.putText(
            pixels,
            str(puzzle.clues[cell]),
            corner,
            cv2.FONT_HERSHEY_SIMPLEX,
            0.7,
            (15, 56, 15),
            2,
            cv2.LINE_AA,
        )

    assert read(Frame(pixels), PROFILE).placed == {side: 1}


@pytest.mark.parametrize("form", ["disc", "square"])
def test_islands_around_their_numbers_are_no_numbers_themselves(form: str) -> None:
    """Full discs with a number look like zeros, and squares in two colours like eights."""
    puzzle = bridges.parse("5x5m2:4a4a2i34a3c1b3")
    ground, ink = (245, 235, 225), (200, 40, 190)
    pixels = np.full((252, 252, 3), ground, np.uint8)
    for at, clue in puzzle.clues.items():
        x, y = 38 + 44 * at.col, 38 + 44 * at.row
        if form == "disc":
            cv2.circle(pixels, (x, y), 12, ink, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(pixels, (x - 12, y - 12), (x + 12, y + 12), (255, 200, 190), -1)
            cv2.rectangle(pixels, (x - 12, y - 12), (x + 12, y + 12), ink, 2)
        colour = ground if form == "disc" else (0, 0, 0)
        corner = x - 5, y + 5
        cv2.putText(pixels, str(clue), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)

    found = islands_of_writing(scene_of(Frame(pixels)), DRAWN)

    assert {0, 8}.isdisjoint(disc.number.value for disc in found.islands)
