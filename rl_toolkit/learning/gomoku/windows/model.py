"""The window network in JAX: as the kernels compute it, but with real numbers that can be learned.

`kernels.gomoku.windows` defines the network in integers. Here each integer is a real number times a
power of two or a unit, and rows and weights are rounded as they will be (*quantisation-aware*: the
gradient passes through the rounding), so that what is learned is what will be played::

    rows × 32      w1 × 2^14        b1 × 2^19
                   w2 × 150 · 8     b2 × 150 · 2^12      150 points are one unit of log-odds

A window without stones has the row 0, so that an empty board of any size has the points of the
biases alone.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from rl_toolkit.kernels.gomoku.geometry import DIRECTIONS
from rl_toolkit.kernels.gomoku.windows import (
    CHANNELS,
    HIDDEN,
    WindowNetwork,
    canonical,
    row_of_key,
)
from rl_toolkit.learning.gomoku.examples import FADE
from rl_toolkit.learning.gomoku.fitting import RANK_UNIT, VALUE_UNIT
from rl_toolkit.learning.gomoku.windows.positions import NOT_NEAR

Params = dict[str, jax.Array]
Batch = dict[str, jax.Array]

_ROW, _MOST_ROW, _MOST_SUM = 32.0, 127.0, 127.0
_FIRST, _SECOND = 2.0**14, VALUE_UNIT * 8
_FIRST_BIAS, _SECOND_BIAS = 2.0**19, VALUE_UNIT * 2**12
_MOST_SHORT, _MOST_HIDDEN = 32767.0, 4095 / 512
_POLICY_SHARE = 0.3
_REACH = (-4, -3, -2, -1, 1, 2, 3, 4)
#: Copies of the most frequent row, the empty window: threads that add to one place wait in line.
_COPIES = 512


def _has_stones() -> npt.NDArray[np.float32]:
    """1 for each window with a stone, 0 for the others, as a column."""
    cells = (canonical()[:, None] >> (2 * np.arange(8))) & 3
    return np.asarray(np.isin(cells, (1, 2)).any(axis=1, keepdims=True), np.float32)


def first_params(seed: int) -> Params:
    """Small random numbers; the points and ranks of such a network are 0."""
    chance = np.random.default_rng(seed)
    rows = chance.normal(-0.02, 0.1, (len(canonical()), CHANNELS))
    rows[:, -1] = 0
    return {
        "rows": jnp.asarray(rows, jnp.float32),
        "w1": jnp.asarray(chance.normal(0, 0.02, (HIDDEN, 2 * CHANNELS)), jnp.float32),
        "b1": jnp.full(HIDDEN, 0.5),
        "w2": jnp.zeros(HIDDEN),
        "b2": jnp.zeros(()),
    }


def within_bounds(params: Params) -> Params:
    """``params`` clipped to what the integers of a network can be."""
    most = {
        "rows": _MOST_ROW / _ROW,
        "w1": _MOST_SHORT / _FIRST,
        "w2": _MOST_SHORT / _SECOND,
    }
    clipped = {name: jnp.clip(params[name], -edge, edge) for name, edge in most.items()}
    return params | clipped


def network_of(params: Params, base: int) -> WindowNetwork:
    """The network in integers; ``base`` is the checksum of the evaluation that it corrects."""
    real = {name: np.asarray(array, np.float64) for name, array in within_bounds(params).items()}
    return WindowNetwork(
        rows=np.rint(real["rows"] * _has_stones() * _ROW).astype(np.int8),
        w1=np.rint(real["w1"] * _FIRST).astype(np.int16),
        b1=np.rint(real["b1"] * _FIRST_BIAS).astype(np.int32),
        w2=np.rint(real["w2"] * _SECOND).astype(np.int16),
        b2=int(np.rint(real["b2"] * _SECOND_BIAS)),
        rank_scale=round(RANK_UNIT),
        base=base,
    )


def _rounded(numbers: jax.Array, unit: float) -> jax.Array:
    """``numbers`` as whole multiples of 1/unit, with the gradient of ``numbers``."""
    whole = jnp.round(numbers * unit) / unit
    return numbers + jax.lax.stop_gradient(whole - numbers)


def _keys(boards: jax.Array, size: int) -> jax.Array:
    """The key of every window in the view of the side to move, by position, direction and cell."""
    grid = boards.reshape(-1, size, size).astype(jnp.int32)
    wide = jnp.pad(grid, ((0, 0), (4, 4), (4, 4)), constant_values=3)
    found = []
    for down, right in DIRECTIONS:
        key = jnp.zeros_like(grid)
        for place, away in enumerate(_REACH):
            row, col = 4 + away * down, 4 + away * right
            key |= wide[:, row : row + size, col : col + size] << 2 * place
        found.append(key.reshape(len(boards), -1))
    return jnp.stack(found, axis=1)


def apply(params: Params, boards: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The log-odds that the network adds, and what it adds to the log-odds of each move."""
    size = round(boards.shape[1] ** 0.5)
    rows = _rounded(params["rows"] * _has_stones(), _ROW)
    rows = jnp.concatenate([rows, jnp.repeat(rows[:1], _COPIES, axis=0)])
    copy = len(canonical()) + jnp.arange(len(boards), dtype=jnp.int32) % _COPIES
    own = _keys(boards, size)
    sums, cells = [], []
    for keys in (own, (own & 0x5555) << 1 | (own >> 1) & 0x5555):
        at = jnp.where(keys == 0, copy[:, None, None], jnp.asarray(row_of_key())[keys])
        x = jnp.take(rows, at, axis=0).sum(axis=1)
        cells.append(x)
        shown = jnp.where((boards == 0)[..., None], jnp.clip(x, 0, _MOST_SUM / _ROW), 0)
        sums.append(shown.sum(axis=1))
    inner = jnp.concatenate(sums, axis=1) @ _rounded(params["w1"], _FIRST).T + params["b1"]
    hidden = jnp.clip(inner, 0, _MOST_HIDDEN)
    return hidden @ _rounded(params["w2"], _SECOND) + params["b2"], cells[0][..., -1]


