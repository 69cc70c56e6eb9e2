"""What platforms, students and file managers pack: every entry is understood or has its reason."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import zipfile

import pytest

from rl_toolkit.classroom import intake
from rl_toolkit.classroom.intake import hand_in_from, hand_ins
from rl_toolkit.classroom.roster import Person, Roster
from rl_toolkit.classroom.settings import settings_from
from rl_toolkit.classroom.trees import Room
from rl_toolkit.classroom.works import zip_works
from rl_toolkit.course import companion, start_course
from rl_toolkit.labs import SubmissionError, lab_by_id
from rl_toolkit.labs.folder import start_folder, write_notebook
from rl_toolkit.labs.submission import Submission, submission_bytes

CLASS = settings_from('[[lab]]\nid = "L05"\n[[lab]]\nid = "L07"\n[[project]]\nhandout = "A"\n')
ROSTER = Roster(
    [
        Person("1", "Ada Lovelace", "ada@example.org"),
        Person("2", "José Núñez", "jose@example.org"),
        Person("3", "Bob", "bob@example.org"),
    ]
)
CODE = lab_by_id("L05").start_files()["minimax.py"]


def packed(entries, link=""):
    """The bytes of a zip: path → text or bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in entries.items():
            info = zipfile.ZipInfo(path)
            kind = stat.S_IFLNK if path == link else stat.S_IFREG
            info.external_attr = (kind | 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


def taken(folder, roster=ROSTER, settings=CLASS, **more):
    """Sender and work of everything in a folder, and the reasons of what is not understood."""
    found = hand_ins([folder], settings, roster, **more)
    for each in found:
        assert hand_in_from(json.loads(json.dumps(each.to_dict()))) == each
    good = sorted((e.claim.platform, e.claim.name, e.work) for e in found if not e.problem)
    return good, {e.source: e.problem for e in found if e.problem}


MOODLE = {
    "Ada Lovelace_1007_assignsubmission_file_/minimax.py": CODE,
    "José Núñez_1008_assignsubmission_file/Archiv.zip": packed(
        {
            "my work/minimax.py": CODE,
            "my work/.DS_Store": b"\0",
            "__MACOSX/my work/._minimax.py": b"\0",
        }
    ),
    "Bob_1009_assignsubmission_file_/report.pdf": b"%PDF",
    "Bob_1009_assignsubmission_onlinetext_/onlinetext.html": "<p>see above</p>",
    "Flat Name_1010_assignsubmission_file_alphabeta.py": "x = 1",
}
MOODLE_TAKEN = [
    ("moodle", "Ada Lovelace", "L05"),
    ("moodle", "Flat Name", "L07"),
    ("moodle", "José Núñez", "L05"),
]


@pytest.mark.parametrize("how", ["zip", "zip in a folder", "unpacked", "unpacked below"])
def test_a_download_of_moodle(tmp_path, how):
    inbox = tmp_path / "in"
    inbox.mkdir()
    if how == "zip":
        (inbox / "all.zip").write_bytes(packed(MOODLE))
    elif how == "zip in a folder":
        wrapped = {f"CS101-Minimax-99/{path}": data for path, data in MOODLE.items()}
        (inbox / "all.zip").write_bytes(packed(wrapped))
    else:
        root = inbox if how == "unpacked" else inbox / "week 1"
        for path, data in MOODLE.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data.encode() if isinstance(data, str) else data)
    good, bad = taken(inbox)
    assert good == MOODLE_TAKEN
    (reason,) = bad.values()  # the two parts of Bob's hand-in belong together
    assert "it holds no file of L05, L07 or A, only" in reason
    assert "report.pdf" in reason


@pytest.mark.parametrize("how", ["zip", "zip in a folder", "unpacked"])
def test_an_empty_folder_of_a_student_has_a_row(tmp_path, how):
    """A zip has an entry for it; other folders may have one, too."""
    names = ["Ada Lovelace_1007_assignsubmission_file_/", "Empty One_1237_assignsubmission_file_/"]
    top = "CS101/" if how == "zip in a folder" else ""
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in ("__MACOSX/", top, *(top + name for name in names), f"{top}{names[0]}empty/"):
            if path:
                archive.writestr(path, "")
        archive.writestr(f"{top}{names[0]}minimax.py", CODE)
        if how == "unpacked":
            archive.extractall(tmp_path)
    if how == "unpacked":
        (tmp_path / "all.zip").unlink()
    good, bad = taken(tmp_path)
    assert good == [("moodle", "Ada Lovelace", "L05")]
    (source,) = bad
    assert source.endswith("Empty One_1237_assignsubmission_file_")
    assert bad[source] == "it is empty"


