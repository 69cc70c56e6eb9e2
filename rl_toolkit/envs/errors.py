"""The exceptions for moves, positions and names of games; all are a ``ValueError``."""

from __future__ import annotations


class GameError(ValueError):
    """The base of all errors raised by games; the message is written for people."""


class InvalidMoveError(GameError):
    """Not a move at all: the wrong type, or text that does not name a move."""


class IllegalMoveError(GameError):
    """A well-formed move that is illegal in the position: a taken cell, a full column."""


class GameOverError(IllegalMoveError):
    """A move after the end of the game."""


class InvalidPositionError(GameError):
    """A board that cannot be set up: wrong length, wrong values, or not reachable by play."""


class UnknownGameError(GameError):
    """A name that is not in the registry; the message lists those that are."""
