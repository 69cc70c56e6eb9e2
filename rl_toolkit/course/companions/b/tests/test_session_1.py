"""Handout B, labs 1.1 to 1.3: the game."""

from companion import equal, refuses, require, take


def new_game(*args):
    return take("my_connect_four.py", "ConnectFour", 1)(*args)


def after(moves):
    game = new_game()
    for move in moves:
        game.step(move)
    return game


def test_start():
    """the start: 42 empty cells, seven moves"""
    game = new_game()
    equal(game.board, [0] * 42, "board at the start")
    equal(game.get_legal_moves(), list(range(7)), "get_legal_moves at the start")


def test_gravity():
    """column 3 twice fills cells 3 and 10: row 0 is the bottom"""
    game = after([3, 3])
    equal(int(game.board[3]), 1, "cell 3 after 3, 3")
    equal(int(game.board[10]), -1, "cell 10 after 3, 3")
    equal(game.last_move, 10, "last_move is the cell, not the column")


def test_lowest_row():
    """_find_lowest_row gives a row, or None if the column is full"""
    game = after([0, 0])
    equal(game._find_lowest_row(0), 2, "_find_lowest_row(0) with two pieces")
    equal(after([0] * 6)._find_lowest_row(0), None, "_find_lowest_row(0) with six pieces")


def test_full_column():
    """six pieces fill a column: not legal, and refused; five do not"""
    for count in (1, 5):
        moves = after([0] * count).get_legal_moves()
        equal(moves, list(range(7)), f"get_legal_moves with {count} of six pieces in column 0")
    game = after([0] * 6)
    equal(game.get_legal_moves(), [1, 2, 3, 4, 5, 6], "get_legal_moves with column 0 full")
    refuses(lambda: game.step(0), "step(0) on a full column")
    refuses(lambda: game.step(7), "step(7)")
    refuses(lambda: game.step(-1), "step(-1)")


def test_step_answers():
    """step answers with a copy of the board, X's reward, done and info"""
    game = after([6, 0, 6, 1, 5, 2, 5])
    answer = game.step(0)
    require(
        isinstance(answer, tuple) and len(answer) == 4,
        "step answers with four things: board copy, reward, done, info",
    )
    equal((float(answer[1]), bool(answer[2])), (0, False), "reward and done while nobody has won")
    board, reward, done, _ = after([6, 0, 6, 1, 5, 2, 5]).step(3)
    equal((float(reward), bool(done)), (-1, True), "reward and done when O has won")
    board = game.step(1)[0]
    board[40] = 1
    equal(int(game.board[40]), 0, "cell 40 of the game after a change of the board from step")


def test_other_sizes():
    """ConnectFour(4, 5, 3): 20 cells, five columns, three in a row"""
    game = new_game(4, 5, 3)
    equal(len(game.board), 20, "cells of ConnectFour(4, 5, 3)")
    equal(game.get_legal_moves(), [0, 1, 2, 3, 4], "get_legal_moves of ConnectFour(4, 5, 3)")
    for move in (4, 0, 4, 0):
        game.step(move)
    equal(game.last_move, 5, "last_move of ConnectFour(4, 5, 3) after 4, 0, 4, 0")
    equal(game.winner, None, "winner with two in a row")
    equal(game.copy().get_legal_moves(), [0, 1, 2, 3, 4], "get_legal_moves of its copy")
    game.step(4)
    equal(game.winner, 1, "winner with three in a row, on ConnectFour(4, 5, 3)")


def test_win_across():
    """across: 0, 0, 1, 1, 2, 2, 3"""
    equal(after([0, 0, 1, 1, 2, 2, 3]).winner, 1, "winner")


def test_win_up():
    """up: 3, 4, 3, 4, 3, 4, 3"""
    equal(after([3, 4, 3, 4, 3, 4, 3]).winner, 1, "winner")


def test_win_of_o():
    """O wins across: 6, 0, 6, 1, 5, 2, 5, 3"""
    game = after([6, 0, 6, 1, 5, 2, 5, 3])
    equal(game.winner, -1, "winner")
    equal((game.get_result(1), game.get_result(-1)), (-1, 1), "get_result of both players")


def test_win_diagonal():
    """rising diagonal: X has a1, b2, c3, d4 (erratum R22)"""
    game = after([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3])
    equal(game.winner, 1, "winner of 0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3")


