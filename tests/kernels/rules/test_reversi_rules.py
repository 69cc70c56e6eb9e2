"""Compiled Reversi against a slow and obvious version; vector instructions against plain code."""

import random

import numpy as np
import pytest

from rl_toolkit.kernels.jit import i64, kernel, u64
from rl_toolkit.kernels.rules.compiled import compiled_rules, reversi
from rl_toolkit.kernels.spec import ReversiSpec
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

AROUND = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
TOP = 1 << 63


def opposite(status):
    return {WON: LOST, LOST: WON}.get(status, status)


@kernel(u64(u64, u64))
def vector_moves(mine, theirs):
    return reversi.moves_of(mine, theirs)


@kernel(u64(u64, u64, u64))
def vector_flips(square, mine, theirs):
    return reversi.flips_of(square, mine, theirs)


# One of these is `flips_of`, by what the processor can do.
@kernel(u64(u64, u64, u64))
def flips_by_runs(square, mine, theirs):
    return reversi.flips_by_runs(square, mine, theirs)


@kernel(u64(u64, u64, u64))
def flips_by_rays(square, mine, theirs):
    return reversi.flips_by_rays(square, mine, theirs)


def opening(size):
    board = np.zeros(size * size, np.int8)
    high = size // 2
    low = high - 1
    board[[low * size + high, high * size + low]] = 1
    board[[low * size + low, high * size + high]] = -1
    return board


def slow_flips(size, board, player, cell):
    if board[cell] != 0:
        return []
    turned = []
    for dr, dc in AROUND:
        row, col = cell // size + dr, cell % size + dc
        run = []
        while 0 <= row < size and 0 <= col < size and board[row * size + col] == -player:
            run.append(row * size + col)
            row, col = row + dr, col + dc
        if 0 <= row < size and 0 <= col < size and board[row * size + col] == player:
            turned += run
    return turned


def slow_moves(size, board, player):
    placing = [c for c in range(size * size) if slow_flips(size, board, player, c)]
    return placing or [size * size]


def slow_status(size, board, player):
    nothing = [size * size]
    if slow_moves(size, board, 1) != nothing or slow_moves(size, board, -1) != nothing:
        return RUNNING
    ahead = player * int(np.sum(board))
    return DRAWN if ahead == 0 else WON if ahead > 0 else LOST


@pytest.mark.parametrize("size", [4, 6, 8])
def test_random_games_follow_the_slow_rules(size):
    rules = compiled_rules(ReversiSpec(size))
    chance = random.Random(size)
    endings, passes = set(), 0
    for _ in range(25 if size == 4 else 6):
        board, player, status = opening(size), 1, RUNNING
        words = rules.encode(board, player)
        while status == RUNNING:
            legal = slow_moves(size, board, player)
            assert rules.moves(words) == legal
            move = chance.choice(legal)
            passes += move == size * size
            if move < size * size:
                board[[*slow_flips(size, board, player, move), move]] = player
            words, status = rules.play(words, move)
            player = -player
            assert rules.decode(words, player).tolist() == board.tolist()
            assert rules.status(words) == slow_status(size, board, player) == opposite(status)
        endings.add(status)
    assert {WON, LOST} <= endings
    assert passes > 0


def random_sides(chance, density):
    occupied = sum(1 << i for i in range(64) if chance.random() < density)
    mine = occupied & chance.getrandbits(64)
    return mine, occupied ^ mine


def test_vector_instructions_equal_plain_code():
    chance = random.Random(11)
    corners = 0
    for trial in range(400):
        mine, theirs = random_sides(chance, (0.3, 0.6, 0.9)[trial % 3])
        mine_word, theirs_word = np.uint64(mine), np.uint64(theirs)
        legal = int(reversi.moves_plain(mine_word, theirs_word))
        assert int(vector_moves(mine_word, theirs_word)) == legal
        corners += legal >> 63
        for i in range(64):
            square = np.uint64(1 << i)
            if (mine | theirs) >> i & 1:
                continue
            turned = int(reversi.flips_plain(square, mine_word, theirs_word))
            for flips in (vector_flips, flips_by_runs, flips_by_rays):
                assert int(flips(square, mine_word, theirs_word)) == turned
            assert (turned != 0) == (legal >> i & 1)
    assert corners > 20  # the highest bit took part


@kernel(i64(u64, u64))
def agreed_moves(mine, theirs):
    """How many moves there are, if both ways find the same and turn the same; else -1."""
    legal = reversi.moves_plain(mine, theirs)
    if reversi.moves_of(mine, theirs) != legal:
        return -1
    count = 0
    for i in range(64):
        square = np.uint64(1) << np.uint64(i)
        if legal & square != np.uint64(0):
            turned = reversi.flips_plain(square, mine, theirs)
            if turned == np.uint64(0) or reversi.flips_of(square, mine, theirs) != turned:
                return -1
            count += 1
    return count


@pytest.mark.full
def test_vector_instructions_equal_plain_code_on_a_million_moves():
    chance, moves = random.Random(12), 0
    while moves < 1_000_000:
        mine, theirs = random_sides(chance, 0.6)
        agreed = agreed_moves(np.uint64(mine), np.uint64(theirs))
        assert agreed >= 0, (mine, theirs)
        moves += agreed


def test_the_last_corner():
    """A full row of theirs up to h8, then the column and the diagonal, taken from h8 and back."""
    row = sum(1 << i for i in range(57, 63))
    column = sum(1 << i for i in range(15, 56, 8))
    diagonal = sum(1 << i for i in range(9, 55, 9))
    ends = (1 << 56) | (1 << 7) | 1
    between = np.uint64(row | column | diagonal)
    for moves in (reversi.moves_plain, vector_moves):
        assert int(moves(np.uint64(ends), between)) >> 63 == 1
        assert int(moves(np.uint64(TOP), between)) == ends
    for flips in (reversi.flips_plain, vector_flips):
        assert int(flips(np.uint64(TOP), np.uint64(ends), between)) == row | column | diagonal
        assert int(flips(np.uint64(1), np.uint64(TOP), between)) == diagonal


@pytest.mark.parametrize("size", [4, 6, 8])
def test_encode_and_decode_undo_each_other(size):
    rules = compiled_rules(ReversiSpec(size))
    board = np.random.default_rng(size).integers(-1, 2, size * size).astype(np.int8)
    board[-1] = 1
    for player in (1, -1):
        assert (rules.decode(rules.encode(board, player), player) == board).all()


def test_a_full_even_board_is_drawn():
    rules = compiled_rules(ReversiSpec(4))
    assert rules.status(rules.encode(np.array([1, -1] * 8, np.int8), 1)) == DRAWN


def test_other_sizes_have_no_kernel():
    assert compiled_rules(ReversiSpec(10)) is None
    assert compiled_rules(ReversiSpec(5)) is None
