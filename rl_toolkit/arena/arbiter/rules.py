"""`Rules`: what the arbiter of a match asks of both engines."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from rl_toolkit.analysis import Limit
from rl_toolkit.arena.arbiter.clocks import GRACE, GameClock

NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a match; without any, engines have only the limits of their own specs.

    Attributes:
        clock: the time of each engine for a game; one that exceeds it loses the game.
        limit: a limit of every move for both engines, beside their own. An engine that takes more
            time, or knows the limit and reports more nodes, simulations or depth, loses the game;
            see `arbiter.limits` for what it may take beyond it.
        adjudicate: a game ends when an engine proves its result and at most this many plies are
            left with best play; 0: never.
        grace: seconds beyond a clock or a limit that are not counted.

    Raises ``ValueError`` for a negative ``adjudicate``, for a ``grace`` outside 0 to 60 seconds,
    and for a clock together with a time for every move.
    """

    clock: GameClock | None = None
    limit: Limit = NO_LIMIT
    adjudicate: int = 0
    grace: float = GRACE

    def __post_init__(self) -> None:
        if self.adjudicate < 0:
            raise ValueError(f"adjudicate must be at least 0 plies, not {self.adjudicate}")
        if not 0 <= self.grace <= 60:
            raise ValueError(f"grace must be from 0 to 60 seconds, not {self.grace:g}")
        if self.clock is not None and self.limit.time is not None:
            raise ValueError("a match has a clock or a time for every move, not both")

    def to_dict(self) -> dict[str, Any]:
        """The rules that differ from the defaults, as plain data; empty without any."""
        data: dict[str, Any] = {}
        if self.clock is not None:
            data["clock"] = str(self.clock)
        if limit := {name: value for name, value in asdict(self.limit).items() if value}:
            data["limit"] = limit
        if self.adjudicate:
            data["adjudicate"] = self.adjudicate
        if self.grace != GRACE:
            data["grace"] = self.grace
        return data


#: The rules of a match that names none.
NO_RULES = Rules()


def limit_from_text(text: str) -> Limit:
    """The limit of ``nodes=5000`` or ``time=0.5,depth=6``; raises ``ValueError``.

    >>> limit_from_text("time=0.5, nodes=5000")
    Limit(time=0.5, nodes=5000, depth=None, simulations=None)
    """
    names = [part.name for part in fields(Limit)]
    limits: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if name not in names or not equals:
            raise ValueError(
                f"limits are written {', '.join(f'{option}=N' for option in names)}, not {part!r}"
            )
        if name in limits:
            raise ValueError(f"{name} is given twice")
        try:
            limits[name] = float(value) if name == "time" else int(value)
        except ValueError:
            raise ValueError(f"{name} must be a positive number, not {value!r}") from None
    return Limit(**limits)
