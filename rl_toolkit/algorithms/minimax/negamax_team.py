"""`NegamaxTeam`: a compiled minimax search by several threads, each on a move of its own.

The threads share the table, which keeps its size meanwhile; everything else belongs to one thread.
The first nodes are left to the calling thread, so that short searches start no others.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from rl_toolkit.algorithms.minimax.compiled_negamax import CompiledNegamax
from rl_toolkit.algorithms.minimax.negamax import Options, Result, SearchStopped
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.kernels.search import negamax as kernel
from rl_toolkit.kernels.threads.crew import together

#: Nodes that the calling thread searches alone.
ALONE = 20_000


class NegamaxTeam(CompiledNegamax):
    """A `CompiledNegamax` for ``threads`` threads."""

    def __init__(
        self,
        env: BaseGameEnv,
        rules: CompiledRules,
        options: Options,
        max_memory_mb: float,
        threads: int,
    ) -> None:
        self.threads = threads
        self._others = list[CompiledNegamax]()
        super().__init__(env, rules, options, max_memory_mb)
        self._others = [
            CompiledNegamax(env, rules, options, max_memory_mb) for _ in range(threads - 1)
        ]

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return super().nodes + sum(other.nodes for other in self._others)

    @property
    def hits(self) -> int:
        """Positions answered by the table."""
        return super().hits + sum(other.hits for other in self._others)

    @property
    def deepest(self) -> int:
        """The deepest ply reached."""
        return max([super().deepest, *(other.deepest for other in self._others)])

    def search_moves(
        self, env: BaseGameEnv, moves: Sequence[int], depth: int
    ) -> tuple[dict[int, Result], bool]:
        """Score each of these moves, until stopped; and whether all were finished."""
        if len(moves) < 2 or self.nodes < ALONE:
            return super().search_moves(env, moves, depth)
        try:
            self._start(env, depth)  # gives the table its size
        except SearchStopped:
            return {}, False
        found: dict[int, Result] = {}
        waiting, lock, stopped = iter(moves), threading.Lock(), threading.Event()
        team: list[CompiledNegamax] = [self, *self._others]
        limit, left = self.node_limit, max(0, self.node_limit - self.nodes)
        for member in team:
            member.lend(self)
            member.node_limit = int(member._run[kernel.NODES]) + left // len(team)

        def work(number: int) -> None:
            while not stopped.is_set():
                with lock:
                    move = next(waiting, None)
                if move is None:
                    return
                try:
                    found[move] = team[number].search_move(env, move, depth)
                except SearchStopped:
                    stopped.set()

        try:
            together(work, min(self.threads, len(moves)), stopped.set)
        finally:
            self.node_limit = limit
            for member in team:
                member.lend(None)
            for other in self._others:
                self._run[kernel.USED] += other._run[kernel.USED]
                other._run[kernel.USED] = 0
        return found, not stopped.is_set()
