LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def create_board():
    return [" "] * 9


def display(board):
    for row in (0, 3, 6):
        print(" " + " | ".join(board[row : row + 3]))


def available_moves(board):
    return [cell for cell in range(9) if board[cell] == " "]


def apply_move(board, move, player):
    after = board[:]
    after[move] = player
    return after


def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def is_draw(board):
    return winner(board) is None and " " not in board


def game_over(board):
    return winner(board) is not None or is_draw(board)


def other(player):
    return "O" if player == "X" else "X"


def ask(board, player):
    while True:
        text = input(f"{player}, cell 1-9: ")
        if text.isdigit() and 1 <= int(text) <= 9 and board[int(text) - 1] == " ":
            return int(text) - 1
        print("That is not a free cell from 1 to 9.")


def play():
    board, player = create_board(), "X"
    while not game_over(board):
        display(board)
        board = apply_move(board, ask(board, player), player)
        player = other(player)
    display(board)
    if winner(board):
        print("Winner:", winner(board))
    else:
        print("Draw")


def minimax(state, player_to_move):
    if game_over(state):
        return {"X": 1, "O": -1, None: 0}[winner(state)]
    values = [
        minimax(apply_move(state, move, player_to_move), other(player_to_move))
        for move in available_moves(state)
    ]
    return max(values) if player_to_move == "X" else min(values)


def best_move_for_ai(state, player):
    sign = 1 if player == "X" else -1
    return max(
        available_moves(state),
        key=lambda move: sign * minimax(apply_move(state, move, player), other(player)),
    )


if __name__ == "__main__":
    play()
