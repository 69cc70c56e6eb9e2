"""A student's own folder ``rl_toolkit/`` is named, and can be tested as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rl_toolkit.course import check_typed, companion, typed_handouts
from rl_toolkit_notice import notice

SOLUTIONS = Path(__file__).parent / "solutions"
PLACES = {
    "my_tictactoe.py": "rl_toolkit/envs/tictactoe.py",
    "my_minimax.py": "rl_toolkit/algorithms/minimax.py",
}


@pytest.fixture
def tree(tmp_path):
    """Handout A's files where the handout says, with a mistake in the first."""
    for own, place in PLACES.items():
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((SOLUTIONS / "a" / own).read_text("utf-8"), encoding="utf-8")
    return tmp_path


def test_silent_without_such_a_folder(tmp_path):
    assert notice([tmp_path]) == ""
    (tmp_path / "rl_toolkit").mkdir()
    assert notice([tmp_path]) == ""
    assert notice([Path(__file__).parents[2]]) == ""


def test_a_foreign_folder_is_named(tree):
    text = notice([tree])
    assert text.startswith("rl_toolkit/algorithms/minimax.py is not imported")
    assert "my_minimax.py" in text
    assert "course check --as-typed" in text


def test_a_file_hidden_in_a_clone_is_named(tmp_path):
    package = tmp_path / "rl_toolkit"
    for folder in ("cli", "labs/catalogue", "algorithms/minimax"):
        (package / folder).mkdir(parents=True)
    (package / "cli" / "main.py").touch()
    assert notice([tmp_path]) == ""
    (package / "algorithms" / "minimax.py").touch()
    (package / "algorithms" / "minimax" / "__init__.py").touch()
    text = notice([tmp_path])
    assert text.startswith("rl_toolkit/algorithms/minimax.py is never imported")


def test_pytest_and_the_command_say_it(tree):
    (tree / "tests").mkdir()
    (tree / "tests" / "test_mine.py").write_text(
        "from rl_toolkit.envs.tictactoe import TicTacToe\n\n\ndef test_it():\n    TicTacToe()\n"
    )
    run = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests"]
    shown = subprocess.run(run, cwd=tree, capture_output=True, text=True, check=True)
    assert "is not imported: tests use the classes of the installed package" in shown.stdout
    shown = subprocess.run([*run, "-q"], cwd=tree, capture_output=True, text=True, check=True)
    assert shown.stdout.count("is not imported: tests use the classes of the installed") == 1
    run = [sys.executable, "-m", "rl_toolkit", "--version"]
    told = subprocess.run(run, cwd=tree, capture_output=True, text=True, check=True)
    assert "Note: rl_toolkit/algorithms/minimax.py is not imported" in told.stderr


def test_a_typed_tree_is_tested_as_it_is(tree):
    report = check_typed(tree, companion("A"), sessions=[1])
    assert report.places == PLACES
    assert all(test.status == "right" for test in report.sessions[0].tests)
    file = tree / "rl_toolkit" / "envs" / "tictactoe.py"
    file.write_text(file.read_text().replace("self.board[action] != 0", "False"))
    report = check_typed(tree, companion("A"), sessions=[1])
    wrong = {test.name for test in report.sessions[0].tests if test.status == "wrong"}
    assert wrong == {"test_refusals"}


def test_a_typed_tree_finds_its_own_modules_and_our_base(tree):
    file = tree / "rl_toolkit" / "envs" / "tictactoe.py"
    text = file.read_text().replace(
        "import numpy as np\n",
        "import numpy as np\nfrom rl_toolkit.envs.base_game import BaseGameEnv\n",
    )
    file.write_text(text)
    solver = tree / "rl_toolkit" / "algorithms" / "minimax.py"
    solver.write_text("from rl_toolkit.envs.tictactoe import TicTacToe\n" + solver.read_text())
    report = check_typed(tree, companion("A"), sessions=[2])
    quick = [test for test in report.sessions[0].tests if test.name == "test_win_in_one"]
    assert [test.status for test in quick] == ["right"]


def test_names_of_ones_own_do_not_hide_what_the_toolkit_needs_and_the_toolkit_lends_none(tree):
    game = tree / "rl_toolkit" / "envs" / "tictactoe.py"
    game.write_text("from rl_toolkit.envs.base_game import BaseGameEnv\n" + game.read_text())
    names = tree / "rl_toolkit" / "utils" / "position_utils.py"
    names.parent.mkdir()
    text = (SOLUTIONS / "a" / "my_names.py").read_text("utf-8")
    assert "def algebraic_to_tuple" in text  # the toolkit has one, too
    names.write_text(text.replace("def algebraic_to_tuple", "def algebraic_to_pair"))
    report = check_typed(tree, companion("A"), sessions=[1, 3])
    assert report.sessions[0].is_done
    tuples = next(test for test in report.sessions[1].tests if test.name == "test_pairs")
    assert tuples.status == "todo"
    assert "position_utils.py has no function algebraic_to_tuple yet" in tuples.sentence


def test_a_file_without_a_place_is_found_and_missing_sessions_are_named(tree):
    (tree / "rl_toolkit" / "algorithms" / "minimax.py").unlink()
    text = (SOLUTIONS / "a" / "my_terminal.py").read_text("utf-8")
    (tree / "rl_toolkit" / "play.py").write_text(text, encoding="utf-8")
    report = check_typed(tree, companion("A"))
    assert [each.session.number for each in report.sessions] == [1, 3]
    assert report.places["my_terminal.py"] == "rl_toolkit/play.py"
    assert report.notes == ("There is no file of sessions 2, 4 and 5 here, so no test of it.",)


def test_another_tree_is_refused(tmp_path):
    with pytest.raises(ValueError, match="none of the files of handout B"):
        check_typed(tmp_path, companion("B"))


@pytest.mark.parametrize(
    ("files", "letters"),
    [
        (["rl_toolkit/envs/tictactoe.py", "rl_toolkit/utils/position_utils.py"], "A"),
        (["my_connect_four.py", "my_names.py"], "B"),
        (["envs/tictactoe.py", "envs/connect_four.py", "utils/position_utils.py"], "AB"),
        (["rl_toolkit/utils/position_utils.py"], "AB"),
    ],
)
def test_a_file_of_two_handouts_begins_neither(files, letters, tmp_path):
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# mine\n")
    chosen = typed_handouts(tmp_path, [companion("A"), companion("B")])
    assert "".join(course.id for course in chosen) == letters


def test_a_folder_without_typed_files_is_named_once(run, tmp_path):
    refused = run("course", "check", "--as-typed", str(tmp_path / "none"))
    assert refused.code == 2
    assert refused.err.count("there is no folder") == 1
    assert (
        "none of the files of the handouts"
        in run("course", "check", "--as-typed", str(tmp_path)).err
    )


@pytest.mark.parametrize("inner", ["", "rl_toolkit", "rl_toolkit/envs"])
def test_the_classes_of_a_clone_are_not_taken_for_a_students(inner, run):
    refused = run("course", "check", "--as-typed", str(Path(__file__).parents[2] / inner))
    assert refused.code == 2
    assert "holds the toolkit itself" in refused.err
    assert "tests right" not in refused.out
