"""How much memory finding out the game takes, each time in a process of its own: a screen, and one of four times its size."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOOK = """
import re, sys
import cv2, numpy as np
from bot.games import GAMES
from bot.recognise import recognise
from calibration import store
from vision.errors import VisionError
from vision.frame import Frame

screen = cv2.imread(sys.argv[1])
width, height = int(sys.argv[2]), int(sys.argv[3])
pixels = np.full((height, width, 3), 235, np.uint8)
# As large as it fits, on a page with a picture and something written beside it.
scale = min(0.6 * width / screen.shape[1], 0.9 * height / screen.shape[0])
board = cv2.resize(screen, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
pixels[20 : 20 + board.shape[0], 20 : 20 + board.shape[1]] = board
rng = np.random.default_rng(1)
photo = cv2.resize(rng.integers(0, 255, (30, 30, 3), np.uint8), (width // 4, height // 3), interpolation=cv2.INTER_CUBIC)
pixels[height // 2 : height // 2 + photo.shape[0], -photo.shape[1] :] = photo
for line in range(12):
    cv2.putText(pixels, "12 of 40 boards", (int(0.75 * width), 60 + line * height // 30), 0, height / 1500, (40, 40, 40), 2)
try:
    recognise(Frame(pixels), GAMES, store.candidates)
except VisionError:
    pass
# The process's own highest mark: getrusage counts what the process that started it had as well.
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read()).group(1)) // 1024)
"""


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
@pytest.mark.parametrize(
    "screen", ["bridges/practice-paper-part", "nonogram/page-light", "rings/practice-night-part"]
)
@pytest.mark.parametrize(("width", "height", "most_mb"), [(1920, 1080, 250), (3840, 2160, 450)])
def test_finding_out_the_game_takes_no_more_memory_than(
    screen: str, width: int, height: int, most_mb: int
) -> None:
    path = ROOT / "tests" / "screens" / f"{screen}.png"

    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(path), str(width), str(height)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert int(done.stdout) <= most_mb
