"""Six labs of the package for eight students, hostile ones among them; pages on paper."""

from __future__ import annotations

import shutil
import zipfile

import pytest
from class_term import RIGHT
from paths import AXE, ROOT
from web_page import hangs_out

from rl_toolkit.classroom import ClassFolder, grade, new_class, write_class_reports
from rl_toolkit.labs import lab_by_id
from rl_toolkit.labs.folder.template import TEMPLATE
from rl_toolkit.utils.executors import LocalProcesses
from rl_toolkit.utils.isolation import in_force, settle

pytest_plugins = ["web_browser"]
LABS = ["L01", "L02", "L04", "L05", "L06", "L07"]
#: Gives everybody 0 points, in the results of the class at FILE and nowhere else.
REWRITES = """
import sqlite3
try:
    with sqlite3.connect(FILE, timeout=0.1) as connection:
        changed = "replace(data, '\\"reached\\": 10', '\\"reached\\": 0')"
        connection.execute(f"UPDATE row SET data = {changed} WHERE kind = 'result'")
    connection.close()
except Exception:
    pass
"""


def filled(folder, works):
    """A download of Moodle: name → lab → code."""
    for number, (name, labs) in enumerate(works.items()):
        for lab, code in labs.items():
            path = folder / "submissions" / f"{lab}.zip"
            with zipfile.ZipFile(path, "a") as archive:
                entry = f"{name}_{100 + number}_assignsubmission_file_"
                archive.writestr(f"{entry}/{lab_by_id(lab).files[0]}", code)


@pytest.mark.full
def test_six_labs_for_eight_students(tmp_path):
    new_class(tmp_path / "c", "Six labs", [lab_by_id(lab) for lab in LABS])
    solutions = {
        lab: (ROOT / "tests" / "labs" / lab / "solution.py").read_text("utf-8") for lab in LABS
    }
    skeletons = {lab: lab_by_id(lab).start_files()[lab_by_id(lab).files[0]] for lab in LABS}
    broken = {lab: f"raise SystemExit\n{code}" for lab, code in solutions.items()}
    half = {lab: solutions[lab] for lab in LABS[:3]}
    works = {
        "Ada": solutions,
        "Ben": skeletons,
        "Cai": broken,
        "Dan": half,
        "Eve": {lab: f"# mine\n{code}" for lab, code in solutions.items()},
        "Fay": {**skeletons, "L05": solutions["L05"]},
        "Gus": {"L07": f"import os\nos.kill(os.getppid(), 9)\n{solutions['L07']}"},
    }
    filled(tmp_path / "c", works)
    names = [*works, "Hal"]
    lines = "".join(f"{number},{name}\n" for number, name in enumerate(names, 1))
    (tmp_path / "c" / "roster.csv").write_text(f"id,name\n{lines}")
    the_class = ClassFolder(tmp_path / "c")
    book = grade(the_class, executor=LocalProcesses(2))
    points = {row.person.name: row.points for row in book.rows}
    whole = sum(lab_by_id(lab).points for lab in LABS)
    assert points == {
        "Ada": whole,
        "Ben": 0,
        "Cai": 0,
        "Dan": sum(lab_by_id(lab).points for lab in LABS[:3]),
        "Eve": whole,
        "Fay": lab_by_id("L05").points,
        # In namespaces the signal goes to process 1 inside, which ignores it: the work is right.
        "Gus": lab_by_id("L07").points if in_force().kind == "namespaces" else 0,
        "Hal": 0,
    }
    assert book.settings.points == whole
    settle()


@pytest.mark.full
def test_a_submission_without_the_key_changes_no_grade(tmp_path, monkeypatch):
    """It runs with the rights of the user; it does not look for the key."""
    shutil.copytree(TEMPLATE, tmp_path / "lab")
    monkeypatch.chdir(tmp_path)
    rules = 'title = "c"\n[[lab]]\nid = "MY01"\nfolder = "../lab"\n'
    results = tmp_path / "c" / ".class" / "results.db"
    hostile = f"FILE = {str(results)!r}\n{REWRITES}{RIGHT}"
    for name, code in {"Ada": RIGHT, "Eve": hostile}.items():
        (tmp_path / "c" / "submissions" / name).mkdir(parents=True)
        (tmp_path / "c" / "submissions" / name / "winner.py").write_text(code)
    (tmp_path / "c" / "class.toml").write_text(rules)
    (tmp_path / "c" / "roster.csv").write_text("id,name\n1,Ada\n2,Eve\n")
    notes = []
    for _ in range(2):
        book = grade(ClassFolder(tmp_path / "c"), seed=7)
        assert {row.person.name: row.points for row in book.rows}["Ada"] == 10
        notes += book.notes
    was_changed = any("had been changed from outside" in note for note in notes)
    assert was_changed == bool(book.protection)  # a sandbox keeps it from the file


@pytest.mark.full
def test_the_pages_fit_paper_and_a_phone_and_axe_finds_nothing(tmp_path, browser):
    new_class(tmp_path / "c", "A long title of a class about search in games", [lab_by_id("L05")])
    code = lab_by_id("L05").start_files()["minimax.py"]
    long = "Wolfeschlegelsteinhausenbergerdorff Featherstonehaugh-Cholmondeley"
    filled(tmp_path / "c", {"Ada": {"L05": code}, long: {"L05": code}})
    the_class = ClassFolder(tmp_path / "c")
    index = write_class_reports(the_class, grade(the_class, seed=7))
    pages = [index, index.with_name("answers.html"), *(index.parent / "students").iterdir()]
    table = "Math.max(...[...document.querySelectorAll('table')].map(each => each.scrollWidth), 0)"
    with browser.new_context(viewport={"width": 390, "height": 800}, bypass_csp=True) as context:
        page = context.new_page()
        for path in pages:
            page.set_viewport_size({"width": 390, "height": 800})
            page.goto(path.as_uri())
            assert hangs_out(page) <= 0
            page.add_script_tag(path=AXE)
            found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 752, "height": 1000})  # A4 less its margins
            assert page.evaluate(table) <= 752
            page.emulate_media(media="screen")
