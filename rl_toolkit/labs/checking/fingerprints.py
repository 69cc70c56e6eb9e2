"""Fingerprints: how each typical mistake answers a fixed panel of calls.

The panels stand in the check.py of a lab, one for each task. The answers of the catalogued wrong
solutions are stored in the lab (fingerprints.json), so a student's answers can be compared without
those solutions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rl_toolkit.labs.checking.session import Answer, Call, Session
from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.labs.model.values import to_json
from rl_toolkit.utils import JsonError, read_object

FILE = "fingerprints.json"
#: Task → mistake → its answers, in the order of the panel.
Stored = dict[int, dict[str, list[Any]]]


def panel_answers(session: Session, panel: Sequence[Call]) -> list[Any]:
    """The fingerprint of a program: its answers to the panel, when it has just been loaded."""
    if not panel:
        return []
    session.load()
    return [_print(answer) for answer in session.ask(list(panel), stop=False)]


def read_fingerprints(lab: Lab) -> Stored:
    """The stored fingerprints of a lab; none if there are none."""
    try:
        data = read_object((lab.folder / FILE).read_text("utf-8"))
    except (FileNotFoundError, JsonError):
        return {}
    return {int(task): dict(mistakes) for task, mistakes in data.items()}


def fingerprints_text(stored: Stored) -> str:
    """The text of a fingerprints.json: one line for each mistake."""
    tasks = []
    for task, mistakes in sorted(stored.items()):
        rows = [
            f"    {json.dumps(name)}: {json.dumps(prints, ensure_ascii=False)}"
            for name, prints in sorted(mistakes.items())
        ]
        tasks.append(f'  "{task}": {{\n' + ",\n".join(rows) + "\n  }")
    return "{\n" + ",\n".join(tasks) + "\n}\n"


def recognise(lab: Lab, task: int, answers: list[Any]) -> str:
    """The mistake with the same fingerprint, "" if there is none."""
    for mistake, prints in read_fingerprints(lab).get(task, {}).items():
        if answers and prints == answers:
            return mistake
    return ""


def _print(answer: Answer) -> Any:
    """What of an answer is compared: short where it is short."""
    if answer.error is not None:
        return {"raised": answer.error.kind}
    value = _rounded(to_json(answer.value))
    more: dict[str, Any] = {}
    if answer.calls:
        more["calls"] = dict(answer.calls)
    if answer.changed:
        more["changed"] = True
    if answer.call.inputs is not None:
        more["printed"] = answer.printed
    return {"value": value, **more} if more else value


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return value
