import numpy as np


class ConnectFour:
    def __init__(self, rows=6, cols=7, win_length=4):
        self.rows, self.cols, self.win_length = rows, cols, win_length
        self.board = np.zeros(rows * cols, dtype=np.int8)
        self.current_player = 1
        self.winner = None
        self.move_count = 0
        self.last_move = None

    def get_legal_moves(self):
        top = (self.rows - 1) * self.cols
        return [col for col in range(self.cols) if self.board[top + col] == 0]

    def _find_lowest_row(self, col):
        for row in range(self.rows):
            if self.board[row * self.cols + col] == 0:
                return row
        return None

    def step(self, col):
        if self.is_terminal():
            raise ValueError("the game is over")
        if not 0 <= col < self.cols:
            raise ValueError(f"invalid column {col}")
        row = self._find_lowest_row(col)
        if row is None:
            raise ValueError(f"column {col} is full")
        index = row * self.cols + col
        self.board[index] = self.current_player
        self.last_move = index
        self.move_count += 1
        if self._check_win_from_position(index):
            self.winner = self.current_player
        self.current_player = -self.current_player
        done = self.is_terminal()
        return self.board.copy(), float(self.winner or 0), done, {"winner": self.winner}

    def _check_win_from_position(self, index):
        row, col = divmod(index, self.cols)
        player = self.board[index]
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            count = 1
            for sign in (1, -1):
                r, c = row + sign * down, col + sign * right
                while (
                    0 <= r < self.rows
                    and 0 <= c < self.cols
                    and self.board[r * self.cols + c] == player
                ):
                    count += 1
                    r, c = r + sign * down, c + sign * right
            if count >= self.win_length:
                return True
        return False

    def is_terminal(self):
        return self.winner is not None or not self.get_legal_moves()

    def get_result(self, player):
        if not self.is_terminal():
            raise ValueError("the game is not over")
        return 0 if self.winner is None else (1 if self.winner == player else -1)

    def copy(self):
        other = ConnectFour.__new__(ConnectFour)
        other.__dict__.update(self.__dict__)
        other.board = self.board.copy()
        return other

    def get_state_hash(self):
        return f"{self.board.tobytes().hex()}{self.current_player}"

    def render(self, mode="human"):
        rows = []
        for row in reversed(range(self.rows)):
            cells = self.board[row * self.cols : (row + 1) * self.cols]
            rows.append(f"{row + 1} " + " ".join(".XO"[cell] for cell in cells))
        text = "  a b c d e f g\n" + "\n".join(rows)
        if mode == "ansi":
            return text
        print(text)

    def evaluate_heuristic(self, player):
        if self.is_terminal():
            return float(self.get_result(player))
        total = 0
        grid = self.board.reshape(self.rows, self.cols) * player
        for row in range(self.rows):
            for col in range(self.cols):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    end_row, end_col = row + 3 * down, col + 3 * right
                    if 0 <= end_row < self.rows and 0 <= end_col < self.cols:
                        window = [grid[row + i * down][col + i * right] for i in range(4)]
                        total += self._score(window)
        total += 3 * int(grid[:, self.cols // 2].sum())
        return float(max(-1, min(1, total / 4200)))

    def _score(self, window):
        mine, theirs = window.count(1), window.count(-1)
        if mine and theirs:
            return 0
        return {3: 100, 2: 10}.get(mine, 0) - {3: 100, 2: 10}.get(theirs, 0)
