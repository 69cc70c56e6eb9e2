"""``analyse``."""

from __future__ import annotations

import click

from rl_toolkit.cli._limits import limit_of, limit_options
from rl_toolkit.cli.arguments import GAME, PLAYER, PositionCommand, examples


@click.command(cls=PositionCommand)
@click.argument("game", type=GAME)
@click.argument("position", default="")
@click.option("--engine", type=PLAYER, help="Who thinks. Default: the best for the game.")
@limit_options
@click.option("--top", type=click.IntRange(min=1), default=12, help="Candidates to show.")
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON, for programs.")
@click.option("--watch", is_flag=True, help="Show what is found while it is found.")
@click.option("--tree", is_flag=True, help="Show the top of the search tree, too (mcts).")
@click.option("--seed", type=click.IntRange(min=0), help="Makes the answer repeatable.")
@examples(
    "rl-toolkit analyse tictactoe b2a1",
    'rl-toolkit analyse tictactoe "xx1/oo1/3 x"',
    "rl-toolkit analyse connect-four 4453 --engine mcts --time 2",
    "rl-toolkit analyse reversi game.json --watch",
    "cat positions.txt | rl-toolkit analyse connect-four - --depth 8",
)
def analyse(
    game: str,
    position: str,
    engine: str | None,
    time: float | None,
    depth: int | None,
    nodes: int | None,
    simulations: int | None,
    top: int,
    as_json: bool,
    watch: bool,
    tree: bool,
    seed: int | None,
) -> None:
    """Ask an engine about POSITION of GAME: what every move is worth, and why.

    POSITION is a row of moves (b2a1, 4453), the rows of the board and the side to move
    ("xx1/oo1/3 x"), an OBF line, or a saved game; without one it is the start. With - each line of
    stdin is a position (an empty line is the start), answered by one line of JSON. Where no engine
    is named, minimax keeps to a depth and mcts to a number of simulations.
    """
    from rl_toolkit.cli.commands._analysing import Asked, run

    limit = limit_of(time, depth, nodes, simulations)
    asked = Asked(game, engine, limit, top, as_json, watch, tree, seed)
    raise click.exceptions.Exit(run(asked, position))
