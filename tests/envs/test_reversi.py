"""Reversi: turning discs, passing, the end, and a perfect game."""

import random

import numpy as np
import pytest

from rl_toolkit.envs import (
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    Reversi,
)

PERFECT_GAME = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5"
    "B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
)


def board_of(*rows):
    """A board from its rows, the top one first: X black, O white."""
    return [{"X": 1, "O": -1, ".": 0}[cell] for row in rows for cell in row.split()]


def test_a_new_game():
    env = Reversi()
    assert (env.rows, env.cols, env.board_size, env.name) == (8, 8, 8, "reversi-8")
    white, black = (
        [env.parse_move(n) for n in ("d4", "e5")],
        [env.parse_move(n) for n in ("e4", "d5")],
    )
    assert np.flatnonzero(env.board == -1).tolist() == white
    assert np.flatnonzero(env.board == 1).tolist() == black
    assert (env.current_player, env.move_count, env.num_moves, env.pass_move) == (1, 0, 65, 64)
    assert [env.move_name(move) for move in env.get_legal_moves()] == ["d3", "c4", "f5", "e6"]


def test_a1_is_top_left():
    text = Reversi(4).render(mode="ansi").splitlines()
    assert text[0].split() == ["a", "b", "c", "d"]
    assert text[2].startswith("1 ")
    assert text[4] == "2 |   | O | X |   |"


def test_a_move_turns_discs_over():
    env = Reversi()
    board, reward, done, info = env.step(env.parse_move("f5"))
    assert board.reshape(8, 8)[4].tolist() == [0, 0, 0, 1, 1, 1, 0, 0]
    assert (reward, done, info["last_move"], info["winning_line"]) == (0.0, False, 37, None)
    assert env.current_player == -1
    assert [env.move_name(move) for move in env.get_legal_moves()] == ["f4", "d6", "f6"]
    assert env.undo() == 37
    assert env.board.tolist() == Reversi().board.tolist()


def test_discs_turn_in_all_eight_directions_at_once():
    env = Reversi()
    env.set_position(
        board_of(
            ". . . . . . . .",
            ". X . X . X . .",
            ". . O O O . . .",
            ". X O . O O X .",
            ". . O O O . . .",
            ". X . O . O . .",
            ". . . X . . X .",
            ". . . . . . . .",
        ),
        player=1,
    )
    env.step(env.parse_move("d4"))
    assert -1 not in env.board


def test_a_run_that_reaches_the_edge_or_a_gap_is_not_turned():
    env = Reversi(4)
    env.set_position(
        board_of(
            ". O O O",
            ". O . X",
            ". . O .",
            "X . . .",
        ),
        player=1,
    )
    with pytest.raises(IllegalMoveError, match=r"^a1 turns no disc$"):
        env.step(0)


# --- passing ------------------------------------------------------------------------------------


def test_passing_in_a_constructed_position():
    env = Reversi(4)
    env.set_position(
        board_of(
            "X O . .",
            ". . . .",
            ". . . .",
            ". . . .",
        ),
        player=-1,
    )
    assert env.get_legal_moves() == [env.pass_move] == [16]
    assert env.move_name(16) == "pass"
    before = env.board.copy()
    board, reward, done, info = env.step(16)
    assert (board.tolist(), reward, done) == (before.tolist(), 0.0, False)
    assert (info["last_move"], info["move_count"], env.current_player) == (None, 1, 1)
    assert env.history == [16]
    assert env.get_legal_moves() == [2]
    with pytest.raises(
        IllegalMoveError, match="passing is allowed only when no disc can be placed"
    ):
        env.step(16)
    assert env.undo() == 16
    assert (env.current_player, env.history) == (-1, [])


def test_the_last_disc_stays_the_last_move_after_a_pass():
    rng, env = random.Random(1), Reversi(4)
    while env.get_legal_moves() != [env.pass_move]:
        if env.done:
            env.reset()
        env.step(rng.choice(env.get_legal_moves()))
    placed = env.last_move
    assert env.board[placed] == -env.current_player
    env.step(env.pass_move)
    assert env.last_move == placed


