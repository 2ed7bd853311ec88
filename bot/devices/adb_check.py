"""`doctor adb`: the whole way to the device, one thing after the other; nothing is touched."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from bot.devices.adb import AdbDevice, open_adb
from bot.devices.adb_server import AdbServer, find_adb
from bot.devices.finding import Finding
from bot.errors import DeviceError
from vision.errors import VisionError

WAIT_S = 3.0
WAYS = {False: "PNG", True: "raw"}


def check_adb(
    serial: str | None = None, server: AdbServer | None = None, environ: Mapping[str, str] | None = None
) -> Iterator[Finding]:
    """Program, server, device, display, picture and input in turn, each as soon as it is known.

    What cannot be looked at without something before it is left out.
    """
    server = server or AdbServer()
    program = find_adb(os.environ if environ is None else environ)
    # A server that runs already is enough.
    yield Finding("program", True, str(program) if program else "not in PATH, not in the Android SDK")
    try:
        server.ensure_running()
        yield Finding("server", True, f"version {server.version()} on port {server.port}")
    except DeviceError as error:
        yield Finding("server", False, str(error), error.hint)
        return
    try:
        device = open_adb(serial, server, wait_s=WAIT_S)
        yield Finding("device", True, device.serial)
    except DeviceError as error:
        yield Finding("device", False, str(error), error.hint)
        return
    for what, look in (("display", _display), ("picture", _picture), ("input", _input)):
        try:
            yield Finding(what, True, look(device))
        except (DeviceError, VisionError) as error:
            yield Finding(what, False, str(error), error.hint)


def _display(device: AdbDevice) -> str:
    sizes = device.display_sizes()
    told = ", ".join(f"{name.lower()} {size} px" for name, size in sizes.items())
    return told or "'wm size' says nothing; touches are counted in px of the picture"


def _picture(device: AdbDevice) -> str:
    width, height = device.capture().size
    times = device.time_pictures()
    told = ", ".join(f"{WAYS[raw]} {seconds:.2f} s" for raw, seconds in sorted(times.items()))
    return f"{width} x {height} px; {told}"


def _input(device: AdbDevice) -> str:
    device.check_input()
    return "taps are let through"
