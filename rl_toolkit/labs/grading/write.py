"""Write the reports of a class: the table, the index, a page for each student."""

from __future__ import annotations

from pathlib import Path

from rl_toolkit.labs.grading.pages import answers_page, index_page, page_names, student_page
from rl_toolkit.labs.grading.run import ClassReport
from rl_toolkit.labs.grading.table import class_csv
from rl_toolkit.utils import write_text_atomically

INDEX, CSV, STUDENTS, ANSWERS = "index.html", "grades.csv", "students", "answers.html"


def write_reports(report: ClassReport, out: Path) -> list[Path]:
    """Write all files and return them; each is replaced whole or not at all."""
    names = page_names(student.name for student in report.students)
    folder = out / STUDENTS
    folder.mkdir(parents=True, exist_ok=True)
    links = {name: f"{STUDENTS}/{file}" for name, file in names.items()}
    pages = {folder / names[entry.name]: student_page(report, entry) for entry in report.students}
    pages[out / CSV] = "\ufeff" + class_csv(report)  # a spreadsheet then reads it as UTF-8
    if answers := answers_page(report):
        pages[out / ANSWERS] = answers
    pages[out / INDEX] = index_page(report, links, answers_page=ANSWERS if answers else "")
    for path, content in pages.items():
        write_text_atomically(path, content)
    return list(pages)
