"""Checks of the table lab: keys, entries, the search with them, images, Zobrist numbers."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, call, position, probe, side, signed
from rl_toolkit.labs.checking.session import Raised
from rl_toolkit.labs.truth import tictactoe as truth

#: A question to the table: entry (value, kind, depth) or none, then depth, alpha, beta.
Question = tuple[tuple[int, str, int] | None, int, float, float]

_EMPTY = position("3/3/3 x")
_BOTH = position("xx1/oo1/3 x")
_DEEP = position("xo1/1x1/2o x")
_TABLE_ONLY, _BOTH_SAVINGS, _CLASSES = 16_168, 4_866, 765
#: value, depth, alpha, beta of searches: inside the window, at its ends, outside, no window.
_STORED = [
    *((0, 4, -1, 1), (-1, 4, -1, 1), (1, 3, -1, 1), (-1, 2, 0, 1), (1, 5, -1, 0)),
    *((0, 2, 0, 1), (0, 2, -1, 0), (1, 9, -inf, inf), (-1, 1, -inf, 0), (1, 6, 0, inf)),
]
#: What stands in the table, and what is asked.
_ASKED: list[Question] = [
    (None, 3, -1, 1),
    ((0, "EXACT", 4), 4, -1, 1),
    ((0, "EXACT", 4), 2, -1, 1),
    ((1, "EXACT", 1), 5, -inf, inf),
    ((-1, "EXACT", 9), 3, 0, 1),
    ((0, "LOWER", 4), 4, -1, 1),
    ((0, "LOWER", 4), 4, -1, 0),
    ((1, "LOWER", 4), 3, -1, 0),
    ((0, "LOWER", 4), 4, 0, 1),
    ((0, "LOWER", 4), 4, 1, 2),
    ((0, "UPPER", 4), 4, -1, 1),
    ((0, "UPPER", 4), 4, 0, 1),
    ((-1, "UPPER", 4), 3, 0, 1),
    ((0, "UPPER", 4), 4, -1, 0),
    ((1, "LOWER", 2), 4, -1, 0),
    ((-1, "UPPER", 2), 4, 0, 1),
]
_IMAGES = ("xo1/3/3 x", "x2/2o/3 x", "1x1/o2/2x o", "2x/2o/3 x", "3/3/ox1 x", "3/o2/x2 x")

PANELS = {
    1: [call("key", position(text)) for text in ("3/3/3 x", "x2/1o1/3 x", "1x1/2o/3 x")],
    2: [
        *(probe("stored", *case) for case in _STORED),
        probe("stored", 1, 5, -inf, inf, [0, 2]),
    ],
    3: [probe("probed", *question) for question in _ASKED],
    4: [call("canonical", position(text)) for text in _IMAGES],
    5: [
        call("zobrist_update", number, cell, player)
        for number in (0, 12345)
        for cell, player in ((4, 1), (0, -1))
    ],
}


# ------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """A dictionary takes it; nothing is missing in it; the search saves what it should."""
    first = check.call("minimax", _BOTH, {}, may_raise=True)
    if first.error is not None:
        is_list = first.error.kind == "TypeError" and "unhashable" in first.error.message
        sentence = f"minimax stopped with {first.error.kind}: {first.error.message}"
        check.fail(first, sentence, mistake="list-key" if is_list else "", said="")
    boards = truth.drawn(check.rng, 60)
    _check_movers(check, [_BOTH, *boards])
    _check_different(check, boards)
    answer = check.call("minimax", _EMPTY, {}, count=["minimax"])
    calls = _check_calls(
        check,
        answer,
        _TABLE_ONLY,
        "{calls:,} calls instead of {most:,}: some positions are not recognised again. "
        "Is there something in the key that the value does not depend on?",
    )
    _check_both_openers(check)
    check.note(f"{calls:,} calls with a table instead of {truth.count_nodes(_EMPTY):,}")


def _check_calls(check: Check, answer: Answer, most: int, sentence: str) -> int:
    """A search of the empty board: its value, then its calls, whose number comes back."""
    check.equal(answer, 0, "With best play the empty board is a draw: 0.")
    (calls,) = answer.calls.values()
    text = sentence.format(calls=calls, most=most)
    case = check.case(answer, said=f"{calls:,} calls", right=f"{most:,} calls")
    case.require(calls <= most, text)
    return calls


def _check_movers(check: Check, boards: list[LabBoard]) -> None:
    """The same board with either side to move has two keys, and each of them always."""
    made = [
        call("key", LabBoard(board.cells, mover))
        for board in boards
        for mover in (1, -1, board.mover)
    ]
    answers = check.calls(made)
    for x_moves, o_moves, again in zip(*(answers[i::3] for i in range(3)), strict=True):
        values = [signed(truth.value(answer.call.arguments[0])) for answer in (x_moves, o_moves)]
        sentence = (
            f"Two positions with one key: this board is worth {values[0]} with X to move, "
            f"{values[1]} with O to move."
        )
        case = check.case(x_moves, said=repr(x_moves.value), right="different keys for X and O")
        case.require(x_moves.value != o_moves.value, sentence, "no-mover")
        sentence = "The same position got two different keys, so it is never found again."
        check.require(again.value in (x_moves.value, o_moves.value), again, sentence)


def _check_different(check: Check, boards: list[LabBoard]) -> None:
    """Different boards have different keys."""
    twins = [LabBoard(_shifted(board.cells), board.mover) for board in boards]
    seen: dict[str, LabBoard] = {}
    for answer in check.calls([call("key", board) for board in [*boards, *twins]]):
        board = answer.call.arguments[0]
        other = seen.setdefault(repr(answer.value), board)
        sentence = f"Two positions with one key: this one and {other.text}."
        check.require(board.cells in truth.images(other.cells), answer, sentence)


def _shifted(cells: tuple[int, ...]) -> tuple[int, ...]:
    """The same marks in the same order, with the first gap moved behind the mark after it."""
    for at in range(8):
        if not cells[at] and cells[at + 1]:
            return (*cells[:at], cells[at + 1], 0, *cells[at + 2 :])
    return cells


def _check_both_openers(check: Check) -> None:
    """One table for games that X opens and games that O opens."""
    boards = [_BOTH, *truth.drawn(check.rng, 15)]
    answer = check.probe("both_movers", *boards)
    there = [LabBoard(board.cells, mover) for board in boards for mover in (1, -1)]
    sentence = "With one table for both openers this value is wrong: two positions share a key."
    shown = "minimax(board, player, table) with a table that was used before"
    _check_values(check, answer, there, [v for pair in answer.value for v in pair], sentence, shown)


def _check_values(
    check: Check,
    answer: Answer,
    boards: list[LabBoard],
    values: list[Any],
    sentence: str,
    shown: str,
) -> None:
    for board, value in zip(boards, values, strict=True):
        right = truth.value(board)
        case = check.case(answer, board=board, shown=shown)
        case.require(value == right, sentence, "", repr(value), signed(right))


# ------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The three kinds, at the ends of the window too; then replacing."""
    cases = [*_STORED, *(_drawn_search(check.rng) for _ in range(60))]
    for answer in check.calls([probe("stored", *case) for case in cases]):
        value, depth, alpha, beta = answer.call.arguments
        kind = "UPPER" if value <= alpha else "LOWER" if value >= beta else "EXACT"
        _check_entry(check, answer, [value, kind, depth], _why_kind(value, alpha, beta))
    replaced = check.probe("stored", 1, 5, -inf, inf, [0, 2])
    sentence = "The table held 0 from a search of 2 moves; the new one of 5 moves knows better."
    _check_entry(check, replaced, [1, "EXACT", 5], sentence)
    check.note(f"{len(cases)} entries, each of the right kind")


