"""class.toml and rosters: read, refused with a sentence, and turned into points."""

from __future__ import annotations

import re
import shlex
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from paths import ROOT

from rl_toolkit.classroom.class_folder import ClassFolder, new_class
from rl_toolkit.classroom.exports.moodle import comment
from rl_toolkit.classroom.forgetting import forget
from rl_toolkit.classroom.gradebook import Checked, Entry, WhoIsWho, make_rows
from rl_toolkit.classroom.intake import HandIn
from rl_toolkit.classroom.platforms import Claim
from rl_toolkit.classroom.roster import Participant, Person, Roster, read_roster
from rl_toolkit.classroom.settings import Assignment, ClassError, Override, settings_from
from rl_toolkit.classroom.taking_in import NAMED, stored_hand_ins, take_in
from rl_toolkit.labs import labs
from rl_toolkit.labs.grading import Results

LAB = '[[lab]]\nid = "L05"\n'


def test_the_example_in_the_guide_has_every_entry():
    guide = (ROOT / "docs" / "guides" / "teachers.md").read_text("utf-8")
    (example,) = re.findall(
        r"has every entry:\n\n```toml name=class.toml\n(.*?)```", guide, re.DOTALL
    )
    settings = settings_from(example)
    assert [each.id for each in settings.assignments] == ["L05", "L16", "L13", "D"]
    assert settings.points == 100 + 100 + 60  # L13 is not required
    l05 = settings.assignments[0]
    assert l05.due.isoformat() == "2027-03-14T23:59:00+01:00"
    assert settings.due("1007", l05).day == 21
    assert settings.due("1012", l05).day == 14
    assert settings.override("1012", l05).points == 80
    assert settings.groups == {"Team 1": ("1007", "1012")}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no lab; write"),
        ("lab = 3", "lab is a list of tables"),
        ("x =", "is not TOML"),
        (LAB + "dew = 1", "lab 1: there is no entry 'dew'; did you mean due?"),
        (LAB + 'due = "tomorrow"', "lab 1: due is a time without quotes, like 2027-"),
        (LAB + LAB, "L05 is there twice"),
        ('[[lab]]\nid = "L99"', "lab 1: there is no lab 'L99'"),
        ("[[lab]]\ntitle = 3", "there is no entry 'title'"),
        ("[[lab]]\ndue = 2027-01-01", "lab 1: id is missing"),
        ('count = "worst"\n' + LAB, 'count is "latest" or "best", not \'worst\''),
        ('timezone = "Mars/Olympus"\n' + LAB, "there is no timezone 'Mars/Olympus'"),
        (LAB + '[late]\ngrace = "soon"', 'late: grace is a period like "15 minutes"'),
        (LAB + "[late]\nper_day = 200", "late: per_day is a number from 0 to 100"),
        (LAB + "[late]\nper_day = true", "per_day is a number, not True"),
        (LAB + 'required = "yes"', "required is true or false"),
        (
            LAB + '[[extension]]\nstudent = "1"\nlab = "L07"',
            "'L07' is not a lab of this class: L05",
        ),
        (LAB + '[[override]]\nstudent = "1"\nlab = "L05"\npoints = 1', "reason is missing"),
        (
            LAB + '[[override]]\nstudent = "1"\nlab = "l05"\npoints = 100.5\nreason = "x"',
            "override 1: points is a number from 0 to 100",
        ),
        (LAB + '[[group]]\nname = "a"\nstudents = [1]', "students is a list of ids in quotes"),
        (
            LAB + "".join(f'[[group]]\nname = "{n}"\nstudents = ["1"]\n' for n in "ab"),
            "1 is in a and in b; a student is in one group",
        ),
        ('[[project]]\nhandout = "Z"', "project 1: "),
    ],
)
def test_mistakes_in_class_toml_are_one_sentence(text, words):
    with pytest.raises(ClassError) as caught:
        settings_from(text)
    assert words in str(caught.value)
    assert "class.toml" in str(caught.value)


