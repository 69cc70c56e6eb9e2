"""``trace``: what a search does, step by step, in sentences or as data."""

from __future__ import annotations

import re
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
from rl_toolkit.cli.options import examples, json_option, limit_options, seed_option
from rl_toolkit.cli.param_types import COUNT, ENGINE, FILE, GameName, PositionCommand
from rl_toolkit.cli.saved_games import in_file_options, position_of
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.hand_trees import HandTreeGame
from rl_toolkit.explain.traces import Line, tell
from rl_toolkit.players import READABLE, readable_player

_SWEEPS = "value-iteration"
_WIDTH = 80  # wider sentences are hard to read
_TREE = HandTreeGame.traits.name
_NEGATIVE = re.compile(r"-\d")
_MOST_INDENTED = 12  # levels; deeper ones stay there, so that sentences keep their room


class _GameOrTree(GameName):
    """The name of a game, or the word ``tree``: the position is then a tree that was typed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The full name of the game."""
        if isinstance(value, str) and value.strip().lower() == _TREE:
            return _TREE
        return super().convert(value, param, ctx)


class _TraceCommand(PositionCommand):
    """A tree may begin with a negative leaf, which is not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put a space before a tree that begins with a minus."""
        if _TREE in args and "--" not in args:
            args = [f" {arg}" if _NEGATIVE.match(arg) else arg for arg in args]
        return super().parse_args(ctx, args)


@click.command(cls=_TraceCommand)
@click.argument("game", type=_GameOrTree())
@click.argument("position", default="")
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
    help="Most events to tell in full; the rest is shortened.",
)
@click.option("--save", type=FILE, metavar="FILE", help="Also write the data to a file.")
@json_option("the data as one line of JSON")
@examples(
    'rl-toolkit trace tictactoe "xx1/oo1/3 x" --engine minimax',
    'rl-toolkit trace tictactoe "xx1/oo1/3 x" --engine minimax:pruning=off,memoization=off',
    "rl-toolkit trace connect-four 4453 --engine minimax:ordering=on --depth 3",
    "rl-toolkit trace tictactoe b2a1 --engine mcts:c=1 --simulations 20",
    "rl-toolkit trace tictactoe b2a1c3 --engine value-iteration",
    "rl-toolkit trace reversi --depth 2",
    "rl-toolkit trace gomoku --depth 1",
    "rl-toolkit trace tictactoe b2a1c3 --save search.json",
    'rl-toolkit trace tree "(3 12 8) (2 4 6) (14 5 2)"',
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
    options switch more on. With the word tree as GAME, POSITION is a game tree that you type: a
    number is a leaf, parentheses hold the children of a node, MAX moves first unless it begins with
    min. The command refuses a search that is too large for a trace, shortens a trace that is too
    long, and says what it has left out.
    """
    screen = Screen()
    if game == _TREE:
        if number is not None or ply is not None:
            raise refuse("--number and --ply choose from a file of games, not from a tree")
        with report_errors():
            env: BaseGameEnv = HandTreeGame(position)
    else:
        env = position_of(game, position, number, ply)
    with report_errors():
        trace = _traced(env, engine, Limit(**limits), seed, TraceBounds(events=events))
        if save is not None:
            trace.save(save)
    if as_json:
        screen.line(trace.to_json())
        return
    screen.say(draw_board(env, screen.width))
    for line in tell(trace):
        _show(screen, line)
    if save is not None:
        screen.tell(f"Saved to {save}", "dim")


def _traced(env: BaseGameEnv, engine: str, limit: Limit, seed: int, bounds: TraceBounds) -> Trace:
    if engine.strip().lower() == _SWEEPS:
        if env.traits.free_results:
            raise TraceError("only minimax searches a tree whose leaves are any numbers")
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
