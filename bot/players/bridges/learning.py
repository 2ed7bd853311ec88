"""Learns how a program that nobody told us about wants its bridges entered, by a few gestures at the start of a run.

One bridge of the solution is entered in each of the usual ways until the screen shows it. How bridges go away is tried
only where some have to: by the gesture after the most, then by the right button. What was learned is kept with the
colours of the program and recognised by them.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

from bot.actions import Action, Drag, Tap, slower
from bot.changed import changed_beside
from bot.players.bridges.entering import GESTURE, GESTURES, TAKE, TAKES, Entering, Gesture, aside
from bot.players.trying import LEAST_LOOKS, close_menu, no_menu_left, seen_again
from bot.screen import ANEW, Glance, Hands
from solver.bridges import Bridges, Joins, Span, between
from vision.errors import VisionError
from vision.frame import Box, Frame, Point
from vision.profile import Profile, learned
from vision.readers.bridges.again import reread
from vision.readers.bridges.board import BoardReading, read
from vision.readers.bridges.learned import BREADTHS, ENTERING, broad_of, signature
from vision.readers.bridges.lines import breadth
from vision.readers.bridges.spans import Measured
from vision.reading import Reading
from vision.track import changes

# One gesture may get lost; the second time it is made more slowly. A lesson that teaches nothing is given twice, and no
# gesture is made more than five times.
TRIES = 2
# One tap on an island is tried before two: where the side that is tapped says what is meant, two taps are two bridges
# somewhere. A program of two taps takes the tries back again, as they are two.
TRIED: tuple[Gesture, ...] = ("drag", "side", "taps", "between")
# A gesture may take this long to show, and so much longer before another one is tried: what shows late would be
# taken for its effect.
PATIENCE_S = 1.5
LATE_S = 4.0
POLL_S = 0.08
# Two bridges that are one line are so many times as broad as one.
BROADER = 1.5
# A menu may leave the board readable; it is one where so large a share of the picture has changed.
MENU = 0.01


def learn(frame: Frame, reading: Reading[Bridges, Joins], solution: Joins, hands: Hands) -> Profile | None:
    """The profile of the program on the screen; None where it is known, or does nothing with any gesture.

    frame, reading: the board before anything is entered.
    Raises LimitReached between two gestures; what was entered then belongs to the solution. Raises VisionError where the
    board is not to be seen any more after a gesture: no other one follows.
    """
    missing = [span for span, count in solution.items() if count > reading.placed.get(span, 0)]
    known = reading.ui == "sgt" or GESTURE in reading.facts
    if (known and ANEW not in reading.facts) or not missing:
        return None
    last = reading
    for gesture in TRIED:
        # Islands that a gesture has filled with bridges elsewhere take no more. One of two tells how two are drawn as well.
        filled = {at for one, count in last.placed.items() if count > solution.get(one, 0) for at in one}
        span = max(
            missing,
            key=lambda one: (
                filled.isdisjoint(one),
                bool(between(one)),
                _tells_drags(one, reading.puzzle),
                solution[one] > 1,
                len(between(one)),
                one,
            ),
        )
        entering = Entering(gesture, press_s=0.02, hold_s=0.03)
        once = entering.once(reading, span)
        hands.require(TRIES * (len(once) + 1))
        for actions in (*(slower(once, pace) for pace in range(TRIES)), ()):
            now = _after(actions, last, hands)
            if now is None:
                continue
            changed = {one for one, _ in now.placed.items() ^ last.placed.items()}
            last = now
            # What shows on several spans at once tells where bridges can go from a chosen island.
            if changed == {span}:
                settings = {**signature(now), GESTURE: float(GESTURES.index(gesture))}
                if now.placed.get(span, 0) == 1 < solution[span]:
                    settings |= _breadths(actions or once, now, span, hands)
                settings[TAKE] = float(_takes(gesture, now, solution, hands))
                return learned("bridges", settings)
        _take_back(frame, reading, once, hands)
        last = _read(hands.capture(), reading)
    return None


def _tells_drags(span: Span, puzzle: Bridges) -> bool:
    """Whether another span is nearer to where a drag along this one is released, a little off the middle of its island.

    In a program that takes the nearest one a drag then enters a bridge there, and is not taken for its gesture.
    """
    end = span.b
    if span.a.row == end.row:
        return any(other.a == end and other.b.col == end.col for other in puzzle.spans)
    return any(other.b == end and other.a.row == end.row for other in puzzle.spans)


def _take_back(
    frame: Frame, reading: Reading[Bridges, Joins], actions: tuple[Action, ...], hands: Hands
) -> None:
    """Tap once more what taps locked or chose, of which a program that looks seldom took an odd number.

    frame: the board before anything was entered. Raises VisionError where the board is not to be seen any more.
    """
    reach = reading.geometry.pitch_px / 2
    for tap in actions:
        if not isinstance(tap, Tap):
            continue
        x, y = tap.at
        around = Box.spanning(Point(x - reach, y - reach), Point(x + reach, y + reach)).clipped(frame.size)
        for pace in range(TRIES):
            hands.act((aside(reading),))
            hands.sleep(PATIENCE_S)
            now = hands.capture()
            if not changes(frame.pixels, now.pixels, around):
                break
            # What has come over the board is not tapped.
            _read(now, reading)
            hands.require(1)
            hands.act(slower((tap,), pace + 1))


def taught(before: Reading[Bridges, Joins], profile: Profile) -> Reading[Bridges, Joins] | None:
    """The reading with what was learned since; None where it remembers nothing that a later frame can be compared with.

    Programs draw bridges over the numbers of their islands: the puzzle is what it was before the lesson.
    """
    if not isinstance(before, BoardReading) or before.seen is None:
        return None
    facts = {**before.facts, **profile.named(ENTERING)}
    return replace(before, facts=facts, seen=replace(before.seen, broad=broad_of(profile)))


def _breadths(
    actions: tuple[Action, ...], one: Reading[Bridges, Joins], span: Span, hands: Hands
) -> dict[str, float]:
    """How broad one bridge and two are on a span that has one, where two are one broad line; else nothing.

    actions: what enters one more.
    """
    hands.require(len(actions) + 1)
    away = aside(one)
    hands.act((away,))
    hands.sleep(POLL_S)
    before = last = _breadth(_read(hands.capture(), one), span)
    hands.act((*actions, away))
    began, looks = hands.now(), 0
    while looks < LEAST_LOOKS or hands.now() - began < PATIENCE_S:
        hands.sleep(POLL_S)
        looks += 1
        now = _breadth(_read(hands.capture(), one), span)
        if now > BROADER * before and now == last:
            return dict(zip(BREADTHS, (before, now), strict=True))
        last = now
    return {}


def _breadth(reading: Reading[Bridges, Joins], span: Span) -> float:
    """How broad the one line on a span is, as a share of the pitch; 0 where there is another number of them."""
    seen = reading.seen
    own = seen.across.get(span) if isinstance(seen, Measured) else None
    if own is None or reading.placed.get(span, 0) != 1:
        return 0.0
    return round(breadth(own) / reading.geometry.pitch_px, 3)


def _takes(gesture: Gesture, reading: Reading[Bridges, Joins], solution: Joins, hands: Hands) -> int:
    """The place in TAKES of how bridges go away; the first where none has to."""
    spans = [span for span, count in reading.placed.items() if count > solution.get(span, 0)]
    if not spans:
        return 0
    span, now = spans[0], reading
    for number, takes in enumerate(TAKES):
        entering = Entering(gesture, takes, press_s=0.02, hold_s=0.03)
        count = now.placed[span]
        actions = entering.actions(now, span, count, count - 1)
        hands.require(len(actions) + 1)
        after = _after(actions, now, hands)
        if after is not None and after.placed.get(span, 0) < count:
            return number
        now = after or now
    return 0


def _after(
    actions: tuple[Action, ...], before: Reading[Bridges, Joins], hands: Hands
) -> Reading[Bridges, Joins] | None:
    """The board once something has changed and rests; None where nothing does.

    Without actions it is waited for what earlier ones may still do. Raises VisionError where the board is not to be seen
    any more, also when the menu is closed that a right click may have opened.
    """
    right = _right(actions)
    shown = hands.capture() if right else None
    # What is under the pointer may look different; a menu under it is closed first.
    hands.act(actions if right or not actions else (*actions, aside(before)))
    with no_menu_left(hands) if right else nullcontext():
        after, menu = _shown(actions, before, hands, right)
    if menu and shown is not None and changed_beside(Glance(shown, before), hands.capture()) > MENU:
        close_menu(hands)
    elif right and after is None:
        # What lights up under the pointer may look like the bridge that has gone.
        hands.act((aside(before),))
        after, _ = _shown((), before, hands, False)
    return after


def _shown(
    actions: tuple[Action, ...], before: Reading[Bridges, Joins], hands: Hands, menu: bool
) -> tuple[Reading[Bridges, Joins] | None, bool]:
    """The board as in `_after`, and whether a menu may be open; menu: whether one may be now."""
    began, last, looks = hands.now(), before, 0
    while looks < LEAST_LOOKS or hands.now() - began < (PATIENCE_S if actions else LATE_S):
        hands.sleep(POLL_S)
        looks += 1
        try:
            now = _read(hands.capture(), before)
        except VisionError:
            if menu:
                close_menu(hands)
                # With what lights up under the pointer bridges may not be counted.
                hands.act((aside(before),))
            menu = False
            last = seen_again(hands, lambda frame: _read(frame, before))
            continue
        if now.placed != before.placed and now.placed == last.placed:
            return now, False
        last = now
    return None, menu


def _read(frame: Frame, before: Reading[Bridges, Joins]) -> Reading[Bridges, Joins]:
    return reread(frame, before) or read(frame, Profile("bridges", "measured"))


def _right(actions: tuple[Action, ...]) -> bool:
    return any(isinstance(action, Tap | Drag) and action.button == "right" for action in actions)
