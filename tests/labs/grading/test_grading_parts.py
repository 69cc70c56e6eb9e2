"""The parts of grading: what was handed in, who copied, points by rubric, what is resumed."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from itertools import combinations

import lab_class
import pytest

from rl_toolkit.arena.runs import Forfeit, Match, Pair, PlayedGame, round_robin_rounds
from rl_toolkit.arena.runs.openings.shipped import shipped_openings
from rl_toolkit.arena.runs.paired_game import play_or_explain
from rl_toolkit.labs.folder.student_folder import start_folder
from rl_toolkit.labs.folder.template import TEMPLATE
from rl_toolkit.labs.grading import collecting, jobs, tournament
from rl_toolkit.labs.grading.collecting import HandedIn, NothingHandedInError, collect
from rl_toolkit.labs.grading.jobs import Graded, Job, job_key, lost_job, run_job
from rl_toolkit.labs.grading.pages import index_page
from rl_toolkit.labs.grading.remarks import remarks_on
from rl_toolkit.labs.grading.rubric import (
    RubricError,
    find_rubric,
    fitting_rubric,
    mark,
    read_rubric,
    rubrics,
)
from rl_toolkit.labs.grading.run import ClassReport, grade_class
from rl_toolkit.labs.grading.similarity import alike
from rl_toolkit.labs.grading.style import advice, style_of
from rl_toolkit.labs.grading.tournament import Entrant
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.lab import read_lab
from rl_toolkit.labs.submission import Submission, submission_bytes
from rl_toolkit.utils.executors import InProcess, LostTaskError
from rl_toolkit.utils.isolation import settle

OWN = read_lab(TEMPLATE)
RIGHT = (OWN.folder / "solution" / "winner.py").read_text("utf-8")


@pytest.fixture(autouse=True)
def _no_process_is_left():
    yield
    settle()


# ------------------------------------------------------------------ what was handed in


def test_zips_folders_and_folders_of_students_are_found(tmp_path):
    folder = tmp_path / "in"
    start_folder(lab_class.LAB, folder / "bob")
    start_folder(lab_class.LAB, folder / "eve" / "L05-minimax")
    lab_class.write_class(folder, {"Ada": lab_class.SOLUTION})
    (folder / "dan").mkdir()
    (folder / "dan" / "anything.zip").write_bytes(lab_class.packed("Ada", lab_class.START))
    (folder / "dan" / ".DS_Store").write_text("ignored")
    (folder / "__MACOSX").mkdir()
    found = collect(folder)
    assert [(each.student, each.source) for each in found.handed_in] == [
        ("Ada", "00.zip"),
        ("bob", "bob"),
        ("dan", "dan/anything.zip"),  # the folder is the teacher's word, the zip the student's
        ("eve", "eve/L05-minimax"),
    ]
    assert not found.refused
    assert "sheet.md" not in found.handed_in[1].files


def test_links_in_a_folder_are_refused(tmp_path):
    folder = tmp_path / "in"
    start_folder(lab_class.LAB, folder / "bob")
    secret = tmp_path / "secret.txt"
    secret.write_text("the teacher's")
    (folder / "bob" / "notes.txt").symlink_to(secret)
    (folder / "eve").symlink_to(folder / "bob")
    found = collect(folder)
    assert not found.handed_in
    assert {each.source: each.problem for each in found.refused} == {
        "bob": "'notes.txt' is a link or another special file",
        "eve": "it is a link",
    }


def test_a_folder_cannot_name_code_to_run(tmp_path):
    folder = tmp_path / "in"
    start_folder(lab_class.LAB, folder / "bob")
    mark = {"id": "MY01", "folder": str(TEMPLATE)}
    (folder / "bob" / ".lab" / "lab.json").write_text(json.dumps(mark))
    (refused,) = collect(folder).refused
    assert "there is no lab 'MY01'" in refused.problem


def test_a_lab_of_ones_own_is_graded_when_the_teacher_names_it(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    data = submission_bytes(Submission(OWN.id, {"winner.py": RIGHT}, "Ada"))
    (folder / "a.zip").write_bytes(data)
    lab_class.write_class(folder, {"Bob": lab_class.START})
    found = collect(folder, OWN)
    assert [each.student for each in found.handed_in] == ["Ada"]
    assert found.notes == ("1 submission of other labs left out: 00.zip.",)
    report = grade_class(found, tmp_path / "out", tournament=False)
    assert report.students[0].reached == OWN.points


def test_a_folder_without_a_mark_belongs_to_the_lab_that_is_graded(tmp_path):
    folder = tmp_path / "in"
    (folder / "bob").mkdir(parents=True)
    (folder / "bob" / "winner.py").write_text(RIGHT)
    (refused,) = collect(folder).refused
    assert "--lab names the lab" in refused.problem
    (found,) = collect(folder, OWN).handed_in
    assert found.lab is OWN


def test_every_entry_of_the_folder_has_a_row_with_the_reason(tmp_path):
    """A loose file, a PDF, an empty folder, a link, a pipe: none is lost without a word."""
    folder = tmp_path / "in"
    lab_class.write_class(folder, {"Ada": lab_class.SOLUTION})
    (folder / "lovelaceada_1234_98765_minimax.py").write_text(lab_class.SOLUTION)
    (folder / "report.pdf").write_bytes(b"%PDF")
    (folder / "empty").mkdir()
    (folder / "scans").mkdir()
    (folder / "scans" / "page.png").write_bytes(b"")
    (folder / "eve").mkdir()
    (folder / "eve" / "L05.zip").write_bytes(lab_class.packed("Eve", lab_class.START))
    (folder / "eve" / "minimax.py").write_text(lab_class.SOLUTION)
    (folder / "eve" / "pictures").mkdir()
    (folder / "away").symlink_to(tmp_path / "nowhere")
    os.mkfifo(folder / "pipe.zip")
    (folder / "x.zip").mkdir()
    (folder / os.fsdecode(b"gr\xfc\xdf.txt")).write_text("")
    (folder / "reports" / ".grading").mkdir(parents=True)
    single = (
        "it is a single file; put it into a folder with the name of the student, "
        "or ask for the zip of `rl-toolkit lab submit`"
    )
    beside = "it lies beside a submission and is not one itself"
    for lab in (None, lab_class.LAB):
        found = collect(folder, lab)
        assert [each.source for each in found.handed_in] == ["00.zip", "eve/L05.zip"]
        assert {each.source: each.problem for each in found.refused} == {
            "lovelaceada_1234_98765_minimax.py": single,
            "report.pdf": "it is not a file of a lab; ask for the zip of `rl-toolkit lab submit`",
            "gr .txt": single,
            "empty": "it is empty",
            "scans": "it holds no file of a lab, only page.png",
            "eve/minimax.py": beside,
            "eve/pictures": beside,
            "away": "it is a link",
            "pipe.zip": "it is neither a file nor a folder",
            "x.zip": "it is empty",
        }
        assert found.notes == ("reports holds the reports of an earlier run and is left out.",)
        assert not found.is_settled


def test_what_nobody_thought_of_has_a_row_as_well(tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "names.toml").write_text("x = " + "[" * 5000)
    assert "--lab names the lab" in collect(tmp_path).refused[0].problem
    monkeypatch.setattr(collecting, "_read_folder", lambda *arguments: 1 / 0)
    assert collect(tmp_path).refused[0].problem == "it cannot be read: ZeroDivisionError"


def test_two_files_under_one_name_are_both_kept_and_neither_counts(tmp_path):
    """The name in a zip is the student's word: nobody can hand in over another's work."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ada.zip").write_bytes(lab_class.packed("Ada", lab_class.SOLUTION))
    (folder / "mal.zip").write_bytes(lab_class.packed(" ADA ", lab_class.START))
    (folder / "odd.zip").write_bytes(lab_class.packed("Ada (mal.zip)", lab_class.OTHER))
    lab_class.older(folder / "ada.zip")
    found = collect(folder)
    assert [each.name for each in found.handed_in if each.doubt] == [
        "ADA  (mal.zip)",
        "Ada  (ada.zip)",
    ]
    assert len({each.key for each in found.handed_in}) == 3
    assert not found.is_settled
    (note,) = found.notes
    assert note.startswith("ada.zip and mal.zip are L05 under one name, Ada: each is graded, none")
    (folder / "mal.zip").unlink()
    assert collect(folder).is_settled


