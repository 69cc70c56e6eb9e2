"""The picture of the bug hunt: one position in two windows."""

from __future__ import annotations

from rl_toolkit.labs.drawing import tree_svg


def pictures() -> dict[str, str]:
    """File name → SVG."""
    names = {(): "O", (0,): "X", (1,): "X", (0, 1): "P", (1, 1): "P"}
    title = "A position P is cut off after the leaf 3, and comes up again"
    tree = [[4, [3, 1]], [2, [3, 1]]]
    drawn = tree_svg(tree, max_first=False, unseen=[(0, 1, 1)], names=names, title=title)
    return {"two_windows.svg": drawn}
