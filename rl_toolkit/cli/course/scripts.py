"""The commands behind the course scripts, which are a few lines each."""

from __future__ import annotations

from typing import Any, NoReturn

import click

from rl_toolkit.cli.arguments import listening_on, refuse, report_errors
from rl_toolkit.cli.options import HELP_SETTINGS, examples, open_option, options, port_option
from rl_toolkit.cli.param_types import COUNT, ENGINE, GAME, NATURAL, SECONDS, WholeNumber
from rl_toolkit.cli.play.cells import Cells
from rl_toolkit.cli.play.session import First
from rl_toolkit.cli.play.setup import GameSetup
from rl_toolkit.cli.program.exit_codes import run_command
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.web import PORT

#: The person plays X, so "the AI opens" means that O does.
_FIRST: dict[str, First] = {"human": "x", "ai": "o", "random": "random"}


def tictactoe_script() -> NoReturn:
    """``play_terminal.py`` of project 4.5."""
    run_command(tictactoe, prog_name="play_terminal.py")


def connect_four_script() -> NoReturn:
    """``play_terminal.py`` of project 8.5."""
    run_command(connect_four, prog_name="play_terminal.py")


def web_script() -> NoReturn:
    """``web_app.py`` of project 4.5."""
    run_command(web, prog_name="web_app.py")


#: The options that `_play` takes besides the game and the engine.
_play_options = options(
    click.option("--show-thinking", is_flag=True, help="Show the AI's value of each move."),
    click.option(
        "--sort",
        type=click.Choice(["position", "value"]),
        default="position",
        help="Order of the moves in that table.",
    ),
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
    click.option("--time", type=SECONDS, help="Seconds the AI may think."),
    click.option("--seed", type=NATURAL, help="Makes the AI repeatable."),
)


@click.command(context_settings=HELP_SETTINGS)
@click.option(
    "--board-size", type=WholeNumber(3, 9), default=3, help="Rows and columns of the board."
)
@click.option("--win-length", type=WholeNumber(3, 9), help="Length of a winning row.")
@click.option("--level", type=ENGINE, help="Strength of the AI. Default: the strongest.")
@click.option("--depth", type=COUNT, help="Plies the AI looks ahead, in place of a level.")
@click.option(
    "--cells",
    default="0-8",
    metavar="0-8|1-9|numpad",
    help="How cells are numbered where you type a number.",
)
@_play_options
@examples(
    "python play_terminal.py --show-thinking --board-size 3",
    "python play_terminal.py --board-size 4 --win-length 3 --level medium --first ai",
    "python play_terminal.py --mode human-human --cells 1-9",
)
def tictactoe(
    board_size: int,
    win_length: int | None,
    level: str | None,
    depth: int | None,
    time: float | None,
    **played: Any,
) -> None:
    """Play Tic-Tac-Toe against minimax, or with a friend, or watch."""
    from rl_toolkit.players import levels_for

    length = win_length or board_size
    game = GAME.convert(f"tictactoe-{board_size}x{board_size}x{length}", None, None)
    engine = _only_one(level=level, depth=depth) or list(levels_for(game))[-1]
    if level is None and depth is None and engine != "perfect" and time is None:
        time = 5.0
    _play(game, engine, time=time, **played)


@click.command(context_settings=HELP_SETTINGS)
@click.option("--simulations", type=COUNT, help="Simulations per move.  [default: 1000]")
@click.option("--show-search-tree", is_flag=True, help="Show the top of the search tree.")
@click.option(
    "--level",
    type=ENGINE,
    help="A level in place of mcts: easy, medium, hard search 2, 4, 6 plies.",
)
@click.option("--depth", type=COUNT, help="Minimax in place of mcts: plies it looks ahead.")
@_play_options
@examples(
    "python play_terminal.py --show-search-tree",
    "python play_terminal.py --simulations 5000 --time 3 --first random",
    "python play_terminal.py --mode ai-ai --level hard --show-thinking",
)
def connect_four(
    simulations: int | None,
    show_search_tree: bool,
    level: str | None,
    depth: int | None,
    **played: Any,
) -> None:
    """Play Connect Four against Monte-Carlo tree search, or with a friend, or watch."""
    engine = _only_one(level=level, depth=depth, simulations=simulations)
    engine = engine or "mcts:simulations=1000"
    _play("connect-four", engine, cells="0-8", show_tree=show_search_tree, **played)


@click.command(context_settings=HELP_SETTINGS)
@port_option(PORT)
@open_option
@examples("python web_app.py", "python web_app.py --port 8080 --open")
def web(port: int, open_browser: bool) -> None:
    """Serve the pages on this machine; Tic-Tac-Toe is at /tictactoe."""
    from rl_toolkit.web import server

    with listening_on(port):
        server.serve(port=port, open_browser=open_browser)


def _only_one(
    *, level: str | None, depth: int | None, simulations: int | None = None
) -> str | None:
    """The engine asked for, ``None`` if none was; they exclude each other."""
    from rl_toolkit.players import Spec, SpecError

    try:
        asked = {
            "--level": level,
            "--depth": depth and Spec("minimax").with_(depth=depth).text,
            "--simulations": simulations and Spec("mcts").with_(simulations=simulations).text,
        }
    except SpecError as error:
        raise refuse(str(error)) from error
    given = {option: engine for option, engine in asked.items() if engine}
    if len(given) > 1:
        raise refuse(f"use either {' or '.join(given)}")
    return next(iter(given.values()), None)


def _play(
    game: str,
    engine: str,
    *,
    mode: str,
    first: str,
    time: float | None,
    seed: int | None,
    cells: str,
    sort: str,
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
        numbering = Cells.named(cells)
        numbering.check(session.env)
    view = CourseView(Screen(), **shown)
    view.cells, view.best_first = numbering, sort == "value"
    PlayLoop(session, view, setup).run()
