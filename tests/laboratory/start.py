"""How soon the program is there: the cpu time of a whole process, beside that of Python importing the libraries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from bot.bench import Case, Row

PEER = "import numpy, cv2, typer, rich"
RUNS = 3
CALLS = {
    "start/help": ("--help",),
    "start/version": ("--version",),
    "start/solve": ("solve", "7x7m2:a1d23c3k2a5a43d3g12b2a3a"),
}


def rows(data: Path | None) -> list[Row]:
    """One row per call; the peer does nothing but import."""
    return [
        Row(
            name,
            f"boardsight {' '.join(words)}, from start to end",
            lambda words=words: [_process("-m", "bot", *words)] * RUNS,  # type: ignore[misc]
            peer=(f"python -c '{PEER}'", lambda: [_process("-c", PEER)] * RUNS),
        )
        for name, words in CALLS.items()
    ]


def _process(*words: str) -> Case:
    """Started as from a shell: that NumPy is to use one thread the program says to itself, and a bench not to others."""
    shell = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}

    def run() -> None:
        subprocess.run([sys.executable, *words], check=True, capture_output=True, env=shell)

    return run
