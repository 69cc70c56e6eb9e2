"""A board of Tic-Tac-Toe as data."""

X, O, EMPTY = "X", "O", " "


def create_board():
    return [EMPTY] * 9


def available_moves(board):
    return [cell for cell in range(9) if board[cell] == EMPTY]


def apply_move(board, cell, player):
    if cell < 0 or cell > 8:
        raise ValueError(f"there is no cell {cell}; cells are 0 to 8")
    if board[cell] != EMPTY:
        raise ValueError(f"cell {cell} is taken by {board[cell]}")
    after = board.copy()
    after[cell] = player
    return after


def to_text(board, player):
    rows = []
    for row in range(3):
        line, run = "", 0
        for col in range(3):
            mark = board[3 * row + col]
            if mark == EMPTY:
                run += 1
                continue
            if run:
                line += str(run)
            line += mark.lower()
            run = 0
        rows.append(line + (str(run) if run else ""))
    return "/".join(rows) + " " + player.lower()


def from_text(text):
    rows = text.split(" ")[0]
    board = []
    for letter in rows.replace("/", ""):
        if letter.isdigit():
            board += [EMPTY] * int(letter)
        else:
            board.append(letter.upper())
    return board


if __name__ == "__main__":
    board = create_board()
    print("free cells:", available_moves(board))
    later = apply_move(board, 4, X)
    print("after X takes 4:", available_moves(later))
    print("the old board:", available_moves(board))
    print("as text:", to_text(later, O))
    print("and back:", from_text("xx1/oo1/3 x"))
