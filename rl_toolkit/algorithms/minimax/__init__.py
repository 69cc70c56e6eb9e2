"""Minimax with alpha-beta pruning and a transposition table, in Python and compiled."""

from rl_toolkit.algorithms.minimax.solver import MinimaxSolver

__all__ = ["MinimaxSolver"]
