"""The pictures of the sheet."""

from rl_toolkit.labs.checking import position
from rl_toolkit.labs.drawing import board_svg


def pictures() -> dict[str, str]:
    """A board that X has won."""
    return {"diagonal.svg": board_svg(position("xoo/1x1/2x o"), line=[0, 4, 8])}
