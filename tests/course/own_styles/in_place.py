from rules import free, won


def minimax(board, depth, is_max):
    if won(board, "X"):
        return 10 - depth
    if won(board, "O"):
        return depth - 10
    if not free(board):
        return 0
    best = -100 if is_max else 100
    for cell in free(board):
        board[cell] = "X" if is_max else "O"
        score = minimax(board, depth + 1, not is_max)
        board[cell] = " "
        best = max(best, score) if is_max else min(best, score)
    return best
