"""A game tree given by nested lists, as a game: for searches on random trees."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from rl_toolkit.envs import BaseGameEnv

Bush = Any  # a number, or a list of bushes


def random_bush(rng: random.Random, depth: int, widest: int = 4, least: int = 1) -> Bush:
    """A tree of at most ``depth`` plies with leaves from −0.9 to 0.9; some end early."""
    if depth == 0 or (least == 1 and rng.random() < 0.1):
        return rng.randint(-9, 9) / 10
    return [random_bush(rng, depth - 1, widest, least) for _ in range(rng.randint(least, widest))]


class TreeGame(BaseGameEnv):
    """The sides move in turns down a tree; a leaf is the result for player +1."""

    _keeps_own_history = True

    def __init__(self, bush: Bush, first: int = 1) -> None:
        super().__init__((1, 5))
        self.bush, self.first = bush, first
        self.reset()

    def reset(self, first_player: int | None = None) -> Any:
        self.branches: list[Bush] = [self.bush]
        self.path: list[int] = []
        self.board = np.zeros(5, dtype=np.int8)
        self.current_player = self.first
        return self.board

    def here(self) -> Bush:
        return self.branches[-1]

    def get_legal_moves(self) -> list[int]:
        return list(range(len(self.here()))) if isinstance(self.here(), list) else []

    def step(self, move: Any) -> Any:
        self.path.append(move)
        self.branches.append(self.here()[move])
        self.current_player = -self.current_player
        return self.board, 0.0, self.is_terminal(), {}

    def undo(self) -> Any:
        self.branches.pop()
        self.current_player = -self.current_player
        return self.path.pop()

    @property
    def history(self) -> list[int]:
        return self.path

    def is_terminal(self) -> bool:
        return not isinstance(self.here(), list)

    def check_win(self, player: int) -> bool:
        return self.is_terminal() and self.here() * player > 0

    def get_result(self, player: int) -> float:
        return float(self.here() * player)

    def copy(self) -> TreeGame:
        other = TreeGame(self.bush, self.first)
        for move in self.path:
            other.step(move)
        return other

    def get_state_hash(self) -> Any:
        return tuple(self.path), self.current_player
