"""Breakthrough on a small board: moves from square to square, named in their own position.

A move is the square it ends on and the side it comes from: three pieces may reach a square. Which
square that is depends on who moves, so the same number has two names.
"""

import numpy as np

from rl_toolkit.envs import BaseGameEnv, GameTraits, IllegalMoveError, InvalidMoveError
from rl_toolkit.envs.validation import as_move

ROWS, COLS = 5, 4


class Breakthrough(BaseGameEnv):
    """Walk forward, straight or diagonally; take diagonally. The first one across wins."""

    traits = GameTraits(pieces=("White", "Black"), style="stones", row_one_at="bottom")

    def __init__(self):
        super().__init__((ROWS, COLS))
        self.reset()

    def reset(self, first_player=1):
        grid = np.zeros((ROWS, COLS), dtype=np.int8)
        grid[:2], grid[-2:] = 1, -1
        self.board = grid.reshape(-1)
        self.current_player, self.winner, self.done = first_player, None, False
        self.move_count, self.last_move = 0, None
        return self.board.copy()

    def ends(self, move):
        """The squares where a move begins and ends; the first may be off the board: ``None``."""
        cell, side = divmod(move, 3)
        row, col = cell // COLS - self.current_player, cell % COLS + side - 1
        inside = 0 <= row < ROWS and 0 <= col < COLS
        return (row * COLS + col if inside else None), cell

    @property
    def num_moves(self):
        return 3 * ROWS * COLS

    def get_legal_moves(self):
        return [] if self.is_terminal() else [m for m in range(self.num_moves) if self.fits(m)]

    def fits(self, move):
        begin, end = self.ends(move)
        if begin is None or self.board[begin] != self.current_player:
            return False
        return self.board[end] == 0 or (move % 3 != 1 and self.board[end] == -self.current_player)

    def is_terminal(self):
        return self.check_win(1) or self.check_win(-1)

    def check_win(self, player):
        far = self.board[-COLS:] if player == 1 else self.board[:COLS]
        return bool((far == player).any() or not (self.board == -player).any())

    def get_result(self, player):
        if not self.is_terminal():
            raise ValueError("the game is not over, so it has no result yet")
        return 1.0 if self.check_win(player) else -1.0

    def step(self, move):
        move = as_move(move)
        if move not in self.get_legal_moves():
            raise IllegalMoveError(f"{move} is not legal")
        begin, end = self.ends(move)
        board = self.board.copy()
        board[begin], board[end] = 0, self.current_player
        self.board = board
        self.move_count, self.last_move = self.move_count + 1, end
        if self.is_terminal():
            self.winner, self.done = self.current_player, True
        else:
            self.current_player = -self.current_player
        info = {"winner": self.winner, "winning_line": None}
        info |= {"move_count": self.move_count, "last_move": self.last_move}
        return self.board.copy(), float(self.winner or 0), self.done, info

    def get_state_hash(self):
        return self.board.tobytes(), self.current_player

    def landing_cell(self, move):
        return move // 3

    def move_name(self, move):
        if not 0 <= as_move(move) < self.num_moves:
            raise InvalidMoveError(f"{move} is not a move")
        square = super().move_name
        return "".join("-" if cell is None else square(cell) for cell in self.ends(move))

    def parse_move(self, text):
        for move in self.get_legal_moves():
            if self.move_name(move) == str(text).strip().lower():
                return move
        raise InvalidMoveError(f"{text!r} is not a move here")
