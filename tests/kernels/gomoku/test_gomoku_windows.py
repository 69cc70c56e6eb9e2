"""The sums of the window network against its definition, on boards of all sizes and both rules."""

import ctypes
import random
from itertools import product

import numpy as np
import pytest

from rl_toolkit.kernels.gomoku import layout
from rl_toolkit.kernels.gomoku.reference_windows import (
    points_of,
    rank_of,
    rows_of_windows,
    sums_of_cell,
)
from rl_toolkit.kernels.gomoku.state import State
from rl_toolkit.kernels.gomoku.window_sums import (
    fill_windows,
    look_at_windows,
    rank_by_windows,
    shift_windows,
    unshift_windows,
    window_points,
)
from rl_toolkit.kernels.gomoku.windows import (
    CELL_BYTES,
    WindowNetwork,
    canonical,
    mirrored,
    row_of_key,
    swapped,
)

SIZES = range(5, 21)
RULES = {"freestyle": False, "standard": True}


def some_network(seed=1, least=-60, most=60):
    """Different numbers everywhere, so that a wrong sum cannot hide."""
    chance = np.random.default_rng(seed)
    return WindowNetwork(
        rows=chance.integers(least, most, (len(canonical()), 16)).astype(np.int8),
        w1=chance.integers(-900, 900, (16, 32)).astype(np.int16),
        b1=chance.integers(-(10**6), 10**6, 16).astype(np.int32),
        w2=chance.integers(-9000, 9000, 16).astype(np.int16),
        b2=-12_345,
        rank_scale=29,
    )


NETWORK = some_network()


def memory(address, count=32):
    return list((ctypes.c_int16 * count).from_address(address))


def x_of(state, cell):
    places = (ctypes.c_int64 * layout.MOST_CELLS).from_address(
        int(state.block[layout.CELL_PLACES_AT])
    )
    return memory(places[cell])


def s_of(state):
    block = state.block
    return memory(int(block[layout.WINDOW_SUMS_AT] + CELL_BYTES * block[layout.PLY]))


def all_numbers(state):
    return [x_of(state, cell) for cell in range(state.size**2)], s_of(state)


def check(state, board, network=NETWORK, cells=6, chance=random):
    """The points of both sides, and x and ranks of some cells, are those of the definition."""
    size = state.size
    for side in (0, 1):
        assert window_points(state.block, side) == points_of(network, board, size, side)
    for cell in chance.sample(range(size * size), min(cells, size * size)):
        both = [sums_of_cell(network, board, size, cell, side) for side in (0, 1)]
        assert x_of(state, cell) == both[0] + both[1]
        for side in (0, 1):
            expected = rank_of(network, board, size, cell, side)
            assert rank_by_windows(state.block, side, cell) == expected


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_a_walk_agrees_with_the_definition(size, rule):
    state, chance = State(size, RULES[rule], None, NETWORK), random.Random(f"{size} {rule}")
    board, kept = [0] * (size * size), []
    fill_windows(state.block)
    row, col, reach = chance.randrange(size), chance.randrange(size), chance.choice((2, 3, size))
    rows, cols = (range(max(0, at - reach), min(size, at + reach + 1)) for at in (row, col))
    for step in range(30):
        cell = chance.choice(rows) * size + chance.choice(cols)
        if state.moves and (board[cell] or chance.random() < 0.2):
            unshift_windows(state.block)
            board[state.moves[-1][0]] = 0
            state.take_back()
            assert all_numbers(state) == kept.pop()
        elif not board[cell]:
            before = all_numbers(state)
            kept.append(before)
            state.place(cell, step & 1)
            board[cell] = 1 + (step & 1)
            look_at_windows(state.block)  # s alone
            looked = all_numbers(state)
            assert looked[0] == before[0]
            shift_windows(state.block)
            assert s_of(state) == looked[1]
    check(state, board, chance=chance)
    incremental = all_numbers(state)
    fill_windows(state.block)
    assert all_numbers(state) == incremental


