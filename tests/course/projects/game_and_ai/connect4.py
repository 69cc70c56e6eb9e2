import math


class ConnectFour:
    def __init__(self):
        self.board = [[0] * 7 for _ in range(6)]
        self.turn = 1

    def valid_moves(self):
        return [c for c in range(7) if self.board[0][c] == 0]

    def drop(self, col):
        for r in range(5, -1, -1):
            if self.board[r][col] == 0:
                self.board[r][col] = self.turn
                self.turn = 3 - self.turn
                return True
        return False

    def undo(self, col):
        for r in range(6):
            if self.board[r][col] != 0:
                self.board[r][col] = 0
                self.turn = 3 - self.turn
                return

    def winner(self):
        for r in range(6):
            for c in range(7):
                p = self.board[r][c]
                if p == 0:
                    continue
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if all(
                        0 <= r + i * dr < 6
                        and 0 <= c + i * dc < 7
                        and self.board[r + i * dr][c + i * dc] == p
                        for i in range(4)
                    ):
                        return p
        return 0

    def is_draw(self):
        return self.winner() == 0 and not self.valid_moves()


class AI:
    def __init__(self, game, depth=4):
        self.game = game
        self.depth = depth

    def score_window(self, w):
        a, b = w.count(1), w.count(2)
        if a and b:
            return 0
        if a == 4:
            return 100000
        if b == 4:
            return -100000
        return {3: 100, 2: 10}.get(a, 0) - {3: 120, 2: 10}.get(b, 0)

    def evaluate(self):
        s = 0
        g = self.game.board
        for r in range(6):
            for c in range(7):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if r + 3 * dr < 6 and 0 <= c + 3 * dc < 7:
                        s += self.score_window([g[r + i * dr][c + i * dc] for i in range(4)])
        return s

    def minimax(self, depth, alpha, beta):
        w = self.game.winner()
        if w:
            return (100000 + depth) * (1 if w == 1 else -1)
        moves = self.game.valid_moves()
        if not moves:
            return 0
        if depth == 0:
            return self.evaluate()
        best = -math.inf if self.game.turn == 1 else math.inf
        maxi = self.game.turn == 1
        for m in moves:
            self.game.drop(m)
            v = self.minimax(depth - 1, alpha, beta)
            self.game.undo(m)
            if maxi:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def best_move(self, depth=4):
        maxi = self.game.turn == 1
        best, move = None, None
        for m in self.game.valid_moves():
            self.game.drop(m)
            v = self.minimax(depth - 1, -math.inf, math.inf)
            self.game.undo(m)
            if best is None or (v > best if maxi else v < best):
                best, move = v, m
        return move
