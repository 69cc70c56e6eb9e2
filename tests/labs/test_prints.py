"""What a student's code printed in the failing case is shown: the last lines, and only there."""

import pytest
from web_lab import NO_DIAGONALS, SOLUTION, started

from rl_toolkit.labs import check_folder
from rl_toolkit.utils.installation import STATE_VARIABLE


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    return started(tmp_path)


def test_prints_are_shown_in_the_terminal(work, run, tmp_path):
    folder, file = work
    file.write_text(NO_DIAGONALS, "utf-8")
    ran = run("lab", "check", str(folder))
    assert "your program printed\n    looking\n" in ran.out


def test_the_end_of_many_prints_is_kept(work):
    folder, file = work
    loud = (
        "    print('first')\n    for i in range(40):\n        print(i, 'x' * 300)\n    print(board)"
    )
    file.write_text(SOLUTION.replace("    for a, b, c", f"{loud}\n    for a, b, c"), "utf-8")
    assert check_folder(folder).all_right  # printing is not wrong
    file.write_text(NO_DIAGONALS.replace("    print('looking')", loud), "utf-8")
    (task,) = check_folder(folder).tasks
    lines = task.failure.printed.splitlines()
    assert len(lines) == 12
    assert lines[0].startswith("29 xxx")
    assert max(map(len, lines)) == 200
    assert lines[-1].startswith("['")
