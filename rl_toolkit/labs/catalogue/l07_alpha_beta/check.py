"""Checks of the alpha-beta lab: leaves seen, values, counts, order, and the window at the root."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, Picture, call, position, signed
from rl_toolkit.labs.checking.check import same
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
        *(
            call("alpha_beta", position(text), -inf, inf, False, count=["alpha_beta"])
            for text in _HALFWAY
        ),
        call("alpha_beta", position("x2/1o1/3 x"), 0, 1, False, count=["alpha_beta"]),
        call("alpha_beta", position("xx1/oo1/3 x"), 0, 1, False, count=["alpha_beta"]),
        call("alpha_beta", position("xx1/oo1/x2 o"), -1, 0, False, count=["alpha_beta"]),
        *(  # windows that no search gets: they show whether and how the bounds are compared
            call("alpha_beta", position(text), low, high, False, count=["alpha_beta"])
            for text in ("xx1/oo1/3 x", "xx1/oo1/x2 o")
            for low, high in ((0, 0), (2, -2))
        ),
    ],
    3: [
        call("order_moves", list(range(9))),
        call("alpha_beta", position("x2/1o1/3 x"), -inf, inf, True, count=["alpha_beta"]),
    ],
    4: [
        *(call("best_move", position(text)) for text in _HALFWAY),
        call("best_move", position("x2/1o1/2x o"), count=["alpha_beta"]),
    ],
}


def _looks_like(*rules: str) -> Witness:
    """Whether as many positions are looked at as by one of these rules, with a full window."""

    def shows(answers: Sequence[Answer]) -> bool:
        boards = [position(text) for text in _HALFWAY]
        seen = [each.calls["alpha_beta"] for each in answers[: len(boards)]]
        return any(seen == [_simulated(here, rule) for here in boards] for rule in rules)

    return shows


def _turns_the_test_round(answers: Sequence[Answer]) -> bool:
    """Only the first child is looked at, but not where alpha is above beta from the beginning."""
    *_, crossed = answers
    here = position("xx1/oo1/x2 o")
    is_short = _looks_like("first child")(answers)
    return is_short and crossed.calls["alpha_beta"] > _simulated(here, "first child")


WITNESSES: dict[int, dict[str, Witness]] = {
    2: {
        "only-max-cuts": _looks_like("X, bounds", "X, best"),
        "only-min-cuts": _looks_like("O, bounds", "O, best"),
        "inverted-cut": _turns_the_test_round,
    }
}


@cache
def _simulated(start: LabBoard, rule: str) -> int:
    """The calls of an alpha-beta that leaves its loop by another rule.

    Only ``X`` or only ``O`` leaves it, when the ``bounds`` meet or when its ``best`` reaches the
    bound of the other side; or each node is left after its ``first child``.
    """

    def walk(here: LabBoard, alpha: float, beta: float) -> tuple[float, int]:
        if truth.over(here):
            return truth.result(here), 1
        best, nodes = -inf * here.mover, 1
        for move in truth.moves(here):
            value, below = walk(truth.play(here, move), alpha, beta)
            nodes += below
            if here.mover > 0:
                best, alpha = max(best, value), max(alpha, value)
                reached = best >= beta
            else:
                best, beta = min(best, value), min(beta, value)
                reached = best <= alpha
            is_over = alpha >= beta if rule.endswith("bounds") else reached
            if rule == "first child" or (rule[0] == _side(here.mover) and is_over):
                break
        return best, nodes

    return walk(start, -inf, inf)[1]


# ------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """The leaves that are looked at, in given trees and in trees drawn anew."""
    trees = [*_TREES, *(_drawn_tree(check.rng, check.rng.randint(2, 4)) for _ in range(30))]
    for tree, answer in zip(
        trees,
        check.calls([call("tree_value", tree, -inf, inf, True, []) for tree in trees]),
        strict=True,
    ):
        value = _search(tree, -inf, inf, True, [])
        if not same(answer.value, value):
            sentence = f"The root is worth {value:g} by minimax."
            check.equal(answer, value, sentence, picture=_picture(tree))
    for tree, answer in zip(
        trees, check.calls([call("leaves_seen", tree) for tree in trees]), strict=True
    ):
        seen: list[float] = []
        _search(tree, -inf, inf, True, seen)
        if answer.value == seen:
            continue
        check.fail(answer, _leaves_sentence(answer.value, seen), right=seen, picture=_picture(tree))
    check.note(f"{len(trees)} trees; 11 of 16 leaves in the big one")


def _leaves_sentence(yours: Any, seen: list[float]) -> str:
    if not isinstance(yours, list) or not yours:
        return "No leaf was written down. Append each leaf to seen before you return it."
    if yours[0] != seen[0]:
        return f"The first leaf is {seen[0]}: look at the children from left to right."
    if len(yours) > len(seen):
        return f"The value is right, but you look at {len(yours)} leaves; {len(seen)} are enough."
    if len(yours) < len(seen):
        return f"Too much was cut: you look at {len(yours)} leaves; {len(seen)} are needed."
    return "The leaves were looked at in another order: children go from left to right."


def _search(node: Any, alpha: float, beta: float, maximizing: bool, seen: list[float]) -> float:
    """The right answer to task 1."""
    if not isinstance(node, list):
        seen.append(node)
        return float(node)
    best = -inf if maximizing else inf
    for child in node:
        value = _search(child, alpha, beta, not maximizing, seen)
        if maximizing:
            best, alpha = max(best, value), max(alpha, value)
        else:
            best, beta = min(best, value), min(beta, value)
        if alpha >= beta:
            break
    return best


def _drawn_tree(rng: random.Random, depth: int) -> Any:
    if depth == 0 or (depth < 3 and rng.random() < 0.1):
        return rng.randint(-9, 9)
    return [_drawn_tree(rng, depth - 1) for _ in range(rng.randint(2, 3))]


def _picture(tree: Any) -> Picture:
    """The tree, with what a right search leaves out."""
    cut = _cut_paths(tree)
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
    return Picture("\n".join(lines), tree_svg(tree, unseen=cut))


def _cut_paths(tree: Any) -> list[tuple[int, ...]]:
    """The paths of the branches that a right search leaves out."""
    cut: list[tuple[int, ...]] = []

    def walk(node: Any, alpha: float, beta: float, is_max: bool, path: tuple[int, ...]) -> float:
        if not isinstance(node, list):
            return float(node)
        best = -inf if is_max else inf
        for number, child in enumerate(node):
            if alpha >= beta:
                cut.append((*path, number))
                continue
            value = walk(child, alpha, beta, not is_max, (*path, number))
            if is_max:
                best, alpha = max(best, value), max(alpha, value)
            else:
                best, beta = min(best, value), min(beta, value)
        return best

    walk(tree, -inf, inf, True, ())
    return cut


# ------------------------------------------------------------------ tasks 2 and 3


def task_2(check: Check) -> None:
    """Values first, then counts on small positions, then the two figures of the sheet."""
    some = check.rng.sample([p for p in truth.open_positions() if p.cells.count(0) <= 6], 60)
    _check_values(check, [*map(position, _HALFWAY), *some], ordered=False)
    _check_counts(check, some[:20], _INDEX)
    answer = _counted(check, _EMPTY, ordered=False)
    check.equal(answer, 0, "With best play the empty board is a draw: 0.")
    _check_count(check, answer, _INDEX)
    _check_values(check, check.rng.sample(truth.open_positions(), 1500), ordered=False)
    _check_counter(check)
    check.note(f"{answer.calls['alpha_beta']:,} positions from the empty board; 1,564 values right")


def _check_counter(check: Check) -> None:
    """The two lines that count are where they were; left out if the student has no counter."""
    here = position("xx1/oo1/3 x")
    if check.names.functions.get("alpha_beta", "alpha_beta") != "alpha_beta" or check.names.takes:
        return
    answer = check.probe("counter", here, check.names.board.x, may_raise=True)
    right = _nodes(here.cells, here.mover, _INDEX)
    if answer.error is None and answer.value not in (None, right):
        check.fail(
            None,
            "The search is right, but nodes is not what it was: the two lines that count must be "
            "the first ones of alpha_beta, so that each call counts once. This costs one point.",
            mistake="counter-moved",
            board=here,
            shown="nodes after alpha_beta(board, …)",
            said=f"{answer.value}",
            right=f"{right}",
            costs=1,
        )


def task_3(check: Check) -> None:
    """The order itself, then values and counts with it."""
    groups = [check.rng.sample(range(9), check.rng.randint(1, 9)) for _ in range(20)]
    lists = [list(range(9)), *(sorted(group) for group in groups)]
    answers = check.calls([call("order_moves", cells) for cells in lists])
    for answer, cells in zip(answers, lists, strict=True):
        right = [cell for cell in _CENTRE_FIRST if cell in cells]
        check.equal(answer, right, "Centre 4, then corners 0, 2, 6, 8, then edges 1, 3, 5, 7.")
        check.require(not answer.changed, answer, "order_moves changed the list that it was given.")
    some = check.rng.sample([p for p in truth.open_positions() if p.cells.count(0) <= 7], 40)
    _check_values(check, some, ordered=True)
    _check_counts(check, [position("x2/1o1/3 x"), *some[:20]], _CENTRE_FIRST)
    answer = _counted(check, _EMPTY, ordered=True)
    _check_count(check, answer, _CENTRE_FIRST)
    check.note(f"{answer.calls['alpha_beta']:,} positions from the empty board")


def _check_values(check: Check, boards: list[LabBoard], *, ordered: bool) -> None:
    cases = [(here, -inf, inf, ordered) for here in boards]

    def sentence(answer: Answer, right: int) -> str:
        here, order = answer.call.board, _CENTRE_FIRST if ordered else _INDEX
        assert here is not None
        again = _counted(check, here, ordered=ordered, may_raise=True)
        nodes = _nodes(here.cells, here.mover, order)
        seen = again.calls.get("alpha_beta", nodes)
        early = (
            f" You look at {seen:,} positions, a right search at {nodes:,}: something is cut off "
            "too early."
        )
        return _value_sentence(answer, right) + (early if seen < nodes else "")

    check.each(
        "alpha_beta",
        cases,
        lambda here, *_: truth.value(here),
        sentence,
        memo=["alpha_beta"],
    )


def _value_sentence(answer: Answer, right: int) -> str:
    """Where the values part: the first child whose value decides."""
    here = answer.call.board
    assert here is not None
    result = {1: "X wins", 0: "it is a draw", -1: "O wins"}[right]
    if truth.over(here):
        return f"The game is over: {result}."
    winning = truth.winning_moves(here)
    if winning:
        where = here.name(winning[0])
        return f"{_side(here.mover)} wins at once at {where}, so the value is {signed(right)}."
    best = here.name(truth.best_moves(here)[0])
    return (
        f"With best play {result}: {_side(here.mover)} plays {best}. Minimax says {signed(right)}."
    )


def _counted(check: Check, here: LabBoard, *, ordered: bool, may_raise: bool = False) -> Answer:
    given = (here, -inf, inf, ordered)
    return check.call("alpha_beta", *given, count=["alpha_beta"], seconds=6, may_raise=may_raise)


def _check_counts(check: Check, boards: list[LabBoard], order: tuple[int, ...]) -> None:
    ordered = order == _CENTRE_FIRST
    made = [call("alpha_beta", b, -inf, inf, ordered, count=["alpha_beta"]) for b in boards]
    for answer in check.calls(made):
        _check_count(check, answer, order)


def _check_count(check: Check, answer: Answer, order: tuple[int, ...]) -> None:
    here, found = answer.call.board, answer.calls["alpha_beta"]
    assert here is not None
    right = _nodes(here.cells, here.mover, order)
    if found == right:
        return
    what = f"{found:,} positions were looked at instead of {right:,}"
    if found > right:
        plain = truth.count_nodes(here)
        why = f"minimax without cuts needs {'as many' if found == plain else f'{plain:,}'}"
        sentence = f"The value is right, but {what}: {why}."
    else:
        sentence = f"Only {what}. Are the free cells tried in the order of the sheet?"
    check.fail(answer, sentence, said=f"{found:,} positions", right=f"{right:,} positions")


def _nodes(cells: tuple[int, ...], mover: int, order: tuple[int, ...]) -> int:
    """The calls of a right alpha-beta with the full window, this one included."""
    return _walk(cells, -inf, inf, mover, order)[1]


@cache
def _walk(
    cells: tuple[int, ...], alpha: float, beta: float, mover: int, order: tuple[int, ...]
) -> tuple[float, int]:
    here = LabBoard(cells, mover)
    if truth.over(here):
        return truth.result(here), 1
    best, nodes = -inf * mover, 1
    for move in order:
        if cells[move]:
            continue
        value, below = _walk(truth.play(here, move).cells, alpha, beta, -mover, order)
        nodes += below
        if mover > 0:
            best, alpha = max(best, value), max(alpha, value)
        else:
            best, beta = min(best, value), min(beta, value)
        if alpha >= beta:
            break
    return best, nodes


def _side(player: int) -> str:
    return "X" if player > 0 else "O"


# ------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """Moves that keep the value in both seats, and the window carried at the root."""
    boards = [*map(position, _HALFWAY), position("x2/1o1/2x o")]
    boards += check.rng.sample([p for p in truth.open_positions() if p.cells.count(0) <= 6], 150)
    for answer in check.calls([call("best_move", here, memo=["alpha_beta"]) for here in boards]):
        _check_move(check, answer)
    answer = check.call("best_move", _EMPTY, count=["alpha_beta"], seconds=6)
    _check_move(check, answer)
    found, right = answer.calls["alpha_beta"], _nodes(_EMPTY.cells, 1, _INDEX) - 1
    check.require(
        found <= right + 1,
        answer,
        f"The move is right, but alpha_beta was called {found:,} times instead of {right:,}.",
        mistake="reopened-root" if found == 30_709 else "",
        said=f"{found:,} calls",
        right=f"{right:,} calls",
    )
    played = 0
    for seat in (1, -1):
        games = check.every_reply("best_move", seat=seat, memo=["alpha_beta"])
        lost = next((game for game in games if game.winner == -seat), None)
        if lost is not None:
            check.fail(None, f"As {_side(seat)} your player lost a game.", moves=lost.moves)
        played += len(games)
    check.note(f"{found:,} calls; {played} games against every reply, none lost")


def _check_move(check: Check, answer: Answer) -> None:
    here = answer.call.board
    assert here is not None
    values = truth.after_values(here)
    best = truth.best_moves(here)
    move = answer.value
    if move in best:
        check.require(
            move == best[0],
            answer,
            f"{here.name(move)} is as good, but {here.name(best[0])} comes first.",
            right=best[0],
        )
        return
    if isinstance(move, bool) or move not in values:
        what = "returned None" if move is None else "did not return a free cell"
        check.fail(answer, f"best_move {what}.", right=best[0])
    wish = "highest" if here.mover > 0 else "lowest"
    check.fail(
        answer,
        f"After {here.name(move)} the value is {signed(values[move])}; after {here.name(best[0])} "
        f"it is {signed(values[best[0]])}. {_side(here.mover)} wants the {wish}.",
        right=best[0],
    )
