"""The long rest of the suite: cases of a test that are one more of the same, left to `.ci/run`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

# The games that were asked for first, each of which has a reader of its own: of tests of every game these are run now.
ASKED_FIRST = ("thaumcraft", "bridges", "nonogram", "algemy", "rings")


def few(values: Iterable[Any], now: int | Iterable[Any]) -> list[Any]:
    """Parameters of which some are run now and the others with `-m long`: the first so many, or those named."""
    cases = list(values)
    kept = cases[:now] if isinstance(now, int) else list(now)
    return [case if case in kept else _long(case) for case in cases]


def _long(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)