def _drawn_search(rng: Random) -> tuple[int, int, float, float]:
    alpha = rng.randint(-6, 5)
    return rng.randint(-8, 8), rng.randint(1, 9), alpha, rng.randint(alpha + 1, 7)


def _why_kind(value: float, alpha: float, beta: float) -> str:
    window = f"the window from {alpha:g} to {beta:g}"
    if value <= alpha:
        return f"{value:g} is not above alpha in {window}: the true value may be lower. UPPER."
    if value >= beta:
        return f"{value:g} is not below beta in {window}: the true value may be higher. LOWER."
    return f"{value:g} lies inside {window}: nothing was cut off, it is EXACT."


def _check_entry(check: Check, answer: Answer, right: list[Any], why: str) -> None:
    entry = answer.value["entry"]
    value, depth, alpha, beta = answer.call.arguments[:4]
    if entry is None:
        why = "Nothing was stored under the key here."
    elif isinstance(entry, str) or sorted(map(str, entry)) == sorted(map(str, right)):
        why = "An entry is a tuple of value, kind and depth, in this order."
    elif entry[1] == right[1] and len(answer.call.arguments) == 4:
        why = "The kind is right; value or depth is not."
    shown = f"store(table, here, {value:g}, {depth}, {alpha:g}, {beta:g})"
    case = check.case(answer, shown=shown)
    case.require(entry == right, why, "", _entry_words(entry), _entry_words(right))


