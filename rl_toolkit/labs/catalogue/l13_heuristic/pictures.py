"""The picture of the sheet: what the heuristic counts after c a d a e."""

from __future__ import annotations

from rl_toolkit.labs.drawing import board_svg
from rl_toolkit.labs.model.positions import after


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    return {
        "windows.svg": board_svg(
            after([2, 0, 3, 0, 4], "connect-four"),
            labels={1: "100", 5: "100"},
            title="X on c1, d1, e1: the windows b1 to e1 and c1 to f1 lack one disc each",
            size=340,
        ),
    }
