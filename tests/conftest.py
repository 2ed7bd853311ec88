"""What the real programs run in: one X server for all tests, since pyautogui keeps the first that it was imported with,
and one browser for each module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.bench import live
from tests.chromium import Browser


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
