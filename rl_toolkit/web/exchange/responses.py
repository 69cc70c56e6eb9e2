"""Answers: positions and analyses as the plain data that pages draw.

The page knows no rules and no game: the answer says which moves are legal, where each one lands,
what the pieces are called, and what a line looks like on the board.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from rl_toolkit.analysis import Analysis, Candidate, Evaluated, TreeView, Words, words_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain import area_of, assessment, exploration
from rl_toolkit.records import position_to_text, to_transcript
from rl_toolkit.web.exchange.looks import look_of

#: The number of candidates whose lines are sent, and of plies in each.
_LINES, _PLIES = 12, 10

Json = dict[str, Any]


def game_answer(env: BaseGameEnv) -> Json:
    """What holds in every position of the game of ``env``: its name, its look, its form."""
    traits = env.traits
    return {
        "game": env.name,
        **look_of(env, "rows", "cols", "pieces", "colours"),
        "form": env.form_values(),
        "win_length": getattr(env, "win_length", None),
        "score_unit": traits.score_unit,
        "drops": traits.move_by == "column",
        "pass_move": env.pass_move,
        "first_number": _first_number(env),
    }


def position_answer(env: BaseGameEnv) -> Json:
    """What a board and its form need to show the position and to play on."""
    begun = BaseGameEnv.start(env)
    return {
        **game_answer(env),
        "position": position_to_text(env),
        "start": position_to_text(begun),
        "board": env.board.tolist(),
        "text": None if env.traits.has_grid else env.render(mode="ansi"),
        "player": env.current_player,
        "done": env.is_terminal(),
        "winner": env.winner,
        "winning_cells": env.winning_cells,
        "last_cell": env.last_cell,
        "legal": _legal(env),
        "moves": env.history,
        "names": env.history_names(),
        "movers": _movers(begun, env.history),
        "transcript": to_transcript(env),
    }


def _legal(env: BaseGameEnv) -> list[Json]:
    """The legal moves: name, the cell in which each lands, and the one that it leaves, if any."""
    moves = env.get_legal_moves()
    if not env.traits.has_grid or env.traits.move_by == "column" or moves_are_cells(env):
        return [
            {"move": move, "name": env.move_name(move), "cell": env.landing_cell(move)}
            for move in moves
        ]
    return [
        {"move": move, "name": env.move_name(move), "cell": target, "origin": origin}
        for move, (origin, target) in zip(moves, journeys(env), strict=True)
    ]


def moves_are_cells(env: BaseGameEnv) -> bool:
    """Whether the number of a move, unless it passes, is that of a cell."""
    places = env.num_moves - (env.pass_move is not None)
    return env.traits.has_grid and env.traits.move_by != "column" and places == env.board.size


def journeys(env: BaseGameEnv) -> list[tuple[int | None, int | None]]:
    """For each legal move the cell that a piece of the mover leaves, and the one it reaches.

    ``None`` stands for neither: a move may put a piece on the board, or pass.
    """
    return [_journey(env, move) for move in env.get_legal_moves()]


def _journey(env: BaseGameEnv, move: int) -> tuple[int | None, int | None]:
    after, mover = env.copy(), env.current_player
    after.step(move)
    mine, then = env.board == mover, after.board == mover
    left, reached = np.flatnonzero(mine & ~then), np.flatnonzero(~mine & then)
    landed = env.landing_cell(move)
    if landed is None and reached.size:
        landed = int(reached[0])
    return (int(left[0]) if left.size else None), landed


def _first_number(env: BaseGameEnv) -> int | None:
    """What people type for move 0: columns count from 1, cells from 0, other moves have names."""
    if not env.traits.has_grid:
        return None
    return 1 if env.traits.move_by == "column" else 0


def _movers(begun: BaseGameEnv, moves: list[int]) -> list[int]:
    movers = []
    for move in moves:
        movers.append(begun.current_player)
        begun.step(move)
    return movers


def analysis_answer(
    env: BaseGameEnv, analysis: Analysis, *, play: bool = False, top: int | None = None
) -> Json:
    """`Analysis.to_dict` with its lines as they look on the board, and marks for the squares.

    A candidate's ``best`` is whether no other is better; several may be. ``area`` is where the best
    move is. With ``play``, ``after`` is the position after the best move. With ``top``, only so
    many candidates are listed, and ``left_out`` says how many are not.
    """
    words, best = words_for(env, analysis), analysis.best_moves
    kept = analysis.candidates[:top]
    answer = analysis.to_dict()
    answer["candidates"] = answer["candidates"][:top]
    answer["left_out"] = len(analysis.candidates) - len(kept)
    for entry, candidate in zip(answer["candidates"], kept, strict=True):
        entry["mark"] = words.mark(candidate)
        entry["best"] = candidate.move in best
    answer["lines"] = {
        str(candidate.move): line_on_board(env, candidate) for candidate in kept[:_LINES]
    }
    area = None if analysis.best_move is None else area_of(env, analysis.best_move)
    answer["area"] = None if area is None else asdict(area)
    if play and analysis.best_move is not None:
        after = env.copy()
        after.step(analysis.best_move)
        answer["after"] = position_answer(after)
    return answer


def line_on_board(env: BaseGameEnv, candidate: Candidate) -> list[Json]:
    """The moves of a candidate's line: name, mover and cell of each, as far as they are legal."""
    game, steps = env.copy(), []
    for move in candidate.line[:_PLIES]:
        if move not in game.get_legal_moves():
            break
        cell = game.landing_cell(move)
        steps.append({"name": game.move_name(move), "player": game.current_player, "cell": cell})
        game.step(move)
    return steps


