"""A table for the search: what is known of a position is not searched again.

A board is a list of nine marks: "X", "O" or " ". X wants a high value, O a low one.
"""

import random

X, O, EMPTY = "X", "O", " "
INFINITY = float("inf")
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

# What a value in the table means.
EXACT, LOWER, UPPER = "exact", "at least", "at most"

# A random number for each mark on each cell, and one for "O is to move".
_random = random.Random(9)
WORDS = {mark: [_random.getrandbits(64) for _ in range(9)] for mark in (X, O)}
O_TO_MOVE = _random.getrandbits(64)

# X wins with a2, but one must look three moves ahead to see it.
DEEP = [X, O, EMPTY, EMPTY, X, EMPTY, EMPTY, EMPTY, O]

calls = 0  # how often minimax or alpha_beta was called


# The rules are ready. Use them.


# given: tictactoe_rules


def utility(board):
    """What an ended game is worth to X: 1, 0 or -1."""
    return {X: 1, O: -1, None: 0}[winner(board)]


def turned(board):
    """The board after a quarter turn to the right."""
    return [board[cell] for cell in (6, 3, 0, 7, 4, 1, 8, 5, 2)]


def mirrored(board):
    """The board with left and right exchanged."""
    return [board[cell] for cell in (2, 1, 0, 5, 4, 3, 8, 7, 6)]


# These are yours.


def key(board, player):
    """What the table is asked with. Equal positions have equal keys, others have others."""
    return None  # TODO 1


def store(table, here, value, depth, alpha, beta):
    """Write (value, kind, depth) into the table; kind is EXACT, LOWER or UPPER.

    here is the key of a position. Its search looked depth moves ahead with the window from alpha
    to beta, and its answer was value.
    """
    return None  # TODO 2: what does value mean, and where does it go?


def probe(table, here, depth, alpha, beta):
    """The value in the table if it answers this search, else None."""
    return None  # TODO 3: is it there, is it deep enough, is it exact or good enough?


def canonical(board):
    """One of the eight images of the board, the same for all eight."""
    return None  # TODO 4: use turned and mirrored


def zobrist_update(number, cell, player):
    """The number of the position after player has taken the cell, from the number before.

    The same call takes the move back.
    """
    return None  # TODO 5: use WORDS, O_TO_MOVE and ^


# These use what you have written. Read them; nothing needs to be changed.


def minimax(board, player, table):
    """The value for X. Each position is searched once: table holds the values by key."""
    global calls
    calls += 1
    here = key(board, player)
    if here in table:
        return table[here]
    if is_over(board):
        return utility(board)
    values = []
    for cell in available_moves(board):
        values.append(minimax(apply_move(board, cell, player), other(player), table))
    table[here] = max(values) if player == X else min(values)
    return table[here]


def alpha_beta(board, player, depth, alpha, beta, table, symmetric=False):
    """The value for X, looking depth moves ahead; what lies further away counts as 0."""
    global calls
    calls += 1
    if is_over(board):
        return utility(board)
    if depth == 0:
        return 0
    here = key(canonical(board) if symmetric else board, player)
    known = probe(table, here, depth, alpha, beta)
    if known is not None:
        return known
    low, high = alpha, beta  # the window as it came in
    best = -INFINITY if player == X else INFINITY
    for cell in available_moves(board):
        after = apply_move(board, cell, player)
        value = alpha_beta(after, other(player), depth - 1, alpha, beta, table, symmetric)
        if player == X:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    store(table, here, best, depth, low, high)
    return best


def deepen(board, player, deepest):
    """The values at depth 1, 2, 3, … with one table for all of them."""
    table = {}
    values = []
    for depth in range(1, deepest + 1):
        values.append(alpha_beta(board, player, depth, -INFINITY, INFINITY, table))
    return values


def zobrist(board, player):
    """The number of a position from scratch: the words of all its marks, joined by xor."""
    number = O_TO_MOVE if player == O else 0
    for cell in range(9):
        if board[cell] != EMPTY:
            number ^= WORDS[board[cell]][cell]
    return number


def best_move(board, player):
    """The first best move for player, found with table and symmetry."""
    table = {}
    sign = 1 if player == X else -1

    def after(cell):
        board_then = apply_move(board, cell, player)
        return sign * alpha_beta(board_then, other(player), 9, -INFINITY, INFINITY, table, True)

    return max(available_moves(board), key=after)


if __name__ == "__main__":
    value = minimax(create_board(), X, {})
    print(f"table: value {value} after {calls:,} calls")
    calls = 0
    value = alpha_beta(create_board(), X, 9, -INFINITY, INFINITY, {})
    print(f"table and alpha-beta: value {value} after {calls:,} calls")
    calls = 0
    value = alpha_beta(create_board(), X, 9, -INFINITY, INFINITY, {}, symmetric=True)
    print(f"with symmetry: value {value} after {calls:,} calls")
    print("deeper and deeper:", deepen(DEEP, X, 5))
    before = zobrist(DEEP, X)
    after = zobrist_update(before, 3, X)
    there = after == zobrist(apply_move(DEEP, 3, X), O)
    print("a2 and back:", there, zobrist_update(after, 3, X) == before)
