"""By what a typical mistake is recognised: witnesses, and stored fingerprints.

A panel is a list of calls in the check.py of a lab, one panel for each task. A mistake is
recognised by a student's answers to it, in this order:

1. they are those of the catalogued wrong solution, counts of calls included (fingerprints.json);
2. they satisfy the mistake's witness, a function in the lab's ``WITNESSES`` that looks at the few
   answers that show the mistake, whatever the rest of the program does; an answer that was not
   reached, because an earlier call ended the program, shows nothing;
3. their values are those of one catalogued wrong solution, and not all right.

Right values with other counts are no evidence: what is slow in one way may be slow in another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rl_toolkit.labs.checking.session import Answer, Call, Session
from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.labs.model.values import to_json
from rl_toolkit.utils import JsonError, read_object

FILE = "fingerprints.json"
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
#: The name under which the answers of the solution are stored.
RIGHT = "right"
#: Task → mistake → its answers, in the order of the panel.
Stored = dict[int, dict[str, list[Any]]]
#: Whether the answers to a panel show a mistake.
Witness = Callable[[Sequence[Answer]], bool]


def panel_answers(session: Session, panel: Sequence[Call]) -> list[Answer]:
    """The answers of a program to the panel, when it has just been loaded."""
    if not panel:
        return []
    session.load()
    return session.ask(list(panel), stop=False)


def fingerprint(answers: Sequence[Answer]) -> list[Any]:
    """What of the answers is stored and compared: short where it is short."""
    return [_print(answer) for answer in answers]


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


def recognise(
    stored: Mapping[str, list[Any]], witnesses: Mapping[str, Witness], answers: Sequence[Answer]
) -> str:
    """The mistake that the answers to a task's panel show, "" if there is none."""
    if not answers:
        return ""
    prints = fingerprint(answers)
    right = stored.get(RIGHT)
    known = {
        name: stored_prints
        for name, stored_prints in stored.items()
        if name != RIGHT and prints != right
    }
    for mistake, theirs in known.items():
        if theirs == prints:
            return mistake
    if all(answer.error is None or answer.error.kind != "NotReached" for answer in answers):
        for mistake, shows in witnesses.items():
            if shows(answers):
                return mistake
    values = _values(prints)
    near = [mistake for mistake, theirs in known.items() if _values(theirs) == values]
    return near[0] if len(near) == 1 and values != _values(right or prints) else ""


def _values(prints: Sequence[Any]) -> list[Any]:
    """The values of a fingerprint, without counts and prints."""
    return [
        item["value"] if isinstance(item, dict) and "value" in item else item for item in prints
    ]


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
    """What is the same whenever the program runs: no last digits, no places in memory."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, str):
        return _ADDRESS.sub("", value)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return value
