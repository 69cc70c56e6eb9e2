"""Checks of the counting lab: small boards as they are, the empty board with calls remembered."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, call, position
from rl_toolkit.labs.truth import tictactoe as truth

_EMPTY = position("3/3/3 x")
_TEXTS = (
    "x1x/1o1/oxo x",
    "xx1/1oo/1ox x",
    "xxx/oo1/3 o",
    "x1o/3/oxx o",
    "xo1/ox1/3 x",
    "x2/1o1/2x o",
)
_SMALL = [position(text) for text in _TEXTS]

PANELS = {
    1: [call("count_nodes", here) for here in _SMALL],
    2: [call("count_games", here) for here in _SMALL],
    3: [call("by_ply", here) for here in _SMALL],
    4: [call("count_positions", here) for here in _SMALL],
    5: [call("count_classes", here) for here in _SMALL],
}


# ------------------------------------------------------------------ the right numbers


@cache
def _by_ply(here: LabBoard) -> tuple[int, ...]:
    counts = [1]
    for child in _children(here):
        below = _by_ply(child)
        counts += [0] * (len(below) + 1 - len(counts))
        for depth, number in enumerate(below, 1):
            counts[depth] += number
    return tuple(counts)


@cache
def _games(here: LabBoard) -> int:
    return sum(map(_games, _children(here))) or 1


@cache
def _reachable(here: LabBoard) -> frozenset[LabBoard]:
    if here == _EMPTY:
        return frozenset(truth.positions())
    return frozenset({here}).union(*map(_reachable, _children(here)))


def _children(here: LabBoard) -> list[LabBoard]:
    return [_plain(truth.play(here, move)) for move in truth.moves(here)]


def _plain(here: LabBoard) -> LabBoard:
    return LabBoard(here.cells, here.mover)


@cache
def _representative(here: LabBoard) -> tuple[int, ...]:
    turned, images = here.cells, list[tuple[int, ...]]()
    for _ in range(4):
        turned = tuple(turned[cell] for cell in (6, 3, 0, 7, 4, 1, 8, 5, 2))
        images += [turned, tuple(turned[cell] for cell in (2, 1, 0, 5, 4, 3, 8, 7, 6))]
    return min(images)


def _classes(here: LabBoard) -> int:
    return len({(_representative(each), each.mover) for each in _reachable(here)})


# ------------------------------------------------------------------ tasks


def task_1(check: Check) -> None:
    """Calls on small boards, then 549,946."""
    _check_small(check, "count_nodes", truth.count_nodes, _node_sentence)
    again = check.call("count_nodes", _SMALL[0])
    first = truth.count_nodes(_SMALL[0])
    check.equal(again, first, "The same board gives another number than before.")
    _check_start(check, "count_nodes", truth.count_nodes(_EMPTY), "calls")


def _node_sentence(answer: Answer, right: int) -> str:
    here = _board(answer)
    if answer.value == _games(here):
        return f"You counted games, not calls: {answer.value} boards are ends, {right} are calls."
    return f"Minimax is called {right:,} times from here, the first call included."


def task_2(check: Check) -> None:
    """Games on small boards, then 255,168."""
    _check_small(check, "count_games", _games, _game_sentence)
    _check_start(check, "count_games", _games(_EMPTY), "games")


def _game_sentence(answer: Answer, right: int) -> str:
    here = _board(answer)
    if truth.over(here):
        return "The game is over here, so there is one way to finish it."
    if answer.value == truth.count_nodes(here):
        return f"You counted calls, not games: only {right} of them are ends."
    return f"{right:,} different games can follow."


def task_3(check: Check) -> None:
    """Rows on small boards, then the ten rows of the whole game."""
    boards, longer = _drawn(check), list[Answer]()
    for answer in check.calls([call("by_ply", here) for here in boards]):
        right = list(_by_ply(_board(answer)))
        if _trimmed(answer.value) != right:
            check.fail(answer, _ply_sentence(answer.value, right), right=right)
        longer += [answer] if answer.value != right else []
    answer = _from_start(check, "by_ply", list(_by_ply(_EMPTY)))
    right = list(_by_ply(_EMPTY))
    if _trimmed(answer.value) != right:
        check.fail(answer, _ply_sentence(answer.value, right), right=right)
    if longer:
        check.fail(
            longer[0],
            "The numbers are right, but the list goes on with zeros below the deepest row. This "
            "costs one point.",
            mistake="zeros-below",
            right=list(_by_ply(_board(longer[0]))),
            costs=1,
        )
    check.note(f"{len(right)} rows, so the longest game has {len(right) - 1} moves")


def _trimmed(rows: Any) -> Any:
    """A list without zeros at its end, which are a small fault."""
    if isinstance(rows, list):
        while rows and rows[-1] == 0:
            rows = rows[:-1]
    return rows


def _ply_sentence(yours: Any, right: list[int]) -> str:
    if not isinstance(yours, list) or not yours:
        return "The answer must be a list of numbers."
    for depth, (number, wanted) in enumerate(zip(yours, right, strict=False)):
        if number != wanted:
            return f"{depth} moves deep there are {wanted:,} calls, not {number}."
    return f"The list must have {len(right)} entries: the longest game has {len(right) - 1} moves."


def task_4(check: Check) -> None:
    """Positions on small boards, then 5,478."""
    _check_small(check, "count_positions", lambda here: len(_reachable(here)), _position_sentence)
    _check_start(check, "count_positions", len(truth.positions()), "positions")


def _position_sentence(answer: Answer, right: int) -> str:
    here = _board(answer)
    if answer.value == truth.count_nodes(here):
        return f"{answer.value} calls lead to only {right} different boards."
    return f"{right:,} different positions can be reached, this one and the ended ones included."


def task_5(check: Check) -> None:
    """Classes on small boards, then 765."""
    _check_small(check, "count_classes", _classes, _class_sentence)
    _check_start(check, "count_classes", _classes(_EMPTY), "classes")


def _class_sentence(answer: Answer, right: int) -> str:
    positions = len(_reachable(_board(answer)))
    return f"{positions:,} positions can be reached; {right:,} are left if images count once."


# ------------------------------------------------------------------ parts


def _check_small(
    check: Check,
    name: str,
    right: Callable[[LabBoard], int],
    sentence: Callable[[Answer, Any], str],
) -> None:
    check.each(name, _drawn(check), right, sentence)


def _drawn(check: Check) -> list[LabBoard]:
    """The small boards of the panel, ended ones, and some drawn anew; smallest first."""
    late = [here for here in truth.positions() if here.cells.count(0) <= 5]
    return _SMALL[:5] + sorted(check.rng.sample(late, 30), key=lambda here: here.cells.count(0))


def _check_start(check: Check, name: str, right: int, what: str) -> None:
    answer = _from_start(check, name, right)
    check.equal(answer, right, f"There are {right:,} {what} from the empty board.")
    check.note(f"{right:,} {what} from the empty board")


def _from_start(check: Check, name: str, right: Any) -> Answer:
    """The answer on the empty board, quickly if the function allows it.

    With remembered inner calls a function that only returns numbers is quick; one that counts in a
    global variable then answers wrongly and is called once more, as it is.
    """
    answer = check.call(name, _EMPTY, memo=[name], seconds=10)
    return answer if answer.value == right else check.call(name, _EMPTY, seconds=10)


def _board(answer: Answer) -> LabBoard:
    here = answer.call.board
    assert here is not None
    return _plain(here)
