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
from rl_toolkit.labs.checking import Check, LabBoard, position
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
    for said, (opener, moves) in zip(
        _ask(check, [("steps", [opener, moves]) for opener, moves in games]), games, strict=True
    ):
        board, player = [[EMPTY] * 3 for _ in range(3)], opener
        for number, (row, col) in enumerate(moves):
            fine = 0 <= row < 3 and 0 <= col < 3 and board[row][col] == EMPTY
            before = position_from(board, player)
            shown = {"board": before, "shown": f"makeMove(game, {row}, {col})"}
            if said.error:
                off = any(not (0 <= r < 3 and 0 <= c < 3) for r, c in moves)
                _stopped(check, said, "makeMove", "off-the-board" if off else "", **shown)
            step = said.value[number]
            _judge_move(check, step, board, player, row, col, fine, shown)
            check.require(
                step["over"] == step["end"],
                None,
                "After a move game.over must be what checkGameOver(game) says.",
                mistake="over-not-set",
                said=f"game.over: {step['over']}",
                right=f"game.over: {step['end']}",
                **shown,
            )
            if step["end"]:
                break
            if fine:
                board[row][col] = player
                player = X + NOUGHT - player
    board = rows_of(position("xxx/oo1/3 o"))
    (said,) = _ask(check, [("late", [board, NOUGHT])])
    late = {"board": position_from(board, NOUGHT), "shown": "makeMove(game, 2, 2), game.over set"}
    if said.error:
        _stopped(check, said, "makeMove", "", **late)
    is_refused = said.value["board"] == board and not (said.value["move"] or {}).get("valid")
    check.require(
        is_refused,
        None,
        "game.over is set, so the move must be refused.",
        mistake="moves-after-the-end",
        said=str(said.value["move"]),
        right="valid: false, and nothing changed",
        **late,
    )
    check.note(f"{len(games)} games, taken cells and cells off the board among them")


def _judge_move(
    check: Check,
    step: dict[str, Any],
    board: list[list[int]],
    player: int,
    row: int,
    col: int,
    fine: bool,
    shown: dict[str, Any],
) -> None:
    move, who = step.get("move"), NAMES[player]
    if not isinstance(move, dict) or not isinstance(move.get("valid"), bool):
        check.fail(
            None,
            "makeMove must return a record {valid, row, col, player}.",
            said=str(move),
            **shown,
        )
    place = cell_name(row, col)
    if not fine:
        why = f"{place} is taken" if place else "that cell is off the board"
        check.require(
            step["board"] == board,
            None,
            f"{why.capitalize()}, yet the board changed.",
            mistake="takes-taken",
            said=drawn(step["board"]),
            right=drawn(board),
            **shown,
        )
        check.require(
            not move["valid"],
            None,
            f"{why.capitalize()}: valid must be false.",
            mistake="takes-taken" if place else "off-the-board",
            said="valid: true",
            right="valid: false",
            **shown,
        )
        check.require(
            step["player"] == player,
            None,
            f"The move was refused, so it is still {who}'s turn.",
            mistake="turn-passes",
            said=f"player: {NAMES.get(step['player'])}",
            right=f"player: {who}",
            **shown,
        )
        return
    after = [list(each) for each in board]
    after[row][col] = player
    check.require(
        move["valid"], None, f"{place} is free: the move is valid.", said="valid: false", **shown
    )
    check.require(
        step["board"] == after,
        None,
        f"After the move {who} must be on {place}, and nothing else be different.",
        said=drawn(step["board"]),
        right=drawn(after),
        **shown,
    )
    check.require(
        step["player"] == X + NOUGHT - player,
        None,
        f"{who} has moved, so it is the other one's turn.",
        mistake="no-turns",
        said=f"player: {NAMES.get(step['player'])}",
        right=f"player: {NAMES[X + NOUGHT - player]}",
        **shown,
    )
    record = [move.get("row"), move.get("col"), move.get("player")]
    check.require(
        record == [row, col, player],
        None,
        f"The record must say what was played: row {row}, col {col}, player {who}.",
        mistake="record-next" if record == [row, col, X + NOUGHT - player] else "",
        said=str(move),
        **shown,
    )


