HUMAN, AI = "O", "X"


def new_board():
    return [0] * 9


def print_board(b):
    print(b)


def legal_moves(b):
    return [i + 1 for i, v in enumerate(b) if v == 0]


def make_move(b, move, player):
    b[move - 1] = player


def undo_move(b, move):
    b[move - 1] = 0


W = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def check_winner(b):
    for x, y, z in W:
        if b[x] != 0 and b[x] == b[y] == b[z]:
            return b[x]
    return 0


def is_draw(b):
    return check_winner(b) == 0 and 0 not in b


def is_over(b):
    return check_winner(b) != 0 or 0 not in b


def minimax(b, player):
    w = check_winner(b)
    if w:
        return w * player
    if 0 not in b:
        return 0
    best = -2
    for m in legal_moves(b):
        make_move(b, m, player)
        best = max(best, -minimax(b, -player))
        undo_move(b, m)
    return best


def best_move(b, player):
    best, choice = -2, None
    for m in legal_moves(b):
        make_move(b, m, player)
        v = -minimax(b, -player)
        undo_move(b, m)
        if v > best:
            best, choice = v, m
    return choice


def main():
    input("1) two players 2) computer: ")
    b, p = new_board(), 1
    while not is_over(b):
        print_board(b)
        t = input("cell: ")
        if not t.isdigit() or int(t) not in legal_moves(b):
            print("no")
            continue
        make_move(b, int(t), p)
        p = -p
    w = check_winner(b)
    print("Player 1 wins!" if w == 1 else "Player 2 wins!" if w == -1 else "It's a tie")


if __name__ == "__main__":
    main()
