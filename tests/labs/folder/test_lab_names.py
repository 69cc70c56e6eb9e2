"""names.toml: other names, boards, cells and marks, in both directions."""

from __future__ import annotations

import pytest

from rl_toolkit.labs.catalogue.l20_network.settings import RunSettingsError, run_settings
from rl_toolkit.labs.checking.run import check_work
from rl_toolkit.labs.checking.verify import solution_files
from rl_toolkit.labs.host.forms import Forms
from rl_toolkit.labs.model.finding import find_lab
from rl_toolkit.labs.model.lab import LabError
from rl_toolkit.labs.model.names import BoardNames, NamesError, Signature, names_text, read_names
from rl_toolkit.labs.model.positions import after, position
from rl_toolkit.labs.model.values import Other
from rl_toolkit.labs.model.work import work_from

FUNCTIONS = {
    "minimax": Signature(("board", "mover"), "value"),
    "place": Signature(("board", "cell")),
}
HERE = position("xx1/oo1/3 x")
FORMS = [
    BoardNames(),
    BoardNames(form="matrix", x=1, o=-1, empty=0, cells="from 1"),
    BoardNames(form="array", x=1, o=2, empty=0, cells="row, column from 0"),
    BoardNames(form="grid", cells="row, column from 1"),
    BoardNames(form="text", x="x", o="o", empty=".", cells="names"),
    BoardNames(form="list", opens="o"),
    BoardNames(form="matrix", row_one="bottom"),
]


@pytest.mark.parametrize("names", FORMS, ids=lambda n: f"{n.form}, {n.cells}, {n.opens}")
@pytest.mark.parametrize("here", [HERE, after([4, 3, 2, 6, 0], "connect-four")], ids=["3x3", "6x7"])
def test_what_goes_to_the_student_comes_back_the_same(names, here):
    forms = Forms(names, here.game)
    assert forms.answer("board", forms.board(here)) == list(here.cells)
    for cell in range(here.rows * here.cols):
        assert forms.answer("cell", forms.cell(cell)) == cell
    for player in (1, -1):
        assert forms.answer("player", forms.player(player)) == player


def test_boards_look_as_named():
    assert Forms(BoardNames(), "tictactoe").board(HERE) == ["X", "X", " ", "O", "O", *" " * 4]
    matrix = Forms(BoardNames(form="matrix", x=1, o=2, empty=0), "tictactoe").board(HERE)
    assert matrix == [[1, 1, 0], [2, 2, 0], [0, 0, 0]]
    grid = Forms(BoardNames(form="grid", x=1, o=-1, empty=0), "tictactoe").board(HERE)
    assert grid.shape == (3, 3)
    assert grid[1, 0] == -1
    top = Forms(BoardNames(form="matrix", row_one="top"), "connect-four")
    assert top.board(after([3], "connect-four"))[5][3] == "X"  # row 1 is the last list


def test_who_opens_swaps_marks_and_values():
    forms = Forms(BoardNames(opens="o"), "tictactoe")
    assert forms.arguments([HERE], ["board", "mover"]) == [["O", "O", " ", "X", "X", *" " * 4], "O"]
    assert forms.arguments([HERE], ["board", "maximizing"])[1] is False
    assert forms.answer("value", -1) == 1
    assert forms.answer("number", -1) == -1


@pytest.mark.parametrize("wrong", [["X"] * 8, [["X"] * 3] * 2, "XXXXXXXXQ", 5, ["X"] * 8 + [True]])
def test_what_is_not_a_board_is_shown_as_it_is(wrong):
    answer = Forms(BoardNames(), "tictactoe").answer("board", wrong)
    assert isinstance(answer, Other) or answer == wrong


