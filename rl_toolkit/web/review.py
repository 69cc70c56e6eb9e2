"""A game looked back upon: how much each move gave away, and how well each side played.

The loss of a move is how far the winning chance fell below that of the best move, both as one
analysis of the position sees them. Winning chances run from 0 to 1: a value v is (v + 1) / 2.
"""

from __future__ import annotations

import math
from statistics import fmean
from typing import Any, Literal

from rl_toolkit.analysis import Analysis

Mark = Literal["inaccuracy", "mistake", "blunder"]

#: Loss of winning chance from which a move gets its mark, the worst first.
_MARKS: tuple[tuple[float, Mark], ...] = (
    (0.30, "blunder"),
    (0.15, "mistake"),
    (0.07, "inaccuracy"),
)


def loss_of(analysis: Analysis, move: int) -> float:
    """The winning chance that ``move`` gives away in the position analysed."""
    best = max(candidate.value for candidate in analysis.candidates)
    return max(0.0, (best - analysis.candidate(move).value) / 2)


def mark_of(loss: float) -> Mark | None:
    """The word for a loss; ``None`` for a good move.

    >>> mark_of(0.5), mark_of(0.1), mark_of(0.01)
    ('blunder', 'inaccuracy', None)
    """
    return next((mark for least, mark in _MARKS if loss >= least), None)


def accuracy(losses: list[float]) -> float | None:
    """0 to 100 for the moves of one side; ``None`` where it made none.

    A move without loss counts 100, one that throws a won game away next to nothing.

    >>> accuracy([0.0, 0.0]), round(accuracy([0.5]) or 0)
    (100.0, 8)
    """
    return fmean(100.0 * math.exp(-5.0 * loss) for loss in losses) if losses else None


def judged(analysis: Analysis, move: int) -> dict[str, Any]:
    """What a page shows of one move played: its loss, its mark and what was better."""
    played = analysis.candidate(move)
    loss = loss_of(analysis, move)
    best = analysis.candidates[0]
    return {
        "player": analysis.player,
        "move": move,
        "name": played.name,
        "value": analysis.value * analysis.player + 0.0,
        "proven": analysis.proven,
        "after": played.value * analysis.player + 0.0,
        "after_proven": played.proven,
        "loss": loss,
        "mark": mark_of(loss),
        "best": {"move": best.move, "name": best.name, "note": best.note},
        "note": played.note,
    }
