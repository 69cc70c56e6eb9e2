"""`Player`: an engine with its limit, which is an engine itself."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from rl_toolkit.analysis import Analysis, Engine, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class Player:
    """An engine and its default limit.

    Attributes:
        engine: the engine that searches.
        limit: the limit that `analyse` uses if it is given none.
        spec: the text from which the same player can be made.
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
        """The analysis within ``limit``, or within the player's own limit if none is given.

        ``limit`` replaces the player's own; see `within` for keeping both.
        """
        if not (limit is None or isinstance(limit, Limit)):
            raise TypeError(f"a limit is written Limit(time=2) or Limit(depth=4), not {limit!r}")
        chosen = (limit or Limit()).or_else(self.limit)
        # Engines have their own defaults for "no limit".
        return self.engine.analyse(env, None if chosen == Limit() else chosen, on_progress, stop)

    def within(self, limit: Limit) -> Player:
        """The same player with the tighter of its own limit and ``limit``, for each part.

        Front ends use this to add a clock to a level without making it stronger. The ``spec`` stays
        the same.
        """
        tighter = {}
        for part in fields(Limit):
            bounds = (getattr(self.limit, part.name), getattr(limit, part.name))
            tighter[part.name] = min((b for b in bounds if b is not None), default=None)
        return replace(self, limit=Limit(**tighter))
