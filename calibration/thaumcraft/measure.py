"""Cuts icons from a screenshot of which the board is known, for players without the game's files.

What a picture shows of an icon is `alpha * grey * tint + (1 - alpha) * parchment`. The tint of an aspect and
the parchment are known, so each px has two unknowns, alpha and alpha * grey, and an equation per channel: a
least-squares fit (blue-screen matting with a known foreground hue, A. R. Smith and J. F. Blinn, "Blue Screen
Matting", 1996). Where tint and parchment are of one hue, a grey near to white is the tie-breaker.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from calibration.errors import CalibrationError
from solver.lattice import Hex
from solver.thaumcraft import EVERY, Note
from vision.errors import VisionError
from vision.frame import Frame
from vision.profile import Icon, Profile
from vision.readers.thaumcraft.backdrop import backdrops
from vision.readers.thaumcraft.icons import patches
from vision.readers.thaumcraft.locate import Placement, locate
from vision.scene import scene_of

Floats = npt.NDArray[np.float64]

# Root mean square of what an icon adds to the parchment, shades of 0..255; below it nothing is there.
LEAST_STRENGTH = 10.0
_USUAL_GREY, _TIE_WEIGHT = 0.9, 12.0
_LEAST_ALPHA = 0.15


def measure_icons(
    frames: Sequence[Frame], note: Note, bases: Iterable[Profile], name: str
) -> tuple[Profile, tuple[str, ...]]:
    """A profile of that name with the icons of the note's givens as the pictures show them, and its review.

    frames: screenshots of the same note; several even out the orbs that sparkle behind the icons.
    bases: profiles for everything else (table, outlines, digits, other icons); the first one whose table is in
    the first picture is taken. Raises CalibrationError when no table is found, when the picture holds nothing
    where the note has an aspect, or when there is nothing to learn.
    """
    if not note.given or not frames:
        raise CalibrationError(
            "the board names no aspect, so that no icon can be cut",
            hint='write the aspects that are on the note: {"cells": [...], "given": {"q,r": "aer", ...}}',
        )
    base, first = _base(frames[0], bases)
    views: dict[str, list[tuple[Floats, Floats]]] = defaultdict(list)
    for frame in frames:
        placement = first if frame is frames[0] else _placed(frame, base)
        for cell, (seen, ground) in _patches(frame, placement, sorted(note.given)).items():
            tag = note.given[cell]
            if np.sqrt(((seen - ground) ** 2).mean()) < LEAST_STRENGTH:
                raise CalibrationError(
                    f"the picture shows nothing at {cell.q},{cell.r}, where the board has {tag}",
                    hint="give the board of this very screenshot; cells are axial, 0,0 is the middle",
                )
            views[tag].append((seen, ground))
    icons = {f"aspects/{tag}": _cut_out(tag, parts) for tag, parts in views.items()}
    fresh = sorted(views.keys() - {known.removeprefix("aspects/") for known in base.templates})
    lines = (
        f"table and everything else from profile {base.name!r}",
        f"cut from the picture: {', '.join(sorted(views))}",
        *((f"new: {', '.join(fresh)}",) if fresh else ()),
    )
    return Profile("thaumcraft", name, {**base.templates, **icons}, dict(base.settings)), lines


def _base(frame: Frame, bases: Iterable[Profile]) -> tuple[Profile, Placement]:
    reasons = []
    for base in bases:
        try:
            return base, _placed(frame, base)
        except CalibrationError as error:
            reasons.append(str(error))
    raise CalibrationError(
        f"no research table is found in the picture ({reasons[0]})"
        if reasons
        else "a screenshot alone does not tell the table from what lies on it, and no profile is there",
        hint="add the mod's jar or a resource pack with another --from, or use a profile made from one",
    )


def _placed(frame: Frame, base: Profile) -> Placement:
    known = backdrops(base)
    if not known or "parchment" not in base.templates:
        raise CalibrationError(f"profile {base.name!r} does not know the research table")
    try:
        return locate(scene_of(frame), known)
    except VisionError as error:
        raise CalibrationError(f"profile {base.name!r}: {error}") from error


def _patches(frame: Frame, placement: Placement, cells: Sequence[Hex]) -> Mapping[Hex, tuple[Floats, Floats]]:
    """What is seen at each cell, and the empty parchment there: (32, 32, 3) both."""
    centres = [placement.backdrop.layout.cell_centre(cell) for cell in cells]
    flat = np.clip(placement.backdrop.canvas, 0, 255).astype(np.uint8)
    seen = patches(frame.pixels, placement, centres, 0).astype(np.float64)
    ground = patches(flat, Placement(placement.backdrop, 0.0, 0.0, 1.0, 1.0, 1.0), centres, 0)
    return {cell: (seen[i], ground[i].astype(np.float64)) for i, cell in enumerate(cells)}


def _cut_out(tag: str, views: Sequence[tuple[Floats, Floats]]) -> Icon:
    """The icon that explains all views of it best."""
    seen = np.median([view[0] for view in views], axis=0)
    ground = np.mean([view[1] for view in views], axis=0)
    if tag not in EVERY.colours:
        # A colour of its own: as opaque as it differs from the parchment.
        alpha = np.clip(np.abs(seen - ground).max(axis=2) / 90, 0, 1)
        colour = (seen - (1 - alpha[:, :, None]) * ground) / np.maximum(alpha, _LEAST_ALPHA)[:, :, None]
        return _icon(colour, alpha)
    tint = np.array(EVERY.rgb(tag)[::-1], np.float64)
    tie, goal = _TIE_WEIGHT**2, _TIE_WEIGHT**2 * _USUAL_GREY
    # Normal equations of u = alpha * grey and v = 1 - alpha, with u + grey * v = grey as a faint wish.
    uu, uv = float(tint @ tint) + tie, ground @ tint + tie * _USUAL_GREY
    vv = (ground**2).sum(axis=2) + tie * _USUAL_GREY**2
    ru, rv = seen @ tint + goal, (seen * ground).sum(axis=2) + goal * _USUAL_GREY
    determinant = np.maximum(uu * vv - uv**2, 1e-6)
    u, v = (ru * vv - rv * uv) / determinant, (rv * uu - ru * uv) / determinant
    alpha = np.clip(1 - v, 0, 1)
    grey = np.clip(u / np.maximum(alpha, _LEAST_ALPHA), 0, 1)
    return _icon(grey[:, :, None] * tint, alpha)


def _icon(colour: Floats, alpha: Floats) -> Icon:
    alpha = np.where(alpha < _LEAST_ALPHA, 0.0, alpha)
    return Icon(np.clip(np.rint(colour), 0, 255).astype(np.uint8), np.rint(255 * alpha).astype(np.uint8))
