"""Tic-Tac-Toe in one class: rows of numbers, whose turn it is kept inside, moves taken back."""


class TicTacToe:
    """The game and its perfect player."""

    def __init__(self):
        self.board = [[0, 0, 0] for _ in range(3)]
        self.current_player = 1

    def available_moves(self):
        return [(r, c) for r in range(3) for c in range(3) if self.board[r][c] == 0]

    def make_move(self, row, col):
        self.board[row][col] = self.current_player
        self.current_player = 3 - self.current_player

    def undo(self, row, col):
        self.board[row][col] = 0
        self.current_player = 3 - self.current_player

    def check_winner(self):
        b = self.board
        lines = [*b, *([row[i] for row in b] for i in range(3))]
        lines.append([b[i][i] for i in range(3)])
        lines.append([b[i][2 - i] for i in range(3)])
        for line in lines:
            if line[0] != 0 and line[0] == line[1] == line[2]:
                return line[0]
        return None

    def is_draw(self):
        return self.check_winner() is None and not self.available_moves()

    def is_game_over(self):
        return self.check_winner() is not None or self.is_draw()

    def minimax(self):
        if self.is_game_over():
            return {1: 1, 2: -1, None: 0}[self.check_winner()]
        values = []
        mover = self.current_player
        for row, col in self.available_moves():
            self.make_move(row, col)
            values.append(self.minimax())
            self.undo(row, col)
        return max(values) if mover == 1 else min(values)

    def best_move(self):
        mover, best = self.current_player, None
        for row, col in self.available_moves():
            self.make_move(row, col)
            value = self.minimax()
            self.undo(row, col)
            if best is None or (value > best[0] if mover == 1 else value < best[0]):
                best = value, (row, col)
        return best[1]

    def show(self):
        for row in self.board:
            print(" ".join(".XO"[cell] for cell in row))


def play():
    game = TicTacToe()
    while not game.is_game_over():
        game.show()
        try:
            row, col = (int(part) - 1 for part in input("row and column, 1-3: ").split())
        except ValueError:
            print("Two numbers, please.")
            continue
        if (row, col) not in game.available_moves():
            print("That is not a free cell.")
            continue
        game.make_move(row, col)
    game.show()
    winner = game.check_winner()
    print("Winner: " + ".XO"[winner] if winner else "Draw")


if __name__ == "__main__":
    play()
