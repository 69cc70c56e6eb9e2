"""``solve``."""

from __future__ import annotations

import click

from rl_toolkit.terminal.arguments import GAME, PLAYER, PositionCommand, examples


@click.command(cls=PositionCommand)
@click.argument("game", type=GAME)
@click.argument("position", default="")
@click.option("--engine", type=PLAYER, help="Who solves. Default: the exact engine of the game.")
@click.option("--json", "as_json", is_flag=True, help="Write a line of JSON for each position.")
@examples(
    "rl-toolkit solve connect-four 4455",
    "rl-toolkit solve connect-four-5x5x4",
    "cat positions.txt | rl-toolkit solve connect-four - > scores.tsv",
)
def solve(game: str, position: str, engine: str | None, as_json: bool) -> None:
    """Solve POSITION of GAME exactly: who wins with best play, how soon, and by which moves.

    One line for each position, tabs between: the position, its score, the best moves, nodes,
    seconds. In Connect Four a position is the columns played, counted from 1, and winning with
    one's n-th stone scores 22 - n, losing the same with a minus, a draw 0. Elsewhere the score is
    win, draw or loss. With - every line of stdin is a position; an empty line is the start.
    """
    from rl_toolkit.terminal.solving import run

    raise click.exceptions.Exit(run(game, position, engine, as_json=as_json))
