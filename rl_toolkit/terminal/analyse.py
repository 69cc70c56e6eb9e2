"""``analyse``: what an engine says of a position, as a table, live, or as JSON for programs."""

from __future__ import annotations

import json
import sys

import click

from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain import explain
from rl_toolkit.players import Player, make_player
from rl_toolkit.records import read_position
from rl_toolkit.terminal.advice import ADVICE_SECONDS, adviser
from rl_toolkit.terminal.arguments import GAME, PLAYER, examples, refuse
from rl_toolkit.terminal.board_text import draw_board
from rl_toolkit.terminal.candidate_table import (
    candidate_table,
    headline,
    line_text,
    signed,
    tree_lines,
    work_text,
)
from rl_toolkit.terminal.limits import limit_of, limit_options
from rl_toolkit.terminal.positions import STREAM, PositionCommand, complaint, position_of
from rl_toolkit.terminal.screen import Screen
from rl_toolkit.terminal.thinking import Interrupts, think

#: How long ``--watch`` looks on if nobody says; Ctrl-C ends it sooner.
_WATCH_SECONDS = 3600.0


@click.command(cls=PositionCommand)
@click.argument("game", type=GAME)
@click.argument("position", default="")
@click.option("--engine", type=PLAYER, help="Who thinks. Default: the best engine for the game.")
@limit_options
@click.option("--top", type=click.IntRange(min=1), default=12, help="Candidates to show.")
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON, for programs.")
@click.option("--watch", is_flag=True, help="Show what is found while it is found.")
@click.option("--tree", is_flag=True, help="Show the top of the search tree, too (mcts).")
@click.option("--seed", type=click.IntRange(min=0), help="Makes the answer repeatable.")
@examples(
    "rl-toolkit analyse tictactoe b2a1",
    'rl-toolkit analyse tictactoe "xx1/oo1/3 x"',
    "rl-toolkit analyse connect-four 4453 --engine mcts --time 2",
    "rl-toolkit analyse reversi game.json --watch",
    "cat positions.txt | rl-toolkit analyse connect-four - --depth 8",
)
def analyse(
    game: str,
    position: str,
    engine: str | None,
    time: float | None,
    depth: int | None,
    nodes: int | None,
    simulations: int | None,
    top: int,
    as_json: bool,
    watch: bool,
    tree: bool,
    seed: int | None,
) -> None:
    """Ask an engine about POSITION of GAME: what every move is worth, and why.

    POSITION is a row of moves (b2a1, 4453), the rows of the board and the side to move
    ("xx1/oo1/3 x"), an OBF line, or a saved game; without one it is the start. With - each line of
    stdin is a position (an empty line is the start), answered by one line of JSON.
    """
    screen = Screen()
    player = _player(game, engine, seed)
    limit = limit_of(time, depth, nodes, simulations)
    if limit == Limit() and player.limit == Limit():
        limit = Limit(time=_WATCH_SECONDS if watch else ADVICE_SECONDS)
    if position == STREAM:
        raise click.exceptions.Exit(_answer_lines(game, player, limit, screen))
    env = position_of(game, position)
    if as_json:
        report = (lambda found: screen.line(_to_json(env, found))) if watch else None
        analysis = think(player, env, screen, limit=limit, report=report)
        screen.line(_to_json(env, analysis))
        return
    if not watch:
        screen.say(draw_board(env, screen.width))
    analysis = think(
        player,
        env,
        screen,
        limit=limit,
        picture=lambda found: candidate_table(env, explain(env, found), screen, top),
        report=(lambda found: screen.say(_one_line(env, found))) if watch else None,
        interrupts=Interrupts(),
    )
    _show(env, explain(env, analysis), screen, top)
    if tree:
        try:
            lines = list(tree_lines(analysis.tree()))
        except ValueError as error:
            raise refuse(error) from error
        for line in lines:
            screen.row(line)


def _player(game: str, engine: str | None, seed: int | None) -> Player:
    from rl_toolkit.envs import make_game

    try:
        return make_player(game, engine, seed=seed) if engine else adviser(make_game(game))
    except ValueError as error:
        raise refuse(error) from error


def _show(env: BaseGameEnv, analysis: Analysis, screen: Screen, top: int) -> None:
    side = "X" if analysis.player > 0 else "O"
    screen.say(f"{analysis.game} · {side} to move · {work_text(analysis)}", "bold")
    if not analysis.candidates:
        screen.say(headline(env, analysis))
        return
    screen.say(candidate_table(env, analysis, screen, top))
    if len(analysis.candidates) > top:
        screen.say(f"… and {len(analysis.candidates) - top} more (--top shows them)", "dim")
    screen.say(headline(env, analysis))
    for note in analysis.notes:
        screen.tell(f"({note})", "dim")


def _one_line(env: BaseGameEnv, analysis: Analysis) -> str:
    return f"{work_text(analysis)}  {signed(analysis.value)}  {line_text(env, analysis.line)}"


def _to_json(env: BaseGameEnv, analysis: Analysis) -> str:
    return explain(env, analysis).to_json()


def _answer_lines(game: str, player: Player, limit: Limit, screen: Screen) -> int:
    """Answer each line of stdin by one line; gives the exit code."""
    failed = False
    for line in sys.stdin:
        text = line.strip()
        try:
            env = read_position(game, text)
        except ValueError as error:
            failed = True
            screen.line(json.dumps(complaint(text, error)))
            continue
        screen.line(_to_json(env, think(player, env, screen, limit=limit)))
    return 1 if failed else 0
