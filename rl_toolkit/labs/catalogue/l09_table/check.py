"""Checks of the table lab: keys, entries, the search with them, images, Zobrist numbers."""

from __future__ import annotations

from functools import cache
from math import inf
from random import Random
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, call, position, probe, signed
from rl_toolkit.labs.truth import tictactoe as truth

#: A question to the table: entry (value, kind, depth) or none, then depth, alpha, beta.
Question = tuple[tuple[int, str, int] | None, int, float, float]

_EMPTY = position("3/3/3 x")
_BOTH = position("xx1/oo1/3 x")
_DEEP = position("xo1/1x1/2o x")
_TURN, _MIRROR = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)
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
    boards = check.rng.sample(truth.open_positions(), 60)
    _check_movers(check, [_BOTH, *boards])
    _check_different(check, boards)
    answer = check.call("minimax", _EMPTY, {}, count=["minimax"])
    check.equal(answer, 0, "With best play the empty board is a draw: 0.")
    found = answer.calls["minimax"]
    check.require(
        found <= _TABLE_ONLY,
        answer,
        f"{found:,} calls instead of {_TABLE_ONLY:,}: some positions are not recognised again. "
        "Is there something in the key that the value does not depend on?",
        said=f"{found:,} calls",
        right=f"{_TABLE_ONLY:,} calls",
    )
    _check_both_openers(check)
    check.note(f"{found:,} calls with a table instead of {truth.count_nodes(_EMPTY):,}")


def _check_movers(check: Check, boards: list[LabBoard]) -> None:
    """The same board with either side to move has two keys, and each of them always."""
    made = [
        call("key", LabBoard(here.cells, mover)) for here in boards for mover in (1, -1, here.mover)
    ]
    answers = check.calls(made)
    for x_moves, o_moves, again in zip(*(answers[i::3] for i in range(3)), strict=True):
        board = x_moves.call.board
        assert board is not None
        values = [_value(board.cells, mover) for mover in (1, -1)]
        check.require(
            x_moves.value != o_moves.value,
            x_moves,
            f"Two positions with one key: this board is worth {signed(values[0])} with X to move, "
            f"{signed(values[1])} with O to move.",
            mistake="no-mover",
            right="different keys for X and O",
            said=repr(x_moves.value),
        )
        check.require(
            again.value in (x_moves.value, o_moves.value),
            again,
            "The same position got two different keys, so it is never found again.",
        )


def _check_different(check: Check, boards: list[LabBoard]) -> None:
    """Different boards have different keys."""
    twins = [LabBoard(_shifted(here.cells), here.mover) for here in boards]
    seen: dict[str, LabBoard] = {}
    for answer in check.calls([call("key", here) for here in [*boards, *twins]]):
        here = answer.call.board
        assert here is not None
        other = seen.setdefault(repr(answer.value), here)
        check.require(
            other.cells == here.cells or _same_class(other.cells, here.cells),
            answer,
            f"Two positions with one key: this one and {other.text}.",
        )


def _shifted(cells: tuple[int, ...]) -> tuple[int, ...]:
    """The same marks in the same order, with the first gap moved behind the mark after it."""
    for at in range(8):
        if not cells[at] and cells[at + 1]:
            return (*cells[:at], cells[at + 1], 0, *cells[at + 2 :])
    return cells


def _check_both_openers(check: Check) -> None:
    """One table for games that X opens and games that O opens."""
    boards = [_BOTH, *check.rng.sample(truth.open_positions(), 15)]
    answer = check.probe("both_movers", *boards)
    for here, values in zip(boards, answer.value, strict=True):
        for mover, value in zip((1, -1), values, strict=True):
            right = _value(here.cells, mover)
            check.require(
                value == right,
                answer,
                "With one table for both openers this value is wrong: two positions share a key.",
                board=LabBoard(here.cells, mover),
                shown="minimax(board, player, table) with a table that was used before",
                said=repr(value),
                right=f"{signed(right)}",
            )


@cache
def _value(cells: tuple[int, ...], mover: int) -> int:
    """X's value of any board, whoever opened."""
    here = LabBoard(cells, mover)
    if truth.over(here):
        return truth.result(here)
    below = [_value(truth.play(here, move).cells, -mover) for move in truth.moves(here)]
    return max(below) if mover > 0 else min(below)


