"""What the object of a bot says besides its move, as plain data; this runs in the bot's process.

* ``get_candidate_evaluations(env)`` returns move → ``{"value", "reasoning", "is_best"}``, with
  ``"visits"`` and ``"uct_score"`` from tree search; lists and plain numbers are read, too.
* ``value_view = "mover"`` or ``"first"`` says whose results the values are.
* ``root`` is a tree that the search has kept; ``get_stats()`` counts its work.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np

from rl_toolkit.utils import JsonObject

#: The method that is asked for claims.
METHOD = "get_candidate_evaluations"
#: How much of a tree is sent: plies, children of a node, and levels that may be passed over.
TREE_PLIES, TREE_TOP = 3, 10
_MOST_MOVES, _LONGEST_SENTENCE = 512, 300

_VALUE = ("value", "score", "q", "mean")
_VISITS = ("visits", "visit_count", "n", "N")
_UCT = ("uct_score", "uct", "ucb")
_SAYS = ("reasoning", "reason", "note", "explanation")
_BEST = ("is_best", "best")
_MOVE = ("move", "action", "position", "cell", "column")
_MOVE_INTO = ("move_from_parent", "move", "action", "last_move")
_TOTAL = ("total_value", "value_sum", "total_reward", "reward_sum", "total", "W", "w")
_WORK = {
    "nodes": ("nodes_evaluated", "nodes", "node_count", "total_nodes"),
    "depth": ("depth", "max_depth", "tree_depth"),
    "simulations": ("simulations", "num_simulations"),
}
#: How a move of the bot becomes a number: classes write moves in many ways.
Numbered = Callable[[Any], Any]


def claims_of(answer: Any, numbered: Numbered) -> list[JsonObject]:
    """What ``get_candidate_evaluations`` returned, one object for each move.

    Raises ``TypeError`` for anything that is not a table of moves.
    """
    if isinstance(answer, Mapping):
        rows: Iterable[tuple[Any, Any]] = answer.items()
    elif isinstance(answer, (list, tuple)):
        rows = map(_row, answer)
    else:
        raise TypeError(f"{METHOD} returned {type(answer).__name__}, not move → evaluation")
    return [_claim(numbered(move), said) for move, said in islice(rows, _MOST_MOVES)]


def _row(entry: Any) -> tuple[Any, Any]:
    if isinstance(entry, Mapping):
        return _first(entry.get, _MOVE), entry
    if isinstance(entry, (list, tuple)) and len(entry) == 2:
        return entry[0], entry[1]
    raise TypeError(f"{METHOD} returned a list with {type(entry).__name__}, not moves")


def _claim(move: Any, said: Any) -> JsonObject:
    if not isinstance(said, Mapping):
        return {"move": plain_move(move), "value": _number(said)}
    visits = _whole(_first(said.get, _VISITS))
    words = _first(said.get, _SAYS)
    return {
        "move": plain_move(move),
        "value": _number(_first(said.get, _VALUE)),
        "visits": visits,
        "uct": _number(_first(said.get, _UCT)),
        "says": " ".join(words.split())[:_LONGEST_SENTENCE] if isinstance(words, str) else "",
        "is_best": bool(_first(said.get, _BEST)),
    }


def view_of(*owners: object) -> str | None:
    """``value_view`` of the class or of the file; ``None`` if neither has one."""
    found = (getattr(owner, "value_view", None) for owner in owners)
    return next((str(view)[:20] for view in found if view is not None), None)


def work_of(bot: object) -> JsonObject:
    """How much the bot says it has searched."""
    stats: Any = None
    with suppress(Exception):
        stats = bot.get_stats()  # type: ignore[attr-defined]
    found: JsonObject = {}
    for name, keys in _WORK.items():
        count = _whole(_first(stats.get, keys)) if isinstance(stats, Mapping) else None
        if count is None and name == "nodes":
            count = _whole(_first(lambda key: getattr(bot, key, None), keys))
        if count:
            found[name] = count
    return found


def tree_of(bot: object, numbered: Numbered) -> JsonObject | None:
    """The top of the tree that the bot has kept as ``root``, ``None`` if there is none."""
    root = _first(lambda name: getattr(bot, name, None), ("root", "_root", "tree"))
    if root is None or not hasattr(root, "children"):
        return None
    try:
        tree = _node(root, None, numbered, TREE_PLIES)
    except Exception:  # whatever the nodes do when they are read
        return None
    if _has_sums(tree):
        _divide(tree)
    return tree


def _has_sums(node: JsonObject) -> bool:
    """Whether what the nodes call a value is a sum of results: no mean is beyond 1."""
    is_sum = abs(node["value"] or 0.0) > 1 + 1e-9
    return is_sum or any(_has_sums(child) for child in node["children"])


def _divide(node: JsonObject) -> None:
    """Replace sums of results by means."""
    if node["value"] is not None:
        node["value"] /= node["visits"]
    for child in node["children"]:
        _divide(child)


def _node(node: Any, key: Any, numbered: Numbered, plies: int) -> JsonObject:
    def read(name: str) -> Any:
        return getattr(node, name, None)

    visits, total = _whole(_first(read, _VISITS)) or 0, _number(_first(read, _TOTAL))
    mean = _number(_first(read, _VALUE)) if total is None else total / visits if visits else None
    move = _first(read, _MOVE_INTO) if key is None else key
    return {
        "move": plain_move(numbered(move)) if move is not None else None,
        "visits": visits,
        "value": mean if visits else None,
        "uct": _uct(node),
        "children": _below(node, numbered, plies - 1) if plies else [],
    }


def _below(node: Any, numbered: Numbered, plies: int) -> list[JsonObject]:
    children = node.children
    pairs: Iterable[tuple[Any, Any]]
    if isinstance(children, Mapping):
        pairs = islice(children.items(), _MOST_MOVES)
    else:
        pairs = ((None, child) for child in islice(children, _MOST_MOVES))

    def visits(pair: tuple[Any, Any]) -> int:
        return _whole(_first(lambda name: getattr(pair[1], name, None), _VISITS)) or 0

    kept = sorted((pair for pair in pairs if pair[1] is not None), key=visits, reverse=True)
    return [_node(child, key, numbered, plies) for key, child in kept[:TREE_TOP]]


def _uct(node: Any) -> float | None:
    score = _first(lambda name: getattr(node, name, None), _UCT)
    with suppress(Exception):  # it may need arguments, or a parent
        return _number(score() if callable(score) else score)
    return None


def plain_move(move: Any) -> int | str | None:
    """A move as a number or a name; ``None`` if it is neither."""
    if isinstance(move, str):
        return move[:40]
    if isinstance(move, (bool, np.bool_)):
        return None
    with suppress(TypeError):
        return operator.index(move)
    return None


def _first(read: Callable[[str], Any], names: Iterable[str]) -> Any:
    """The first of these that is there."""
    return next((found for name in names if (found := read(name)) is not None), None)


def _number(value: Any) -> float | None:
    with suppress(TypeError, ValueError, OverflowError):
        number = float(value)
        return number if math.isfinite(number) else None
    return None


def _whole(value: Any) -> int | None:
    if isinstance(value, (bool, np.bool_)):
        return None
    with suppress(TypeError, ValueError, OverflowError):
        number = float(value)
        return int(number) if number == int(number) and 0 <= number < 2**53 else None
    return None
