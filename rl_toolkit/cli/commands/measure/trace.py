"""``trace``: what a search does, step by step, in sentences or as data."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from rl_toolkit.algorithms.traces import (
    Trace,
    TraceBounds,
    TraceError,
    trace_search,
    trace_value_iteration,
)
from rl_toolkit.analysis import Limit
from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.options import (
    examples,
    json_option,
    limit_options,
    position_arguments,
    seed_option,
)
from rl_toolkit.cli.param_types import COUNT, ENGINE, FILE, PositionCommand
from rl_toolkit.cli.saved_games import in_file_options, position_of
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.traces import Line, tell
from rl_toolkit.players.readable import READABLE, readable_player

_SWEEPS = "value-iteration"
_WIDTH = 80  # wider sentences are hard to read
_MOST_INDENTED = 12  # levels; deeper ones stay there, so that sentences keep their room


@click.command(cls=PositionCommand)
@position_arguments
@click.option(
    "--engine",
    type=ENGINE,
    default="minimax",
    help=f"{', '.join(READABLE)} or {_SWEEPS}, with options.",
)
@limit_options
@in_file_options
@seed_option
@click.option(
    "--events",
    type=COUNT,
    default=TraceBounds().events,
    help="Events to tell; what exceeds them is folded.",
)
@click.option("--save", type=FILE, metavar="FILE", help="Also write the data to a file.")
@json_option("the data as one line of JSON")
@examples(
    'rl-toolkit trace tictactoe "xx1/oo1/3 x" --engine minimax',
    'rl-toolkit trace tictactoe "xx1/oo1/3 x" --engine minimax:pruning=off,memoization=off',
    "rl-toolkit trace connect-four 4453 --engine minimax:ordering=on --depth 3",
    "rl-toolkit trace tictactoe b2a1 --engine mcts:c=1 --simulations 20",
    "rl-toolkit trace tictactoe b2a1c3 --engine value-iteration",
    "rl-toolkit trace tictactoe b2a1c3 --save search.json",
)
def trace(
    game: str,
    position: str,
    engine: str,
    number: int | None,
    ply: int | None,
    seed: int,
    events: int,
    save: Path | None,
    as_json: bool,
    **limits: Any,
) -> None:
    """Tell step by step what a search of POSITION does: what it enters, values, cuts, and why.

    Engines search as in a textbook: minimax with pruning and a table, mcts without tactics; their
    options switch more on. A search that is too large for a trace is refused, a trace that is too
    long is folded, and it says so.
    """
    screen = Screen()
    env = position_of(game, position, number, ply)
    with report_errors():
        found = _traced(env, engine, Limit(**limits), seed, TraceBounds(events=events))
        if save is not None:
            found.save(save)
    if as_json:
        screen.line(found.to_json())
        return
    screen.say(draw_board(env, screen.width))
    for line in tell(found):
        _show(screen, line)
    if save is not None:
        screen.tell(f"Saved to {save}", "dim")


def _traced(env: BaseGameEnv, engine: str, limit: Limit, seed: int, bounds: TraceBounds) -> Trace:
    if engine.strip().lower() == _SWEEPS:
        if env.is_terminal():
            raise TraceError("the game is over here, so there is nothing to search")
        return trace_value_iteration(env, bounds=bounds)
    player = readable_player(env, engine, seed=seed)
    try:
        return trace_search(env, player.engine, limit.or_else(player.limit), bounds=bounds)
    except TypeError as error:
        raise refuse(f"{player.name} has no search that can be traced; use {_listed()}") from error


def _listed() -> str:
    return f"{', '.join(READABLE)} or {_SWEEPS}"


def _show(screen: Screen, line: Line) -> None:
    """Write a sentence indented by its depth, its further lines a little more."""
    indent = "  " * min(line.depth, _MOST_INDENTED)
    text = textwrap.fill(
        screen.fit(line.text),
        min(screen.width, _WIDTH) - 1,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
    )
    screen.say(text, "bold" if line.is_cut else "")
