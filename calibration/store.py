"""Keeps profiles: loads, saves, lists and picks profile folders.

A profile is a folder `profiles/<game>/<name>/` with `profile.toml` (format version, game, name, settings)
and `templates/**/*.png` (BGRA; a sub-folder is part of the template's name, "aspects/aer"). Shipped ones live
beside this module and hold only pictures we may share; the user's own live in the user's configuration folder
(or where the environment variable BOARDSIGHT_PROFILES points) and win over a shipped one of the same name.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import platformdirs

from calibration.errors import CalibrationError, ProfileInvalid, ProfileNotFound
from calibration.files import own_folder, read_bytes
from vision.errors import UnreadableImage
from vision.image import decode_png
from vision.profile import Icon, Profile

FORMAT = 1
ENVIRONMENT = "BOARDSIGHT_PROFILES"
SHIPPED = Path(__file__).parent / "profiles"

# Bounds on what is read from a profile folder: far above any real profile, far below what hurts.
MOST_TEMPLATES = 2000
MOST_TEMPLATE_PX = 2_000_000
MOST_TEMPLATE_BYTES = 8_000_000
MOST_SETTINGS_BYTES = 200_000

# The built-in profile of a game whose symbols need no templates: its reader measures colours and shapes.
DEFAULT = "default"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PART = re.compile(r"[A-Za-z0-9_#.+-]{1,64}")

_log = logging.getLogger(__name__)


def user_folder() -> Path:
    """Where the user's own profiles are kept; it need not exist yet."""
    override = os.environ.get(ENVIRONMENT)
    if override:
        return own_folder(Path(override).expanduser)
    return own_folder(lambda: platformdirs.user_config_dir("boardsight", appauthor=False)) / "profiles"


def available(measured: Iterable[str] = ()) -> list[tuple[str, str, Path | None]]:
    """(game, name, folder) of every profile, the user's winning over a shipped one of the same name, sorted.

    measured: games that need no templates; the folder is None for the built-in "default" of such a game.
    """
    found: dict[tuple[str, str], Path | None] = {(game, DEFAULT): None for game in measured}
    for root in (SHIPPED, user_folder()):
        for folder in _profile_folders(root):
            found[folder.parent.name, folder.name] = folder
    return sorted(((game, name, folder) for (game, name), folder in found.items()), key=lambda row: row[:2])


def comes_along(profile: Profile) -> bool:
    """Whether a profile is a shipped one, which nobody learned here: that of the practice boards."""
    return any(
        (game, name) == (profile.game, profile.name) and folder is not None and folder.is_relative_to(SHIPPED)
        for game, name, folder in available()
    )


def candidates(game: str, *, measured: bool = True) -> tuple[Profile, ...]:
    """Every usable profile of a game, the user's own before shipped ones.

    measured: whether the game needs no templates. A damaged profile is logged and left out.
    """
    entries = [(name, folder) for found, name, folder in _of(game, measured)]
    entries.sort(key=lambda entry: (entry[1] is None or entry[1].is_relative_to(SHIPPED), entry[0]))
    profiles: list[Profile] = []
    for name, folder in entries:
        try:
            profiles.append(Profile(game, name) if folder is None else read_folder(folder))
        except ProfileInvalid as error:
            _log.warning("profile %s/%s is left out: %s", game, name, error)
    return tuple(profiles)


def load(game: str, name: str, *, measured: bool = True) -> Profile:
    """The profile of that name; `measured` as for `candidates`.

    Raises ProfileNotFound, or ProfileInvalid when its files are damaged.
    """
    for _, known, folder in _of(game, measured):
        if known == name:
            return Profile(game, name) if folder is None else read_folder(folder)
    names = ", ".join(known for _, known, _ in _of(game, measured)) or "none"
    raise ProfileNotFound(
        f"no profile {name!r} for {game}; known: {names}",
        hint="'boardsight profiles' lists them; 'boardsight learn' and 'calibrate' make one",
    )


def _of(game: str, measured: bool) -> list[tuple[str, str, Path | None]]:
    return [entry for entry in available([game] if measured else ()) if entry[0] == game]


def save(profile: Profile, folder: Path | None = None) -> Path:
    """Writes a profile to `folder` (None: the user's, by game and name) in one step; returns the folder.

    An older profile in that place is replaced. Raises CalibrationError when the name cannot be a folder's
    name or the files cannot be written.
    """
    for word in (profile.game, profile.name):
        if not _NAME.fullmatch(word):
            raise CalibrationError(
                f"{word!r} cannot name a profile", hint="use letters, digits, dots, dashes and underscores"
            )
    target = folder if folder is not None else user_folder() / profile.game / profile.name
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            fresh = work / "new"
            _write_folder(profile, fresh)
            if target.exists():
                target.rename(work / "old")
            fresh.rename(target)
        finally:
            # Where Ctrl-C or another run came in between, the older one stays.
            if (work / "old").exists() and not target.exists():
                (work / "old").rename(target)
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        raise CalibrationError(
            f"the profile cannot be written to {target}: {error.strerror}",
            hint="make room there, or give it a place of its own: the variable BOARDSIGHT_PROFILES",
        ) from error
    _read_again.cache_clear()
    return target


