"""Playing with a network: features, inference, PUCT search, the engine.

The engine is imported when it is first used: which networks are shipped, `weights` knows alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.learning.alphazero.engine import AlphaZeroEngine
    from rl_toolkit.learning.alphazero.features import Planes, planes_of
    from rl_toolkit.learning.alphazero.generations import Generations, shipped_generations
    from rl_toolkit.learning.alphazero.inference import evaluate, make_network
    from rl_toolkit.learning.alphazero.weights import (
        load_weights,
        shipped_games,
        shipped_weights,
        where_to_get_networks,
    )

__all__ = [
    "AlphaZeroEngine",  # Plays every game that has a trained network
    "Generations",  # What a network said of every position, generation by generation
    "Planes",  # The planes of positions, as networks read them
    "evaluate",  # Evaluate positions with ``network``, considering only the ``allowed`` moves
    "load_weights",  # Load a network from a file; `WeightsError` says why it cannot be used
    "make_network",  # The network on a backend; ``auto`` uses onnxruntime if it is installed
    "planes_of",  # The planes of positions of one game
    "shipped_games",  # The names of the games whose networks come with the package
    # The record of a run that comes with the package; `FileNotFoundError` if there is none
    "shipped_generations",
    # The network for ``game`` that comes with the package; `WeightsError` if there is none
    "shipped_weights",
    "where_to_get_networks",  # Part of a sentence
]
__getattr__, __dir__ = front_door(__name__)
