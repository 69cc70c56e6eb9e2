"""The percentage from which likeness is shown: solutions of one's own below it, copies above."""

from __future__ import annotations

from itertools import combinations

import pytest
from lab_class import GIVEN, LAB, OTHER, RENAMED, SOLUTION

from rl_toolkit.labs.grading import similarity

NEGAMAX = (
    GIVEN
    + """
def utility(board):
    mark = winner(board)
    if mark is None:
        return 0
    if mark == "X":
        return 1
    return -1


def children(board, player):
    boards = []
    for move in available_moves(board):
        boards.append(apply_move(board, move, player))
    return boards


def value_for(board, player):
    if is_over(board):
        sign = 1 if player == "X" else -1
        return sign * utility(board)
    best = -2
    for after in children(board, player):
        value = -value_for(after, other(player))
        if value > best:
            best = value
    return best


def minimax(board, player):
    value = value_for(board, player)
    if player == "O":
        value = -value
    return value


def best_move(board, player):
    best, choice = -2, None
    for move in available_moves(board):
        value = -value_for(apply_move(board, move, player), other(player))
        if value > best:
            best, choice = value, move
    return choice


def sure_move(board, player):
    winning = [m for m in available_moves(board) if winner(apply_move(board, m, player)) == player]
    if winning:
        return winning[0]
    return best_move(board, player)
"""
)
TWO_BRANCHES = (
    GIVEN
    + """
def utility(board):
    if winner(board) == "X":
        return 1
    elif winner(board) == "O":
        return -1
    else:
        return 0


def children(board, player):
    result = []
    moves = available_moves(board)
    i = 0
    while i < len(moves):
        result.append(apply_move(board, moves[i], player))
        i += 1
    return result


def minimax(board, player):
    if is_over(board):
        return utility(board)
    if player == "X":
        best = -100
        for child in children(board, player):
            best = max(best, minimax(child, "O"))
        return best
    else:
        best = 100
        for child in children(board, player):
            best = min(best, minimax(child, "X"))
        return best


def best_move(board, player):
    scores = []
    for move in available_moves(board):
        score = minimax(apply_move(board, move, player), other(player))
        scores.append((score, move))
    if player == "X":
        top = max(score for score, _ in scores)
    else:
        top = min(score for score, _ in scores)
    for score, move in scores:
        if score == top:
            return move


def sure_move(board, player):
    moves = available_moves(board)
    for move in moves:
        after = apply_move(board, move, player)
        if winner(after) == player:
            return move
    return best_move(board, player)
"""
)


def in_another_order(code: str) -> str:
    head, *parts = code.removeprefix(GIVEN).split("\n\n\ndef ")
    first = head.strip().removeprefix("def ")
    return GIVEN + "\n".join(f"\n\ndef {part}" for part in reversed([first, *parts]))


#: Written independently, to the same sheet.
OWN = {"loop": SOLUTION, "short": OTHER, "negamax": NEGAMAX, "two branches": TWO_BRANCHES}
#: OTHER, as somebody changes it who has not written it.
COPIES = {
    "renamed": RENAMED,
    "in another order": in_another_order(OTHER),
    "renamed and in another order": in_another_order(RENAMED),
    "one function rewritten": OTHER.replace(
        '    return {"X": 1, "O": -1}.get(winner(board), 0)\n',
        '    who = winner(board)\n    if who == "X":\n        return 1\n'
        '    return -1 if who == "O" else 0\n',
    ),
    "lines added": OTHER.replace("    pick = ", "    count = 0\n    pick = "),
}


def percent(one: str, two: str) -> int:
    """The likeness of two submissions; 0 if it is not shown."""
    pairs = similarity.alike(LAB, [{"minimax.py": one}, {"minimax.py": two}])
    return pairs[0].percent if pairs else 0


def test_the_threshold_lies_between_solutions_of_ones_own_and_copies(monkeypatch):
    threshold = similarity.SHOWN_FROM
    monkeypatch.setattr(similarity, "SHOWN_FROM", 0)
    own = [percent(one, two) for one, two in combinations(OWN.values(), 2)]
    copied = [percent(OTHER, copy) for copy in COPIES.values()]
    assert max(own) + 10 <= threshold <= min(copied) - 10, (own, copied)


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_shown(name):
    assert COPIES[name] != OTHER
    assert percent(OTHER, COPIES[name]) >= similarity.SHOWN_FROM
