"""A Reversi position on its way to being solved: what is known of each move, step by step.

The engines `algorithms.reversi.solver` and `algorithms.reversi.engine` decide what to do next and
when to stop; here is how each step is done, and how what is known becomes a `Candidate`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.compiled_rules import compiled_rules_for
from rl_toolkit.algorithms.reversi.book import Book
from rl_toolkit.algorithms.score_range import ScoreRange
from rl_toolkit.analysis import Candidate, ScoreBound, outcome_of
from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.midgame import MOST, STEP, Thinker
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.kernels.status import RUNNING

Words = NDArray[np.uint64]

#: First estimates look so many plies ahead.
ESTIMATE_PLIES = 5

_DISCS_FOR_SURE = 10  # an estimated lead of so many discs is worth tanh(1) ≈ 0.76
_A_LITTLE = 0.25


def checked(env: BaseGameEnv) -> tuple[Reversi, CompiledRules]:
    """``env`` and its compiled rules; a ``ValueError`` with a sentence for any other game."""
    rules = compiled_rules_for(env) if isinstance(env, Reversi) else None
    if not isinstance(env, Reversi) or rules is None:
        raise ValueError(f"the Reversi engines do not play {env.name}")
    return env, rules


@dataclass(frozen=True, slots=True)
class Known(ScoreRange):
    """What is known of a move's score, and what it seems to be: ``estimate``.

    Where a deeper look only showed what it seems to be at most, that is the ``cap``.
    """

    estimate: float
    cap: float = math.inf

    @property
    def likely(self) -> float:
        """The estimate, cut down to what is known."""
        return float(min(max(min(self.estimate, self.cap), self.low), self.high))

    @property
    def rank(self) -> tuple[int, float, bool]:
        """The order of candidates: wins, what is open or drawn, losses; each by likely score."""
        return self.sign or 0, self.likely, self.exact


def _bound(known: Known) -> tuple[float, ScoreBound]:
    """The bound that tells most of a score not known exactly: from below for a win."""
    return (known.low, "lower") if known.low > 0 else (known.high, "upper")


class Search:
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
        self.lines: dict[int, tuple[int, ...]] = {}  # proven
        self._expected: dict[int, tuple[int, ...]] = {}  # only likely
        self._book: Book | None = None
        self._from_book: set[int] = set()
        self.known = {move: Known(-self.area, self.area, 0.0) for move in moves}

    @property
    def root(self) -> tuple[int, int]:
        """The position as the solver takes it."""
        return int(self.words[0]), int(self.words[1])

    @property
    def has_twins(self) -> bool:
        """Whether some moves are mirror images of others."""
        return len(self._twins) < len(self.known)

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

    def _learn(self, move: int, known: Known, line: tuple[int, ...] = ()) -> None:
        """Note what is known of ``move``, for the moves like it too."""
        for twin, image in self._images(move, line).items():
            self.known[twin] = known
            if line:
                self.lines[twin] = image

    def _images(self, move: int, line: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        """``line`` as it is after ``move`` and after each move like it."""
        twins = self._twins[move]
        return {twin: tuple(int(to[m]) for m in line) for twin, to in twins.items()}

    # ------------------------------------------------------------------------------ book

    def consult(self, book: Book | None) -> bool:
        """Learn what a book knows of the moves; whether it knows them all.

        Where it has only the position itself, no move scores more than that.
        """
        if book is None or book.size != self.game.rows:
            return False
        self._book = book if book.exact else None
        best = book.score(self.root) if book.exact else None
        for move in self._twins:
            score = book.score_of_move(self.root, move)
            known = self.known[move]
            if score is not None:
                self._from_book.add(move)
                known = Known(round(score), round(score), score)
                if not book.exact:  # nor so sure that a quarter of a disc would make a difference
                    known = replace(self.known[move], estimate=round(2 * score) / 2)
                self._expected |= self._images(move, self._book_line(book, move))
            elif best is not None:
                known = replace(known, high=round(best), estimate=best)
            self._learn(move, known)
        return len(self._from_book) == len(self._twins)

    def _book_line(self, book: Book, move: int) -> tuple[int, ...]:
        """``move`` and the best play after it as far as the book knows every move."""
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
        """Every legal move, best first; equals by ``seed``, or corners first without one."""
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

    def seems(self, words: Words, plies: int = ESTIMATE_PLIES - 1) -> float | None:
        """An estimate in discs for the side to move; ``None`` if stopped."""
        return self.solver.seems(int(words[0]), int(words[1]), plies)

    def estimate_moves(self, plies: int) -> None:
        """Estimate every move by looking ``plies`` ahead, or a single one once stopped.

        That takes no time, and a move that was not looked at at all would pass for an even one.
        """
        for move in self._twins:
            after, _ = self._rules.play(self.words, move)
            seems = None if self.solver.stopped else self.seems(after, plies - 1)
            if seems is None:
                seems = self.seems(after, 0)
            assert seems is not None, "so short a look cannot be stopped"
            self._learn(move, replace(self.known[move], estimate=-seems, cap=math.inf))

    def deepen(self, thinker: Thinker, depth: int, every: bool = False) -> bool:
        """Estimate every move anew by looking ``depth`` plies ahead; whether that was finished.

        Unless ``every`` move is to get its own estimate, of all but the best it is only found out
        that they are worse. Stopped half-way, moves that were not looked at again stay behind those
        that were.
        """
        found: dict[int, Known] = {}
        best = -math.inf
        for move in sorted(self._twins, key=lambda move: -self.known[move].likely):
            looked = self._look(thinker, move, depth - 1, -math.inf if every else best - STEP)
            if looked is None:
                break
            found[move] = looked
            best = max(best, looked.likely)
        for move in self._twins if found else ():
            behind = min(self.known[move].estimate, best - _A_LITTLE)
            self._learn(move, found.get(move, replace(self.known[move], estimate=behind)))
        for move in found:
            line = self._remembered_line(thinker, move, depth)
            self._expected |= self._images(move, line)
        return len(found) == len(self._twins)

    def _look(self, thinker: Thinker, move: int, plies: int, floor: float) -> Known | None:
        """What is known of ``move`` after a look ``plies`` beyond it; ``None`` if stopped.

        If it seems to be worth ``floor`` discs or less, that is found out sooner, and no more.
        """
        after, _ = self._rules.play(self.words, move)
        position, beta = (int(after[0]), int(after[1])), min(-floor, MOST)
        seems: float | None = -MOST
        if beta < MOST:
            seems = thinker.think(*position, plies, beta, beta - STEP)
        if seems is not None and seems < beta:
            seems = thinker.think(*position, plies, beta)
        if seems is None:
            return None
        if seems >= beta:
            return replace(self.known[move], cap=-seems)
        return replace(self.known[move], estimate=-seems, cap=math.inf)

    def _remembered_line(self, thinker: Thinker, move: int, depth: int) -> tuple[int, ...]:
        """``move`` and the best play after it that a look ``depth`` plies ahead left in the table.

        The last plies are looked at without the table, so the line is a little shorter.
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
        """Prove what the best move scores; pauses after each step, ends early if stopped."""
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
        """Prove what every move scores, with a line; pauses and ends as `find_best` does."""
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

    def _line(self, move: int, score: int, search: bool) -> tuple[int, ...]:
        """Best play after ``move``, which scores ``score``, as far as the search is not stopped.

        Without ``search`` as far as the book goes, which takes no time.
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
        """The moves of a position, the one that the table knows first."""
        remembered = self._move_of_bit.get(self.solver.remembered(int(words[0]), int(words[1])))
        return sorted(self._rules.moves(words), key=lambda move: move != remembered)

    def _keeps(self, words: Words, move: int, score: int, search: bool) -> bool:
        """Whether ``move`` is worth ``score``, the score of the position; no if nobody knows."""
        if self._book is not None:
            written = self._book.score_of_move((int(words[0]), int(words[1])), move)
            if written is not None:
                return written == score
        if not search:
            return False
        after, _ = self._rules.play(words, move)
        bound = self.solver.bound(int(after[0]), int(after[1]), -score)
        return bound is not None and bound <= -score
