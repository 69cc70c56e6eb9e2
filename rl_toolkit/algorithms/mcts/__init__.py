"""Monte Carlo tree search (UCT), in Python and compiled."""

from rl_toolkit.algorithms.mcts.solver import MCTSSolver
from rl_toolkit.algorithms.mcts.tree import MCTSNode

__all__ = ["MCTSNode", "MCTSSolver"]
