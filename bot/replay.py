"""Plays a recorded run again without a screen: every picture is read again, every answer and plan made again.

What comes out is compared with what was recorded, and the first difference is told. The folder may come from
anybody: names, sizes and counts are checked, and whatever is wrong with it is a RunInvalid.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from bot.errors import WrongUsage
from bot.game import Game
from bot.games import GAMES
from bot.recording import FORMAT, LOG, action_json
from bot.witness import LATELY, plan_json, reading_json
from calibration import store
from calibration.archives import DAMAGED_ZIP, PACKED
from calibration.errors import CalibrationError
from calibration.files import open_regular, read_bytes
from solver.answer import Limits
from solver.errors import BoardsightError
from vision import MAX_PIXELS
from vision.errors import UnreadableImage
from vision.frame import Frame, Pixels
from vision.image import decode
from vision.profile import Profile
from vision.reading import Reading

MOST_LOG_BYTES = 500_000_000
MOST_LINE_BYTES = 20_000_000
MOST_ENTRIES = 200_000
MOST_PICTURE_BYTES = 60_000_000
# What a bundle may hold: nothing else is unpacked.
MEMBER = re.compile(
    r"run\.jsonl|frames/\d{5}\.png|profile-\d/profile\.toml|profile-\d/templates/(?:[A-Za-z0-9_#+-][\w#.+-]{0,63}/){0,3}[\w#.+-]{1,64}\.png"
)
MOST_MEMBERS, MOST_MEMBER_BYTES, MOST_ALL_BYTES = 20_000, 200_000_000, 600_000_000
KEPT_PROFILE = re.compile(r"profile-\d")
PICTURE = re.compile(r"frames/\d{5}\.png")
# Places may differ by so much between machines without being another decision, px.
SLACK_PX = 1.0
# What says of an action how it is paced, beside its times; a gesture that got lost is made again more slowly.
PACE = ("taps", "answered")
_FRACTION = re.compile(r"(\d{1,9}\.\d{1,20})")
# What a reading is compared on; confidence may differ in the third digit from machine to machine.
COMPARED = ("puzzle", "placed", "finished", "ui", "doubtful", "controls", "area")


class RunInvalid(WrongUsage):
    """The folder or file is no recorded run, or a damaged one."""

    usual_hint = "give the folder that `play` left, or the zip that `replay --bundle` made of it"


@dataclass(frozen=True)
class Difference:
    """The first decision that came out otherwise.

    line: of run.jsonl, from 1; what: which part of which decision.
    """

    line: int
    what: str
    recorded: str
    again: str


@dataclass
class Replayed:
    """How far a replay came.

    decisions: readings, answers, plans and actions that were compared.
    skipped: decisions whose picture was not kept (the run was full).
    """

    decisions: int = 0
    skipped: int = 0
    pictures: int = 0
    ended: str = ""
    difference: Difference | None = None


@contextmanager
def opened(run: Path) -> Iterator[Path]:
    """The folder of a run; a bundle is unpacked for as long as it is looked at. Raises RunInvalid."""
    if os.path.isdir(run):
        yield run
        return
    if not os.path.isfile(run):
        raise RunInvalid(f"{run}: no such run", hint="give the folder of a recorded run, or its bundle")
    with tempfile.TemporaryDirectory(prefix="boardsight-") as made:
        _unpack(run, Path(made))
        yield Path(made)


def _unpack(bundle: Path, target: Path) -> None:
    whole = 0
    try:
        with zipfile.ZipFile(bundle) as archive:
            members = archive.infolist()
            if len(members) > MOST_MEMBERS:
                raise RunInvalid(f"{bundle}: {len(members)} files are too many for a run")
            for member in members:
                if not MEMBER.fullmatch(member.filename) or ".." in member.filename:
                    raise RunInvalid(f"{bundle}: {member.filename[:80]!r} does not belong into a run")
                if member.compress_type not in PACKED:
                    raise RunInvalid(f"{bundle}: {member.filename} is packed in a way that bundles are not")
                whole += member.file_size
                if member.file_size > MOST_MEMBER_BYTES or whole > MOST_ALL_BYTES:
                    raise RunInvalid(f"{bundle}: too large when unpacked")
                path = target / member.filename
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source:
                    path.write_bytes(source.read(member.file_size))
    except DAMAGED_ZIP as error:
        raise RunInvalid(
            f"{bundle}: not a bundle: {error}", hint="give a run's folder or its bundle"
        ) from error


def entries(folder: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """(line number, event) of a run; a last line that was cut off is left out. Raises RunInvalid."""
    path = folder / LOG
    try:
        if path.is_symlink() or path.stat().st_size > MOST_LOG_BYTES:
            raise RunInvalid(f"{path}: a link, or too large")
        with open_regular(path) as file:
            for number in range(1, MOST_ENTRIES + 2):
                line = file.readline(MOST_LINE_BYTES + 1)
                if not line.endswith(b"\n"):
                    if len(line) > MOST_LINE_BYTES:
                        raise RunInvalid(f"{path}, line {number}: too long")
                    return
                yield number, _entry(line, f"{path}, line {number}")
    except OSError as error:
        raise RunInvalid(
            f"{folder}: no recorded run: {error.strerror or error}",
            hint="give the folder that 'boardsight play' named",
        ) from error
    raise RunInvalid(f"{path}: more than {MOST_ENTRIES} lines")


def _entry(line: bytes, where: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RunInvalid(f"{where}: not JSON", hint="the file is damaged") from error
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        raise RunInvalid(f"{where}: not an event of a run")
    return value


class Pictures:
    """The pictures of a run, put together again in their order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last: Pixels | None = None

    def next(self, entry: Mapping[str, Any], where: str) -> Pixels | None:
        """The picture of a "frame" event; None when it was not kept. Raises RunInvalid."""
        name = entry.get("file")
        if name is None:
            self._last = None
            return None
        size, at = _pair(entry.get("size"), where), _pair(entry.get("at_px"), where)
        if not isinstance(name, str) or not PICTURE.fullmatch(name):
            raise RunInvalid(f"{where}: {str(name)[:60]!r} is no picture of a run")
        path = self._folder / name
        try:
            if path.is_symlink():
                raise RunInvalid(f"{path}: a link")
            part = decode(read_bytes(path, MOST_PICTURE_BYTES), str(path))
        except (OSError, UnreadableImage) as error:
            raise RunInvalid(f"{where}: {error}", hint="the run is damaged") from error
        self._last = self._put(part, size, at, where, differs=entry.get("differs") is True)
        return self._last

    def _put(
        self, part: Pixels, size: tuple[int, int], at: tuple[int, int], where: str, *, differs: bool
    ) -> Pixels:
        """The whole picture from a part that replaces, or differs from, that of the one before."""
        (width, height), (left, top) = size, at
        high, wide = part.shape[:2]
        if (wide, high) == size and at == (0, 0) and not differs:
            return part
        fits = left + wide <= width and top + high <= height and width * height <= MAX_PIXELS
        if not fits or self._last is None or self._last.shape[:2] != (height, width):
            raise RunInvalid(f"{where}: a part of a picture that does not fit the one before")
        whole = self._last.copy()
        inner = slice(top, top + high), slice(left, left + wide)
        whole[inner] = whole[inner] ^ part if differs else part
        return whole


