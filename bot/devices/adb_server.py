"""The adb server: started when it is not running, asked what devices there are, with a deadline on every answer.

Stands on pure-python-adb's connection, whose receiving loop is replaced: it takes short reads for whole ones,
waits for ever, and reads at most 1024 bytes of an error. The protocol is the one of SERVICES.TXT in AOSP's adb.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.errors import CaptureFailed, DeviceError, DeviceNotFound

DEFAULT_PORT = 5037
START_S = 15.0


@dataclass(frozen=True)
class Listed:
    """A device that the server knows. state: "device" when it can be used, else "unauthorized", "offline", ..."""

    serial: str
    state: str


class GivenUp(CaptureFailed):
    """The other side takes too long or sends too much: trying again would take as long again."""


class Wire:
    """One connection to the server. Every call ends within the deadline or raises CaptureFailed.

    Raises DeviceNotFound when nobody listens, DeviceError when the server refuses (its words in the message).
    """

    def __init__(self, port: int, deadline_s: float) -> None:
        from ppadb.connection import Connection

        self._end = time.monotonic() + deadline_s
        self._deadline_s = deadline_s
        self._connection = Connection("127.0.0.1", port, timeout=deadline_s)
        try:
            self._socket: socket.socket = self._connection.connect()
        except RuntimeError as error:
            raise DeviceNotFound(
                f"no adb server answers on port {port}", hint="start it with 'adb start-server'"
            ) from error

    def close(self) -> None:
        self._connection.close()

    def request(self, service: str) -> None:
        """Ask for a service and wait for the server's OKAY."""
        data = service.encode("utf-8")
        with self._timed():
            self._socket.sendall(b"%04x" % len(data) + data)
        status = self.exactly(4)
        if status == b"FAIL":
            raise DeviceError(
                f"adb: {self.block().decode('utf-8', 'replace')}", hint="see 'boardsight doctor adb'"
            )
        if status != b"OKAY":
            raise DeviceError(f"adb answered {status!r} to {service}", hint="restart adb: 'adb kill-server'")

    def block(self) -> bytes:
        """A reply with its length in four hexadecimal digits in front."""
        head = self.exactly(4)
        try:
            length = int(head, 16)
        except ValueError as error:
            raise DeviceError(
                f"adb sent {head!r} for a length", hint="restart adb: 'adb kill-server'"
            ) from error
        return self.exactly(length)

    def exactly(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            part = self._receive(count - len(data))
            if not part:
                raise CaptureFailed(
                    f"adb hung up after {len(data)} of {count} bytes",
                    hint="check the cable, then start again",
                )
            data += part
        return bytes(data)

    def rest(self, most_bytes: int) -> bytes:
        """Everything until the other side hangs up. Raises GivenUp above `most_bytes`."""
        data = bytearray()
        while part := self._receive(1 << 16):
            data += part
            if len(data) > most_bytes:
                raise GivenUp(f"more than {most_bytes} bytes came from adb", hint="restart the device")
        return bytes(data)

    def _receive(self, most: int) -> bytes:
        with self._timed():
            return self._socket.recv(most)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        left = self._end - time.monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
            yield
        except TimeoutError as error:
            raise GivenUp(
                f"adb did not answer within {self._deadline_s:.0f} s",
                hint="unlock the device, check the cable",
            ) from error
        except OSError as error:
            raise CaptureFailed(
                f"the connection to adb broke: {error.strerror or error}",
                hint="check the cable, then start again",
            ) from error


class AdbServer:
    """The adb server on this machine."""

    def __init__(self, port: int | None = None, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self.port = port or _port(self._environ)

    def ask(self, service: str, deadline_s: float = 5.0) -> str:
        """A `host:` service with one block as its answer."""
        wire = Wire(self.port, deadline_s)
        try:
            wire.request(service)
            return wire.block().decode("utf-8", "replace")
        finally:
            wire.close()

    def version(self) -> int:
        return int(self.ask("host:version"), 16)

    def devices(self) -> list[Listed]:
        lines = (line.split("\t") for line in self.ask("host:devices").splitlines())
        return [Listed(parts[0], parts[1]) for parts in lines if len(parts) == 2]

    def transport(self, serial: str, service: str, deadline_s: float, most_bytes: int) -> bytes:
        """Everything a service of the device sends, at most `most_bytes`.

        Raises DeviceNotFound when the device is not usable now, GivenUp when it sends too much or for too long.
        """
        wire = Wire(self.port, deadline_s)
        try:
            try:
                wire.request(f"host:transport:{serial}")
            except CaptureFailed:
                raise
            except DeviceError as error:
                raise DeviceNotFound(f"device {serial}: {error}", hint=_advice(str(error))) from error
            try:
                wire.request(service)
            except CaptureFailed:
                raise
            except DeviceError as error:
                name = service.split(" ")[0]
                raise CaptureFailed(f"device {serial} refused {name}: {error}", hint=error.hint) from error
            return wire.rest(most_bytes)
        finally:
            wire.close()

    def reconnect(self, serial: str) -> None:
        """Ask the server to reconnect this one device; network devices are dropped and dialled again."""
        if ":" in serial:
            self._quietly(f"host:disconnect:{serial}")
            self._quietly(f"host:connect:{serial}")
        else:
            self._quietly(f"host-serial:{serial}:reconnect")

    def _quietly(self, service: str) -> None:
        try:
            self.ask(service)
        except DeviceError:
            # The device stays as it is; whoever waits for it sees its state.
            return

    def ensure_running(self) -> None:
        """Start the server when it is not there. Raises DeviceNotFound, saying where adb was looked for."""
        try:
            self.version()
            return
        except DeviceNotFound:
            pass
        program = find_adb(self._environ)
        if program is None:
            raise DeviceNotFound(
                "no adb server is running and no adb program was found in PATH or the Android SDK",
                hint="install adb (Android platform-tools; Debian: apt install adb), then try again",
            )
        try:
            done = subprocess.run(
                [str(program), "-P", str(self.port), "start-server"],
                capture_output=True,
                text=True,
                timeout=START_S,
                stdin=subprocess.DEVNULL,
                env=dict(self._environ),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DeviceNotFound(
                f"{program} could not start its server: {error}", hint="run 'adb devices'"
            ) from error
        if done.returncode:
            lines = [line.strip() for line in done.stderr.splitlines() if line.strip(" *")]
            # The last lines only say once more that nobody answers.
            reason = next((line for line in lines if "Cannot" in line or "cannot bind" in line), "")
            words = (reason or " ".join(lines))[-200:]
            raise DeviceNotFound(
                f"{program} could not start its server: {words}", hint="run 'adb devices' by hand"
            )
        self.version()


def find_adb(environ: Mapping[str, str]) -> Path | None:
    """The adb program: in PATH, else in the folders where Android's SDK is usually installed."""
    found = shutil.which("adb", path=environ.get("PATH"))
    if found:
        return Path(found)
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or "/")
    roots = [Path(environ[name]) for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT") if environ.get(name)]
    roots += [home / "Android/Sdk", home / "Library/Android/sdk", home / "AppData/Local/Android/Sdk"]
    for root in roots:
        for name in ("adb", "adb.exe"):
            if (root / "platform-tools" / name).is_file():
                return root / "platform-tools" / name
    return None


def _port(environ: Mapping[str, str]) -> int:
    text = environ.get("ANDROID_ADB_SERVER_PORT", "")
    return int(text) if text.isdecimal() and 0 < int(text) < 65536 else DEFAULT_PORT


def _advice(words: str) -> str:
    if "unauthorized" in words:
        return "unlock the phone and allow USB debugging for this computer"
    if "offline" in words:
        return "unplug the device and plug it in again, or run 'adb reconnect'"
    return "plug the device in and switch on USB debugging; 'boardsight devices' lists what is there"
