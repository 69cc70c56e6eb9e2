"""How big is Tic-Tac-Toe? Count calls, games and positions, and keep them apart.

A board is a list of nine marks: "X", "O" or " ". Every function counts from any board, with the
player to move, so you can test on small boards first.
"""

X, O, EMPTY = "X", "O", " "
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

SMALL = ["X", " ", "X", " ", "O", " ", "O", "X", "O"]  # the board in the picture, X to move


# The rules are ready. Use them.


# given: tictactoe_rules


def images(board):
    """The board turned and in a mirror: eight lists, the board itself among them."""
    found = []
    for _ in range(4):
        board = [board[cell] for cell in (6, 3, 0, 7, 4, 1, 8, 5, 2)]  # a quarter turn
        mirrored = [board[cell] for cell in (2, 1, 0, 5, 4, 3, 8, 7, 6)]
        found += [board, mirrored]
    return found


# These are yours.


def count_nodes(board, player):
    """The calls of minimax that begin here, this one included."""
    return None  # TODO 1


def count_games(board, player):
    """The different ways to finish the game from here."""
    return None  # TODO 2


def by_ply(board, player):
    """A list: calls 0 moves deep (1), 1 move deep, 2 moves deep, … down to the deepest."""
    return None  # TODO 3


def count_positions(board, player):
    """The different positions that can be reached from here, this one included."""
    return None  # TODO 4


def count_classes(board, player):
    """As count_positions, but mirrored and turned boards count once."""
    return None  # TODO 5


if __name__ == "__main__":
    print("small board:", count_nodes(SMALL, X), "calls,", count_games(SMALL, X), "games")
    print("small board:", by_ply(SMALL, X), "by ply")
    print(
        "small board:", count_positions(SMALL, X), "positions,", count_classes(SMALL, X), "classes"
    )
    if count_classes(SMALL, X) is not None:
        print("From the empty board, in a few seconds:")
        print("calls:", count_nodes(create_board(), X))
        print("games:", count_games(create_board(), X))
        print("by ply:", by_ply(create_board(), X))
        print("positions:", count_positions(create_board(), X))
        print("classes:", count_classes(create_board(), X))
