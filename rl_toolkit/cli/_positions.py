"""Positions as commands take them: text in any form, a record file, or lines from a pipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_toolkit.cli.arguments import describe_os_error, failure, refuse
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import GameRecord, RecordError, read_position

#: The position argument that stands for "lines from stdin".
STREAM = "-"


def position_of(game: str, text: str) -> BaseGameEnv:
    """The position that ``text`` gives, or that the record file of that name ends in.

    A usage error for text that is neither, a failure for a file that cannot be read.
    """
    if text.endswith(".json") or (text and Path(text).is_file()):
        try:
            record = GameRecord.load(text)
        except RecordError as error:
            raise failure(error) from error
        except OSError as error:
            raise failure(describe_os_error(error)) from error
        if record.game != game:
            raise refuse(f"{text} is a game of {record.game}, not of {game}")
        return record.replay()
    try:
        return read_position(game, text)
    except ValueError as error:
        raise refuse(error) from error


def complaint(line: str, error: Exception) -> dict[str, Any]:
    """What a filter answers to a line it cannot read."""
    return {"error": str(error), "input": line}
