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
from rl_toolkit.labs.checking import Check, LabBoard
from rl_toolkit.labs.truth import tictactoe as truth

WIDTHS, SIZES = (400, 600, 900, 1400), (3, 4, 15)


def task_4(check: Check) -> None:
    """One grid: labels and cells have the same centres at every width."""
    seen = _look(check, WIDTHS, {"sizes": list(SIZES), "play": False})
    for board in seen["boards"]:
        problem = grid_problem(board)
        if problem is not None:
            check.fail(
                None,
                problem.sentence,
                mistake=problem.mistake,
                shown=f"renderBoard({board['n']}) in a window of {board['width']} pixels",
                said=problem.said or None,
                right=problem.right,
                picture=problem.picture,
            )
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
    check.require(
        seen["asked"] <= 2,
        None,
        "The third click has won the game for X, and yet makeAiMove was called after it: ask "
        "game.over first.",
        mistake="program-moves-on",
        shown="clicks on a1, b1 and c1, while O plays in row 3",
        said=f"makeAiMove is called {seen['asked']} times",
        right="twice",
    )
    check.note("three games to the end, winning cells marked, taken cells refused")


def _judge_game(check: Check, opener: int, steps: list[dict[str, Any]]) -> None:
    first = steps[0]
    shown: dict[str, Any] = {"shown": f"startGame({NAMES[opener]})"}
    _no_error(check, first, shown)
    marks = first["marks"]
    if None in marks:
        check.fail(None, "There is no cell-0-0 to cell-2-2 after startGame.", **shown)
    counts = marks.count("X"), marks.count("O")
    expected = (0, 0) if opener == X else (0, 1)
    if counts != expected:
        waits = opener == NOUGHT and counts == (0, 0)
        old = counts[0] > 0 or counts[1] > 1
        sentence = "A new game begins with an empty board."
        if opener == NOUGHT and not old:
            sentence = "O opens, and O is the program: it must move at once."
        check.fail(
            None,
            sentence,
            mistake="program-waits" if waits else "old-board" if old else "",
            board=position_of(marks),
            **shown,
        )
    plain = first["colours"]
    for before, step in pairwise(steps):
        here = position_of(before["marks"])
        name = here.name(step["click"])
        shown = {"board": here, "shown": f"a click on {name}"}
        _no_error(check, step, shown)
        if truth.over(here):
            _refused(check, before, step, "The game is over: a click must do nothing.")
            break
        _judge_click(check, here, step, shown)
        now = position_of(step["marks"])
        if truth.over(now):
            _judge_colours(check, now, plain, step["colours"])


def _judge_click(check: Check, here: LabBoard, step: dict[str, Any], shown: dict[str, Any]) -> None:
    name, marks = here.name(step["click"]), step["marks"]
    drawn = {cell: mark for cell, mark in enumerate(marks) if mark and not here.cells[cell]}
    check.require(
        drawn.get(step["click"]) == "X",
        None,
        f"After the click there must be an X on {name}.",
        mistake="" if drawn else "dead-cells",
        said=f"“{marks[step['click']]}”",
        right="“X”",
        **shown,
    )
    mine = truth.play(LabBoard(here.cells, 1), step["click"])
    others = [cell for cell, mark in drawn.items() if mark == "O"]
    if truth.over(mine):
        check.require(not others, None, "The game is over, and yet O has moved.", **shown)
        return
    check.require(
        len(others) == 1,
        None,
        "The program must answer with one O.",
        mistake="no-answer" if not others else "",
        said=f"{len(others)} new O",
        right="1 new O",
        **shown,
    )


def _judge_colours(check: Check, end: LabBoard, before: list[str], now: list[str]) -> None:
    marked = [cell for cell in range(9) if before[cell] != now[cell]]
    lines = lines_of(end)
    right = sorted({cell for line in lines for cell in line})
    if marked == right or (lines and marked in lines):
        return
    names = " ".join(end.name(cell) for cell in right) or "none"
    check.fail(
        None,
        f"The winning cells {names} must have another colour." if right else "A draw has no line.",
        mistake="no-highlight" if not marked else "",
        board=end,
        shown="the page at the end of the game",
        said=" ".join(end.name(cell) for cell in marked) or "no cell is marked",
        right=names,
    )


def _refused(
    check: Check,
    before: dict[str, Any],
    step: dict[str, Any],
    sentence: str,
    mistake: str = "draws-invalid",
) -> None:
    here = position_of(before["marks"])
    shown: dict[str, Any] = {"board": here, "shown": f"a click on {here.name(step['click'])}"}
    _no_error(check, step, shown)
    check.require(
        step["marks"] == before["marks"],
        None,
        sentence,
        mistake=mistake,
        said=drawn([step["marks"][i : i + 3] for i in (0, 3, 6)]),
        right="the board as before",
        **shown,
    )


def _no_error(check: Check, step: dict[str, Any], shown: dict[str, Any]) -> None:
    if step["error"]:
        check.fail(None, f"The page stops with {step['error']}.", **shown)


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
