"""What an engine says of a position: as a table, live, or as JSON for programs."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.cli._positions import STREAM, complaint, position_of
from rl_toolkit.cli.arguments import refuse
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import (
    candidate_table,
    headline,
    line_text,
    signed,
    tree_lines,
    work_text,
)
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.explain import explain
from rl_toolkit.players import Player, make_player
from rl_toolkit.players._advice import ADVICE_SECONDS, adviser, usual_limit
from rl_toolkit.players.advisers import for_analysis
from rl_toolkit.records import read_position

#: How long ``--watch`` looks on if nobody says; Ctrl-C ends it sooner.
_WATCH_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line, beside the position."""

    game: str
    engine: str | None
    limit: Limit
    top: int
    as_json: bool
    watch: bool
    tree: bool
    seed: int | None


def run(asked: Asked, position: str) -> int:
    """Answer for one position, or for every line of stdin; gives the exit code."""
    screen = Screen()
    player = _player(asked)
    seconds = _WATCH_SECONDS if asked.watch else ADVICE_SECONDS
    limit = asked.limit.or_else(usual_limit(player, seconds))
    if position == STREAM:
        return _answer_lines(asked.game, player, limit, screen)
    env = position_of(asked.game, position)
    if asked.as_json:
        report = (lambda found: screen.line(_to_json(env, found))) if asked.watch else None
        found = think(player, env, screen, limit=limit, report=report)
        screen.line(_to_json(env, found))
        _tell_notes(found, screen)
        return 0
    if not asked.watch:
        screen.say(draw_board(env, screen.width))
    analysis = think(
        player,
        env,
        screen,
        limit=limit,
        picture=lambda found: candidate_table(env, explain(env, found), screen, asked.top),
        report=(lambda found: screen.say(_one_line(env, found))) if asked.watch else None,
        interrupts=Interrupts(),
        who=player.name,
    )
    _show(env, explain(env, analysis), screen, asked.top)
    if asked.tree:
        _show_tree(analysis, screen)
    return 0


def _show_tree(analysis: Analysis, screen: Screen) -> None:
    try:
        view = analysis.tree()
    except ValueError as error:
        screen.tell(f"No search tree: {error}; --engine mcts keeps one.", "dim")
        return
    for line in tree_lines(view):
        screen.row(line)


def _player(asked: Asked) -> Player:
    engine = asked.engine or _engine_that_keeps(asked.limit)
    try:
        if engine is None:
            return adviser(make_game(asked.game))
        return make_player(asked.game, for_analysis(engine), seed=asked.seed)
    except ValueError as error:
        raise refuse(error) from error


def _engine_that_keeps(limit: Limit) -> str | None:
    """Who understands the limit, where not everybody does: the exact engines know no depth."""
    if limit.simulations is not None:
        return "mcts"
    return "minimax" if limit.depth is not None else None


def _show(env: BaseGameEnv, analysis: Analysis, screen: Screen, top: int) -> None:
    side = "X" if analysis.player > 0 else "O"
    screen.say(f"{analysis.game} · {side} to move · {work_text(analysis)}", "bold")
    if not analysis.candidates:
        screen.say(headline(env, analysis))
        return
    screen.say(candidate_table(env, analysis, screen, top, every_note=True))
    if len(analysis.candidates) > top:
        screen.say(f"… and {len(analysis.candidates) - top} more (--top shows them)", "dim")
    screen.say(headline(env, analysis))
    _tell_notes(analysis, screen)


def _tell_notes(analysis: Analysis, screen: Screen) -> None:
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
