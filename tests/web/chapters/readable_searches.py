"""Alpha-beta over Tic-Tac-Toe to be read: a twin of the searches of the whole game in the page."""

from rl_toolkit.envs import TicTacToe

CENTRE = [1, 0, 1, 0, 2, 0, 1, 0, 1]
GUESSES = {
    "cells": (),
    "centre": ("centre",),
    "killers": ("killers",),
    "history": ("history",),
    "all": ("killers", "history", "centre"),
}


def nodes_entered(guess, memory=False, depths=(9,)):
    """How many nodes alpha-beta enters with a guess at the order, and how often the table knew.

    With several depths it searches to each in turn, and first tries the best move of the depth
    before. The numbers are those of the last depth.
    """
    parts, env, table = GUESSES[guess], TicTacToe(), {}
    killers = [[] for _ in range(9)]
    history, best_moves = {}, {}
    entered = hits = 0

    def promise(cell, ply):
        killer = killers[ply].index(cell) if cell in killers[ply] else 2
        return (
            killer if "killers" in parts else 0,
            -history.get((ply % 2, cell), 0) if "history" in parts else 0,
            -CENTRE[cell] if "centre" in parts else 0,
        )

    def visit(path, depth, alpha, beta):
        nonlocal entered, hits
        entered += 1
        ply = len(path)
        if env.is_terminal():
            return env.get_result(1)
        if ply == depth:
            return 0
        key = tuple(env.board)
        if memory and key in table:
            value, least, most = table[key]
            if (least and most) or (least and value >= beta) or (most and value <= alpha):
                hits += 1
                return value
        moves = sorted(env.get_legal_moves(), key=lambda cell: promise(cell, ply))
        moves.sort(key=lambda cell: cell != best_moves.get(path))
        low, high, values = alpha, beta, []
        better = max if env.current_player == 1 else min
        for cell in moves:
            env.step(cell)
            values.append(visit((*path, cell), depth, low, high))
            env.undo()
            if better is max:
                low = max(low, *values)
            else:
                high = min(high, *values)
            if low >= high:
                history[ply % 2, cell] = history.get((ply % 2, cell), 0) + len(moves) ** 2
                killers[ply] = [cell, *(old for old in killers[ply] if old != cell)][:2]
                break
        found = better(values)
        best_moves[path] = moves[values.index(found)]
        table[key] = (found, found > alpha, found < beta)
        return found

    for depth in depths:
        entered = hits = 0
        table.clear()
        value = visit((), depth, -2, 2)
    assert value == 0
    return entered, hits
