"""`Workspace`: a Gomoku board with the memory and the limits of its searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku import layout
from rl_toolkit.kernels.gomoku.fours import CELL_BITS, CELL_MASK, find_fours
from rl_toolkit.kernels.gomoku.geometry import keys
from rl_toolkit.kernels.gomoku.pvs import (
    HISTORY_NUMBERS,
    KILLERS,
    WIN,
    list_near,
    reductions,
    remembered,
    think,
)
from rl_toolkit.kernels.gomoku.state import Evaluation, State
from rl_toolkit.kernels.gomoku.threats import PROOF, find_replies, find_threats
from rl_toolkit.kernels.spec import FREESTYLE, LineRule
from rl_toolkit.kernels.threads.busy_list import BusyList
from rl_toolkit.kernels.threads.crew import together

T = TypeVar("T")
Numbers = npt.NDArray[np.int64]

_NEVER = 2**62
_MOST_FOURS = 120  # plies of the frames, two each
_SHARE_OF_FOURS, _SHARE_OF_PROOFS = 1 / 8, 1 / 4
_HELPER_MEGABYTES = 2  # for what a thread does not share
_DEEPEST_AID = 40
#: The depth from which a search takes longer than starting threads.
AIDED_FROM = 5
#: The depth from which threads divide the moves of a position.
DIVIDED_FROM = 4
#: How many plies deeper than the search that they aid threads number 1, 2 … begin.
AHEAD = (0, 0)
#: More threads than this only disturb each other.
MOST_THREADS = 4


class Workspace(State):
    """The searches on one board. Not thread-safe.

    `think` may be aided by other threads, see `use` and `aided`: each has a workspace of its own,
    with the same table of scores. Proofs stay on one thread.

    Args:
        size: rows and columns.
        rule: which rows of stones win.
        evaluation: the learned evaluation.
        megabytes: for the tables of all searches together.
        shared: a workspace whose table of scores this one uses, for another thread.
    """

    def __init__(
        self,
        size: int,
        rule: LineRule = FREESTYLE,
        evaluation: Evaluation | None = None,
        megabytes: float = 16,
        shared: Workspace | None = None,
    ) -> None:
        super().__init__(size, rule, evaluation)
        self._helpers = list[Workspace]()
        self._former_nodes = 0  # of helpers no longer needed
        self._busy = BusyList()
        total = megabytes * 2**20 / 8
        fours = _power_of_two(total * _SHARE_OF_FOURS)
        proofs = _power_of_two(total * _SHARE_OF_PROOFS) // 2
        scores = _power_of_two(total * (1 - _SHARE_OF_FOURS - _SHARE_OF_PROOFS)) // 2
        self._four_table = np.zeros(fours, dtype=np.int64)
        self._proof_table = np.zeros(2 * proofs, dtype=np.int64)
        self._table = np.zeros(2 * scores, dtype=np.int64)
        if shared is not None:
            self._table, scores = shared._table, len(shared._table) // 2
        self._history = np.zeros(HISTORY_NUMBERS, dtype=np.int64)
        self._reductions = reductions()
        self._listed = np.zeros(layout.FRAME, dtype=np.int64)
        for index, number in {
            layout.FOUR_TABLE_AT: self._four_table.ctypes.data,
            layout.FOUR_TABLE_MASK: fours - 1,
            layout.PROOF_TABLE_AT: self._proof_table.ctypes.data,
            layout.PROOF_TABLE_MASK: proofs - 1,
            layout.TABLE_AT: self._table.ctypes.data,
            layout.TABLE_MASK: scores - 1,
            layout.HISTORY_AT: self._history.ctypes.data,
            layout.REDUCTIONS_AT: self._reductions.ctypes.data,
        }.items():
            self.block[index] = number
        self._flag = np.zeros(1, dtype=np.int64)
        self.watch(self._flag)
        #: Of the last `prove`: at least so many more positions must be won; 0 if it is proven.
        self.proof_number = 1

    @staticmethod
    def make() -> None:
        """Compile or load the machine code now, unless that has been done."""
        for item in (find_fours, find_threats, find_replies, think, list_near):
            item.make()
        remembered.make()

    # ------------------------------------------------------------------------ limits

    def use(self, threads: int) -> None:
        """Let this many threads search from now on, or `MOST_THREADS` if that is less."""
        threads = min(threads, MOST_THREADS)
        while len(self._helpers) < threads - 1:
            helper = Workspace(self.size, self.rule, self.evaluation, _HELPER_MEGABYTES, self)
            self._helpers.append(helper)
        while len(self._helpers) > threads - 1:
            self._former_nodes += self._helpers.pop().nodes

    @property
    def threads(self) -> int:
        """How many threads search."""
        return 1 + len(self._helpers)

    @property
    def nodes(self) -> int:
        """Positions of `prove` and `think` so far."""
        return self._own_nodes + self._former_nodes + sum(h.nodes for h in self._helpers)

    @property
    def _own_nodes(self) -> int:
        return int(self.block[layout.NODES])

    @property
    def flagged(self) -> bool:
        """Whether the flag says that everything must stop now."""
        return bool(self._flag[0])

    @property
    def stopped(self) -> bool:
        """Whether searches must stop now."""
        return self.flagged or self.nodes >= self._most

    def watch(self, flag: Numbers, nodes: int | None = None) -> None:
        """Stop searches once ``flag[0]`` is not 0, or after ``nodes`` more nodes."""
        self._flag = flag  # keeps its memory alive
        self.block[layout.FLAG_AT] = flag.ctypes.data
        self.allow(nodes)

    def allow(self, nodes: int | None) -> None:
        """Stop searches after ``nodes`` more nodes."""
        self._most = _NEVER if nodes is None else self.nodes + nodes
        self._allow_here(self._most - self.nodes)

    def _allow_here(self, nodes: int) -> None:
        """Let this thread visit ``nodes`` more nodes."""
        self.block[layout.NODE_LIMIT] = min(_NEVER, self._own_nodes + nodes)

    @contextmanager
    def allowing(self, nodes: int) -> Iterator[None]:
        """Context manager: ``nodes`` for the searches inside, which others do not pay for."""
        left = self._most - self.nodes
        self.allow(nodes)
        try:
            yield
        finally:
            self.allow(left)

    def aided(self, side: int, depth: int, work: Callable[[], T]) -> T:
        """The result of ``work``, which searches the moves of this position at ``depth``.

        The other threads search the position itself meanwhile, then more deeply: what they find is
        in the table when ``work`` comes to it.
        """
        if not self._helpers or depth < AIDED_FROM:
            return work()
        share, found = (self._most - self.nodes) // self.threads, list[T]()
        spaces = [self, *self._helpers]
        self._busy.begin()
        for helper in self._helpers:
            helper.block[layout.PLY] = self.block[layout.PLY]
            helper.block[layout.SAVED :] = self.block[layout.SAVED :]
            helper.watch(self._flag, share)
        for space in spaces:
            space.block[layout.BUSY_AT] = self._busy.address
            space.block[layout.SPLIT] = DIVIDED_FROM
        self._allow_here(share)

        def search(number: int) -> None:
            if number == 0:
                try:
                    found.append(work())
                finally:
                    self._busy.end()
                return
            for deeper in range(depth + AHEAD[number % len(AHEAD)], _DEEPEST_AID):
                if spaces[number].think(side, -WIN, WIN, deeper, 0) is None:
                    return

        try:
            together(search, len(spaces), self._busy.end)
        finally:
            for space in spaces:
                space.block[layout.BUSY_AT] = 0
            self._allow_here(self._most - self.nodes)
        return found[0]

    def new_search(self) -> None:
        """Let experience with moves fade before another position is searched."""
        self._history[:KILLERS] >>= 2
        self._history[KILLERS:] = -1
        for helper in self._helpers:
            helper.new_search()

    def forget(self) -> None:
        """Clear the tables."""
        for table in (self._four_table, self._proof_table, self._table, self._history):
            table[:] = 0

    # ---------------------------------------------------------------------- searches

    def fours(self, side: int, nodes: int, depth: int = _MOST_FOURS) -> tuple[int, int]:
        """The plies of a win by fours of ``side``, to move, and its first move; 0 if none."""
        plies = find_fours(self.block, side, depth, nodes)
        return plies, self._frame(0) if plies else -1

    def shortest_fours(self, side: int, nodes: int) -> tuple[int, int]:
        """Like `fours`, but with as few fours as possible."""
        plies, move = self.fours(side, nodes)
        for depth in range(plies // 2):
            shorter, first = self.fours(side, nodes, depth)
            if shorter:
                return shorter, first
        return plies, move

    def prove(self, side: int, attacking: bool = True, extra: int | None = None) -> bool | None:
        """Whether ``side`` wins by threats; ``None`` if the search was stopped before that.

        ``extra`` is the cell of a stone of the other side without which the win is proven: the
        search then tries first what won there.
        """
        stone = 0 if extra is None else keys()[2 * extra + 1 - side]
        self.block[layout.EXTRA_STONE] = stone
        numbers = find_threats(self.block, side, int(attacking))
        self.proof_number = numbers >> PROOF
        self.block[layout.EXTRA_STONE] = 0
        if self.proof_number == 0:
            return True
        return False if numbers & ((1 << PROOF) - 1) == 0 else None

    @property
    def proven_move(self) -> int:
        """The winning move after `prove` found one that no search by fours finds."""
        return self._frame(0)

    def replies(self, side: int) -> list[int]:
        """The replies to the open four that ``side`` threatens: defences and fours."""
        count = find_replies(self.block, side)
        return [self._frame(k) for k in range(1, count + 1)]

    def think(self, side: int, alpha: int, beta: int, depth: int, ply: int) -> int | None:
        """The score for ``side``, to move, see `pvs.search`; ``None`` if the search was stopped."""
        self.block[layout.STOPPED] = 0
        score = think(self.block, side, alpha, beta, depth, ply)
        return None if self.block[layout.STOPPED] else score

    def near(self, side: int) -> dict[int, int]:
        """The moves near a stone with their static ranks."""
        count = list_near(self.block, side, self._listed)
        return {int(x) & CELL_MASK: int(x) >> CELL_BITS for x in self._listed[:count]}

    def remembered(self, side: int) -> int:
        """The best move in the table for ``side``, to move; −1 if there is none."""
        return remembered(self.block, side)

    def _frame(self, index: int) -> int:
        return int(self._frames[index])


def _power_of_two(most: float) -> int:
    """The largest power of two up to ``most``, at least 1,024."""
    return max(1024, 1 << (int(most).bit_length() - 1))
