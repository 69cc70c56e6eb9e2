"""`rl-toolkit lab grade-all`: exit codes, sentences, resuming, and a whole class."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import lab_class
import pytest

from rl_toolkit.cli.commands.lab.grading import pairs_words
from rl_toolkit.labs.folder.template import TEMPLATE
from rl_toolkit.labs.grading import pages
from rl_toolkit.labs.grading.results import Results
from rl_toolkit.labs.grading.run import Student
from rl_toolkit.labs.submission import Submission, submission_bytes
from rl_toolkit.utils.isolation import SANDBOX_VARIABLE

RIGHT = (TEMPLATE / "solution" / "winner.py").read_text("utf-8")
WRONG = "def winner(board):\n    return None\n"
ENDLESS = "def winner(board):\n    while True:\n        pass\n"


def own_class(folder, codes):
    folder.mkdir()
    for name, code in codes.items():
        data = submission_bytes(Submission("MY01", {"winner.py": code}, name))
        (folder / f"{name}.zip").write_bytes(data)
    return folder


def rows_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_a_class_is_graded_and_the_second_run_uses_the_first(run, tmp_path):
    folder = own_class(tmp_path / "in", {"Ada": RIGHT, "Bob": WRONG})
    command = ("lab", "grade-all", str(folder), "--lab", str(TEMPLATE), "--workers", "1")
    ran = run(*command)
    assert ran.code == 0, ran
    reports = tmp_path / "in-reports"
    assert rows_of(reports / "grades.csv")["Ada"]["points"] == "10"
    assert rows_of(reports / "grades.csv")["Bob"]["points"] == "0"
    assert str(reports / "index.html") in ran.out.replace("\n", "")
    assert "2 of 2 checking" in ran.err
    (folder / "broken.zip").write_text("no")
    (folder / os.fsdecode(b"gr\xfc\xdf_minimax.py")).write_text(RIGHT)
    again = run(*command, "--no-tournament")
    assert again.code == 1
    assert "broken.zip cannot be graded: the file is not a zip" in again.err
    assert "_minimax.py cannot be graded: it is a single file" in again.err
    assert "checking" not in again.err
    rows = rows_of(reports / "grades.csv")
    assert rows["broken"]["problem"].startswith("not graded")
    assert rows["gr _minimax.py"]["problem"].startswith("not graded: it is a single file")
    assert "_minimax.py</th>" in (reports / "index.html").read_text("utf-8")


def test_two_zips_under_one_name_are_graded_and_neither_counts(run, tmp_path):
    folder = own_class(tmp_path / "in", {"Ada": RIGHT, "Bob": WRONG})
    data = submission_bytes(Submission("MY01", {"winner.py": WRONG}, "Ada"))
    (folder / "Mallory.zip").write_bytes(data)
    ran = run(
        *("lab", "grade-all", str(folder), "--lab", str(TEMPLATE), "--workers", "1"),
        "--no-tournament",
    )
    assert ran.code == 1
    assert "Ada.zip and Mallory.zip are MY01 under one name, Ada" in ran.err
    reports = tmp_path / "in-reports"
    rows = rows_of(reports / "grades.csv")
    assert {name: (row["points"], row["MY01 (10)"]) for name, row in rows.items()} == {
        "Ada  (Ada.zip)": ("", "10"),
        "Ada  (Mallory.zip)": ("", "0"),
        "Bob": ("0", "0"),
    }
    said = "MY01: Not counted: Mallory.zip is handed in under the same name."
    assert rows["Ada  (Ada.zip)"]["problem"] == said
    index = (reports / "index.html").read_text("utf-8")
    assert index.count("not counted: <b>") == 2
    assert "2 names on 3 submissions." in index
    pages = [path.read_text("utf-8") for path in (reports / "students").iterdir()]
    assert sum("Not counted: another submission has the same name." in page for page in pages) == 2


def test_a_mistake_in_two_files_of_one_name_is_one_students():
    files = ["Ada", "Ada", "Bob"]
    graded = [
        {"L05": SimpleNamespace(handed_in=SimpleNamespace(student=name), mistakes=["signs"])}
        for name in files
    ]
    students = [Student(str(number), labs) for number, labs in enumerate(graded)]
    assert pages._mistakes(SimpleNamespace(students=students, labs=[])) == [(2, "L05", "signs")]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "1 pair of submissions is alike"),
        (2, "2 pairs of submissions are alike"),
    ],
)
def test_pairs_are_counted_in_good_english(number, words):
    assert pairs_words(number) == words


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere"], 1, "there is no folder nowhere."),
        (["empty"], 1, "empty has no submissions: zips of `rl-toolkit lab submit`"),
        (["in", "--lab", "L99"], 2, "there is no lab 'L99'"),
        (["in", "--rubric", "x"], 2, "there is no rubric 'x'; there is python-lab"),
        (["in", "--workers", "0"], 2, "--workers"),
    ],
)
def test_errors_are_one_sentence(run, tmp_path, monkeypatch, arguments, code, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    lab_class.write_class(tmp_path / "in", {"Ada": lab_class.START})
    ran = run("lab", "grade-all", *arguments)
    assert ran.code == code
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "in-reports").exists()


def test_a_damaged_journal_of_an_earlier_version_is_set_aside(run, tmp_path, monkeypatch):
    monkeypatch.setenv("RL_TOOLKIT_SANDBOX", "limits")
    folder = own_class(tmp_path / "in", {"Ada": RIGHT})
    kept = tmp_path / "in-reports" / ".grading"
    kept.mkdir(parents=True)
    (kept / "results.jsonl").write_text("something else\n")
    command = ("lab", "grade-all", str(folder), "--lab", str(TEMPLATE), "--workers", "1")
    ran = run(*command, "--no-tournament")
    assert ran.code == 0
    said = " ".join(ran.err.split())
    assert "results.jsonl: line 1 cannot be read" in said
    assert "It was set aside as results.jsonl.damaged-1." in said
    assert (kept / "results.jsonl.damaged-1").read_text() == "something else\n"
    assert rows_of(tmp_path / "in-reports" / "grades.csv")["Ada"]["points"] == "10"
    index = (tmp_path / "in-reports" / "index.html").read_text("utf-8")
    assert "Results are not protected: there is no sandbox" in index


def started(folder, *more):
    command = [sys.executable, "-m", "rl_toolkit", "lab", "grade-all", str(folder)]
    options = ["--lab", str(TEMPLATE), "--workers", "1", "--no-tournament", *more]
    return subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def lines_of(kept):
    if not (kept / "results.db").exists():
        return 0
    with Results(kept) as results:
        return len(results.rows("result"))


@pytest.mark.full
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on_where_it_was(tmp_path, how):
    codes = {f"s{n}": f"{ENDLESS}# {n}\n" for n in range(4)} | {"Ada": RIGHT}
    folder = own_class(tmp_path / "in", codes)
    journal = tmp_path / "in-reports" / ".grading"
    process = started(folder)
    while lines_of(journal) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, how)
    _, said = process.communicate()
    done = lines_of(journal)
    assert 2 <= done < 5
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "run the same command to resume" in " ".join(said.split())
    else:
        assert process.returncode == -signal.SIGKILL
    again = started(folder)
    _, said = again.communicate()
    assert again.returncode == 0
    assert f"{done} results of an earlier run used again." in said
    assert lines_of(journal) == 5
    assert rows_of(tmp_path / "in-reports" / "grades.csv")["Ada"]["points"] == "10"


@pytest.mark.full
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc to find it in")
def test_code_that_ends_its_checker_does_not_end_the_others(run, tmp_path, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")  # else it cannot
    kills = """
