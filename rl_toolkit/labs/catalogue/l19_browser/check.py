"""Checks of the browser lab; those of the API are here."""

from __future__ import annotations

from typing import Any

from rl_toolkit.labs.catalogue.l19_browser.boards import position_of
from rl_toolkit.labs.catalogue.l19_browser.model_checks import task_1, task_2, task_3
from rl_toolkit.labs.catalogue.l19_browser.page_checks import task_4, task_5
from rl_toolkit.labs.checking import Check, LabBoard, call, side
from rl_toolkit.labs.truth import tictactoe as truth

__all__ = ["PANELS", "task_1", "task_2", "task_3", "task_4", "task_5", "task_6"]

WIN = {"board": ["X", "X", " ", "O", "O", " ", " ", " ", " "], "player": "X"}
WON = {"board": ["X", "X", "X", "O", "O", " ", " ", " ", " "], "player": "O"}
FULL = {"board": list("XOXXOOOXX"), "player": "O"}
LATE = {"board": ["X", "O", "X", "O", "O", " ", "X", "X", " "], "player": "O"}
BAD: list[Any] = [
    *(None, 7, "board", [], {}, {"player": "X"}, {"board": [" "] * 9}),
    *({"board": [" "] * 8, "player": "X"}, {"board": [" "] * 10, "player": "O"}),
    *({"board": [" "] * 8 + ["Z"], "player": "X"}, {"board": [" "] * 8 + [None], "player": "X"}),
    *({"board": "         ", "player": "X"}, {"board": 5, "player": "X"}),
    *({"board": [" "] * 9, "player": "Z"}, {"board": [" "] * 9, "player": None}),
    {"board": [[" "] * 3] * 3, "player": "X"},
]

PANELS = {
    6: [call("ai_move", body) for body in (WIN, LATE, WON, FULL, *BAD[:10])],
}


def task_6(check: Check) -> None:
    """Moves for good requests, 4xx for bad ones, never an exception."""
    for request in (WIN, LATE):
        _answered(check, request, position_of([m.strip() for m in request["board"]], request))
    cases = [(WON, "X has won already"), (FULL, "the board is full")]
    cases += [(body, "the request makes no sense") for body in BAD]
    for request, why in cases:
        answer = check.call("ai_move", request)
        status, data = _reply(check, answer)
        case = check.case(answer, said=f"({status}, {data})", right="(400, {'error': …})")
        sentence = f"Here {why}: the status must be 400 (or another 4xx), with an error in words."
        case.require(isinstance(status, int) and 400 <= status < 500, sentence)
        sentence = "A refusal needs a sentence: data must have the entry error."
        case.require(isinstance(data.get("error"), str) and data["error"] != "", sentence)
    drawn = truth.drawn(check.rng, 12, range(6))
    for board in drawn:
        marks = [{1: "X", -1: "O", 0: " "}[cell] for cell in board.cells]
        _answered(check, {"board": marks, "player": side(board.mover)}, board)
    check.note(f"{len(cases)} bad requests refused, {len(drawn) + 2} good ones answered")


def _answered(check: Check, request: dict[str, Any], board: LabBoard) -> None:
    """A good request gets 200 and a best move."""
    answer = check.call("ai_move", request)
    best, (status, data) = truth.best_moves(board), _reply(check, answer)
    sentence = f"This request is fine: 200, and a best move ({' or '.join(map(str, best))})."
    case = check.case(answer, board=board, said=f"({status}, {data})")
    is_right = status == 200 and data.get("move") in best
    case.require(is_right, sentence, right=f"(200, {{'move': {best[0]}}})")


def _reply(check: Check, answer: Any) -> tuple[Any, dict[str, Any]]:
    value = answer.value
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[1], dict):
        check.fail(answer, "ai_move must return two things: the status, and a dictionary.")
    return value[0], value[1]