def test_the_name_of_a_student_s_folder_cannot_be_taken_by_a_zip(tmp_path):
    """In one folder the latest counts; a zip beside the folder is somebody else's, perhaps."""
    folder = tmp_path / "in"
    (folder / "ada").mkdir(parents=True)
    for name, code in (("old", lab_class.START), ("new", lab_class.SOLUTION)):
        (folder / "ada" / f"{name}.zip").write_bytes(lab_class.packed("", code))
    lab_class.older(folder / "ada" / "old.zip")
    (found,) = collect(folder).handed_in
    assert (found.source, found.doubt) == ("ada/new.zip", "")
    (folder / "mal.zip").write_bytes(lab_class.packed("Ada", lab_class.OTHER))
    assert {each.source: each.doubt for each in collect(folder).handed_in} == {
        "ada/new.zip": "Not counted: mal.zip is handed in under the same name.",
        "mal.zip": "Not counted: ada/new.zip is handed in under the same name.",
    }


def test_no_folder_and_an_empty_one_are_refused(tmp_path):
    with pytest.raises(NothingHandedInError, match="there is no folder"):
        collect(tmp_path / "nowhere")
    with pytest.raises(NothingHandedInError, match="has no submissions"):
        collect(tmp_path)
    (tmp_path / "all.zip").write_bytes(b"PK")
    with pytest.raises(NothingHandedInError, match="is a file, not a folder"):
        collect(tmp_path / "all.zip")


