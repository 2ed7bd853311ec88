"""The command line: which commands there are, and the status they leave with.

The contract of arguments, output and statuses is in docs/formats.md.
"""

from __future__ import annotations

import signal
import sys
import traceback
from typing import NoReturn

import typer

from bot.commands import again, hint, learn, lists, look, measure, run, score
from bot.messages import BUG, DONE, STOPPED, USAGE, say, status_of
from solver.errors import BoardsightError

app = typer.Typer(
    name="boardsight",
    help="Looks at a puzzle game's screen, solves the puzzle, plays the solution, and looks again to prove it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _command in (
    run.demo,
    look.read,
    look.solve,
    hint.hint,
    run.play,
    again.replay,
    lists.practice,
    learn.calibrate,
    lists.profiles,
    lists.games,
    measure.devices,
    measure.doctor,
    measure.bench,
    score.score,
):
    app.command()(_command)


def _stop_in_order() -> None:
    """Let a request to end, or a terminal that is closed, do what Ctrl-C does: release everything, then leave."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def main() -> NoReturn:
    """Run the command line and leave with the status that the contract promises."""
    _stop_in_order()
    try:
        status = app(standalone_mode=False)
    except typer.Abort:
        status = STOPPED
    except BoardsightError as error:
        say(error)
        status = status_of(error)
    except KeyboardInterrupt:
        print("boardsight: stopped by the user", file=sys.stderr)
        status = STOPPED
    except BrokenPipeError:
        # The reader of our output has gone (`boardsight read ... | head`): nothing is left to say.
        sys.stderr.close()
        status = DONE
    except Exception as error:
        # Wrong usage is an exception of typer that knows how to show itself; its class has moved between versions.
        if hasattr(error, "show"):
            error.show()
            sys.exit(USAGE)
        traceback.print_exc()
        print("boardsight: an internal error; please report it with the lines above", file=sys.stderr)
        status = BUG
    sys.exit(status if isinstance(status, int) else DONE)