def test_arguments_may_have_another_order():
    forms = Forms(BoardNames(), "tictactoe")
    given = forms.arguments([HERE, 4], ["board", "cell"], ["cell", "mover", "board"])
    assert given == [4, "X", forms.board(HERE)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[functions]\nminmax = 'f'", "did you mean minimax"),
        ("[functions]\nminimax = 'not a name'", "is not a name in Python"),
        ("[functions]\nminimax = {takes = ['mover']}", "must have board once each"),
        ("[functions]\nminimax = {takes = ['board', 'depth']}", "is a list of"),
        ("[board]\nform = 'cube'", "form is one of"),
        ("[board]\nforms = 'list'", "did you mean form?"),
        ("[board]\nx = 'O'", "three different marks"),
        ("[board]\nform = 'text'\nx = 10", "one character"),
        ("[board]\nx = 1.5", "not 1.5"),
        ("[board", "is not TOML"),
        ("board = 3", "two tables"),
    ],
)
def test_a_wrong_file_is_refused_with_a_sentence(text, words):
    with pytest.raises(NamesError, match=words.replace("?", r"\?")):
        read_names(text, FUNCTIONS, BoardNames())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a." * 500_000 + "a = 1", "is longer than 16,384 characters"),
        ("x = " + "[" * 5000, "is nested too deeply"),
        ("x = " + "9" * 5000, "is not TOML"),
    ],
)
def test_what_python_reads_for_minutes_or_not_at_all_is_refused(text, words):
    with pytest.raises(NamesError, match=f"names.toml {words}"):
        read_names(text, FUNCTIONS, BoardNames())
    with pytest.raises(RunSettingsError, match=f"settings.toml {words}"):
        run_settings(text)


@pytest.mark.parametrize("base", FORMS)
def test_the_file_of_a_new_folder_says_what_holds_already(base):
    names = read_names(names_text("L05", FUNCTIONS, base), FUNCTIONS, base)
    assert names.board == base
    assert names.functions == {"minimax": "minimax", "place": "place"}


MATRIX = """
import numpy as np

def lines(b):
    yield from b
    yield from b.T
    yield b.diagonal()
    yield np.fliplr(b).diagonal()

def valeur(b):
    for line in lines(b):
        if abs(line.sum()) == 3:
            return int(np.sign(line.sum()))
    return 0

def fils(joueur, b):
    boards = []
    for r, c in zip(*np.where(b == 0)):
        boards.append(b.copy())
        boards[-1][r, c] = joueur
    return boards

def minimax(b, x_moves):
    if valeur(b) or not (b == 0).any():
        return valeur(b)
    values = [minimax(child, not x_moves) for child in fils(1 if x_moves else -1, b)]
    return max(values) if x_moves else min(values)

def coup(b, joueur):
    best, chosen = -2, None
    for cell, child in zip(np.flatnonzero(b == 0), fils(joueur, b)):
        value = joueur * minimax(child, joueur == -1)
        if value > best:
            best, chosen = value, cell
    return divmod(int(chosen), 3)

def sure_move(b, joueur):
    for cell, child in zip(np.flatnonzero(b == 0), fils(joueur, b)):
        if valeur(child) == joueur:
            return divmod(int(cell), 3)
    return coup(b, joueur)
"""
FRENCH = """
[functions]
utility = "valeur"
children = { name = "fils", takes = ["mover", "board"] }
minimax = { name = "minimax", takes = ["board", "maximizing"] }
best_move = "coup"

[board]
form = "grid"
x = 1
o = -1
empty = 0
cells = "row, column from 0"
"""


@pytest.mark.parametrize("tasks", [[1, 2, 4, 5], pytest.param([3], marks=pytest.mark.full)])
def test_a_lab_is_solved_with_other_names_arrays_and_pairs(tasks):
    lab = find_lab("L05")
    work = work_from(lab, {"minimax.py": MATRIX, "names.toml": FRENCH})
    report = check_work(lab, work, tasks=tasks, seed=1)
    assert [task.failure for task in report.tasks] == [None] * len(tasks)
    assert report.all_right
    with pytest.raises(LabError, match="is not on the sheet"):
        work_from(lab, {"minimax.py": MATRIX, "names.toml": "[functions]\nzork = 'f'"})


def test_a_mistake_is_named_whatever_things_are_called():
    lab = find_lab("L05")
    wrong = MATRIX.replace("max(values) if x_moves else min(values)", "max(values)")
    work = work_from(lab, {"minimax.py": wrong, "names.toml": FRENCH})
    (task,) = check_work(lab, work, tasks=[3], seed=1).tasks
    assert task.failure.mistake == "max-at-both-levels"
    assert task.failure.call.startswith("minimax(board, ")


