"""The extra `fast`: the functions of `clauses` and `probing`, compiled by numba.

Nothing here decides anything: the same source runs on arrays of machine numbers instead of lists. Compiling takes some
seconds the first time on a machine; numba keeps the result in its cache folder.
"""

from __future__ import annotations

import importlib.util
import inspect
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from solver.nonogram import clauses, probing
from solver.nonogram.clauses import conflicts, order, search, shelf, trail

if TYPE_CHECKING:
    from solver.nonogram.clauses import Floats, Ints
    from solver.nonogram.machine import Machine

_log = logging.getLogger(__name__)

# The functions make no arrays, and those they are given outlive them: without counting references, which numba does
# at every look into a `Search`, they run three times as fast.
_OPTIONS = {"_nrt": False}

_ENTRIES: dict[str, Callable[..., int]] = {
    "begin": clauses.begin,
    "exclude": clauses.exclude,
    "go_on": clauses.go_on,
    "begin_probing": probing.begin,
    "go_on_probing": probing.go_on,
}
# Everything else that is defined beside them is what they call.
_PARTS: tuple[Callable[..., object], ...] = tuple(
    part
    for module in (conflicts, order, search, shelf, trail, probing)
    for part in vars(module).values()
    if inspect.isfunction(part) and part.__module__ == module.__name__ and part not in _ENTRIES.values()
)


def is_installed() -> bool:
    """Whether numba is there; does not load it."""
    return importlib.util.find_spec("numba") is not None


def is_loaded() -> bool:
    """Whether the compiled search is ready in this process."""
    return machine.cache_info().currsize > 0


@cache
def machine() -> Machine | None:
    """The compiled search; loads numba. None when numba can not be used after all."""
    try:
        import numba
        import numpy as np
        from numba.extending import register_jitable
    except ImportError as error:
        _log.warning("nonogram: going on in plain Python, numba cannot be loaded: %s", error)
        return None
    from solver.nonogram.machine import Machine

    for part in _PARTS:
        register_jitable(**_OPTIONS)(part)
    return Machine(
        # Casts: an array is no MutableSequence by name, but is used like one.
        ints=lambda count: cast("Ints", np.zeros(count, np.int32)),
        naturals=lambda count: cast("Ints", np.zeros(count, np.uint32)),
        longs=lambda count: cast("Ints", np.zeros(count, np.int64)),
        floats=lambda count: cast("Floats", np.zeros(count, np.float64)),
        array=lambda numbers: cast("Ints", np.array(numbers, np.int32)),
        long_array=lambda numbers: cast("Ints", np.fromiter(numbers, np.int64)),
        numbers=lambda values: cast("Any", values).tolist(),
        shelf=4_000_000,
        most_clauses=40_000,
        conflicts=500,
        tries=5000,
        **{name: _compiled(numba, entry) for name, entry in _ENTRIES.items()},
    )


# `Any`: an optional module, and functions that it made.
def _compiled(numba: Any, entry: Callable[..., int]) -> Any:
    """A function that numba compiles at its first call, or finds in its cache; says so when it has to compile."""
    try:
        made = numba.njit(cache=True, **_OPTIONS)(entry)
    except RuntimeError:
        # No folder that numba could write to.
        made = numba.njit(**_OPTIONS)(entry)
    cached = is_cached(made.stats.cache_path, entry)
    if entry is clauses.begin and not cached:
        _log.warning("nonogram: compiling the fast search, once on this machine (some seconds)")
    return made


def is_cached(folder: str | None, entry: Callable[..., int]) -> bool:
    """Whether the cache folder has the function as it is now; what is older than a source is thrown away.

    numba itself looks only at the file of the function, not at those of the functions that it calls.
    """
    if not folder:
        return False
    sources = {inspect.getfile(part) for part in (*_ENTRIES.values(), *_PARTS)} | {__file__}
    changed = max(Path(source).stat().st_mtime for source in sources)
    module = entry.__module__.rpartition(".")[2]
    found = [*Path(folder).glob(f"{module}.{entry.__name__}-*.nbi")]
    stale = [index for index in found if index.stat().st_mtime < changed]
    for index in stale:
        with suppress(OSError):
            index.unlink()
    return len(found) > len(stale)
