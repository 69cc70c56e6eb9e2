"""`MixedEngine`: two engines, and a lot for every move that decides which of them plays it."""

from __future__ import annotations

import random
from dataclasses import replace

from rl_toolkit.algorithms import rng_of
from rl_toolkit.analysis import (
    Analysis,
    Engine,
    HasNetwork,
    Limit,
    ProgressCallback,
    StopSignal,
    prepare,
    use_machine_code,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players.kinds.mixing import MIX
from rl_toolkit.players.player import Player, make_engine
from rl_toolkit.players.spec import Spec


class MixedEngine:
    """Plays as ``strong``, except that with the probability ``slips`` it plays as ``weak``.

    The lot depends on the seed and the position only; without a seed every call draws a new one.
    Each of the two keeps its own limit, or a tighter one that `analyse` is given. Raises
    ``ValueError`` for ``slips`` outside 0 to 1.
    """

    name = "mix"

    def __init__(self, strong: Player, weak: Player, slips: float, seed: int | None = None) -> None:
        if not 0 <= slips <= 1:
            raise ValueError(f"slips must be a probability from 0 to 1, not {slips!r}")
        self.strong, self.weak, self.slips, self.seed = strong, weak, slips, seed
        #: As in other engines: ``True`` if machine code pays even for small searches, ``False``
        #: if none is used; for parts that were not told themselves.
        self.compiled: bool | None = None

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """The analysis of the engine that the lot chooses; a note says if it was the weak one."""
        is_slip = self._lot(env) < self.slips
        player = self.weak if is_slip else self.strong
        if self.compiled is not None:
            use_machine_code(player.engine, use=self.compiled)
        limited = player if limit is None else player.within(limit)
        analysis = limited.analyse(env, None, on_progress, stop)
        notes = (f"Left to {player.name}, the weaker of two engines",) if is_slip else ()
        return replace(analysis, engine=self.name, notes=(*analysis.notes, *notes))

    def _lot(self, env: BaseGameEnv) -> float:
        if self.seed is None:
            return random.SystemRandom().random()
        return rng_of(self.seed, env, "mix").random()

    # ------------------------------------------------------------- what its parts need

    def prepare(self, game: str) -> None:
        """Let both engines load or start what they need."""
        for player in (self.strong, self.weak):
            prepare(player.engine, game)

    def checksum(self, env: BaseGameEnv) -> str:
        """The checksums of the networks of both engines; empty without networks."""
        engines = (self.strong.engine, self.weak.engine)
        sums = (engine.checksum(env) for engine in engines if isinstance(engine, HasNetwork))
        return "+".join(filter(None, sums))


def make_mix(strong: Spec, weak: Spec, slips: float, seed: int | None) -> Engine:
    """The engine of a mix; both parts get its seed."""
    # A mix in a mix draws lots of its own: the same lot would decide both.
    inner = None if seed is None else seed + 1
    first, second = (
        make_engine(part.seeded(inner if part.kind == MIX else seed)) for part in (strong, weak)
    )
    return MixedEngine(first, second, slips, seed)