def test_passes_happen_in_real_games_and_never_twice():
    rng, passes = random.Random(5), 0
    for _ in range(40):
        env, passed = Reversi(6), False
        while not env.done:
            legal = env.get_legal_moves()
            assert not (passed and legal == [env.pass_move])
            passed = legal == [env.pass_move]
            passes += passed
            env.step(rng.choice(legal))
        assert env.history[-1] != env.pass_move
    assert passes > 10


def test_pass_in_words():
    env = Reversi()
    for text in ("pass", "PASS", " pass ", "--", "pa", "64"):
        assert env.parse_move(text) == 64
    assert env.parse_move("F5") == 37
    for text in ("passed", "i1", "65", "", None):
        with pytest.raises(InvalidMoveError):
            env.parse_move(text)
    for move in (65, -1):
        with pytest.raises(InvalidMoveError, match="moves run from 0 to 64"):
            env.move_name(move)


# --- the end -------------------------------------------------------------------------------------


def test_a_perfect_game_ends_32_to_32():
    env = Reversi()
    names = [PERFECT_GAME[i : i + 2] for i in range(0, len(PERFECT_GAME), 2)]
    assert len(names) == 60
    for name in names:
        assert not env.done
        _, reward, done, info = env.step(env.parse_move(name))
    assert (reward, done, info["winner"]) == (0.0, True, 0)
    assert np.count_nonzero(env.board == 1) == np.count_nonzero(env.board == -1) == 32
    assert env.get_result(1) == env.get_result(-1) == 0.0
    with pytest.raises(GameOverError):
        env.step(64)


def test_the_game_ends_early_when_neither_side_can_place():
    env = Reversi(4)
    env.set_position(
        board_of(
            "O X . .",
            ". . . .",
            ". . . .",
            ". . . .",
        ),
        player=-1,
    )
    _, reward, done, info = env.step(2)
    assert env.board.tolist()[:4] == [-1, -1, -1, 0]
    assert (reward, done, info["winner"], info["winning_line"]) == (-1.0, True, -1, None)
    assert env.current_player == -1
    assert env.check_win(-1)
    assert not env.check_win(1)
    assert env.get_legal_moves() == []


def test_the_shortest_game_wipes_white_out():
    env = Reversi()
    for name in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        env.step(env.parse_move(name))
    assert (env.winner, env.done, env.move_count) == (1, True, 9)
    assert -1 not in env.board


@pytest.mark.parametrize("side", [4, 6, 8])
def test_more_discs_win(side):
    rng = random.Random(side)
    winners = set()
    for _ in range(30):
        env = Reversi(side)
        while not env.done:
            env.step(rng.choice(env.get_legal_moves()))
        margin = int(env.board.sum())
        assert env.winner == (margin > 0) - (margin < 0)
        assert env.get_result(1) == float(env.winner)
        winners.add(env.winner)
    assert {1, -1} <= winners


# --- refused moves and positions ---------------------------------------------------------------


def test_refused_moves():
    env = Reversi()
    for move, error, sentence in [
        (27, IllegalMoveError, r"^d4 is taken by White \(O\)$"),
        (0, IllegalMoveError, r"^a1 turns no disc$"),
        (64, IllegalMoveError, "passing is allowed only when no disc can be placed"),
        (65, IllegalMoveError, "cell 65 is off the board: cells run from 0 to 63"),
        (-1, IllegalMoveError, "off the board"),
        (19.0, InvalidMoveError, "a whole number"),
        (True, InvalidMoveError, "a whole number"),
        ("20", InvalidMoveError, "is not the name of a move"),
        ("z9", InvalidMoveError, "is not a move here"),
        ("a1", IllegalMoveError, "a1 turns no disc"),
    ]:
        with pytest.raises(error, match=sentence):
            env.step(move)
    assert env.history == []


