"""Checks of the bug hunt: a game won against the solver, its wrong entries, the repair."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from rl_toolkit.labs.checking import Check, LabBoard, after, call, position, probe, signed
from rl_toolkit.labs.model.lab import read_lab
from rl_toolkit.labs.truth import tictactoe as truth

#: A position as broken.py knows it: nine marks, and the side to move.
Key = tuple[tuple[str, ...], str]

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
    for number, move in enumerate(moves, 1):
        board = after(game)
        if board.over:
            check.fail(answer, "There are moves after the end of the game.", moves=game)
        case = check.case(answer, board=board, moves=game)
        sentence = f"{move} is not a cell: the cells have the numbers 0 to 8."
        case.require(0 <= move <= 8, sentence, "counted-from-one" if move == 9 else "")
        is_reply = len(game) == 2 and game[-1] == move
        sentence = f"Cell {move} ({board.name(move)}) is taken when you play it."
        case.require(not board.cells[move], sentence, "both-sides" if is_reply else "")
        game.append(move)
        if not after(game).over:
            game.append(_reply(after(game)))
            if after(game).winner == -1:
                check.fail(answer, f"O wins after your move number {number}.", moves=game)
    end = after(game)
    value = " ".join(map(end.name, moves))
    case = check.case(answer, board=end, moves=game, said=value, right="a game that X wins")
    sentence = "The game is not over after your moves: X has not won yet."
    case.require(end.over, sentence, "not-finished")
    case.require(end.winner == 1, "The game ends in a draw.", "only-a-draw")
    names = " ".join(map(end.name, game))
    check.note(f"{names}: X wins against a solver that should never lose")


@cache
def _start_files() -> dict[str, str]:
    """Our own code, as the student got it."""
    return read_lab(Path(__file__).parent).start_files()


@cache
def _broken() -> dict[str, Any]:
    """What broken.py defines."""
    names: dict[str, Any] = {"__name__": "broken"}
    exec(compile(_start_files()["broken.py"], "broken.py", "exec"), names)
    return names


def _reply(board: LabBoard) -> int:
    return int(_broken()["best_move"](_marks(board.cells), _MARKS[board.mover]))


def _marks(cells: tuple[int, ...]) -> list[str]:
    return [_MARKS[cell] for cell in cells]


# ------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The wrong entries in the memo, after searches of positions drawn anew."""
    sentence = (
        "broken.py is not as it was. Delete it and run `rl-toolkit lab start L08` with this folder "
        "again: that brings it back."
    )
    check.require(check.file("broken.py") == _start_files()["broken.py"], None, sentence)
    drawn = truth.drawn(check.rng, 30, range(4, 7))
    drawn.sort(key=lambda board: -len(_wrong(board)))
    check.compare(
        "wrong_entries",
        [_EVIDENCE, *drawn[:8], drawn[-1]],
        _wrong,
        _difference,
        fits=lambda value, wrong: _keys(value) == set(wrong),
        shown=lambda value, wrong, board: {"said": _entries(value), "right": _few_words(wrong)},
    )
    counts = len(_wrong(_EVIDENCE)), len(_memo(_EVIDENCE))
    check.note(f"{counts[0]} of {counts[1]} entries are wrong after a search of EVIDENCE")


@cache
def _memo(board: LabBoard) -> dict[Key, int]:
    """The memo of the solver after one search of this position."""
    memo: dict[Key, int] = {}
    _broken()["search"](_marks(board.cells), _MARKS[board.mover], -inf, inf, memo)
    return memo


@cache
def _wrong(board: LabBoard) -> dict[Key, tuple[int, int]]:
    """Its wrong entries: key → what is stored, and the truth."""
    pairs = {key: (stored, truth.value(_position(key))) for key, stored in _memo(board).items()}
    return {key: (stored, right) for key, (stored, right) in pairs.items() if stored != right}


def _position(key: Key) -> LabBoard:
    marks, player = key
    values = {"X": 1, "O": -1, " ": 0}
    return LabBoard(tuple(values[mark] for mark in marks), values[player])


def _keys(value: Any) -> set[Key] | None:
    """The keys that a student's answer holds; ``None`` if it holds something else."""
    if not isinstance(value, (list, dict, set)):
        return None
    keys: set[Key] = set()
    for item in value:
        if not isinstance(item, (list, tuple)) or len(item) != 2:
            return None
        marks, player = item
        if not isinstance(marks, (list, tuple)) or len(marks) != 9 or player not in ("X", "O"):
            return None
        keys.add((tuple(marks), player))
    return keys


