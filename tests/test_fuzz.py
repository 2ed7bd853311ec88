"""Whatever bytes come in, a value or one of our own errors comes out, soon and without eating the memory.

Every decoder that meets bytes from outside is here: pictures, puzzle texts, profiles, jars, what a phone sends, run folders,
bundles, labels. Samples are valid files damaged by hypothesis. `-m slow` tries many more, and lets atheris (coverage-guided,
where it is installed) loose on the same decoders.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.devices.adb_pictures import decode_raw, from_signature
from bot.games import GAMES, may_be
from bot.replay import replay
from bot.scorecard.truth import items_of_label
from calibration import store
from calibration.thaumcraft.sources import read_textures
from solver.errors import BoardsightError
from vision.image import decode, encode_png, is_image

MOST_CPU_S = 1.0
MOST_MIB = 300
# Each decoder is fuzzed for so long under atheris.
ATHERIS_S = 120
ROOT = Path(__file__).resolve().parents[1]


def picture_bytes(data: bytes) -> None:
    is_image(data)
    decode(data, "fuzz")


def phone_bytes(data: bytes) -> None:
    decode_raw(data)


def phone_png(data: bytes) -> None:
    decode(from_signature(data), "fuzz")


def text_bytes(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for game in GAMES.values():
        game.looks_like(text)
        try:
            game.parse_file(text)
        except BoardsightError:
            continue


def profile_bytes(data: bytes) -> None:
    """The first half is the settings file, the second a template."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "templates/aspects").mkdir(parents=True)
        (folder / "profile.toml").write_bytes(data)
        with contextlib.suppress(BoardsightError):
            store.read_folder(folder)
        store._read_again.cache_clear()
        (folder / "profile.toml").write_text('format = 1\ngame = "rings"\nname = "x"\n[settings]\n')
        (folder / "templates/aspects/aer.png").write_bytes(data)
        try:
            store.read_folder(folder)
        finally:
            store._read_again.cache_clear()


def jar_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "mod.jar"
        path.write_bytes(data)
        read_textures([path])


def run_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "frames").mkdir()
        (folder / "frames/00001.png").write_bytes(small_png())
        (folder / "run.jsonl").write_bytes(data)
        replay(folder)


def bundle_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "run.zip"
        path.write_bytes(data)
        replay(path)


def label_bytes(data: bytes) -> None:
    try:
        label = json.loads(data)
        if isinstance(label, dict):
            items_of_label(label)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        # What `labelled` turns into InvalidPuzzle.
        return


@cache
def small_png() -> bytes:
    return encode_png(np.random.default_rng(1).integers(0, 256, (12, 16, 3), np.uint8))


@cache
def pictures() -> tuple[bytes, ...]:
    pixels = np.random.default_rng(1).integers(0, 256, (12, 16, 3), np.uint8)
    packed = [cv2.imencode(end, pixels)[1].tobytes() for end in (".png", ".jpg", ".webp", ".bmp")]
    return (*packed, cv2.imencode(".png", np.dstack([pixels, pixels[:, :, :1]]))[1].tobytes())


@cache
def texts() -> tuple[bytes, ...]:
    boards = [game.practice(random.Random(1)).puzzle for game in GAMES.values()]
    own = [game.unparse(puzzle).encode() for game, puzzle in zip(GAMES.values(), boards, strict=True)]
    has = b"3 3 2\n0 1 0\n0 0 0\n0 1 0\n"
    non = b'width 2\nheight 2\nrows\n1\n2\ncolumns\n2\n1\ngoal "0111"\n'
    xml = (
        b'<?xml version="1.0"?><!DOCTYPE pbn><puzzleset><puzzle><clues type="columns"><line><count>1</count>'
        b'</line></clues><clues type="rows"><line><count>1</count></line></clues></puzzle></puzzleset>'
    )
    return (*own, has, non, xml, b"4x4:1/1/1/1/1/1/1/1", b"7x7m2:a2b3c", b'{"cells": [[0, 0]], "given": {}}')


@cache
def phones() -> tuple[bytes, ...]:
    head = b"".join(n.to_bytes(4, "little") for n in (4, 3, 1))
    return head + bytes(48), head + bytes(4) + bytes(48), head[:8] + b"\4\0\0\0" + bytes(24)


@cache
def zips() -> tuple[bytes, ...]:
    members = {"assets/thaumcraft/textures/aspects/aer.png": pictures()[-1], "run.jsonl": runs()[0]}
    ways = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    return tuple(zipped(members, how) for how in ways)


