"""`lesson_of`: what kind of mistake a move was, in words that can be counted over many games."""

from __future__ import annotations

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.facts import AllowsWin, BoardView, EndsGame, MissesWin, Threatens
from rl_toolkit.explain.games import explainer_of

#: Replies that are looked at for a double threat; on larger boards there are too many.
_MOST_REPLIES = 64


def lesson_of(env: BaseGameEnv, move: int) -> str | None:
    """What to learn from ``move``, a mistake in the position of ``env``; ``None`` if it is unclear.

    >>> from rl_toolkit.records import position_from_text
    >>> lesson_of(position_from_text("tictactoe", "xx1/oo1/3 x"), 8)
    'Missed a win in one move'
    """
    facts = BoardView(env).facts_of(move)
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
    return None


def _allows_fork(env: BaseGameEnv, move: int) -> bool:
    """Whether a reply threatens two wins at once."""
    after = env.copy()
    after.step(move)
    replies = after.get_legal_moves()
    if len(replies) > _MOST_REPLIES or after.current_player == env.current_player:
        return False
    view = BoardView(after)
    return any(
        isinstance(fact, Threatens) and len({win.place for win in fact.wins}) > 1
        for reply in replies
        for fact in view.facts_of(reply)
    )
