"""Checks of the minimax lab: every value, and every game against every reply."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, OneOf, call, position, side, signed
from rl_toolkit.labs.truth import tictactoe as truth

#: Ended games: won by X, by O, drawn; a win with the last cell.
_ENDED = ("xxx/oo1/3 o", "ooo/xx1/x2 x", "xox/xoo/oxx o", "xxo/oox/xxx o", "xo1/xo1/x2 o")
#: Positions late enough that plain minimax is quick, with every value and both movers.
_LATE = (
    *("xx1/oo1/3 x", "xx1/oo1/x2 o", "xoo/1x1/3 x", "xox/1o1/3 x", "x1o/1x1/o2 x"),
    *("xxo/oox/1x1 o", "o1x/1x1/3 o", "x2/x2/o1o x", "x1o/xo1/3 x", "xxo/ooo/xx1 x"),
    *("x2/1x1/1oo x", "o2/2x/x2 o"),  # a win that is two moves off, and a loss
)

#: Positions with a win in one move, for the last task.
_QUICK = ("x2/3/oox x", "xo1/xo1/3 x", "xx1/2x/oo1 o")

PANELS = {
    1: [call("utility", position(text)) for text in _ENDED],
    2: [call("children", position(text)) for text in ("xo1/1x1/oxo o", "xox/oxo/3 x")],
    3: [call("minimax", position(text), count=["minimax"]) for text in (*_LATE, *_ENDED)],
    4: [call("best_move", position(text)) for text in _LATE],
    5: [call("sure_move", position(text)) for text in (*_QUICK, *_LATE)],
}


def _boards(answers: Sequence[Answer]) -> list[LabBoard]:
    return [position(answer.call.board.text) for answer in answers if answer.call.board]


def _has_other_size(answers: Sequence[Answer]) -> bool:
    """Every sign is right, and some value is not 1, 0 or −1."""
    pairs = [
        (answer.value, truth.value(board))
        for answer, board in zip(answers, _boards(answers), strict=True)
    ]
    signs = all((value > 0) - (value < 0) == right for value, right in pairs)
    return signs and any(value != right for value, right in pairs)


def _misses_the_end(answers: Sequence[Answer], *, of_wins: bool) -> bool:
    """A drawn full board, and a won one too, gives an exception or what the best begins with."""

    def is_missed(each: Answer) -> bool:
        if each.error is not None:
            return hasattr(builtins, each.error.kind) and each.error.kind != "TypeError"
        return each.value is not None and abs(each.value) > 1

    full = [answer for answer in answers if answer.call.board and 0 not in answer.call.board.cells]
    drawn = [each for each in full if not truth.value(_boards([each])[0])]
    won = [each for each in full if each not in drawn]
    return all(map(is_missed, drawn)) and all(is_missed(each) == of_wins for each in won)


def _returns_values(answers: Sequence[Answer]) -> bool:
    """Each answer is the value of its position, X's or the mover's."""
    running = [
        (answer.value, board)
        for answer, board in zip(answers, _boards(answers), strict=True)
        if not truth.over(board)
    ]
    return all(value == truth.value(board) for value, board in running) or all(
        value == board.mover * truth.value(board) for value, board in running
    )


def _counts_free_cells(answers: Sequence[Answer]) -> bool:
    """Each answer is the place of the best move in the list of free cells."""
    return all(
        truth.moves(board).index(truth.best_moves(board)[0]) == answer.value
        for answer, board in zip(answers, _boards(answers), strict=True)
        if not truth.over(board)
    )


def _keeps_old_boards(answers: Sequence[Answer]) -> bool:
    """The second answer begins with the first."""
    first, second = (answer.value for answer in answers)
    return len(first) > 0 and len(second) > len(first) and second[: len(first)] == first


WITNESSES: dict[int, dict[str, Callable[[Sequence[Answer]], bool]]] = {
    1: {"other-size": _has_other_size},
    2: {"keeps-old-boards": _keeps_old_boards},
    3: {
        "other-size": _has_other_size,
        "no-end": partial(_misses_the_end, of_wins=True),
        "draw-not-ended": partial(_misses_the_end, of_wins=False),
    },
    4: {"returns-the-value": _returns_values, "counts-free-cells": _counts_free_cells},
}


def task_1(check: Check) -> None:
    """Ended games of every kind, then many drawn anew."""
    ended = [position(text) for text in _ENDED] + check.rng.sample(truth.ended(), 100)
    check.compare("utility", ended, truth.result, _who_won)


def task_2(check: Check) -> None:
    """One child for each free cell, the mover's mark on it, the board itself unchanged."""
    boards = [position("xo1/1x1/oxo o"), *truth.drawn(check.rng, 100)]
    for answer in check.calls([call("children", board) for board in boards]):
        here, value = answer.call.arguments[0], answer.value
        sentence = "children changed the board that it was given."
        check.require(not answer.changed, answer, sentence, said="")
        right = [list(truth.play(here, move).cells) for move in truth.moves(here)]
        if isinstance(value, list) and len(value) != len(right):
            text = f"There are {len(right)} free cells, so there are {len(right)} children."
            if len(value) == 1 and value[0] == right[0]:
                text += " Only the first came back: does the return stand inside the loop?"
            check.fail(answer, text, said=f"{len(value)} boards", right=len(right))
        text = "A child is the board with the mover's mark on one free cell, smallest cell first."
        check.equal(answer, right, text)


