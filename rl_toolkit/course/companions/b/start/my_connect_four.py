"""Sessions 1 and 3: the game, and an estimate of a position."""

import numpy as np


class ConnectFour:
    """Attributes: board (row 0 is the bottom), current_player, winner, move_count, last_move."""

    def __init__(self, rows=6, cols=7, win_length=4):
        raise NotImplementedError

    def get_legal_moves(self):
        """The columns whose top cell is empty."""
        raise NotImplementedError

    def _find_lowest_row(self, col):
        """The row in which a piece lands; None if the column is full."""
        raise NotImplementedError

    def step(self, col):
        """Drop a piece; returns board copy, reward, done, info."""
        raise NotImplementedError

    def _check_win_from_position(self, index):
        """Whether the piece on this cell is part of a line."""
        raise NotImplementedError

    def is_terminal(self):
        raise NotImplementedError

    def get_result(self, player):
        """+1, -1 or 0 for that player; ValueError while the game runs."""
        raise NotImplementedError

    def copy(self):
        raise NotImplementedError

    def get_state_hash(self):
        """Different for different boards, and for different players to move."""
        raise NotImplementedError

    def render(self, mode="human"):
        """The board with the top row first; mode "ansi" returns the text."""
        raise NotImplementedError

    def evaluate_heuristic(self, player):
        """Session 3: an estimate from -1 to 1 in that player's view."""
        raise NotImplementedError