def test_an_empty_folder_in_the_zip_of_a_student_changes_nothing(tmp_path):
    with zipfile.ZipFile(tmp_path / "ada.zip", "w") as archive:
        for path in ("L05-minimax/", "data/"):
            archive.writestr(path, "")
        archive.writestr("L05-minimax/minimax.py", CODE)
    with zipfile.ZipFile(tmp_path / "week.zip", "w") as archive:
        for name in ("bob", "jose"):
            archive.writestr(f"{name}/", "")
        archive.writestr("bob/minimax.py", CODE)
    good, bad = taken(tmp_path)
    assert good == [("file", "ada", "L05"), ("folder", "bob", "L05")]
    assert bad == {"week.zip/jose": "it is empty"}


def test_files_of_canvas_are_grouped_by_user_and_late_is_read(tmp_path):
    files = {
        "lovelaceada_1234_98765_minimax.py": CODE,
        "lovelaceada_1234_98766_answers.md": "# Answers",
        "nunezjose_LATE_1235_98767_minimax-1.py": CODE,
        "bob_1236_98768_hello.docx": b"PK",
        "teamred_1237_98769_L05-work.zip": packed({"minimax.py": CODE}),
    }
    (tmp_path / "submissions.zip").write_bytes(packed(files))
    found = {each.claim.name: each for each in hand_ins([tmp_path], CLASS, ROSTER)}
    ada = found["lovelaceada"]
    assert (ada.work, sorted(ada.files)) == ("L05", ["answers.md", "minimax.py"])
    assert ada.claim.late is False
    assert ada.time is None
    assert found["nunezjose"].claim.late is True
    assert list(found["nunezjose"].files) == ["minimax.py"]
    assert found["teamred"].work == "L05"
    assert "only hello.docx" in found["bob"].problem


def test_folders_zips_single_files_notebooks_repositories_and_companions(tmp_path):
    lab = lab_by_id("L05")
    start_folder(lab, tmp_path / "Ada Lovelace" / "L05-minimax")
    (tmp_path / "Bob.zip").write_bytes(
        submission_bytes(Submission("L05", {"minimax.py": CODE}, "Robert"))
    )
    (tmp_path / "minimax.py").write_text(CODE)
    (tmp_path / "essay.pdf").write_bytes(b"%PDF")
    (tmp_path / "empty").mkdir()
    write_notebook(lab, tmp_path)
    os.rename(tmp_path / "L05.ipynb", tmp_path / "eve.ipynb")
    repository = tmp_path / "l05-jose"
    (repository / ".git").mkdir(parents=True)
    (repository / ".git" / "config").write_text("x")
    (repository / "src").mkdir()
    (repository / "src" / "minimax.py").write_text(CODE)
    start_course(companion("A"), tmp_path / "course-a")
    (tmp_path / "Archiv.zip").write_bytes(
        packed({"L07/names.toml": 'lab = "L07"\n', "L07/alphabeta.py": "", "__MACOSX/x": b"\0"})
    )
    (tmp_path / "other.zip").write_bytes(packed({"names.toml": 'lab = "L16"', "mcts.py": "x"}))
    (tmp_path / "Thumbs.db").write_bytes(b"")
    good, bad = taken(tmp_path)
    assert good == [
        ("file", "Archiv", "L07"),
        ("file", "Robert", "L05"),
        ("file", "eve", "L05"),
        ("file", "minimax", "L05"),
        ("file", "other", "L16"),
        ("folder", "Ada Lovelace", "L05"),
        ("folder", "course-a", "A"),
        ("folder", "l05-jose", "L05"),
    ]
    assert sorted(bad) == ["empty", "essay.pdf"]
    assert bad["empty"] == "it is empty"
    times = {each.claim.name: each.time for each in hand_ins([tmp_path], CLASS, ROSTER)}
    assert times["l05-jose"] is None  # a clone has the time of cloning
    assert times["Ada Lovelace"] is not None


def test_a_folder_for_each_student_and_zips_with_the_names_of_students(tmp_path):
    for name in ("ada", "bob"):
        folder = tmp_path / "week" / name / "code"
        folder.mkdir(parents=True)
        (folder / "minimax.py").write_text(CODE)
    more = {f"{name}.zip": packed({"minimax.py": CODE}) for name in ("ada", "jose")}
    (tmp_path / "more.zip").write_bytes(packed(more))
    good, bad = taken(tmp_path)
    assert [name for _, name, _ in good] == ["ada", "jose", "ada", "bob"]
    assert bad == {}


