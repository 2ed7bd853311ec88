"""Processes of this machine, side by side. One that dies with its input takes no other input with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any

from bot.errors import Lost


@dataclass
class _Place:
    """A call and its turn; `future` is another one when it had to be made again."""

    future: Future[Any]
    call: tuple[Any, ...]


class Processes:
    """A pool of processes, each a fresh interpreter; made anew when one of them dies."""

    def __init__(self, count: int) -> None:
        self.slots = count
        self._pool = self._fresh(count)

    def submit(self, call: Callable[..., Any], *arguments: Any) -> _Place:
        with later_ctrl_c():
            try:
                return _Place(self._pool.submit(call, *arguments), (call, *arguments))
            except BrokenProcessPool:
                self._pool = self._fresh(self.slots)
                return _Place(self._pool.submit(call, *arguments), (call, *arguments))

    def result(self, place: _Place) -> Any:
        """What a call returned. Raises Lost when its process dies with it, also when it is alone."""
        try:
            return place.future.result()
        except BrokenProcessPool:
            # Every call under way breaks when a process dies: which one it was shows when each is alone.
            alone = self._fresh(1)
            try:
                with later_ctrl_c():
                    made = alone.submit(*place.call)
                return made.result()
            except BrokenProcessPool as error:
                raise Lost from error
            finally:
                alone.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """End at once, whatever is under way."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()

    def _fresh(self, count: int) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(count, mp_context=context, initializer=_begin)


@contextmanager
def later_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C come after this. Processes that are started here hear nothing of it until they ask for it.

    The mask is what they inherit. It is this thread's alone: another one, of the pool, may still be told of Ctrl-C, for
    which Python would stop us in the middle all the same.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    from multiprocessing import resource_tracker

    # The first process starts this helper of Python as well, which would let Ctrl-C in again for both of them.
    resource_tracker.ensure_running()
    came: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
        if came:
            raise KeyboardInterrupt


def _begin() -> None:
    """Make a new process end silently with Ctrl-C, and with the process that made it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(parent: int) -> None:
    wait([parent])
    os._exit(1)
