"""Random numbers that depend on the seed and the position only."""

from __future__ import annotations

import random

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import position_to_text


def rng_of(seed: int, env: BaseGameEnv) -> random.Random:
    """A generator that depends on the seed and the position only."""
    return random.Random(f"{seed} {env.name} {position_to_text(env)}")


def new_seed() -> int:
    """An unpredictable seed."""
    return random.SystemRandom().randrange(1 << 32)
