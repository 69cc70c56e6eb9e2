"""Handout C, sections 6 and 7: pruning and counting."""

import math

from companion import (
    best_moves,
    drawn,
    equal,
    late_positions,
    module_of,
    require,
    take,
    value,
)
from test_session_2 import marks


def own(name):
    return take("my_game.py", name, 3)


def counted(name, board, *args):
    """The count of a run, with the counter set to 0 first."""
    function = own(name)
    module = module_of("my_game.py", 3)
    module.node_count = 0
    function(board, *args)
    return module.node_count


def test_same_values():
    """alpha_beta gives the values of minimax"""
    alpha_beta = own("alpha_beta")
    for cells, mover in late_positions(6, 60):
        answer, right = (
            alpha_beta(marks(cells), -math.inf, math.inf, mover == 1),
            value(cells, mover),
        )
        require(
            answer == right,
            f"{drawn(cells)}, {'X' if mover == 1 else 'O'} to move: the value is {right:+d}, yours "
            f"is {answer!r}",
        )


def test_best_move_ab():
    """find_best_move_ab plays moves that keep the result"""
    find = own("find_best_move_ab")
    for cells, mover in late_positions(6, 53):
        if mover == 1:
            right = best_moves(cells, 1)
            require(find(marks(cells)) in right, f"{drawn(cells)}, X to move: {right} are best")


def test_counts_of_a_late_position():
    """after X 0, O 4: 7,332 calls plain and 844 pruned"""
    board = marks((1, 0, 0, 0, -1, 0, 0, 0, 0))
    equal(counted("minimax_counted", board, True), PLAIN, "node_count of minimax_counted")
    pruned = counted("alpha_beta_counted", board, -math.inf, math.inf, True)
    equal(pruned, PRUNED, "node_count of alpha_beta_counted, moves in index order")


def test_counts_of_the_empty_board():
    """from the empty board: 549,946 and 18,297"""
    board = [" "] * 9
    equal(
        counted("alpha_beta_counted", board, -math.inf, math.inf, True), 18_297, "pruned node_count"
    )
    equal(counted("minimax_counted", board, True), 549_946, "plain node_count, each call counted")


PLAIN, PRUNED = 7_332, 844
