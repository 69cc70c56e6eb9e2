"""What the sheets show is what the solutions do: examples, and the output of each program."""

from __future__ import annotations

import builtins
import contextlib
import doctest
import importlib
import io
import re
import runpy
import sys
import textwrap
from pathlib import Path

import pytest

from rl_toolkit.labs.checking.verify import solution_files
from rl_toolkit.labs.model.finding import labs
from rl_toolkit.labs.model.lab import Lab

#: Programs that search for seconds; their sheets say so.
SLOW = {"L05", "L06", "L14", "L18"}
#: What is typed where a program asks.
TYPED = {"L03": ["5", "5", "a2", "3,1", "9", "3"]}
#: A block of code in a sheet: fenced, or indented by four.
BLOCK = re.compile(r"^```\w*\n(.*?)^```$|((?:^    [^\n]*\n(?:^\n)*)+)", re.MULTILINE | re.DOTALL)

PYTHON_LABS = [lab for lab in labs() if lab.files[0].endswith(".py")]


def blocks(text: str) -> list[str]:
    return [fenced or textwrap.dedent(indented) for fenced, indented in BLOCK.findall(text)]


def expected_outputs(sheet: str, files: tuple[str, ...]) -> list[tuple[str, str]]:
    """The student's programs under "Expected output", each with what it prints."""
    part = re.search(r"^## Expected output\n(.*?)(?=^## |\Z)", sheet, re.MULTILINE | re.DOTALL)
    assert part is not None
    found = []
    for piece in re.split(r"^(?=`python )", part[1], flags=re.MULTILINE):
        program = re.match(r"`python (\w+\.py)`", piece)
        if program is not None and program[1] in files:
            found.append((program[1], blocks(piece)[0]))
    return found


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d s$", "… s", text.rstrip("\n"), flags=re.MULTILINE)


@pytest.fixture
def solved(tmp_path, monkeypatch):
    """A function that writes the solution of a lab into a folder and enters it."""

    def enter(lab: Lab) -> Path:
        for name, text in solution_files(lab).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
            # Another module of this name, loaded by another test, steps aside meanwhile.
            monkeypatch.delitem(sys.modules, Path(name).stem, raising=False)
        monkeypatch.chdir(tmp_path)
        monkeypatch.syspath_prepend(str(tmp_path))
        return tmp_path

    yield enter
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("lab", [pytest.param(lab, id=lab.id) for lab in PYTHON_LABS])
def test_examples_of_a_sheet_are_true(lab: Lab, solved) -> None:
    solved(lab)
    shown = [block for block in blocks(lab.sheet()) if ">>>" in block]
    text = re.sub(
        r"^(\w+Error: )", r"Traceback (most recent call last):\n\1", "\n".join(shown), flags=re.M
    )
    names: dict[str, object] = {}
    for file in reversed([file for file in lab.files if file.endswith(".py")]):
        names |= vars(importlib.import_module(Path(file).stem))
    test = doctest.DocTestParser().get_doctest(text, names, lab.id, "sheet.md", 0)
    problems = io.StringIO()
    result = doctest.DocTestRunner().run(test, out=problems.write)
    assert not result.failed, problems.getvalue()


@pytest.mark.parametrize(
    "lab",
    [
        pytest.param(lab, id=lab.id, marks=[pytest.mark.full] if lab.id in SLOW else [])
        for lab in PYTHON_LABS
    ],
)
def test_a_program_prints_what_its_sheet_expects(lab: Lab, solved, monkeypatch) -> None:
    folder = solved(lab)
    typed = iter(TYPED.get(lab.id, []))

    def answer(prompt: str = "") -> str:
        line = next(typed)
        print(prompt + line)
        return line

    monkeypatch.setattr(builtins, "input", answer)
    programs = expected_outputs(lab.sheet(), lab.files)
    assert programs
    for program, expected in programs:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            runpy.run_path(str(folder / program), run_name="__main__")
        assert without_times(printed.getvalue()) == without_times(expected)
