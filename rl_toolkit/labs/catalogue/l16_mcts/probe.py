"""Builds small trees with the student's Node and reads trees, in the student's process."""

import importlib
import math
import random


def _game(kind, moves):
    game = getattr(importlib.import_module("game"), kind)()
    for move in moves:
        game = game.play(move)
    return game


def uct(module, visits, children, c):
    """The uct scores of children given as (total, visits), under a root with ``visits``."""
    root = _root(module, visits, children)
    return [module.uct(child, c) for child in root.children]


def uct_below(module, counts, total, c):
    """The uct score of a node three levels below a root; ``counts`` are the visits, root first."""
    node = module.Node(_game("ConnectFour", []))
    node.visits = counts[0]
    for count in counts[1:]:
        _add(module, node, [[0, 0.0, count, []]])
        node = node.children[0]
    node.total = total
    return module.uct(node, c)


def _root(module, visits, children, kind="ConnectFour"):
    root = module.Node(_game(kind, []))
    root.visits = visits
    _add(module, root, [[move, total, count, []] for move, (total, count) in enumerate(children)])
    return root


def _add(module, node, children):
    """Hang children, given as [move, total, visits, children], under a node."""
    for move, total, visits, below in children:
        child = module.Node(node.game.play(move), node, move)
        node.children.append(child)
        node.untried.remove(move)
        child.total, child.visits = total, visits
        _add(module, child, below)


def select(module, kind, moves, visits, children, c):
    """The moves that lead from the root to the node that select returns.

    A wrong uct is judged in its own task: here the scores are right.
    """
    root = module.Node(_game(kind, moves))
    root.visits = visits
    _add(module, root, children)
    own = module.uct
    module.uct = _score
    try:
        node, path = module.select(root, c), []
    finally:
        module.uct = own
    if not isinstance(node, module.Node):
        return repr(node)
    while node is not root:
        path.append(node.move)
        node = node.parent
    return path[::-1]


def _score(node, c=1.41):
    if node.visits == 0:
        return math.inf
    return node.total / node.visits + c * (math.log(node.parent.visits) / node.visits) ** 0.5


def expand(module, kind, moves, times):
    """What expand makes of a node, time after time."""
    node = module.Node(_game(kind, moves))
    seen = []
    for _ in range(times):
        if not node.untried:
            break
        child = module.expand(node)
        if not isinstance(child, module.Node):
            return repr(child)
        seen.append(
            {
                "move": child.move,
                "parent": child.parent is node,
                "listed": sum(other is child for other in node.children),
                "children": len(node.children),
                "untried": sorted(node.untried),
                "board": list(child.game.board),
                "visits": child.visits,
            }
        )
    return seen


def playout(module, kind, moves, times):
    """The results of playouts from one position."""
    game = _game(kind, moves)
    return [module.playout(game) for _ in range(times)]


def backup(module, kind, moves, results):
    """[visits, total] of every node on a path, root first, after results came back to its end."""
    path = [module.Node(_game(kind, []))]
    for move in moves:
        _add(module, path[-1], [[move, 0.0, 0, []]])
        path.append(path[-1].children[0])
    for result in results:
        module.backup(path[-1], result)
    return [[node.visits, node.total] for node in path]


def best(module, visits, children):
    """The answer of best for children given as (total, visits)."""
    return module.best(_root(module, visits, children))


def search(module, kind, moves, simulations, seed):
    """The tree of a search: its best move, the children of the root, and its sums."""
    random.seed(seed)
    root = module.search(_game(kind, moves), simulations)
    return {
        "best": module.best(root),
        "visits": root.visits,
        "children": {child.move: [child.visits, child.total] for child in root.children},
        "nodes": _count(root),
        "depth": _depth(root),
    }


def search_often(module, kind, moves, simulations, seeds):
    """The best moves of searches with these seeds."""
    found = []
    for seed in seeds:
        random.seed(seed)
        found.append(module.best(module.search(_game(kind, moves), simulations)))
    return found


def _count(node):
    return 1 + sum(_count(child) for child in node.children)


def _depth(node):
    return 1 + max((_depth(child) for child in node.children), default=-1)