@pytest.mark.parametrize(("size", "rule"), [(5, "freestyle"), (6, "standard"), (20, "freestyle")])
def test_a_board_can_be_filled(size, rule):
    state, chance = State(size, RULES[rule], None, NETWORK), random.Random(size)
    board = [0] * (size * size)
    fill_windows(state.block)
    for ply, cell in enumerate(chance.sample(range(size * size), size * size)):
        state.place(cell, ply & 1)
        shift_windows(state.block)
        board[cell] = 1 + (ply & 1)
    assert s_of(state) == [0] * 32
    check(state, board, chance=chance)


def test_the_largest_sums_do_not_overflow():
    """Every empty cell counts 127: on 400 cells that is more than 2^15."""
    largest = some_network(least=127, most=128)
    state = State(20, False, None, largest)
    fill_windows(state.block)
    assert [number % 2**16 for number in s_of(state)] == [400 * 127] * 32
    check(state, [0] * 400, largest)
    for weights in (-(2**15), 2**15 - 1):
        extreme = WindowNetwork(
            rows=largest.rows,
            w1=np.full((16, 32), weights, dtype=np.int16),
            b1=np.full(16, weights << 16, dtype=np.int32),
            w2=np.full(16, -weights, dtype=np.int16) if weights > 0 else largest.w2,
            b2=-(2**31),
            rank_scale=2**15 - 1,
        )
        state = State(20, False, None, extreme)
        fill_windows(state.block)
        check(state, [0] * 400, extreme)


def played(size, stones, network=NETWORK):
    """A state with these stones, and its windows followed one by one."""
    state = State(size, False, None, network)
    fill_windows(state.block)
    for cell, side in stones:
        state.place(cell, side)
        shift_windows(state.block)
    return state


@pytest.mark.parametrize("size", [5, 9, 15])
def test_symmetries_leave_points_and_ranks_as_they_are(size):
    chance, grid = random.Random(size), np.arange(size * size).reshape(size, size)
    cells = chance.sample(range(size * size), size * 2)
    stones = [(cell, k & 1) for k, cell in enumerate(cells)]
    state = played(size, stones)
    empty = [cell for cell in range(size * size) if cell not in cells][:20]
    seen = set()
    for turns, flipped in product(range(4), (False, True)):
        image = np.rot90(grid.T if flipped else grid, turns).ravel().tolist()
        seen.add(tuple(image))
        other = played(size, [(image[cell], side) for cell, side in stones])
        for side in (0, 1):
            assert window_points(other.block, side) == window_points(state.block, side)
            for cell in empty:
                rank = rank_by_windows(state.block, side, cell)
                assert rank_by_windows(other.block, side, image[cell]) == rank
    assert len(seen) == 8


def test_exchanged_colours_exchange_points_and_ranks():
    chance = random.Random(3)
    stones = [(cell, k & 1) for k, cell in enumerate(chance.sample(range(225), 41))]
    state, other = played(15, stones), played(15, [(cell, 1 - side) for cell, side in stones])
    values = [window_points(state.block, side) for side in (0, 1)]
    assert values == [window_points(other.block, side) for side in (1, 0)]
    assert values[0] != values[1]
    for cell in range(225):
        for side in (0, 1):
            rank = rank_by_windows(state.block, side, cell)
            assert rank_by_windows(other.block, 1 - side, cell) == rank


def test_the_windows_are_those_of_the_definition():
    rows = rows_of_windows()
    assert len(canonical()) == len(set(rows.values())) == 7381
    for window, row in rows.items():
        key = sum(cell << 2 * place for place, cell in enumerate(window))
        assert row_of_key()[key] == row
    keys = np.arange(1 << 16)
    assert (mirrored(mirrored(keys)) == keys).all()
    assert (swapped(swapped(keys)) == keys).all()


def test_numbers_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"w1 of a window network has shape \(16, 32\)"):
        WindowNetwork(NETWORK.rows, NETWORK.w1[:8], NETWORK.b1, NETWORK.w2, 0, 0)
    with pytest.raises(ValueError, match="rows of a window network"):
        WindowNetwork(NETWORK.rows[1:], NETWORK.w1, NETWORK.b1, NETWORK.w2, 0, 0)
