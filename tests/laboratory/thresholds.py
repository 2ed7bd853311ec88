"""What every threshold of the readers parts on the golden pictures: two histograms beside each other.

    uv run python -m tests.laboratory.thresholds [vision.readers.bridges ...]

Whatever is compared with a named number is measured in shares of that limit, and counted below and above it. A gap around 1
is what a threshold wants; where both sides are full up to it, it parts nothing and wants another measure. The modules
are compiled anew for that, each comparison with a call in its place.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import operator
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType
from typing import Any

import numpy as np
import numpy.typing as npt

WAYS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
COMPARE = dict(WAYS.values())
CALLED = "__compared__"
# Shares of the limit at which the histograms part.
EDGES = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0, 1.11, 1.33, 2.0, 4.0, np.inf)
BARS = " .:-=+*#%@"
# Of an array so many values are counted.
MOST_VALUES = 4096

Counts = npt.NDArray[np.int64]


def limits_in(node: ast.expr) -> list[str]:
    """The named numbers in an expression."""
    names = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
    return sorted({name for name in names if name.lstrip("_").isupper()})


class Watched(ast.NodeTransformer):
    """Puts a call in place of each comparison with a named number; module: where it stands."""

    def __init__(self, module: str) -> None:
        self.module = module

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        names = [",".join(limits_in(side)) for side in sides]
        if not any(names) or not all(type(way) in WAYS for way in node.ops):
            return node
        ways = [WAYS[type(way)][0] for way in node.ops]
        lists = (ast.Tuple([ast.Constant(one) for one in some], ast.Load()) for some in (names, ways))
        told = [ast.Constant(self.module), *lists]
        call = ast.Call(ast.Name(CALLED, ast.Load()), [*told, *sides], [])
        return ast.copy_location(call, node)


class Histograms:
    """limit -> how many values there were, by their share of it."""

    def __init__(self) -> None:
        self.counts: dict[str, Counts] = defaultdict(lambda: np.zeros(len(EDGES) - 1, np.int64))

    def compared(self, module: str, names: Sequence[str], ways: Sequence[str], *sides: Any) -> Any:
        """What the comparison says; its values are counted."""
        said: Any = True
        for nth, way in enumerate(ways):
            value, limit, name = sides[nth], sides[nth + 1], names[nth + 1]
            if not name:
                value, limit, name = limit, value, names[nth]
            if name:
                self._count(f"{module}.{name}", value, limit)
            one = COMPARE[way](sides[nth], sides[nth + 1])
            said = one if nth == 0 else said and one
        return said

    def _count(self, name: str, value: Any, limit: Any) -> None:
        try:
            values, limits = (np.asarray(one, np.float64) for one in (value, limit))
        except (TypeError, ValueError):
            return
        with np.errstate(all="ignore"):
            shares = np.ravel(values / limits)
        shares = shares[np.isfinite(shares) & (shares >= 0)]
        shares = shares[:: max(1, len(shares) // MOST_VALUES)]
        self.counts[name] += np.histogram(shares, EDGES)[0]

    def lines(self) -> Iterator[str]:
        """A line for each limit, the least well parted first."""
        yield f"{'threshold':52} {'below':>9} {'0 1/4 1/2 3/4 .9 1':>10} | {'above':<9} nearest to it"
        middle = EDGES.index(1.0)

        def near(one: tuple[str, Counts]) -> tuple[float, str]:
            name, counts = one
            return -float(counts[middle - 1 : middle + 1].sum() / max(1, counts.sum())), name

        for name, counts in sorted(self.counts.items(), key=near):
            below, above = counts[:middle], counts[middle:]
            bars = ["".join(_bar(n, part.max()) for n in part) for part in (below, above)]
            share = -near((name, counts))[0]
            yield f"{name:52} {below.sum():9} [{bars[0]}|{bars[1]}] {above.sum():<9} {share:6.1%}"


def _bar(count: int, most: int) -> str:
    return BARS[0] if not count else BARS[max(1, round((len(BARS) - 1) * count / max(1, most)))]


class Loader(SourceFileLoader):
    """Compiles a module with its comparisons watched, and remembers nothing of that on the disk."""

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_source(fullname) or ""
        tree = Watched(fullname.removeprefix("vision.")).visit(ast.parse(source))
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


class Finder:
    """Finds the modules below some packages, to be compiled with their comparisons watched."""

    def __init__(self, packages: Sequence[str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not any(name == package or name.startswith(f"{package}.") for package in self.packages):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None:
            return None
        return importlib.util.spec_from_file_location(
            name,
            spec.origin,
            loader=Loader(name, spec.origin),
            submodule_search_locations=spec.submodule_search_locations,
        )


def main(packages: Sequence[str]) -> None:
    found = Histograms()
    setattr(builtins, CALLED, found.compared)
    sys.meta_path.insert(0, Finder(packages or ["vision"]))
    # Imported late: what they import is to be watched.
    from bot.games import GAMES
    from tests.test_screens import PAIRS, frame_of, profile_of
    from vision.errors import VisionError

    for path in PAIRS:
        name = path.parent.name
        try:
            GAMES[name].read(frame_of(path), profile_of(name))
        except VisionError as error:
            print(f"{name}/{path.stem}: {error}", file=sys.stderr)
    for line in found.lines():
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
