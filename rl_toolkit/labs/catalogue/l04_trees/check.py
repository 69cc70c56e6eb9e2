"""Checks of the tree lab: two tables by hand, then trees drawn anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from rl_toolkit.labs.checking import Case, Check, Picture, call, probe
from rl_toolkit.labs.drawing import tree_svg, tree_text

_TREE: dict[str, list[Any]] = {
    "A": [1, 0], "B": [-1, 0], "C": [-1, 1], "D": [-1, 0],
    "E": [1, 0], "F": [-1, 0], "G": [1, 1], "H": [1, 1],
    "I": ["A", "B"], "J": ["C", "D"], "K": ["E", "F"], "L": ["G", "H"],
    "M": ["I", "J"], "N": ["K", "L"],
    "Root": ["M", "N"],
}  # fmt: skip
_RED = {"I", "J", "K", "L", "Root"}
_PRACTICE: list[Any] = [
    [[3, 5], [2, 9]],
    [[6, 9, 7], [4, 8, 8], [5, 2, 9]],
    [[[4, 6], [7, 9]], [[1, 2], [0, 8]], [[5, 3], [6, 6]]],
    [0, [1, -1], [[1, 1], [0, -1]]],
    [[-3, -5], [-2, -9]],
    [-1, 1, 0],
    [[[-4, -2], -3], [-1, [-6, -5]]],
    [[5, 6, 1], [3, 4, 9, 2], [7]],
]
_BOTH = [(tree, mover) for tree in _PRACTICE for mover in ("Red", "Blue")]

PANELS = {
    1: [probe("table", "VALUES")],
    2: [probe("table", "MOVES")],
    3: [call("destiny", tree, mover) for tree, mover in _BOTH],
    4: [call("best_child", tree, mover) for tree, mover in _BOTH],
}


# ------------------------------------------------------------------ by hand


def task_1(check: Check) -> None:
    """The fifteen values, lowest nodes first."""
    for name, case, yours in _entries(check, "VALUES"):
        right = _value(name)
        is_right = yours == right and not isinstance(yours, bool)
        case.require(is_right, f"{_rule(name)} {name} is worth {right}.", "", repr(yours), right)
    check.note("15 values; with best play the Root is a draw")


def task_2(check: Check) -> None:
    """The fifteen best moves, lowest nodes first."""
    for name, case, yours in _entries(check, "MOVES"):
        right = _move(name)
        first, second = map(_value, _TREE[name])
        why = "Both are equal, so left." if first == second else f"So {right}."
        is_right = isinstance(yours, str) and yours.strip().lower() == right
        case.require(is_right, f"{_rule(name)} {why}", "", repr(yours), right)
    check.note("15 moves; Red goes right at the Root")


def _entries(check: Check, table: str) -> Iterator[tuple[str, Case, Any]]:
    """Each node with what a table of the student says; one that is still None fails."""
    filled = check.probe("table", table).value
    sentence = f"{table} must stay a dictionary: node → what you found."
    check.require(isinstance(filled, dict), None, sentence, said="something else")
    for name, children in _TREE.items():
        case = check.case(shown=f"{table}[{name!r}]", picture=_family(name))
        first, second = map(_value, children)
        sentence = (
            f"{name} is not filled in yet. {_mover(name)} chooses there between {first} and "
            f"{second}."
        )
        case.require(filled.get(name) is not None, sentence, said="None")
        yield name, case, filled[name]


def _value(node: Any) -> int:
    if isinstance(node, int):
        return node
    values = list(map(_value, _TREE[node]))
    return max(values) if node in _RED else min(values)


def _move(name: str) -> str:
    left, right = map(_value, _TREE[name])
    better = right > left if name in _RED else right < left
    return "right" if better else "left"


def _mover(name: str) -> str:
    return "Red" if name in _RED else "Blue"


def _rule(name: str) -> str:
    """The sentence that one says aloud at a node."""
    side, (first, second) = _mover(name), map(_value, _TREE[name])
    return f"{name} is {side}'s: the better of {first} and {second} for {side} is {_value(name)}."


def _family(name: str) -> Picture:
    """A node with its two children."""
    lines = [f"{name} ({_mover(name)} to move)"]
    for way, child in zip(("left:", "right:"), _TREE[name], strict=True):
        is_end = isinstance(child, int)
        label = f"end of the game, {child}" if is_end else f"{child}, worth {_value(child)}"
        lines.append(f"  {way:<6} {label}")
    return Picture("\n".join(lines))


# ------------------------------------------------------------------ by program


def task_3(check: Check) -> None:
    """Leaves, the trees of the sheet, and trees drawn anew, for either side."""
    cases = [(5, "Red"), (-2, "Blue"), *_BOTH, *_drawn(check.rng, 40)]
    check.compare("destiny", cases, _destiny, _why, shown=_picture)
    check.note(f"{len(cases)} trees right")


def task_4(check: Check) -> None:
    """The first best child, in the same kinds of trees."""
    cases = [*_BOTH, *_drawn(check.rng, 40), *(([1, 1, 0], side) for side in ("Red", "Blue"))]
    check.compare("best_child", cases, _best_child, _place_sentence, shown=_picture)


def _destiny(tree: Any, mover: str) -> int:
    if not isinstance(tree, list):
        return int(tree)
    values = _children(tree, mover)
    return max(values) if mover == "Red" else min(values)


def _children(tree: list[Any], mover: str) -> list[int]:
    other = "Blue" if mover == "Red" else "Red"
    return [_destiny(child, other) for child in tree]


def _best_child(tree: list[Any], mover: str) -> int:
    return _children(tree, mover).index(_destiny(tree, mover))


def _why(value: Any, right: int, tree: Any, mover: str) -> str:
    if not isinstance(tree, list):
        return "A number is the end of the game: it is its own value."
    return f"{_choice(_children(tree, mover), mover)} So the value is {right}."


def _place_sentence(value: Any, right: int, tree: list[Any], mover: str) -> str:
    values = _children(tree, mover)
    if values.count(values[right]) > 1:
        return f"{_choice(values, mover)} It stands there more than once: the first place counts."
    return f"{_choice(values, mover)} That is child {right}, counted from 0."


def _choice(values: list[int], mover: str) -> str:
    wish, best = ("largest", max(values)) if mover == "Red" else ("smallest", min(values))
    shown = ", ".join(map(str, values))
    return f"The children are worth {shown}; {mover} takes the {wish}, {best}."


def _picture(value: Any, right: int, tree: Any, mover: str) -> dict[str, Picture]:
    if not isinstance(tree, list):
        return {}
    is_red = mover == "Red"
    names = tree_text(tree, max_first=is_red).replace("MAX", "Red ").replace("MIN", "Blue")
    return {"picture": Picture(names, tree_svg(tree, max_first=is_red))}


def _drawn(rng: random.Random, number: int) -> list[tuple[Any, str]]:
    return [
        (_drawn_tree(rng, rng.randint(1, 4)), rng.choice(["Red", "Blue"])) for _ in range(number)
    ]


def _drawn_tree(rng: random.Random, depth: int) -> Any:
    shift = rng.choice([-6, 0, 6])

    def grow(left: int) -> Any:
        if left == 0 or (left < depth and rng.random() < 0.15):
            return rng.randint(-5, 5) + shift
        return [grow(left - 1) for _ in range(rng.randint(1, 3))]

    return grow(depth)
