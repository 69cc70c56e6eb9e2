"""Every sequence of step, undo, copy, set_position and assignments, against a naive model.

The model is a stack of boards: it knows no rules but the way pieces go onto the board, written out
once more as simply as can be, and judges a position by looking at every line again.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rl_toolkit.envs import GameOverError, IllegalMoveError, InvalidPositionError, make_game

DIRECTIONS = [(up, right) for up, right in product((-1, 0, 1), repeat=2) if (up, right) != (0, 0)]


class LineModel:
    """k in a row, with or without gravity: winner and legal moves of a tuple of cells."""

    def __init__(self, env):
        self.rows, self.cols, self.length = env.rows, env.cols, env.win_length
        self.exactly, self.falls = env.kernel_spec().exactly, env.name.startswith("connect-four")

    def at(self, board, row, col):
        return board[row * self.cols + col] if 0 <= row < self.rows and 0 <= col < self.cols else 0

    def has_line(self, board, player):
        owned = [divmod(cell, self.cols) for cell, piece in enumerate(board) if piece == player]
        for (row, col), (up, right) in product(owned, DIRECTIONS):
            if self.at(board, row - up, col - right) == player:
                continue  # not the first of its run
            run = 1
            while self.at(board, row + run * up, col + run * right) == player:
                run += 1
            if run == self.length or (run > self.length and not self.exactly):
                return True
        return False

    def winner(self, board, player):
        # If an assigned board shows two lines, the side not to move has moved last.
        for side in (-player, player):
            if self.has_line(board, side):
                return side
        return None if 0 in board else 0

    def reachable(self, board):
        """Whether set_position takes the board: players alternate, and stop when one has won."""
        winners = [player for player in (1, -1) if self.has_line(board, player)]
        return abs(sum(board)) <= 1 and len(winners) < 2 and -sum(board) not in winners

    def landing(self, board, move):
        if not self.falls:
            return move if board[move] == 0 else None
        column = [row * self.cols + move for row in range(self.rows)]
        return next((cell for cell in column if board[cell] == 0), None)

    def moves(self, board, player):
        count = self.cols if self.falls else len(board)
        return [move for move in range(count) if self.landing(board, move) is not None]

    def play(self, board, player, move):
        after = list(board)
        after[self.landing(board, move)] = player
        return tuple(after)


class ReversiModel:
    """Discs enclosed in any of eight directions are turned."""

    def __init__(self, env):
        self.side = env.rows

    def turned(self, board, player, cell):
        if board[cell]:
            return []
        row, col = divmod(cell, self.side)
        found = []
        for up, right in DIRECTIONS:
            line = []
            for distance in range(1, self.side):
                r, c = row + distance * up, col + distance * right
                if not (0 <= r < self.side and 0 <= c < self.side):
                    break
                piece = board[r * self.side + c]
                if piece == player:
                    found += line
                if piece != -player:
                    break
                line.append(r * self.side + c)
        return found

    def placements(self, board, player):
        return [cell for cell in range(len(board)) if self.turned(board, player, cell)]

    def winner(self, board, player):
        if self.placements(board, 1) or self.placements(board, -1):
            return None
        return int(np.sign(sum(board)))

    def reachable(self, board):
        return True

    def moves(self, board, player):
        return self.placements(board, player) or [len(board)]

    def play(self, board, player, move):
        after = list(board)
        if move < len(board):
            for cell in [move, *self.turned(board, player, move)]:
                after[cell] = player
        return tuple(after)


class GameMachine(RuleBasedStateMachine):
    """A game and its model, driven together."""

    name = ""

    @initialize(first_player=st.sampled_from([1, -1]))
    def start(self, first_player):
        self.env = make_game(self.name)
        self.model = (ReversiModel if "reversi" in self.name else LineModel)(self.env)
        self.env.reset(first_player)
        self.player = first_player
        self.board = tuple(self.env.board.tolist())
        self.past = []  # (move, board before it, player before it)
        self.winners = {}
        self.left_behind = []  # copies that must not change any more

    @property
    def winner(self):
        position = self.board, self.player
        if position not in self.winners:
            self.winners[position] = self.model.winner(*position)
        return self.winners[position]

    def legal(self):
        return [] if self.winner is not None else self.model.moves(self.board, self.player)

    @precondition(lambda self: self.winner is None)
    @rule(choices=st.lists(st.integers(0, 10**6), min_size=1, max_size=12))
    def play(self, choices):
        """Some moves in a row, up to the end of the game."""
        for choice in choices:
            legal = self.legal()
            if legal:
                self.step(legal[choice % len(legal)])

    def step(self, move):
        board, reward, done, info = self.env.step(move)
        self.past.append((move, self.board, self.player))
        self.board = self.model.play(self.board, self.player, move)
        if self.winner is None:
            self.player = -self.player
        assert tuple(board.tolist()) == self.board
        assert (reward, done) == (float(self.winner or 0), self.winner is not None)
        assert info["winner"] == self.winner
        for name in ("move_count", "last_move", "winning_line"):
            assert info[name] == getattr(self.env, name)

    @rule(data=st.data())
    def refused_step(self, data):
        """Illegal and impossible moves: nothing happens."""
        known = set(self.legal())
        illegal = [move for move in range(-1, self.env.num_moves + 1) if move not in known]
        move = data.draw(st.sampled_from(illegal))
        expected = GameOverError if self.winner is not None else IllegalMoveError
        with pytest.raises(expected):
            self.env.step(move)

    @precondition(lambda self: self.past)
    @rule(times=st.integers(1, 8))
    def undo(self, times):
        for _ in range(min(times, len(self.past))):
            move, self.board, self.player = self.past.pop()
            assert self.env.undo() == move
            self.the_game_shows_what_the_model_knows()

    @precondition(lambda self: not self.past)
    @rule()
    def undo_nothing(self):
        with pytest.raises(IllegalMoveError):
            self.env.undo()

    @rule(go_on_with_the_copy=st.booleans())
    def copy(self, go_on_with_the_copy):
        twin = self.env.copy()
        env, other = (twin, self.env) if go_on_with_the_copy else (self.env, twin)
        self.env = env
        self.left_behind.append((other, other.get_state_hash(), other.history))

    @rule(cells=st.data(), player=st.sampled_from([1, -1]))
    def assign(self, cells, player):
        """Any board at all, as course code does it."""
        self.put(self.some_board(cells), player)

    def some_board(self, cells):
        """Few or many pieces anywhere; in Connect Four they have fallen."""
        most = min(16, len(self.board))
        filled = cells.draw(st.lists(st.sampled_from([-1, 0, 1]), max_size=most))
        board = np.array(filled + [0] * (len(self.board) - len(filled)))
        if getattr(self.model, "falls", False):
            grid = board.reshape(self.env.rows, self.env.cols)
            for col in range(self.env.cols):
                pieces = grid[:, col][grid[:, col] != 0]
                grid[:, col] = [*pieces, *[0] * (self.env.rows - len(pieces))]
        return tuple(board.tolist())

    def put(self, board, player):
        if (board, player) != (self.board, self.player):
            self.past = []
        self.board, self.player = board, player
        self.env.board, self.env.current_player = np.array(board), player
        self.env.done = False

    @rule(cell=st.integers(0, 10**6), piece=st.sampled_from([-1, 0, 1]))
    def write(self, cell, piece):
        """One cell written into the board; in Connect Four only where it can stand."""
        cell %= len(self.board)
        if getattr(self.model, "falls", False):
            below, above = cell - self.env.cols, cell + self.env.cols
            if piece and below >= 0 and not self.board[below]:
                return
            if not piece and above < len(self.board) and self.board[above]:
                return
        if self.board[cell] != piece:
            self.past = []
        self.env.board[cell] = piece
        self.board = (*self.board[:cell], piece, *self.board[cell + 1 :])

    @rule(cells=st.data(), player=st.sampled_from([1, -1]), here=st.booleans())
    def set_position(self, cells, player, here):
        """Set this very position up, or another; what play cannot reach is refused."""
        board, player = (self.board, self.player) if here else (self.some_board(cells), player)
        if self.model.reachable(board):
            self.env.set_position(list(board), player)
            self.board, self.player, self.past = board, player, []
        else:
            with pytest.raises(InvalidPositionError):
                self.env.set_position(list(board), player)

    @rule(player=st.sampled_from([1, -1]))
    def reset(self, player):
        self.env.reset(player)
        self.board, self.player, self.past = tuple(make_game(self.name).board.tolist()), player, []

    @invariant()
    def the_game_shows_what_the_model_knows(self):
        env, winner = self.env, self.winner
        assert tuple(env.board.tolist()) == self.board
        assert env.current_player == self.player
        assert env.winner == winner
        assert env.done == env.is_terminal() == (winner is not None)
        assert env.get_legal_moves() == self.legal()
        assert env.history == [move for move, _, _ in self.past]
        assert env.get_state_hash() == bytes(np.array(self.board, dtype=np.int8)) + (
            b"X" if self.player == 1 else b"O"
        )
        if winner is not None:
            assert (env.get_result(1), env.get_result(-1)) == (float(winner), float(-winner))

    @invariant()
    def copies_left_behind_do_not_change(self):
        for env, state_hash, history in self.left_behind:
            assert env.get_state_hash() == state_hash
            assert env.history == history


def _machine(name, examples=20):
    kind = type(f"Machine_{name}", (GameMachine,), {"name": name})
    case = kind.TestCase
    case.settings = settings(max_examples=examples, stateful_step_count=30, deadline=None)
    return case


TestTicTacToe = _machine("tictactoe")
TestTicTacToe354 = _machine("tictactoe-3x5x4")
TestConnectFour = _machine("connect-four")
TestConnectFour443 = _machine("connect-four-4x4x3")
TestGomoku = _machine("gomoku-9")
TestGomokuExactlyThree = _machine("gomoku-9x9x3-standard")
TestReversi4 = _machine("reversi-4")
TestReversi6 = _machine("reversi-6")


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    [
        *("tictactoe", "tictactoe-3x5x4", "connect-four", "connect-four-4x4x3"),
        *("gomoku-9", "gomoku-9x9x3-standard", "reversi-4", "reversi-6"),
    ],
)
def test_many_sequences(name):
    _machine(name, examples=200)("runTest").runTest()
