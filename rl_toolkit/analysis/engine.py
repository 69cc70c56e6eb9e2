"""`Engine`: anything that analyses positions, and `EngineError`: why one could not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from rl_toolkit.analysis.results import Analysis, Limit
from rl_toolkit.envs import BaseGameEnv

ProgressCallback = Callable[[Analysis], object]


class StopSignal(Protocol):
    """Anything that can ask a search to stop, such as a ``threading.Event``."""

    def is_set(self) -> bool:
        """Whether the search should end now."""


class EngineError(ValueError):
    """An engine from outside, a bot in a file or a program, could not answer.

    Attributes:
        engine: its name.
        reason: what happened, without the name: ``did not answer within 2 s``.
        position: the position that it was asked about, as text; empty if there was none.
    """

    def __init__(self, engine: str, reason: str, position: str = "") -> None:
        super().__init__(engine, reason, position)  # so that it can be pickled
        self.engine, self.reason, self.position = engine, reason, position

    def __str__(self) -> str:
        where = f" (position {self.position})" if self.position else ""
        return f"{self.engine} {self.reason}{where}"


@runtime_checkable
class Engine(Protocol):
    """Anything that analyses positions.

    ``analyse`` does not change ``env`` and returns an `Analysis` of its position. ``on_progress``
    receives partial analyses; exceptions it raises are ignored. ``stop`` ends the search within
    milliseconds with the best answer so far.
    """

    @property
    def name(self) -> str:
        """The engine's name in the registry of engines."""

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Analyse ``env``'s position within ``limit``."""
