"""Handout C, section 4: the brain. find_best_move plays X."""

from companion import best_moves, drawn, equal, late_positions, position, require, take, value


def own(name):
    return take("my_game.py", name, 2)


def marks(cells):
    return [" XO"[cell] for cell in cells]


def test_utility():
    """utility: +1, -1, 0"""
    for text, right in (("XXX.O.O..", 1), ("OOOXX.X..", -1), ("XOXXOOOXX", 0)):
        equal(own("utility")(list(text.replace(".", " "))), right, f"utility({text!r})")


def test_values():
    """minimax: the value of 100 late positions, both sides to move"""
    minimax = own("minimax")
    for cells, mover in late_positions(5, 26):
        answer, right = minimax(marks(cells), mover == 1), value(cells, mover)
        require(
            answer == right,
            f"{drawn(cells)}, {'X' if mover == 1 else 'O'} to move: the value is {right:+d}, yours "
            f"is {answer!r}. Is the flag turned for the next level, and the end tested first?",
        )


def test_board_left_alone():
    """minimax leaves the board alone"""
    before = marks(position("xx1/oo1/3 x")[0])
    given = list(before)
    own("minimax")(given, True)
    require(given == before, "minimax left its moves on the board that it was given")


def test_best_move():
    """find_best_move: X's first best move in 60 positions"""
    find = own("find_best_move")
    for cells, mover in late_positions(6, 37):
        if mover == 1:
            move, right = find(marks(cells)), best_moves(cells, 1)
            require(
                move in right, f"{drawn(cells)}, X to move: {right} keep the result, not {move!r}"
            )
