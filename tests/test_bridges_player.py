"""Entering Bridges: from what is on the screen to what should be."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import fields, replace

import cv2
import pytest

from bot.actions import Action, Drag, Move, Tap, points
from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.games import GAMES
from bot.play import Outcome, play
from bot.players.bridges import learning, moves, plan
from bot.players.bridges.entering import GESTURES, Gesture, Takes
from bot.practice import bridges as practice_bridges
from bot.practice.bridges import SKINS, BridgesBoard
from bot.practice.lettering import Bgr
from bot.screen import Screen
from solver import bridges
from solver.bridges import Bridges, Joins, Span
from solver.lattice import Square
from vision.errors import BoardNotFound, VisionError
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.readers.bridges.board import BoardReading
from vision.reading import Geometry, Mark, Reading


def reading(puzzle: Bridges, placed: Joins, ui: str = "sgt") -> Reading[Bridges, Joins]:
    """A board with cells of 20 px and its first centre at (10, 10)."""
    centres = {
        Square(row, col): Point(10 + 20 * col, 10 + 20 * row)
        for row in range(puzzle.height)
        for col in range(puzzle.width)
    }
    marks = {island.at: Mark(str(island.clue), 1.0, state="given") for island in puzzle.islands}
    area = Box(0, 0, 20 * puzzle.width, 20 * puzzle.height)
    return Reading(puzzle, placed, Geometry(centres, 20.0), marks, area, ui=ui)


# 3=2   four islands in a square, two cells apart, and the solution
# |
# 2-1
SQUARE = bridges.parse("3x3m2:3a2c2a1")
ACROSS = Span(Square(0, 0), Square(0, 2))
DOWN = Span(Square(0, 0), Square(2, 0))
BELOW = Span(Square(2, 0), Square(2, 2))
RIGHT = Span(Square(0, 2), Square(2, 2))
SOLUTION = {ACROSS: 2, DOWN: 1, BELOW: 1}


# A fifth of the radius that islands are taken for, 7 of 20 px.
OFF_PX = 1.4


def drag(start: tuple[float, float], end: tuple[float, float]) -> Drag:
    """A drag between two middles, a little off the line between them."""
    dx, dy = ((b > a) - (b < a) for a, b in zip(start, end, strict=True))
    path = tuple(Point(x - OFF_PX * dy, y + OFF_PX * dx) for x, y in (start, end))
    return Drag(path, duration_s=0.0, hold_s=0.01, press_s=0.0, answered=True)


def test_what_is_locked_or_crossed_out_is_freed_before_its_bridge_once() -> None:
    plain = reading(SQUARE, {})
    board = BoardReading(
        **{field.name: getattr(plain, field.name) for field in fields(plain)},
        locked=frozenset({Square(0, 0), Square(2, 2)}),
        crossed=frozenset({ACROSS, RIGHT}),
    )

    across, down, below = plan(board, SOLUTION).steps

    undo = replace(drag((10, 10), (50, 10)), button="right")
    assert across.actions == (Tap(Point(10, 10), 0.01), undo, *[drag((10, 10), (50, 10))] * 2)
    assert down.actions == (drag((10, 10), (10, 50)),)
    assert below.actions == (Tap(Point(50, 50), 0.01), drag((10, 50), (50, 50)))


def test_an_empty_board_gets_every_bridge_of_the_solution() -> None:
    found = plan(reading(SQUARE, {}), SOLUTION)

    assert found.missing == 3
    assert [step.cells for step in found.steps] == [(ACROSS,), (DOWN,), (BELOW,)]
    assert found.steps[0].actions == (drag((10, 10), (50, 10)),) * 2
    assert found.steps[1].actions == (drag((10, 10), (10, 50)),)
    assert found.steps[0].why == "island at row 1, column 1: 2 right (was 0)"


def test_a_solved_board_needs_nothing() -> None:
    found = plan(reading(SQUARE, SOLUTION), SOLUTION)

    assert found.missing == 0
    assert found.steps == ()


def test_only_what_is_missing_is_added() -> None:
    found = plan(reading(SQUARE, {ACROSS: 1, DOWN: 1, BELOW: 1}), SOLUTION)

    assert [step.actions for step in found.steps] == [(drag((10, 10), (50, 10)),)]


def test_too_many_bridges_go_first_and_go_round() -> None:
    found = plan(reading(SQUARE, {RIGHT: 1, DOWN: 2, BELOW: 1}), SOLUTION)

    assert [step.cells for step in found.steps] == [(DOWN,), (RIGHT,), (ACROSS,)]
    assert found.steps[0].actions == (drag((10, 10), (10, 50)),) * 2
    assert found.steps[1].actions == (drag((50, 10), (50, 50)),) * 2


def test_bridges_go_round_after_the_most_that_the_board_allows() -> None:
    assert [[moves(now, then, most=3) for then in range(4)] for now in range(4)] == [
        [0, 1, 2, 3],
        [3, 0, 1, 2],
        [2, 3, 0, 1],
        [1, 2, 3, 0],
    ]


def test_a_program_of_taps_gets_taps() -> None:
    found = plan(reading(SQUARE, {ACROSS: 2, DOWN: 1}, ui="taps"), SOLUTION)

    wanted: tuple[Action, ...] = (Tap(Point(10, 50 + OFF_PX), 0.03), Tap(Point(50, 50 + OFF_PX), 0.03))
    assert found.steps[0].actions == wanted


def test_a_program_nobody_has_seen_gets_the_drags_of_the_collection() -> None:
    unknown, known = plan(reading(SQUARE, {}, ui="?"), SOLUTION), plan(reading(SQUARE, {}), SOLUTION)

    # What it says of a drag is not known to mean that no rest is needed.
    rested = [[replace(drag, answered=False) for drag in step.actions] for step in known.steps]  # type: ignore[type-var]
    assert [list(step.actions) for step in unknown.steps] == rested


@pytest.mark.parametrize("takes", ["round", "right"])
@pytest.mark.parametrize("gesture", GESTURES)
def test_an_unknown_program_is_played_in_its_own_way_and_known_the_next_time(
    gesture: Gesture, takes: Takes
) -> None:
    puzzle = practice_bridges.unique(random.Random(6), 7, 7)
    board = BridgesBoard(puzzle, SKINS["paper"], 36, (30, 40), gesture, takes)
    # Somebody has entered too much already.
    solution = bridges.solve(puzzle).solution
    too_much = next(span for span in puzzle.spans if solution.get(span, 0) == 1)
    board.joins[too_much] = 2
    kept: list[Profile] = []

    outcome = play_board(board, Profile("bridges", "measured"), kept)

    assert outcome.status == "verified"
    assert board.solved()
    assert [GESTURES[int(profile.settings["entering.gesture"])] for profile in kept] == [gesture]

    again = BridgesBoard(
        practice_bridges.unique(random.Random(8), 7, 7), SKINS["paper"], 36, (30, 40), gesture, takes
    )
    assert play_board(again, kept[0], []).status == "verified"
    assert again.solved()


class OfferingBoard(BridgesBoard):
    """It takes a tap between two islands only where the pointer comes from one of them."""

    offered = False

    def act(self, action: Action, now_s: float) -> None:
        if isinstance(action, Move):
            at = (self.centre(island.at) for island in self.puzzle.islands)
            self.offered = any(math.dist(action.at, place) < 8 for place in at)
        elif self.offered:
            self.offered = False
            super().act(action, now_s)


def test_a_program_that_offers_bridges_from_the_island_under_the_pointer_is_played() -> None:
    puzzle = practice_bridges.unique(random.Random(6), 7, 7)
    board = OfferingBoard(puzzle, SKINS["paper"], 36, (30, 40), "between", "round")

    assert play_board(board, Profile("bridges", "measured"), []).status == "verified"
    assert board.solved()


@pytest.mark.parametrize("seed", [0, 23, 24, 30])
def test_a_tap_where_all_cells_of_a_span_are_crossed_is_nearest_to_its_own_line(seed: int) -> None:
    """A little off its line in the middle of a cell it lay on the line of the other span, which was entered."""
    puzzle = practice_bridges.unique(random.Random(seed), 7, 7)
    board = BridgesBoard(puzzle, SKINS["paper"], 36, (30, 40), "between", "right")

    outcome = play_board(board, Profile("bridges", "measured"), [])

    assert outcome.status == "verified"
    assert outcome.repaired == 0


class ShowingBoard(BridgesBoard):
    """Thin pale lines lead from the chosen island to all that it can be joined with."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        for span in self.puzzle.spans:
            if self.chosen in span:
                (x1, y1), (x2, y2) = (self.centre(at) for at in span)
                dx, dy = 15 * (x2 > x1), 15 * (y2 > y1)
                cv2.line(
                    pixels,
                    (round(x1) + dx, round(y1) + dy),
                    (round(x2) - dx, round(y2) - dy),
                    (190, 200, 200),
                )
        return pixels

    def act(self, action: Action, now_s: float) -> None:
        """It hears presses alone."""
        super().act(Tap(action.path[0]) if isinstance(action, Drag) else action, now_s)


