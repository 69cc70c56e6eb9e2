"""Connect Four solved slowly and obviously: the yardstick for the fast solver.

Plain negamax with a dictionary. Nothing is bounded, ordered or proven, so there is nothing in it to
get wrong, and small boards or the last stones of large ones are all it can do.
"""

from __future__ import annotations

from rl_toolkit.envs import ConnectFour


def reference_score(env: ConnectFour) -> int:
    """The exact score of the position for the side to move, or of a finished game.

    0 is a draw. Whoever wins with the very last stone of theirs scores 1, and 1 more for every own
    stone left over; the loser's score is the same with a minus sign.
    """
    return _score(env.copy(), {})


def reference_scores(env: ConnectFour) -> dict[int, int]:
    """The exact score of every legal move, for the side to move."""
    game, known = env.copy(), dict[object, int]()
    scores = {}
    for move in env.get_legal_moves():
        scores[move] = _move_score(game, move, known)
    return scores


def _score(game: ConnectFour, known: dict[object, int]) -> int:
    if game.is_terminal():
        return _stones_to_spare(game) if game.winner else 0
    key = game.get_state_hash()
    if key not in known:
        known[key] = max(_move_score(game, move, known) for move in game.get_legal_moves())
    return known[key]


def _move_score(game: ConnectFour, move: int, known: dict[object, int]) -> int:
    game.step(move)
    score = _score(game, known)
    if not game.is_terminal():  # else it is already the mover's: who ends a game stays to move
        score = -score
    game.undo()
    return score


def _stones_to_spare(game: ConnectFour) -> int:
    """What the winner has scored: half the cells left empty, and 1 for winning at all."""
    empty = game.rows * game.cols - int((game.board != 0).sum())
    return 1 + empty // 2
