"""Games as course students type them: on `BaseGameEnv` with gaps, and without any base class."""

import numpy as np

from rl_toolkit.envs import BaseGameEnv, Reversi

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class HandoutTicTacToe(BaseGameEnv):
    """Five methods and four attributes; moves are not checked for their range."""

    def __init__(self, board_size=3, win_length=None):
        super().__init__(board_size)
        self.win_length = win_length or board_size
        self.reset()

    def reset(self):
        self.board = np.zeros(self.board_size * self.board_size, dtype=int)
        self.current_player = 1
        self.done = False
        self.winner = None
        return self.board

    def get_legal_actions(self):
        if self.done:
            return []
        return [i for i in range(len(self.board)) if self.board[i] == 0]

    def step(self, action):
        if self.done:
            raise ValueError("Game is over")
        if self.board[action] != 0:
            raise ValueError("Cell is taken")
        self.board[action] = self.current_player
        line = self._find_line(self.current_player)
        reward = 0.0
        if line is not None:
            self.done, self.winner = True, self.current_player
            reward = float(self.current_player)
        elif not (self.board == 0).any():
            self.done, self.winner = True, 0
        self.current_player = -self.current_player
        return self.board.copy(), reward, self.done, {"winner": self.winner, "winning_line": line}

    def _find_line(self, player):
        size, k = self.board_size, self.win_length
        grid = self.board.reshape(size, size)
        for row in range(size):
            for col in range(size):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + i * down, col + i * right) for i in range(k)]
                    if all(
                        0 <= r < size and 0 <= c < size and grid[r, c] == player for r, c in cells
                    ):
                        return [r * size + c for r, c in cells]
        return None

    def copy(self):
        new_game = HandoutTicTacToe(self.board_size, self.win_length)
        new_game.board = self.board.copy()
        new_game.current_player = self.current_player
        new_game.done = self.done
        new_game.winner = self.winner
        return new_game


def winner_among(cells, empty):
    """The mark of three in a row on nine cells, ``None`` if there is none."""
    for a, b, c in LINES:
        if cells[a] != empty and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return None


class ListOfRows:
    """Rows of text, pairs as moves; no copy, no reset, and a step that returns nothing."""

    def __init__(self):
        self.board = [[" "] * 3 for _ in range(3)]
        self.current_player = "X"
        self.winner = None
        self.done = False

    def get_legal_moves(self):
        return [(r, c) for r in range(3) for c in range(3) if self.board[r][c] == " "]

    def step(self, move):
        row, col = move
        if self.board[row][col] != " ":
            raise ValueError("taken")
        self.board[row][col] = self.current_player
        cells = [cell for row in self.board for cell in row]
        if winner_among(cells, " "):
            self.winner, self.done = self.current_player, True
        elif " " not in cells:
            self.winner, self.done = "draw", True
        self.current_player = "O" if self.current_player == "X" else "X"


class OneAndTwo:
    """A NumPy square, players 1 and 2, ``(row, col)`` as two arguments, a clone, winner 0."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.grid = np.zeros((3, 3), dtype=int)
        self.turn = 1
        self.winner = 0
        self.game_over = False

    def available_moves(self):
        return list(zip(*np.where(self.grid == 0), strict=True))

    def make_move(self, row, col):
        self.grid[row, col] = self.turn
        self.winner = winner_among(self.grid.ravel().tolist(), 0) or 0
        self.game_over = bool(self.winner) or not (self.grid == 0).any()
        self.turn = 3 - self.turn

    def clone(self):
        other = OneAndTwo()
        other.grid, other.turn = self.grid.copy(), self.turn
        other.winner, other.game_over = self.winner, self.game_over
        return other


class FromOneToNine:
    """Moves 1 to 9, a separate method that passes the turn, and prints."""

    def __init__(self):
        self.board = ["."] * 9
        self.player = "X"

    def valid_moves(self):
        return {k + 1 for k in range(9) if self.board[k] == "."}

    def play(self, position):
        if position < 1 or self.board[position - 1] != ".":
            print("That cell is taken!")
            return False
        self.board[position - 1] = self.player
        if self.check_win():
            print(self.player, "wins!")
        return True

    def switch_player(self):
        self.player = "O" if self.player == "X" else "X"

    def check_win(self):
        return winner_among(self.board, ".") is not None

    def is_over(self):
        return self.check_win() or "." not in self.board


class MarkGiven:
    """The caller says whose mark is placed, and winners are asked for one by one."""

    def __init__(self):
        self.board = [" "] * 9

    def get_available_moves(self):
        return [k for k, cell in enumerate(self.board) if cell == " "]

    def make_move(self, position, player):
        self.board[position] = player

    def check_win(self, player):
        return any(all(self.board[k] == player for k in line) for line in LINES)


class NewObjects:
    """Nothing ever changes: a step makes a new object, and the board is text."""

    def __init__(self, board="." * 9, to_move="x"):
        self.board, self.to_move = board, to_move

    def legal_moves(self):
        return [k for k in range(9) if self.board[k] == "."] if not self.winner() else []

    def step(self, k):
        after = self.board[:k] + self.to_move + self.board[k + 1 :]
        return NewObjects(after, "o" if self.to_move == "x" else "x")

    def winner(self):
        return winner_among(self.board, ".")


class RewardsOnly:
    """As in a course on environments: (observation, reward of the mover, done, info)."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.state = np.zeros(9)
        self.current_player = 1.0
        return self.state

    def valid_actions(self):
        return self.state == 0

    def step(self, action):
        self.state[action] = self.current_player
        won = winner_among(self.state.tolist(), 0) is not None
        done = won or not (self.state == 0).any()
        self.current_player *= -1
        return self.state, float(won), done, {}