# ------------------------------------------------------------------ likeness


def likeness(*codes):
    return {
        (pair.first, pair.second): pair
        for pair in alike(lab_class.LAB, [{"minimax.py": code} for code in codes])
    }


def test_other_names_comments_and_layout_hide_nothing():
    assert likeness(lab_class.OTHER, lab_class.RENAMED)[0, 1].percent >= 95


def test_the_same_code_is_called_so():
    copy = lab_class.SOLUTION.replace("    won = ", "    # mine\n    won  = ")
    pair = likeness(lab_class.SOLUTION, copy)[0, 1]
    assert (pair.percent, pair.identical) == (100, True)


def test_two_solutions_of_ones_own_are_not_alike():
    assert not likeness(lab_class.SOLUTION, lab_class.OTHER)


def test_the_start_files_count_for_nothing():
    assert not likeness(lab_class.START, lab_class.START)
    assert not likeness(lab_class.GIVEN, lab_class.GIVEN)


def test_what_many_have_counts_for_nothing_unless_all_is_the_same():
    variants = [lab_class.SOLUTION + f"\n\ndef own_{n}(a):\n    return a * {n}\n" for n in range(8)]
    assert not likeness(*variants)
    assert likeness(*variants, variants[0]).keys() == {(0, 8)}


def test_with_few_students_two_or_four_are_not_many():
    variants = [lab_class.SOLUTION + f"\n\ndef own_{n}(a):\n    return a * {n}\n" for n in range(5)]
    assert likeness(*variants[:4], lab_class.OTHER).keys() == {*combinations(range(4), 2)}
    assert not likeness(*variants)  # five are


def test_passages_stand_where_they_are_said_to_stand():
    pair = likeness(lab_class.OTHER, lab_class.RENAMED)[0, 1]
    for passage in pair.passages:
        lines = lab_class.OTHER.splitlines()[passage.first_line - 1 :]
        assert lines[0].startswith(passage.first.splitlines()[0])


