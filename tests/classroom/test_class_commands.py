"""`rl-toolkit class`: a class from the roster to the export, typed as a teacher types it."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
import sqlite3
import zipfile
from pathlib import Path

import pytest
from class_term import RIGHT, WRONG

from rl_toolkit import __version__
from rl_toolkit.classroom import ClassFolder, grade, new_class
from rl_toolkit.classroom.exports import gradescope
from rl_toolkit.classroom.intake import HandIn
from rl_toolkit.classroom.platforms import Claim
from rl_toolkit.classroom.taking_in import stored_hand_ins
from rl_toolkit.labs import lab_by_id
from rl_toolkit.labs.folder.template import TEMPLATE
from rl_toolkit.labs.grading import Results
from rl_toolkit.labs.submission import Submission, submission_bytes
from rl_toolkit.utils.isolation import SANDBOX_VARIABLE, in_force

GOLDEN = Path(__file__).parent / "golden"
ROSTER = (
    "id,name,email,group\n1007,Ada Lovelace,ada@example.org,\n1008,=José Núñez,jose@example.org,\n"
    "1012,Mallory Moe,mal@example.org,\n1013,Zoe Missing,zoe@example.org,\n"
)
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    'Participant 41,Ada Lovelace,ada@example.org,Submitted,,10,Yes,"Sunday, 14 March 2027, 3:00 PM"'
    ',"Monday, 1 March 2027, 1:00 PM",\n'
    "Participant 42,=José Núñez,jose@example.org,Submitted,,10,Yes,"
    '"Tuesday, 16 March 2027, 8:00 AM",-,\n'
    "Participant 44,Zoe Missing,zoe@example.org,No submission,,10,Yes,-,-,\n"
    "Participant 99,Not Ours,x@example.org,No submission,,10,Yes,-,-,\n"
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Who has won MY01 (4711)\n"
    "    Points Possible,,,,,10\n"
    '"Lovelace, Ada",1007,s1,ada,CS 1,\n"Moe, Mallory",1012,s3,mal,CS 1,\n'
)
RULES = """
timezone = "UTC"
[late]
per_day = 10
[[lab]]
id = "MY01"
folder = "../lab"
due = 2027-03-14T23:59:00
[[override]]
student = "1012"
lab = "MY01"
points = 5
reason = "explained it in person"
"""


@pytest.fixture
def place(tmp_path, monkeypatch, run):
    """A folder with a class `c` of four, whose downloads are not graded yet."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(TEMPLATE, tmp_path / "lab")
    made = run("class", "new", "c", "--title", "A class", "--lab", "lab")
    assert made.code == 0
    assert "rl-toolkit class roster c FILE.csv" in made.out
    (tmp_path / "c" / "class.toml").write_text('title = "A class"\n' + RULES)
    for name, text in {"r.csv": ROSTER, "w.csv": WORKSHEET, "canvas.csv": CANVAS}.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert run("class", "roster", "c", "r.csv").out == "4 students are on the roster, roster.csv.\n"
    assert "2 of 4 rows have a time" in run("class", "roster", "c", "w.csv", "--lab", "MY01").words
    entries = {
        "Ada Lovelace_41_assignsubmission_file_/winner.py": RIGHT,
        "=José Núñez_42_assignsubmission_file_/winner.py": WRONG,
        "Zoe Missing_44_assignsubmission_file_/essay.pdf": "no code",
    }
    with zipfile.ZipFile(tmp_path / "c" / "submissions" / "MY01.zip", "w") as archive:
        for path, data in entries.items():
            archive.writestr(path, data)
    return tmp_path