class Mapping:
    """A dictionary of squares, whose names are the moves."""

    def __init__(self):
        self.board = {row + col: None for row in "123" for col in "abc"}
        self.x_turn = True

    def possible_moves(self):
        return [name for name, mark in self.board.items() if mark is None]

    def move(self, name):
        self.board[name] = "cross" if self.x_turn else "nought"
        self.x_turn = not self.x_turn

    def get_winner(self):
        return winner_among([self.board[name] for name in sorted(self.board)], None)


class PlainConnectFour:
    """The second handout's class: flat, row 0 at the bottom, no base; it plays on after a win."""

    def __init__(self, rows=6, cols=7, win_length=4):
        self.rows, self.cols, self.win_length = rows, cols, win_length
        self.board = np.zeros(rows * cols, dtype=int)
        self.current_player = 1
        self.winner = None
        self.move_count = 0
        self.last_move = None

    def get_legal_moves(self):
        top = (self.rows - 1) * self.cols
        return [col for col in range(self.cols) if self.board[top + col] == 0]

    def _find_lowest_row(self, col):
        return next((r for r in range(self.rows) if self.board[r * self.cols + col] == 0), None)

    def step(self, col):
        row = self._find_lowest_row(col)
        if row is None:
            raise ValueError("column full")
        self.last_move = row * self.cols + col
        self.board[self.last_move] = self.current_player
        self.move_count += 1
        reward = 0
        if self._check_win_from_position(self.last_move):
            self.winner, reward = self.current_player, 1
        elif self.move_count == self.rows * self.cols:
            self.winner = 0
        self.current_player = -self.current_player
        return self.board.copy(), reward, self.is_terminal(), {}

    def _check_win_from_position(self, index):
        row, col = divmod(index, self.cols)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            count = 1
            for way in (1, -1):
                r, c = row + way * down, col + way * right
                while (
                    0 <= r < self.rows
                    and 0 <= c < self.cols
                    and self.board[r * self.cols + c] == self.board[index]
                ):
                    count, r, c = count + 1, r + way * down, c + way * right
            if count >= self.win_length:
                return True
        return False

    def is_terminal(self):
        return self.winner is not None

    def get_result(self, player):
        if self.winner is None:
            raise ValueError("not over")
        return float(self.winner * player)

    def copy(self):
        other = PlainConnectFour(self.rows, self.cols, self.win_length)
        for name in ("current_player", "winner", "move_count", "last_move"):
            setattr(other, name, getattr(self, name))
        other.board = self.board.copy()
        return other

    def evaluate_heuristic(self, player):
        return 5.0 * float(self.board[self.cols // 2] * player)


class TopDown:
    """Four in a row with the top row first, a predicate instead of a list, and heights."""

    ROWS, COLS = 4, 5

    def __init__(self):
        self.board = [[0] * self.COLS for _ in range(self.ROWS)]
        self.heights = [0] * self.COLS
        self.turn = 0

    def is_valid_location(self, col):
        return 0 <= col < self.COLS and self.heights[col] < self.ROWS

    def drop_piece(self, col):
        self.board[self.ROWS - 1 - self.heights[col]][col] = self.turn + 1
        self.heights[col] += 1
        self.turn = 1 - self.turn

    def winning_move(self, piece):
        cells = [(r, c) for r in range(self.ROWS) for c in range(self.COLS)]
        return any(
            all(
                0 <= r + i * down < self.ROWS
                and 0 <= c + i * right < self.COLS
                and self.board[r + i * down][c + i * right] == piece
                for i in range(4)
            )
            for r, c in cells
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )


class ListOfColumns:
    """Four in a row, kept by columns; moves are letters."""

    def __init__(self):
        self.board = [["-"] * 4 for _ in range(5)]
        self.current_player = "red"
        self.winner = None

    def get_legal_moves(self):
        return [k for k in range(5) if "-" in self.board[k]]

    def step(self, k):
        column = self.board[k]
        row = column.index("-")
        column[row] = self.current_player
        grid = [[self.board[c][r] for c in range(5)] for r in range(4)]
        lines = [*grid, *zip(*grid, strict=True)]
        if any(self.current_player * 3 in "".join(line) for line in lines):
            self.winner = self.current_player
        elif not self.get_legal_moves():
            self.winner = "tie"
        self.current_player = "yellow" if self.current_player == "red" else "red"


class PlainReversi:
    """Pieces at the start that turn over, and ``None`` as the pass."""

    def __init__(self):
        self.rules = Reversi(4)
        self.rules.reset()

    @property
    def board(self):
        return [["_BW"[cell] for cell in row] for row in self.rules.board_2d.tolist()]

    @board.setter
    def board(self, rows):
        self.rules.board = [{"_": 0, "B": 1, "W": -1}[cell] for row in rows for cell in row]

    @property
    def current_player(self):
        return "_BW"[self.rules.current_player]

    @current_player.setter
    def current_player(self, player):
        self.rules.current_player = 1 if player == "B" else -1

    def get_legal_actions(self):
        return [None if move == 16 else divmod(move, 4) for move in self.rules.get_legal_moves()]

    def step(self, move):
        self.rules.step(16 if move is None else 4 * move[0] + move[1])

    @property
    def winner(self):
        return None if not self.rules.winner else "_BW"[self.rules.winner]


#: Plain classes that are Tic-Tac-Toe.
TIC_TAC_TOES = (
    ListOfRows,
    OneAndTwo,
    FromOneToNine,
    MarkGiven,
    NewObjects,
    RewardsOnly,
    Mapping,
)