def test_lines_from_a_chosen_island_are_not_taken_for_what_a_drag_has_entered() -> None:
    board = ShowingBoard(
        practice_bridges.unique(random.Random(6), 7, 7), SKINS["paper"], 36, (30, 40), "taps"
    )
    kept: list[Profile] = []

    outcome = play_board(board, Profile("bridges", "measured"), kept)

    assert outcome.status == "verified"
    assert [GESTURES[int(profile.settings["entering.gesture"])] for profile in kept] == ["taps"]


class PressingBoard(BridgesBoard):
    """It hears presses alone, on the side of an island."""

    def act(self, action: Action, now_s: float) -> None:
        super().act(Tap(action.path[0]) if isinstance(action, Drag) else action, now_s)


@pytest.mark.parametrize("seed", range(4))
def test_what_a_drag_entered_on_another_span_does_not_hide_what_a_tap_enters(seed: int) -> None:
    board = PressingBoard(
        practice_bridges.unique(random.Random(seed), 7, 7), SKINS["paper"], 36, (30, 40), "side"
    )
    kept: list[Profile] = []

    outcome = play_board(board, Profile("bridges", "measured"), kept)

    assert outcome.status == "verified"
    assert [GESTURES[int(profile.settings["entering.gesture"])] for profile in kept] == ["side"]


