"""Words that several threads read and write, for use inside kernels.

An ordinary read may be done twice, or once and kept in a register for ever: the compiler assumes
that no other thread writes. These instructions read or write the memory exactly once and in one
piece. On x86-64 `load` and `store` are plain moves, so they cost nothing.

A table entry of several words can still be torn: half from one writer, half from another. Tables
therefore store the key xor the rest of the entry. If the words of an entry do not belong together,
the key that comes out is not the one looked for, and the entry counts as missing.
"""

from __future__ import annotations

from typing import Any

from rl_toolkit.kernels.jit import i64, instruction, ir, numbers, u64, words

_BYTES = 8


def _load(place: Any, word: Any) -> Any:
    @instruction(word(place, i64))
    def load(build: Any, start: Any, index: Any) -> Any:
        """The word number ``index``, read once."""
        return build.load_atomic(build.gep(start, [index]), "monotonic", _BYTES)

    return load


def _store(place: Any, word: Any) -> Any:
    @instruction(i64(place, i64, word))
    def store(build: Any, start: Any, index: Any, new: Any) -> Any:
        """Write the word number ``index`` in one piece; returns 0."""
        build.store_atomic(new, build.gep(start, [index]), "monotonic", _BYTES)
        return ir.Constant(ir.IntType(64), 0)

    return store


load, store = _load(words, u64), _store(words, u64)
load_number, store_number = _load(numbers, i64), _store(numbers, i64)
