"""Record minimax: `RecordedNegamax` is `PythonNegamax` with ears.

It overrides the small methods that the search calls anyway: entering a position, the score of a
child, a cutoff. What it writes down is what the search did. Scores change from the side to move to
X's view here, and nowhere else.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from rl_toolkit.algorithms.minimax.evaluation import Evaluation
from rl_toolkit.algorithms.minimax.negamax import (
    EXACT,
    LOWER,
    NULL_WINDOW,
    WIN,
    Options,
    PythonNegamax,
)
from rl_toolkit.algorithms.traces import events
from rl_toolkit.algorithms.traces.plain_size import PlainSize
from rl_toolkit.algorithms.traces.trace import TraceError, cells_of, letter
from rl_toolkit.envs import BaseGameEnv

#: The deepest ply: a recorded search needs more of Python's stack than a plain one.
MOST_PLIES = 80


class _Frame:
    """A node on the current path, in X's view."""

    def __init__(self, node: int, side: int, alpha: float, beta: float, depth: int) -> None:
        self.node, self.side, self.alpha, self.beta = node, side, alpha, beta
        self.depth = depth
        self.alpha_from = self.beta_from = -1
        self.cells: Any = None
        self.best: float | None = None
        self.moves: list[int] = []
        self.tried = 0
        self.known: list[tuple[float, float]] = []  # of the children, least and greatest
        self.child = (-inf, inf)  # of the child that is being searched
        self.child_is_bound = False  # whether the table gave it as a bound


class _Below:
    """Counts of the part that is folded: cuts, and what plain minimax would visit there."""

    def __init__(self) -> None:
        self.cuts = 0
        self.saved: int | None = 0  # ``None`` once a cut could not be counted
        self.sizes = PlainSize()  # of its own: what is told comes first
        self.moves: dict[int, list[int]] = {}  # the moves of the running node of each ply


