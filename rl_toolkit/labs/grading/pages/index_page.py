"""The index of a class, for the teacher: the table, typical mistakes, likenesses, tournament."""

from __future__ import annotations

from collections import Counter

from rl_toolkit.envs import make_game
from rl_toolkit.labs.grading.pages.layout import bullets, number, page, table, text
from rl_toolkit.labs.grading.remarks import short
from rl_toolkit.labs.grading.run import ClassReport, LikePair, Student
from rl_toolkit.labs.grading.similarity import MOST_PAIRS
from rl_toolkit.labs.grading.table import alike_words
from rl_toolkit.labs.grading.tournament import Row, Standings
from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.utils import counted

_HONEST = (
    "The checks judge values, legal moves, counts and limits. They do not judge explanations, "
    "written answers, style, the choice of a depth or whose work it is; those points are left open."
)


def index_page(report: ClassReport, names: dict[str, str]) -> str:
    """The index; ``names`` are the files of the students' reports."""
    labs = ", ".join(f"{lab.id} {lab.title}" for lab in report.labs)
    title = report.rubric.title if report.rubric else labs or "No lab"
    parts = [
        "<h1>Class report</h1>",
        f"<p>{text(title)}. {counted(len(report.students), 'student')}. "
        f'<span class="soft">Positions of seed {report.seed}. {_HONEST}</span></p>',
        _students(report, names),
        _refused(report),
        _notes(report),
        _mistakes(report),
        *[_standings(each) for each in report.standings],
        _pairs(report),
        _remarks(report),
    ]
    return page("Class report", "\n".join(filter(None, parts)))


def _students(report: ClassReport, names: dict[str, str]) -> str:
    labs = _columns(report)
    heading = ["Student", "points", "open", *(lab.id for lab in labs), "hints", "answers", "notes"]
    rows = [_student(report, student, names) for student in report.students]
    return table("Students", heading, rows, tuple(range(1, len(labs) + 5)))


def _columns(report: ClassReport) -> list[Lab]:
    """The labs that have a column: not a single one, whose points are the points."""
    return [] if len(report.labs) == 1 and report.rubric is None else list(report.labs)


def _student(report: ClassReport, student: Student, names: dict[str, str]) -> str:
    graded = student.graded.values()
    cells = []
    for lab in _columns(report):
        each = student.graded.get(lab.id)
        if each is None:
            cells.append('<td class="n soft">–</td>')
            continue
        kind = "right" if each.reached == lab.points else "wrong" if each.problem else ""
        cells.append(f'<td class="n {kind}">{each.reached}</td>')
    asked = sum(len(each.lab.questions) for each in graded)
    written = sum(len(each.result["answers"]) for each in graded)
    notes = list(student.problems)
    notes += [f"Alike: {words}." for words in [alike_words(report, student)] if words]
    notes += [short(student.remarks)] if student.remarks else []
    said = "<br>".join(text(note, 300) for note in notes)
    opened = number(student.open) if student.open else ""
    return (
        f'<tr><td class="name"><a href="{text(names[student.name])}">{text(student.name)}</a></td>'
        f'<td class="n">{_points(report, student)}</td>'
        f'<td class="n open">{opened}</td>{"".join(cells)}'
        f'<td class="n">{sum(each.hints for each in graded)}</td>'
        f'<td class="n">{written} / {asked}</td><td>{said}</td></tr>'
    )


def _points(report: ClassReport, student: Student) -> str:
    points = f"<b>{number(student.reached)}</b> / {report.points}"
    return points if student.counts else f'<span class="open">not counted: {points}</span>'


def _refused(report: ClassReport) -> str:
    if not report.refused:
        return ""
    rows = [
        f'<tr><td class="name">{text(each.source)}</td><td class="wrong">{text(each.problem)}</td>'
        "</tr>"
        for each in report.refused
    ]
    return "<h2>Not graded</h2>" + table("Not graded", ["File", "why"], rows)


def _notes(report: ClassReport) -> str:
    return f"<h2>Notes</h2>{bullets(tuple(report.notes))}" if report.notes else ""


def _mistakes(report: ClassReport) -> str:
    """What to talk about in class: the typical mistakes and how many made them."""
    made: Counter[tuple[str, str]] = Counter()
    for student in report.students:
        for lab, each in student.graded.items():
            made.update({(lab, name) for name in each.mistakes})
    says = {(lab.id, each.id): each.says for lab in report.labs for each in lab.mistakes}
    rows = [
        f'<tr><td class="n">{count}</td><td>{text(lab)}</td><td>{text(says.get((lab, name), name))}'
        "</td></tr>"
        for (lab, name), count in sorted(made.items(), key=lambda each: (-each[1], each[0]))
    ]
    if not rows:
        return ""
    heading = ["students", "lab", "mistake"]
    return "<h2>Typical mistakes</h2>" + table("Typical mistakes", heading, rows[:30], (0,))


