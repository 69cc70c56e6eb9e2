"""Connect Four with plain functions: windows, an evaluation, minimax, alpha-beta, and a game.

A board is a list of six rows, ``board[r][c]`` is ' ', 'X' or 'O'. Row 0 is the bottom row, and a
piece falls to the lowest free row of its column. Columns are 0 to 6 inside, 1 to 7 (or a to g) for
people::

    5 |   |   |   |   |   |   |   |
      ...
    0 | X | O |   |   |   |   |   |
        1   2   3   4   5   6   7

Nothing but the standard library is needed: ``python connect_four.py`` plays. Scores are always from
the view of one player, ``me``; the search maximizes when ``me`` is to move and minimizes otherwise.
"""

import argparse
import math
from collections.abc import Callable

ROWS, COLS = 6, 7
EMPTY, X, O = " ", "X", "O"  # noqa: E741 - the letter is the piece

#: A finished game. Larger than any evaluation, and finite: the depth that is left is added to it,
#: so that a fast win is better than a slow one, and a slow loss better than a fast one.
WIN = 100_000

OWN_THREE, OWN_TWO, THEIR_TWO = 100, 10, -10
#: The opponent's open three weighs as much as an own one, or more for a careful player.
THEIR_THREE, THEIR_THREE_CAREFUL = -100, -120

#: Plies that each level looks ahead. Even numbers end with the opponent's answer.
LEVELS = {"easy": 2, "medium": 4, "hard": 6}

#: Columns from the centre outwards: good moves first makes alpha-beta cut more.
ORDER = (3, 2, 4, 1, 5, 0, 6)

Board = list[list[str]]


# --- The rules -------------------------------------------------------------------------------


def _windows() -> list[list[tuple[int, int]]]:
    """The cells of every four in a row on the board, as (row, column)."""
    found = []
    for row in range(ROWS):
        for col in range(COLS):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * up < ROWS and 0 <= col + 3 * right < COLS:
                    found.append([(row + k * up, col + k * right) for k in range(4)])
    return found


#: 69 windows: 24 across, 21 up, 12 on each diagonal. None of them wraps round an edge.
WINDOWS = _windows()


def create_board() -> Board:
    """An empty board."""
    return [[EMPTY] * COLS for _ in range(ROWS)]


def display(board: Board) -> str:
    """The board as text, the top row first."""
    rows = ["| " + " | ".join(row) + " |" for row in reversed(board)]
    return "\n".join([*rows, "  " + "   ".join(str(col + 1) for col in range(COLS))])


def other(player: str) -> str:
    """The opponent."""
    return O if player == X else X


def available_moves(board: Board) -> list[int]:
    """The columns whose top cell is empty."""
    return [col for col in range(COLS) if board[ROWS - 1][col] == EMPTY]


def lowest_row(board: Board, col: int) -> int | None:
    """The row where a piece lands; None if the column is full."""
    return next((row for row in range(ROWS) if board[row][col] == EMPTY), None)


def apply_move(board: Board, col: int, player: str) -> Board:
    """A new board on which ``player`` has dropped a piece; the old one is unchanged."""
    if player not in (X, O):
        raise ValueError(f"a player is 'X' or 'O', not {player!r}")
    if isinstance(col, bool) or not isinstance(col, int) or not 0 <= col < COLS:
        raise ValueError(f"a move is a column from 0 to {COLS - 1}, not {col!r}")
    row = lowest_row(board, col)
    if row is None:
        raise ValueError(f"column {col} is full")
    after = [line[:] for line in board]
    after[row][col] = player
    return after


def winner(board: Board) -> str | None:
    """'X' or 'O' if that side has four in a row, else None."""
    for (r, c), *rest in WINDOWS:
        piece = board[r][c]
        if piece != EMPTY and all(board[row][col] == piece for row, col in rest):
            return piece
    return None


def is_draw(board: Board) -> bool:
    """Whether the board is full without four in a row."""
    return not available_moves(board) and winner(board) is None


def game_over(board: Board) -> bool:
    """Whether somebody has won or the board is full."""
    return winner(board) is not None or not available_moves(board)


# --- The evaluation --------------------------------------------------------------------------


def window_score(pieces: list[str], me: str, their_three: int = THEIR_THREE) -> int:
    """What one window is worth to ``me``; nothing if both sides have pieces in it."""
    own, theirs = pieces.count(me), pieces.count(other(me))
    if own and theirs:
        return 0
    if own:
        return {4: WIN, 3: OWN_THREE, 2: OWN_TWO}.get(own, 0)
    return {4: -WIN, 3: their_three, 2: THEIR_TWO}.get(theirs, 0)


def evaluate(board: Board, me: str, their_three: int = THEIR_THREE) -> int:
    """An estimate of the position for ``me``: the sum over all windows.

    With ``their_three=-120`` a threat of the opponent counts more than an own one. That suits a
    search from one player's view, like the one below; in a negamax, where the view changes with
    every ply, it would contradict itself.
    """
    return sum(
        window_score([board[row][col] for row, col in window], me, their_three)
        for window in WINDOWS
    )


