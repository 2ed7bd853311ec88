"""Very large pictures: read on a reduced copy with bounded work, and told in px of the file."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from bot.cli import app
from bot.devices import image
from bot.devices.image import MOST_READ, load_frame
from vision.image import encode_png

SHOT = Path(__file__).parent / "screens" / "bridges" / "sgt-bridges-10x10-part.png"


@pytest.mark.parametrize(
    "size",
    [(7212, 5408), pytest.param((40, 900_000), marks=pytest.mark.long), (3840, 2160)],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
def test_a_picture_of_39_million_px_is_reduced_before_anything_looks_at_it(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(encode_png(np.full((size[1], size[0], 3), 200, np.uint8)))

    frame = load_frame(path)

    width, height = frame.size
    assert width * height <= MOST_READ
    assert (round(width * frame.scale), round(height * frame.scale)) == pytest.approx(size, rel=0.03)
    assert (frame.scale == 1.0) == (size == (3840, 2160))


def test_places_on_a_reduced_picture_are_those_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = cv2.imread(str(SHOT))
    path = tmp_path / "shot.png"
    path.write_bytes(encode_png(np.asarray(cv2.resize(whole, None, fx=3, fy=3), np.uint8)))
    exact = json.loads(CliRunner().invoke(app, ["read", str(path), "--json"]).stdout)
    monkeypatch.setattr(image, "MOST_READ", 4 * whole.shape[0] * whole.shape[1])

    reduced = json.loads(CliRunner().invoke(app, ["read", str(path), "--json"]).stdout)

    assert (reduced["puzzle"], reduced["placed"]) == (exact["puzzle"], exact["placed"])
    assert reduced["size"] == exact["size"] == [3 * whole.shape[1], 3 * whole.shape[0]]
    assert reduced["pitch_px"] == pytest.approx(exact["pitch_px"], abs=0.2)
    for ours, theirs in zip(reduced["cells"], exact["cells"], strict=True):
        assert (ours["x"], ours["y"]) == pytest.approx((theirs["x"], theirs["y"]), abs=2.0)
