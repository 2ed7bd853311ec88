"""Plays a research note: the steps from what lies on the table to the solution.

Everything on the table costs (ink, aspects), and some clicks destroy: a drag released over the palette
combines, and in the tweaks table an aspect released where it was taken is combined with itself and lost. So
every drag ends on a cell or on bare wood, the pointer is parked on wood before each look, and nothing is
erased that may stay: what is placed beside the solution does no harm.

The plan is made from the reading alone. It ends early where the next look decides: after a page is turned,
after something is combined, and after an erasure.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, Drag, Move, Plan, Step, Tap, Wait
from bot.errors import PlayError
from solver.lattice import Hex, in_columns
from solver.thaumcraft import ALL, EVERY, VANILLA, Aspects, Note, Solution
from solver.thaumcraft.stock import settle
from vision.frame import Point
from vision.reading import Control, Reading

# The client samples the mouse once per frame: every state is held for two frames at 20 frames per second.
HOLD_S = 0.12
DRAG_S = 0.2
# The frame that sees a release takes the pointer where it is then: it must not have left yet.
REST_S = 0.12
PAGE_S = 0.15
# The combine button is dead for 0.2 s after a click; a combination is answered by the server.
COMBINE_S = 0.3
ANSWER_S = 0.6
LOOK_AGAIN_S = 0.3
# One drag places so many cells at most: a lost drag should not cost a whole board.
CELLS_PER_DRAG = 6
COMBINES_PER_STEP = 10
# An aspect whose number cannot be read counts as plenty.
PLENTY = 10**6
ROWS, COLUMNS = 5, 5

# Board centre, and bare wood that is far from cells, palette and slots; GUI px (specification of the tables).
_CENTRES = {"stock": (169.0, 83.0), "tweaks": (171.0, 110.0), "tweaks-3col": (155.0, 110.0)}
_WOOD = {"stock": (169.0, 162.5), "tweaks": (86.5, 150.5), "tweaks-3col": (70.5, 150.5)}
_DROPS = {"slot-1": (20.5, 146.5), "slot-2": (78.5, 146.5)}
# Vertical distance of two cells, GUI px.
_PITCH = 9 * math.sqrt(3)

NoteReading = Reading[Note, Solution]


def plan(reading: NoteReading, solution: Solution) -> Plan:
    """What is still missing, as steps.

    Raises PlayError when nothing can be done: no ink, no note, no palette, or too little in stock.
    """
    if reading.finished:
        return Plan((), 0)
    _writable(reading)
    given = reading.puzzle.given
    wanted = {cell: tag for cell, tag in sorted(solution.items()) if cell not in given}
    missing = {cell: tag for cell, tag in wanted.items() if reading.placed.get(cell) != tag}
    table = _Table.of(reading)
    if not missing:
        return Plan(_seal(table, reading, wanted), 1)
    wrong = [cell for cell in missing if cell in reading.placed]
    free = {cell: tag for cell, tag in missing.items() if cell not in reading.placed}
    try:
        steps = (
            [_erase(table, cell, reading.placed[cell]) for cell in wrong]
            or _placements(table, free)
            or _preparation(table, free)
        )
    except _Unseen as unseen:
        steps = [Step((Wait(LOOK_AGAIN_S), Move(table.wood)), f"look again: {unseen}")]
    return Plan(tuple(steps), len(missing), frozenset(missing))


def onward(before: NoteReading, now: NoteReading) -> tuple[Action, ...]:
    """Swap the finished note for another one, where one was seen among the player's things.

    before: a reading of the same table with an open note, which shows what notes look like.
    """
    note, other = now.controls.get("note"), before.controls.get("next-note")
    if not now.finished or note is None or other is None:
        return ()
    scale, origin = _placing(now)
    x, y = _WOOD[now.ui]
    taps = [
        action
        for control in (note, other)
        for action in (Tap(control.at, HOLD_S, modifiers=("shift",)), Wait(ANSWER_S))
    ]
    return (*taps, Move(Point(origin.x + scale * x, origin.y + scale * y)))


class _Unseen(PlayError):
    """A primal, which every player knows, was not recognised: a sparkle or a box may cover it for a moment."""


@dataclass(frozen=True)
class _Table:
    """The table on the frame: where things are, and what there is of everything shown.

    scale: px of the frame per GUI px. palette: the entries shown.
    """

    ui: str
    scale: float
    origin: Point
    cells: Mapping[Hex, Point]
    palette: Mapping[str, Control]
    controls: Mapping[str, Control]
    aspects: Aspects

    @classmethod
    def of(cls, reading: NoteReading) -> _Table:
        aspects = _aspects(reading)
        scale, origin = _placing(reading)
        palette = {tag: control for tag, control in reading.controls.items() if tag in aspects}
        if not palette:
            raise PlayError("no aspect is to be seen in the palette", hint="open the research table again")
        return cls(reading.ui, scale, origin, reading.geometry.centres, palette, reading.controls, aspects)

    @property
    def paged(self) -> bool:
        return self.ui == "stock"

    @property
    def wood(self) -> Point:
        """Bare wood, where a drag may end and the pointer rests."""
        return self.at(*_WOOD[self.ui])

    def at(self, x: float, y: float) -> Point:
        return Point(self.origin.x + self.scale * x, self.origin.y + self.scale * y)

    def units(self, tag: str) -> int:
        """How many there are of an aspect that is shown; bonus units carry no number."""
        control = self.palette.get(tag)
        if control is None or not control.active:
            return 0
        return PLENTY if control.count is None else max(1, control.count)

    def parked(self, *actions: Action) -> tuple[Action, ...]:
        """The actions, and the pointer back on bare wood once the last one has been sampled."""
        return (*actions, Wait(REST_S), Move(self.wood))


def _placing(reading: NoteReading) -> tuple[float, Point]:
    """Px of the frame per GUI px, and the table's corner on the frame, from the cell nearest to the middle."""
    scale = reading.facts.get("scale", reading.geometry.pitch_px / _PITCH)
    x, y = _CENTRES[reading.ui]
    centres = reading.geometry.centres.items()
    cell, at = min(centres, key=lambda item: (max(abs(item[0].q), abs(item[0].r)), item[0]))
    dx, dy = 13.5 * cell.q, _PITCH * (cell.r + cell.q / 2)
    return scale, Point(at.x - scale * (x + dx), at.y - scale * (y + dy))


