"""What is answered: positions and analyses as the plain data that pages draw.

The page holds no rules: it is told which moves are legal, where each one lands, and what every
move of a line looks like on the board.
"""

from __future__ import annotations

from typing import Any

from rl_toolkit.analysis import Analysis, Candidate, TreeView
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi
from rl_toolkit.envs.board_game import BoardGame
from rl_toolkit.explain import assessment, exploration
from rl_toolkit.records import position_to_text, to_transcript

#: Lines are drawn for so many candidates, so many plies each; more nobody looks at.
_LINES, _PLIES = 12, 10

Json = dict[str, Any]


def position_answer(env: BaseGameEnv) -> Json:
    """Everything a board needs to be drawn and played on."""
    begun = env.copy()
    for _ in env.history:
        begun.undo()
    legal = env.get_legal_moves()
    return {
        "game": env.name,
        "rows": env.rows,
        "cols": env.cols,
        "win_length": getattr(env, "win_length", None),
        "row_one_at": env.traits.row_one_at,
        "style": env.traits.style,
        "drops": isinstance(env, ConnectFour),
        "position": position_to_text(env),
        "start": position_to_text(begun),
        "board": env.board.tolist(),
        "player": env.current_player,
        "done": env.is_terminal(),
        "winner": env.winner,
        "winning_cells": _winning_cells(env),
        "last_cell": env.last_move,
        "pass_move": env.pass_move if isinstance(env, Reversi) else None,
        "legal": [
            {"move": move, "name": env.move_name(move), "cell": _cell(env, move)} for move in legal
        ],
        "moves": env.history,
        "names": [env.move_name(move) for move in env.history],
        "movers": _movers(begun, env.history),
        "transcript": to_transcript(env),
    }


def _movers(begun: BaseGameEnv, moves: list[int]) -> list[int]:
    env, movers = begun.copy(), []
    for move in moves:
        movers.append(env.current_player)
        env.step(move)
    return movers


def _winning_cells(env: BaseGameEnv) -> list[int]:
    if isinstance(env, BoardGame):
        return sorted({cell for line in env.winning_lines for cell in line})
    return list(env.winning_line or [])


def _cell(env: BaseGameEnv, move: int) -> int | None:
    """The cell in which ``move`` puts its piece; ``None`` for a pass."""
    after = env.copy()
    after.step(move)
    placed = (env.board == 0) & (after.board != 0)
    cells: list[int] = placed.nonzero()[0].tolist()
    return cells[0] if cells else None


def analysis_answer(env: BaseGameEnv, analysis: Analysis) -> Json:
    """`Analysis.to_dict` with, beside it, the notes and the lines as they look on the board."""
    return {
        **analysis.to_dict(),
        "notes": list(analysis.notes),
        "lines": {
            str(candidate.move): _line(env, candidate) for candidate in analysis.candidates[:_LINES]
        },
    }


def _line(env: BaseGameEnv, candidate: Candidate) -> list[Json]:
    """The moves of a candidate's line: name, mover and cell of each, as far as they are legal."""
    game, steps = env.copy(), []
    for move in candidate.line[:_PLIES]:
        if move not in game.get_legal_moves():
            break
        player, name = game.current_player, game.move_name(move)
        before = game.board.copy()
        game.step(move)
        cells = ((before == 0) & (game.board != 0)).nonzero()[0].tolist()
        steps.append({"name": name, "player": player, "cell": cells[0] if cells else None})
    return steps


def course_evaluations(analysis: Analysis) -> Json:
    """For each move ``value`` (player +1's view), ``reasoning`` and ``is_best``.

    Tree search adds ``visits`` and ``uct_score``; of its moves exactly one is best.
    """
    best = analysis.candidates[0]
    found: Json = {}
    for candidate in sorted(analysis.candidates, key=lambda candidate: candidate.move):
        entry: Json = {"value": candidate.value * analysis.player + 0.0}
        if candidate.visits is None:
            entry["reasoning"] = assessment(
                candidate.value, candidate.distance, proven=candidate.proven
            )
            entry["is_best"] = _rank(candidate) == _rank(best)
        else:
            entry["reasoning"] = exploration(candidate.visits, candidate.value)
            entry["is_best"] = candidate is best
            entry["visits"], entry["uct_score"] = candidate.visits, candidate.uct
        found[str(candidate.move)] = entry
    return found


def _rank(candidate: Candidate) -> tuple[float, bool, int | None]:
    return candidate.value, candidate.proven, candidate.distance


def tree_answer(view: TreeView) -> Json:
    """A search tree as nested objects; values are those of the player who made the move."""
    return {
        "move": view.move,
        "name": view.name,
        "visits": view.visits,
        "value": view.value,
        "outcome": view.outcome,
        "exploitation": view.exploitation,
        "exploration": view.exploration,
        "prior": view.prior,
        "children": [tree_answer(child) for child in view.children],
    }
