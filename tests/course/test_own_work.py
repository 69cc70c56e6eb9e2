"""Notebooks and projects with names of their own: understood, tested, graded."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from rl_toolkit.course import (
    CourseError,
    check_own_work,
    companion,
    grade_project,
    grade_projects,
    project_entries,
    read_own,
    start_course,
    taken_for,
)
from rl_toolkit.utils.installation import STATE_VARIABLE

HERE = Path(__file__).parent
FRENCH = HERE / "projects" / "french"
GAME = (HERE / "solutions" / "c" / "my_game.py").read_text("utf-8")
SLOW = ("test_counts_of_the_empty_board",)


@pytest.fixture(autouse=True)
def _state_of_a_test(tmp_path_factory, monkeypatch):
    """The key that seals results is not the user's."""
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path_factory.mktemp("state")))


def notebook(path: Path, *cells: str) -> Path:
    made = [
        {"cell_type": "code", "source": [cell], "metadata": {}, "outputs": []} for cell in cells
    ]
    made.insert(0, {"cell_type": "markdown", "source": ["# Bot battle"], "metadata": {}})
    path.write_text(json.dumps({"cells": made, "nbformat": 4, "metadata": {}}))
    return path


def project(folder: Path, **changes: tuple[str, str, str]) -> Path:
    """The French project, changed: name=(file, old, new)."""
    shutil.copytree(FRENCH, folder, dirs_exist_ok=True)
    for file, old, new in changes.values():
        text = (folder / file).read_text("utf-8")
        assert text.count(old) >= 1, (file, old)
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return folder


def wrong(report) -> dict[str, str]:
    return {
        test.name: test.sentence
        for session in report.sessions
        for test in session.tests
        if test.status != "right"
    }


def test_a_project_with_other_names_boards_and_parameters_gets_full_points(tmp_path):
    work = project(tmp_path)
    report = check_own_work(work)
    assert wrong(report) == {}
    files = read_own(work)
    grade = grade_project(report, {**files.files, **files.code})
    assert grade.sentence() == (
        "65 of the 65 points that a program can judge; 35 are for the teacher"
    )
    notes = " ".join(report.notes)
    assert "I take your `creer_grille` as `create_board`" in notes
    assert "your cells are pairs (row, column) from 1" in notes
    assert "I take `profondeur` as *the depth* and `maximise` as *is X to move*" in notes
    assert "Tic-Tac-Toe: your `minimax` counts for O, so that I turn its sign." in report.notes
    assert "your players are 1 and 2 and your first row is the bottom row" in notes
    assert (
        "Tic-Tac-Toe: your `meilleur_coup` has no parameter for the player and plays O only"
        in notes
    )
    report_part = next(part for part in grade.parts if part.part.title == "Report")
    assert (report_part.reached, report_part.says[-1]) == (None, "rapport.md has 4 words.")


def test_a_program_in_javascript_is_sent_to_companion_e(tmp_path):
    (tmp_path / "tic-tac-toe.js").write_text("class TicTacToe {}\n")
    with pytest.raises(CourseError, match=r"course start E .* leaves your files as they are"):
        check_own_work(tmp_path)
    start_course(companion("E"), tmp_path)
    assert (tmp_path / "tic-tac-toe.js").read_text() == "class TicTacToe {}\n"


CLASSES = HERE / "projects" / "classes"


def test_a_program_with_classes_is_understood():
    report = check_own_work(CLASSES, letter="D", sessions=[1, 2])
    assert wrong(report) == {}
    notes = " ".join(report.notes)
    assert "Tic-Tac-Toe: I take your class `TicTacToe` as the game, its `board` as the" in notes
    assert "`TicTacToe.make_move` as `apply_move`" in notes
    assert "has two parameters; I take `row` as *the row* and `col` as *the column*" in notes


