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
    users = [
        one
        for key, one in sys.modules.items()
        if key.startswith("vision") and one is not None and vars(one).get(name) is value
    ]
    _forget()
    for one in users:
        setattr(one, name, other)
    try:
        yield
    finally:
        for one in users:
            setattr(one, name, value)
        _forget()


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
        for factor in UP_AND_DOWN:
            with moved(module, name, factor):
                for path in pictures_of(module):
                    wrong += [f"{name} x {factor}: {what}" for what in told_wrong(path)[:3]]

    assert wrong == []
