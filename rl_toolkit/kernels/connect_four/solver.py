"""The Python interface of the solver: tables, switches and calls on (mine, taken) words.

On 6 × 7 with every technique on, the kernels run in a version with the numbers of that board as
constants; on other boards, or with techniques switched off, in the general version.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.connect_four import proofs, search, search_words, table
from rl_toolkit.kernels.connect_four.board import (
    BOARD_WORDS,
    CELLS,
    FLOOR,
    SIZE,
    board_words,
    family,
)
from rl_toolkit.kernels.connect_four.move_lanes import PLY_WORDS, WIDTH
from rl_toolkit.kernels.jit import Kernel
from rl_toolkit.kernels.specialised import Known, Version
from rl_toolkit.kernels.threads.busy_list import BusyList
from rl_toolkit.kernels.threads.crew import own_lines, together

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

LARGE_LOG = 21  # buckets of the large table, as a power of 2: 32 MB
SMALL_LOG = 17  # 2 MB

# Measured on 6 × 7, where half of the game's 42 stones is 21.
_LATE_FROM = 23  # stones from which positions go to the small table
_SYMMETRIC_BELOW = 16  # stones below which mirror images share entries
_ENHANCED_BELOW = 23  # stones below which all moves are looked up in the table first
_SPLIT = 22  # stones below which threads divide the moves among themselves
_ONE_SMALL_TABLE = 4  # threads from which sharing the small table saves more than it costs

#: Nodes, about a millisecond, that one thread searches alone before the others are started.
ALONE = 20_000

_NEVER = 2**63


@dataclass(frozen=True, slots=True)
class Ideas:
    """The techniques that make the search fast, one switch each; scores never depend on them.

    Attributes:
        forced_replies: play a position's only safe move directly, without table or recursion.
        foresight: see at the parent that a move leaves the opponent no safe reply.
        table: a transposition table of bounds.
        order: try moves that make more threats first, not only central ones.
        vector: list all moves at once in vector registers.
        prefetch: prefetch the table entries of the next positions.
        follow_up, odd_threat, dead_lines: the rules of `kernels.connect_four.proofs`.
        two_tiers: a separate small table for late positions.
        symmetry: mirror images share entries early in the game.
        enhanced: look all moves up in the table before trying any, early in the game.
        constants: the numbers of the 6 × 7 board as constants in the code.
    """

    forced_replies: bool = True
    foresight: bool = True
    table: bool = True
    order: bool = True
    vector: bool = True
    prefetch: bool = True
    follow_up: bool = True
    odd_threat: bool = True
    dead_lines: bool = True
    two_tiers: bool = True
    symmetry: bool = True
    enhanced: bool = True
    constants: bool = True

    @classmethod
    def names(cls) -> list[str]:
        """All switches."""
        return [part.name for part in fields(cls)]


EVERY_IDEA = Ideas()


def _settings(rows: int, cols: int, ideas: Ideas) -> dict[int, int]:
    """The fixed numbers of a search by their index in a block."""
    switches = (
        (ideas.forced_replies, search_words.FORCED_REPLIES),
        (ideas.foresight, search_words.FORESIGHT),
        (ideas.table, search_words.TABLE),
        (ideas.order, search_words.ORDER),
        (ideas.vector, search_words.VECTOR),
        (ideas.prefetch, search_words.PREFETCH),
    )
    rules = (
        (ideas.follow_up and rows % 2 == 0, proofs.FOLLOW_UP),
        (ideas.odd_threat and rows % 2 == 0, proofs.ODD_THREAT),
        (ideas.dead_lines, proofs.DEAD_LINES),
    )
    size = rows * cols
    return {
        **dict(enumerate(board_words(rows, cols))),
        table.KEY_MASK: (1 << cols * (rows + 1)) - 1,
        table.LATE: _scaled(_LATE_FROM, size) if ideas.two_tiers else size + 1,
        table.SYMMETRIC: _scaled(_SYMMETRIC_BELOW, size) if ideas.symmetry else 0,
        search_words.ENHANCED: _scaled(_ENHANCED_BELOW, size) if ideas.enhanced else 0,
        search_words.IDEAS: sum(bit for on, bit in switches if on),
        search_words.RULES: sum(bit for on, bit in rules if on),
        search_words.LANE_COUNT: -(-cols // WIDTH) * WIDTH,
        search_words.SPLIT: 0,
        search_words.BUSY_AT: 0,
    }


def _scaled(stones: int, size: int) -> int:
    """The number of stones on ``size`` cells that is as far from the end as ``stones`` on 6 × 7."""
    return max(0, size - 42 + stones)


_ENTRIES: list[Kernel[..., Any]] = [search.solve_one, search.ask_one, search.solve_many]


def _standard() -> Version:
    """The kernels for 6 × 7 with every technique on."""
    return family.version("6x7", _known(), _ENTRIES)


def _known() -> Known:
    """The numbers that are constants on 6 × 7."""
    settings = _settings(6, 7, EVERY_IDEA).items()
    return {index: number for index, number in settings if index <= SIZE or index >= BOARD_WORDS}


def _together() -> Version:
    """The same for several threads."""
    varying = (search_words.SPLIT, search_words.BUSY_AT)
    known = {index: number for index, number in _known().items() if index not in varying}
    return family.version("6x7_together", known, [search.ask_one])


# Declared on import like all kernels, so that `compile_all` includes them.
_STANDARD, _TOGETHER = _standard(), _together()


class Solver:
    """Exact scores on one board; see `kernels.connect_four.search` for what a score is.

    Positions are two ints: ``mine``, the stones of the side to move, and ``taken``, all stones, as
    bits (see `kernels.connect_four.board`). They must be unfinished games. Not thread-safe: each
    thread needs its own `twin`, which shares the large table. One search may use several
    ``threads``, see `use`.

    Attributes:
        nodes: positions visited so far.
        bounds: the bounds on the last score, also when its search was stopped.
    """

    def __init__(
        self,
        rows: int = 6,
        cols: int = 7,
        ideas: Ideas = EVERY_IDEA,
        log_buckets: int = LARGE_LOG,
        shared: table.Memory | None = None,
    ) -> None:
        self.rows, self.cols, self.ideas = rows, cols, ideas
        bits = cols * (rows + 1)
        self.large = table.Memory(bits, log_buckets) if shared is None else shared
        self._small = table.Memory(bits, SMALL_LOG)
        settings = _settings(rows, cols, ideas)
        self._block = own_lines(search_words.BLOCK_WORDS, np.uint64)
        self._scratch = own_lines((rows * cols + 1) * PLY_WORDS, np.uint64)
        self._flag = np.zeros(1, dtype=np.int64)
        for index, number in {
            **settings,
            table.LARGE_AT: self.large.address,
            table.SMALL_AT: self._small.address,
            table.LARGE_SHIFT: max(0, bits - self.large.log_buckets),
            table.SMALL_SHIFT: max(0, bits - self._small.log_buckets),
            search_words.SCRATCH_AT: self._scratch.ctypes.data,
            search_words.NODE_LIMIT: _NEVER,
        }.items():
            self._block[index] = number
        self._standard = (rows, cols) == (6, 7) and ideas == EVERY_IDEA
        self._helpers = list[Solver]()
        self._former_nodes = 0  # of helpers no longer needed
        self._busy = BusyList()
        self.watch(self._flag)

    def use(self, threads: int) -> None:
        """Search with this many threads from now on."""
        while len(self._helpers) < threads - 1:
            self._helpers.append(self.twin())
        while len(self._helpers) > threads - 1:
            self._former_nodes += self._helpers.pop().nodes
        for helper in self._helpers:
            small = self._small if threads >= _ONE_SMALL_TABLE else helper._small
            helper._block[table.SMALL_AT] = small.address
        if threads > 1:
            self._code_together.make()

    @property
    def threads(self) -> int:
        """How many threads search."""
        return 1 + len(self._helpers)

    def twin(self) -> Solver:
        """A solver for another thread, with the same large table."""
        return Solver(self.rows, self.cols, self.ideas, shared=self.large)

    def _code(self, general: Kernel[..., Any]) -> Kernel[..., Any]:
        return _STANDARD(general) if self._standard else general

    @property
    def _code_together(self) -> Kernel[..., Any]:
        return _TOGETHER(search.ask_one) if self._standard else search.ask_one

    @property
    def nodes(self) -> int:
        """Positions visited since the solver was created."""
        return self._own_nodes + self._former_nodes + sum(h.nodes for h in self._helpers)

    @property
    def _own_nodes(self) -> int:
        return int(self._block[search_words.NODES])

    @property
    def stopped(self) -> bool:
        """Whether a search would be stopped immediately; see `watch`."""
        return bool(self._flag[0]) or self.nodes >= self._most

    @property
    def megabytes(self) -> float:
        """Memory of both tables, in units of 2^20 bytes."""
        return self.large.megabytes + self._small.megabytes

    @property
    def bounds(self) -> tuple[int, int]:
        """The lowest and the highest possible score of the last position."""
        low, high = self._block[[search_words.LOW, search_words.HIGH]].view(np.int64)
        return int(low), int(high)

    def make(self) -> None:
        """Compile or load the machine code now, unless that has been done.

        `solve_many` is left out: books are built with it, and no single search needs it.
        """
        for general in (search.solve_one, search.ask_one):
            self._code(general).make()

    def forget(self) -> None:
        """Clear all tables."""
        self.large.clear()
        for solver in (self, *self._helpers):
            solver._small.clear()

    def watch(self, flag: Numbers, nodes: int | None = None) -> None:
        """Stop searches once ``flag[0]`` is not 0, or after ``nodes`` more nodes."""
        self._flag = flag  # keeps its memory alive
        self._block[search_words.FLAG_AT] = flag.ctypes.data
        self._most = _NEVER if nodes is None else self.nodes + nodes
        self._allow(self._most - self.nodes)
        for helper in self._helpers:
            helper.watch(flag)

    def _allow(self, nodes: int) -> None:
        """Let this thread search ``nodes`` more nodes."""
        self._block[search_words.NODE_LIMIT] = min(_NEVER, self._own_nodes + max(0, nodes))
        self._block[search_words.LOOK_AT] = 0

    @contextmanager
    def allowing(self, nodes: int) -> Iterator[None]:
        """Context manager: searches inside also stop after ``nodes`` more nodes."""
        most = self._most
        self._most = min(most, self.nodes + nodes)
        self._allow(self._most - self.nodes)
        try:
            yield
        finally:
            self._most = most
            self._allow(most - self.nodes)

    def range_of(self, taken: int) -> tuple[int, int]:
        """The lowest and the highest score possible with these stones on the board."""
        left = self.rows * self.cols - taken.bit_count()
        return -(left // 2), (left + 1) // 2

    def solve(
        self, mine: int, taken: int, bounds: tuple[int, int] | None = None, guess: int = 0
    ) -> int | None:
        """The score, or ``None`` if stopped before it was known (see `bounds`).

        ``bounds`` restrict the search: a score outside is returned as the nearer bound.
        """
        self._check(mine, taken)
        low, high = self.range_of(taken)
        if bounds is not None:
            low, high = max(low, bounds[0]), min(high, bounds[1])
        if self._helpers:
            score = self._solve_together(mine, taken, low, high, guess)
        else:
            score = self._code(search.solve_one)(
                np.uint64(mine), np.uint64(taken), low, high, guess, self._block
            )
        if score == search.STOPPED:
            return None
        return int(min(max(score, low), high))

    def _solve_together(self, mine: int, taken: int, low: int, high: int, guess: int) -> int:
        """`search.solve` by several threads."""
        bounds = self._block.view(np.int64)
        while low < high:
            bounds[search_words.LOW], bounds[search_words.HIGH] = low, high
            alpha = min(max(guess, low), high - 1)
            score = self._ask(mine, taken, alpha)
            if score == search.STOPPED:
                return score
            if score > alpha:
                low = max(low, score)
            else:
                high = min(high, score)
            guess = (low + high) >> 1
        bounds[search_words.LOW], bounds[search_words.HIGH] = low, high
        return low

    def _ask(self, mine: int, taken: int, alpha: int) -> int:
        """`search.is_above` by all threads; at first by this one alone."""
        position = np.uint64(mine), np.uint64(taken)
        left = self._most - self.nodes
        self._allow(min(left, ALONE) if self._helpers else left)
        score = self._code(search.ask_one)(*position, alpha, self._block)
        left = self._most - self.nodes
        self._allow(left)
        if score != search.STOPPED or not self._helpers or self.stopped:
            return int(score)
        solvers, code = [self, *self._helpers], self._code_together
        self._busy.begin()

        def work(number: int) -> int:
            solver = solvers[number]
            solver._allow(left // len(solvers))
            found = code(*position, alpha, solver._block)
            if found != search.STOPPED:
                self._busy.end()
            return int(found)

        with self._divided(
            solvers, max(_scaled(_SPLIT, self.rows * self.cols), taken.bit_count() + 1)
        ):
            scores = together(work, len(solvers), self._busy.end)
        self._allow(self._most - self.nodes)
        return next((score for score in scores if score != search.STOPPED), search.STOPPED)

    @contextmanager
    def _divided(self, solvers: list[Solver], split: int) -> Iterator[None]:
        """Context manager: ``solvers`` divide moves up to ``split`` stones among themselves."""
        for solver in solvers:
            solver._block[[search_words.SPLIT, search_words.BUSY_AT]] = split, self._busy.address
        try:
            yield
        finally:
            for solver in solvers:
                solver._block[[search_words.SPLIT, search_words.BUSY_AT]] = 0

    def is_above(self, mine: int, taken: int, alpha: int) -> bool | None:
        """Whether the score is above ``alpha``; ``None`` if stopped before that was known."""
        self._check(mine, taken)
        score = self._ask(mine, taken, alpha)
        return None if score == search.STOPPED else bool(score > alpha)

    def _check(self, mine: int, taken: int) -> None:
        """Reject words that are not a position: the search would never end on them."""
        cells, floor = int(self._block[CELLS]), int(self._block[FLOOR])
        if mine & ~taken or taken & ~cells or taken & (taken + floor):
            raise ValueError("these words are not a position: stones in mid-air or off the board")

    def solve_many(
        self, mine: Words, taken: Words, scores: Numbers, first: int = 0, step: int = 1
    ) -> int:
        """Write the scores of every ``step``-th position from ``first``; the number solved.

        The positions are not checked.
        """
        return int(self._code(search.solve_many)(mine, taken, scores, first, step, self._block))


@dataclass(frozen=True, slots=True)
class DecidingThreat:
    """A cell that decides the game by zugzwang, proven without search.

    Attributes:
        cell: the bit number of the cell where its owner completes four in the end.
        odd: whether it is in an odd row, where it helps the player who moved first; in an even row
            it helps the other.
        owner_to_move: whether its owner is the side to move.
    """

    cell: int
    odd: bool
    owner_to_move: bool


def deciding_threat(rows: int, cols: int, mine: int, taken: int) -> DecidingThreat | None:
    """The threat by which a player certainly wins in the end; ``None`` if no rule proves one.

    The rules are those of `kernels.connect_four.proofs`, which need an even number of rows.
    """
    if rows % 2:
        return None
    board = np.array(board_words(rows, cols), dtype=np.uint64)
    white_to_move = taken.bit_count() % 2 == 0
    mover, other = np.uint64(mine), np.uint64(mine ^ taken)
    white, black = (mover, other) if white_to_move else (other, mover)
    odd = int(proofs.winning_odd_threat(white, black, int(white_to_move), board))
    even = 0 if odd else int(proofs.winning_even_threat(white, black, int(white_to_move), board))
    if not odd and not even:
        return None
    return DecidingThreat((odd or even).bit_length() - 1, bool(odd), bool(odd) == white_to_move)
