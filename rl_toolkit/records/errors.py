"""The exceptions for records, transcripts and positions.

::

    RecordError (a ValueError)
    ├── RecordSyntaxError      not JSON, or not text at all
    ├── RecordVersionError     a record of a version this program cannot read
    ├── RecordFieldError       a field is missing, unknown, or of the wrong kind
    │   ├── RecordMoveError    a move that does not exist, or is illegal
    │   └── RecordResultError  a result that contradicts the moves
    ├── OtherGameError         a game other than the one that was asked for
    ├── TranscriptError        a move in a transcript that cannot be read or played
    └── PositionError          text that is not a position of the game

`RecordError` and `PositionError` are defined in `envs.errors`, beside the notation of positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rl_toolkit.envs import GameError, PositionError, RecordError

if TYPE_CHECKING:
    from rl_toolkit.envs import BaseGameEnv

__all__ = [
    "OtherGameError",
    "PositionError",
    "RecordError",
    "RecordFieldError",
    "RecordMoveError",
    "RecordResultError",
    "RecordSyntaxError",
    "RecordVersionError",
    "TranscriptError",
    "inside",
]


class RecordSyntaxError(RecordError):
    """The text cannot be read as the format at all: it is damaged, too large or something else."""


class RecordVersionError(RecordError):
    """The record has a version of the format that cannot be read."""


class RecordFieldError(RecordError):
    """A field is missing, unknown, or has a wrong value."""


class RecordMoveError(RecordFieldError):
    """A move that does not exist on this board, or is illegal in its position."""


class RecordResultError(RecordFieldError):
    """A result that contradicts the moves."""


class OtherGameError(RecordError):
    """The record is of another game than the one that the caller asked for."""


class TranscriptError(RecordError):
    """A move of a transcript cannot be read or played; ``where`` has its number.

    ``reached`` is the game before that move, ``word`` the move as written.
    """

    reached: BaseGameEnv | None = None
    word: str = ""


@contextmanager
def inside(place: str) -> Iterator[None]:
    """A block whose errors say that they are in ``place``, such as ``game 3`` of a file."""
    try:
        yield
    except RecordError as error:
        raise error.inside(place) from error
    except GameError as error:
        raise RecordFieldError(str(error), place) from error
