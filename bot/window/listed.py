"""The left part of the window: what can be looked at, each with a small picture."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from bot.window.choices import Choice, others, windows
from bot.window.toolkit import photo_of

THUMB = (96, 64)
CHOSEN = "#c9ddf5"
# A phone that does not answer is not waited for any longer than this when the window is closed.
CLOSE_S = 5.0


class ChoiceList:
    """Two buttons and a list below them. choose: called with a SOURCE; open_picture: asks for a file."""

    def __init__(
        self,
        root: Any,
        side: int,
        scale: float,
        choose: Callable[[str], object],
        open_picture: Callable[[], object],
    ) -> None:
        self._root, self._choose = root, choose
        self._tk, ttk = import_module("tkinter"), import_module("tkinter.ttk")
        self._thumb = round(THUMB[0] * scale), round(THUMB[1] * scale)
        self._wide = side - round(50 * scale)
        self._buttons: dict[str, Any] = {}
        self._photos: list[Any] = []
        self._chosen = ""
        self._open = True
        self._fresh: list[Choice] | None = None
        frame = ttk.Frame(root, width=side, padding=6)
        frame.pack(side="left", fill="y")
        frame.pack_propagate(False)
        row = ttk.Frame(frame)
        row.pack(fill="x")
        ttk.Button(row, text="Picture…", width=9, command=open_picture).pack(side="left")
        ttk.Button(row, text="Refresh", width=9, command=self.refresh).pack(side="right")
        holder = self._tk.Canvas(frame, highlightthickness=0)
        bar = ttk.Scrollbar(frame, orient="vertical", command=holder.yview)
        holder.configure(yscrollcommand=bar.set)
        bar.pack(side="right", fill="y", pady=6)
        holder.pack(side="left", fill="both", expand=True, pady=6)
        self._list = ttk.Frame(holder)
        holder.create_window(0, 0, window=self._list, anchor="nw")
        self._list.bind("<Configure>", lambda event: holder.configure(scrollregion=holder.bbox("all")))
        self._scrolled = holder
        for wheel, step in (("<MouseWheel>", 0), ("<Button-4>", -1), ("<Button-5>", 1)):
            root.bind_all(wheel, lambda event, step=step: self._scroll(event, step))
        # Our own window is not on the screen yet: the others are seen without it.
        seen = list(windows(*self._thumb))
        self._fill(seen)
        self._look(seen)

    def refresh(self) -> None:
        """List what there is."""
        self._look(None)

    def _look(self, seen: list[Choice] | None) -> None:
        """List the windows that were seen, or look for them, and everything else, in the background: phones may take
        seconds to answer."""

        def work() -> None:
            found = list(windows(*self._thumb)) if seen is None else list(seen)
            for one in others(*self._thumb):
                if not self._open:
                    return
                found.append(one)
                self._fresh = list(found)

        self._thread = threading.Thread(target=work, name="choices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look for no more. What is being drawn is waited for: OpenCV cannot be left in the middle of something."""
        self._open = False
        self._thread.join(CLOSE_S)

    def tick(self) -> None:
        """Show what was found since the last time."""
        if self._fresh is not None:
            found, self._fresh = self._fresh, None
            self._fill(found)

    def mark(self, source: str) -> None:
        """Show which one is looked at."""
        self._chosen = source
        for of, button in self._buttons.items():
            button.configure(background=CHOSEN if of == source else self._list_colour)

    @property
    def _list_colour(self) -> str:
        return str(self._scrolled.cget("background"))

    def _fill(self, found: list[Choice]) -> None:
        for old in self._list.winfo_children():
            old.destroy()
        self._photos, self._buttons = [], {}
        for one in found:
            picture = None if one.pixels is None else photo_of(one.pixels, self._root)
            self._photos.append(picture)
            button = self._tk.Button(
                self._list,
                text=one.title,
                image=picture or "",
                compound="top",
                wraplength=self._wide,
                width=self._wide,
                relief="flat",
                command=lambda source=one.source: self._choose(source),
            )
            button.pack(fill="x", pady=2)
            self._buttons[one.source] = button
        self.mark(self._chosen)

    def _scroll(self, event: Any, step: int) -> None:
        """The wheel moves the list when the mouse is over it."""
        under = str(self._root.winfo_containing(event.x_root, event.y_root) or "")
        if under.startswith(str(self._scrolled)):
            self._scrolled.yview_scroll(step or (-1 if event.delta > 0 else 1), "units")
