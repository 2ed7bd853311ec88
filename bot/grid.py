"""A game of cells that is declared: its texts, values, rules, looks and moves. All else follows from these.

    GAME = game(GridGame(name="lightup", title="Light Up", values=(".", "*"), ...))

makes the record of the game: solver, check, steps and hints, reader, player, practice board, items of the scorecard.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, islice
from typing import Any

from bot.actions import Action, Button, Key, Plan, Step, Tap
from bot.game import Game, ItemForm, PracticeMaker, later
from bot.recognise import DOUBTED
from bot.show.canvas import FOCUS, GIVEN, GUESSED, QUIET, SOLVED, Canvas, Rgb
from bot.show.guide import Guide, square_words
from bot.show.scene import Drawing, Moment, Room
from bot.told import Telling, Word
from solver.answer import Answer, Limits
from solver.errors import InvalidPuzzle, SearchLimit
from solver.grid.board import Board, Entries, Outside, Place
from solver.grid.search import Problem, solutions
from solver.grid.search import check as check_rules
from solver.grid.search import solve as solve_rules
from solver.grid.steps import GridReasoner
from solver.grid.text import rows_of
from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.eyesight import Eyesight
from vision.frame import Frame, Pixels, Point
from vision.profile import Profile
from vision.reading import Mark, Reading

ENTRY: Rgb = (225, 228, 235)
# The reader brings the library of pictures along, which whoever solves a text does not need.
read_grid, reread_grid = later("vision.readers.grid:read"), later("vision.readers.grid:reread")
claim_grid, glance_at_grid = (later(f"vision.readers.grid:{name}") for name in ("claim", "glance"))
teach_grid = later("vision.readers.lessons:teach")
# A picture is no board of a game when its solutions are not told after so many branches.
MOST_BRANCHES = 400
# Of more signs that may be given or placed nothing is told.
MOST_EITHER = 8
UNCOVER = "move the mouse and pop-ups away from the board"


@dataclass(frozen=True)
class GridGame:
    """A game of square cells.

    name, title: as in the record. key: the program of Simon Tatham's collection is `sgt-KEY`; "" without one.
    parse, unparse: a board and its game ID.
    values: what a cell may hold, in order, for a board. blank: the value of a cell that nothing is entered in; None where
        every cell needs an entry.
    cells: the cells that hold something; all that nothing is given in where it is None.
    rules: says the rules of a board to its problem.
    words: what a value is called: "a lamp".
    eyes: how it looks.
    clicks: what a click with a button makes of a cell's value ("": nothing). keys: the key that enters a value once its
        cell was clicked. settle: what to do after each entry, such as a key that drops the selection.
    thick: columns and rows between the thick lines of a practice board.
    skins: of the practice boards. several: whether the program's boards may have several solutions.
    make: a practice board. draw: paints its cells, from the margin and the pitch in px, where the looks do not tell all.
    steps: the actions for all that is missing, where it is not cell by cell.
    ground: the colour of a cell of a practice board, RGB, where its looks tell none.
    mate: the other cell of the domino that a cell belongs to (itself for a single cell), where dominoes cover the board.
    begin: what the cells of a fresh practice board show. turns: whether cells show a value from the beginning and are
        turned, so that no value is what a player means.
    shared: whether a clue and an entry stand in one cell, so that a person's word for a cell would not say all of it.
    notes: values that a cell may show and that say nothing of the solution.
    together: what entering a value in a cell enters in others with it.
    """

    name: str
    title: str
    parse: Callable[[str], Board]
    unparse: Callable[[Board], str]
    values: Callable[[Board], Sequence[str]]
    rules: Callable[[Problem], None]
    eyes: Eyesight
    make: Callable[[random.Random], Board]
    several: bool = False
    skins: tuple[str, ...] = ("paper", "large")
    thick: Callable[[Board], tuple[int, int]] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    blank: str | None = None
    cells: Callable[[Board], Iterable[Square]] | None = None
    clicks: Mapping[tuple[str, Button], str] = field(default_factory=dict)
    keys: Callable[[str], str] | None = None
    key: str = ""
    identity: Callable[[Board], object] = lambda board: board
    uncover: Callable[[Reading[Board, Entries]], Step | None] = lambda reading: None
    steps: Callable[[Reading[Board, Entries], Entries], Plan] | None = None
    solve: Callable[[Board, Limits], Answer[Entries]] | None = None
    check: Callable[[Board, Entries], Sequence[str]] | None = None
    draw: Callable[[Pixels, Board, Entries, tuple[int, int]], None] | None = None
    ground: Callable[[Board, Square], str] | None = None
    mate: Callable[[Board, Square], Square] | None = None
    begin: Callable[[Board], Entries] = lambda board: {}
    turns: bool = False
    shared: bool = False
    notes: tuple[str, ...] = ()
    together: Callable[[Board, Square, str], Entries] = lambda board, at, value: {}

    def cells_of(self, board: Board) -> tuple[Square, ...]:
        """The cells that hold something."""
        free = [at for at in board.squares if at not in board.given]
        return tuple(free if self.cells is None else self.cells(board))

    def problem(self, board: Board) -> Problem:
        """The board with its rules. Raises InvalidPuzzle where they contradict each other at once."""
        made = Problem(board, self.values(board), self.cells_of(board), self.blank)
        self.rules(made)
        return made

    def answers(self, board: Board) -> list[Entries]:
        """The solutions of a board, two for more than one; one without entries where the search would take too long."""
        budget = iter(range(MOST_BRANCHES))
        try:
            return list(islice(solutions(self.problem(board), lambda: next(budget, None) is None), 2))
        except SearchLimit:
            return [{}]

    def broken(self, board: Board, entries: Entries) -> Sequence[str]:
        """The broken rules in words; empty means solved."""
        return (
            self.check(board, entries) if self.check else check_rules(self.problem(board), self.told(entries))
        )

    def told(self, entries: Entries) -> Entries:
        """The entries that are no notes."""
        return {at: value for at, value in entries.items() if value not in self.notes}


def game(one: GridGame) -> Game[Board, Entries]:
    """The record of a declared game."""

    def solve(board: Board, limits: Limits) -> Answer[Entries]:
        found = solve_rules(one.problem(board), limits)
        return Answer(found.solution, unique=found.unique, second=found.second)

    def parse_file(text: str) -> Sequence[Board]:
        return [one.parse(line) for line in _lines(text)]

    def parse(text: str) -> Board:
        boards = parse_file(text)
        if len(boards) != 1:
            raise InvalidPuzzle(f"{len(boards)} puzzles where one was expected", hint="pass them one by one")
        return boards[0]

    return Game(
        name=one.name,
        title=one.title,
        looks_like=partial(_looks_like, one),
        parse=parse,
        parse_file=parse_file,
        unparse=one.unparse,
        puzzle_json=one.unparse,
        solution_json=rows_of,
        draw=lambda board, entries: "\n".join(rows_of(board, entries)),
        solve=one.solve or solve,
        check=one.broken,
        read=partial(_read, one),
        reread=lambda frame, earlier: reread_grid(frame, earlier, one.eyes),
        claim=lambda scene: claim_grid(scene, one.eyes),
        # Where clues stand at the corners, lines show by their colour first.
        glance=None if one.eyes.corners else lambda scene: glance_at_grid(scene, one.eyes),
        lookalikes=True,
        plan=one.steps or partial(plan, one),
        practice=partial(_practice, one),
        items=ItemForm(partial(_items, one), _item, nothing=lambda board: rows_of(board, one.begin(board))),
        identity=one.identity,
        several=one.several,
        uncover=one.uncover,
        guide=Guide(
            partial(_reasoner, one),
            _show,
            lambda board, at, value: (f"at {square_words(at)}", one.words.get(value, value)),
            # A mark for nothing is right wherever the solution has nothing.
            wrong=lambda value, right: (
                not one.turns and value not in one.notes and value != (right or one.blank)
            ),
            blank=one.blank,
        ),
        skins=lambda: _skins(one),
        told=_telling(one),
        eyes=one.eyes,
        teach=(lambda frame: teach_grid(frame, one.eyes, one.name)) if _taught_by_looks(one) else None,
    )


def _taught_by_looks(one: GridGame) -> bool:
    """Whether names for the looks of cells say all that a skin has.

    They do not where something else than looks tells of a cell, where signs stand on the corners of cells, and where a clue
    shares its cell with a digit that is typed.
    """
    return not (one.eyes.tell or one.eyes.corners or (one.shared and one.keys))


def _telling(one: GridGame) -> Telling[Board, Entries] | None:
    """How a person's word for a cell changes a board; None where a cell holds more than a word can say."""
    looks = one.eyes.looks
    if one.shared or one.turns or one.eyes.tell is not None or any(look.clue for look in looks):
        return None
    places = (*looks, *one.eyes.outside_looks, *one.eyes.corners)

    def entered(board: Board) -> Sequence[str]:
        return list(dict.fromkeys(["", *one.values(board), *one.notes]))

    def printed(board: Board) -> Sequence[str]:
        """What may be printed in a cell, beside it or at a corner."""
        numbers = [str(number) for number in range(max(9, board.width + board.height) + 1)]
        found = [""]
        for look in (look for look in places if look.state == "given"):
            found += numbers if look.form == "number" else [look.symbol]
        found += one.values(board) if one.eyes.letters else ()
        return list(dict.fromkeys(found))

    def tell(board: Board, placed: Entries, at: Any, word: Word) -> tuple[Board, Entries]:
        is_entry = isinstance(at, Square) and not word.printed
        if word.symbol not in (entered(board) if is_entry else printed(board)):
            what = "entered" if is_entry else "printed"
            raise InvalidPuzzle(f"{word.symbol!r} is never {what} in {one.title}", hint="choose another word")
        given = {place: value for place, value in board.given.items() if place != at}
        entries = {place: value for place, value in placed.items() if place != at}
        if word.symbol and is_entry:
            entries[at] = word.symbol
        elif word.symbol:
            given[at] = word.symbol
        return replace(board, given=given), entries

    return Telling(entered, tell, printed=len(printed(Board(1, 1))) > 1, prints=printed)


