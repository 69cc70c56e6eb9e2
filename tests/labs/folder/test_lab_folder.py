"""A student's folder: started, repaired, its progress kept whatever happens."""

from __future__ import annotations

import json
import shutil

import pytest

from rl_toolkit.labs.checking.run import check_folder
from rl_toolkit.labs.folder.answers import answers_text, question_reports, written_answers
from rl_toolkit.labs.folder.notebook import notebook
from rl_toolkit.labs.folder.progress import Progress, progress_from, read_progress, write_progress
from rl_toolkit.labs.folder.student_folder import ForeignFolderError, lab_of, start_folder
from rl_toolkit.labs.folder.template import TEMPLATE, write_template
from rl_toolkit.labs.model.finding import find_lab, labs
from rl_toolkit.labs.model.lab import LabError, read_lab
from rl_toolkit.labs.submission import Submission

LAB = find_lab("L05")


def test_a_folder_is_started_once_and_repaired_later(tmp_path):
    folder = tmp_path / "mine"
    written = start_folder(LAB, folder)
    assert {"sheet.md", "minimax.py", "answers.md", "names.toml"} <= set(written)
    assert (folder / "pictures" / "tree.svg").read_text("utf-8").startswith("<svg")
    (folder / "minimax.py").write_text("# mine\n", encoding="utf-8")
    (folder / "sheet.md").unlink()
    assert start_folder(LAB, folder) == ["sheet.md"]
    assert (folder / "minimax.py").read_text("utf-8") == "# mine\n"


def test_the_lab_of_a_folder_is_known_without_its_hidden_folder(tmp_path):
    start_folder(LAB, tmp_path)
    assert lab_of(tmp_path).id == "L05"
    shutil.rmtree(tmp_path / ".lab")
    assert lab_of(tmp_path).id == "L05"
    (tmp_path / "names.toml").unlink()
    with pytest.raises(LabError, match="is not the folder of a lab"):
        lab_of(tmp_path)
    with pytest.raises(LabError, match="there is no folder"):
        lab_of(tmp_path / "nowhere")


def test_a_folder_of_another_lab_is_refused(tmp_path):
    start_folder(read_lab(TEMPLATE), tmp_path)
    before = sorted(path.name for path in tmp_path.rglob("*"))
    with pytest.raises(ForeignFolderError, match="the folder of MY01"):
        start_folder(LAB, tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_a_folder_cannot_bring_checks_that_the_user_has_not_started(tmp_path):
    """The checks of a lab run in our process: a student's folder must not choose the code."""
    evil = tmp_path / "evil"
    write_template(evil)
    (evil / "check.py").write_text("raise SystemExit('it ran')\n", encoding="utf-8")
    folder = tmp_path / "handed in"
    (folder / ".lab").mkdir(parents=True)
    mark = {"id": "L05", "folder": str(evil)}
    (folder / ".lab" / "lab.json").write_text(json.dumps(mark), encoding="utf-8")
    (folder / "winner.py").write_text("", encoding="utf-8")
    with pytest.raises(LabError, match="which was not started on this machine"):
        check_folder(folder)
    (folder / ".lab" / "lab.json").write_text(json.dumps({"id": str(evil)}), encoding="utf-8")
    with pytest.raises(LabError, match="there is no lab"):
        check_folder(folder)
    (folder / ".lab" / "lab.json").unlink()
    (folder / "names.toml").write_text(f'lab = "{evil}"\n', encoding="utf-8")
    with pytest.raises(LabError, match="there is no lab"):
        check_folder(folder)
    with pytest.raises(LabError, match="there is no lab"):
        Submission(str(evil), {"winner.py": ""}).work()
    start_folder(read_lab(evil), folder)  # the user has named it
    assert lab_of(folder).id == "MY01"


def test_a_damaged_list_of_labs_is_an_empty_one(tmp_path):
    start_folder(read_lab(TEMPLATE), tmp_path / "mine")
    assert lab_of(tmp_path / "mine").id == "MY01"
    (tmp_path / "state" / "labs.json").write_text("{", encoding="utf-8")
    with pytest.raises(LabError, match="was not started on this machine"):
        lab_of(tmp_path / "mine")
    start_folder(read_lab(TEMPLATE), tmp_path / "mine")
    assert lab_of(tmp_path / "mine").id == "MY01"


def test_progress_is_read_as_it_was_written(tmp_path):
    progress = Progress({1: "right", 2: "wrong"}, 10, {2: 3}, 4, "2026-01-01", "2026-01-02", "")
    write_progress(tmp_path, progress)
    assert read_progress(tmp_path) == progress


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        "",
        "[]",
        '{"points": "ten"}',
        '{"points": true}',
        '{"hints": []}',
        '{"tasks": {"one": "right"}}',
        '{"tasks": {"1": 5}}',
        '{"started": 5}',
        "\x00\xff",
    ],
)
def test_damaged_progress_is_kept_aside_and_begins_anew(tmp_path, damage):
    hidden = tmp_path / ".lab"
    hidden.mkdir()
    for number in (1, 2):
        (hidden / "progress.json").write_bytes(damage.encode("latin-1"))
        progress = read_progress(tmp_path)
        assert progress == Progress()
        assert progress.damaged.endswith(f"progress-damaged-{number}.json")
    kept = (hidden / "progress-damaged-1.json").read_bytes()
    assert kept == damage.encode("latin-1")
    with pytest.raises(ValueError, match="a count is a whole number"):
        progress_from({"points": -1})


