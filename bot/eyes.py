"""How a run sees: what the reader says of the screen, without reading anything twice or believing what passes."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace
from typing import Any

from bot.changed import untouched_cells
from bot.errors import PuzzleChanged
from bot.game import Game
from bot.screen import Glance, Screen
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile, of_known_program
from vision.reading import Reading

# Another puzzle must be seen for this long before it is believed: a picture half drawn may look like one.
CHANGED_S = 1.5
# How long to wait before looking again at what seems to be another puzzle.
AGAIN_S = 0.5
# A veil that hides entries leaves at most this share of every difference.
DIMMED = 0.85
# A known board is not read anew before it rests, for which it is given so many pictures, some 2 s.
MOST_MOVING = 8


class Eyes:
    """Looks at a screen with the reader of one game.

    seconds: the time per verb, which grows while we look.
    tell: hears once per look what is in the way.
    first: the first look at our board. other: the last look at another puzzle that stayed.
    uncover: asked to take away what hides cells of a board that could not be read because of them; False where it cannot.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        profile: Profile,
        screen: Screen,
        seconds: dict[str, float],
        tell: Callable[[str], object],
        uncover: Callable[[Glance], bool],
    ) -> None:
        self._game, self._profile, self._screen = game, profile, screen
        self._seconds, self._tell, self._uncover = seconds, tell, uncover
        self._hidden: Glance | None = None
        self._last: tuple[Pixels, Reading[Any, Any] | VisionError] | None = None
        # The last picture that could not be reread, and for how many more such pictures a board is given time to rest.
        self._unknown: Pixels | None = None
        self._patience = MOST_MOVING
        self._known: Reading[Any, Any] | None = None
        # Whether entries of the last look were others than those known.
        self._flashed = False
        self._sent: Set[object] = frozenset()
        self._begun: Any = None
        self._end = False
        self.first: Glance | None = None
        # The last look at our board without a cover, and the cells that something was sent for since.
        self._clear: Glance | None = None
        self._since: Set[object] = frozenset()
        # Whether the last picture was read through a cover.
        self._covered = False
        # The look that showed another puzzle for too long.
        self.other: Glance | None = None

    def begin(self, look: Glance) -> None:
        """From here on the puzzle of this look is ours, and no other; what program shows it needs no more proof."""
        self._begun, self.first, self._clear = look.reading.puzzle, look, look
        self._profile = of_known_program(self._profile)

    def ours(self, look: Glance) -> bool:
        """Whether a look shows the puzzle that was begun; one that is finished may have lost a part of it."""
        begun, now = self._begun, look.reading.puzzle
        if look.reading.finished and self._game.became is not None:
            return self._game.became(begun, now)
        return bool(self._game.identity(begun) == self._game.identity(now))

    def read_with(self, profile: Profile, before: Reading[Any, Any]) -> None:
        """From here on the screen is read with this profile; before: the reading before it was learned."""
        self._profile = of_known_program(profile) if self._begun is not None else profile
        self._last, self._known = None, self._game.taught(before, self._profile)

    def read(self, frame: Frame) -> Reading[Any, Any]:
        """What the reader says of a picture that was not looked at. Raises VisionError."""
        return self._game.read(frame, self._profile)

    def look(
        self,
        verb: str,
        *,
        end: bool = False,
        expected: Callable[[Reading[Any, Any]], bool] = lambda _: False,
        sent: Set[object] = frozenset(),
    ) -> Glance:
        """What the screen shows once it rests. Raises NeverStill, VisionError.

        end: everything has been entered, and the end may come with a cover over the board. What is translucent is looked
            through, to the places where it was seen last, what is not is waited for.
        expected: whether a reading is what must come, so that one look is enough.
        sent: the cells that something was sent for, which may be empty now.
        """
        # What a look showed that is not believed yet was sent for before this one.
        self._sent = sent | self._sent if self._flashed else sent
        self._since |= sent
        clock = self._screen.clock
        if end != self._end:
            self._last = None
        self._end = end
        began = clock.now()
        while True:
            try:
                look = self._screen.look(
                    self._read,
                    lambda error: self._tell(f"the board cannot be read, waiting: {error}"),
                    expected,
                )
            except UncertainReading:
                if self._hidden is None or not self._uncover(self._hidden):
                    raise
            else:
                self._seconds[verb] += clock.now() - began
                if not self._covered and self._begun is not None and self.ours(look):
                    self._keep_clear(look)
                return replace(look, covered=self._covered)

    def _keep_clear(self, look: Glance) -> None:
        """Remember our board without a cover: at the end a veil that is only coming puts cells in doubt."""
        known = self._clear
        if not self._end or known is None or len(look.reading.doubtful) <= len(known.reading.doubtful):
            self._clear, self._since = look, frozenset()

    def same_puzzle(self, look: Glance) -> Glance:
        """The look, or a later one where it showed another puzzle for a moment only. Raises PuzzleChanged."""
        clock = self._screen.clock
        began = clock.now()
        while not self.ours(look):
            if clock.now() - began >= CHANGED_S:
                self.other = look
                raise PuzzleChanged(
                    "the board now shows another puzzle than the one that was solved",
                    hint="start again to solve the new one",
                )
            clock.sleep(AGAIN_S)
            look = self.look("verify", end=self._end)
        return look

    def _read(self, frame: Frame) -> Reading[Any, Any] | None:
        """What the reader says; None while a known board moves."""
        self._hidden = None
        reading = self._reading_of(frame)
        if reading is None:
            return None
        if reading.others and self._begun is None:
            raise UncertainReading(
                f"{1 + len(reading.others)} boards of this game are on the screen, and which one to play was not said",
                hint="close or cover all but one, or play one window: desktop:TITLE",
            )
        if reading.unknown and not reading.finished:
            self._hidden = Glance(frame, reading)
            raise UncertainReading.of(
                reading.unknown,
                hint=reading.advice
                or "move the mouse and pop-ups away from the board, or calibrate for this skin",
                name=reading.name,
            )
        return reading

    def _reading_of(self, frame: Frame) -> Reading[Any, Any] | None:
        """What the reader says, None while a board moves; a picture that has not changed by a value is not read again."""
        import numpy as np

        if self._last is None or not np.array_equal(self._last[0], frame.pixels):
            through = None
            if self._end and self._covered and self._clear is not None:
                # What was looked through before mostly still lies there; the board itself takes far longer to refuse.
                through = self._through(frame, None, self._clear)
            told = through or self._told(frame)
            if told is None:
                return None
            if self._end and self._clear is not None and through is None:
                through = self._through(frame, told, self._clear)
                told = told if through else self._believed(frame, told, self._clear)
            self._covered = through is not None
            told = through or told
            self._last = frame.pixels, told
        if isinstance(self._last[1], VisionError):
            raise self._last[1]
        return self._last[1]

    def _told(self, frame: Frame) -> Reading[Any, Any] | VisionError | None:
        """What the reader says of the board itself; None while it moves: what passes is not read."""
        reading = self._again(frame)
        if reading is not None:
            # What moves all the time is now and then as it was.
            self._patience = min(MOST_MOVING, self._patience + 1) if self._patience else 0
        elif self._moves(frame):
            return None
        try:
            reading = reading or self._game.read(frame, self._profile)
        except VisionError as error:
            return error
        # Entries that are others on one look only were so in a flash: the next look goes by what was known before.
        self._flashed = not self._flashed and self._other(self._known, reading)
        if not self._flashed:
            self._known = reading
        return reading

    def _moves(self, frame: Frame) -> bool:
        """Whether a known board is not as on the last picture that could not be reread, as far as there is patience left.

        A screen that has not rested in all that time is not waited for again before it is seen to rest.
        """
        from vision.track import changes

        before, self._unknown = self._unknown, frame.pixels
        if self._clear is None:
            return False
        if before is not None and before.shape == frame.pixels.shape:
            area = self._clear.reading.area.clipped(frame.size)
            if not changes(before, frame.pixels, area):
                self._patience = MOST_MOVING
                return False
        moves = self._patience > 0
        self._patience -= moves
        return moves

    def _again(self, frame: Frame) -> Reading[Any, Any] | None:
        """What the earlier reading tells of a frame; None where entries are gone, which may be a cover over them.

        No cover looks as their cells did before anything was entered, and what is in doubt, or was sent for, is not gone.
        """
        again = None if self._known is None else self._game.reread(frame, self._known)
        if again is None or self._known is None:
            return None
        gone = self._gone(self._known, again) - set(again.doubtful) - self._sent
        return again if self._as_at_first(frame, gone) else None

    def _as_at_first(self, frame: Frame, cells: Set[object]) -> bool:
        """Whether these cells look as before anything was entered, which no cover does."""
        return not cells or (self.first is not None and untouched_cells(self.first, frame, cells) == cells)

    def _other(self, before: Reading[Any, Any] | None, now: Reading[Any, Any]) -> bool:
        """Whether entries are gone, or others than they were."""
        entries = self._game.entries
        return before is not None and bool(entries(before.placed).items() - entries(now.placed).items())

    def _gone(self, before: Reading[Any, Any], now: Reading[Any, Any]) -> set[object]:
        """The cells that are empty and were not."""
        if before.placed == now.placed:
            return set()
        entries = self._game.entries
        return set(entries(before.placed).keys() - entries(now.placed).keys())

    def _believed(
        self, frame: Frame, told: Reading[Any, Any] | VisionError, seen: Glance
    ) -> Reading[Any, Any] | VisionError:
        """What the reader says, unless entries are gone beneath a cover that dims the board and cannot be read through."""
        from vision.veil import beneath

        if isinstance(told, VisionError) or self._as_at_first(frame, self._gone(seen.reading, told)):
            return told
        area, geometry = seen.reading.area, seen.reading.geometry
        pixels, earlier = frame.pixels, seen.frame.pixels
        if beneath(pixels, earlier, area, geometry, most_left=DIMMED, sent=self._since) is None:
            return told
        return BoardNotFound("a dark cover lies over the board", hint="close what lies over it")

    def _through(
        self, frame: Frame, told: Reading[Any, Any] | VisionError | None, seen: Glance
    ) -> Reading[Any, Any] | None:
        """What is read through a translucent cover over the end of the board; None where the board itself was read.

        Under a dark veil marks may look like none, and one that comes at once may hide that the last entry was taken: where
        entries are gone or what was sent is missing, or cells are in doubt, a veil is looked for as well.
        told: what the reader says of the board itself; None where it was not asked.
        """
        from vision.veil import MOST_LEFT, beneath

        read = None if isinstance(told, VisionError) else told
        ours = read is not None and self.ours(Glance(frame, read))
        if (
            read is not None
            and ours
            and not (read.doubtful or self._gone(seen.reading, read))
            and self._sent <= self._game.entries(read.placed).keys()
        ):
            return None
        # What dims nothing is a cover only where it hides the board: a thing in flight over a cell will have passed.
        most = DIMMED if told is None or ours else MOST_LEFT
        area, geometry = seen.reading.area, seen.reading.geometry
        shown = beneath(frame.pixels, seen.frame.pixels, area, geometry, most_left=most, sent=self._since)
        if shown is None:
            return None
        try:
            found = self._game.read(replace(frame, pixels=shown), self._profile)
        except VisionError:
            return None
        # So little is left beneath a cover that is nearly black that another puzzle is hardly one.
        return found if found.puzzle == seen.reading.puzzle else None
