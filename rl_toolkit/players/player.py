"""`Player`: an engine that knows how long it may think; itself an engine."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from rl_toolkit.analysis import Analysis, Engine, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class Player:
    """An engine with the limit it keeps when nobody says otherwise.

    Attributes:
        engine: who thinks.
        limit: used by `analyse` when it is given none.
        spec: the text from which the same player can be made again.
    """

    engine: Engine
    limit: Limit
    spec: str

    @property
    def name(self) -> str:
        """The name of the engine."""
        return self.engine.name

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """What the engine says within ``limit``, or within the player's own where none is given.

        A limit given takes the place of the player's own; `within` keeps both.
        """
        chosen = (limit or Limit()).or_else(self.limit)
        # An engine has defaults of its own for "no limit at all".
        return self.engine.analyse(env, None if chosen == Limit() else chosen, on_progress, stop)

    def within(self, limit: Limit) -> Player:
        """The same player who also keeps ``limit``: of each kind the tighter one holds.

        So a front door adds a clock to a level without making it think deeper. The ``spec``
        still names the player without the clock.
        """
        tighter = {}
        for part in fields(Limit):
            bounds = (getattr(self.limit, part.name), getattr(limit, part.name))
            tighter[part.name] = min((b for b in bounds if b is not None), default=None)
        return replace(self, limit=Limit(**tighter))