def _reasoner(one: GridGame, board: Board, answer: Answer[Entries]) -> GridReasoner:
    """The rules of a board, which take for known what a player means: of tiles that are turned those that lie right."""

    def told(entries: Entries) -> Entries:
        right = {at: value for at, value in entries.items() if value == answer.solution.get(at)}
        return right if one.turns else one.told(entries)

    return GridReasoner(one.problem(board), one.words, told)


def _read(one: GridGame, frame: Frame, profile: Profile) -> Reading[Board, Entries]:
    """What the reader says, unless it can be no board of the game. Raises BoardNotFound, UncertainReading.

    Every program makes boards with one solution. What looks like a board and has none, or several, is another game's;
    where a few cells are in doubt it may be theirs that is wrong.
    """
    reading: Reading[Board, Entries] = read_grid(frame, profile, one.eyes, one.title)
    _seen_by(one, reading.puzzle)
    # What is printed over the cells may be all there is.
    if not reading.puzzle.given and not one.several and one.eyes.clear is None:
        raise BoardNotFound(f"no clue of {one.title} is seen")
    _within(one.values(reading.puzzle), reading, letters=one.eyes.letters)
    try:
        reading = _decided(one, reading)
        found = len(one.answers(reading.puzzle))
    except InvalidPuzzle as error:
        raise BoardNotFound(f"what is seen is no board of {one.title}: {error}") from error
    if found == 0 and 0 < len(reading.doubtful) <= DOUBTED * len(reading.marks):
        raise UncertainReading.of(
            reading.doubtful, hint=f"without them {one.title} has no solution: {UNCOVER}"
        )
    if found == 0 or (found > 1 and not one.several and not reading.doubtful):
        told = "no solution" if found == 0 else "more than one solution"
        raise BoardNotFound(
            f"what looks like {reading.puzzle.width} x {reading.puzzle.height} cells of {one.title} has {told}",
            hint="name the game that it is with --game, or give the board as text to hear more",
        )
    return reading


