"""Checks of the bug hunt: a game won against the solver, its wrong entries, the repair."""

from __future__ import annotations

import runpy
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from rl_toolkit.labs.checking import Check, LabBoard, after, call, position, probe, signed
from rl_toolkit.labs.truth import tictactoe as truth

#: A position as broken.py knows it: nine marks, and the side to move.
Key = tuple[tuple[str, ...], str]

_BROKEN = Path(__file__).parent / "start" / "broken.py"
_EMPTY = position("3/3/3 x")
_EVIDENCE = position("1x1/xo1/3 o")
_FEW = 5_500
#: Right searches that save too little, by their calls from the empty board.
_TOO_MANY = {18_297: "memo-off", 16_168: "no-cut", 14_802: "exact-only"}
_MARKS = {1: "X", -1: "O", 0: " "}
_SHOWN = ("x2/1o1/2x o", "1x1/1o1/2x o", "x2/3/1o1 x", "x2/3/3 o", "1xo/3/x2 o")
#: Positions in which the solver of broken.py is wrong, even with a new memo.
_KNOWN_WRONG = ("1x1/xo1/3 o", "x2/1o1/2x o")

PANELS = {
    2: [call("wrong_entries", position(text)) for text in ("1x1/xo1/3 o", "x2/1o1/2x o")],
    3: [
        *(call("search", position(text), -inf, inf, {}, count=["search"]) for text in _SHOWN),
        *(probe("after_moves", position(text), _MARKS[-1]) for text in _KNOWN_WRONG),
    ],
}


# ------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """X's moves win against the solver as it was; a copy of it plays in our process."""
    answer = check.call("winning_game")
    moves = answer.value
    if not isinstance(moves, list) or not all(type(move) is int for move in moves):
        check.fail(answer, "winning_game should return a list of cells, like [4, 8, 2].")
    if not moves:
        check.fail(answer, "The list is empty. Play X against broken.best_move until X wins.")
    game: list[int] = []
    for number, move in enumerate(moves):
        here = after(game)
        if here.over:
            check.fail(answer, "There are moves after the end of the game.", moves=game)
        _check_free(check, answer, here, game, moves, move)
        game.append(move)
        here = after(game)
        if here.over:
            continue
        game.append(_reply(here))
        if after(game).winner == -1:
            check.fail(answer, f"O wins after your move number {number + 1}.", moves=game)
    end = after(game)
    shown: dict[str, Any] = {"board": end, "moves": game, "right": "a game that X wins"}
    shown["said"] = " ".join(map(end.name, moves))
    if not end.over:
        sentence = "The game is not over after your moves: X has not won yet."
        check.fail(answer, sentence, mistake="not-finished", **shown)
    if end.winner != 1:
        check.fail(answer, "The game ends in a draw.", mistake="only-a-draw", **shown)
    names = " ".join(map(end.name, game))
    check.note(f"{names}: X wins against a solver that should never lose")


def _check_free(
    check: Check, answer: Any, here: LabBoard, game: list[int], moves: list[int], move: int
) -> None:
    """Fail unless the move is a free cell."""
    if not 0 <= move <= 8:
        check.fail(
            answer,
            f"{move} is not a cell: the cells have the numbers 0 to 8.",
            mistake="counted-from-one" if move == 9 else "",
            board=here,
            moves=game,
        )
    if here.cells[move]:
        is_reply = bool(game) and game[-1] == move
        check.fail(
            answer,
            f"Cell {move} ({here.name(move)}) is taken when you play it.",
            mistake="both-sides" if is_reply and len(game) == 2 else "",
            board=here,
            moves=game,
        )


@cache
def _broken() -> dict[str, Any]:
    """What start/broken.py defines: our own code, as the student got it."""
    return runpy.run_path(str(_BROKEN))


def _reply(here: LabBoard) -> int:
    return int(_broken()["best_move"](_marks(here.cells), _MARKS[here.mover]))


def _marks(cells: tuple[int, ...]) -> list[str]:
    return [_MARKS[cell] for cell in cells]


