"""``compare``: one position and several engines, beside the exact scores where they are known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from rl_toolkit.analysis import Analysis, Candidate, Limit, Words, words_for
from rl_toolkit.cli.arguments import failure, refuse, report_errors
from rl_toolkit.cli.options import (
    csv_option,
    examples,
    json_option,
    limit_options,
    position_arguments,
)
from rl_toolkit.cli.param_types import COUNT, NATURAL, PositionCommand
from rl_toolkit.cli.saved_games import in_file_options, position_of
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import BEST, thinking_picture, value_style, work_text
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.cli.ui.tables import Column, needed_width, plain_table
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain import claim_notes
from rl_toolkit.players import Player, split_engines
from rl_toolkit.players.advisers import analyst, exact_player, usual_limit
from rl_toolkit.records import csv_text

#: The width of the column of moves, and the gap after it.
_MOVE_WIDTH = 6
#: The name of the column with exact scores.
EXACT = "exact"
#: Values are those of the side to move, from -1 to 1.
CSV_COLUMNS = (
    *("engine", "rank", "move", "best", "value", "outcome", "proven", "distance", "score"),
    *("visits", "prior", "error"),
)
#: Stands in the column of an engine that failed.
_NO_ANSWER = "–"


@dataclass(frozen=True, slots=True)
class Answered:
    """What an engine said."""

    name: str
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Failed:
    """Why an engine did not answer."""

    name: str
    problem: str


Answer = Answered | Failed


@click.command(cls=PositionCommand)
@position_arguments
@click.option(
    "--engines",
    default="minimax,mcts,greedy",
    help="Engines or levels, separated by commas; each may have options.",
)
@limit_options
@in_file_options
@click.option("--top", type=COUNT, default=10, help="How many moves to show.")
@json_option("one line of JSON, for programs")
@csv_option("one row of CSV for each engine and move")
@click.option("--seed", type=NATURAL, help="The same seed repeats the same answers.")
@examples(
    "rl-toolkit compare tictactoe b2a1",
    "rl-toolkit compare connect-four 44 --engines easy,hard,mcts:simulations=2000,c=1.2",
    "rl-toolkit compare reversi --engines minimax,mcts --time 2",
)
def compare(
    game: str,
    position: str,
    engines: str,
    number: int | None,
    ply: int | None,
    top: int,
    as_json: bool,
    as_csv: bool,
    seed: int | None,
    **limits: Any,
) -> None:
    """Compare the answers of several engines for POSITION of GAME, side by side.

    POSITION is text, or a file with a game, as for `analyse`; the default is the start.

    Where an engine plays the game perfectly, the last column has the exact results: `exact`, or
    the engine itself if it is among those asked and proves every move. An engine that fails has
    dashes in its column; the exit code is 1 if all the engines asked fail.
    """
    screen, env = Screen(), position_of(game, position, number, ply)
    specs = split_engines(engines)
    if not specs:
        raise refuse("--engines needs at least one engine")
    with report_errors():
        players = [(spec, analyst(game, spec, seed=seed)) for spec in specs]
    answers: list[Answer] = []
    as_data = as_json or as_csv
    for name, player in players:
        limit = Limit(**limits).or_else(usual_limit(player))
        answers.append(_ask(name, player, env, screen, limit, quiet=as_data))
    all_failed = not _answered(answers)
    if (exact := exact_player(env)) is not None:
        if not as_data and (proof := _proof_by(exact.name, answers)):
            answers.remove(proof)  # the same engine would say the same again
            answers.append(proof)
        else:  # an exact engine that is cut short would not be exact
            answers.append(_ask(EXACT, exact, env, screen, Limit(), quiet=as_data))
    if as_json:
        screen.json(_data(answers))
    elif as_csv:
        sys.stdout.write(csv_text(CSV_COLUMNS, _csv_rows(answers)))
    else:
        _show(answers, env, screen, top)
    if all_failed:
        raise failure("no engine answered" if len(specs) > 1 else f"{specs[0]} did not answer")


def _ask(
    name: str, player: Player, env: BaseGameEnv, screen: Screen, limit: Limit, *, quiet: bool
) -> Answer:
    """The answer of an engine, whatever it raises; ``quiet`` draws no picture meanwhile."""
    screen.tell(f"Asking {name} …", "dim")
    picture = None if quiet else partial(thinking_picture, env, screen)
    try:
        found = think(
            player,
            env,
            screen,
            limit=limit,
            picture=picture,
            interrupts=Interrupts(),
            claims=True,
        )
    except click.ClickException as problem:
        return Failed(name, problem.message)
    except Exception as error:  # the other engines must be asked whatever this one does
        return Failed(name, " ".join(f"{name} raised {type(error).__name__}: {error}".split()))
    return Answered(name, found)


def _answered(answers: Sequence[Answer]) -> list[Answered]:
    return [each for each in answers if isinstance(each, Answered)]


def _proof_by(engine: str, answers: Sequence[Answer]) -> Answered | None:
    """The answer in which ``engine`` has proven every move, if there is one."""
    for each in _answered(answers):
        if each.analysis.engine == engine and all(c.proven for c in each.analysis.candidates):
            return each
    return None


def _data(answers: Sequence[Answer]) -> dict[str, Any]:
    """The answers as plain data: an analysis, or the error, for each engine."""
    return {
        each.name: each.analysis.to_dict()
        if isinstance(each, Answered)
        else {"error": each.problem}
        for each in answers
    }


def _csv_rows(answers: Sequence[Answer]) -> Iterator[dict[str, Any]]:
    """A row for each engine and move, the best move first; one with the error if it failed."""
    for each in answers:
        if isinstance(each, Failed):
            yield {"engine": each.name, "error": each.problem}
            continue
        best = each.analysis.best_moves
        for rank, found in enumerate(each.analysis.candidates, 1):
            row = {column: getattr(found, column, None) for column in CSV_COLUMNS}
            yield row | {
                "engine": each.name,
                "rank": rank,
                "move": found.name,
                "best": found.move in best,
            }


def _show(answers: Sequence[Answer], env: BaseGameEnv, screen: Screen, top: int) -> None:
    answered = _answered(answers)
    if answered:
        screen.say(draw_board(env, screen.width))
        screen.say(f"What each move is worth for {env.traits.side(env.current_player)}", "bold")
        table = _table(answers, answered, screen, top, env)
        screen.say(table)
        hidden = len(answered[-1].analysis.candidates) - table.row_count
        screen.left_out(hidden, "; use a larger --top to see them")
    for each in answers:
        if isinstance(each, Failed):
            screen.say(f"{each.name}: no answer · {each.problem}", "red")
            continue
        found = each.analysis.candidates
        choice = found[0].name if found else "no move: the game is over"
        screen.say(f"{each.name}: {choice} · {work_text(each.analysis)}", "dim")
        claims = each.analysis.claims
        screen.notes([*(claim_notes(env, claims) if claims else ()), *each.analysis.notes])


def _table(
    answers: Sequence[Answer],
    answered: Sequence[Answered],
    screen: Screen,
    top: int,
    env: BaseGameEnv,
) -> Table:
    """A row for each move, in the order of the last engine, which is the exact one if there is one.

    Moves that another engine would play are shown even if they are not among the ``top``. The
    ``answered`` are those of the ``answers`` that have an analysis, at least one.
    """
    analyses = [each.analysis for each in answered]
    chosen = {analysis.candidates[0].move for analysis in analyses if analysis.candidates}
    ranked = analyses[-1].candidates
    shown = [c for number, c in enumerate(ranked) if number < top or c.move in chosen]

    def column(head: str, each: Answer, say: Callable[[Words, Candidate], str]) -> Column:
        if isinstance(each, Failed):
            said = [_NO_ANSWER] * len(shown)
        else:
            analysis, words = each.analysis, words_for(env, each.analysis)
            claimed = analysis.claims.texts() if analysis.claims else {}
            texts = [claimed.get(c.move, say(words, analysis.candidate(c.move))) for c in shown]
            said = [text + _star(analysis, c.move) for c, text in zip(shown, texts, strict=True)]
        return Column(screen.fit(head), [screen.fit(text) for text in said])

    columns = [column(each.name, each, Words.short) for each in answers]
    if needed_width(columns) + _MOVE_WIDTH > screen.width:  # marks take the place of phrases
        columns = [
            column(each.name.replace(":", ":\n").replace(",", ",\n"), each, Words.mark)
            for each in answers
        ]
    table = plain_table("move", *(each.head for each in columns))
    for number, reference in enumerate(shown):
        cells = [Text(reference.name)]
        for written, each in zip(columns, answers, strict=True):
            style = "dim"
            if isinstance(each, Answered):
                style = value_style(each.analysis.candidate(reference.move))
            cells.append(Text(written.cells[number], style))
        table.add_row(*cells)
    return table


def _star(answer: Analysis, move: int) -> str:
    return f" {BEST}" if move in answer.best_moves else ""
