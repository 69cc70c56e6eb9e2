"""The picture of the alpha-beta lab: the cuts in a tree of nine leaves."""

from __future__ import annotations

from rl_toolkit.labs.drawing import tree_svg


def pictures() -> dict[str, str]:
    """File name → SVG."""
    tree = [[6, 9, 7], [4, 8, 8], [5, 2, 9]]
    names = {(): "MAX: alpha = 6", (0,): "MIN: 6", (1,): "MIN: ≤ 4", (2,): "≤ 5"}
    cut = [(1, 1), (1, 2), (2, 1), (2, 2)]
    title = "MAX takes 6; the four dashed leaves are never looked at"
    return {"cut.svg": tree_svg(tree, unseen=cut, names=names, title=title)}
