"""How well the built-in engines know a position, and which of them play a game perfectly.

What is solved soon enough was measured; docs/players.md has the figures.
"""

from __future__ import annotations

from rl_toolkit.algorithms.exact import solver_of
from rl_toolkit.envs import BaseGameEnv, Reversi, for_game
from rl_toolkit.kernels.spec import LineSpec
from rl_toolkit.players.registry import Knowledge

#: Games in which the shipped network has beaten every other engine of the ladder.
_STRONG_NETWORKS = ("connect-four", "gomoku-9")


# --------------------------------------------------------------------------- minimax


def minimax_knows(env: BaseGameEnv) -> Knowledge:
    """It plays every game, and proves every move on small boards."""
    return Knowledge.PLAYS if perfect_minimax(env) is None else Knowledge.EXACT


def perfect_minimax(env: BaseGameEnv) -> str | None:
    """A search to the end of the game, where that takes a few seconds at most.

    Measured for rows of pieces on every shape of board. On one or two rows a board with gravity has
    so many columns that it takes longer.
    """
    spec, cells = env.kernel_spec(), env.rows * env.cols
    if not isinstance(spec, LineSpec):
        return None
    most = 20 if spec.gravity and spec.rows > 2 else 16
    return f"minimax:depth={2 * cells}" if cells <= most else None


# ----------------------------------------------------------------------------- exact


def exact_knows(env: BaseGameEnv) -> Knowledge:
    """It plays the games that have a solver; how soon that proves every move, the solver says."""
    solver = solver_of(env)
    if solver is None:
        return Knowledge.NONE
    return Knowledge.EXACT if solver.soon(env) else Knowledge.PLAYS


def perfect_exact(env: BaseGameEnv) -> str | None:
    """The solver, for every move of every position or for the best one alone."""
    solver = solver_of(env)
    if solver is None:
        return None
    if solver.soon(env):
        return "exact"
    return "exact:every=off" if solver.best_only(env) else None


# ------------------------------------------------------------------- learned engines


def reversi_knows(env: BaseGameEnv) -> Knowledge:
    """The engine with learned weights for Reversi."""
    return for_game({Reversi: Knowledge.STRONG}, env) or Knowledge.NONE


def alphazero_knows(env: BaseGameEnv) -> Knowledge:
    """It plays the games for which a trained network comes with the package."""
    from rl_toolkit.learning.alphazero.weights import shipped_games

    if env.name not in shipped_games():
        return Knowledge.NONE
    return Knowledge.STRONG if env.name in _STRONG_NETWORKS else Knowledge.PLAYS
