"""``compare``: one position and several engines, beside the exact scores where they are known."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from rl_toolkit.analysis import Analysis, Candidate, Limit, Words, words_for
from rl_toolkit.cli.arguments import position_of, refuse, report_errors
from rl_toolkit.cli.options import examples, json_option, limit_options, position_arguments
from rl_toolkit.cli.param_types import COUNT, NATURAL, PositionCommand
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import BEST, thinking_picture, value_style, work_text
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.cli.ui.tables import Column, needed_width, plain_table
from rl_toolkit.players import make_player
from rl_toolkit.players.advisers import exact_player, for_analysis, usual_limit
from rl_toolkit.players.quoting import split_at_commas

#: The width of the column of moves, and the gap after it.
_MOVE_WIDTH = 6
#: The name of the column with exact scores.
EXACT = "exact"


@click.command(cls=PositionCommand)
@position_arguments
@click.option(
    "--engines",
    default="minimax,mcts,greedy",
    help="Engines or levels, separated by commas; each may have options.",
)
@limit_options
@click.option("--top", type=COUNT, default=10, help="Moves to show.")
@json_option("one line of JSON, for programs")
@click.option("--seed", type=NATURAL, help="Makes the answers repeatable.")
@examples(
    "rl-toolkit compare tictactoe b2a1",
    "rl-toolkit compare connect-four 44 --engines easy,hard,mcts:simulations=2000,c=1.2",
    "rl-toolkit compare reversi --engines minimax,mcts --time 2",
)
def compare(
    game: str, position: str, engines: str, top: int, as_json: bool, seed: int | None, **limits: Any
) -> None:
    """Compare the answers of several engines for POSITION of GAME, side by side.

    Where an engine plays the game perfectly, the last column has the exact results: `exact`, or
    the engine itself if it is among those asked and proves every move.
    """
    screen, env = Screen(), position_of(game, position)
    specs = split_engines(engines)
    if not specs:
        raise refuse("--engines needs at least one engine")
    with report_errors():
        players = [(spec, make_player(game, for_analysis(spec), seed=seed)) for spec in specs]
    exact = exact_player(env)
    if exact is not None:
        players.append((EXACT, exact))
    answers: list[tuple[str, Analysis]] = []
    for name, player in players:
        if name == EXACT and not as_json and (found := _proof_by(player.name, answers)):
            answers.append(answers.pop(found - 1))  # the same engine would say the same again
            continue
        screen.tell(f"Asking {name} …", "dim")
        # An exact engine that is cut short would not be exact.
        limit = Limit() if name == EXACT else Limit(**limits).or_else(usual_limit(player))
        answer = think(
            player,
            env,
            screen,
            limit=limit,
            picture=None if as_json else partial(thinking_picture, env, screen),
            interrupts=Interrupts(),
        )
        answers.append((name, answer))
    if as_json:
        screen.json({name: answer.to_dict() for name, answer in answers})
        return
    screen.say(draw_board(env, screen.width))
    screen.say(f"What each move is worth for {env.traits.side(env.current_player)}", "bold")
    table = _table(answers, screen, top, words_for(env))
    screen.say(table)
    hidden = len(answers[-1][1].candidates) - table.row_count
    screen.left_out(hidden, "; use a larger --top to see them")
    for name, answer in answers:
        choice = answer.candidates[0].name if answer.candidates else "no move: the game is over"
        screen.say(f"{name}: {choice} · {work_text(answer)}", "dim")
        screen.notes(answer.notes)


def _proof_by(engine: str, answers: list[tuple[str, Analysis]]) -> int:
    """The number, from 1, of the answer in which ``engine`` has proven every move; 0 if none."""
    for number, (_, answer) in enumerate(answers, 1):
        if answer.engine == engine and all(c.proven for c in answer.candidates):
            return number
    return 0


def split_engines(text: str) -> list[str]:
    """Split a list of engines at commas, but not at the commas between options or in quotes.

    >>> split_engines("easy, mcts:simulations=200,c=1.2,greedy")
    ['easy', 'mcts:simulations=200,c=1.2', 'greedy']
    >>> split_engines('easy,gtp:cmd="engine --levels 3,4",time=1')
    ['easy', 'gtp:cmd="engine --levels 3,4",time=1']
    """
    specs: list[str] = []
    for part in filter(None, map(str.strip, split_at_commas(text) or [text])):
        continues = "=" in part and ":" not in part.partition("=")[0]
        if continues and specs:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs


def _table(answers: list[tuple[str, Analysis]], screen: Screen, top: int, words: Words) -> Table:
    """A row for each move, in the order of the last engine, which is the exact one if there is one.

    Moves that another engine would play are shown even if they are not among the ``top``.
    """
    chosen = {answer.candidates[0].move for _, answer in answers if answer.candidates}
    ranked = answers[-1][1].candidates
    shown = [c for number, c in enumerate(ranked) if number < top or c.move in chosen]

    def column(name: str, answer: Analysis, say: Callable[[Candidate], str]) -> Column:
        said = (say(answer.candidate(c.move)) + _star(answer, c.move) for c in shown)
        return Column(screen.fit(name), [screen.fit(text) for text in said])

    columns = [column(name, answer, words.short) for name, answer in answers]
    if needed_width(columns) + _MOVE_WIDTH > screen.width:  # marks take the place of phrases
        columns = [
            column(name.replace(":", ":\n").replace(",", ",\n"), answer, words.mark)
            for name, answer in answers
        ]
    table = plain_table("move", *(each.head for each in columns))
    for number, reference in enumerate(shown):
        cells = [Text(reference.name)]
        for each, (_, answer) in zip(columns, answers, strict=True):
            style = value_style(answer.candidate(reference.move))
            cells.append(Text(each.cells[number], style))
        table.add_row(*cells)
    return table


def _star(answer: Analysis, move: int) -> str:
    return f" {BEST}" if move in answer.best_moves else ""