# --- The search ------------------------------------------------------------------------------

#: The positions that the two searches below have looked at. Set it to 0 before a search.
node_count = 0


def _leaf(board: Board, depth: int, me: str, their_three: int) -> int | None:
    """The score where the search ends: a finished game first, then the horizon; else None."""
    won = winner(board)
    if won is not None:
        return WIN + depth if won == me else -WIN - depth
    if not available_moves(board):
        return 0
    return evaluate(board, me, their_three) if depth == 0 else None


def minimax(board: Board, depth: int, player: str, me: str, their_three: int = THEIR_THREE) -> int:
    """The value of the board for ``me``, ``depth`` plies deep, with ``player`` to move."""
    global node_count
    node_count += 1
    value = _leaf(board, depth, me, their_three)
    if value is not None:
        return value
    values = [
        minimax(apply_move(board, col, player), depth - 1, other(player), me, their_three)
        for col in available_moves(board)
    ]
    return max(values) if player == me else min(values)


def minimax_ab(
    board: Board,
    depth: int,
    player: str,
    me: str,
    alpha: float = -math.inf,
    beta: float = math.inf,
    their_three: int = THEIR_THREE,
) -> float:
    """The value of `minimax`, without the moves that cannot change it.

    Between alpha and beta the answer is exact; at or below alpha it says "no more than that", at or
    above beta "no less".
    """
    global node_count
    node_count += 1
    value = _leaf(board, depth, me, their_three)
    if value is not None:
        return value
    best = -math.inf if player == me else math.inf
    for col in ORDER:
        if board[ROWS - 1][col] != EMPTY:
            continue
        after = apply_move(board, col, player)
        score = minimax_ab(after, depth - 1, other(player), me, alpha, beta, their_three)
        if player == me:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def best_move(board: Board, me: str, depth: int = 4, their_three: int = THEIR_THREE) -> int:
    """The best column for ``me``; of equal ones the one nearest the centre.

    There is always one, even if every move loses: losing later is better. ValueError if the game is
    over.
    """
    if game_over(board):
        raise ValueError("the game is over: there is no move to choose")
    choice, best = -1, -math.inf
    for col in ORDER:
        if col in available_moves(board):
            after = apply_move(board, col, me)
            score = minimax_ab(after, depth - 1, other(me), me, best, math.inf, their_three)
            if score > best:
                choice, best = col, score
    return choice


# --- A game ----------------------------------------------------------------------------------


def read_column(board: Board, player: str) -> int:
    """Ask until the answer is a column with room; EOFError and KeyboardInterrupt pass through."""
    while True:
        answer = input(f"{player}, your column (1-7): ").strip().lower()
        col = "1234567abcdefg".find(answer) % COLS if len(answer) == 1 else -1
        if len(answer) != 1 or answer not in "1234567abcdefg":
            print(f"'{answer}' is not a column: type a number from 1 to 7 or a letter a-g.")
        elif lowest_row(board, col) is None:
            print(f"Column {col + 1} is full.")
        else:
            return col


def play_game(players: dict[str, Callable[[Board, str], int]]) -> str | None:
    """Play one game; ``players`` choose a column for X and for O. Returns the winner."""
    board, player = create_board(), X
    while not game_over(board):
        print("\n" + display(board) + "\n")
        col = players[player](board, player)
        print(f"{player} plays column {col + 1}")
        board, player = apply_move(board, col, player), other(player)
    print("\n" + display(board) + "\n")
    won = winner(board)
    print(f"Winner: {won}" if won else "Draw")
    return won


def main() -> None:
    """``python connect_four.py`` plays against the AI; ``--two`` lets two people play."""
    parser = argparse.ArgumentParser(description="Connect Four with plain functions.")
    parser.add_argument("--level", choices=LEVELS, default="medium", help="how far the AI looks")
    parser.add_argument("--depth", type=int, choices=range(1, 9), help="plies, in place of a level")
    parser.add_argument("--careful", action="store_true", help="fear their threes more (-120)")
    parser.add_argument("--ai-first", action="store_true", help="the AI is X and moves first")
    parser.add_argument("--two", action="store_true", help="two people play")
    options = parser.parse_args()
    depth = options.depth or LEVELS[options.level]
    their_three = THEIR_THREE_CAREFUL if options.careful else THEIR_THREE

    def ai(board: Board, me: str) -> int:
        return best_move(board, me, depth, their_three)

    players: dict[str, Callable[[Board, str], int]] = {X: read_column, O: read_column}
    if not options.two:
        players[X if options.ai_first else O] = ai
    try:
        play_game(players)
    except (EOFError, KeyboardInterrupt):
        print("\nGame left. Goodbye!")


if __name__ == "__main__":
    main()
