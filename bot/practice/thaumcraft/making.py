"""Makes research notes as the game does, always with a solution, and puts them on a practice table."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache

from bot.practice.thaumcraft.art import Texture, own_textures
from bot.practice.thaumcraft.blueprint import BLUEPRINTS
from bot.practice.thaumcraft.screen import TableScreen
from bot.practice.thaumcraft.server import Server
from bot.practice.thaumcraft.table import ResearchTable
from calibration.thaumcraft.textures import profile_from_textures
from solver.answer import Limits
from solver.errors import NoSolution, SearchLimit
from solver.lattice import HEX_STEPS, Hex, hex_neighbours, hexagon
from solver.thaumcraft import VANILLA, Note, solve
from vision.profile import Profile

PROFILE_NAME = "practice"
# Complexity and number of givens, as often as the game's own research has them.
_KINDS = {(1, 2): 20, (1, 3): 43, (1, 4): 8, (2, 3): 23, (2, 4): 53, (2, 5): 4, (3, 4): 7, (3, 5): 6}
SOLVE_S = 5.0


def practice(
    rng: random.Random,
    *,
    ui: str | None = None,
    scale: int | None = None,
    window: tuple[int, int] | None = None,
    complexity: int | None = None,
    givens: int | None = None,
    scarce: bool = False,
    textures: Mapping[str, Texture] | None = None,
    profile: Profile | None = None,
    solid: frozenset[str] = frozenset(),
    frames_per_s: float = 20.0,
    unsteady: float = 0.0,
) -> ResearchTable:
    """A research table with a solvable note, everything left open decided by `rng`.

    ui: "stock", "tweaks" or "tweaks-3col". scale: device px per GUI px; window: its size in device px.
    scarce: primals and hardly anything else, so that compounds must be combined.
    frames_per_s, unsteady: how often the client samples the mouse, and by which share of its time a frame varies.
    textures: the real ones instead of our own, by the game's names; profile belongs to them.
    """
    blueprint = BLUEPRINTS[ui or rng.choice(sorted(BLUEPRINTS))]
    scale = scale or rng.choice((2, 3, 4))
    # Tall enough for the whole table, though the game also shows tables that are cut at the top and bottom.
    window = window or (scale * rng.randrange(350, 480), scale * (blueprint.height + rng.randrange(40)))
    note = make_note(rng, complexity, givens)
    tags = list(VANILLA.components)
    stock = {tag: rng.randrange(40, 1000) for tag in tags}
    if scarce:
        stock = {tag: 60 if tag in VANILLA.primals else rng.choice((0, 0, 1)) for tag in tags}
    bonus = {tag: rng.randrange(1, 4) for tag in rng.sample(sorted(VANILLA.primals), 2)}
    server = Server(
        aspects=VANILLA,
        cells=note.cells,
        given=note.given,
        stock=stock,
        discovered=set(tags),
        bonus=bonus,
        refund=0.5,
        rng=random.Random(rng.random()),
    )
    colours = {tag: _bgr(tag) for tag in tags}
    screen = TableScreen(textures or own_textures(), colours, blueprint, window, scale, solid)
    answer_s, further_notes, seed = rng.choice((0.05, 0.15, 0.3)), rng.randrange(5), rng.randrange(1 << 30)
    return ResearchTable(
        server,
        screen,
        profile or own_profile(),
        answer_s=answer_s,
        further_notes=further_notes,
        new_note=lambda number: make_note(random.Random(f"{seed}-{number}")),
        seed=seed,
        frames_per_s=frames_per_s,
        unsteady=unsteady,
    )


def _bgr(tag: str) -> tuple[int, int, int]:
    red, green, blue = VANILLA.rgb(tag)
    return blue, green, red


@cache
def own_profile() -> Profile:
    """What our own art looks like, as calibration learns it from any textures."""
    return profile_from_textures(own_textures(), PROFILE_NAME)


def make_note(rng: random.Random, complexity: int | None = None, givens: int | None = None) -> Note:
    """A note of random aspects that has a solution."""
    drawn_complexity, drawn_givens = rng.choices(list(_KINDS), weights=list(_KINDS.values()))[0]
    while True:
        aspects = rng.sample(sorted(VANILLA.components), givens or drawn_givens)
        note = note_of(aspects, complexity or drawn_complexity, rng)
        try:
            solve(note, Limits(seconds=SOLVE_S))
        except (NoSolution, SearchLimit):
            continue
        return note


def note_of(aspects: Sequence[str], complexity: int, rng: random.Random) -> Note:
    """The note of a research item: givens at fixed places of the outer ring, 2 x complexity cells removed."""
    radius = 1 + min(3, complexity)
    ring = ring_cells(radius)
    given = {ring[int(n * len(ring) / len(aspects) + 0.5) % len(ring)]: tag for n, tag in enumerate(aspects)}
    cells = set(hexagon(radius))
    for _ in range(2 * complexity if complexity > 1 else 0):
        removable = [cell for cell in sorted(cells) if cell not in given and _may_go(cell, cells, given)]
        if removable:
            cells.remove(rng.choice(removable))
    return Note(frozenset(cells), given)


def ring_cells(radius: int) -> tuple[Hex, ...]:
    """The outer ring in the order in which givens are put on it, from (-radius, radius) on.

    >>> ring_cells(1)[:2]
    (Hex(q=-1, r=1), Hex(q=0, r=1))
    """
    cell = Hex(-radius, radius)
    ring = []
    for step in HEX_STEPS:
        for _ in range(radius):
            ring.append(cell)
            cell = Hex(cell.q + step.q, cell.r + step.r)
    return tuple(ring)


def _may_go(cell: Hex, cells: set[Hex], given: Mapping[Hex, str]) -> bool:
    """A cell stays when one of its neighbouring givens has fewer than two neighbours left."""
    for beside in hex_neighbours(cell):
        if beside in given and sum(other in cells for other in hex_neighbours(beside)) < 2:
            return False
    return True
