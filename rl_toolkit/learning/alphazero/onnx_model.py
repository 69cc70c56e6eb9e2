"""Write a network as an ONNX model, byte by byte.

onnxruntime reads models, and the package ``onnx`` writes them; but it is large, and little of it is
needed here. A model consists of nested messages in the wire format of protocol buffers, and a
message is a sequence of fields, each a key (field number and kind) and its content::

    number × 8 + 0   a whole number, seven bits per byte, the last byte below 128
    number × 8 + 2   a length, and that many bytes: text, numbers, or a message

The field numbers are those of ``onnx.proto``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from rl_toolkit.learning.alphazero.weights import NetworkWeights

#: The names of the model's input (positions, planes, rows, cols) and outputs (logits).
INPUT, POLICY, VALUE = "planes", "policy", "value"

_IR_VERSION, _OPSET = 8, 13
_FLOAT = 1  # TensorProto.DataType
_INTS = 7  # AttributeProto.AttributeType


def onnx_model(weights: NetworkWeights) -> bytes:
    """The ONNX model of a network, for any number of positions at once."""
    graph = _Graph(weights)
    x = graph.convolution("stem", INPUT)
    x = graph.node("Relu", [x])
    for block in range(weights.blocks):
        inner = graph.node("Relu", [graph.convolution(f"block{block}.a", x)])
        inner = graph.convolution(f"block{block}.b", inner)
        x = graph.node("Relu", [graph.node("Add", [inner, x])])
    policy = graph.node("Relu", [graph.convolution("policy.conv", x)])
    graph.dense("policy.dense", graph.flat(policy), POLICY)
    value = graph.node("Relu", [graph.convolution("value.conv", x)])
    hidden = graph.dense("value.hidden", graph.flat(value))
    graph.dense("value.out", graph.node("Relu", [hidden]), VALUE)
    return graph.model()


class _Graph:
    """The graph under construction: each method adds a node and returns the name of its output."""

    def __init__(self, weights: NetworkWeights) -> None:
        self._weights = weights
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []

    def node(
        self, kind: str, inputs: Sequence[str], attributes: Iterable[bytes] = (), name: str = ""
    ) -> str:
        """Add an operation and return the name of its output."""
        result = name or f"{kind}_{len(self._nodes)}"
        fields = [_field(1, source) for source in inputs]
        fields += [_field(2, result), _field(4, kind), *(_field(5, a) for a in attributes)]
        self._nodes.append(b"".join(fields))
        return result

    def convolution(self, layer: str, source: str) -> str:
        """A convolution that keeps the board size; ONNX expects (out, in, height, width)."""
        kernel = self._weights.tensors[f"{layer}.w"].transpose(3, 2, 0, 1)
        margin = kernel.shape[-1] // 2
        shape = _ints("kernel_shape", kernel.shape[2:]), _ints("pads", [margin] * 4)
        return self.node("Conv", [source, *self._layer(layer, kernel)], shape)

    def flat(self, source: str) -> str:
        """Flatten a position into one row: by channel, row, column."""
        return self.node("Flatten", [source])

    def dense(self, layer: str, source: str, name: str = "") -> str:
        """A dense layer; after a flattened board its weights are put into ONNX's order."""
        matrix = self._weights.tensors[f"{layer}.w"]
        cells = self._weights.rows * self._weights.cols
        if layer in ("policy.dense", "value.hidden"):
            by_cell = matrix.reshape(cells, -1, matrix.shape[-1])
            matrix = by_cell.transpose(1, 0, 2).reshape(matrix.shape)
        return self.node("Gemm", [source, *self._layer(layer, matrix)], name=name)

    def _layer(self, layer: str, matrix: npt.NDArray[np.float32]) -> tuple[str, str]:
        """Store the weights and biases of a layer and return their names."""
        names = f"{layer}.w", f"{layer}.b"
        tensors = matrix, self._weights.tensors[names[1]]
        for name, tensor in zip(names, tensors, strict=True):
            dims = b"".join(_field(1, side) for side in tensor.shape)
            data = tensor.astype("<f4").tobytes()
            self._tensors.append(dims + _field(2, _FLOAT) + _field(8, name) + _field(9, data))
        return names

    def model(self) -> bytes:
        """The complete model."""
        w = self._weights
        inputs = [(INPUT, (w.planes, w.rows, w.cols))]
        outputs = [(POLICY, (w.moves,)), (VALUE, (3,))]
        graph = [_field(1, node) for node in self._nodes] + [_field(2, "network")]
        graph += [_field(5, tensor) for tensor in self._tensors]
        graph += [_field(11, _described(*entry)) for entry in inputs]
        graph += [_field(12, _described(*entry)) for entry in outputs]
        opset = _field(8, _field(1, "") + _field(2, _OPSET))
        return _field(1, _IR_VERSION) + opset + _field(7, b"".join(graph))


def _described(name: str, shape: tuple[int, ...]) -> bytes:
    """ValueInfoProto: floats of this shape, for any number of positions."""
    sides = [_field(1, _field(2, "positions")), *(_field(1, _field(1, side)) for side in shape)]
    tensor = _field(1, _FLOAT) + _field(2, b"".join(sides))
    return _field(1, name) + _field(2, _field(1, tensor))


def _ints(name: str, values: Iterable[int]) -> bytes:
    """AttributeProto: a list of whole numbers."""
    return _field(1, name) + b"".join(_field(8, value) for value in values) + _field(20, _INTS)


def _field(number: int, content: int | str | bytes) -> bytes:
    """One field of a message."""
    if isinstance(content, int):
        return _varint(number << 3) + _varint(content)
    data = content.encode("utf-8") if isinstance(content, str) else content
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    """A non-negative whole number, seven bits per byte, lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
