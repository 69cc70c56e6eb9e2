"""The picture of the sheet: where the game of a lying test ends."""

from __future__ import annotations

from rl_toolkit.labs.drawing import board_svg
from rl_toolkit.labs.model.positions import after


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    end = after([0, 0, 1, 1, 2, 2, 3], "connect-four")
    title = "The end of test_column: X has a1 b1 c1 d1, a row"
    return {"column.svg": board_svg(end, line=[0, 1, 2, 3], title=title, size=330)}
