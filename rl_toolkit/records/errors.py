"""What can be wrong with a record, a transcript or a position, each with its own name.

::

    RecordError (a ValueError)
    ├── RecordSyntaxError      not JSON, or not text at all
    ├── RecordVersionError     a record of a version this program cannot read
    ├── RecordFieldError       a field is missing, unknown, or of the wrong kind
    │   ├── RecordMoveError    a move that names nothing, or that the rules forbid
    │   └── RecordResultError  a result that contradicts the moves
    ├── TranscriptError        a move in a transcript cannot be read or played
    └── PositionError          text that describes no position
"""

from __future__ import annotations

from typing import Self


class RecordError(ValueError):
    """Anything the records refuse.

    ``where`` says which part is meant (``moves[12]``, ``line 3 column 7``, ``move 5``,
    ``row 2``) and opens the message; it is empty where the whole is meant.
    """

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.problem = problem
        self.where = where

    def inside(self, whole: str) -> Self:
        """The same error, told of a part of ``whole`` (a file, a field)."""
        return type(self)(self.problem, f"{whole}: {self.where}" if self.where else whole)


class RecordSyntaxError(RecordError):
    """The text is not the JSON of one object, or too large to be a record."""


class RecordVersionError(RecordError):
    """The record was written in a version of the format that is not known here."""


class RecordFieldError(RecordError):
    """A field is missing, unknown, or holds what it cannot hold."""


class RecordMoveError(RecordFieldError):
    """A move that names nothing on this board, or that the rules forbid where it stands."""


class RecordResultError(RecordFieldError):
    """A result that the moves contradict."""


class TranscriptError(RecordError):
    """A move of a transcript that cannot be read or played; ``where`` has its number."""


class PositionError(RecordError):
    """Text that describes no position of the game."""