def _difference(value: Any, wrong: dict[Key, tuple[int, int]], board: LabBoard) -> str:
    """The first key that is missing, or should not be there, with its values."""
    if value is None:
        return "wrong_entries returned None. It should return the list of the wrong keys."
    if isinstance(value, (int, float)):
        return "wrong_entries returned a number. The keys themselves are wanted, in a list."
    keys = _keys(value)
    if keys is None:
        return "A key is a pair: a tuple of the nine marks, and the side to move."
    for key, (stored, right) in wrong.items():
        if key not in keys:
            text = _position(key).text
            return f"{text} is missing: the memo says {_signed(stored)}, true is {_signed(right)}."
    extra = next(key for key in sorted(keys) if key not in wrong)
    return f"{_position(extra).text} is in your list, but its entry is right (or not there)."


def _entries(value: Any) -> str:
    keys = _keys(value)
    return repr(value) if keys is None else _few_words(sorted(keys))


def _few_words(keys: Iterable[Key]) -> str:
    texts = [_position(key).text for key in keys]
    more = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
    return f"{len(texts)} wrong entries" + (f": {', '.join(texts[:3])}{more}" if texts else "")


# ------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """No wrong value, with a new memo and with one that is kept; few calls; no game lost."""
    _check_children(check)
    fresh = truth.drawn(check.rng, 50, range(8))
    check.compare(
        "search",
        [(board, -inf, inf, {}) for board in fresh],
        [truth.value(board) for board in fresh],
        lambda value, right, *_: (
            f"The truth is {_signed(right)}. Which stored value was only a bound?"
        ),
    )
    _check_kept(check)
    _check_both_movers(check)
    answer = check.call("search", _EMPTY, -inf, inf, {}, count=["search"])
    calls = answer.calls["search"]
    sentence = (
        f"All values are right, but {calls:,} calls from the empty board are too many: the memo "
        "should still save work."
    )
    case = check.case(answer, said=f"{calls:,} calls", right=f"fewer than {_FEW:,} calls")
    case.require(calls < _FEW, sentence, _TOO_MANY.get(calls, ""))
    check.never_loses("best_move", "Your player still loses a game.")
    check.note(f"4,520 values right; {calls:,} calls from the empty board; no game is lost")


def _check_children(check: Check) -> None:
    """After one search, the memo is asked about the next positions."""
    mistake = "as-found" if _search_as_found() in check.file("hunt.py") else ""
    for board in map(position, _KNOWN_WRONG):
        answer = check.probe("after_moves", board, _MARKS[board.mover])
        for move, right in truth.after_values(board).items():
            value, expected, name = _signed(answer.value[move]), _signed(right), board.name(move)
            shown = f"search after {name}, with the memo of a search of this board"
            sentence = f"{name} is remembered as {value}, the truth is {expected}."
            case = check.case(answer, board=board, shown=shown)
            case.require(answer.value[move] == right, sentence, mistake, value, expected)


@cache
def _search_as_found() -> str:
    """The text of the search in hunt.py."""
    text = _start_files()["hunt.py"]
    return text[text.index("def search(") : text.index("def best_move(")].strip()


def _check_kept(check: Check) -> None:
    """One memo for all positions, filled by a search of the empty board first."""
    answer = check.probe("kept")
    values = {
        board: answer.value.get("".join(_marks(board.cells))) for board in truth.open_positions()
    }
    wrong = [board for board, value in values.items() if value != truth.value(board)]
    if wrong:
        said, right = _signed(values[wrong[-1]]), _signed(truth.value(wrong[-1]))
        sentence = (
            f"After a search of the empty board the memo is wrong in {len(wrong)} of 4,520 "
            f"positions. Here it says {said}, the truth is {right}."
        )
        shown = "search with the memo of a search of the empty board"
        check.case(answer, board=wrong[-1], shown=shown).fail(sentence, "", said, right)


def _check_both_movers(check: Check) -> None:
    """One memo for a board with X and with O to move."""
    boards = [position(f"{text} x") for text in ("xx1/oo1/3", "x2/1o1/3", "xo1/3/3")]
    made = check.probe("both_movers", [_marks(board.cells) for board in boards], ["X", "O"])
    for board, values in zip(boards, made.value, strict=True):
        for mover, value in zip((1, -1), values, strict=True):
            there = LabBoard(board.cells, mover)
            said, right = _signed(value), _signed(truth.value(there))
            sentence = (
                f"The answer is {said}, the truth is {right}: with the other side to move the same "
                "board is another position, and the memo mixes them up."
            )
            shown = "search with the memo of a search with the other side to move"
            case = check.case(board=there, shown=shown)
            is_right = value == truth.value(there)
            case.require(is_right, sentence, "key-without-mover", said, right)


def _signed(value: Any) -> str:
    return signed(value) if isinstance(value, int) else repr(value)
