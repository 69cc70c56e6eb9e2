"""The parts of the endgame search: stability, parity, the table."""

import random

import numpy as np

from rl_toolkit.kernels.jit import i64, kernel, pointer, u64, word_array
from rl_toolkit.kernels.reversi import board
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.last_square import last_by_flips, last_by_lookup, line_words
from rl_toolkit.kernels.reversi.stability import stable_discs
from rl_toolkit.kernels.reversi.table import bucket_of, find, high_of, keep, low_of
from rl_toolkit.kernels.rules.reversi import flips_plain, moves_plain


@kernel(u64(u64, u64, word_array))
def stable(mine, theirs, block):
    return stable_discs(mine, theirs, pointer(block))


@kernel(u64(u64, word_array))
def odd(empty, block):
    return board.odd_quadrants(empty, pointer(block))


@kernel(i64(u64, u64, i64, i64, i64, word_array))
def remember(mine, theirs, low, high, empties, block):
    bucket = bucket_of(mine, theirs, pointer(block))
    return keep(bucket, mine, theirs, low, high, np.uint64(5), empties, pointer(block))


@kernel(u64(u64, u64, word_array))
def recall(mine, theirs, block):
    return find(bucket_of(mine, theirs, pointer(block)), mine, theirs)


@kernel(i64(u64, u64, word_array))
def by_lookup(mine, square, block):
    return last_by_lookup(mine, square, -64, pointer(block))


@kernel(i64(u64, u64, word_array))
def by_flips(mine, square, block):
    return last_by_flips(mine, square, -65, pointer(block))


def block_of(size):
    block = np.zeros(board.BLOCK_WORDS, np.uint64)
    for index, number in board.board_words(size).items():
        block[index] = number
    return block


def play_on(mine, theirs, cells, chance):
    """Random play to the end; gives the discs of the first side after every ply."""
    swapped, passes = False, 0
    while passes < 2:
        moves = int(moves_plain(np.uint64(mine), np.uint64(theirs))) & cells
        if moves:
            passes = 0
            square = chance.choice([1 << i for i in range(64) if moves >> i & 1])
            turned = int(flips_plain(np.uint64(square), np.uint64(mine), np.uint64(theirs)))
            mine, theirs = mine | turned | square, theirs & ~turned
            yield theirs if swapped else mine
        else:
            passes += 1
        mine, theirs, swapped = theirs, mine, not swapped


def test_stable_discs_are_never_turned():
    chance = random.Random(3)
    found = 0
    for trial in range(120):
        size = (4, 6, 8)[trial % 3]
        block = block_of(size)
        cells = int(block[board.CELLS])
        density = chance.choice((0.5, 0.8, 0.95))
        taken = sum(1 << i for i in range(64) if chance.random() < density) & cells
        mine = taken & (chance.getrandbits(64) | chance.getrandbits(64))
        theirs = taken ^ mine
        safe = int(stable(np.uint64(mine), np.uint64(theirs), block))
        assert safe & ~mine == 0
        found += safe.bit_count()
        for _ in range(10):
            for discs in play_on(mine, theirs, cells, chance):
                assert safe & ~discs == 0
            for discs in play_on(theirs, mine, cells, chance):
                assert safe & discs == 0
    assert found > 500


def test_corners_and_what_leans_on_them_are_stable():
    for size in (4, 6, 8):
        block = block_of(size)
        cells, corners = int(block[board.CELLS]), int(block[board.CORNERS])
        assert corners.bit_count() == 4
        assert int(stable(np.uint64(corners), np.uint64(0), block)) == corners
        assert int(stable(np.uint64(cells), np.uint64(0), block)) == cells
        edge = int(block[board.ENDS])
        assert int(stable(np.uint64(edge), np.uint64(0), block)) == edge
        middle = edge & ~corners
        assert int(stable(np.uint64(middle), np.uint64(0), block)) == 0


def test_the_last_square_by_lookup_and_by_flips():
    chance, kinds = random.Random(5), {size: set() for size in (4, 6, 8)}
    for size, found in kinds.items():
        block, lines = block_of(size), line_words(size)
        block[board.LINES_AT] = lines.ctypes.data
        cells = int(block[board.CELLS])
        squares = [1 << i for i in range(64) if cells >> i & 1]
        for trial in range(3000):
            square = squares[trial % len(squares)]
            mine = chance.getrandbits(64) & cells & ~square
            if trial % 3 == 0:  # long runs of one colour
                mine &= chance.getrandbits(64)
            elif trial % 3 == 1:
                mine |= chance.getrandbits(64) & cells & ~square
            mine, square = np.uint64(mine), np.uint64(square)
            score = int(by_lookup(mine, square, block))
            assert score == by_flips(mine, square, block)
            found.add(score - 2 * int(mine).bit_count() + size * size)
    assert all({-2, 0, 2, 4} <= found for found in kinds.values())  # both, neither, either side


def test_odd_quadrants():
    block = block_of(8)
    a1, b1, h8 = 1, 2, 1 << 63
    assert int(odd(np.uint64(0), block)) == 0
    assert int(odd(np.uint64(a1 | b1), block)) == 0
    both = int(odd(np.uint64(a1 | h8), block))
    assert both.bit_count() == 32
    assert both & a1
    assert both & h8


def test_the_table_tells_positions_apart_and_keeps_the_expensive():
    solver = Solver(8, 1)
    block = solver.block
    block[board.TABLE_MASK] = 0  # one bucket for all
    remember(np.uint64(1), np.uint64(2), -4, 10, 20, block)
    remember(np.uint64(3), np.uint64(4), 6, 6, 10, block)
    facts = recall(np.uint64(1), np.uint64(2), block)
    assert (low_of(facts), high_of(facts)) == (-4, 10)
    assert low_of(recall(np.uint64(3), np.uint64(4), block)) == 6
    assert recall(np.uint64(2), np.uint64(1), block) == 0
    remember(np.uint64(5), np.uint64(8), 0, 0, 9, block)
    assert recall(np.uint64(1), np.uint64(2), block) == facts
    assert recall(np.uint64(3), np.uint64(4), block) == 0
    solver.new_search()
    remember(np.uint64(16), np.uint64(32), 0, 0, 9, block)
    assert recall(np.uint64(1), np.uint64(2), block) == 0
    solver.forget()
    assert recall(np.uint64(16), np.uint64(32), block) == 0


def test_signature_of_the_search():
    """The number of nodes is a fingerprint: a change here is a change of the search."""
    mine = theirs = 0
    chance = random.Random(20)
    cells = 2**64 - 1
    mine, theirs = (1 << 28) | (1 << 35), (1 << 27) | (1 << 36)
    while (mine | theirs).bit_count() < 48:
        moves = int(moves_plain(np.uint64(mine), np.uint64(theirs))) & cells
        if moves:
            square = chance.choice([1 << i for i in range(64) if moves >> i & 1])
            turned = int(flips_plain(np.uint64(square), np.uint64(mine), np.uint64(theirs)))
            mine, theirs = mine | turned | square, theirs & ~turned
        mine, theirs = theirs, mine
    first, second = Solver(8, 4), Solver(8, 4)
    assert first.solve(mine, theirs) == second.solve(mine, theirs)
    assert first.nodes == second.nodes > 1000
    assert first.solve(theirs, mine) == Solver(8, 1).solve(theirs, mine)