def test_win_falling():
    """falling diagonal: the mirror image"""
    moves = [6 - move for move in (0, 1, 1, 2, 2, 3, 2, 3, 3, 0, 3)]
    moves[9] = 0
    equal(after(moves).winner, 1, "winner of the mirror image")


def test_nothing_wraps():
    """no line goes round the edge: cells 5, 6, 7, 8"""
    equal(after([5, 0, 6, 1, 0, 3, 1]).winner, None, "winner when X has f1, g1, a2, b2")
    for cells in ((5, 13, 21, 29), (1, 7, 13, 19)):
        game = new_game()
        game.board[list(cells)] = 1
        names = ", ".join("abcdefg"[cell % 7] + str(cell // 7 + 1) for cell in cells)
        for cell in cells:
            won = game._check_win_from_position(cell)
            require(not won, f"{names} are no line: it goes round the edge of the board")


def test_after_the_end():
    """a move after the end is refused (erratum R21)"""
    game = after([3, 4, 3, 4, 3, 4, 3])
    equal(bool(game.is_terminal()), True, "is_terminal after a win")
    refuses(lambda: game.step(0), "step(0) after X has won")


def test_draw():
    """42 pieces without a line: a draw (erratum R23)"""
    moves = []
    for a, b in ((0, 1), (2, 3), (4, 5)):
        moves += [a, b] * 3 + [b, a] * 3
    moves += [6] * 6
    game = after(moves)
    equal(bool(game.is_terminal()), True, "is_terminal of the full board")
    equal(game.get_result(1), 0, "get_result of a draw")


def test_a_board_that_was_set():
    """a full board that somebody has set is over, too (erratum R34)"""
    moves = [column for pair in ((0, 1), (2, 3), (4, 5)) for column in (*pair * 3, *pair[::-1] * 3)]
    full = after([*moves, *[6] * 6])
    game = new_game()
    game.board[:] = full.board
    equal(
        bool(game.is_terminal()), True, "is_terminal of a full board; move_count does not know it"
    )


def test_result_while_running():
    """get_result while the game runs is a ValueError"""
    refuses(lambda: after([3]).get_result(1), "get_result while the game runs")


def test_copy():
    """a copy shares nothing"""
    game = after([3])
    game.copy().step(3)
    equal(int(game.board[10]), 0, "cell 10 of the game after a move on its copy")
    equal(game.copy().current_player, -1, "current_player of a copy after column 3")
    won = after([3, 4, 3, 4, 3, 4, 3]).copy()
    equal((bool(won.is_terminal()), won.winner), (True, 1), "is_terminal and winner of a copy")


def test_hash():
    """get_state_hash depends on board and mover"""
    require(
        after([0, 1, 2]).get_state_hash() == after([2, 1, 0]).get_state_hash(),
        "0, 1, 2 and 2, 1, 0 lead to one position, and its hash must be one",
    )
    require(
        after([0]).get_state_hash() != after([0, 1]).get_state_hash(),
        "different boards have different hashes",
    )
    game, other = after([0]), after([0])
    other.current_player = -other.current_player
    require(
        game.get_state_hash() != other.get_state_hash(),
        "one board with X to move and with O to move needs two hashes",
    )


def test_names():
    """0 is a1, 6 is g1, 35 is a6, 41 is g6; and back"""
    name = take("my_names.py", "get_position_name_rect", 1)
    back = take("my_names.py", "get_index_from_name_rect", 1)
    for index, text in ((0, "a1"), (6, "g1"), (35, "a6"), (41, "g6"), (3, "d1"), (38, "d6")):
        equal(name(index, 6, 7), text, f"the name of cell {index}")
        equal(back(text, 6, 7), index, f"the cell of {text}")
    equal(name(7, 4, 5), "c2", "the name of cell 7 of 4 rows and 5 columns")
    equal(back("c2", 4, 5), 7, "the cell of c2 of 4 rows and 5 columns")


def test_picture():
    """render("ansi") shows the top row first, . X O"""
    text = after([3]).render("ansi")
    require(isinstance(text, str), 'render("ansi") returns the text')
    rows = [line for line in text.splitlines() if "." in line or "X" in line]
    equal(len(rows), 6, "rows in the picture")
    require("X" in rows[-1], "after column 3, X stands in the lowest line")
