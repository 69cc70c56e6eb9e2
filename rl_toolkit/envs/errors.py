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
