"""``puzzle next | daily | storm | mine | list | show | make | progress``."""

from __future__ import annotations

import click

from rl_toolkit.cli.commands.puzzle.listing import list_, show
from rl_toolkit.cli.commands.puzzle.making import make
from rl_toolkit.cli.commands.puzzle.progress import progress
from rl_toolkit.cli.commands.puzzle.training import daily, mine, next_, storm
from rl_toolkit.cli.options import examples


@click.group()
@examples(
    "rl-toolkit puzzle next reversi",
    "rl-toolkit puzzle daily",
    "rl-toolkit puzzle mine               what you got wrong in your games",
    "rl-toolkit puzzle list connect-four --theme hold",
    "rl-toolkit puzzle progress",
)
def puzzle() -> None:
    """Solve puzzles: positions in which one move is right, proven by exact engines.

    Puzzles come at your rating; those that you miss come back when they are due. What you did is in
    the file of your library (--library FILE or RL_TOOLKIT_LIBRARY name another) and nowhere else.
    """


for command in (next_, daily, storm, mine, list_, show, make, progress):
    puzzle.add_command(command)
