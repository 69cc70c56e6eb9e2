"""A student's own folder ``rl_toolkit/`` is named, and can be tested as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rl_toolkit.course import check_typed, companion
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


def test_another_tree_is_refused(tmp_path):
    with pytest.raises(ValueError, match="none of the files of handout B"):
        check_typed(tmp_path, companion("B"))
