"""Bit instructions against Python's integers."""

import random

import numpy as np
import pytest

from rl_toolkit.kernels import bits
from rl_toolkit.kernels.jit import cpu, i64, kernel, u64, word_array

TOP = 1 << 63
NUMBERS = random.Random(1)
SAMPLES = [0, 1, TOP, TOP | 1, (1 << 64) - 1, 0x7E7E7E7E7E7E7E7E] + [
    NUMBERS.getrandbits(64) & NUMBERS.getrandbits(64) for _ in range(200)
]


@kernel(u64(u64))
def count(word):
    return bits.popcount(word)


@kernel(u64(u64))
def lowest(word):
    return bits.lowest_index(word)


@kernel(u64(u64, u64))
def with_pdep(word, n):
    return bits.nth_bit_pdep(word, n)


@kernel(u64(u64, u64))
def preferred(word, n):
    return bits.nth_bit(word, n)


@kernel(i64(word_array, i64))
def below(values, n):
    total = 0
    if n > 0:
        total = below(values, n - 1) + 1
    return total


def set_bits(word):
    return [i for i in range(64) if word >> i & 1]


@pytest.mark.parametrize("word", SAMPLES[:20])
def test_counting_and_lowest_bit(word):
    places = set_bits(word)
    assert count(np.uint64(word)) == len(places)
    assert lowest(np.uint64(word)) == (places[0] if places else 64)
    assert bits.lowest_bit(np.uint64(word)) == (1 << places[0] if places else 0)


def nth_bits_of(function):
    return [[int(function(np.uint64(w), np.uint64(n))) for n in range(64)] for w in SAMPLES]


EXPECTED = [([1 << i for i in set_bits(w)] + [0] * 64)[:64] for w in SAMPLES]


def test_nth_bit_portable():
    assert nth_bits_of(bits.nth_bit_portable) == EXPECTED


def test_nth_bit_as_chosen_for_this_processor():
    assert nth_bits_of(preferred) == EXPECTED


@pytest.mark.skipif("bmi2" not in cpu()[1], reason="the processor has no BMI2")
def test_nth_bit_with_pdep():
    assert nth_bits_of(with_pdep) == EXPECTED


def test_a_kernel_may_call_itself():
    assert below(np.zeros(1, np.uint64), 5) == 5
