"""Checks of the model, tasks 1 to 3: Node runs it, or a browser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rl_toolkit.labs.catalogue.l19_browser.boards import (
    EMPTY,
    NAMES,
    NOUGHT,
    X,
    cell_name,
    drawn,
    files_of,
    flat,
    lines_of,
    mark_of,
    player_of,
    position_from,
    rows_of,
)
from rl_toolkit.labs.catalogue.l19_browser.engines import NoEngineError, Said, ScriptError, answers
from rl_toolkit.labs.checking import Case, Check, LabBoard, position
from rl_toolkit.labs.truth import tictactoe as truth


def task_1(check: Check) -> None:
    """Moves: on the board, alternating, refused without a trace."""
    games: list[tuple[int, list[list[int]]]] = [
        (X, [[0, 0]]),
        (NOUGHT, [[0, 0]]),
        (X, [[1, 1], [0, 0], [2, 2]]),
        (X, [[0, 0], [0, 0], [1, 1]]),
        (X, [[1, 1], [3, 0], [0, 3], [-1, 0], [0, -1], [0, 0]]),
        (X, [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2]]),
    ]
    for _ in range(20):
        cells = [[check.rng.randrange(3), check.rng.randrange(3)] for _ in range(5)]
        games.append((check.rng.choice([X, NOUGHT]), cells))
    calls = [("steps", [opener, moves]) for opener, moves in games]
    for value, (opener, moves) in zip(_ask(check, calls), games, strict=True):
        _judge_steps(check, value, opener, moves)
    board = rows_of(position("xxx/oo1/3 o"))
    (value,) = _ask(check, [("late", [board, NOUGHT])])
    shown = "makeMove(game, 2, 2), game.over set"
    case = _case(check, value, "makeMove", position_from(board, NOUGHT), shown)
    is_refused = value.value["board"] == board and not (value.value["move"] or {}).get("valid")
    move, right = str(value.value["move"]), "valid: false, and nothing changed"
    sentence = "game.over is set, so the move must be refused."
    case.require(is_refused, sentence, "moves-after-the-end", move, right)
    check.note(f"{len(games)} games, taken cells and cells off the board among them")


def _judge_steps(check: Check, value: Said, opener: int, moves: list[list[int]]) -> None:
    """One game: what each move did to the board, the turn, and game.over."""
    board, player = [[EMPTY] * 3 for _ in range(3)], opener
    is_off = any(not (0 <= r < 3 and 0 <= c < 3) for r, c in moves)
    for number, (row, col) in enumerate(moves):
        here, shown = position_from(board, player), f"makeMove(game, {row}, {col})"
        case = _case(check, value, "makeMove", here, shown, "off-the-board" if is_off else "")
        step, place = value.value[number], cell_name(row, col)
        is_free = bool(place) and board[row][col] == EMPTY
        move = step.get("move")
        sentence = "makeMove must return a record {valid, row, col, player}."
        is_record = isinstance(move, dict) and isinstance(move.get("valid"), bool)
        case.require(is_record, sentence, said=str(move))
        if is_free:
            board[row][col] = player
            _judge_move(case, step, board, player, [row, col])
            player = _other(player)
        else:
            _judge_refusal(case, step, board, player, place)
        sentence = "After a move game.over must be what checkGameOver(game) says."
        over, end = f"game.over: {step['over']}", f"game.over: {step['end']}"
        case.require(step["over"] == step["end"], sentence, "over-not-set", over, end)
        if step["end"]:
            break


def _judge_refusal(
    case: Case, step: dict[str, Any], board: list[list[int]], player: int, place: str
) -> None:
    """A move on a taken cell, or off the board: ``place`` is the name of the cell."""
    why, who = f"{place} is taken" if place else "that cell is off the board", NAMES[player]
    value, right = drawn(step["board"]), drawn(board)
    sentence = f"{why.capitalize()}, yet the board changed."
    case.require(step["board"] == board, sentence, "takes-taken", value, right)
    is_refused, mistake = not step["move"]["valid"], "takes-taken" if place else "off-the-board"
    sentence = f"{why.capitalize()}: valid must be false."
    case.require(is_refused, sentence, mistake, "valid: true", "valid: false")
    turn, sentence = step["player"], f"The move was refused, so it is still {who}'s turn."
    case.require(turn == player, sentence, "turn-passes", _turn(turn), _turn(player))


def _judge_move(
    case: Case, step: dict[str, Any], after: list[list[int]], player: int, cell: list[int]
) -> None:
    """A move on a free cell."""
    move, who, place, other = step["move"], NAMES[player], cell_name(*cell), _other(player)
    case.require(move["valid"], f"{place} is free: the move is valid.", said="valid: false")
    sentence = f"After the move {who} must be on {place}, and nothing else be different."
    case.require(step["board"] == after, sentence, "", drawn(step["board"]), drawn(after))
    turn, sentence = step["player"], f"{who} has moved, so it is the other one's turn."
    case.require(turn == other, sentence, "no-turns", _turn(turn), _turn(other))
    record = [move.get("row"), move.get("col"), move.get("player")]
    sentence = f"The record must say what was played: row {cell[0]}, col {cell[1]}, player {who}."
    mistake = "record-next" if record == [*cell, other] else ""
    case.require(record == [*cell, player], sentence, mistake, str(move))


def _other(player: int) -> int:
    return X + NOUGHT - player


def _turn(player: Any) -> str:
    return f"player: {NAMES.get(player)}"


def task_2(check: Check) -> None:
    """Ends: lines of every kind, draws, and no move afterwards."""
    fixed = ["x2/x2/x2", "1o1/1o1/1o1", "2o/2o/2o", "xxx/3/3", "3/xxx/3", "3/3/xxx"]
    fixed += ["x2/1x1/2x", "2o/1o1/o2", "oxo/xxo/oox", "3/3/3", "xxx/oox/oxo", "xox/oxo/xox"]
    boards = [position(f"{text} x") for text in fixed]
    boards += check.rng.sample(truth.positions(), 80)
    wrong: list[tuple[LabBoard, Any]] = []
    for value, board in zip(_ask(check, _calls("over", boards)), boards, strict=True):
        _case(check, value, "checkGameOver", board, "checkGameOver(game)")
        if value.value["board"] != rows_of(board):
            check.fail(None, "checkGameOver changed the board. It should only look.", board=board)
        if not _is_end(value.value.get("said"), board):
            wrong.append((board, value.value.get("said")))
    if wrong:
        board, end = wrong[0]
        case = check.case(board=board, shown="checkGameOver(game)")
        case.fail(_end_sentence(board), _end_mistake(wrong), str(end), _right_end(board))
    _no_move_after_the_end(check)
    check.note(f"{len(boards)} boards, and no move after the end")


def _is_end(value: Any, board: LabBoard) -> bool:
    lines = lines_of(board)
    if not lines and EMPTY in board.cells:
        return value is None
    if not isinstance(value, dict):
        return False
    cells = value.get("cells")
    if not lines:
        return value.get("victor") is None and not cells
    if not isinstance(cells, list) or not all(isinstance(c, list) and len(c) == 2 for c in cells):
        return False
    line = sorted(3 * r + c for r, c in cells if isinstance(r, int) and isinstance(c, int))
    return line in lines and value.get("victor") == mark_of(board.cells[line[0]])


def _right_end(board: LabBoard) -> str:
    lines = lines_of(board)
    if lines:
        cells = ", ".join(f"[{cell // 3}, {cell % 3}]" for cell in lines[0])
        return f"{{victor: {NAMES[mark_of(board.cells[lines[0][0]])]}, cells: [{cells}]}}"
    return "null" if 0 in board.cells else "{victor: null, cells: []}"


def _end_sentence(board: LabBoard) -> str:
    lines = lines_of(board)
    if lines:
        names = " ".join(board.name(cell) for cell in lines[0])
        full = "" if 0 in board.cells else " The board is full, but a win comes before a draw."
        return f"{NAMES[mark_of(board.cells[lines[0][0]])]} has the line {names}.{full}"
    if 0 in board.cells:
        return (
            "Nobody has three in a row and there are free cells: the game runs, the answer is null."
        )
    return "The board is full and nobody has three in a row: a draw, victor null."


def _end_mistake(wrong: Sequence[tuple[LabBoard, Any]]) -> str:
    """The typical mistake that explains all wrong boards, "" if there is none."""
    if all(isinstance(end, dict) and end.get("victor") == EMPTY for _, end in wrong):
        return "blank-line"
    if not all(lines_of(board) for board, _ in wrong):
        return ""
    if all(lines_of(board) == [[2, 4, 6]] for board, _ in wrong):
        return "one-diagonal"
    if all(0 not in board.cells for board, _ in wrong):
        return "draw-first"
    is_swapped = [
        isinstance(end, dict)
        and end.get("victor") in (X, NOUGHT)
        and end.get("victor") != mark_of(board.cells[lines_of(board)[0][0]])
        for board, end in wrong
    ]
    return "wrong-victor" if all(is_swapped) else ""


def _no_move_after_the_end(check: Check) -> None:
    moves = [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [2, 2]]
    (value,) = _ask(check, [("steps", [X, moves])])
    case = _case(check, value, "makeMove", position("xxx/oo1/3 o"), "makeMove(game, 2, 2)")
    *_, before, last = value.value
    sentence = (
        "X has just made a line, and game.over is still empty: makeMove must ask checkGameOver."
    )
    case.require(before["over"], sentence, "plays-on", shown="makeMove(game, 0, 2)")
    is_refused = last["move"].get("valid") is False and last["board"] == before["board"]
    sentence = "X has won, and O could still move: after the end no move is valid."
    case.require(is_refused, sentence, "plays-on", "valid: true", "valid: false")


def task_3(check: Check) -> None:
    """Clones, children, and a program that plays best on either side."""
    some = check.rng.sample([p for p in truth.open_positions() if not p.cells[4]], 10)
    for value, board in zip(_ask(check, _calls("clone", some)), some, strict=True):
        case = _case(check, value, "clone", board, "clone(game)")
        copy = value.value["copy"]
        is_game = isinstance(copy, dict) and copy.get("board") == rows_of(board)
        case.require(is_game, "The clone must be a game with the same board.", said=str(copy))
        sentence = "A mark on the clone appeared on the real board too: both share their rows."
        case.require(_is_kept(value, board), sentence, "shallow-clone")
    _children(check)
    _best_moves(check)


def _is_kept(value: Said, board: LabBoard) -> bool:
    """Whether the game itself is as it was."""
    now = value.value["board"], value.value["player"]
    return bool(now == (rows_of(board), player_of(board)))


def _children(check: Check) -> None:
    boards = [position("3/3/3 x"), position("xxx/oo1/3 o"), position("xox/xoo/oxx x")]
    boards += truth.drawn(check.rng, 25)
    for value, board in zip(_ask(check, _calls("children", boards)), boards, strict=True):
        case = _case(check, value, "getChildren", board, "getChildren(game)")
        sentence = "getChildren left moves on the real board: try them on a clone."
        case.require(_is_kept(value, board), sentence, "tries-on-the-board")
        children, count = value.value["children"], len(truth.moves(board))
        right = {move: rows_of(truth.play(board, move)) for move in truth.moves(board)}
        own: dict[int, Any] = {}
        for child in children if isinstance(children, list) else []:
            if isinstance(child, dict) and isinstance(child.get("game"), dict):
                row, col = child.get("row"), child.get("col")
                if isinstance(row, int) and isinstance(col, int):
                    own[3 * row + col] = child["game"].get("board")
        sentence = f"There are {count} legal moves, so there are {count} children."
        if not count:
            sentence = "The game is over: there are no children."
        elif own.keys() == right.keys():
            sentence = "Each child is the game after its move: one mark more than here."
        mistake = "children-after-the-end" if not count else ""
        said_count = len(children) if isinstance(children, list) else children
        case.require(own == right, sentence, mistake, f"{said_count} children", f"{count} children")


def _best_moves(check: Check) -> None:
    some = truth.drawn(check.rng, 80)
    boards = [position("xx1/oo1/3 x"), position("xx1/oo1/x2 o"), *some]
    wrong: list[tuple[LabBoard, int]] = []
    for value, board in zip(_ask(check, _calls("ai", boards)), boards, strict=True):
        case = _case(check, value, "makeAiMove", board, "makeAiMove(game)")
        after, here = flat(value.value["board"]), [mark_of(cell) for cell in board.cells]
        changed = [cell for cell in range(len(after)) if after[cell] != here[cell]]
        sentence = "The board is as before: the move was not made on the real game."
        case.require(after != here, sentence, "moves-the-clone")
        is_one = len(after) == 9 and len(changed) == 1 and after[changed[0]] == player_of(board)
        sentence = "makeAiMove must add one mark of the player to move."
        case.require(is_one, sentence, said=drawn(value.value["board"]))
        record = value.value["move"]
        is_record = isinstance(record, dict) and record.get("valid") is True
        sentence = "makeAiMove must return the record of its move, or nobody can draw it."
        case.require(is_record, sentence, said=str(record))
        if changed[0] not in truth.best_moves(board):
            wrong.append((board, changed[0]))
    if wrong:
        board, move = wrong[0]
        best = ", ".join(board.name(best_move) for best_move in truth.best_moves(board))
        reached = truth.after_values(board)[move] * board.mover
        what = {-1: "loses", 0: "only draws", 1: "wins"}[reached]
        mistake = "plays-for-x" if all(each.mover == -1 for each, _ in wrong) else ""
        case = check.case(board=board, shown="makeAiMove(game)")
        case.fail(f"{board.name(move)} {what}; best is {best}.", mistake, board.name(move), best)
    check.note(f"best moves in {len(boards)} positions, as X and as O")


# ------------------------------------------------------------------------------ asking


def _ask(check: Check, calls: Sequence[tuple[str, list[Any]]]) -> list[Said]:
    """The answers of the model; one that does not end fails the task."""
    files = files_of(check)
    strange = re.search(r"^\+.*$", files["game.js"], re.MULTILINE)
    if strange:
        check.fail(
            None,
            "A line of game.js begins with +. It was copied from a list of changes: delete the +.",
            shown=strange[0][:60],
        )
    try:
        value = answers(files, calls)
    except ScriptError as error:
        check.fail(None, f"{error}", shown="game.js")
    except NoEngineError as error:
        check.open(f"It stays open: there is no Node, and {error}.")
    if value and value[-1].is_endless:
        name, given = calls[len(value) - 1]
        check.fail(None, f"Your code runs without end. It was called with {given}.", shown=name)
    return value


def _calls(name: str, boards: Sequence[LabBoard]) -> list[tuple[str, list[Any]]]:
    return [(name, [rows_of(board), player_of(board)]) for board in boards]


def _case(
    check: Check, value: Said, name: str, board: LabBoard, shown: str, mistake: str = ""
) -> Case:
    """The case of a call; it fails if the call stopped."""
    case = check.case(board=board, shown=shown)
    case.require(not value.error, f"{name} stopped: {value.error}.", mistake)
    return case
