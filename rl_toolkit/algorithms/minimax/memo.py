"""`Memo`: the table of a minimax search, read like a dictionary of values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from rl_toolkit.algorithms.minimax.negamax import EXACT, LOWER, UNLIMITED, Entry, is_decisive
from rl_toolkit.envs import BaseGameEnv


class Bounds(NamedTuple):
    """The least and the greatest value that a position can have for player +1."""

    least: float
    greatest: float


class Memo(Mapping[Hashable, float]):
    """The values of the positions in a table, from player +1's view.

    Only exact values are entries of the memo. What a cut-off search stored is a bound, and is in
    `bounds`. A search with a depth limit stores what positions are worth at that depth.

    The key of a position is its ``get_state_hash()`` or, after a compiled search or one that uses
    symmetry, its Zobrist key. The position itself can be looked up in both cases:

    >>> from rl_toolkit.algorithms.minimax import MinimaxSolver
    >>> from rl_toolkit.envs import TicTacToe
    >>> solver, env = MinimaxSolver(), TicTacToe()
    >>> solver.value(env)
    0.0
    >>> solver.memo[env.get_state_hash()], solver.memo[env]
    (0.0, 0.0)
    """

    def __init__(
        self, table: Mapping[Hashable, Any], key_of: Callable[[BaseGameEnv], Hashable]
    ) -> None:
        self._table = table
        self._key_of = key_of

    def __getitem__(self, position: BaseGameEnv | Hashable) -> float:
        key = self._key_of(position) if isinstance(position, BaseGameEnv) else position
        least, greatest = bounds_of(self._table[key])
        if least != greatest:
            raise KeyError(position)
        return least

    def __setitem__(self, position: BaseGameEnv | Hashable, value: float) -> None:
        """Store an exact value of player +1; for searches that a subclass writes."""
        if not isinstance(self._table, dict):
            raise TypeError("the table of a compiled search cannot be written")
        key = self._key_of(position) if isinstance(position, BaseGameEnv) else position
        self._table[key] = Entry(value, UNLIMITED, EXACT, -1, 1)

    def __iter__(self) -> Iterator[Hashable]:
        return (key for key, entry in self._table.items() if _is_exact(entry))

    def __len__(self) -> int:
        return sum(map(_is_exact, self._table.values()))

    @property
    def bounds(self) -> dict[Hashable, Bounds]:
        """The entries that are only bounds: (least, greatest) for player +1."""
        return {key: bounds_of(entry) for key, entry in self._table.items() if not _is_exact(entry)}

    def __repr__(self) -> str:
        exact, stored = len(self), len(self._table)
        return f"<Memo: {exact:,} values and {stored - exact:,} bounds>"

    def key_of(self, env: BaseGameEnv) -> Hashable:
        """The key of a position in this memo."""
        return self._key_of(env)


def bounds_of(entry: Entry) -> Bounds:
    """What an entry says about its position, for player +1."""
    score, side = entry.score, entry.side
    value = ((score > 0) - (score < 0) if is_decisive(score) else score) * side + 0.0
    if entry.bound == EXACT:
        return Bounds(value, value)
    at_least = (entry.bound == LOWER) == (side == 1)
    return Bounds(value, 1.0) if at_least else Bounds(-1.0, value)


def _is_exact(entry: Entry) -> bool:
    least, greatest = bounds_of(entry)
    return least == greatest
