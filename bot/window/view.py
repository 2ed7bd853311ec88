"""`boardsight window`: the same as the command line, for people who look rather than type."""

from __future__ import annotations

import time
import webbrowser
from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import platformdirs

from bot.games import GAMES
from bot.messages import write_file
from bot.report import page
from bot.told import Word
from bot.window.choices import TITLE, is_under_ours, window_box
from bot.window.desk import Desk
from bot.window.events import Asked, Ended, Event, Idle, Moved, Said, Shown, board_of
from bot.window.hotkey import stop_key
from bot.window.listed import ChoiceList
from bot.window.place import TITLE_PX, beside, overlap
from bot.window.toolkit import fitted, open_root, photo_of, scale_style, until_closed
from vision.frame import Box, Point
from vision.reading import Mark, Reading

PAUSE_S = 0.04
# A window manager has moved a window, and what was below is drawn again, after so long.
SETTLE_S = 0.3
# How often a live source is looked at while nothing else is done.
LOOK_S = 0.8
# Lines of a menu before it goes on in another column.
MENU_LINES = 18
COLOURS = {"error": "#a32a1c", "doubt": "#a32a1c", "stopped": "#8a5a00", "done": "#0a6b2e", "hint": "#1d4f91"}
INK, QUIET = "#1d2733", "#5b6a78"
PLAYING, PAUSED = "Playing …", "Paused: nothing is entered until you press Go on."
EMPTY = "Choose a window, a phone or a practice board on the left,\nor open a picture of a board."


def show(source: str | None) -> None:
    """Open the window and stay until it is closed. Raises DeviceNotFound where none can be opened."""
    root = open_root(TITLE)
    desk = Desk(is_under_ours)
    key, how_to_stop = stop_key(desk.stop)
    view = None
    try:
        view = _View(root, desk, how_to_stop)
        if source is not None:
            # It must be on the screen before it can move aside.
            root.wait_visibility()
            view.choose(source)
        until_closed(root, view.tick, PAUSE_S)
    finally:
        if view is not None:
            view.close()
        desk.close()
        if key is not None:
            key.close()


