"""Read a search tree: values, lines, distances, candidates and views.

Works for the Python tree and the compiled one alike: a node is anything with the few properties of
`SearchNode`. Values, outcomes and totals of a node are from the view of the player who moved into
it, so the children of a position take the view of the side to move there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Protocol, Self

from rl_toolkit.algorithms.simple.tactics import PlainResult, with_proofs
from rl_toolkit.analysis import Candidate, Outcome, TreeView

_VALUES: dict[Outcome, float] = {"win": 1.0, "draw": 0.0, "loss": -1.0}
_LONGEST = 10_000  # plies; longer than any game


class SearchNode(Protocol):
    """The properties of a node that this module reads."""

    @property
    def move_from_parent(self) -> int | None:
        """The move that led here; ``None`` at the root."""

    @property
    def visit_count(self) -> int:
        """Simulations that went through the node."""

    @property
    def total_value(self) -> float:
        """The sum of their results, for the player who moved here."""

    @property
    def prior(self) -> float | None:
        """The network's prior of the move that led here; ``None`` without a network."""

    @property
    def outcome(self) -> Outcome | None:
        """The result for the player who moved here, if it is proven."""

    @property
    def ended(self) -> bool:
        """Whether the game is over here."""

    @property
    def children(self) -> Mapping[int, Self]:
        """The child nodes created so far, by move."""

    def is_fully_expanded(self) -> bool:
        """Whether every move to try has a node."""

    def favourite(self) -> Self | None:
        """The child to play; ``None`` if there are no children."""


#: The exploration term of a visited node, given the visits of its parent.
Bonus = Callable[[SearchNode, int], float]


def value(node: SearchNode) -> float | None:
    """The proven result, else the mean of the simulations; ``None`` without a visit."""
    if node.outcome is not None:
        return _VALUES[node.outcome]
    return node.total_value / node.visit_count if node.visit_count else None


def exploration(visits: int, parent_visits: int, c: float) -> float:
    """The exploration term of the UCT score; infinite without a visit."""
    if visits == 0:
        return math.inf
    return c * math.sqrt(math.log(max(1, parent_visits)) / visits)


def uct_bonus(c: float) -> Bonus:
    """The `exploration` of UCT."""
    return lambda node, parent_visits: exploration(node.visit_count, parent_visits, c)


def promise(node: SearchNode) -> tuple[int, int]:
    """Sort key of children to play: proven wins first, then by visits, proven losses last."""
    rank = {"win": 1, "loss": -1}.get(node.outcome or "", 0)
    return rank, node.visit_count


def line(node: SearchNode | None) -> tuple[int, ...]:
    """The principal variation through ``node``, beginning with the move that led to it."""
    moves = []
    while node is not None:
        if node.move_from_parent is not None:
            moves.append(node.move_from_parent)
        node = node.favourite()
    return tuple(moves)


def distance(node: SearchNode, *, sees_wins: bool, horizon: int = 4) -> int | None:
    """Plies from ``node`` to the end with best play; ``None`` if that is not certain.

    A proof stops at the first win it finds, which need not be the fastest. It certainly is the
    fastest if it ends the game immediately, or if it takes three plies and the search
    ``sees_wins`` in one ply (in line games the winner makes the last move, so two plies are
    impossible). So no distance beyond a ``horizon`` of four plies is certain, and a large proof
    need not be walked.
    """
    if node.ended:
        return 0
    if node.outcome is None or node.outcome == "draw" or horizon == 0:
        return None
    replies = node.children.values()
    if node.outcome == "loss":  # a loss for the player who moved here is a win for the next
        winning = [child for child in replies if child.outcome == "win"]
        wins = [distance(c, sees_wins=sees_wins, horizon=horizon - 1) for c in winning]
        fastest = min((plies + 1 for plies in wins if plies is not None), default=None)
        return fastest if fastest == 1 or (sees_wins and fastest == 3) else None
    longest = None
    for child in replies:
        plies = distance(child, sees_wins=sees_wins, horizon=horizon - 1)
        if plies is None:
            return None
        longest = max(longest or 0, plies + 1)
    return longest