def _decided(one: GridGame, reading: Reading[Board, Entries]) -> Reading[Board, Entries]:
    """The reading with every sign given or placed of which its colour does not say so, as an error's does not.

    With just the given ones the board has one solution. What is given in some such boards only is in doubt, harmless where it
    is right in all of them. Raises InvalidPuzzle.
    """
    either = {at: mark.symbol for at, mark in reading.marks.items() if mark.state == "either" and mark.symbol}
    if not either:
        return reading
    boards = _single(one, reading.puzzle, either)
    if not (boards or reading.doubtful or len(either) > MOST_EITHER):
        return reading
    # Boards have all digits that they need, and mostly none: where none is surely given and none is needed none is.
    if boards and not boards[0][0] and not any(isinstance(at, Square) for at in reading.puzzle.given):
        return reading
    marks, given, placed = dict(reading.marks), dict(reading.puzzle.given), dict(reading.placed)
    for at, value in either.items():
        told = {at in some for some, _ in boards}
        if told == {True}:
            given[at] = value
        if told != {False}:
            del placed[at]
        state = {True: "given", False: "placed"}
        right = bool(boards) and all(solution.get(at) == value for _, solution in boards)
        marks[at] = (
            replace(marks[at], state=state[told.pop()])
            if len(told) == 1
            else Mark(None, 0.0, value, "either", harmless=right)
        )
    return replace(reading, puzzle=replace(reading.puzzle, given=given), placed=placed, marks=marks)


