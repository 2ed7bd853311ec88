"""Web games that others wrote, played in a real Chromium window by somebody who has never met them.

The pages stay in the shared material. Each says itself whether its board is solved. Boards by chance are others in every
run; BOARDSIGHT_SEED repeats one.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.play import UNSAID
from tests import real_page
from tests.chromium import Browser
from tests.laboratory import live
from tests.shared_data import REQUIRE_REAL, SHARED, needs_shared

MISSING = real_page.missing() or live.missing()

pytestmark = [
    pytest.mark.real,
    pytest.mark.long,
    needs_shared,
    pytest.mark.skipif(bool(MISSING) and not REQUIRE_REAL, reason=MISSING),
]


class Page(NamedTuple):
    """address: below the folder of pages. title: of its window. solved: script that is true once its board is.

    own: its board is by chance, may have many solutions, and has to become the one that it was made of.
    """

    address: str
    title: str
    solved: str
    own: bool = False


BRIDGES = Page(
    "hashi-konst/index.html",
    "Hashiwokakero",
    "document.getElementById('message').innerText.includes('ongratulations')",
)
HANDSOME = "['row', 'column'].every(side => game.hints[side].every(line => line.isCorrect))"
DONE = "document.querySelector('.celebrate') !== null"
PAGES = {
    "hashi-konst": BRIDGES,
    "nonogram-sam": Page("nonogram-sam/nonogram.html", "Nonogram", "solved", own=True),
    "nonogram-handsome": Page("nonogram-handsome/game.html?1", "nonogram.Game", HANDSOME),
    "nonogram-davidje13": Page(
        "nonogram-davidje13/index.html#name=Folder&rules=R_8CPB-fwgwAcIMAHCDAB34GfsSwNiWm4Wm4Wm4UG-A",
        "Folder",
        DONE,
    ),
}


SEED = int(os.environ["BOARDSIGHT_SEED"])
# Chance of the page's own script, from a seed (the multiplier and step are those of Numerical Recipes).
CHANCE = """<script>
  { let state = SEED >>> 0; Math.random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32; }
</script>""".replace("SEED", str(SEED))


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files, pages with the chance of the seed."""

    def do_GET(self) -> None:
        file = Path(self.translate_path(self.path))
        if file.suffix != ".html" or not file.is_file():
            super().do_GET()
            return
        page = file.read_text("utf-8").replace("<head>", f"<head>{CHANCE}", 1).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the pages are served: on this machine alone, since modules of script are not loaded from files."""
    handler = partial(_Quiet, directory=str(SHARED / "pages"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module", autouse=True)
def windows(display: str) -> Iterator[None]:
    assert not MISSING, MISSING
    with real_page.window_manager():
        yield


@pytest.mark.parametrize(
    ("name", "zoom", "scheme"),
    [
        ("hashi-konst", "1", "light"),
        ("hashi-konst", "0.67", "dark"),
        ("hashi-konst", "1.5", "light"),
        ("nonogram-sam", "1", "light"),
        ("nonogram-sam", "1.5", "dark"),
        ("nonogram-handsome", "0.67", "dark"),
        ("nonogram-handsome", "1", "light"),
        ("nonogram-handsome", "1.5", "light"),
        ("nonogram-davidje13", "0.67", "light"),
        ("nonogram-davidje13", "1", "dark"),
        ("nonogram-davidje13", "1.5", "light"),
        ("nonogram-davidje13", "1.5", "dark"),
    ],
)
def test_a_page_of_others_is_played_until_it_says_itself_that_it_is_solved(
    tmp_path: Path, address: str, name: str, zoom: str, scheme: str
) -> None:
    page = PAGES[name]
    with shown(f"{address}/{page.address}", page.title, zoom, scheme) as browser:
        assert not browser.says(page.solved)

        outcome = real_page.play_desktop(tmp_path, f"desktop:{page.title}")

        assert outcome["status"] in ("verified", "finished")
        assert browser.says(page.solved) or (page.own and UNSAID in outcome["remarks"])


def test_what_was_learned_of_a_page_is_used_for_its_next_board_in_another_size(
    tmp_path: Path, address: str
) -> None:
    page, kept = PAGES["nonogram-handsome"], []
    for number, zoom in (("0", "1.5"), ("1", "0.67")):
        with shown(f"{address}/{page.address[:-1]}{number}", page.title, zoom, "dark") as browser:
            real_page.play_desktop(tmp_path, f"desktop:{page.title}")
            assert browser.says(page.solved)
        kept.append({path: path.read_bytes() for path in tmp_path.glob("profiles/**/*.toml")})

    assert len(kept[0]) == 1
    assert kept[0] == kept[1]


@contextmanager
def shown(url: str, title: str, zoom: str, scheme: str) -> Iterator[Browser]:
    """A browser with a fresh profile, with nothing but this page in its window."""
    dark = ["--force-dark-mode", "--enable-features=WebContentsForceDark"] if scheme == "dark" else []
    options = (
        *real_page.QUIET, "--window-size=1100,900", "--window-position=0,0",
        f"--force-device-scale-factor={zoom}", *dark, f"--app={url}",
    )  # fmt: skip
    with Browser(*options) as browser:
        real_page.wait_for_title(title, 60)
        # The window is there before its first picture.
        time.sleep(1.5)
        yield browser
