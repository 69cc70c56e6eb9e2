"""A class graded in one go: points, the table, the pages; one student's code harms no other."""

from __future__ import annotations

import csv
import io
from types import SimpleNamespace

import lab_class
import pytest
from paths import AXE
from web_page import hangs_out

from rl_toolkit.labs.grading import tournament
from rl_toolkit.labs.grading.collecting import collect
from rl_toolkit.labs.grading.run import grade_class
from rl_toolkit.labs.grading.table import class_csv
from rl_toolkit.labs.grading.write import write_reports
from rl_toolkit.utils.installation import STATE_VARIABLE
from rl_toolkit.utils.isolation import settle

pytest_plugins = ["web_browser"]
SCRIPT = "<script>document.title = 'broken'</script>"
FORMULA = '=HYPERLINK("http://x")'


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Nine submissions and four bad zips, checked once for all tests of this file."""
    root = tmp_path_factory.mktemp("class")
    folder, out = root / "handed in", root / "reports"
    codes = {
        "Bob": lab_class.OTHER,
        "Solver": f"from rl_toolkit.algorithms import minimax as m\n{lab_class.START}",
        "Empty": lab_class.START,
        SCRIPT: lab_class.mistake("same-player"),
        FORMULA: lab_class.TRICKS["exits"] + lab_class.START,
        "Patches": lab_class.TRICKS["patches"] + lab_class.START,
        "Parents": lab_class.TRICKS["parents"] + lab_class.START,
    }
    lab_class.write_class(folder, codes)
    (folder / "Ada").mkdir()
    (folder / "Ada" / "new.zip").write_bytes(
        lab_class.packed("Ada", lab_class.SOLUTION, ["It plays <b>best</b> moves always."], hints=2)
    )
    (folder / "Ada" / "old.zip").write_bytes(lab_class.packed("ada", lab_class.START))
    lab_class.older(folder / "Ada" / "old.zip")
    for name, data in lab_class.bad_zips().items():
        (folder / name).write_bytes(data)
    heard: list[tuple[str, int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(STATE_VARIABLE, str(root / "state"))
        patch.setattr(tournament, "REFERENCES", {"random moves": "random"})  # loads no machine code
        report = grade_class(
            collect(folder), out, rounds=1, seed=5, on_progress=lambda *step: heard.append(step)
        )
    written = write_reports(report, out)
    settle()
    students = {student.name: student for student in report.students}
    return SimpleNamespace(report=report, out=out, students=students, heard=heard, files=written)


def rows_of(report):
    return list(csv.DictReader(io.StringIO(class_csv(report))))


def page_of(graded, name):
    found = [path for path in graded.files if path.parent.name == "students"]
    return next(path for path in found if path.name.startswith(name)).read_text("utf-8")


def test_everyone_gets_the_points_of_their_answers_only(graded):
    points = {name: student.reached for name, student in graded.students.items()}
    assert points == {
        "Ada": 100,
        "Bob": 100,
        "Solver": 0,
        "Empty": 0,
        SCRIPT: 25,
        FORMULA: 0,
        "Patches": 0,
        "Parents": 0,
    }
    assert graded.students[SCRIPT].graded["L05"].mistakes == ["same-player"]
    assert "SystemExit" in graded.students[FORMULA].graded["L05"].problem
    assert ("checking", 8, 8) in graded.heard


def test_what_cannot_be_read_is_named_and_the_rest_is_graded(graded):
    problems = {each.source: each.problem for each in graded.report.refused}
    assert set(problems) == {"up.zip", "bomb.zip", "link.zip", "text.zip"}
    assert "'../evil.py' is not a path that a submission may hold" in problems["up.zip"]
    assert "8 MB" in problems["bomb.zip"]
    assert "link" in problems["link.zip"]
    assert "not a zip" in problems["text.zip"]


def test_the_latest_of_two_submissions_counts_and_that_is_said(graded):
    (note,) = graded.report.notes
    assert note == (
        "Ada handed in L05 more than once: "
        "Ada/new.zip is the latest and counts, Ada/old.zip does not."
    )


def test_an_import_of_the_toolkit_is_a_remark_for_the_teacher(graded):
    (remark,) = graded.students["Solver"].remarks
    assert remark.startswith("L05 minimax.py, line 1: imports rl_toolkit.algorithms ")
    assert "solver could answer for the student" in remark
    assert not graded.students["Ada"].remarks
    assert not graded.students["Empty"].remarks
    assert any("sys" in each for each in graded.students[FORMULA].remarks)


def test_copies_are_flagged_and_nobody_else(graded):
    pairs = {(each.first, each.second): each.pair for each in graded.report.pairs}
    assert pairs[SCRIPT, "Ada"].percent >= 90  # made from the same solution
    named = {name for pair in pairs for name in pair}
    assert not named & {"Bob", "Empty", "Patches", "Parents", FORMULA}


def test_the_bots_play_a_tournament_with_accuracy_against_exact_play(graded):
    (standings,) = graded.report.standings
    rows = {row.name: row for row in standings.rows}
    assert {"Ada", "Bob", SCRIPT, "random moves"} <= set(rows)
    assert all(row.games in (0, 2) for row in rows.values())
    games = sum(row.games for row in rows.values())
    assert sum(row.points for row in rows.values()) == games / 2
    for perfect in ("Ada", "Bob"):
        assert rows[perfect].accuracy in (1.0, None)
    absent = {name: reason for name, _, reason in standings.absent}
    assert "returned None" in absent["Empty"]
    assert standings.rounds == 1 < standings.of_rounds


def test_the_table_has_a_row_for_each_student_and_no_formulas(graded):
    rows = {row["student"]: row for row in rows_of(graded.report)}
    assert rows["Ada"]["points"] == "100"
    assert rows["Ada"]["hints"] == "2"
    assert rows["Ada"]["answers written"] == "1"
    assert "'" + FORMULA in rows
    assert FORMULA not in rows
    assert rows["up"]["problem"].startswith("not graded")
    assert "Ada" in rows[SCRIPT]["alike"]
    for row in rows.values():
        assert not any(cell.startswith(("=", "+", "@", "\t")) for cell in row.values())


def test_names_and_output_are_escaped_on_every_page(graded):
    for path in graded.files:
        if path.suffix == ".html":
            text = path.read_text("utf-8")
            assert "<script" not in text
            assert "default-src 'none'" in text
            assert "http://" not in text.replace("HYPERLINK(&#34;http://x&#34;)", "")
    assert "&lt;script&gt;" in (graded.out / "index.html").read_text("utf-8")


def test_a_report_shows_the_board_the_answers_and_what_is_open(graded):
    ada = page_of(graded, "ada")
    assert "It plays &lt;b&gt;best&lt;/b&gt; moves always." in ada
    assert "It assumes an opponent who always makes the best move." in ada
    assert "for you to judge" not in ada.lower()
    answers = (graded.out / "answers.html").read_text("utf-8")
    assert "For you to judge" in answers
    assert "It plays &lt;b&gt;best&lt;/b&gt; moves always." in answers
    model = "It assumes an opponent who always makes the best move."
    assert model in answers
    assert model not in page_of(graded, "bob")  # who wrote no answer
    assert "2 hints taken" in ada
    assert not any(other in ada for other in ("Bob", "Solver"))  # it can be given back
    wrong = page_of(graded, "script")
    assert "The same player moves at every level" in wrong
    assert wrong.count("data:image/svg+xml;base64,") >= 2


def test_the_index_tells_the_teacher_what_the_machine_does_not_judge(graded):
    index = (graded.out / "index.html").read_text("utf-8")
    assert "They do not judge explanations" in index
    assert "A hint for a talk, not a proof" in index
    assert "Typical mistakes" in index


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.full), "dark"])
def test_the_pages_fit_a_phone_and_axe_finds_nothing(graded, browser, scheme):
    (report,) = [path for path in graded.files if path.name.startswith("script")]
    pages = [graded.out / "index.html", report]
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": 390, "height": 800}, bypass_csp=True
    )
    with context:
        page = context.new_page()
        for path in pages:
            page.goto(path.as_uri())
            assert page.title() != "broken"
            assert hangs_out(page) <= 0
            page.add_script_tag(path=AXE)
            found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []
