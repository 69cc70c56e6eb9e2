"""The training doctor at the front door: what goes wrong in a run, in sentences or JSON."""

from __future__ import annotations

import json
from pathlib import Path

from rl_toolkit.cli.arguments import describe_os_error, failure, refuse
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.learning.doctor import examine
from rl_toolkit.learning.training.log import read_log


def check(folder: Path, *, as_json: bool) -> int:
    """Examine the run in ``folder``; the exit code is 1 if anything goes wrong."""
    screen = Screen()
    try:
        entries = read_log(folder)
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    iterations = sum(entry.get("kind") == "iteration" for entry in entries)
    if not iterations:
        raise refuse(f"there is no training to check in {folder}")
    findings = examine(entries)
    if as_json:
        screen.line(json.dumps([finding.to_dict() for finding in findings]))
    elif not findings:
        screen.say(f"{iterations:,} iterations, and nothing is wrong that can be seen in the log.")
    else:
        for finding in findings:
            where, _, sentences = str(finding).partition(": ")
            screen.say(f"{where[0].upper()}{where[1:]}", "bold yellow")
            screen.say(f"  {sentences}")
    return 1 if findings else 0