def _pair(value: Any, where: str) -> tuple[int, int]:
    if isinstance(value, list) and len(value) == 2 and all(type(one) is int and one >= 0 for one in value):
        return value[0], value[1]
    raise RunInvalid(f"{where}: {str(value)[:60]!r} is no pair of whole numbers")


def replay(run: Path) -> Replayed:
    """Read and decide everything of a run again, up to the first difference. Raises RunInvalid."""
    with opened(run) as folder:
        return _Replay(folder).run()


@dataclass
class _Replay:
    """What is known at one moment of a run."""

    folder: Path
    done: Replayed = field(default_factory=Replayed)
    game: Game[Any, Any] | None = None
    profile: Profile | None = None
    pixels: Pixels | None = None
    number: int | None = None
    source: str = ""
    reading: Reading[Any, Any] | None = None
    read_of: int | None = None
    solution: Any = None
    steps: list[Any] = field(default_factory=list)
    learning: bool = False
    lately: deque[tuple[int | None, Reading[Any, Any]]] = field(default_factory=lambda: deque(maxlen=LATELY))

    def run(self) -> Replayed:
        pictures = Pictures(self.folder)
        known = False
        for line, entry in entries(self.folder):
            where = f"line {line}"
            match entry["kind"]:
                case "run":
                    known = entry.get("format") == FORMAT
                case "frame":
                    self.pixels, self.number = pictures.next(entry, where), entry.get("number")
                    self.done.pictures += 1
                case "board":
                    self._board(entry, where)
                case "profile" if self.game is not None:
                    self.profile = self._profile(self.game.name, entry, where)
                case "learn":
                    self.learning = entry.get("begins") is True
                    self.steps = [] if entry.get("learned") is True else self.steps
                case "taught" if known:
                    self._taught(entry)
                case "read" | "solve" | "plan" | "uncover" | "act" as kind if known:
                    difference = self._compare(kind, entry, line)
                    if difference is not None:
                        self.done.difference = difference
                        return self.done
                case "end":
                    self.done.ended = str(entry.get("status", ""))[:40]
            if not known:
                break
        if not known:
            raise RunInvalid(
                f"{self.folder / LOG}: not a run that this version knows",
                hint="replay it with the version that recorded it",
            )
        return self.done

    def _board(self, entry: Mapping[str, Any], where: str) -> None:
        name = entry.get("game")
        if not isinstance(name, str) or name not in GAMES:
            raise RunInvalid(f"{where}: no game called {str(name)[:40]!r}")
        self.game, self.profile = GAMES[name], None
        self.reading, self.solution, self.steps = None, None, []

    def _profile(self, game: str, entry: Mapping[str, Any], where: str) -> Profile:
        name, kept = str(entry.get("name"))[:64], entry.get("kept")
        try:
            if isinstance(kept, str) and KEPT_PROFILE.fullmatch(kept):
                return store.read_folder(self.folder / kept)
            return store.load(game, name, measured=GAMES[game].measured)
        except (CalibrationError, OSError) as error:
            raise RunInvalid(f"{where}: the profile {name!r} is not there: {error}") from error

    def _compare(self, kind: str, entry: Mapping[str, Any], line: int) -> Difference | None:
        if self.game is None or self.profile is None:
            raise RunInvalid(f"line {line}: a {kind} before any board")
        decide = {
            "read": self._read,
            "solve": self._solve,
            "plan": self._plan,
            "uncover": self._uncover,
            "act": self._act,
        }
        again = decide[kind](entry)
        if again is None:
            self.done.skipped += 1
            return None
        self.done.decisions += 1
        for name, value in again.items():
            if not alike(entry.get(name), value):
                return Difference(
                    line, f"{kind}: {name}", shown(entry.get(name), value), shown(value, entry.get(name))
                )
        return None

    def _read(self, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        """The reading of the picture, or the refusal; None where the picture was not kept."""
        assert self.game is not None and self.profile is not None
        self.read_of = None
        if self.pixels is None or entry.get("frame") != self.number:
            return None
        try:
            frame = Frame(self.pixels, source="replay")
            if entry.get("again") is True and self.reading is not None:
                # Recordings of before do not say since which picture: there it was the last one that was read.
                earlier = self._reading_of(entry["since"]) if "since" in entry else self.reading
                if earlier is None:
                    return None
                found = self.game.reread(frame, earlier)
            else:
                found = self.game.read(frame, self.profile)
        except BoardsightError as error:
            return {"error": type(error).__name__}
        if found is None:
            return {"error": "nothing"}
        self.reading, self.read_of = found, self.number
        self.lately.append((self.number, found))
        told = reading_json(self.game, self.reading)
        was = entry.get("reading")
        if not isinstance(was, dict):
            return {"error": None}
        return {"reading": was | {name: told[name] for name in COMPARED}}

    def _taught(self, entry: Mapping[str, Any]) -> None:
        """An earlier reading is one with what was learned since."""
        before = self._seen(entry)
        if self.game is not None and self.profile is not None and before is not None:
            again = self.game.taught(before, self.profile)
            if again is not None:
                self.lately.append((entry["frame"], again))

    def _solve(self, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        assert self.game is not None
        if self.reading is None or self.read_of is None:
            return None
        try:
            found = self.game.solve(self.reading.puzzle, Limits())
        except BoardsightError as error:
            return {"error": type(error).__name__}
        self.solution = found.solution
        told = self.game.solution_json(self.reading.puzzle, found.solution)
        return {"error": None, "cost": found.cost, "solution": told}

    def _plan(self, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        assert self.game is not None
        reading = self._seen(entry)
        if reading is None or self.solution is None:
            self.steps = []
            return None
        plan = self.game.plan(reading, self.solution)
        self.steps = [[action_json(action) for action in step.actions] for step in plan.steps]
        return plan_json(plan)

    def _uncover(self, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        assert self.game is not None
        reading = self._seen(entry)
        if reading is None:
            self.steps = []
            return None
        step = self.game.uncover(reading)
        self.steps = [] if step is None else [[action_json(action) for action in step.actions]]
        return {"actions": self.steps[0] if self.steps else None}

    def _seen(self, entry: Mapping[str, Any]) -> Reading[Any, Any] | None:
        """The reading that a decision followed from; None where its picture was not kept."""
        return self._reading_of(entry.get("frame"))

    def _reading_of(self, number: object) -> Reading[Any, Any] | None:
        """The reading of a picture; None where it is not known any more."""
        found = next((one for known, one in reversed(self.lately) if known == number), None)
        return found if number is not None else None

    def _act(self, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        """Whatever was sent must be a step of the plan; what an unknown program is tried out with is none."""
        if self.learning:
            return {}
        if not self.steps:
            return None
        sent = _gestures(entry.get("actions"))
        meant = [_gestures(step) for step in self.steps]
        found = next((step for step in meant if alike(sent, step)), meant[0])
        return {"actions": entry.get("actions") if alike(sent, found) else found}


def _gestures(actions: Any) -> Any:
    """What was done, without its pace."""
    if not isinstance(actions, list):
        return actions
    return [
        {name: value for name, value in action.items() if name not in PACE and not name.endswith("_s")}
        for action in actions
        if isinstance(action, dict) and action.get("kind") != "Wait"
    ]


def alike(recorded: Any, again: Any) -> bool:
    """Whether two JSON values say the same; numbers with a fraction may differ by SLACK_PX.

    >>> alike({"at": [10.0, 20.5]}, {"at": [10.4, 20.1]}), alike([1], [2])
    (True, False)
    """
    # What JSON makes of tuples and of keys that are no strings.
    again = json.loads(json.dumps(again)) if isinstance(again, tuple) else again
    if isinstance(recorded, float) or isinstance(again, float):
        numbers = isinstance(recorded, int | float) and isinstance(again, int | float)
        return numbers and bool(np.isclose(recorded, again, rtol=0, atol=SLACK_PX))
    if isinstance(recorded, dict) and isinstance(again, dict):
        same_names = recorded.keys() == {str(name) for name in again}
        return same_names and all(alike(recorded[str(name)], value) for name, value in again.items())
    if isinstance(recorded, list) and isinstance(again, list | tuple):
        pairs = zip_longest(recorded, again, fillvalue=_NOTHING)
        return len(recorded) == len(again) and all(alike(a, b) for a, b in pairs)
    if isinstance(recorded, str) and isinstance(again, str) and recorded != again:
        return _alike_texts(recorded, again)
    return type(recorded) is type(again) and bool(recorded == again)


def _alike_texts(recorded: str, again: str) -> bool:
    """Whether two texts differ only in places that are alike: the rings' text form holds px."""
    one, two = _FRACTION.split(recorded), _FRACTION.split(again)
    # Every second part is a number with a fraction.
    same_words = one[::2] == two[::2]
    return same_words and all(alike(float(a), float(b)) for a, b in zip(one[1::2], two[1::2], strict=True))


_NOTHING = object()


def shown(value: Any, other: Any, most: int = 200) -> str:
    """The part of a value that differs from another one, in few words."""
    if isinstance(value, dict) and isinstance(other, dict):
        for name in [*value, *other]:
            if not alike(value.get(name), other.get(name)):
                return f"{name}: {shown(value.get(name), other.get(name))}"
    if isinstance(value, list | tuple) and isinstance(other, list | tuple):
        for nth, (one, two) in enumerate(zip_longest(value, other)):
            if not alike(one, two):
                return f"#{nth + 1}: {shown(one, two)}"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= most else text[: most - 1] + "…"
