"""What a package index shows of the project: its metadata, built as `uv build` builds them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# An address that nobody has (RFC 2606).
ADDRESS = "https://example.org/somebody/boardsight"
PARTS = ("pyproject.toml", "README.md", "LICENSE", ".ci/description.py")
BUILD = "from hatchling.build import prepare_metadata_for_build_wheel as build; print(build('out'))"


def metadata(folder: Path, urls: str = "") -> Message:
    """The fields of METADATA, with these lines as the project's table of addresses, whatever stands in it today."""
    for part in PARTS:
        (folder / part).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / part, folder / part)
    settings, tables = re.subn(
        r"^\[project\.urls\]\n[^\[]*",
        f"[project.urls]\n{urls}\n\n",
        (ROOT / "pyproject.toml").read_text(),
        flags=re.M,
    )
    assert tables == 1
    (folder / "pyproject.toml").write_text(settings)
    (folder / "out").mkdir()

    subprocess.run([sys.executable, "-c", BUILD], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    [file] = folder.glob("out/*/METADATA")
    return message_from_string(file.read_text(encoding="utf-8"))


def targets(text: str) -> list[tuple[str, str]]:
    """("!" for a picture, where it leads) of every picture and link."""
    return re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", text)


def test_without_an_address_the_description_has_no_dead_picture_or_link(tmp_path: Path) -> None:
    built = metadata(tmp_path)

    text = built.get_payload()

    assert built.get_all("Project-URL") is None
    assert {where for _, where in targets(text)} == {"https://docs.astral.sh/uv/"}
    assert "docs/pictures" not in text
    assert "*Made by" not in text and "*Practice boards" not in text
    # All that is no picture is there, word for word.
    assert text.count("\n## ") == (ROOT / "README.md").read_text().count("\n## ")
    assert "| Thaumcraft 4 research | Minecraft window, stock and Research Tweaks tables |" in text


def test_one_line_with_an_address_makes_all_pictures_and_links_absolute(tmp_path: Path) -> None:
    readme = targets((ROOT / "README.md").read_text())

    built = metadata(tmp_path, f'Repository = "{ADDRESS}"')

    assert built.get_all("Project-URL") == [f"Repository, {ADDRESS}"]
    there = targets(built.get_payload())
    assert len(there) == len(readme) > 30
    for (picture, path), (as_picture, where) in zip(readme, there, strict=True):
        kind = "raw" if picture else "blob"
        assert (as_picture, where) == (
            picture,
            path if path.startswith("https:") else f"{ADDRESS}/{kind}/HEAD/{path}",
        )
        assert path.startswith("https:") or (ROOT / path).is_file()


def test_the_classifiers_name_the_pythons_that_are_asked_for(tmp_path: Path) -> None:
    built = metadata(tmp_path)

    assert built["Requires-Python"] == ">=3.11"
    assert built["Description-Content-Type"] == "text/markdown"
    classifiers = built.get_all("Classifier") or []
    assert [c.rsplit(" ", 1)[1] for c in classifiers if "Python :: 3." in c] == ["3.11", "3.12", "3.13"]
    needed = [one for one in built.get_all("Requires-Dist") or [] if "extra ==" not in one]
    bounded = {re.match(r"[\w-]+", one).group() for one in needed if "<" in one or "==" in one}  # type: ignore[union-attr]
    assert {"numpy", "opencv-python", "mss", "typer", "pyautogui", "pure-python-adb"} == bounded


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git tells what is committed")
def test_the_source_package_holds_what_is_committed_and_nothing_else(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    build = f"from hatchling.build import build_sdist; print(build_sdist({str(tmp_path)!r}))"

    subprocess.run([sys.executable, "-c", build], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)

    [file] = tmp_path.glob("*.tar.gz")
    with tarfile.open(file) as package:
        there = {name.split("/", 1)[1] for name in package.getnames()}
    assert there == {*listed.stdout.split("\n")} - {""} | {"PKG-INFO"}
