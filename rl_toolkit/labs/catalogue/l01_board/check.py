"""Checks of the board lab: one list, free cells, moves that change nothing, text and back."""

from __future__ import annotations

import builtins

from rl_toolkit.labs.checking import Answer, Check, LabBoard, Thing, call, position
from rl_toolkit.labs.model.values import ThingNumber
from rl_toolkit.labs.truth import tictactoe as truth

_TEXTS = ("xx1/oo1/3 x", "x1o/3/1x1 o", "3/1x1/3 o", "oxo/xxo/1ox x")

PANELS = {
    2: [call("available_moves", position(text)) for text in _TEXTS],
    3: [
        call("apply_move", position("x1o/3/3 x"), 4, 1),
        call("apply_move", position("x1o/3/3 x"), 0, 1),
        call("apply_move", position("x1o/3/3 x"), -1, 1),
        call("apply_move", position("x1o/3/3 x"), 9, 1),
    ],
    4: [call("to_text", position(text)) for text in _TEXTS],
    5: [call("from_text", text) for text in _TEXTS],
}


def task_1(check: Check) -> None:
    """Nine empty cells, and a list of its own for each call."""
    answer = check.call("create_board")
    check.equal(answer, [0] * 9, "A new board has nine empty cells.")
    kept = check.call("create_board", keep=True).value
    assert isinstance(kept, ThingNumber)
    board = Thing(check, kept.number)
    length = board.call("__len__", may_raise=True).value
    check.require(
        length != 3 or check.names.board.form != "list",
        answer,
        "A list of three rows came back, not a list of nine cells.",
        mistake="rows-in-list",
        said=f"a list of {length}",
    )
    first = board.call("__getitem__", 0, may_raise=True).value
    written = board.call("__setitem__", 0, "a mark", may_raise=True)
    if written.error is None and first != "a mark":
        again = check.call("create_board")
        check.equal(
            again,
            [0] * 9,
            "A mark on one board shows up on the next new board.",
            mistake="shared-board",
        )


def task_2(check: Check) -> None:
    """The free cells of boards with none to nine marks."""
    boards = [position("3/3/3 x"), position("3/1x1/3 o"), *_drawn(check, 60)]
    check.each("available_moves", boards, _free, _free_sentence)
    answer = check.call("available_moves", boards[-1])
    check.require(not answer.changed, answer, "available_moves changed the board.")


def _free(here: LabBoard) -> list[int]:
    return [cell for cell in range(9) if not here.cells[cell]]


def _free_sentence(answer: Answer, right: list[int]) -> str:
    here = answer.call.board
    if not isinstance(answer.value, list) or here is None:
        return "The answer must be a list with the numbers of the free cells."
    if sorted(map(str, answer.value)) == sorted(map(str, right)):
        return "The cells are right, their order is not: smallest first."
    for cell in answer.value:
        if cell not in range(9):
            return f"There is no cell {cell}; cells are 0 to 8."
        if here.cells[cell]:
            return f"{here.name(cell)} (cell {cell}) is taken by {_mark(here.cells[cell])}."
    left_out = [cell for cell in right if cell not in answer.value]
    if left_out:
        return f"{here.name(left_out[0])} (cell {left_out[0]}) is free, but not in your list."
    return "A cell is in your list more than once."


def task_3(check: Check) -> None:
    """Refusals first, then moves: a new board, and the old one as it was."""
    for here in _drawn(check, 4, least=1):
        taken = check.rng.choice([cell for cell in range(9) if here.cells[cell]])
        _refused(check, here, taken, f"is taken by {_mark(here.cells[taken])}")
    _refused(check, position("x1o/3/3 x"), 9, "is not on the board")
    _refused(check, position("x1o/3/3 x"), -1, "is not on the board")
    _refused(check, position("x1o/3/3 x"), check.rng.randint(10, 99), "is not on the board")
    moves = [(here, cell, here.mover) for here in _drawn(check, 60, most=8) for cell in _free(here)]
    answers = check.calls([call("apply_move", *move) for move in moves])
    for answer, (here, cell, player) in zip(answers, moves, strict=True):
        if answer.changed:
            check.fail(
                answer,
                f"The old board has the mark on {here.name(cell)} too.",
                mistake="in-place",
                right=list(_after(here, cell, player)),
            )
        check.equal(
            answer,
            list(_after(here, cell, player)),
            f"Only {here.name(cell)} (cell {cell}) should change: it gets {_mark(player)}.",
        )
    check.note(f"{len(moves)} moves and 7 refusals, all right")


def _refused(check: Check, here: LabBoard, cell: int, why: str) -> None:
    """A move that must raise ValueError and leave the board alone."""
    answer = check.call("apply_move", here, cell, here.mover, may_raise=True)
    if answer.error is None:
        said = "no exception"
        if cell == -1 and isinstance(answer.value, list) and answer.value[8:] != [0]:
            said += ", and the mark is on c3"
        sentence = f"Cell {cell} {why}; raise ValueError."
        if answer.value is None:
            check.fail(answer, sentence, mistake="returns-instead", said="None, and no exception")
        check.fail(answer, sentence, said=said)
    if answer.changed:
        check.fail(
            answer,
            f"Cell {cell} {why}; your board changed anyway.",
            mistake="marks-first",
            said=f"{answer.error.kind}, and a changed board",
        )
    kind = answer.error.kind
    is_another = isinstance(getattr(builtins, kind, None), type) and kind != "ValueError"
    check.require(
        not is_another,
        answer,
        f"Cell {cell} {why}. The exception must be your own ValueError, not {kind}.",
        said=kind,
    )


def _after(here: LabBoard, cell: int, player: int) -> tuple[int, ...]:
    return (*here.cells[:cell], player, *here.cells[cell + 1 :])


def task_4(check: Check) -> None:
    """Text of given and drawn positions."""
    boards = [*map(position, _TEXTS), *_drawn(check, 80)]
    check.each("to_text", boards, lambda here: here.text, _text_sentence)


def _text_sentence(answer: Answer, right: str) -> str:
    if not isinstance(answer.value, str):
        return "The answer must be a text."
    if answer.value.lower() == right:
        return "Marks are written as small letters."
    if answer.value.strip() == right.split(" ")[0]:
        return "The side to move is missing at the end: a space and its letter."
    if answer.value.replace(".", "").count("/") != 2:
        return "There must be two slashes, one between each two rows."
    return "Letters are marks, a number is that many empty cells in a row."


def task_5(check: Check) -> None:
    """Boards from text, and text to board to text."""
    boards = [*map(position, _TEXTS), *_drawn(check, 80)]
    check.each("from_text", [(here.text,) for here in boards], _cells, _board_sentence)
    check.note("84 positions read back right")


def _cells(text: str) -> list[int]:
    return list(position(text).cells)


def _board_sentence(answer: Answer, right: list[int]) -> str:
    text = answer.call.arguments[0]
    if not isinstance(answer.value, list):
        return f"{text!r} is a board of nine cells; what came back is not one."
    wrong = next(cell for cell in range(9) if answer.value[cell] != right[cell])
    return f"In {text!r} the cell {wrong} is {_mark(right[wrong])}."


def _mark(player: int) -> str:
    return {1: "X", -1: "O"}.get(player, "empty")


def _drawn(check: Check, number: int, least: int = 0, most: int = 9) -> list[LabBoard]:
    """Positions drawn anew, with so many marks."""
    fitting = [each for each in truth.positions() if least <= 9 - each.cells.count(0) <= most]
    return check.rng.sample(fitting, number)
