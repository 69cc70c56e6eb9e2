"""What arguments stand for: sizes of games, workers; and how commands refuse them.

The top-level ``--help`` needs nothing but Click, so the rest is imported inside functions.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.program.exit_codes import describe_os_error

ON_WINDOWS = os.name == "nt"

if TYPE_CHECKING:
    from rl_toolkit.utils.executors import AccountingExecutor


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


def make_executor(workers: int | None, ray: bool) -> AccountingExecutor:
    """This process, several, or a Ray cluster, as the `worker_options` ask."""
    from rl_toolkit.utils.executors import local_executor

    if not ray:
        return local_executor(workers or 1)
    from rl_toolkit.utils.executors import RayExecutor, RayMissingError

    with report_errors(RayMissingError, ConnectionError):
        return RayExecutor(workers)


def grading_executor(workers: int | None) -> AccountingExecutor:
    """As many other processes as the `grading_workers_option` asks, even if it is one.

    Code that ends the process that checks it must not end the command.
    """
    from rl_toolkit.utils.executors import LocalProcesses

    return LocalProcesses(workers or os.cpu_count() or 1)


def refuse(problem: Exception | str) -> click.UsageError:
    """An error in what was typed on the command line: exit code 2."""
    return click.UsageError(str(problem))


def failure(problem: Exception | str) -> click.ClickException:
    """An error that is not in the command line: exit code 1."""
    return click.ClickException(str(problem))


def confirm(question: str, otherwise: str) -> None:
    """Ask; after a no say ``otherwise`` and leave with exit code 1."""
    if not click.confirm(question, err=True):
        click.echo(otherwise, err=True)
        raise click.exceptions.Exit(1)


def check_isolation() -> None:
    """Raise a `failure` where somebody's code cannot run in a process of its own: on Windows."""
    if ON_WINDOWS:
        raise failure(
            "this command runs your code in a process of its own, which needs Linux or macOS; "
            "on Windows use WSL"
        )


def check_installed(what: str, *packages: str) -> None:
    """Raise a `failure` with the command to install them, unless all packages are there.

    ``what`` is what needs them, such as "training".
    """
    from rl_toolkit.utils import install_command

    if missing := [name for name in packages if find_spec(name) is None]:
        raise failure(
            f"{what} needs {', '.join(missing)}; install them with {install_command('train')} "
            "(playing with trained networks does not need them)"
        )


@contextmanager
def listening_on(port: int) -> Iterator[None]:
    """End the command with a message if the server in the block cannot listen on that port."""
    try:
        yield
    except OSError as error:
        raise failure(f"cannot listen on port {port}: {error.strerror or error}") from error


@contextmanager
def report_errors(*failures: type[Exception]) -> Iterator[None]:
    """End the command with a message: exit code 2 for a `ValueError`, 1 for an `OSError`.

    ``failures`` are further errors with exit code 1, subclasses of `ValueError` included, as is a
    game whose code raises an error.
    """
    try:
        yield
    except failures as error:
        raise failure(error) from error
    except ValueError as error:
        from rl_toolkit.envs import GameFailedError

        raise (failure if isinstance(error, GameFailedError) else refuse)(error) from error
    except BrokenPipeError:  # the reader of our output has gone: nothing needs to be said
        raise
    except OSError as error:
        raise failure(describe_os_error(error)) from error
