"""The network: a residual tower with a policy head and a value head.

One definition (`_forward`) serves two purposes. In training every convolution is followed by batch
normalisation with the statistics of the batch; for play and export these are folded into the
weights and a bias, so that the file of `learning.alphazero.weights` holds plain convolutions::

    planes ─ stem ─ block0 … blockN ─┬─ policy.conv ─ policy.dense ─► logits of the moves
                                     └─ value.conv ─ value.hidden ─ value.out ─► win, draw, loss

Layers are kept in dictionaries under the names of that file.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import DTypeLike

from rl_toolkit.learning.training.games.base import INPUT_PLANES, BatchGame
from rl_toolkit.learning.training.settings import Settings

#: Layer → tensors by short name.
Layers = dict[str, dict[str, Array]]

_NORM_EPSILON = 1e-5


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """The size of a network, and its board and moves."""

    rows: int
    cols: int
    planes: int
    moves: int
    channels: int
    blocks: int
    policy_channels: int = 16
    value_channels: int = 8
    hidden: int = 128

    def convolutions(self) -> dict[str, tuple[int, int, int]]:
        """Layer → kernel size, input channels, output channels."""
        width = self.channels
        tower = {f"block{i}.{half}": (3, width, width) for i in range(self.blocks) for half in "ab"}
        return {
            "stem": (3, self.planes, width),
            **tower,
            "policy.conv": (1, width, self.policy_channels),
            "value.conv": (1, width, self.value_channels),
        }

    def dense(self) -> dict[str, tuple[int, int]]:
        """Layer → inputs, outputs."""
        cells = self.rows * self.cols
        return {
            "policy.dense": (cells * self.policy_channels, self.moves),
            "value.hidden": (cells * self.value_channels, self.hidden),
            "value.out": (self.hidden, 3),
        }


def shape_for(game: BatchGame, settings: Settings) -> NetworkShape:
    """The shape of the network of a run."""
    return NetworkShape(
        rows=game.rows,
        cols=game.cols,
        planes=INPUT_PLANES,
        moves=game.moves,
        channels=settings.channels,
        blocks=settings.blocks,
        policy_channels=settings.policy_channels,
        value_channels=settings.value_channels,
        hidden=settings.hidden,
    )


class Learned(NamedTuple):
    """A network in training: its parameters and running normalisation statistics."""

    params: Layers
    statistics: Layers


class Output(NamedTuple):
    """Logits ``[B, moves]`` and ``[B, 3]`` (win, draw, loss for the side to move), in float32."""

    policy: Array
    wdl: Array


def new_network(seed: int, shape: NetworkShape) -> Learned:
    """A random network: a nearly uniform policy and nearly equal win, draw and loss."""
    params: Layers = {}
    statistics: Layers = {}
    chance = np.random.default_rng(seed)  # JAX would compile a program for every shape of layer

    def drawn(spread: float, *sizes: int) -> Array:
        return jnp.asarray(spread * chance.standard_normal(sizes), jnp.float32)

    for name, (side, inputs, outputs) in shape.convolutions().items():
        spread = math.sqrt(2 / (side * side * inputs))
        # Blocks begin near the identity: the second half of each adds only a little.
        scale = 0.2 if name.endswith(".b") else 1.0
        params[name] = {
            "w": drawn(spread, side, side, inputs, outputs),
            "scale": jnp.full(outputs, scale),
            "shift": jnp.zeros(outputs),
        }
        statistics[name] = {"mean": jnp.zeros(outputs), "var": jnp.ones(outputs)}
    for name, (inputs, outputs) in shape.dense().items():
        spread = math.sqrt(2 / inputs) * (1.0 if name == "value.hidden" else 0.1)
        params[name] = {
            "w": drawn(spread, inputs, outputs),
            "b": jnp.zeros(outputs),
        }
    return Learned(params, statistics)


def apply_training(params: Layers, inputs: Array) -> tuple[Output, Layers]:
    """The outputs for a batch, and the batch statistics used to normalise it.

    Convolutions are computed in the precision of ``inputs``.
    """
    statistics: Layers = {}

    def convolve(name: str, x: Array) -> Array:
        layer = params[name]
        y = _convolution(x, layer["w"].astype(x.dtype)).astype(jnp.float32)
        mean = y.mean((0, 1, 2))
        variance = jnp.maximum((y * y).mean((0, 1, 2)) - mean * mean, 0.0)
        statistics[name] = {"mean": mean, "var": variance}
        return (y - mean) * (jax.lax.rsqrt(variance + _NORM_EPSILON) * layer["scale"]) + layer[
            "shift"
        ]

    return _forward(inputs, _blocks(params), convolve, params), statistics


def fold(network: Learned, dtype: DTypeLike = jnp.float32) -> Layers:
    """The network folded for play: every layer has a weight ``w`` and a bias ``b``."""
    folded: Layers = {}
    for name, layer in network.params.items():
        if name in network.statistics:
            seen = network.statistics[name]
            factor = layer["scale"] / jnp.sqrt(seen["var"] + _NORM_EPSILON)
            weight, bias = layer["w"] * factor, layer["shift"] - seen["mean"] * factor
        else:
            weight, bias = layer["w"], layer["b"]
        folded[name] = {"w": weight.astype(dtype), "b": bias.astype(dtype)}
    return folded


def apply_folded(folded: Layers, inputs: Array) -> Output:
    """The outputs of a folded network, computed in its precision."""

    def convolve(name: str, x: Array) -> Array:
        return _convolution(x, folded[name]["w"]) + folded[name]["b"]

    return _forward(inputs, _blocks(folded), convolve, folded)


def _forward(
    inputs: Array, blocks: int, convolve: Callable[[str, Array], Array], layers: Layers
) -> Output:
    """The forward pass; ``convolve`` computes a convolution with its normalisation."""

    def active(y: Array) -> Array:
        return jax.nn.relu(y).astype(inputs.dtype)

    def dense(name: str, x: Array) -> Array:
        weight = layers[name]["w"].astype(x.dtype)
        product = jnp.dot(x, weight, preferred_element_type=jnp.float32)
        return product + layers[name]["b"].astype(jnp.float32)

    x = active(convolve("stem", inputs))
    for i in range(blocks):
        x = active(convolve(f"block{i}.b", active(convolve(f"block{i}.a", x))) + x)
    boards = x.shape[0]
    policy = active(convolve("policy.conv", x)).reshape(boards, -1)
    value = active(convolve("value.conv", x)).reshape(boards, -1)
    return Output(
        policy=dense("policy.dense", policy),
        wdl=dense("value.out", active(dense("value.hidden", value))),
    )


def _convolution(x: Array, weight: Array) -> Array:
    return jax.lax.conv_general_dilated(
        x, weight, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def _blocks(layers: Layers) -> int:
    return sum(name.startswith("block") for name in layers) // 2