import os
stat = open(f"/proc/{os.getppid()}/stat").read()
os.kill(int(stat.rpartition(")")[2].split()[1]), 9)
"""
    folder = own_class(tmp_path / "in", {"Ada": RIGHT, "Eve": kills + RIGHT, "Zoe": RIGHT + "#"})
    ran = run("lab", "grade-all", str(folder), "--lab", str(TEMPLATE), "--workers", "1")
    assert ran.code == 0
    rows = rows_of(tmp_path / "in-reports" / "grades.csv")
    assert [rows[name]["points"] for name in ("Ada", "Eve", "Zoe")] == ["10", "0", "10"]
    assert "ended the process that checks it (killed by signal 9)" in rows["Eve"]["problem"]


@pytest.mark.full
def test_more_than_thirty_submissions_of_all_kinds_in_one_go(run, tmp_path):
    folder = tmp_path / "in"
    codes = lab_class.whole_class(folder)
    assert len(list(folder.iterdir())) >= 30
    ran = run("lab", "grade-all", str(folder), "--workers", "2", "--rounds", "2")
    assert ran.code == 1  # four zips cannot be read
    rows = rows_of(tmp_path / "in-reports" / "grades.csv")
    right = {"Ada", "Bob", "Cai", "Dan", '\'=HYPERLINK("http://x")'}
    points = {name: int(row["points"]) for name, row in rows.items() if row["points"]}
    assert {name for name, reached in points.items() if reached == 100} == right
    assert len(points) == len(codes)
    for name in lab_class.MISTAKES:
        assert rows[f"mistake {name}"]["mistakes"].split("; ")[0] == f"L05 {name}"
    for name in lab_class.TRICKS:
        assert points[f"trick {name}"] == 0
    assert points["Empty"] == 0
    assert points["Solver"] == 65  # without best_move and games: it asks an engine that is hidden
    assert 0 < points["Endless"] < 50
    assert 0 < points["Loud"] < 100
    assert {"up", "bomb", "link", "text"} <= rows.keys()
    assert "Dan 100 %" in rows["Ada"]["alike"]
    assert "Cai" in rows["Bob"]["alike"]
    for name in ("Solver", "trick parents", "trick outside", "trick forks", "trick kills"):
        assert rows[name]["remarks"]
    for name in ("Ada", "Bob", "Empty", "Endless"):
        assert not rows[name]["remarks"]
