"""Finds and opens the game's own picture files: jars, zips, resource packs and folders.

What comes out is a mapping from the game's own relative names ("aspects/aer", "gui/hex1") to pixels.
Several sources stack, later ones win. Archives come from strangers, so every member is checked before it is
unpacked: no links, no paths that leave the archive, bounded count, size and compression ratio, and nothing is
ever written to the disk.
"""

from __future__ import annotations

import os
import stat
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

import cv2
import numpy as np
import numpy.typing as npt

from calibration.archives import DAMAGED_ZIP, PACKED
from calibration.errors import CalibrationError
from calibration.files import open_regular, own_folder, read_bytes, shortened
from vision.errors import UnreadableImage
from vision.image import decode_png

Texture = npt.NDArray[np.uint8]

MOST_MEMBERS = 200_000
MOST_PICTURES = 4000
MOST_PICTURE_BYTES = 4_000_000
MOST_PICTURE_PX = 4096 * 4096
MOST_TOTAL_BYTES = 100_000_000
MOST_RATIO = 200
MOST_FOLDER_ENTRIES = 50_000

ARCHIVES = (".jar", ".zip")
_FOLDERS = ("aspects", "gui", "misc", "research", "font")


class SourceNotFound(CalibrationError):
    """No such file, or the game's files were not found where launchers keep them."""


class SourceInvalid(CalibrationError):
    """A source is damaged, too large, or tries to leave its own folder."""


def read_textures(sources: Sequence[Path]) -> dict[str, Texture]:
    """Every texture of the sources, later sources winning: name -> (H, W, 4) uint8, BGRA.

    Raises SourceNotFound or SourceInvalid; SourceInvalid also when a source holds no texture we know.
    """
    textures: dict[str, Texture] = {}
    for source in sources:
        found = _read_source(source)
        if not found:
            raise SourceInvalid(
                f"{source} holds no texture of the game",
                hint="give the mod's jar, a resource pack, or a folder with aspects/, gui/ and misc/",
            )
        textures.update(found)
    return textures


def texture_name(path: str) -> str | None:
    """The game's own name of a picture file, or None for one that is no business of ours.

    >>> texture_name("assets/thaumcraft/textures/aspects/aer.png")
    'aspects/aer'
    >>> texture_name("pack/research/table/research-table.png")
    'research/table/research-table'
    >>> texture_name("assets/minecraft/textures/items/coal.png") is None
    True
    """
    pure = PurePosixPath(path.replace("\\", "/"))
    if pure.suffix.lower() != ".png" or pure.name.startswith("."):
        return None
    stem = pure.name[:-4].lower()
    if stem.startswith("research-table") and "tutorial" not in stem:
        return f"research/table/{stem}"
    folders = [part.lower() for part in pure.parts[:-1]]
    for index in range(len(folders) - 1, -1, -1):
        folder = folders[index]
        if folder.startswith("aspects"):
            return None if "." in stem or folders[index + 1 :] else f"aspects/{stem}"
        if folder in _FOLDERS:
            return "/".join([*folders[index:], stem])
        if folder == "textures":
            return None
    return None


def decode(content: bytes, name: str) -> Texture:
    """PNG -> (H, W, 4) uint8, BGRA. Raises SourceInvalid when it is no PNG of a reasonable size."""
    try:
        pixels = decode_png(content, name, MOST_PICTURE_PX)
    except UnreadableImage as error:
        raise SourceInvalid(str(error)) from error
    if pixels.dtype == np.uint16:
        pixels = (pixels // 257).astype(np.uint8)
    if pixels.ndim == 2:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGRA)
    elif pixels.shape[2] == 3:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)
    return np.ascontiguousarray(pixels.astype(np.uint8))


def find_game_files(roots: Iterable[Path] | None = None) -> tuple[Path, ...]:
    """Archives that make up the game's looks, lowest first: Minecraft's own jar, addon mods, Thaumcraft.

    roots: folders of launchers' instances; None looks where the usual launchers keep them.
    Raises SourceNotFound when no Thaumcraft jar is found, naming the places that were looked at.
    """
    places = tuple(launcher_folders() if roots is None else roots)
    for mods in mods_folders(places):
        jars = sorted((path for path in _inside(mods) if path.suffix.lower() in ARCHIVES), key=_age)
        thaumcraft = [jar for jar in jars if _looks_like_thaumcraft(jar)]
        if thaumcraft:
            others = [jar for jar in jars if jar not in thaumcraft and _has_aspects(jar)]
            return (*_minecraft_jars(places), *thaumcraft[-1:], *others)
    looked = ", ".join(shortened(place) for place in places if os.path.isdir(place))
    raise SourceNotFound(
        f"no Thaumcraft 4 jar was found in {looked}"
        if looked
        else "no Thaumcraft 4 jar was found: none of the usual launchers has a folder here",
        hint="point at it: boardsight calibrate thaumcraft --from path/to/Thaumcraft-1.7.10-4.2.3.5.jar",
    )


