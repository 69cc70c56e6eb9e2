"""What can be wrong with a move or a position, each with its own name.

Every one is a ``ValueError``, so callers who do not care may catch just that.
"""

from __future__ import annotations


class GameError(ValueError):
    """Anything a game refuses; the message is a sentence for the person who asked."""


class InvalidMoveError(GameError):
    """Not a move at all: the wrong type, or text that names no square."""


class IllegalMoveError(GameError):
    """A well-formed move that the rules forbid here: a taken cell, a full column."""


class GameOverError(IllegalMoveError):
    """A move after the end of the game."""


class InvalidPositionError(GameError):
    """A board that cannot be set up: wrong length, wrong values, or unreachable by play."""


class UnknownGameError(GameError):
    """A name that the registry does not know; the message lists those it does."""
