"""Whatever a student's code does, the check ends with a sentence, and points only for answers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.labs import lab_by_id
from rl_toolkit.labs.checking import run as running
from rl_toolkit.labs.checking import session
from rl_toolkit.labs.checking.check import same
from rl_toolkit.labs.checking.report import LabReport
from rl_toolkit.labs.checking.run import check_work
from rl_toolkit.labs.checking.session import LoadError, Session, call
from rl_toolkit.labs.checking.verify import solution_files
from rl_toolkit.labs.engine import LabEngine
from rl_toolkit.labs.folder.template import TEMPLATE
from rl_toolkit.labs.model.lab import read_lab
from rl_toolkit.labs.model.positions import position
from rl_toolkit.labs.model.work import work_from
from rl_toolkit.utils.isolation import in_force, settle

LAB = read_lab(TEMPLATE)
LINES = "LINES = [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]\n"


@pytest.fixture(autouse=True)
def _no_process_is_left():
    yield
    settle()


def checked(code: str, names: str = "") -> LabReport:
    return check_work(LAB, work_from(LAB, {"winner.py": code, "names.toml": names}), seed=1)


def failure_of(code: str):
    report = checked(code)
    assert report.reached == 0
    assert not report.all_right
    failure = report.problem or report.tasks[0].failure
    assert failure is not None
    return failure


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return winner(board)", "again and again"),
        ("return bord", "NameError: name 'bord' is not defined"),
        ("import sys; print('10/10'); sys.exit(0)", "SystemExit"),
        ("import os; os._exit(0)", "ended (exit code 0)"),
        ("import os; os.kill(os.getpid(), 9)", "SIGKILL"),
        ("return [0] * 10**10", "too much memory"),
        ("return input()", "winner asks for input"),
    ],
)
def test_code_that_goes_wrong_ends_with_a_sentence(body, words):
    failure = failure_of(f"def winner(board):\n    {body}\n")
    assert words in failure.sentence
    assert failure.call == "winner(board)"


def test_a_player_of_a_lab_plays_longer_than_a_check_may_take(monkeypatch):
    clock = SimpleNamespace(monotonic=lambda: clock.now, now=0.0)
    monkeypatch.setattr(session, "time", clock)
    lab = lab_by_id("L05")
    code = "def best_move(board, player):\n    return board.index(' ')\n"
    engine = LabEngine(lab, work_from(lab, {lab.files[0]: code}))
    env = make_game("tictactoe")
    for _ in range(2):
        env.step(engine.analyse(env).best_move)
        clock.now += 2 * session.CHECK_SECONDS
        engine.close()  # the next move starts its process again


def test_a_process_that_stops_itself_ends_in_seconds(monkeypatch):
    """Not at the end of the time of the check, which has another sentence."""
    monkeypatch.setattr(session, "_LOOK", 0.05)
    failure = failure_of(
        "import os, signal\ndef winner(board):\n    os.kill(os.getpid(), signal.SIGSTOP)\n"
    )
    assert failure.sentence == (
        "Your program was stopped by a signal, as SIGSTOP does, and did not go on "
        "while winner was running."
    )


def test_a_whole_check_has_a_limit(monkeypatch):
    monkeypatch.setattr(session, "CHECK_SECONDS", 0.0)
    failure = failure_of("def winner(board):\n    return None\n")
    assert "its time was over" in failure.sentence


def test_prints_without_end_are_cut_off():
    failure = failure_of("def winner(board):\n    while True:\n        print('x' * 1000)\n")
    assert failure.sentence.startswith("winner prints more than two million characters.")


def test_a_raised_recursion_limit_does_not_hide_an_endless_recursion():
    code = (
        "import sys\nsys.setrecursionlimit(10**9)\ndef winner(board):\n    return winner(board)\n"
    )
    assert "again and again" in failure_of(code).sentence


def test_other_arguments_than_on_the_sheet_are_said():
    sentence = failure_of("def winner():\n    return None\n").sentence
    assert sentence.startswith("winner() cannot be called like winner(board) on the sheet.")
    assert "winner has no argument for board." in sentence


def test_a_helper_of_the_checks_is_not_named_to_the_student():
    task = _with_more("L02", 1, "\n\nMyTicTacToe.reset = lambda self, first_player=1: [][1]\n")
    assert task.failure.sentence == "Your program stopped with IndexError: list index out of range"
    assert task.failure.call == ""


@pytest.fixture
def _little_time(monkeypatch):
    """Calls have a tenth of their time, whatever the sentence about it says."""
    how = Session._how

    def hurried(self, each, stop):
        options = how(self, each, stop)
        return options | {"seconds": options["seconds"] / 10}

    monkeypatch.setattr(Session, "_how", hurried)


@pytest.mark.usefixtures("_little_time")
def test_code_that_catches_everything_is_ended_all_the_same():
    code = """
def winner(board):
    while True:
        try:
            while True:
                pass
        except:
            pass