def test_a_mistake_in_a_class_is_seen(tmp_path):
    shutil.copytree(CLASSES, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "tictactoe.py"
    text = path.read_text("utf-8")
    for old, new in (
        ("        lines.append([b[i][2 - i] for i in range(3)])\n", ""),
        ("            self.undo(row, col)\n            if", "            if"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    found = wrong(check_own_work(tmp_path, letter="D", sessions=[1, 2]))
    assert "test_winner" in found
    assert "test_board_left_alone" in found


AI_OF_A_SIDE = HERE / "projects" / "ai_of_a_side"


@pytest.mark.parametrize("session", [1, pytest.param(2, marks=pytest.mark.full)])
def test_a_class_with_short_names_and_a_player_that_is_made_for_a_side(session):
    assert "handout C" in taken_for(read_own(AI_OF_A_SIDE))  # any board may be full
    report = check_own_work(AI_OF_A_SIDE, letter="D", sessions=[session])
    assert wrong(report) == {}
    notes = " ".join(report.notes)
    assert "`Board.moves` as `available_moves`, `Board.play` as `apply_move`" in notes
    assert "your players are 1 and 2" in notes
    assert "plays X only" not in notes


GAME_AND_AI = HERE / "projects" / "game_and_ai"


def test_a_class_that_turns_the_player_itself_and_one_that_holds_it():
    report = check_own_work(GAME_AND_AI, sessions=[3])
    assert wrong(report) == {}
    notes = " ".join(report.notes)
    assert "an empty cell of yours is 0 and your players are 1 and 2" in notes
    assert "`AI.minimax` as `minimax` and `AI.best_move` as `best_column`" in notes
    assert "plays X only" not in notes.partition("Connect Four")[2]


@pytest.mark.full
def test_a_project_with_a_game_and_an_ai_gets_full_points():
    report = check_own_work(GAME_AND_AI)
    assert wrong(report) == {}
    assert grade_project(report, {}).reached == 65


@pytest.mark.full
def test_a_project_with_classes_gets_full_points():
    report = check_own_work(CLASSES)
    assert wrong(report) == {}
    assert grade_project(report, {}).reached == 65


def test_a_cell_called_i_is_no_row_and_three_blanks_are_no_winner(tmp_path):
    changed = GAME.replace("position", "i")
    path = notebook(tmp_path / "battle.ipynb", changed)
    found = wrong(check_own_work(path, sessions=[1]))
    assert found == {}
    blank = re.sub(r"if board\[a\] != \" \" and ", "if ", changed)
    assert blank != changed
    found = wrong(check_own_work(notebook(path, blank), sessions=[1]))
    assert "your answer is ' ', right is None" in found["test_winner"]


@pytest.mark.full
def test_a_project_that_changes_boards_in_place_and_counts_for_the_side_to_move():
    report = check_own_work(FRENCH.parent / "in_place")
    assert list(wrong(report)) == ["test_windows"]  # it has another evaluation, without points
    assert grade_project(report, {}).reached == 65
    for note in (
        "Tic-Tac-Toe: your `make_move` changes the board that it is given, and returns nothing.",
        "Tic-Tac-Toe: your `minimax` counts for the side to move.",
    ):
        assert note in report.notes
    assert "Tic-Tac-Toe: your `legal_moves` has one parameter, the board." not in report.notes


@pytest.mark.parametrize(
    ("change", "session", "name", "points"),
    [
        (("morpion.py", "grille[i][2 - i] == joueur", "False"), 1, "test_winner", None),
        (("morpion.py", 'print("Match nul")', "pass"), 1, "test_play_to_a_draw", 61.7),
        (("morpion.py", "return 10 - profondeur", "return 0"), 2, "test_values", None),
        (("puissance4.py", "(1, -1)", "(1, 1)"), 3, "test_wins", None),
        (
            ("puissance4.py", "return (None, -(10**7) - depth)", "return (None, 0)"),
            4,
            "test_blocks",
            None,
        ),
    ],
    ids=["diagonal", "draw", "value", "directions", "blocks"],
)
def test_mistakes_of_a_project_cost_points(change, session, name, points, tmp_path):
    work = project(tmp_path, one=change)
    if points is None:
        assert name in wrong(check_own_work(work, sessions=[session]))
        return
    report = check_own_work(work)
    assert name in wrong(report)
    assert grade_project(report, {}).reached == points


def test_a_notebook_is_run_in_order_and_checked(tmp_path):
    cells = re.split(r"\n\n\n(?=def |if )", GAME)
    path = notebook(
        tmp_path / "bot.ipynb", "%matplotlib inline\n!ls\nimport math", *cells, "play_game()"
    )
    report = check_own_work(path, sessions=[1, 2])
    assert report.companion.id == "C"
    assert wrong(report) == {}
    assert any(re.match(r"Cell \d+ of bot.ipynb asks for input", note) for note in report.notes)
    assert any(
        "`find_best_move` has no parameter for the player and plays X only" in n
        for n in report.notes
    )


def test_the_notebook_in_the_folder_of_a_companion_is_checked(run, tmp_path):
    folder = tmp_path / "course-c"
    start_course(companion("C"), folder)
    notebook(folder / "battle.ipynb", GAME.partition("if __name__")[0])
    checked = run("course", "check", str(folder), "--session", "1")
    assert checked.code == 0
    assert "I test battle.ipynb, because nothing is written yet in `my_game.py`." in checked.words
    (folder / "my_game.py").write_text("WIN_LINES = []\n")
    assert run("course", "check", str(folder), "--session", "1").code == 1


def test_a_report_that_is_still_the_template_is_named():
    report = check_own_work(CLASSES, letter="D", sessions=[1])
    template = companion("D").report()
    ended = template.replace("[Which games, who plays whom, how it is started.]", "Both games.")
    for text, said in ((template, "is the template as it began"), (ended, "4 lines in brackets")):
        parts = grade_project(report, {"report.md": text}).parts
        assert said in next(part for part in parts if part.part.title == "Report").says[-1]


def test_a_notebook_with_a_mistake_and_a_cell_that_fails(tmp_path):
    broken = GAME.replace("new_board = board[:]", "new_board = board").replace(
        "list(board)", "board"
    )
    path = notebook(tmp_path / "bot.ipynb", "1 / 0", broken.partition("if __name__")[0])
    report = check_own_work(path, sessions=[1])
    assert "Cell 1 of bot.ipynb stopped with ZeroDivisionError: division by zero." in report.notes
    assert "copy it" in wrong(report)["test_make_move"]


def test_names_can_be_given(tmp_path):
    text = (
        GAME.partition("if __name__")[0]
        .replace("check_winner", "q")
        .replace("alpha_beta(", "search(")
    )
    path = notebook(tmp_path / "bot.ipynb", text)
    missing = check_own_work(path, sessions=[1])
    assert "I find no `check_winner` in bot" in wrong(missing)["test_winner"]
    assert '[functions] check_winner = "…"' in wrong(missing)["test_winner"]
    (tmp_path / "names.toml").write_text('[functions]\ncheck_winner = "q"\n')
    assert wrong(check_own_work(path, sessions=[1])) == {}
    (tmp_path / "names.toml").write_text("[functions\n")
    with pytest.raises(CourseError, match=r"names.toml is not TOML"):
        check_own_work(path)


def test_a_program_without_game_over_knows_it_by_winner_and_draw(tmp_path):
    text = (FRENCH / "morpion.py").read_text("utf-8")
    name = re.search(r"def (\w*(?:fin|termin)\w*)\(", text)[1]
    work = project(tmp_path)
    changed = text.replace(f"def {name}(", "def _q(").replace(f"{name}(", "_q(")
    (tmp_path / "morpion.py").write_text(changed)
    report = check_own_work(work, sessions=[1])
    assert wrong(report) == {}
    assert any("to know when a game is over" in note for note in report.notes)
    alone = notebook(
        tmp_path / "c.ipynb", GAME.partition("if __name__")[0].replace("is_terminal", "z")
    )
    assert wrong(check_own_work(alone, sessions=[1])) == {}
    broken = GAME.partition("if __name__")[0].replace("is_terminal", "z")
    broken = broken.replace('if board[i] == " "]', 'if board[i] != "X"]')
    assert "test_terminal" in wrong(check_own_work(notebook(alone, broken), sessions=[1]))


def test_a_choice_for_o_that_takes_the_first_of_equal_moves_is_one_for_o(tmp_path):
    text = (FRENCH / "morpion.py").read_text("utf-8")
    text = text.replace("return 10 - profondeur", "return 1")
    (tmp_path / "morpion.py").write_text(text.replace("return profondeur - 10", "return -1"))
    (tmp_path / "puissance4.py").write_text("def lacher(plateau, colonne, joueur):\n    pass\n")
    report = check_own_work(tmp_path, letter="D", sessions=[2])
    assert wrong(report) == {}
    assert any("plays O only" in note for note in report.notes)


def test_a_draw_of_connect_four_follows_from_winner_and_columns(tmp_path):
    work = project(tmp_path)
    text = (FRENCH / "puissance4.py").read_text("utf-8")
    name = "is_draw"
    full = "\n\ndef plein(board):\n    return not get_valid_locations(board)\n"  # is no draw
    (tmp_path / "puissance4.py").write_text(re.sub(rf"\b{name}\b", "_q", text) + full)
    report = check_own_work(work, sessions=[3])
    assert wrong(report) == {}
    assert any(note.endswith("to know what a draw is.") for note in report.notes)


SHORT = {
    "jouer": "partie",
    "jouer_coup": "jouer",
    "creer_grille": "creer",
    "coups_possibles": "coups",
}


def test_short_names_with_as_many_parameters_as_the_handout_has(tmp_path):
    text = (FRENCH / "morpion.py").read_text("utf-8")
    for old, new in SHORT.items():
        text = re.sub(rf"\b{old}\b", new, text)
    text = text.replace("fin_partie", "_q") + "\n\ndef fin(joueur):\n    print(joueur)\n"
    (tmp_path / "morpion.py").write_text(text)
    report = check_own_work(tmp_path, letter="D", sessions=[1])
    assert wrong(report) == {}  # `fin` takes no board
    for taken in ("`partie` as `play`", "`creer` as `create_board`", "`jouer` as `apply_move`"):
        assert taken in " ".join(report.notes)


@pytest.mark.parametrize("blank", ['"."', "0"])
def test_boards_that_no_function_makes_are_found_out(blank, tmp_path):
    text = SCRIPT.replace('VIDE = " "', f"VIDE = {blank}").replace("creer_grille", "neuf")
    file = tmp_path / "jeu.py"
    file.write_text(text.replace("def neuf():", "def neuf(unused):"))
    found = wrong(check_own_work(file, sessions=[1]))
    assert set(found) == {"test_empty_board"}
    assert '[functions] create_board = "…"' in found["test_empty_board"]
    # Boards of another size are not known: then nothing is said to be wrong.
    file.write_text(file.read_text().replace("range(3)", "range(4)"))
    report = check_own_work(file, sessions=[1])
    found = {test.name: test.status for each in report.sessions for test in each.tests}
    assert set(found.values()) == {"todo"}


def test_a_file_with_a_name_of_python_and_cells_that_hold_their_numbers(tmp_path):
    text = GAME.partition("if __name__")[0]
    for old, new in (
        ('[" "] * 9', 'list("123456789")'),
        ('board[i] == " "', 'board[i] not in "XO"'),
        ('board[a] != " " and ', ""),
        ('" " not in board', 'set(board) == {"X", "O"}'),
    ):
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "numbers.py"
    file.write_text(text)
    report = check_own_work(file, sessions=[1, 2])
    assert wrong(report) == {}
    assert "Your empty cells hold '1' to '9'." in report.notes


def test_parameters_in_another_order(tmp_path):
    text = re.sub(r"\bminimax\b", "_old", GAME.partition("if __name__")[0])
    text += "\n\ndef minimax(is_maximizing, board):\n    return _old(board, is_maximizing)\n"
    report = check_own_work(notebook(tmp_path / "bot.ipynb", text), sessions=[2])
    assert wrong(report) == {}
    assert (
        "Your `minimax` has two parameters; I take `is_maximizing` as *is X to move*."
        in report.notes
    )


def test_parameters_can_be_given(tmp_path):
    text = re.sub(r"\bminimax\b", "_old", GAME.partition("if __name__")[0])
    text += "\n\ndef minimax(q, z):\n    return _old(z, q)\n"
    path = notebook(tmp_path / "bot.ipynb", text)
    assert "test_values" in wrong(check_own_work(path, sessions=[2]))
    (tmp_path / "names.toml").write_text(
        '[tictactoe]\nminimax = { name = "minimax", takes = ["maximizing", "board"] }\n'
    )
    assert wrong(check_own_work(path, sessions=[2])) == {}


def test_foreign_code_cannot_end_or_hold_up_the_check(tmp_path):
    (tmp_path / "game.py").write_text("import os\nos._exit(3)\n")
    with pytest.raises(CourseError, match="your program"):
        check_own_work(tmp_path)
    (tmp_path / "game.py").write_text("def create_board(:\n")
    assert "SyntaxError" in check_own_work(tmp_path, sessions=[1]).notes[0]


def test_what_is_not_work(tmp_path):
    for path, words in (
        (tmp_path / "none", "there is no"),
        (tmp_path, "has no Python file"),
        (HERE.parent / "README.md", "there is no|neither a notebook"),
    ):
        with pytest.raises(CourseError, match=words):
            check_own_work(path)
    with pytest.raises(CourseError, match="handouts C and D, not A"):
        check_own_work(FRENCH, letter="A")
    (tmp_path / "x.ipynb").write_text("{}")
    with pytest.raises(CourseError, match="not a notebook"):
        check_own_work(tmp_path / "x.ipynb")


def test_a_folder_of_another_kind_is_not_run(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "util.py").write_text("open('ran', 'w')\ndef load(path): return path\n")
    ran = run("course", "check")
    assert (ran.code, ran.out) == (2, "")
    assert (
        "I do not know . as work for a handout: it has 1 Python file, but no functions" in ran.err
    )
    (tmp_path / "rl_toolkit" / "envs").mkdir(parents=True)
    (tmp_path / "rl_toolkit" / "envs" / "tictactoe.py").write_text("class TicTacToe: pass\n")
    assert "`rl-toolkit course check --as-typed .` tests these" in run("course", "check").err
    assert not (tmp_path / "ran").exists()
    (tmp_path / "names.toml").write_text('handout = "D"\n')
    assert "names.toml says that . is work for handout D" in run("course", "check").words


def test_a_column_of_tic_tac_toe_is_no_second_game(tmp_path):
    columns = "\n\ndef check_columns(board):\n    for column in range(3):\n        pass\n"
    one = notebook(tmp_path / "one.ipynb", GAME.partition("if __name__")[0] + columns)
    assert (read_own(one).handout(), read_own(one).second_game) == ("C", "")
    two = notebook(tmp_path / "two.ipynb", columns + "def drop_piece(grid, column): pass\n")
    assert (read_own(two).handout(), read_own(two).second_game) == ("D", "drop_piece")
    assert (read_own(FRENCH).handout(), read_own(CLASSES).handout()) == ("D", "D")
    said = taken_for(read_own(FRENCH))
    assert said.endswith("because `puissance4.py` belongs to a second game.")


def test_a_class_of_projects(tmp_path):
    class_folder, out = tmp_path / "class", tmp_path / "out"
    class_folder.mkdir()
    notebook(class_folder / "eve.ipynb", GAME.partition("if __name__")[0])
    (class_folder / "bob").mkdir()
    (class_folder / "bob" / "game.py").write_text("x = (\n")
    (class_folder / "lab").mkdir()
    (class_folder / "lab" / "names.toml").write_text('lab = "L05"\n')
    (class_folder / "lab" / "minimax.py").write_text("")
    for place in ("cleo/work", "dan/one", "dan/two"):
        (class_folder / place).mkdir(parents=True)
        (class_folder / place / "game.py").write_text("x = (\n")
    (class_folder / "kim" / "notes").mkdir(parents=True)
    entries = project_entries(class_folder)
    assert [path.name for path in entries] == ["bob", "cleo", "dan", "eve.ipynb"]
    graded = grade_projects(entries, out)
    assert [each.sentence() for each in graded] == [
        *["handout C: 0 of 16 tests"] * 4,
        "handout C: 16 of 16 tests",
    ]
    assert (out / "projects.csv").read_text().splitlines()[1:] == [
        *(f"{name},C,16,0,,,," for name in ("bob", "cleo", "dan-one", "dan-two")),
        "eve,C,16,16,,,,",
    ]
    assert "SyntaxError" in (out / "projects" / "bob.md").read_text()
    kept = (out / ".grading" / "results.db").read_bytes()
    grade_projects(entries, out)
    assert (out / ".grading" / "results.db").read_bytes() == kept


def test_what_is_wrong_with_the_results_of_projects_is_said_once(tmp_path):
    (tmp_path / ".grading").mkdir()
    (tmp_path / ".grading" / "results.db").write_bytes(b"no database")
    said = []
    for _ in range(2):
        grade_projects([], tmp_path, on_remark=said.append)
    assert len(said) == 1
    assert "It was set aside as results.db.damaged-1" in said[0]


def test_the_command_checks_own_work_and_says_its_points(run, tmp_path):
    checked = run("course", "check", str(project(tmp_path)), "--json")
    assert checked.code == 0
    found = json.loads(checked.out)
    assert (found["grade"]["reached"], found["grade"]["judged"]) == (65.0, 65)
    (tmp_path / "morpion.py").unlink()
    assert run("course", "check", str(tmp_path), "--session", "3").code == 0
    assert run("course", "check", str(tmp_path), "--session", "1").code == 1
    assert run("course", "check", str(tmp_path / "none.ipynb")).code == 2


def test_a_class_is_graded_by_the_command(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    notebook(tmp_path / "class" / "eve.ipynb", GAME.partition("if __name__")[0])
    (tmp_path / "class" / "bob.ipynb").write_text("{}")
    graded = run("lab", "grade-all", "class", "--workers", "1")
    assert graded.code == 1  # one entry could not be read
    assert "eve handout C: 16 of 16 tests" in graded.words
    assert "bob bob.ipynb is not a notebook of version 4" in graded.words
    assert (tmp_path / "class-reports" / "projects" / "eve.md").is_file()


SCRIPT = """
VIDE = " "
compteur = 0

def creer_grille():
    return [[VIDE] * 3 for _ in range(3)]

def coups_possibles(grille):
    return [(i, j) for i in range(3) for j in range(3) if grille[i][j] == VIDE]

def jouer_coup(joueur, coup, grille):
    nouvelle = [ligne[:] for ligne in grille]
    nouvelle[coup[0]][coup[1]] = joueur
    return nouvelle

def gagnant(grille):
    lignes = [list(ligne) for ligne in grille] + [list(colonne) for colonne in zip(*grille)]
    lignes += [[grille[i][i] for i in range(3)], [grille[i][2 - i] for i in range(3)]]
    return next((l[0] for l in lignes if l[0] != VIDE and len(set(l)) == 1), None)

def est_fini(grille):
    return gagnant(grille) is not None or not coups_possibles(grille)

def score(grille):
    return {"X": 1, "O": -1, None: 0}[gagnant(grille)]

def minimax(au_max, grille):
    global compteur
    compteur += 1
    if est_fini(grille):
        return score(grille)
    marque, choix = ("X", max) if au_max else ("O", min)
    suites = [jouer_coup(marque, coup, grille) for coup in coups_possibles(grille)]
    return choix(minimax(not au_max, suite) for suite in suites)
"""


def test_a_french_script_with_pairs_and_another_order_of_parameters(run, tmp_path):
    file = tmp_path / "jeu.py"
    file.write_text(SCRIPT)
    report = check_own_work(file, sessions=[1, 2])
    found = {test.name: test.status for each in report.sessions for test in each.tests}
    assert found.pop("test_best_move") == "todo"
    assert set(found.values()) == {"right"}, wrong(report)
    notes = " ".join(report.notes)
    assert "`gagnant` tells which they are" in notes
    assert "I take `au_max` as *is X to move*" in notes
    (tmp_path / "other.py").write_text("def load(path): return path\n")
    assert "is checked with its folder" in run("course", "check", str(tmp_path / "other.py")).err
    file.write_text(SCRIPT.replace("[i][2 - i]", "[i][i]"))
    wrongly = wrong(check_own_work(file, sessions=[1]))
    assert {"test_winner", "test_lines"} <= set(wrongly)


def test_a_project_of_one_game_hears_that_the_other_is_missing(tmp_path):
    (tmp_path / "jeu.py").write_text(SCRIPT)
    report = check_own_work(tmp_path, letter="D", sessions=[3])
    notes = " ".join(test.sentence for each in report.sessions for test in each.tests)
    assert "I find no Connect Four in your program: `creer_grille` makes the 9 cells" in notes
    (tmp_path / "jeu.py").write_text(SCRIPT.replace("def creer_grille", "def neuf"))
    report = check_own_work(tmp_path, letter="D", sessions=[3])
    notes = " ".join(test.sentence for each in report.sessions for test in each.tests)
    assert "I find no `create_board` for Connect Four in jeu, which has `neuf`" in notes


def test_a_search_of_a_class_with_short_names_is_found_beside_a_random_player(tmp_path):
    (tmp_path / "tictactoe.py").write_text(BOARD_AND_SEARCH)
    report = check_own_work(tmp_path, letter="D", sessions=[2])
    assert wrong(report) == {}
    notes = " ".join(report.notes)
    assert "`Search.value` as `minimax` and `Search.choose` as `best_move_for_ai`" in notes
    (tmp_path / "tictactoe.py").write_text(BOARD_AND_SEARCH.replace("best(found)", "max(found)"))
    assert "test_values" in wrong(check_own_work(tmp_path, letter="D", sessions=[2]))


BOARD_AND_SEARCH = """
class Board:
    def __init__(self):
        self.grid = [[" "] * 3 for _ in range(3)]

    def legal_moves(self):
        return [(r, c) for r in range(3) for c in range(3) if self.grid[r][c] == " "]

    def play(self, move, mark):
        self.grid[move[0]][move[1]] = mark

    def undo(self, move):
        self.grid[move[0]][move[1]] = " "

    def winner(self):
        g = self.grid
        lines = [*g, *map(list, zip(*g)), [g[i][i] for i in range(3)]]
        lines.append([g[i][2 - i] for i in range(3)])
        return next((x[0] for x in lines if x[0] != " " and x.count(x[0]) == 3), None)

class Player:
    def __init__(self, mark):
        self.mark = mark

    def choose(self, board):
        raise NotImplementedError

class RandomAI(Player):
    def choose(self, board):
        return board.legal_moves()[-1]

class Search(Player):
    def value(self, board, mark):
        if board.winner():
            return 1 if board.winner() == self.mark else -1
        best = max if mark == self.mark else min
        found = []
        for move in board.legal_moves():
            board.play(move, mark)
            found.append(self.value(board, "O" if mark == "X" else "X"))
            board.undo(move)
        return best(found) if found else 0

    def choose(self, board):
        def after(move):
            board.play(move, self.mark)
            value = self.value(board, "O" if self.mark == "X" else "X")
            board.undo(move)
            return value
        return max(board.legal_moves(), key=after)
"""
