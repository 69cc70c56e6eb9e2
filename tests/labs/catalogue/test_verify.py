"""`verify_lab` finds what is wrong with a lab; a teacher's own lab begins from a sound template."""

from __future__ import annotations

import pytest

from rl_toolkit.labs.checking.verify import verify_lab
from rl_toolkit.labs.folder.template import write_template
from rl_toolkit.labs.model.lab import LabError, read_lab


@pytest.fixture
def folder(tmp_path):
    write_template(tmp_path / "lab")
    return tmp_path / "lab"


def problems(folder) -> str:
    return "\n".join(verify_lab(read_lab(folder)).problems)


def replace(folder, name, old, new):
    path = folder / name
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_template_is_sound_and_never_written_over(folder):
    verdict = verify_lab(read_lab(folder))
    assert verdict.problems == []
    assert len(verdict.named) == 5
    with pytest.raises(LabError, match="is not empty"):
        write_template(folder)


def test_a_solution_that_fails_is_shown_with_its_case(folder):
    replace(folder, "solution/winner.py", "(2, 4, 6)]", "]")
    said = problems(folder)
    assert "the solution fails task 1" in said
    assert "winner(board)" in said


def test_a_skeleton_that_passes_or_breaks_is_refused(folder):
    solution = (folder / "solution" / "winner.py").read_text("utf-8")
    (folder / "start" / "winner.py").write_text(solution + "\n", encoding="utf-8")
    replace(folder, "lab.toml", 'file = "winner.py"', 'file = "winner.py"\nunchanged = "check"')
    assert "the skeleton passes task 1" in problems(folder)
    (folder / "start" / "winner.py").write_text("def winner(board):\n    1 / 0\n", encoding="utf-8")
    assert "the skeleton ends task 1 with a traceback" in problems(folder)
    (folder / "start" / "winner.py").write_text("1 / 0\n", encoding="utf-8")
    assert "the skeleton does not run" in problems(folder)


def test_mistakes_that_are_right_or_unknown_or_missing_are_refused(folder):
    mistakes = folder / "mistakes"
    (mistakes / "no-diagonals.toml").write_text(
        '[[change]]\nold = "board[b] =="\nnew = "board[b]  =="\n', encoding="utf-8"
    )
    (mistakes / "only-x.toml").unlink()
    (mistakes / "unheard-of.py").write_text("", encoding="utf-8")
    said = problems(folder)
    assert "mistake no-diagonals: task 1 is right, it should be wrong" in said
    assert "mistake only-x: there is no file" in said
    assert "unheard-of.py is not a mistake in lab.toml" in said
    assert "fingerprints.json is old" in said


def test_a_change_must_occur_once(folder):
    (folder / "mistakes" / "only-x.toml").write_text(
        '[[change]]\nold = "board"\nnew = "bord"\n', encoding="utf-8"
    )
    with pytest.raises(LabError, match=r"times in winner\.py, not once"):
        verify_lab(read_lab(folder))


def test_old_fingerprints_are_noticed_and_written_anew(folder):
    prints = folder / "fingerprints.json"
    prints.write_text("{}\n", encoding="utf-8")
    said = problems(folder)
    assert "fingerprints.json is old" in said
    assert "mistake only-x is recognised as: Look along" in said
    assert verify_lab(read_lab(folder), update=True).is_sound
    assert problems(folder) == ""


def test_mistakes_that_the_panel_cannot_tell_apart_are_named(folder):
    replace(folder, "check.py", '"oo1/xxx/3 o", "xo1/xo1/1ox x", ', "")
    verdict = verify_lab(read_lab(folder), update=True)
    assert "first-line-only and no-diagonals have the same fingerprint" in verdict.notes
    assert "only-x answers the panel like the solution" in verdict.notes
    assert "mistake first-line-only is recognised as: no-diagonals" in verdict.problems


def test_a_hint_must_not_give_the_line_away(folder):
    line = 'if board[a] != " " and board[a] == board[b] == board[c]:'
    replace(folder, "lab.toml", '"Eight lines can win. Look at each of them."', f"'{line}'")
    assert "task 1 hint 1 contains a line of the solution" in problems(folder)


def test_a_lab_without_a_solution_cannot_be_verified(folder):
    (folder / "solution" / "winner.py").unlink()
    with pytest.raises(LabError, match="there is no solution of MY01"):
        verify_lab(read_lab(folder))


def test_a_verdict_that_depends_on_the_seed_is_refused(folder):
    """A check that looks at its boards with some seeds only catches mistakes by luck."""
    looks = "    check.each("
    replace(folder, "check.py", looks, f"    if check.rng.random() < 0.5:\n        return\n{looks}")
    said = "\n".join(verify_lab(read_lab(folder), seeds=3).problems)
    assert "mistake only-x: task 1 is right, it should be wrong (with " in said
    assert "of 3 seeds)" in said