class FullBoard(BridgesBoard):
    """It hears releases alone, and gives no island more bridges than it asks for."""

    def act(self, action: Action, now_s: float) -> None:
        before = dict(self.joins)
        super().act(Tap(action.path[-1]) if isinstance(action, Drag) else action, now_s)
        if any(
            sum(n for span, n in self.joins.items() if at in span) > clue
            for at, clue in self.puzzle.clues.items()
        ):
            self.joins = before


@pytest.mark.parametrize("seed", [5, 14])
def test_a_lesson_goes_on_elsewhere_where_a_gesture_has_filled_an_island(seed: int) -> None:
    board = FullBoard(
        practice_bridges.unique(random.Random(seed), 7, 7), SKINS["paper"], 36, (30, 40), "side", "right"
    )

    outcome = play_board(board, Profile("bridges", "measured"), [])

    assert outcome.status in ("verified", "finished")
    assert board.solved()


class BroadBoard(BridgesBoard):
    """Two bridges are one broad line."""

    def _draw_joins(self, pixels: Pixels, span: Span, count: int, ink: tuple[int, int, int]) -> None:
        (x1, y1), (x2, y2) = (self.centre(at) for at in span)
        half = 1 if count == 1 else 3
        left, top = round(min(x1, x2)), round(min(y1, y2))
        if span.a.row == span.b.row:
            pixels[top - half : top + half, left : round(x2)] = ink
        else:
            pixels[top : round(y2), left - half : left + half] = ink


@pytest.mark.parametrize("gesture", GESTURES)
def test_two_bridges_as_one_broad_line_are_learned(gesture: Gesture) -> None:
    puzzle = practice_bridges.unique(random.Random(6), 7, 7)
    assert 2 in bridges.solve(puzzle).solution.values()
    board = BroadBoard(puzzle, SKINS["paper"], 36, (30, 40), gesture)
    kept: list[Profile] = []

    assert play_board(board, Profile("bridges", "measured"), kept).status == "verified"
    assert board.solved()

    # The next board is known, and was begun.
    again = BroadBoard(practice_bridges.unique(random.Random(8), 7, 7), SKINS["paper"], 36, (30, 40), gesture)
    solution = bridges.solve(again.puzzle).solution
    again.joins = {span: count for span, count in solution.items() if count == 2}
    assert GAMES["bridges"].read(Frame(again.render(0.0)), kept[0]).placed == again.joins
    assert play_board(again, kept[0], []).status == "verified"
    assert again.solved()


