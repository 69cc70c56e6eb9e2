"""A game looked back upon, as a page shows it: marks by how much winning chance a move gave away.

What a move lost is found in `algorithms.review`. Winning chances run from 0 to 1: a value v is
(v + 1) / 2.
"""

from __future__ import annotations

from typing import Literal

from rl_toolkit.algorithms.review import MoveReview, Review
from rl_toolkit.analysis import Analysis
from rl_toolkit.web.answers import Json

Mark = Literal["inaccuracy", "mistake", "blunder"]

#: Loss of winning chance from which a move gets its mark, the worst first.
_MARKS: tuple[tuple[float, Mark], ...] = (
    (0.30, "blunder"),
    (0.15, "mistake"),
    (0.07, "inaccuracy"),
)


def mark_of(loss: float) -> Mark | None:
    """The word for a loss of winning chance; ``None`` for a good move.

    >>> mark_of(0.5), mark_of(0.1), mark_of(0.01)
    ('blunder', 'inaccuracy', None)
    """
    return next((mark for least, mark in _MARKS if loss >= least), None)


def move_answer(reviewed: MoveReview, analysis: Analysis) -> Json:
    """One move played: its loss, its mark, what was better; values are player +1's."""
    played, best = analysis.candidate(reviewed.move), analysis.candidates[0]
    loss = reviewed.value_lost / 2
    return {
        "ply": reviewed.number - 1,
        "player": reviewed.player,
        "move": reviewed.move,
        "name": reviewed.name,
        "value": analysis.value * analysis.player + 0.0,
        "proven": analysis.proven,
        "after": played.value * analysis.player + 0.0,
        "after_proven": played.proven,
        "loss": loss,
        "mark": mark_of(loss),
        "best": {"move": best.move, "name": best.name, "note": best.note},
        "note": played.note,
    }


def summary_answer(reviewed: list[MoveReview]) -> Json:
    """How well each side played, in percent; null for a side that made no move."""
    review = Review(tuple(reviewed), winner=None)
    shares = {"x": review.accuracy(1), "o": review.accuracy(-1)}
    return {
        "accuracy": {side: None if share is None else 100 * share for side, share in shares.items()}
    }
