"""A game whose methods have short names, and a player that is made for one side."""


class Board:
    def __init__(self):
        self.cells = [[0] * 3 for _ in range(3)]

    def moves(self):
        return [(r, c) for r in range(3) for c in range(3) if self.cells[r][c] == 0]

    def play(self, row, col, player):
        if self.cells[row][col] != 0:
            return False
        self.cells[row][col] = player
        return True

    def winner(self):
        lines = [[(i, 0), (i, 1), (i, 2)] for i in range(3)]
        lines += [[(0, i), (1, i), (2, i)] for i in range(3)]
        lines += [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]
        for line in lines:
            marks = {self.cells[r][c] for r, c in line}
            if len(marks) == 1 and 0 not in marks:
                return marks.pop()
        return 0

    def is_full(self):
        return not self.moves()

    def is_over(self):
        return self.winner() != 0 or self.is_full()


class AI:
    def __init__(self, mark):
        self.mark = mark

    def minimax(self, board, player):
        winner = board.winner()
        if winner:
            return 1 if winner == 1 else -1
        if board.is_full():
            return 0
        scores = []
        for r, c in board.moves():
            board.cells[r][c] = player
            scores.append(self.minimax(board, 3 - player))
            board.cells[r][c] = 0
        return max(scores) if player == 1 else min(scores)

    def best_move(self, board):
        best = None
        for r, c in board.moves():
            board.cells[r][c] = self.mark
            score = self.minimax(board, 3 - self.mark)
            board.cells[r][c] = 0
            if self.mark == 2:
                score = -score
            if best is None or score > best[0]:
                best = (score, (r, c))
        return best[1]


def main():
    board, player = Board(), 1
    while not board.is_over():
        for row in board.cells:
            print(row)
        try:
            number = int(input("cell 1-9: ")) - 1
            is_played = 0 <= number <= 8 and board.play(number // 3, number % 3, player)
        except ValueError:
            is_played = False
        if not is_played:
            print("invalid")
            continue
        player = 3 - player
    winner = board.winner()
    print(f"Winner: {'X' if winner == 1 else 'O'}" if winner else "Draw")


if __name__ == "__main__":
    main()
