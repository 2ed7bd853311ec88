"""The pages: every link and picture is there, and every command they show is one that we have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.cli import COMMANDS

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
