"""Checks of the tree lab: two tables by hand, then trees drawn anew."""

from __future__ import annotations

import random
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, Picture, call, probe
from rl_toolkit.labs.checking.check import same
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
    table = _table(check, "VALUES")
    for name in _TREE:
        right, yours = _value(name), table.get(name)
        _check_filled(check, "VALUES", name, yours)
        if isinstance(yours, bool) or yours != right:
            check.fail(
                None,
                _rule(name) + f" {name} is worth {right}.",
                shown=f"VALUES[{name!r}]",
                said=repr(yours),
                right=right,
                picture=_family(name),
            )
    check.note("15 values; with best play the Root is a draw")


def task_2(check: Check) -> None:
    """The fifteen best moves, lowest nodes first."""
    table = _table(check, "MOVES")
    for name in _TREE:
        right, yours = _move(name), table.get(name)
        _check_filled(check, "MOVES", name, yours)
        if isinstance(yours, str) and yours.strip().lower() == right:
            continue
        left_child, right_child = map(_value, _TREE[name])
        why = "Both are equal, so left." if left_child == right_child else f"So {right}."
        check.fail(
            None,
            f"{_rule(name)} {why}",
            shown=f"MOVES[{name!r}]",
            said=repr(yours),
            right=right,
            picture=_family(name),
        )
    check.note("15 moves; Red goes right at the Root")


def _table(check: Check, name: str) -> dict[Any, Any]:
    answer = check.probe("table", name)
    if not isinstance(answer.value, dict):
        check.fail(
            None, f"{name} must stay a dictionary: node → what you found.", said="something else"
        )
    return answer.value


def _check_filled(check: Check, table: str, name: str, yours: Any) -> None:
    """An entry that is still None: say whose turn it is, and not the answer."""
    if yours is None:
        first, second = map(_value, _TREE[name])
        side = "Red" if name in _RED else "Blue"
        sentence = (
            f"{name} is not filled in yet. {side} chooses there between {first} and {second}."
        )
        check.fail(None, sentence, shown=f"{table}[{name!r}]", said="None", picture=_family(name))


def _value(node: Any) -> int:
    if isinstance(node, int):
        return node
    values = list(map(_value, _TREE[node]))
    return max(values) if node in _RED else min(values)


def _move(name: str) -> str:
    left, right = map(_value, _TREE[name])
    better = right > left if name in _RED else right < left
    return "right" if better else "left"


def _rule(name: str) -> str:
    """The sentence that one says aloud at a node."""
    first, second = map(_value, _TREE[name])
    if name in _RED:
        return f"{name} is Red's: the better of {first} and {second} for Red is {_value(name)}."
    return f"{name} is Blue's: the better of {first} and {second} for Blue is {_value(name)}."


def _family(name: str) -> Picture:
    """A node with its two children."""
    lines = [f"{name} ({'Red' if name in _RED else 'Blue'} to move)"]
    for way, child in zip(("left", "right"), _TREE[name], strict=True):
        label = (
            f"end of the game, {child}"
            if isinstance(child, int)
            else f"{child}, worth {_value(child)}"
        )
        lines.append(f"  {way + ':':<6} {label}")
    return Picture("\n".join(lines))


# ------------------------------------------------------------------ by program


def task_3(check: Check) -> None:
    """Leaves, the trees of the sheet, and trees drawn anew, for either side."""
    cases = [(5, "Red"), (-2, "Blue"), *_BOTH, *_drawn(check.rng, 40)]
    answers = check.calls([call("destiny", *case) for case in cases])
    for (tree, mover), answer in zip(cases, answers, strict=True):
        right = _destiny(tree, mover)
        if not same(answer.value, right):
            check.equal(answer, right, _why(tree, mover), picture=_picture(tree, mover))
    check.note(f"{len(cases)} trees right")


def task_4(check: Check) -> None:
    """The first best child, in the same kinds of trees."""
    cases = [*_BOTH, *_drawn(check.rng, 40), *(([1, 1, 0], side) for side in ("Red", "Blue"))]
    answers = check.calls([call("best_child", *case) for case in cases])
    for (tree, mover), answer in zip(cases, answers, strict=True):
        values = _children(tree, mover)
        right = values.index(_destiny(tree, mover))
        if not same(answer.value, right):
            sentence = _place_sentence(values, mover)
            check.equal(answer, right, sentence, picture=_picture(tree, mover))


def _destiny(tree: Any, mover: str) -> int:
    if not isinstance(tree, list):
        return int(tree)
    values = _children(tree, mover)
    return max(values) if mover == "Red" else min(values)


def _children(tree: list[Any], mover: str) -> list[int]:
    other = "Blue" if mover == "Red" else "Red"
    return [_destiny(child, other) for child in tree]


def _why(tree: Any, mover: str) -> str:
    if not isinstance(tree, list):
        return "A number is the end of the game: it is its own value."
    return f"{_choice(_children(tree, mover), mover)} So the value is {_destiny(tree, mover)}."


def _place_sentence(values: list[int], mover: str) -> Any:
    best = max(values) if mover == "Red" else min(values)

    def sentence(answer: Answer, right: int) -> str:
        if values.count(best) > 1:
            return (
                f"{_choice(values, mover)} It stands there more than once: the first place counts."
            )
        return f"{_choice(values, mover)} That is child {right}, counted from 0."

    return sentence


def _choice(values: list[int], mover: str) -> str:
    wish, best = ("largest", max(values)) if mover == "Red" else ("smallest", min(values))
    shown = ", ".join(map(str, values))
    return f"The children are worth {shown}; {mover} takes the {wish}, {best}."


def _picture(tree: Any, mover: str) -> Picture | None:
    if not isinstance(tree, list):
        return None
    is_red = mover == "Red"
    names = tree_text(tree, max_first=is_red).replace("MAX", "Red ").replace("MIN", "Blue")
    return Picture(names, tree_svg(tree, max_first=is_red))


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
