"""Proof-number search: answer a question with yes or no, and look first where that is cheapest.

The question is "does the maximizing side get at least ``target``?". At its nodes (OR) one child
with yes is enough, at the other side's (AND) every child must say yes. Each node has two numbers:
how many leaves must say yes at least to prove it, and how many must say no to disprove it::

    a leaf that says yes: 0, ∞      a leaf that says no: ∞, 0      one not yet looked at: 1, 1
    OR:  proof = least proof of the children        disproof = sum of their disproofs
    AND: proof = sum of their proofs                disproof = least disproof of the children

A step goes from the root to the *most proving* leaf, at OR nodes to a child with the least proof
number, at AND nodes to one with the least disproof number, makes its children, and brings the
numbers up to date on the way back. (Allis, van der Meulen, van den Herik, 1994.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

from rl_toolkit.algorithms.game_tree import Move, Node


@dataclass(slots=True, eq=False)
class ProofNode:
    """A node of the search.

    Attributes:
        node: the node of the game tree. move: the move that leads here, ``None`` at the root.
        is_or: whether the maximizing side is to move.
        proof, disproof: the least number of leaves that prove it, and that disprove it.
        children: in the order of the game tree; empty until the node is expanded.
        number: its place in the order in which the search made its nodes.
    """

    node: Node
    is_or: bool
    number: int
    parent: ProofNode | None = None
    proof: float = 1
    disproof: float = 1
    children: list[ProofNode] = field(default_factory=list)

    @property
    def move(self) -> Move | None:
        """The move that leads here."""
        return self.node.get_move()

    @property
    def answer(self) -> bool | None:
        """Yes, no, or ``None`` while it is open."""
        return True if self.proof == 0 else False if self.disproof == 0 else None

    def proof_tree(self) -> Iterator[ProofNode]:
        """The nodes that answer the question: one child where one is enough, else all of them.

        `ValueError` while the question is open.
        """
        if self.answer is None:
            raise ValueError("the question is not answered yet")
        yield self
        told = [child for child in self.children if child.answer == self.answer]
        for child in told[:1] if self.is_or == self.answer else told:
            yield from child.proof_tree()


class ProofSearch:
    """The search below ``root``, step by step.

    ``maximizing`` says who is to move there; ``nodes`` counts the nodes that were made.

    >>> from rl_toolkit.algorithms.game_tree import TreeNode
    >>> leaves = [[0, 1], [1, 1]]
    >>> tree = TreeNode([TreeNode([TreeNode(score=s) for s in row]) for row in leaves])
    >>> search = ProofSearch(tree, maximizing=True, target=1)
    >>> [(step.number, search.root.proof, search.root.disproof) for step in search.steps()]
    [(0, 1, 2), (1, 1, 1), (2, 0, inf)]
    >>> search.root.answer
    True
    """

    def __init__(self, root: Node, *, maximizing: bool, target: float = 1.0) -> None:
        self._target = target
        self.nodes = 0
        self.root = self._made(root, is_or=maximizing, parent=None)

    def steps(self) -> Iterator[ProofNode]:
        """Expand leaf after leaf until the question is answered; yields each that was expanded."""
        while self.root.answer is None:
            leaf = self.most_proving()
            self._expand(leaf)
            yield leaf

    def most_proving(self) -> ProofNode:
        """The leaf to expand next: of equal children the first."""
        here = self.root
        while here.children:
            if here.is_or:
                here = next(child for child in here.children if child.proof == here.proof)
            else:
                here = next(child for child in here.children if child.disproof == here.disproof)
        return here

    def _expand(self, leaf: ProofNode) -> None:
        leaf.children = [
            self._made(child, is_or=not leaf.is_or, parent=leaf)
            for child in leaf.node.get_children()
        ]
        here: ProofNode | None = leaf
        while here is not None:
            _update(here)
            here = here.parent

    def _made(self, node: Node, *, is_or: bool, parent: ProofNode | None) -> ProofNode:
        made = ProofNode(node, is_or, self.nodes, parent)
        self.nodes += 1
        if node.is_leaf():
            score = node.get_score()
            if score is None:
                raise ValueError("a leaf has no score")
            made.proof, made.disproof = (0, inf) if score >= self._target else (inf, 0)
        return made


def prove(
    node: Node, maximizing: bool, target: float = 1.0, *, most_nodes: int = 1_000_000
) -> bool | None:
    """Whether the maximizing side gets at least ``target``; ``None`` if that needs too many nodes.

    >>> from rl_toolkit.algorithms.game_tree import GameNode
    >>> from rl_toolkit.records import position_from_text
    >>> prove(GameNode(position_from_text("tictactoe", "x1o/3/3 x")), maximizing=True)
    True
    """
    search = ProofSearch(node, maximizing=maximizing, target=target)
    for _ in search.steps():
        if search.nodes > most_nodes:
            return None
    return search.root.answer


def _update(node: ProofNode) -> None:
    """The numbers of a node from those of its children."""
    proofs = [child.proof for child in node.children]
    disproofs = [child.disproof for child in node.children]
    if node.is_or:
        node.proof, node.disproof = min(proofs), sum(disproofs)
    else:
        node.proof, node.disproof = sum(proofs), min(disproofs)
