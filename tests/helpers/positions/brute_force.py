"""The slowest, most obvious solver: an oracle for everything that claims to know a value."""

from __future__ import annotations

import random
from collections.abc import Hashable

from rl_toolkit.envs import BaseGameEnv, make_game

# A verdict is (value, plies): +1, 0, −1 for the side to move, and how long it takes when the
# winner hurries and the loser delays. For a draw, plies is 0 by convention.
Verdict = tuple[int, int]


class BruteForce:
    """Visits everything below a position, remembering what it has seen."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, Verdict] = {}

    def verdict(self, env: BaseGameEnv) -> Verdict:
        """Value and distance for the side to move."""
        key = (env.name, env.get_state_hash())
        if key not in self._seen:
            self._seen[key] = max(
                (self.after(env, move) for move in env.get_legal_moves()), key=_preference
            )
        return self._seen[key]

    def after(self, env: BaseGameEnv, move: int) -> Verdict:
        """Value and distance of one move, for the side that plays it."""
        player = env.current_player
        env.step(move)
        try:
            if env.is_terminal():
                value = int(env.get_result(player))
                return value, (1 if value else 0)
            value, plies = self.verdict(env)
            return -value, (plies + 1 if value else 0)
        finally:
            env.undo()


def _preference(verdict: Verdict) -> tuple[int, int]:
    value, plies = verdict
    return value, -plies if value > 0 else plies


def random_positions(name: str, most_empty: int, count: int, seed: int) -> list[BaseGameEnv]:
    """Running games played at random until at most ``most_empty`` cells are empty."""
    rng = random.Random(seed)
    found: list[BaseGameEnv] = []
    while len(found) < count:
        env = make_game(name)
        env.reset(rng.choice((1, -1)))
        wanted = rng.randint(1, most_empty)
        while not env.done and (env.board == 0).sum() > wanted:
            env.step(rng.choice(env.get_legal_moves()))
        if not env.done:
            found.append(env)
    return found


def all_positions(name: str) -> list[BaseGameEnv]:
    """Every running position that play can reach from the start."""
    found: dict[Hashable, BaseGameEnv] = {}
    waiting = [make_game(name)]
    while waiting:
        env = waiting.pop()
        if env.done or env.get_state_hash() in found:
            continue
        found[env.get_state_hash()] = env
        for move in env.get_legal_moves():
            child = env.copy()
            child.step(move)
            waiting.append(child)
    return list(found.values())