#: Connect Four with the first row on top, and rows and columns from 1.
_TOP_FROM_1 = """
def zeile(b, column):
    return next((row for row in range(6, 0, -1) if b[row - 1][column - 1] == 0), None)

def erlaubt(b):
    return [column for column in range(1, 8) if b[0][column - 1] == 0]

def fenster():
    return [
        [(row + i * down, column + i * right) for i in range(4)]
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        for row in range(1, 7)
        for column in range(1, 8)
        if row + 3 * down <= 6 and 1 <= column + 3 * right <= 7
    ]

def gewinnt(b, row, column):
    return b[row - 1][column - 1] != 0 and any(
        (row, column) in window and len({b[r - 1][c - 1] for r, c in window}) == 1
        for window in WINDOWS
    )

WINDOWS = fenster()

def is_won(b):
    lines = [{b[r - 1][c - 1] for r, c in window} for window in WINDOWS]
    return {1} in lines or {2} in lines

def zug(b, column, player):
    row = zeile(b, column) if column in range(1, 8) else None
    if row is None or is_won(b):
        raise ValueError("not here")
    after = [list(cells) for cells in b]
    after[row - 1][column - 1] = player
    return after
"""
_TOP_FROM_1_NAMES = """
[functions]
lowest_row = "zeile"
legal = "erlaubt"
wins_at = { name = "gewinnt", takes = ["board", "row", "column"] }
step = "zug"
windows = "fenster"

[board]
x = 1
o = 2
empty = 0
cells = "from 1"
row_one = "top"
"""


def _connect_four(change=("", ""), *, tasks):
    lab = find_lab("L11")
    code = _TOP_FROM_1.replace(*change)
    files = {"connect_four.py": code, "names.toml": _TOP_FROM_1_NAMES}
    return check_work(lab, work_from(lab, files), tasks=tasks, seed=1)


@pytest.mark.parametrize("tasks", [[1, 2, 4], pytest.param([3], marks=pytest.mark.full)])
def test_rows_from_the_top_and_columns_from_1_are_right(tasks):
    assert _connect_four(tasks=tasks).all_right


def test_a_wrong_row_is_shown_in_the_students_counting():
    report = _connect_four(("(row for row in range(6", "(row - 1 for row in range(6"), tasks=[1])
    failure = report.tasks[0].failure
    assert failure.call == "zeile(board, 1)"
    assert (failure.answer, failure.right) == ("5", "6")


@pytest.mark.parametrize("row_one", ["top", "bottom"])
def test_windows_have_the_students_marks_wherever_row_one_is(row_one):
    lab = find_lab("L13")
    files = solution_files(lab) | {"names.toml": f'[board]\nrow_one = "{row_one}"\n'}
    assert check_work(lab, work_from(lab, files), tasks=[1], seed=1).all_right


def test_a_plain_argument_may_be_left_out():
    functions = {"alpha_beta": Signature(("board", "number", "number", "mover", "plain"), "value")}
    takes = '["board", "number", "number", "maximizing"]'
    names = read_names(f"[functions]\nalpha_beta = {{takes = {takes}}}", functions, BoardNames())
    assert names.takes["alpha_beta"] == ("board", "number", "number", "maximizing")
    made = Forms(BoardNames(), "tictactoe").arguments(
        [position("x2/1o1/2x o"), -1, 1, True],
        functions["alpha_beta"].takes,
        names.takes["alpha_beta"],
    )
    assert made[1:] == [-1, 1, False]  # the last says that O moves; what was left out is gone
    twice = '["board", "number", "number", "plain", "plain"]'
    with pytest.raises(NamesError, match="more plain arguments than the sheet"):
        read_names(f"[functions]\nalpha_beta = {{takes = {twice}}}", functions, BoardNames())


def test_lists_of_boards_are_shown_with_the_marks_of_boards():
    forms = Forms(BoardNames(), "tictactoe")
    boards = [list(HERE.cells), [0] * 9]
    assert forms.in_words("boards", boards) == "XX. / OO. / ...,  ... / ... / ..."
    assert forms.in_words("boards", []) == "none"
