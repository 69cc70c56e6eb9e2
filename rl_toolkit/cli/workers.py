"""Who does the work of a command: this process, several, or a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rl_toolkit.cli.arguments import describe_os_error, failure, refuse

if TYPE_CHECKING:
    from rl_toolkit.utils.executors import Executor

F = TypeVar("F", bound=Callable[..., Any])


def crew_options(function: F) -> F:
    """The options ``--workers`` and ``--ray``."""
    for option in (
        click.option("--ray", is_flag=True, help="Use a Ray cluster; RAY_ADDRESS names it."),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            help="Processes that share the work. Default: 1; with --ray all the cluster has.",
        ),
    ):
        function = option(function)
    return function


def make_executor(workers: int | None, ray: bool) -> Executor:
    """The executor that was asked for."""
    from rl_toolkit.utils.executors import local_executor

    if not ray:
        return local_executor(workers or 1)
    from rl_toolkit.utils.ray_executor import RayExecutor, RayMissingError

    try:
        return RayExecutor(workers)
    except (RayMissingError, ConnectionError) as error:
        raise failure(error) from error


@contextmanager
def report_errors() -> Iterator[None]:
    """Let what goes wrong with work end the command with a sentence."""
    from rl_toolkit.utils.executors import LostTaskError

    try:
        yield
    except ValueError as error:
        raise refuse(error) from error
    except LostTaskError as error:
        raise failure(error) from error
    except OSError as error:
        raise failure(describe_os_error(error)) from error