def launcher_folders(
    platform: str = sys.platform, home: Path | None = None, environ: Mapping[str, str] = os.environ
) -> tuple[Path, ...]:
    """Where vanilla, Prism, MultiMC, CurseForge, ATLauncher, Technic and GDLauncher keep instances."""
    home = own_folder(Path.home) if home is None else home
    if platform.startswith("win"):
        return _on_windows(home, environ)
    return _on_macos(home) if platform == "darwin" else _on_linux(home, environ)


def _on_windows(home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
    """What `launcher_folders` tells on Windows."""
    roaming = Path(environ.get("APPDATA", home / "AppData" / "Roaming"))
    local = Path(environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    return (
        roaming / ".minecraft",
        roaming / "PrismLauncher" / "instances",
        roaming / "PolyMC" / "instances",
        roaming / "MultiMC" / "instances",
        home / "MultiMC" / "instances",
        home / "curseforge" / "minecraft" / "Instances",
        home / "Documents" / "Curse" / "Minecraft" / "Instances",
        roaming / "ATLauncher" / "instances",
        home / "ATLauncher" / "instances",
        roaming / ".technic" / "modpacks",
        roaming / "gdlauncher_next" / "instances",
        roaming / "gdlauncher_carbon" / "data" / "instances",
        local / "Programs" / "PrismLauncher" / "instances",
    )


def _on_macos(home: Path) -> tuple[Path, ...]:
    """What `launcher_folders` tells on macOS."""
    support = home / "Library" / "Application Support"
    return (
        support / "minecraft",
        support / "PrismLauncher" / "instances",
        support / "PolyMC" / "instances",
        support / "MultiMC" / "instances",
        Path("/Applications/MultiMC.app/Data/instances"),
        home / "Documents" / "curseforge" / "minecraft" / "Instances",
        support / "ATLauncher" / "instances",
        support / "technic" / "modpacks",
        support / "gdlauncher_next" / "instances",
        support / "gdlauncher_carbon" / "data" / "instances",
    )


def _on_linux(home: Path, environ: Mapping[str, str]) -> tuple[Path, ...]:
    """What `launcher_folders` tells anywhere else."""
    share = Path(environ.get("XDG_DATA_HOME", home / ".local" / "share"))
    config = Path(environ.get("XDG_CONFIG_HOME", home / ".config"))
    flatpak = home / ".var" / "app"
    return (
        home / ".minecraft",
        share / "PrismLauncher" / "instances",
        flatpak / "org.prismlauncher.PrismLauncher" / "data" / "PrismLauncher" / "instances",
        share / "PolyMC" / "instances",
        share / "multimc" / "instances",
        home / "MultiMC" / "instances",
        home / "Documents" / "curseforge" / "minecraft" / "Instances",
        home / "curseforge" / "minecraft" / "Instances",
        share / "ATLauncher" / "instances",
        share / "atlauncher" / "instances",
        home / "ATLauncher" / "instances",
        home / ".technic" / "modpacks",
        config / "gdlauncher_next" / "instances",
        share / "gdlauncher_carbon" / "data" / "instances",
    )


def mods_folders(places: Iterable[Path]) -> Iterator[Path]:
    """The `mods` folders (also `mods/1.7.10`) of launcher folders, each instance in turn."""
    for place in places:
        instances = [place, *(path for path in _inside(place) if os.path.isdir(path))]
        for instance in instances:
            for inner in ("mods/1.7.10", "mods", ".minecraft/mods", "minecraft/mods", "instance/mods"):
                if os.path.isdir(instance / inner):
                    yield instance / inner


def _inside(folder: Path) -> list[Path]:
    """What is in a folder, sorted; nothing where it is not there or may not be looked into."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _read_source(source: Path) -> dict[str, Texture]:
    if os.path.isdir(source):
        return _read_folder(source)
    if not os.path.isfile(source):
        raise SourceNotFound(f"{source}: no such file or folder")
    if not zipfile.is_zipfile(source):
        raise SourceInvalid(f"{source} is neither a folder nor a jar or zip")
    return _read_archive(source)


def _read_archive(source: Path) -> dict[str, Texture]:
    textures: dict[str, Texture] = {}
    total = 0
    try:
        with zipfile.ZipFile(source) as archive:
            members = archive.infolist()
            if len(members) > MOST_MEMBERS:
                raise SourceInvalid(f"{source}: {len(members)} members, at most {MOST_MEMBERS} are read")
            for member in members:
                name = texture_name(member.filename)
                if name is None or member.is_dir():
                    continue
                _check_member(source, member)
                total += member.file_size
                if total > MOST_TOTAL_BYTES or len(textures) >= MOST_PICTURES:
                    raise SourceInvalid(f"{source}: too many pictures or bytes for a mod")
                with archive.open(member) as stream:
                    content = stream.read(member.file_size + 1)
                if len(content) != member.file_size:
                    raise SourceInvalid(f"{source}: {member.filename} is not as long as it says")
                _add(textures, name, content, f"{source}: {member.filename}")
    except DAMAGED_ZIP as error:
        raise SourceInvalid(f"{source}: a damaged archive ({error})") from error
    return textures


def _check_member(source: Path, member: zipfile.ZipInfo) -> None:
    """Raises SourceInvalid for a member that is a link, leaves the archive or unpacks to far too much."""
    name = member.filename.replace("\\", "/")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise SourceInvalid(f"{source}: {member.filename} is a link")
    if name.startswith("/") or ":" in name or ".." in PurePosixPath(name).parts:
        raise SourceInvalid(f"{source}: {member.filename} leaves the archive")
    if member.compress_type not in PACKED:
        raise SourceInvalid(f"{source}: {member.filename} is packed in a way that jars are not")
    if member.file_size > MOST_PICTURE_BYTES:
        raise SourceInvalid(f"{source}: {member.filename} has {member.file_size} bytes, too many")
    if member.file_size > 100_000 and member.file_size > MOST_RATIO * max(1, member.compress_size):
        raise SourceInvalid(f"{source}: {member.filename} unpacks to far more than a picture would")


def _read_folder(source: Path) -> dict[str, Texture]:
    """A folder laid out like the game's, at any depth, or a plain folder of NAME.png icons."""
    textures: dict[str, Texture] = {}
    base = source.name
    plain: list[Path] = []
    for count, path in enumerate(sorted(_walk(source))):
        if count >= MOST_FOLDER_ENTRIES:
            raise SourceInvalid(f"{source}: more than {MOST_FOLDER_ENTRIES} files, not a texture folder")
        inner = path.relative_to(source).as_posix()
        # The folder itself may be the one that counts: `--from textures/aspects`.
        name = texture_name(inner) or texture_name(f"{base}/{inner}")
        if name is not None:
            _add(textures, name, _small(path), str(path))
        elif path.parent == source and path.suffix.lower() == ".png" and "." not in path.stem:
            plain.append(path)
    if not any(name.startswith("aspects/") for name in textures):
        for path in plain:
            _add(textures, f"aspects/{path.stem.lower()}", _small(path), str(path))
    return textures


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        for name in names:
            path = Path(root) / name
            if not path.is_symlink():
                yield path


def _small(path: Path) -> bytes:
    try:
        return read_bytes(path, MOST_PICTURE_BYTES)
    except UnreadableImage as error:
        raise SourceInvalid(str(error), hint=error.hint) from error


def _add(textures: dict[str, Texture], name: str, content: bytes, origin: str) -> None:
    # The same folder names hold pictures that are no business of ours; a broken one of those is no error.
    if name.startswith(("aspects/", "research/table/research-table")) or name in _NEEDED:
        textures[name] = decode(content, origin)


_NEEDED = (
    "gui/guiresearchtable2",
    "gui/hex1",
    "gui/hex2",
    "misc/parchment3",
    "misc/script",
    "misc/particles",
    "font/ascii",
    "font/unicode_page_00",
)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _members(jar: Path) -> list[str]:
    try:
        with open_regular(jar) as file, zipfile.ZipFile(file) as archive:
            return archive.namelist()
    except (*DAMAGED_ZIP, UnreadableImage):
        return []


def _looks_like_thaumcraft(jar: Path) -> bool:
    return "assets/thaumcraft/textures/gui/guiresearchtable2.png" in _members(jar)


def _has_aspects(jar: Path) -> bool:
    names = (texture_name(name) for name in _members(jar))
    return any(
        name is not None and name.startswith(("aspects/", "research/table/research-table")) for name in names
    )


def _minecraft_jars(places: Iterable[Path]) -> tuple[Path, ...]:
    """Minecraft 1.7.10's own jar, which holds the font, where a launcher keeps it."""
    found: list[Path] = []
    for place in places:
        for root in (place, place.parent):
            for inner in (
                "versions/1.7.10/1.7.10.jar",
                "libraries/com/mojang/minecraft/1.7.10/minecraft-1.7.10-client.jar",
            ):
                if os.path.isfile(root / inner) and not found:
                    found.append(root / inner)
    return tuple(found)