def _aspects(reading: NoteReading) -> Aspects:
    """The smallest list of aspects that knows everything on the note and in the palette."""
    named = {*reading.puzzle.given.values(), *reading.controls}
    for aspects in (VANILLA, ALL):
        if not named & (EVERY.components.keys() - aspects.components.keys()):
            return aspects
    return EVERY


def _writable(reading: NoteReading) -> None:
    tools, note = reading.controls.get("tools"), reading.controls.get("note")
    if (tools is not None and not tools.active) or reading.facts.get("ink", 1.0) <= 0.0:
        raise PlayError("the scribing tools are empty or missing", hint="put full scribing tools in")
    if (note is not None and not note.active) or not reading.puzzle.cells or not reading.geometry.centres:
        raise PlayError("there is no research note in the table", hint="put the note back and start again")
    if reading.ui not in _CENTRES:
        raise PlayError(f"a table of kind {reading.ui!r} cannot be played", hint="open a research table")


def _erase(table: _Table, cell: Hex, tag: str) -> Step:
    tap = Tap(table.cells[cell], hold_s=HOLD_S)
    return Step(table.parked(tap), f"erase {tag} at {in_columns(cell, table.cells)}, which is in the way")


def _placements(table: _Table, free: Mapping[Hex, str]) -> list[Step]:
    """Everything that can be placed with what is shown, one drag per cell, or per aspect in tweaks."""
    by_tag: dict[str, list[Hex]] = defaultdict(list)
    for cell, tag in free.items():
        by_tag[tag].append(cell)
    steps = []
    for tag, cells in by_tag.items():
        size = 1 if table.paged else CELLS_PER_DRAG
        affordable = cells[: table.units(tag)]
        for start in range(0, len(affordable), size):
            steps.append(_place(table, tag, affordable[start : start + size]))
    return steps


def _place(table: _Table, tag: str, cells: Sequence[Hex]) -> Step:
    entry = table.palette[tag].at
    targets = [table.cells[cell] for cell in cells]
    if len(targets) == 1:
        drag = _jump(entry, targets[0]) if table.paged else Drag((entry, targets[0]), DRAG_S, HOLD_S)
    else:
        path = (entry, *targets, table.wood)
        drag = Drag(path, duration_s=DRAG_S * (len(path) - 1), hold_s=HOLD_S, stamp=True)
    where = "; ".join(in_columns(cell, table.cells) for cell in cells)
    return Step(table.parked(drag), f"place {tag} at {where}", tuple(cells))