@pytest.mark.parametrize(
    ("entries", "link", "words"),
    [
        ({"../minimax.py": CODE}, "", "'../minimax.py' is not a path"),
        ({"/etc/minimax.py": CODE}, "", "is not a path"),
        ({"..\\minimax.py": CODE}, "", "is not a path"),
        ({"minimax.py": "/etc/passwd"}, "minimax.py", "is a link"),
        ({"minimax.py": "0" * (5 << 20)}, "", "is larger than 4 MB"),
        ({f"{n}.py": "0" * (3 << 20) for n in range(12)}, "", "larger together"),
        ({f"{n}.txt": "" for n in range(2001)}, "", "more than 2000 files"),
        ({"minimax.py": b"\xff\xfe\xff"}, "", "is not text in UTF-8"),
    ],
)
def test_hostile_zips_are_refused_and_the_others_are_read(tmp_path, entries, link, words):
    (tmp_path / "bad.zip").write_bytes(packed(entries, link))
    (tmp_path / "broken.zip").write_bytes(b"PK\3\4 no")
    (tmp_path / "good.zip").write_bytes(packed({"minimax.py": CODE}))
    (tmp_path / "link").symlink_to("/etc")
    good, bad = taken(tmp_path)
    assert good == [("file", "good", "L05")]
    assert words in bad["bad.zip"]
    assert "is not a zip that can be read" in bad["broken.zip"]
    assert bad["link"] == "it is a link"


def test_a_file_that_is_too_large_costs_its_sender_alone(tmp_path):
    large = os.urandom(5 << 20)
    (tmp_path / "L05.zip").write_bytes(
        packed(
            {
                "Ada Lovelace_1_assignsubmission_file_/minimax.py": CODE,
                "Bob_2_assignsubmission_file_/Bob_2_assignsubmission_file_2.zip": large,
                "Eve_3_assignsubmission_file_work.ipynb": large,
            }
        )
    )
    good, bad = taken(tmp_path)
    assert good == [("moodle", "Ada Lovelace", "L05")]
    assert bad == {
        "L05.zip/Bob_2_assignsubmission_file_": (
            "'Bob_2_assignsubmission_file_2.zip' is larger than 4 MB"
        ),
        "L05.zip/Eve_3_assignsubmission_file_work.ipynb": (
            "'Eve_3_assignsubmission_file_work.ipynb' is larger than 4 MB"
        ),
    }


def test_zips_inside_zips_are_read_within_one_room(tmp_path, monkeypatch):
    many = packed({"a.txt": bytes(300_000)})
    inner = packed({f"{n}.zip": many for n in range(3)})
    bomb = packed({f"{n}.zip": inner for n in range(3)})
    with pytest.raises(SubmissionError, match="larger together"):
        zip_works(bomb, CLASS, Room(1 << 20))
    # Zips that are called as students of the roster are might be the download of a class.
    monkeypatch.setattr(intake, "_MOST_IN_ALL", 3 << 20)
    monkeypatch.setattr(intake, "_MOST_OF_ONE", 1 << 20)
    (tmp_path / "deep.zip").write_bytes(packed({"Bob.zip": packed({"Bob.zip": bomb})}))
    (tmp_path / "good.zip").write_bytes(packed({"minimax.py": CODE}))
    others = {"1.zip": packed({"Bob.zip": bomb}), "Jose Nunez.zip": packed({"minimax.py": CODE})}
    (tmp_path / "class.zip").write_bytes(packed(others))
    good, bad = taken(tmp_path)
    assert good == [("file", "Jose Nunez", "L05"), ("file", "good", "L05")]
    for download in ("class.zip/1.zip", "deep.zip"):
        reasons = [why for source, why in bad.items() if source.startswith(download)]
        assert any("larger together" in why for why in reasons)


def test_what_only_a_hostile_student_writes_costs_no_other_a_row(tmp_path, monkeypatch):
    for name, toml in {"deep": "x = " + "[" * 5000, "dots": "a." * 500_000 + "a = 1"}.items():
        (tmp_path / f"{name}.zip").write_bytes(packed({"minimax.py": CODE, "names.toml": toml}))
    # In 60 digits there are more groups of up to three than could ever be tried.
    (tmp_path / "long.zip").write_bytes(packed({"minimax.py": CODE, "1" * 60 + "a.py": ""}))
    half = {"cells": [{"cell_type": "code", "source": ["%%writefile a.py\n\ud800"]}]}
    (tmp_path / "half.zip").write_bytes(packed({"minimax.ipynb": json.dumps(half)}))
    (tmp_path / "Ada").mkdir()
    (tmp_path / "Ada" / os.fsdecode(b"Jos\xe9.py")).write_text(CODE)
    good, bad = taken(tmp_path)
    assert good == [("file", name, "L05") for name in ("deep", "dots", "long")]
    assert bad == {
        "half.zip": "minimax.ipynb cannot be read: it has half of a surrogate pair, "
        "which is not text",
        "Ada": "'Jos\\udce9.py' is not a path that an upload may hold",
    }
    monkeypatch.setattr(intake, "zip_works", lambda *arguments: 1 / 0)  # what nobody thought of
    assert taken(tmp_path)[1]["long.zip"] == "it cannot be read: ZeroDivisionError"