"""
    assert "still running" in failure_of(code).sentence


@pytest.mark.usefixtures("_little_time")
@pytest.mark.parametrize("body", ["while True: pass", "return 7 ** 7 ** 12"])
def test_an_endless_loop_and_one_endless_step_outside_python_are_ended(body):
    failure = failure_of(f"def winner(board):\n    {body}\n")
    assert "still running after 2 s" in failure.sentence
    assert failure.call == "winner(board)"


@pytest.mark.parametrize(
    ("value", "right", "is_same"),
    [
        (True, 1, False),
        (0, False, False),
        (1.0, 1, True),
        (0.1 + 0.2, 0.3, True),
        (0.31, 0.3, False),
        ([1, [2]], (1, (2,)), True),
        ([1], [1, 1], False),
        ({"a": 0.1 + 0.2}, {"a": 0.3}, True),
        ({"a": 1}, {"b": 1}, False),
        (None, 0, False),
        ("1", 1, False),
        (float("inf"), float("inf"), True),
        (float("nan"), 0.0, False),
    ],
)
def test_answers_are_compared_by_value(value, right, is_same):
    assert same(value, right) is is_same


def test_code_that_sleeps_is_idle():
    failure = failure_of("import time\n\ndef winner(board):\n    time.sleep(1000)\n")
    assert "does nothing" in failure.sentence
    assert failure.traceback == ("winner.py, line 4, in winner", "    time.sleep(1000)")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def winner(board:\n    pass\n", "SyntaxError"),
        ("import no_such_module\n", "ModuleNotFoundError"),
        ("name = input('Who are you? ')\n", "asks for input as soon as it is loaded"),
        ("import os\nos._exit(0)\n", "ended (exit code 0)"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_said(code, words):
    assert words in failure_of(code).sentence


def test_a_file_that_runs_without_end_is_said(monkeypatch):
    monkeypatch.setattr(session, "LOAD_SECONDS", 0.2)
    assert "without end when it is loaded" in failure_of("x = 7 ** 7 ** 12\n").sentence


def test_a_traceback_is_cut_to_the_students_file():
    code = "import json\n\n\ndef read(board):\n    return json.loads(board[0])\n\n\n"
    failure = failure_of(code + "def winner(board):\n    return read(board)\n")
    assert failure.traceback == (
        "winner.py, line 9, in winner",
        "    return read(board)",
        "winner.py, line 5, in read",
        "    return json.loads(board[0])",
    )


def test_a_function_of_another_name_is_missed_and_can_be_named():
    right = (LAB.folder / "solution" / "winner.py").read_text("utf-8").replace("winner", "won_by")
    report = checked(right)
    assert "There is no winner" in report.tasks[0].failure.sentence
    assert checked(right, '[functions]\nwinner = "won_by"\n').all_right


def test_prints_and_exit_codes_prove_nothing():
    code = """
import json, os, sys
print(json.dumps({"points": 10, "all_right": True}))
os.write(1, b'{"answers": [{"value": null}]}')

def winner(board):
    print("right!")
    return None
"""
    failure = failure_of(code)
    assert failure.right == "'X'" or failure.right == "'O'"


def test_nothing_of_the_right_answers_is_in_the_students_process():
    code = """
import gc, sys

def winner(board):
    names = [name for name in sys.modules if "labs" in name]
    if any("truth" in name or "check" in name or "catalogue" in name for name in names):
        return "leak"
    raise RuntimeError(" ".join(sorted(names)))
"""
    assert "rl_toolkit.labs.host.worker" in failure_of(code).sentence


def test_a_change_of_the_board_is_noticed_between_calls():
    """Every call gets a board of its own, so that one call cannot spoil the next."""
    code = (
        LINES
        + """
def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            found = board[a]
            board[:] = ["X"] * 9
            return found
    board[:] = ["O"] * 9
    return None
"""
    )
    assert checked(code).all_right


def test_a_known_mistake_is_named_and_an_unknown_one_gets_the_first_failing_case():
    known = (
        LINES
        + """
def winner(board):
    found = None
    for line in LINES[:6]:
        marks = {board[cell] for cell in line}
        if len(marks) == 1 and marks != {" "}:
            found = marks.pop()
    return found
