"""Finds out which game is on a frame: every game says in a few ms what speaks for its board, then the likeliest is read.

Where nothing speaks for a board there is none, whatever a reader might make of it, unless the window's title names the
game. Where a claimed board cannot be read, the message is in the words of the game that claimed it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bot.game import Game
from calibration import store
from calibration.files import shortened
from vision.errors import BoardNotFound, NoPuzzleShown, UncertainReading, VisionError
from vision.frame import Box, Frame
from vision.profile import Profile
from vision.reading import Reading

if TYPE_CHECKING:
    from vision.scene import Claim, Scene

Profiles = Callable[[str], Sequence[Profile]]
# A game, and what it is asked: its claim, or what it sees at a glance.
_Claiming = tuple[Game[Any, Any], "Callable[[Scene], Claim | None] | None"]

# From this strength on a claim is a board of its game, or one that is drawn much alike.
STRONG = 0.7
# A board of which no more is in doubt, as a share of its cells, is understood: which game it is, is not in doubt.
DOUBTED = 0.1
# A claim of this share of another's strength speaks for its game as well.
LIKE_STRENGTH = 0.7
# Lines that are so much askew (degrees) may make another board of one.
ASKEW = 1.5
# A board that a window's edge on the screen does not cut ends half a cell before it: from the middles of its cells to there.
ROOM = 1.0
# So many of the places where a game keeps its files are named, where none of them is there.
FOLDERS_NAMED = 3
# What to do where no board is found: in every place, and at a command line.
CUT = "the window is partly off the screen: move it so that the whole board is on it"
WHOLE, NAME_IT = "show the whole board", "name the game with --game to hear why its reader refuses"
# Boxes are about the same part of the picture where they share this much of the smaller one.
SAME_PLACE = 0.3


@dataclass(frozen=True)
class Recognised:
    """A game that was found on a frame, the profile that fitted best, and what was read with it.

    read_s: how long that reading took, without those of other games and profiles.
    """

    game: Game[Any, Any]
    profile: Profile
    reading: Reading[Any, Any]
    read_s: float


@dataclass(frozen=True)
class _Asked:
    """A game that may be on the frame. claim: None where it says nothing before it reads."""

    game: Game[Any, Any]
    claim: Claim | None

    @property
    def strength(self) -> float:
        return self.claim.strength if self.claim else 0.0

    def may_be(self, other: _Asked) -> bool:
        """Whether this speaks for the same part of the picture as the other one does, and about as clearly."""
        if self.claim is None or other.claim is None:
            return False
        alike = self.strength >= LIKE_STRENGTH * other.strength
        return alike and _shared(self.claim.box, other.claim.box) >= SAME_PLACE


def recognise(frame: Frame, games: Mapping[str, Game[Any, Any]], profiles: Profiles) -> Recognised:
    """The game on the frame; where it is a photograph whose lines are askew, as it is when they are straightened.

    profiles: the profiles to try for a game, by its name. A single game was named by somebody: it is read without being
    asked for a claim. Raises BoardNotFound when no game is on it, UncertainReading when a board is there but cannot be
    read, or may go on beyond a side on which the window does; all know the likeliest game.
    """
    try:
        found = _upright(frame, games, profiles)
        _require_whole(frame, found)
        return found
    except VisionError as error:
        if frame.cut:
            error.hint = CUT
        raise


def _require_whole(frame: Frame, found: Recognised) -> None:
    """Raise PartlyOff where the window goes on beyond the screen on a side that the board comes too near to."""
    if not frame.cut:
        return
    # Imported late: a puzzle that is given as text needs no numpy.
    from vision.measures.edges import near_edges, partly_off

    geometry = found.reading.geometry
    middles = [Box.spanning(at, at) for at in geometry.centres.values()]
    for side in near_edges(Box.around(*middles), frame.size, ROOM * geometry.pitch_px):
        if side in frame.cut:
            told = partly_off(f"the board may go on beyond the {side} edge of the screen")
            told.game = found.game.name
            raise told


def _upright(frame: Frame, games: Mapping[str, Game[Any, Any]], profiles: Profiles) -> Recognised:
    """The game on the frame as it is, or straightened. Raises like `recognise`."""
    # Imported late: a puzzle that is given as text needs no numpy.
    from vision.measures.straight import as_seen, is_photograph, straightened
    from vision.scene import scene_of

    scene = scene_of(frame)
    straight = scene.once(straightened) if scene.once(is_photograph) else None
    askew = straight is not None and straight.turn_deg >= ASKEW
    # Lines that are clearly askew are read as they are only by games that know photographs: others may misread them.
    able = {name: game for name, game in games.items() if game.photographed or not askew}
    try:
        found = _as_it_is(frame, able, profiles)
        if straight is None or not found.reading.unknown:
            return found
        # What is in doubt on a page that bends a little, but for a doubt the same, may be sure on a flat one.
        with suppress(VisionError):
            flat = _as_it_is(replace(frame, pixels=straight.pixels), games, profiles)
            if not flat.reading.unknown and flat.reading.puzzle == found.reading.puzzle:
                return replace(flat, reading=as_seen(flat.reading, straight))
        return found
    except VisionError as refusal:
        # Looks that have to be learned first are not read from a straighter picture either.
        told_by = games.get(refusal.game)
        if straight is None and (told_by is None or told_by.measured):
            straight = scene.once(straightened)
        if straight is None:
            raise
        first: VisionError | None = None
        while straight is not None:
            try:
                found = _as_it_is(replace(frame, pixels=straight.pixels), games, profiles)
                return replace(found, reading=as_seen(found.reading, straight))
            except VisionError as told:
                first, straight = first or told, straight.bent
        raise (first or refusal) if askew else refusal from None


def _as_it_is(frame: Frame, games: Mapping[str, Game[Any, Any]], profiles: Profiles) -> Recognised:
    """The game on the frame. Raises like `recognise`."""
    if len(games) == 1:
        (game,) = games.values()
        return _read(frame, game, profiles(game.name))
    told: dict[str, Recognised | VisionError] = {}
    asked: list[_Asked] = []
    for claims in _rounds(frame, games):
        heard = {one.game.name for one in asked}
        for one in _claims(frame, [each for each in claims if each[0].name not in heard], profiles):
            asked.append(one)
            # A strong claim is read at once: what has no lookalikes needs no comparison with later claims.
            if one.strength < STRONG or one.game.lookalikes:
                continue
            seen = _told(frame, one, profiles, told)
            if isinstance(seen, Recognised) and len(seen.reading.unknown) <= DOUBTED * len(
                seen.reading.marks
            ):
                return seen
            # Looks that have to be learned are those of one program, whose window nothing else resembles.
            if isinstance(seen, VisionError) and not one.game.measured:
                raise seen
        found, sure = _likeliest(frame, asked, profiles, told)
        # All that are drawn alike were heard: such a board is none of those that are asked last.
        if found is not None and sure is not None and sure.strength >= STRONG:
            return found
    if found is not None:
        return found
    titled = [game for game in games.values() if game.is_title(frame.title)]
    if len(titled) == 1 and titled[0].name not in told:
        return _read(frame, titled[0], profiles(titled[0].name))
    refusals = [(one, told[one.game.name]) for one in sorted(asked, key=lambda one: -one.strength)]
    raise _refusal(frame, [(one, error) for one, error in refusals if isinstance(error, VisionError)])


def _rounds(frame: Frame, games: Mapping[str, Game[Any, Any]]) -> list[list[_Claiming]]:
    """The claims to ask for, in order: where there is a grid of cells, what is told at a glance comes first."""
    # Imported late: a puzzle that is given as text needs no numpy.
    from vision.scene import scene_of

    all_of_it = [(game, game.claim) for game in games.values()]
    if not scene_of(frame).grids():
        return [all_of_it]
    at_first = [(game, game.glance or game.claim) for game in games.values()]
    return [at_first, [(game, claim) for game, claim in all_of_it if game.glance]]


def _told(
    frame: Frame,
    one: _Asked,
    profiles: Profiles,
    told: dict[str, Recognised | VisionError],
) -> Recognised | VisionError:
    """What the reader of a game says, or why it refuses. told: by the name of the game, what was asked already."""
    name = one.game.name
    if name not in told:
        try:
            told[name] = _read(frame, one.game, profiles(name))
        except VisionError as error:
            told[name] = error
    return told[name]


def _likeliest(
    frame: Frame,
    asked: Sequence[_Asked],
    profiles: Profiles,
    told: dict[str, Recognised | VisionError],
) -> tuple[Recognised | None, _Asked | None]:
    """The best reading of the boards that are claimed, and the strongest claim of which all cells were read."""
    found: list[Recognised] = []
    sure: _Asked | None = None
    for one in sorted(asked, key=lambda one: -one.strength):
        if sure is not None and not one.may_be(sure):
            continue
        seen = _told(frame, one, profiles, told)
        if isinstance(seen, Recognised):
            found.append(seen)
            if sure is None and not seen.reading.unknown:
                sure = one
    return _alone(frame, [one for one in found if not one.reading.unknown]) or max(
        found, key=_certainty, default=None
    ), sure


def _alone(frame: Frame, surely: Sequence[Recognised]) -> Recognised | None:
    """The one reading without a doubt, or the one that the window's title names; None where there is none.

    Raises UncertainReading where several games are surely read in one place: which of them it is the picture does not tell.
    """
    titled = [one for one in surely if one.game.title.casefold() == frame.title.strip().casefold()]
    if len(titled or surely) <= 1:
        return next(iter(titled or surely), None)
    told = UncertainReading(
        f"the board may be one of {' or '.join(one.game.title for one in surely)}",
        hint="name the game with --game",
    )
    told.game = surely[0].game.name
    raise told


def _claims(frame: Frame, claims: Sequence[_Claiming], profiles: Profiles) -> Iterator[_Asked]:
    """The games that may be on the frame, in the order in which they are asked.

    Of those that claim nothing, the ones that know no other way than reading, or have looks that somebody taught them.
    """
    # Imported late: a puzzle that is given as text needs no numpy.
    from vision.scene import scene_of

    scene = scene_of(frame)
    for game, asks in claims:
        claim = asks(scene) if asks else None
        # What shows nothing at a glance has its whole say later.
        silent = asks is game.claim and (asks is None or (not game.measured and profiles(game.name)))
        if claim is not None or silent:
            yield _Asked(game, claim)


def _refusal(frame: Frame, refused: Sequence[tuple[_Asked, VisionError]]) -> VisionError:
    """The error that says most about the picture: what the strongest claim came to, or an empty table, or no board.

    A game that claimed nothing has no say: what its reader makes of other pictures means nothing to anybody. Nor is a
    board in doubt that was hardly claimed.
    """
    for one, error in refused:
        if one.claim is None:
            continue
        if isinstance(error, UncertainReading) and one.strength < STRONG:
            doubted = BoardNotFound(f"{one.claim.evidence}, but no board: {error}", hint=error.hint)
            doubted.game = one.game.name
            return doubted
        return error
    for one, error in refused:
        if isinstance(error, NoPuzzleShown) or (
            isinstance(error, UncertainReading) and one.game.claim is None
        ):
            return error
    return BoardNotFound(_no_board(frame), hint=f"{WHOLE}, or {NAME_IT}")


def _no_board(frame: Frame) -> str:
    """What is said of a picture without a board: the cells that are on it, and whether its edge may cut them."""
    # Imported late: a puzzle that is given as text needs no numpy.
    from vision.measures.borders import goes_on
    from vision.measures.edges import near_edges
    from vision.scene import scene_of

    scene = scene_of(frame)
    what, grid = "no board of any game that we know", next(iter(scene.grids()), None)
    if grid is None:
        return f"{what} is on the picture"
    near = near_edges(grid.box, scene.size, min(grid.xs.pitch, grid.ys.pitch))
    cut = " and go on to its edge" if near and goes_on(scene, grid) else ""
    return f"{grid.cols} x {grid.rows} cells are on the picture{cut}, but {what}"


def _read(frame: Frame, game: Game[Any, Any], profiles: Sequence[Profile]) -> Recognised:
    """The reading of one game; its refusal names the game."""
    try:
        return read_with_any(frame, game, profiles)
    except VisionError as error:
        unknown = type(error) is BoardNotFound and not game.measured
        told = _strange_looks(frame, game, profiles) if unknown else None
        if told is None:
            told = error
            told.args = (f"{game.title}: {told}",)
        told.game = game.name
        raise told from error


def read_with_any(frame: Frame, game: Game[Any, Any], profiles: Sequence[Profile]) -> Recognised:
    """The reading of the profile that is surest of it. Raises like `recognise`."""
    found: list[Recognised] = []
    unsure: UncertainReading | None = None
    missing: BoardNotFound | None = None
    for profile in profiles:
        try:
            began = time.perf_counter()
            reading = game.read(frame, profile)
            found.append(Recognised(game, profile, reading, time.perf_counter() - began))
        except BoardNotFound as error:
            missing = error if missing is None or isinstance(error, NoPuzzleShown) else missing
        except UncertainReading as error:
            unsure = error
    if found:
        return max(found, key=_certainty)
    if unsure is not None:
        raise unsure
    raise missing or BoardNotFound(
        f"no profile of {game.name} to read with", hint=f"run 'boardsight calibrate {game.name}'"
    )


def _strange_looks(frame: Frame, game: Game[Any, Any], known: Sequence[Profile]) -> VisionError | None:
    """What is to be said of a board that is there, in looks that no profile knows; None where none seems to be there."""
    from vision.scene import scene_of

    claim = game.claim(scene_of(frame)) if game.claim else None
    if claim is None:
        return None
    folders = game.kept_in()
    here = [folder for folder in folders if folder.is_dir()] or folders[:FOLDERS_NAMED]
    more = f" and {len(folders) - len(here)} other folders of launchers" if len(folders) > len(here) else ""
    named = ", ".join(shortened(folder) for folder in here)
    where = f"; it looks for the game's own files in {named}{more}" if here else ""
    learned = ", ".join(repr(profile.name) for profile in known if not store.comes_along(profile))
    if not learned:
        return BoardNotFound(
            f"there is {claim.evidence}, but its looks are not learned yet",
            hint=f"run 'boardsight calibrate {game.name}'{where}",
        )
    return BoardNotFound(
        f"there is {claim.evidence}, but it does not look as learned ({learned})",
        hint=f"move away what lies over it; for other looks run 'boardsight calibrate {game.name}'{where}",
    )


def _certainty(one: Recognised) -> tuple[float, float]:
    marks = one.reading.marks.values()
    known = sum(mark.symbol is not None for mark in marks)
    mean = sum(mark.confidence for mark in marks) / max(1, len(marks))
    return known / max(1, len(marks)), mean


def _shared(one: Box, other: Box) -> float:
    """Share of the smaller box that lies in the other."""
    wide, high = one.shared(other)
    smaller = min(one.width * one.height, other.width * other.height)
    return max(0, wide) * max(0, high) / max(1, smaller)
