"""The search in readable Python: minimax in its negamax form, with one switch per technique.

Every score is from the view of the side to move; a child's score changes sign on its way up, so one
function serves both players. `kernels.search.negamax` is the same search compiled: the same
switches, the same scores, the same number of nodes.

Scores: a heuristic value lies in [−1, 1]; a won game scores ``WIN``, or with the distance switch
``WIN`` less the ply at which it ends, so that faster wins and slower losses score higher.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.by_game.compiled_rules import rules_are_known
from rl_toolkit.algorithms.minimax.evaluation import Evaluation, heuristic_of_game
from rl_toolkit.algorithms.minimax.zobrist import Zobrist, zobrist_for
from rl_toolkit.envs import BaseGameEnv

WIN = 1000.0
#: A remaining depth that no game uses up; also the depth of results that met no horizon.
UNLIMITED = 10_000
#: Width of a null window, which only tests whether a score is above alpha.
NULL_WINDOW = 1e-9

EXACT, LOWER, UPPER = 0, 1, 2
#: Estimated size of one entry of the Python table, with its dictionary slot but without its key.
BYTES_PER_ENTRY = 300


@dataclass(frozen=True, slots=True)
class Options:
    """The search techniques, one switch each; all off is plain minimax in index order.

    Attributes:
        pruning: alpha-beta: skip branches that cannot change the result.
        memoization: a transposition table of exact values and bounds.
        ordering: search promising moves first: table move, killers, history, centre.
        symmetry: all mirror images of a position share one table entry.
        distance: prefer faster wins and slower losses.
        pvs: principal-variation search: null windows after the first move.
        threats: search only immediate wins, else only blocks of one, where there are any.
        dead_lines: stop where a side that can no longer complete a line would have to win.
    """

    pruning: bool = True
    memoization: bool = True
    ordering: bool = False
    symmetry: bool = False
    distance: bool = False
    pvs: bool = False
    threats: bool = False
    dead_lines: bool = False


class SearchStopped(Exception):  # noqa: N818 - not an error
    """The flag was set or the node limit reached; there is no result."""


class Result(NamedTuple):
    """The result of one search: a score for the side to move at the root.

    ``settled`` means that no deeper search can change the score; ``line`` is the principal
    variation.
    """

    score: float
    settled: bool
    line: tuple[int, ...]


class Entry(NamedTuple):
    """A table entry; its score is relative to its position, not to the root.

    The score is for ``side``, the player to move.
    """

    score: float
    depth: int
    bound: int
    move: int
    side: int


def is_decisive(score: float) -> bool:
    """Whether a score means that the game is won or lost."""
    return abs(score) > WIN / 2


def plies_to_end(score: float) -> int:
    """Plies from the root to the end, given a decisive score with the distance switch on."""
    return round(WIN - abs(score))


class MovesInTurn:
    """A search by one thread: moves are scored one after the other."""

    threads = 1

    def search_move(self, env: BaseGameEnv, move: int, depth: int) -> Result:
        """Score one move of the position; raises `SearchStopped`."""
        raise NotImplementedError

    def search_moves(
        self, env: BaseGameEnv, moves: Sequence[int], depth: int
    ) -> tuple[dict[int, Result], bool]:
        """Score each of these moves, until stopped; and whether all were finished."""
        found: dict[int, Result] = {}
        for move in moves:
            try:
                found[move] = self.search_move(env, move, depth)
            except SearchStopped:
                return found, False
        return found, True


class PythonNegamax(MovesInTurn):
    """One search over any `BaseGameEnv`; table, killers and history live as long as the object.

    ``worth`` evaluates the positions at the horizon.
    """

    def __init__(
        self,
        env: BaseGameEnv,
        options: Options,
        max_memory_mb: float,
        worth: Evaluation = heuristic_of_game,
    ) -> None:
        self.options = options
        self._worth = worth
        self.nodes = 0
        self.hits = 0
        self.deepest = 0
        self.node_limit = 1 << 62
        self.flag: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.table: dict[Hashable, Entry] = {}
        self.most_entries = int(max_memory_mb * 2**20 / (BYTES_PER_ENTRY + env.rows * env.cols))
        self.table_full = False
        # Without symmetries, use the game's own hash, which may cover more than the board.
        mirrored = options.symmetry and options.memoization and len(env.symmetries()) > 1
        self._zobrist: Zobrist | None = zobrist_for(env, symmetry=True) if mirrored else None
        known = rules_are_known(env)
        self._uses_threats = options.threats and known
        self._uses_dead_lines = options.dead_lines and known
        priorities = env.move_priorities()
        self._priorities: list[int] = (priorities - priorities.min()).tolist()
        self._killers: dict[int, list[int]] = {}
        self._history: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._lines: dict[int, tuple[int, ...]] = {}
        self._touched = False
        self._env = env

    def search(
        self, env: BaseGameEnv, depth: int, alpha: float = -inf, beta: float = inf
    ) -> Result:
        """Score the position of ``env`` for its side to move, looking ``depth`` plies ahead."""
        return self._from(env, None, depth, alpha, beta)

    def search_move(self, env: BaseGameEnv, move: int, depth: int) -> Result:
        """Score ``move`` for the side to move of ``env``, looking ``depth`` plies ahead in all."""
        return self._from(env, move, depth, -inf, inf)

    def _from(
        self, env: BaseGameEnv, move: int | None, depth: int, alpha: float, beta: float
    ) -> Result:
        self._env = env.copy()
        self._touched = False
        self._lines.clear()
        player = env.current_player
        if move is None:
            score = self._search(0, depth, alpha, beta, player)
            line = self._lines.get(0, ())
        else:
            self._env.step(move)
            score = self._after_move(0, depth, alpha, beta, player)
            line = (move, *self._lines.get(1, ()))
        settled = not self._touched or self._within(score, 0, depth)
        return Result(score + 0.0, settled, self._extended(env, line))  # no -0.0

    def _search(self, ply: int, depth: int, alpha: float, beta: float, side: int) -> float:
        """Score of the position for ``side``, which is to move, ``ply`` plies below the root.

        A result above ``alpha`` and below ``beta`` is exact; at or below ``alpha`` the true score
        is at most the result; at or above ``beta`` it is at least the result.
        """
        self.nodes += 1
        if self.flag[0] or self.nodes > self.node_limit:
            raise SearchStopped
        self.deepest = max(self.deepest, ply)
        self._lines[ply] = ()
        env, options = self._env, self.options
        if env.is_terminal():
            result = env.get_result(side)
            return result * (WIN - ply if options.distance else WIN)
        if self._uses_dead_lines and self._is_dead(side, alpha, beta):
            return 0.0
        if depth == 0:
            self._touched = True
            return self._worth(env, side)

        table_move = -1
        if options.memoization:
            key, symmetry = self._key(env, side)
            entry = self.table.get(key)
            if entry is not None:
                table_move = self._from_table_move(entry.move, symmetry)
                score = self._from_table_score(entry.score, ply)
                if entry.depth >= depth and (
                    entry.bound == EXACT
                    or (entry.bound == LOWER and score >= beta)
                    or (entry.bound == UPPER and score <= alpha)
                ):
                    self.hits += 1
                    self._touched |= entry.depth < UNLIMITED
                    return score

        touched_before, self._touched = self._touched, False
        best, best_move, floor = -inf, -1, alpha
        moves = self._moves(ply, table_move)
        for number, move in enumerate(moves):
            env.step(move)
            score = self._child(number, ply, depth, floor, beta, side)
            env.undo()
            if score > best:
                best = score
                if best > floor or number == 0:
                    best_move = move
                    self._lines[ply] = (move, *self._lines.get(ply + 1, ()))
            if options.pruning:
                floor = max(floor, best)
                if floor >= beta:
                    self._remember_cutoff(move, ply, len(moves))
                    break

        settled = not self._touched or self._within(best, ply, depth)
        self._touched = touched_before or not settled
        if options.memoization:
            bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
            stored_move = -1 if bound == UPPER else best_move
            if key not in self.table and len(self.table) >= self.most_entries:
                self.table_full = True
            else:
                self.table[key] = Entry(
                    self._to_table_score(best, ply),
                    UNLIMITED if settled else depth,
                    bound,
                    self._to_table_move(stored_move, symmetry),
                    side,
                )
        return best

    def _child(
        self, number: int, ply: int, depth: int, alpha: float, beta: float, mover: int
    ) -> float:
        """Score, for the player who just moved, of the position reached by move ``number``."""
        if not self.options.pruning:
            return self._after_move(ply, depth, -inf, inf, mover)
        if self.options.pvs and number > 0 and beta - alpha > NULL_WINDOW:
            score = self._after_move(ply, depth, alpha, alpha + NULL_WINDOW, mover)
            if not alpha < score < beta:
                return score
        return self._after_move(ply, depth, alpha, beta, mover)

    def _after_move(self, ply: int, depth: int, alpha: float, beta: float, mover: int) -> float:
        """Score of the position for ``mover``, who has just moved at ``ply``.

        What is good for the other side is bad for the mover: hence the signs. In a game that gives
        a player two turns in a row, the next position is still the mover's own.
        """
        if not self._env.is_terminal() and self._env.current_player == mover:
            return self._search(ply + 1, depth - 1, alpha, beta, mover)
        return -self._search(ply + 1, depth - 1, -beta, -alpha, -mover)

    def _is_dead(self, side: int, alpha: float, beta: float) -> bool:
        """Whether the position is a draw, as far as the window asks, because lines are blocked."""
        mine, theirs = self._env.can_still_win(side), self._env.can_still_win(-side)
        if not mine and not theirs:
            return True
        return (not mine and alpha >= 0) or (not theirs and beta <= 0)

    def _within(self, score: float, ply: int, depth: int) -> bool:
        """Whether a decisive score is final although the search met its horizon.

        A win within the horizon cannot be improved beyond it; a later one can.
        """
        if not is_decisive(score):
            return False
        return not self.options.distance or plies_to_end(score) - ply <= depth

    # ------------------------------------------------------------------- ordering

    def _moves(self, ply: int, table_move: int) -> list[int]:
        """The moves to search in the present position, in this order."""
        env = self._env
        moves = env.forced_moves() if self._uses_threats else env.get_legal_moves()
        return self._ordered(moves, ply, table_move) if self.options.ordering else moves

    def _ordered(self, moves: list[int], ply: int, table_move: int) -> list[int]:
        """Order moves: table move, killers, history of cutoffs, then the centre."""
        killers = self._killers.get(ply, (-1, -1))
        history = self._history[ply % 2]

        def promise(move: int) -> int:
            if move == table_move:
                return 1 << 62
            if move == killers[0]:
                return 1 << 61
            if move == killers[1]:
                return 1 << 60
            return (min(history.get(move, 0), 1 << 40) << 16) + self._priorities[move]

        return sorted(moves, key=promise, reverse=True)

    def _remember_cutoff(self, move: int, ply: int, num_moves: int) -> None:
        killers = self._killers.setdefault(ply, [-1, -1])
        if move != killers[0]:
            killers[1], killers[0] = killers[0], move
        history = self._history[ply % 2]
        # A cutoff near the root saves more, and there are more legal moves there.
        history[move] = history.get(move, 0) + num_moves * num_moves

    # ---------------------------------------------------------------------- table

    def table_key(self, env: BaseGameEnv) -> Hashable:
        """The key of a position in the table."""
        return self._key(env, env.current_player)[0]

    def _key(self, env: BaseGameEnv, side: int) -> tuple[Hashable, int]:
        """The table key of a position and the symmetry that leads to it."""
        if self._zobrist is None:
            return env.get_state_hash(), 0
        return self._zobrist.canonical(env.board, side)

    def _to_table_move(self, move: int, symmetry: int) -> int:
        if self._zobrist is None or move < 0:
            return move
        return int(self._zobrist.moves[symmetry, move])

    def _from_table_move(self, move: int, symmetry: int) -> int:
        if self._zobrist is None or move < 0:
            return move
        return int(self._zobrist.moves_back[symmetry, move])

    def _to_table_score(self, score: float, ply: int) -> float:
        """Convert a distance from the root into a distance from this position."""
        if not self.options.distance or not is_decisive(score):
            return score
        return score + ply if score > 0 else score - ply

    def _from_table_score(self, score: float, ply: int) -> float:
        if not self.options.distance or not is_decisive(score):
            return score
        return score - ply if score > 0 else score + ply

    def _extended(self, env: BaseGameEnv, line: tuple[int, ...]) -> tuple[int, ...]:
        """The line, extended by exact table entries."""
        self._env = BaseGameEnv.after(env, line)
        moves = list(line)
        while self.options.memoization and not self._env.is_terminal():
            key, symmetry = self._key(self._env, self._env.current_player)
            entry = self.table.get(key)
            if entry is None or entry.bound != EXACT or entry.move < 0:
                break
            move = self._from_table_move(entry.move, symmetry)
            self._env.step(move)
            moves.append(move)
        return tuple(moves)
