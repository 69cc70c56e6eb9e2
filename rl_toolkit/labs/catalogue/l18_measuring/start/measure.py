"""How strong is a player of Tic-Tac-Toe, and how sure are we?

A board is a list of nine marks: "X", "O" or " ". A player is a function: player(board, mark) gives
the list of moves that it might play; one of them is drawn, each with the same chance. A player
that always knows what it wants gives a list of one move.
"""

import math
import random

X, O, EMPTY = "X", "O", " "
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


# ---------------------------------------------------------------- given: the rules


def create_board():
    """A new empty board."""
    return [EMPTY] * 9


def other(mark):
    """The opponent."""
    return O if mark == X else X


def available_moves(board):
    """The numbers of the free cells, smallest first."""
    return [cell for cell in range(9) if board[cell] == EMPTY]


def apply_move(board, cell, mark):
    """A new board on which mark has taken the cell."""
    return [*board[:cell], mark, *board[cell + 1 :]]


def winner(board):
    """X or O if that side has three in a line, else None."""
    for a, b, c in LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None


def is_over(board):
    """Whether the game has ended."""
    return winner(board) is not None or EMPTY not in board


_VALUES = {}


def value(board, mark):
    """The result for X with best play when mark is to move: 1, 0 or -1."""
    key = "".join(board) + mark
    if key not in _VALUES:
        if is_over(board):
            _VALUES[key] = {X: 1, O: -1, None: 0}[winner(board)]
        else:
            best = max if mark == X else min
            _VALUES[key] = best(
                value(apply_move(board, move, mark), other(mark)) for move in available_moves(board)
            )
    return _VALUES[key]


def all_positions():
    """The 4,520 positions with a move to make, as pairs (board, mark to move)."""
    found, waiting = {}, [(create_board(), X)]
    while waiting:
        board, mark = waiting.pop()
        if "".join(board) not in found and not is_over(board):
            found["".join(board)] = board, mark
            for move in available_moves(board):
                waiting.append((apply_move(board, move, mark), other(mark)))
    return list(found.values())


# ---------------------------------------------------------------- given: players


def randomly(board, mark):
    """Any free cell."""
    return available_moves(board)


def first_free(board, mark):
    """The first free cell."""
    return available_moves(board)[:1]


def perfect(board, mark):
    """The first move that keeps the value."""
    for move in available_moves(board):
        if value(apply_move(board, move, mark), other(mark)) == value(board, mark):
            return [move]


def looks_one_ahead(board, mark):
    """A win at once if there is one, else any free cell."""
    moves = available_moves(board)
    return [m for m in moves if winner(apply_move(board, m, mark)) == mark] or moves


def play_game(x, o):
    """One game of two players; the result for X: 1, 0 or -1."""
    board, mark = create_board(), X
    while not is_over(board):
        moves = (x if mark == X else o)(board, mark)
        board, mark = apply_move(board, random.choice(moves), mark), other(mark)
    return {X: 1, O: -1, None: 0}[winner(board)]


# ---------------------------------------------------------------- Task 1


def wilson(wins, games, z=1.96):
    """The interval (low, high) in which the true share of wins lies, with 95 % confidence."""
    return None  # TODO 1


# ---------------------------------------------------------------- Task 2


def match(a, b, games):
    """[wins, draws, losses] of player a. a is X in games 0, 2, 4, ... and O in 1, 3, 5, ..."""
    return None  # TODO 2


# ---------------------------------------------------------------- Task 3


def exact_vs_random(player, seat, board, mark):
    """The chances (win, draw, loss) of player against random moves, without playing one game.

    player has the seat X or O, the other side plays randomly; mark is to move on this board.
    """
    return None  # TODO 3


# ---------------------------------------------------------------- Task 4


def grade(player, positions):
    """How much of the player's choice keeps the result, from 0 to 1, averaged over positions."""
    return None  # TODO 4


# ---------------------------------------------------------------- given: a report


def main():
    random.seed(1)
    if wilson(3, 5) is not None:
        for wins, games in ((3, 5), (60, 100), (600, 1000)):
            low, high = wilson(wins, games)
            print(f"{wins} of {games} won: {low:.3f} to {high:.3f}")
    if match(perfect, randomly, 2) is not None:
        for a, b in ((looks_one_ahead, randomly), (randomly, randomly)):
            wins, draws, losses = match(a, b, 100)
            print(f"{a.__name__}: {wins} won, {draws} drawn, {losses} lost against {b.__name__}")
    if exact_vs_random(perfect, X, create_board(), X) is not None:
        for player in (perfect, looks_one_ahead, randomly):
            for seat in (X, O):
                win, draw, loss = exact_vs_random(player, seat, create_board(), X)
                print(f"{player.__name__:15} as {seat}: {win:.4f} {draw:.4f} {loss:.4f}")
    if grade(perfect, [(create_board(), X)]) is not None:
        for player in (perfect, looks_one_ahead, first_free, randomly):
            print(f"grade of {player.__name__:15} {grade(player, all_positions()):.4f}")
    else:
        print("Something is not written yet.")


if __name__ == "__main__":
    main()
