"""Published and recomputed counts of positions, on every family of kernels."""

import numpy as np
import pytest

from rl_toolkit.kernels.rules.compiled import compiled_rules, large_rules, small_rules
from rl_toolkit.kernels.search.tree_counts import tally
from rl_toolkit.kernels.spec import LineSpec, ReversiSpec
from rl_toolkit.kernels.status import RUNNING

TICTACTOE = LineSpec(3, 3, 3)
CONNECT_FOUR = LineSpec(6, 7, 4, gravity=True)


def empty(rules):
    return rules.encode(np.zeros(rules.spec.rows * rules.spec.cols, np.int8), 1)


def reversi_opening(rules):
    size = rules.spec.size
    board = np.zeros((size, size), np.int8)
    half = size // 2
    board[half - 1 : half + 1, half - 1 : half + 1] = [[-1, 1], [1, -1]]
    return rules.encode(board.ravel(), 1)


def positions_by_ply(rules, plies):
    """Distinct positions at each ply, as lists of words."""
    start = empty(rules)
    layers, running = [[start]], [start]
    for _ in range(plies):
        found = {}
        for words in running:
            for move in rules.moves(words):
                after, status = rules.play(words, move)
                found[after.tobytes()] = (after, status)
        layers.append([after for after, _ in found.values()])
        running = [after for after, status in found.values() if status == RUNNING]
    return layers


def test_tictactoe_nodes():
    by_ply = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    for rules in (small_rules(TICTACTOE), large_rules(TICTACTOE)):
        assert [rules.perft(empty(rules), depth) for depth in range(10)] == by_ply
        assert sum(by_ply) == 549_946
        assert rules.perft(empty(rules), 10) == 0


@pytest.mark.parametrize("make", [small_rules, large_rules])
def test_tictactoe_games(make):
    rules = make(TICTACTOE)
    counted = tally(rules, empty(rules), 9)
    assert sum(counted.nodes) == 549_946
    ended = [sum(ply) for ply in zip(counted.won, counted.drawn, counted.lost, strict=True)]
    assert ended == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]
    assert sum(ended) == 255_168
    # X moves at odd plies, O at even ones.
    assert (sum(counted.won[1::2]), sum(counted.won[0::2])) == (131_184, 77_904)
    assert (sum(counted.drawn), sum(counted.lost)) == (46_080, 0)


def test_tictactoe_positions():
    rules = compiled_rules(TICTACTOE)
    layers = positions_by_ply(rules, 9)
    assert [len(layer) for layer in layers] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    everything = [words for layer in layers for words in layer]
    assert len(everything) == 5_478
    finished = [words for words in everything if rules.status(words) != RUNNING]
    assert len(finished) == 958

    def up_to_symmetry(states):
        return len({canonical(rules.decode(words, 1).reshape(3, 3)) for words in states})

    def canonical(board):
        # Decoded as if +1 were to move: the number of stones tells the two players apart.
        turned = [np.rot90(board, turns) for turns in range(4)]
        return min(view.tobytes() for b in turned for view in (b, b.T))

    assert up_to_symmetry(everything) == 765
    assert up_to_symmetry(finished) == 138


def test_connect_four():
    rules = compiled_rules(CONNECT_FOUR)
    expected = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    assert [rules.perft(empty(rules), depth) for depth in range(9)] == expected


@pytest.mark.parametrize("plies", [6, pytest.param(8, marks=pytest.mark.full)])
def test_connect_four_positions(plies):
    rules = compiled_rules(CONNECT_FOUR)
    expected = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]
    found = [len(layer) for layer in positions_by_ply(rules, plies)]
    assert found == expected[: plies + 1]


@pytest.mark.full
def test_connect_four_deep():
    rules = compiled_rules(CONNECT_FOUR)
    assert [rules.perft(empty(rules), depth) for depth in (9, 10)] == [39394572, 268031646]


REVERSI = {
    8: [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288],
    6: [4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912],
    4: [4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540, 50704, 57436, 59564, 59980],
}


@pytest.mark.parametrize("size", REVERSI)
def test_reversi(size):
    rules = compiled_rules(ReversiSpec(size))
    start = reversi_opening(rules)
    depths = range(1, len(REVERSI[size]) + 1)
    assert [rules.perft(start, depth) for depth in depths] == REVERSI[size]


def test_every_game_of_reversi_4x4():
    rules = compiled_rules(ReversiSpec(4))
    start = reversi_opening(rules)
    longest = 24  # twelve discs to put, and between two passes there is one
    counted = tally(rules, start, longest)
    games = [sum(ply) for ply in zip(counted.won, counted.drawn, counted.lost, strict=True)]
    assert counted.running[longest] == 0
    for depth in range(1, longest + 1):
        leaves = counted.running[depth] + sum(games[: depth + 1])
        assert rules.perft(start, depth) == leaves


@pytest.mark.full
def test_reversi_deep():
    large, middle = compiled_rules(ReversiSpec(8)), compiled_rules(ReversiSpec(6))
    assert large.perft(reversi_opening(large), 11) == 212258800
    assert middle.perft(reversi_opening(middle), 10) == 14976792


@pytest.mark.parametrize(
    ("spec", "depth"),
    [(LineSpec(4, 4, 3), 6), (LineSpec(3, 5, 3, exactly=True), 7), (LineSpec(8, 7, 3), 4)],
    ids=str,
)
def test_small_and_large_board_kernels_agree(spec, depth):
    small, large = small_rules(spec), large_rules(spec)
    at_end = small.perft(empty(small), depth)
    assert at_end == large.perft(empty(large), depth)
    assert at_end == tally(small, empty(small), depth).nodes[depth]


def test_perft_leaves_the_words_alone_and_stops_at_finished_games():
    rules = compiled_rules(LineSpec(15, 15, 5))
    board = np.zeros(225, np.int8)
    board[:4] = 1
    words = rules.encode(board, 1)
    before = words.copy()
    # 221 moves, one of which wins and has no children; 220 answers to each of the others.
    assert rules.perft(words, 2) == 220 * 220
    assert (words == before).all()
    finished, _ = rules.play(words, 4)
    assert [rules.perft(finished, depth) for depth in range(3)] == [1, 0, 0]
    with pytest.raises(ValueError, match="over"):
        tally(rules, finished, 2)
