"""``play``: a game in the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import of_size, refuse, report_errors
from rl_toolkit.cli.library_options import Keeper, keep_options
from rl_toolkit.cli.options import examples
from rl_toolkit.cli.param_types import FILE, GAME, NATURAL, PLAYER, SECONDS
from rl_toolkit.cli.play.cells import Cells
from rl_toolkit.cli.play.loop import PlayLoop
from rl_toolkit.cli.play.session import First
from rl_toolkit.cli.play.setup import GameSetup, earlier_game
from rl_toolkit.cli.play.view import GameView
from rl_toolkit.cli.saved_games import number_option
from rl_toolkit.cli.ui.first_answer import FirstAnswers
from rl_toolkit.cli.ui.screen import Screen

DEFAULT_GAME = "tictactoe"


@click.command()
@click.argument("game", type=GAME, required=False)
@click.option(
    "--x",
    type=PLAYER,
    metavar=PLAYER.name,
    help="Who plays X: human, a level, a rating, an engine or a bot in a file.",
)
@click.option(
    "--o",
    type=PLAYER,
    metavar=PLAYER.name,
    help="Who plays O. Default: you play X against medium, in 3x3 Tic-Tac-Toe against easy.",
)
@click.option(
    "--first",
    type=click.Choice(["x", "o", "random"]),
    default="x",
    help="The side that moves first.",
)
@click.option(
    "--time",
    type=SECONDS,
    help="Seconds for each move of an engine.",
)
@click.option(
    *("--show-thinking", "--verbose"),
    is_flag=True,
    help="Show the candidates of each engine move.",
)
@click.option("--show-search-tree", is_flag=True, help="Show the top of the search tree (mcts).")
@click.option("--size", metavar="ROWSxCOLSxLENGTH", help="Another board: 4, 4x4x3, 6x8x4.")
@click.option(
    "--cells",
    default="0-8",
    metavar="0-8|1-9|numpad",
    help="How the numbers that you type count the cells.",
)
@click.option("--load", type=FILE, help="Continue a saved game, of any format.")
@number_option
@click.option("--resume", is_flag=True, help="Continue your last unfinished game (of GAME).")
@keep_options
@click.option(
    "--seed",
    type=NATURAL,
    help="The same seed repeats the random choices of engines and of --first random.",
)
@examples(
    "rl-toolkit play tictactoe                      you are X against the computer",
    "rl-toolkit play connect-four --o expert --first o",
    "rl-toolkit play connect-four --o 900           about as strong as 900 Elo above random play",
    "rl-toolkit play reversi --x mcts:time=2 --o human --show-thinking",
    "rl-toolkit play gomoku --x hard --o expert     watch two engines",
    "rl-toolkit play tictactoe --x human --o human  two people",
    "rl-toolkit play tictactoe --cells 1-9          cells are 1 to 9, the centre is 5",
    "rl-toolkit play reversi --keep                 save the game in your library when it is over",
    "rl-toolkit play --resume                       continue after a break or a crash",
    "rl-toolkit play --load games.sgf --number 3    continue the third game of a file",
)
def play(
    game: str | None,
    x: str | None,
    o: str | None,
    first: First,
    time: float | None,
    show_thinking: bool,
    show_search_tree: bool,
    size: str | None,
    cells: str,
    load: Path | None,
    number: int | None,
    resume: bool,
    keep: bool,
    library: Path | None,
    seed: int | None,
) -> None:
    """Play GAME in the terminal against the computer or a friend, or watch two engines.

    Moves are names (b2), numbers (from 0; see --cells), row and column (2 2), and in Connect Four
    columns (d or 4). Type `help` at the prompt for hint, why, undo, rules, legend, save and more.
    Ctrl-C while an engine thinks makes it answer at once.
    """
    if load is not None and resume:
        raise refuse("use either --load or --resume")
    if number is not None and load is None:
        raise refuse("--number chooses a game of the file in --load")
    named = of_size(game or DEFAULT_GAME, size) if game or size else None
    record, autosave = earlier_game(named, load, number, resume)
    wanted = record.game if record is not None else named or DEFAULT_GAME
    setup = GameSetup(wanted, x, o, first, time, seed)
    with report_errors():  # a level or engine that does not exist
        session = setup.session(record)
        numbered = Cells.named(cells)
        numbered.check(session.env)
    keeper = Keeper(keep, library, Screen())
    view = GameView(Screen(), show_thinking=show_thinking, show_tree=show_search_tree)
    view.cells = numbered
    was_asked = x is not None or o is not None or time is not None or seed is not None
    with FirstAnswers() as answers:
        if view.screen.live and not was_asked and record is None:
            view.first_answers = answers
        PlayLoop(session, view, setup, autosave, keeper).run()
