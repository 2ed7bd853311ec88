"""Windows of the declared games as a person leaves them, from small to full screen: never read wrong."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections import Counter

import pytest

from tests.cells_window import FOLDER, CellsWindow, fresh_id, judged, opened
from tests.test_real_games import PARAMS, SEED

WAYS = ("part", "wrong", "notes", "cursor")
# Games whose cells show their value from the beginning, or only what clicks did to them, have no wrong entries.
WITHOUT_ENTRIES = {"flip"}

pytestmark = [pytest.mark.real, pytest.mark.slow]


def sizes(own: tuple[int, int]) -> list[tuple[int, int]]:
    """Smaller than the program opens it, as it opens it, larger, wide, and the whole screen."""
    width, height = own
    return [
        (int(0.62 * width), int(0.62 * height)),
        own,
        (int(1.37 * width), int(1.37 * height)),
        (1000, 700),
        (1580, 1150),
    ]


def looked_at(window: CellsWindow, told: Counter[str], wrong: list[str]) -> None:
    for size in sizes(window.size):
        kind, what = judged(window, window.capture(size))
        told[kind] += 1
        if kind == "wrong":
            wrong.append(f"{window.identity} at {size}: {what}")


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("name", PARAMS)
def test_a_window_is_read_exactly_or_doubted_however_a_person_leaves_it(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (FOLDER / f"sgt-{name}").exists() or shutil.which("Xvfb") is None:
        assert not os.environ.get("BOARDSIGHT_REQUIRE_REAL")
        pytest.skip(f"needs Xvfb and sgt-{name}")
    told: Counter[str] = Counter()
    wrong: list[str] = []
    for params in (PARAMS[name][0], PARAMS[name][-1]):
        rng = random.Random(f"{SEED} {name} {params}")
        with opened(name, fresh_id(name, params, rng.randrange(10**6))) as window:
            looked_at(window, told, wrong)
            for way in WAYS:
                entering = way in ("part", "wrong")
                if (entering and name in WITHOUT_ENTRIES) or (way == "notes" and window.one.keys is None):
                    continue
                getattr(window, way)(rng)
                # Programs flash where a move ends something.
                time.sleep(1.0)
                looked_at(window, told, wrong)

    with capsys.disabled():
        print(f"\n{name:11} ", dict(told), end="")
    assert wrong == []
    # The untouched board at least; black cells hide the numbers of Singles, and blocks the lines of Towers.
    assert told["right"] >= 8
