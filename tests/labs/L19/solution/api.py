"""The address that answers with a move: POST /api/ai-move. Here only the function behind it.

A request is what json.loads gives: {"board": [nine marks "X", "O" or " "], "player": "X" or "O"}.
"""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


# ---------------------------------------------------------------- Task 6


def ai_move(request):
    """The answer to a request: (status, data).

    200 and {"move": cell} with a best move for player; 400 and {"error": sentence} for a request
    that is not understood, or for a game that is over. Whatever comes, it never raises.
    """
    if not isinstance(request, dict):
        return 400, {"error": "the request is not an object"}
    board, player = request.get("board"), request.get("player")
    if player not in ("X", "O"):
        return 400, {"error": "player must be X or O"}
    if not isinstance(board, list) or len(board) != 9:
        return 400, {"error": "board must be a list of nine marks"}
    if any(mark not in ("X", "O", " ") for mark in board):
        return 400, {"error": "a mark is X, O or a blank"}
    if winner(board) or " " not in board:
        return 400, {"error": "the game is over"}
    return 200, {"move": best_move(board, player)}


# ---------------------------------------------------------------- given


def winner(board):
    """Who has three in a row: "X", "O" or None."""
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def best_move(board, player):
    """A best move for player; the board must have a free cell and no line."""
    other = "O" if player == "X" else "X"

    def value(board, mover):
        if winner(board):
            return 1 if winner(board) == player else -1
        if " " not in board:
            return 0
        values = [
            value(after(board, cell, mover), player if mover == other else other)
            for cell in free(board)
        ]
        return max(values) if mover == player else min(values)

    if board.count(" ") == 9:
        return 4
    return max(free(board), key=lambda cell: value(after(board, cell, player), other))


def free(board):
    return [cell for cell in range(9) if board[cell] == " "]


def after(board, cell, mark):
    return board[:cell] + [mark] + board[cell + 1 :]


if __name__ == "__main__":
    for request in (
        {"board": ["X", "X", " ", "O", "O", " ", " ", " ", " "], "player": "X"},
        {"board": ["X", "X", "X", "O", "O", " ", " ", " ", " "], "player": "O"},
        {"board": "XO", "player": "X"},
        None,
    ):
        print(ai_move(request))
