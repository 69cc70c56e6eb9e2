"""Checks of the board lab: one list, free cells, moves that change nothing, text and back."""

from __future__ import annotations

import builtins
from typing import Any

from rl_toolkit.labs.checking import Check, LabBoard, Thing, call, position
from rl_toolkit.labs.model.values import ThingNumber
from rl_toolkit.labs.truth import tictactoe as truth

_TEXTS = ("xx1/oo1/3 x", "x1o/3/1x1 o", "3/1x1/3 o", "oxo/xxo/1ox x")
_CORNERS = position("x1o/3/3 x")
_MARKS = {1: "X", -1: "O", 0: "empty"}

PANELS = {
    2: [call("available_moves", position(text)) for text in _TEXTS],
    3: [call("apply_move", _CORNERS, cell, 1) for cell in (4, 0, -1, 9)],
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
    is_rows = length == 3 and check.names.board.form == "list"
    sentence = "A list of three rows came back, not a list of nine cells."
    check.case(answer).require(not is_rows, sentence, "rows-in-list", f"a list of {length}")
    first = board.call("__getitem__", 0, may_raise=True).value
    written = board.call("__setitem__", 0, "a mark", may_raise=True)
    if written.error is None and first != "a mark":
        sentence = "A mark on one board shows up on the next new board."
        check.equal(check.call("create_board"), [0] * 9, sentence, mistake="shared-board")


def task_2(check: Check) -> None:
    """The free cells of boards with none to nine marks."""
    boards = [position("3/3/3 x"), position("3/1x1/3 o"), *_drawn(check, 60)]
    changed = "available_moves changed the board."
    check.compare("available_moves", boards, _free, _free_sentence, changed=changed)


def _free(board: LabBoard) -> list[int]:
    return [cell for cell in range(9) if not board.cells[cell]]


def _free_sentence(value: Any, right: list[int], board: LabBoard) -> str:
    if not isinstance(value, list):
        return "The answer must be a list with the numbers of the free cells."
    if sorted(map(str, value)) == sorted(map(str, right)):
        return "The cells are right, their order is not: smallest first."
    for cell in value:
        if cell not in range(9):
            return f"There is no cell {cell}; cells are 0 to 8."
        if board.cells[cell]:
            return f"{board.name(cell)} (cell {cell}) is taken by {_MARKS[board.cells[cell]]}."
    left_out = [cell for cell in right if cell not in value]
    if left_out:
        return f"{board.name(left_out[0])} (cell {left_out[0]}) is free, but not in your list."
    return "A cell is in your list more than once."


def task_3(check: Check) -> None:
    """Refusals first, then moves: a new board, and the old one as it was."""
    for number, board in enumerate(_drawn(check, 4, least=1)):
        taken = [cell for cell in range(9) if board.cells[cell]]
        if number == 0:  # a mark of the mover's own hides that it was written again
            taken = [cell for cell in taken if board.cells[cell] != board.mover]
        cell = check.rng.choice(taken)
        _refused(check, board, cell, f"is taken by {_MARKS[board.cells[cell]]}")
    for cell in (9, -1, check.rng.randint(10, 99)):
        _refused(check, _CORNERS, cell, "is not on the board")
    moves = [
        (board, cell, board.mover) for board in _drawn(check, 60, most=8) for cell in _free(board)
    ]
    for answer in check.calls([call("apply_move", *move) for move in moves]):
        board, cell, player = answer.call.arguments
        right, name = list(_after(board, cell, player)), board.name(cell)
        if answer.changed:
            sentence = f"The old board has the mark on {name} too."
            check.fail(answer, sentence, mistake="in-place", right=right)
        sentence = f"Only {name} (cell {cell}) should change: it gets {_MARKS[player]}."
        check.equal(answer, right, sentence)
    check.note(f"{len(moves)} moves and 7 refusals, all right")


def _refused(check: Check, board: LabBoard, cell: int, why: str) -> None:
    """A move that must raise ValueError and leave the board alone."""
    answer = check.call("apply_move", board, cell, board.mover, may_raise=True)
    case = check.case(answer)
    if answer.error is None:
        sentence = f"Cell {cell} {why}; raise ValueError."
        if answer.value is None:
            case.fail(sentence, "returns-instead", "None, and no exception")
        is_last = cell == -1 and isinstance(answer.value, list) and answer.value[8:] != [0]
        value = "no exception, and the mark is on c3" if is_last else "no exception"
        case.fail(sentence, said=value)
    kind = answer.error.kind
    sentence = f"Cell {cell} {why}; your board changed anyway."
    case.require(not answer.changed, sentence, "marks-first", f"{kind}, and a changed board")
    is_another = isinstance(getattr(builtins, kind, None), type) and kind != "ValueError"
    sentence = f"Cell {cell} {why}. The exception must be your own ValueError, not {kind}."
    case.require(not is_another, sentence, said=kind)


def _after(board: LabBoard, cell: int, player: int) -> tuple[int, ...]:
    return (*board.cells[:cell], player, *board.cells[cell + 1 :])


def task_4(check: Check) -> None:
    """Text of given and drawn positions."""
    boards = [*map(position, _TEXTS), *_drawn(check, 80)]
    check.compare("to_text", boards, lambda board: board.text, _text_sentence)


def _text_sentence(value: Any, right: str, board: LabBoard) -> str:
    if not isinstance(value, str):
        return "The answer must be a text."
    if value.lower() == right:
        return "Marks are written as small letters."
    if value.strip() == right.split(" ")[0]:
        return "The side to move is missing at the end: a space and its letter."
    if value.replace(".", "").count("/") != 2:
        return "There must be two slashes, one between each two rows."
    return "Letters are marks, a number is that many empty cells in a row."


def task_5(check: Check) -> None:
    """Boards from text, and text to board to text."""
    texts = [*_TEXTS, *(board.text for board in _drawn(check, 80))]
    check.compare("from_text", texts, lambda text: list(position(text).cells), _board_sentence)
    check.note("84 positions read back right")


def _board_sentence(value: Any, right: list[int], text: str) -> str:
    if not isinstance(value, list):
        return f"{text!r} is a board of nine cells; what came back is not one."
    wrong = next(cell for cell in range(9) if value[cell] != right[cell])
    return f"In {text!r} the cell {wrong} is {_MARKS[right[wrong]]}."


def _drawn(check: Check, number: int, least: int = 0, most: int = 9) -> list[LabBoard]:
    """Positions drawn anew, with so many marks."""
    marks = range(least, most + 1)
    fitting = [position for position in truth.positions() if 9 - position.cells.count(0) in marks]
    return check.rng.sample(fitting, number)