def task_3(check: Check) -> None:
    """The board stays as it is; a few positions, then all 4,520 with inner calls remembered."""
    late = [position(text) for text in _LATE]
    for answer in check.calls([call("minimax", board) for board in late], may_raise=True):
        case = check.case(answer, said="the board has changed", right="the board as it was")
        sentence = "minimax left its moves on the board that it was given."
        case.require(not answer.changed, sentence, "leaves-marks")
    ended = [position(text) for text in _ENDED] + check.rng.sample(truth.ended(), 50)
    for boards in (ended, late):
        check.compare("minimax", boards, truth.value, _why)
    late_first = truth.open_positions()[::-1]
    check.compare("minimax", late_first, truth.value, _why, memo=["minimax"])
    check.note("right in all 4,520 positions")


def task_4(check: Check) -> None:
    """The move keeps the value; no game is lost against any reply, in either seat."""
    drawn = truth.drawn(check.rng, 150, range(8))
    boards = [position(text) for text in _LATE if not truth.over(position(text))] + drawn
    memo = ["minimax"]
    answers = check.compare("best_move", boards, _best, _throws_away, memo=memo)
    as_x, as_o = check.never_loses("best_move", "Your player, {side}, loses this game.", memo=memo)
    for answer in answers:
        first = _best(answer.call.arguments[0])[0]
        sentence = "Your player never loses, so this costs one point."
        case = check.case(answer, right=first, costs=1)
        case.require(answer.value == first, sentence, "not-the-first")
    check.note(f"{as_x} games as X and {as_o} as O against every reply, none lost")


def _best(board: LabBoard) -> OneOf:
    return OneOf(truth.best_moves(board))


def task_5(check: Check) -> None:
    """A win in one is taken, everywhere; elsewhere the value is kept."""

    def wins(board: LabBoard) -> OneOf:
        return OneOf(truth.winning_moves(board))

    def at_once(value: Any, right: OneOf, board: LabBoard) -> str:
        return f"{side(board.mover)} wins at once at {board.name(right[0])}."

    def best(value: Any, right: OneOf, board: LabBoard) -> str:
        return f"{side(board.mover)} cannot win at once here, so the best move is wanted."

    boards, memo = truth.open_positions(), ["minimax"]
    quick = check.rng.sample([board for board in boards if wins(board)], 150)
    check.compare("sure_move", [position("x2/3/oox x"), *quick], wins, at_once, memo=memo)
    slow = check.rng.sample([board for board in boards if not wins(board)], 60)
    check.compare("sure_move", slow, _best, best, memo=memo)


def _who_won(value: Any, right: int, board: LabBoard) -> str:
    if right == 0:
        return "Nobody has three in a row and the board is full: a draw is worth 0."
    worth = "+1" if right > 0 else "−1"
    return f"{side(right)} has three in a row: the game is worth {worth}."


def _why(said: Any, right: int, board: LabBoard) -> str:
    if truth.over(board):
        return "The game is over here: the value is its result."
    wish, values = "largest" if board.mover > 0 else "smallest", truth.after_values(board)
    listed = ", ".join(f"{board.name(move)} {signed(value)}" for move, value in values.items())
    return f"{side(board.mover)} is to move and takes the {wish} of the children: {listed}."


def _throws_away(value: Any, right: OneOf, board: LabBoard) -> str:
    if not isinstance(value, int) or value not in truth.moves(board):
        return "best_move must return the number of a free cell."
    words = {1: "wins", 0: "draws", -1: "loses"}
    reached = words[truth.value(truth.play(board, value)) * board.mover]
    could = words[truth.value(board) * board.mover]
    move = board.name(value)
    return f"{side(board.mover)} {could} here with best play, but {reached} after {move}."