def test_a_model_answer_appears_only_after_ones_own():
    text = answers_text(LAB)
    assert written_answers(text) == {}
    assert [report.model for report in question_reports(LAB, text)] == ["", "", ""]
    own = text.replace("(Your answer.)", "It thinks that both play perfectly.", 1)
    reports = question_reports(LAB, own)
    assert [report.written for report in reports] == [True, False, False]
    assert reports[0].model == LAB.questions[0].answer
    assert reports[1].model == ""
    assert reports[0].to_dict()["graded"] is False
    short = text.replace("(Your answer.)", "no idea", 1)
    assert not question_reports(LAB, short)[0].written


def test_a_notebook_has_the_sheet_the_file_and_a_check():
    data = json.loads(json.dumps(notebook(LAB)))
    sources = ["".join(cell["source"]) for cell in data["cells"]]
    assert sources[0].startswith("# L05 Minimax")
    assert any(source.startswith("%%writefile minimax.py\n") for source in sources)
    assert "check_folder" in sources[-1]
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.reads(json.dumps(data), as_version=4))


@pytest.mark.parametrize("name", ["L05", "l05", "5", "05", "Minimax", "l05_minimax"])
def test_a_lab_is_found_by_id_number_and_title(name):
    assert find_lab(name).id == "L05"


def test_unknown_labs_are_refused_and_folders_are_labs():
    with pytest.raises(LabError, match="there is no lab 'L99'"):
        find_lab("L99")
    assert find_lab(str(TEMPLATE)).id == "MY01"
    assert [lab.id for lab in labs()] == sorted(lab.id for lab in labs())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('id = "MY01"', "", "id must be a text"),
        ("minutes = 20", "minutes = -1", "minutes must be a whole number"),
        ("number = 1\ntitle", "number = 2\ntitle", "numbered 1, 2, 3"),
        ('takes = ["board"]', 'takes = ["bord"]', "'bord' is not a kind of argument"),
        ('returns = "player"', 'returns = "winner"', "returns is one of"),
        ('game = "tictactoe"', 'game = "chess"', "there is no game"),
        ('id = "only-x"', 'id = "no-diagonals"', "the same id"),
        ('id = "only-x"\ntask = 1', 'id = "only-x"\ntask = 7', "there is no task 7"),
        ("hints = [", 'hints = ["one"]\nold = [', "three hints"),
    ],
)
def test_a_wrong_lab_file_is_refused_with_the_place(tmp_path, old, new, words):
    text = (TEMPLATE / "lab.toml").read_text("utf-8")
    assert text.count(old) == 1
    (tmp_path / "lab.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(LabError, match=words) as refused:
        read_lab(tmp_path)
    assert "lab.toml" in str(refused.value)
