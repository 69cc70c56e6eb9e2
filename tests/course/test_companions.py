"""The companions: right solutions pass, skeletons and errata fail with kind words."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rl_toolkit import make_game
from rl_toolkit.course import CourseError, check_course, companion, companions, start_course
from rl_toolkit.labs import lab_by_id, labs
from rl_toolkit.labs.catalogue.l19_browser import engines
from rl_toolkit.labs.catalogue.l19_browser.engines import find_browser
from rl_toolkit.web import create_app

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
def test_a_program_that_remembers_the_end_is_right_too(tmp_path):
    js = "tic-tac-toe.js"
    marks = "this.matrix[row][col] = this.player;"
    changes = {
        "begins": (js, "this.player = opener;", "this.player = opener; this.ended = false;"),
        "asks": (js, " || this.checkGameOver()", " || this.ended"),
        "ends": (js, marks, f"{marks} this.ended = this.checkGameOver() !== undefined;"),
        "copies": (js, "return other;", "other.ended = this.ended; return other;"),
    }
    tasks = ["L19_task_1", "L19_task_2", "L19_task_3"]
    found = results(check_course(solved("E", tmp_path, **changes), tests=tasks))
    assert found == dict.fromkeys(tasks, ("right", ""))


#: The model of handout E as a function that keeps its marks and the turn to itself.
CLOSURES = """
function TicTacToe(opener) {
  const matrix = [0, 1, 2].map(() => [EMPTY, EMPTY, EMPTY]);
  let player = opener;
  function checkGameOver() {
    const lines = [[[0, 0], [1, 1], [2, 2]], [[0, 2], [1, 1], [2, 0]]];
    for (const i of [0, 1, 2]) lines.push([0, 1, 2].map(j => [i, j]), [0, 1, 2].map(j => [j, i]));
    for (const line of lines) {
      const [a, b, c] = line.map(([row, col]) => matrix[row][col]);
      if (a !== EMPTY && a === b && b === c) return { victor: a, victoryCells: line };
    }
    return matrix.flat().includes(EMPTY) ? undefined : {};
  }
  function makeMove(row, col) {
    const inside = row >= 0 && row < 3 && col >= 0 && col < 3;
    const valid = inside && matrix[row][col] === EMPTY && !checkGameOver();
    const move = { valid, row, col, player };
    if (valid) {
      matrix[row][col] = player;
      player = X + O - player;
    }
    return move;
  }
  function clone() {
    const other = new TicTacToe(player);
    other.take(matrix);
    return other;
  }
  const take = marks => marks.forEach((row, r) => row.forEach((mark, c) => (matrix[r][c] = mark)));
  return { matrix, makeMove, checkGameOver, clone, take };
}

function Node(game, move) {
  this.isLeaf = () => game.checkGameOver() !== undefined;
  this.getScore = () => ({ [X]: 1, [O]: -1 })[game.checkGameOver().victor] ?? 0;
  this.getMove = () => move;
  this.getChildren = () => {
    const tries = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(cell => {
      const next = game.clone();
      return [next, next.makeMove(Math.floor(cell / 3), cell % 3)];
    });
    return tries.filter(([, made]) => made.valid).map(([next, made]) => new Node(next, made));
  };
}

