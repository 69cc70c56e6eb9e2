"""``experiment``: the courses' experiments, repeatable, with a table and a plot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from rl_toolkit.cli.arguments import ENGINE, GAME, examples, refuse
from rl_toolkit.cli.experiments import counts as counting
from rl_toolkit.cli.experiments import games as playing
from rl_toolkit.cli.experiments.show import show_experiment

F = TypeVar("F", bound=Callable[..., Any])


def _shared_options(function: F) -> F:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs."),
        click.option("--plot", metavar="FILE.svg", help="Also draw a picture."),
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


@experiment.command("node-counts", short_help="What each idea saves in minimax.")
@_game_option("tictactoe")
@_DEPTH
@_shared_options
@examples(
    "rl-toolkit experiment node-counts",
    "rl-toolkit experiment node-counts --game connect-four --depth 6",
)
def node_counts(game: str, depth: int | None, plot: str | None, as_json: bool) -> None:
    """Count the positions that minimax visits: plain, with alpha-beta, a table, and so on."""
    show_experiment(lambda report: counting.node_counts(game, depth, report), plot, as_json)


@experiment.command("depth", short_help="The game tree ply by ply.")
@_game_option("tictactoe")
@_DEPTH
@_shared_options
@examples("rl-toolkit experiment depth", "rl-toolkit experiment depth --game reversi --depth 8")
def depth(game: str, depth: int | None, plot: str | None, as_json: bool) -> None:
    """Count the game tree ply by ply, and the depth of the recursion."""
    show_experiment(lambda report: counting.tree_depth(game, depth, report), plot, as_json)


@experiment.command("never-loses", short_help="The AI against every possible opponent.")
@_game_option("tictactoe")
@click.option("--engine", type=ENGINE, default="perfect", show_default=True)
@_shared_options
@examples("rl-toolkit experiment never-loses", "rl-toolkit experiment never-loses --engine medium")
def never_loses(game: str, engine: str, plot: str | None, as_json: bool) -> None:
    """Play every possible game against the AI, which moves first and then second."""
    show_experiment(lambda report: playing.never_loses(game, engine, report), plot, as_json)


@experiment.command("vs-random", short_help="Games against random moves, counted.")
@_game_option("tictactoe")
@click.option("--engine", type=ENGINE, default="hard", show_default=True)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@_SEED
@_shared_options
@examples("rl-toolkit experiment vs-random --game reversi --engine easy --games 40")
def vs_random(
    game: str, engine: str, games: int, seed: int, plot: str | None, as_json: bool
) -> None:
    """Play games against random moves: won, drawn, lost, with a confidence interval."""
    show_experiment(
        lambda report: playing.vs_random(game, engine, games, seed, report), plot, as_json
    )


@experiment.command("strength-by-simulations", short_help="How strength grows with simulations.")
@_game_option("connect-four")
@click.option("--opponent", type=ENGINE, default="medium", show_default=True)
@click.option(
    "--simulations",
    default="10,30,100,300,1000",
    show_default=True,
    help="Separated by commas.",
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
    counts = [int(part) if part.strip().isdecimal() else 0 for part in simulations.split(",")]
    if min(counts) < 1:
        raise refuse(f"--simulations takes whole numbers separated by commas, not {simulations!r}")
    show_experiment(
        lambda report: playing.strength_by_simulations(game, opponent, counts, games, seed, report),
        plot,
        as_json,
    )
