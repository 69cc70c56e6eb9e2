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
    assert "Your `minimax` counts for O, so that I turn its sign." in report.notes
    assert "your players are 1 and 2 and your first row is the bottom row" in notes
    assert any("plays O only" in note for note in report.notes)
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
    assert "I take your class `TicTacToe` as the game, its `board` as the board." in report.notes
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
        "Your `make_move` changes the board that it is given, and returns nothing.",
        "Your `minimax` counts for the side to move.",
    ):
        assert note in report.notes
    assert "Your `legal_moves` has one parameter, the board." not in report.notes


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
        (HERE / "test_own_work.py", "neither a notebook"),
    ):
        with pytest.raises(CourseError, match=words):
            check_own_work(path)
    with pytest.raises(CourseError, match="handouts C and D, not A"):
        check_own_work(FRENCH, letter="A")
    (tmp_path / "x.ipynb").write_text("{}")
    with pytest.raises(CourseError, match="not a notebook"):
        check_own_work(tmp_path / "x.ipynb")


def test_a_class_of_projects(tmp_path):
    class_folder, out = tmp_path / "class", tmp_path / "out"
    class_folder.mkdir()
    notebook(class_folder / "eve.ipynb", GAME.partition("if __name__")[0])
    (class_folder / "bob").mkdir()
    (class_folder / "bob" / "game.py").write_text("x = (\n")
    (class_folder / "lab").mkdir()
    (class_folder / "lab" / "names.toml").write_text('lab = "L05"\n')
    (class_folder / "lab" / "minimax.py").write_text("")
    entries = project_entries(class_folder)
    assert [path.name for path in entries] == ["bob", "eve.ipynb"]
    graded = grade_projects(entries, out)
    assert [each.sentence() for each in graded] == [
        "handout C: 0 of 16 tests",
        "handout C: 16 of 16 tests",
    ]
    assert (out / "projects.csv").read_text().splitlines()[1:] == [
        "bob,C,16,0,,,,",
        "eve,C,16,16,,,,",
    ]
    assert "SyntaxError" in (out / "projects" / "bob.md").read_text()
    kept = (out / ".grading" / "results.db").read_bytes()
    grade_projects(entries, out)
    assert (out / ".grading" / "results.db").read_bytes() == kept


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
