"""``experiment``: the courses' experiments, repeatable, with a table and a plot."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import click

from rl_toolkit.cli.experiments import counts as counting
from rl_toolkit.cli.experiments import games as playing
from rl_toolkit.cli.experiments.show import Report, Result, show_experiment
from rl_toolkit.cli.options import examples, game_argument, json_option, options, seed_option
from rl_toolkit.cli.param_types import COUNT, ENGINE, GameFirst

_DEPTH = click.option("--depth", type=COUNT, help="Plies to look ahead.")
_shown = options(
    click.option("--plot", metavar="FILE.svg", help="Also draw a picture."), json_option()
)


@click.group()
@examples(
    "rl-toolkit experiment node-counts --plot counts.svg",
    "rl-toolkit experiment never-loses",
    "rl-toolkit experiment vs-random connect-four --engine hard --games 50",
)
def experiment() -> None:
    """Repeat an experiment of the courses, with a table and a plot."""


def _experiment(
    name: str, short_help: str, *, game: str = "tictactoe"
) -> Callable[[Callable[..., Result]], click.Command]:
    """A command that runs an experiment, given ``report`` and its options, and shows the result."""

    def decorate(function: Callable[..., Result]) -> click.Command:
        @game_argument(game)
        @wraps(function)
        def run(plot: str | None, as_json: bool, **asked: Any) -> None:
            show_experiment(partial(function, **asked), plot, as_json)

        return experiment.command(name, cls=GameFirst, short_help=short_help)(run)

    return decorate


@_experiment("node-counts", "What each idea saves in minimax.")
@_DEPTH
@_shown
@examples(
    "rl-toolkit experiment node-counts",
    "rl-toolkit experiment node-counts connect-four --depth 6",
)
def node_counts(report: Report, game: str, depth: int | None) -> Result:
    """Count the positions of GAME that minimax visits, plain and with each idea."""
    return counting.node_counts(game, depth, report)


@_experiment("depth", "The game tree ply by ply.")
@_DEPTH
@_shown
@examples("rl-toolkit experiment depth", "rl-toolkit experiment depth reversi --depth 8")
def depth(report: Report, game: str, depth: int | None) -> Result:
    """Count the game tree of GAME ply by ply, and the depth of the recursion."""
    return counting.tree_depth(game, depth, report)


@_experiment("never-loses", "The AI against every possible opponent.")
@click.option("--engine", type=ENGINE, default="perfect")
@_shown
@examples("rl-toolkit experiment never-loses", "rl-toolkit experiment never-loses --engine medium")
def never_loses(report: Report, game: str, engine: str) -> Result:
    """Play every possible game of GAME against the AI, which moves first and then second."""
    return playing.never_loses(game, engine, report)


@_experiment("vs-random", "Games against random moves, counted.")
@click.option("--engine", type=ENGINE, default="hard")
@click.option("--games", type=COUNT, default=100)
@seed_option
@_shown
@examples("rl-toolkit experiment vs-random reversi --engine easy --games 40")
def vs_random(report: Report, game: str, engine: str, games: int, seed: int) -> Result:
    """Play GAME against random moves: won, drawn, lost, with a confidence interval."""
    return playing.vs_random(game, engine, games, seed, report)


@_experiment("strength-by-simulations", "How strength grows with simulations.", game="connect-four")
@click.option("--opponent", type=ENGINE, default="medium")
@click.option("--simulations", default="10,30,100,300,1000", help="Separated by commas.")
@click.option("--games", type=COUNT, default=20)
@seed_option
@_shown
@examples("rl-toolkit experiment strength-by-simulations --plot strength.svg")
def strength_by_simulations(
    report: Report, game: str, opponent: str, simulations: str, games: int, seed: int
) -> Result:
    """Play GAME by mcts with more and more simulations against one opponent."""
    counts = [int(part) if part.strip().isdecimal() else 0 for part in simulations.split(",")]
    if min(counts) < 1:
        raise ValueError(
            f"--simulations takes whole numbers separated by commas, not {simulations!r}"
        )
    return playing.strength_by_simulations(game, opponent, counts, games, seed, report)


@_experiment(
    "gomoku-proof", "Prove that an opening of Gomoku is won, or check a proof.", game="gomoku"
)
@click.option("--moves", default="h8 a1 i9", help="The opening; who moved last is to win.")
@click.option("--save", metavar="FILE", default="gomoku-proof.jsonl", help="The file of the proof.")
@click.option("--check", metavar="FILE", help="Replay the proof in this file instead.")
@_shown
@examples(
    "rl-toolkit experiment gomoku-proof",
    "rl-toolkit experiment gomoku-proof --check gomoku-proof.jsonl",
)
def gomoku_proof(report: Report, game: str, moves: str, save: str, check: str | None) -> Result:
    """Prove that an opening of GAME is won against every reply; two minutes for h8 a1 i9.

    After each reply a quiet move is looked for that wins by threats against every further reply.
    The proof is saved reply by reply: after Ctrl-C run the same command to resume. --check replays
    a saved proof against every reply, with rules of its own.
    """
    from rl_toolkit.cli.experiments import gomoku_proof as proving  # loads compiled code

    if check is not None:
        return proving.check(check, report)
    return proving.prove(game, moves, save, report)
