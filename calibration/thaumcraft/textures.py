"""Makes a Thaumcraft profile from the game's own pictures.

Names of textures are the game's own relative paths without ".png" ("aspects/aer", "gui/hex1"); pixels are
(H, W, 4) uint8, **BGRA**. Names of templates are ours, and what they hold is drawn as the game draws it:

    aspects/<tag>        32 x 32, the texture times the aspect's colour, with its alpha
    unknown              32 x 32, the tag of an undiscovered aspect
    hex, hover           32 x 32, the outline of a cell, and of the one under the cursor
    runes                256 x 16, sixteen signs in a row
    orb, sparkle         128 x 16 and 256 x 16, the frames of the animation in a row
    table/stock          255 x 167, one texture px per GUI px, like all of the following
    table/tweaks         342 x 219
    table/tweaks-3col    310 x 219
    inventory            184 x 88
    parchment            150 x 150
    arrow/next, arrow/previous      24 x 8
    font/0 .. font/9                8 x 8, the default font
    font-unicode/0 ..               16 x 16, the font of "Force Unicode Font"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from calibration.errors import CalibrationError
from calibration.review import look_alikes
from calibration.thaumcraft.sources import Texture, find_game_files, read_textures
from solver.thaumcraft import EVERY, VANILLA
from vision.profile import Icon, Profile

ICON_PX = 32
DIGITS = "0123456789"


class _Cut(NamedTuple):
    """A part of a texture, in px of the texture's original size."""

    texture: str
    size: tuple[int, int]
    left: int
    top: int
    width: int
    height: int


_CUTS = {
    "table/stock": _Cut("gui/guiresearchtable2", (256, 256), 0, 0, 255, 167),
    "inventory": _Cut("gui/guiresearchtable2", (256, 256), 0, 166, 184, 88),
    "arrow/previous": _Cut("gui/guiresearchtable2", (256, 256), 184, 208, 24, 8),
    "arrow/next": _Cut("gui/guiresearchtable2", (256, 256), 208, 208, 24, 8),
    "parchment": _Cut("misc/parchment3", (256, 256), 0, 0, 150, 150),
    "hex": _Cut("gui/hex1", (32, 32), 0, 0, 32, 32),
    "hover": _Cut("gui/hex2", (32, 32), 0, 0, 32, 32),
    "runes": _Cut("misc/script", (256, 16), 0, 0, 256, 16),
    "orb": _Cut("misc/particles", (256, 256), 128, 128, 128, 16),
    "sparkle": _Cut("misc/particles", (256, 256), 0, 80, 256, 16),
    "unknown": _Cut("aspects/_unknown", (ICON_PX, ICON_PX), 0, 0, ICON_PX, ICON_PX),
}
_DIGIT_CUTS = {
    **{f"font/{d}": _Cut("font/ascii", (128, 128), 8 * int(d), 24, 8, 8) for d in DIGITS},
    **{
        f"font-unicode/{d}": _Cut("font/unicode_page_00", (256, 256), 16 * int(d), 48, 16, 16) for d in DIGITS
    },
}
# The two tables of Research Tweaks share one name in the mod's versions; their width tells them apart.
_TWEAKS_SIZES = {"table/tweaks": (342, 245), "table/tweaks-3col": (310, 245)}


def calibrate_thaumcraft(sources: Sequence[Path] | None, name: str) -> tuple[Profile, tuple[str, ...]]:
    """The profile of the game's files, and what a person should look at.

    sources: jars, zips, resource packs or folders, later ones winning; None finds the mod's jar by itself.
    Raises SourceNotFound, SourceInvalid, or CalibrationError when the files hold no aspect or no table.
    """
    paths = find_game_files() if sources is None else tuple(sources)
    profile = profile_from_textures(read_textures(paths), name)
    lines = [f"from {path}" for path in paths]
    lines += review_lines(profile)
    return profile, tuple(lines)


def profile_from_textures(textures: Mapping[str, Texture], name: str) -> Profile:
    """A profile from pictures under the game's own names, (H, W, 4) uint8, BGRA, any resolution.

    Raises CalibrationError when there is no aspect among them.
    """
    templates: dict[str, Icon] = {}
    for texture_name, texture in textures.items():
        if texture_name.startswith("aspects/") and not texture_name.startswith("aspects/_"):
            tag = _tag(texture_name.removeprefix("aspects/"))
            if tag is not None:
                templates[f"aspects/{tag}"] = _tinted(texture, tag)
    if not templates:
        raise CalibrationError(
            "no aspect icon is among the textures",
            hint="give the mod's jar, or a folder with NAME.png for each aspect",
        )
    for template, cut in {**_CUTS, **_DIGIT_CUTS}.items():
        if cut.texture in textures:
            icon = _cut(textures[cut.texture], cut)
            if icon.alpha.any():
                templates[template] = icon
    for texture_name in sorted(textures):
        if texture_name.startswith("research/table/research-table"):
            texture = textures[texture_name]
            template, size = _tweaks_table(texture)
            templates[template] = _cut(texture, _Cut(texture_name, size, 0, 0, size[0], 219))
    return Profile("thaumcraft", name, templates)