def test_what_new_writes_can_be_read_and_names_must_be_on_the_roster(tmp_path):
    new_class(tmp_path / "c", "Spring", labs()[:2])
    assert ClassFolder(tmp_path / "c").settings.title == "Spring"
    (tmp_path / "c" / "roster.csv").write_text("id,name\n1,Ada\n")
    with open(tmp_path / "c" / "class.toml", "a") as file:
        file.write('[[override]]\nstudent = "9"\nlab = "L01"\npoints = 3\nreason = "x"\n')
    with pytest.raises(ClassError, match="override: there is no student with the id '9'"):
        ClassFolder(tmp_path / "c")
    with pytest.raises(ClassError, match="is the folder of a class already"):
        new_class(tmp_path / "c", "Again", labs()[:1])


# ------------------------------------------------------------------------------------- rosters

MOODLE = "First name,Last name,ID number,Email address,Groups\nAda,Lovelace,77,ada@x.org,Team 1\n"
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    'Participant 9,Ada Lovelace,ada@x.org,Submitted,,10,Yes,"Monday, 1 March 2027, 2:14 PM",-,\n'
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Minimax (L05) (4711)\n"
    "    Points Possible,,,,,10\n"
    '"Lovelace, Ada",77,s1,ada,CS 1,\n"Student, Test",99,,t,CS 1,\n'
)


@pytest.mark.parametrize(
    ("text", "person"),
    [
        (MOODLE, Person("77", "Ada Lovelace", "ada@x.org", "Team 1")),
        ("\ufeff" + MOODLE.replace(",", ";"), Person("77", "Ada Lovelace", "ada@x.org", "Team 1")),
        (WORKSHEET, Person("ada@x.org", "Ada Lovelace", "ada@x.org")),
        (CANVAS, Person("77", "Ada Lovelace")),
        ("id,name,email,group\n77,Ada Lovelace,,\n", Person("77", "Ada Lovelace")),
        ("name\nAda Lovelace\n", Person("Ada Lovelace", "Ada Lovelace")),
        ("id,name\n1,=HYPERLINK(1)\n", Person("1", "=HYPERLINK(1)")),
    ],
)
def test_lists_of_moodle_canvas_and_plain_ones(tmp_path, text, person):
    (tmp_path / "list.csv").write_text(text, "utf-8")
    roster = read_roster(tmp_path / "list.csv")
    assert roster.people == (person,)
    roster.write(tmp_path / "roster.csv")
    assert "\n=" not in (tmp_path / "roster.csv").read_text().replace(",", "\n")
    assert read_roster(tmp_path / "roster.csv").people == (person,)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2\n", "has no column with names; its columns are a and b"),
        ("id,name\n1,Ada\n1,Bob\n", "has 1 id twice: 1"),
        ("id,name\n", "has no students"),
        ("", "is not a table"),
    ],
)
def test_lists_that_are_not_rosters(tmp_path, text, words):
    (tmp_path / "list.csv").write_text(text)
    with pytest.raises(ClassError, match=words):
        read_roster(tmp_path / "list.csv")


# ------------------------------------------------------------------------------------ who and when

ROSTER = Roster(
    [
        Person("77", "Ada Lovelace", "ada@x.org", "Red"),
        Person("78", "José Núñez", "jose@x.org", "Red"),
        Person("79", "Sam Twin", "sam1@x.org"),
        Person("80", "Sam Twin", "sam2@x.org"),
    ]
)


def handed(claim, time=None, entry="a.zip", files=None, number=1):
    return HandIn(claim, f"in/{entry}", entry, "L05", files or {}, {}, time, number=number)


