"""What this program must never do, looked for in its own source, and what strangers' words must never become."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.actions import Action, Drag, Key, Move, Tap, Wait
from bot.devices.adb import STATUS_WORD, AdbDevice
from bot.errors import DeviceError
from solver.errors import BoardsightError
from vision.frame import Point

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("bot", "vision", "solver", "calibration")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
# Modules that run what they read, or that listen.
FORBIDDEN_MODULES = {
    "pickle", "cPickle", "dill", "marshal", "shelve", "joblib", "cloudpickle", "yaml", "ruamel", "jsonpickle",
    "http.server", "socketserver", "xmlrpc", "asyncio", "flask", "uvicorn", "telnetlib", "ftplib",
}  # fmt: skip
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_METHODS = {
    "popen",
    "listen",
    "bind",
    "create_server",
    "unsafe_load",
    "fromfile",
}


@cache
def trees() -> list[tuple[str, ast.Module]]:
    return [
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCES
    ]


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Every call with the last part of what is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            yield node, called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def imported(tree: ast.Module) -> set[str]:
    """First words of everything a module imports."""
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in names}


def test_nothing_that_runs_what_it_reads_is_imported() -> None:
    found = []
    for name, tree in trees():
        for node in ast.walk(tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                modules.append(node.module)
            found += [
                f"{name}: {module}"
                for module in modules
                if module in FORBIDDEN_MODULES or module.split(".")[0] in FORBIDDEN_MODULES
            ]

    assert found == []


def test_nothing_is_evaluated_and_nobody_is_listened_to() -> None:
    found = []
    for name, tree in trees():
        # Tkinter binds keys to functions; a socket cannot be bound where there is none.
        methods = FORBIDDEN_METHODS - ({"bind"} if "socket" not in imported(tree) else set())
        for node, called in calls(tree):
            is_method = isinstance(node.func, ast.Attribute)
            # `re.compile` is another thing, and so is `platform.system`.
            is_shell = called == "system" and getattr(getattr(node.func, "value", None), "id", "") == "os"
            if is_shell or (not is_method and called in FORBIDDEN_CALLS) or (is_method and called in methods):
                found.append(f"{name}:{node.lineno}: {called}")

    assert found == []


def test_arrays_are_loaded_without_objects() -> None:
    found = []
    for name, tree in trees():
        for node, called in calls(tree):
            owner = getattr(getattr(node.func, "value", None), "id", "")
            if called == "load" and owner in ("np", "numpy"):
                said = {keyword.arg: keyword.value for keyword in node.keywords}
                value = said.get("allow_pickle")
                if not (isinstance(value, ast.Constant) and value.value is False):
                    found.append(f"{name}:{node.lineno}")

    assert found == []


def test_programs_are_started_without_a_shell() -> None:
    for name, tree in trees():
        for node, _ in calls(tree):
            for keyword in node.keywords:
                is_false = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
                assert keyword.arg != "shell" or is_false, f"{name}:{node.lineno}"


def test_the_linter_watches_over_it_too() -> None:
    settings_of = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]

    assert "S" in settings_of["select"]
    # pickle, marshal, exec, eval, yaml, shell: none of these rules is switched off.
    watched = {"S301", "S302", "S102", "S307", "S506", "S602", "S604", "S605"}
    assert not watched & set(settings_of["ignore"])
    assert not set(settings_of.get("per-file-ignores", {}))


NUMBER = r"-?\d{1,6}"
# Every command that may ever be sent to a device.
COMMANDS = re.compile(
    rf"input tap {NUMBER} {NUMBER}"
    rf"|input (?:swipe|draganddrop) {NUMBER} {NUMBER} {NUMBER} {NUMBER} \d{{1,7}}"
    rf"|input motionevent (?:DOWN|MOVE|UP) {NUMBER} {NUMBER}"
    r"|input keyevent KEYCODE_[A-Z0-9_]{1,16}"
    r"|sleep \d{1,6}\.\d{3}"
)


class Listener:
    """Takes the place of the adb server and keeps what it would have been told."""

    def __init__(self) -> None:
        self.services: list[str] = []

    def transport(self, serial: str, service: str, deadline_s: float, most_bytes: int) -> bytes:
        self.services.append(service)
        return f"{STATUS_WORD}=0\n".encode()


def sent(action: Action) -> list[str]:
    """The single commands that an action becomes; empty when it is refused."""
    server = Listener()
    device = AdbDevice(server, "serial")  # type: ignore[arg-type]
    device._frame_size = device._input_size = (1080, 2400)
    try:
        device.act([action])
    except BoardsightError:
        return []
    commands = []
    for service in server.services:
        whole = re.fullmatch(rf"shell:\((.*)\) 2>&1; echo {STATUS_WORD}=\$\?", service, re.S)
        assert whole, service
        commands += whole[1].split(" && ")
    return commands


NUMBERS = st.floats(-1e7, 1e7) | st.sampled_from((float("nan"), float("inf"), -float("inf"), 1e308))
PLACES = st.builds(Point, NUMBERS, NUMBERS) | st.builds(Point, st.floats(0, 1079), st.floats(0, 2399))
TIMES = st.floats(0, 30) | NUMBERS
HOSTILE_NAMES = st.sampled_from(
    ("a; reboot", "$(reboot)", "`id`", "A\nrm -rf /", "enter && id", "é", "", "KEYCODE_A", "0x")
)
ACTIONS = (
    st.builds(Tap, PLACES, TIMES)
    | st.builds(Drag, st.lists(PLACES, min_size=2, max_size=4).map(tuple), TIMES)
    | st.builds(Key, HOSTILE_NAMES | st.text(max_size=12) | st.sampled_from(("enter", "a", "7")))
    | st.builds(Move, PLACES)
    | st.builds(Wait, TIMES)
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(ACTIONS)
def test_whatever_is_to_be_done_only_known_commands_reach_the_device(action: Action) -> None:
    for command in sent(action):
        assert COMMANDS.fullmatch(command), command


@pytest.mark.parametrize(
    "name", ["a; reboot", "$(reboot)", "`id`", "A\nrm -rf /", "ENTER && id", "KEYCODE_A", "Ａ"]
)
def test_a_key_that_is_a_command_is_refused(name: str) -> None:
    assert sent(Key(name)) == []


def test_the_commands_that_are_sent_are_the_ones_that_were_meant() -> None:
    assert sent(Tap(Point(10.6, 20.2))) == ["input tap 10 20"]
    assert sent(Key("enter")) == ["input keyevent KEYCODE_ENTER"]
    assert sent(Wait(0.5)) == ["sleep 0.500"]


@pytest.mark.parametrize("serial", ["x\nhost:kill", "a" * 70_000, "emu;id", "\x00"])
def test_a_serial_number_is_only_ever_a_name(serial: str) -> None:
    """It goes into one length-prefixed request, never into a shell."""
    from bot.devices.adb_server import AdbServer

    class Nobody(AdbServer):
        def __init__(self) -> None:
            self.port = 1

    with pytest.raises((DeviceError, BoardsightError)):
        AdbDevice(Nobody(), serial).capture()


def test_no_file_of_ours_needs_objects_to_be_loaded() -> None:
    files = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.np[yz]"))

    assert files
    for path in files:
        with np.load(path, allow_pickle=False) as stored:
            assert all(stored[name].dtype != object for name in stored.files)


def test_every_dependency_has_its_licence_told() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = (ROOT / "docs/licences.md").read_text(encoding="utf-8").lower()

    for requirement in project["dependencies"]:
        name = re.match(r"[A-Za-z0-9._-]+", requirement)
        assert name and f"| {name[0].lower()} |" in table, requirement
    for extra in project["optional-dependencies"].values():
        for requirement in extra:
            assert re.split(r"[<>=\[]", requirement)[0] in table
