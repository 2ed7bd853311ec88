"""The research of Thaumcraft 4.2.3.5: which lists of aspects its notes are made of.

A note whose radius and givens, in the order of the ring, are in this list is one that the game makes. One that
is not may be an addon's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from solver.lattice import HEX_STEPS, Hex
from solver.thaumcraft.note import Note

# A complexity, then the lists of aspects of that complexity, each in the order in which the game prints them.
_RESEARCH = """
1:
aer motus
alienis cognitio
aqua sensus
corpus praecantatio
fames vacuos
ignis potentia
ignis praecantatio
lux ignis
metallum ordo
metallum permutatio
metallum praecantatio
ordo cognitio
pannus praecantatio
perditio cognitio
potentia ignis
terra victus
vinculum machina
aer machina motus
aer potentia praecantatio
aqua machina ordo
aqua perditio vacuos
aqua praecantatio gelum
aqua praecantatio permutatio
auram ordo potentia
cognitio alienis sensus
cognitio fabrico perditio
cognitio sensus ordo
fames victus praecantatio
instrumentum arbor praecantatio
iter terra volatus
lux sensus tenebrae
metallum lucrum instrumentum
metallum ordo lucrum
metallum ordo permutatio
metallum ordo vitreus
metallum permutatio instrumentum
metallum permutatio lucrum
metallum permutatio ordo
metallum permutatio vitreus
metallum telum lucrum
metallum tutamen lucrum
motus vinculum bestia
motus volatus aer
pannus iter lucrum
pannus potentia lucrum
pannus sensus lucrum
pannus victus lucrum
praecantatio aqua limus
praecantatio lucrum fabrico
praecantatio perditio fabrico
praecantatio permutatio fabrico
sensus auram praecantatio
sensus pannus praecantatio
sensus potentia aer
sensus tutamen lucrum
telum aer motus
vacuos praecantatio instrumentum
volatus telum lucrum
aqua vitreus permutatio praecantatio
auram praecantatio ordo perditio
cognitio ordo sano alienis
metallum lucrum instrumentum auram
praecantatio tutamen permutatio lucrum
praecantatio vinculum aer aqua
sensus tenebrae alienis auram
cognitio tenebrae permutatio iter alienis
aer terra ignis aqua ordo perditio
2:
aqua permutatio iter
auram lucrum sensus
auram machina potentia
bestia victus lux
exanimis victus tutamen
fames permutatio vacuos
instrumentum aqua motus
instrumentum ignis sensus
instrumentum terra fabrico
instrumentum victus messis
metallum tutamen fabrico
meto messis iter
perditio mortuus tutamen
praecantatio machina fabrico
praecantatio tutamen aer
praecantatio tutamen potentia
sano cognitio tutamen
sensus auram tutamen
telum aer potentia
telum vinculum sensus
terra perditio praecantatio
terra permutatio praecantatio
vacuos permutatio lucrum
aqua iter praecantatio potentia
aqua meto bestia fames
aqua praecantatio permutatio ordo
arbor meto instrumentum potentia
auram praecantatio motus permutatio
auram praecantatio ordo potentia
auram praecantatio permutatio potentia
auram praecantatio potentia vacuos
cognitio auram ordo sano
cognitio ordo sensus praecantatio
fames cognitio exanimis lucrum
ignis metallum fabrico auram
instrumentum aer herba praecantatio
instrumentum alienis vitreus iter
instrumentum cognitio machina tutamen
instrumentum gelum aqua praecantatio
instrumentum ignis potentia praecantatio
instrumentum ordo vitreus praecantatio
instrumentum perditio exanimis praecantatio
instrumentum terra ignis praecantatio
iter alienis aqua praecantatio
iter alienis tenebrae vitreus
iter bestia ignis praecantatio
iter perditio alienis aer
iter terra volatus aqua
lux herba victus messis
metallum alienis tenebrae vacuos
metallum praecantatio instrumentum auram
mortuus venenum perditio aqua
perditio praecantatio permutatio fabrico
perfodio motus machina instrumentum
praecantatio auram machina potentia
praecantatio herba sano vitium
praecantatio tutamen sano aqua
praecantatio tutamen terra vacuos
spiritus iter arbor vacuos
spiritus motus arbor permutatio
spiritus motus corpus permutatio
spiritus motus messis permutatio
spiritus motus metallum permutatio
spiritus motus terra permutatio
telum bestia sensus meto
vacuos permutatio lucrum fames
victus potentia cognitio sensus
vitium praecantatio perditio aqua
aqua vacuos permutatio praecantatio vacuos
praecantatio instrumentum fabrico vitreus potentia
spiritus motus corpus praecantatio permutatio
spiritus motus metallum praecantatio permutatio
aer aqua ignis terra ordo perditio praecantatio
perfodio instrumentum perditio vacuos telum alienis lucrum
telum aer ignis aqua terra ordo perditio
3:
instrumentum arbor praecantatio
aqua praecantatio permutatio fabrico
auram lucrum permutatio motus
instrumentum fabrico arbor praecantatio
instrumentum permutatio machina humanus
terra tutamen ordo cognitio
volatus iter aer machina
volatus iter aer motus
auram praecantatio permutatio potentia instrumentum
cognitio permutatio sensus lucrum fabrico
praecantatio cognitio telum tutamen instrumentum
tutamen aer praecantatio potentia cognitio
tutamen alienis pannus tenebrae vacuos
vacuos alienis instrumentum praecantatio auram
aer terra ignis aqua ordo perditio instrumentum praecantatio
"""


def is_vanilla_research(radius: int, aspects: Sequence[str]) -> bool:
    """Whether the game makes a note of that radius with these givens, in the order of the ring.

    >>> is_vanilla_research(2, ("ignis", "praecantatio"))
    True
    >>> is_vanilla_research(3, ("ignis", "praecantatio"))
    False
    """
    return (radius, tuple(aspects)) in _notes()


def in_ring_order(note: Note, radius: int) -> tuple[str, ...]:
    """The givens on the outer ring of a note, from (-radius, radius) on, as the game numbers it."""
    cell, found = Hex(-radius, radius), []
    for step in HEX_STEPS:
        for _ in range(radius):
            if cell in note.given:
                found.append(note.given[cell])
            cell = Hex(cell.q + step.q, cell.r + step.r)
    return tuple(found)


@cache
def _notes() -> frozenset[tuple[int, tuple[str, ...]]]:
    """(radius, aspects) of all research."""
    notes, radius = set(), 0
    for line in _RESEARCH.split("\n"):
        if line.endswith(":"):
            radius = 1 + min(3, int(line[:-1]))
        elif line:
            notes.add((radius, tuple(line.split())))
    return frozenset(notes)
