from rules import free, won


def negamax(board, color):
    if won(board, "O" if color == 1 else "X"):
        return -1
    if not free(board):
        return 0
    best = -2
    for cell in free(board):
        child = board[:]
        child[cell] = "X" if color == 1 else "O"
        best = max(best, -negamax(child, -color))
    return best
