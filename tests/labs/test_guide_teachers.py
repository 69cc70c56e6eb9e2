"""The guide for teachers: every command runs as written, in the order of the page."""

from __future__ import annotations

import doctest
import re
import shlex

from markdown_examples import FLAGS, blocks
from paths import ROOT

from rl_toolkit.classroom.settings import settings_from
from rl_toolkit.cli.commands.lab.grading import grade_all_command
from rl_toolkit.labs.grading import similarity, tournament
from rl_toolkit.labs.grading.collecting import collect
from rl_toolkit.labs.grading.rubric import find_rubric, read_rubric

TEXT = (ROOT / "docs" / "guides" / "teachers.md").read_text("utf-8")
#: Blocks in lists are indented.
PLAIN = "\n".join(line.removeprefix("   ") for line in TEXT.splitlines())


def test_the_commands_run_as_written(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "submissions").mkdir()
    ran = 0
    for block in blocks(PLAIN):
        kind, _, name = block.mark.partition(" name=")
        if name == "class.toml":
            assert settings_from(block.text).points == 260
        elif name == "override.toml":
            with open(tmp_path / "cs101" / "class.toml", "a", encoding="utf-8") as file:
                file.write(f"\n{block.text}")
        elif name:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(block.text, encoding="utf-8")
        elif kind == "toml":
            (tmp_path / "mine.toml").write_text(block.text, encoding="utf-8")
            assert read_rubric(tmp_path / "mine.toml").points == 100
        if not block.mark.startswith("console"):
            continue
        code = int(block.mark.partition("exit=")[2] or 0)
        for part in block.text.split("$ ")[1:]:
            command, _, wanted = part.partition("\n")
            done = run(*shlex.split(command)[1:])
            assert done.code == code, done
            said = done.err if code and done.err else done.out
            assert doctest.OutputChecker().check_output(wanted, said, FLAGS), (command, done)
            ran += 1
    assert ran == TEXT.count("$ rl-toolkit") == 26
    assert [each.student for each in collect(tmp_path / "submissions").handed_in] == ["Ada"]


def test_the_page_names_every_option_and_the_figures_of_today():
    for option in grade_all_command.params:
        for name in option.opts:
            assert not name.startswith("--") or f"`{name}" in TEXT or f" {name} " in TEXT
    assert f"from {similarity.SHOWN_FROM} %" in TEXT
    assert f"at most {similarity.MOST_PAIRS} pairs" in TEXT
    assert tournament.MOVE_SECONDS == 5
    assert "five seconds of processor time" in TEXT
    rubric = find_rubric("python-lab")
    labs = re.search(r"all of its labs \(([^)]*)\)", TEXT)
    assert labs is not None
    assert set(re.findall(r"L\d+", labs[1])) == rubric.labs
