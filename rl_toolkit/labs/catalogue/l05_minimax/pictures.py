"""The pictures of the minimax sheet."""

from rl_toolkit.labs.drawing import board_svg, tree_svg
from rl_toolkit.labs.model.positions import position


def pictures() -> dict[str, str]:
    """A tree with its values, and a board on which the first best move is not the quickest."""
    return {
        "tree.svg": tree_svg([[0, -1], [0, 1]], title="X takes the better of −1 and 0"),
        "win_now.svg": board_svg(
            position("x2/3/oox x"), labels={1: "+1", 4: "+1"}, title="b1 and b2 both win"
        ),
    }
