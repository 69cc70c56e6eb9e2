import math

import numpy as np


def create_board():
    return np.zeros((6, 7), dtype=int)


def is_valid_location(board, col):
    return board[5][col] == 0


def get_valid_locations(board):
    return [c for c in range(7) if is_valid_location(board, c)]


def get_next_open_row(board, col):
    for r in range(6):
        if board[r][col] == 0:
            return r


def drop_piece(board, row, col, piece):
    board[row][col] = piece


def winning_move(board, piece):
    for r in range(6):
        for c in range(7):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if all(
                    0 <= r + k * dr < 6
                    and 0 <= c + k * dc < 7
                    and board[r + k * dr][c + k * dc] == piece
                    for k in range(4)
                ):
                    return True
    return False


def evaluate_window(window, piece):
    opp = 1 if piece == 2 else 2
    w = list(window)
    if w.count(piece) == 4:
        return 100000
    if w.count(piece) == 3 and w.count(0) == 1:
        return 100
    if w.count(piece) == 2 and w.count(0) == 2:
        return 10
    if w.count(opp) == 3 and w.count(0) == 1:
        return -120
    if w.count(opp) == 2 and w.count(0) == 2:
        return -10
    return 0


def score_position(board, piece):
    s = 0
    for r in range(6):
        for c in range(7):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if 0 <= r + 3 * dr < 6 and 0 <= c + 3 * dc < 7:
                    s += evaluate_window([board[r + k * dr][c + k * dc] for k in range(4)], piece)
    return s


def is_draw(board):
    return (
        not get_valid_locations(board) and not winning_move(board, 1) and not winning_move(board, 2)
    )


def minimax(board, depth, alpha, beta, maximizingPlayer):
    locs = get_valid_locations(board)
    if winning_move(board, 1):
        return (None, 10**7 + depth)
    if winning_move(board, 2):
        return (None, -(10**7) - depth)
    if not locs:
        return (None, 0)
    if depth == 0:
        return (None, score_position(board, 1))
    best = (locs[0], -math.inf if maximizingPlayer else math.inf)
    for c in locs:
        b = board.copy()
        drop_piece(b, get_next_open_row(b, c), c, 1 if maximizingPlayer else 2)
        v = minimax(b, depth - 1, alpha, beta, not maximizingPlayer)[1]
        if maximizingPlayer and v > best[1] or not maximizingPlayer and v < best[1]:
            best = (c, v)
        if maximizingPlayer:
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
        if alpha >= beta:
            break
    return best
