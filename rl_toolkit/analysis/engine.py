"""`Engine`: anything that analyses positions."""

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