def _standings(standings: Standings) -> str:
    left = standings.of_rounds - standings.rounds
    cut = f" {left} of {standings.of_rounds} rounds were not played." if left > 0 else ""
    openings = f": {standings.openings}" if standings.openings else "."
    words = (
        f"Every match is two games from the opening of its round, sides swapped{openings} "
        "Accuracy: 100 % lost nothing against exact play, 0 % as much as random moves."
        f"{cut}"
    )
    bots = [row for row in standings.rows if row.lab]
    rows = []
    for row in standings.rows:
        better = sum(_rank(each) > _rank(row) for each in bots)
        rows.append(_row(row, str(better + 1) if row.lab else ""))
    heading = ["place", "bot", "lab", "points", "games", "won", "drawn", "forfeits", "accuracy"]
    title = f"Tournament: {make_game(standings.game).traits.title}"
    numbers = (0, 3, 4, 5, 6, 7, 8)
    body = table(title, heading, rows, numbers) if rows else "<p>No bot could play.</p>"
    absent = [f"{name} ({lab}): {reason}" for name, lab, reason in standings.absent]
    without = f"<p>Did not enter:</p>{bullets(tuple(absent))}" if absent else ""
    lost = [f"{one} and {two}: {reason}" for one, two, reason in standings.unplayed[:20]]
    without += f"<p>Could not be played:</p>{bullets(tuple(lost))}" if lost else ""
    missing = f"<p><b>{text(standings.not_played)}.</b></p>" if standings.not_played else ""
    return f'<h2>{text(title)}</h2>{missing}<p class="soft">{words}</p>{body}{without}'


def _rank(row: Row) -> tuple[float, float]:
    return row.points, row.accuracy or 0.0


def _row(row: Row, place: str) -> str:
    known = "" if row.accuracy is None else f"{100 * row.accuracy:.0f} %"
    name = f"<i>{text(row.name)}</i>" if not row.lab else text(row.name)
    reason = f'<br><span class="soft">{text(row.reason, 200)}</span>' if row.reason else ""
    return (
        f'<tr><td class="n">{place}</td><td class="name">{name}{reason}</td>'
        f"<td>{text(row.lab)}</td>"
        f'<td class="n"><b>{row.points:g}</b></td><td class="n">{row.games}</td>'
        f'<td class="n">{row.won}</td><td class="n">{row.drawn}</td>'
        f'<td class="n">{row.forfeits or ""}</td><td class="n">{known}</td></tr>'
    )


def _pairs(report: ClassReport) -> str:
    if not report.pairs:
        return ""
    words = (
        "A hint for a talk, not a proof: short tasks have few right solutions. Names, comments and "
        "layout do not count, nor does what the start files or many students have. "
        f"At most {MOST_PAIRS} pairs of a lab are shown, the most alike first."
    )
    found = "".join(map(_pair, report.pairs))
    return (
        f'<h2>Submissions that are alike</h2><p class="soft">{words}</p>'
        f'<div class="card">{found}</div>'
    )


def _pair(like: LikePair) -> str:
    pair = like.pair
    how = "the same code, names included" if pair.identical else f"{pair.percent} % alike"
    shown = "".join(
        f'<div class="two"><div><div class="label">{text(like.first)}, line {each.first_line}</div>'
        f"<pre>{text(each.first)}</pre></div>"
        f'<div><div class="label">{text(like.second)}, line {each.second_line}</div>'
        f"<pre>{text(each.second)}</pre></div></div>"
        for each in pair.passages
    )
    heading = f"{like.lab}, {like.first} and {like.second}: {how}"
    label = "Likely the same passages:"
    return f"<details><summary>{text(heading)}</summary><p>{label}</p>{shown}</details>"


def _remarks(report: ClassReport) -> str:
    rows = [
        f'<tr><td class="name">{text(student.name)}</td><td>{bullets(student.remarks)}</td></tr>'
        for student in report.students
        if student.remarks
    ]
    if not rows:
        return ""
    words = "Code that no task needs. It may be harmless; have a look."
    return f'<h2>Worth a look</h2><p class="soft">{words}</p>' + table(
        "Worth a look", ["Student", "code"], rows
    )
