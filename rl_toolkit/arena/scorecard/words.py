"""What a card says, in words that the terminal and the page share."""

from __future__ import annotations

from rl_toolkit.arena.runs.match_results import not_played
from rl_toolkit.arena.scorecard.rating import RatingEstimate
from rl_toolkit.arena.scorecard.tactics import LENGTHS


def length_text(length: int) -> str:
    """How long a forced win is.

    >>> length_text(1), length_text(3), length_text(4)
    ('win now', 'win in 3', 'win in 4 or more')
    """
    if length == 1:
        return "win now"
    return f"win in {length}{' or more' if length == LENGTHS[-1] else ''}"


def rating_text(rating: RatingEstimate) -> str:
    """The rating, or the bound that all games won or lost leave.

    A rating without an upper end is at least its lower one.
    """
    low, high = rating.interval
    if high is None and low is not None:
        return f"at least {low:.0f}"
    if low is None and high is not None:
        return f"at most {high:.0f}"
    return f"{rating.rating:.0f}"


def interval_text(interval: tuple[float | None, float | None]) -> str:
    """``1200 to 1350``, with ``?`` for an end without a bound."""
    low, high = ("?" if end is None else f"{end:.0f}" for end in interval)
    return f"{low} to {high}"


def scale_text(rating: RatingEstimate) -> str:
    """What the rating is relative to, in one sentence or two."""
    games = sum(opponent.games for opponent in rating.opponents)
    missing = not_played(rating.not_played, games + rating.not_played)
    told = f"{missing}. " if missing else ""
    if rating.measured:
        return f"{told}{games} games against levels with measured ratings; random play is 0."
    return (
        f"{told}{games} games against levels whose ratings were not measured: a rough figure. "
        "Random play is 0."
    )
