"""Figures of game trees: minimax by hand, alpha-beta with what it skips, one backup."""

from __future__ import annotations

from collections.abc import Collection

from drawing import Figure

from rl_toolkit.algorithms.game_tree import TreeNode, alpha_beta, minmax
from rl_toolkit.algorithms.value_iteration import solve, state_space
from rl_toolkit.records import position_from_text

#: Nested lists of scores: a game of two players, MAX and MIN, who make four moves.
DESTINIES = [
    [[[1, 0], [-1, 0]], [[-1, 1], [-1, 0]]],
    [[[1, 0], [-1, 0]], [[1, 1], [1, 1]]],
]


def tree(shape: object, move: object = None) -> TreeNode:
    """A tree from nested lists of scores; children are numbered from 0."""
    if isinstance(shape, list):
        return TreeNode([tree(child, i) for i, child in enumerate(shape)], move=move)
    assert isinstance(shape, int)
    return TreeNode(score=shape, move=move)


def beginners() -> Figure:
    """The tree of destinies, with the value of each node and the best line."""
    figure = Figure(760, 416, "A game tree with the value of every node")
    figure.text(
        380,
        26,
        "MAX takes the highest, MIN the lowest: values from the leaves to the root",
        bold=True,
        size=16,
    )
    _draw(figure, tree(DESTINIES), names=("MAX", "MIN"), skipped=())
    figure.text(
        380, 404, "+1 MAX wins · 0 draw · −1 MIN wins · thick: best play", size=13, fill="soft"
    )
    return figure


def cut_tree() -> Figure:
    """The same tree searched by alpha-beta; what it never looks at is dashed."""
    root = tree(DESTINIES)
    result = alpha_beta(root, maximizing=True)
    figure = Figure(760, 416, "Alpha-beta on the same tree")
    seen = len(result.visited)
    figure.text(
        380,
        26,
        f"Alpha-beta looks at {seen} of 31 nodes; the dashed ones cannot matter",
        bold=True,
        size=16,
    )
    _draw(figure, root, names=("MAX", "MIN"), skipped=result.pruned)
    figure.text(
        380,
        404,
        "The value of the root and the best move are the same as before.",
        size=13,
        fill="soft",
    )
    return figure


def backup() -> Figure:
    """A position, the positions after its moves, and the Bellman equation between them."""
    env = position_from_text("tictactoe", "xox/o1x/1o1 x")
    space = state_space(env)
    values = solve(space)
    figure = Figure(760, 330, "The value of a position is the best value of the next ones")
    value = values[space.start]
    figure.text(
        380, 26, "X to move: the value is the highest of the next values", bold=True, size=16
    )
    figure.board(347, 46, _cells(env.board), size=76)
    figure.text(436, 90, f"V = max = {_signed(value)}", size=15, anchor="start", bold=True)
    moves = space[env].moves
    for number, (move, key) in enumerate(moves.items()):
        x = 160 + 220 * number
        best = values[key] == value
        figure.line(
            (385, 122), (x, 190), stroke="green" if best else "rule", width=4 if best else 2
        )
        after = env.copy()
        after.step(move)
        figure.board(x - 35, 192, _cells(after.board), size=70)
        figure.text(
            x, 284, f"{env.move_name(move)}: V = {_signed(values[key])}", size=15, bold=best
        )
    figure.text(
        380,
        316,
        "Where O is to move, it is the lowest. At the end of the game it is the result.",
        size=13,
        fill="soft",
    )
    return figure


def _cells(board: object) -> str:
    return "".join({1: "x", -1: "o", 0: "."}[int(piece)] for piece in board)  # type: ignore[attr-defined]


def _draw(
    figure: Figure, root: TreeNode, *, names: tuple[str, str], skipped: Collection[object]
) -> None:
    """The tree in levels; ``skipped`` nodes, and all below them, are dashed."""
    leaves = _leaves(root)
    step = (figure.width - 110) / len(leaves)
    where = {id(leaf): 80 + step * (number + 0.5) for number, leaf in enumerate(leaves)}
    levels = [[root]]
    while any(node.children for node in levels[-1]):
        levels.append([child for node in levels[-1] for child in node.children])
    for level in reversed(levels):
        for node in level:
            if node.children:
                xs = [where[id(child)] for child in node.children]
                where[id(node)] = sum(xs) / len(xs)
    gone = {id(node) for top in skipped for node in _all(top)}
    ys = [66 + 74 * depth for depth in range(len(levels))]
    best = _best_line(root)
    for depth, level in enumerate(levels):
        for node in level:
            for child in node.children:
                ends = ((where[id(node)], ys[depth]), (where[id(child)], ys[depth + 1]))
                thick = id(child) in best and not skipped
                figure.line(
                    *ends,
                    stroke="green" if thick else "rule",
                    width=4 if thick else 1.5,
                    dashed=id(child) in gone,
                )
    for depth, level in enumerate(levels):
        side = names[depth % 2]
        words = f"{side} moves" if depth < len(levels) - 1 else "end"
        figure.text(8, ys[depth] + 5, words, size=12, fill="soft", anchor="start")
        for node in level:
            x, y = where[id(node)], ys[depth]
            if id(node) in gone:
                figure.circle(x, y, 13, stroke="rule")
                figure.text(x, y + 5, "·", fill="soft")
                continue
            _, value = minmax(node, maximizing=depth % 2 == 0)
            colour = {1: "blue", 0: "soft", -1: "red"}[int(value)]
            figure.circle(x, y, 14, stroke=colour)
            figure.text(x, y + 5, _signed(value), size=13)


def _signed(value: float) -> str:
    return f"{value:+.0f}".replace("+0", "0").replace("-", "−")


def _leaves(node: TreeNode) -> list[TreeNode]:
    if not node.children:
        return [node]
    return [leaf for child in node.children for leaf in _leaves(child)]


def _all(node: object) -> list[TreeNode]:
    assert isinstance(node, TreeNode)
    return [node, *(found for child in node.children for found in _all(child))]


def _best_line(root: TreeNode) -> set[int]:
    line, node, maximizing = {id(root)}, root, True
    while node.children:
        move, _ = minmax(node, maximizing)
        node = next(child for child in node.children if child.move == move)
        line.add(id(node))
        maximizing = not maximizing
    return line