def _single(
    one: GridGame, board: Board, either: Mapping[Square, str]
) -> list[tuple[Collection[Square], Entries]]:
    """The smallest and the largest sets of signs with which a board has a single solution, each with that; none where a board
    that needs some has too many."""
    found: list[tuple[Collection[Square], Entries]] = []
    known: list[set[Square]] = []
    for count in range(len(either) + 1):
        for some in map(set, combinations(either, count)):
            # Of a set with one solution or none each larger one has the same, or none.
            if any(fewer <= some for fewer in known):
                continue
            answers = one.answers(replace(board, given={**board.given, **{at: either[at] for at in some}}))
            if len(answers) == 1:
                right = {at for at, value in either.items() if answers[0].get(at, value) == value}
                found += [(some, answers[0]), (some | right, answers[0])]
            if len(answers) <= 1:
                known.append(some)
        if not count and (found or len(either) > MOST_EITHER):
            break
    return found


def _within(values: Sequence[str], reading: Reading[Board, Entries], *, letters: bool) -> None:
    """Raise UncertainReading where a number is seen in a cell that is none of a game of digits: a pointer beside a digit.

    letters: numbers above nine are letters.
    """
    if not (letters or all(value.isdigit() for value in values)):
        return
    seen = [*reading.puzzle.given.items(), *reading.placed.items()]
    numbers = [(at, sign) for at, sign in seen if isinstance(at, Square) and (letters or sign.isdigit())]
    strange = [at for at, sign in numbers if sign not in values]
    if strange:
        raise UncertainReading.of(strange, hint=UNCOVER)


def _seen_by(one: GridGame, board: Board) -> None:
    """Raise InvalidPuzzle where a value has no look once it is entered, so that it could not be seen on any picture."""
    looks = [look for look in one.eyes.looks if look.state == "placed"]
    known = {look.symbol for look in looks if look.form != "number"}
    digits = any(look.form == "number" for look in looks)
    for value in one.values(board):
        told = value == one.blank or value in known or (digits and (value.isdigit() or one.eyes.letters))
        if not told and one.eyes.tell is None and one.check is None:
            wanted = (
                "Look('', 'placed', (GROUND,), 'number', ...)"
                if value.isdigit()
                else f"Look({value!r}, 'placed', ...)"
            )
            raise InvalidPuzzle(
                f"{one.title} declares the value {value!r} and no look for it once it is entered",
                hint=f"add a {wanted} to the eyes of {one.name}",
            )


