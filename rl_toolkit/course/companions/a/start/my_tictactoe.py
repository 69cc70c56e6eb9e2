"""Session 1: the game."""

import numpy as np


class TicTacToe:
    """A board with the attributes board, current_player, done and winner."""

    def __init__(self, board_size=3, win_length=None):
        raise NotImplementedError

    def reset(self):
        """Empty the board, X (+1) to move; returns a copy of the board."""
        raise NotImplementedError

    def get_legal_actions(self):
        """The numbers of the free cells, smallest first."""
        raise NotImplementedError

    def step(self, action):
        """Place a piece; returns board copy, reward, done, info."""
        raise NotImplementedError

    def copy(self):
        """A game that shares nothing with this one."""
        raise NotImplementedError