def loss(params: Params, batch: Batch, share: float) -> tuple[jax.Array, dict[str, jax.Array]]:
    """What training makes small, and how well results and moves are predicted.

    The chance of a win is compared with the result of the game, which counts ``share``, and with
    what the search said.
    """
    added, ranks = apply(params, batch["boards"])
    odds = batch["values"] / VALUE_UNIT + added
    result = (1 + batch["results"].astype(jnp.float32)) / 2
    said = jax.nn.sigmoid(batch["scores"] / VALUE_UNIT)
    weight = FADE ** batch["left"].astype(jnp.float32)
    weight /= weight.sum()

    def wrong(target: jax.Array) -> jax.Array:
        return jnp.sum(weight * optax.sigmoid_binary_cross_entropy(odds, target))

    near = batch["ranks"] > NOT_NEAR
    chances = jnp.where(near, batch["ranks"] / RANK_UNIT + ranks, -1e9)
    at = jnp.maximum(batch["chosen"], 0).astype(jnp.int32)[:, None]
    chosen = jnp.take_along_axis(chances, at, axis=1)
    counts = (batch["chosen"] >= 0) & jnp.take_along_axis(near, at, axis=1)[:, 0]
    total = jnp.maximum(counts.sum(), 1)
    missed = jnp.where(counts, jax.nn.logsumexp(chances, axis=1) - chosen[:, 0], 0).sum() / total
    better = (chances > chosen).sum(axis=1)
    right = jnp.where(result == 0.5, 0.5, (odds > 0) == (result > 0.5))
    told = {
        "loss": wrong(result),
        "right": (weight * right).sum(),
        "first": (counts & (better == 0)).sum() / total,
        "five": (counts & (better < 5)).sum() / total,
    }
    return wrong(share * result + (1 - share) * said) + _POLICY_SHARE * missed, told
