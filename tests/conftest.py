"""Fixtures that several test files share."""

from __future__ import annotations

import gc
import io
import math
import os
import sys
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from rl_toolkit.cli.main import main
from rl_toolkit.cli.ui import progress, search
from rl_toolkit.envs import game_families
from rl_toolkit.utils import plugins
from rl_toolkit.utils.installation import QUIET_VARIABLE
from rl_toolkit.utils.isolation import held_up

# A busy machine is no fault of the code, so time never fails a test. Examples are few and the same
# in every quick run, which can then be repeated; `make test-full` looks for more and new ones.
settings.register_profile("searching", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "quick", settings.get_profile("searching"), derandomize=True, max_examples=20
)
settings.load_profile("quick")

# Thousands of tests and their modules live to the end: looking through them for garbage, again and
# again, takes a third of the time of collecting them.
gc.disable()


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.enable()


# What a test prints must not depend on which kernels are on disk already.
os.environ.setdefault(QUIET_VARIABLE, "1")


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def words(self) -> str:
        """What is in ``out``, on one line: where it is wrapped depends on the length of a path."""
        return " ".join(self.out.split())


@pytest.fixture(autouse=True)
def _no_plugins_of_other_tests(monkeypatch):
    """Worker processes load what a test registers, and nothing from the tests before it."""
    monkeypatch.setattr(plugins, "_loaded", dict(plugins._loaded))


@pytest.fixture(scope="module", autouse=True)
def _no_games_for_other_files():
    """A test file that registers a game takes it away again: pages of the next ones list games."""
    before = {family.name for family in game_families()}
    yield
    assert {family.name for family in game_families()} == before


@pytest.fixture(autouse=True)
def _machine_is_not_busy(monkeypatch):
    """A process that is late is so by itself, whatever else this machine does."""
    monkeypatch.setattr(held_up, "_times", lambda pid: {})


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the command line in this process; gives exit code, stdout and stderr."""
    monkeypatch.setenv("RL_TOOLKIT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setattr(os, "_exit", sys.exit)  # a command must not end the tests
    # What a command says must not depend on how long it takes.
    monkeypatch.setattr(progress, "_LINE_EVERY", math.inf)
    monkeypatch.setattr(search, "_SILENCE", math.inf)

    def run(*arguments: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as leaving:
            main(list(arguments))
        code = leaving.value.code
        out, err = capsys.readouterr()
        return Ran(code if isinstance(code, int) else 1, out, err)

    return run
