"""One game between two engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rl_toolkit.analysis import Analysis, Engine
from rl_toolkit.envs import BaseGameEnv

#: Chooses a move given the analysis of an unfinished game.
Choice = Callable[[Analysis], int]


def play_on(
    env: BaseGameEnv,
    engines: Mapping[int, Engine],
    choose: Choice = lambda analysis: analysis.candidates[0].move,
    on_move: Callable[[int, Analysis], object] | None = None,
) -> None:
    """Play ``env`` to the end; ``engines`` maps each player to its engine.

    ``on_move`` is called with the player and the analysis before each move.
    """
    while not env.is_terminal():
        player = env.current_player
        analysis = engines[player].analyse(env)
        if on_move is not None:
            on_move(player, analysis)
        env.step(choose(analysis))