@pytest.mark.parametrize("size", [2, 3, 5, 7, 10, (8, 6)])
def test_other_sizes_are_refused(size):
    with pytest.raises(
        InvalidPositionError, match="Reversi is played on a square board of 4, 6 or 8"
    ):
        Reversi(size)


def test_set_position_takes_any_mixture_of_discs():
    env = Reversi(4)
    env.set_position([1] * 15 + [0], player=-1)
    assert (env.winner, env.done, env.move_count) == (1, True, 11)
    env.set_position([0] * 16, player=1)
    assert (env.winner, env.move_count) == (0, 0)
    for board, player, sentence in [
        ([0] * 15, 1, "must have 16 cells"),
        ([3] + [0] * 15, 1, "cell 0 holds 3"),
        ([0] * 16, 0, "a player is"),
    ]:
        with pytest.raises(InvalidPositionError, match=sentence):
            env.set_position(board, player)


def test_course_code_assigns():
    env = Reversi(4)
    env.step(env.get_legal_moves()[0])
    env.board = np.array(board_of("X O . .", ". . . .", ". . . .", ". . . ."))
    env.current_player = 1
    env.done = False
    assert (env.history, env.get_legal_moves()) == ([], [2])
    env.board[3] = 1
    env.board[2] = -1
    assert env.done
    assert env.winner == 0


# --- heuristic ---------------------------------------------------------------------------------


def heuristic_by_hand(env, player):
    """10 a move, 60 a corner, 20 an edge disc held from a corner, late 10 a disc; less theirs."""
    side, board = env.rows, env.board_2d
    score = 0
    for who, sign in ((player, 1), (-player, -1)):
        asked = env.copy()
        asked.current_player = who
        score += (
            sign * 10 * len([move for move in asked.get_legal_moves() if move != env.pass_move])
        )
        stable = set()
        for row in (0, side - 1):
            for col in (0, side - 1):
                if board[row, col] == who:
                    score += sign * 60
                for cells in (
                    [(row, c) for c in range(side)],
                    [(r, col) for r in range(side)],
                ):
                    if cells[0] != (row, col):
                        cells.reverse()
                    for cell in cells:
                        if board[cell] != who:
                            break
                        stable.add(cell)
        score += sign * 20 * len(stable)
    if (board == 0).sum() * 6 <= side * side:
        score += 10 * player * int(board.sum())
    return max(-1.0, min(1.0, score / 1000))


@pytest.mark.parametrize("side", [4, 6, 8])
def test_the_heuristic_counts_moves_corners_and_stable_discs(side):
    rng = random.Random(side)
    for _ in range(5):
        env = Reversi(side)
        while not env.done:
            value = env.evaluate_heuristic(1)
            assert value == pytest.approx(heuristic_by_hand(env, 1))
            assert env.evaluate_heuristic(-1) == -value
            env.step(rng.choice(env.get_legal_moves()))
        assert env.evaluate_heuristic(-1) == env.get_result(-1)


@pytest.mark.parametrize("size", [6, 8])
def test_corners_promise_most_and_the_squares_next_to_them_least(size):
    env = Reversi(size)
    promise = env.move_priorities()
    corner, edge, inside = (promise[env.parse_move(name)] for name in ("a1", "c1", "c3"))
    beside = [promise[env.parse_move(name)] for name in ("b1", "a2", "b2")]
    assert corner > edge > inside > max(beside)
    assert len(promise) == env.num_moves


def test_a_move_that_ends_the_game_need_not_win_it():
    chance, ends = random.Random(4), set()
    for _ in range(30):
        env = Reversi(4)
        while not env.is_terminal():
            player, winning = env.current_player, env.winning_moves(env.current_player)
            for move in env.get_legal_moves():
                after = env.copy()
                after.step(move)
                assert (move in winning) == (after.winner == player)
                ends.add(after.winner and after.winner * player)
            env.step(chance.choice(env.get_legal_moves()))
    assert {1, -1} <= ends
