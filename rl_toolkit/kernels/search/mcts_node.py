"""One node of a compiled search tree: 32 bytes, half a cache line.

::

    byte  0       8       12           16       20      24      26      28     30      31
          ┌───────┬───────┬────────────┬────────┬───────┬───────┬───────┬──────┬───────┬────────┐
          │ total │ value │ 1 / √visits│ visits │ first │ tried │ moves │ move │ proof │ offset │
          └───────┴───────┴────────────┴────────┴───────┴───────┴───────┴──────┴───────┴────────┘

The children of a node are contiguous from ``first`` on, ``tried`` of them so far out of ``moves``.
There is no pointer to the parent: a search remembers its path.

``total``, ``value`` (total / visits) and ``inverse_sqrt_visits`` are fixed-point numbers, with
`UNIT` as 1.0: selection then needs no division, and is the same on every machine. Total, value and
proof (see `kernels.status`) are from the view of the player who moved into the node.
``move_offset`` is explained in `kernels.rules.nth_move`.

A search guided by a network (`kernels.search.puct`) uses two of these fields differently: the prior
is in ``inverse_sqrt_visits``, and ``move_offset`` says whether the node waits for evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rl_toolkit.kernels.jit import i64, instruction, ir, words

NODE = np.dtype(
    [
        ("total", np.int64),
        ("value", np.int32),
        ("inverse_sqrt_visits", np.int32),
        ("visits", np.int32),
        ("first", np.int32),
        ("tried", np.uint16),
        ("moves", np.uint16),
        ("move", np.uint16),
        ("proof", np.uint8),
        ("move_offset", np.uint8),
    ]
)
_FIELDS = dict(NODE.fields or {})
WORDS = NODE.itemsize // 8
UNIT_BITS = 24
UNIT = 1 << UNIT_BITS
DECIDED = 1 << 30  # the value of a won node, negated for a lost one: beyond all others

_I64, _BYTE = ir.IntType(64), ir.IntType(8)


def _field(build: Any, nodes: Any, node: Any, name: str) -> tuple[Any, Any]:
    """For instructions: the address of a field of a node, and its LLVM type."""
    kind, at = _FIELDS[name][:2]
    number = ir.IntType(8 * kind.itemsize)
    place = build.add(build.mul(node, ir.Constant(_I64, NODE.itemsize)), ir.Constant(_I64, at))
    byte = build.gep(build.bitcast(nodes, _BYTE.as_pointer()), [place])
    return build.bitcast(byte, number.as_pointer()), number


def _reader(name: str) -> Callable[..., Any]:
    """An instruction (nodes, node) → the field."""

    def read(build: Any, nodes: Any, node: Any) -> Any:
        place, number = _field(build, nodes, node, name)
        value = build.load(place)
        if number.width == _I64.width:
            return value
        signed = NODE[name].kind == "i"
        return build.sext(value, _I64) if signed else build.zext(value, _I64)

    return instruction(i64(words, i64))(read)


def _writer(name: str) -> Callable[..., Any]:
    """An instruction (nodes, node, value) that sets the field and returns the value."""

    def write(build: Any, nodes: Any, node: Any, value: Any) -> Any:
        place, number = _field(build, nodes, node, name)
        narrowed = value if number.width == _I64.width else build.trunc(value, number)
        build.store(narrowed, place)
        return value

    return instruction(i64(words, i64, i64))(write)


total_of, set_total = _reader("total"), _writer("total")
value_of, set_value = _reader("value"), _writer("value")
inverse_sqrt_visits_of, set_inverse_sqrt_visits = (
    _reader("inverse_sqrt_visits"),
    _writer("inverse_sqrt_visits"),
)
visits_of, set_visits = _reader("visits"), _writer("visits")
first_of, set_first = _reader("first"), _writer("first")
tried_of, set_tried = _reader("tried"), _writer("tried")
moves_of, set_moves = _reader("moves"), _writer("moves")
move_of, set_move = _reader("move"), _writer("move")
proof_of, set_proof = _reader("proof"), _writer("proof")
move_offset_of, set_move_offset = _reader("move_offset"), _writer("move_offset")
prior_of, set_prior = inverse_sqrt_visits_of, set_inverse_sqrt_visits
waits_of, set_waits = move_offset_of, set_move_offset
