"""Games as course students type them: on `BaseGameEnv` with gaps, and without any base class."""

import numpy as np

from rl_toolkit.envs import BaseGameEnv

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class HandoutTicTacToe(BaseGameEnv):
    """Five methods and four attributes; moves are not checked for their range."""

    def __init__(self, board_size=3, win_length=None):
        super().__init__(board_size)
        self.win_length = win_length or board_size
        self.reset()

    def reset(self):
        self.board = np.zeros(self.board_size * self.board_size, dtype=int)
        self.current_player = 1
        self.done = False
        self.winner = None
        return self.board

    def get_legal_actions(self):
        if self.done:
            return []
        return [i for i in range(len(self.board)) if self.board[i] == 0]

    def step(self, action):
        if self.done:
            raise ValueError("Game is over")
        if self.board[action] != 0:
            raise ValueError("Cell is taken")
        self.board[action] = self.current_player
        line = self._find_line(self.current_player)
        reward = 0.0
        if line is not None:
            self.done, self.winner = True, self.current_player
            reward = float(self.current_player)
        elif not (self.board == 0).any():
            self.done, self.winner = True, 0
        self.current_player = -self.current_player
        return self.board.copy(), reward, self.done, {"winner": self.winner, "winning_line": line}

    def _find_line(self, player):
        size, k = self.board_size, self.win_length
        grid = self.board.reshape(size, size)
        for row in range(size):
            for col in range(size):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + i * down, col + i * right) for i in range(k)]
                    if all(
                        0 <= r < size and 0 <= c < size and grid[r, c] == player for r, c in cells
                    ):
                        return [r * size + c for r, c in cells]
        return None

    def copy(self):
        new_game = HandoutTicTacToe(self.board_size, self.win_length)
        new_game.board = self.board.copy()
        new_game.current_player = self.current_player
        new_game.done = self.done
        new_game.winner = self.winner
        return new_game
