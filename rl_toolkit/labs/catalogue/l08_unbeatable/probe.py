"""Asks the student's search again and again with one memo, in the student's process."""

import importlib

_INFINITY = float("inf")


def _value(module, board, player, memo):
    return module.search(list(board), player, -_INFINITY, _INFINITY, memo)


def after_moves(module, board, player):
    """Search the board once; then the value after each move, with the same memo."""
    memo, broken = {}, importlib.import_module("broken")
    _value(module, board, player, memo)
    return {
        cell: _value(module, broken.apply_move(board, cell, player), broken.other(player), memo)
        for cell in broken.available_moves(board)
    }


def both_movers(module, boards, marks):
    """For each board the values with either side to move, with one memo for all."""
    memo = {}
    return [[_value(module, board, mark, memo) for mark in marks] for board in boards]


def kept(module):
    """The values of all open positions by their marks, with the memo of the empty board."""
    memo, values, broken = {}, {}, importlib.import_module("broken")
    start = broken.create_board()
    _value(module, start, broken.X, memo)
    waiting = [(start, broken.X)]
    while waiting:
        board, player = waiting.pop()
        text = "".join(board)
        if text in values or broken.is_over(board):
            continue
        values[text] = _value(module, board, player, memo)
        for cell in broken.available_moves(board):
            waiting.append((broken.apply_move(board, cell, player), broken.other(player)))
    return values