def test_files_that_are_not_python_are_compared_as_far_as_they_go():
    assert not likeness("def f(:\n  '''", "\x00", "")


# ------------------------------------------------------------------ rubric


def test_the_rubric_of_the_python_lab_is_that_of_the_handout():
    rubric = find_rubric("python-lab")
    assert [item.points for item in rubric.items] == [40, 20, 15, 15, 10]
    for item in rubric.items:
        for part in item.parts:
            for lab, number in part.tasks:
                assert lab_by_id(lab).task(number).points > 0


def test_a_rubric_is_used_when_all_its_labs_were_handed_in():
    (rubric,) = rubrics()
    assert fitting_rubric(rubric.labs) == rubric
    assert fitting_rubric(rubric.labs - {"L05"}) is None


def graded(lab, tasks):
    handed = collect_one(lab)
    report = {
        "tasks": [
            {"number": task.number, "status": status, "failure": None}
            for task, status in zip(lab.tasks, tasks, strict=True)
        ],
        "reached": 0,
        "open": 0,
        "problem": None,
    }
    style = style_of({"a.py": "def f():\n    unused = 1\n"}).to_dict()
    return Graded(handed, {"report": report, "problem": "", "style": style, "answers": {}})


def collect_one(lab):
    return HandedIn("Ada", "a.zip", 0.0, lab, {"report.md": "two words"})


def test_points_by_rubric_come_from_tasks_and_the_rest_is_open():
    lab = lab_by_id("L05")
    marks = mark(
        find_rubric("python-lab"), {"L05": graded(lab, ["right", "right", "open", "wrong", "todo"])}
    )
    (minimax,) = marks[2]
    # 10 + 15 of the 90 points of tasks 1 to 4, and 40 that could not be checked here.
    assert (minimax.reached, minimax.open) == (round(15 * 25 / 90, 1), round(15 * 40 / 90, 1))
    assert any("left open" in said for said in minimax.says)
    (structure,) = marks[1]
    assert structure.reached is None
    assert structure.open == 20
    assert any("it is not added" in said for said in structure.says)
    assert any("L05: Never used: unused." in said for said in structure.says)
    (report,) = marks[4]
    assert (report.reached, report.open) == (None, 10)
    assert "report.md has 2 words." in report.says
    assert marks[0][0].reached == 0
    assert "L01 was not handed in." in marks[0][0].says


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'item' is missing"),
        ("id = 1", "'item' is missing"),
        ('id = "a"\ntitle = "b"\nitem = []', "no points"),
        ('id = "a"\ntitle = "b"\n[[item]]\ntitle = "c"', "'part' is missing"),
        (
            'id = "a"\ntitle = "b"\n[[item]]\ntitle = "c"\n[[item.part]]\ntitle = "d"\npoints = 1',
            "either tasks or look",
        ),
        (
            'id = "a"\ntitle = "b"\n[[item]]\ntitle = "c"\n[[item.part]]\ntitle = "d"\npoints = 1\n'
            'tasks = ["5"]',
            "is not a task",
        ),
        *(
            (
                'id = "a"\ntitle = "b"\n[[item]]\ntitle = "c"\n[[item.part]]\ntitle = "d"\n'
                f'look = "e"\n{wrong}',
                "points and advice are whole numbers",
            )
            for wrong in (
                "points = true",
                "points = 1.5",
                "points = -1",
                "points = 1\nadvice = true",
            )
        ),
        ("[[", "at end of document"),
    ],
)
def test_a_rubric_that_is_none_is_refused_with_a_sentence(tmp_path, text, words):
    path = tmp_path / "r.toml"
    path.write_text(text)
    with pytest.raises(RubricError, match=words):
        read_rubric(path)


