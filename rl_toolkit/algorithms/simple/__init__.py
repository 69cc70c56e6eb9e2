"""Three simple engines: the first move, a random one, and one that looks a single move ahead.

They are opponents for a first game, baselines for better engines, and the shortest examples of an
engine.
"""

from rl_toolkit.algorithms.simple.baselines import FirstMoveEngine, RandomEngine
from rl_toolkit.algorithms.simple.greedy import GreedyEngine

__all__ = ["FirstMoveEngine", "GreedyEngine", "RandomEngine"]
