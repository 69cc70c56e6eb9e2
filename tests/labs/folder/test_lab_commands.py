"""`rl-toolkit lab`: what a student types, from the list to the zip."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile

import pytest
from paths import ROOT
from stopping import PATIENCE

from rl_toolkit.labs.model.finding import labs

SOLUTION = (ROOT / "tests" / "labs" / "L05" / "solution.py").read_text("utf-8")


@pytest.fixture
def folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("lab", "start", "L05").code == 0
    monkeypatch.chdir(tmp_path / "L05-minimax")
    return tmp_path / "L05-minimax"


def test_the_list_shows_what_is_done_and_as_json_one_object_per_lab(run, folder):
    shown = run("lab", "list", "..")
    rows = shown.out.splitlines()
    assert len(rows) == len(labs())
    assert "`rl-toolkit lab start L01` begins the next one." in shown.err
    assert any(row.startswith("L05  Minimax") and row.endswith("started") for row in rows)
    read = [json.loads(line) for line in run("lab", "list", "..", "--json").out.splitlines()]
    assert [lab["id"] for lab in read] == [lab.id for lab in labs()]
    started = {lab["id"] for lab in read if lab["progress"] is not None}
    assert started == {"L05"}


def test_a_new_folder_gets_no_points_and_kind_words(run, folder):
    ran = run("lab", "check")
    assert ran.code == 1
    assert "utility is not written yet. `rl-toolkit lab hint 1` gives an idea." in ran.out
    assert "0 of 100 points" in ran.out
    assert "Traceback" not in ran.out + ran.err
    elsewhere = run("lab", "check", str(folder), "--task", "1").out
    assert f"rl-toolkit lab hint 1 {folder}" in " ".join(elsewhere.split())


def test_one_task_as_json_has_no_questions_and_a_task_that_is_not_there_is_refused(run, folder):
    assert json.loads(run("lab", "check", "--task", "2", "--json").out)["questions"] == []
    assert json.loads(run("lab", "check", "--json").out)["questions"] != []
    ran = run("lab", "check", "--task", "9")
    assert (ran.code, ran.out) == (2, "")
    assert "L05 has no task 9" in ran.err


def test_a_reader_that_closes_the_pipe_is_not_an_error():
    command = [sys.executable, "-m", "rl_toolkit.cli", "lab", "list", "--json"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as lister:
        lister.stdout.close()
        assert lister.stderr.read() == b""


def test_a_mistake_is_shown_on_a_board_with_both_answers(run, folder):
    wrong = SOLUTION.replace("minimax(child, other(player))", "minimax(child, player)")
    (folder / "minimax.py").write_text(wrong, encoding="utf-8")
    ran = run("lab", "check", "--task", "3")
    assert ran.code == 1
    for words in (
        "✗ Task 3",
        "The same player moves at every level",
        "1 | X |",
        "call  minimax(board, ",
        "your answer  ",
        "right  ",
        "--seed ",
    ):
        assert words in ran.out
    report = json.loads(run("lab", "check", "--task", "3", "--json", "--seed", "1").out)
    (task,) = report["tasks"]
    assert (task["status"], task["reached"]) == ("wrong", 0)
    assert task["failure"]["mistake"] == "same-player"
    assert task["failure"]["svg"].startswith("<svg")


def test_all_right_is_exit_code_0_and_stays_in_the_list(run, folder):
    (folder / "minimax.py").write_text(SOLUTION, encoding="utf-8")
    answers = (folder / "answers.md").read_text("utf-8")
    own = answers.replace("(Your answer.)", "That it always plays the best move.", 1)
    (folder / "answers.md").write_text(own, encoding="utf-8")
    ran = run("lab", "check")
    assert ran.code == 0
    assert "100 of 100 points. Well done!" in ran.out
    assert "101 games as X and 681 as O" in ran.out
    assert "1 of 3 questions answered in answers.md. Written answers are not graded" in ran.out
    assert ran.out.count("A model answer:") == 1
    assert "answer" not in run("lab", "check", "--task", "1").out
    assert "done, 100/100" in run("lab", "list", "..").out


def test_hints_come_in_three_stages_and_are_counted(run, folder):
    first = run("lab", "hint").out
    assert "Task 1, hint 1 of 3 (idea)" in first
    assert "hint 2 of 3" not in first
    assert "hint 2 of 3 (place)" in run("lab", "hint", "1").out
    assert "hint 3 of 3 (nearly the line)" in run("lab", "hint", "1").out
    assert "That was the last hint." in run("lab", "hint", "1").out
    progress = json.loads((folder / ".lab" / "progress.json").read_text("utf-8"))
    assert progress["hints"] == {"1": 3}
    assert run("lab", "hint", "9").code == 2


def test_a_hint_may_be_asked_for_from_outside_the_folder(run, folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert "Task 1, hint 1 of 3" in run("lab", "hint", folder.name).out
    assert "hint 2 of 3" in run("lab", "hint", "1", folder.name).out
    assert "hint 3 of 3" in run("lab", "hint", "--folder", folder.name).out
    assert run("lab", "hint", folder.name[:3].lower()).code == 0
    ran = run("lab", "hint", "L01")
    assert (ran.code, "`rl-toolkit lab start L01` makes one" in ran.err) == (2, True)
    ran = run("lab", "hint", "nowhere")
    assert (ran.code, "there is no folder nowhere" in ran.err) == (2, True)


def test_a_syntax_error_is_shown_and_progress_is_kept(run, folder):
    (folder / "minimax.py").write_text(SOLUTION, encoding="utf-8")
    run("lab", "check", "--task", "1")
    (folder / "minimax.py").write_text("def utility(board:\n    pass\n", encoding="utf-8")
    ran = run("lab", "check")
    assert ran.code == 1
    assert "minimax.py cannot be loaded: SyntaxError" in ran.out
    progress = json.loads((folder / ".lab" / "progress.json").read_text("utf-8"))
    assert (progress["points"], progress["tasks"]) == (10, {"1": "right"})


def test_damaged_progress_is_said_and_the_check_goes_on(run, folder):
    (folder / ".lab" / "progress.json").write_text("{", encoding="utf-8")
    ran = run("lab", "check", "--task", "1")
    assert "was damaged; it was kept in" in ran.err
    assert "Task 1" in ran.out


def test_submit_writes_one_plain_zip(run, folder):
    assert run("lab", "submit", "--name", "Ada").code == 0
    with zipfile.ZipFile(folder / "L05-minimax.zip") as archive:
        assert "files/minimax.py" in archive.namelist()
    assert run("lab", "submit", "ada.tar").code == 1


def test_play_asks_the_students_function(run, folder):
    (folder / "minimax.py").write_text(SOLUTION, encoding="utf-8")
    ran = run("lab", "play", "--you", "o", stdin="quit\n")
    assert "plays a1" in ran.out
    (folder / "minimax.py").write_text("def best_move(board, player):\n    return 9\n", "utf-8")
    ran = run("lab", "play", "--you", "o", stdin="quit\n")
    assert "not a legal move" in ran.out + ran.err


def test_outside_a_lab_every_command_says_so(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in ("check", "hint", "play", "submit"):
        ran = run("lab", command)
        assert ran.code == 2
        assert "is not the folder of a lab" in ran.err
    assert "there is no lab 'L99'" in run("lab", "start", "L99").err


def test_new_and_verify_of_a_lab_of_ones_own(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("lab", "new", "mine").code == 0
    ran = run("lab", "verify", "mine")
    assert ran.code == 0
    assert "is sound: 5 of 5 mistakes named" in ran.out
    assert run("lab", "start", "mine", "student").code == 0
    assert "winner is not written yet" in run("lab", "check", "student").out
    (tmp_path / "mine" / "mistakes" / "only-x.toml").unlink()
    assert run("lab", "verify", "mine").code == 1


def test_watch_checks_again_after_each_save_until_all_is_right(folder):
    command = [sys.executable, "-m", "rl_toolkit", "lab", "check", "--watch", "--task", "1"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stdout is not None
        assert watching.stderr is not None
        assert "Watching" in watching.stderr.readline()
        (folder / "minimax.py").write_text(SOLUTION, encoding="utf-8")
        out, _ = watching.communicate(timeout=PATIENCE)
    assert watching.returncode == 0
    assert out.index("utility is not written yet") < out.index("10 of 10 points. Well done!")