def read_folder(folder: Path) -> Profile:
    """The profile in a folder. Raises ProfileInvalid when a file is damaged, too large or not ours."""
    try:
        stamp = max(path.stat().st_mtime_ns for path in (folder, folder / "profile.toml"))
    except OSError as error:
        raise ProfileInvalid(f"{folder}: no profile.toml there") from error
    return _read_again(folder, stamp)


@lru_cache(maxsize=32)
def _read_again(folder: Path, stamp: int) -> Profile:
    """`read_folder`, remembered as long as the folder has not changed (`stamp`: ns)."""
    settings_file = folder / "profile.toml"
    if settings_file.is_symlink():
        raise ProfileInvalid(f"{settings_file}: a link")
    try:
        record = tomllib.loads(read_bytes(settings_file, MOST_SETTINGS_BYTES).decode("utf-8"))
    except (UnreadableImage, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ProfileInvalid(f"{settings_file}: {error}") from error
    if record.get("format") != FORMAT:
        raise ProfileInvalid(
            f"{settings_file}: format {record.get('format')!r}, this program reads format {FORMAT}",
            hint="calibrate again",
        )
    game, name = record.get("game"), record.get("name")
    if not (isinstance(game, str) and isinstance(name, str)):
        raise ProfileInvalid(f"{settings_file}: game and name must be texts")
    settings = record.get("settings", {})
    if not isinstance(settings, dict) or not all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in settings.values()
    ):
        raise ProfileInvalid(f"{settings_file}: every setting must be a number")
    return Profile(
        game=game,
        name=name,
        templates=dict(_templates(folder / "templates")),
        settings={key: float(value) for key, value in settings.items()},
    )


def _templates(folder: Path) -> Iterator[tuple[str, Icon]]:
    paths = sorted(folder.rglob("*.png")) if folder.is_dir() else []
    if len(paths) > MOST_TEMPLATES:
        raise ProfileInvalid(f"{folder}: {len(paths)} templates, at most {MOST_TEMPLATES} are read")
    for path in paths:
        if path.is_symlink() or not path.is_file():
            raise ProfileInvalid(f"{path}: not a plain file")
        yield path.relative_to(folder).with_suffix("").as_posix(), _icon(path)


def _icon(path: Path) -> Icon:
    import numpy as np

    try:
        pixels = decode_png(read_bytes(path, MOST_TEMPLATE_BYTES), str(path), MOST_TEMPLATE_PX)
    except UnreadableImage as error:
        raise ProfileInvalid(str(error)) from error
    if pixels.ndim != 3 or pixels.shape[2] != 4 or pixels.dtype != np.uint8:
        raise ProfileInvalid(f"{path}: not a PNG with four channels of 8 bits")
    return Icon(np.ascontiguousarray(pixels[:, :, :3]), np.ascontiguousarray(pixels[:, :, 3]))


def _write_folder(profile: Profile, folder: Path) -> None:
    import cv2
    import numpy as np

    for made in (folder, folder / "templates"):
        made.mkdir(mode=0o700)
    lines = [f"format = {FORMAT}", f"game = {json.dumps(profile.game)}", f"name = {json.dumps(profile.name)}"]
    lines += ["", "[settings]"]
    lines += [f"{json.dumps(key)} = {float(value)!r}" for key, value in sorted(profile.settings.items())]
    (folder / "profile.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, icon in sorted(profile.templates.items()):
        parts = name.split("/")
        if not all(_PART.fullmatch(part) and set(part) != {"."} for part in parts):
            raise CalibrationError(f"{name!r} cannot name a template")
        path = (folder / "templates").joinpath(*parts[:-1], f"{parts[-1]}.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        written, content = cv2.imencode(".png", np.dstack([icon.pixels, icon.alpha]))
        if not written:
            raise CalibrationError(f"template {name!r} cannot be written as PNG")
        path.write_bytes(content.tobytes())


def _profile_folders(root: Path) -> Iterator[Path]:
    """Folders `<root>/<game>/<name>` that hold a profile.toml."""
    try:
        games = sorted(path for path in root.iterdir() if path.is_dir() and _NAME.fullmatch(path.name))
        for game in games:
            for folder in sorted(game.iterdir()):
                if _NAME.fullmatch(folder.name) and (folder / "profile.toml").is_file():
                    yield folder
    except OSError:
        return