def task_2(check: Check) -> None:
    """Ends: lines of every kind, draws, and no move afterwards."""
    fixed: tuple[str, ...] = (
        "x2/x2/x2",
        "1o1/1o1/1o1",
        "2o/2o/2o",
        "xxx/3/3",
        "3/xxx/3",
        "3/3/xxx",
    )
    fixed += ("x2/1x1/2x", "2o/1o1/o2", "oxo/xxo/oox", "3/3/3", "xxx/oox/oxo", "xox/oxo/xox")
    boards = [position(f"{text} x") for text in fixed]
    boards += check.rng.sample(truth.positions(), 80)
    calls = [("over", [rows_of(board), player_of(board)]) for board in boards]
    wrong: list[tuple[LabBoard, Said, str]] = []
    for said, board in zip(_ask(check, calls), boards, strict=True):
        right = _right_end(board)
        if said.error:
            _stopped(check, said, "checkGameOver", board=board, shown="checkGameOver(game)")
        if said.value["board"] != rows_of(board):
            check.fail(None, "checkGameOver changed the board. It should only look.", board=board)
        if not _is_end(said.value.get("said"), board):
            wrong.append((board, said, right))
    if wrong:
        board, said, right = wrong[0]
        check.fail(
            None,
            _end_sentence(board),
            mistake=_end_mistake(wrong),
            board=board,
            shown="checkGameOver(game)",
            said=str(said.value.get("said")),
            right=right,
        )
    _no_move_after_the_end(check)
    check.note(f"{len(boards)} boards, and no move after the end")


def _is_end(said: Any, board: LabBoard) -> bool:
    lines = lines_of(board)
    if not lines and EMPTY in board.cells:
        return said is None
    if not isinstance(said, dict):
        return False
    cells = said.get("cells")
    if not lines:
        return said.get("victor") is None and not cells
    if not isinstance(cells, list) or not all(isinstance(c, list) and len(c) == 2 for c in cells):
        return False
    line = sorted(3 * r + c for r, c in cells if isinstance(r, int) and isinstance(c, int))
    return line in lines and said.get("victor") == mark_of(board.cells[line[0]])


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


def _end_mistake(wrong: Sequence[tuple[LabBoard, Said, str]]) -> str:
    """The typical mistake that explains all wrong boards, "" if there is none."""
    said = [(board, each.value.get("said")) for board, each, _ in wrong]
    if all(isinstance(end, dict) and end.get("victor") == EMPTY for _, end in said):
        return "blank-line"
    full = [(board, end) for board, end in said if lines_of(board)]
    if len(full) < len(said):
        return ""
    if all(lines_of(board) == [[2, 4, 6]] for board, _ in full):
        return "one-diagonal"
    if all(0 not in board.cells for board, _ in full):
        return "draw-first"
    swapped = [
        isinstance(end, dict)
        and end.get("victor") in (X, NOUGHT)
        and end.get("victor") != mark_of(board.cells[lines_of(board)[0][0]])
        for board, end in full
    ]
    return "wrong-victor" if all(swapped) else ""


def _no_move_after_the_end(check: Check) -> None:
    moves = [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [2, 2]]
    (said,) = _ask(check, [("steps", [X, moves])])
    board = position("xxx/oo1/3 o")
    if said.error:
        _stopped(check, said, "makeMove", board=board, shown="makeMove(game, 2, 2)")
    last, before = said.value[-1], said.value[-2]
    check.require(
        before["over"],
        None,
        "X has just made a line, and game.over is still empty: makeMove must ask checkGameOver.",
        mistake="plays-on",
        board=board,
        shown="makeMove(game, 0, 2)",
    )
    check.require(
        last["move"].get("valid") is False and last["board"] == before["board"],
        None,
        "X has won, and O could still move: after the end no move is valid.",
        mistake="plays-on",
        board=board,
        shown="makeMove(game, 2, 2)",
        said="valid: true",
        right="valid: false",
    )


def task_3(check: Check) -> None:
    """Clones, children, and a program that plays best on either side."""
    some = check.rng.sample([p for p in truth.open_positions() if not p.cells[4]], 10)
    for said, board in zip(_ask(check, _calls("clone", some)), some, strict=True):
        shown: dict[str, Any] = {"board": board, "shown": "clone(game)"}
        if said.error:
            _stopped(check, said, "clone", **shown)
        seen = said.value
        check.require(
            isinstance(seen["copy"], dict) and seen["copy"].get("board") == rows_of(board),
            None,
            "The clone must be a game with the same board.",
            said=str(seen["copy"]),
            **shown,
        )
        check.require(
            seen["board"] == rows_of(board) and seen["player"] == player_of(board),
            None,
            "A mark on the clone appeared on the real board too: both share their rows.",
            mistake="shallow-clone",
            **shown,
        )
    _children(check)
    _best_moves(check)


