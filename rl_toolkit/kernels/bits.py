"""Bit instructions on 64-bit words, for use inside kernels.

Everything is ``uint64`` in and out. Mixing such a word with a plain int makes Numba fall back to
``int64`` or ``float64``, which breaks bit 63; so kernels take their constants from here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_toolkit.kernels.jit import cpu, i64, instruction, ir, kernel, u64, words

ZERO = np.uint64(0)
ONE = np.uint64(1)

_WORD = ir.IntType(64)
FOUR_WORDS = ir.VectorType(_WORD, 4)


def declared(builder: Any, name: str, shape: ir.FunctionType) -> Any:
    """The LLVM function ``name`` in the module being built, declared once."""
    known = builder.module.globals.get(name)
    return known if known is not None else ir.Function(builder.module, shape, name)


def splat(build: Any, word: Any) -> Any:
    """For instructions: a vector of four copies of a word."""
    first = build.insert_element(
        ir.Constant(FOUR_WORDS, ir.Undefined), word, ir.Constant(ir.IntType(32), 0)
    )
    places = ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4)
    return build.shuffle_vector(first, ir.Constant(FOUR_WORDS, ir.Undefined), places)


def union(build: Any, vector: Any) -> Any:
    """For instructions: the four words of a vector or-ed together."""
    shape = ir.FunctionType(_WORD, [FOUR_WORDS])
    return build.call(declared(build, "llvm.vector.reduce.or.v4i64", shape), [vector])


@instruction(u64(u64))
def popcount(build: Any, word: Any) -> Any:
    """The number of set bits."""
    return build.ctpop(word)


@instruction(u64(u64))
def lowest_index(build: Any, word: Any) -> Any:
    """Index of the lowest set bit; 64 for an empty word."""
    return build.cttz(word, ir.Constant(ir.IntType(1), 0))


@instruction(i64(u64))
def signed(build: Any, word: Any) -> Any:
    """The same bits as a signed number."""
    return word


@instruction(i64(u64, i64, i64))
def choose(build: Any, condition: Any, one: Any, other: Any) -> Any:
    """``one`` if any bit of the condition is set, else ``other``, without a branch."""
    wanted = build.icmp_unsigned("!=", condition, ir.Constant(_WORD, 0))
    return build.select(wanted, one, other)


@kernel(u64(u64))
def lowest_bit(word: np.uint64) -> np.uint64:
    """The lowest set bit alone; 0 for an empty word."""
    return word & (~word + ONE)


@kernel(u64(u64, u64))
def nth_bit_portable(word: np.uint64, n: np.uint64) -> np.uint64:
    """The n-th set bit alone, counting from 0 at the low end; 0 if there are at most n."""
    if n >= popcount(word):
        return ZERO
    index = ZERO
    width = np.uint64(32)
    while width != ZERO:
        # Is the bit in the low half? Otherwise skip that half and the bits in it.
        below = popcount((word >> index) & ((ONE << width) - ONE))
        if n >= below:
            n -= below
            index += width
        width >>= ONE
    return ONE << index


@instruction(u64(u64, u64))
def nth_bit_pdep(build: Any, word: Any, n: Any) -> Any:
    """`nth_bit_portable` in two instructions, where the processor has BMI2; n must be under 64."""
    deposit = declared(build, "llvm.x86.bmi.pdep.64", ir.FunctionType(_WORD, [_WORD, _WORD]))
    return build.call(deposit, [build.shl(ir.Constant(_WORD, 1), n), word])


def _has_fast_pdep() -> bool:
    name, features = cpu()
    # AMD before Zen 3 has the instruction, but in microcode: slower than the portable way.
    return "bmi2" in features and name not in {"bdver4", "znver1", "znver2"}


HAS_FAST_PDEP = _has_fast_pdep()
HAS_FAST_LEADING_ZEROS = {"avx512cd", "avx512vl"} <= cpu()[1]
"""Whether the leading zeros of four words can be counted in one instruction."""
nth_bit = nth_bit_pdep if HAS_FAST_PDEP else nth_bit_portable


@instruction(u64(u64))
def bit_length(build: Any, word: Any) -> Any:
    """The number of bits up to the highest set bit; 0 for an empty word."""
    leading = build.ctlz(word, ir.Constant(ir.IntType(1), 0))
    return build.sub(ir.Constant(_WORD, 64), leading)


@instruction(words(u64))
def words_at(build: Any, address: Any) -> Any:
    """The words that begin at an address."""
    return build.inttoptr(address, _WORD.as_pointer())


@instruction(i64(words))
def prefetch(build: Any, place: Any) -> Any:
    """Prefetch the memory at ``place``; returns 0."""
    small = ir.IntType(32)
    shape = ir.FunctionType(ir.VoidType(), [place.type, small, small, small])
    fetch = declared(build, "llvm.prefetch.p0", shape)
    # Read, to be kept in the nearest cache, data.
    build.call(fetch, [place, small(0), small(3), small(1)])
    return ir.Constant(_WORD, 0)