def _preparation(table: _Table, free: Mapping[Hex, str]) -> list[Step]:
    """What must happen before anything can be placed: a combination, or another page."""
    tags = sorted(set(free.values()))
    if not table.paged:
        return [_combine_in_palette(table, free)]
    order = sorted(table.palette)
    hidden = [tag for tag in tags if tag not in table.palette]
    ahead = [tag for tag in hidden if tag > order[-1] and "next-page" in table.controls]
    behind = [tag for tag in hidden if tag < order[0] and "previous-page" in table.controls]
    short = [tag for tag in tags if tag not in ahead and tag not in behind]
    if short:
        return _combine_in_slots(table, short[0], list(free.values()).count(short[0]))
    if ahead:
        return [_turn(table, "next-page", _pages(table, ahead[0]), ahead[0])]
    return [_turn(table, "previous-page", _pages(table, behind[-1]), behind[-1])]


def _turn(table: _Table, arrow: str, pages: int, tag: str) -> Step:
    return Step(table.parked(*_turning(table, arrow, pages)), f"turn the page to {tag}")


def _turning(table: _Table, arrow: str, pages: int) -> list[Action]:
    at = table.controls[arrow].at if arrow in table.controls else table.at(*_ARROWS[arrow])
    return [action for _ in range(pages) for action in (Tap(at, hold_s=HOLD_S), Wait(PAGE_S))]


_ARROWS = {"previous-page": (39.5, 125.5), "next-page": (63.5, 125.5)}


