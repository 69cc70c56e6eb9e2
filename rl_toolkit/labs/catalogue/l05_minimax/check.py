"""Checks of the minimax lab: every value, and every game against every reply."""

from __future__ import annotations

from rl_toolkit.labs.checking import Answer, Check, LabBoard, after, call, position, signed
from rl_toolkit.labs.truth import tictactoe as truth

#: Ended games: won by X, by O, drawn; a win with the last cell.
_ENDED = ("xxx/oo1/3 o", "ooo/xx1/x2 x", "xox/xoo/oxx o", "xxo/oox/xxx o", "xo1/xo1/x2 o")
#: Positions late enough that plain minimax is quick, with every value and both movers.
_LATE = (
    *("xx1/oo1/3 x", "xx1/oo1/x2 o", "xoo/1x1/3 x", "xox/1o1/3 x", "x1o/1x1/o2 x"),
    *("xxo/oox/1x1 o", "o1x/1x1/3 o", "x2/x2/o1o x", "x1o/xo1/3 x", "xxo/ooo/xx1 x"),
)

PANELS = {
    1: [call("utility", position(text)) for text in _ENDED],
    2: [call("children", position(text)) for text in ("xo1/1x1/oxo o", "xox/oxo/3 x")],
    3: [call("minimax", position(text), count=["minimax"]) for text in _LATE],
    4: [call("best_move", position(text)) for text in _LATE],
    5: [
        call("sure_move", position(text))
        for text in ("x2/3/oox x", "xo1/xo1/3 x", "xx1/2x/oo1 o", *_LATE)
    ],
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
            check.fail(answer, text, said=f"{len(answer.value)} boards", right=len(right))
        check.equal(
            answer,
            right,
            "A child is the board with the mover's mark on one free cell, smallest cell first.",
        )


def task_3(check: Check) -> None:
    """A few positions as they are, then all 4,520 open ones with inner calls remembered."""
    check.each("minimax", [position(text) for text in _LATE], truth.value, _why)
    ended = check.rng.sample(truth.ended(), 50)
    check.each("minimax", ended, truth.value, "The game is over here: the value is its result.")
    (answer,) = check.calls([call("minimax", position("x1o/1x1/o2 x"))])
    check.require(
        not answer.changed,
        answer,
        "minimax left its moves on the board that it was given.",
        said="",
    )
    late_first = truth.open_positions()[::-1]
    check.each("minimax", late_first, truth.value, _why, memo=["minimax"])
    check.note("right in all 4,520 positions")


def task_4(check: Check) -> None:
    """The move keeps the value; no game is lost against any reply, in either seat."""
    drawn = check.rng.sample([p for p in truth.open_positions() if p.cells.count(0) <= 7], 150)
    boards = [position(text) for text in _LATE if not truth.over(position(text))] + drawn
    for answer in check.calls([call("best_move", each, memo=["minimax"]) for each in boards]):
        here = answer.call.board
        assert here is not None
        best = truth.best_moves(here)
        if answer.value not in best:
            check.fail(answer, _throws_away(check, answer, here), right=best[0])
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
        text = "Nobody wins at once here, so the best move is wanted."
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
