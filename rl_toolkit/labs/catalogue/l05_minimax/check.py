"""Checks of the minimax lab: every value, and every game against every reply."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partial

from rl_toolkit.labs.checking import Answer, Check, LabBoard, after, call, position, signed
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
    return [position(each.call.board.text) for each in answers if each.call.board]


def _right(here: LabBoard) -> int:
    """The value of a position, also of one that no game reaches."""
    return truth.result(here) if truth.over(here) else truth.value(here)


def _has_other_size(answers: Sequence[Answer]) -> bool:
    """Every sign is right, and some value is not 1, 0 or −1."""
    pairs = [
        (each.value, _right(here)) for each, here in zip(answers, _boards(answers), strict=True)
    ]
    signs = all((value > 0) - (value < 0) == right for value, right in pairs)
    return signs and any(value != right for value, right in pairs)


def _misses_the_end(answers: Sequence[Answer], *, of_wins: bool) -> bool:
    """A drawn full board, and a won one too, gives an exception or what the best begins with."""

    def is_missed(each: Answer) -> bool:
        if each.error is not None:
            return hasattr(builtins, each.error.kind) and each.error.kind != "TypeError"
        return each.value is not None and abs(each.value) > 1

    full = [each for each in answers if each.call.board and 0 not in each.call.board.cells]
    drawn = [each for each in full if not _right(_boards([each])[0])]
    won = [each for each in full if each not in drawn]
    return all(map(is_missed, drawn)) and all(is_missed(each) == of_wins for each in won)


def _returns_values(answers: Sequence[Answer]) -> bool:
    """Each answer is the value of its position, X's or the mover's."""
    running = [
        (each.value, here)
        for each, here in zip(answers, _boards(answers), strict=True)
        if not truth.over(here)
    ]
    return all(value == truth.value(here) for value, here in running) or all(
        value == here.mover * truth.value(here) for value, here in running
    )


def _counts_free_cells(answers: Sequence[Answer]) -> bool:
    """Each answer is the place of the best move in the list of free cells."""
    return all(
        truth.moves(here).index(truth.best_moves(here)[0]) == each.value
        for each, here in zip(answers, _boards(answers), strict=True)
        if not truth.over(here)
    )


def _keeps_old_boards(answers: Sequence[Answer]) -> bool:
    """The second answer begins with the first."""
    first, second = (each.value for each in answers)
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
    check.each("utility", ended, truth.result, _who_won)


def task_2(check: Check) -> None:
    """One child for each free cell, the mover's mark on it, the board itself unchanged."""
    boards = [position("xo1/1x1/oxo o"), *check.rng.sample(truth.open_positions(), 100)]
    for answer in check.calls([call("children", each) for each in boards]):
        here = answer.call.board
        assert here is not None
        check.require(
            not answer.changed, answer, "children changed the board that it was given.", said=""
        )
        right = [list(truth.play(here, move).cells) for move in truth.moves(here)]
        if isinstance(answer.value, list) and len(answer.value) != len(right):
            text = f"There are {len(right)} free cells, so there are {len(right)} children."
            if len(answer.value) == 1 and answer.value[0] == right[0]:
                text += " Only the first came back: does the return stand inside the loop?"
            check.fail(answer, text, said=f"{len(answer.value)} boards", right=len(right))
        check.equal(
            answer,
            right,
            "A child is the board with the mover's mark on one free cell, smallest cell first.",
        )


def task_3(check: Check) -> None:
    """The board stays as it is; a few positions, then all 4,520 with inner calls remembered."""
    late = [position(text) for text in _LATE]
    for answer in check.calls([call("minimax", here) for here in late], may_raise=True):
        check.require(
            not answer.changed,
            answer,
            "minimax left its moves on the board that it was given.",
            mistake="leaves-marks",
            said="the board has changed",
            right="the board as it was",
        )
    ended = [position(text) for text in _ENDED] + check.rng.sample(truth.ended(), 50)
    check.each("minimax", ended, _right, "The game is over here: the value is its result.")
    check.each("minimax", late, _right, _why)
    late_first = truth.open_positions()[::-1]
    check.each("minimax", late_first, truth.value, _why, memo=["minimax"])
    check.note("right in all 4,520 positions")