@cache
def bundles() -> tuple[bytes, ...]:
    return zipped({"run.jsonl": runs()[0], "frames/00001.png": small_png()}), *zips()


def zipped(members: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", how) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


@cache
def runs() -> tuple[bytes, ...]:
    events = [
        {"kind": "run", "format": 1},
        {"kind": "frame", "number": 1, "file": "frames/00001.png", "size": [16, 12], "at_px": [0, 0]},
        {"kind": "board", "game": "rings"},
        {"kind": "profile", "name": "default", "kept": None},
        {"kind": "read", "frame": 1, "error": "BoardNotFound"},
        {"kind": "solve", "solution": {}, "cost": None},
        {"kind": "plan", "frame": 1, "missing": 1, "steps": []},
        {"kind": "act", "actions": [{"kind": "Tap", "at": [1, 2]}]},
        {"kind": "end", "status": "verified"},
    ]
    return ("\n".join(map(json.dumps, events)).encode() + b"\n",)


def profiles() -> tuple[bytes, ...]:
    return b'format = 1\ngame = "rings"\nname = "x"\n[settings]\na_px = 1.5\n', *pictures()


def labels() -> tuple[bytes, ...]:
    return (
        b'{"game": "rings", "status": "no-board"}',
        b'{"islands": [[0, 0, 1], [0, 2, 1]], "bridges": [[0, 0, 0, 2, 1]]}',
        b'{"row_clues": [[1]], "column_clues": [[1]], "cells": ["?"]}',
        b'{"hex": {}, "note": "open", "cells": [{"q": 0, "r": 0, "aspect": null}], "palette": []}',
        json.dumps({"game": "algemy", "puzzle": "shape: square\nsize: 1\n\nR\n"}).encode(),
    )


TARGETS: dict[str, tuple[Callable[[bytes], None], Callable[[], tuple[bytes, ...]]]] = {
    "picture": (picture_bytes, pictures),
    "text": (text_bytes, texts),
    "profile": (profile_bytes, profiles),
    "jar": (jar_bytes, zips),
    "raw screen": (phone_bytes, phones),
    "png screen": (phone_png, pictures),
    "run": (run_bytes, runs),
    "bundle": (bundle_bytes, bundles),
    "label": (label_bytes, labels),
}


@st.composite
def damaged(draw: st.DrawFn, samples: tuple[bytes, ...]) -> bytes:
    """A valid file with some bytes changed, cut out, doubled or put in; now and then any bytes at all."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=400))
    data = bytearray(draw(st.sampled_from(samples)))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 4)):
            case 0:
                data[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
            case 1:
                data[at : at + draw(st.integers(1, 40))] = b""
            case 2:
                data[at:at] = data[at : at + draw(st.integers(1, 60))] * draw(st.integers(1, 20))
            case 3:
                data[at : at + 4] = draw(
                    st.sampled_from((b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", bytes(4)))
                )
            case 4:
                data[at:at] = draw(
                    st.sampled_from((b"9" * 30, b"[" * 2000, b'"', b"\n", b"-1", b"1e999", b"NaN"))
                )
    return bytes(data)


def survive(target: Callable[[bytes], None], data: bytes) -> None:
    """A value or an error of ours, within the processor time and memory allowed."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    try:
        target(data)
    except BoardsightError as error:
        assert str(error), "an error without words"
    assert time.process_time() - began < MOST_CPU_S
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MIB * 1024


def try_many(name: str, count: int) -> None:
    target, samples = TARGETS[name]

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=count < 1000,
        suppress_health_check=list(HealthCheck),
    )
    @given(damaged(samples()))
    def run(data: bytes) -> None:
        survive(target, data)

    run()


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files_give_a_value_or_an_error_of_ours(name: str) -> None:
    try_many(name, 120)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_many_damaged_files_give_a_value_or_an_error_of_ours(name: str) -> None:
    try_many(name, 5000)


