"""Tic-Tac-Toe with plain functions: minimax, alpha-beta, and a game against them.

A board is a list of nine strings, ' ', 'X' or 'O', numbered like this::

     0 | 1 | 2
    ---+---+---
     3 | 4 | 5
    ---+---+---
     6 | 7 | 8

The AI is X, moves first and maximizes; you are O and minimize. A finished game is worth +1 to X,
-1 to O, 0 if drawn. Nothing but the standard library is needed: ``python bot_battle.py`` plays and
then shows how many positions each search looks at (``--count`` shows only that).
"""

import argparse
import math
import sys
import time
from collections.abc import Callable

EMPTY, X, O = " ", "X", "O"  # noqa: E741 - the letter is the piece

WIN_LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8),  # rows
    (0, 3, 6), (1, 4, 7), (2, 5, 8),  # columns
    (0, 4, 8), (2, 4, 6),             # diagonals
]  # fmt: skip

CELLS = [str(move) for move in range(9)]

Board = list[str]


# --- The rules -------------------------------------------------------------------------------


def create_board() -> Board:
    """An empty board."""
    return [EMPTY] * 9


def print_board(board: Board) -> None:
    """Print the board; a free cell shows its number, which is what a player types."""
    cells = [cell if cell != EMPTY else str(move) for move, cell in enumerate(board)]
    rows = [" " + " | ".join(cells[start : start + 3]) for start in (0, 3, 6)]
    print("\n" + "\n---+---+---\n".join(rows) + "\n")


def check_winner(board: Board) -> str | None:
    """'X' or 'O' if that side has three in a row, else None."""
    for a, b, c in WIN_LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None


def get_available_moves(board: Board) -> list[int]:
    """The free cells, in index order."""
    return [move for move, cell in enumerate(board) if cell == EMPTY]


def is_terminal(board: Board) -> bool:
    """Whether the game is over: somebody has won or the board is full."""
    return check_winner(board) is not None or EMPTY not in board


def make_move(board: Board, position: int, player: str) -> Board:
    """A new board on which ``player`` has taken cell ``position``; the old one is unchanged."""
    if player not in (X, O):
        raise ValueError(f"a player is 'X' or 'O', not {player!r}")
    if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position <= 8:
        raise ValueError(f"a move is a cell from 0 to 8, not {position!r}")
    if board[position] != EMPTY:
        raise ValueError(f"cell {position} is already taken by {board[position]}")
    return [*board[:position], player, *board[position + 1 :]]


def utility(board: Board) -> int:
    """What a finished game is worth to X: +1, 0 or -1."""
    return {X: 1, O: -1, None: 0}[check_winner(board)]


# --- Minimax ---------------------------------------------------------------------------------


def minimax(board: Board, is_maximizing: bool) -> int:
    """The value of the board to X with best play; X is to move if ``is_maximizing``."""
    if is_terminal(board):
        return utility(board)
    player = X if is_maximizing else O
    values = (
        minimax(make_move(board, move, player), not is_maximizing)
        for move in get_available_moves(board)
    )
    return max(values) if is_maximizing else min(values)


def find_best_move(board: Board) -> int:
    """X's best move by minimax; ValueError if the game is over."""
    return _best_move(board, lambda after, alpha: minimax(after, False))


# --- Alpha-beta ------------------------------------------------------------------------------


def alpha_beta(board: Board, alpha: float, beta: float, is_maximizing: bool) -> int:
    """The value of the board to X, as far as it matters between ``alpha`` and ``beta``.

    X is already sure of ``alpha`` elsewhere in the tree and O of ``beta``. Between the two the
    answer is exact; an answer <= alpha says "no more than that", one >= beta "no less".
    """
    if is_terminal(board):
        return utility(board)
    player = X if is_maximizing else O
    best = -2 if is_maximizing else 2  # worse for the mover than any result
    for move in get_available_moves(board):
        value = alpha_beta(make_move(board, move, player), alpha, beta, not is_maximizing)
        if is_maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break  # the other side has something better earlier on and never comes here
    return best


def find_best_move_ab(board: Board) -> int:
    """X's best move by alpha-beta: the move `find_best_move` gives, found sooner."""
    return _best_move(board, lambda after, alpha: alpha_beta(after, alpha, math.inf, False))


