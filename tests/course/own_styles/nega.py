from rules import free, other, won


def negamax(board, player, alpha, beta):
    if won(board, other(player)):
        return -1
    if not free(board):
        return 0
    best = -2
    for cell in free(board):
        child = board[:]
        child[cell] = player
        best = max(best, -negamax(child, other(player), -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
