ROWS, COLS = 6, 7


def create_board():
    return [["." for _ in range(COLS)] for _ in range(ROWS)]


def valid_moves(board):
    return [c for c in range(COLS) if board[0][c] == "."]


def drop_disc(board, col, player):
    new = [r[:] for r in board]
    for r in range(ROWS - 1, -1, -1):
        if new[r][col] == ".":
            new[r][col] = player
            return new
    return None


def check_win(board):
    for r in range(ROWS):
        for c in range(COLS):
            p = board[r][c]
            if p == ".":
                continue
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if all(
                    0 <= r + i * dr < ROWS
                    and 0 <= c + i * dc < COLS
                    and board[r + i * dr][c + i * dc] == p
                    for i in range(4)
                ):
                    return p
    return None


def is_tie(board):
    return not valid_moves(board) and check_win(board) is None


def evaluate(board, me, opp):
    return sum(1 for r in range(6) if board[r][3] == me) - sum(
        1 for r in range(6) if board[r][3] == opp
    )


def minimax(board, depth, maximizing, me, opp):
    w = check_win(board)
    if w == me:
        return 1000 + depth
    if w == opp:
        return -1000 - depth
    if depth == 0 or not valid_moves(board):
        return evaluate(board, me, opp)
    vals = [
        minimax(drop_disc(board, c, me if maximizing else opp), depth - 1, not maximizing, me, opp)
        for c in valid_moves(board)
    ]
    return max(vals) if maximizing else min(vals)


def choose_column(board, player, depth=3):
    opp = "O" if player == "X" else "X"
    return max(
        valid_moves(board),
        key=lambda c: minimax(drop_disc(board, c, player), depth - 1, False, player, opp),
    )
