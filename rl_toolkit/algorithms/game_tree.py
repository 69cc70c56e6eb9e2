r"""Explicit game trees: the kind that is drawn on a blackboard and solved by hand.

A tree is made of nodes: leaves carry a score from the maximizing side's view, inner nodes have
children, and each child knows the move that leads to it::

                 max
            left /   \ right
              min     min
             /   \   /   \
            3     5 2     9

`minmax` solves such a tree; `alpha_beta` solves it without the nodes that cannot change the result
and returns those nodes, so that a drawing can cross them out. Both use an explicit stack, so a tree
may be deeper than Python's recursion limit.

`TreeNode` builds trees by hand; `GameNode` makes any game a tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan
from typing import NamedTuple, Protocol, TypeAlias

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import position_to_text

Move: TypeAlias = object
"""Anything that names a move in a tree: a word, a number, a pair."""


class Node(Protocol):
    """What a tree must offer at each of its nodes."""

    def is_leaf(self) -> bool:
        """Whether the game ends here."""

    def get_score(self) -> float | None:
        """The score of a leaf, from the maximizing side's view."""

    def get_children(self) -> Sequence[Node]:
        """The nodes one move further, in the order in which they are searched."""

    def get_move(self) -> Move | None:
        """The move that leads from the parent to this node; None at the root."""


class TreeNode:
    """A node to build trees with by hand: a leaf has a score, an inner node has children.

    Without children it is a leaf; the score of a node with children is ignored.

    >>> tree = TreeNode([TreeNode([], score=3, move="left"), TreeNode([], score=5, move="right")])
    >>> minmax(tree, maximizing=True)
    ('right', 5)
    """

    def __init__(
        self,
        children: Sequence[TreeNode] | None = None,
        score: float | None = None,
        move: Move | None = None,
    ) -> None:
        self.children = list(children or ())
        self.score = score
        self.move = move

    def is_leaf(self) -> bool:
        """Whether there are no children."""
        return not self.children

    def get_score(self) -> float | None:
        """The score given at construction."""
        return self.score

    def get_children(self) -> Sequence[TreeNode]:
        """The children in the order given at construction."""
        return self.children

    def get_move(self) -> Move | None:
        """The move given at construction."""
        return self.move

    def __repr__(self) -> str:
        content = f"score={self.score}" if self.is_leaf() else f"{len(self.children)} children"
        return f"TreeNode({content}, move={self.move!r})"


class GameNode:
    """A position of any game as a node; scores are from player +1's view.

    The children are made when they are asked for, so only the path that is searched needs memory.
    Every node is a copy of the game, which takes time: `minmax` visits all 549,946 nodes of the
    empty 3×3 board in about 10 seconds, `alpha_beta` 18,297 of them in about half a second. Larger
    boards need a horizon.

    >>> from rl_toolkit.envs import TicTacToe
    >>> env = TicTacToe()
    >>> env.board = [1, 1, 0, -1, -1, 0, 0, 0, 0]
    >>> minmax(GameNode(env), maximizing=True)
    (2, 1.0)

    Args:
        env: the position; it is copied.
        move: the move that led to it.
        max_depth: the plies below this node; positions at this horizon are leaves with the value
            of the game's heuristic.
    """

    def __init__(
        self, env: BaseGameEnv, move: int | None = None, *, max_depth: int | None = None
    ) -> None:
        self.env = env.copy()
        self.move = move
        self.max_depth = max_depth

    @property
    def maximizing(self) -> bool:
        """Whether player +1 is to move."""
        return self.env.current_player == 1

    def is_leaf(self) -> bool:
        """Whether the game is over or the horizon is reached."""
        return self.max_depth == 0 or self.env.is_terminal()

    def get_score(self) -> float | None:
        """The result of the game for player +1, or the heuristic at the horizon; else None."""
        if self.env.is_terminal():
            return self.env.get_result(1)
        return self.env.evaluate_heuristic(1) if self.max_depth == 0 else None

    def get_children(self) -> list[GameNode]:
        """New nodes for all legal moves, in their order.

        `ValueError` if a player moves twice in a row, because `minmax` lets the sides alternate.
        """
        if self.is_leaf():
            return []
        below = None if self.max_depth is None else self.max_depth - 1
        children = []
        for move in self.env.get_legal_moves():
            child = GameNode(self.env, move, max_depth=below)
            child.env.step(move)
            if child.maximizing == self.maximizing and not child.env.is_terminal():
                raise ValueError(f"after move {move} the same player moves again")
            children.append(child)
        return children

    def get_move(self) -> int | None:
        """The move that leads here; None at the root."""
        return self.move

    def __repr__(self) -> str:
        return f"GameNode({position_to_text(self.env)!r}, move={self.move})"