def _entry_words(entry: Any) -> str:
    if not isinstance(entry, list):
        return str(entry)
    return f"({', '.join(str(part) for part in entry)})"


# ------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Single entries first; then the search: values, calls, deepening."""

    def stopped(error: Raised, entry: Any, *_: Any) -> tuple[str, str]:
        is_missing = error.kind == "KeyError" and not entry
        sentence = f"probe stopped with {error.kind}: {error.message}"
        return sentence, "key-error" if is_missing else ""

    check.compare(
        "probed",
        [*_ASKED, *(_drawn_question(check.rng) for _ in range(60))],
        lambda *question: _right_answer(*question)[0],
        lambda value, right, *question: _right_answer(*question)[1],
        ask=probe,
        fits=lambda value, right: value == right and not isinstance(value, bool),
        raised=stopped,
        shown=_asked,
    )
    answer = check.call("alpha_beta", _EMPTY, 9, -inf, inf, {}, count=["alpha_beta"])
    sentence = "The value is right, but {calls:,} calls instead of {most:,}."
    _check_calls(check, answer, _BOTH_SAVINGS, sentence)
    _check_deepening(check)
    boards = truth.drawn(check.rng, 120)
    answer = check.probe("one_table", [board.mover for board in boards], *boards)
    sentence = "With a table that was used for other positions before, this value is wrong."
    shown = "alpha_beta(board, player, 9, -inf, inf, table)"
    _check_values(check, answer, boards, answer.value, sentence, shown)
    check.note(f"{_BOTH_SAVINGS:,} calls from the empty board; deepening finds the win at depth 3")


def _drawn_question(rng: Random) -> Question:
    alpha = rng.randint(-6, 5)
    entry = rng.randint(-8, 8), rng.choice(("EXACT", "LOWER", "UPPER")), rng.randint(1, 6)
    return entry, rng.randint(1, 6), alpha, rng.randint(alpha + 1, 7)


def _right_answer(entry: Any, depth: int, alpha: float, beta: float) -> tuple[int | None, str]:
    """What probe should answer, and why."""
    if entry is None:
        return None, "There is no entry for this position: the answer is None."
    value, kind, searched = entry
    if searched < depth:
        return None, f"The entry looked {searched} ahead, {depth} are asked for: None."
    if kind == "EXACT":
        return value, f"The entry is exact and deep enough ({searched} ≥ {depth}): use it."
    if kind == "LOWER":
        if value >= beta:
            return value, f"At least {value} is enough: it reaches beta = {beta:g}."
        return None, f"At least {value} does not decide below beta = {beta:g}: None."
    if value <= alpha:
        return value, f"At most {value} is enough: it is not above alpha = {alpha:g}."
    return None, f"At most {value} does not decide above alpha = {alpha:g}: None."


def _asked(
    value: Any, right: int | None, entry: Any, depth: int, alpha: float, beta: float
) -> dict[str, str]:
    stands = f"the entry ({', '.join(map(str, entry))})" if entry else "no entry"
    shown = f"probe(table, here, {depth}, {alpha:g}, {beta:g}) with {stands}"
    return {"shown": shown, "said": repr(value), "right": repr(right)}


def _check_deepening(check: Check) -> None:
    boards = [_DEEP, *truth.drawn(check.rng, 40, range(7))]

    def sentence(value: Any, right: int, *_: Any) -> str:
        return (
            f"Searching deeper with one table ends at {value[-1]}, but the value is "
            f"{signed(right)}. Does an entry from a shallow search answer a deep question?"
        )

    check.compare(
        "deepen",
        [(board, board.cells.count(0)) for board in boards],
        [truth.value(board) for board in boards],
        sentence,
        fits=lambda value, right: value[-1] == right,
        shown=lambda value, right, *_: {"said": repr(value), "right": f"… {signed(right)}"},
    )