def _pages(table: _Table, tag: str) -> int:
    """How often to turn until an aspect is shown. Undiscovered ones in between make it too many, never too few;
    a page shows five columns and moves by one, so that the aspect is shown all the same."""
    order = sorted(table.palette)
    between = [
        other for other in table.aspects.components if tag <= other < order[0] or order[-1] < other <= tag
    ]
    return -(-len(between) // ROWS)


def _combine_in_palette(table: _Table, free: Mapping[Hex, str]) -> Step:
    """tweaks: hold one component, right-click the other as often as units are wanted, let go over wood."""
    wanted: dict[str, int] = defaultdict(int)
    for tag in free.values():
        wanted[tag] += 1
    first, second, made, times = _first_combination(table, wanted)
    path = (table.palette[first].at, *[table.palette[second].at] * times, table.wood)
    drag = Drag(path, duration_s=DRAG_S * (len(path) - 1), hold_s=HOLD_S, stamp=True)
    why = f"combine {first} and {second} to {made}, {times} times"
    return Step((*table.parked(drag), Wait(ANSWER_S)), why)


def _first_combination(
    table: _Table, wanted: Mapping[str, int], gone: frozenset[str] = frozenset()
) -> tuple[str, str, str, int]:
    """The cheapest compound that must be made, with its components, and how often.

    What is not shown counts as not owned in tweaks, where everything is shown, and as plenty in stock, but for
    what is known to be `gone`.
    """
    stock = {tag: table.units(tag) for tag in table.palette}
    if table.paged:
        hidden = [tag for tag in _assumed_order(table) if tag not in stock and tag not in gone]
        stock |= dict.fromkeys(hidden, PLENTY)
    made, missing = settle(wanted, stock, table.aspects)
    if missing:
        unseen = [tag for tag in missing if tag not in table.palette]
        if unseen:
            raise _Unseen(f"{unseen[0]} is not to be seen in the palette")
        words = ", ".join(f"{units} {tag}" for tag, units in missing.items())
        raise PlayError(
            f"the stock is too small: {words} too few", hint="get more of these aspects, then start again"
        )
    if not made:
        raise _Unseen(f"{min(wanted)} is not to be seen in the palette")
    tag = min(made, key=lambda tag: (table.aspects.costs[tag], tag))
    first, second = table.aspects.components[tag] or ("", "")
    return first, second, tag, min(made[tag], COMBINES_PER_STEP)


def _combine_in_slots(table: _Table, tag: str, units: int) -> list[Step]:
    """Stock: bring two components into the slots, look, press the button as often as needed, empty the slots.

    The slots are filled in one step that comes back to the page where it began: there the missing aspect is
    seen again, and the next plan presses the button. A component that did not arrive while the other did
    is not there, and is made first.
    """
    wanted = {tag: units}
    first, second, made, times = _first_combination(table, wanted)
    named = _named_in_slots(table)
    filled = [bool(table.controls.get(slot) and table.controls[slot].active) for slot in _DROPS]
    inside = named or {part for part, full in zip((first, second), filled, strict=True) if full}
    if not named and all(filled):
        # Nothing says what lies there: it should be what the last plan put in, and one unit is tried.
        return [_press(table, made, 1)]
    ready = table.aspects.made_of(*named) if len(named) == 2 else None
    if ready is not None and not table.units(ready) and ready in _ingredients(table.aspects, tag):
        _, _, made, times = _first_combination(table, wanted, frozenset({ready}))
        return [_press(table, ready, times if made == ready else 1)]
    absent = {first, second} - inside - table.palette.keys()
    if len(inside & {first, second}) == 1 and absent:
        first, second, made, _ = _first_combination(table, wanted, frozenset(absent))
    fill = [*_to_slot(table, first, "slot-1"), *_to_slot(table, second, "slot-2")]
    return [Step(table.parked(*fill), f"put {first} and {second} into the slots to make {made}")]


def _press(table: _Table, made: str, times: int) -> Step:
    button, slots = table.at(51.5, 147.5), [table.at(x, 145.5) for x in (19.5, 79.5)]
    presses = [action for _ in range(times) for action in (Tap(button, hold_s=HOLD_S), Wait(COMBINE_S))]
    empty = [Tap(slot, hold_s=HOLD_S) for slot in slots]
    return Step(table.parked(*presses, Wait(ANSWER_S), *empty), f"combine to {made}, {times} times")


def _ingredients(aspects: Aspects, tag: str) -> set[str]:
    """The aspect, its components, their components and so on."""
    found, edge = {tag}, [tag]
    while edge:
        parts = aspects.components[edge.pop()] or ()
        edge += [part for part in parts if part not in found]
        found.update(parts)
    return found


def _named_in_slots(table: _Table) -> set[str]:
    """What lies in the two combine slots, if the reader names it (`slot-1:aer`)."""
    return {name.partition(":")[2] for name in table.controls if name.startswith("slot-") and ":" in name}


def _to_slot(table: _Table, tag: str, slot: str) -> list[Action]:
    """Drag an aspect of any page into a slot, and turn back to the page shown now."""
    order = _assumed_order(table)
    start = order.index(min(table.palette))
    index = order.index(tag)
    pages = 0
    if index < start:
        pages = -(-(start - index) // ROWS)
        arrow, back = "previous-page", "next-page"
        place = index - start + pages * ROWS
    else:
        arrow, back = "next-page", "previous-page"
        pages = max(0, (index - start) // ROWS - COLUMNS + 1)
        place = index - start - pages * ROWS
    column, row = divmod(place, ROWS)
    entry = table.at(10 + 16 * column + 8.5, 40 + 16 * row + 8.5)
    drag = _jump(entry, table.at(*_DROPS[slot]))
    return [*_turning(table, arrow, pages), drag, Wait(REST_S), *_turning(table, back, pages)]


def _jump(start: Point, end: Point) -> Drag:
    """A drag in the stock table: when an entry is empty, a button that is held over others on the way picks those up."""
    return Drag((start, end), 0.0, HOLD_S, jump=True)


def _assumed_order(table: _Table) -> list[str]:
    """The whole palette in its order. What should be among the entries shown and is not is undiscovered; beyond
    them everything is taken for discovered until it is seen."""
    shown = sorted(table.palette)
    return sorted(
        tag for tag in table.aspects.components if tag in table.palette or tag < shown[0] or tag > shown[-1]
    )


def _seal(table: _Table, reading: NoteReading, wanted: Solution) -> tuple[Step, ...]:
    """All is in place and yet the note is open: the game tests it only at the next change, so make one.

    Raises PlayError when that has been tried, or when there is nothing to change.
    """
    extra = [cell for cell in reading.placed if cell not in wanted]
    spare = [
        cell
        for cell in sorted(reading.puzzle.cells)
        if cell not in reading.placed and cell not in reading.puzzle.given and cell in table.cells
    ]
    owned = [tag for tag in table.palette if table.units(tag)]
    if extra or not spare or not owned:
        raise PlayError(
            "everything is in place, but the note is not finished",
            hint="one of its aspects is not discovered yet, or the pack links aspects in another way",
        )
    cheapest = min(owned, key=lambda tag: (table.aspects.costs[tag], -table.units(tag), tag))
    step = _place(table, cheapest, spare[:1])
    return (replace(step, cells=(), why=f"{step.why}, so that the game looks at the note again"),)
