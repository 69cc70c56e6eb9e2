"""k in a row, compiled, against a slow and obvious version; small boards against large ones."""

import doctest
import random

import numpy as np
import pytest
from paths import ROOT

from rl_toolkit.kernels.rules import compiled
from rl_toolkit.kernels.rules.compiled import (
    compiled_rules,
    large_lines,
    large_rules,
    small_lines,
    small_rules,
)
from rl_toolkit.kernels.spec import LineSpec
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

FREE = [
    LineSpec(3, 3, 3),
    LineSpec(3, 4, 3),
    LineSpec(5, 4, 4),
    LineSpec(5, 5, 3, exactly=True),
    LineSpec(1, 9, 3),
    LineSpec(9, 1, 3, exactly=True),
    LineSpec(2, 20, 3),
    LineSpec(7, 7, 5, exactly=True),
    LineSpec(7, 8, 5),
    LineSpec(8, 7, 4),  # all 64 bits, the last one a sentinel
    LineSpec(3, 3, 4),  # a line that does not fit
]
FALLING = [
    LineSpec(6, 7, 4, gravity=True),
    LineSpec(4, 4, 4, gravity=True),
    LineSpec(5, 3, 3, gravity=True),
    LineSpec(6, 9, 4, gravity=True),
    LineSpec(7, 8, 5, gravity=True, exactly=True),  # all 64 bits
    LineSpec(1, 32, 3, gravity=True),
]
LARGE = [
    LineSpec(8, 8, 4),
    LineSpec(15, 15, 5),
    LineSpec(15, 15, 5, exactly=True),
    LineSpec(16, 15, 4),
    LineSpec(15, 16, 4),
    LineSpec(19, 19, 5),
    LineSpec(20, 20, 6, exactly=True),
    LineSpec(20, 3, 9),
]


def opposite(status):
    return {WON: LOST, LOST: WON}.get(status, status)


def kinds(spec):
    """All compiled rules that can play on this board."""
    fitting = []
    if small_lines.fits(spec):
        fitting.append(small_rules(spec))
    if large_lines.fits(spec):
        fitting.append(large_rules(spec))
    return fitting


def slow_moves(spec, board):
    if not spec.gravity:
        return [cell for cell, owner in enumerate(board) if owner == 0]
    top = (spec.rows - 1) * spec.cols
    return [col for col in range(spec.cols) if board[top + col] == 0]


def slow_play(spec, board, player, move):
    after = list(board)
    while spec.gravity and after[move] != 0:
        move += spec.cols
    after[move] = player
    return after