# ------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The three kinds, at the ends of the window too; then replacing."""
    cases = [*_STORED, *(_drawn_search(check.rng) for _ in range(60))]
    for case, answer in zip(
        cases, check.calls([probe("stored", *case) for case in cases]), strict=True
    ):
        value, depth, alpha, beta = case
        kind = "UPPER" if value <= alpha else "LOWER" if value >= beta else "EXACT"
        _check_entry(check, answer, [value, kind, depth], _why_kind(value, alpha, beta))
    replaced = check.probe("stored", 1, 5, -inf, inf, [0, 2])
    _check_entry(
        check,
        replaced,
        [1, "EXACT", 5],
        "The table held 0 from a search of 2 moves; the new one of 5 moves knows better.",
    )
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
    if entry == right:
        return
    value, depth, alpha, beta = answer.call.arguments[:4]
    if entry is None:
        why = "Nothing was stored under the key here."
    elif isinstance(entry, str) or sorted(map(str, entry)) == sorted(map(str, right)):
        why = "An entry is a tuple of value, kind and depth, in this order."
    elif entry[1] == right[1]:
        why = why if len(answer.call.arguments) > 4 else "The kind is right; value or depth is not."
    check.fail(
        answer,
        why,
        shown=f"store(table, here, {value:g}, {depth}, {alpha:g}, {beta:g})",
        said=_entry_words(entry),
        right=_entry_words(right),
    )


def _entry_words(entry: Any) -> str:
    if not isinstance(entry, list):
        return str(entry)
    return f"({', '.join(str(part) for part in entry)})"


# ------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Single entries first; then the search: values, calls, deepening."""
    questions = [*_ASKED, *(_drawn_question(check.rng) for _ in range(60))]
    made = [probe("probed", *question) for question in questions]
    for question, answer in zip(questions, check.calls(made, may_raise=True), strict=True):
        _check_probed(check, question, answer)
    _check_search(check)
    _check_deepening(check)
    boards = check.rng.sample(truth.open_positions(), 120)
    answer = check.probe("one_table", [here.mover for here in boards], *boards)
    for here, value in zip(boards, answer.value, strict=True):
        check.require(
            value == truth.value(here),
            answer,
            "With a table that was used for other positions before, this value is wrong.",
            board=here,
            shown="alpha_beta(board, player, 9, -inf, inf, table)",
            said=repr(value),
            right=signed(truth.value(here)),
        )
    check.note(f"{_BOTH_SAVINGS:,} calls from the empty board; deepening finds the win at depth 3")


def _drawn_question(rng: Random) -> Question:
    alpha = rng.randint(-6, 5)
    entry = rng.randint(-8, 8), rng.choice(("EXACT", "LOWER", "UPPER")), rng.randint(1, 6)
    return entry, rng.randint(1, 6), alpha, rng.randint(alpha + 1, 7)


def _right_answer(question: Question) -> tuple[int | None, str]:
    """What probe should answer, and why."""
    entry, depth, alpha, beta = question
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


def _check_probed(check: Check, question: Question, answer: Answer) -> None:
    entry, depth, alpha, beta = question
    right, why = _right_answer(question)
    error = answer.error
    if error is None and answer.value == right and not isinstance(answer.value, bool):
        return
    stands = f"the entry ({entry[0]}, {entry[1]}, {entry[2]})" if entry else "no entry"
    mistake = ""
    if error is not None:
        why = f"probe stopped with {error.kind}: {error.message}"
        mistake = "key-error" if error.kind == "KeyError" and not entry else ""
    check.fail(
        answer,
        why,
        mistake=mistake,
        shown=f"probe(table, here, {depth}, {alpha:g}, {beta:g}) with {stands}",
        said="" if error is not None else repr(answer.value),
        right=repr(right),
    )


def _check_search(check: Check) -> None:
    answer = check.call("alpha_beta", _EMPTY, 9, -inf, inf, {}, count=["alpha_beta"])
    check.equal(answer, 0, "With best play the empty board is a draw: 0.")
    found = answer.calls["alpha_beta"]
    check.require(
        found <= _BOTH_SAVINGS,
        answer,
        f"The value is right, but {found:,} calls instead of {_BOTH_SAVINGS:,}.",
        said=f"{found:,} calls",
        right=f"{_BOTH_SAVINGS:,} calls",
    )


def _check_deepening(check: Check) -> None:
    late = [here for here in truth.open_positions() if here.cells.count(0) <= 6]
    for answer in check.calls(
        [call("deepen", here, here.cells.count(0)) for here in [_DEEP, *check.rng.sample(late, 40)]]
    ):
        here = answer.call.board
        assert here is not None
        right = truth.value(here)
        last = answer.value[-1]
        check.require(
            last == right,
            answer,
            f"Searching deeper with one table ends at {last}, but the value is {signed(right)}. "
            "Does an entry from a shallow search answer a deep question?",
            right=f"… {signed(right)}",
            said=repr(answer.value),
        )


