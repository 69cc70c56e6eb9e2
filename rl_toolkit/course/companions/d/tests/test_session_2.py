"""Handout D, part 3: the perfect player."""

from companion import best_moves, drawn, equal, every_reply, late_positions, require, take, value
from test_session_1 import marks


def own(name):
    return take("my_tictactoe.py", name, 2)


def test_values():
    """minimax: the value for X of 120 late positions"""
    for cells, mover in late_positions(5, 34):
        player = "X" if mover == 1 else "O"
        answer, right = own("minimax")(marks(cells), player), value(cells, mover)
        require(
            answer == right,
            f"{drawn(cells)}, {player} to move: the value for X is {right:+d}, yours is {answer!r}",
        )


def test_moves_of_both_sides():
    """best_move_for_ai: moves that keep the result, for X and for O"""
    for cells, mover in late_positions(6, 51):
        player = "X" if mover == 1 else "O"
        move, right = own("best_move_for_ai")(marks(cells), player), best_moves(cells, mover)
        require(
            move in right,
            f"{drawn(cells)}, {player} to move: {right} keep the result, your move is {move!r}",
        )


def test_board_left_alone():
    """the board that is passed in stays as it is"""
    board = list("XX OO    ")
    own("best_move_for_ai")(board, "X")
    require(
        board == list("XX OO    "),
        "best_move_for_ai leaves its moves on the board that it is given: try them on a copy",
    )


def test_never_loses():
    """against every reply to the first moves a1 and b2, as O, no game is lost"""
    chosen = own("best_move_for_ai")

    def choose(cells, mover):
        if cells.count(0) > 7:  # plain minimax needs seconds there: any good move will do
            return best_moves(cells, mover)[0]
        return chosen(marks(cells), "X" if mover == 1 else "O")

    lost = every_reply(choose, -1)
    require(lost is None, f"O loses this game: {lost}")