def slow_wins(spec, board, player):
    """Walk along every run from its first stone to its last."""

    def owns(row, col):
        inside = 0 <= row < spec.rows and 0 <= col < spec.cols
        return inside and board[row * spec.cols + col] == player

    for row in range(spec.rows):
        for col in range(spec.cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if owns(row - down, col - right):
                    continue
                length = 0
                while owns(row + length * down, col + length * right):
                    length += 1
                if length == spec.win_length or (length > spec.win_length and not spec.exactly):
                    return True
    return False


def slow_status(spec, board, player):
    if slow_wins(spec, board, -player):
        return LOST
    if slow_wins(spec, board, player):
        return WON
    return RUNNING if 0 in board else DRAWN


@pytest.mark.parametrize("spec", FREE + FALLING + LARGE, ids=str)
def test_random_games_follow_the_slow_rules(spec):
    follow_the_slow_rules(spec, 2 if spec in LARGE else 10)


@pytest.mark.full
@pytest.mark.parametrize("spec", FREE + FALLING + LARGE, ids=str)
def test_many_random_games_follow_the_slow_rules(spec):
    follow_the_slow_rules(spec, 8 if spec in LARGE else 40)


def follow_the_slow_rules(spec, games):
    chance = random.Random(7)
    endings = set()
    for game in range(games):
        board, player, status = [0] * (spec.rows * spec.cols), 1 - 2 * (game % 2), RUNNING
        states = [(kind, kind.encode(np.array(board, np.int8), player)) for kind in kinds(spec)]
        assert states
        while status == RUNNING:
            legal = slow_moves(spec, board)
            move = chance.choice(legal)
            board = slow_play(spec, board, player, move)
            expected = opposite(slow_status(spec, board, -player))
            for i, (kind, words) in enumerate(states):
                assert kind.moves(words) == legal
                before = words.copy()
                after, status = kind.play(words, move)
                assert (words == before).all()
                assert status == expected
                assert kind.status(after) == opposite(status)
                assert kind.decode(after, -player).tolist() == board
                assert (after == kind.encode(np.array(board, np.int8), -player)).all()
                states[i] = (kind, after)
            player = -player
        endings.add(status)
    assert endings <= {WON, DRAWN}


@pytest.mark.parametrize(
    "spec",
    [*FREE, *LARGE, LineSpec(1, 63, 40), LineSpec(1, 63, 40, exactly=True), LineSpec(20, 20, 17)],
    ids=str,
)
def test_status_of_any_board(spec):
    chance = random.Random(3)
    seen = set()
    for trial in range(120):
        # From nearly empty boards to boards nearly full of one player's stones.
        mine, theirs = ((1, 1), (3, 1), (1, 9), (40, 1))[trial % 4]
        free = (0, 1, 8)[trial % 3]
        board = chance.choices((1, -1, 0), (mine, theirs, free), k=spec.rows * spec.cols)
        expected = slow_status(spec, board, 1)
        seen.add(expected)
        for kind in kinds(spec):
            assert kind.status(kind.encode(np.array(board, np.int8), 1)) == expected
    assert len(seen) >= 2


@pytest.mark.parametrize("spec", FREE + LARGE, ids=str)
def test_encode_and_decode_undo_each_other(spec):
    chance = np.random.default_rng(5)
    for player in (1, -1):
        board = chance.integers(-1, 2, spec.rows * spec.cols).astype(np.int8)
        for kind in kinds(spec):
            again = kind.decode(kind.encode(board, player), player)
            assert again.dtype == np.int8
            assert (again == board).all()
            assert (kind.decode(kind.encode(board, player), -player) == -board).all()


def test_the_highest_cells_are_cells_like_others():
    columns = compiled_rules(LineSpec(7, 8, 4, gravity=True))
    board = np.zeros(56, np.int8)
    board[[7, 15, 23]] = 1  # three in the last column
    after, status = columns.play(columns.encode(board, 1), 7)
    assert status == WON
    large = compiled_rules(LineSpec(20, 20, 5))
    board = np.zeros(400, np.int8)
    board[[399 - 21 * i for i in range(1, 5)]] = 1  # up the diagonal from the last cell
    after, status = large.play(large.encode(board, 1), 399)
    assert status == WON
    assert large.status(after) == LOST


def test_which_boards_have_kernels():
    assert compiled_rules(LineSpec(10, 10, 4, gravity=True)) is None
    assert compiled_rules(LineSpec(21, 5, 5)) is None
    assert compiled_rules(LineSpec(7, 7, 5)).words_per_side == 1
    assert compiled_rules(LineSpec(15, 15, 5)).words_per_side == 4
    assert compiled_rules(LineSpec(19, 19, 5)).words_per_side == 10


def test_boards_that_cannot_be():
    four = compiled_rules(LineSpec(6, 7, 4, gravity=True))
    floating = np.zeros(42, np.int8)
    floating[7] = 1
    with pytest.raises(ValueError, match="mid-air"):
        four.encode(floating, 1)
    with pytest.raises(ValueError, match="42 cells"):
        four.encode(np.zeros(41, np.int8), 1)
    with pytest.raises(ValueError, match="at least 0"):
        four.perft(four.encode(np.zeros(42, np.int8), 1), -1)


def test_the_example_in_the_documentation():
    result = doctest.testmod(compiled)
    assert result.attempted > 4
    assert result.failed == 0


def test_the_examples_in_the_guide():
    guide = ROOT / "docs" / "explanation" / "kernels.md"
    result = doctest.testfile(str(guide), module_relative=False)
    assert result.attempted > 8
    assert result.failed == 0
