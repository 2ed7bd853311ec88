"""Processes on other machines: a Dask scheduler hands the inputs out, and hands them out again when a worker is lost.

Dask sends code and data unprotected: use it in a network where everybody is trusted. The files are read here and sent
along, so that the workers need none of them; they need boardsight in the same version.
"""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from typing import Any

from bot.errors import Lost, WrongUsage
from bot.processes import later_ctrl_c

LOCAL = "local"
# A client of another address ends with a traceback of its own, after a long wait.
ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?[^/\s]+:\d{1,5}")
CONNECT_S = 20
PATIENCE_S = 5


class Cluster:
    """The workers of a Dask scheduler; `local` starts one with `jobs` processes on this machine. Raises WrongUsage."""

    def __init__(self, address: str, jobs: int) -> None:
        if address != LOCAL and not ADDRESS.fullmatch(address):
            raise WrongUsage(
                f"--cluster {address!r}: no address of a scheduler", hint="as in tcp://host:8786, or 'local'"
            )
        try:
            import distributed
        except ImportError as error:
            raise WrongUsage(
                "--cluster needs Dask, which is not installed", hint="pip install 'boardsight[cluster]'"
            ) from error
        self._lost = distributed.scheduler.KilledWorker
        self._client: Any = None
        self._own: Any = None
        try:
            if address == LOCAL:
                with later_ctrl_c():
                    self._own = distributed.LocalCluster(
                        n_workers=jobs,
                        threads_per_worker=1,
                        # Its page of figures is always served: here alone, and on any port that is free.
                        dashboard_address="127.0.0.1:0",
                        host="127.0.0.1",
                        silence_logs=50,
                    )
            self._client = distributed.Client(self._own or address, timeout=CONNECT_S, set_as_default=False)
            told = self._client.run(version, "boardsight")
        except (TimeoutError, OSError, ValueError, ImportError) as error:
            self.stop()
            raise WrongUsage(
                f"--cluster {address}: {str(error) or 'no answer'}",
                hint="name the scheduler, as in tcp://host:8786, or 'local'; its workers need boardsight as well",
            ) from error
        others = {worker: its for worker, its in told.items() if its != version("boardsight")}
        if others or not told:
            self.stop()
            what = f"{len(others)} workers have another version of boardsight" if told else "no workers"
            raise WrongUsage(
                f"--cluster {address}: {what}", hint="start workers with this version: dask worker ADDRESS"
            )
        self.slots = sum(self._client.nthreads().values())

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return self._client.submit(call, *arguments, pure=False)

    def result(self, place: Any) -> Any:
        """What a call returned. Raises Lost when worker after worker was lost with it."""
        try:
            return place.result()
        except self._lost as error:
            raise Lost from error
        finally:
            place.release()

    def stop(self) -> None:
        """End at once, whatever is under way."""
        for one in (self._client, self._own):
            # What does not answer is left to its own end.
            with suppress(TimeoutError, OSError):
                if one is not None:
                    one.close(timeout=PATIENCE_S)
        for child in multiprocessing.active_children():
            child.terminate()