def test_advice_on_structure_counts_what_can_be_counted():
    plain = style_of({"a.py": 'def total(a):\n    """Sum."""\n    return sum(a)\n'}).to_dict()
    assert advice(plain, 8) == (8, [])
    long = "def f(a):\n" + "".join(f"    a += {n}\n" for n in range(40)) + "    return a\n"
    points, reasons = advice(style_of({"a.py": long}).to_dict(), 8)
    assert points == 2
    assert reasons[0] == "f has 42 lines."
    assert advice(style_of({"a.py": "def ("}).to_dict(), 8)[0] == 0


# ------------------------------------------------------------------ remarks


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import rl_toolkit.players as p", "imports rl_toolkit.players"),
        ("def f():\n    from rl_toolkit import labs", "line 2: imports rl_toolkit"),
        ("import os.path", "files and processes"),
        ("x = open('a')", "opens files"),
        ("exec('1')", "runs text as code"),
        ("f = (lambda: 0).__globals__", "reaches into other code"),
    ],
)
def test_code_that_no_task_needs_is_remarked(code, words):
    (remark,) = remarks_on(lab_class.LAB, {"minimax.py": code})
    assert words in remark


def test_what_the_start_files_do_themselves_is_not_remarked():
    for lab in map(lab_by_id, ("L02", "L16")):
        assert not remarks_on(lab, lab.start_files())
    start = {"minimax.py": lab_class.SOLUTION}
    assert not remarks_on(lab_class.LAB, start)


# ------------------------------------------------------------------ resuming


class _Counting(InProcess):
    """Counts tasks; stops or loses one after some."""

    def __init__(self, stop_after=None, lose=None):
        self.ran, self._stop, self._lose = 0, stop_after, lose

    def map(self, function, tasks):
        for number, task in enumerate(tasks):
            if self._lose is not None and self._lose in str(task):
                raise LostTaskError("task was given up (killed by signal 9)", number)
            yield number, function(task)
            self.ran += 1
            if self.ran == self._stop:
                raise KeyboardInterrupt