def _best_move(board: Board, value_after: Callable[[Board, float], int]) -> int:
    """The first of X's moves with the highest value, but one that wins at once before any other.

    Values say who wins, not when: a win in three is +1 like a win now, and a side that puts its
    win off for ever as "just as good" never wins. So the winning cell is looked for first.

    ``value_after(board, alpha)`` gives the value after a move; ``alpha`` is what X is sure of
    already, so a move that is no better need not be valued exactly.
    """
    if is_terminal(board):
        raise ValueError("the game is over: there is no move to choose")
    moves = get_available_moves(board)
    for move in moves:
        if check_winner(make_move(board, move, X)) == X:
            return move
    best_move, best = moves[0], -math.inf
    for move in moves:
        value = value_after(make_move(board, move, X), best)
        if value > best:
            best_move, best = move, value
    return best_move


# --- The same searches, counting the positions they look at ------------------------------------

#: The calls of the two searches below. Set it to 0 before a search, read it afterwards.
node_count = 0


def minimax_counted(board: Board, is_maximizing: bool) -> int:
    """`minimax`, counting every call in ``node_count``, this one included."""
    global node_count
    node_count += 1
    if is_terminal(board):
        return utility(board)
    player = X if is_maximizing else O
    values = [
        minimax_counted(make_move(board, move, player), not is_maximizing)
        for move in get_available_moves(board)
    ]
    return max(values) if is_maximizing else min(values)


def alpha_beta_counted(board: Board, alpha: float, beta: float, is_maximizing: bool) -> int:
    """`alpha_beta`, counting every call in ``node_count``, this one included."""
    global node_count
    node_count += 1
    if is_terminal(board):
        return utility(board)
    player = X if is_maximizing else O
    best = -2 if is_maximizing else 2
    for move in get_available_moves(board):
        value = alpha_beta_counted(make_move(board, move, player), alpha, beta, not is_maximizing)
        if is_maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def compare_searches() -> None:
    """Count both searches from the empty board, and print what pruning saves."""
    global node_count
    print("Counting the positions that each search looks at from the empty board ...")
    node_count = 0
    minimax_counted(create_board(), True)
    plain = node_count
    print(f"minimax     {plain:>9,}")
    node_count = 0
    alpha_beta_counted(create_board(), -math.inf, math.inf, True)
    print(f"alpha-beta  {node_count:>9,}")
    saved = plain - node_count
    print(f"Pruning saves {saved:,} of {plain:,} positions: {100 * saved / plain:.1f} %.")


# --- A game ----------------------------------------------------------------------------------


def read_move(board: Board) -> int:
    """Ask until the answer is a free cell; EOFError and KeyboardInterrupt pass through."""
    while True:
        answer = input("Your move (0-8): ").strip()
        if answer not in CELLS:
            print(f"'{answer}' is not a cell of the board: type a number from 0 to 8.")
        elif board[int(answer)] != EMPTY:
            free = ", ".join(map(str, get_available_moves(board)))
            print(f"Cell {answer} is already taken by {board[int(answer)]}. Free cells: {free}.")
        else:
            return int(answer)


def play_game() -> bool:
    """Play one game in the terminal: you are O, the AI is X and moves first.

    True if it was played to its end; Ctrl-C and the end of the input leave it.
    """
    print("Tic-Tac-Toe: you are O, the AI is X and moves first. Ctrl-C leaves the game.")
    board, player = create_board(), X
    try:
        while not is_terminal(board):
            if player == X:
                print("AI is thinking...")
                started = time.perf_counter()
                move = find_best_move_ab(board)
                spent = time.perf_counter() - started
                print(f"AI plays position {move} ({spent:.3f} s)")
            else:
                print_board(board)
                move = read_move(board)
            board = make_move(board, move, player)
            player = O if player == X else X
    except (EOFError, KeyboardInterrupt):
        print("\nGame left. Goodbye!")
        return False
    print_board(board)
    print({X: "The AI wins.", O: "You win!", None: "A draw."}[check_winner(board)])
    return True


def main() -> None:
    """``python bot_battle.py`` plays a game, then counts positions; ``--count`` only counts."""
    parser = argparse.ArgumentParser(description="Tic-Tac-Toe against a perfect player.")
    parser.add_argument(
        "--count", action="store_true", help="only show how many positions pruning saves"
    )
    only_count: bool = parser.parse_args().count
    try:
        if only_count or play_game():
            compare_searches()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
