"""What the window says where the command line would say something else, or nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.games import GAMES
from bot.play import Outcome
from bot.recognise import NAME_IT
from bot.window.events import Said
from solver.errors import BoardsightError
from vision.errors import VisionError

LEARN = (
    "They belong to the game: it is looked for on this computer. Or choose its jar or resource pack yourself."
)
HIDDEN = (
    "This window lies over the board. Move it, or bring the game to the front; then the board is read again."
)
_CALIBRATE = re.compile(r"boardsight calibrate (\w+)")


def sentence(text: str) -> str:
    """Messages of the command line go on after a name; here they begin a line.

    >>> sentence("stopped in the window")
    'Stopped in the window'
    """
    return text[:1].upper() + text[1:]


def entries(count: int) -> str:
    """
    >>> entries(1), entries(23)
    ('1 entry', '23 entries')
    """
    return f"{count} {'entry' if count == 1 else 'entries'}"


def left(missing: int) -> str:
    """
    >>> left(1), left(0)
    ('1 entry left', 'everything is in place: looking once more')
    """
    return f"{entries(missing)} left" if missing else "everything is in place: looking once more"


def wrong(error: BoardsightError) -> Said:
    return Said("error", sentence(str(error)), sentence(error.hint))


def refusal(error: VisionError) -> Said:
    """Why no board was read; where its looks are not known yet, how they are learned."""
    named = _CALIBRATE.search(error.hint)
    if named is not None and named[1] in GAMES and GAMES[named[1]].calibrate is not None:
        return Said("error", sentence(str(error)), LEARN, named[1])
    # There is no command line here at which a game could be named.
    return Said("error", sentence(str(error)), sentence(error.hint.removesuffix(f", or {NAME_IT}")))


def learned(lines: Sequence[str]) -> Said:
    """lines: what `calibrate` tells of a profile; of these, what is missing from it."""
    missing = [sentence(line) for line in lines if line.startswith("no")]
    return Said("done", "The icons are learned, and the board is read.", "\n".join(missing))


def not_learned(error: BoardsightError, game: str) -> Said:
    return Said("error", sentence(str(error)), "Choose the mod's jar, or your resource pack.", game)


def question(missing: int, source: str) -> str:
    """What a run would do to the device of a SOURCE."""
    kind, _, name = source.partition(":")
    if kind == "adb":
        touched = f"The screen of {name or 'the phone'} is tapped."
    elif kind == "desktop":
        touched = f"The mouse moves by itself in {name or 'the window'}: leave it alone meanwhile."
    else:
        touched = "This board is in memory: nothing of yours is touched."
    return f"{entries(missing)} to make. {touched}"


def end_of(outcome: Outcome) -> str:
    words: Mapping[str, str] = {
        "verified": "Played, and read back from the screen: everything is in place.",
        "finished": "Everything was entered; the program then covered the board, so that its end was not seen.",
        "planned": "Nothing was touched.",
        "stopped": "Stopped at a limit.",
    }
    return words.get(outcome.status, outcome.status)
