import math

WIN_LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

node_count = 0


def create_board():
    return [" "] * 9


def print_board(board):
    for row in (0, 3, 6):
        print("|".join(board[row : row + 3]))


def check_winner(board):
    for a, b, c in WIN_LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def get_available_moves(board):
    return [i for i in range(9) if board[i] == " "]


def is_terminal(board):
    return check_winner(board) is not None or " " not in board


def make_move(board, position, player):
    new_board = board[:]
    new_board[position] = player
    return new_board


def utility(board):
    won = check_winner(board)
    return 1 if won == "X" else -1 if won == "O" else 0


def minimax(board, is_maximizing):
    if is_terminal(board):
        return utility(board)
    player = "X" if is_maximizing else "O"
    values = [
        minimax(make_move(board, m, player), not is_maximizing) for m in get_available_moves(board)
    ]
    return max(values) if is_maximizing else min(values)


def find_best_move(board):
    best_value, best = -math.inf, None
    for move in get_available_moves(board):
        value = minimax(make_move(board, move, "X"), False)
        if value > best_value:
            best_value, best = value, move
    return best


def alpha_beta(board, alpha, beta, is_maximizing):
    if is_terminal(board):
        return utility(board)
    best = -math.inf if is_maximizing else math.inf
    for move in get_available_moves(board):
        child = make_move(board, move, "X" if is_maximizing else "O")
        value = alpha_beta(child, alpha, beta, not is_maximizing)
        if is_maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def find_best_move_ab(board):
    best_value, best = -math.inf, None
    for move in get_available_moves(board):
        value = alpha_beta(make_move(board, move, "X"), best_value, math.inf, False)
        if value > best_value:
            best_value, best = value, move
    return best


def minimax_counted(board, is_maximizing):
    global node_count
    node_count += 1
    if is_terminal(board):
        return utility(board)
    player = "X" if is_maximizing else "O"
    values = [
        minimax_counted(make_move(board, m, player), not is_maximizing)
        for m in get_available_moves(board)
    ]
    return max(values) if is_maximizing else min(values)


def alpha_beta_counted(board, alpha, beta, is_maximizing):
    global node_count
    node_count += 1
    if is_terminal(board):
        return utility(board)
    best = -math.inf if is_maximizing else math.inf
    for move in get_available_moves(board):
        child = make_move(board, move, "X" if is_maximizing else "O")
        value = alpha_beta_counted(child, alpha, beta, not is_maximizing)
        if is_maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def play_game():
    board = create_board()
    while not is_terminal(board):
        print("AI is thinking...")
        board = make_move(board, find_best_move_ab(board), "X")
        print_board(board)
        if is_terminal(board):
            break
        while True:
            text = input("Your move (0-8): ")
            if not text.isdigit() or not 0 <= int(text) <= 8:
                print("Enter a number 0-8.")
            elif board[int(text)] != " ":
                print("That cell is taken!")
            else:
                break
        board = make_move(board, int(text), "O")
    print("Winner:", check_winner(board))


if __name__ == "__main__":
    play_game()
