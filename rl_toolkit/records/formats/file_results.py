"""What formats of game files share: the text of a file, its rule of Gomoku and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.envs import BaseGameEnv, GameError, Gomoku
from rl_toolkit.records.errors import RecordFieldError, RecordResultError

if TYPE_CHECKING:
    from rl_toolkit.records.game_record import GameRecord

#: ``ended_by`` of a game whose file has a result that neither the moves nor a reason explain.
ADJUDICATED = "adjudication"

_WORDS = {1: "the first player won", -1: "the second player won", 0: "the game was a draw"}


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark, or else in Latin-1."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def rule_of_gomoku(word: str, where: str) -> str:
    """The name of the rule that a file calls ``word``; raises `RecordFieldError` if not known."""
    try:
        return Gomoku.rule_named(word)
    except GameError as error:
        hint = f"{error}; say which game it is to read it in any case"
        raise RecordFieldError(hint, where) from error


def main_line_alone(record: GameRecord) -> list[str]:
    """What a format that holds only the moves of the game leaves out of a record, in words."""
    parts = {
        "analyses": record.analyses,
        "comments": record.comments,
        "variations": record.variations,
        "glyphs, marks and clocks": record.notes,
    }
    return [name for name, part in parts.items() if part]


def outcome(
    env: BaseGameEnv, said: int | None, ended_by: str, where: str
) -> tuple[int | None, str]:
    """The result and ``ended_by`` of a record whose moves were played on ``env``.

    ``said`` is what the file says, from the view of the first player; a finished game needs no
    word. Raises `RecordResultError` if the file contradicts the moves.
    """
    if not env.is_terminal():
        return said, "" if said is None else ended_by
    if said not in (None, env.winner):
        raise RecordResultError(
            f"the file says that {_WORDS[said or 0]}, "
            f"but after the moves {_WORDS[env.winner or 0].replace('was', 'is')}",
            where,
        )
    return env.winner, ""
