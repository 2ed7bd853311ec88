"""Profiles are learned from the game's own files, kept in folders, and nothing hostile gets in."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import store
from calibration.errors import CalibrationError, ProfileInvalid, ProfileNotFound
from calibration.thaumcraft.sources import (
    SourceInvalid,
    SourceNotFound,
    find_game_files,
    launcher_folders,
    read_textures,
    texture_name,
)
from calibration.thaumcraft.textures import calibrate_thaumcraft, profile_from_textures
from solver.thaumcraft import VANILLA
from tests.shared_data import SHARED, needs_shared
from vision.profile import Icon, Profile

TEXTURES = SHARED / "thaumcraft" / "textures"


@pytest.fixture(autouse=True)
def user_profiles(tmp_path, monkeypatch):
    folder = tmp_path / "user-profiles"
    monkeypatch.setenv(store.ENVIRONMENT, str(folder))
    return folder


def icon(seed: int, side: int = 8) -> Icon:
    random = np.random.default_rng(seed)
    return Icon(
        random.integers(0, 256, (side, side, 3), dtype=np.uint8),
        random.integers(0, 256, (side, side), dtype=np.uint8),
    )


def png(width: int = 4, height: int = 4, channels: int = 4) -> bytes:
    return cv2.imencode(".png", np.full((height, width, channels), 200, np.uint8))[1].tobytes()


def jar(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


AER = "assets/thaumcraft/textures/aspects/aer.png"
TABLE = "assets/thaumcraft/textures/gui/guiresearchtable2.png"


class TestStore:
    def test_a_saved_profile_loads_the_same(self):
        saved = Profile("rings", "mine", {"aspects/aer": icon(1), "hex": icon(2)}, {"gap_px": 2.5})
        folder = store.save(saved)
        loaded = store.load("rings", "mine")
        assert folder.parts[-2:] == ("rings", "mine")
        assert loaded.settings == {"gap_px": 2.5}
        assert set(loaded.templates) == {"aspects/aer", "hex"}
        assert np.array_equal(loaded.templates["hex"].pixels, saved.templates["hex"].pixels)
        assert np.array_equal(loaded.templates["aspects/aer"].alpha, saved.templates["aspects/aer"].alpha)

    def test_saving_again_replaces_everything(self):
        store.save(Profile("rings", "mine", {"old": icon(1)}))
        store.save(Profile("rings", "mine", {"new": icon(2)}))
        assert set(store.load("rings", "mine").templates) == {"new"}

    @pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError(28, "No space left on device")])
    def test_what_comes_in_between_leaves_the_older_one(self, stop, monkeypatch):
        folder = store.save(Profile("rings", "mine", {"old": icon(1)}))
        rename = Path.rename

        def cut_off(path, target):
            if path.name == "new":
                raise stop
            return rename(path, target)

        with monkeypatch.context() as stopped, pytest.raises((KeyboardInterrupt, CalibrationError)) as said:
            stopped.setattr(Path, "rename", cut_off)
            store.save(Profile("rings", "mine", {"new": icon(2)}))
        assert set(store.load("rings", "mine").templates) == {"old"}
        assert [path.name for path in folder.parent.iterdir()] == ["mine"]
        assert isinstance(said.value, KeyboardInterrupt) or "BOARDSIGHT_PROFILES" in said.value.hint

    def test_the_users_profile_wins_over_a_shipped_one(self, tmp_path, monkeypatch):
        monkeypatch.setattr(store, "SHIPPED", tmp_path / "shipped")
        store.save(Profile("rings", "mine", {}, {"x": 1}), tmp_path / "shipped" / "rings" / "mine")
        assert store.load("rings", "mine").settings == {"x": 1}
        store.save(Profile("rings", "mine", {}, {"x": 2}))
        assert store.load("rings", "mine").settings == {"x": 2}

    def test_games_that_are_measured_always_have_a_profile(self):
        assert [profile.name for profile in store.candidates("bridges")] == ["default"]
        assert store.load("nonogram", "default").templates == {}

    def test_an_unknown_name_says_which_are_known(self):
        with pytest.raises(ProfileNotFound, match="known: default"):
            store.load("bridges", "nope")

    def test_a_damaged_profile_is_named_and_left_out(self, user_profiles):
        folder = store.save(Profile("rings", "mine", {"hex": icon(1)}))
        (folder / "templates" / "hex.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
        with pytest.raises(ProfileInvalid, match=r"hex\.png"):
            store.load("rings", "mine")
        assert [profile.name for profile in store.candidates("rings")] == ["default"]

    @pytest.mark.parametrize(
        "text",
        ["", "format = 2", "not toml [", 'format = 1\ngame = "a"\nname = "b"\n[settings]\nx = "y"'],
        ids=["empty", "newer format", "no toml", "setting is a text"],
    )
    def test_a_strange_profile_file_is_refused(self, user_profiles, text):
        folder = user_profiles / "rings" / "mine"
        folder.mkdir(parents=True)
        (folder / "profile.toml").write_text(text)
        with pytest.raises(ProfileInvalid):
            store.load("rings", "mine")

    @pytest.mark.parametrize("name", ["..", "a/b", "", "/etc"])
    def test_names_that_leave_the_folder_are_refused(self, name):
        with pytest.raises(CalibrationError):
            store.save(Profile("rings", name))
        with pytest.raises(CalibrationError):
            store.save(Profile("rings", "mine", {f"../{name}": icon(1)}))


class TestSources:
    def test_names_are_the_games_own(self):
        assert texture_name(AER) == "aspects/aer"
        assert texture_name("assets/forbidden/textures/aspects/ira.png") == "aspects/ira"
        assert texture_name("anything/misc/parchment3.png") == "misc/parchment3"
        assert texture_name("assets/thaumcraft/textures/blocks/aer.png") is None
        assert texture_name("assets/thaumcraft/textures/aspects/aer.txt") is None

    def test_later_sources_win(self, tmp_path):
        first = jar(tmp_path / "mod.jar", {AER: png(4), TABLE: png(8)})
        second = jar(tmp_path / "pack.zip", {AER: png(6)})
        textures = read_textures([first, second])
        assert {name: texture.shape for name, texture in textures.items()} == {
            "aspects/aer": (4, 6, 4),
            "gui/guiresearchtable2": (4, 8, 4),
        }

    def test_folders_of_any_depth_and_plain_icons_are_read(self, tmp_path):
        deep = tmp_path / "pack" / "assets" / "thaumcraft" / "textures" / "aspects"
        deep.mkdir(parents=True)
        (deep / "aer.png").write_bytes(png())
        plain = tmp_path / "plain"
        plain.mkdir()
        (plain / "Ignis.png").write_bytes(png(channels=3))
        assert set(read_textures([tmp_path / "pack", plain])) == {"aspects/aer", "aspects/ignis"}
        assert set(read_textures([deep])) == {"aspects/aer"}

    def test_a_source_without_textures_is_refused(self, tmp_path):
        with pytest.raises(SourceInvalid, match="no texture"):
            read_textures([jar(tmp_path / "other.jar", {"a.txt": b"a"})])
        with pytest.raises(SourceNotFound):
            read_textures([tmp_path / "missing.jar"])

    @pytest.mark.parametrize("name", ["/aspects/aer.png", "../aspects/aer.png", "C:/aspects/aer.png"])
    def test_members_that_leave_the_archive_are_refused(self, tmp_path, name):
        with pytest.raises(SourceInvalid, match="leaves the archive"):
            read_textures([jar(tmp_path / "bad.zip", {name: png()})])

    def test_links_are_refused(self, tmp_path):
        link = zipfile.ZipInfo("aspects/aer.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
            archive.writestr(link, "/etc/passwd")
        with pytest.raises(SourceInvalid, match="is a link"):
            read_textures([tmp_path / "bad.zip"])

    def test_bombs_are_refused(self, tmp_path):
        bomb = jar(tmp_path / "bomb.zip", {AER: png()[:8] + bytes(3_000_000)})
        with pytest.raises(SourceInvalid, match="far more"):
            read_textures([bomb])
        with pytest.raises(SourceInvalid, match="too many"):
            read_textures([jar(tmp_path / "big.zip", {AER: bytes(5_000_000)})])

    def test_pictures_that_claim_to_be_huge_are_refused(self, tmp_path):
        content = bytearray(png())
        content[16:24] = (60_000).to_bytes(4, "big") * 2
        with pytest.raises(SourceInvalid, match="reasonable size"):
            read_textures([jar(tmp_path / "huge.zip", {AER: bytes(content)})])

    def test_damaged_archives_are_refused(self, tmp_path):
        good = io.BytesIO()
        with zipfile.ZipFile(good, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(AER, png(64, 64))
        damaged = bytearray(good.getvalue())
        damaged[60:90] = bytes(30)
        (tmp_path / "damaged.jar").write_bytes(damaged)
        with pytest.raises(SourceInvalid):
            read_textures([tmp_path / "damaged.jar"])

    @pytest.mark.parametrize(
        ("platform", "inside"),
        [
            ("linux", ".local/share/PrismLauncher/instances/GTNH/.minecraft/mods"),
            ("linux", ".minecraft/mods/1.7.10"),
            ("darwin", "Library/Application Support/ATLauncher/instances/Pack/mods"),
            ("darwin", "Documents/curseforge/minecraft/Instances/Pack/mods"),
            ("win32", "AppData/Roaming/.technic/modpacks/pack/mods"),
            ("win32", "AppData/Roaming/gdlauncher_carbon/data/instances/Pack/instance/mods"),
        ],
    )
    def test_the_mod_is_found_in_launchers_folders(self, tmp_path, platform, inside):
        mods = tmp_path / inside
        mods.mkdir(parents=True)
        mod = jar(mods / "Thaumcraft-1.7.10-4.2.3.5.jar", {AER: png(), TABLE: png()})
        addon = jar(mods / "ForbiddenMagic.jar", {"assets/forbidden/textures/aspects/ira.png": png()})
        jar(mods / "other.jar", {"a.txt": b"a"})
        (mods / "broken.jar").write_bytes(b"no archive")
        places = launcher_folders(platform, tmp_path, {})
        assert find_game_files(places) == (mod, addon)

    def test_without_the_mod_the_places_are_named(self, tmp_path):
        (tmp_path / ".minecraft").mkdir()
        with pytest.raises(SourceNotFound, match=r"\.minecraft"):
            find_game_files(launcher_folders("linux", tmp_path, {}))


class TestThaumcraftTextures:
    def test_icons_are_grey_times_colour(self):
        grey = np.full((32, 32, 4), 255, np.uint8)
        profile = profile_from_textures({"aspects/ignis": grey}, "mine")
        assert profile.templates["aspects/ignis"].pixels[0, 0].tolist() == [1, 90, 255]

    def test_packs_of_another_resolution_come_out_in_the_games_size(self):
        textures = {
            "aspects/aer": np.full((128, 128, 4), 255, np.uint8),
            "research/table/research-table": np.full((490, 684, 4), 9, np.uint8),
            "research/table/research-table-old": np.full((245, 310, 4), 9, np.uint8),
        }
        templates = profile_from_textures(textures, "mine").templates
        assert {name: icon.pixels.shape for name, icon in templates.items()} == {
            "aspects/aer": (32, 32, 3),
            "table/tweaks": (219, 342, 3),
            "table/tweaks-3col": (219, 310, 3),
        }

    def test_without_an_aspect_there_is_no_profile(self):
        with pytest.raises(CalibrationError, match="no aspect"):
            profile_from_textures({"gui/hex1": np.zeros((32, 32, 4), np.uint8)}, "mine")

    @needs_shared
    def test_a_jar_of_the_mod_teaches_everything_but_the_tables_of_other_mods(self, tmp_path):
        members = {
            f"assets/thaumcraft/textures/{path.relative_to(TEXTURES).as_posix()}": path.read_bytes()
            for folder in ("aspects", "gui", "misc")
            for path in sorted((TEXTURES / folder).glob("*.png"))
        }
        mod = jar(tmp_path / "Thaumcraft.jar", members)
        profile, lines = calibrate_thaumcraft([mod], "vanilla")
        tags = {name.removeprefix("aspects/") for name in profile.templates if name.startswith("aspects/")}
        assert tags == set(VANILLA.components)
        assert lines[1] == "48 aspects; tables: stock"
        assert "look alike: perditio and vacuos (0.91)" in lines

    @needs_shared
    def test_the_folder_of_textures_teaches_all_tables_and_survives_saving(self):
        profile, _ = calibrate_thaumcraft([TEXTURES], "all")
        store.save(profile)
        loaded = store.load("thaumcraft", "all")
        assert set(loaded.templates) == set(profile.templates)
        assert {
            "table/stock",
            "table/tweaks",
            "table/tweaks-3col",
            "font/0",
            "runes",
            "aspects/custom1",
        } <= set(loaded.templates)
