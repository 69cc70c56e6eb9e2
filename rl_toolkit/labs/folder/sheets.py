"""The sheet of a lab in full: title, goal and time above, questions and commands below."""

from __future__ import annotations

from rl_toolkit.labs.model.lab import Lab, LabError
from rl_toolkit.labs.model.order import missing_before
from rl_toolkit.utils import listed


def full_sheet(lab: Lab) -> str:
    """The sheet that a student reads, in Markdown."""
    parts = [f"# {lab.id} {lab.title}", _facts(lab), lab.sheet().strip()]
    if lab.questions:
        rows = [f"{question.number}. {question.text}" for question in lab.questions]
        written = "Write your answers into `answers.md`. They are not graded by the machine."
        parts.append("\n".join(["## Questions", "", *rows, "", written]))
    parts.append(_commands(lab))
    return "\n\n".join(parts) + "\n"


def _facts(lab: Lab) -> str:
    lines = [
        f"**Goal:** {lab.goal}",
        f"**Time:** about {lab.minutes} minutes · **Points:** {lab.points}",
    ]
    if lab.needs:
        lines.append(f"**Before this:** {_titles(lab.needs)}")
    if lab.sources:
        which = "`rl-toolkit course list` says which is which"
        lines.append(f"**Handouts:** {', '.join(lab.sources)} ({which})")
    lines.append(f"**Write into:** {listed(f'`{name}`' for name in lab.files)}")
    return "  \n".join(lines)


def _commands(lab: Lab) -> str:
    rows = [
        "## Check your work",
        "",
        "    rl-toolkit lab check            all tasks",
        "    rl-toolkit lab check --task 2   one task",
        "    rl-toolkit lab hint 2           a hint for a task; there are three",
        "    rl-toolkit lab web --open       this sheet in the browser, checked as you save",
    ]
    if lab.bot:
        rows.append("    rl-toolkit lab play             play against what you have written")
    rows.append("    rl-toolkit lab submit           one file for your teacher")
    if lab.functions:
        rows += ["", "Do you use other names or another kind of board? Say so in `names.toml`."]
    if lab.page:
        rows += ["", f"**On the web page** (`rl-toolkit web --open`): {lab.page}"]
    missing = {name: missing_before(name, [lab.id]) for name in lab.next}
    if ready := tuple(name for name in lab.next if not missing[name]):
        rows += ["", f"**Next:** {_titles(ready)}"]
    if later := [name for name in lab.next if missing[name]]:
        texts = [f"{_titles((name,))} (after {listed(missing[name])})" for name in later]
        rows += ["", f"**Later:** {', '.join(texts)}"]
    return "\n".join(rows)


def _titles(ids: tuple[str, ...]) -> str:
    from rl_toolkit.labs.model.finding import lab_by_id

    def title(name: str) -> str:
        try:
            return f"{name} {lab_by_id(name).title}"
        except LabError:
            return name

    return ", ".join(map(title, ids))
