"""``solve``."""

from __future__ import annotations

import click

from rl_toolkit.cli.arguments import GAME, PLAYER, PositionCommand, examples


@click.command(cls=PositionCommand)
@click.argument("game", type=GAME)
@click.argument("positions", metavar="[POSITION]...", nargs=-1)
@click.option("--engine", type=PLAYER, help="Who solves. Default: the exact engine of the game.")
@click.option("--time", type=click.FloatRange(min=0.001), help="Seconds for each position.")
@click.option("--json", "as_json", is_flag=True, help="Write a line of JSON for each position.")
@examples(
    "rl-toolkit solve connect-four 4455",
    "rl-toolkit solve connect-four-5x5x4",
    "cat positions.txt | rl-toolkit solve connect-four - > scores.tsv",
    'rl-toolkit solve reversi-4 "-----OX--XO----- X;" --json',
    "rl-toolkit solve reversi - --time 10 --json < endgames.obf",
)
def solve(
    game: str, positions: tuple[str, ...], engine: str | None, time: float | None, as_json: bool
) -> None:
    """Solve each POSITION of GAME exactly: its score with best play, and the moves that get it.

    A position is a row of moves, the rows of the board and the side to move, in Reversi also an
    OBF line; without one it is the start. With - every line of stdin is a position, an empty line
    being the start.

    One line for each, tabs between: the position, its score, the best moves, nodes, seconds;
    --json has the score of every move, too. In Connect Four winning with one's n-th stone scores
    22 - n, losing the same with a minus, a draw 0. In Reversi the score is the difference in discs,
    squares left empty going to the winner. Elsewhere it is win, draw or loss.

    What cannot be read, or not be solved in the time given, is answered by a sentence; the exit
    code is then 1. Reversi on 8x8 is solved when 26 squares or fewer are empty.
    """
    from rl_toolkit.analysis import Limit
    from rl_toolkit.cli.commands._solving import run

    raise click.exceptions.Exit(run(game, positions, engine, Limit(time=time), as_json=as_json))
