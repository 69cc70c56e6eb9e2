"""Checks of the page, tasks 4 and 5: a browser measures and clicks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from rl_toolkit.labs.catalogue.l19_browser.boards import (
    NAMES,
    NOUGHT,
    X,
    drawn,
    files_of,
    lines_of,
    position_of,
)
from rl_toolkit.labs.catalogue.l19_browser.engines import NoEngineError, page_seen
from rl_toolkit.labs.catalogue.l19_browser.layout import grid_problem, readable_problem
from rl_toolkit.labs.checking import Case, Check, LabBoard
from rl_toolkit.labs.truth import tictactoe as truth

WIDTHS, SIZES = (400, 600, 900, 1400), (3, 4, 15)


def task_4(check: Check) -> None:
    """One grid: labels and cells have the same centres at every width."""
    seen = _look(check, WIDTHS, {"sizes": list(SIZES), "play": False})
    for board in seen["boards"]:
        problem = grid_problem(board)
        if problem is not None:
            shown = f"renderBoard({board['n']}) in a window of {board['width']} pixels"
            value, right = problem.said or None, problem.right
            case = check.case(shown=shown, said=value, right=right, picture=problem.picture)
            case.fail(problem.sentence, problem.mistake)
    check.note("3, 4 and 15 columns, 400 to 1400 pixels wide: all labels within 1 pixel")


def task_5(check: Check) -> None:
    """Clicks: games to their end, refused clicks, and who opens."""
    orders = [list(range(9)), *(check.rng.sample(range(9), 9) for _ in range(2))]
    games = [[X, orders[0]], [NOUGHT, orders[1]], [X, orders[2]]]
    seen = _look(check, (600,), {"sizes": [], "play": True, "games": games})
    for (opener, _), steps in zip(games, seen["games"], strict=True):
        _judge_game(check, int(str(opener)), steps)
    *clicks, record = pairwise(seen["refusals"][1:])
    for before, step in clicks:
        _refused(check, before, step, "That cell is taken: the click must do nothing.")
    text = "This record has valid: false, so drawMove must not draw it."
    _refused(check, *record, text, mistake="draws-refused")
    sentence = (
        "The third click has won the game for X, and yet makeAiMove was called after it: ask "
        "game.over first."
    )
    case = check.case(shown="clicks on a1, b1 and c1, while O plays in row 3")
    value = f"makeAiMove is called {seen['asked']} times"
    case.require(seen["asked"] <= 2, sentence, "program-moves-on", value, "twice")
    check.note("three games to the end, winning cells marked, taken cells refused")


def _judge_game(check: Check, opener: int, steps: list[dict[str, Any]]) -> None:
    first = steps[0]
    case = _case(check, first, shown=f"startGame({NAMES[opener]})")
    marks = first["marks"]
    case.require(None not in marks, "There is no cell-0-0 to cell-2-2 after startGame.")
    counts = marks.count("X"), marks.count("O")
    waits, old = opener == NOUGHT and counts == (0, 0), counts[0] > 0 or counts[1] > 1
    sentence = "A new game begins with an empty board."
    if opener == NOUGHT and not old:
        sentence = "O opens, and O is the program: it must move at once."
    mistake = "program-waits" if waits else "old-board" if old else ""
    is_right = counts == ((0, 0) if opener == X else (0, 1))
    case.require(is_right, sentence, mistake, board=position_of(marks))
    for before, step in pairwise(steps):
        board = position_of(before["marks"])
        if truth.over(board):
            _refused(check, before, step, "The game is over: a click must do nothing.")
            break
        _judge_click(check, board, step)
        now = position_of(step["marks"])
        if truth.over(now):
            _judge_colours(check, now, first["colours"], step["colours"])


def _judge_click(check: Check, board: LabBoard, step: dict[str, Any]) -> None:
    name, marks = board.name(step["click"]), step["marks"]
    case = _case(check, step, board=board, shown=f"a click on {name}")
    new = {cell: mark for cell, mark in enumerate(marks) if mark and not board.cells[cell]}
    sentence, value = f"After the click there must be an X on {name}.", f"“{marks[step['click']]}”"
    is_x, mistake = new.get(step["click"]) == "X", "" if new else "dead-cells"
    case.require(is_x, sentence, mistake, value, "“X”")
    others = [cell for cell, mark in new.items() if mark == "O"]
    if truth.over(truth.play(LabBoard(board.cells, 1), step["click"])):
        case.require(not others, "The game is over, and yet O has moved.")
        return
    sentence, mistake = "The program must answer with one O.", "no-answer" if not others else ""
    case.require(len(others) == 1, sentence, mistake, f"{len(others)} new O", "1 new O")


def _judge_colours(check: Check, end: LabBoard, before: list[str], now: list[str]) -> None:
    marked = [cell for cell in range(9) if before[cell] != now[cell]]
    lines = lines_of(end)
    right = sorted({cell for line in lines for cell in line})
    names = " ".join(end.name(cell) for cell in right) or "none"
    value = " ".join(end.name(cell) for cell in marked) or "no cell is marked"
    sentence = "A draw has no line."
    if right:
        sentence = f"The winning cells {names} must have another colour."
    case = check.case(board=end, shown="the page at the end of the game")
    is_right, mistake = marked in (right, *lines), "no-highlight" if not marked else ""
    case.require(is_right, sentence, mistake, value, names)


def _refused(
    check: Check,
    before: dict[str, Any],
    step: dict[str, Any],
    sentence: str,
    mistake: str = "draws-invalid",
) -> None:
    board = position_of(before["marks"])
    case = _case(check, step, board=board, shown=f"a click on {board.name(step['click'])}")
    value = drawn([step["marks"][i : i + 3] for i in (0, 3, 6)])
    is_same = step["marks"] == before["marks"]
    case.require(is_same, sentence, mistake, value, "the board as before")


def _case(check: Check, step: dict[str, Any], **shown: Any) -> Case:
    """The case of a step on the page; it fails if the page stopped."""
    case = check.case(**shown)
    case.require(not step["error"], f"The page stops with {step['error']}.")
    return case


def _look(check: Check, widths: Sequence[int], plan: dict[str, Any]) -> Any:
    """What a browser sees of the page; without one, what can be read decides what it can."""
    files = files_of(check)
    problem = readable_problem(files)
    if problem:
        check.fail(None, problem, shown="the files, read")
    try:
        seen = page_seen(files, widths, plan)
    except NoEngineError as error:
        check.open(
            f"It stays open: {error}. Reading the files found nothing wrong, but only a browser "
            "can measure and click."
        )
    if seen is None:
        check.fail(None, "Your page runs without end. Is there a loop that never stops?")
    for text in seen.get("problems") or ([seen["failed"]] if "failed" in seen else []):
        check.fail(None, f"The page stops with {text}.", shown="index.html")
    return seen
