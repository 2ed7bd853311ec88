"""Makes one file of a recorded run, for a bug report: only the board is in the pictures, unless told otherwise.

Everything outside the board is painted grey rather than cut off, so that places keep their numbers and the bundle
can be replayed. The sources (window titles, device names) are left out as well.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bot.messages import write_file
from bot.recording import FRAMES, LOG, PROFILE
from bot.replay import Pictures, RunInvalid, entries, opened
from vision.frame import Box, Pixels
from vision.image import encode_png

# The board's own frame and what touches it help the readers: so much around the area stays visible, as a share
# of its longer side, and px.
MARGIN, LEAST_MARGIN_PX = 0.06, 24
GREY = 128


@dataclass(frozen=True)
class Bundled:
    """What went into a bundle.

    contents: (name, bytes) of every file.
    boxes: what is left of the pictures; None when they are whole.
    """

    contents: tuple[tuple[str, int], ...]
    box: Box | None

    def summary(self) -> Iterator[str]:
        pictures = [size for name, size in self.contents if name.startswith(FRAMES)]
        icons = [size for name, size in self.contents if name.startswith(PROFILE) and "/templates/" in name]
        what = (
            "the whole screen" if self.box is None else f"the board only: {tuple(self.box)} (left, top, w, h)"
        )
        yield f"{LOG}: readings, plans, actions, times, versions of the programs"
        yield f"{len(pictures)} pictures, {sum(pictures)} bytes; {what}"
        if icons:
            yield f"{len(icons)} icons of the profile, {sum(icons)} bytes; they may be the game's own artwork"


def bundle(run: Path, target: Path, *, whole: bool = False) -> Bundled:
    """Write `target`, a zip that `boardsight replay` takes. Raises RunInvalid, InvalidPuzzle (not writable)."""
    with opened(run) as folder:
        box = None if whole else _board(folder)
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in _files(folder, box):
                archive.writestr(name, data)
            named = tuple((member.filename, member.file_size) for member in archive.infolist())
        write_file(target, content.getvalue())
    return Bundled(named, box)


def _board(folder: Path) -> Box:
    """The smallest rectangle that holds every board area of the run."""
    edges: list[tuple[int, int, int, int]] = []
    for _, entry in entries(folder):
        reading = entry.get("reading")
        area = reading.get("area") if isinstance(reading, dict) else None
        if isinstance(area, list) and len(area) == 4 and all(type(side) is int for side in area):
            left, top, width, height = area
            edges.append((left, top, left + width, top + height))
    if not edges:
        raise RunInvalid(
            "no board was found in this run, so that the pictures cannot be cropped to it",
            hint="look at the pictures, and add --whole if you may show all of them",
        )
    left, top = min(edge[0] for edge in edges), min(edge[1] for edge in edges)
    right, bottom = max(edge[2] for edge in edges), max(edge[3] for edge in edges)
    margin = max(LEAST_MARGIN_PX, round(MARGIN * max(right - left, bottom - top)))
    inner_left, inner_top = max(0, left - margin), max(0, top - margin)
    return Box(inner_left, inner_top, right + margin - inner_left, bottom + margin - inner_top)


def _files(folder: Path, box: Box | None) -> Iterator[tuple[str, bytes]]:
    pictures = Pictures(folder)
    lines: list[str] = []
    for number, entry in entries(folder):
        kept: dict[str, Any] = dict(entry)
        if entry["kind"] == "frame":
            pixels = pictures.next(entry, f"line {number}")
            if pixels is not None:
                # Patches are put together again: a whole picture is easier to look at, and grey costs nothing.
                yield str(entry["file"]), encode_png(pixels if box is None else _masked(pixels, box))
                kept |= {"at_px": [0, 0], "differs": False}
        if box is not None:
            kept = {name: value for name, value in kept.items() if name not in ("source", "message")}
        lines.append(json.dumps(kept) + "\n")
    yield LOG, "".join(lines).encode()
    for path in sorted(folder.glob(f"{PROFILE}-*/**/*")):
        if path.is_file() and not path.is_symlink() and path.suffix in (".png", ".toml"):
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _masked(pixels: Pixels, box: Box) -> Pixels:
    only = np.full_like(pixels, GREY)
    inner = slice(box.top, box.top + box.height), slice(box.left, box.left + box.width)
    only[inner] = pixels[inner]
    return only
