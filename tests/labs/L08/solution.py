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
    return [0, 8, 2, 5]


def wrong_entries(board, player):
    memo = {}
    broken.search(board, player, -INFINITY, INFINITY, memo)
    wrong = []
    for (marks, mover), value in memo.items():
        if broken.search(list(marks), mover, -INFINITY, INFINITY) != value:
            wrong.append((marks, mover))
    return wrong


def search(board, player, alpha, beta, memo):
    """The value for X by alpha-beta. memo is a dictionary that remembers positions."""
    global calls
    calls += 1
    if is_over(board):
        return utility(board)
    here = (tuple(board), player)
    low, high = alpha, beta
    if here in memo:
        known, kind = memo[here]
        if kind == "exact":
            return known
        if kind == "at least" and known >= beta:
            return known
        if kind == "at most" and known <= alpha:
            return known
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
    kind = "at most" if best <= low else "at least" if best >= high else "exact"
    memo[here] = (best, kind)
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
