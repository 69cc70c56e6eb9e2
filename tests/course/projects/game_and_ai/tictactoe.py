def new_board():
    return [[" ", " ", " "], [" ", " ", " "], [" ", " ", " "]]


def show(board):
    for row in board:
        print("|".join(row))


def free_cells(board):
    cells = []
    for r in range(3):
        for c in range(3):
            if board[r][c] == " ":
                cells.append((r, c))
    return cells


def place(board, row, col, player):
    board[row][col] = player


def get_winner(board):
    for i in range(3):
        if board[i][0] == board[i][1] == board[i][2] != " ":
            return board[i][0]
        if board[0][i] == board[1][i] == board[2][i] != " ":
            return board[0][i]
    if board[0][0] == board[1][1] == board[2][2] != " ":
        return board[0][0]
    if board[0][2] == board[1][1] == board[2][0] != " ":
        return board[0][2]
    return None


def is_draw(board):
    return get_winner(board) is None and len(free_cells(board)) == 0


def minimax(board, player, ai):
    w = get_winner(board)
    human = "O" if ai == "X" else "X"
    if w == ai:
        return 1
    if w == human:
        return -1
    if is_draw(board):
        return 0
    scores = []
    for r, c in free_cells(board):
        place(board, r, c, player)
        scores.append(minimax(board, "O" if player == "X" else "X", ai))
        board[r][c] = " "
    return max(scores) if player == ai else min(scores)


def best_move(board, ai):
    best, move = -2, None
    for r, c in free_cells(board):
        place(board, r, c, ai)
        s = minimax(board, "O" if ai == "X" else "X", ai)
        board[r][c] = " "
        if s > best:
            best, move = s, (r, c)
    return move


def main():
    board = new_board()
    player = "X"
    while True:
        show(board)
        try:
            row = int(input(player + " row (1-3): ")) - 1
            col = int(input(player + " column (1-3): ")) - 1
        except ValueError:
            print("Please type a number")
            continue
        if row not in range(3) or col not in range(3) or board[row][col] != " ":
            print("Invalid move")
            continue
        place(board, row, col, player)
        if get_winner(board):
            show(board)
            print("Player " + player + " wins!")
            break
        if is_draw(board):
            show(board)
            print("It's a draw!")
            break
        player = "O" if player == "X" else "X"


if __name__ == "__main__":
    main()
