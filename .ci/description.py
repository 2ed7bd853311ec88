"""The package's long description: the README for readers who have no clone beside it.

A package index shows no picture and follows no link that is relative to the README. Under `Repository` of `[project.urls]`
both become absolute; as long as no address is there, pictures go, with their captions, and links become plain words.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# A picture on a line of its own, with the line in italics below it that describes it.
PICTURE = re.compile(r"^!\[(?P<words>[^\]]*)\]\((?P<path>[^)]+)\)\n\n(?P<caption>\*[^*]+\*\n\n)?", re.M)
LINK = re.compile(r"(?<!!)\[(?P<words>[^\]]+)\]\((?!https://)(?P<path>[^)]+)\)")


def description(readme: str, address: str | None) -> str:
    """The README with absolute addresses under that of the repository, or without pictures and links."""
    if address is None:
        return LINK.sub(r"\g<words>", PICTURE.sub("", readme))
    # The forms that GitHub and GitLab understand; HEAD is the newest commit of the main branch.
    root = address.rstrip("/")
    pictured = PICTURE.sub(rf"![\g<words>]({root}/raw/HEAD/\g<path>)\n\n\g<caption>", readme)
    return LINK.sub(rf"[\g<words>]({root}/blob/HEAD/\g<path>)", pictured)


class Description(MetadataHookInterface):
    """What hatchling calls when it needs the fields that pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets `readme`."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = description(readme, metadata.get("urls", {}).get("Repository"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
