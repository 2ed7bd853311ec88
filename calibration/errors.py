"""Errors of learning, keeping and finding profiles."""

from __future__ import annotations

from solver.errors import BoardsightError


class CalibrationError(BoardsightError):
    """Something about a profile or the files it is made from."""

    usual_hint = "give other files with --from: the game's own jar, or a resource pack as it was downloaded"


class ProfileNotFound(CalibrationError):
    """No profile of that name, or none that fits."""


class ProfileInvalid(CalibrationError):
    """A profile's files are damaged or not ours."""

    usual_hint = "delete that profile's folder and calibrate anew"