class _View:
    """Three parts side by side: what to look at, its picture, what to do with it."""

    def __init__(self, root: Any, desk: Desk, how_to_stop: str) -> None:
        self._root, self._desk = root, desk
        self._tk, self._ttk = import_module("tkinter"), import_module("tkinter.ttk")
        self._source = ""
        self._shown: Shown | None = None
        self._reading: Reading[Any, Any] | None = None
        self._game = ""
        self._photo: Any = None
        self._placed = (0.0, 0.0, 1.0)
        self._looked_at = 0.0
        self._playing = False
        self._report: Path | None = None
        self._calibrates = ""
        self._scale = scale = max(1.0, root.winfo_fpixels("1i") / 96)
        scale_style(root, scale)
        self._side = round(225 * scale)
        width = min(round(1000 * scale), round(root.winfo_screenwidth() * 0.8))
        height = min(round(680 * scale), round(root.winfo_screenheight() * 0.9))
        self._least = round(600 * scale), round(430 * scale)
        root.geometry(f"{width}x{height}")
        root.minsize(*self._least)
        self._list = ChoiceList(root, round(180 * scale), scale, self.choose, self._open_picture)
        self._build_actions(how_to_stop)
        self._canvas = self._tk.Canvas(root, background="#20262d", highlightthickness=0)
        self._canvas.pack(side="left", fill="both", expand=True)
        self._canvas.bind("<Configure>", lambda event: self._draw())
        self._canvas.bind("<ButtonPress-1>", self._click)
        self._say(
            Said("read", "Choose on the left what to look at.", "Nothing is touched before you agree to it.")
        )
        self._enable()

    def close(self) -> None:
        self._list.close()

    # The left part.

    def _open_picture(self) -> None:
        dialogs = import_module("tkinter.filedialog")
        path = dialogs.askopenfilename(
            parent=self._root,
            title="A picture of a board",
            filetypes=[("Pictures", "*.png *.jpg *.jpeg *.webp *.bmp"), ("All files", "*")],
        )
        if path:
            self.choose(path)

    def choose(self, source: str) -> None:
        """Look at a source from now on."""
        if self._playing:
            return
        self._source = source
        self._list.mark(source)
        self._bar.pack_forget()
        self._step.configure(text="")
        self._say(Said("read", f"Looking at {source}: which game is it? …"))
        self._make_room()
        self._desk.choose(source)

    # The right part.

    def _build_actions(self, how_to_stop: str) -> None:
        ttk = self._ttk
        frame = ttk.Frame(self._root, width=self._side, padding=8)
        frame.pack(side="right", fill="y")
        frame.pack_propagate(False)
        wide = self._side - 28
        # What is packed first keeps its room.
        self._tk.Label(frame, text=how_to_stop, justify="left", anchor="w", wraplength=wide, fg=QUIET).pack(
            side="bottom", fill="x"
        )
        on_top = self._tk.BooleanVar(self._root)
        ttk.Checkbutton(
            frame,
            text="Always on top",
            variable=on_top,
            command=lambda: self._root.attributes("-topmost", on_top.get()),
        ).pack(side="bottom", fill="x")
        self._on_top = on_top
        self._title = ttk.Label(frame, font=("TkDefaultFont", 13, "bold"), wraplength=wide)
        self._title.pack(fill="x")
        self._buttons: dict[str, Any] = {}
        for name, command in (
            ("Solve", self._desk.solve),
            ("Hint", self._desk.hint),
            ("Play", self._play),
            ("Pause", self._pause),
            ("Stop", self._desk.stop),
            ("Open the report", self._open_report),
        ):
            self._buttons[name] = ttk.Button(frame, text=name, command=command)
            self._buttons[name].pack(fill="x", pady=2)
        self._after_each = self._tk.BooleanVar(self._root)
        self._buttons["Hint after each move"] = ttk.Checkbutton(
            frame,
            text="Hint after each move",
            variable=self._after_each,
            command=lambda: self._desk.hint_after_each_move(self._after_each.get()),
        )
        self._buttons["Hint after each move"].pack(fill="x", pady=2)
        self._bar = ttk.Progressbar(frame, mode="determinate", style="Horizontal.TProgressbar")
        self._text = self._tk.Label(frame, justify="left", anchor="w", wraplength=wide, fg=INK)
        self._text.pack(fill="x", pady=(6, 0))
        self._more = self._tk.Label(frame, justify="left", anchor="w", wraplength=wide, fg=QUIET)
        self._more.pack(fill="x", pady=(2, 8))
        self._ask = ttk.Frame(frame)
        ttk.Button(self._ask, text="Start", command=lambda: self._reply(True)).pack(side="left")
        ttk.Button(self._ask, text="Cancel", command=lambda: self._reply(False)).pack(side="left")
        self._learn = ttk.Frame(frame)
        ttk.Button(self._learn, text="Learn the icons", command=self._calibrate).pack(fill="x")
        ttk.Button(self._learn, text="Choose a jar or pack…", command=self._calibrate_from).pack(fill="x")
        self._step = self._tk.Label(frame, justify="left", anchor="w", wraplength=wide, fg=QUIET)
        self._step.pack(fill="x")

    def _play(self) -> None:
        self._playing = True
        self._bar.configure(value=0)
        self._bar.pack(fill="x", pady=(8, 2), before=self._text)
        self._make_room()
        self._desk.play()

    def _make_room(self) -> None:
        """Do not lie over the window that is looked at: what covers it is in its picture, and in the way of clicks."""
        target = window_box(self._source)
        if target is None:
            return
        root = self._root
        own = Box(root.winfo_rootx(), root.winfo_rooty(), root.winfo_width(), root.winfo_height())
        if not overlap(target, own):
            return
        screen = Box(0, 0, root.winfo_screenwidth(), root.winfo_screenheight())
        place = beside(target, (own.width, own.height), self._least, screen)
        if place is None:
            root.lower()
        else:
            root.geometry(f"{place.width}x{place.height}+{place.left}+{place.top - TITLE_PX}")
        # The picture is taken after this: give the window manager the time to do it.
        root.update()
        time.sleep(SETTLE_S)

    def _pause(self) -> None:
        pausing = self._buttons["Pause"].cget("text") == "Pause"
        self._desk.pause(pausing)
        self._buttons["Pause"].configure(text="Go on" if pausing else "Pause")
        self._say(
            Said("stopped", PAUSED, "The run goes on from there.") if pausing else Said("read", PLAYING)
        )

    def _reply(self, agreed: bool) -> None:
        self._ask.pack_forget()
        self._say(Said("read", PLAYING if agreed else "Nothing was touched."))
        self._make_room()
        self._desk.reply(agreed)

    def _calibrate(self) -> None:
        self._desk.calibrate(self._calibrates)

    def _calibrate_from(self) -> None:
        path = import_module("tkinter.filedialog").askopenfilename(
            parent=self._root,
            title="The mod's jar, or a resource pack",
            filetypes=[("Archives", "*.jar *.zip")],
        )
        if path:
            self._desk.calibrate(self._calibrates, (Path(path),))

    def _open_report(self) -> None:
        if self._report is not None:
            webbrowser.open(self._report.as_uri())

    # What the desk tells.

    def tick(self) -> None:
        """Show what has happened since the last time, and look again when it is time."""
        while not self._desk.events.empty():
            self._hear(self._desk.events.get())
        self._list.tick()
        now = time.monotonic()
        if self._source and not self._playing and now - self._looked_at >= LOOK_S:
            self._looked_at = now
            self._desk.look()
        self._enable()

    def _hear(self, event: Event) -> None:
        match event:
            case Shown():
                self._shown, self._reading = event, event.reading
                self._title.configure(text=event.title)
                self._draw()
            case Said():
                self._say(event)
            case Asked(text=text):
                self._say(Said("hint", text, "Nothing has been touched yet."))
                self._step.configure(text="")
                self._ask.pack(fill="x", after=self._more)
                self._root.lift()
            case Moved(done=done, total=total, text=text):
                if done >= 0:
                    self._bar.configure(maximum=max(1, total), value=done if total else 1)
                self._step.configure(text=text)
            case Ended(section=section):
                self._playing = False
                self._ask.pack_forget()
                self._buttons["Pause"].configure(text="Pause")
                self._step.configure(text="")
                self._keep_report(section)
                self._root.lift()
            case Idle(game=game):
                self._game = game
                if not self._desk.busy:
                    self._playing = False

    def _say(self, said: Said) -> None:
        self._text.configure(text=said.text, fg=COLOURS.get(said.kind, INK))
        self._more.configure(text=said.more)
        self._calibrates = said.learn
        if self._calibrates:
            # What was said may be long: the buttons go before it.
            self._learn.pack(fill="x", pady=(6, 0), before=self._text)
        else:
            self._learn.pack_forget()

    def _keep_report(self, section: str) -> None:
        folder = Path(platformdirs.user_state_dir("boardsight", appauthor=False)) / "reports"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._report = folder / f"{datetime.now():%Y-%m-%d-%H%M%S}.html"
        write_file(self._report, page("boardsight window", [section]).encode())

    def _enable(self) -> None:
        on, off = ["!disabled"], ["disabled"]
        ready = self._reading is not None and not self._playing and not self._desk.busy
        live = self._source.split(":")[0] in ("desktop", "adb", "practice")
        self._buttons["Solve"].state(on if ready else off)
        self._buttons["Hint"].state(on if ready else off)
        self._buttons["Play"].state(on if ready and live else off)
        self._buttons["Pause"].state(on if self._playing else off)
        self._buttons["Stop"].state(on if self._playing else off)
        self._buttons["Open the report"].state(on if self._report is not None else off)

    # The middle part.

    def _draw(self) -> None:
        room = max(10, self._canvas.winfo_width()), max(10, self._canvas.winfo_height())
        if self._shown is None:
            self._canvas.delete("all")
            self._canvas.create_text(
                room[0] // 2, room[1] // 2, text=EMPTY, fill="#9fb0c0", justify="center", width=room[0] - 40
            )
            return
        pixels, corner = board_of(self._shown)
        small, factor = fitted(pixels, *room, most=self._scale)
        left, top = (room[0] - small.shape[1]) // 2, (room[1] - small.shape[0]) // 2
        self._photo = photo_of(small, self._root)
        # Where the picture's own first px would be, and how many px of the window one of its px is.
        self._placed = left - corner[0] * factor, top - corner[1] * factor, factor
        self._canvas.delete("all")
        self._canvas.create_image(left, top, image=self._photo, anchor="nw")

    def _click(self, event: Any) -> None:
        """A click on a cell in doubt, or on a printed one, asks what it is."""
        reading = self._reading
        if reading is None or self._playing or self._game not in GAMES:
            return
        left, top, factor = self._placed
        cell: Any = reading.geometry.nearest(Point((event.x - left) / factor, (event.y - top) / factor))
        mark = reading.marks.get(cell)
        telling = GAMES[self._game].told
        if telling is None or mark is None or (mark.symbol is not None and mark.state != "given"):
            return
        menu = self._tk.Menu(self._root, tearoff=False)
        kinds = telling.kinds(mark)
        for printed in kinds:
            part = menu if len(kinds) == 1 else self._tk.Menu(menu, tearoff=False)
            if part is not menu:
                menu.add_cascade(label="printed there" if printed else "entered there", menu=part)
            self._fill_menu(part, cell, mark, telling.choices(reading.puzzle, printed), printed)
        menu.tk_popup(event.x_root, event.y_root)

    def _fill_menu(self, menu: Any, cell: Any, mark: Mark, symbols: Sequence[str], printed: bool) -> None:
        """What the cell may hold, the likeliest first."""
        likely = [mark.runner_up] if mark.runner_up else []
        for nth, symbol in enumerate([*likely, *(one for one in symbols if one not in likely)]):
            menu.add_command(
                label=symbol or "nothing",
                columnbreak=nth > 0 and nth % MENU_LINES == 0,
                command=lambda symbol=symbol: self._desk.tell(cell, Word(symbol, printed)),
            )
