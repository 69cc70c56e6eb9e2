"""Connect Four. This class is right: the tests are not. Do not change it for good.

    game = ConnectFour()
    game.play(3)     drop a piece into a column, 0 (a) to 6 (g); ValueError if that is not allowed
    game.player      who moves next: 1 (X) or -1 (O)
    game.winner      1 or -1, 0 for a draw, None while the game runs
    game.line        the cells of the winning line, smallest first; [] if there is none
    game.board       42 cells: 1 (X), -1 (O) or 0 (empty)
    game.show()      the board as text

Cells are counted from the bottom left, row by row: a1 is 0, g1 is 6, a2 is 7, g6 is 41.
"""

ROWS, COLS = 6, 7
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]  # (up, right): across, up, rising, falling


class ConnectFour:
    def __init__(self):
        self.board = [0] * (ROWS * COLS)
        self.player = 1
        self.winner = None
        self.line = []

    def legal(self):
        """The columns whose top cell is empty."""
        return [column for column in range(COLS) if self.board[35 + column] == 0]

    def play(self, column):
        """Drop a piece of the player to move. If that is refused, nothing changes."""
        if self.winner is not None:
            raise ValueError("the game is over")
        if column not in self.legal():
            raise ValueError(f"column {column} is full or not on the board")
        cell = column
        while self.board[cell] != 0:
            cell += COLS
        self.board[cell] = self.player
        self.look_for_end(cell)
        self.player = -self.player

    def look_for_end(self, cell):
        """Set winner and line if the piece in this cell has ended the game."""
        for up, right in DIRECTIONS:
            line = [cell, *self.run(cell, up, right), *self.run(cell, -up, -right)]
            if len(line) >= 4:
                self.winner = self.player
                self.line = sorted(line)
                return
        if 0 not in self.board:
            self.winner = 0

    def run(self, cell, up, right):
        """The cells of the mover's pieces that follow each other from a cell in one direction."""
        row, col = divmod(cell, COLS)
        found = []
        while True:
            row, col = row + up, col + right
            if not (0 <= row < ROWS and 0 <= col < COLS):
                return found
            if self.board[row * COLS + col] != self.player:
                return found
            found.append(row * COLS + col)

    def show(self):
        """The board as text, top row first."""
        lines = []
        for row in reversed(range(ROWS)):
            pieces = self.board[row * COLS : (row + 1) * COLS]
            lines.append(f"{row + 1} " + " ".join(".XO"[piece] for piece in pieces))
        return "\n".join([*lines, "  a b c d e f g"])