def play_board(board: BridgesBoard, profile: Profile, kept: list[Profile]) -> Outcome:
    clock = SimulatedClock()
    screen = Screen(PracticeDevice(board, clock), clock)
    return play(GAMES["bridges"], profile, screen, keep=kept.append)


def test_what_was_learned_in_one_program_is_not_used_in_another() -> None:
    learned = {"entering.gesture": 1.0, "sign.b": 46.0, "sign.g": 36.0, "sign.r": 30.0, "sign.islands": 0.45}
    board = practice_bridges.practice(random.Random(4), skin="paper", size=(5, 5), tile_px=32)

    with pytest.raises(BoardNotFound, match="not the program"):
        GAMES["bridges"].read(Frame(board.render(0.0)), Profile("bridges", "seen-1", settings=learned))


def test_a_slow_server_does_not_mix_up_what_is_learned() -> None:
    board = practice_bridges.practice(random.Random(4), skin="paper", size=(6, 6), tile_px=30)
    kept: list[Profile] = []
    clock = SimulatedClock()
    device = PracticeDevice(board, clock, Faults(late_s=2.8))

    outcome = play(GAMES["bridges"], Profile("bridges", "measured"), Screen(device, clock), keep=kept.append)

    assert outcome.status == "verified" and board.solved()
    assert kept[0].settings["entering.gesture"] == GESTURES.index("drag")


class Forgetful(BridgesBoard):
    """Loses one of its actions, as a busy machine does."""

    lose = 2

    def act(self, action: Action, now_s: float) -> None:
        self.lose -= 1
        if self.lose != 0:
            super().act(action, now_s)


def test_a_first_step_half_of_which_was_lost_is_finished_and_not_taken_for_a_misaligned_mouse() -> None:
    board = Forgetful(SQUARE, SKINS["sgt"], 32, (16, 16))

    outcome = play_board(board, Profile("bridges", "measured"), [])

    assert outcome.status == "verified"
    assert board.solved()


class StruckBoard(BridgesBoard):
    """Bridges are drawn from middle to middle, over the numbers of their islands."""

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        for span, count in self.joins.items():
            if count:
                self._draw_joins(pixels, span, count, self._skin.ink)
        return pixels


def test_bridges_over_the_numbers_of_their_islands_make_no_other_puzzle() -> None:
    puzzle = practice_bridges.unique(random.Random(6), 7, 7)
    board = StruckBoard(puzzle, SKINS["paper"], 36, (30, 40), "taps")

    assert play_board(board, Profile("bridges", "measured"), []).status in ("verified", "finished")
    assert board.solved()


def test_what_comes_over_the_board_after_a_tap_of_a_lesson_is_not_tapped() -> None:
    board = practice_bridges.practice(random.Random(3))
    frame = Frame(board.render(0.0).copy())
    reading = GAMES["bridges"].read(frame, board.profile)
    covered = frame.pixels.copy()
    covered[60:-20, 20:-20] = 90
    sent: list[Action] = []

    class Covered:
        def act(self, actions: tuple[Action, ...]) -> None:
            sent.extend(actions)

        def sleep(self, seconds: float) -> None:
            pass

        def require(self, count: int) -> None:
            pass

        def capture(self) -> Frame:
            return Frame(covered)

    with pytest.raises(VisionError):
        learning._take_back(
            frame, reading, (Tap(reading.geometry.centres[min(reading.puzzle.clues)]),), Covered()
        )  # type: ignore[arg-type]

    assert not any(isinstance(action, Tap) for action in sent)


class LitBoard(BridgesBoard):
    """The span under the pointer, or beside it on an island, is a red band from edge to edge of its bridges."""

    at: Point | None = None

    def act(self, action: Action, now_s: float) -> None:
        self.at = points(action)[-1] if points(action) else self.at
        super().act(action, now_s)

    def render(self, now_s: float) -> Pixels:
        pixels = super().render(now_s)
        lit = self._span_beside(self.at) if self.at is not None else None
        if lit is not None and self.joins.get(lit) == 2:
            edges = pixels.copy()
            self._draw_joins(pixels, lit, 1, (40, 40, 220))
            (ax, ay), (bx, by) = (self.centre(at) for at in lit)
            thick = 3 + self._tile // 8
            cv2.line(pixels, (round(ax), round(ay)), (round(bx), round(by)), (40, 40, 220), thick)
            drawn = (edges != super().render(-1.0)).any(axis=2) | (edges.max(axis=2) < 90)
            pixels[drawn] = edges[drawn]
        return pixels


