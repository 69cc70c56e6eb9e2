"""The options that say how long an engine may think, for every command that lets one think."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rl_toolkit.analysis import Limit

F = TypeVar("F", bound=Callable[..., Any])


def limit_options(function: F) -> F:
    """Add ``--time --depth --nodes --simulations``."""
    whole = click.IntRange(min=1)
    for option in (
        click.option("--simulations", type=whole, help="Games that mcts may play out."),
        click.option("--nodes", type=whole, help="Positions to look at."),
        click.option("--depth", type=whole, help="Plies to look ahead."),
        click.option("--time", type=click.FloatRange(min=0.001), help="Seconds to think."),
    ):
        function = option(function)
    return function


def limit_of(
    time: float | None, depth: int | None, nodes: int | None, simulations: int | None
) -> Limit:
    """The limit that these options stand for."""
    from rl_toolkit.analysis import Limit

    return Limit(time=time, nodes=nodes, depth=depth, simulations=simulations)