def course_evaluations(env: BaseGameEnv, analysis: Analysis) -> Json:
    """For each move ``value`` (player +1's view), ``reasoning`` and ``is_best``.

    The value of a move that was not searched is null. Tree search adds ``visits`` and
    ``uct_score``; of its moves exactly one is best. A bot's own sentences are kept.
    """
    best, equal = analysis.best_move, analysis.best_moves
    evaluations: Json = {}
    for candidate in sorted(analysis.candidates, key=lambda candidate: candidate.move):
        value, visits = candidate.value, candidate.visits
        entry: Json = {"value": None if value is None else value * analysis.player + 0.0}
        if visits is not None:
            entry["reasoning"] = exploration(visits, value, proven=candidate.proven)
            entry["is_best"] = candidate.move == best
            entry["visits"], entry["uct_score"] = visits, candidate.uct
        else:
            if value is None:
                entry["reasoning"] = "not searched"
            else:
                known = env.traits.alternates or candidate.distance == 1
                distance = candidate.distance if known else None
                entry["reasoning"] = assessment(value, distance, proven=candidate.proven)
            entry["is_best"] = candidate.move in equal
        claim = None if analysis.claims is None else analysis.claims.of(candidate.move)
        if claim is not None and claim.says:
            entry["reasoning"] = claim.says
        evaluations[str(candidate.move)] = entry
    return evaluations


def tree_answer(env: BaseGameEnv, view: TreeView) -> Json:
    """A search tree as nested objects; ``value`` is player +1's, null without a visit.

    ``text`` and the shorter ``label`` say the same in words.
    """
    return _tree_node(view, -env.current_player, words_for(env))


def tree_label(words: Words, what: Evaluated, player: int) -> str:
    """The words beside a node: ``Red wins in 3 moves``, ``Red ≈ 46 %``, ``draw``, ``?``."""
    plain = what.value is None or (what.proven and what.outcome == "draw")
    return words.short(what) if plain else words.full(what, player)


def _tree_node(view: TreeView, mover: int, words: Words) -> Json:
    return {
        "move": view.move,
        "name": view.name,
        "mover": mover,
        "visits": view.visits,
        "value": None if view.value is None else view.value * mover + 0.0,
        "proven": view.proven,
        "text": words.full(view, mover),
        "label": tree_label(words, view, mover),
        "exploitation": view.exploitation,
        "exploration": view.exploration,
        "prior": view.prior,
        "children": [_tree_node(child, -mover, words) for child in view.children],
    }
