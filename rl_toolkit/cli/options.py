"""The arguments and options that commands share, and the examples in their help."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import click

from rl_toolkit.cli.param_types import COUNT, GAME, NATURAL, SECONDS, WholeNumber

F = TypeVar("F", bound=Callable[..., Any])

#: How every program of the package shows its help.
HELP_SETTINGS: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "show_default": True,
}


def options(*added: Callable[[Any], Any]) -> Callable[[F], F]:
    """Add several options or arguments to a command, in this order."""

    def decorate(function: F) -> F:
        for option in reversed(added):
            function = option(function)
        return function

    return decorate


def json_option(what: str = "JSON, for programs") -> Callable[[F], F]:
    """Add ``--json``, the argument ``as_json``; ``what`` is written."""
    return click.option("--json", "as_json", is_flag=True, help=f"Write {what}.")


def csv_option(what: str) -> Callable[[F], F]:
    """Add ``--csv``, the argument ``as_csv``; ``what`` is written."""
    return click.option("--csv", "as_csv", is_flag=True, help=f"Write {what}.")


def port_option(usual: int) -> Callable[[F], F]:
    """``--port``, of a server; ``usual`` without it."""
    about = "Port to listen on; 0 takes any free port."
    return click.option("--port", type=WholeNumber(0, 65535), default=usual, help=about)


def game_argument(default: str) -> Callable[[F], F]:
    """Add GAME, which may be omitted; the command is a `GameFirst` with the same default."""
    return click.argument("game", type=GAME, required=False, default=default)


#: A position: the game, and the text that `position_of` reads.
position_arguments = options(
    click.argument("game", type=GAME), click.argument("position", default="")
)

#: ``--seed`` of work that is repeatable without it.
seed_option = click.option(
    "--seed", type=NATURAL, default=0, help="The same seed repeats the same random choices."
)

#: The fields of a `Limit`.
limit_options = options(
    click.option("--time", type=SECONDS, help="Seconds to think."),
    click.option("--depth", type=COUNT, help="Plies to look ahead."),
    click.option("--nodes", type=COUNT, help="Positions to search."),
    click.option("--simulations", type=COUNT, help="Simulations to run, for tree searches."),
)

#: The argument ``ray`` of `make_executor`.
ray_option = click.option("--ray", is_flag=True, help="Use a Ray cluster; RAY_ADDRESS names it.")

#: The arguments of `make_executor`.
worker_options = options(
    click.option(
        "--workers",
        type=COUNT,
        help="Number of processes. Default: 1; with --ray all that the cluster has.",
    ),
    ray_option,
)

#: The argument of `grading_executor`.
grading_workers_option = click.option(
    "--workers", type=COUNT, help="Number of processes.  [default: one for each core]"
)


def repeated_seed_option(whose: str) -> Callable[[F], F]:
    """Add ``--seed`` of work that draws a seed of its own; ``whose`` seed may be repeated."""
    return click.option(
        "--seed", type=NATURAL, help=f"The seed of {whose}, which repeats its positions."
    )


#: ``--open``
open_option = click.option(
    "--open", "open_browser", is_flag=True, help="Open the page in the browser."
)


def examples(*lines: str) -> Callable[[F], F]:
    """Add examples to the end of a command's help, line by line as they are written."""

    def decorate(function: F) -> F:
        # Without its indentation, because the added lines have none.
        text = inspect.cleandoc(function.__doc__ or "")
        shown = "\n".join(f"  {line}" for line in lines)
        function.__doc__ = f"{text}\n\n\b\nExamples:\n{shown}"
        function.__dict__["examples"] = tuple(line.partition("   ")[0] for line in lines)
        return function

    return decorate
