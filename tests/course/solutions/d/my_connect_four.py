ROWS, COLS, WIN = 6, 7, 100000


def create_board():
    return [[" "] * COLS for _ in range(ROWS)]


def available_columns(board):
    return [col for col in range(COLS) if board[0][col] == " "]


def drop(board, column, player):
    after = [row[:] for row in board]
    for row in reversed(range(ROWS)):
        if after[row][column] == " ":
            after[row][column] = player
            return after
    raise ValueError("the column is full")


def windows(board):
    for row in range(ROWS):
        for col in range(COLS):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * down < ROWS and 0 <= col + 3 * right < COLS:
                    yield [board[row + i * down][col + i * right] for i in range(4)]


def winner(board):
    for window in windows(board):
        if window[0] != " " and window.count(window[0]) == 4:
            return window[0]
    return None


def is_draw(board):
    return winner(board) is None and not available_columns(board)


def window_score(window):
    mine, theirs = window.count("X"), window.count("O")
    if mine and theirs:
        return 0
    points = {4: WIN, 3: 100, 2: 10}
    return points.get(mine, 0) - points.get(theirs, 0)


def evaluate(board):
    return sum(window_score(window) for window in windows(board))


def minimax(state, depth, player):
    won = winner(state)
    if won is not None:
        return (WIN + depth) * (1 if won == "X" else -1)
    columns = available_columns(state)
    if not columns:
        return 0
    if depth == 0:
        return evaluate(state)
    rival = "O" if player == "X" else "X"
    values = [minimax(drop(state, col, player), depth - 1, rival) for col in columns]
    return max(values) if player == "X" else min(values)


def best_column(state, depth, player):
    sign, rival = (1, "O") if player == "X" else (-1, "X")
    return max(
        available_columns(state),
        key=lambda col: sign * minimax(drop(state, col, player), depth - 1, rival),
    )
