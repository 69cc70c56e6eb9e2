"""Random Reversi positions with a number of empty squares, and as machine words."""

import random

import numpy as np

from rl_toolkit.envs import Reversi


def position(empties, seed, size=8):
    chance = random.Random(seed)
    while True:
        env = Reversi(size)
        while not env.is_terminal():
            if np.count_nonzero(env.board == 0) == empties:
                return env
            env.step(chance.choice(env.get_legal_moves()))


def words(env):
    bits = [1 << i for i in range(64)]
    own = sum(b for b, piece in zip(bits, env.board, strict=True) if piece == env.current_player)
    other = sum(b for b, piece in zip(bits, env.board, strict=True) if piece == -env.current_player)
    return own, other
