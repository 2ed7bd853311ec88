"""What the single sights say together: which positions are cells, which icons are givens, what is in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from solver.lattice import Hex, hex_distance, hexagon, in_columns
from vision.errors import UncertainReading
from vision.readers.thaumcraft import trust
from vision.readers.thaumcraft.cells import Sight

# Beside something that hides cells, only what is as clear as this is believed.
_SURE = 0.75


@dataclass(frozen=True)
class Shown:
    """The note as it was understood.

    cells: all of them, in doubt or not; icons: those with an aspect on them, symbols: the ones that can be
    told. doubtful: what must not be relied on. vanilla: the game's own research confirms the givens.
    """

    radius: int
    cells: tuple[Hex, ...]
    icons: frozenset[Hex]
    symbols: Mapping[Hex, str]
    givens: frozenset[Hex]
    doubtful: frozenset[Hex]
    finished: bool
    vanilla: bool
    remarks: tuple[str, ...]


def put_together(sights: Mapping[Hex, Sight]) -> Shown:
    """The note that was seen. Raises UncertainReading when it makes no sense at all."""
    limits = trust.outlines(sights.values())
    radius = trust.note_radius(sights, limits)
    within = hexagon(radius) if radius else ()
    icons = [cell for cell in within if trust.has_icon(sights[cell])]
    if not icons:
        raise _without_aspects(sights)
    symbols = {cell: sight.symbol for cell in icons if (sight := sights[cell]).symbol}
    foreign = [cell for cell in within if sights[cell].foreign]
    seen = {cell for cell in within if limits.is_cell(sights[cell])}
    free = [cell for cell in within if cell in seen.difference(icons, foreign)]
    remarks: list[str] = []
    # The free cells of a finished note vanish, and with them all outlines.
    bare = not free and len(icons) > 1
    finished = bare and not foreign and len(symbols) == len(icons)
    if bare:
        givens, doubtful, confirmed = _givens_of_bare(sights, (*icons, *foreign), radius)
    else:
        givens, doubtful, confirmed = trust.choose_givens(sights, icons, radius, limits)
        free, unclear = _blanks(sights, icons, free, foreign, radius, limits, remarks)
        doubtful |= unclear
    if not confirmed:
        remarks.append("the givens are not where the game prints that many")
    # A given that is not to be seen where the game prints one is there all the same.
    doubtful |= givens - set(icons)
    every = {*icons, *free, *doubtful, *foreign}
    remarks += [f"undiscovered aspect at {in_columns(c, every)}" for c in icons if sights[c].undiscovered]
    if not finished:
        hidden = [*foreign, *(cell for cell in icons if cell not in symbols)]
        wrong = trust.wrongly_lit(sights, symbols, hidden, givens)
        remarks += [
            f"{symbols[c]} at {in_columns(c, every)} is lit or dimmed against the rules" for c in wrong
        ]
        doubtful |= set(wrong)
    # What covers one cell may reach into the next.
    doubtful |= {c for c in (*icons, *free) if sights[c].confidence < _SURE and _beside(c, foreign)}
    doubtful |= {*foreign, *icons} - symbols.keys()
    vanilla = confirmed and givens <= symbols.keys() and trust.is_research(symbols, givens, radius)
    if vanilla:
        remarks.append("confirmed by the game's research list")
    return Shown(
        radius,
        tuple(sorted({*icons, *free, *doubtful})),
        frozenset(icons),
        symbols,
        givens,
        frozenset(doubtful),
        finished,
        vanilla,
        tuple(remarks),
    )


def _without_aspects(sights: Mapping[Hex, Sight]) -> UncertainReading:
    """The error for a note on which no aspect is seen."""
    covered = sum(sight.foreign for sight in sights.values())
    over = f": {covered} of {len(sights)} places look like nothing that the game draws" if covered else ""
    return UncertainReading(
        f"the note is there, but no aspect can be seen on it{over}",
        hint="move away the mouse and what other programs draw over the table; for another resource pack calibrate"
        " again",
    )


def _givens_of_bare(
    sights: Mapping[Hex, Sight], there: tuple[Hex, ...], radius: int
) -> tuple[frozenset[Hex], frozenset[Hex], bool]:
    """The givens of a note without outlines, which must be a finished one."""
    names = {cell: sights[cell].symbol or "" for cell in there}
    if not trust.all_linked(names):
        raise UncertainReading(
            "no free cell can be seen, but the note is not complete either",
            hint="something may cover the note; move the mouse away",
            cells=there,
        )
    return trust.givens_of_finished(names, radius)


def _blanks(
    sights: Mapping[Hex, Sight],
    icons: list[Hex],
    free: list[Hex],
    foreign: list[Hex],
    radius: int,
    limits: trust.Outlines,
    remarks: list[str],
) -> tuple[list[Hex], frozenset[Hex]]:
    """(free cells, positions that may be cells): faint ones are decided by how many blanks the game makes."""
    rest = [cell for cell in hexagon(radius) if cell not in {*icons, *free, *foreign}]
    unclear = [cell for cell in rest if not sights[cell].outline < limits.absent]
    blanks = [cell for cell in rest if cell not in unclear]
    decided = bool(unclear) and trust.blanks_decide(radius, len(unclear))
    if decided and not trust.odd_blanks(radius, len(rest)):
        remarks.append(f"{len(unclear)} faint positions are taken for blanks, since the game makes so many")
        unclear = []
    elif decided and not foreign and not trust.odd_blanks(radius, len(blanks)):
        remarks.append(f"{len(unclear)} faint cells are taken for free, since the game makes so few blanks")
        free, unclear = free + unclear, []
    elif not unclear and not foreign and (odd := trust.odd_blanks(radius, len(blanks))):
        remarks.append(f"the game makes no note of radius {radius} with {len(blanks)} blanks")
        # Too many: the likeliest to be cells after all are in doubt.
        unclear = sorted(blanks, key=lambda cell: -abs(sights[cell].outline))[: max(0, odd)]
    if foreign:
        # What hides one cell may hide its neighbours' outlines too.
        unclear += [cell for cell in blanks if radius <= 2 or _beside(cell, foreign)]
    return free, frozenset(unclear)


def _beside(cell: Hex, others: Iterable[Hex]) -> bool:
    """Whether one of the others is a neighbour."""
    return any(hex_distance(cell, other) == 1 for other in others)
