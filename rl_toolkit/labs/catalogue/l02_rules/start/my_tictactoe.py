"""Tic-Tac-Toe of any size: so many in a row on so many rows and columns."""

import copy

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.validation import as_move


class MyTicTacToe(BaseGameEnv):
    """X is +1, O is -1, an empty cell is 0. Cells are numbered row by row from the top left.

    These attributes are there: board (a flat NumPy array), rows, cols, win_length, current_player,
    winner (None while the game runs, 0 for a draw), done, winning_line, move_count, last_move.
    """

    def __init__(self, board_size=3, win_length=None):
        """board_size is a side or (rows, cols); without win_length the shorter side counts."""
        super().__init__(board_size)  # rows, cols, an empty board, +1 to move, and the rest
        self.win_length = min(self.rows, self.cols) if win_length is None else win_length
        if not 3 <= self.win_length <= max(self.rows, self.cols):
            raise ValueError(f"nobody can have {self.win_length} in a row here; use 3 or more")

    # ------------------------------------------------------------ task 1: the start

    def reset(self, first_player=1):
        """Empty the board, let first_player move, and return a copy of the board."""
        return None  # TODO 1a: set all attributes that are named above, but rows, cols, win_length

    def get_legal_moves(self):
        """The free cells as a list of ints, smallest first; none when the game is over."""
        return None  # TODO 1b: is_terminal() comes in task 2; you can call it already

    def copy(self):
        """A game in the same position that shares nothing with this one."""
        return None  # TODO 1c: copy.copy(self), and a board of its own

    def get_state_hash(self):
        """A key: equal exactly if board and side to move are equal."""
        return None  # TODO 1d: self.board.tobytes() is the board as bytes

    # ------------------------------------------------------------ task 2: lines

    def find_line(self, player):
        """The cells of a line of the player as a list, None if there is no such line."""
        return None  # TODO 2a: win_length cells, in four directions, all on the board

    def check_win(self, player):
        """Whether the player has a line."""
        return None  # TODO 2b

    def is_terminal(self):
        """Whether the game is over. Reads the board, not a flag."""
        return None  # TODO 2c: a line of either side, or no free cell

    # ------------------------------------------------------------ task 3: moves

    def step(self, move):
        """Play a move. Return (copy of the board, reward for +1, done, info)."""
        move = as_move(move)  # refuses what is not a whole number: True, 1.5, None
        return None  # TODO 3: refuse, place, judge, swap

    # ------------------------------------------------------------ task 4: the result

    def get_result(self, player):
        """+1.0, -1.0 or 0.0 for the player; ValueError while the game runs."""
        return None  # TODO 4


if __name__ == "__main__":
    game = MyTicTacToe()
    if game.is_terminal() is None:
        print("Tasks 1 and 2 come first. Begin with TODO 1a.")
    else:
        for cell in (0, 1, 4, 2, 8):
            game.step(cell)
        print(game.board.reshape(3, 3))
        print("winner:", game.winner, "line:", game.winning_line)