class AlphaBetaResult(NamedTuple):
    """The result of `alpha_beta`.

    ``visited`` lists the visited nodes in order. ``pruned`` lists the children that were cut off,
    each standing for its whole subtree.
    """

    best_move: Move | None
    score: float
    visited: tuple[Node, ...]
    pruned: tuple[Node, ...]


def minmax(node: Node, maximizing: bool) -> tuple[Move | None, float]:
    """Solve the tree below ``node`` and return ``(best_move, score)``.

    ``maximizing`` says which side is to move at ``node``; the score is from the maximizing side's
    view. Of moves with equal scores the first is best; the best move of a leaf is None.
    `ValueError` for a leaf without a score, an inner node without children, a node that is its own
    descendant, or a `GameNode` in which the other side is to move.

    >>> tree = TreeNode([
    ...     TreeNode([TreeNode(score=3), TreeNode(score=5)], move="left"),
    ...     TreeNode([TreeNode(score=2), TreeNode(score=9)], move="right"),
    ... ])
    >>> minmax(tree, maximizing=True)
    ('left', 3)
    >>> minmax(tree, maximizing=False)
    ('left', 5)
    """
    result = _search(node, maximizing, prune=False)
    return result.best_move, result.score


def alpha_beta(node: Node, maximizing: bool) -> AlphaBetaResult:
    """Return the same result as `minmax` without visiting children that cannot change it.

    A node's remaining children are pruned as soon as the other side already has an alternative
    higher up that is at least as good for it.

    >>> nine = TreeNode(score=9)
    >>> tree = TreeNode([
    ...     TreeNode([TreeNode(score=3), TreeNode(score=5)], move="left"),
    ...     TreeNode([TreeNode(score=2), nine], move="right"),
    ... ])
    >>> result = alpha_beta(tree, maximizing=True)
    >>> result.best_move, result.score, len(result.visited)
    ('left', 3, 6)
    >>> result.pruned == (nine,)
    True
    """
    return _search(node, maximizing, prune=True)


class _Frame:
    """A node on the current path; ``sign`` is +1 if its mover maximizes.

    ``alpha`` is the score the mover is already assured of, ``beta`` the most the other side will
    allow; both, like ``best``, from the mover's view.
    """

    def __init__(self, node: Node, sign: int, alpha: float, beta: float) -> None:
        self.node = node
        self.sign = sign
        self.alpha = alpha
        self.beta = beta
        self.best: float | None = None
        self.best_move: Move | None = None
        self.waiting: list[Node] = []  # the children not visited yet, the next one last
        if node.is_leaf():
            self.best = sign * _leaf_score(node)
        else:
            self.waiting = list(node.get_children())[::-1]
            if not self.waiting:
                raise ValueError(f"{node!r} is not a leaf but has no children")

    def offer(self, move: Move | None, value: float) -> None:
        """Record that ``move`` has ``value``; of equal moves the first is kept."""
        if self.best is None or value > self.best:
            self.best, self.best_move = value, move
        self.alpha = max(self.alpha, value)

    def finished_value(self) -> float:
        """The value once every relevant child has been searched."""
        assert self.best is not None, "an inner node has at least one child, a leaf its score"
        return self.best


def _leaf_score(leaf: Node) -> float:
    score = leaf.get_score()
    if score is None:
        raise ValueError(f"{leaf!r} is a leaf but has no score")
    if isnan(score):
        raise ValueError(f"the score of {leaf!r} is NaN, so it cannot be compared")
    return score


def _search(root: Node, maximizing: bool, prune: bool) -> AlphaBetaResult:
    """Depth-first negamax search; the stack holds the path from the root.

    Only a pruning search records the nodes it visited: plain minimax may walk a tree whose nodes
    are created on demand, and then needs memory for the path alone.
    """
    if isinstance(root, GameNode) and not root.is_leaf() and root.maximizing != maximizing:
        player, right = root.env.current_player, root.maximizing
        raise ValueError(f"player {player:+d} is to move, so maximizing must be {right}")
    stack = [_Frame(root, 1 if maximizing else -1, -inf, inf)]
    on_path = {id(root)}
    visited: list[Node] = [root] if prune else []
    pruned: list[Node] = []
    while True:
        frame = stack[-1]
        if frame.waiting:
            child = frame.waiting.pop()
            if id(child) in on_path:
                raise ValueError(f"{child!r} is its own descendant, so this is not a tree")
            on_path.add(id(child))
            if prune:
                visited.append(child)
            stack.append(_Frame(child, -frame.sign, -frame.beta, -frame.alpha))
            continue

        stack.pop()
        on_path.remove(id(frame.node))
        value = frame.finished_value()
        if not stack:
            score = frame.sign * value + 0  # no -0.0
            return AlphaBetaResult(frame.best_move, score, tuple(visited), tuple(pruned))
        parent = stack[-1]
        parent.offer(frame.node.get_move(), -value)
        if prune and parent.alpha >= parent.beta:
            pruned += reversed(parent.waiting)
            parent.waiting.clear()