def test_forgetting_removes_the_rows_of_one_student_from_the_lists_of_platforms(tmp_path):
    """Not those in which the id stands for something else, nor those of a namesake."""
    new_class(tmp_path, "c", labs()[:1])
    (tmp_path / "r.csv").write_text("id,name,email\n100,Ada Li,ada@x.org\n101,Ada Li,li@x.org\n")
    ClassFolder(tmp_path).take_roster(tmp_path / "r.csv")
    (tmp_path / "platform").mkdir()
    moodle, canvas = (tmp_path / "platform" / name for name in ("moodle-L01.csv", "canvas.csv"))
    head = "Identifier,Full name,Email address,Maximum Grade"
    moodle.write_text(f"{head}\n1,Ada Li,ADA@x.org,100\n2,Ada Li,li@x.org,100\n100,Bo,,100\n")
    points = "Points Possible,,,100"
    canvas.write_text(f'Student,ID,Section,L01\n{points}\n"Li, Ada",100,,7\nBo,102,,100\n')
    forget(ClassFolder(tmp_path), "100")
    assert moodle.read_text().split() == f"{head} 2,Ada Li,li@x.org,100 100,Bo,,100".split()
    assert canvas.read_text().splitlines() == ["Student,ID,Section,L01", points, "Bo,102,,100"]


@pytest.mark.parametrize(
    ("claim", "student", "doubt"),
    [
        (Claim("moodle", "ADA  lovelace", "9"), "77", ""),
        (Claim("moodle", "Núñez José", "77"), "78", ""),  # Moodle's number is not the roster's id
        (Claim("canvas", "lovelaceada", "4"), "77", ""),
        (Claim("canvas", "nunezjose", "4"), "78", ""),
        (Claim("canvas", "whoever", "78"), "78", ""),
        (Claim("folder", "l05-minimax-jose"), "78", ""),
        (Claim("folder", "red"), "77", ""),
        (Claim("moodle", "Sam Twin", "5"), "80", ""),  # the worksheet has the e-mail address
        (Claim("file", "Sam Twin"), "", "Sam Twin may be 79 or 80; --assign in/a.zip=ID"),
        (Claim("file", "Eve"), "", "Eve is not on the roster; --assign"),
        (Claim("moodle", "Eva-Ada Lovelace", "6"), "", "Eva-Ada Lovelace is not on the roster"),
    ],
)
def test_the_roster_decides_who_it_is(claim, student, doubt):
    sheet = [Participant("5", "Sam Twin", "sam2@x.org", None)]
    who = WhoIsWho(ROSTER, {"L05": sheet}, {"b.zip": "79", "c.zip": "none"})
    found, why = who.decide(handed(claim))
    assert found == student
    assert why.startswith(doubt)
    assert who.decide(handed(claim, entry="b.zip")) == ("79", "")
    assert who.decide(handed(claim, entry="c.zip")) == ("", "")


DUE = datetime(2027, 3, 14, 23, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("platform", "runs", "order"),
    [
        # Each run finds works in places. Canvas tells no times.
        ("canvas", ["A1", "A1 B2", "A1 B2 A3", "A1 B2 A3", "A1 B2 A3 C4"], "ABAC"),
        ("canvas", ["A1", "A1 A2", "A1 A2 B3", "A1 A2 B3"], "AB"),
        ("canvas", ["A1 B2 A3", "A1 B2 A3"], "ABA"),
        ("canvas", ["A1", "B1", "A1"], "AB"),  # the last may be the first
        # Moodle's worksheet has the time of the last hand-in.
        ("moodle", ["A1+1", "A1+2 B2+2", "A1+3 B2+3 A3+3", "A1+3 B2+3 A3+3"], "ABA"),
        ("moodle", ["A1+1", "A1+2 B2+2", "A0+2 A1+2 B2+2"], "AB"),  # a copy of the first download
        ("moodle", ["A1+1", "A1+2 B2+2", "A1+3 B2+3 C3+3"], "ABC"),
        ("moodle", ["A1+1", "B1+2", "A1+3", "A1+3"], "ABA"),  # each takes the place of the last
        ("file", ["A1+1", "B1+2", "A1+3", "A1+3", "B1+4"], "ABAB"),
        ("file", ["A1+1", "B1+2", "A1+1"], "AB"),
    ],
)
def test_the_same_work_handed_in_again_after_another_is_the_latest(tmp_path, platform, runs, order):
    claim = Claim(platform, "Ada Lovelace", "9")
    with Results(tmp_path) as results:
        for run in runs:
            found = []
            for letter, place, *hours in run.replace("+", "").split():
                time = DUE + timedelta(hours=int(hours[0])) if hours else None
                each = handed(claim, time, "a.zip", {"x": letter}, number=0)
                found.append(replace(each, source=f"{place}/a.zip"))
            take_in(results, found, WhoIsWho(ROSTER))
        kept = stored_hand_ins(results)
    assert "".join(each.files["x"] for each in kept) == order
    assert [each.number for each in kept] == [*range(1, len(order) + 1)]
    times = [each.time for each in kept if each.time]
    assert times == sorted(times)