ATHERIS = """
import sys, atheris
with atheris.instrument_imports(include=["bot", "calibration", "solver", "vision"]):
    from tests import test_fuzz as fuzz
target = fuzz.TARGETS[sys.argv.pop()][0]
atheris.Setup(sys.argv, lambda data: fuzz.survive(target, data))
atheris.Fuzz()
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_atheris_finds_nothing(name: str, tmp_path: Path) -> None:
    """Guided by what our code does with it, from the undamaged samples on."""
    pytest.importorskip("atheris", reason="atheris is not installed: uv pip install atheris")
    for number, data in enumerate(TARGETS[name][1]()):
        (tmp_path / str(number)).write_bytes(data)
    command = [sys.executable, "-c", ATHERIS, str(tmp_path), "-max_len=8192"]
    command += [f"-max_total_time={ATHERIS_S}", f"-artifact_prefix={tmp_path}/", name]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")

    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("name", TARGETS)
def test_the_undamaged_samples_are_survived(name: str) -> None:
    target, samples = TARGETS[name]

    for data in samples():
        survive(target, data)


def hostile_pictures() -> dict[str, bytes]:
    """Pictures that say they are huge, or are."""
    png = bytearray(small_png())
    png[16:24] = b"\x7f\xff\xff\xff" * 2
    bmp = bytearray(pictures()[3])
    bmp[18:26] = b"\xff\xff\xff\x7f" * 2
    flat = cv2.imencode(".png", np.zeros((5000, 5000, 3), np.uint8))[1].tobytes()
    return {"PNG of 2^31": bytes(png), "BMP of 2^31": bytes(bmp), "25 million px in 80 kB": flat}


@pytest.mark.parametrize("data", hostile_pictures().values(), ids=hostile_pictures().keys())
def test_a_picture_that_swells_stays_within_bounds(data: bytes) -> None:
    survive(picture_bytes, data)


def test_settings_of_a_profile_may_not_nest_without_end() -> None:
    survive(profile_bytes, b"a = " + b"[" * 50_000)


@pytest.mark.parametrize("name", ["picture", "profile", "png screen", "jar", "bundle"])
def test_a_png_chunk_that_says_it_is_huge_is_given_no_room(name: str) -> None:
    claim = bytearray(pictures()[-1])
    at = claim.index(b"IDAT")
    claim[at - 4 : at] = b"\x7f\xff\xff\xff"
    packed = {
        "jar": zipped({"assets/thaumcraft/textures/aspects/aer.png": bytes(claim)}),
        "bundle": zipped({"run.jsonl": runs()[0], "frames/00001.png": bytes(claim)}),
    }

    survive(TARGETS[name][0], packed.get(name, bytes(claim)))


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"cells": ' + "[" * 100_000,
        "9999999999x9999999999:1",
        "1000000x1:" + "1/" * 1000,
        "<!DOCTYPE a ["
        + "".join(f"<!ENTITY x{n} '&x{n - 1};&x{n - 1};'>" for n in range(1, 40))
        + "]><a>&x39;</a>",
        "width 99999999\nheight 99999999\nrows\n1\ncolumns\n1\n",
        "9" * 5000,
        "ring a 1e400 1 1 3\n" * 50,
        "\x00" * 1000,
        " " * 60_000 + "x",
        "x" + "\n" * 60_000,
        "9" * 1_000_000,
        "9" * 100_000 + "x" * 100_000,
    ],
    ids=[
        "deep",
        "deep cells",
        "huge board",
        "wide board",
        "billion laughs",
        "huge .non",
        "digits",
        "infinite",
        "nul",
        "spaces",
        "empty lines",
        "a million digits",
        "a long name",
    ],
)
def test_hostile_texts_are_refused_quickly(text: str) -> None:
    survive(text_bytes, text.encode())
    survive(any_game_of, text.encode())


def any_game_of(data: bytes) -> object:
    """Which games a text may be a puzzle of."""
    return [name for name in GAMES if may_be(name, data.decode())]


def hostile_zips() -> dict[str, bytes]:
    """Archives that leave their folder, link, repeat themselves or swell."""
    icon = "assets/thaumcraft/textures/aspects/{}.png"

    def packed(*members: tuple[str, bytes]) -> bytes:
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members:
                archive.writestr(name, data)
        return content.getvalue()

    link = zipfile.ZipInfo(icon.format("aer"))
    link.external_attr = 0o120777 << 16
    linked = io.BytesIO()
    with zipfile.ZipFile(linked, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    return {
        "leaves": packed(("../../" + icon.format("aer"), pictures()[-1])),
        "absolute": packed(("/" + icon.format("aer"), pictures()[-1])),
        "swells": packed((icon.format("aer"), bytes(50_000_000))),
        "many": packed(*((icon.format(f"a{n}"), b"") for n in range(3000))),
        "link": linked.getvalue(),
        "no zip": b"PK\x03\x04" + bytes(100),
        "not a picture": packed((icon.format("aer"), b"#!/bin/sh")),
    }


@pytest.mark.parametrize("data", hostile_zips().values(), ids=hostile_zips().keys())
def test_a_hostile_archive_is_survived_and_writes_nothing(data: bytes, tmp_path: Path) -> None:
    survive(jar_bytes, data)
    survive(bundle_bytes, data)
