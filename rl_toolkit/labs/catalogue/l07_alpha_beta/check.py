"""Checks of the alpha-beta lab: leaves seen, values, counts, order, and the window at the root."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from typing import Any

from rl_toolkit.labs.checking import (
    Answer,
    Call,
    Check,
    LabBoard,
    Picture,
    call,
    position,
    side,
    signed,
)
from rl_toolkit.labs.drawing import tree_svg
from rl_toolkit.labs.truth import tictactoe as truth

Witness = Callable[[Sequence[Answer]], bool]
_BIG = [[[[1, 0], [-1, 0]], [[-1, 1], [-1, 0]]], [[[1, 0], [-1, 0]], [[1, 1], [1, 1]]]]
_TREES: list[Any] = [
    [[3, 5], [2, 9]],
    [[6, 9, 7], [4, 8, 8], [5, 2, 9]],
    [[5, 2, 9], [8, 8, 4], [9, 7, 6]],
    [[[4, 6], [7, 9]], [[1, 2], [0, 8]], [[5, 3], [6, 6]]],
    [0, [1, -1], [[1, 1], [0, -1]]],
    _BIG,
    [_BIG[1], _BIG[0]],
]
_EMPTY = position("3/3/3 x")
_HALFWAY = ("xo1/3/2x o", "x2/1o1/3 x", "o2/1x1/2x o", "xx1/oo1/3 x")
_INDEX, _CENTRE_FIRST = tuple(range(9)), (4, 0, 2, 6, 8, 1, 3, 5, 7)


def _search(text: str, low: float = -inf, high: float = inf, ordered: bool = False) -> Call:
    return call("alpha_beta", position(text), low, high, ordered, count=["alpha_beta"])


PANELS = {
    1: [
        *(call("leaves_seen", tree) for tree in _TREES),
        *(
            call("tree_value", tree, low, high, True, [], count=["tree_value"])
            for tree in _TREES[:4]
            for low, high in ((4, 6), (-inf, 5), (5, 5), (9, -9))
        ),
    ],
    2: [
        *(_search(text) for text in _HALFWAY),
        _search("x2/1o1/3 x", 0, 1),
        _search("xx1/oo1/3 x", 0, 1),
        _search("xx1/oo1/x2 o", -1, 0),
        *(  # windows that no search gets: they show whether and how the bounds are compared
            _search(text, low, high)
            for text in ("xx1/oo1/3 x", "xx1/oo1/x2 o")
            for low, high in ((0, 0), (2, -2))
        ),
    ],
    3: [call("order_moves", list(range(9))), _search("x2/1o1/3 x", ordered=True)],
    4: [
        *(call("best_move", position(text)) for text in _HALFWAY),
        call("best_move", position("x2/1o1/2x o"), count=["alpha_beta"]),
    ],
}


def _looks_like(*rules: str) -> Witness:
    """Whether as many positions are looked at as by one of these rules, with a full window."""

    def shows(answers: Sequence[Answer]) -> bool:
        boards = [position(text) for text in _HALFWAY]
        seen = [answer.calls["alpha_beta"] for answer in answers[: len(boards)]]
        return any(seen == [_nodes(board, rule=rule) for board in boards] for rule in rules)

    return shows


def _turns_the_test_round(answers: Sequence[Answer]) -> bool:
    """Only the first child is looked at, but not where alpha is above beta from the beginning."""
    *_, crossed = answers
    fewest = _nodes(position("xx1/oo1/x2 o"), rule="first child")
    return _looks_like("first child")(answers) and crossed.calls["alpha_beta"] > fewest


WITNESSES: dict[int, dict[str, Witness]] = {
    2: {
        "only-max-cuts": _looks_like("X, bounds", "X, best"),
        "only-min-cuts": _looks_like("O, bounds", "O, best"),
        "inverted-cut": _turns_the_test_round,
    }
}


# ------------------------------------------------------------------ right answers


def _nodes(board: LabBoard, order: tuple[int, ...] = _INDEX, rule: str = "") -> int:
    """The calls of alpha-beta with the full window, this one included."""
    return _walk(board.cells, board.mover, -inf, inf, order, rule)[1]


@cache
def _walk(
    cells: tuple[int, ...],
    mover: int,
    alpha: float,
    beta: float,
    order: tuple[int, ...] = _INDEX,
    rule: str = "",
) -> tuple[float, int]:
    """Value and calls of an alpha-beta that leaves its loop by a rule.

    Without a rule, when the bounds meet. Else only ``X`` or only ``O`` leaves it, when the
    ``bounds`` meet or when its ``best`` reaches the bound of the other side; or each node is left
    after its ``first child``.
    """
    board = LabBoard(cells, mover)
    if truth.over(board):
        return truth.result(board), 1
    best, nodes = -inf * mover, 1
    for move in order:
        if cells[move]:
            continue
        value, below = _walk(truth.play(board, move).cells, -mover, alpha, beta, order, rule)
        nodes += below
        if mover > 0:
            best, alpha = max(best, value), max(alpha, value)
            reaches = best >= beta
        else:
            best, beta = min(best, value), min(beta, value)
            reaches = best <= alpha
        is_over = reaches if rule.endswith("best") else alpha >= beta
        if rule == "first child" or (is_over and rule[:1] in ("", side(mover))):
            break
    return best, nodes


@cache
def _at_the_root(order: tuple[int, ...]) -> int:
    """The calls of a right best_move on the empty board, where searches use that order."""
    alpha, calls = -inf, 0
    for move in range(9):
        value, below = _walk(truth.play(_EMPTY, move).cells, -1, alpha, inf, order)
        alpha, calls = max(alpha, value), calls + below
    return calls


class _Seen:
    """A right search of a tree: its value, the leaves it looks at, the branches it leaves out."""

    def __init__(self, tree: Any) -> None:
        self.leaves: list[float] = []
        self.cut: list[tuple[int, ...]] = []
        self.value = self._walk(tree, -inf, inf, ())

    def _walk(self, node: Any, alpha: float, beta: float, path: tuple[int, ...]) -> float:
        if not isinstance(node, list):
            self.leaves.append(node)
            return float(node)
        is_max = len(path) % 2 == 0
        best = -inf if is_max else inf
        for number, child in enumerate(node):
            if alpha >= beta:
                self.cut.append((*path, number))
                continue
            value = self._walk(child, alpha, beta, (*path, number))
            if is_max:
                best, alpha = max(best, value), max(alpha, value)
            else:
                best, beta = min(best, value), min(beta, value)
        return best


# ------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """The leaves that are looked at, in given trees and in trees drawn anew."""
    trees = [*_TREES, *(_drawn_tree(check.rng, check.rng.randint(2, 4)) for _ in range(30))]
    check.compare(
        "tree_value",
        [(tree, -inf, inf, True, []) for tree in trees],
        [_Seen(tree).value for tree in trees],
        lambda said, value, *_: f"The root is worth {value:g} by minimax.",
        shown=_picture,
    )
    leaves = [_Seen(tree).leaves for tree in trees]
    check.compare("leaves_seen", trees, leaves, _leaves_sentence, shown=_picture)
    check.note(f"{len(trees)} trees; 11 of 16 leaves in the big one")


def _leaves_sentence(yours: Any, seen: list[float], tree: Any) -> str:
    if not isinstance(yours, list) or not yours:
        return "No leaf was written down. Append each leaf to seen before you return it."
    if yours[0] != seen[0]:
        return f"The first leaf is {seen[0]}: look at the children from left to right."
    if len(yours) > len(seen):
        return f"The value is right, but you look at {len(yours)} leaves; {len(seen)} are enough."
    if len(yours) < len(seen):
        return f"Too much was cut: you look at {len(yours)} leaves; {len(seen)} are needed."
    return "The leaves were looked at in another order: children go from left to right."


def _drawn_tree(rng: random.Random, depth: int) -> Any:
    if depth == 0 or (depth < 3 and rng.random() < 0.1):
        return rng.randint(-9, 9)
    return [_drawn_tree(rng, depth - 1) for _ in range(rng.randint(2, 3))]


def _picture(value: Any, right: Any, tree: Any, *_: Any) -> dict[str, Picture]:
    """The tree, with what a right search leaves out."""
    cut = _Seen(tree).cut
    lines: list[str] = []

    def named(node: Any, path: tuple[int, ...]) -> str:
        name = ("MIN" if len(path) % 2 else "MAX") if isinstance(node, list) else f"{node:g}"
        return f"{name} (cut)" if path in cut else name

    def walk(node: Any, path: tuple[int, ...]) -> None:
        below = [(child, (*path, number)) for number, child in enumerate(node)]
        leaves = [] if any(isinstance(child, list) for child, _ in below) else below
        words = [named(node, path), *(named(child, way) for child, way in leaves)]
        lines.append("  " * len(path) + "   ".join(words))
        for child, way in below if not leaves else ():
            if isinstance(child, list):
                walk(child, way)
            else:
                lines.append("  " * len(way) + named(child, way))

    walk(tree, ())
    return {"picture": Picture("\n".join(lines), tree_svg(tree, unseen=cut))}


# ------------------------------------------------------------------ tasks 2 and 3


def task_2(check: Check) -> None:
    """Values first, then counts on small positions, then the two figures of the sheet."""
    some = truth.drawn(check.rng, 60, range(7))
    _check_values(check, [*map(position, _HALFWAY), *some], _INDEX)
    calls = _check_counts(check, some[:20], _INDEX)
    _check_values(check, truth.drawn(check.rng, 1500), _INDEX)
    _check_counter(check)
    check.note(f"{calls:,} positions from the empty board; 1,564 values right")


def _check_counter(check: Check) -> None:
    """The two lines that count are where they were; left out if the student has no counter."""
    board = position("xx1/oo1/3 x")
    if check.names.functions.get("alpha_beta", "alpha_beta") != "alpha_beta" or check.names.takes:
        return
    answer = check.probe("counter", board, check.names.board.x, may_raise=True)
    if answer.error is None and answer.value not in (None, _nodes(board)):
        sentence = (
            "The search is right, but nodes is not what it was: the two lines that count must be "
            "the first ones of alpha_beta, so that each call counts once. This costs one point."
        )
        case = check.case(board=board, shown="nodes after alpha_beta(board, …)", costs=1)
        case.fail(sentence, "counter-moved", answer.value, _nodes(board))


def task_3(check: Check) -> None:
    """The order itself, then values and counts with it."""
    groups = [check.rng.sample(range(9), check.rng.randint(1, 9)) for _ in range(20)]
    check.compare(
        "order_moves",
        [list(range(9)), *(sorted(group) for group in groups)],
        lambda cells: [cell for cell in _CENTRE_FIRST if cell in cells],
        "Centre 4, then corners 0, 2, 6, 8, then edges 1, 3, 5, 7.",
        changed="order_moves changed the list that it was given.",
    )
    some = truth.drawn(check.rng, 40, range(8))
    _check_values(check, some, _CENTRE_FIRST)
    calls = _check_counts(check, [position("x2/1o1/3 x"), *some[:20]], _CENTRE_FIRST)
    check.note(f"{calls:,} positions from the empty board")


def _check_values(check: Check, boards: list[LabBoard], order: tuple[int, ...]) -> None:
    ordered = order == _CENTRE_FIRST

    def sentence(value: Any, right: int, board: LabBoard, *_: Any) -> str:
        again = _counted(check, board, ordered, may_raise=True)
        nodes = _nodes(board, order)
        seen = again.calls.get("alpha_beta", nodes)
        early = (
            f" You look at {seen:,} positions, a right search at {nodes:,}: something is cut off "
            "too early."
        )
        return _value_sentence(board, right) + (early if seen < nodes else "")

    cases = [(board, -inf, inf, ordered) for board in boards]
    values = [truth.value(board) for board in boards]
    check.compare("alpha_beta", cases, values, sentence, memo=["alpha_beta"])


def _value_sentence(board: LabBoard, right: int) -> str:
    """Where the values part: the first child whose value decides."""
    result = {1: "X wins", 0: "it is a draw", -1: "O wins"}[right]
    if truth.over(board):
        return f"The game is over: {result}."
    mover, winning = side(board.mover), truth.winning_moves(board)
    if winning:
        return f"{mover} wins at once at {board.name(winning[0])}, so the value is {signed(right)}."
    best = board.name(truth.best_moves(board)[0])
    return f"With best play {result}: {mover} plays {best}. Minimax says {signed(right)}."


def _counted(check: Check, board: LabBoard, ordered: bool, may_raise: bool = False) -> Answer:
    given = (board, -inf, inf, ordered)
    return check.call("alpha_beta", *given, count=["alpha_beta"], seconds=6, may_raise=may_raise)


def _check_counts(check: Check, boards: list[LabBoard], order: tuple[int, ...]) -> int:
    """The calls on boards, and on the empty one: their number there comes back."""
    ordered = order == _CENTRE_FIRST
    for answer in check.calls([_search(board.text, ordered=ordered) for board in boards]):
        _check_count(check, answer, order)
    answer = _counted(check, _EMPTY, ordered)
    check.equal(answer, 0, "With best play the empty board is a draw: 0.")
    return _check_count(check, answer, order)


def _check_count(check: Check, answer: Answer, order: tuple[int, ...]) -> int:
    board, seen = answer.call.arguments[0], answer.calls["alpha_beta"]
    right = _nodes(board, order)
    what = f"{seen:,} positions were looked at instead of {right:,}"
    sentence = f"Only {what}. Are the free cells tried in the order of the sheet?"
    if seen > right:
        plain = truth.count_nodes(board)
        why = f"minimax without cuts needs {'as many' if seen == plain else f'{plain:,}'}"
        sentence = f"The value is right, but {what}: {why}."
    case = check.case(answer)
    case.require(seen == right, sentence, "", f"{seen:,} positions", f"{right:,} positions")
    return seen


# ------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """Moves that keep the value in both seats, and the window carried at the root."""
    boards = [*map(position, _HALFWAY), position("x2/1o1/2x o")]
    boards += truth.drawn(check.rng, 150, range(7))
    check.compare("best_move", boards, _first_best, _move_sentence, memo=["alpha_beta"])
    (answer,) = check.compare(
        "best_move", [_EMPTY], _first_best, _move_sentence, count=["alpha_beta"], seconds=6
    )
    seen, right = answer.calls["alpha_beta"], _at_the_root(_INDEX)
    case = check.case(answer, said=f"{seen:,} calls", right=f"{right:,} calls")
    sentence = f"The move is right, but alpha_beta was called {seen:,} times instead of {right:,}."
    case.require(seen <= right + 1, sentence, "reopened-root" if seen == 30_709 else "")
    played = sum(
        check.never_loses("best_move", "As {side} your player lost a game.", memo=["alpha_beta"])
    )
    mistake = "ordered-below" if seen == _at_the_root(_CENTRE_FIRST) else ""
    case.require(seen >= right, f"{sentence} This costs one point.", mistake, costs=1)
    check.note(f"{seen:,} calls; {played} games against every reply, none lost")


def _first_best(board: LabBoard) -> int:
    return truth.best_moves(board)[0]


def _move_sentence(move: Any, right: int, board: LabBoard) -> str:
    values = truth.after_values(board)
    if move is None:
        return "best_move returned None."
    if isinstance(move, bool) or move not in values:
        return "best_move did not return a free cell."
    yours, best = board.name(move), board.name(right)
    if values[move] == values[right]:
        return f"{yours} is as good, but {best} comes first."
    wish = "highest" if board.mover > 0 else "lowest"
    return (
        f"After {yours} the value is {signed(values[move])}; after {best} it is "
        f"{signed(values[right])}. {side(board.mover)} wants the {wish}."
    )
