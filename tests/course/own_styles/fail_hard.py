from rules import free, won


def alpha_beta(board, alpha, beta, maximizing):
    if won(board, "X"):
        return 1
    if won(board, "O"):
        return -1
    if not free(board):
        return 0
    for cell in free(board):
        child = board[:]
        child[cell] = "X" if maximizing else "O"
        score = alpha_beta(child, alpha, beta, not maximizing)
        if maximizing:
            if score >= beta:
                return beta
            alpha = max(alpha, score)
        else:
            if score <= alpha:
                return alpha
            beta = min(beta, score)
    return alpha if maximizing else beta
