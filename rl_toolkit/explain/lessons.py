"""`lesson_of`: what kind of mistake a move was, in words that can be counted over many games."""

from __future__ import annotations

from collections.abc import Iterable

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.facts import AllowsWin, BoardView, EndsGame, Fact, MissesWin, Threatens
from rl_toolkit.explain.games import explainer_of

#: Moves that are looked at for a double threat; on larger boards there are too many.
_MOST_MOVES = 64


def lesson_of(env: BaseGameEnv, move: int) -> str | None:
    """What to learn from ``move``, a mistake in the position of ``env``; ``None`` if it is unclear.

    >>> from rl_toolkit.records import position_from_text
    >>> lesson_of(position_from_text("tictactoe", "xx1/oo1/3 x"), 8)
    'Missed a win in one move'
    """
    view = BoardView(env)
    facts = view.facts_of(move)
    for fact in facts:
        if isinstance(fact, MissesWin):
            return "Missed a win in one move"
        if isinstance(fact, AllowsWin):
            return "Let the other side win at once"
    own = explainer_of(env).lessons
    for fact in facts:
        if type(fact) in own:
            return own[type(fact)]
    if not any(isinstance(fact, EndsGame) for fact in facts) and _allows_fork(env, move):
        return "Let a double threat happen"
    if not _is_fork(facts) and _has_fork(env, view, safe=True):
        return "Missed a double threat"
    return None


def _is_fork(facts: Iterable[Fact]) -> bool:
    """Whether a move with these ``facts`` threatens two wins at once."""
    return any(
        isinstance(fact, Threatens) and len({win.place for win in fact.wins}) > 1 for fact in facts
    )


def _has_fork(env: BaseGameEnv, view: BoardView, *, safe: bool = False) -> bool:
    """Whether a move threatens two wins at once; a ``safe`` one does not let the other side win."""
    moves = env.get_legal_moves()
    if len(moves) > _MOST_MOVES:
        return False
    return any(
        _is_fork(facts) and not (safe and any(isinstance(fact, AllowsWin) for fact in facts))
        for facts in map(view.facts_of, moves)
    )


def _allows_fork(env: BaseGameEnv, move: int) -> bool:
    """Whether a reply threatens two wins at once."""
    after = env.copy()
    after.step(move)
    return after.current_player != env.current_player and _has_fork(after, BoardView(after))
