"""The course script with plain functions; its minimax is an oracle of its own."""

import builtins
import importlib.util
import math
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

import pytest
from paths import ROOT

from rl_toolkit.algorithms import game_tree

SCRIPT = ROOT / "projects" / "project_02_bot_battle" / "bot_battle.py"


def load():
    spec = importlib.util.spec_from_file_location("bot_battle", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bot = load()


def board(text):
    """Nine characters, '.' for a free cell; blanks do not count."""
    return [" " if char == "." else char for char in text.replace(" ", "")]


@cache
def positions():
    """Every position that can come up when X opens: ``{cells: whether X is to move}``."""
    seen, todo = {}, [(tuple(bot.create_board()), True)]
    while todo:
        cells, x_to_move = todo.pop()
        if cells in seen:
            continue
        seen[cells] = x_to_move
        if not bot.is_terminal(list(cells)):
            todo += [
                (tuple(bot.make_move(list(cells), move, "XO"[not x_to_move])), not x_to_move)
                for move in bot.get_available_moves(list(cells))
            ]
    return seen


# --- rules -----------------------------------------------------------------------------------


def test_a_new_board_is_empty():
    assert bot.create_board() == [" "] * 9
    assert bot.create_board() is not bot.create_board()
    assert bot.get_available_moves(bot.create_board()) == list(range(9))


@pytest.mark.parametrize(
    "line", [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
)
@pytest.mark.parametrize(("player", "worth"), [("X", 1), ("O", -1)])
def test_three_in_a_row_win(line, player, worth):
    cells = [player if cell in line else " " for cell in range(9)]
    assert bot.check_winner(cells) == player
    assert bot.is_terminal(cells)
    assert bot.utility(cells) == worth


def test_a_full_board_without_a_line_is_drawn():
    cells = board("XOX XOO OXX")
    assert bot.check_winner(cells) is None
    assert bot.is_terminal(cells)
    assert bot.utility(cells) == 0
    assert bot.get_available_moves(cells) == []


def test_a_running_game_is_not_over():
    cells = board("XX. OO. ...")
    assert bot.check_winner(cells) is None
    assert not bot.is_terminal(cells)
    assert bot.get_available_moves(cells) == [2, 5, 6, 7, 8]


def test_a_move_makes_a_new_board():
    before = board("X.. ... ...")
    after = bot.make_move(before, 4, "O")
    assert after == board("X.. .O. ...")
    assert before == board("X.. ... ...")


@pytest.mark.parametrize(
    ("move", "player", "sentence"),
    [
        (0, "O", "cell 0 is already taken by X"),
        (9, "O", "a cell from 0 to 8, not 9"),
        (-1, "O", "a cell from 0 to 8, not -1"),
        (True, "O", "a cell from 0 to 8, not True"),
        ("4", "O", "a cell from 0 to 8, not '4'"),
        (4, " ", "a player is 'X' or 'O', not ' '"),
    ],
)
def test_a_refused_move_says_why(move, player, sentence):
    cells = board("X.. ... ...")
    with pytest.raises(ValueError, match=sentence):
        bot.make_move(cells, move, player)
    assert cells == board("X.. ... ...")


def test_the_printed_board_shows_pieces_and_free_cells(capsys):
    bot.print_board(board("X.. .O. ..."))
    assert capsys.readouterr().out.split("\n") == [
        "",
        " X | 1 | 2",
        "---+---+---",
        " 3 | O | 5",
        "---+---+---",
        " 6 | 7 | 8",
        "",
        "",
    ]


# --- search ----------------------------------------------------------------------------------


def counted(search, *arguments):
    """The value, and the calls that the module counted."""
    bot.node_count = 0
    return search(*arguments), bot.node_count


def test_node_counts_from_the_empty_board(capsys):
    empty = bot.create_board()
    assert counted(bot.alpha_beta_counted, empty, -math.inf, math.inf, True) == (0, 18_297)
    assert bot.minimax_counted(board("XO. XO. ..."), True) == 1
    assert bot.node_count > 18_297  # nothing resets it but the caller
    bot.compare_searches()
    assert capsys.readouterr().out.splitlines()[1:] == [
        "minimax       549,946",
        "alpha-beta     18,297",
        "Pruning saves 531,649 of 549,946 positions: 96.7 %.",
    ]


def test_the_names_of_the_course_are_there():
    assert (bot.X, bot.O) == ("X", "O")
    assert len(bot.WIN_LINES) == 8
    assert {cell for line in bot.WIN_LINES for cell in line} == set(range(9))
    assert bot.make_move(bot.create_board(), position=4, player=bot.X) == board("... .X. ...")


def test_the_window_is_carried_from_move_to_move_at_the_root(monkeypatch):
    searched = []
    search = bot.alpha_beta

    def spy(*arguments):
        searched.append(arguments)
        return search(*arguments)

    monkeypatch.setattr(bot, "alpha_beta", spy)
    assert bot.find_best_move_ab(bot.create_board()) == 0
    assert len(searched) == 18_296  # 30,709 with a new window for each move


@pytest.mark.parametrize("empty", [4, *(pytest.param(n, marks=pytest.mark.full) for n in (5, 6))])
def test_every_search_agrees_on_every_position_with_few_empty_cells(empty):
    assert len(positions()) == 5_478
    checked = 0
    for cells, x_to_move in positions().items():
        if cells.count(" ") > empty:
            continue
        cells = list(cells)
        value = bot.minimax(cells, x_to_move)
        assert bot.alpha_beta(cells, -math.inf, math.inf, x_to_move) == value
        plain, all_nodes = counted(bot.minimax_counted, cells, x_to_move)
        pruned, nodes = counted(bot.alpha_beta_counted, cells, -math.inf, math.inf, x_to_move)
        assert plain == pruned == value
        assert 1 <= nodes <= all_nodes
        checked += 1
    more = {4: 252 + 756, 5: 252, 6: 0}[empty]
    assert checked == 5_478 - 1 - 9 - 72 - more


def test_outside_its_window_alpha_beta_gives_a_bound():
    for cells, x_to_move in positions().items():
        if cells.count(" ") != 4:
            continue
        cells = list(cells)
        value = bot.minimax(cells, x_to_move)
        for alpha, beta in ((-1, 0), (0, 1)):
            answer = bot.alpha_beta(cells, alpha, beta, x_to_move)
            if answer <= alpha:
                assert value <= answer
            elif answer >= beta:
                assert value >= answer
            else:
                assert value == answer


@pytest.mark.parametrize(
    ("cells", "move"),
    [
        ("XX. OO. ...", 2),  # wins now; 5 would only block
        ("OO. .X. X..", 2),  # wins and blocks
        ("OO. X.. X..", 2),  # must block
        (".X. OXO ...", 7),  # cells 0 and 2 win as well, but later
    ],
)
def test_the_best_move_is_found(cells, move):
    assert bot.find_best_move(board(cells)) == move
    assert bot.find_best_move_ab(board(cells)) == move


def test_a_win_at_once_is_taken_in_every_position_and_the_value_is_never_given_away():
    for cells, x_to_move in positions().items():
        if not x_to_move or cells.count(" ") > 4 or bot.is_terminal(list(cells)):
            continue
        cells = list(cells)
        move = bot.find_best_move(cells)
        assert bot.find_best_move_ab(cells) == move
        after = bot.make_move(cells, move, "X")
        assert bot.minimax(after, False) == bot.minimax(cells, True)
        wins = [
            m
            for m in bot.get_available_moves(cells)
            if bot.check_winner(bot.make_move(cells, m, "X")) == "X"
        ]
        assert not wins or move in wins


@pytest.mark.parametrize("cells", ["XXX OO. ...", "XOX XOO OXX"])
def test_there_is_no_best_move_after_the_end(cells):
    for find in (bot.find_best_move, bot.find_best_move_ab):
        with pytest.raises(ValueError, match="the game is over"):
            find(board(cells))


def test_the_explicit_tree_of_the_game_has_the_same_value_and_the_same_cuts():
    @dataclass(frozen=True)
    class Position:
        cells: tuple[str, ...]
        x_to_move: bool
        move: int | None = None

        def is_leaf(self):
            return bot.is_terminal(list(self.cells))

        def get_score(self):
            return bot.utility(list(self.cells))

        def get_children(self):
            player = "X" if self.x_to_move else "O"
            return [
                Position(
                    tuple(bot.make_move(list(self.cells), move, player)), not self.x_to_move, move
                )
                for move in bot.get_available_moves(list(self.cells))
            ]

        def get_move(self):
            return self.move

    result = game_tree.alpha_beta(Position(tuple(bot.create_board()), True), maximizing=True)
    assert (result.best_move, result.score, len(result.visited)) == (0, 0, 18_297)


# --- the game --------------------------------------------------------------------------------


def play(monkeypatch, answers):
    """Play with these answers; an exception among them is raised by the prompt."""
    script = iter(answers)

    def answer(prompt=""):
        print(prompt, end="")
        given = next(script)
        if isinstance(given, type):
            raise given
        return given

    monkeypatch.setattr(builtins, "input", answer)
    return bot.play_game()


def test_wrong_answers_explain_themselves_and_the_game_goes_on(monkeypatch, capsys):
    play(monkeypatch, ["", "b2", "9", "-1", "²", "0", " 4 ", EOFError])
    out = capsys.readouterr().out
    assert "you are O, the AI is X and moves first" in out
    for wrong in ("''", "'b2'", "'9'", "'-1'", "'²'"):
        assert f"{wrong} is not a cell of the board: type a number from 0 to 8." in out
    assert "Cell 0 is already taken by X. Free cells: 1, 2, 3, 4, 5, 6, 7, 8." in out
    assert " 3 | O | 5" in out
    assert out.count("AI plays position ") == 2
    assert out.count(" s)") == 2  # the time of each AI move


@pytest.mark.parametrize("leave", [EOFError, KeyboardInterrupt])
def test_leaving_is_polite(monkeypatch, capsys, leave):
    assert play(monkeypatch, [leave]) is False
    assert capsys.readouterr().out.endswith("Goodbye!\n")


def test_a_blunder_loses(monkeypatch, capsys):
    assert play(monkeypatch, list("15872463") * 3)  # taken cells are refused and the next is tried
    assert "The AI wins." in capsys.readouterr().out


def test_best_play_draws(monkeypatch, capsys):
    answers = []

    def best_reply(prompt=""):
        free = bot.get_available_moves(seen[-1])
        replies = [bot.minimax(bot.make_move(seen[-1], move, "O"), True) for move in free]
        answers.append(free[replies.index(min(replies))])
        return str(answers[-1])

    seen = []
    monkeypatch.setattr(bot, "print_board", seen.append)
    monkeypatch.setattr(builtins, "input", best_reply)
    bot.play_game()
    assert "A draw." in capsys.readouterr().out
    assert len(answers) == 4


def test_the_script_runs_without_the_package():
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT)],
        input="4\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "AI plays position 0" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("argument", ["--port", "--nonsense", "7"])
def test_the_script_refuses_what_it_does_not_know(argument):
    command = [sys.executable, str(SCRIPT), argument]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"unrecognized arguments: {argument}" in done.stderr
