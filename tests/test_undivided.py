"""A request to stop that comes in the middle of a call waits for its end, and is never lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.devices.undivided import undivided
from tests.laboratory import live
from tests.laboratory.live import missing
from tests.shared_data import REQUIRE_REAL

ROOT = Path(__file__).resolve().parents[1]

# Ctrl-C at chance moments of ordinary calls; after each the button has to come up. It ends in half a minute or never.
STOPPED_OFTEN = """
import random, signal
from bot.devices.session import AutoguiMouse

mouse, rng, stopped = AutoguiMouse(), random.Random(1), 0
signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
for turn in range(400):
    try:
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 1e-3))
        while True:
            mouse.move(300 + turn % 2, 300)
            mouse.press("left")
    except KeyboardInterrupt:
        stopped += 1
        mouse.release("left")
print(stopped)
"""


def test_a_request_to_stop_is_carried_out_at_the_end_of_the_block() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), undivided():
        signal.raise_signal(signal.SIGINT)
        done.append("the rest of the block")

    assert done == ["the rest of the block"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_request_is_not_held_back() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), undivided():
        signal.raise_signal(signal.SIGINT)
        done.append("after the first")
        signal.raise_signal(signal.SIGINT)
        done.append("after the second")

    assert done == ["after the first"]


def test_an_error_of_the_call_and_a_request_to_stop_are_both_told() -> None:
    with pytest.raises(KeyboardInterrupt) as caught, undivided():
        signal.raise_signal(signal.SIGINT)
        raise OSError("the display went away")

    assert isinstance(caught.value.__context__, OSError)


@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
def test_the_mouse_obeys_after_every_ctrl_c() -> None:
    with live.x_server() as name:
        ran = subprocess.run(
            [sys.executable, "-c", STOPPED_OFTEN],
            cwd=ROOT,
            env=os.environ | {"DISPLAY": name},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert ran.stdout == "400\n", ran.stderr
