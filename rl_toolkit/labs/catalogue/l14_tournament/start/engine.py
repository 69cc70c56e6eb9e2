"""Connect Four for tournaments: rules, a search of depth 2, three evaluations. Given.

A board is a list of 42 cells, row by row from the bottom: 1 (X), -1 (O) or 0 (empty). Cell 0 is a1,
cell 3 is d1, cell 7 is a2, cell 41 is g6. An evaluation takes a board and returns X's points.
"""

ROWS, COLS = 6, 7
WIN = 100_000
DEPTH = 2


def make_windows():
    """The 69 groups of four cells in a row."""
    found = []
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(ROWS):
            for column in range(COLS):
                if row + 3 * up < ROWS and 0 <= column + 3 * right < COLS:
                    found.append([(row + i * up) * COLS + column + i * right for i in range(4)])
    return found


WINDOWS = make_windows()
THROUGH = [[[o for o in w if o != cell] for w in WINDOWS if cell in w] for cell in range(42)]

# ---------------------------------------------------------------- three evaluations


def none(cells):
    """Knows nothing: the search sees wins and losses, and nothing else."""
    return 0


def centre(cells):
    """Three points for each disc in the middle column."""
    return 3 * sum(cells[3::COLS])


def windows(cells):
    """Windows with three discs 100, with two discs 10, and the middle column."""
    score = centre(cells)
    for a, b, c, d in WINDOWS:
        window = (cells[a], cells[b], cells[c], cells[d])
        if 1 in window:
            if -1 not in window:
                score += (0, 0, 10, 100, 0)[sum(window)]
        elif -1 in window:
            score -= (0, 0, 10, 100, 0)[-sum(window)]
    return score


# ---------------------------------------------------------------- rules and search


def landing(cells, column):
    """The cell where a disc lands; None if the column is full."""
    while column < len(cells) and cells[column]:
        column += COLS
    return column if column < len(cells) else None


def wins_at(cells, cell, player):
    """True if the player's disc on this cell completes four in a row."""
    for a, b, c in THROUGH[cell]:
        if cells[a] == player and cells[b] == player and cells[c] == player:
            return True
    return False


def search(cells, player, evaluate, depth=DEPTH, alpha=-10 * WIN, beta=10 * WIN):
    """The value for the player to move, and the best column; of equal columns the first."""
    best, best_column = None, None
    for column in range(COLS):
        cell = landing(cells, column)
        if cell is None:
            continue
        cells[cell] = player
        if wins_at(cells, cell, player):
            value = WIN + depth
        elif 0 not in cells:
            value = 0
        elif depth == 1:
            value = player * evaluate(cells)
        else:
            value = -search(cells, -player, evaluate, depth - 1, -beta, -alpha)[0]
        cells[cell] = 0
        if best is None or value > best:
            best, best_column = value, column
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, best_column


def play_game(evaluate_x, evaluate_o, opening):
    """X's result, 1, 0 or -1, of a game that begins with the two columns of the opening."""
    cells, player = [0] * 42, 1
    for number in range(42):
        evaluate = evaluate_x if player == 1 else evaluate_o
        column = opening[number] if number < 2 else search(cells, player, evaluate)[1]
        cell = landing(cells, column)
        cells[cell] = player
        if wins_at(cells, cell, player):
            return player
        player = -player
    return 0
