"""Two people play Tic-Tac-Toe in the terminal."""

X, O, EMPTY = "X", "O", " "
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def create_board():
    return [EMPTY] * 9


def available_moves(board):
    return [cell for cell in range(9) if board[cell] == EMPTY]


def apply_move(board, cell, player):
    if cell not in available_moves(board):
        raise ValueError(f"cell {cell} is not free")
    return [*board[:cell], player, *board[cell + 1 :]]


def winner(board):
    for a, b, c in LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None


def other(player):
    return O if player == X else X


def name(cell):
    row, col = divmod(cell, 3)
    return "abc"[col] + str(row + 1)


def parse(text):
    text = text.strip().lower()
    if len(text) == 1 and text in "123456789":
        return int(text) - 1
    if len(text) == 2 and text[0] in "abc" and text[1] in "123":
        row, col = int(text[1]) - 1, "abc".index(text[0])
        return 3 * row + col
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 2 and parts[0] in ("1", "2", "3") and parts[1] in ("1", "2", "3"):
        row, col = int(parts[0]) - 1, int(parts[1]) - 1
        return 3 * row + col
    return None


def format_board(board):
    lines = ["  a b c"]
    for row in range(3):
        marks = [mark if mark != EMPTY else "." for mark in board[3 * row : 3 * row + 3]]
        lines.append(f"{row + 1} " + " ".join(marks))
    return "\n".join(lines)


def ask_move(board, player):
    while True:
        text = input(f"{player} to move (1-9, b2 or row,column; row 1 is on top): ")
        cell = parse(text)
        if cell is None:
            print(f"There is no cell {text!r}.")
        elif cell not in available_moves(board):
            print(f"{name(cell)} is taken.")
        else:
            return cell


def play():
    board, player = create_board(), X
    print(format_board(board))
    while winner(board) is None and available_moves(board):
        board = apply_move(board, ask_move(board, player), player)
        print(format_board(board))
        player = other(player)
    if winner(board) is not None:
        print("Winner:", winner(board))
    else:
        print("Draw")


if __name__ == "__main__":
    play()
