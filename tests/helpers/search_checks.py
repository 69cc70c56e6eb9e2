"""Positions for searches, and brute force to hold their proofs to."""

from __future__ import annotations

import random
from functools import cache

from rl_toolkit.analysis import Analysis
from rl_toolkit.envs import BaseGameEnv, make_game


@cache
def _exact(game: str, key: tuple[bytes, int]) -> float:
    """Negamax without anything clever: the result for the side to move."""
    env = make_game(game)
    env.board = list(memoryview(key[0]).cast("b"))
    env.current_player = key[1]
    best = -2.0
    for move in env.get_legal_moves():
        after = env.copy()
        after.step(move)
        best = max(best, exact_after(after, env.current_player))
    return best


def exact_after(env: BaseGameEnv, player: int) -> float:
    """The result for ``player``, who has just moved."""
    return env.get_result(player) if env.is_terminal() else -exact(env)


def exact(env: BaseGameEnv) -> float:
    return _exact(env.name, (env.board.tobytes(), env.current_player))


def late_position(game: str, rng: random.Random, empty: int) -> BaseGameEnv:
    """A running game with about so many cells left."""
    while True:
        env = make_game(game)
        while not env.is_terminal() and (env.board == 0).sum() > empty:
            env.step(rng.choice(env.get_legal_moves()))
        if not env.is_terminal():
            return env


def check_proofs(env: BaseGameEnv, analysis: Analysis) -> int:
    """Compare every proof in an analysis with brute force; how many there were."""
    values = {"win": 1, "draw": 0, "loss": -1, None: None}
    proven = [candidate for candidate in analysis.candidates if candidate.proven]
    for candidate in proven:
        after = env.copy()
        after.step(candidate.move)
        assert values[candidate.outcome] == exact_after(after, env.current_player)
        assert candidate.value == values[candidate.outcome]
    if analysis.proven:
        assert values[analysis.outcome] == exact(env)
    return len(proven) + analysis.proven


def middle_position(game: str, rng: random.Random, most: float = 1.0) -> BaseGameEnv:
    """A running game after random moves on up to a share of the board."""
    while True:
        env = make_game(game)
        for _ in range(rng.randrange(int(most * len(env.board)))):
            if env.is_terminal():
                break
            env.step(rng.choice(env.get_legal_moves()))
        if not env.is_terminal():
            return env
