"""Kernels compiled more than once: the same answers, with numbers read or known."""

import numpy as np
import pytest

from rl_toolkit.kernels import jit
from rl_toolkit.kernels.jit import i64, pointer, u64, word_array, words
from rl_toolkit.kernels.specialised import Family

family = Family()
factor = family.field(1)


@family.kernel(u64(u64, words))
def scaled(number, block):
    return np.uint64(number * factor(block))


@family.kernel(u64(u64, i64, word_array))
def powers(number, count, block):
    """Scale ``count`` times, calling itself and another kernel of the family."""
    if count == 0:
        return number
    return np.uint64(powers(scaled(number, pointer(block)), count - 1, block))


@family.kernel(u64(u64))
def unrelated(number):
    return number


@pytest.fixture(scope="module")
def tripling():
    return family.version("three", {1: 3}, [powers])


BLOCK = np.array([0, 2], dtype=np.uint64)


def test_the_general_kernel_reads_and_the_version_knows(tripling):
    assert powers(np.uint64(5), 3, BLOCK) == 40
    assert tripling(powers)(np.uint64(5), 3, BLOCK) == 135
    assert powers(np.uint64(5), 3, BLOCK) == 40


def test_a_version_has_only_what_its_entries_call(tripling):
    assert tripling(scaled) is not scaled
    with pytest.raises(KeyError):
        tripling(unrelated)


def test_a_version_has_a_name_of_its_own(tripling):
    assert tripling(powers).name.endswith("powers_three")
    assert tripling(powers).__doc__ == powers.__doc__


def test_compiling_everything_includes_the_standard_board():
    names = {kernel.name for kernel in jit.kernels()}
    assert "connect_four.search.solve_one_6x7" in names
    assert "connect_four.search.solve_one" in names
    assert not any("layers" in name for name in names if name.endswith("_6x7"))