# ------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """An image of the board, the same for all eight; 765 of them."""
    boards = [*map(position, _IMAGES), *check.rng.sample(truth.positions(), 60)]
    made = [
        call("canonical", LabBoard(image, here.mover))
        for here in boards
        for image in _images(here.cells)
    ]
    answers = check.calls(made)
    for number, here in enumerate(boards):
        first, *others = answers[8 * number : 8 * number + 8]
        _check_image(check, first, here.cells)
        for answer in others:
            board = answer.call.board
            assert board is not None
            _check_image(check, answer, board.cells)
            check.require(
                answer.value == first.value,
                answer,
                f"This board is an image of {here.text}, but they got different answers.",
                right=first.value,
            )
    found = check.probe("classes").value
    check.require(
        found == _CLASSES,
        None,
        f"The 5,478 positions become {found:,} boards; {_CLASSES} are right.",
        shown="canonical(board) for all positions",
        said=f"{found:,} different boards",
        right=f"{_CLASSES} different boards",
    )
    marks = check.names.board
    own = {1: str(marks.x), -1: str(marks.o), 0: str(marks.empty)}
    for answer in answers[::8]:
        board = answer.call.board
        assert board is not None
        smallest = min(_images(board.cells), key=lambda image: [own[cell] for cell in image])
        check.require(
            tuple(answer.value) == smallest or not isinstance(marks.x, str),
            answer,
            "One image stands for all eight, as it should, but the sheet asks for the smallest "
            "list. This costs one point.",
            mistake="not-the-smallest",
            right=list(smallest),
            costs=1,
        )
    check.note(f"5,478 positions, {found} classes")


def _check_image(check: Check, answer: Answer, cells: tuple[int, ...]) -> None:
    value = answer.value
    if isinstance(value, (list, tuple)) and tuple(value) in _images(cells):
        check.require(not answer.changed, answer, "canonical changed the board that it was given.")
        return
    is_sorted = isinstance(value, (list, tuple)) and sorted(value) == sorted(cells)
    sentence = (
        "The answer has the right marks, but it is not a turned or mirrored image of the board."
        if is_sorted
        else "The answer is not one of the eight images of the board."
    )
    check.fail(answer, sentence, right=min(_images(cells), key=_as_text))


def _as_text(cells: tuple[int, ...]) -> str:
    return "".join(" XO"[cell] for cell in cells)


def _images(cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for image in (cells, tuple(cells[cell] for cell in _MIRROR)):
        for _ in range(4):
            found.append(image)
            image = tuple(image[cell] for cell in _TURN)
    return found


def _same_class(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return one in _images(other)


# ------------------------------------------------------------------ task 5


def task_5(check: Check) -> None:
    """One step forward equals the number from scratch; the same step takes it back."""
    places = [_EMPTY, *check.rng.sample(truth.open_positions(), 80)]
    moves = [check.rng.choice(truth.moves(here)) for here in places]
    before = check.calls([call("zobrist", here) for here in places])
    reached = [truth.play(here, move) for here, move in zip(places, moves, strict=True)]
    scratch = check.calls([call("zobrist", here) for here in reached])
    updates = [
        call("zobrist_update", answer.value, move, here.mover)
        for answer, here, move in zip(before, places, moves, strict=True)
    ]
    numbers = {answer.value for answer in (*before, *scratch) if type(answer.value) is int}
    check.require(
        len(numbers) == len({(here.cells, here.mover) for here in (*places, *reached)}),
        None,
        "zobrist was ready, and gave different positions different numbers. It no longer does.",
        shown="zobrist(board, player) for many positions",
        said=f"{len(numbers)} different numbers",
    )
    stepped = check.calls(updates)
    for answer in stepped:
        is_number = type(answer.value) is int
        check.require(is_number, answer, "The answer must be a whole number.")
    back = check.calls(
        [call("zobrist_update", answer.value, *answer.call.arguments[1:]) for answer in stepped]
    )
    for number, answer in enumerate(stepped):
        here, right = places[number], scratch[number].value
        where = f"{'X' if here.mover > 0 else 'O'} plays {here.name(moves[number])}"
        sentence = f"{where}: from scratch the new position has another number."
        check.require(answer.value == right, answer, sentence, right=right, board=here)
        check.require(
            back[number].value == before[number].value,
            back[number],
            f"{where}, and the same call again: the number from before should be back.",
            right=before[number].value,
            board=here,
        )
    check.note(f"{len(places)} moves made and taken back")
