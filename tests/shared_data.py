"""Where the shared test material is, and what to do when it is not there.

A stranger's clone has no shared folder: tests that need it skip. With BOARDSIGHT_REQUIRE_REAL=1 (CI)
they fail.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
REQUIRE_REAL = os.environ.get("BOARDSIGHT_REQUIRE_REAL") == "1"

# With REQUIRE_REAL the tests run and fail on the missing files, which is what CI wants to hear.
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir() and not REQUIRE_REAL, reason="the shared test material is not beside the project"
)


def textures_jar(path: Path) -> None:
    """The textures of the shared material, as they lie in the mod's jar."""
    path.parent.mkdir(parents=True)
    textures = SHARED / "thaumcraft/textures"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(textures.rglob("*.png")):
            archive.write(file, f"assets/thaumcraft/textures/{file.relative_to(textures)}")
