"""Tic-Tac-Toe with an AI that can be X or O. Two things in it are in the wrong view.

A board is a list of nine marks: "X", "O" or " ". Every value is X's: 1 if X wins, -1 if O wins.
"""

X, O, EMPTY = "X", "O", " "
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


# The rules are right.


def other(player):
    """The opponent."""
    return O if player == X else X


def available_moves(board):
    """The numbers of the free cells, smallest first."""
    return [cell for cell in range(9) if board[cell] == EMPTY]


def apply_move(board, cell, player):
    """A new board on which player has taken the cell."""
    return [*board[:cell], player, *board[cell + 1 :]]


def winner(board):
    """X or O if that side has three in a line, else None."""
    for a, b, c in LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None


# ---------------------------------------------------------------- Task 1: build the detector


def swap(board):
    """A new board on which every X is an O and every O an X."""
    return None  # TODO 1


def swap_test(value, positions):
    """The positions that break the law of swapped colours, in their order.

    positions is a list of pairs (board, player to move). value(board, player) is what somebody's
    program says the position is worth for X.
    """
    return None  # TODO 1


# ---------------------------------------------------------------- Task 2: words (broken)


def words(value, ai):
    """What a value means to the user who plays against the AI. ai is X or O."""
    if value >= 0.9:
        return "AI wins"
    if value >= 0.3:
        return "AI advantage"
    if value > -0.3:
        return "Draw"
    if value > -0.9:
        return "Human advantage"
    return "Human wins"


# ---------------------------------------------------------------- Task 3: the AI (broken)


def minimax(board, maximizing):
    """The best move and its score; the score is X's. maximizing: is X to move?"""
    won = winner(board)
    if won is not None:
        return None, (1 if won == X else -1)
    if EMPTY not in board:
        return None, 0
    player = X if maximizing else O
    best_move, best_score = None, None
    for move in available_moves(board):
        _, score = minimax(apply_move(board, move, player), not maximizing)
        if best_score is None or (score > best_score if maximizing else score < best_score):
            best_move, best_score = move, score
    return best_move, best_score


def ai_move(board, ai):
    """The move of the AI, which plays ai, X or O, and is to move."""
    move, _ = minimax(board, True)
    return move


if __name__ == "__main__":
    board = [O, EMPTY, O, X, EMPTY, X, EMPTY, EMPTY, EMPTY]
    swapped = [X, EMPTY, X, O, EMPTY, O, EMPTY, EMPTY, EMPTY]
    print("swap is right:", swap(board) == swapped)
    print("minimax breaks the law in:", swap_test(lambda b, p: minimax(b, p == X)[1], [(board, X)]))
    for here, ai in ((board, X), (swapped, O)):
        _, value = minimax(here, ai == X)
        print(f"AI is {ai} and plays {ai_move(here, ai)}; value {value}: {words(value, ai)}")
