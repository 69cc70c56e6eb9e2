"""Classes as students write them: what they keep, forget and do in their own way holds."""

import copy
import sys
import threading

import numpy as np
import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.envs import BaseGameEnv, adapt_game
from rl_toolkit.testing import check_game

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
DRAW = (0, 1, 2, 4, 3, 5, 7, 6, 8)


def winner_on(board):
    for a, b, c in LINES:
        if board[a] and board[a] == board[b] == board[c]:
            return int(board[a])
    return None


def empty_cells(board):
    return [cell for cell in range(9) if board[cell] == 0]


class Five(BaseGameEnv):
    """Five methods on the base; it says nothing about draws."""

    def __init__(self):
        super().__init__(3)
        self.reset()

    def reset(self):
        self.board = np.zeros(9, dtype=np.int8)
        self.current_player, self.done, self.winner = 1, False, None
        return self.board.copy()

    def get_legal_actions(self):
        return empty_cells(self.board)

    def step(self, cell):
        if self.board[cell] != 0:
            raise ValueError("taken")
        self.board[cell] = self.current_player
        self.winner = winner_on(self.board)
        self.done = self.winner is not None
        if not self.done:
            self.current_player *= -1

    def copy(self):
        twin = type(self)()
        twin.board, twin.current_player = self.board.copy(), self.current_player
        twin.done, twin.winner = self.done, self.winner
        return twin


class Plain:
    """No base; a flat array of numbers."""

    def __init__(self):
        self.board = np.zeros(9, dtype=int)
        self.current_player, self.winner = 1, None

    def get_legal_moves(self):
        return empty_cells(self.board)

    def step(self, cell):
        self.board[cell] = self.current_player
        self.winner = winner_on(self.board) or self.winner
        self.current_player = -self.current_player


def play(env, moves):
    answer = None
    for move in moves:
        answer = env.step(move)
    return answer


class WonIsOver:
    """A class that calls a full board unfinished."""

    def is_terminal(self):
        return self.winner is not None


class FiveWonIsOver(WonIsOver, Five):
    pass


class PlainWonIsOver(WonIsOver, Plain):
    pass


@pytest.mark.parametrize("make", [FiveWonIsOver, adapt_game(PlainWonIsOver)])
def test_a_full_board_is_a_draw_also_if_the_class_does_not_say_so(make):
    env = make()
    assert play(env, DRAW)[2] is True
    assert (env.winner, env.done) == (0, True)
    env = make()
    play(env, (0, 4))
    assert MinimaxSolver()._minimax(env, depth=0, maximize=True) == 0


class ResultAtAnyTime(PlainWonIsOver):
    def get_result(self, player):
        return float((self.winner or 0) * player)


def test_a_result_before_the_end_is_not_offered():
    check_game(ResultAtAnyTime, games=1)


class ListAsHash(Plain):
    def get_state_hash(self):
        return self.board.tolist()


class BoardAsHash(Plain):
    def get_state_hash(self):
        return tuple(self.board)


def test_positions_have_our_keys():
    plain = ListAsHash()
    play(plain, (0, 4, 8))
    assert MinimaxSolver().get_best_action(plain) in (1, 3, 5, 7)
    one, other = adapt_game(BoardAsHash)(), adapt_game(BoardAsHash)()
    other.reset(-1)
    assert one.get_state_hash() != other.get_state_hash()
    assert one != other


class LargeNumbers(Plain):
    def evaluate_heuristic(self, player):
        return float((self.board * 200).sum()) / 2000 * player


class ZeroForNobody(Plain):
    def __init__(self):
        super().__init__()
        self.winner = 0

    def evaluate_heuristic(self, player):
        return 1.0 if self.winner != 0 else 0.0


@pytest.mark.parametrize(("plain", "value"), [(LargeNumbers, 0.1), (ZeroForNobody, 0.0)])
def test_plain_code_sees_its_own_numbers(plain, value):
    env = adapt_game(plain)()
    env.step(0)
    assert env.evaluate_heuristic(1) == value
    assert env.own_object().board.dtype == plain().board.dtype


