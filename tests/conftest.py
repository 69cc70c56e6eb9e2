"""Fixtures that several test files share."""

from __future__ import annotations

import io
import sys
from typing import NamedTuple

import pytest

from rl_toolkit.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the command line in this process; gives exit code, stdout and stderr."""
    monkeypatch.setenv("RL_TOOLKIT_STATE_DIR", str(tmp_path / "state"))

    def run(*arguments: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as leaving:
            main(list(arguments))
        code = leaving.value.code
        out, err = capsys.readouterr()
        return Ran(code if isinstance(code, int) else 1, out, err)

    return run
