"""Two games with the same interface, so that one search plays both. Given: do not change it.

    game.player       whose turn it is: 1 (X) or -1 (O)
    game.winner       1 or -1, 0 for a draw, None while the game runs
    game.moves()      the legal moves; none when the game is over
    game.play(move)   a NEW game in which the move has been made; the move must be legal

>>> game = TicTacToe().play(4)
>>> game.player, game.moves()
(-1, [0, 1, 2, 3, 5, 6, 7, 8])
"""


def lines_through(rows, cols, length):
    """For each cell the groups of cells in a row that contain it, without the cell itself."""
    through = [[] for _ in range(rows * cols)]
    for row in range(rows):
        for col in range(cols):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                end_row, end_col = row + (length - 1) * up, col + (length - 1) * right
                if end_row < rows and 0 <= end_col < cols:
                    line = [(row + i * up) * cols + col + i * right for i in range(length)]
                    for cell in line:
                        through[cell].append([other for other in line if other != cell])
    return through


class Game:
    """A board as a list of 1 (X), -1 (O) and 0 (empty), with the player to move."""

    cols = 0
    through = []

    def __init__(self, board=None, player=1):
        self.board = list(board) if board else [0] * len(self.through)
        self.player = player
        self.winner = self._find_winner()

    def _find_winner(self):
        for cell, piece in enumerate(self.board):
            if piece and self._is_line(cell, piece):
                return piece
        return None if 0 in self.board else 0

    def _is_line(self, cell, piece):
        board = self.board
        for line in self.through[cell]:
            for other in line:
                if board[other] != piece:
                    break
            else:
                return True
        return False

    def moves(self):
        if self.winner is not None:
            return []
        return self.open_moves()

    def play(self, move):
        after = object.__new__(type(self))
        cell = self.cell_of(move)
        after.board = self.board.copy()
        after.board[cell] = self.player
        after.player = -self.player
        if after._is_line(cell, self.player):
            after.winner = self.player
        else:
            after.winner = None if 0 in after.board else 0
        return after


class TicTacToe(Game):
    """A move is a cell, 0 (a1) to 8 (c3)."""

    cols = 3
    through = lines_through(3, 3, 3)

    def open_moves(self):
        return [cell for cell, piece in enumerate(self.board) if piece == 0]

    def cell_of(self, move):
        return move


class ConnectFour(Game):
    """A move is a column, 0 (a) to 6 (g). Cell 0 is a1, at the bottom left."""

    cols = 7
    through = lines_through(6, 7, 4)

    def open_moves(self):
        return [column for column, piece in enumerate(self.board[35:]) if piece == 0]

    def cell_of(self, move):
        cell = move
        while self.board[cell]:
            cell += 7
        return cell
