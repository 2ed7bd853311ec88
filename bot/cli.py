"""The command line: which commands there are, and the status they leave with.

The contract of arguments, output and statuses is in docs/formats.md. A command's module is imported when the command is
called and not before: `--help`, `--version` and every other command start without it.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from bot.messages import (
    BUG,
    DONE,
    STOPPED,
    USAGE,
    OutputLost,
    harmless,
    say,
    show,
    status_of,
    tell,
    trace,
)
from solver.errors import BoardsightError

# Name, where its function is, and the line about it in `--help`: the first one of the function's own words.
COMMANDS = {
    "demo": ("demo:demo", "Play one practice board of each game from capture to verified end."),
    "read": ("look:read", "Read boards; solves nothing, touches nothing."),
    "solve": ("solve:solve", "Read and solve; touches nothing."),
    "hint": ("hint:hint", "Tell the next deduction, or a mark that is wrong; touches nothing."),
    "play": ("play:play", "Read, solve, show the plan, ask, act, verify and repair."),
    "window": (
        "window:window",
        "Open a window: choose a board, see what was read, correct it, solve, get hints, play.",
    ),
    "replay": ("again:replay", "Read and decide a recorded run again, and show the first difference."),
    "practice": (
        "lists:practice",
        "Make a practice board: as a picture, as text, or in a window of its own.",
    ),
    "learn": (
        "learn:learn",
        "Learn a new look of a game from one picture, by names for what is seen on it.",
    ),
    "calibrate": (
        "learn:calibrate",
        "Learn what the symbols look like, from the game's own files or a screenshot.",
    ),
    "profiles": ("lists:profiles", "List the profiles: what has been learned of each game's looks."),
    "games": ("lists:games", "List the games, and which of them have to learn what their symbols look like."),
    "devices": ("measure:devices", "List the Android devices and the windows that could be played on."),
    "doctor": (
        "measure:doctor",
        "Check display, mouse, adb, device and capture speed; say what to do about each finding.",
    ),
    "bench": ("measure:bench", "Measure capture, read and solve, with peers where they are installed."),
    "score": (
        "score:score",
        "Read labelled pictures and count what was right, doubtful, refused and wrong.",
    ),
}


class _Commands(TyperGroup):
    """Knows of every command its name and its line of help, and imports the one that is called."""

    # `Any`: the classes of contexts and commands have moved between versions of typer.
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and command(name or ""), rest


def command(name: str) -> Any:
    """The command of that name, ready to be called."""
    from bot.commands.groups import spread

    module, _, function = COMMANDS[name][0].partition(":")
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(name)(spread(getattr(import_module(f"bot.commands.{module}"), function)))
    return typer.main.get_command(single)


def _listed() -> None:
    """Stands for a command in the list of commands."""


app = typer.Typer(
    name="boardsight",
    cls=_Commands,
    help="Looks at a puzzle game's screen, solves the puzzle, plays the solution, and looks again to prove it.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
for _name, (_, _line) in COMMANDS.items():
    app.command(_name, help=_line)(_listed)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        show(f"boardsight {version('boardsight')}")
        raise typer.Exit


@app.callback()
def _every_command(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version", callback=_tell_version, is_eager=True)
    ] = False,
) -> None:
    """Options that stand before the command."""


def _stop_in_order() -> None:
    """Let a request to end, or a terminal that is closed, do what Ctrl-C does: release everything, then leave."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def main() -> NoReturn:
    """Run the command line and leave with the status that the contract promises."""
    _stop_in_order()
    status = _status()
    try:
        sys.stdout.flush()
    except OSError as error:
        status = max(status, _lose_output(error))
    # From here on nothing is left that could be stopped.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def _status() -> int:
    """Run the command; what ended it is told. Returns the status it stands for."""
    try:
        status = app(prog_name="boardsight", standalone_mode=False)
    except BoardsightError as error:
        say(error)
        return status_of(error)
    except (KeyboardInterrupt, typer.Abort):
        tell("stopped by the user")
        return STOPPED
    except SystemExit as left:
        # Typer's own words, as of `--help`, leave so where their reader has gone.
        if not isinstance(left.__context__, BrokenPipeError):
            raise
        return DONE
    except Exception as error:
        if status_of(error) == STOPPED:
            tell("stopped by the user")
            return STOPPED
        # `--help` is written by typer; a file of ours that cannot be written has a name.
        written_by_typer = (
            isinstance(error, OSError) and error.errno == errno.ENOSPC and error.filename is None
        )
        if isinstance(error, OutputLost) or written_by_typer:
            return _lose_output(error)
        # Wrong usage is an exception of typer that knows how to show itself; its class has moved between versions.
        if hasattr(error, "show"):
            setattr(error, "message", harmless(getattr(error, "message", "")))  # noqa: B010 - it is typer's own
            error.show()
            return USAGE
        print(trace(), file=sys.stderr)
        tell("an internal error; please report it with the lines above")
        return BUG
    if status == STOPPED:
        # Typer makes this of Ctrl-C.
        tell("stopped by the user")
    return status if isinstance(status, int) else DONE


def _lose_output(error: Exception) -> int:
    """Write nothing more to standard output, which is full or gone, and tell so. Returns the status for it."""
    # What stays in its buffer would be tried once more at the very end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error.__cause__ or error, BrokenPipeError):
        # Its reader has gone (`boardsight read ... | head`): it has what it wants.
        return DONE
    tell(
        f"standard output: {getattr(error, 'strerror', None) or error}",
        "make room, or send the output elsewhere",
    )
    return USAGE
