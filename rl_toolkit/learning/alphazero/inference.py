"""Asking a trained network: planes in, probabilities of moves and an expected result out.

Two evaluators compute the same: one with NumPy, which is always there, and one with onnxruntime,
which is several times faster where it is installed (``rl_toolkit[onnx]``). Both use one core, and
answer for many positions at once, which costs little more than for a few.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from rl_toolkit.learning.alphazero.features import Planes
from rl_toolkit.learning.alphazero.onnx_model import INPUT, POLICY, VALUE, onnx_model
from rl_toolkit.learning.alphazero.weights import NetworkWeights, Tensor

Backend = Literal["auto", "onnx", "numpy"]
BACKENDS: tuple[Backend, ...] = ("auto", "onnx", "numpy")

#: Priors and values are multiples of this. Sums of them are then exact, in floats and in fixed
#: point alike, and searches that add them up in another order still agree.
GRAIN = 2.0**-24


class Logits(NamedTuple):
    """What a network says: (positions, moves), and (positions, 3) for win, draw and loss."""

    policy: Tensor
    results: Tensor


class Network(Protocol):
    """Whoever turns planes into logits."""

    @property
    def backend(self) -> str:
        """What computes: ``onnx`` or ``numpy``."""

    def __call__(self, planes: Planes) -> Logits:
        """The logits of every position."""


class Evaluation(NamedTuple):
    """What a network makes of positions, in multiples of `GRAIN`.

    Attributes:
        priors: for each position, how likely each move is the one to play; 0 where not allowed.
        results: for each position, how likely a win, a draw and a loss of the side to move are.
    """

    priors: npt.NDArray[np.float64]
    results: npt.NDArray[np.float64]

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """Expected results for the sides to move."""
        return _rounded(self.results[:, 0] - self.results[:, 2])


def evaluate(network: Network, planes: Planes, allowed: npt.NDArray[np.bool_]) -> Evaluation:
    """Ask ``network`` about positions of which only the ``allowed`` moves are considered."""
    logits = network(planes)
    policy = np.where(allowed, logits.policy.astype(np.float64), -np.inf)
    return Evaluation(_rounded(_softmax(policy)), _softmax(logits.results.astype(np.float64)))


def _softmax(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Shares that add up to 1, row by row."""
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _rounded(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.rint(numbers / GRAIN) * GRAIN


# ------------------------------------------------------------------------ evaluators


def make_network(weights: NetworkWeights, backend: Backend = "auto") -> Network:
    """The evaluator of that backend; ``auto`` takes onnxruntime where it is installed.

    ``ValueError`` with a sentence where onnxruntime is asked for and missing.
    """
    if backend not in BACKENDS:
        raise ValueError(f"backend is one of {', '.join(BACKENDS)}, not {backend!r}")
    if backend == "numpy" or (backend == "auto" and not has_onnxruntime()):
        return NumpyNetwork(weights)
    if not has_onnxruntime():
        raise ValueError("onnxruntime is not installed: pip install 'rl_toolkit[onnx]'")
    return OnnxNetwork(weights)


@cache
def has_onnxruntime() -> bool:
    """Whether onnxruntime can be used."""
    return importlib.util.find_spec("onnxruntime") is not None


class NumpyNetwork:
    """The network in NumPy: a 3×3 convolution is the sum of nine products of matrices.

    Each of the nine looks at one neighbour of every cell, itself included: the board, moved by a
    row and a column at most over a frame of zeros, times the weights for that neighbour. NumPy
    multiplies row of the board by row of the board, pieces so small that BLAS never calls for more
    cores, which would wait for each other most of the time.
    """

    backend = "numpy"

    def __init__(self, weights: NetworkWeights) -> None:
        self._blocks, self._tensors = weights.blocks, weights.tensors

    def __call__(self, planes: Planes) -> Logits:
        """The logits of every position."""
        x = _relu(self._convolution("stem", planes))
        for block in range(self._blocks):
            inner = _relu(self._convolution(f"block{block}.a", x))
            inner = self._convolution(f"block{block}.b", inner)
            x = _relu(np.add(inner, x, out=inner))
        flat = len(planes), -1
        policy = _relu(self._convolution("policy.conv", x)).reshape(flat)
        value = _relu(self._convolution("value.conv", x)).reshape(flat)
        hidden = _relu(self._dense("value.hidden", value))
        return Logits(self._dense("policy.dense", policy), self._dense("value.out", hidden))

    def _dense(self, layer: str, x: Tensor) -> Tensor:
        out: Tensor = x @ self._tensors[f"{layer}.w"]
        out += self._tensors[f"{layer}.b"]
        return out

    def _convolution(self, layer: str, x: Tensor) -> Tensor:
        weights = self._tensors[f"{layer}.w"]
        (positions, rows, cols, channels), size = x.shape, len(weights)
        frame = size // 2
        framed = np.zeros((positions, rows + 2 * frame, cols + 2 * frame, channels), np.float32)
        framed[:, frame : frame + rows, frame : frame + cols] = x
        out = np.empty((positions, rows, cols, weights.shape[-1]), np.float32)
        out[:] = self._tensors[f"{layer}.b"]
        for row in range(size):
            for col in range(size):
                out += framed[:, row : row + rows, col : col + cols] @ weights[row, col]
        return out


def _relu(x: Tensor) -> Tensor:
    return np.maximum(x, 0, out=x)


class OnnxNetwork:
    """The network in onnxruntime, on one core."""

    backend = "onnx"

    def __init__(self, weights: NetworkWeights) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors only: what it warns of is nothing one can change
        model = onnx_model(weights)
        self._session: Any = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, planes: Planes) -> Logits:
        """The logits of every position."""
        channels_first = np.ascontiguousarray(planes.transpose(0, 3, 1, 2))
        return Logits(*self._session.run([POLICY, VALUE], {INPUT: channels_first}))
