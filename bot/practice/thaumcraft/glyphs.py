"""Our own signs for the 48 aspects, as short drawings on a square of 32 x 32.

Every sign is a list of strokes, separated by `;`, painted in order (angles in degrees, clockwise from the
right):

    disc X Y R            ring X Y R WIDTH        arc X Y R WIDTH FROM TO
    oval X Y RX RY        line WIDTH X Y X Y ..   poly X Y X Y ..

A minus before the word cuts the shape out of what is there. They were invented for the practice table, so
that it can be shipped; they look nothing like the game's own icons, but have what makes those hard: rings,
faint middles, thin lines, and pairs that differ in one detail only.
"""

from __future__ import annotations

GLYPHS: dict[str, str] = {
    "aer": "arc 16 16 12 5 20 300; arc 16 16 5 5 200 480; disc 27 20 3",
    "terra": "poly 16 4 29 27 3 27; -poly 16 11 23 24 9 24; disc 16 20 3",
    "ignis": "poly 16 2 24 14 26 22 21 30 11 30 6 22 9 15 12 19; -poly 16 16 20 24 16 29 12 24",
    "aqua": "line 3 3 10 9 6 16 10 23 6 29 10; line 3 3 18 9 14 16 18 23 14 29 18; "
    "line 3 3 26 9 22 16 26 23 22 29 26",
    "ordo": "line 3 5 5 27 5 27 27 5 27 5 5; line 3 11 11 21 11 21 21 11 21 11 11",
    "perditio": "line 3 5 5 13 16 5 27; line 3 27 5 19 16 27 27; line 3 11 3 16 12 21 3; "
    "line 3 11 29 16 20 21 29",
    "vacuos": "ring 16 16 12 4; ring 16 16 5 3",
    "lux": "disc 16 16 6; line 2 16 1 16 8; line 2 16 24 16 31; line 2 1 16 8 16; line 2 24 16 31 16; "
    "line 2 5 5 10 10; line 2 22 22 27 27; line 2 5 27 10 22; line 2 22 10 27 5",
    "tempestas": "oval 11 11 8 6; oval 21 10 8 7; poly 17 16 10 25 15 25 12 31 22 22 17 22 21 16",
    "motus": "poly 2 8 14 8 14 3 25 12 14 21 14 16 2 16; line 2 4 25 26 25; line 2 8 29 22 29",
    "gelum": "line 4 16 2 16 30; line 4 4 9 28 23; line 4 4 23 28 9; ring 16 16 8 3",
    "vitreus": "poly 10 4 22 4 29 13 16 30 3 13; -poly 12 7 20 7 23 12 9 12; -poly 10 15 15 15 15 25",
    "victus": "disc 10 11 7; disc 22 11 7; poly 3 13 29 13 16 29; -disc 16 15 4",
    "venenum": "poly 13 3 19 3 19 11 27 26 24 30 8 30 5 26 13 11; -oval 16 24 6 3; disc 14 24 1; "
    "disc 18 23 2",
    "potentia": "disc 16 16 14; -poly 19 4 8 18 14 18 12 28 24 13 18 13",
    "permutatio": "arc 16 16 11 3 30 170; arc 16 16 11 3 210 350; poly 25 14 31 20 23 23; poly 7 18 1 12 9 9",
    "metallum": "poly 8 10 24 10 29 22 3 22; -line 2 8 14 24 14; poly 12 25 20 25 23 30 9 30",
    "mortuus": "poly 8 30 8 12 12 5 20 5 24 12 24 30; -line 2 16 10 16 22; -line 2 12 14 20 14",
    "volatus": "poly 3 26 8 10 29 3 24 12 19 14 22 16 15 19 17 21; line 2 2 30 9 22",
    "tenebrae": "disc 16 16 13; -disc 21 13 10; disc 23 14 2",
    "spiritus": "oval 16 14 8 11; poly 8 14 24 14 24 29 20 25 16 29 12 25 8 29; -disc 13 12 2; -disc 19 12 2",
    "sano": "poly 12 3 20 3 20 12 29 12 29 20 20 20 20 29 12 29 12 20 3 20 3 12 12 12; -disc 16 16 3",
    "iter": "oval 9 9 4 6; oval 9 18 3 3; oval 22 17 4 6; oval 22 26 3 3",
    "alienis": "oval 16 16 14 8; -oval 16 16 11 5; disc 16 16 5; -oval 16 16 1 4",
    "praecantatio": "line 3 4 28 18 14; poly 21 3 23 9 29 11 23 13 21 19 19 13 13 11 19 9; disc 27 22 2; "
    "disc 10 8 2",
    "auram": "disc 16 16 4; ring 16 16 9 2; ring 16 16 14 1; disc 25 16 2; disc 6 6 2; disc 16 30 2",
    "vitium": "disc 16 16 7; disc 7 8 4; disc 25 8 4; disc 8 26 4; disc 26 24 3; line 2 16 16 7 8; "
    "line 2 16 16 25 8; "
    "line 2 16 16 8 26; line 2 16 16 26 24; -disc 16 16 3",
    "limus": "oval 16 22 13 8; oval 13 15 8 7; -disc 11 18 2; -disc 19 19 2; disc 26 9 3; disc 21 5 2",
    "herba": "poly 16 30 14 18 4 14 3 4 13 7 16 16 19 9 29 6 28 16 18 20 18 30",
    "arbor": "disc 16 10 9; disc 8 15 5; disc 24 15 5; poly 14 18 18 18 20 31 12 31; -disc 13 8 2; "
    "-disc 19 12 2",
    "bestia": "oval 16 21 8 7; oval 6 14 3 4; oval 12 7 3 5; oval 20 7 3 5; oval 26 14 3 4",
    "corpus": "oval 12 20 9 9; line 5 18 14 25 7; disc 24 4 3; disc 28 8 3; -disc 10 19 3",
    "exanimis": "line 4 4 6 16 10 28 6; line 4 16 10 16 22; line 4 8 31 16 21 24 31; disc 16 4 4; "
    "line 2 8 16 24 16",
    "cognitio": "oval 11 14 8 10; oval 21 14 8 10; -line 1 16 4 16 24; -line 1 6 12 12 14 9 19; "
    "-line 1 26 12 20 14 23 19; line 4 16 23 18 30",
    "sensus": "arc 4 16 6 3 -50 50; arc 4 16 14 3 -50 50; arc 4 16 22 3 -45 45; disc 4 16 3",
    "humanus": "disc 16 7 5; poly 8 14 24 14 24 22 20 22 20 31 12 31 12 22 8 22",
    "messis": "line 2 16 31 16 6; oval 16 5 2 4; oval 11 9 2 4; oval 21 9 2 4; oval 11 17 2 4; "
    "oval 21 17 2 4; "
    "oval 11 25 2 4; oval 21 25 2 4",
    "perfodio": "arc 16 20 15 4 215 325; line 4 16 6 16 30",
    "instrumentum": "poly 4 4 22 4 27 11 19 11 4 13; line 4 14 12 14 30; -disc 9 8 2",
    "meto": "arc 14 15 11 4 150 370; line 4 25 16 29 29",
    "telum": "poly 28 3 29 8 15 22 10 17 24 3; line 3 7 16 16 25; line 4 4 28 10 22",
    "tutamen": "poly 4 5 16 2 28 5 26 20 16 30 6 20; -poly 8 8 16 6 16 25 9 18",
    "fames": "poly 3 8 29 8 26 15 23 11 20 15 16 11 12 15 9 11 6 15; "
    "poly 3 25 29 25 26 18 23 22 20 18 16 22 12 18 9 22 6 18",
    "lucrum": "disc 11 12 8; disc 21 21 8; -ring 21 21 9 1; -poly 11 8 14 12 11 16 8 12; "
    "-poly 21 17 24 21 21 25 18 21",
    "fabrico": "poly 7 3 12 3 12 13 16 13 16 3 21 3 21 13 25 13 25 24 20 30 11 30 7 24; -line 2 11 20 21 20",
    "pannus": "poly 4 7 22 4 28 10 26 28 8 29 5 20; -line 1 9 10 22 9; -line 1 9 15 23 14; "
    "-line 1 10 20 22 19; "
    "-disc 20 24 2",
    "machina": "disc 16 16 9; line 5 16 2 16 30; line 5 2 16 30 16; line 5 6 6 26 26; line 5 6 26 26 6; "
    "-disc 16 16 5",
    "vinculum": "ring 10 10 7 3; ring 22 22 7 3; line 3 13 13 19 19",
}


def strokes(glyph: str) -> list[tuple[str, bool, list[float]]]:
    """A drawing as (word, cuts, numbers) in painting order.

    >>> strokes("disc 16 16 9; -disc 16 16 3")
    [('disc', False, [16.0, 16.0, 9.0]), ('disc', True, [16.0, 16.0, 3.0])]
    """
    result = []
    for stroke in glyph.split(";"):
        word, *numbers = stroke.split()
        result.append((word.lstrip("-"), word.startswith("-"), [float(number) for number in numbers]))
    return result
