"""What positions at the horizon of a minimax search are worth: by the game, or by your function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import shown

#: What a position is worth to a player, from −1 to 1.
Evaluation = Callable[[BaseGameEnv, int], float]


def heuristic_of_game(env: BaseGameEnv, player: int) -> float:
    """The game's own heuristic, cut to what a value can be."""
    return max(-1.0, min(1.0, env.evaluate_heuristic(player)))


def check_evaluation(evaluate: object) -> None:
    """Raise ``TypeError`` if ``evaluate`` is neither ``None`` nor a function."""
    if evaluate is not None and not callable(evaluate):
        raise TypeError(
            "evaluate must be a function f(env, player) that returns a number from -1 to 1, "
            f"not {shown(evaluate)}"
        )


def checked_evaluation(evaluate: Evaluation | None) -> Evaluation:
    """``evaluate`` with a check of what it returns; the game's heuristic if it is ``None``."""
    if evaluate is None:
        return heuristic_of_game
    name = getattr(evaluate, "__name__", "evaluate")

    def worth(env: BaseGameEnv, player: int) -> float:
        value = evaluate(env, player)
        if not isinstance(value, (int, float, np.number)):
            raise TypeError(f"{name} returned {shown(value)}, not a number from -1 to 1")
        if not -1 <= value <= 1:
            raise ValueError(
                f"{name} returned {shown(value)}, which is not a value from -1 to 1; "
                "divide by the largest number that it can return"
            )
        return float(value)

    return worth
