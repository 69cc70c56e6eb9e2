"""Inference with a trained network: planes in, move probabilities and an expected result out.

Two backends compute the same: NumPy, which is always available, and onnxruntime, which is several
times faster if it is installed (the extra ``onnx``). Both use one core and evaluate many positions
at once, which costs little more than a few.
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
from rl_toolkit.utils import install_command

Backend = Literal["auto", "onnx", "numpy"]
BACKENDS: tuple[Backend, ...] = ("auto", "onnx", "numpy")

#: Priors and values are multiples of this, so that their sums are exact in floats and in fixed
#: point, and searches that add them up in a different order still agree.
GRAIN = 2.0**-24


class Logits(NamedTuple):
    """The outputs of a network: (positions, moves), and (positions, 3) for win, draw and loss."""

    policy: Tensor
    results: Tensor


class Network(Protocol):
    """A function from planes to logits."""

    @property
    def backend(self) -> str:
        """The library that computes it: ``onnx`` or ``numpy``."""

    def __call__(self, planes: Planes) -> Logits:
        """The logits of every position."""


class Evaluation(NamedTuple):
    """The evaluation of positions, in multiples of `GRAIN`.

    Attributes:
        priors: for each position, the probability of each move; 0 if it is not allowed.
        results: for each position, the probabilities of win, draw and loss for the side to move.
    """

    priors: npt.NDArray[np.float64]
    results: npt.NDArray[np.float64]

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The expected result of each position for its side to move."""
        return _rounded(self.results[:, 0] - self.results[:, 2])


def evaluate(network: Network, planes: Planes, allowed: npt.NDArray[np.bool_]) -> Evaluation:
    """Evaluate positions with ``network``, considering only the ``allowed`` moves."""
    logits = network(planes)
    policy = np.where(allowed, logits.policy.astype(np.float64), -np.inf)
    return Evaluation(_rounded(_softmax(policy)), _softmax(logits.results.astype(np.float64)))


def _softmax(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The softmax of each row."""
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _rounded(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.rint(numbers / GRAIN) * GRAIN


# -------------------------------------------------------------------------- backends


def make_network(weights: NetworkWeights, backend: Backend = "auto") -> Network:
    """The network on a backend; ``auto`` uses onnxruntime if it is installed.

    `ValueError` if onnxruntime is requested but not installed.
    """
    if backend not in BACKENDS:
        raise ValueError(f"backend must be one of {', '.join(BACKENDS)}, not {backend!r}")
    if backend == "numpy" or (backend == "auto" and not has_onnxruntime()):
        return NumpyNetwork(weights)
    if not has_onnxruntime():
        raise ValueError(f"onnxruntime is not installed; install it with {install_command('onnx')}")
    return OnnxNetwork(weights)


@cache
def has_onnxruntime() -> bool:
    """Whether onnxruntime is installed."""
    return importlib.util.find_spec("onnxruntime") is not None


class NumpyNetwork:
    """The network in NumPy: a 3×3 convolution is the sum of nine matrix products.

    Each of the nine covers one neighbour of every cell (or the cell itself): the board, shifted by
    at most one row and column within a frame of zeros, times the weights for that neighbour. NumPy
    multiplies one board row at a time; these products are so small that BLAS never uses further
    cores, which would mostly wait for each other.
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
        options.log_severity_level = 3  # errors only: its warnings concern nothing we can change
        model = onnx_model(weights)
        self._session: Any = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, planes: Planes) -> Logits:
        """The logits of every position."""
        channels_first = np.ascontiguousarray(planes.transpose(0, 3, 1, 2))
        return Logits(*self._session.run([POLICY, VALUE], {INPUT: channels_first}))