def grades(place):
    with open(place / "c" / "reports" / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_class_from_the_roster_to_the_export(place, run, monkeypatch):
    monkeypatch.setenv("RL_TOOLKIT_SANDBOX", "limits")  # the same on every machine
    zipped = submission_bytes(Submission("MY01", {"winner.py": WRONG + "#"}, "Ada Lovelace"))
    (place / "c" / "submissions" / "mallory.zip").write_bytes(zipped)
    ran = run("class", "grade", "c", "--seed", "7", "--workers", "1")
    assert ran.code == 1, ran
    check_pages(place / "c" / "reports")
    assert (
        "mallory.zip counts for no student: Ada Lovelace_41_assignsubmission_file_ has the same "
        "name for MY01;"
    ) in sentences(ran)
    assert "was not graded: it holds no file of MY01, only essay.pdf" in " ".join(ran.err.split())
    assert "Results are not protected: there is no sandbox" in ran.err
    rows = {row["name"]: row for row in grades(place) if row["id"]}
    assert {name: row["points"] for name, row in rows.items()} == {
        "'=José Núñez": "0",
        "Ada Lovelace": "10",
        "Mallory Moe": "5",
        "Zoe Missing": "0",
    }
    assert rows["'=José Núñez"]["late"] == "MY01 1 day and 8 hours"
    assert rows["Zoe Missing"]["missing"] == "MY01"
    assert [row["notes"][:12] for row in grades(place) if not row["id"]] == [
        "not counted:",
        "not graded: ",
    ]

    decided = (
        "--assign",
        "mallory.zip=1012",
        "--assign",
        "MY01.zip/Zoe Missing_44_assignsubmission_file_=none",
    )
    again = run("class", "grade", "c", "--workers", "1", *decided)
    assert again.code == 0
    assert "checking" not in again.err
    assert run("class", "grade", "c", "--workers", "1").code == 0  # decisions are kept
    shown = run("class", "show", "c", "mallory").out
    assert "Mallory Moe (1012): 5 of 10 points" in shown
    assert "points by the teacher (0 by the checks): explained it in person" in shown
    data = json.loads(run("class", "show", "c", "--json").out)
    assert data["students"][1]["grades"]["MY01"]["attempts"] == 1
    assert json.loads(run("class", "show", "c", "ada", "--json").out)["hand_ins"][0]["counts"]

    (place / "c" / "platform").mkdir(exist_ok=True)
    shutil.copy("canvas.csv", place / "c" / "platform" / "canvas.csv")
    for form in ("moodle", "canvas", "gradescope", "github", "csv", "json"):
        assert run("class", "export", "c", form).code == 0
    compare_with_golden_files(place / "c" / "exports")
    with zipfile.ZipFile(place / "c" / "exports" / "moodle-MY01-feedback.zip") as archive:
        assert archive.namelist() == [
            "=José Núñez_42_assignsubmission_file_/MY01-report.html",
            "Ada Lovelace_41_assignsubmission_file_/MY01-report.html",
        ]
        page = archive.read(archive.namelist()[1]).decode()
    assert "Ada Lovelace" in page
    assert "Mallory" not in page
    assert "for you to judge" not in page.lower()
    assert "Three in a row is a property" not in page  # the model answer, which was not earned

    kept = run("class", "forget", "c", "Ada Lovelace", stdin="n\n")
    assert (kept.code, "Nothing was removed." in kept.err) == (1, True)
    assert "Ada Lovelace" in run("class", "show", "c").out
    gone = run("class", "forget", "c", "Ada Lovelace", "--yes")
    assert gone.code == 0
    assert "Removed: 1 hand-in with results" in gone.out
    assert "submissions/MY01.zip still holds their work or their name: remove it." in gone.out
    assert run("class", "grade", "c", "--workers", "1").code == 0
    kept = b"".join(
        path.read_bytes()
        for path in (place / "c").rglob("*")
        if path.is_file() and path.parent.name != "submissions"
    )
    assert b"Lovelace" not in kept
    assert b"1007" not in kept
    assert b"Mallory" in kept

    gone = run("class", "forget", "c", "1012", "--yes")  # class.toml has an override of Mallory's
    assert "class.toml names 1012: remove these lines" in gone.out
    assert not (place / "c" / "reports").exists()
    assert "override: there is no student with the id '1012'" in run("class", "show", "c").err
    rules = (place / "c" / "class.toml").read_text().partition("[[override]]")[0]
    (place / "c" / "class.toml").write_text(rules)
    assert "Mallory" not in run("class", "show", "c").out


def test_forgetting_a_student_does_not_block_others(place, run):
    """Two students have one name, and another has the user name of the forgotten student."""
    table = ROSTER + "1050,Ada Lovelace,lovelace@example.org,\n1051,Eve Ada,ada@other.org,\n"
    sent = place / "c" / "submissions"
    ada = "MY01.zip/Ada Lovelace_41_assignsubmission_file_"
    jose = "MY01.zip/=José Núñez_42_assignsubmission_file_"
    (place / "r.csv").write_text(table, "utf-8")
    assert run("class", "roster", "c", "r.csv").code == 0

    def hand_in(file, name, code=RIGHT):
        zipped = submission_bytes(Submission("MY01", {"winner.py": code}, name))
        (sent / file).write_bytes(zipped)

    def points():
        return {row["id"]: row["points"] for row in grades(place) if row["id"]}

    def hand_ins(student):
        shown = run("class", "show", "c", student, "--json").out
        return [each["source"] for each in json.loads(shown)["hand_ins"]]

    hand_in("mallory.zip", "Ada Lovelace")  # the teacher knows whose these are
    hand_in("zoe.zip", "=José Núñez")
    chosen = ("--assign", "mallory.zip=1012", "--assign", "zoe.zip=1013")
    run("class", "grade", "c", "--seed", "7", "--workers", "1", *chosen)
    assert hand_ins("1007") == [ada]
    gone = run("class", "forget", "c", "1007", "--yes").out
    assert "Removed: 1 hand-in" in gone
    assert "submissions/MY01.zip still holds their work or their name" in gone

    hand_in("other.zip", "Ada Lovelace")
    hand_in("eve.zip", "ada", RIGHT + "\n")
    gone = run("class", "forget", "c", "1008", "--yes").out
    assert "submissions/zoe.zip still holds their work or their name" in gone
    assert "other.zip" not in gone
    hand_in("late.zip", "jose", RIGHT + "# late")  # nothing says whose it is
    again = run("class", "grade", "c", "--workers", "1")
    said = " ".join(again.err.split())
    for source in (ada, jose, "late.zip"):
        assert f"{source} was passed over: its student was removed by `class forget`" in said
    assert said.count("passed over") == 3
    assert points() == {"1012": "5", "1013": "10", "1050": "10", "1051": "10"}
    assert hand_ins("1050") == ["other.zip"]
    assert hand_ins("1051") == ["eve.zip"]
    assert (hand_ins("1012"), hand_ins("1013")) == (["mallory.zip"], ["zoe.zip"])  # once
    for path in (place / "c" / "reports").rglob("*"):
        assert not path.is_file() or b"Lovelace_41" not in path.read_bytes()
    assert "Núñez".encode() not in (place / "c" / ".class" / "results.db").read_bytes()

    chosen = {"late.zip": "1013", ada: "1051"}
    assert grade(ClassFolder(place / "c"), assign=chosen).passed_over == (jose,)
    assert hand_ins("1013") == ["zoe.zip", "late.zip"]
    assert run("class", "roster", "c", "r.csv").code == 0  # with Ada (1007) and José again
    assert grade(ClassFolder(place / "c")).passed_over == ()
    assert (hand_ins("1008"), hand_ins("1051")) == ([jose], [ada])


def compare_with_golden_files(exports):
    """Files of which every byte matters; a changed one is written beside the golden one."""
    for path in sorted(exports.rglob("*")):
        name = path.relative_to(exports).as_posix()
        if path.is_dir() or path.suffix == ".zip" or "/lab/" in name:
            continue
        text = path.read_bytes().decode("utf-8").replace(f"=={__version__}", "==VERSION")
        golden = GOLDEN / name.replace("/", "__")
        if not golden.exists():
            golden.write_text(text, "utf-8", newline="")
            pytest.fail(f"{golden.name} is new: look at it")
        assert text == golden.read_bytes().decode("utf-8"), name


def test_an_autograder_checks_what_was_uploaded(place, tmp_path, monkeypatch):
    out, uploaded = tmp_path / "out" / "results.json", tmp_path / "uploaded"
    uploaded.mkdir()
    (uploaded / "my_winner.py").write_text("def winner(board):\n    return 'X'\n")
    gradescope._main([str(place / "lab"), "7", str(uploaded), str(out)])
    results = json.loads(out.read_text())
    assert (results["score"], results["tests"][0]["max_score"]) == (0, 10)
    assert results["tests"][0]["status"] == "failed"
    assert results["tests"][0]["output"]
    (uploaded / "my_winner.py").unlink()
    (uploaded / "winner.py").write_text(RIGHT)
    gradescope._main([str(place / "lab"), "7", str(uploaded), str(out)])
    results = json.loads(out.read_text())
    assert results["score"] == 10
    assert len(results["tests"]) == (2 if in_force().kind == "limits" else 1)
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")
    gradescope._main([str(place / "lab"), "7", str(uploaded), str(out)])
    hidden = json.loads(out.read_text())["tests"][-1]
    assert hidden["visibility"] == "hidden"
    assert hidden["output"].startswith("Results are not protected: there is no sandbox")
    monkeypatch.delenv(SANDBOX_VARIABLE)
    (uploaded / "winner.py").unlink()
    (uploaded / "essay.pdf").write_text("x")
    gradescope._main([str(place / "lab"), "7", str(uploaded), str(out)])
    assert json.loads(out.read_text())["output"].startswith("Nothing could be checked: it holds no")


def test_a_changed_result_is_found_and_checked_anew(place):
    the_class = ClassFolder(place / "c")
    ada = next(row for row in grade(the_class, seed=7).rows if row.person.id == "1007")
    assert ada.points == 10
    database = the_class.kept / "results.db"
    with sqlite3.connect(database) as connection:
        changed = connection.execute(
            "UPDATE row SET data = replace(data, '\"reached\": 10', '\"reached\": 0')"
            " WHERE kind = 'result'"
        ).rowcount
    connection.close()
    assert changed
    again = grade(the_class)
    assert "1 row of" in again.notes[0]
    assert "had been changed from outside" in again.notes[0]
    assert ada.points == next(r for r in again.rows if r.person.id == "1007").points
    database.write_bytes(b"no database")
    again = grade(the_class, seed=7)
    assert "It was set aside as results.db.damaged-1" in again.notes[0]
    assert ada.points == next(r for r in again.rows if r.person.id == "1007").points


def sentences(ran):
    """What a command said beside its data, whatever the width of the screen."""
    return " ".join(ran.err.split())


def change_an_assigned_row(database):
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE row SET data = '{\"student\": \"1\"}' WHERE kind = 'assigned'")
    connection.close()


def remove_hand_ins(database):
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM row WHERE kind = 'hand-in'")
    connection.close()


@pytest.fixture
def kept(place):
    """A class that was graded, as far as its results say; only an essay was handed in."""
    sent = place / "c" / "submissions"
    (sent / "MY01.zip").unlink()
    (sent / "essay.pdf").write_bytes(b"%PDF")
    with Results(place / "c" / ".class") as results:
        results.put("seed", "", {"seed": 7})
        results.put("assigned", "old.zip", {"student": "1012"})
        hand_in = HandIn(Claim("file", "Ada"), "old.zip", "old.zip", "L99", number=1)
        results.put("hand-in", hand_in.key, hand_in.to_dict())
    return place / "c" / ".class" / "results.db"


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (remove_hand_ins, "results.db had been changed from outside: rows (hand-in) were removed"),
        (change_an_assigned_row, "1 row of .class/results.db (assigned) had been changed from out"),
        (lambda file: file.write_bytes(b"no database"), "It was set aside as results.db.damaged-1"),
        (lambda file: file.write_bytes(b""), ".class/results.db is empty; grading reads and"),
    ],
    ids=["removed", "changed", "damaged", "emptied"],
)
def test_every_command_says_what_is_wrong_with_results_until_they_are_graded(
    kept, run, harm, words
):
    harm(kept)
    for arguments in (
        ["show", "c"],
        ["show", "c", "mallory"],
        ["export", "c", "csv"],
        ["tournament", "c"],
        ["forget", "c", "Nobody"],
        ["grade", "c", "--assign", "x=9"],  # it ends before it has graded
    ):
        ran = run("class", *arguments)
        assert sentences(ran).count(words) == 1, (arguments, ran)
        assert (ran.code == 0) <= (arguments[0] == "show")
    assert not (kept.parents[1] / "exports").exists()
    assert sentences(run("class", "grade", "c", "--workers", "1")).count(words) == 1
    for ran in (run("class", "show", "c"), run("class", "export", "c", "csv")):
        assert (ran.code, words in sentences(ran)) == (0, False)


