"""The exercises of handout A: undo, time, levels, a book."""

from companion import (
    best_moves,
    drawn,
    equal,
    free,
    late_positions,
    over,
    plain,
    played,
    position,
    refuses,
    require,
    take,
    winner,
)
from test_session_2 import game_at


def extra(name):
    return take("my_extras.py", name, 5)


def test_undo():
    """undo takes back the last move, as often as there are moves"""
    game = game_at((0,) * 9, 1)
    history = extra("History")(game)
    for move in (4, 0, 8):
        history.play(move)
    history.undo()
    equal(game.board, [-1, 0, 0, 0, 1, 0, 0, 0, 0], "board after 4, 0, 8 and one undo")
    equal(game.current_player, 1, "current_player after the undo")
    history.undo()
    history.undo()
    equal(game.board, [0] * 9, "board after three undos")
    refuses(history.undo, "undo at the start")


def test_undo_after_the_end():
    """undo after the winning move: the game runs again"""
    game = game_at((0,) * 9, 1)
    history = extra("History")(game)
    for move in (0, 3, 1, 4, 2):
        history.play(move)
    history.undo()
    equal((bool(game.done), game.winner), (False, None), "done and winner after the undo")
    history.play(8)
    equal(int(game.board[8]), 1, "cell 8 after undo and another move")


class Clock:
    """A clock that says one second more at each look."""

    def __init__(self):
        self.seconds = -1

    def __call__(self):
        self.seconds += 1
        return self.seconds


def test_deepening_ends():
    """deepen with enough time finishes the whole depth and finds the win"""
    cells, mover = position("xo1/1x1/2o x")
    move, depth = extra("deepen")(game_at(cells, mover), 10_000_000, Clock())
    require(move in best_moves(cells, mover), f"cells {best_moves(cells, mover)} win, not {move}")
    equal(depth, 5, "the depth: five cells are free")


def test_deepening_without_time():
    """deepen without any time still has the move of depth 1"""
    cells, mover = position("xx1/oo1/3 x")
    move, depth = extra("deepen")(game_at(cells, mover), 0, Clock())
    equal((move, depth), (2, 1), "move and depth with 0 seconds")


def test_fresh_memo():
    """xo1/1x1/2o x: a memo of depth 1 must not answer at depth 5 (erratum R7)"""
    cells, mover = position("xo1/1x1/2o x")
    move, _ = extra("deepen")(game_at(cells, mover), 10_000_000, Clock())
    require(
        move in best_moves(cells, mover),
        "deepening keeps the values of shallow searches: an entry must know its depth, or the "
        "memo must be emptied before each depth",
    )


def blocks():
    """Positions with one move, neither the first nor the last, that stops a win in one."""
    found = []
    for cells, mover in late_positions(6, 1):
        best, wins = best_moves(cells, mover), set()
        for other in free(cells):
            if winner(played(cells, other, -mover)):
                wins.add(other)
        can_win = any(winner(played(cells, move, mover)) for move in free(cells))
        if wins == set(best) and not can_win and best[0] not in (free(cells)[0], free(cells)[-1]):
            found.append((cells, mover))
    return found[:: len(found) // 12]


def test_levels():
    """perfect keeps every result, medium sees a threat, easy a win in one and no threat"""
    choose = extra("move_at_level")
    for cells, mover in late_positions(5, 120):
        move = choose(game_at(cells, mover), "perfect")
        require(move in best_moves(cells, mover), f"perfect played {move} and gave the game away")
    cells, mover = position("o2/3/2x x")
    move = choose(game_at(cells, mover), "perfect")
    require(
        move in best_moves(cells, mover),
        f"X has c3, O has a1, X moves: c1 and a3 win in five plies, perfect played {move}",
    )
    cells, mover = position("xx1/oo1/3 x")
    equal(choose(game_at(cells, mover), "easy"), 2, "easy with a win in one")
    seen = {"easy": 0, "medium": 0}
    for cells, mover in blocks():
        for level in seen:
            move = choose(game_at(cells, mover), level)
            seen[level] += move in best_moves(cells, mover)
            require(
                level == "easy" or move in best_moves(cells, mover),
                f"{drawn(cells)}: medium sees three plies, and so that the other side would win; "
                f"it played {move}",
            )
    require(
        seen["easy"] < len(blocks()),
        "easy stops every threat of the other side: it looks further than one ply",
    )
    refuses(lambda: choose(game_at(cells, mover), "godlike"), "the level 'godlike'")


def several(moves):
    """The moves of an entry in the book, smallest first."""
    require(
        hasattr(moves, "__iter__"),
        f"an entry of the book is the list of all best moves, yours is {plain(moves)!r}",
    )
    return sorted(moves)


def test_book():
    """a book of 1 + 9 + 72 positions, each with its best moves"""
    book = extra("build_book")(3)
    equal(len(book), 82, "positions with fewer than three pieces")
    equal(several(book[(0,) * 9]), list(range(9)), "best moves of the empty board: all draw")
    for first in range(9):
        cells = played((0,) * 9, first, 1)
        equal(several(book[cells]), best_moves(cells, -1), f"best replies to cell {first}")
    require(not any(over(cells) for cells in book), "a finished game is not in a book")
