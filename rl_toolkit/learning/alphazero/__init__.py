"""Playing with a network: features, inference, PUCT search, the engine."""

from rl_toolkit.learning.alphazero.engine import AlphaZeroEngine

__all__ = ["AlphaZeroEngine"]