# ------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The wrong entries in the memo, after searches of positions drawn anew."""
    check.require(
        check.file("broken.py") == _BROKEN.read_text("utf-8"),
        None,
        "broken.py is not as it was. Delete it and run `rl-toolkit lab start L08` with this folder "
        "again: that brings it back.",
    )
    late = [here for here in truth.open_positions() if 4 <= here.cells.count(0) <= 6]
    drawn = sorted(check.rng.sample(late, 30), key=lambda here: -len(_wrong(here)))
    boards = [_EVIDENCE, *drawn[:8], drawn[-1]]
    for answer in check.calls([call("wrong_entries", here) for here in boards]):
        here = answer.call.board
        assert here is not None
        wrong = _wrong(here)
        found = _keys(answer.value)
        if found is None:
            said, right = repr(answer.value), _few_words(wrong)
            check.fail(answer, _shape_sentence(answer.value), said=said, right=right)
        if found == set(wrong):
            continue
        check.fail(
            answer,
            _difference(found, wrong),
            said=_few_words(dict.fromkeys(found, (0, 0))),
            right=_few_words(wrong),
        )
    counts = len(_wrong(_EVIDENCE)), len(_memo(_EVIDENCE))
    check.note(f"{counts[0]} of {counts[1]} entries are wrong after a search of EVIDENCE")


@cache
def _memo(here: LabBoard) -> dict[Key, int]:
    """The memo of the solver after one search of this position."""
    memo: dict[Key, int] = {}
    _broken()["search"](_marks(here.cells), _MARKS[here.mover], -inf, inf, memo)
    return memo


@cache
def _wrong(here: LabBoard) -> dict[Key, tuple[int, int]]:
    """Its wrong entries: key → what is stored, and the truth."""
    found: dict[Key, tuple[int, int]] = {}
    for key, stored in _memo(here).items():
        right = truth.value(_position(key))
        if stored != right:
            found[key] = stored, right
    return found


def _position(key: Key) -> LabBoard:
    marks, player = key
    values = {"X": 1, "O": -1, " ": 0}
    return LabBoard(tuple(values[mark] for mark in marks), values[player])


def _keys(value: Any) -> set[Key] | None:
    """The keys that a student's answer holds; ``None`` if it holds something else."""
    if not isinstance(value, (list, dict, set)):
        return None
    found: set[Key] = set()
    for each in value:
        if not isinstance(each, (list, tuple)) or len(each) != 2:
            return None
        marks, player = each
        if not isinstance(marks, (list, tuple)) or len(marks) != 9 or player not in ("X", "O"):
            return None
        found.add((tuple(marks), player))
    return found


def _shape_sentence(value: Any) -> str:
    if value is None:
        return "wrong_entries returned None. It should return the list of the wrong keys."
    if isinstance(value, (int, float)):
        return "wrong_entries returned a number. The keys themselves are wanted, in a list."
    return "A key is a pair: a tuple of the nine marks, and the side to move."


def _difference(found: set[Key], wrong: dict[Key, tuple[int, int]]) -> str:
    """The first key that is missing, or should not be there, with its values."""
    for key, (stored, right) in wrong.items():
        if key not in found:
            text = _position(key).text
            return f"{text} is missing: the memo says {_signed(stored)}, true is {_signed(right)}."
    extra = next(key for key in sorted(found) if key not in wrong)
    return f"{_position(extra).text} is in your list, but its entry is right (or not there)."


def _few_words(keys: dict[Key, tuple[int, int]]) -> str:
    texts = [_position(key).text for key in keys]
    more = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
    return f"{len(texts)} wrong entries" + (f": {', '.join(texts[:3])}{more}" if texts else "")


