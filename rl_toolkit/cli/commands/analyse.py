"""``analyse``: what an engine says about a position, as a table, live, or as JSON."""

from __future__ import annotations

import sys
from typing import Any

import click

from rl_toolkit.analysis import Analysis, Limit, words_for
from rl_toolkit.cli.arguments import report_errors
from rl_toolkit.cli.options import examples, json_option, limit_options, position_arguments
from rl_toolkit.cli.param_types import COUNT, ENGINE, NATURAL, PositionCommand
from rl_toolkit.cli.saved_games import STREAM, in_file_options, position_of
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import (
    candidate_table,
    line_text,
    show_candidates,
    work_text,
)
from rl_toolkit.cli.ui.first_answer import FirstAnswers
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.cli.ui.search_tree import show_tree
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.explain import explain
from rl_toolkit.players import Player
from rl_toolkit.players.advisers import ADVICE_SECONDS, adviser, analyst, usual_limit
from rl_toolkit.records import read_position

#: How long ``--watch`` searches without a limit; Ctrl-C ends it sooner.
_WATCH_SECONDS = 3600.0


@click.command(cls=PositionCommand)
@position_arguments
@click.option("--engine", type=ENGINE, help="Engine or level. Default: the best for the game.")
@limit_options
@in_file_options
@click.option(
    "--top", type=COUNT, default=12, show_default=False, help="How many candidates to show."
)
@click.option(
    "--sort",
    type=click.Choice(["best", "value", "visits", "move"]),
    default="best",
    help="Order of the candidates.",
)
@json_option("one line of JSON, for programs")
@click.option("--watch", is_flag=True, help="Show what the search finds while it runs.")
@click.option("--tree", is_flag=True, help="Also show the top of the search tree (mcts).")
@click.option("--seed", type=NATURAL, help="The same seed repeats the same answer.")
@examples(
    "rl-toolkit analyse tictactoe b2a1",
    'rl-toolkit analyse tictactoe "xx1/oo1/3 x"',
    "rl-toolkit analyse connect-four 4453 --engine mcts --time 2",
    "rl-toolkit analyse reversi game.json --watch",
    "rl-toolkit analyse reversi WTH_2001.wtb --number 7 --ply 40",
    "cat positions.txt | rl-toolkit analyse connect-four - --depth 8",
)
def analyse(
    game: str,
    position: str,
    engine: str | None,
    number: int | None,
    ply: int | None,
    top: int,
    sort: str,
    as_json: bool,
    watch: bool,
    tree: bool,
    seed: int | None,
    **limits: Any,
) -> None:
    """Ask an engine about POSITION of GAME: the value of every move, and why.

    POSITION is a row of moves (b2a1, 4453), the rows of the board and the side to move
    ("xx1/oo1/3 x"), an OBF line, or a file with a game (JSON, SGF, GGF, WTHOR, psq or moves); the
    default is the start. With - each line of stdin is a position (an empty line is the start),
    and the command writes one line of JSON for it. Without --engine, --depth asks minimax and
    --simulations asks mcts.
    """
    screen, limit = Screen(), Limit(**limits)
    was_asked = engine is not None or seed is not None or limit != Limit()
    player = _player(game, engine, limit, seed)
    limit = limit.or_else(usual_limit(player, _WATCH_SECONDS if watch else ADVICE_SECONDS))
    player = player.on_all_cores(limit)
    if position == STREAM:
        _answer_lines(game, player, limit, screen)
        return
    env = position_of(game, position, number, ply)
    if as_json:
        report = (lambda found: screen.line(_to_json(env, found))) if watch else None
        found = think(player, env, screen, limit=limit, report=report, claims=True)
        screen.line(_to_json(env, found))
        screen.notes(found.notes)
        return
    if not watch:
        screen.say(draw_board(env, screen.width))
    interrupts = Interrupts()

    def ask(player: Player, limit: Limit | None) -> Analysis:
        return think(
            player,
            env,
            screen,
            limit=limit,
            picture=lambda found: candidate_table(env, explain(env, found), screen, top, sort=sort),
            report=(lambda found: screen.say(_one_line(env, found))) if watch else None,
            interrupts=interrupts,
            who=player.name,
            claims=True,
        )

    def show(analysis: Analysis) -> None:
        side = env.traits.side(analysis.player)
        screen.say(f"{analysis.game} · {side} to move · {work_text(analysis)}", "bold")
        hint = "; use a larger --top to see them"
        explained = explain(env, analysis)
        show_candidates(env, explained, screen, top, every_note=True, hint=hint, sort=sort)
        screen.notes(explained.notes)

    if screen.live and not (was_asked or watch or tree):
        with FirstAnswers() as answers:
            analysis, is_first = answers.answer(player, env, limit, ask)
            if is_first:
                show(analysis)
                answers.wait(player, env, screen)
                screen.say()
                analysis = ask(player, limit)
    else:
        analysis = ask(player, limit)
    show(analysis)
    if tree:
        show_tree(analysis, screen, hint="; --engine mcts keeps one")


def _player(game: str, engine: str | None, limit: Limit, seed: int | None) -> Player:
    """The engine that was asked for, else one that understands the limit."""
    if engine is None and limit.simulations is not None:
        engine = "mcts"
    elif engine is None and limit.depth is not None:
        engine = "minimax"  # the exact engines know no depth
    with report_errors():
        if engine is None:
            return adviser(make_game(game))
        return analyst(game, engine, seed=seed)


def _one_line(env: BaseGameEnv, analysis: Analysis) -> str:
    value = words_for(env, analysis).full(analysis, analysis.player)
    return f"{work_text(analysis)}  {value}  {line_text(env, analysis.line)}"


def _to_json(env: BaseGameEnv, analysis: Analysis) -> str:
    return explain(env, analysis).to_json()


def _answer_lines(game: str, player: Player, limit: Limit, screen: Screen) -> None:
    """Answer each line of stdin with one line; exit code 1 if any cannot be read."""
    failed = False
    for line in sys.stdin:
        text = line.strip()
        try:
            env = read_position(game, text)
        except ValueError as error:
            failed = True
            screen.json({"error": str(error), "input": text})
            continue
        screen.line(_to_json(env, think(player, env, screen, limit=limit, claims=True)))
    if failed:
        raise click.exceptions.Exit(1)