@pytest.mark.parametrize("seed", [0, 2])
def test_what_lights_up_under_the_pointer_is_no_other_bridge(seed: int) -> None:
    """Two bridges with a band between them were read as one, and taken away again and again."""
    puzzle = practice_bridges.unique(random.Random(seed), 6, 6)
    board = LitBoard(puzzle, SKINS["paper"], 48, (30, 40), "side")

    outcome = play_board(board, Profile("bridges", "measured"), [])

    assert outcome.status in ("verified", "finished")
    assert board.solved()
    assert outcome.repaired == 0


def test_bridges_that_light_up_are_not_taken_away_by_that() -> None:
    """In the lesson two bridges with a band between them were one fewer: left taps seemed to take them away."""
    puzzle = practice_bridges.unique(random.Random(2), 6, 6)
    board = LitBoard(puzzle, SKINS["paper"], 48, (30, 40), "side", "right")
    solution = bridges.solve(puzzle).solution
    board.joins[next(span for span in puzzle.spans if not solution.get(span, 0))] = 2
    kept: list[Profile] = []

    outcome = play_board(board, Profile("bridges", "measured"), kept)

    assert outcome.status in ("verified", "finished")
    assert board.solved()
    assert kept[-1].settings["entering.takes"] == 1.0


class PointedBoard(LitBoard):
    """The span under the pointer is a red line, also where it has no bridge. No island takes more than it asks for."""

    def act(self, action: Action, now_s: float) -> None:
        before = dict(self.joins)
        super().act(action, now_s)
        if any(
            sum(n for span, n in self.joins.items() if at in span) > clue
            for at, clue in self.puzzle.clues.items()
        ):
            self.joins = before

    def render(self, now_s: float) -> Pixels:
        pixels = BridgesBoard.render(self, now_s)
        lit = self._span_beside(self.at) if self.at is not None else None
        if lit is not None and not self.joins.get(lit):
            self._draw_joins(pixels, lit, 1, (40, 40, 220))
        return pixels


def test_a_line_under_the_pointer_is_not_the_bridge_that_the_right_button_took_away() -> None:
    """Nothing seemed to take bridges away, and the left button was used in vain."""
    puzzle = practice_bridges.unique(random.Random(2), 6, 6)
    board = PointedBoard(puzzle, SKINS["paper"], 48, (30, 40), "side", "right")
    solution = bridges.solve(puzzle).solution
    wrong = next(
        span
        for span in puzzle.spans
        if not solution.get(span, 0) and min(puzzle.clues[at] for at in span) == 1
    )
    board.joins[wrong] = 1
    kept: list[Profile] = []

    outcome = play_board(board, Profile("bridges", "measured"), kept)

    assert outcome.status in ("verified", "finished")
    assert board.solved()
    assert kept[-1].settings["entering.takes"] == 1.0


class GlowingBoard(LitBoard):
    """Under the bridges of the span under the pointer is a red line, with which they look broader than others."""

    def _draw_joins(self, pixels: Pixels, span: Span, count: int, ink: Bgr) -> None:
        if self.at is not None and span == self._span_beside(self.at):
            (ax, ay), (bx, by) = (self.centre(at) for at in span)
            cv2.line(pixels, (round(ax), round(ay)), (round(bx), round(by)), (40, 40, 220), 9)
        super()._draw_joins(pixels, span, count, ink)

    def render(self, now_s: float) -> Pixels:
        return BridgesBoard.render(self, now_s)


