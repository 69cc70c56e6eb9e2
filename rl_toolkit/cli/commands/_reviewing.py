"""A saved game looked back on: what every move lost, as a table or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from rich.table import Table

from rl_toolkit.algorithms.review import MoveReview, Review
from rl_toolkit.analysis import Limit
from rl_toolkit.cli.arguments import refuse
from rl_toolkit.cli.play.game_review import (
    SIDES,
    counts_discs,
    discs_lost,
    look_back,
    review_lines,
)
from rl_toolkit.cli.ui.screen import Screen, table_of
from rl_toolkit.cli.ui.search import Interrupts
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player, make_engine, make_player
from rl_toolkit.players._advice import REVIEW_SECONDS, reviewer, usual_limit
from rl_toolkit.players.advisers import as_reviewer
from rl_toolkit.records import GameRecord


def run(game: GameRecord, engine: str | None, limit: Limit, *, as_json: bool) -> None:
    """Look at every move of the game and say what it lost."""
    env, screen = game.replay(), Screen()
    if not env.history:
        raise refuse("no move was played, so there is nothing to look back on")
    player = _player(env, engine)
    limit = limit.or_else(usual_limit(player, REVIEW_SECONDS))
    looked_back = look_back(env, player, screen, Interrupts(), limit)
    if as_json:
        screen.line(json.dumps(_data(env, player, looked_back)))
        return
    in_discs = counts_discs(env)
    screen.say(_table(looked_back, in_discs))
    for line in review_lines(looked_back, _resigned(game), in_discs=in_discs):
        screen.say(line)


def _player(env: BaseGameEnv, engine: str | None) -> Player:
    try:
        if engine is not None:
            return as_reviewer(make_player(env.name, engine))
    except ValueError as error:
        raise refuse(error) from error
    return reviewer(env) or make_engine("minimax")


def _resigned(game: GameRecord) -> int | None:
    return -game.result if game.ended_by == "resignation" and game.result else None


def _table(looked_back: Review, in_discs: bool) -> Table:
    """A row for each move: what it lost, whether that is proven, and what was better."""
    table = table_of("move", "", "lost", "better")
    table.columns[2].justify = "right"
    for move in looked_back.moves:
        lost = _lost(move, in_discs)
        better = " ".join(move.best) if lost else ""
        style = "red" if move.threw_away else "" if lost else "dim"
        table.add_row(f"{move.number}. {SIDES[move.player]}", move.name, lost, better, style=style)
    return table


def _lost(move: MoveReview, in_discs: bool) -> str:
    """``12``, ``about 5``, or what became of the result: ``win → draw``; empty for a good move."""
    if in_discs and (discs := discs_lost(move)) is not None:
        return f"{'' if move.score_proven else 'about '}{discs}" if discs else ""
    if move.threw_away:
        return f"{move.before} → {move.after}"
    if in_discs:  # somebody wins, but by how much was not found out
        return "" if move.is_best else "?"
    known = move.before is not None and move.after is not None
    return "" if known or not move.value_lost else f"about {move.value_lost / 2:.0%}"


def _data(env: BaseGameEnv, player: Player, looked_back: Review) -> dict[str, Any]:
    sides = ((side.lower(), number) for number, side in SIDES.items())
    return {
        "game": env.name,
        "engine": player.spec,
        "moves": [
            {**asdict(move), "best": list(move.best), "score_lost": move.score_lost}
            for move in looked_back.moves
        ],
        "sides": {
            side: {
                "accuracy": looked_back.accuracy(number),
                "score_lost": looked_back.score_lost(number, proven=True),
                "score_lost_by_estimate": looked_back.score_lost(number, proven=False),
                "costliest": getattr(looked_back.costliest(number), "number", None),
            }
            for side, number in sides
        },
    }
