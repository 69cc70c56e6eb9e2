"""The commands behind the course scripts, which are a few lines each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NoReturn, TypeVar

import click

from rl_toolkit.cli.arguments import ENGINE, GAME, HELP_SETTINGS, examples, report_errors
from rl_toolkit.cli.exit_codes import run_command
from rl_toolkit.cli.play.session import First
from rl_toolkit.cli.play.setup import GameSetup
from rl_toolkit.cli.ui.screen import Screen

Mode = Literal["human-ai", "human-human", "ai-ai"]
Opener = Literal["human", "ai", "random"]
F = TypeVar("F", bound=Callable[..., Any])

#: The person plays X, so "the AI opens" means that O does.
_FIRST: dict[Opener, First] = {"human": "x", "ai": "o", "random": "random"}


def tictactoe_script() -> NoReturn:
    """``play_terminal.py`` of project 4.5."""
    run_command(tictactoe, prog_name="play_terminal.py")


def connect_four_script() -> NoReturn:
    """``play_terminal.py`` of project 8.5."""
    run_command(connect_four, prog_name="play_terminal.py")


def _shared_options(function: F) -> F:
    for option in (
        click.option("--seed", type=click.IntRange(min=0), help="Makes the AI repeatable."),
        click.option("--time", type=click.FloatRange(min=0.01), help="Seconds the AI may think."),
        click.option(
            "--first",
            type=click.Choice(["human", "ai", "random"]),
            default="human",
            show_default=True,
            help="Who moves first; you are X.",
        ),
        click.option(
            "--mode",
            type=click.Choice(["human-ai", "human-human", "ai-ai"]),
            default="human-ai",
            show_default=True,
            help="Who plays.",
        ),
        click.option("--show-thinking", is_flag=True, help="Show the AI's value of each move."),
    ):
        function = option(function)
    return function


@click.command(context_settings=HELP_SETTINGS)
@click.option(
    "--board-size",
    type=click.IntRange(3, 9),
    default=3,
    show_default=True,
    help="Rows and columns of the board.",
)
@click.option(
    "--win-length",
    type=click.IntRange(3, 9),
    help="Length of a winning row.",
)
@click.option("--level", type=ENGINE, help="Strength of the AI. Default: the strongest.")
@_shared_options
@examples(
    "python play_terminal.py --show-thinking --board-size 3",
    "python play_terminal.py --board-size 4 --win-length 3 --level medium --first ai",
    "python play_terminal.py --mode human-human",
)
def tictactoe(
    board_size: int,
    win_length: int | None,
    level: str | None,
    show_thinking: bool,
    mode: Mode,
    first: Opener,
    time: float | None,
    seed: int | None,
) -> None:
    """Play Tic-Tac-Toe against minimax, or with a friend, or watch."""
    from rl_toolkit.players import levels_for

    length = win_length or board_size
    name = f"tictactoe-{board_size}x{board_size}x{length}"
    game = GAME.convert(name, None, None)
    strongest = list(levels_for(game))[-1]
    if level is None and strongest != "perfect" and time is None:
        time = 5.0
    _play(game, level or strongest, mode, first, time, seed, show_thinking=show_thinking)


@click.command(context_settings=HELP_SETTINGS)
@click.option(
    "--simulations",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Simulations per move.",
)
@click.option("--show-search-tree", is_flag=True, help="Show the top of the search tree.")
@click.option(
    "--level",
    type=ENGINE,
    help="A level in place of mcts: easy, medium, hard search 2, 4, 6 plies.",
)
@_shared_options
@examples(
    "python play_terminal.py --show-search-tree",
    "python play_terminal.py --simulations 5000 --time 3 --first random",
    "python play_terminal.py --mode ai-ai --level hard --show-thinking",
)
def connect_four(
    simulations: int,
    show_search_tree: bool,
    level: str | None,
    show_thinking: bool,
    mode: Mode,
    first: Opener,
    time: float | None,
    seed: int | None,
) -> None:
    """Play Connect Four against Monte-Carlo tree search, or with a friend, or watch."""
    engine = level or f"mcts:simulations={simulations}"
    _play(
        "connect-four",
        engine,
        mode,
        first,
        time,
        seed,
        show_thinking=show_thinking,
        show_tree=show_search_tree,
    )


def _play(
    game: str,
    engine: str,
    mode: Mode,
    first: Opener,
    time: float | None,
    seed: int | None,
    **shown: bool,
) -> None:
    """Play one game after another with the players of this mode."""
    from rl_toolkit.cli.course.view import CourseView
    from rl_toolkit.cli.play.loop import PlayLoop
    from rl_toolkit.cli.play.sides import HUMAN

    x, o = {
        "human-ai": (HUMAN, engine),
        "human-human": (HUMAN, HUMAN),
        "ai-ai": (engine, engine),
    }[mode]
    setup = GameSetup(game, x, o, _FIRST[first], time, seed)
    with report_errors():
        session = setup.session()
    PlayLoop(session, CourseView(Screen(), **shown), setup).run()
