"""Handout A, labs 1.1 to 1.3: the game."""

from companion import equal, refuses, require, take


def new_game(*args, **named):
    return take("my_tictactoe.py", "TicTacToe", 1)(*args, **named)


def after(moves):
    game = new_game()
    answer = None
    for move in moves:
        answer = game.step(move)
    return game, answer


def test_start():
    """the start: nine empty cells, X to move"""
    game = new_game()
    equal(game.board, [0] * 9, "board at the start")
    equal(game.current_player, 1, "current_player at the start (X is +1)")
    equal(bool(game.done), False, "done at the start")
    equal(game.winner, None, "winner at the start")


def test_legal_moves():
    """nine legal moves, eight after cell 4, seven after cells 4 and 0"""
    game = new_game()
    equal(game.get_legal_actions(), list(range(9)), "get_legal_actions at the start")
    game.step(4)
    equal(game.get_legal_actions(), [0, 1, 2, 3, 5, 6, 7, 8], "get_legal_actions after cell 4")
    game.step(0)
    equal(game.get_legal_actions(), [1, 2, 3, 5, 6, 7, 8], "get_legal_actions after cells 4 and 0")


def test_reset():
    """reset empties the board"""
    game, _ = after([0, 4])
    game.reset()
    equal(game.board, [0] * 9, "board after reset")
    equal(game.current_player, 1, "current_player after reset")


def test_x_wins_a_row():
    """0, 3, 1, 4, 2: X wins the top row, reward +1"""
    game, (_, reward, done, info) = after([0, 3, 1, 4, 2])
    equal((reward, bool(done)), (1, True), "reward and done")
    equal(info["winner"], 1, "info['winner']")
    equal(sorted(info["winning_line"]), [0, 1, 2], "info['winning_line']")


def test_o_wins_a_column():
    """1, 0, 4, 3, 8, 6: O wins the first column, reward -1"""
    _, (_, reward, _, info) = after([1, 0, 4, 3, 8, 6])
    equal(reward, -1, "reward when O wins: it is X's view")
    equal(sorted(info["winning_line"]), [0, 3, 6], "info['winning_line']")


def test_x_wins_a_diagonal():
    """0, 1, 4, 2, 8 and 2, 0, 4, 1, 6: X wins a diagonal, either of them"""
    game, (_, _, _, info) = after([0, 1, 4, 2, 8])
    equal(sorted(info["winning_line"]), [0, 4, 8], "info['winning_line']")
    equal(game.board, [1, -1, -1, 0, 1, 0, 0, 0, 1], "board")
    _, (_, reward, done, info) = after([2, 0, 4, 1, 6])
    equal((reward, bool(done)), (1, True), "reward and done after 2, 0, 4, 1, 6, X has c1, b2, a3")
    equal(sorted(info["winning_line"]), [2, 4, 6], "info['winning_line'] after 2, 0, 4, 1, 6")


def test_draw():
    """a draw: done, reward 0, winner 0 or None"""
    game, (_, reward, done, _) = after([0, 1, 2, 4, 3, 5, 7, 6, 8])
    equal((reward, bool(done)), (0, True), "reward and done on a full board without a line")
    require(game.winner in (0, None), f"winner of a draw is 0 or None, not {game.winner!r}")


def test_a_win_with_the_last_cell():
    """a win with the last cell is a win, not a draw"""
    _, (_, reward, _, _) = after([0, 1, 2, 3, 4, 5, 7, 6, 8])
    equal(reward, 1, "reward of 0, 1, 2, 3, 4, 5, 7, 6, 8: the full board has the line 0, 4, 8")


def test_copy():
    """a copy shares nothing"""
    game, _ = after([4])
    other = game.copy()
    other.step(0)
    equal(game.board[0], 0, "cell 0 of the game after a move on its copy")
    equal(game.current_player, -1, "current_player of the game after a move on its copy")
    over, _ = after([0, 3, 1, 4, 2])
    equal((bool(over.copy().done), over.copy().winner), (True, 1), "done and winner of a copy")


def test_step_returns_a_copy():
    """the board that step returns is a copy"""
    game = new_game()
    board, *_ = game.step(4)
    board[0] = 1
    equal(game.board[0], 0, "cell 0 after somebody wrote into the board that step returned")


def test_larger_board():
    """4x4: sixteen cells, four in a row"""
    game = new_game(4)
    equal(len(game.board), 16, "cells of TicTacToe(4)")
    for move in (0, 4, 1, 5, 2):
        _, _, done, _ = game.step(move)
    equal(bool(done), False, "done after three in a row on 4x4")
    game.step(6)
    _, reward, done, info = game.step(3)
    equal((reward, bool(done)), (1, True), "reward and done after four in a row")


def test_no_line_goes_round_an_edge():
    """4x4 with three in a row: cells 2, 3, 4 are no line, 5, 6, 7 and 9, 6, 3 are"""
    lines, no_lines = ((5, 6, 7), (9, 6, 3)), ((2, 3, 4), (4, 7, 10), (3, 8, 13))
    for cells, is_line in [*((c, False) for c in no_lines), *((c, True) for c in lines)]:
        game, others = new_game(4, 3), iter((0, 12))
        for cell in cells:
            _, _, done, _ = game.step(cell)
            if cell != cells[-1]:
                game.step(next(others))
        equal(
            bool(done), is_line, f"done with X on {', '.join(map(str, cells))} of TicTacToe(4, 3)"
        )


def test_refusals():
    """a taken cell, a finished game, wrong lengths: ValueError"""
    game, _ = after([4])
    refuses(lambda: game.step(4), "step(4) on a taken cell")
    over, _ = after([0, 3, 1, 4, 2])
    refuses(lambda: over.step(8), "step(8) after X has won")
    refuses(lambda: new_game(3, 4), "TicTacToe(3, win_length=4)")
    refuses(lambda: new_game(3, 2), "TicTacToe(3, win_length=2)")


def test_off_the_board():
    """step(-1) and step(9) are refused and change nothing (erratum R2)"""
    game = new_game()
    for cell in (-1, 9):
        refuses(lambda cell=cell: game.step(cell), f"step({cell})")
        equal(game.board, [0] * 9, f"board after step({cell}) was refused")
