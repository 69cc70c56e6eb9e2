"""For GitHub Classroom: a workflow with a step for each task of a lab.

It uses the actions education/autograding-command-grader and education/autograding-grading-reporter,
as their README files in the public repositories describe them (read in November 2026); it was not
run on GitHub.
"""

from __future__ import annotations

from rl_toolkit import __version__
from rl_toolkit.labs import Lab
from rl_toolkit.utils.installation import pinned_install_command

PATH = ".github/workflows/classroom.yml"


def workflow(lab: Lab, seed: int) -> str:
    """The text of the workflow; the repository is the folder that `lab start` makes."""
    steps, results, ids = [], [], []
    for task in lab.tasks:
        step = f"task-{task.number}"
        ids.append(step)
        title = f"{task.number}. {task.title}".replace("'", "''")
        steps.append(
            f"      - name: '{title}'\n"
            f"        id: {step}\n"
            "        uses: education/autograding-command-grader@v1\n"
            "        with:\n"
            f"          test-name: '{title}'\n"
            f"          command: rl-toolkit lab check . --task {task.number} --seed {seed}\n"
            "          timeout: 10\n"
            f"          max-score: {task.points}\n"
        )
        results.append(
            f'          {step.upper()}_RESULTS: "${{{{steps.{step}.outputs.result}}}}"\n'
        )
    return (
        f"# {lab.id} {lab.title}: checks every push, a step for each task.\n"
        "name: Autograding Tests\n"
        '"on":\n'
        "  - push\n"
        "  - workflow_dispatch\n"
        "permissions:\n"
        "  checks: write\n"
        "  actions: read\n"
        "  contents: read\n"
        "jobs:\n"
        "  run-autograding-tests:\n"
        "    runs-on: ubuntu-latest\n"
        "    if: github.actor != 'github-classroom[bot]'\n"
        "    steps:\n"
        "      - uses: actions/checkout@v4\n"
        "      - uses: actions/setup-python@v5\n"
        "        with:\n"
        '          python-version: "3.12"\n'
        f"      - run: {pinned_install_command(__version__)}\n"
        f"{''.join(steps)}"
        "      - name: Autograding Reporter\n"
        "        uses: education/autograding-grading-reporter@v1\n"
        "        env:\n"
        f"{''.join(results)}"
        "        with:\n"
        f"          runners: {','.join(ids)}\n"
    )