@pytest.mark.parametrize("name", ["3.04\u202fPM.png", "山田\u3000太郎.txt"])
def test_spaces_of_all_kinds_in_the_name_of_a_file_do_no_harm(tmp_path, name):
    (tmp_path / "Ada").mkdir()
    for place in ("minimax.py", name):
        (tmp_path / "Ada" / place).write_text(CODE)
    (tmp_path / "bob.zip").write_bytes(packed({"minimax.py": CODE, name: ""}))
    assert taken(tmp_path) == ([("file", "bob", "L05"), ("folder", "Ada", "L05")], {})


def test_nothing_is_written_or_run(tmp_path):
    inbox = tmp_path / "in"
    inbox.mkdir()
    code = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    (inbox / "a.zip").write_bytes(packed({"minimax.py": code, "names.toml": 'lab = "L05"'}))
    before = subprocess.run(["ls", "-lR", inbox], capture_output=True, check=True).stdout
    assert taken(inbox)[0] == [("file", "a", "L05")]
    assert subprocess.run(["ls", "-lR", inbox], capture_output=True, check=True).stdout == before
    assert not (tmp_path / "ran").exists()


def test_a_file_with_another_name_is_taken_for_the_only_one_of_the_lab(tmp_path):
    (tmp_path / "L05").mkdir()
    (tmp_path / "L05" / "ada_v2.py").write_text(CODE)
    (found,) = hand_ins([tmp_path], CLASS, Roster())
    assert (found.work, list(found.files)) == ("L05", ["minimax.py"])
    assert found.note == "ada_v2.py was taken for minimax.py."
    (tmp_path / "L05").rename(tmp_path / "ada")
    assert taken(tmp_path)[1]  # which lab it is, nothing says
    good, _ = taken(tmp_path, belongs={"ada": CLASS.assignments[1]})
    assert good == [("folder", "ada", "L07")]


def test_a_file_with_another_name_is_refused_with_what_helps(tmp_path):
    (tmp_path / "mallory.py").write_text(CODE)
    (tmp_path / "essay.txt").write_text("no code")
    reasons = taken(tmp_path)[1]
    assert reasons["essay.txt"].endswith("only essay.txt")
    assert reasons["mallory.py"] == (
        "it holds no file of L05, L07 or A, only mallory.py; "
        "name the download after the lab, or say --lab L05 or L07"
    )
    good, _ = taken(tmp_path, belongs={"mallory.py": CLASS.find("L05")})
    assert good == [("file", "mallory", "L05")]
    (tmp_path / "mallory.py").rename(tmp_path / "L07 mallory.py")
    assert taken(tmp_path)[0] == [("file", "L07 mallory", "L07")]


def test_another_version_of_a_file_is_named(tmp_path):
    (tmp_path / "Ada").mkdir()
    for name in ("minimax.py", "minimax (1).py", "minimax_final2.py", "helper1.py"):
        (tmp_path / "Ada" / name).write_text(CODE)
    (found,) = hand_ins([tmp_path], CLASS, Roster())
    assert found.work == "L05"
    assert found.note == "Not looked at beside minimax.py: minimax (1).py and minimax_final2.py."
    for extra in ("minimax (1).py", "minimax_final2.py"):
        (tmp_path / "Ada" / extra).unlink()
    (found,) = hand_ins([tmp_path], CLASS, Roster())
    assert found.note == ""


def test_a_notebook_stands_for_the_file_of_a_lab(tmp_path):
    def notebook(*cells):
        made = [{"cell_type": "code", "source": cell.splitlines(True)} for cell in cells]
        return json.dumps({"cells": [{"cell_type": "markdown", "source": ["# Hi"]}, *made]})

    cells = ["%matplotlib inline\nimport math", CODE]
    (tmp_path / "ada_1_2_minimax.ipynb").write_text(notebook(*cells))
    (found,) = hand_ins([tmp_path], CLASS, Roster())
    assert found.work == "L05"
    assert found.files["minimax.py"] == "\n".join(["", "import math"]) + "\n\n" + CODE.rstrip("\n")
    # Under another name only where it is known which lab it is for.
    (tmp_path / "ada_1_2_minimax.ipynb").rename(tmp_path / "my work.ipynb")
    belongs = {"my work.ipynb": CLASS.assignments[0]}
    (found,) = hand_ins([tmp_path], CLASS, Roster(), belongs)
    assert (found.work, found.note) == ("L05", "my work.ipynb was taken for minimax.py.")
    (tmp_path / "my work.ipynb").write_text("{}")
    (found,) = hand_ins([tmp_path], CLASS, Roster(), belongs)
    assert found.problem == "my work.ipynb is not a notebook of version 4"
    assert found.work == "L05"  # the download says so, and the student's page
