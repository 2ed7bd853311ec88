"""A small imitation of a ring puzzle on a screen.

Tap a region and then a number tile, or type the digits; hold a region, or press backspace, to clear it. With `once`
a used tile leaves its slot empty. Rings that are full show whether their sum is right by the colour of their target,
or of their line where there is one target for all.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

from bot.actions import Action, Drag, Key, Tap
from bot.practice import lettering
from bot.practice.rings import drawing
from bot.practice.rings.figures import FIGURES, Disc, Figure, discs_of
from bot.practice.rings.puzzles import make_puzzle
from solver.errors import InvalidPuzzle
from solver.lattice import Region
from solver.rings import Ring, Rings, check
from vision.frame import Box, Pixels, Point
from vision.profile import Profile

HOLD_TO_CLEAR_S = 0.45
# The last digit typed may become the first of two for this long.
TYPING_S = 1.5
# The number of the smallest region stands at least this far from every line.
LEAST_DEPTH_PX = 16.0


def practice(
    rng: random.Random,
    *,
    skin: str | None = None,
    radius_px: float | None = None,
    figure: Figure | None = None,
) -> RingsPractice:
    """A board with a random puzzle. skin: one of `drawing.SKINS`; radius_px: of a ring, 45 or more."""
    shape: Figure = rng.choice(FIGURES) if figure is None else figure
    skin = skin or rng.choice(sorted(drawing.SKINS))
    radius_px = radius_px or rng.uniform(85.0, 150.0)
    puzzle = make_puzzle(shape, discs_of(shape, rng, radius_px), rng)
    return board_of(puzzle, skin=skin, radius_px=radius_px)


def board_of(puzzle: Rings, *, skin: str, radius_px: float | None = None) -> RingsPractice:
    """A board with a puzzle of your own, which must have a drawing. radius_px: by default what makes its smallest
    region roomy enough for a readable number."""
    smallest = min(ring.radius for ring in puzzle.rings)
    if smallest <= 0:
        raise InvalidPuzzle("the puzzle has no drawing: a ring of radius 0", hint="give every ring its place")
    scale = (radius_px or smallest * max(1.0, LEAST_DEPTH_PX / drawing.least_depth(puzzle))) / smallest
    margin = 0.75 * scale * max(ring.radius for ring in puzzle.rings)
    left = margin - scale * min(ring.x - ring.radius for ring in puzzle.rings)
    top = margin - scale * min(ring.y - ring.radius for ring in puzzle.rings)
    rings = (
        replace(r, x=left + scale * r.x, y=top + scale * r.y, radius=scale * r.radius) for r in puzzle.rings
    )
    places = (replace(p, x=left + scale * p.x, y=top + scale * p.y) for p in puzzle.places)
    drawn = replace(puzzle, rings=tuple(rings), places=tuple(places))
    return RingsPractice(drawn, drawing.SKINS[skin], skin)


class RingsPractice:
    """One board; implements `PracticeBoard`."""

    def __init__(self, puzzle: Rings, skin: drawing.Skin, name: str) -> None:
        self.puzzle = puzzle
        self.profile = Profile("rings", name)
        self.entered: dict[Region, int] = {}
        self._discs = [Disc(ring.x, ring.y, ring.radius) for ring in puzzle.rings]
        self._skin = skin
        self._selected: Region | None = None
        self._typed_at = -math.inf
        self._places = {place.region: Point(place.x, place.y) for place in puzzle.places}
        radius = self._discs[0].radius
        self._digit_px = min(0.24 * radius, 0.85 * drawing.least_depth(puzzle))
        self._line_px = max(1, round(radius / 28))
        self._lay_out()

    def _lay_out(self) -> None:
        radius = self._discs[0].radius
        right = max(c.x + c.radius for c in self._discs)
        bottom = max(c.y + c.radius for c in self._discs)
        written = [
            drawing.around(at, 1.75 * self._digit_px, 1.1 * self._digit_px) for at in self._places.values()
        ]
        self._spots = drawing.target_spots(self.puzzle, written, self._skin, self._digit_px, self._line_px)
        side = 0.42 * radius
        pitch = 1.3 * side
        left = 0.5 * radius
        self.width = math.ceil(max(right + 0.75 * radius, 2 * left + 3 * pitch))
        per_row = max(3, int((self.width - 2 * left) / pitch))
        self._tiles: list[tuple[int, Box]] = []
        for i, number in enumerate(self.puzzle.numbers):
            row, column = divmod(i, per_row)
            at = Point(left + pitch * (column + 0.5), bottom + 0.95 * radius + pitch * row)
            self._tiles.append((number, drawing.around(at, side, side)))
        self.height = math.ceil(bottom + 0.95 * radius + pitch * (1 + (len(self._tiles) - 1) // per_row))

    def solved(self) -> bool:
        return not check(self.puzzle, self.entered)

    def act(self, action: Action, now_s: float) -> None:
        match action:
            case Tap(at=at, hold_s=hold_s, button="left"):
                self._tap(at, hold_s)
            case Drag(path=path, button="left") if len(path) >= 2:
                number = self._tile_at(path[0])
                region = self._region_at(path[-1])
                if number is not None and region in self.puzzle.blanks:
                    self._selected = region
                    self._enter(number)
            case Key(name=name):
                self._type(name, now_s)
            case _:
                pass

    def _tap(self, at: Point, hold_s: float) -> None:
        number = self._tile_at(at)
        if number is not None:
            self._enter(number)
            return
        region = self._region_at(at)
        self._selected = region if region in self.puzzle.blanks else None
        self._typed_at = -math.inf
        if self._selected is not None and hold_s >= HOLD_TO_CLEAR_S:
            self.entered.pop(self._selected, None)
            self._selected = None

    def _type(self, name: str, now_s: float) -> None:
        if self._selected is None:
            return
        if name in ("backspace", "delete"):
            self.entered.pop(self._selected, None)
        elif len(name) == 1 and name.isascii() and name.isdigit():
            region = self._selected
            before = self.entered.get(region, 0) if now_s - self._typed_at <= TYPING_S else 0
            number = 10 * before + int(name)
            if number <= max(self.puzzle.numbers):
                self.entered[region] = number
                self._typed_at = now_s

    def _enter(self, number: int) -> None:
        if self._selected is None:
            return
        self.entered.pop(self._selected, None)
        if self._left()[number] > 0:
            self.entered[self._selected] = number
        self._selected = None

    def _left(self) -> Counter[int]:
        """How often each number can still be entered."""
        stock = Counter(self.puzzle.numbers)
        if self.puzzle.use == "once":
            stock.subtract(self.entered.values())
        return stock

    def _visible_tiles(self) -> list[tuple[int, Box]]:
        left = self._left()
        shown = []
        for number, box in self._tiles:
            if left[number] > 0:
                shown.append((number, box))
                if self.puzzle.use == "once":
                    left[number] -= 1
        return shown

    def _tile_at(self, at: Point) -> int | None:
        return next((number for number, box in self._visible_tiles() if box.contains(at)), None)

    def _region_at(self, at: Point) -> Region | None:
        """The region whose number is nearest among those inside the same rings."""
        names = tuple(
            ring.name
            for ring, c in zip(self.puzzle.rings, self._discs, strict=True)
            if math.hypot(at.x - c.x, at.y - c.y) < c.radius
        )
        inside = [region for region, covers in self.puzzle.covers.items() if covers == names]
        return min(inside, key=lambda region: math.dist(self._places[region], at), default=None)

    def render(self, now_s: float) -> Pixels:
        skin = self._skin
        picture = drawing.blank_canvas(self.width, self.height, skin.ground)
        for i, circle in enumerate(self._discs):
            colour = skin.lines[i % len(skin.lines)]
            if self.puzzle.target != "own" and self._verdict(self.puzzle.rings[i]) is False:
                colour = drawing.WRONG
            drawing.outline(picture, circle, colour, self._line_px)
        for ring in self.puzzle.rings:
            if isinstance(ring.target, int):
                verdict = self._verdict(ring)
                ink = skin.ink if verdict is None else drawing.RIGHT if verdict else drawing.WRONG
                self._draw_target(picture, ring.target, self._spots[ring.name], ink)
        if isinstance(self.puzzle.target, int):
            at = Point(self.width / 2, 0.3 * self._discs[0].radius)
            lettering.write(picture, str(self.puzzle.target), at, 1.1 * self._digit_px, skin.ink)
        for region, at in self._places.items():
            self._draw_region(picture, region, at)
        for number, box in self._visible_tiles():
            drawing.plate(picture, box, skin.tile)
            lettering.write(picture, str(number), box.centre, 0.45 * box.height, skin.ink)
        return picture

    def _draw_target(self, picture: Pixels, target: int, spot: drawing.Spot, ink: drawing.Colour) -> None:
        if spot.plate is not None:
            drawing.plate(picture, spot.plate, self._skin.ground)
        lettering.write(picture, str(target), spot.at, spot.height_px, ink)

    def _draw_region(self, picture: Pixels, region: Region, at: Point) -> None:
        skin, height = self._skin, self._digit_px
        given = self.puzzle.given.get(region)
        if given is not None:
            lettering.write(picture, str(given), at, height, skin.ink)
            return
        number = self.entered.get(region)
        if skin.blank == "box":
            drawing.plate(picture, drawing.around(at, 1.55 * height, 1.45 * height), skin.tile)
        if number is not None:
            scale = 0.8 if skin.blank == "box" else 1.0
            lettering.write(picture, str(number), at, scale * height, skin.entered)
        elif skin.blank == "?":
            lettering.write(picture, "?", at, height, skin.ink)
        if region == self._selected:
            under = Point(at.x, at.y + 0.95 * height)
            drawing.plate(picture, drawing.around(under, 1.2 * height, 1), drawing.SELECTED)

    def _verdict(self, ring: Ring) -> bool | None:
        """Whether a full ring has its sum; None while it is not full or has no known sum."""
        target = self.puzzle.sum_of(ring)
        values = {**self.puzzle.given, **self.entered}
        inside = self.puzzle.insides[ring.name]
        if target is None or any(region not in values for region in inside):
            return None
        return sum(values[region] for region in inside) == target
