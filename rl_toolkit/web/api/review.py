"""A reviewed game as a page shows it: moves are marked by how much winning chance they lost.

What a move lost is found in `algorithms.review`. Winning chances run from 0 to 1: a value v is
(v + 1) / 2. Where pieces are counted at the end (`GameTraits.score_unit`), the discs that a move
lost count as well: a game may be won by fewer than it could have been. Elsewhere a move that keeps
the result may lose moves: it hastens the loss, or delays the win.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Literal

from rl_toolkit.algorithms import MoveReview, Review
from rl_toolkit.analysis import Analysis, words_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain import (
    Moment,
    Pace,
    better_than,
    cost_of,
    course_of,
    lesson_of,
    moves_lost,
    over_at,
    pace_of,
    seen_after,
    turned_on,
)
from rl_toolkit.web.exchange.responses import Json

Mark = Literal["inaccuracy", "mistake", "blunder"]

#: Loss of winning chance, and of discs, from which a move gets its mark, the worst first.
_MARKS: tuple[tuple[float, float, Mark], ...] = (
    (0.30, 16, "blunder"),
    (0.15, 8, "mistake"),
    (0.07, 4, "inaccuracy"),
)
#: Moves by which a loss comes sooner, or a win later, after a mistake.
_MANY_MOVES = 8


def mark_of(loss: float, discs: float = 0.0) -> Mark | None:
    """The word for a loss of winning chance or of discs; ``None`` for a good move.

    >>> mark_of(0.5), mark_of(0.1), mark_of(0.01), mark_of(0.0, discs=10)
    ('blunder', 'inaccuracy', None, 'mistake')
    """
    return next((mark for chance, few, mark in _MARKS if loss >= chance or discs >= few), None)


def move_answer(
    reviewed: MoveReview, analysis: Analysis, env: BaseGameEnv, before: BaseGameEnv | None = None
) -> Json:
    """One move played in ``env``: its loss, its mark, what was better; values are player +1's.

    ``text`` says where the game stands after the move, ``cost`` what the move lost, ``better``
    which moves were better; the two are null if it lost nothing. ``sure`` says whether there is
    something to learn from the mark: a small loss that is only estimated is none. ``lesson`` says
    what kind of mistake it was, null for none: ``before`` is the position in which it was played,
    ``env`` if left out.
    """
    played, best = analysis.candidate(reviewed.move), analysis.candidates[0]
    lost = reviewed.value_lost / 2
    discs = _discs(reviewed) if env.traits.score_unit else None
    best_moves, played_moves = moves_lost(reviewed, env.traits) or (None, None)
    pace, words = pace_of(reviewed, env.traits), words_for(env)
    accuracy = Review((), None, discs is not None).accuracy_of(reviewed)
    there = seen_after(played)
    mark = _mark(lost, discs, analysis.proven or played.proven) or _slip(pace)
    return {
        "ply": reviewed.number - 1,
        "player": reviewed.player,
        "move": reviewed.move,
        "name": reviewed.name,
        "value": _for_x(analysis.value, analysis.player),
        "proven": analysis.proven,
        "after": _for_x(played.value, analysis.player),
        "after_proven": played.proven,
        "value_lost": lost,
        "discs": discs,
        "moves_before": best_moves,
        "moves_after": played_moves,
        "pace": None if pace is None else asdict(pace) | {"text": pace.text},
        "worth": words.mark(played),
        "there": {"mark": words.mark(there), "text": words.full(there, -analysis.player)},
        "accuracy": None if accuracy is None else 100 * accuracy,
        "mark": mark,
        "sure": _is_sure(mark, analysis.proven and played.proven),
        "lesson": lesson_of(before or env, reviewed.move) if mark else None,
        "text": words.full(played, analysis.player),
        "cost": cost_of(reviewed, env.traits),
        "better": better_than(reviewed, env.traits),
        "best": {"move": best.move, "name": best.name, "note": best.note},
        "note": played.note,
    }


def _for_x(value: float | None, player: int) -> float | None:
    return None if value is None else value * player + 0.0


def _mark(loss: float, discs: Json | None, proven: bool) -> Mark | None:
    """The mark for a loss; ``proven`` says whether the value before or after the move is.

    Two estimates of a moment differ by chance, so only half of what lies between them counts.
    """
    if discs is None:
        return mark_of(loss if proven else loss / 2)
    # Estimated discs are the estimate; a chance made of them would count them twice.
    return mark_of(loss if discs["proven"] else 0.0, round(discs["lost"]))


def _is_sure(mark: Mark | None, proven: bool) -> bool:
    """Whether somebody should learn from the mark: small losses must be proven."""
    return mark is not None and (proven or mark != "inaccuracy")


def _slip(pace: Pace | None) -> Mark | None:
    """The mark of a move that lost no chance, only moves: a mistake if they are eight or more."""
    if pace is None:
        return None
    return "mistake" if abs(pace.before - pace.after) >= _MANY_MOVES else "inaccuracy"


def _discs(reviewed: MoveReview) -> Json | None:
    """What the move lost in discs, and by how many player +1 leads before and after it."""
    lost, before, after = reviewed.score_lost, reviewed.score_before, reviewed.score_after
    if lost is None or before is None or after is None:
        return None
    return {
        "lost": lost,
        "proven": reviewed.score_proven,
        "before": before * reviewed.player + 0.0,
        "after": after * reviewed.player + 0.0,
    }


def summary_answer(reviewed: list[MoveReview], env: BaseGameEnv, winner: int | None = None) -> Json:
    """How well each side played, in percent, and in discs if they count; null where not known.

    ``course`` says on which move the game turned, and at which it was over; ``turned`` and ``over``
    say more of these two moves. ``winner`` is who won, if not the board but a clock decided it.
    """
    review = Review(tuple(reviewed), None, bool(env.traits.score_unit))
    course, winner = course_of(reviewed, env.traits), env.winner or winner
    sides = {"x": 1, "o": -1}
    shares = {side: review.accuracy(player) for side, player in sides.items()}
    unit = env.traits.score_unit
    return {
        "units": {
            "accuracy": "per cent",
            "value_lost": "expected result, 0 to 1",
            "discs": f"{unit}s" if unit else None,
            "moves_before": "moves of the winner",
            "moves_after": "moves of the winner",
        },
        "accuracy_proven": {
            side: review.accuracy_is_proven(player) for side, player in sides.items()
        },
        "turned": _moment(turned_on(reviewed, env.traits, winner)),
        "over": _moment(over_at(reviewed, env.traits, winner)),
        "course": None if course is None else asdict(course) | {"text": course.text},
        "accuracy": {
            side: None if share is None else 100 * share for side, share in shares.items()
        },
        "discs": {side: _total(review, player) for side, player in sides.items()}
        if env.traits.score_unit
        else None,
    }


def _moment(moment: Moment | None) -> Json | None:
    if moment is None:
        return None
    return {"ply": moment.number - 1, "text": moment.text, "proven": moment.proven}


def _total(review: Review, player: int) -> Json:
    """The discs that a side lost, proven and estimated, and the ply of its costliest move."""
    worst = review.costliest(player)
    return {
        "proven": review.score_lost(player, proven=True),
        "estimated": review.score_lost(player, proven=False),
        "costliest": None if worst is None else worst.number - 1,
    }