def _lines(text: str) -> list[str]:
    """The lines of a text that hold puzzles."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _looks_like(one: GridGame, text: str) -> bool:
    try:
        lines = _lines(text)
        return bool(lines) and bool(one.parse(lines[0]))
    except InvalidPuzzle:
        return False


def plan(one: GridGame, reading: Reading[Board, Entries], solution: Entries) -> Plan:
    """The difference between the board and the solution: what is wrong first, then what is missing, row by row."""
    steps: list[tuple[bool, Step]] = []
    entered: set[Square] = set()
    for at in one.cells_of(reading.puzzle):
        if at in entered:
            continue
        have, want = reading.placed.get(at, ""), solution.get(at, one.blank or "")
        if want in (have, reading.puzzle.given.get(at)) or (not have and want == one.blank):
            continue
        actions = _actions(one, reading.geometry.centres[at], have, want)
        word = one.words.get(want, want) or "nothing"
        others = one.together(reading.puzzle, at, want)
        entered |= set(others)
        steps.append((not have, Step(actions, f"{word} at {square_words(at)}", (at, *others))))
    steps.sort(key=lambda step: step[0])
    return Plan(tuple(step for _, step in steps), len(steps))


def _actions(one: GridGame, at: Point, have: str, want: str) -> tuple[Action, ...]:
    """The clicks and keys that bring a cell from one value to another."""
    if one.keys is not None:
        return Tap(at), Key(one.keys(want))
    # A blank cell may show nothing or its mark.
    wanted = {want, ""} if want == one.blank else {want}
    return tuple(Tap(at, button=button) for button in _clicks(one, have, wanted))


def cycle(first: str, second: str) -> dict[tuple[str, Button], str]:
    """Clicks that lead from nothing to one value, to another and back, with the right button the other way round."""
    left: dict[tuple[str, Button], str] = {("", "left"): first, (first, "left"): second, (second, "left"): ""}
    return {**left, ("", "right"): second, (second, "right"): first, (first, "right"): ""}


def switch(first: str, second: str) -> dict[tuple[str, Button], str]:
    """Clicks that make a value and unmake it: the left button the first one, the right button the second one."""
    return {("", "left"): first, (first, "left"): "", ("", "right"): second, (second, "right"): ""}


def _clicks(one: GridGame, have: str, wanted: set[str]) -> tuple[Button, ...]:
    """The fewest clicks that lead from a value to one of others."""
    ways: deque[tuple[str, tuple[Button, ...]]] = deque([(have, ())])
    seen = {have}
    while ways:
        value, buttons = ways.popleft()
        if value in wanted:
            return buttons
        for (before, button), after in one.clicks.items():
            if before == value and after not in seen:
                seen.add(after)
                ways.append((after, (*buttons, button)))
    raise AssertionError(f"{one.name}: no clicks lead from {have!r} to {sorted(wanted)}")


def _items(one: GridGame, board: Board, placed: Any) -> dict[str, str]:
    """Every cell with what is given or entered; clues beside the board and at corners by their place."""
    items = {}
    for row, line in enumerate(placed):
        signs = line.split(" ") if " " in line else list(line)
        for col, sign in enumerate(signs):
            items[f"cell {row},{col}"] = "" if sign == "." else sign
    for place, value in board.given.items():
        if not isinstance(place, Square):
            items[_item(board, place)] = value
    return items


def _item(board: Board, place: Place) -> str:
    """The item of a place, as in `_items`."""
    if isinstance(place, Square):
        return f"cell {place.row},{place.col}"
    at = (place.edge, place.nth) if isinstance(place, Outside) else place.as_json()
    return "clue " + ",".join(map(str, at))


def _practice(one: GridGame, rng: random.Random, skin: str = "paper") -> Any:
    made = later("bot.practice.grid:practice")(one, rng, skin)
    _seen_by(one, made.puzzle)
    return made


def _skins(one: GridGame) -> Mapping[str, PracticeMaker]:
    return {name: partial(_practice, one, skin=name) for name in one.skins}


def _show(board: Board, moment: Moment[Entries], room: Room, marked: bool) -> Drawing:
    """The board in the terminal: what is given, what is entered, and dots for what is not known."""
    step = moment.step if not moment.finished else None
    focus = {at for at in step.focus if isinstance(at, Square)} if step else set()
    signs = {at: moment.board.get(at) or board.given.get(at) or "·" for at in board.squares}
    wide = max(map(len, signs.values())) + 1
    margin = 3 if any(isinstance(place, Outside) for place in board.given) else 0
    canvas = Canvas(wide * board.width + 2 * margin, board.height + (2 if margin else 0))
    for at, sign in signs.items():
        new = step is not None and at in step.settled
        guessed = at in moment.guessed and not moment.finished
        known = at in moment.board
        colour = (
            SOLVED if new else FOCUS if at in focus else GUESSED if guessed else ENTRY if known else GIVEN
        )
        if sign == "·" and at not in focus:
            colour = QUIET
        canvas.put(at.row + bool(margin), margin + wide * at.col, sign, colour, bold=new)
    for place, value in board.given.items():
        if isinstance(place, Outside):
            row = {"top": 0, "bottom": board.height + 1}.get(place.edge, place.nth + 1)
            col = {"left": 0, "right": margin + wide * board.width}.get(place.edge, margin + wide * place.nth)
            canvas.put(row, col, value, GIVEN)
    first = min(focus, default=None)
    return Drawing(canvas, None if first is None else (first.row + bool(margin), margin + wide * first.col))
