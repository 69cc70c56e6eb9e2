"""The processes that do the work of a command: this one, several, or a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from rl_toolkit.cli.arguments import failure
from rl_toolkit.utils.executors import Executor, local_executor

F = TypeVar("F", bound=Callable[..., Any])


def worker_options(function: F) -> F:
    """Add ``--workers`` and ``--ray``."""
    for option in (
        click.option("--ray", is_flag=True, help="Use a Ray cluster; RAY_ADDRESS names it."),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            help="Number of processes. Default: 1; with --ray all that the cluster has.",
        ),
    ):
        function = option(function)
    return function


def make_executor(workers: int | None, ray: bool) -> Executor:
    """The executor that these options ask for."""
    if not ray:
        return local_executor(workers or 1)
    from rl_toolkit.utils.ray_executor import RayExecutor, RayMissingError

    try:
        return RayExecutor(workers)
    except (RayMissingError, ConnectionError) as error:
        raise failure(error) from error
