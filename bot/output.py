"""Results as the JSON lines that the command line promises."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bot.game import Game
from bot.messages import CONTROL, show, word_of
from bot.recognise import Recognised
from solver.answer import Answer
from solver.errors import BoardsightError
from vision.errors import UncertainReading
from vision.frame import Frame


def line(value: Mapping[str, Any]) -> str:
    """One JSON object on one line."""
    words = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    # JSON has a code of its own for every sign that a terminal would obey.
    return CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", words)


@contextmanager
def refusals(as_json: bool, **about: Any) -> Iterator[None]:
    """Tell an error as a line of JSON as well, with what it is about; it goes on to whoever tells people."""
    try:
        yield
    except BoardsightError as error:
        if as_json:
            show(line(about | {"status": word_of(error), "reason": str(error)}))
        raise


def reading_json(frame: Frame, found: Recognised, locate_s: float, read_s: float) -> dict[str, Any]:
    """What `read --json` says of one picture."""
    game, reading = found.game, found.reading
    value: dict[str, Any] = {
        "source": frame.source,
        "game": game.name,
        "profile": found.profile.name,
        "ui": reading.ui,
        "size": [round(side * frame.scale) for side in frame.size],
        "status": "unsure" if reading.doubtful else "read",
        "pitch_px": round(frame.scale * reading.geometry.pitch_px, 3),
        "puzzle": game.puzzle_json(reading.puzzle),
        "placed": game.solution_json(reading.puzzle, reading.placed),
        "confidence": round(reading.confidence, 4),
        "finished": reading.finished,
        "cells": [
            {
                "cell": cell.as_json(),
                "x": round(frame.scale * reading.geometry.centres[cell].x, 2),
                "y": round(frame.scale * reading.geometry.centres[cell].y, 2),
                "state": mark.state,
                "symbol": mark.symbol,
                "confidence": round(mark.confidence, 4),
                "runner_up": mark.runner_up,
            }
            for cell, mark in reading.marks.items()
        ],
        "seconds": {"locate": round(locate_s, 4), "read": round(read_s, 4)},
    }
    palette = [
        {
            "symbol": name,
            "x": round(frame.scale * control.at.x, 2),
            "y": round(frame.scale * control.at.y, 2),
            "count": control.count,
        }
        for name, control in reading.controls.items()
        if control.symbol
    ]
    if palette:
        value["palette"] = palette
    if reading.doubtful:
        value["reason"] = str(UncertainReading.of(reading.doubtful, hint="", name=reading.name))
    if reading.remarks:
        value["remarks"] = list(reading.remarks)
    if reading.others:
        value["others"] = [
            {
                "x": round(frame.scale * box.left, 2),
                "y": round(frame.scale * box.top, 2),
                "width": round(frame.scale * box.width, 2),
                "height": round(frame.scale * box.height, 2),
            }
            for box in reading.others
        ]
    return value


def answer_json(game: Game[Any, Any], puzzle: Any, found: Answer[Any]) -> dict[str, Any]:
    """What `solve --json` adds for a solved puzzle."""
    value: dict[str, Any] = {"status": "solved", "solution": game.solution_json(puzzle, found.solution)}
    if found.cost is not None:
        value |= {"cost": found.cost, "optimal": bool(found.optimal)}
        if found.bound is not None:
            value["bound"] = found.bound
    value["unique"] = found.unique
    if found.second is not None:
        value["second"] = game.solution_json(puzzle, found.second)
    return value