def test_what_was_not_understood_is_settled_by_a_later_hand_in_not_by_an_earlier_one(tmp_path):
    claim, who = Claim("folder", "Ada Lovelace"), WhoIsWho(ROSTER)
    earlier = replace(handed(claim, files={"x": "A"}, number=0), source="Ada Lovelace")
    essay = replace(earlier, problem="it holds no file of L05", files={}, seen=(NAMED,))
    later = replace(earlier, files={"x": "B"})
    with Results(tmp_path) as results:
        for found, is_there in (
            ([earlier], False),
            ([earlier, essay], True),  # the essay is in a download that is named this once
            ([earlier], True),
            ([later], False),
        ):
            take_in(results, found, who)
            assert bool(results.rows("refused")) == is_there


def entry_of(checked, rules="", student="77", who=None):
    settings = settings_from(
        f'timezone = "UTC"\n{rules}\n[[lab]]\nid = "L05"\ndue = 2027-03-14T23:59:00\n'
    )
    rows, undecided = make_rows(settings, who or WhoIsWho(ROSTER), checked)
    row = next(row for row in rows if row.person.id == student)
    return row.entries["L05"], undecided


def made(reached, hours, number, platform="moodle", entry="a.zip", late=None):
    time = None if hours is None else DUE + timedelta(hours=hours)
    claim = Claim(platform, "Ada Lovelace", "9", late)
    return Checked(handed(claim, time, entry, {"x": str(number)}, number), "77", "", None, reached)


