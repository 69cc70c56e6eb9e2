"""The limits of a server: every number that bounds a request, in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields


def _default_slots() -> int:
    """Searches that run at once: more than cores, so that short ones need not wait for long."""
    return max(4, 2 * (os.cpu_count() or 1))


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Bounds that hold for every request.

    Attributes:
        time: seconds that one search may think.
        endless_time: seconds after which a search without an end is ended.
        usual_time: seconds for an engine without any limit in its spec or in the request.
        review_time: seconds for each move of a reviewed game, unless the request says otherwise.
        memory_mb: megabytes that the table or tree of one search may take.
        kept_tables: clients whose tables are kept between their searches without an end.
        cells: the largest board, in cells.
        body_bytes: the largest request body.
        moves: the longest game in one request.
        tree_moves: moves of all lines of a tree in one request.
        games: the games of a file that are read.
        slots: searches that run at the same time.
        queue: searches that may wait for a slot, and quick ones besides; further ones get a 503.
        patience: seconds that a search waits for a slot before it gets a 503.
        tree_nodes: nodes that a tree view shows at most.
        trace_events, trace_bytes: the size of a trace; what exceeds it is folded.
        trace_nodes: positions that a traced search may visit.
        trace_time: seconds that recording a trace may take.
        experiment_time: seconds after which an experiment is stopped; it keeps what it has.
        request_time: seconds from the first byte of a request to its last; then it is given up.
        connections: connections that are open at the same time.

    Raises ``ValueError`` for a bound that cannot hold, such as 0 slots.
    """

    time: float = 30.0
    endless_time: float = 600.0
    usual_time: float = 2.0
    review_time: float = 0.5
    memory_mb: int = 128
    kept_tables: int = 4
    cells: int = 400
    body_bytes: int = 1 << 20
    moves: int = 1000
    tree_moves: int = 20_000
    games: int = 500
    slots: int = field(default_factory=_default_slots)
    queue: int = 256
    patience: float = 30.0
    tree_nodes: int = 1500
    trace_events: int = 25_000
    trace_bytes: int = 1_000_000
    trace_nodes: int = 100_000
    trace_time: float = 10.0
    experiment_time: float = 120.0
    request_time: float = 20.0
    connections: int = 1000

    def __post_init__(self) -> None:
        for bound in fields(self):
            value = getattr(self, bound.name)
            if bound.name != "queue" and not value > 0:
                raise ValueError(f"{bound.name} must be positive, not {value!r}")
        if self.queue < 0:
            raise ValueError(f"queue must not be negative, not {self.queue!r}")

    @property
    def connections_of_an_address(self) -> int:
        """Connections that one address may hold: half of all, but a class needs some hundreds."""
        return max(256, self.connections // 2)
