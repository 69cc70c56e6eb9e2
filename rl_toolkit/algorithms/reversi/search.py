"""The search of one Reversi position in steps: estimates, bounds and proofs for each move.

The engines `algorithms.reversi.solver` and `algorithms.reversi.engine` decide which step comes next
and when to stop; this module performs the steps and turns their results into candidates.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.by_game.compiled_rules import compiled_rules_for
from rl_toolkit.algorithms.by_game.solvers import ScoreRange
from rl_toolkit.algorithms.reversi.book import Book, Discs
from rl_toolkit.analysis import Candidate, ScoreBound, outcome_of
from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.midgame import MOST, STEP, Thinker
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.kernels.status import RUNNING

Words = NDArray[np.uint64]

#: The search depth of the first estimates.
ESTIMATE_PLIES = 5

_DISCS_FOR_SURE = 10  # an estimated lead of this many discs has the value tanh(1) ≈ 0.76
_A_LITTLE = 0.25


def checked(env: BaseGameEnv) -> tuple[Reversi, CompiledRules]:
    """``env`` and its compiled rules; `ValueError` for any other game."""
    rules = compiled_rules_for(env) if isinstance(env, Reversi) else None
    if not isinstance(env, Reversi) or rules is None:
        raise ValueError(f"the Reversi engines do not play {env.name}")
    return env, rules


def book_candidates(env: Reversi, book: Book) -> list[Candidate]:
    """The legal moves whose scores are in ``book``; no line is looked up."""
    _, rules = checked(env)
    words = rules.encode(np.asarray(env.board, dtype=np.int8), env.current_player)
    moves = [move for move in env.get_legal_moves() if move != env.pass_move]
    scores, found = _book_scores(book, (int(words[0]), int(words[1])), moves), []
    for move, score in scores.items():
        candidate = Candidate(move, env.move_name(move), line=(move,))
        if book.exact:
            sign = float((score > 0) - (score < 0))
            proven = replace(candidate, value=sign, outcome=outcome_of(sign), proven=True)
            found.append(replace(proven, score=float(score)))
        else:
            value = math.tanh(score / _DISCS_FOR_SURE)
            found.append(replace(candidate, value=value, score=score))
    return found


def _book_scores(book: Book, position: Discs, moves: Iterable[int]) -> dict[int, float]:
    """The scores of the moves that are in ``book``.

    Estimates are rounded to half a disc, as they are not more precise: counted from the best one,
    so that all moves less than half a disc behind it count as equally good.
    """
    asked = {move: book.score_of_move(position, move) for move in moves}
    scores = {move: score for move, score in asked.items() if score is not None}
    if book.exact or not scores:
        return scores
    best = max(scores.values())
    return {m: (round(2 * best) - math.floor(2 * (best - s))) / 2 for m, s in scores.items()}


@dataclass(frozen=True, slots=True)
class Known(ScoreRange):
    """Proven bounds on a move's score, and its ``estimate``.

    ``cap`` is an upper bound on the estimate, where a deeper search found only that.
    """

    estimate: float
    cap: float = math.inf

    @property
    def likely(self) -> float:
        """The estimate, clipped to the known bounds."""
        return float(min(max(min(self.estimate, self.cap), self.low), self.high))

    @property
    def rank(self) -> tuple[int, float, bool]:
        """Sort key: wins, then draws and unproven moves, then losses; each by likely score."""
        return self.sign or 0, self.likely, self.exact


def _bound(known: Known) -> tuple[float, ScoreBound]:
    """The more useful bound of a score that is not exact: the lower one for a win."""
    return (known.low, "lower") if known.low > 0 else (known.high, "upper")


class Search:
    """The search of one position.

    In a symmetric position, moves that are mirror images of each other are searched once.
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
        self.lines: dict[int, tuple[int, ...]] = {}  # proven
        self._expected: dict[int, tuple[int, ...]] = {}  # not proven
        self._book: Book | None = None
        self._from_book: set[int] = set()
        self.known = {move: Known(-self.area, self.area, 0.0) for move in moves}

    @property
    def root(self) -> tuple[int, int]:
        """The position as two bitboards for the solver."""
        return int(self.words[0]), int(self.words[1])

    @property
    def has_twins(self) -> bool:
        """Whether some moves are mirror images of others."""
        return len(self._twins) < len(self.known)

    def _find_twins(self, moves: list[int]) -> dict[int, dict[int, NDArray[np.intp]]]:
        """The moves to search, each with its mirror images and the mapping of lines to them."""
        board = np.asarray(self.game.board)
        kept = [s for s in self.game.symmetries() if (s.apply_to_board(board) == board).all()]
        twins: dict[int, dict[int, NDArray[np.intp]]] = {}
        seen: set[int] = set()
        for move in moves:
            if move not in seen:
                twins[move] = {s.apply_to_move(move): s.moves for s in reversed(kept)}
                seen |= twins[move].keys()
        return twins

    def _learn(self, move: int, known: Known, line: tuple[int, ...] = ()) -> None:
        """Record what is known of ``move``, for its mirror images too."""
        for twin, image in self._images(move, line).items():
            self.known[twin] = known
            if line:
                self.lines[twin] = image

    def _images(self, move: int, line: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        """``line`` for ``move`` and for each of its mirror images."""
        twins = self._twins[move]
        return {twin: tuple(int(to[m]) for m in line) for twin, to in twins.items()}

    # ------------------------------------------------------------------------------ book

    def consult(self, book: Book | None) -> bool:
        """Take the scores of moves from a book; True if it has them all.

        If an exact book has only the position itself, its score bounds every move from above.
        """
        if book is None or book.size != self.game.rows:
            return False
        self._book = book if book.exact else None
        best = book.score(self.root) if book.exact else None
        scores = _book_scores(book, self.root, self._twins)
        for move in self._twins:
            score = scores.get(move)
            known = self.known[move]
            if score is not None:
                self._from_book.add(move)
                known = Known(round(score), round(score), score)
                if not book.exact:
                    known = replace(self.known[move], estimate=score)
                self._expected |= self._images(move, self._book_line(book, move))
            elif best is not None:
                known = replace(known, high=round(best), estimate=best)
            self._learn(move, known)
        return len(self._from_book) == len(self._twins)

    def _book_line(self, book: Book, move: int) -> tuple[int, ...]:
        """``move`` and the best line after it, as long as every move is in the book."""
        line, words = [move], self.words
        while True:
            words, status = self._rules.play(words, line[-1])
            if status != RUNNING:
                return tuple(line)
            position = int(words[0]), int(words[1])
            scores = {m: book.score_of_move(position, m) for m in self._rules.moves(words)}
            known = {m: score for m, score in scores.items() if score is not None}
            if len(known) < len(scores):
                return tuple(line)
            line.append(max(known, key=lambda m: known[m]))

    # ------------------------------------------------------------------------ candidates

    def candidates(self, seed: int | None) -> list[Candidate]:
        """The legal moves, best first; equal ones by ``seed``, or without one corners first."""
        moves = list(self.known)
        if seed is None:
            priorities = self.game.move_priorities()
            moves.sort(key=lambda move: (-int(priorities[move]), move))
        else:
            random.Random(seed).shuffle(moves)
        moves.sort(key=lambda move: self.known[move].rank, reverse=True)
        return [self._candidate(move) for move in moves]

    def _candidate(self, move: int) -> Candidate:
        known = self.known[move]
        line = self.lines.get(move) or self._expected.get(move, (move,))
        candidate = Candidate(move, self.game.move_name(move), 0.0, line=line)
        if known.sign is None:
            value = math.tanh(known.likely / _DISCS_FOR_SURE)
            if known.cap < math.inf:
                cap = min(known.cap, float(known.high))
                return replace(candidate, value=value, score=cap, score_bound="upper")
            return replace(candidate, value=value, score=known.likely)
        value = float(known.sign)
        proven = replace(candidate, value=value, outcome=outcome_of(value), proven=True)
        if not known.exact:
            score, bound = _bound(known)
            return replace(proven, score=float(score), score_bound=bound)
        ended = move in self.lines and self._ends(line)
        return replace(proven, score=float(known.low), distance=len(line) if ended else None)

    def _ends(self, line: tuple[int, ...]) -> bool:
        """Whether ``line`` ends the game."""
        words, status = self.words, RUNNING
        for move in line:
            words, status = self._rules.play(words, move)
        return status != RUNNING

    # ------------------------------------------------------------------------- estimates

    def estimate(self, words: Words, plies: int = ESTIMATE_PLIES - 1) -> float | None:
        """An estimate in discs for the side to move; ``None`` if stopped."""
        return self.solver.estimate(int(words[0]), int(words[1]), plies)

    def estimate_moves(self, plies: int) -> None:
        """Estimate every move by a search of ``plies``, or of a single ply once stopped.

        A single ply takes almost no time, and a move without an estimate would look even.
        """
        for move in self._twins:
            after, _ = self._rules.play(self.words, move)
            score = None if self.solver.stopped else self.estimate(after, plies - 1)
            if score is None:
                score = self.estimate(after, 0)
            assert score is not None, "a search of a single ply cannot be stopped"
            self._learn(move, replace(self.known[move], estimate=-score, cap=math.inf))

    def deepen(self, thinker: Thinker, depth: int, every: bool = False) -> bool:
        """Estimate every move by a search of ``depth`` plies; True if it was finished.

        Unless ``every`` move gets its own estimate, all but the best are only shown to be worse.
        If stopped half-way, moves not searched again rank behind those that were. The other
        threads of ``thinker`` help.
        """
        found = thinker.aided(*self.root, depth, lambda: self._deepened(thinker, depth, every))
        best = max((known.likely for known in found.values()), default=-math.inf)
        for move in self._twins if found else ():
            behind = min(self.known[move].estimate, best - _A_LITTLE)
            self._learn(move, found.get(move, replace(self.known[move], estimate=behind)))
        for move in found:
            line = self._remembered_line(thinker, move, depth)
            self._expected |= self._images(move, line)
        return len(found) == len(self._twins)

    def _deepened(self, thinker: Thinker, depth: int, every: bool) -> dict[int, Known]:
        """What a search of ``depth`` plies finds of each move, until it is stopped."""
        found: dict[int, Known] = {}
        best = -math.inf
        for move in sorted(self._twins, key=lambda move: -self.known[move].likely):
            result = self._search(thinker, move, depth - 1, -math.inf if every else best - STEP)
            if result is None:
                break
            found[move] = result
            best = max(best, result.likely)
        return found

    def _search(self, thinker: Thinker, move: int, plies: int, floor: float) -> Known | None:
        """What is known of ``move`` after a search ``plies`` beyond it; ``None`` if stopped.

        If its estimate is ``floor`` discs or less, the search ends sooner with an upper bound.
        """
        after, _ = self._rules.play(self.words, move)
        position, beta = (int(after[0]), int(after[1])), min(-floor, MOST)
        score: float | None = -MOST
        if beta < MOST:
            score = thinker.think(*position, plies, beta, beta - STEP)
        if score is not None and score < beta:
            score = thinker.think(*position, plies, beta)
        if score is None:
            return None
        if score >= beta:
            return replace(self.known[move], cap=-score)
        return replace(self.known[move], estimate=-score, cap=math.inf)

    def _remembered_line(self, thinker: Thinker, move: int, depth: int) -> tuple[int, ...]:
        """``move`` and the best line after it that a search of ``depth`` plies left in the table.

        The last plies are searched without the table, so the line is a little shorter.
        """
        line, words = [move], self.words
        while len(line) < depth:
            words, status = self._rules.play(words, line[-1])
            if status != RUNNING:
                break
            moves = self._rules.moves(words)
            bit = thinker.remembered(int(words[0]), int(words[1]))
            following = moves[0] if len(moves) == 1 else self._move_of_bit.get(bit)
            if following is None:
                break
            line.append(following)
        return tuple(line)

    # ---------------------------------------------------------------------------- proofs

    def find_best(self) -> Iterator[None]:
        """Prove the score of the best move; yields after each step, ends early if stopped."""
        order = sorted(self._twins, key=lambda move: -self.known[move].likely)
        best = -self.area
        for number, move in enumerate(order):
            if self.solver.stopped:
                return
            if number == 0 or self._may_beat(move, best):
                yield from self._settle(move)
                best = max(best, self.known[move].low)
            yield
        move = max(order, key=lambda move: self.known[move].rank)
        self._find_line(move)
        yield

    def find_rest(self) -> Iterator[None]:
        """Prove the score and line of every move; yields and ends like `find_best`."""
        for move in sorted(self._twins, key=lambda move: -self.known[move].high):
            if self.solver.stopped:
                return
            yield from self._settle(move)
            self._find_line(move)
            yield

    def _find_line(self, move: int) -> None:
        known = self.known[move]
        if known.exact and move not in self.lines:
            self._learn(move, known, self._line(move, known.low, move not in self._from_book))

    def _may_beat(self, move: int, best: int) -> bool:
        """Whether ``move`` scores more than ``best``, tested with one null-window search."""
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
        """Narrow the bounds of a move down to its score; yields after each search."""
        after, _ = self._rules.play(self.words, move)
        known = self.known[move]
        for low, high in self.solver.narrowed(
            int(after[0]), int(after[1]), -known.high, -known.low, -round(known.likely)
        ):
            self._learn(move, replace(known, low=-high, high=-low))
            yield

    def _line(self, move: int, score: int, search: bool) -> tuple[int, ...]:
        """The best line from ``move``, which scores ``score``; shorter if the search is stopped.

        Without ``search`` the line ends with the book, which takes no time.
        """
        line, words, status = [move], self.words, RUNNING
        while True:
            words, status = self._rules.play(words, line[-1])
            score = -score
            if status != RUNNING:
                return tuple(line)
            found = next(
                (m for m in self._promising(words) if self._keeps(words, m, score, search)), None
            )
            if found is None:  # stopped, or the end of the book
                return tuple(line)
            line.append(found)

    def _promising(self, words: Words) -> list[int]:
        """The moves of a position, the table move first."""
        remembered = self._move_of_bit.get(self.solver.remembered(int(words[0]), int(words[1])))
        return sorted(self._rules.moves(words), key=lambda move: move != remembered)

    def _keeps(self, words: Words, move: int, score: int, search: bool) -> bool:
        """Whether ``move`` keeps ``score``, the score of the position; False if unknown."""
        if self._book is not None:
            written = self._book.score_of_move((int(words[0]), int(words[1])), move)
            if written is not None:
                return written == score
        if not search:
            return False
        after, _ = self._rules.play(words, move)
        bound = self.solver.bound(int(after[0]), int(after[1]), -score)
        return bound is not None and bound <= -score