def test_forget_names_damaged_files(kept, run):
    kept.write_bytes(b"\0 Mallory Moe")
    gone = run("class", "forget", "c", "Mallory Moe", "--yes")
    named = ".class/results.db.damaged-1 is damaged and may still hold their work or their name"
    assert f"{named}: remove it." in gone.words


def test_assigning_a_file_that_is_not_there_changes_nothing(kept, run):
    pairs = [each for pair in ("essay.pdf=1008", "esay.pdf=1008") for each in ("--assign", pair)]
    ran = run("class", "grade", "c", "--lab", "MY01", *pairs)
    assert ran.code == 1
    said = "--assign: there is no hand-in 'esay.pdf' in this class; did you mean essay.pdf?"
    assert said in sentences(ran)
    with Results(kept.parent) as results:
        assert results.rows("assigned") == {"old.zip": {"student": "1012"}}
        assert results.rows("belongs") == {}
    assert run("class", "grade", "c", "--assign", "old.zip=1008").code == 1  # as of the essay
    with Results(kept.parent) as results:
        assert results.rows("assigned") == {"old.zip": {"student": "1008"}}


def test_naming_a_lab_leaves_what_was_understood_as_it_is(tmp_path):
    """A file of L03 could be taken for the only file of L01, under another name."""
    new_class(tmp_path, "A class", [lab_by_id("L01"), lab_by_id("L03")])
    (tmp_path / "submissions" / "terminal.py").write_text("")
    (tmp_path / "submissions" / "mallory.py").write_text("")

    def works(only=None):
        grade(ClassFolder(tmp_path), only=only)
        with Results(tmp_path / ".class") as results:
            return [(each.entry, each.work) for each in stored_hand_ins(results)]

    assert works() == [("terminal.py", "L03")]
    assert works("L01") == [("terminal.py", "L03"), ("mallory.py", "L01")]


