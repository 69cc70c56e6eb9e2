"""``compare``."""

from __future__ import annotations

import click

from rl_toolkit.cli._limits import limit_of, limit_options
from rl_toolkit.cli.arguments import GAME, PositionCommand, examples


@click.command(cls=PositionCommand)
@click.argument("game", type=GAME)
@click.argument("position", default="")
@click.option(
    "--engines",
    default="minimax,mcts,greedy",
    show_default=True,
    help="Engines or levels with commas between; options may follow each.",
)
@limit_options
@click.option(
    "--top", type=click.IntRange(min=1), default=10, show_default=True, help="Moves to show."
)
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON, for programs.")
@click.option("--seed", type=click.IntRange(min=0), help="Makes the answers repeatable.")
@examples(
    "rl-toolkit compare tictactoe b2a1",
    "rl-toolkit compare connect-four 44 --engines easy,hard,mcts:simulations=2000,c=1.2",
    "rl-toolkit compare reversi --engines minimax,mcts --time 2",
)
def compare(
    game: str,
    position: str,
    engines: str,
    time: float | None,
    depth: int | None,
    nodes: int | None,
    simulations: int | None,
    top: int,
    as_json: bool,
    seed: int | None,
) -> None:
    """Put POSITION of GAME to several engines and show their answers side by side.

    Where an engine plays the game perfectly, a column `exact` tells the truth.
    """
    from rl_toolkit.cli.commands._comparing import run

    limit = limit_of(time, depth, nodes, simulations)
    run(game, position, engines, limit, seed, top=top, as_json=as_json)
