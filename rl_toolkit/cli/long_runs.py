"""What matches, self-play and gradings share: engines that fail, and code that has changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from rl_toolkit.analysis import EngineError
from rl_toolkit.arena.engine_code import ChangedCodeError
from rl_toolkit.arena.play_game import EngineFailedError
from rl_toolkit.cli.arguments import refuse
from rl_toolkit.utils.executors import LostTaskError

#: Errors that are not in the command line, for `report_errors`: exit code 1.
ENGINE_FAILURES = (LostTaskError, EngineFailedError, EngineError)

#: The argument ``if_changed``.
if_changed_option = click.option(
    "--if-changed",
    type=click.Choice(["refuse", "replay", "keep"]),
    default="refuse",
    help="What to do with saved games of an engine whose code has changed since.",
)


@contextmanager
def changed_code_hint() -> Iterator[None]:
    """Name `if_changed_option` in the usage error about code that has changed."""
    try:
        yield
    except click.UsageError as error:
        if isinstance(error.__cause__, ChangedCodeError):
            raise refuse(f"{error.message} (--if-changed replay or keep)") from error
        raise
