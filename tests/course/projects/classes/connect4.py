class ConnectFour:
    def __init__(self):
        self.grid = [[" "] * 7 for _ in range(6)]

    def available_columns(self):
        return [c for c in range(7) if self.grid[0][c] == " "]

    def drop(self, col, player):
        for r in range(5, -1, -1):
            if self.grid[r][col] == " ":
                self.grid[r][col] = player
                return True
        return False

    def windows(self):
        for r in range(6):
            for c in range(7):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if 0 <= r + 3 * dr < 6 and 0 <= c + 3 * dc < 7:
                        yield [self.grid[r + i * dr][c + i * dc] for i in range(4)]

    def winner(self):
        for w in self.windows():
            if w[0] != " " and w.count(w[0]) == 4:
                return w[0]
        return None

    def is_draw(self):
        return self.winner() is None and not self.available_columns()

    def copy(self):
        b = ConnectFour()
        b.grid = [row[:] for row in self.grid]
        return b

    def window_score(self, w):
        x, o = w.count("X"), w.count("O")
        if x and o:
            return 0
        return {4: 100000, 3: 100, 2: 10}.get(x, 0) - {4: 100000, 3: 120, 2: 10}.get(o, 0)

    def evaluate(self):
        return sum(self.window_score(w) for w in self.windows())

    def minimax(self, depth, player):
        g = self.winner()
        if g:
            return (100000 + depth) * (1 if g == "X" else -1)
        if self.is_draw():
            return 0
        if depth == 0:
            return self.evaluate()
        v = []
        for c in self.available_columns():
            b = self.copy()
            b.drop(c, player)
            v.append(b.minimax(depth - 1, "O" if player == "X" else "X"))
        return max(v) if player == "X" else min(v)

    def best_column(self, depth, player):
        best, bv = None, None
        for c in self.available_columns():
            b = self.copy()
            b.drop(c, player)
            v = b.minimax(depth - 1, "O" if player == "X" else "X")
            if best is None or (v > bv if player == "X" else v < bv):
                best, bv = c, v
        return best