"""


def closures(text: str) -> str:
    """A solution of E with the model as closures."""
    model = text[text.index("class Move") : text.index("function minMax")]
    return text.replace(model, CLOSURES)


@NEEDS_NODE
def test_closures_are_right_too_and_a_script_may_touch_the_page(tmp_path):
    folder = solved("E", tmp_path)
    file = folder / "tic-tac-toe.js"
    file.write_text(closures(file.read_text("utf-8")), encoding="utf-8")
    tasks = ["L19_task_1", "L19_task_2", "L19_task_3", "test_lines", "test_draw", "test_blocks"]
    found = results(check_course(folder, tests=tasks))
    assert found == dict.fromkeys(tasks, ("right", ""))
    hidden = file.read_text("utf-8").replace(
        "return { matrix,", "return { get matrix() { return show(); },"
    )
    hidden = hidden.replace(
        "const take =", "const show = () => matrix.map(row => [...row]);\nconst take ="
    )
    touches_the_page = '$("#board").hide();\n'
    file.write_text(hidden + touches_the_page, encoding="utf-8")
    status, said = results(check_course(folder, tests=["L19_task_2"]))["L19_task_2"]
    assert status == "wrong"
    assert "keeps its marks elsewhere" in said


def test_labs_and_companions_name_each_other():
    for course in companions():
        named = {lab for session in course.sessions for lab in session.labs}
        letters = {lab.id: {source[0] for source in lab.sources} for lab in labs()}
        assert named == {lab for lab, of in letters.items() if course.id in of}


NEEDS_BROWSER = pytest.mark.skipif(find_browser() is None, reason="needs Chromium")


@NEEDS_BROWSER
@pytest.mark.parametrize(
    "letter", [pytest.param(letter, marks=pytest.mark.full) for letter in "ABE"]
)
def test_right_pages_pass_in_a_browser(letter, tmp_path):
    scenes = [f"page_{each}" for s in companion(letter).sessions for each in s.page_tests]
    found = results(check_course(solved(letter, tmp_path), tests=scenes))
    assert list(found) == scenes
    assert {name: told for name, told in found.items() if told[0] != "right"} == {}


@NEEDS_NODE
def test_the_stand_in_for_the_server_answers_as_the_server_does():
    server = (companion("B").folder.parent / "common" / "page_server.js").read_text("utf-8")
    client = create_app().test_client()
    plans = {
        "tictactoe": {"cells": 9, "cols": 3},
        "connect-four": {"cells": 42, "cols": 7, "columns": True},
    }
    for game, plan in plans.items():
        games = [transcript(make_game(game), seed) for seed in range(20)]
        script = (
            f"const window = {{ addEventListener() {{}} }}, PLAN = {json.dumps(plan)};\n{server}\n"
            "const ask = (body) => window.fetch('/api/position', { body: JSON.stringify(body) });\n"
            f"const games = {json.dumps(games)};\n"
            "Promise.all(games.map(async (moves) => (await ask({ moves })).json()))"
            ".then((answers) => console.log(JSON.stringify(answers)));"
        )
        ran = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
        for moves, found in zip(games, json.loads(ran.stdout), strict=True):
            right = client.post("/api/position", json={"game": game, "moves": moves}).get_json()
            assert found == {key: right[key] for key in found}


def transcript(game, seed: int) -> list[int]:
    """The moves of a random game, up to any of its positions."""
    random = Random(seed)
    moves: list[int] = []
    while not game.done and random.random() < 0.97:
        moves.append(int(random.choice(game.get_legal_moves())))
        game.step(moves[-1])
    return moves


def test_without_a_browser_a_page_is_left_open(tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "find_browser", lambda: None)
    report = check_course(solved("A", tmp_path), sessions=[4], tests=["page_one_grid"])
    status, sentence = results(report)["page_one_grid"]
    assert status == "open"
    assert "there is no browser of the Chromium family here" in sentence


@pytest.mark.parametrize(
    "letter", ["A", "B", "C", "D", pytest.param("E", marks=[NEEDS_NODE, pytest.mark.full])]
)
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


def test_pytest_tests_several_companions_in_one_go(tmp_path):
    for letter in "ABCD":
        solved(letter, tmp_path / f"course-{letter.lower()}")
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "names or undo"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout  # all files were imported, and tests of two have run
    assert "4 passed" in done.stdout


def test_a_companion_does_not_lie_in_another_one(tmp_path, monkeypatch):
    outer = tmp_path / "my courses" / "course-a"
    start_course(companion("A"), outer)
    monkeypatch.chdir(outer)
    with pytest.raises(CourseError, match="in the folder of companion A") as refused:
        start_course(companion("B"), Path("course-b"))
    assert "`rl-toolkit course start B ../course-b`" in str(refused.value)
    assert not Path("course-b").exists()
    with pytest.raises(CourseError, match="in the folder of companion A"):
        start_course(companion("A"), Path("again") / "course-a")
    start_course(companion("B"), Path("../course-b"))
    assert (tmp_path / "my courses" / "course-b" / "plan.md").is_file()


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
