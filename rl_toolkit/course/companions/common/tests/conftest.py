"""Lets pytest test several companions in one go: each of them imports its own files.

You need not read this file. `rl-toolkit course start` renews it.
"""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
#: The modules of this companion, while it is not its turn.
waiting = {}


@contextmanager
def own_modules(path):
    """For a test of this folder: import its files, as other companions have the same names."""
    if TESTS not in path.parents:
        yield
        return
    folders = TESTS, TESTS.parent
    names = {path.stem for folder in folders for path in folder.glob("*.py")}
    names -= sys.stdlib_module_names
    others = {name: sys.modules.pop(name) for name in names & sys.modules.keys()}
    before = list(sys.path)
    sys.path[:0] = map(str, folders)
    sys.modules.update(waiting)
    try:
        yield
    finally:
        waiting.update((name, sys.modules.pop(name)) for name in names & sys.modules.keys())
        sys.modules.update(others)
        sys.path[:] = before


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    with own_modules(collector.path):
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    with own_modules(item.path):
        yield