"""
    )
    failure = failure_of(known)
    assert failure.mistake == "no-diagonals"
    assert failure.sentence == "Rows and columns are found, diagonals are not."
    assert failure.case.startswith("Look along")
    unknown = known.replace("LINES[:6]", "LINES[3:7]")
    failure = failure_of(unknown)
    assert failure.mistake == ""
    assert failure.sentence.startswith("Look along")
    assert failure.board is not None
    assert "+---+" in failure.to_dict()["board"]
    assert failure.to_dict()["svg"].startswith("<svg")


def test_the_same_seed_draws_the_same_positions_and_another_draws_others():
    wrong = "def winner(board):\n    return 'X' if board.count('X') == 4 else None\n"
    work = work_from(LAB, {"winner.py": wrong})
    boards = [check_work(LAB, work, seed=s).tasks[0].failure.board for s in (1, 1, 2, 3, 4)]
    assert boards[0] == boards[1]
    assert len(set(boards)) > 1


def test_programs_that_share_a_process_see_nothing_of_each_other():
    def work(code: str, more: dict[str, str] | None = None):
        return work_from(LAB, {"winner.py": code, **(more or {})})

    ask = [call("winner", position("3/3/3 x"), returns="plain")]
    first = work("import own\n\ndef winner(board): return own.NUMBER\n", {"own.py": "NUMBER = 1\n"})
    second = work(
        "import own\n\ndef winner(board): return own.NUMBER\n", {"own.py": "NUMBER = 2\n"}
    )
    with Session(LAB, first, shares=True) as session:
        processes = set()
        for program, right in ((first, 1), (second, 2), (first, 1)):
            session.take(program)
            session.load()
            assert [answer.value for answer in session.ask(ask)] == [right]
            processes.add(id(session._held[0]))
        assert len(processes) == 1
        session.take(work("import own\n"))  # a file of the program before
        with pytest.raises(LoadError, match="No module named 'own'"):
            session.load()


def _with_more(lab_id: str, number: int, more: str):
    """The report on a task of a lab's solution with more code at its end."""
    lab = lab_by_id(lab_id)
    files = solution_files(lab)
    work = work_from(lab, files | {lab.files[0]: files[lab.files[0]] + more})
    (task,) = check_work(lab, work, tasks=[number], seed=1).tasks
    return task


@pytest.mark.parametrize("value", ["-7", "None", "[7]", "True", "10**1100"])
def test_two_functions_that_agree_on_one_constant_get_no_points(value):
    more = f"\n\ndef zobrist(*_):\n    return {value}\n\n\nzobrist_update = zobrist\n"
    task = _with_more("L09", 5, more)
    assert task.reached == 0
    assert "different numbers" in task.failure.sentence


def test_an_update_that_returns_nothing_is_said():
    task = _with_more("L09", 5, "\n\ndef zobrist_update(*_):\n    return None\n")
    assert task.failure.sentence == (
        "zobrist_update returned None. Does one way through it end without a return? "
        "The answer must be a whole number."
    )


def test_a_line_of_rows_and_columns_is_said():
    more = """
def _as_pairs(self, player, _find=MyTicTacToe.find_line):
    line = _find(self, player)
    return line and [divmod(cell, self.cols) for cell in line]

MyTicTacToe.find_line = _as_pairs
"""
    task = _with_more("L02", 2, more)
    assert task.failure.sentence == "find_line must return a list of cells, or None."


def test_numbers_too_large_for_floats_are_wrong_answers():
    more = "\n\ndef minimax(*_):\n    return 10**1100\n"
    task = _with_more("L05", 3, more)
    assert task.reached == 0
    assert task.failure.answer == "a number of more than 300 digits"


@pytest.mark.parametrize("counts", ['{"winner": "many"}', "{}", "7"])
def test_counts_that_are_not_counts_are_refused(counts):
    code = f"""
import sys
for module in list(sys.modules.values()):
    if hasattr(module, "Program"):
        module.Program.answers = lambda self, groups: [
            {{"value": None, "calls": {counts}}} for group in groups for _ in group["many"]
        ]

def winner(board):
    return None
"""
    with Session(LAB, work_from(LAB, {"winner.py": code})) as session:
        (answer,) = session.ask([call("winner", position("3/3/3 x"), count=["winner"])])
    assert answer.error is not None
    assert answer.error.message == "sent something that is not an answer"


@pytest.mark.parametrize("value", ["None", "[[]]", "'x'"])
def test_an_answer_that_a_check_cannot_judge_fails_its_task_only(monkeypatch, value):
    def task_1(check):
        answer = check.call("winner", position("3/3/3 x"))
        assert {1: answer.value + 1}[{answer.value: 1}[answer.value]]

    monkeypatch.setattr(running, "check_module", lambda _: SimpleNamespace(task_1=task_1))
    failure = failure_of(f"def winner(board):\n    return {value}\n")
    assert "cannot be judged (" in failure.sentence
    assert "in test_student_code.py, line" in failure.sentence


SOLVING = """
import importlib

def winner(board):
    {how}
    return "leak"
"""


@pytest.mark.parametrize(
    "how",
    [
        "importlib.import_module('rl_toolkit.labs.' + 'truth').tictactoe",
        "importlib.import_module('rl_toolkit.players').make_player('tictactoe', 'minimax')",
        "importlib.import_module('rl_toolkit.algorithms.minimax').MinimaxSolver",
        "open(importlib.import_module('rl_toolkit').__file__).read()",
    ],
)
def test_right_answers_cannot_be_imported_or_read(how):
    if in_force().kind == "limits":
        pytest.skip("this machine has no sandbox")
    with Session(LAB, work_from(LAB, {"winner.py": SOLVING.format(how=how)})) as session:
        (answer,) = session.ask([call("winner", position("3/3/3 x"), returns="plain")])
    assert (answer.value, answer.error is None) == (None, False)


def test_an_import_that_the_lab_does_not_allow_is_said():
    sentence = failure_of("from rl_toolkit.labs.truth import tictactoe\n").sentence
    assert "No module named 'rl_toolkit' in this lab, which may import" in sentence
    assert "the standard library and numpy" in sentence