def test_another_lab_can_be_named_for_what_was_not_understood(tmp_path):
    new_class(tmp_path, "A class", [lab_by_id("L01"), lab_by_id("L03")])
    (tmp_path / "submissions" / "a.zip").write_text("no archive")

    def named():
        with Results(tmp_path / ".class") as results:
            return results.rows("belongs")

    for lab in ("L03", "L01"):
        grade(ClassFolder(tmp_path), only=lab)
        assert named() == {"a.zip": {"lab": lab}}


def test_commands_that_are_printed_can_be_typed(place, run):
    """Names have spaces and apostrophes."""
    name = "Zoe's class"
    typed = shlex.quote(name)
    made = run("class", "new", name, "--title", "A class", "--lab", "lab").words
    assert f"rl-toolkit class roster {typed} FILE.csv (who" in made
    assert f"rl-toolkit class grade {typed} (what lies in {name}/submissions)" in made
    ran = run("class", "show", name)
    assert f"nothing was graded yet; `rl-toolkit class grade {typed}` does it" in sentences(ran)
    ran = run("class", "show", "no class")
    assert "`rl-toolkit class new 'no class'` makes one" in sentences(ran)
    with Results(place / name / ".class") as results:
        results.put("seed", "", {"seed": 7})
    ran = run("class", "export", name, "moodle")
    assert f"`rl-toolkit class roster {typed} WORKSHEET.csv --lab MY01`" in sentences(ran)
    (place / name / ".class" / "results.db").write_bytes(b"")
    with Results(place / name / ".class") as results:
        results.put("seed", "", {"seed": 7})
    ran = run("class", "export", name, "csv")
    assert f"`rl-toolkit class grade {typed}` finds out anew" in sentences(ran)


