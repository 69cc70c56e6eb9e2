"""`without_heuristic`: the same game for a search that cannot tell positions apart."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from rl_toolkit.envs import BaseGameEnv


def without_heuristic(env: BaseGameEnv) -> BaseGameEnv:
    """A copy of the position in a game of the same rules whose heuristic is 0 everywhere.

    >>> from rl_toolkit.envs import make_game
    >>> env = make_game("connect-four")
    >>> env.step(3)[2], env.evaluate_heuristic(1) > 0, without_heuristic(env).evaluate_heuristic(1)
    (False, True, 0.0)
    """
    blind = env.copy()
    blind.__class__ = _blind(type(env))
    return blind


@cache
def _blind(game: type[BaseGameEnv]) -> type[BaseGameEnv]:
    def evaluate_heuristic(self: BaseGameEnv, player: int) -> float:
        return self.get_result(player) if self.is_terminal() else 0.0

    return type(
        game.__name__,
        (game,),
        {
            "__doc__": game.__doc__,
            "traits": replace(game.traits, has_heuristic=False),
            "evaluate_heuristic": evaluate_heuristic,
        },
    )