@pytest.mark.parametrize("make", [Five, adapt_game(Plain)])
def test_threads_may_copy_one_game(make):
    env = make()
    play(env, (0, 4))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def work():
        for _ in range(200):
            env.copy().step(8)

    threads = [threading.Thread(target=work) for _ in range(4)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    env.step("b1")
    assert env.history == [0, 4, 1]


@pytest.mark.parametrize("nobody", [None, 0])
def test_nobody_may_be_to_move_at_the_end(nobody):
    class Ends(Five):
        def step(self, cell):
            super().step(cell)
            if self.done:
                self.current_player = nobody

    env = Ends()
    answer = play(env, (0, 3, 1, 4, 2))
    assert answer[1:3] == (1.0, True)
    assert (env.current_player, env.history, env.undo()) == (1, [0, 3, 1, 4, 2], 2)


def test_a_shallow_copy_shares_no_board():
    class Shallow(Five):
        def copy(self):
            return copy.copy(self)

    env = Shallow()
    play(env, (0, 4, 8))
    assert MinimaxSolver().get_best_action(env) in (1, 3, 5, 7)
    assert np.flatnonzero(env.board).tolist() == [0, 4, 8]


def test_legal_moves_may_depend_on_the_last_move_and_the_count():
    class BesideTheLast(Five):
        def get_legal_actions(self):
            last, count = self.last_move, self.move_count
            return [
                cell
                for cell in empty_cells(self.board)
                if not count or max(abs(cell // 3 - last // 3), abs(cell % 3 - last % 3)) == 1
            ]

    env = BesideTheLast()
    env.step(0)
    assert env.get_legal_moves() == [1, 3, 4]


class Handicap(Five):
    """All eight methods; whoever has more pieces is ahead, and X begins with one more."""

    def reset(self):
        super().reset()
        self.board[[4, 0, 8]] = 1, 1, -1
        return self.board.copy()

    def get_legal_moves(self):
        return self.get_legal_actions()

    def is_terminal(self):
        return not (self.board == 0).any()

    def check_win(self, player):
        return int(self.board.sum()) * player > 0

    def get_result(self, player):
        return float(np.sign(self.board.sum()) * player)

    def get_state_hash(self):
        return self.board.tobytes(), self.current_player

    def step(self, cell):
        if self.done:
            raise ValueError("the game is over")
        self.board[cell] = self.current_player
        self.current_player *= -1
        self.done = self.is_terminal()
        return self.board.copy(), 0.0, self.done, {}


def test_a_start_that_the_constructor_sets_up_is_not_judged():
    class PiecesAtTheStart(Five):
        def reset(self):
            super().reset()
            self.board[[4, 0]] = 1, -1
            return self.board.copy()

    assert Handicap().step(1)[2] is False
    env = PiecesAtTheStart()
    assert env.move_count == 0
    assert env.step(1)[3]["move_count"] == 1


def test_views_of_the_board_stay_views():
    class Grid(Five):
        def reset(self):
            self.board = np.zeros(9, dtype=int)
            self.grid = self.board.reshape(3, 3)
            self.current_player, self.winner, self.done = 1, None, False
            return self.board.copy()

        def step(self, cell):
            self.board[cell] = self.current_player
            if abs(self.grid.sum(axis=1)).max() == 3:
                self.winner, self.done = self.current_player, True
            else:
                self.current_player *= -1

    env = Grid()
    assert play(env, (0, 3, 1, 4, 2))[2] is True
    assert env.winner == 1


@pytest.mark.parametrize("calls_base", [True, False])
def test_the_board_may_be_a_property(calls_base):
    class Cells(BaseGameEnv):
        def __init__(self):
            self.cells = [0] * 9
            if calls_base:
                super().__init__(3)
            self.current_player = 1

        @property
        def board(self):
            return np.array(self.cells, dtype=np.int8)

        @board.setter
        def board(self, board):
            self.cells = [int(value) for value in np.ravel(board)]

        def get_legal_moves(self):
            return empty_cells(self.cells)

        def step(self, cell):
            self.cells[cell] = self.current_player
            self.winner = winner_on(self.cells)
            self.done = self.winner is not None
            self.current_player *= 1 if self.done else -1

    env = Cells()
    play(env, (0, 1))
    assert env.history == [0, 1]
    env.board = np.array([1, 1, 0, -1, -1, 0, 0, 0, 0])
    assert env.history == []
    assert MinimaxSolver().get_best_action(env) == 2


def test_a_property_may_keep_the_array_under_the_base_s_own_name():
    class Array(Five):
        @property
        def board(self):
            return self._board

        @board.setter
        def board(self, board):
            self._board = np.array(board, dtype=np.int8)

    env = Array()
    play(env, (0, 1))
    assert env.history == [0, 1]
    env.board = np.array([1, 1, 0, -1, -1, 0, 0, 0, 0])
    assert MinimaxSolver().get_best_action(env) == 2


def test_the_base_s_reset_keeps_the_size():
    class Sized(Five):
        def __init__(self, size=3):
            BaseGameEnv.__init__(self, size)

        def reset(self, first_player=1):
            return BaseGameEnv.reset(self, first_player)

    env = Sized(4)
    env.reset()
    assert (env.rows, len(env.board)) == (4, 16)


def test_a_failed_move_takes_nothing_away():
    class Breaks(Five):
        def step(self, cell):
            if cell == 7:
                self.board[7] = 1
                raise RuntimeError("broken")
            return super().step(cell)

    env = Breaks()
    env.step(0)
    env.player_name = "Ann"
    with pytest.raises(RuntimeError, match="broken"):
        env.step(7)
    assert (env.player_name, env.history, env.board[7]) == ("Ann", [0], 0)


@pytest.mark.parametrize("name", ["_legal", "_snapshot", "_see", "_clear", "_judge", "_placed"])
def test_helpers_may_have_any_simple_name(name):
    helper = {name: lambda self: empty_cells(self.board)}
    env = type("Helped", (Five,), helper)()
    play(env, (0, 1))
    assert getattr(env, name)() == env.get_legal_moves() == [2, 3, 4, 5, 6, 7, 8]
    assert (env.undo(), env.history) == (1, [0])


def test_moves_may_be_listed_by_a_generator_or_as_fractions():
    class Generated(Handicap):
        def get_legal_moves(self):
            yield from empty_cells(self.board)

    class Fractions(Five):
        def get_legal_actions(self):
            return [float(cell) for cell in empty_cells(self.board)]

    env = Generated()
    env.board = np.array([1, -1, 0, 0, 0, 0, 0, 0, 0])
    assert env.done is False
    env = Fractions()
    env.step(4)
    assert env.history == [4]
    assert env.get_legal_moves() == [0, 1, 2, 3, 5, 6, 7, 8]
    with pytest.raises(ValueError, match="taken"):
        env.step(4)