def test_nothing_is_exported_while_rows_are_missing(kept, run):
    remove_hand_ins(kept)
    ran = run("class", "export", "c", "csv")
    assert ran.code == 1
    assert "nothing was exported, as results are missing or were changed; `rl-" in sentences(ran)


def test_what_was_not_understood_in_a_download_stays_until_it_is_settled(kept, run):
    """The download of last week is not named again this week, and the essay in it is not lost."""
    sent, sender = kept.parents[1] / "submissions", "Zoe Missing_44_assignsubmission_file_"
    (kept.parents[2] / "week 1" / sender).mkdir(parents=True)
    (kept.parents[2] / "week 1" / sender / "essay.txt").write_text("no code")
    (sent / "essay.pdf").unlink()
    words = f"{sender} was not graded: it holds no file of MY01, only essay.txt"
    for arguments in (["week 1"], []):
        ran = run("class", "grade", "c", *arguments, "--workers", "1")
        assert (ran.code, words in sentences(ran)) == (1, True)
        assert "essay.pdf" not in sentences(ran)  # it was removed
    assert run("class", "export", "c", "moodle").code == 0
    with zipfile.ZipFile(kept.parents[1] / "exports" / "moodle-MY01-feedback.zip") as archive:
        (page,) = archive.namelist()
        assert page == f"{sender}/MY01-report.html"
        assert "only essay.txt" in archive.read(page).decode()
    assert run("class", "grade", "c", "--assign", f"{sender}=none").code == 0
    assert run("class", "grade", "c", "--assign", f"{sender}=1013").code == 1
    with zipfile.ZipFile(sent / "week 2.zip", "w") as archive:
        archive.writestr(f"{sender}/winner.py", RIGHT)
    ran = run("class", "grade", "c", "--workers", "1")
    assert (ran.code, words in sentences(ran)) == (0, False)