class RecordedNegamax(PythonNegamax):
    """`PythonNegamax` that records its events down to ply ``fold``.

    Attributes:
        visits: visited positions by ply, deeper ones than ``fold`` included.
        all_cuts: the cuts of the search, those deeper than ``fold`` included.
        overflowed: whether there were more than ``most_events``; nothing is recorded from then on.
    """

    def __init__(
        self,
        env: BaseGameEnv,
        options: Options,
        max_memory_mb: float,
        worth: Evaluation,
        *,
        most_events: int,
        fold: int = MOST_PLIES,
    ) -> None:
        super().__init__(env, options, max_memory_mb, worth)
        self.fold, self.most_events, self.overflowed = fold, most_events, False
        self.visits: list[int] = []
        self.kinds: list[str] = []
        self.args: list[float] = []
        self.move: list[int] = []
        self.side: list[str] = []
        self.cells: list[Any] = []
        self.lo: list[float] = []
        self.hi: list[float] = []
        self.cuts: dict[str, dict[str, Any]] = {}
        self.hits_at: dict[str, dict[str, Any]] = {}
        self.folded: dict[str, int] = {}
        self.below: dict[str, list[int | None]] = {}
        self.all_cuts = 0
        self._below = _Below()
        self.sizes = PlainSize()
        self._stack: list[_Frame] = []
        self._stored_by: dict[Any, tuple[int, Any]] = {}
        self._is_blocked = False

    # ------------------------------------------------------------- what the search calls

    def _search(self, ply: int, depth: int, alpha: float, beta: float, side: int) -> float:
        if ply >= len(self.visits):
            if ply > MOST_PLIES:
                raise TraceError(
                    f"a trace is at most {MOST_PLIES} plies deep; limit the depth of the search"
                )
            self.visits.append(0)
        self.visits[ply] += 1
        if ply > self.fold or self.overflowed:
            return super()._search(ply, depth, alpha, beta, side)
        window = (alpha, beta) if side == 1 else (-beta, -alpha)
        frame = self._enter(side, window[0] + 0.0, window[1] + 0.0, depth)
        nodes, hits, self._is_blocked = self.nodes, self.hits, False
        if ply == self.fold:
            self._below.cuts, self._below.saved = 0, 0
        score = super()._search(ply, depth, alpha, beta, side)
        self._stack.pop()
        if not self.overflowed:
            self._leave(frame, score * side + 0.0, window, self.nodes - nodes - 1, self.hits - hits)
        return score

    def _child(
        self, number: int, ply: int, depth: int, alpha: float, beta: float, mover: int
    ) -> float:
        if ply < self.fold and not self.overflowed:
            self._stack[-1].child = (-inf, inf)
        score = super()._child(number, ply, depth, alpha, beta, mover)
        if ply < self.fold and not self.overflowed:
            self._offer(self._stack[-1], score * mover + 0.0)
        return score

    def _moves(self, ply: int, table_move: int) -> list[int]:
        moves = super()._moves(ply, table_move)
        if ply >= self.fold:
            self._below.moves[ply] = moves
        elif not self.overflowed:
            self._stack[-1].moves = [int(move) for move in moves]
        return moves

    def _remember_cutoff(self, move: int, ply: int, num_moves: int) -> None:
        super()._remember_cutoff(move, ply, num_moves)
        if self.overflowed:
            return
        if ply < self.fold:
            self._cut(self._stack[-1])
        else:
            self._cut_below(move, ply)

    def _is_dead(self, side: int, alpha: float, beta: float) -> bool:
        self._is_blocked = super()._is_dead(side, alpha, beta)
        return self._is_blocked

    # ---------------------------------------------------------------- what is written down

    def _tell(self, kind: str, *args: float) -> str:
        """Write an event; its number as text."""
        self.kinds.append(kind)
        self.args += args
        self.overflowed |= len(self.kinds) > self.most_events
        return str(len(self.kinds) - 1)

    def _enter(self, side: int, alpha: float, beta: float, depth: int) -> _Frame:
        above = self._stack[-1] if self._stack else None
        frame = _Frame(len(self.move), side, alpha, beta, depth)
        frame.cells = cells_of(self._env) if self._env.traits.has_grid else None
        if above is None:
            self.move.append(-1)
            self.cells.append(-1)
            self._tell(events.ENTER_WITH, alpha, beta)
        else:
            self.move.append(int(self._env.history[-1]))
            self.cells.append(_taken(above, frame.cells))
            if _same(alpha, above.alpha):
                frame.alpha, frame.alpha_from = above.alpha, above.alpha_from
            if _same(beta, above.beta):
                frame.beta, frame.beta_from = above.beta, above.beta_from
            if (frame.alpha, frame.beta) == (above.alpha, above.beta):
                self._tell(events.ENTER)
            else:
                is_null = 0 < beta - alpha < 2 * NULL_WINDOW
                kind = events.PROBE if is_null else events.ENTER_WITH
                self._tell(kind, frame.alpha, frame.beta)
        self.side.append(letter(side))
        self.lo.append(-inf)
        self.hi.append(inf)
        self._stack.append(frame)
        return frame

    def _leave(
        self, frame: _Frame, value: float, window: tuple[float, float], below: int, hits: int
    ) -> None:
        known = value, value
        is_hit = False
        if frame.tried:
            known = self._of_children(frame)
            self._tell(events.RETURN, value)
        elif below:  # searched, but deeper than what is told
            known = (
                (-inf, value)
                if value <= window[0]
                else (value, inf)
                if value >= window[1]
                else known
            )
            event = self._tell(events.FOLD, value)
            self.folded[event] = below
            if self._below.cuts or hits:
                self.below[event] = [self._below.cuts, self._below.saved, hits]
        elif self._env.is_terminal():
            self._tell(events.RESULT, value)
        elif self._is_blocked:
            known = self._of_blocked_lines()
            self._tell(events.DEAD, value)
        elif hits:
            key = self._key(self._env, frame.side)[0]
            bound = self.table[key].bound
            is_hit = True
            if bound != EXACT:
                known = (value, inf) if (bound == LOWER) == (frame.side == 1) else (-inf, value)
            twin, position = self._stored_by.get(key, (-1, None))
            symmetric = twin >= 0 and position != self._env.get_state_hash()
            event = self._tell(events.HIT, value)
            size = self.sizes.count(self._env, frame.depth)
            saved = None if size is None else size - 1
            self.hits_at[event] = {"twin": twin, "symmetric": symmetric, "saved": saved}
        else:
            self._tell(events.ESTIMATE, value)
        if self.options.memoization and (frame.tried or below):
            key = self._key(self._env, frame.side)[0]
            if key in self.table:
                self._stored_by[key] = frame.node, self._env.get_state_hash()
        known = self._within_results(known, len(self._stack))
        self.lo[frame.node], self.hi[frame.node] = known
        if self._stack:
            above = self._stack[-1]
            # A second search of the same move adds to what the first one found.
            above.child = max(above.child[0], known[0]), min(above.child[1], known[1])
            above.child_is_bound = is_hit and known[0] != known[1]

    def _offer(self, frame: _Frame, value: float) -> None:
        frame.tried += 1
        frame.known.append(frame.child)
        best = frame.best
        if best is not None and not (value > best if frame.side == 1 else value < best):
            self._tell(events.WORSE, value)
            return
        frame.best = value
        if not self.options.pruning:
            self._tell(events.BETTER, value)
        elif frame.side == 1 and value > frame.alpha:
            frame.alpha, frame.alpha_from = value, frame.node
            self._tell(events.BETTER, value)
        elif frame.side == -1 and value < frame.beta:
            frame.beta, frame.beta_from = value, frame.node
            self._tell(events.BETTER, value)
        else:
            self._tell(events.SOFT, value)

    def _cut(self, frame: _Frame) -> None:
        left = frame.moves[frame.tried :]
        if not left:  # nothing is left out
            return
        self.all_cuts += 1
        owner = frame.beta_from if frame.side == 1 else frame.alpha_from
        saved, cells = [], []
        env = self._env
        for move in left:
            env.step(move)
            saved.append(self.sizes.count(env, frame.depth - 1))
            cells.append(_taken(frame, cells_of(env) if frame.cells is not None else None))
            env.undo()
        how = ["tie"] if frame.alpha == frame.beta else []
        how += ["null"] if owner < 0 else []
        how += ["table"] if frame.child_is_bound else []
        cut = {"from": owner, "left": left, "cells": cells, "saved": saved, "how": how}
        self.cuts[self._tell(events.CUT)] = cut

    def _cut_below(self, move: int, ply: int) -> None:
        """Count a cut that is not told."""
        below, env = self._below, self._env
        moves = below.moves[ply]
        left = moves[moves.index(move) + 1 :]
        if not left:
            return
        self.all_cuts += 1
        below.cuts += 1
        depth = self._stack[0].depth - ply - 1
        for other in left:
            if below.saved is None:
                return
            env.step(other)
            size = below.sizes.count(env, depth)
            env.undo()
            below.saved = None if size is None else below.saved + size

    def _within_results(self, known: tuple[float, float], ply: int) -> tuple[float, float]:
        """What is known of a value: a bound at the best result of a side is that result."""
        least, greatest = known
        if self._env.traits.free_results or least == greatest:
            return known
        # The game is not over here, so with distances it ends a ply later at the earliest.
        most = WIN - ply - 1 if self.options.distance else WIN
        if least >= most:
            return least, least
        return (greatest, greatest) if greatest <= -most else known

    def _of_children(self, frame: _Frame) -> tuple[float, float]:
        """What the children tell of a node's value; those left out could be anything."""
        least, greatest = zip(*frame.known, strict=True)
        every = frame.tried == len(frame.moves)
        if frame.side == 1:
            return max(least), max(greatest) if every else inf
        return min(least) if every else -inf, min(greatest)

    def _of_blocked_lines(self) -> tuple[float, float]:
        """A side that can complete no line any more cannot do better than a draw."""
        env = self._env
        return -inf if env.can_still_win(-1) else 0.0, inf if env.can_still_win(1) else 0.0


def _same(bound: float, other: float) -> bool:
    """Whether two bounds are the same but for rounding: a null window is added and taken off."""
    return bound == other or abs(bound - other) < NULL_WINDOW / 2


def _taken(above: _Frame, cells: Any) -> Any:
    """The cell or cells that the move from ``above`` changed: see `traces.events`."""
    if cells is None or above.cells is None:
        return -1
    changed = np.flatnonzero(cells != above.cells).tolist()
    if any(cells[cell] != above.side for cell in changed):
        return [[cell, int(cells[cell])] for cell in changed]
    if len(changed) == 1:
        return changed[0]
    return changed or -1
