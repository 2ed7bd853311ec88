"""Errors of the command line, of devices and of playing."""

from __future__ import annotations

from solver.errors import BoardsightError


class WrongUsage(BoardsightError):
    """What was asked for on the command line cannot be done: a game, seed or place that does not exist."""


class DeviceError(BoardsightError):
    """Something between us and the screen."""


class DeviceNotFound(DeviceError):
    """No such device or window, or it went away."""


class WindowGone(DeviceNotFound):
    """The window was closed, or minimised, since it was seen."""


class CaptureFailed(DeviceError):
    """No picture could be taken."""


class InputFailed(DeviceError):
    """A tap, click, drag or key was refused."""


class WindowChanged(InputFailed):
    """Another window of the same program is in front than when the board was looked at; nothing was done there."""


class PlayError(BoardsightError):
    """Playing stopped before the end."""


class NeverStill(PlayError):
    """The picture kept moving."""


class Misaligned(PlayError):
    """The first step changed another cell than it was meant for."""


class NoProgress(PlayError):
    """Steps were taken and nothing came closer to the solution."""


class PuzzleChanged(PlayError):
    """The board now shows another puzzle."""


class SizeChanged(PlayError):
    """The picture has taken another size since the board on it was read."""


class LimitReached(PlayError):
    """What was to be done does not fit into what `--max-actions` and `--max-minutes` leave."""


class Stopped(PlayError):
    """The user stopped the run (Ctrl-C, or the mouse in the corner)."""


class Lost(Exception):
    """The process that handled an input of many died with it, also when it was tried again alone."""