def test_a_bridge_on_a_line_under_the_pointer_is_counted_when_the_pointer_has_gone() -> None:
    """After a right click the pointer stayed, to see a menu: the board was not to be read any more, and the game was left."""
    puzzle = practice_bridges.unique(random.Random(2), 6, 6)
    board = GlowingBoard(puzzle, SKINS["paper"], 48, (30, 40), "side", "right")
    solution = bridges.solve(puzzle).solution
    board.joins[next(span for span in puzzle.spans if not solution.get(span, 0))] = 2
    board.joins[next(span for span, count in solution.items() if count == 1)] = 1

    outcome = play_board(board, Profile("bridges", "measured"), [])

    assert outcome.status in ("verified", "finished")
    assert board.solved()


class StrictBoard(BridgesBoard):
    """Takes no tap that lies in a line with the middle of its island, to the pixel."""

    def _span_towards(self, island: Square, dx: float, dy: float) -> Span | None:
        return super()._span_towards(island, dx, dy) if round(dx) and round(dy) else None


def test_taps_on_the_side_of_an_island_lie_a_little_off_its_middle() -> None:
    """A program counts a tap as beside an island only where it differs from the middle both ways."""
    puzzle = practice_bridges.unique(random.Random(0), 6, 6)
    board = StrictBoard(puzzle, SKINS["paper"], 48, (30, 40), "side")

    outcome = play_board(board, Profile("bridges", "measured"), [])

    assert outcome.status in ("verified", "finished")
    assert board.solved()


class CoveredBoard(BridgesBoard):
    """What it draws along the line between two islands takes the release of a drag, and a tap takes that bridge away."""

    LINE_PX = 1.5

    def act(self, action: Action, now_s: float) -> None:
        match action:
            case Drag(path=(start, *_, end)) if self._on_a_line(end, self._between(start, end)) is not None:
                return
            case Tap(at=at) if (hit := self._on_a_line(at, self.joins)) is not None:
                del self.joins[hit]
            case _:
                super().act(action, now_s)

    def _between(self, *ends: Point) -> list[Span]:
        islands = {self._island_at(end) for end in ends}
        return [span for span in self.puzzle.spans if islands == set(span)]

    def _on_a_line(self, at: Point, spans: Iterable[Span]) -> Span | None:
        for span in spans:
            (x1, y1), (x2, y2) = (self.centre(island) for island in span)
            across, along = (at.x - x1, (y1, at.y, y2)) if x1 == x2 else (at.y - y1, (x1, at.x, x2))
            if abs(across) <= self.LINE_PX and along[0] <= along[1] <= along[2]:
                return span
        return None


@pytest.mark.parametrize("gesture", ["drag", "between"])
def test_what_is_drawn_between_islands_does_not_take_the_gesture(gesture: Gesture) -> None:
    """A page's preview lay over the middle of the island at which the drag ended, and its thin bridge went by a tap."""
    puzzle = practice_bridges.unique(random.Random(0), 6, 6)
    board = CoveredBoard(puzzle, SKINS["paper"], 48, (30, 40), gesture)

    outcome = play_board(board, Profile("bridges", "measured"), [])

    assert outcome.status == "verified"
    assert board.solved()


class NearestBoard(BridgesBoard):
    """A press enters a bridge on the span nearest to where it is released, as a tap between islands does."""

    def act(self, action: Action, now_s: float) -> None:
        if isinstance(action, Drag):
            action = Tap(action.path[-1], button=action.button)
        super().act(action, now_s)

    def _span_at(self, at: Point) -> Span | None:
        def away(span: Span) -> float:
            (ax, ay), (bx, by) = (self.centre(end) for end in span)
            return math.dist(at, (min(max(at.x, ax), bx), min(max(at.y, ay), by)))

        nearest = min(self.puzzle.spans, key=away)
        return nearest if away(nearest) < self._tile / 4 else None


@pytest.mark.parametrize("seed", [2, 10, 17])
def test_a_drag_that_happens_to_end_at_its_own_bridge_is_no_gesture_of_the_program(seed: int) -> None:
    """The first bridge came, where the island at its end had no other on that side, and later ones came elsewhere."""
    puzzle = practice_bridges.unique(random.Random(seed), 7, 7)
    board = NearestBoard(puzzle, SKINS["paper"], 40, (30, 40), "between")
    kept: list[Profile] = []

    outcome = play_board(board, Profile("bridges", "measured"), kept)

    assert outcome.status in ("verified", "finished")
    assert board.solved()
    assert GESTURES[int(kept[-1].settings["entering.gesture"])] != "drag"