def _children(check: Check) -> None:
    boards = [position("3/3/3 x"), position("xxx/oo1/3 o"), position("xox/xoo/oxx x")]
    boards += check.rng.sample(truth.open_positions(), 25)
    for said, board in zip(_ask(check, _calls("children", boards)), boards, strict=True):
        shown: dict[str, Any] = {"board": board, "shown": "getChildren(game)"}
        if said.error:
            _stopped(check, said, "getChildren", **shown)
        check.require(
            said.value["board"] == rows_of(board) and said.value["player"] == player_of(board),
            None,
            "getChildren left moves on the real board: try them on a clone.",
            mistake="tries-on-the-board",
            **shown,
        )
        children, moves = said.value["children"], truth.moves(board)
        right = {move: rows_of(truth.play(board, move)) for move in moves}
        found: dict[int, Any] = {}
        for child in children if isinstance(children, list) else []:
            if isinstance(child, dict) and isinstance(child.get("game"), dict):
                place = child.get("row"), child.get("col")
                if isinstance(place[0], int) and isinstance(place[1], int):
                    found[3 * place[0] + place[1]] = child["game"].get("board")
        if found == right:
            continue
        sentence = f"There are {len(moves)} legal moves, so there are {len(moves)} children."
        if not moves:
            sentence = "The game is over: there are no children."
        elif found.keys() == right.keys():
            sentence = "Each child is the game after its move: one mark more than here."
        check.fail(
            None,
            sentence,
            mistake="children-after-the-end" if not moves else "",
            said=f"{len(children) if isinstance(children, list) else children} children",
            right=f"{len(moves)} children",
            **shown,
        )


def _best_moves(check: Check) -> None:
    some = check.rng.sample(truth.open_positions(), 80)
    boards = [position("xx1/oo1/3 x"), position("xx1/oo1/x2 o"), *some]
    wrong: list[tuple[LabBoard, int]] = []
    for said, board in zip(_ask(check, _calls("ai", boards)), boards, strict=True):
        shown: dict[str, Any] = {"board": board, "shown": "makeAiMove(game)"}
        if said.error:
            _stopped(check, said, "makeAiMove", **shown)
        after = flat(said.value["board"])
        here = [mark_of(cell) for cell in board.cells]
        changed = [cell for cell in range(len(after)) if after[cell] != here[cell]]
        check.require(
            after != here,
            None,
            "The board is as before: the move was not made on the real game.",
            mistake="moves-the-clone",
            **shown,
        )
        check.require(
            len(after) == 9 and len(changed) == 1 and after[changed[0]] == player_of(board),
            None,
            "makeAiMove must add one mark of the player to move.",
            said=drawn(said.value["board"]),
            **shown,
        )
        record = said.value["move"]
        check.require(
            isinstance(record, dict) and record.get("valid") is True,
            None,
            "makeAiMove must return the record of its move, or nobody can draw it.",
            said=str(record),
            **shown,
        )
        if changed[0] not in truth.best_moves(board):
            wrong.append((board, changed[0]))
    if wrong:
        board, move = wrong[0]
        best = ", ".join(board.name(each) for each in truth.best_moves(board))
        reached = truth.after_values(board)[move] * board.mover
        what = {-1: "loses", 0: "only draws", 1: "wins"}[reached]
        check.fail(
            None,
            f"{board.name(move)} {what}; best is {best}.",
            mistake="plays-for-x" if all(each.mover == -1 for each, _ in wrong) else "",
            board=board,
            shown="makeAiMove(game)",
            said=board.name(move),
            right=best,
        )
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
        said = answers(files, calls)
    except ScriptError as error:
        check.fail(None, f"{error}", shown="game.js")
    except NoEngineError as error:
        check.open(f"It stays open: there is no Node, and {error}.")
    if said and said[-1].is_endless:
        name, given = calls[len(said) - 1]
        check.fail(None, f"Your code runs without end. It was called with {given}.", shown=name)
    return said


def _calls(name: str, boards: Sequence[LabBoard]) -> list[tuple[str, list[Any]]]:
    return [(name, [rows_of(board), player_of(board)]) for board in boards]


def _stopped(check: Check, said: Said, name: str, mistake: str = "", **shown: Any) -> None:
    check.fail(None, f"{name} stopped: {said.error}.", mistake=mistake, **shown)
