"""`CompiledNegamax`: the compiled search behind the interface of `PythonNegamax`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.by_game.compiled_rules import compiled_rules_for
from rl_toolkit.algorithms.minimax.negamax import (
    UNLIMITED,
    Entry,
    MovesInTurn,
    Options,
    Result,
    SearchStopped,
    is_decisive,
)
from rl_toolkit.algorithms.minimax.zobrist import side_of, zobrist_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.kernels.rules.threats import gap_words
from rl_toolkit.kernels.search import negamax as kernel
from rl_toolkit.kernels.search.transposition_table import ENTRY_WORDS, rehash
from rl_toolkit.kernels.spec import LineWeights
from rl_toolkit.kernels.status import RUNNING

_ENTRY_BYTES = 8 * ENTRY_WORDS
_FEWEST_ENTRIES = 1 << 8


def compiled_negamax(
    env: BaseGameEnv, options: Options, max_memory_mb: float, threads: int = 1
) -> CompiledNegamax | None:
    """A compiled searcher for the game of ``env``; ``None`` if there is no kernel for it."""
    rules = compiled_rules_for(env)
    if rules is None:
        return None
    if threads == 1:
        return CompiledNegamax(env, rules, options, max_memory_mb)
    from rl_toolkit.algorithms.minimax.negamax_team import NegamaxTeam

    return NegamaxTeam(env, rules, options, max_memory_mb, threads)


class CompiledTable(Mapping[Hashable, Entry]):
    """A read-only view of a compiled transposition table: Zobrist key → entry."""

    def __init__(self, words: NDArray[np.uint64]) -> None:
        entries = words.reshape(-1, ENTRY_WORDS)
        entries = entries[entries[:, 2] != 0]
        checks, scores, packed = np.ascontiguousarray(entries.T)
        keys = checks ^ scores ^ packed
        found = zip(scores.view(np.float64).tolist(), packed.tolist(), strict=True)
        self._entries: dict[Hashable, tuple[float, int]] = dict(
            zip(keys.tolist(), found, strict=True)
        )

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._entries)

    def __getitem__(self, key: Hashable) -> Entry:
        score, packed = self._entries[key]
        depth, bound, move = (packed >> 32) & 0xFFFFFF, (packed >> 24) & 0xFF, packed & 0xFFFFFF
        return Entry(score, depth, bound, move - 1, side_of(key))


class CompiledNegamax(MovesInTurn):
    """Like `PythonNegamax`, with a table of limited size that replaces cheap entries."""

    def __init__(
        self, env: BaseGameEnv, rules: CompiledRules, options: Options, max_memory_mb: float
    ) -> None:
        self.options = options
        self._rules = rules
        self._run = np.zeros(kernel.RUN_SIZE, dtype=np.int64)
        self.node_limit = 1 << 62
        self._flag = np.zeros(1, dtype=np.int64)
        # A quarter is reserved because the old table exists while the new one is filled.
        self._most_entries = _FEWEST_ENTRIES
        while 2 * self._most_entries * _ENTRY_BYTES * 1.25 <= max_memory_mb * 2**20:
            self._most_entries *= 2
        self._zobrist = zobrist_for(env, symmetry=options.symmetry)
        self._arrays: dict[int, NDArray[Any]] = {}
        self._table = np.zeros(0, dtype=np.uint64)
        self._lender: CompiledNegamax | None = None
        self._prepare(env)
        for part in (kernel.search, kernel.table_move, kernel.advance, rehash):
            part.make()

    # ------------------------------------------------------------------- counters

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._run[kernel.NODES])

    @property
    def hits(self) -> int:
        """Positions answered by the table."""
        return int(self._run[kernel.HITS])

    @property
    def deepest(self) -> int:
        """The deepest ply reached."""
        return int(self._run[kernel.DEEPEST])

    @property
    def table(self) -> Mapping[Hashable, Any]:
        """The transposition table by Zobrist key."""
        return CompiledTable(self._table)

    def table_key(self, env: BaseGameEnv) -> Hashable:
        """The key of a position in the table."""
        return self._zobrist.canonical(np.asarray(env.board), env.current_player).key

    @property
    def entries(self) -> int:
        """Positions in the table."""
        return int(self._run[kernel.USED])

    @property
    def table_full(self) -> bool:
        """Whether the table has reached its cap and is full enough to replace entries."""
        at_cap = self._table.size >= self._most_entries * ENTRY_WORDS
        return at_cap and 4 * self.entries > 3 * self._most_entries

    @property
    def flag(self) -> NDArray[np.int64]:
        """One number; the search ends soon after it becomes 1."""
        return self._flag

    @flag.setter
    def flag(self, flag: NDArray[np.int64]) -> None:
        self._flag = flag
        self._point(kernel.FLAG, flag)

    # --------------------------------------------------------------------- search

    def search(
        self, env: BaseGameEnv, depth: int, alpha: float = -inf, beta: float = inf
    ) -> Result:
        """Score the position of ``env`` for its side to move, looking ``depth`` plies ahead."""
        return self._from(env, -1, depth, alpha, beta)

    def search_move(self, env: BaseGameEnv, move: int, depth: int) -> Result:
        """Score ``move`` for the side to move of ``env``, looking ``depth`` plies ahead in all."""
        return self._from(env, move, depth, -inf, inf)

    def _from(self, env: BaseGameEnv, move: int, depth: int, alpha: float, beta: float) -> Result:
        run = self._run
        self._start(env, depth)
        run[kernel.NODE_LIMIT] = self.node_limit
        run[kernel.STOPPED] = run[kernel.TOUCHED] = 0
        if self._flag[0]:
            raise SearchStopped
        score = kernel.search(run, move, depth, alpha, beta)
        if run[kernel.STOPPED]:
            raise SearchStopped
        settled = not run[kernel.TOUCHED] or self._within(score, depth)
        return Result(score + 0.0, settled, self._line(env, move))

    def _within(self, score: float, depth: int) -> bool:
        """See `PythonNegamax._within`, at the root."""
        if not is_decisive(score):
            return False
        return not self.options.distance or kernel.WIN - abs(score) <= depth

    def _line(self, env: BaseGameEnv, move: int) -> tuple[int, ...]:
        """The principal variation, extended by exact table entries."""
        lines = self._arrays[kernel.LINES]
        row = lines[0 if move < 0 else 1]
        found = [int(m) for m in row[1 : 1 + row[0]]]
        line = found if move < 0 else [move, *found]
        ply, status = 0, RUNNING
        for move in line:
            status = kernel.advance(self._run, ply, move)
            ply += 1
        while self.options.memoization and status == RUNNING:
            move = kernel.table_move(self._run, ply)
            if move < 0:
                break
            line.append(move)
            status = kernel.advance(self._run, ply, move)
            ply += 1
        return tuple(line)

    # ---------------------------------------------------------------------- arrays

    def _point(self, slot: int, array: NDArray[Any]) -> None:
        """Store the address of an array for the kernel, and keep the array alive."""
        self._arrays[slot] = array
        self._run[slot] = array.ctypes.data

    def _prepare(self, env: BaseGameEnv) -> None:
        """Set up everything that is the same for all positions of the game."""
        rules, run, options, zobrist = self._rules, self._run, self.options, self._zobrist
        width = rules.spec.num_moves
        cells = rules.spec.rows * rules.spec.cols
        plies = 2 * cells + 2  # passes included
        size = 2 * rules.words_per_side
        symmetries = len(zobrist.moves)
        run[kernel.MOVES] = rules.operations.moves.address
        run[kernel.PLAY] = rules.operations.play.address
        run[kernel.EVALUATE] = rules.operations.evaluate.address
        run[kernel.PRUNING], run[kernel.MEMOIZATION] = options.pruning, options.memoization
        run[kernel.ORDERING], run[kernel.DISTANCE] = options.ordering, options.distance
        run[kernel.PVS] = options.pvs
        run[kernel.THREATS], run[kernel.DEAD_LINES] = options.threats, options.dead_lines
        run[kernel.FORCED_MOVES] = rules.operations.forced_moves.address
        run[kernel.CAN_WIN] = rules.operations.can_win.address
        run[kernel.STATE], run[kernel.SIDE], run[kernel.WIDTH] = size, rules.words_per_side, width
        run[kernel.SYMMETRIES], run[kernel.CELLS], run[kernel.PLIES] = symmetries, cells, plies
        run[kernel.SIDE_KEY] = zobrist.side.astype(np.int64)
        cell_of_bit = np.zeros(64 * rules.words_per_side, dtype=np.int64)
        cell_of_bit[rules.cell_bits] = np.arange(cells)
        priorities = env.move_priorities()
        weights = getattr(env, "heuristic_weights", LineWeights((), 1))
        numbers, words = np.int64, np.uint64
        scratch = gap_words(rules.words_per_side, getattr(rules.spec, "win_length", 0))
        for slot, array in {
            kernel.STATES: np.zeros((plies + 1, size), words),
            kernel.SHAPE: rules.geometry,
            kernel.KEYS: np.zeros((plies + 1, symmetries), words),
            kernel.PIECES: zobrist.pieces,
            kernel.FLAG: self._flag,
            kernel.EVALUATION: rules.evaluation(weights),
            kernel.LISTS: np.zeros((plies + 1, width), numbers),
            kernel.PROMISES: np.zeros((plies + 1, width), numbers),
            kernel.CELL_OF_BIT: cell_of_bit,
            kernel.IMAGES: zobrist.moves,
            kernel.IMAGES_BACK: zobrist.moves_back,
            kernel.KILLERS: np.full((plies + 1, 2), -1, numbers),
            kernel.HISTORY: np.zeros((2, width), numbers),
            kernel.PRIORITIES: (priorities - priorities.min()).astype(numbers),
            kernel.LINES: np.zeros((plies + 1, plies), numbers),
            kernel.SCRATCH: np.zeros(scratch, words),
        }.items():
            self._point(slot, array)

    def _start(self, env: BaseGameEnv, depth: int) -> None:
        """Set the position at ply 0."""
        player = env.current_player
        self._run[kernel.COLOUR] = 0 if player == 1 else 1
        board = np.asarray(env.board, dtype=np.int8)
        self._arrays[kernel.STATES][0] = self._rules.encode(board, player)
        self._arrays[kernel.KEYS][0] = self._zobrist.keys(board, player)
        self._make_room(env, depth)

    def lend(self, lender: CompiledNegamax | None) -> None:
        """Use the table, the flag and the size of ``lender`` for now; ``None`` ends that.

        The table must keep its size while several threads use it.
        """
        self._lender = lender
        if lender is not None and lender is not self:
            self.flag, self._table = lender.flag, lender._table
            self._point(kernel.TABLE, self._table)
            self._run[kernel.MASK] = lender._run[kernel.MASK]

    def _make_room(self, env: BaseGameEnv, depth: int) -> None:
        """Size the table for a search to ``depth``, within the memory cap."""
        if not self.options.memoization or self._lender is not None:
            return
        empty = int(np.count_nonzero(np.asarray(env.board) == 0))
        positions = 3**empty
        if depth < UNLIMITED:
            # A table larger than needed only costs time, so it grows with use.
            branching = max(1, min(self._rules.spec.num_moves, empty))
            positions = min(positions, branching ** min(depth, 20), max(1 << 14, self.entries))
        entries = max(_FEWEST_ENTRIES, self._table.size // ENTRY_WORDS)
        while entries < self._most_entries and entries < 4 * positions:
            entries *= 4
        if entries * ENTRY_WORDS > self._table.size:
            entries = min(entries, self._most_entries)
            table = np.zeros(entries * ENTRY_WORDS, dtype=np.uint64)
            used = rehash(self._table, table, entries - 1, self._flag)
            if used < 0:
                raise SearchStopped
            self._run[kernel.USED] = used
            self._table = table
            # In this order: an interrupt between the two must not leave a mask beyond the table.
            self._point(kernel.TABLE, table)
            self._run[kernel.MASK] = entries - 1