@pytest.fixture
def own_class(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    codes = {
        "Ada": RIGHT,
        "Bob": RIGHT + "# bob\n",
        "Cai": "def winner(board):\n    return 1\n",
    }
    for name, code in codes.items():
        data = submission_bytes(Submission(OWN.id, {"winner.py": code}, name))
        (folder / f"{name}.zip").write_bytes(data)
    return folder


def test_a_run_that_was_stopped_does_what_is_left_and_what_has_changed(own_class, tmp_path):
    def again(executor, **options):
        found = collect(own_class, OWN)
        return grade_class(found, tmp_path / "out", executor=executor, **options)

    stopped = _Counting(stop_after=2)
    with pytest.raises(KeyboardInterrupt):
        again(stopped, tournament=False)
    rest = _Counting()
    report = again(rest, tournament=False)
    assert (rest.ran, report.reused) == (1, 2)  # the second was in the journal before the stop
    everything = _Counting()
    assert again(everything, tournament=False).reused == 3
    assert everything.ran == 0
    data = submission_bytes(Submission(OWN.id, {"winner.py": RIGHT + "# cai\n"}, "Cai"))
    (own_class / "Cai.zip").write_bytes(data)
    changed = _Counting()
    report = again(changed, tournament=False)
    assert (changed.ran, report.reused) == (1, 2)
    assert [student.reached for student in report.students] == [OWN.points] * 3
    assert report.seed == again(_Counting(), tournament=False).seed
    other = _Counting()
    again(other, tournament=False, seed=report.seed + 1)
    assert other.ran == 3


def test_code_that_ends_its_checker_costs_only_its_own_points(own_class, tmp_path):
    lost = _Counting(lose="return 1")
    report = grade_class(collect(own_class, OWN), tmp_path / "out", executor=lost, tournament=False)
    points = {student.name: student.reached for student in report.students}
    assert points == {"Ada": OWN.points, "Bob": OWN.points, "Cai": 0}
    (cai,) = [student for student in report.students if student.name == "Cai"]
    assert "killed by signal 9" in cai.graded[OWN.id].problem
    assert cai.remarks


def test_a_result_names_what_was_wrong_with_the_files(own_class):
    ada = collect(own_class, OWN).handed_in[0]
    missing = run_job(Job(OWN.folder, {}, 1))
    assert missing["problem"] == "winner.py is missing."
    assert Graded(ada, missing).reached == 0
    assert Graded(ada, lost_job("exit code 3")).problem


@pytest.mark.parametrize("part", ["check_work", "style_of"])
def test_a_check_that_fails_itself_is_a_row_for_the_teacher(monkeypatch, part):
    def fails(*arguments, **options):
        raise RecursionError("\ud800")

    monkeypatch.setattr(jobs, part, fails)
    result = run_job(Job(OWN.folder, {"winner.py": RIGHT}, 1))
    assert "look at it by hand (RecursionError: ?)" in result["problem"]


def test_a_result_can_be_written_whatever_the_code_says():
    code = "def winner(board):\n    raise ValueError('\\ud800')\n"
    answers = f"## Question {'9' * 5000}\n\nfour words are enough\n"
    result = run_job(Job(OWN.folder, {"winner.py": code, "answers.md": answers}, 1))
    assert "ValueError: ?" in json.dumps(result, ensure_ascii=False).encode().decode()
    assert result["problem"] == ""


def test_a_lab_that_has_changed_is_checked_anew(tmp_path):
    shutil.copytree(TEMPLATE, tmp_path / "same")
    shutil.copytree(TEMPLATE, tmp_path / "other")
    check = tmp_path / "other" / "check.py"
    check.write_text(check.read_text("utf-8") + "# harder\n", encoding="utf-8")
    keys = [
        job_key(HandedIn("Ada", "a.zip", 0.0, read_lab(folder), {"winner.py": RIGHT}))
        for folder in (TEMPLATE, tmp_path / "same", tmp_path / "other")
    ]
    assert keys[0] == keys[1] != keys[2]


# ------------------------------------------------------------------ tournament


def test_a_lost_draw_is_charged_to_the_bot_that_lost_it(tmp_path):
    match = Match("tictactoe", ("random", "first"), 1)
    # b2, and the answer at an edge loses: the second engine moves first.
    lost = PlayedGame(0, 1, (), (4, 1), 1, (0.0, 0.0), (1, 1))
    forfeit = replace(lost, result=-1, forfeit=Forfeit(0, "", "returned None"))
    draw = replace(lost, result=0)
    entrants = {
        "random": Entrant("Ada", "ada", "L05", "random"),
        "first": Entrant("Bob", "bob", "L05", "first"),
    }
    pair = Pair(match, 0, (lost, forfeit, draw))
    rows = class_of(tmp_path)._rows(entrants, [pair])
    ada, bob = sorted(rows, key=lambda row: row.name)
    assert (ada.points, ada.won, ada.drawn, ada.games) == (1.5, 1, 1, 3)
    assert (bob.points, bob.won, bob.forfeits) == (1.5, 1, 0)
    assert (ada.forfeits, ada.reason) == (1, "returned None")
    assert (ada.accuracy, bob.accuracy) == (0.0, None)
    assert rows == [ada, bob]
    lines = (tmp_path / "tournament-tictactoe.jsonl").read_text().splitlines()
    assert class_of(tmp_path)._rows(entrants, [pair]) == rows
    assert (tmp_path / "tournament-tictactoe.jsonl").read_text().splitlines() == lines


def class_of(folder, heard=None):
    def tell(*step):
        if heard is not None:
            heard.append(step)

    return tournament._Tournament("tictactoe", [], folder, 5, None, InProcess(), tell)


def test_a_class_keeps_the_openings_of_its_saved_games(tmp_path):
    rounds = round_robin_rounds(["random", "greedy", "first"])
    first = class_of(tmp_path)
    (pair,) = first._play(rounds[:1])
    assert first._terms["openings"].balanced
    path = tmp_path / "tournament-tictactoe.jsonl"
    opening = str(list(pair.games[0].opening))
    path.write_text(path.read_text().replace(f'"opening": {opening}', '"opening": [0, 1, 2]'))
    grown = class_of(tmp_path)
    pairs = grown._play(rounds)
    kept, *new = [pair.games[0].opening for pair in pairs]
    assert kept == (0, 1, 2)
    assert new == [shipped_openings("tictactoe")[number].moves for number in (1, 2)]
    assert grown._result(dict.fromkeys(["random", "greedy", "first"]), pairs).opening_words == (
        "3 openings of this class, each from both sides"
    )


def test_a_game_of_the_class_that_is_not_played_counts_for_nobody_and_is_said(
    tmp_path, monkeypatch
):
    bots = [Entrant("Ada", "ada", "L05", "greedy"), Entrant("Bob", "bob", "L05", "first")]

    def play(task):
        game = play_or_explain(task)
        if {*task[0].engines} != {"greedy", "first"} or task[3] == 1:
            return game
        bob = task[0].engines.index("first")
        failed = {"engine": bob, "position": "3/3/3 x", "reason": "was killed", "by": "not played"}
        return {**game, "result": None, "forfeit": failed}

    monkeypatch.setattr(tournament, "_play", play)
    monkeypatch.setattr(tournament._Tournament, "_enter", lambda self: (bots, []))
    for _ in range(2):  # the second time from the file
        found = class_of(tmp_path).play()
        assert found.not_played == "1 of 12 games was not played"
        assert [(*sorted(each[:2]), each[2]) for each in found.unplayed] == [
            ("Ada", "Bob", "Bob was killed")
        ]
        assert sum(row.games for row in found.rows) == 22
        assert not any(row.forfeits for row in found.rows)
    report = ClassReport([], [], [], [], [found], rubric=None, notes=[], seed=1)
    assert "<b>1 of 12 games was not played.</b>" in index_page(report, {})


def test_a_match_of_the_class_that_cannot_be_played_is_named_once_and_kept(tmp_path, monkeypatch):
    def play(task):
        if "first" in task[0].engines:
            return {"first": task[3], "failure": "ValueError: no"}
        return play_or_explain(task)

    monkeypatch.setattr(tournament, "_play", play)
    rounds, heard = round_robin_rounds(["random", "greedy", "first"]), []
    pairs = class_of(tmp_path, heard)._play(rounds)
    assert heard == [("tournament", done, 3) for done in (1, 2, 3)]
    assert {pair.match.engines: (len(pair.games), pair.failure) for pair in pairs} == {
        ("greedy", "first"): (0, "ValueError: no"),
        ("random", "first"): (0, "ValueError: no"),
        ("random", "greedy"): (2, ""),
    }
    assert len({pair.match.seed for pair in pairs}) == 3
    (played,) = {game.opening for pair in pairs for game in pair.games}
    assert played in {each.moves for each in shipped_openings("tictactoe").openings}
    heard.clear()
    again = class_of(tmp_path, heard)
    assert again._play(rounds) == pairs
    assert not heard
    assert again._older == 0


def test_matches_of_an_older_version_are_counted_and_played_again(tmp_path):
    done = class_of(tmp_path)
    with done._journal() as journal:
        journal.add({"key": "trial 5 random", "result": {"reason": ""}})
        journal.add({"key": "match 5 random greedy", "result": {"games": [], "reason": ""}})
    rounds = round_robin_rounds(["random", "greedy"])
    assert len(done._play(rounds)) == 1
    assert done._older == 1
    again = class_of(tmp_path)
    again._play(rounds)
    assert again._older == 0


def test_every_pair_meets_once_in_a_round_robin():
    for count in range(9):
        rounds = round_robin_rounds([str(number) for number in range(count)])
        met = [frozenset(pair) for each in rounds for pair in each]
        assert len(met) == len(set(met)) == count * (count - 1) // 2
        for each in rounds:
            playing = [player for pair in each for player in pair]
            assert len(playing) == len(set(playing))
