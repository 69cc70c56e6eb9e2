"""Checks of the counting lab: small boards as they are, the empty board with calls remembered."""

from __future__ import annotations

from functools import cache
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, call, position
from rl_toolkit.labs.truth import tictactoe as truth

_EMPTY = position("3/3/3 x")
_TEXTS = (
    *("x1x/1o1/oxo x", "xx1/1oo/1ox x", "xxx/oo1/3 o"),
    *("x1o/3/oxx o", "xo1/ox1/3 x", "x2/1o1/2x o"),
)
_SMALL = [position(text) for text in _TEXTS]

PANELS = {
    1: [call("count_nodes", board) for board in _SMALL],
    2: [call("count_games", board) for board in _SMALL],
    3: [call("by_ply", board) for board in _SMALL],
    4: [call("count_positions", board) for board in _SMALL],
    5: [call("count_classes", board) for board in _SMALL],
}


# ------------------------------------------------------------------ the right numbers


@cache
def _by_ply(board: LabBoard) -> tuple[int, ...]:
    counts = [1]
    for child in _children(board):
        below = _by_ply(child)
        counts += [0] * (len(below) + 1 - len(counts))
        for depth, number in enumerate(below, 1):
            counts[depth] += number
    return tuple(counts)


@cache
def _games(board: LabBoard) -> int:
    return sum(map(_games, _children(board))) or 1


@cache
def _reachable(board: LabBoard) -> int:
    return len(truth.reached(board))


def _children(board: LabBoard) -> list[LabBoard]:
    return [_plain(truth.play(board, move)) for move in truth.moves(board)]


def _plain(board: LabBoard) -> LabBoard:
    return LabBoard(board.cells, board.mover)


@cache
def _representative(cells: tuple[int, ...]) -> tuple[int, ...]:
    return min(truth.images(cells))


def _classes(here: LabBoard) -> int:
    reached = truth.reached(here)
    return len({(_representative(board.cells), board.mover) for board in reached})


# ------------------------------------------------------------------ tasks


def task_1(check: Check) -> None:
    """Calls on small boards, then 549,946."""
    name = "count_nodes"
    check.compare(name, _drawn(check), truth.count_nodes, _node_sentence)
    sentence = "The same board gives another number than before."
    check.compare(name, _SMALL[:1], truth.count_nodes, sentence)
    _check_start(check, name, truth.count_nodes(_EMPTY), "calls")


def _node_sentence(value: Any, right: int, board: LabBoard) -> str:
    if value == _games(_plain(board)):
        return f"You counted games, not calls: {value} boards are ends, {right} are calls."
    return f"Minimax is called {right:,} times from here, the first call included."


def task_2(check: Check) -> None:
    """Games on small boards, then 255,168."""
    check.compare("count_games", _drawn(check), _games, _game_sentence)
    _check_start(check, "count_games", _games(_EMPTY), "games")


def _game_sentence(value: Any, right: int, board: LabBoard) -> str:
    if truth.over(board):
        return "The game is over here, so there is one way to finish it."
    if value == truth.count_nodes(board):
        return f"You counted calls, not games: only {right} of them are ends."
    return f"{right:,} different games can follow."


def task_3(check: Check) -> None:
    """Rows on small boards, then the ten rows of the whole game."""

    def right(board: LabBoard) -> list[int]:
        return list(_by_ply(board))

    def fits(value: Any, right: list[int]) -> bool:
        return bool(_trimmed(value) == right)

    answers = check.compare("by_ply", _drawn(check), right, _ply_sentence, fits=fits)
    answer, whole = _from_start(check, "by_ply", right(_EMPTY)), right(_EMPTY)
    if not fits(answer.value, whole):
        check.fail(answer, _ply_sentence(answer.value, whole), right=whole)
    sentence = (
        "The numbers are right, but the list goes on with zeros below the deepest row. This "
        "costs one point."
    )
    for answer in answers:
        case = check.case(answer, right=right(answer.call.arguments[0]), costs=1)
        case.require(answer.value == _trimmed(answer.value), sentence, "zeros-below")
    check.note(f"{len(whole)} rows, so the longest game has {len(whole) - 1} moves")


def _trimmed(rows: Any) -> Any:
    """A list without zeros at its end, which are a small fault."""
    if isinstance(rows, list):
        while rows and rows[-1] == 0:
            rows = rows[:-1]
    return rows


def _ply_sentence(value: Any, right: list[int], *_: LabBoard) -> str:
    if not isinstance(value, list) or not value:
        return "The answer must be a list of numbers."
    for depth, (number, expected) in enumerate(zip(value, right, strict=False)):
        if number != expected:
            return f"{depth} moves deep there are {expected:,} calls, not {number}."
    return f"The list must have {len(right)} entries: the longest game has {len(right) - 1} moves."


def task_4(check: Check) -> None:
    """Positions on small boards, then 5,478."""
    check.compare("count_positions", _drawn(check), _reachable, _position_sentence)
    _check_start(check, "count_positions", len(truth.positions()), "positions")


def _position_sentence(value: Any, right: int, board: LabBoard) -> str:
    if value == truth.count_nodes(board):
        return f"{value} calls lead to only {right} different boards."
    return f"{right:,} different positions can be reached, this one and the ended ones included."


def task_5(check: Check) -> None:
    """Classes on small boards, then 765."""
    check.compare("count_classes", _drawn(check), _classes, _class_sentence)
    _check_start(check, "count_classes", _classes(_EMPTY), "classes")


def _class_sentence(value: Any, right: int, board: LabBoard) -> str:
    positions = _reachable(board)
    return f"{positions:,} positions can be reached; {right:,} are left if images count once."


# ------------------------------------------------------------------ parts


def _drawn(check: Check) -> list[LabBoard]:
    """The small boards of the panel, ended ones, and some drawn anew; smallest first."""
    late = [board for board in truth.positions() if board.cells.count(0) <= 5]
    return _SMALL[:5] + sorted(check.rng.sample(late, 30), key=lambda board: board.cells.count(0))


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