def test_latest_or_best_and_what_lateness_takes():
    late = '[late]\ngrace = "1 hour"\nper_day = 10\nat_most = 25\nuntil = "5 days"'
    works = [made(90.0, -9, 1), made(60.0, 0.5, 2), made(100.0, 30, 3), made(100.0, 200, 4)]
    entry, _ = entry_of(works, late)
    assert [attempt.points for attempt in entry.attempts] == [90, 60, 80, None]
    assert entry.points == 80
    assert entry.notes == ["late: 1 day and 6 hours, 20 of 100 points less"]
    assert entry.attempts[-1].why == "too late to count: 8 days and 8 hours"
    assert entry_of(works, f'count = "best"\n{late}')[0].points == 90
    assert entry_of(works[3:], late)[0].points is None
    assert entry_of([made(100.0, 24 * 4, 1)], late)[0].points == 75
    assert entry_of(works, "")[0].points == 100  # no rule: nothing is lost


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs a system with TZ")
def test_a_deadline_is_in_the_summer_or_winter_time_of_its_own_day(monkeypatch):
    with monkeypatch.context() as changed:
        changed.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        settings = settings_from(
            f'{LAB}due = 2027-03-14T23:59:00\n[[lab]]\nid = "L07"\ndue = 2027-07-11'
        )
        winter, summer = (each.due for each in settings.assignments)
        offsets = [moment.utcoffset() // timedelta(hours=1) for moment in (winter, summer)]
        in_utc = [moment.astimezone(UTC) for moment in (winter, summer)]
        back = [settings.to_text(moment) for moment in in_utc]
    time.tzset()
    assert offsets == [1, 2]
    assert [moment.hour for moment in in_utc] == [22, 21]
    assert back == ["2027-03-14 23:59", "2027-07-11 23:59"]


def test_without_a_time_nothing_is_late_unless_the_platform_says_so():
    late = "[late]\nper_day = 10"
    assert entry_of([made(50.0, None, 1)], late)[0].points == 50
    assert entry_of([made(50.0, None, 1, "canvas", late=True)], late)[0].points == 45
    assert entry_of([made(50.0, None, 1), made(40.0, None, 2)], late)[0].points == 40


def test_two_files_under_one_name_count_for_nobody_until_it_is_decided():
    files = [made(100.0, -2, 1, "file", "a.zip"), made(10.0, -1, 2, "file", "mallory.zip")]
    entry, undecided = entry_of(files)
    assert entry.points is None
    assert [each.hand_in.entry for each in undecided] == ["a.zip", "mallory.zip"]
    assert undecided[0].doubt.startswith("mallory.zip has the same name for L05; --assign a.zip=ID")
    typed = [made(1.0, -2, 1, "file", "O'Hara.zip"), made(1.0, -1, 2, "file", "my work.zip")]
    assert [each.doubt.partition("--assign ")[2] for each in entry_of(typed)[1]] == [
        f"{shlex.quote(name)} says whose it is" for name in ("O'Hara.zip=ID", "my work.zip=ID")
    ]
    # Who has the platform's list of users knows that a download is none that a student has made.
    users = {"L05": [Participant("9", "Ada Lovelace", "", None)]}
    entry, undecided = entry_of([made(100.0, -2, 1), files[1]], who=WhoIsWho(ROSTER, users))
    assert entry.points == 100
    assert [each.hand_in.entry for each in undecided] == ["mallory.zip"]
    for assigned in ({}, {"mallory.zip": "77"}):
        forged = [made(100.0, None, 2, "moodle", "Ada Lovelace_9_assignsubmission_file_"), files[1]]
        entry, undecided = entry_of(forged, who=WhoIsWho(ROSTER, {}, assigned))
        assert entry.points == (10 if assigned else None)
        assert len(undecided) == (1 if assigned else 2)
    entry, undecided = entry_of([files[0], made(90.0, -1, 2, "file", "a.zip")])
    assert entry.points == 90  # the same file, handed in again
    assert not undecided


def test_points_without_a_hand_in_are_explained_to_the_student():
    lab = Assignment("MY01", "Who has won?", 10.0)
    given = Override("1013", "MY01", 4.0, "explained it")
    assert comment(Entry(lab, override=given)) == (
        "Points by the teacher (no hand-in): explained it."
    )
    assert comment(Entry(lab)) == "Nothing was handed in."


def test_a_hand_in_that_was_not_understood_is_not_called_missing():
    settings = settings_from('[[lab]]\nid = "L05"\n[[lab]]\nid = "L07"\n')
    claim = Claim("moodle", "Ada Lovelace", "9")
    problem = "it holds no file of L05 or L07, only report.pdf"

    def notes(work, *checked):
        refused = [HandIn(claim, "a", "a", work, problem=problem)]
        rows, _ = make_rows(settings, WhoIsWho(ROSTER), checked, refused)
        of = {row.person.name: row.entries for row in rows}
        assert not any(entry.notes for name in of for entry in of[name].values() if name[0] != "A")
        return {lab: entry.notes for lab, entry in of["Ada Lovelace"].items()}

    said = [f"a hand-in could not be graded: {problem}"]
    assert notes("L07") == {"L05": [], "L07": said}
    assert notes("") == {"L05": said, "L07": said}  # nothing says which lab it was for
    assert notes("", made(50.0, -1, 1)) == {"L05": [], "L07": said}
    refused = Entry(settings.assignments[0], refused=(problem,))
    assert comment(refused) == f"A hand-in could not be graded: {problem}."