# ------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """An image of the board, the same for all eight; 765 of them."""
    boards = [*map(position, _IMAGES), *check.rng.sample(truth.positions(), 60)]
    images = [
        LabBoard(image, board.mover) for board in boards for image in truth.images(board.cells)
    ]
    answers = check.calls([call("canonical", board) for board in images])
    for number, answer in enumerate(answers):
        first, board = answers[number - number % 8], images[number - number % 8]
        _check_image(check, answer)
        sentence = f"This board is an image of {board.text}, but they got different answers."
        check.require(answer.value == first.value, answer, sentence, right=first.value)
    classes = check.probe("classes").value
    sentence = f"The 5,478 positions become {classes:,} boards; {_CLASSES} are right."
    case = check.case(shown="canonical(board) for all positions")
    value, right = f"{classes:,} different boards", f"{_CLASSES} different boards"
    case.require(classes == _CLASSES, sentence, "", value, right)
    marks = check.names.board
    own = {1: str(marks.x), -1: str(marks.o), 0: str(marks.empty)}
    sentence = (
        "One image stands for all eight, as it should, but the sheet asks for the smallest list. "
        "This costs one point."
    )
    for answer in answers[::8] if isinstance(marks.x, str) else ():
        eight = truth.images(answer.call.arguments[0].cells)
        smallest = list(min(eight, key=lambda image: [own[cell] for cell in image]))
        if list(answer.value) != smallest:
            check.fail(answer, sentence, mistake="not-the-smallest", right=smallest, costs=1)
    check.note(f"5,478 positions, {classes} classes")


def _check_image(check: Check, answer: Answer) -> None:
    value, cells = answer.value, answer.call.arguments[0].cells
    eight = truth.images(cells)
    if isinstance(value, (list, tuple)) and tuple(value) in eight:
        check.require(not answer.changed, answer, "canonical changed the board that it was given.")
        return
    sentence = "The answer is not one of the eight images of the board."
    if isinstance(value, (list, tuple)) and sorted(value) == sorted(cells):
        sentence = (
            "The answer has the right marks, but it is not a turned or mirrored image of the board."
        )
    smallest = min(eight, key=lambda image: "".join(" XO"[cell] for cell in image))
    check.fail(answer, sentence, right=smallest)


# ------------------------------------------------------------------ task 5


def task_5(check: Check) -> None:
    """One step forward equals the number from scratch; the same step takes it back."""
    places = [_EMPTY, *truth.drawn(check.rng, 80)]
    moves = [check.rng.choice(truth.moves(board)) for board in places]
    before = check.calls([call("zobrist", board) for board in places])
    reached = [truth.play(board, move) for board, move in zip(places, moves, strict=True)]
    scratch = check.calls([call("zobrist", board) for board in reached])
    numbers = {answer.value for answer in (*before, *scratch) if type(answer.value) is int}
    case = check.case(shown="zobrist(board, player) for many positions")
    sentence = (
        "zobrist was ready, and gave different positions different numbers. It no longer does."
    )
    different = {(board.cells, board.mover) for board in (*places, *reached)}
    is_kept = len(numbers) == len(different)
    case.require(is_kept, sentence, said=f"{len(numbers)} different numbers")
    steps = list(zip(moves, [board.mover for board in places], strict=True))
    stepped = _updated(check, before, steps)
    for answer in stepped:
        check.require(type(answer.value) is int, answer, "The answer must be a whole number.")
    rows = zip(
        places, moves, stepped, scratch, _updated(check, stepped, steps), before, strict=True
    )
    for board, move, forth, expected, back, first in rows:
        where = f"{side(board.mover)} plays {board.name(move)}"
        sentence = f"{where}: from scratch the new position has another number."
        is_right = forth.value == expected.value
        check.require(is_right, forth, sentence, right=expected.value, board=board)
        sentence = f"{where}, and the same call again: the number from before should be back."
        is_right = back.value == first.value
        check.require(is_right, back, sentence, right=first.value, board=board)
    check.note(f"{len(places)} moves made and taken back")


def _updated(check: Check, numbers: list[Answer], steps: list[tuple[int, int]]) -> list[Answer]:
    """The numbers after steps of a cell and a player each."""
    pairs = zip(numbers, steps, strict=True)
    return check.calls([call("zobrist_update", number.value, *step) for number, step in pairs])
