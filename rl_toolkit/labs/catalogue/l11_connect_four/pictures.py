"""The pictures of the sheet: the way along a line, and how many windows hold a cell."""

from __future__ import annotations

from rl_toolkit.envs.bases import windows
from rl_toolkit.labs.drawing import board_svg
from rl_toolkit.labs.model.positions import after

GAME = "connect-four"


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    through = [0] * 42
    for window in windows(6, 7, 4):
        for cell in window:
            through[int(cell)] += 1
    most = max(through)
    return {
        "line.svg": board_svg(
            after([0, 1, 1, 2, 3, 2, 2, 3, 3, 6, 3], GAME),
            last=16,
            labels={16: "1", 8: "2", 0: "3", 24: "4"},
            title="From c3 two steps down the diagonal and one step up: four in a row",
            size=340,
        ),
        "windows.svg": board_svg(
            after([], GAME),
            labels={cell: str(count) for cell, count in enumerate(through)},
            heat={cell: count / most for cell, count in enumerate(through)},
            title="How many of the 69 windows hold each cell: 13 in the centre, 3 in a corner",
            size=340,
        ),
    }
