"""What arguments stand for: positions, saved games, workers; and how commands refuse them.

The top-level ``--help`` needs nothing but Click, so the rest is imported inside functions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.exit_codes import describe_os_error

if TYPE_CHECKING:
    from rl_toolkit.envs import BaseGameEnv
    from rl_toolkit.records import GameRecord
    from rl_toolkit.utils.executors import Executor


def of_size(game: str, size: str | None) -> str:
    """The full name of ``game`` in another size: ``tictactoe`` and ``4x4x3``."""
    from rl_toolkit.envs import UnknownGameError, game_families, make_game

    if size is None:
        return game
    family = next(f.name for f in game_families() if f"{game}-".startswith(f"{f.name}-"))
    try:
        return make_game(f"{family}-{size}").name
    except UnknownGameError as error:
        raise click.BadParameter(str(error), param_hint="'--size'") from error


#: The position argument that stands for "lines from stdin".
STREAM = "-"


def position_of(game: str, text: str) -> BaseGameEnv:
    """The position that ``text`` describes, or the last one of the saved game of that name.

    A usage error for text that is neither, a failure for a file that cannot be read.
    """
    from rl_toolkit.records import read_position

    if text.endswith(".json") or (text and Path(text).is_file()):
        record = load(Path(text))
        if record.game != game:
            raise refuse(f"{text} is a game of {record.game}, not of {game}")
        return record.replay()
    with report_errors():
        return read_position(game, text)


def load(file: Path) -> GameRecord:
    """The saved game in a file, or on stdin for ``-``; a failure if it cannot be read.

    The failure names the file as it was typed: of several files two may have the same name.
    """
    from rl_toolkit.records import GameRecord, RecordError
    from rl_toolkit.records.record_json import errors_named, read_text

    with report_errors(RecordError):
        if str(file) == "-":
            return GameRecord.from_json(sys.stdin.read())
        with errors_named(str(file)):
            return GameRecord.from_json(read_text(file.expanduser()))


def make_executor(workers: int | None, ray: bool) -> Executor:
    """This process, several, or a Ray cluster, as the `worker_options` ask."""
    from rl_toolkit.utils.executors import local_executor

    if not ray:
        return local_executor(workers or 1)
    from rl_toolkit.utils.ray_executor import RayExecutor, RayMissingError

    with report_errors(RayMissingError, ConnectionError):
        return RayExecutor(workers)


def refuse(problem: Exception | str) -> click.UsageError:
    """An error in what was typed on the command line: exit code 2."""
    return click.UsageError(str(problem))


def failure(problem: Exception | str) -> click.ClickException:
    """An error that is not in the command line: exit code 1."""
    return click.ClickException(str(problem))


@contextmanager
def report_errors(*failures: type[Exception]) -> Iterator[None]:
    """End the command with a message: exit code 2 for a `ValueError`, 1 for an `OSError`.

    ``failures`` are further errors with exit code 1, subclasses of `ValueError` included.
    """
    try:
        yield
    except failures as error:
        raise failure(error) from error
    except ValueError as error:
        raise refuse(error) from error
    except OSError as error:
        raise failure(describe_os_error(error)) from error