def candidates(
    root: SearchNode,
    moves: Collection[int],
    plain: Mapping[int, PlainResult],
    name: Callable[[int], str],
    bonus: Bonus,
    *,
    sees_wins: bool,
    priors: Mapping[int, float],
    trusted: float | None = None,
) -> list[Candidate]:
    """The candidates for all ``moves``, best first; moves without a visit are unknown.

    ``plain`` are the results that the board shows: they count as proven, whatever the tree
    estimates. ``priors`` are the network's, if there is one. Moves with at least a share
    ``trusted`` of the highest visit count are ranked by value, not by visits.
    """
    children = root.children
    found = []
    for move in moves:
        child, prior = children.get(move), priors.get(move)
        if child is not None and (child.visit_count or child.outcome is not None):
            visits = root.visit_count
            found.append(_candidate(child, visits, name(move), bonus, sees_wins, prior))
        else:
            found.append(Candidate(move, name(move), visits=0, prior=prior, line=(move,)))
    found = with_proofs(found, plain)
    enough = math.inf
    if trusted is not None:
        open_ones = (c.visits or 0 for c in found if c.outcome not in ("win", "loss"))
        enough = max(1, trusted * max(open_ones, default=0))
    return sorted(found, key=lambda candidate: _sort_key(candidate, enough), reverse=True)


def _candidate(
    node: SearchNode,
    parent_visits: int,
    name: str,
    bonus: Bonus,
    sees_wins: bool,
    prior: float | None,
) -> Candidate:
    moves = line(node)
    to_end = distance(node, sees_wins=sees_wins)
    return Candidate(
        move=moves[0],
        name=name,
        value=value(node),
        outcome=node.outcome,
        proven=node.outcome is not None,
        distance=None if to_end is None else to_end + 1,
        visits=node.visit_count,
        prior=prior,
        uct=None if node.outcome is not None else score(node, parent_visits, bonus),
        line=moves,
    )


def score(node: SearchNode, parent_visits: int, bonus: Bonus) -> float | None:
    """The selection score, mean value plus ``bonus``; ``None`` for a node without a visit."""
    if not node.visit_count:
        return None
    return node.total_value / node.visit_count + bonus(node, parent_visits)


def _sort_key(candidate: Candidate, enough: float) -> tuple[float, ...]:
    """Sort key: fast wins first, then by visits, then losses, slow ones first; priors break ties.

    Candidates with at least ``enough`` visits are ordered by value.
    """
    plies = _LONGEST if candidate.distance is None else candidate.distance
    visits, prior = candidate.visits or 0, candidate.prior or 0.0
    if candidate.outcome == "win":
        return 1, -plies, visits, prior
    if candidate.outcome == "loss":
        return -1, plies, visits, prior
    if visits < enough or candidate.value is None:
        return 0, visits, 0, prior
    return 0, enough, candidate.value, prior


def tree_view(
    node: SearchNode,
    parent_visits: int,
    name: Callable[[int], str],
    bonus: Bonus,
    depth: int,
    top: int,
) -> TreeView:
    """The node with its most visited children, ``depth`` plies down."""
    children: tuple[TreeView, ...] = ()
    if depth > 0 and top > 0:
        shown = sorted(node.children.values(), key=promise, reverse=True)[:top]
        children = tuple(
            tree_view(child, node.visit_count, name, bonus, depth - 1, top) for child in shown
        )
    move, visits = node.move_from_parent, node.visit_count
    return TreeView(
        move=move,
        name="" if move is None else name(move),
        visits=visits,
        value=value(node),
        outcome=node.outcome,
        exploitation=node.total_value / visits if visits else 0.0,
        exploration=bonus(node, parent_visits) if move is not None and visits else 0.0,
        children=children,
        prior=node.prior,
    )
