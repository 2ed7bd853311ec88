"""What the window does, asked for as its buttons ask for it, and told as events; no display is needed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.told import Word, with_words
from bot.window.desk import Desk
from bot.window.events import Asked, Ended, Event, Idle, Moved, Said, Shown
from bot.window.words import HIDDEN
from solver.errors import InvalidPuzzle
from vision.frame import Frame
from vision.reading import Mark, Reading

TOLD = [name for name, game in GAMES.items() if game.told is not None]


class Person:
    """Presses buttons and reads what is said, until there is nothing more to wait for."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.heard: list[Event] = []

    def until(self, last: Callable[[Event], bool]) -> list[Event]:
        """Everything up to an event, which must come within a minute."""
        found: list[Event] = []
        while not found or not last(found[-1]):
            found.append(self.desk.events.get(timeout=60))
        self.heard += found
        return found

    def until_idle(self) -> list[Event]:
        return self.until(lambda event: isinstance(event, Idle))


@pytest.fixture
def person() -> Iterator[Person]:
    desk = Desk()
    yield Person(desk)
    desk.close()


def said(events: list[Event]) -> dict[str, str]:
    return {event.kind: event.text for event in events if isinstance(event, Said)}


def test_a_board_is_chosen_read_solved_and_explained(person: Person) -> None:
    person.desk.choose("practice:bridges:3")
    seen = person.until_idle()
    person.desk.solve()
    solved = person.until_idle()
    person.desk.hint()
    explained = person.until_idle()

    assert said(seen)["read"] == "Bridges: 24 cells read."
    assert said(solved)["solved"] == "Solved: 23 entries to make."
    assert said(explained)["hint"].startswith("The 2 at row 1, column 11")
    pictures = [event.pixels for event in (*seen, *solved, *explained) if isinstance(event, Shown)]
    assert all((one != pictures[0]).any() for one in pictures[1:])


def test_play_asks_first_and_ends_with_a_report(person: Person) -> None:
    person.desk.choose("practice:bridges:3")
    person.until_idle()
    person.desk.play()
    person.until(lambda event: isinstance(event, Asked))
    person.desk.reply(True)
    events = person.until_idle()

    ended = next(event for event in events if isinstance(event, Ended))
    assert ended.status == "verified" and "Bridges" in ended.section
    assert max(event.done for event in events if isinstance(event, Moved)) == 23
    assert "everything is in place" in said(events)["done"]


def test_no_means_that_nothing_is_touched(person: Person) -> None:
    person.desk.choose("practice:nonogram:2")
    person.until_idle()
    person.desk.play()
    person.until(lambda event: isinstance(event, Asked))
    person.desk.reply(False)

    assert said(person.until_idle())["done"] == "Nothing was touched."


def test_stop_ends_a_run_between_two_actions(person: Person) -> None:
    person.desk.choose("practice:bridges:3")
    person.until_idle()
    person.desk.play()
    person.until(lambda event: isinstance(event, Asked))
    person.desk.reply(True)
    person.desk.pause(True)
    person.desk.stop()
    events = person.until_idle()

    assert said(events)["stopped"] == "Stopped in the window"
    assert next(event for event in events if isinstance(event, Ended)).status == "stopped"


def test_a_picture_without_a_board_is_shown_with_the_reason(person: Person, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((200, 300, 3), 90, np.uint8))

    person.desk.choose(str(tmp_path / "grey.png"))
    seen = person.until_idle()
    person.desk.solve()
    refused = person.until_idle()

    assert "No board of any game" in said(seen)["error"]
    assert not any("--game" in event.more for event in seen if isinstance(event, Said))
    assert next(event for event in seen if isinstance(event, Shown)).reading is None
    assert said(refused)["error"] == "No board is read on this picture"


def test_what_lies_under_our_own_window_is_not_read(tmp_path: Path) -> None:
    """On a small screen a click on a button brings the window to the front, over the board: it was then read itself."""
    under = [False]
    desk = Desk(lambda source: under[0])
    person = Person(desk)
    desk.choose("practice:bridges:3")
    person.until_idle()
    under[0] = True

    desk.look()
    hidden = person.until_idle()
    desk.hint()
    hinted = person.until_idle()
    desk.choose("practice:rings:3")
    refused = person.until_idle()
    under[0] = False
    desk.look()
    seen = person.until_idle()
    desk.close()

    assert [event.text for event in hidden if isinstance(event, Moved)] == [HIDDEN]
    assert not any(isinstance(event, Shown | Said) for event in hidden)
    assert said(hinted)["hint"].startswith("The 2 at row 1, column 11")
    assert [event.text for event in refused if isinstance(event, Moved)] == [HIDDEN]
    assert [event.text for event in seen if isinstance(event, Moved)] == [""]
    assert said(seen)["read"].startswith("Rings: ")


def reading_of(name: str) -> Reading[object, object]:
    board = GAMES[name].practice(random.Random(4))
    return GAMES[name].read(Frame(board.render(0.0)), board.profile)


@pytest.mark.parametrize("name", TOLD)
def test_a_word_for_a_printed_cell_changes_the_puzzle_and_can_be_taken_back(name: str) -> None:
    telling, reading = GAMES[name].told, reading_of(name)
    assert telling is not None
    printed = [cell for cell, mark in reading.marks.items() if mark.state == "given" and mark.symbol]
    if name == "nonogram":
        assert not printed
        return
    cell, right = printed[0], str(reading.marks[printed[0]].symbol)
    other = next(symbol for symbol in telling.choices(reading.puzzle, True) if symbol not in ("", right))

    wrong = with_words(telling, reading, {cell: Word(other, True)})
    again = with_words(telling, wrong, {cell: Word(right, True)})

    assert wrong.puzzle != reading.puzzle and wrong.marks[cell] == replace(
        reading.marks[cell], symbol=other, confidence=1.0
    )
    assert again.puzzle == reading.puzzle


@pytest.mark.parametrize("name", TOLD)
def test_a_word_settles_a_cell_in_doubt_and_leaves_a_clear_entry_alone(name: str) -> None:
    telling, reading = GAMES[name].told, reading_of(name)
    assert telling is not None
    cell = next(iter(reading.marks))
    doubtful = replace(reading, marks={**reading.marks, cell: replace(reading.marks[cell], symbol=None)})
    printed = telling.kinds(doubtful.marks[cell])[0]
    symbol = next(symbol for symbol in telling.choices(reading.puzzle, printed) if symbol)
    entered = replace(reading, marks={**reading.marks, cell: Mark("x", 1.0, state="placed")})

    settled = with_words(telling, doubtful, {cell: Word(symbol, printed)})

    assert doubtful.doubtful == (cell,) and settled.doubtful == ()
    assert settled.marks[cell].symbol == symbol
    assert with_words(telling, entered, {cell: Word(symbol, False)}) == entered


def test_a_word_that_cannot_stand_there_is_refused() -> None:
    telling, reading = GAMES["bridges"].told, reading_of("bridges")

    with pytest.raises(InvalidPuzzle):
        with_words(telling, reading, {next(iter(reading.marks)): Word("99", True)})
