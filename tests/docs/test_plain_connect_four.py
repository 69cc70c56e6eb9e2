"""The course script with plain functions for Connect Four, beside the toolkit's own game."""

import builtins
import importlib.util
import random
import subprocess
import sys

import pytest
from paths import ROOT

from rl_toolkit.envs import ConnectFour

SCRIPT = ROOT / "projects" / "project_02_bot_battle" / "connect_four.py"


def load():
    spec = importlib.util.spec_from_file_location("plain_connect_four", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


four = load()
PIECES = {1: "X", -1: "O", 0: " "}


def after(columns, board=None, first="X"):
    """The board after moves in these columns, written from 1."""
    board, player = board or four.create_board(), first
    for column in columns:
        board, player = four.apply_move(board, int(column) - 1, player), four.other(player)
    return board


def as_rows(env):
    return [[PIECES[int(piece)] for piece in row] for row in env.board_2d]


def random_games(count, seed=1):
    """Pairs of the plain board and the toolkit's game, after every move of random games."""
    chance = random.Random(seed)
    for _ in range(count):
        env, board = ConnectFour(), four.create_board()
        yield board, env
        while not env.is_terminal():
            move = chance.choice(env.get_legal_moves())
            board = four.apply_move(board, move, PIECES[env.current_player])
            env.step(move)
            yield board, env


def test_the_rules_are_those_of_the_toolkit():
    endings = set()
    for board, env in random_games(25):
        assert board == as_rows(env)
        assert four.winner(board) == {1: "X", -1: "O"}.get(env.winner)
        assert four.game_over(board) == env.is_terminal()
        assert four.is_draw(board) == (env.winner == 0)
        if not env.is_terminal():
            assert four.available_moves(board) == env.get_legal_moves()
        else:
            endings.add(env.winner)
    assert {1, -1} <= endings


def test_a_full_board_is_a_draw():
    pairs = [(a, a + 1) for a in (1, 3, 5)]
    board = after([c for a, b in pairs for c in [a, b] * 3 + [b, a] * 3] + [7] * 6)
    assert four.is_draw(board)
    assert four.available_moves(board) == []
    assert four.game_over(board)


def test_windows_do_not_wrap_round():
    assert len(four.WINDOWS) == len({frozenset(window) for window in four.WINDOWS}) == 69
    for window in four.WINDOWS:
        rows, cols = {r for r, _ in window}, {c for _, c in window}
        assert len(rows) in (1, 4)
        assert len(cols) in (1, 4)
        assert max(cols) - min(cols) in (0, 3)
        assert max(rows) < 6
    through = [sum(cell in window for window in four.WINDOWS) for cell in [(2, 3), (3, 3), (0, 0)]]
    assert through == [13, 13, 3]


@pytest.mark.parametrize(
    ("pieces", "score"),
    [("XXX ", 100), ("X XX", 100), ("XX  ", 10), ("X   ", 0), ("    ", 0), ("XXXX", 100_000)],
)
def test_a_window_counts_only_if_one_side_is_in_it(pieces, score):
    assert four.window_score(list(pieces), "X") == score
    assert four.window_score(list(pieces), "O") == -score
    mixed = list(pieces.replace(" ", "O", 1))
    if "O" in mixed and "X" in mixed:
        assert four.window_score(mixed, "X") == 0


def test_the_evaluation_is_that_of_the_toolkit_without_the_centre():
    checked = 0
    for board, env in random_games(6, seed=3):
        if env.is_terminal():
            continue
        centre = 3 * int(env.board[3::7].sum())
        careful = env.copy().careful()
        for side, me in ((1, "X"), (-1, "O")):
            assert four.evaluate(board, me) == round(
                4200 * env.evaluate_heuristic(side) - side * centre
            )
            assert four.evaluate(board, me, four.THEIR_THREE_CAREFUL) == round(
                4200 * careful.evaluate_heuristic(side) - side * centre
            )
        checked += 1
    assert checked > 60


def test_120_points_for_their_three_break_the_symmetry():
    board = after("3141")  # X c1 d1, O a1 a2
    assert four.evaluate(board, "X") == -four.evaluate(board, "O")
    threat = after("31415")  # an open three of X: two windows
    assert four.evaluate(threat, "O", -120) == -four.evaluate(threat, "X", -120) - 40


def counted(search, *arguments):
    four.node_count = 0
    return search(*arguments), four.node_count


def test_alpha_beta_gives_the_value_of_minimax():
    saved = 0
    for number, (board, env) in enumerate(random_games(8, seed=5)):
        if number % 6 == 0 and not env.is_terminal():
            player = PIECES[env.current_player]
            for me in "XO":
                plain, all_nodes = counted(four.minimax, board, 2, player, me)
                pruned, nodes = counted(four.minimax_ab, board, 2, player, me)
                assert plain == pruned
                assert nodes <= all_nodes
                saved += all_nodes - nodes
    assert saved > 100
    assert counted(four.minimax, four.create_board(), 3, "X", "X")[1] == 1 + 7 + 49 + 343


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_win_at_once_is_taken(depth):
    assert four.best_move(after("414141"), "X", depth) == 3
    open_three = after("314151")  # X: c1 d1 e1, O: a1 a2 a3
    assert four.best_move(open_three, "X", depth) in (1, 5)  # b1 or f1, not a longer win


def test_a_threat_is_blocked_and_a_lost_position_still_has_a_move():
    blocked = after("41414")  # X has three in column d
    assert four.best_move(blocked, "O", 2) == 3
    lost = after("31415")  # X wins at b1 or f1, whatever O does
    assert four.minimax_ab(lost, 2, "O", "O") <= -four.WIN
    assert four.best_move(lost, "O", 2) in (1, 3, 5)
    assert four.best_move(lost, "O", 4) in four.available_moves(lost)


def test_a_slow_loss_is_better_than_a_fast_one():
    won = after("4141414")
    scores = [four.minimax(won, depth, "O", "O") for depth in (3, 2, 1, 0)]
    assert scores == sorted(scores) == [-four.WIN - depth for depth in (3, 2, 1, 0)]
    assert [four.minimax_ab(won, depth, "O", "X") for depth in (1, 3)] == [
        four.WIN + 1,
        four.WIN + 3,
    ]


def test_levels_search_2_4_and_6_plies():
    assert four.LEVELS == {"easy": 2, "medium": 4, "hard": 6}


def test_there_is_no_best_move_after_the_end():
    with pytest.raises(ValueError, match="the game is over"):
        four.best_move(after("4141414"), "O")


@pytest.mark.parametrize(
    ("column", "player", "sentence"),
    [
        (7, "X", "a column from 0 to 6, not 7"),
        (-1, "X", "a column from 0 to 6, not -1"),
        (True, "X", "a column from 0 to 6, not True"),
        (0, "x", "a player is 'X' or 'O', not 'x'"),
        (0, "X", "column 0 is full"),
    ],
)
def test_a_refused_move_changes_nothing(column, player, sentence):
    board = after("111111")
    before = [row[:] for row in board]
    with pytest.raises(ValueError, match=sentence):
        four.apply_move(board, column, player)
    assert board == before


def test_a_move_makes_a_new_board():
    board = four.create_board()
    assert four.apply_move(board, 3, "X")[0][3] == "X"
    assert board == four.create_board()


def test_the_board_is_shown_top_row_first():
    lines = four.display(after("4")).split("\n")
    assert lines[5] == "|   |   |   | X |   |   |   |"
    assert lines[6] == "  1   2   3   4   5   6   7"


# --- the game --------------------------------------------------------------------------------


def test_wrong_answers_are_explained(monkeypatch, capsys):
    answers = iter(["", "9", "ab", "d", "1"])
    monkeypatch.setattr(builtins, "input", lambda prompt="": next(answers))
    board = after("444444")
    assert four.read_column(board, "X") == 0
    out = capsys.readouterr().out
    assert out.count("type a number from 1 to 7 or a letter a-g") == 3
    assert "Column 4 is full." in out


@pytest.mark.parametrize(
    ("answers", "last"), [("4\n1\n4\n1\n4\n1\n4\n", "Winner: X"), ("4\n", "Goodbye!")]
)
def test_the_script_runs_without_the_package(answers, last):
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), "--two"],
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().endswith(last)


def test_the_ai_plays_and_wins_against_a_column_filler(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["connect_four.py", "--depth", "2", "--careful", "--ai-first"])
    answers = iter("1234567" * 10)
    monkeypatch.setattr(builtins, "input", lambda prompt="": next(answers))
    four.main()
    assert capsys.readouterr().out.rstrip().endswith("Winner: X")
