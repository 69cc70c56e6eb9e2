"""The process of a student's files: it loads the tests and runs them one by one.

Messages to it, each a JSON object::

    {"load": {"files", "places", "node", "own"}}   →  {"tests": [["tests/test_session_1.py", …], …],
                                                       "notes": ["I take your …"]}
    {"notes": true}                            →  {"notes": […]}, after tests have asked for more
    {"run": {"file", "test", "seconds"}}       →  {"ok": true} or {"raised": {…}}, with "printed"

``places`` says where the files of the companion lie, if not under their own names: a tree that was
typed as a handout says, below ``rl_toolkit/``, is imported in place of the package. ``own`` is a
program with names of its own, see `own_work`: ``{"wanted", "names", "cells"}``.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import numpy as np

from rl_toolkit.course.host.own_work import OwnWork
from rl_toolkit.course.host.typed_tree import PACKAGE, take_over
from rl_toolkit.labs.host import described, redirected, time_limit
from rl_toolkit.utils import FramedJson, JsonObject

#: Processor seconds in which the file of a test must have been loaded.
_LOAD_SECONDS = 5.0
#: What Python adds to the name of a function for a comprehension or lambda within it.
_WITHIN = re.compile(r"\.<locals>\.<\w+>")
#: Processor seconds of a cell or file of a program of one's own, and of finding out its form.
_CELL_SECONDS, _TRIAL_SECONDS = 20.0, 30.0


def serve(channel: FramedJson) -> None:
    """Answer until the other side closes the stream."""
    tests: Tests | None = None
    while (message := channel.receive()) is not None:
        if "load" in message:
            tests = Tests(message["load"])
            answer: JsonObject = {"tests": tests.listed(), "notes": tests.notes}
        elif "notes" in message and tests is not None:
            answer = {"notes": tests.notes}
        elif tests is not None:
            answer = tests.run(message["run"])
        else:
            continue
        channel.send(answer)


def _imported(name: str, path: Path) -> ModuleType:
    """A file of the student's as a module, also where Python has one of this name itself."""
    found = importlib.import_module(name)
    if getattr(found, "__file__", None) == str(path):
        return found
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


class Tests:
    """The files in this process's folder, and the tests among them."""

    def __init__(self, loading: JsonObject) -> None:
        self._files: dict[str, str] = loading["files"]
        for name, text in self._files.items():
            path = Path.cwd() / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        sys.dont_write_bytecode = True
        sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "tests")]
        if any(name.startswith(f"{PACKAGE}/") for name in self._files):
            take_over(self._files)
        helper = importlib.import_module("companion")
        vars(helper).update(PLACES=dict(loading["places"]), NODE=loading["node"])
        self.notes: list[str] = []
        if loading.get("own"):
            vars(helper).update(OWN=self._own_work(loading["own"], vars(helper)["NotYet"]))
        self._modules = {
            name: importlib.import_module(Path(name).stem)
            for name in sorted(self._files)
            if name.startswith("tests/test_")
        }

    def _own_work(self, own: JsonObject, missing: type[Exception]) -> OwnWork:
        """The program with names of its own; what it does when it is loaded goes nowhere."""
        self.notes = []
        files = [n for n in self._files if n.endswith(".py") and not n.startswith("tests/")]
        modules: dict[str, ModuleType] = {}
        for name in files:
            module = name.removesuffix(".py").replace("/", ".")
            with self._loading(name):
                modules[name] = _imported(module, Path.cwd() / name)
        for name, cells in own["cells"].items():
            modules[name] = self._notebook(name, cells)
        with redirected([]), time_limit(_TRIAL_SECONDS):
            work = OwnWork(own["wanted"], modules, own["names"], missing)
        work.notes[:0] = self.notes
        self.notes = work.notes
        return work

    def _notebook(self, name: str, cells: Sequence[str]) -> ModuleType:
        """The code cells of a notebook, run in order in one module."""
        module = ModuleType(Path(name).stem)
        module.__file__ = name
        for number, code in enumerate(cells, 1):
            with self._loading(f"Cell {number} of {name}"):
                exec(compile(code, f"cell {number}", "exec"), vars(module))
        return module

    @contextmanager
    def _loading(self, what: str) -> Iterator[None]:
        """Run code of the student's; if it fails, that is a note, and the rest is tried."""
        try:
            with redirected([]), time_limit(_CELL_SECONDS):
                yield
        except BaseException as error:
            kind = type(error).__name__
            if kind in ("EndOfInputError", "EOFError"):
                said = "asks for input, and a check types nothing; I go on without it"
            elif kind in ("OutOfTimeError", "IdleError"):
                said = f"was still running after {_CELL_SECONDS:g} s; I go on without it"
            else:
                said = f"stopped with {kind}: {error}" if str(error) else f"stopped with {kind}"
            self.notes.append(f"{what} {said}.")

    def listed(self) -> list[list[str]]:
        """File, name and first line of the docstring of every test, in the order of the files."""
        return [
            [file, name, (function.__doc__ or name).strip().splitlines()[0]]
            for file, module in self._modules.items()
            for name, function in vars(module).items()
            if name.startswith("test_") and callable(function)
        ]

    def run(self, what: JsonObject) -> JsonObject:
        """The result of one test."""
        function = getattr(self._modules[what["file"]], what["test"])
        random.seed(0)
        np.random.seed(0)
        prints = None
        answer: JsonObject
        try:
            with redirected([]) as prints, time_limit(what["seconds"]):
                function()
            answer = {"ok": True}
        except BaseException as error:  # whatever the student's code does
            answer = {"raised": _described(error, self._files)}
        printed = prints.text() if prints is not None else ""
        return answer | ({"printed": printed[-2000:]} if printed else {})


def _described(error: BaseException, files: Mapping[str, str]) -> JsonObject:
    """The exception with the lines of the student's own files, and which function was left."""
    own = {name: text for name, text in files.items() if not name.startswith("tests/")}
    data = described(error, own)
    frame, function = error.__traceback__, ""
    while frame is not None:
        code = frame.tb_frame.f_code
        if (
            Path(code.co_filename).is_relative_to(Path.cwd())
            and "tests" not in (Path(code.co_filename).relative_to(Path.cwd()).parts[:1])
        ):
            name = _WITHIN.sub("", code.co_qualname)
            function = f"{Path(code.co_filename).relative_to(Path.cwd())}: {name}"
        frame = frame.tb_next
    return data | {"function": function, "places": str(getattr(error, "place", ""))}
