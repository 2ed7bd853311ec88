"""The practice table: the player's side of the game, in simulated time.

It samples the mouse as the client does, once per frame, usually of 50 ms, and sends messages to a server that answers
later. The traps of the real thing are all here:

- a stock drag starts only in a frame that sees the button down over an entry, and every drop counts where the
  pointer is in the frame that sees the release: what is too fast misses;
- tweaks: releasing over the entry where the drag began combines it with itself: two units are lost;
- tweaks: a right click during a drag places and goes on; the drag ends by itself when the stock is gone;
- stock: a plain click fills a combine slot; the combine button is dead for 0.2 s after a click;
- until the server has answered a cell looks free, and a second placement is paid again;
- Shift and a click bring a note from the table into the inventory, or from there into the empty table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from bot.actions import Action, Drag, Key, Move, Tap
from bot.practice.gestures import Touch
from bot.practice.thaumcraft.blueprint import Area, palette_order
from bot.practice.thaumcraft.screen import DISCOVERY, NOTE, CellView, TableScreen, TableView, links_of
from bot.practice.thaumcraft.server import Server
from solver.lattice import Hex
from solver.thaumcraft import Note
from vision.frame import Pixels, Point
from vision.profile import Profile

COMBINE_REST_S = 0.2
INK_UNITS = 100
INVENTORY_SLOTS = 27

# Where an aspect may be dropped on a combine slot, GUI px; wider than the slot that is clicked.
_SLOT_DROPS = {0: Area(4, 130, 32, 32), 1: Area(63, 130, 32, 32)}
_CLOSING_KEYS = frozenset({"esc", "escape", "e"})


@dataclass(frozen=True)
class _Motion:
    """The pointer on its way in a straight line, device px."""

    start_s: float
    start: Point
    end_s: float
    end: Point

    def at(self, now_s: float) -> Point:
        if now_s >= self.end_s:
            return self.end
        part = max(0.0, now_s - self.start_s) / (self.end_s - self.start_s)
        return Point(
            self.start.x + part * (self.end.x - self.start.x),
            self.start.y + part * (self.end.y - self.start.y),
        )


@dataclass
class _Hands:
    """Mouse and drag as the client remembers them."""

    motion: _Motion
    left_down: bool = False
    pressed_on: str = ""
    dragging: str = ""
    slots: list[str] = field(default_factory=lambda: ["", ""])
    page: int = 0
    combined_s: float = -1.0


class ResearchTable:
    """A practice board: a research table in a window.

    answer_s: how long the server takes for a message. further_notes: how many more notes the player carries;
        new_note makes the n-th of them when it is put into the table. frames_per_s: how often the client samples the
        mouse; unsteady: by which share of its time a frame may come early or late, 0..1.
    """

    def __init__(
        self,
        server: Server,
        screen: TableScreen,
        profile: Profile,
        *,
        answer_s: float = 0.15,
        page: int = 0,
        further_notes: int = 0,
        new_note: Callable[[int], Note] | None = None,
        seed: int = 0,
        frames_per_s: float = 20.0,
        unsteady: float = 0.0,
    ) -> None:
        self.server = server
        self._note = Note(server.cells, dict(server.given))
        self._new_note = new_note
        self._items = [NOTE] * further_notes + [""] * (INVENTORY_SLOTS - further_notes)
        self._put_in = 0
        self.screen = screen
        self._blueprint = screen.blueprint
        self._profile = profile
        self._answer_s = answer_s
        self._seed = seed
        self._now = 0.0
        self._frame_s, self._unsteady, self._rng = 1 / frames_per_s, unsteady, random.Random(seed)
        # When the next frame is; its life begins when it is first seen or touched, whatever the clock shows by then.
        self._next_s: float | None = None
        self._messages: list[tuple[float, Callable[[], None]]] = []
        self._closed = False
        corner = Point(screen.window[0] - 1.0, screen.window[1] - 1.0)
        self._hands = _Hands(_Motion(0.0, corner, 0.0, corner), page=page)

    @property
    def puzzle(self) -> Note:
        """The note in the table as it was at the start."""
        return self._note

    @property
    def now(self) -> float:
        """How far the table has lived, s."""
        return self._now

    @property
    def profile(self) -> Profile:
        return self._profile

    def solved(self) -> bool:
        return self.server.complete

    def close(self) -> None:
        """Leave the table: only the world is to be seen."""
        self._closed = True

    def render(self, now_s: float) -> Pixels:
        self._advance(now_s)
        return self.screen.world() if self._closed else self.screen.render(self.view(), self._now)

    def act(self, action: Action, now_s: float) -> None:
        self._advance(now_s)
        start = self._now
        match action:
            case Move(at=at):
                self._hands.motion = _Motion(start, at, start, at)
            case Tap(at=at, hold_s=hold_s, modifiers=("shift",)):
                self._hands.motion = _Motion(start, at, start, at)
                self._swap()
                self._advance(start + hold_s)
            case Tap(at=at, hold_s=hold_s, button=button):
                self._hands.motion = _Motion(start, at, start, at)
                self._press(button)
                self._advance(start + hold_s)
                self._release(button)
            case Drag():
                self._drag(action)
            case Key(name=name) if name.lower() in _CLOSING_KEYS:
                self.close()
            case _:
                pass

    def feel(self, touch: Touch, now_s: float) -> None:
        """What a real pointer does: seen, like the rest, in the next frame."""
        self._advance(now_s)
        self._hands.motion = _Motion(self._now, touch.at, self._now, touch.at)
        if touch.kind == "press" and touch.shift:
            self._swap()
        elif touch.kind == "press":
            self._press(touch.button)
        elif touch.kind == "release":
            self._release(touch.button)

    def entries(self) -> dict[str, Area]:
        """The palette as it is shown now, GUI px."""
        order = palette_order(
            self._blueprint, frozenset(self.server.discovered), self.server.aspects.components
        )
        return self._blueprint.entries(order, self._hands.page)

    def view(self) -> TableView:
        """All that is to be seen now."""
        server, hands = self.server, self._hands
        cells = self._cell_views() if server.has_note else None
        pointer = hands.motion.at(self._now)
        return TableView(
            blueprint=self._blueprint,
            cells=cells,
            entries=self.entries(),
            stock=dict(server.stock),
            bonus=dict(server.bonus),
            links=links_of(cells, server.aspects.links) if cells else (),
            buttons=tuple(self._shown_arrows()),
            slots=(hands.slots[0], hands.slots[1]),
            complete=server.complete,
            ink=None if server.ink is None else min(1.0, server.ink / INK_UNITS),
            pointer=self.screen.place.to_gui(pointer.x, pointer.y),
            dragging=hands.dragging,
            items=tuple(self._items),
            seed=self._seed,
        )

    def _cell_views(self) -> dict[Hex, CellView]:
        server = self.server
        lit = server.lit()
        views = {}
        for cell in sorted(server.cells):
            if cell in server.given:
                tag = server.given[cell]
                views[cell] = CellView(tag if tag in server.discovered else "?", True)
            else:
                views[cell] = CellView(server.placed.get(cell, ""), False, cell in lit)
        return views

    def _shown_arrows(self) -> list[str]:
        page = self._hands.page
        last = self._blueprint.last_page(len(self.server.discovered))
        return ["previous-page"] * (page > 0) + ["next-page"] * (page < last)

    def _advance(self, now_s: float) -> None:
        """Live through frames and answers until this time; a time that has passed changes nothing."""
        if self._next_s is None:
            self._next_s = now_s + self._frame_s
        while self._next_s <= now_s + 1e-9:
            self._now = max(self._now, self._next_s)
            self._next_s = round(self._next_s + self._frame_s * self._unsteady_share(), 6)
            self._deliver()
            self._frame()
        self._now = max(self._now, now_s)
        self._deliver()

    def _unsteady_share(self) -> float:
        """How long the next frame takes, as a share of the usual one."""
        return 1 + self._unsteady * (2 * self._rng.random() - 1) if self._unsteady else 1.0

    def _deliver(self) -> None:
        while self._messages and self._messages[0][0] <= self._now:
            self._messages.pop(0)[1]()

    def _send(self, message: Callable[[], None]) -> None:
        self._messages.append((self._now + self._answer_s, message))

    def _frame(self) -> None:
        """What the client does once per frame."""
        hands = self._hands
        x, y = self._pointer()
        if self._blueprint.paged and hands.left_down and not hands.dragging:
            tag = self._entry_at(x, y)
            hands.dragging = tag if self.server.have(tag) else ""
        if not hands.left_down and hands.dragging:
            self._drop(x, y)
            hands.dragging = ""
        if not self._blueprint.paged and not self.server.have(hands.dragging):
            hands.dragging = ""
        hands.slots = [tag if self.server.have(tag) else "" for tag in hands.slots]

    def _drag(self, drag: Drag) -> None:
        """Press, rest, walk through the points (clicking right at each, when told), rest, release."""
        hands = self._hands
        start = self._now
        hands.motion = _Motion(start, drag.path[0], start, drag.path[0])
        self._press(drag.button)
        self._advance(start + drag.hold_s)
        leg_s = drag.duration_s / max(1, len(drag.path) - 1)
        for a, b in zip(drag.path, drag.path[1:], strict=False):
            now = self._now
            hands.motion = _Motion(now, a, now + leg_s, b)
            self._advance(now + leg_s)
            if drag.stamp:
                self._press("right")
                self._advance(self._now + drag.hold_s)
        self._advance(self._now + drag.hold_s)
        self._release(drag.button)

    def _press(self, button: str) -> None:
        if self._closed:
            return
        hands = self._hands
        x, y = self._pointer()
        tag = self._entry_at(x, y)
        cell = self._blueprint.cell_at(x + 0.5, y + 0.5)
        if button == "left":
            hands.left_down = True
            hands.pressed_on = tag
            if not self._blueprint.paged and self.server.have(tag):
                hands.dragging = tag
            if self._blueprint.paged:
                self._press_button(x, y)
        elif button == "right" and not self._blueprint.paged and hands.dragging:
            self._use(hands.dragging, tag, cell)
        if cell is not None and cell in self.server.placed:
            self._send(lambda: self.server.erase(cell))

    def _swap(self) -> None:
        """Shift and a click: the table's note goes to the first free slot; one of the inventory into the table."""
        x, y = self._pointer()
        if self._blueprint.note.contains(x, y):
            self._send(self._take_out)
        for slot in range(INVENTORY_SLOTS):
            if self._blueprint.inventory_slot(slot).contains(x, y):
                self._send(partial(self._put, slot))

    def _take_out(self) -> None:
        if self.server.has_note and "" in self._items:
            self._items[self._items.index("")] = DISCOVERY if self.server.complete else NOTE
            self.server.has_note = False

    def _put(self, slot: int) -> None:
        if self._items[slot] != NOTE or self.server.has_note or self._new_note is None:
            return
        self._items[slot] = ""
        self._put_in += 1
        self._note = self._new_note(self._put_in)
        self.server.put_in(self._note)

    def _press_button(self, x: int, y: int) -> None:
        """Arrows, slots and the combine button of the stock table."""
        hands = self._hands
        hit = [name for name, area in self._blueprint.buttons.items() if area.contains(x, y)]
        if not hit:
            return
        name = hit[0]
        if name in self._shown_arrows():
            hands.page += 1 if name == "next-page" else -1
        elif name in ("slot-1", "slot-2"):
            hands.slots[int(name[-1]) - 1] = ""
        elif name == "combine" and all(hands.slots) and self._now - hands.combined_s >= COMBINE_REST_S:
            hands.combined_s = self._now
            first, second = hands.slots
            self._send(lambda: self.server.combine(first, second))

    def _release(self, button: str) -> None:
        hands = self._hands
        if button != "left" or not hands.left_down:
            return
        hands.left_down = False
        tag = self._entry_at(*self._pointer())
        if self._blueprint.paged and tag and tag == hands.pressed_on and self.server.have(tag):
            for n in (0, 1):
                if not hands.slots[n]:
                    hands.slots[n] = tag
                    break

    def _drop(self, x: int, y: int) -> None:
        """The end of a drag, at the place that the frame sees."""
        hands = self._hands
        if not self._blueprint.paged:
            self._use(hands.dragging, self._entry_at(x, y), self._blueprint.cell_at(x + 0.5, y + 0.5))
            return
        for n, area in _SLOT_DROPS.items():
            if area.contains(x, y):
                hands.slots[n] = hands.dragging
        self._use(hands.dragging, "", self._blueprint.cell_at(x + 0.5, y + 0.5))

    def _use(self, tag: str, entry: str, cell: Hex | None) -> None:
        """Bring an aspect onto an entry (combine) or onto a cell that looks free (place)."""
        if entry:
            self._send(lambda: self.server.combine(tag, entry))
        elif cell is not None and self._looks_free(cell):
            self._send(lambda: self.server.place(cell, tag))

    def _looks_free(self, cell: Hex) -> bool:
        server = self.server
        open_note = server.has_note and not server.complete
        return open_note and cell in server.cells and cell not in server.given and cell not in server.placed

    def _pointer(self) -> tuple[int, int]:
        at = self._hands.motion.at(self._now)
        return self.screen.place.to_gui(at.x, at.y)

    def _entry_at(self, x: int, y: int) -> str:
        return next((tag for tag, area in self.entries().items() if area.contains(x, y)), "")
