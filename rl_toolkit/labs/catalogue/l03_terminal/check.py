"""Checks of the terminal lab: names, typed text, and whole games by scripted input."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, Picture, after, call, position, side
from rl_toolkit.labs.checking.session import Raised
from rl_toolkit.labs.truth import tictactoe as truth

#: What people type and which cell it means.
_TYPED: dict[str, int | None] = {
    "9": 8, "1": 0, "5": 4, "3": 2,
    "b2": 4, "a1": 0, "c1": 2, "a3": 6, "B2": 4, " c2 ": 5,
    "2,2": 4, "2,3": 5, "1,3": 2, "3,1": 6, " 3 , 2 ": 7,
    "d1": None, "a4": None, "a0": None, "0": None, "10": None, "-1": None, "4,1": None, "0,1": None,
    "1,4": None, "x": None, "": None, "b": None, "2b": None, ",": None, "1,2,3": None, "b22": None,
    "ab": None, "two": None, "5.0": None,
}  # fmt: skip

PANELS = {
    1: [call("other", 1), call("other", -1)],
    2: [call("name", cell) for cell in range(9)],
    3: [
        call("parse", text) for text in ("9", "0", "b2", "B2", " c2 ", "2,3", "1,2", "d1", "x", "")
    ],
    4: [call("format_board", position(text)) for text in ("xo1/1x1/2o x", "x1o/3/1x1 o")],
}

_RESULT = re.compile(r"(?im)\b(winner\b.*|draw\b.*)$")


def task_1(check: Check) -> None:
    """The other player, both ways."""
    check.compare("other", [1, -1], [-1, 1], "After X comes O, and after O comes X.")


def task_2(check: Check) -> None:
    """All nine names."""
    check.compare("name", range(9), _name, _name_sentence)


def _name(cell: int) -> str:
    return "abc"[cell % 3] + str(cell // 3 + 1)


def _name_sentence(value: Any, right: str, cell: int) -> str:
    if isinstance(value, str) and value.lower() == right:
        return f"Write the letter small: {right}, not {value}."
    row, col = divmod(cell, 3)
    return f"The cell is in column {'abc'[col]} and in row {row + 1} from the top: {right}."


def task_3(check: Check) -> None:
    """Typed text, good and bad."""

    def meant(value: Any, right: int | None, text: str) -> str:
        if right is None:
            return f"{text!r} is not a cell of the board: the answer is None."
        return f"{text!r} means {_name(right)}, cell {right}."

    def stopped(error: Raised, text: str) -> str:
        return f"{text!r} made parse stop with {error.kind}."

    check.compare("parse", _TYPED, list(_TYPED.values()), meant, raised=stopped)
    check.note(f"{len(_TYPED)} texts read right")


def task_4(check: Check) -> None:
    """Drawn boards as text."""
    boards = [position("x1o/1x1/3 o"), position("xo1/1x1/2o x")]
    boards += check.rng.sample(truth.positions(), 40)
    for answer in check.calls([call("format_board", board) for board in boards]):
        value, right = answer.value, _lines(answer.call.arguments[0])
        if value is None and answer.printed.strip():
            check.fail(answer, "format_board printed the board. It must return the text.")
        sentence = (
            "The text differs from the one on the sheet: a line of letters, then three lines with "
            "number and marks, a point for a free cell."
        )
        is_right = isinstance(value, str) and _trimmed(value) == right
        picture = _side_by_side(str(value), "\n".join(right))
        check.require(is_right, answer, sentence, picture=picture)


def task_5(check: Check) -> None:
    """Bad answers first, then a good one."""
    board = position("x1o/1x1/3 o")
    for typed, right in (
        (["5", "d1", "x", "", "9"], 8),
        (["a1", "c1", "2,2", "B1"], 1),
        (["10", "0", " 3,1 "], 6),
    ):
        answer = check.call("ask_move", board, inputs=typed, may_raise=True)
        if answer.error is not None:
            _stopped(check, answer, board)
        value, story = answer.value, "Typed " + ", ".join(repr(text) for text in typed)
        asked = answer.printed.lower().count("row 1 is on top")
        if value is None and asked < len(typed):
            sentence = f"{story}: ask_move ends after a bad answer. Ask again."
            check.fail(answer, sentence, mistake="asks-once", right=right)
        is_taken = isinstance(value, int) and 0 <= value < 9 and board.cells[value]
        sentence = f"{story}: the first good answer is {typed[-1].strip()!r}."
        check.equal(answer, right, sentence, mistake="taken-accepted" if is_taken else "")
        _check_questions(check, answer, typed)
    corner = check.call("ask_move", position("3/1x1/3 o"), inputs=["a1"], may_raise=True)
    if corner.error is not None or corner.value != 0:
        sentence = "a1 is free, so it is the answer. Its number is 0, which Python takes for False."
        check.fail(corner, sentence, mistake="zero-is-false", right=0)
    good = check.rng.choice(truth.moves(board))
    answer = check.call("ask_move", board, inputs=[_name(good)])
    check.equal(answer, good, f"{_name(good)} is free, so it is the answer.")


def _check_questions(check: Check, answer: Answer, typed: Sequence[str]) -> None:
    """Each question says where row 1 is, and each bad answer gets a line."""
    lines = [line for line in answer.printed.splitlines() if line.strip()]
    questions = [line for line in lines if "row 1 is on top" in line.lower()]
    case = check.case(answer, picture=_printed(answer))
    sentence = f"{len(questions)} of {len(typed)} questions say that row 1 is on top."
    case.require(len(questions) >= len(typed), sentence, "row-one-unsaid")
    sentence = f"{len(typed) - 1} bad answers, but {len(lines) - len(questions)} messages."
    case.require(len(lines) >= 2 * len(typed) - 1, sentence, "silent")


def task_6(check: Check) -> None:
    """Whole games: wins, draws, a win with the last cell, typing mistakes."""
    _check_game(check, [4, 3, 6, 8, 2])  # the game of the sheet
    _check_game(check, [0, 1, 2, 4, 3, 5, 7, 6, 8])  # a draw
    _check_game(check, [0, 1, 2, 3, 4, 5, 7, 6, 8])  # X wins with the last cell
    _check_game(check, [4, 0, 1, 3, 8, 6], mistyped=True)  # O wins
    for _ in range(4):
        board, moves = position("3/3/3 x"), list[int]()
        while not truth.over(board):
            moves.append(check.rng.choice(truth.moves(board)))
            board = truth.play(board, moves[-1])
        _check_game(check, moves, mistyped=True)
    check.note("8 games played, each announced once")


def _check_game(check: Check, moves: list[int], mistyped: bool = False) -> None:
    typed = _typed(check, moves) if mistyped else [_name(move) for move in moves]
    answer = check.call("play", inputs=typed + ["a1"] * 3, may_raise=True)
    end, last = after(moves), len(moves)
    right = f"Winner: {side(end.winner)}" if end.winner else "Draw"
    boards, results = _boards(answer.printed), _results(answer.printed)
    expected = [_lines(after(moves[:number])) for number in range(last + 1)]
    case = check.case(
        answer,
        board=end,
        shown=f"play(), typed: {' '.join(typed)}",
        said=" · ".join(text for _, text in results) or "no result",
        right=right,
        moves=moves,
        picture=_printed(answer),
    )
    is_cut = boards == expected[:-1] and [seen for seen, _ in results] == [last - 1]
    case.require(not is_cut, "The board after the last move is missing.", "last-board-missing")
    for seen, text in results:
        is_early = seen < min(last, len(boards) - 1)
        case.require(not is_early, f"You printed {text} after move {seen}.", "result-in-loop")
    error = answer.error
    asks_on = error is not None and error.kind == "EndOfInputError" and not results
    sentence = f"{right} stood on the board after move {last}."
    case.require(len(boards) <= last + 1 and not asks_on, sentence, "plays-on")
    if error is not None:
        _stopped(check, answer, end, moves)
    for number, (board, wanted_board) in enumerate(zip(boards, expected, strict=False)):
        when = f"after move {number}" if number else "at the beginning"
        sentence = f"The board {when} should look like this: {' / '.join(wanted_board[1:])}"
        case.require(board == wanted_board, sentence)
    sentence = f"{last + 1} boards should be printed: the empty one, and one per move."
    case.require(len(boards) > last, sentence)
    case.require(results, "The result is missing: Winner: X, Winner: O or Draw.")
    case.require(len(results) == 1, f"The result was printed {len(results)} times.")
    text = results[0][1].lower()
    is_loser = bool(end.winner) and text.startswith("winner")
    mistake = "wrong-winner" if is_loser else "draw-first" if text == "draw" else ""
    case.require(text == right.lower(), f"The last board is: {right}.", mistake)


def _typed(check: Check, moves: list[int]) -> list[str]:
    """The moves in all ways of writing, with typing mistakes between them."""
    typed: list[str] = []
    for number, move in enumerate(moves):
        if check.rng.random() < 0.4:
            bad = [*(_name(old) for old in moves[:number]), "d1", "x", "0", "4,4", ""]
            typed.append(check.rng.choice(bad))
        row, col = divmod(move, 3)
        ways = [str(move + 1), _name(move), _name(move).upper(), f"{row + 1},{col + 1}"]
        typed.append(check.rng.choice(ways))
    return typed


def _stopped(check: Check, answer: Answer, board: LabBoard, moves: Sequence[int] = ()) -> None:
    error = answer.error
    assert error is not None
    sentence = f"It stopped with {error.kind}: {error.message}"
    if error.kind == "EndOfInputError":
        sentence = "It asked again although a good answer had been given."
    check.fail(
        answer, sentence, board=board, moves=moves, said=error.kind, picture=_printed(answer)
    )


def _boards(printed: str) -> list[list[str]]:
    """The boards in what was printed; one that is printed twice in succession counts once."""
    lines = _trimmed(printed)
    boards: list[list[str]] = []
    for number, line in enumerate(lines):
        if line == "  a b c":
            board = ["  a b c", *lines[number + 1 : number + 4]]
            if not boards or boards[-1] != board:
                boards.append(board)
    return boards


def _results(printed: str) -> list[tuple[int, str]]:
    """The announced results, each with the number of moves shown before it."""
    results = []
    for match in _RESULT.finditer(printed):
        seen = max(len(_boards(printed[: match.start()])) - 1, 0)
        results.append((seen, " ".join(match[0].split()).rstrip(".!")))
    return results


def _lines(board: LabBoard) -> list[str]:
    rows = [" ".join(".XO"[cell] for cell in board.cells[3 * r : 3 * r + 3]) for r in range(3)]
    return ["  a b c", *(f"{number} {row}" for number, row in enumerate(rows, 1))]


def _trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def _side_by_side(yours: str, right: str) -> Picture:
    return Picture(f"yours:\n{yours}\n\nas on the sheet:\n{right}")


def _printed(answer: Answer) -> Picture:
    """What was printed, shortened in the middle."""
    lines = answer.printed.rstrip("\n").splitlines()
    if len(lines) > 24:
        lines = [*lines[:10], f"… {len(lines) - 20} lines …", *lines[-10:]]
    return Picture("\n".join(lines) or "(nothing was printed)")
