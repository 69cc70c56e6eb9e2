"""Scores of positions and moves, from the book where possible and else by search."""

from __future__ import annotations

from rl_toolkit.algorithms.by_game.solvers import ScoreRange
from rl_toolkit.algorithms.connect_four.book import Book
from rl_toolkit.algorithms.connect_four.position import Bitboards, after, completes_four
from rl_toolkit.kernels.connect_four.solver import Solver
from rl_toolkit.utils import BookError

#: Of a line: nodes to ask whether a move is the best one, and how many times more if that did not
#: suffice for any. A slightly worse move can take a thousand times as long as the best one.
_ASK_NODES, _ASK_MORE = 300_000, 4


class Known(ScoreRange):
    """The known bounds on the score of a position or a move."""

    __slots__ = ()

    def __neg__(self) -> Known:
        return Known(-self.high, -self.low)


class Scorer:
    """Finds scores on one board; ``weak`` ones are 1, 0 and −1: who wins, not how fast.

    The book is consulted first. It still helps one ply beyond its last: no move is better than the
    position it was played in, and all possible parents of the position are in the book.

    Results are only bounds where the solver was stopped (see `Solver.watch`).
    """

    def __init__(self, solver: Solver, book: Book | None, *, weak: bool = False) -> None:
        self.solver, self.weak = solver, weak
        self.rows, self.cols = solver.rows, solver.cols
        fits = book is not None and (book.rows, book.cols) == (self.rows, self.cols)
        self.book = book if fits else None

    def twin(self) -> Scorer:
        """A scorer for another thread, sharing the table."""
        return Scorer(self.solver.twin(), self.book, weak=self.weak)

    def position(
        self, position: Bitboards, before: Known | None = None, *, sign_only: bool
    ) -> Known:
        """The score of an unfinished game for its side to move.

        ``before`` are the bounds known so far. With ``sign_only`` the search ends as soon as it
        is known who wins.
        """
        written = self._book_score(position)
        if written is not None:
            return Known(written, written)
        low, high = self.solver.range_of(position.taken)
        if before is not None:
            low, high = max(low, before.low), min(high, before.high)
        least = self._least(position)
        low, guess = (low, 0) if least is None else (max(low, least), least)
        window = (_sign(low), _sign(high)) if sign_only or self.weak else (low, high)
        score = self.solver.solve(*position, bounds=window, guess=guess)
        found_low, found_high = (score, score) if score is not None else self.solver.bounds
        if not self.weak:
            # A score at the edge of the window may lie beyond it.
            low = low if found_low == window[0] else found_low
            high = high if found_high == window[1] else found_high
            return Known(low, high)
        return Known(found_low, found_high)

    def move(
        self,
        position: Bitboards,
        move: int,
        before: Known | None = None,
        *,
        sign_only: bool = False,
    ) -> Known:
        """The score of a legal move for the player who makes it; see `position`."""
        left = self.rows * self.cols - position.taken.bit_count()
        if completes_four(position, move, self.rows):
            score = 1 if self.weak else (left + 1) // 2
            return Known(score, score)
        if left == 1:
            return Known(0, 0)
        reverse = None if before is None else -before
        return -self.position(after(position, move, self.rows), reverse, sign_only=sign_only)

    def is_above(self, position: Bitboards, move: int, alpha: int) -> bool:
        """Whether a legal move scores more than ``alpha``; False if stopped."""
        left = self.rows * self.cols - position.taken.bit_count()
        if completes_four(position, move, self.rows):
            return (left + 1) // 2 > alpha
        if left == 1:
            return alpha < 0
        child = after(position, move, self.rows)
        written = self._book_score(child)
        if written is not None:
            return -written > alpha
        return self.solver.is_above(*child, -alpha - 1) is False

    def line(self, position: Bitboards, move: int, score: int) -> tuple[int, ...]:
        """The best line from ``move``, which scores ``score``; shorter if the solver is stopped.

        Among equally good moves one is chosen that is soon known to be good, the most central of
        these.
        """
        line = [move]
        while not completes_four(position, move, self.rows):
            position, score = after(position, move, self.rows), -score
            found = self._move_above(position, score - 1)
            if found is None:  # the board is full, or the solver was stopped
                break
            move = found
            line.append(move)
        return tuple(line)

    def _move_above(self, position: Bitboards, alpha: int) -> int | None:
        """A legal move that scores more than ``alpha``; ``None`` if there is none, or if stopped.

        All moves are asked about with few nodes each, then those left with more.
        """
        left, nodes = self._legal(position), _ASK_NODES
        while left:
            undecided = []
            for move in left:
                with self.solver.allowing(nodes):
                    if self.is_above(position, move, alpha):
                        return move
                    if self.solver.stopped:
                        undecided.append(move)
            left, nodes = [] if self.solver.stopped else undecided, nodes * _ASK_MORE
        return None

    def _legal(self, position: Bitboards) -> list[int]:
        """The columns that are not full, from the centre outwards."""
        columns = sorted(range(self.cols), key=lambda col: abs(2 * col - self.cols + 1))
        top = self.rows - 1
        return [col for col in columns if not position.taken >> col * (self.rows + 1) + top & 1]

    def _book_score(self, position: Bitboards) -> int | None:
        """The score in the book; a book that turns out to be damaged is no longer used."""
        try:
            score = None if self.book is None else self.book.score(*position)
        except BookError:
            self.book = score = None
        return score if score is None or not self.weak else _sign(score)

    def _least(self, position: Bitboards) -> int | None:
        """A lower bound on the score, from the parents of the position in the book.

        The opponent's last stone is on top of a column; each column with one of their stones on top
        gives one parent, if that position is reachable.
        """
        if self.book is None or position.taken.bit_count() != self.book.plies + 1:
            return None
        theirs = position.mine ^ position.taken
        known = []
        for col in range(self.cols):
            column = position.taken & ((1 << self.rows) - 1) << col * (self.rows + 1)
            last = 1 << column.bit_length() >> 1
            if theirs & last:
                known.append(self._book_score(Bitboards(theirs ^ last, position.taken ^ last)))
        return max((-score for score in known if score is not None), default=None)


def _sign(score: int) -> int:
    return max(-1, min(1, score))
