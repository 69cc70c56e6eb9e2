"""The companions: right solutions pass, skeletons and errata fail with kind words."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from rl_toolkit.course import check_course, companion, companions, start_course
from rl_toolkit.labs import lab_by_id
from rl_toolkit.labs.catalogue.l19_browser import engines
from rl_toolkit.labs.catalogue.l19_browser.engines import find_browser

SOLUTIONS = Path(__file__).parent / "solutions"
#: Tests that take seconds: they run in the full suite.
SLOW = {"A": (5,), "C": (), "E": (2, 3, 4, 5)}
SLOW_TESTS = ("test_counts_of_the_empty_board", "test_never_loses", "test_memo_kept")
NEEDS_NODE = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")


def solved(letter: str, folder: Path, **changes: tuple[str, str, str]) -> Path:
    """A folder with the right solution, changed: name=(file, old, new)."""
    start_course(companion(letter), folder)
    for path in (SOLUTIONS / letter.lower()).iterdir():
        if path.is_file():
            (folder / path.name).write_text(path.read_text("utf-8"), encoding="utf-8")
    for file, old, new in changes.values():
        text = (folder / file).read_text("utf-8")
        assert text.count(old) == 1, (file, old)
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return folder


def results(report) -> dict[str, tuple[str, str]]:
    return {
        test.name: (test.status, test.sentence)
        for session in report.sessions
        for test in session.tests
    }


@pytest.mark.parametrize("letter", "ABCD")
def test_right_solutions_pass(letter, tmp_path):
    course = companion(letter)
    folder = solved(letter, tmp_path)
    sessions = [s.number for s in course.sessions if s.number not in SLOW.get(letter, ())]
    names = [
        line.partition("def ")[2].partition("(")[0]
        for text in course.tests().values()
        for line in text.splitlines()
        if line.startswith("def test_")
    ]
    quick = [name for name in names if name not in SLOW_TESTS]
    report = check_course(folder, sessions=sessions, tests=quick)
    fine = ("right",) if shutil.which("node") else ("right", "open")
    assert {n: s for n, s in results(report).items() if s[0] not in fine} == {}
    assert all(session.tests for session in report.sessions)


@pytest.mark.full
@pytest.mark.parametrize("letter", ["A", "C", pytest.param("E", marks=NEEDS_NODE)])
def test_right_solutions_pass_all_tests(letter, tmp_path):
    report = check_course(solved(letter, tmp_path))
    assert report.all_right
    assert report.next is None


@NEEDS_NODE
def test_a_script_is_tested_too(tmp_path):
    folder = solved("E", tmp_path, wrong=("tic-tac-toe.js", "Move(false", "Move(true"))
    report = check_course(folder, sessions=[1], tests=["test_first_move", "test_same_cell_twice"])
    assert [test.status for test in report.sessions[0].tests] == ["right", "wrong"]


#: A change of handout E's program → the task of lab L19 that sees it, and its words.
MISTAKES_OF_E = {
    "plays for X": ("(game, null), false)", "(game, null), true)", 3, "O needs the lowest one"),
    "shallow clone": ("map(row => row.slice())", "slice()", 3, "Your clone shares its rows"),
    "one diagonal": (", [[0, 2], [1, 1], [2, 0]]", "", 2, "There are two diagonals"),
    "no turns": ("this.player = this.player === X ? O : X;", "", 1, "moves again and again"),
    "jQuery": ("const EMPTY = 0;", 'const EMPTY = 0; $("#board").hide();', 0, ""),
}


@NEEDS_NODE
@pytest.mark.parametrize("mistake", MISTAKES_OF_E)
def test_handout_e_is_checked_by_the_tasks_of_a_lab(mistake, tmp_path):
    right, wrong, task, words = MISTAKES_OF_E[mistake]
    folder = solved("E", tmp_path, wrong=("tic-tac-toe.js", right, wrong))
    names = [f"L19_task_{task}"] if task else ["L19_task_1", "L19_task_2", "L19_task_3"]
    found = results(check_course(folder, tests=names))
    assert list(found) == names
    for status, sentence in found.values():
        assert status == ("wrong" if task else "right")
        assert words in sentence


NEEDS_BROWSER = pytest.mark.skipif(find_browser() is None, reason="needs Chromium")
#: A change of a page → companion, session, scene, file, old, new, the words about it.
PAGES = {
    "labels beside the grid": (
        *("A", 4, "one_grid", "index.html"),
        "put(label, row, column);",
        "document.body.prepend(label);",
        "pixels off the middle of its cells",
    ),
    "a taken cell": (
        *("A", 4, "refuses", "index.html"),
        "if (board[cell] || line() || !board.includes(0)) return;",
        "",
        "a taken cell must do nothing",
    ),
    "no line": (
        *("A", 4, "marks_the_line", "index.html"),
        'line()?.includes(cell) ? " win" : ""',
        '""',
        "mark the line",
    ),
    "top row below": (
        *("B", 4, "shows_the_search", "index.html"),
        "let row = 5; row >= 0; row--",
        "let row = 0; row < 6; row++",
        "the lowest row of the page",
    ),
    "invalid moves": (
        *("E", 1, "draws_moves", "page.js"),
        "if (move.valid && !after(move))",
        "if (!after(move))",
        "a second click",
    ),
    "no colour": (
        *("E", 2, "colours_the_line", "page.js"),
        "#F7DC6F",
        "#FFFFFF",
        "must have the colour #F7DC6F",
    ),
    "no lot": (
        *("E", 4, "draws_lots", "page.js"),
        "Math.random() < 0.5",
        "true",
        "drawn by lot",
    ),
}
QUICK_PAGES = ("labels beside the grid", "invalid moves")


@NEEDS_BROWSER
@pytest.mark.parametrize(
    "change",
    [p if p in QUICK_PAGES else pytest.param(p, marks=pytest.mark.full) for p in PAGES],
)
def test_a_browser_sees_what_is_wrong_on_a_page(change, tmp_path):
    letter, session, scene, file, old, new, words = PAGES[change]
    folder = solved(letter, tmp_path, wrong=(file, old, new))
    found = results(check_course(folder, sessions=[session], tests=[f"page_{scene}"]))
    status, sentence = found[f"page_{scene}"]
    assert status == "wrong"
    assert words in sentence


@NEEDS_BROWSER
@pytest.mark.parametrize(
    "letter", [pytest.param(letter, marks=pytest.mark.full) for letter in "ABE"]
)
def test_right_pages_pass_in_a_browser(letter, tmp_path):
    scenes = [f"page_{each}" for s in companion(letter).sessions for each in s.page_tests]
    found = results(check_course(solved(letter, tmp_path), tests=scenes))
    assert list(found) == scenes
    assert {name: told for name, told in found.items() if told[0] != "right"} == {}


def test_without_a_browser_a_page_is_left_open(tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "find_browser", lambda: None)
    report = check_course(solved("A", tmp_path), sessions=[4], tests=["page_one_grid"])
    status, sentence = results(report)["page_one_grid"]
    assert status == "open"
    assert "there is no browser of the Chromium family here" in sentence


@pytest.mark.parametrize("letter", "AD")
def test_skeletons_fail_kindly(letter, tmp_path):
    start_course(companion(letter), tmp_path)
    report = check_course(tmp_path)
    for name, (status, sentence) in results(report).items():
        assert status == "todo", name
        assert "not written yet" in sentence or " yet: session " in sentence
    assert not report.all_right


def test_a_missing_function_and_a_missing_file_are_named(tmp_path):
    folder = solved("C", tmp_path, gone=("my_game.py", "def utility", "def worth"))
    report = check_course(folder, sessions=[2], tests=["test_utility"])
    assert results(report)["test_utility"] == (
        "todo",
        "my_game.py has no function utility yet: session 2 writes it",
    )
    (folder / "my_game.py").unlink()
    report = check_course(folder, sessions=[2], tests=["test_utility"])
    assert results(report)["test_utility"][1] == "there is no my_game.py yet: session 2 writes it"
    assert report.sessions[0].missing == ("my_game.py",)


#: Erratum → companion, file, right line, wrong line, session, the test that sees it, its words.
ERRATA = {
    "R2": (
        "A",
        "my_tictactoe.py",
        "if not 0 <= action < len(self.board):",
        "if action > 90:",
        1,
        "test_off_the_board",
        "must raise ValueError",
    ),
    "R6": (
        "A",
        "my_minimax.py",
        '"low" if best >= beta else "high" if best <= alpha else "exact"',
        '"exact"',
        2,
        "test_memo_kept",
        "bounds",
    ),
    "R12": (
        "A",
        "my_terminal.py",
        'value if perspective == "ai" else -value',
        "value",
        3,
        "test_outcome_for_the_other_side",
        "win of the human",
    ),
    "R13": (
        "A",
        "my_names.py",
        "if not validate_position(position, board_size):",
        "if not position:",
        3,
        "test_names_off_the_board",
        "must raise ValueError",
    ),
    "R18": (
        "A",
        "my_server.py",
        "if game._find_line() is not None or 0 not in board:",
        "if not board:",
        4,
        "test_finished_games",
        "400",
    ),
    "one diagonal": (
        "A",
        "my_tictactoe.py",
        "(1, 1), (1, -1))",
        "(1, 1))",
        1,
        "test_x_wins_a_diagonal",
        "X has c1, b2, a3",
    ),
    "the copy forgets": (
        "A",
        "my_tictactoe.py",
        "other.board = self.board.copy()",
        "other.board, other.winner = self.board.copy(), None",
        1,
        "test_copy",
        "done and winner of a copy",
    ),
    "legality of the bottom cell": (
        "B",
        "my_connect_four.py",
        "top = (self.rows - 1) * self.cols",
        "top = 0",
        1,
        "test_full_column",
        "with 1 of six pieces",
    ),
    "a hash without the mover": (
        "B",
        "my_connect_four.py",
        "{self.board.tobytes().hex()}{self.current_player}",
        "{self.board.tobytes().hex()}",
        1,
        "test_hash",
        "two hashes",
    ),
    "R34": (
        "B",
        "my_connect_four.py",
        "self.winner is not None or not self.get_legal_moves()",
        "self.winner is not None or self.move_count == 42",
        1,
        "test_a_board_that_was_set",
        "is_terminal of a full board",
    ),
    "no depth limit": (
        "B",
        "my_mcts.py",
        "if self.max_depth is not None and plies",
        "if self.max_depth == 0 and plies",
        3,
        "test_cut_playouts_ask_for_an_estimate",
        "never asks evaluate_heuristic",
    ),
    "R21": (
        "B",
        "my_connect_four.py",
        'if self.is_terminal():\n            raise ValueError("the game is over")',
        "pass",
        1,
        "test_after_the_end",
        "must raise ValueError",
    ),
    "R27": (
        "B",
        "my_mcts.py",
        "node.total_value += result * self._mover_into(node)",
        "node.total_value += result\n            result = -result",
        2,
        "test_o_wins",
        "player who moved into the node",
    ),
    "R38": (
        "D",
        "my_tictactoe.py",
        "player = other(player)\n    display(board)",
        "player = other(player)\n        print('Draw')",
        1,
        "test_play_to_a_win",
        "erratum R38",
    ),
    "R40": (
        "D",
        "my_connect_four.py",
        "ROWS, COLS, WIN = 6, 7, 100000",
        "ROWS, COLS, WIN = 6, 7, float('inf')",
        4,
        "test_finite",
        "finite",
    ),
}


@pytest.mark.parametrize("erratum", ERRATA)
def test_wrong_versions_of_the_handouts_are_seen(erratum, tmp_path):
    letter, file, right, wrong, session, name, words = ERRATA[erratum]
    folder = solved(letter, tmp_path, wrong=(file, right, wrong))
    report = check_course(folder, sessions=[session], tests=[name])
    status, sentence = results(report)[name]
    assert status == "wrong"
    assert words in sentence


def test_foreign_code_cannot_hold_up_or_end_the_check(tmp_path):
    start_course(companion("C"), tmp_path)
    (tmp_path / "my_game.py").write_text("import os\nos._exit(3)\n")
    report = check_course(tmp_path, sessions=[1], tests=["test_empty_board", "test_moves"])
    assert [status for status, _ in results(report).values()] == ["wrong", "wrong"]
    (tmp_path / "my_game.py").write_text("input('your move')\n")
    report = check_course(tmp_path, sessions=[1], tests=["test_empty_board"])
    assert "asks for input" in results(report)["test_empty_board"][1]
    (tmp_path / "my_game.py").write_text("def create_board(:\n")
    report = check_course(tmp_path, sessions=[1], tests=["test_empty_board"])
    assert "Python cannot read your file" in results(report)["test_empty_board"][1]


def test_start_adds_renews_and_leaves_alone(tmp_path):
    course = companion("A")
    first = start_course(course, tmp_path)
    assert "my_tictactoe.py" in first.written
    assert start_course(course, tmp_path) == type(first)((), (), ())

    manifest = tmp_path / ".course" / "manifest.json"
    older = (tmp_path / "session-1.md").read_text() + "an older line\n"
    (tmp_path / "session-1.md").write_text(older)
    text = manifest.read_text()
    new_sum = hashlib.sha256(course.pages()["session-1.md"].encode()).hexdigest()
    manifest.write_text(text.replace(new_sum, hashlib.sha256(older.encode()).hexdigest()))
    (tmp_path / "session-2.md").write_text("my own notes\n")
    (tmp_path / "my_names.py").write_text("# mine\n")
    (tmp_path / "plan.md").unlink()

    again = start_course(course, tmp_path)
    assert (again.written, again.renewed, again.kept) == (
        ("plan.md",),
        ("session-1.md",),
        ("session-2.md",),
    )
    assert (tmp_path / "my_names.py").read_text() == "# mine\n"
    assert "an older line" not in (tmp_path / "session-1.md").read_text()
    with pytest.raises(ValueError, match="folder of companion A"):
        start_course(companion("B"), tmp_path)


def test_companions_are_complete():
    theory = {path.stem for path in (Path(__file__).parents[2] / "docs" / "learn").glob("*.md")}
    for course in companions():
        tests, code = course.tests(), course.code()
        for session in course.sessions:
            assert session.test_file in tests
            assert set(session.files) <= set(code)
            assert set(session.theory) <= theory
            for name in session.labs:
                assert lab_by_id(name).id == name
        assert not any(name.startswith("rl_toolkit") for name in code)
        assert {"plan.md", "session-1.md"} <= set(course.pages())
