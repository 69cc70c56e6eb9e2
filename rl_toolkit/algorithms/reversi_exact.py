"""The exact engine for Reversi: the final difference in discs after every move, proven.

`ReversiSolver` speaks of games, the compiled search in `kernels.reversi_endgame` of words: `solve`
and `score_moves` for whoever wants numbers, `analyse` for whoever wants an `Analysis`.

**Counting.** A score is the difference in discs at the end for the side to move, with best play by
both; squares left empty go to the winner. So a wipe-out on 8×8 scores 64, and scores are even.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.control import Watch, report
from rl_toolkit.algorithms.twins import compiled_twin
from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Limit,
    ProgressCallback,
    StopSignal,
    analysis_of,
    outcome_of,
)
from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.kernels.reversi_endgame import Solver
from rl_toolkit.kernels.rules import CompiledRules
from rl_toolkit.kernels.status import RUNNING
from rl_toolkit.records import position_to_text

Words = NDArray[np.uint64]

#: Without a limit, positions with more empty squares than this are only estimated on 8×8 …
MOST_EMPTY = 26
#: … after so many seconds of trying.
DEFAULT_SECONDS = 5.0
#: Estimates look so many plies ahead.
ESTIMATE_PLIES = 5

_DISCS_FOR_SURE = 10  # an estimated lead of so many discs is worth tanh(1) ≈ 0.76
_SMALL = 12  # empty squares for which a table of 1 MB is enough; each one more doubles it


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a move's score: it lies from ``low`` to ``high`` and seems ``estimate``."""

    low: int
    high: int
    estimate: float

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def sign(self) -> int | None:
        """1, 0 or −1 where it is known who wins."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.exact else None

    @property
    def likely(self) -> float:
        """The estimate, cut down to what is known."""
        return float(min(max(self.estimate, self.low), self.high))

    @property
    def rank(self) -> tuple[int, float, bool]:
        """The order of candidates: wins, what is open or drawn, losses; each by likely score."""
        return self.sign or 0, self.likely, self.exact


class ReversiSolver:
    """Plays Reversi perfectly as soon as few enough squares are empty, on 4×4 and 6×6 always.

    Args:
        max_memory_mb: cap on the table; small positions use less.
        seed: choose among equally good moves at random; without one corners come first.
    """

    name = "exact"

    def __init__(self, *, max_memory_mb: float = 512, seed: int | None = None) -> None:
        if not max_memory_mb > 0:
            raise ValueError(f"max_memory_mb must be positive, not {max_memory_mb!r}")
        self.max_memory_mb, self.seed = max_memory_mb, seed
        self._solver: Solver | None = None
        self._megabytes = 0.0

    # --------------------------------------------------------------------------- numbers

    def solve(self, env: Reversi) -> int:
        """The score of a position for its side to move.

        >>> ReversiSolver().solve(Reversi(4))
        -10
        """
        search = self._search(env)
        score = search.solver.solve(*search.root, guess=round(search.seems(search.words)))
        assert score is not None, "nothing can stop this search"
        return score

    def score_moves(self, env: Reversi) -> dict[int, int]:
        """The score of every legal move of a running game, for its side to move."""
        search = self._search(env)
        for _ in search.proofs():
            pass
        return {move: search.known[move].low for move in env.get_legal_moves()}

    # ---------------------------------------------------------------------------- engine

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """The score of every legal move, proven, with the line that leads to it.

        The best move is found first, then what the others are worth. Stopped early, it says what is
        proven by then; everything else is an estimate and not marked as proven. A limit of depth
        below the number of empty squares allows no proof, and estimates are all there is.
        """
        search = self._search(env)
        limit, notes = self._sensible(limit or Limit(), search)
        before = search.solver.nodes
        with Watch(limit.time, stop) as watch:
            search.solver.watch(watch.flag, limit.nodes)

            def analysis() -> Analysis:
                return self._analysis(search, search.solver.nodes - before, watch.elapsed, notes)

            if not search.game.is_terminal():
                search.estimate_moves(min(limit.depth or ESTIMATE_PLIES, ESTIMATE_PLIES))
                report(on_progress, analysis())
                if limit.depth is None or limit.depth >= search.empties:
                    for _ in search.proofs():
                        report(on_progress, analysis())
            return analysis()

    def _sensible(self, limit: Limit, search: _Search) -> tuple[Limit, tuple[str, ...]]:
        """``limit``, or a few seconds for a position too large to be solved, and a note on that."""
        if search.game.rows < 8 or search.empties <= MOST_EMPTY:
            return limit, ()
        note = f"{search.empties} squares are empty, too many to count on a proof"
        return limit.or_else(Limit(time=DEFAULT_SECONDS)), (note,)

    def _search(self, env: BaseGameEnv) -> _Search:
        """A search of the position; compiles, if it must."""
        rules = compiled_twin(env) if isinstance(env, Reversi) else None
        if not isinstance(env, Reversi) or rules is None:
            raise ValueError(f"the exact Reversi solver does not play {env.name}")
        search = _Search(env, rules, self._solver_for(env))
        search.solver.make()
        search.solver.new_search()
        search.solver.watch(np.zeros(1, dtype=np.int64))
        return search

    def _solver_for(self, env: Reversi) -> Solver:
        """The solver with its table; a new one for another board or where more memory is due."""
        empties = int(np.count_nonzero(np.asarray(env.board) == 0))
        wanted = min(self.max_memory_mb, 2.0 ** max(0, empties - _SMALL))
        if self._solver is None or self._solver.size != env.rows or wanted > self._megabytes:
            self._solver, self._megabytes = Solver(env.rows, wanted), wanted
        return self._solver

    def _analysis(
        self, search: _Search, nodes: int, elapsed: float, notes: tuple[str, ...]
    ) -> Analysis:
        game = search.game
        moves = list(search.known)
        if self.seed is None:
            priorities = game.move_priorities()
            moves.sort(key=lambda move: (-int(priorities[move]), move))
        else:
            random.Random(self.seed).shuffle(moves)
        moves.sort(key=lambda move: search.known[move].rank, reverse=True)
        candidates = [_candidate(search, move) for move in moves]
        return analysis_of(
            game,
            position_to_text(game),
            self.name,
            candidates,
            nodes=nodes,
            elapsed=elapsed,
            seed=self.seed,
            notes=notes,
        )


def _candidate(search: _Search, move: int) -> Candidate:
    known, line = search.known[move], search.lines.get(move, (move,))
    candidate = Candidate(move, search.game.move_name(move), 0.0, line=line)
    if known.sign is None:
        value = math.tanh(known.likely / _DISCS_FOR_SURE)
        return replace(candidate, value=value, score=known.likely, note=_bounds(known, search.area))
    value = float(known.sign)
    proven = replace(candidate, value=value, outcome=outcome_of(value), proven=True)
    if not known.exact:
        return replace(proven, note=_bounds(known, search.area))
    ended = move in search.lines and search.ends(line)
    return replace(proven, score=float(known.low), distance=len(line) if ended else None)


def _bounds(known: _Known, area: int) -> str | None:
    """What is proven of a score that is not known exactly, in words."""
    least, most = f"{known.low:+d}", f"{known.high:+d}"
    if known.low > -area:
        return f"at least {least} discs" if known.high == area else f"{least} to {most} discs"
    return None if known.high == area else f"at most {most} discs"


class _Search:
    """One position on its way to being solved.

    Moves that are mirror images of each other, in a position that is its own mirror image, are
    solved once.
    """

    def __init__(self, env: Reversi, rules: CompiledRules, solver: Solver) -> None:
        self.game, self.solver = env, solver
        self._rules = rules
        self.area = len(env.board)
        self.words = rules.encode(np.asarray(env.board, dtype=np.int8), env.current_player)
        self.empties = int(np.count_nonzero(np.asarray(env.board) == 0))
        moves = [] if env.is_terminal() else env.get_legal_moves()
        self._move_of_bit = {1 << bit: cell for cell, bit in enumerate(rules.cell_bits)}
        self._twins = self._find_twins(moves)
        self.lines: dict[int, tuple[int, ...]] = {}
        self.known = {move: _Known(-self.area, self.area, 0.0) for move in moves}

    @property
    def root(self) -> tuple[int, int]:
        """The position as the solver takes it."""
        return int(self.words[0]), int(self.words[1])

    def _find_twins(self, moves: list[int]) -> dict[int, dict[int, NDArray[np.intp]]]:
        """The moves to solve, each with all moves like it and how to carry lines over."""
        board = np.asarray(self.game.board)
        kept = [s for s in self.game.symmetries() if (s.apply_to_board(board) == board).all()]
        twins: dict[int, dict[int, NDArray[np.intp]]] = {}
        seen: set[int] = set()
        for move in moves:
            if move not in seen:
                twins[move] = {s.apply_to_move(move): s.moves for s in reversed(kept)}
                seen |= twins[move].keys()
        return twins

    def _learn(self, move: int, known: _Known, line: tuple[int, ...] = ()) -> None:
        """Note what is known of ``move``, for the moves like it too."""
        for twin, carried in self._twins[move].items():
            self.known[twin] = known
            if line:
                self.lines[twin] = tuple(int(carried[m]) for m in line)

    # ------------------------------------------------------------------------- estimates

    def seems(self, words: Words, plies: int = ESTIMATE_PLIES - 1) -> float:
        """An estimate in discs for the side to move."""
        return self.solver.seems(int(words[0]), int(words[1]), plies)

    def estimate_moves(self, plies: int) -> None:
        """Estimate every move by looking ``plies`` ahead, as far as the search is not stopped."""
        for move in self._twins:
            if self.solver.stopped:
                return
            after, _ = self._rules.play(self.words, move)
            estimate = -self.seems(after, plies - 1)
            self._learn(move, replace(self.known[move], estimate=estimate))

    # ---------------------------------------------------------------------------- proofs

    def proofs(self) -> Iterator[None]:
        """Find the best move, then what every other is worth; pauses after each step forward.

        Ends early if the solver is stopped.
        """
        order = sorted(self._twins, key=lambda move: -self.known[move].estimate)
        best = -self.area
        for number, move in enumerate(order):
            if number > 0 and not self._may_beat(move, best):
                yield
                continue
            yield from self._settle(move)
            best = max(best, self.known[move].low)
        for move in sorted(self._twins, key=lambda move: -self.known[move].high):
            yield from self._settle(move)
            if self.known[move].exact:
                self._learn(move, self.known[move], self._line(move, self.known[move].low))
                yield

    def _may_beat(self, move: int, best: int) -> bool:
        """Whether ``move`` scores more than ``best``, as far as one question can tell."""
        known = self.known[move]
        if known.high <= best:
            return False
        after, _ = self._rules.play(self.words, move)
        # Above best means at least two discs more, so at most −best − 2 for the opponent.
        bound = self.solver.bound(int(after[0]), int(after[1]), -best - 2)
        if bound is None:
            return False
        if -bound > best:
            self._learn(move, replace(known, low=max(known.low, -bound)))
            return True
        self._learn(move, replace(known, high=min(known.high, -bound)))
        return False

    def _settle(self, move: int) -> Iterator[None]:
        """Narrow the bounds of a move down to its score; pauses after each question."""
        after, _ = self._rules.play(self.words, move)
        known = self.known[move]
        for low, high in self.solver.narrowed(
            int(after[0]), int(after[1]), -known.high, -known.low, -round(known.likely)
        ):
            self._learn(move, replace(known, low=-high, high=-low))
            yield

    def _line(self, move: int, score: int) -> tuple[int, ...]:
        """Best play after ``move``, which scores ``score``, as far as the search is not stopped."""
        line, words, status = [move], self.words, RUNNING
        while True:
            words, status = self._rules.play(words, line[-1])
            score = -score
            if status != RUNNING:
                return tuple(line)
            found = next((m for m in self._promising(words) if self._keeps(words, m, score)), None)
            if found is None:  # stopped
                return tuple(line)
            line.append(found)

    def _promising(self, words: Words) -> list[int]:
        """The moves of a position, the one that the table knows first."""
        remembered = self._move_of_bit.get(self.solver.remembered(int(words[0]), int(words[1])))
        return sorted(self._rules.moves(words), key=lambda move: move != remembered)

    def _keeps(self, words: Words, move: int, score: int) -> bool:
        """Whether ``move`` is worth ``score``, the score of the position; no if stopped."""
        after, _ = self._rules.play(words, move)
        bound = self.solver.bound(int(after[0]), int(after[1]), -score)
        return bound is not None and bound <= -score

    def ends(self, line: tuple[int, ...]) -> bool:
        """Whether ``line`` ends the game."""
        words, status = self.words, RUNNING
        for move in line:
            words, status = self._rules.play(words, move)
        return status != RUNNING
