"""Random numbers that depend on the seed and the position only.

This is the only place where a seed is made from a position, and it is made from its text, byte for
byte as it always was: the text is the same in every process and in every year, ``hash()`` is not.
"""

from __future__ import annotations

import random

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.position import position_to_text


def rng_of(seed: int, env: BaseGameEnv, purpose: str = "") -> random.Random:
    """A generator that depends on the seed and the position only.

    With another ``purpose`` the same seed gives independent numbers.
    """
    words = [purpose] if purpose else []
    return random.Random(" ".join([*words, str(seed), env.name, position_to_text(env)]))


def new_seed() -> int:
    """An unpredictable seed."""
    return random.SystemRandom().randrange(1 << 32)
