"""For Gradescope: an autograder that runs the checks of a lab there.

::

    setup.sh         installs the toolkit into the image
    run_autograder   checks /autograder/submission, writes /autograder/results/results.json
    lab/             the lab, if it is not one of the package

results.json has ``score``, ``output`` and ``tests`` with ``name``, ``score``, ``max_score`` and
``output``, as gradescope-autograders.readthedocs.io describes it and public autograders write it
(read in November 2026); it was not tried on Gradescope.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rl_toolkit import __version__
from rl_toolkit.classroom.settings import settings_from
from rl_toolkit.classroom.trees import Room, read_folder
from rl_toolkit.classroom.works import works_in
from rl_toolkit.labs import Lab, SubmissionError, find_lab
from rl_toolkit.labs.grading import Graded, HandedIn, check_job, protection
from rl_toolkit.utils.installation import pinned

_SETUP = f"""\
#!/usr/bin/env bash
# Installs the toolkit: a wheel that lies beside this file, else the package of this version.
set -e
apt-get update
apt-get install -y python3 python3-pip
wheel=$(ls /autograder/source/*.whl 2>/dev/null | head -n 1)
pip3 install --break-system-packages "${{wheel:-{pinned(__version__)}}}"
"""
_RUN = """\
#!/usr/bin/env bash
# Checks one submission; whatever it does, there is a results.json.
cd /autograder
python3 -m rl_toolkit.classroom.exports.gradescope {lab} {seed} \\
    /autograder/submission /autograder/results/results.json
"""


def autograder_files(lab: Lab, seed: int) -> dict[str, bytes]:
    """The files of the autograder of a lab; all submissions get the positions of ``seed``."""
    name = "/autograder/source/lab" if lab.is_own else lab.id
    files = {
        "setup.sh": _SETUP.encode(),
        "run_autograder": _RUN.format(lab=name, seed=seed).encode(),
    }
    if lab.is_own:
        for path in sorted(lab.folder.rglob("*")):
            parts = path.relative_to(lab.folder).parts
            if path.is_file() and parts[0] not in ("mistakes", "solution", "__pycache__"):
                files[f"lab/{'/'.join(parts)}"] = path.read_bytes()
    return files


def results_json(graded: Graded) -> dict[str, Any]:
    """The result of a check in the form of Gradescope."""
    tests = []
    for task in graded.report["tasks"]:
        failure = task.get("failure")
        said = [*task["notes"], *([failure["sentence"]] if failure else [])]
        if failure and failure.get("board"):
            said.append(failure["board"])
        tests.append(
            {
                "name": f"{task['number']}. {task['title']}",
                "score": task["reached"],
                "max_score": task["points"],
                "status": "passed" if task["status"] == "right" else "failed",
                "output": "\n".join(said),
            }
        )
    return {
        "score": graded.reached,
        "output": graded.problem or f"{graded.reached} of {graded.lab.points} points.",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def grade_submission(lab: Lab, seed: int, submission: Path) -> dict[str, Any]:
    """The results.json of what was uploaded; never raises for what a student did."""
    own = f'\nfolder = "{lab.folder.as_posix()}"' if lab.is_own else ""
    settings = settings_from(f'[[lab]]\nid = "{lab.id}"{own}\n')
    try:
        works = works_in(read_folder(submission), settings, Room(), settings.assignments[0])
    except (SubmissionError, OSError) as error:
        return _nothing(str(error))
    except Exception as error:
        return _nothing(f"it cannot be read ({type(error).__name__})")
    mine = [work for work in works if work.id == lab.id]
    if len(mine) != 1:
        problems = [work.problem for work in works if work.problem]
        return _nothing(problems[0] if problems else f"hand in {lab.id} once")
    handed_in = HandedIn("", "submission", 0.0, lab, dict(mine[0].files))
    results = results_json(Graded(handed_in, check_job(handed_in, seed)))
    if missing := protection():  # for the teacher: students do not see a hidden test
        results["tests"].append({"name": "Sandbox", "visibility": "hidden", "output": missing})
    return results


def _nothing(problem: str) -> dict[str, Any]:
    return {
        "score": 0,
        "output": f"Nothing could be checked: {problem}.",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [],
    }


def _main(arguments: Sequence[str]) -> None:
    lab, seed, submission, out = arguments
    results: Mapping[str, Any] = grade_submission(find_lab(lab), int(seed), Path(submission))
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
