"""The commands behind the course scripts, which are a few lines each."""

from __future__ import annotations

from typing import Any, NoReturn

import click

from rl_toolkit.cli.arguments import report_errors
from rl_toolkit.cli.exit_codes import run_command
from rl_toolkit.cli.options import HELP_SETTINGS, examples, options
from rl_toolkit.cli.param_types import COUNT, ENGINE, GAME, NATURAL
from rl_toolkit.cli.play.session import First
from rl_toolkit.cli.play.setup import GameSetup
from rl_toolkit.cli.ui.screen import Screen

#: The person plays X, so "the AI opens" means that O does.
_FIRST: dict[str, First] = {"human": "x", "ai": "o", "random": "random"}


def tictactoe_script() -> NoReturn:
    """``play_terminal.py`` of project 4.5."""
    run_command(tictactoe, prog_name="play_terminal.py")


def connect_four_script() -> NoReturn:
    """``play_terminal.py`` of project 8.5."""
    run_command(connect_four, prog_name="play_terminal.py")


#: The options that `_play` takes besides the game and the engine.
_play_options = options(
    click.option("--show-thinking", is_flag=True, help="Show the AI's value of each move."),
    click.option(
        "--mode",
        type=click.Choice(["human-ai", "human-human", "ai-ai"]),
        default="human-ai",
        help="Who plays.",
    ),
    click.option(
        "--first",
        type=click.Choice(list(_FIRST)),
        default="human",
        help="Who moves first; you are X.",
    ),
    click.option("--time", type=click.FloatRange(min=0.01), help="Seconds the AI may think."),
    click.option("--seed", type=NATURAL, help="Makes the AI repeatable."),
)


@click.command(context_settings=HELP_SETTINGS)
@click.option(
    "--board-size", type=click.IntRange(3, 9), default=3, help="Rows and columns of the board."
)
@click.option("--win-length", type=click.IntRange(3, 9), help="Length of a winning row.")
@click.option("--level", type=ENGINE, help="Strength of the AI. Default: the strongest.")
@_play_options
@examples(
    "python play_terminal.py --show-thinking --board-size 3",
    "python play_terminal.py --board-size 4 --win-length 3 --level medium --first ai",
    "python play_terminal.py --mode human-human",
)
def tictactoe(
    board_size: int, win_length: int | None, level: str | None, time: float | None, **played: Any
) -> None:
    """Play Tic-Tac-Toe against minimax, or with a friend, or watch."""
    from rl_toolkit.players import levels_for

    length = win_length or board_size
    game = GAME.convert(f"tictactoe-{board_size}x{board_size}x{length}", None, None)
    strongest = list(levels_for(game))[-1]
    if level is None and strongest != "perfect" and time is None:
        time = 5.0
    _play(game, level or strongest, time=time, **played)


@click.command(context_settings=HELP_SETTINGS)
@click.option("--simulations", type=COUNT, default=1000, help="Simulations per move.")
@click.option("--show-search-tree", is_flag=True, help="Show the top of the search tree.")
@click.option(
    "--level",
    type=ENGINE,
    help="A level in place of mcts: easy, medium, hard search 2, 4, 6 plies.",
)
@_play_options
@examples(
    "python play_terminal.py --show-search-tree",
    "python play_terminal.py --simulations 5000 --time 3 --first random",
    "python play_terminal.py --mode ai-ai --level hard --show-thinking",
)
def connect_four(
    simulations: int, show_search_tree: bool, level: str | None, **played: Any
) -> None:
    """Play Connect Four against Monte-Carlo tree search, or with a friend, or watch."""
    engine = level or f"mcts:simulations={simulations}"
    _play("connect-four", engine, show_tree=show_search_tree, **played)


def _play(
    game: str,
    engine: str,
    *,
    mode: str,
    first: str,
    time: float | None,
    seed: int | None,
    **shown: bool,
) -> None:
    """Play one game after another with the players of this mode."""
    from rl_toolkit.cli.course.view import CourseView
    from rl_toolkit.cli.play.loop import PlayLoop
    from rl_toolkit.cli.play.sides import HUMAN

    x = engine if mode == "ai-ai" else HUMAN
    o = HUMAN if mode == "human-human" else engine
    setup = GameSetup(game, x, o, _FIRST[first], time, seed)
    with report_errors():
        session = setup.session()
    PlayLoop(session, CourseView(Screen(), **shown), setup).run()
