"""The exceptions for moves, positions and names of games; all are a ``ValueError``.

`GameError` is for what a game is asked to do, `RecordError` for text that is read; its other
subclasses are in `records.errors`.
"""

from __future__ import annotations

from typing import Self


class GameError(ValueError):
    """The base of all errors raised by games; the message is written for people."""


class InvalidMoveError(GameError):
    """Not a move at all: the wrong type, or text that does not name a move."""


class IllegalMoveError(GameError):
    """A well-formed move that is illegal in the position: a taken cell, a full column."""


class GameOverError(IllegalMoveError):
    """A move was made after the end of the game."""


class InvalidPositionError(GameError):
    """A board that cannot be set up: wrong length, wrong values, or not reachable by play."""


class UnknownGameError(GameError):
    """A name that is not in the registry; the message lists those that are."""


class GameFailedError(GameError):
    """The code of a game from outside has raised an error; names method, file and line."""


class AdaptationError(GameError):
    """A plain class from which no game can be made; see `envs.adapt_game`.

    Attributes:
        problems: one sentence for each thing that could not be derived.
    """

    def __init__(self, name: str, problems: tuple[str, ...]) -> None:
        numbered = [f"({k}) {problem}" for k, problem in enumerate(problems, 1)]
        told = problems[0] if len(problems) == 1 else " ".join(numbered)
        super().__init__(f"{name} cannot be played yet: {told}")
        self.problems = problems


class RecordError(ValueError):
    """The base of all errors in text that is read: records, transcripts, positions.

    ``where`` names the part that is wrong (``moves[12]``, ``line 3 column 7``, ``move 5``,
    ``row 2``) and begins the message; it is empty for the whole.
    """

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.problem = problem
        self.where = where

    def inside(self, whole: str) -> Self:
        """The same error with ``whole`` (a file, a field) in front of its place."""
        return type(self)(self.problem, f"{whole}: {self.where}" if self.where else whole)


class PositionError(RecordError):
    """Text that is not a position of the game; ``where`` is the place of the mistake, if known."""
