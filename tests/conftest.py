"""What the real programs run in: one X server for all tests, since pyautogui keeps the first that it was imported with,
and one browser for each module. The tests share the work between processes, with one seed for all of them."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator

import pytest

# As the program does it, before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from bot.batch import cores
from tests.chromium import Browser
from tests.laboratory import live

# Some tests take fresh boards in every run. The processes of a run inherit its seed.
os.environ.setdefault("BOARDSIGHT_SEED", str(random.SystemRandom().randrange(1, 10**6)))


def pytest_configure(config: pytest.Config) -> None:
    """Whatever the tests start keeps its state in a folder that goes when they end: nobody's own runs are touched."""
    home = tempfile.TemporaryDirectory(prefix="boardsight-tests-", ignore_cleanup_errors=True)
    os.environ["HOME"] = home.name
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        os.environ.pop(name, None)
    config.add_cleanup(home.cleanup)


def pytest_report_header() -> str:
    return f"BOARDSIGHT_SEED={os.environ['BOARDSIGHT_SEED']} repeats the boards of this run"


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """All cores for the whole suite, and a process more, since some tests wait for real programs.

    Tests that somebody names run here, at once and one after the other.
    """
    return 0 if config.args_source is pytest.Config.ArgsSource.ARGS else cores() + 1


@pytest.fixture(scope="session")
def display_name() -> Iterator[str]:
    with live.x_server() as name:
        yield name


@pytest.fixture(scope="module")
def display(display_name: str) -> Iterator[str]:
    """The X server, which DISPLAY names while the module's tests run."""
    with live.on_display(display_name):
        yield display_name


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as opened:
        yield opened