def test_points_are_not_exported_while_hand_ins_are_not_checked(kept, run):
    """The run was stopped, or a result is of another version: nobody has 0 points for that."""
    with Results(kept.parent) as results:
        sender, files = Claim("file", "Zoe Missing"), {"winner.py": RIGHT}
        hand_in = HandIn(sender, "zoe.zip", "zoe.zip", "MY01", files, number=2)
        results.put("hand-in", hand_in.key, hand_in.to_dict())
    words = (
        "1 hand-in is not checked: the last run was stopped, or a lab or the toolkit has changed"
    )
    for arguments in (["show", "c"], ["export", "c", "csv"], ["export", "c", "moodle"]):
        ran = run("class", *arguments)
        assert words in sentences(ran)
        assert ran.code == (arguments[0] == "export")
    assert not (kept.parents[1] / "exports").exists()
    assert run("class", "export", "c", "github").code == 0  # it says nothing of points
    assert "  no time  not checked yet  zoe.zip\n" in run("class", "show", "c", "1013").out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["new", "d"], 2, "name the labs of the class: --lab L05"),
        (["new", "d", "--lab", "L99"], 2, "there is no lab 'L99'"),
        (["new", "r.csv", "--lab", "L05"], 1, "r.csv is a file; name a folder"),
        (["new", "c", "--lab", "L05"], 1, "c is the folder of a class already"),
        (["grade", "nowhere"], 1, "nowhere is not the folder of a class: it has no class.toml"),
        (["grade", "c", "--lab", "L05"], 1, "L05 is not in class.toml, which has MY01"),
        (["grade", "c", "missing.zip"], 1, "there is no missing.zip"),
        (["grade", "c", "--assign", "x"], 2, "write FILE=ID"),
        (["grade", "c", "--assign", "x=9"], 1, "there is no student with the id '9'"),
        (["show", "c"], 1, "nothing was graded yet; `rl-toolkit class grade c` does it"),
        (["export", "c", "moodel"], 2, "there is no form 'moodel'; did you mean moodle?"),
        (["roster", "c", "r.csv", "--lab", "MY01"], 1, "is not a grading worksheet of Moodle"),
        (["roster", "c", "nowhere.csv"], 1, "nowhere.csv cannot be read"),
        (["forget", "c", "Nobody"], 1, "there is no student 'Nobody' in this class"),
    ],
)
def test_errors_are_one_sentence(place, run, arguments, code, words):
    ran = run("class", *arguments)
    assert ran.code == code, ran
    assert words in " ".join(ran.err.split())
    assert "Traceback" not in ran.err


def check_pages(reports):
    """What a screen reader needs; widths on paper are measured in the complete run."""
    pages = list(reports.rglob("*.html"))
    assert len(pages) == 6  # index, answers, four students
    for path in pages:
        page = path.read_text("utf-8")
        assert '<html lang="en">' in page
        assert page.count("<h1>") == 1
        assert not re.search(r"<th[^>]*></th>", page)
        assert re.search(r'<th scope="(col|row)"', page) or path.name == "answers.html"
        assert "<script" not in page
