"""Small networks made on the spot, for tests that need one and no training."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.envs import BaseGameEnv

Tensors = dict[str, npt.NDArray[Any]]


def random_tensors(
    env: BaseGameEnv, channels: int = 8, blocks: int = 2, seed: int = 0, spread: float = 1.0
) -> Tensors:
    """A network for ``env``'s game whose every weight is drawn by lot."""
    rng = np.random.default_rng(seed)
    cells, policy, value, hidden = env.rows * env.cols, 4, 2, 16
    shapes: dict[str, tuple[int, ...]] = {
        "stem": (3, 3, 3, channels),
        "policy.conv": (1, 1, channels, policy),
        "policy.dense": (cells * policy, env.num_moves),
        "value.conv": (1, 1, channels, value),
        "value.hidden": (cells * value, hidden),
        "value.out": (hidden, 3),
    }
    for block in range(blocks):
        shapes |= {f"block{block}.{half}": (3, 3, channels, channels) for half in "ab"}
    tensors: Tensors = {}
    for name, shape in shapes.items():
        width = spread / np.sqrt(np.prod(shape[:-1]))
        tensors[f"{name}.w"] = rng.normal(0, width, shape)
        tensors[f"{name}.b"] = rng.normal(0, 0.1, shape[-1:])
    return tensors


def uniform_tensors(env: BaseGameEnv) -> Tensors:
    """A network that likes all moves alike and expects nothing of any position."""
    return {name: np.zeros_like(tensor) for name, tensor in random_tensors(env, 1, 0).items()}
