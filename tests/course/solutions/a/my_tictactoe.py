import numpy as np


class TicTacToe:
    def __init__(self, board_size=3, win_length=None):
        win_length = board_size if win_length is None else win_length
        if win_length > board_size or win_length < 3:
            raise ValueError("win_length must be between 3 and the size of the board")
        self.board_size = board_size
        self.win_length = win_length
        self.reset()

    def reset(self):
        self.board = np.zeros(self.board_size**2, dtype=np.int8)
        self.current_player = 1
        self.done = False
        self.winner = None
        self.winning_line = None
        return self.board.copy()

    def get_legal_actions(self):
        return np.flatnonzero(self.board == 0)

    def step(self, action):
        if self.done:
            raise ValueError("the game is over")
        if not 0 <= action < len(self.board):
            raise ValueError(f"{action} is not a cell")
        if self.board[action] != 0:
            raise ValueError(f"cell {action} is taken")
        self.board[action] = self.current_player
        self.winning_line = self._find_line()
        if self.winning_line is not None:
            self.winner, self.done = self.current_player, True
        elif not (self.board == 0).any():
            self.winner, self.done = 0, True
        else:
            self.current_player = -self.current_player
        reward = float(self.winner or 0)
        info = {"winner": self.winner, "winning_line": self.winning_line}
        return self.board.copy(), reward, self.done, info

    def _find_line(self):
        n, k = self.board_size, self.win_length
        for row in range(n):
            for col in range(n):
                player = self.board[row * n + col]
                if player == 0:
                    continue
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    end_row, end_col = row + (k - 1) * down, col + (k - 1) * right
                    if not (0 <= end_row < n and 0 <= end_col < n):
                        continue
                    line = [(row + i * down) * n + col + i * right for i in range(k)]
                    if all(self.board[cell] == player for cell in line):
                        return line
        return None

    def copy(self):
        other = TicTacToe.__new__(TicTacToe)
        other.__dict__.update(self.__dict__)
        other.board = self.board.copy()
        return other
