"""Many inputs at once: what goes wrong with one, also a defect of ours, is that input's error and stops no other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.commands import look
from vision.image import encode_png

SLIM = [(1, 1), (1, 300), (300, 1), (2, 300), (300, 2), (5, 5), (300, 7)]
GAMES_ASKED = [None, "thaumcraft", "bridges", "nonogram", "algemy", "rings"]


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("game", GAMES_ASKED)
def test_a_picture_as_slim_as_a_line_holds_no_board(
    game: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = []
    for width, height in SLIM:
        names.append(str(tmp_path / f"{width}x{height}.png"))
        pixels = np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)
        Path(names[-1]).write_bytes(encode_png(pixels))

    status = look.read([*names, "practice:rings:1"], game=game, as_json=True)

    told = lines(capsys)
    assert [one["status"] for one in told[:-1]] == ["no-board"] * len(SLIM)
    assert status == 3 if game in (None, "rings") else 2


@pytest.mark.parametrize("command", [look.read, look.solve])
def test_a_defect_that_one_input_brings_to_light_is_its_error(
    command: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(name: str, *rest: object) -> look.Seen:
        if "2" in name:
            raise IndexError("list index out of range")
        return seen(name, *rest)

    seen = look.see
    monkeypatch.setattr(look, "see", broken)
    names: Sequence[str] = ["practice:rings:1", "practice:rings:2", "practice:rings:3"]

    status = command(names, as_json=True)  # type: ignore[operator]

    told = capsys.readouterr()
    said = [json.loads(line) for line in told.out.splitlines()]
    good = "read" if command is look.read else "solved"
    assert [one["status"] for one in said] == [good, "error", good]
    assert "IndexError: list index out of range" in said[1]["reason"]
    assert status == 1
    assert "practice:rings:2: an internal error" in told.err and "Traceback" not in told.err
