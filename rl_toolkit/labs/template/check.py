"""The checks of this lab. They run in our process; the student's code runs in its own."""

from __future__ import annotations

from rl_toolkit.labs.checking import Check, call, position
from rl_toolkit.labs.truth import tictactoe as truth

#: Calls whose answers tell the typical mistakes apart.
PANELS = {
    1: [
        call("winner", position(text))
        for text in ("xxx/oo1/3 o", "oo1/xxx/3 o", "xo1/xo1/1ox x", "xoo/1x1/2x o", "xx1/oo1/3 x")
    ]
}


def task_1(check: Check) -> None:
    """Ended and open positions, drawn anew for each check."""
    boards = check.rng.sample(truth.positions(), 200)
    check.each(
        "winner",
        [position("3/3/3 x"), *boards],
        lambda here: truth.result(here) or None,
        "Look along the three rows, the three columns and the two diagonals.",
    )
