"""The pages: every link and picture is there, and every command they show is one that we have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.cli import COMMANDS, command

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text())

    for link in links:
        assert link.startswith("https://") or (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_shown_exist(page: Path) -> None:
    text = page.read_text()
    code = [*re.findall(r"```sh\n(.*?)```", text, re.S), *re.findall(r"^ {4}(.*)$|`([^`\n]+)`", text, re.M)]
    lines = "\n".join(part if isinstance(part, str) else "\n".join(part) for part in code)

    shown = re.findall(r"^\s*(?:uv run )?boardsight ([a-z-]+)", lines, re.M)

    assert set(shown) <= {*COMMANDS, "--version", "--install-completion"}


def options_of(name: str) -> set[str]:
    return {word for one in command(name).params for word in one.opts if word.startswith("--")}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_told_of_on_a_page(name: str) -> None:
    told = "\n".join(page.read_text() for page in PAGES if page.name != "programs-met.md")

    untold = {option for option in options_of(name) if not re.search(rf"{option}(?![\w-])", told)}

    assert untold == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_are_shown_exist(page: Path) -> None:
    for name, rest in re.findall(r"\bboardsight ([a-z]+)\b([^`|\n#]*)", page.read_text()):
        if name in COMMANDS:
            assert set(re.findall(r"(?<![\w-])--[a-z-]+", rest)) <= options_of(name), rest
