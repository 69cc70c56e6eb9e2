"""Connect Four for the search. It is right: do not change it.

    game.player        whose turn it is: 1 (X) or -1 (O)
    game.winner        1 or -1, 0 for a draw, None while the game runs
    game.moves()       the columns that are not full, 0 (a) to 6 (g); none when the game is over
    game.play(column)  a NEW game in which the move has been made

>>> game = ConnectFour().play(3)
>>> game.player, game.moves()
(-1, [0, 1, 2, 3, 4, 5, 6])
"""

ROWS, COLS = 6, 7


def _lines_through():
    """For each cell the fours that contain it, without the cell itself."""
    through = [[] for _ in range(ROWS * COLS)]
    for row in range(ROWS):
        for col in range(COLS):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * up < ROWS and 0 <= col + 3 * right < COLS:
                    four = [(row + i * up) * COLS + col + i * right for i in range(4)]
                    for cell in four:
                        through[cell].append([other for other in four if other != cell])
    return through


_THROUGH = _lines_through()


class ConnectFour:
    """A position. The board has 42 cells, 1, -1 or 0; cell 0 is a1, at the bottom left."""

    def __init__(self, player=1):
        self.board = [0] * (ROWS * COLS)
        self.player = player  # who moves first
        self.winner = None

    def moves(self):
        if self.winner is not None:
            return []
        return [col for col, piece in enumerate(self.board[-COLS:]) if piece == 0]

    def play(self, column):
        after = object.__new__(ConnectFour)
        board, piece = self.board.copy(), self.player
        cell = column
        while board[cell]:
            cell += COLS
        board[cell] = piece
        after.board, after.player, after.winner = board, -piece, None
        for a, b, c in _THROUGH[cell]:
            if board[a] == board[b] == board[c] == piece:
                after.winner = piece
                return after
        if 0 not in board:
            after.winner = 0
        return after
