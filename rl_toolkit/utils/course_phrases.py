"""The short phrases that courses teach, used only where they are true.

The docstrings say whose view a value is. ``distance`` counts plies to the end of the game, this
move included, and is known only if search proved the outcome.
"""

from __future__ import annotations

from typing import Literal

from rl_toolkit.utils.messages import counted

#: Phrases for values that search has not proven, in the mover's view: least value, phrase.
_BY_VALUE = ((0.5, "Creates strong winning threats"), (0.1, "Slight advantage"))
#: The same below 0.1, where the value itself belongs to the next phrase.
_BY_VALUE_BELOW = (
    (-0.1, "Balanced position"),
    (-0.5, "Slight disadvantage"),
    (-0.9, "Defensive necessity"),
)

DECISIVE = 0.9


def assessment(value: float, distance: int | None = None, *, proven: bool | None = None) -> str:
    """The courses' assessment of a move; ``value`` is from the mover's view.

    ``proven`` defaults to whether ``distance`` is given. "Forces immediate win" and "Cannot prevent
    loss" are used for proven values only, the former only if this move wins the game; for a longer
    win the phrase has the number of the winner's moves.

    >>> assessment(1.0, 1), assessment(1.0, 5), assessment(-1.0, 4), assessment(0.02)
    ('Forces immediate win', 'Forces a win in 3 moves', 'Cannot prevent loss in 2 moves', \
'Balanced position')
    """
    certain = distance is not None if proven is None else proven
    if value >= DECISIVE:
        return _winning(distance) if certain else "Seems to be winning"
    if value <= -DECISIVE:
        return _losing(distance) if certain else "Seems to be losing"
    if certain and value == 0:
        return "Balanced position: best play draws"
    for floor, phrase in _BY_VALUE:
        if value >= floor:
            return phrase
    return next(phrase for floor, phrase in _BY_VALUE_BELOW if value > floor)


def _winning(distance: int | None) -> str:
    if distance is None:
        return "Forces a win"
    if distance == 1:
        return "Forces immediate win"
    return f"Forces a win in {counted(winner_moves(distance, mover_wins=True))}"


def _losing(distance: int | None) -> str:
    moves = 0 if distance is None else winner_moves(distance, mover_wins=False)
    # In Reversi the loser's own move may end the game: the opponent then makes no move.
    return f"Cannot prevent loss in {counted(moves)}" if moves else "Cannot prevent loss"


def winner_moves(distance: int, *, mover_wins: bool) -> int:
    """The number of moves the winner makes in ``distance`` plies, the mover playing the first.

    >>> winner_moves(5, mover_wins=True), winner_moves(4, mover_wins=False)
    (3, 2)
    """
    return (distance + 1) // 2 if mover_wins else distance // 2


def exploration(visits: int, value: float | None, *, proven: bool = False) -> str:
    """The courses' words for a move in tree search; ``value`` is from the mover's view.

    >>> exploration(240, 0.41), exploration(0, None)
    ('heavily explored, strong position', 'not searched')
    >>> exploration(3, 1.0, proven=True), exploration(0, -1.0, proven=True)
    ('lightly explored, strong position (solved)', 'weak position (solved)')
    """
    if value is None:
        return "not searched"
    how = "heavily" if visits > 200 else "moderately" if visits > 50 else "lightly"
    what = "strong" if value > 0.3 else "balanced" if value > -0.3 else "weak"
    text = f"{what} position (solved)" if proven else f"{what} position"
    return f"{how} explored, {text}" if visits or not proven else text


def format_outcome(value: float, perspective: Literal["ai", "human"] = "ai") -> str:
    """The courses' outcome words for a value, as shown in the terminal and on the page.

    ``perspective`` is whose view ``value`` is: the computer's, or that of the person playing it;
    another word raises ``ValueError``.

    >>> format_outcome(-0.4), format_outcome(-0.4, perspective="human")
    ('🔴 Human advantage', '🟢 AI advantage')
    """
    if perspective not in ("ai", "human"):
        raise ValueError(f"perspective is 'ai' or 'human', not {perspective!r}")
    for_ai = value if perspective == "ai" else -value
    if for_ai >= DECISIVE:
        return "✓ AI wins"
    if for_ai >= 0.3:
        return "🟢 AI advantage"
    if for_ai > -0.3:
        return "⚖️ Draw"
    return "🔴 Human advantage" if for_ai > -DECISIVE else "❌ Human wins"
