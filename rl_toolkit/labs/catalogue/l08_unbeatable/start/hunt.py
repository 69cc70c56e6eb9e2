"""The hunt: beat the solver in broken.py, prove what is wrong with it, repair it."""

import broken
from broken import (
    INFINITY,
    O,
    X,
    apply_move,
    available_moves,
    create_board,
    is_over,
    other,
    utility,
    winner,
)

# O is to move. The solver thinks that O wins here; in truth it is a draw.
EVIDENCE = [" ", "X", " ", "X", "O", " ", " ", " ", " "]

calls = 0  # how often search was called


def winning_game():
    """Your moves, those of X, in a game that X wins against broken.best_move."""
    return []  # TODO 1: four numbers from 0 to 8


def wrong_entries(board, player):
    """The keys of all wrong entries after one search of the board by broken.search.

    A key is what broken.search uses: (tuple of nine marks, player).
    """
    return None  # TODO 2: search with a memo, then compare its entries with a search without


# TODO 3: this is the search of broken.py. Repair it.


def search(board, player, alpha, beta, memo):
    """The value for X by alpha-beta. memo is a dictionary that remembers positions."""
    global calls
    calls += 1
    if is_over(board):
        return utility(board)
    here = (tuple(board), player)
    if here in memo:
        return memo[here]
    best = -INFINITY if player == X else INFINITY
    for cell in available_moves(board):
        value = search(apply_move(board, cell, player), other(player), alpha, beta, memo)
        if player == X:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    memo[here] = best
    return best


def best_move(board, player):
    """The first move with the best value for player, by the search above."""
    memo = {}
    values = {}
    for cell in available_moves(board):
        after = apply_move(board, cell, player)
        values[cell] = search(after, other(player), -INFINITY, INFINITY, memo)
    best = max(values.values()) if player == X else min(values.values())
    return next(cell for cell in values if values[cell] == best)


if __name__ == "__main__":
    print("winner of your game:", winner(broken.play(winning_game(), quiet=True)))
    print("wrong entries:", len(wrong_entries(EVIDENCE, O) or []))
    value = search(create_board(), X, -INFINITY, INFINITY, {})
    print(f"your search: value {value} after {calls:,} calls")
    print("your search plays", best_move(EVIDENCE, O))