# ------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """No wrong value, with a new memo and with one that is kept; few calls; no game lost."""
    _check_children(check)
    _check_fresh(check)
    _check_kept(check)
    _check_both_movers(check)
    answer = check.call("search", _EMPTY, -inf, inf, {}, count=["search"])
    found = answer.calls["search"]
    check.require(
        found < _FEW,
        answer,
        f"All values are right, but {found:,} calls from the empty board are too many: the memo "
        "should still save work.",
        mistake=_TOO_MANY.get(found, ""),
        said=f"{found:,} calls",
        right=f"fewer than {_FEW:,} calls",
    )
    for seat in (-1, 1):
        games = check.every_reply("best_move", seat=seat)
        lost = next((game for game in games if game.winner == -seat), None)
        if lost is not None:
            check.fail(None, "Your player still loses a game.", moves=lost.moves)
    check.note(f"4,520 values right; {found:,} calls from the empty board; no game is lost")


def _check_children(check: Check) -> None:
    """After one search, the memo is asked about the next positions."""
    mistake = "as-found" if _search_as_found() in check.file("hunt.py") else ""
    for text in _KNOWN_WRONG:
        here = position(text)
        answer = check.probe("after_moves", here, _MARKS[here.mover])
        for move, right in truth.after_values(here).items():
            value = answer.value[move]
            check.require(
                value == right,
                answer,
                f"{here.name(move)} is remembered as {_signed(value)}, "
                f"the truth is {_signed(right)}.",
                mistake=mistake,
                board=here,
                shown=f"search after {here.name(move)}, with the memo of a search of this board",
                said=_signed(value),
                right=f"{_signed(right)}",
            )


@cache
def _search_as_found() -> str:
    """The text of the search in start/hunt.py."""
    text = (_BROKEN.parent / "hunt.py").read_text("utf-8")
    return text[text.index("def search(") : text.index("def best_move(")].strip()


def _check_fresh(check: Check) -> None:
    late = [here for here in truth.open_positions() if here.cells.count(0) <= 7]
    boards = check.rng.sample(late, 50)
    check.each(
        "search",
        [(here, -inf, inf, {}) for here in boards],
        lambda here, *_: truth.value(here),
        lambda answer, right: (
            f"The truth is {_signed(right)}. Which stored value was only a bound?"
        ),
    )


def _check_kept(check: Check) -> None:
    """One memo for all positions, filled by a search of the empty board first."""
    answer = check.probe("kept")
    boards = truth.open_positions()
    values = {_key_text(here): truth.value(here) for here in boards}
    wrong = [here for here in boards if answer.value.get(_key_text(here)) != truth.value(here)]
    if wrong:
        here = wrong[-1]
        value, right = answer.value.get(_key_text(here)), values[_key_text(here)]
        check.fail(
            answer,
            f"After a search of the empty board the memo is wrong in {len(wrong)} of 4,520 "
            f"positions. Here it says {_signed(value)}, the truth is {_signed(right)}.",
            board=here,
            shown="search with the memo of a search of the empty board",
            said=_signed(value),
            right=f"{_signed(right)}",
        )


def _check_both_movers(check: Check) -> None:
    """One memo for a board with X and with O to move."""
    boards = [position(f"{text} x") for text in ("xx1/oo1/3", "x2/1o1/3", "xo1/3/3")]
    made = check.probe("both_movers", [_marks(here.cells) for here in boards], ["X", "O"])
    for here, values in zip(boards, made.value, strict=True):
        for mover, value in zip((1, -1), values, strict=True):
            there = LabBoard(here.cells, mover)
            right = _value_of(there)
            check.require(
                value == right,
                None,
                f"The answer is {_signed(value)}, the truth is {_signed(right)}: with the other "
                "side to move the same board is another position, and the memo mixes them up.",
                mistake="key-without-mover",
                board=there,
                shown="search with the memo of a search with the other side to move",
                said=_signed(value),
                right=_signed(right),
            )


@cache
def _value_of(here: LabBoard) -> int:
    """The value of a position, also of one that no game reaches."""
    if truth.over(here):
        return truth.result(here)
    values = [_value_of(truth.play(here, move)) for move in truth.moves(here)]
    return max(values) if here.mover > 0 else min(values)


def _key_text(here: LabBoard) -> str:
    return "".join(_marks(here.cells))


def _signed(value: Any) -> str:
    return signed(value) if isinstance(value, int) else repr(value)
