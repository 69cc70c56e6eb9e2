"""Gomoku boards for tests, as lists of 0 (empty), 1 (black) and 2 (white)."""

import pytest

from rl_toolkit.algorithms.gomoku.proof_check import ProofChecker
from rl_toolkit.envs import Gomoku
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD

BOTH_RULES = pytest.mark.parametrize("rule", [FREESTYLE, STANDARD], ids=["freestyle", "standard"])


def board_of(rows):
    """The board of rows from the top, ``.xo``, and its size; row 1 is at the bottom."""
    rows = rows.split()
    return [".xo".index(c) for row in reversed(rows) for c in row], len(rows)


def game_with(board, size, rule=FREESTYLE, side=0):
    """A game with these stones, ``side`` (0 or 1) to move."""
    env = Gomoku(size, rule=rule.name)
    env.board = [(0, 1, -1)[stone] for stone in board]
    env.current_player = 1 if side == 0 else -1
    return env


def space_for(board, size, rule=FREESTYLE):
    """A workspace with these stones."""
    space = Workspace(size, rule, megabytes=1)
    space.set_up([(cell, stone - 1) for cell, stone in enumerate(board) if stone])
    return space


def holds(board, size, rule, side, proof):
    """Whether a proof for ``side`` (0 or 1), to move, answers every reply."""
    return ProofChecker(size, rule).refute(board, side + 1, proof) is None


def five_cells(board, size, side, rule):
    """The cells on which ``side`` (0 or 1) completes five."""
    checker = ProofChecker(size, rule)
    checker._board = board
    return [c for c, stone in enumerate(board) if not stone and checker._completes(c, side + 1)]


def random_board(chance, size, stones):
    """A board without five in a row, black and white in turn."""
    while True:
        board = [0] * (size * size)
        for k, cell in enumerate(chance.sample(range(size * size), stones)):
            board[cell] = 1 + k % 2
        checker = ProofChecker(size, FREESTYLE)
        checker._board = board
        if not any(stone and checker._wins(c) for c, stone in enumerate(board)):
            return board
