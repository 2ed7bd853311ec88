"""No golden picture hangs on a single number: each constant of a reader a quarter up and down, one at a time.

A board may be refused then, and cells may be in doubt; none is told wrong.
"""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, ModuleType

import pytest

import vision
from bot.games import GAMES
from bot.scorecard.items import items_of_reading
from tests.laboratory.thresholds import Histograms, Watched
from tests.test_screens import PAIRS, frame_of, items_in, profile_of
from vision.errors import VisionError

UP_AND_DOWN = (0.75, 1.25)
# What is no threshold: the size in which something is drawn, learned or cut, of which others are made at once.
MADE_OF = {"SHAPE", "CELL_PX", "SIDE", "PATCH_GUI", "PER_GUI", "ROWS", "COLUMNS", "ICON_GUI", "ANGLES"}
MADE_OF |= {"_COLUMNS", "_MARGIN_GUI", "_EDGE"}


def constants() -> list[tuple[str, str]]:
    """(module, name) of every number with a name of its own in vision, where it is made."""
    found = []
    for module in pkgutil.walk_packages(vision.__path__, "vision."):
        source = importlib.import_module(module.name)
        tree = ast.parse(Path(str(source.__file__)).read_text(encoding="utf-8"))
        made = {
            name.id
            for line in tree.body
            if isinstance(line, ast.Assign)
            for target in line.targets
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        }
        found += [(module.name, name) for name in made - MADE_OF if _is_number(name, getattr(source, name))]
    return sorted(found)


def _is_number(name: str, value: object) -> bool:
    return name.lstrip("_").isupper() and isinstance(value, int | float) and not isinstance(value, bool)


@contextmanager
def moved(module: str, name: str, factor: float) -> Iterator[None]:
    """The constant moved wherever it is used; nothing is remembered from before or after."""
    value = getattr(sys.modules[module], name)
    other = type(value)(round(value * factor)) if isinstance(value, int) else value * factor
    users = users_of(module, name)
    _forget()
    for one in users:
        setattr(one, name, other)
    try:
        yield
    finally:
        for one in users:
            setattr(one, name, value)
        _forget()


def users_of(module: str, name: str) -> list[ModuleType]:
    """The modules that know the constant: the one where it is made, and those that import it."""
    value = getattr(sys.modules[module], name)
    return [
        one
        for key, one in sys.modules.items()
        if key.startswith("vision") and one is not None and vars(one).get(name) is value
    ]


def _forget() -> None:
    for key, module in list(sys.modules.items()):
        if key.startswith("vision") and module is not None:
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()


def pictures_of(module: str) -> list[Path]:
    """Those of the game that a reader is for; of every other module, and of the declared games', one of each game."""
    game = module.removeprefix("vision.readers.").partition(".")[0]
    own = [path for path in PAIRS if path.parent.name == game]
    return own or list({path.parent.name: path for path in PAIRS}.values())


def hangs_on(path: Path, module: str, name: str) -> bool:
    """Whether anything that is called while the picture is read names the constant: else it is read alike without it."""
    files = {one.__file__ for one in users_of(module, name)}
    return any(name in code.co_names and code.co_filename in files for code in called(path))


@functools.cache
def called(path: Path) -> frozenset[CodeType]:
    """All that is called while the picture is read."""
    codes = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    _forget()
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        told_wrong(path)
    finally:
        sys.setprofile(before)
    return frozenset(codes)


def told_wrong(path: Path) -> list[str]:
    game = GAMES[path.parent.name]
    true = items_in(path.with_suffix(".txt").read_text(encoding="utf-8"))
    try:
        reading = game.read(frame_of(path), profile_of(game.name))
    except VisionError:
        return []
    told = {
        item: value
        for item, value in items_of_reading(game, reading).items()
        if value is not None and not item.startswith("palette")
    }
    where = f"{path.parent.name}/{path.stem}"
    return [f"{where} {item}: {value!r}" for item, value in told.items() if value != true.get(item)]


def test_a_constant_is_moved_wherever_it_is_used_and_back() -> None:
    from vision.measures import likeness
    from vision.readers import grid

    with moved("vision.measures.likeness", "FARTHEST", 1.25):
        assert (likeness.FARTHEST, grid.FARTHEST) == (1.25, 1.25)

    assert (likeness.FARTHEST, grid.FARTHEST) == (1.0, 1.0)
    assert ("vision.measures.likeness", "FARTHEST") in constants()
    assert ("vision.readers.grid", "FARTHEST") not in constants()


def test_a_picture_hangs_on_what_is_called_while_it_is_read() -> None:
    (path,) = [one for one in PAIRS if one.parent.name == "towers"][:1]

    assert hangs_on(path, "vision.measures.blocks", "SOFT")
    assert not hangs_on(path, "vision.measures.wires", "ROUNDED_PX")


def test_what_is_compared_with_a_limit_is_counted_below_and_above_it() -> None:
    seen = Histograms()

    said = [seen.compared("toy", ("", "LIMIT"), (">",), value, 10.0) for value in (1.0, 9.5, 30)]
    inside = seen.compared("toy", ("LEAST", "", "LIMIT"), ("<=", "<"), 2, 5, 10.0)

    assert (said, inside) == ([False, False, True], True)
    assert seen.counts["toy.LIMIT"].tolist() == [1, 0, 1, 0, 1, 0, 0, 0, 1, 0]
    assert seen.counts["toy.LEAST"].sum() == 1
    assert [line.split()[:2] for line in seen.lines()][1:] == [["toy.LIMIT", "3"], ["toy.LEAST", "0"]]


def test_only_comparisons_with_named_numbers_are_watched() -> None:
    text = "found = value > 2 * LIMIT and other > 3 and LIMIT == 4"

    assert ast.unparse(Watched("toy").visit(ast.parse(text))) == (
        "found = __compared__('toy', ('', 'LIMIT'), ('>',), value, 2 * LIMIT) and other > 3 and (LIMIT == 4)"
    )


@pytest.mark.slow
@pytest.mark.parametrize("module", sorted({module for module, _ in constants()}))
def test_no_golden_picture_is_read_wrong_when_one_number_is_a_quarter_off(module: str) -> None:
    wrong = []
    for name in [name for made_in, name in constants() if made_in == module]:
        pictures = [path for path in pictures_of(module) if hangs_on(path, module, name)]
        for factor in UP_AND_DOWN:
            with moved(module, name, factor):
                for path in pictures:
                    wrong += [f"{name} x {factor}: {what}" for what in told_wrong(path)[:3]]

    assert wrong == []
