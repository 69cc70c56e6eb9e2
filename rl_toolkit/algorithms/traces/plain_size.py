"""Count the positions that plain minimax visits, to say what a cut saves."""

from __future__ import annotations

from collections.abc import Hashable

from rl_toolkit.algorithms.minimax.negamax import UNLIMITED
from rl_toolkit.envs import BaseGameEnv

#: The distinct positions that are looked at for one trace; beyond them counts are unknown.
MOST_LOOKED_AT = 8_000


class PlainSize:
    """The size of game trees, equal positions counted once and added as often as they occur."""

    def __init__(self, most: int = MOST_LOOKED_AT) -> None:
        self._left = most
        self._known: dict[Hashable, int] = {}

    def count(self, env: BaseGameEnv, depth: int) -> int | None:
        """The nodes of plain minimax from here; ``None`` if there are too many to count.

        ``env`` is played and taken back.
        """
        if self._left <= 0:
            return None
        if depth == 0 or env.is_terminal():
            return 1
        limited = depth < UNLIMITED // 2
        key = (env.get_state_hash(), depth if limited else None)
        if key in self._known:
            return self._known[key]
        self._left -= 1
        total = 1
        for move in env.get_legal_moves():
            env.step(move)
            below = self.count(env, depth - 1)
            env.undo()
            if below is None:
                return None
            total += below
        self._known[key] = total
        return total
