from rules import free, other, won


class Robot:
    def minimax(self, board, player):
        if won(board, "X") or won(board, "O") or not free(board):
            return (1 if won(board, "O") else -1 if won(board, "X") else 0), None
        results = []
        for cell in free(board):
            child = list(board)
            child[cell] = player
            results.append((self.minimax(child, other(player))[0], cell))
        return max(results) if player == "O" else min(results)
