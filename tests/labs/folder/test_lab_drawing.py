"""Pictures of trees: the values are those of what a search has seen."""

import re

from rl_toolkit.labs.drawing import tree_svg


def numbers(svg: str) -> list[str]:
    return re.findall(r">([^<>]*)</text>", svg)


def test_a_node_shows_its_minimax_value():
    assert numbers(tree_svg([[3, 5], [2, 9]])) == ["3", "5", "3", "2", "9", "2", "3"]


def test_unseen_leaves_do_not_count():
    assert numbers(tree_svg([[6, 9], [7, 2]], unseen=[(1, 1)]))[-2:] == ["7", "7"]
    assert numbers(tree_svg([[6, 9], [7, 2]], unseen=[(1,)]))[-2:] == ["", "6"]
    assert numbers(tree_svg([[6, 9], [7, 2]], unseen=[(1, 0), (1, 1)]))[-2:] == ["", "6"]
