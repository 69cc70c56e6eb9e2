"""``experiment``: the courses' experiments, repeatable, with a table and a plot."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from rl_toolkit.terminal.arguments import (
    GAME,
    PLAYER,
    describe_os_error,
    examples,
    failure,
    refuse,
)
from rl_toolkit.terminal.chart import check_can_draw, save_chart
from rl_toolkit.terminal.experiment_result import Report, Result
from rl_toolkit.terminal.screen import Screen

F = TypeVar("F", bound=Callable[..., Any])


def _shared_options(function: F) -> F:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs."),
        click.option("--plot", metavar="FILE.svg|png", help="Draw a picture, too."),
    ):
        function = option(function)
    return function


def _game_option(default: str) -> Callable[[F], F]:
    return click.option("--game", type=GAME, default=default, show_default=True)


_DEPTH = click.option("--depth", type=click.IntRange(min=1), help="Plies to look ahead.")
_SEED = click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)


@click.group()
@examples(
    "rl-toolkit experiment node-counts --plot counts.svg",
    "rl-toolkit experiment never-loses",
    "rl-toolkit experiment vs-random --game connect-four --engine hard --games 50",
)
def experiment() -> None:
    """Repeat an experiment of the courses, with a table and a plot."""


@experiment.command("node-counts")
@_game_option("tictactoe")
@_DEPTH
@_shared_options
@examples(
    "rl-toolkit experiment node-counts",
    "rl-toolkit experiment node-counts --game connect-four --depth 6",
)
def node_counts(game: str, depth: int | None, plot: str | None, as_json: bool) -> None:
    """Count the positions that minimax visits: plain, with alpha-beta, a table, and so on."""
    from rl_toolkit.terminal.experiment_counts import node_counts as run

    _run(lambda report: run(game, depth, report), plot, as_json)


@experiment.command("depth")
@_game_option("tictactoe")
@_DEPTH
@_shared_options
@examples("rl-toolkit experiment depth", "rl-toolkit experiment depth --game reversi --depth 8")
def depth(game: str, depth: int | None, plot: str | None, as_json: bool) -> None:
    """Count the game tree ply by ply, and say how deep recursion goes."""
    from rl_toolkit.terminal.experiment_counts import tree_depth

    _run(lambda report: tree_depth(game, depth, report), plot, as_json)


@experiment.command("never-loses")
@_game_option("tictactoe")
@click.option("--engine", type=PLAYER, default="perfect", show_default=True)
@_shared_options
@examples("rl-toolkit experiment never-loses", "rl-toolkit experiment never-loses --engine medium")
def never_loses(game: str, engine: str, plot: str | None, as_json: bool) -> None:
    """Play every game there is against the AI, which moves first and then second."""
    from rl_toolkit.terminal.experiment_games import never_loses as run

    _run(lambda report: run(game, engine, report), plot, as_json)


@experiment.command("vs-random")
@_game_option("tictactoe")
@click.option("--engine", type=PLAYER, default="hard", show_default=True)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@_SEED
@_shared_options
@examples("rl-toolkit experiment vs-random --game reversi --engine easy --games 40")
def vs_random(
    game: str, engine: str, games: int, seed: int, plot: str | None, as_json: bool
) -> None:
    """Play N games against random moves: won, drawn, lost, with a confidence interval."""
    from rl_toolkit.terminal.experiment_games import vs_random as run

    _run(lambda report: run(game, engine, games, seed, report), plot, as_json)


@experiment.command("strength-by-simulations")
@_game_option("connect-four")
@click.option("--opponent", type=PLAYER, default="medium", show_default=True)
@click.option(
    "--simulations", default="10,30,100,300,1000", show_default=True, help="Commas between."
)
@click.option("--games", type=click.IntRange(min=1), default=20, show_default=True)
@_SEED
@_shared_options
@examples("rl-toolkit experiment strength-by-simulations --plot strength.svg")
def strength_by_simulations(
    game: str,
    opponent: str,
    simulations: str,
    games: int,
    seed: int,
    plot: str | None,
    as_json: bool,
) -> None:
    """Play mcts with more and more simulations against one opponent."""
    from rl_toolkit.terminal.experiment_games import strength_by_simulations as run

    counts = [int(part) if part.strip().isdecimal() else 0 for part in simulations.split(",")]
    if min(counts) < 1:
        raise refuse(f"--simulations is whole numbers with commas between, not {simulations!r}")
    _run(lambda report: run(game, opponent, counts, games, seed, report), plot, as_json)


def _run(run: Callable[[Report], Result], plot: str | None, as_json: bool) -> None:
    """Run with a bar on stderr, then show the table and draw the plot."""
    screen = Screen()
    try:
        if plot is not None:
            check_can_draw(plot)
        result = _with_a_bar(run, screen)
    except ImportError as error:
        raise failure(error) from error
    except ValueError as error:  # a level, an engine or a board that is not for this
        raise refuse(error) from error
    if as_json:
        screen.line(json.dumps(result.data))
    else:
        _show(result, screen)
    if plot is not None:
        _draw(result, plot, screen)


def _with_a_bar(run: Callable[[Report], Result], screen: Screen) -> Result:
    from rl_toolkit.kernels import jit

    columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    bar = Progress(*columns, console=screen.err, transient=True)
    bar.disable = not screen.err.is_terminal or screen.err.is_dumb_terminal
    task = bar.add_task("", total=None)

    def report(done: int, total: int, what: str) -> None:
        bar.update(task, completed=done, total=total, description=screen.fit(what))

    leave = jit.on_compile(lambda name: bar.update(task, description=f"compiling {name}"))
    try:
        with bar:
            return run(report)
    finally:
        leave()


def _show(result: Result, screen: Screen) -> None:
    screen.say(result.title, "bold")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, head in enumerate(result.head):
        table.add_column(screen.fit(head), justify="right" if number else "left")
    for row in result.rows:
        table.add_row(*map(screen.fit, row))
    screen.say(table)
    for remark in result.remarks:
        screen.say(remark, "dim")


def _draw(result: Result, plot: str, screen: Screen) -> None:
    try:
        save_chart(result.chart, plot)
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    screen.tell(f"Drawn: {plot}", "dim")