# What the pairs that look alike mean for a player.
ALIKE = (
    "icons that look alike may be confused on a small or blurred picture; boardsight then says that the cell is in doubt; "
    "there is nothing to do now"
)


def review_lines(profile: Profile) -> tuple[str, ...]:
    """What was learned, what is missing and which icons look alike, for people."""
    tags = sorted(name.removeprefix("aspects/") for name in profile.templates if name.startswith("aspects/"))
    tables = [ui for ui in ("stock", "tweaks", "tweaks-3col") if f"table/{ui}" in profile.templates]
    lines = [f"{len(tags)} aspects; tables: {', '.join(tables) or 'none'}"]
    missing = sorted(set(VANILLA.components) - set(tags))
    if missing:
        lines.append(f"not learned: {', '.join(missing)}")
    if not tables:
        lines.append("no table: add the mod's jar with --from, or no picture can be read")
    for part, use in (("hex", "free cells"), ("parchment", "notes")):
        if part not in profile.templates:
            lines.append(f"no {part}: {use} cannot be read; add the mod's jar with --from")
    if "font/0" not in profile.templates:
        lines.append(
            "no font/0: Minecraft's own font is missing, so that some numbers in the palette may stay unread; a solution may "
            "then take more than you own; add Minecraft's own jar with another --from"
        )
    alike_pairs = [
        f"look alike: {first} and {second} ({alike:.2f})" for first, second, alike in look_alikes(profile)
    ]
    if alike_pairs:
        lines += [*alike_pairs, ALIKE]
    return tuple(lines)


# The player sees five aspects of GT New Horizons under names that are not their tags.
_SHOWN_AS = {
    "aequalitas": "custom1",
    "vesania": "custom2",
    "primordium": "custom3",
    "astrum": "custom4",
    "gloria": "custom5",
}


def _tag(stem: str) -> str | None:
    """The tag of an icon's file name, None for no aspect that we know."""
    tag = _SHOWN_AS.get(stem, stem)
    return tag if tag in EVERY else None


def _tinted(texture: Texture, tag: str) -> Icon:
    """The icon as the game draws it: grey times colour; one that has a colour of its own is left as it is."""
    icon = _resized(texture, (ICON_PX, ICON_PX))
    grey = icon[:, :, :3].astype(np.float32)
    solid = icon[:, :, 3] > 128
    spread = grey.max(axis=2) - grey.min(axis=2)
    if not (solid.any() and float(spread[solid].mean()) > 24):
        grey *= np.array(EVERY.rgb(tag)[::-1], np.float32) / 255
    return Icon(np.rint(grey).astype(np.uint8), np.ascontiguousarray(icon[:, :, 3]))


def _cut(texture: Texture, cut: _Cut) -> Icon:
    part = _resized(texture, cut.size)[cut.top : cut.top + cut.height, cut.left : cut.left + cut.width]
    return Icon(np.ascontiguousarray(part[:, :, :3]), np.ascontiguousarray(part[:, :, 3]))


def _resized(texture: Texture, size: tuple[int, int]) -> Texture:
    """A texture at another size; colours are weighted by alpha, so that no hidden colour bleeds in."""
    if texture.ndim != 3 or texture.shape[2] != 4 or texture.dtype != np.uint8:
        raise CalibrationError(
            f"a texture must be (H, W, 4) of bytes, not {texture.shape} of {texture.dtype}"
        )
    height, width = texture.shape[:2]
    if (width, height) == size:
        return texture
    method = cv2.INTER_AREA if width > size[0] else cv2.INTER_NEAREST
    alpha = texture[:, :, 3:].astype(np.float32)
    weighed = cv2.resize(texture[:, :, :3].astype(np.float32) * alpha, size, interpolation=method)
    shrunk = cv2.resize(alpha[:, :, 0], size, interpolation=method)
    colour = weighed / np.maximum(shrunk, 1e-3)[:, :, None]
    return np.dstack([np.clip(np.rint(colour), 0, 255), np.rint(shrunk)]).astype(np.uint8)


def _tweaks_table(texture: Texture) -> tuple[str, tuple[int, int]]:
    ratio = texture.shape[1] / texture.shape[0]
    return min(_TWEAKS_SIZES.items(), key=lambda item: abs(item[1][0] / item[1][1] - ratio))