def task_4(check: Check) -> None:
    """The move keeps the value; no game is lost against any reply, in either seat."""
    drawn = check.rng.sample([p for p in truth.open_positions() if p.cells.count(0) <= 7], 150)
    boards = [position(text) for text in _LATE if not truth.over(position(text))] + drawn
    others: list[Answer] = []
    for answer in check.calls([call("best_move", each, memo=["minimax"]) for each in boards]):
        here = answer.call.board
        assert here is not None
        best = truth.best_moves(here)
        if answer.value not in best:
            check.fail(answer, _throws_away(check, answer, here), right=best[0])
        others += [answer] if answer.value != best[0] else []
    numbers = []
    for seat in (1, -1):
        games = check.every_reply("best_move", seat=seat, memo=["minimax"])
        lost = [game.moves for game in games if game.winner == -seat]
        if lost:
            side = "X" if seat > 0 else "O"
            check.fail(
                None,
                f"Your player, {side}, loses this game.",
                moves=lost[0],
                board=after(lost[0]),
            )
        numbers.append(len(games))
    if others:
        check.fail(
            others[0],
            "Your player never loses, so this costs one point.",
            mistake="not-the-first",
            right=truth.best_moves(_boards(others)[0])[0],
            costs=1,
        )
    check.note(f"{numbers[0]} games as X and {numbers[1]} as O against every reply, none lost")


def task_5(check: Check) -> None:
    """A win in one is taken, everywhere; elsewhere the value is kept."""
    boards = [p for p in truth.open_positions() if truth.winning_moves(p)]
    quick = [position("x2/3/oox x"), *check.rng.sample(boards, 150)]
    for answer in check.calls([call("sure_move", each, memo=["minimax"]) for each in quick]):
        here = answer.call.board
        assert here is not None
        wins = truth.winning_moves(here)
        text = f"{_mover(here)} wins at once at {here.name(wins[0])}."
        check.require(answer.value in wins, answer, text, right=wins[0])
    slow = [p for p in truth.open_positions() if not truth.winning_moves(p)]
    drawn = check.rng.sample(slow, 60)
    for answer in check.calls([call("sure_move", each, memo=["minimax"]) for each in drawn]):
        here = answer.call.board
        assert here is not None
        best = truth.best_moves(here)
        text = f"{_mover(here)} cannot win at once here, so the best move is wanted."
        check.require(answer.value in best, answer, text, right=best[0])


def _mover(here: LabBoard) -> str:
    return "X" if here.mover > 0 else "O"


def _who_won(answer: Answer, right: int) -> str:
    if right == 0:
        return "Nobody has three in a row and the board is full: a draw is worth 0."
    side, worth = ("X", "+1") if right > 0 else ("O", "−1")
    return f"{side} has three in a row: the game is worth {worth}."


def _why(answer: Answer, right: int) -> str:
    here = answer.call.board
    assert here is not None
    if truth.over(here):
        return "The game is over here: the value is its result."
    side, wish = (_mover(here), "largest" if here.mover > 0 else "smallest")
    values = truth.after_values(here)
    listed = ", ".join(f"{here.name(move)} {signed(value)}" for move, value in values.items())
    return f"{side} is to move and takes the {wish} of the children: {listed}."


def _throws_away(check: Check, answer: Answer, here: LabBoard) -> str:
    if isinstance(answer.value, int) and answer.value in truth.moves(here):
        words = {1: "wins", 0: "draws", -1: "loses"}
        reached = words[truth.value(truth.play(here, answer.value)) * here.mover]
        could = words[truth.value(here) * here.mover]
        move = here.name(answer.value)
        return f"{_mover(here)} {could} here with best play, but {reached} after {move}."
    return "best_move must return the number of a free cell."
