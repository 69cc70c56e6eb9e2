"""The student's process: it loads their files and answers calls.

Messages to it, each a JSON object::

    {"load": {"files", "main", "names", "functions", "game", "probe", "recursion", "seconds",
              "may_import"}}
                           →  {"ready": true} or {"raised": {…}}
    {"ask": [{"do": {…}, "many": [[…], …]}, …]}
                           →  {"answers": [{"value": 1, "calls": {…}}, {"raised": {…}}, …]}

``do`` says what is called and how; ``many`` are the arguments of each call. Nothing that this
process prints, and not its exit code, means anything: the other side compares answers.
"""

from __future__ import annotations

import importlib
import inspect
import os
import random
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from rl_toolkit.labs.host.forms import Forms
from rl_toolkit.labs.host.imports import explain_imports
from rl_toolkit.labs.host.limits import redirected, time_limit
from rl_toolkit.labs.host.tracebacks import described
from rl_toolkit.labs.host.wrapping import Cache, counted, remembered
from rl_toolkit.labs.model.names import BoardNames
from rl_toolkit.labs.model.positions import LabBoard
from rl_toolkit.labs.model.values import AsEnv, from_json, position_from_json, to_json
from rl_toolkit.utils import FramedJson, JsonObject

#: Errors after which nothing more is called.
ENDING = ("OutOfTime", "Idle")


def serve(channel: FramedJson) -> None:
    """Answer until the other side closes the stream."""
    program: Program | None = None
    while (message := channel.receive()) is not None:
        if "load" in message:
            loading = message["load"]
            if program is not None:
                program.forget()
            try:
                program = Program(loading)
                answer: JsonObject = {"ready": True}
            except BaseException as error:  # whatever the student's code does
                answer = {"raised": described(error, loading["files"])}
        elif program is not None:
            answer = {"answers": program.answers(message["ask"])}
        else:
            continue
        channel.send(answer)


class Program:
    """The student's files, loaded, and the objects that checks have made."""

    def __init__(self, loading: JsonObject) -> None:
        self._files: dict[str, str] = loading["files"]
        self._functions: JsonObject = loading["functions"]
        self._own: JsonObject = loading["names"]["functions"]
        self._own_takes: JsonObject = loading["names"]["takes"]
        self._forms = Forms(BoardNames(**loading["names"]["board"]), loading["game"])
        self._things: list[Any] = []
        self._caches: dict[str, Cache] = {}
        self._write_files()
        sys.dont_write_bytecode = True  # the files are used once
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        own = {Path(name).parts[0].removesuffix(".py") for name in self._files}
        explain_imports(loading["may_import"], own)
        limit_recursion(loading["recursion"])
        seed(0)
        self.modules: dict[str, ModuleType] = {}
        with redirected([]), time_limit(loading["seconds"]):
            for name in loading["main"]:
                if name.endswith(".py"):
                    self.modules[name] = importlib.import_module(Path(name).stem)
        self._probe = ModuleType("probe")
        if loading["probe"]:
            exec(compile(loading["probe"], "probe.py", "exec"), vars(self._probe))

    def forget(self) -> None:
        """Make room for another program in this process: without these files and modules."""
        folder = os.getcwd() + os.sep
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(folder):
                del sys.modules[name]
        for name in self._files:
            Path(name).unlink(missing_ok=True)
        importlib.invalidate_caches()

    def _write_files(self) -> None:
        """Write the files into the folder of this process, so that they find each other."""
        for name, text in self._files.items():
            path = Path.cwd() / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def answers(self, groups: list[JsonObject]) -> list[JsonObject]:
        """The answers to all calls, in order; nothing after one that ran out of time."""
        answers: list[JsonObject] = []
        for group in groups:
            for given in group["many"]:
                answers.append(self._answer(group["do"], given))
                raised = answers[-1].get("raised")
                if raised is not None and (raised["kind"] in ENDING or group["do"]["stop"]):
                    return answers
        return answers

    def _answer(self, do: JsonObject, given: list[Any]) -> JsonObject:
        counts: dict[str, int] = {}
        answer: JsonObject = {}
        prints = None
        before: list[str | None] = []
        arguments: list[Any] = []
        if do["seed"] is not None:
            seed(do["seed"])
        try:
            with ExitStack() as stack:
                function, arguments, named = self._target(do, given)
                if do["what"] == "function":
                    require_arguments(function, arguments, named)
                before = [self._as_seen(value) for value in arguments]
                modules = list(self.modules.values())
                own = {self._own_name(name): name for name in do["count"]}
                memo = [self._own_name(name) for name in do["memo"]]
                stack.enter_context(remembered(modules, memo, self._caches))
                stack.enter_context(counted(modules, list(own), counts))
                function, arguments, named = self._target(do, given)  # as it is now wrapped
                prints = stack.enter_context(redirected(do["inputs"]))
                stack.enter_context(time_limit(do["seconds"]))
                value = function(*arguments, **named)
            answer["value"] = self._value(do, value)
            if counts:
                answer["calls"] = {own[name]: count for name, count in counts.items()}
        except BaseException as error:  # whatever the student's code does
            answer["raised"] = described(error, self._files)
        with suppress(Exception):  # an object of theirs that cannot be shown
            if any(
                old is not None and old != self._as_seen(now)
                for old, now in zip(before, arguments, strict=False)
            ):
                answer["changed"] = True
        if prints is not None and prints.text():
            answer["printed"] = prints.text()
        return answer

    def _target(self, do: JsonObject, given: list[Any]) -> tuple[Any, list[Any], dict[str, Any]]:
        """What is called, and its arguments in the student's form."""
        values = [from_json(item, self._tagged) for item in given]
        named = {k: self._plain(from_json(v, self._tagged)) for k, v in do["named"].items()}
        name = do["name"]
        match do["what"]:
            case "function":
                sheet = self._functions.get(name, {}).get("takes", [])
                own = self._own_takes.get(name)
                return (
                    self._find(self._own_name(name)),
                    self._forms.arguments(values, sheet, own),
                    named,
                )
            case "probe":
                modules = {
                    file: OwnNames(module, self._own) for file, module in self.modules.items()
                }
                first = next(iter(modules.values())) if len(modules) == 1 else modules
                return getattr(self._probe, name), [first, *map(self._plain, values)], named
            case "new":
                return self._find(self._own_name(name)), list(map(self._plain, values)), named
            case "method":
                thing = self._things[do["thing"]]
                return getattr(thing, name), list(map(self._plain, values)), named
        return getattr, [self._things[do["thing"]], name], {}

    def _value(self, do: JsonObject, value: Any) -> Any:
        if do["what"] == "new" or do["keep"]:
            self._things.append(value)
            return {"thing": len(self._things) - 1}
        return to_json(self._forms.answer(do["returns"], value))

    def _own_name(self, name: str) -> str:
        first, dot, rest = name.partition(".")
        return str(self._own.get(first, first)) + dot + rest

    def _find(self, name: str) -> Any:
        for module in self.modules.values():
            if hasattr(module, name):
                return getattr(module, name)
        raise NameMissingError(name)

    def _plain(self, value: Any) -> Any:
        return self._forms.argument("plain", value)

    def _tagged(self, tag: str, inside: Any) -> Any:
        if tag == "thing":
            return self._things[inside]
        made = position_from_json(inside)
        return made if tag == "board" else AsEnv(made)

    @staticmethod
    def _as_seen(value: Any) -> str | None:
        """An argument that the function could change, as text to compare."""
        if isinstance(value, (list, dict, set)) or type(value).__name__ == "ndarray":
            return repr(value)
        board = getattr(value, "board", None)
        return None if board is None or isinstance(value, LabBoard) else repr(board)


class OwnNames:
    """A module of the student, in which the names on the sheet find the student's own."""

    def __init__(self, module: ModuleType, own: JsonObject) -> None:
        vars(self).update(_module=module, _own=own)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, self._own.get(name, name))

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, self._own.get(name, name), value)


class NameMissingError(NameError):
    """The student's files have no such function or class."""

    def __init__(self, name: str) -> None:
        super().__init__(name)


class WrongArgumentsError(TypeError):
    """A function of the student cannot be called like the one on the sheet."""


def require_arguments(function: Any, arguments: list[Any], named: dict[str, Any]) -> None:
    """Raise `WrongArgumentsError` with the function's own signature if it cannot be called so."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # it has none that can be asked
        return
    try:
        signature.bind(*arguments, **named)
    except TypeError:
        raise WrongArgumentsError(str(signature)) from None


_set_recursion_limit = sys.setrecursionlimit


def limit_recursion(depth: int) -> None:
    """Let students recurse this deep, and at most twice as deep if they ask for more.

    A recursion without end then ends with RecursionError and not with the process.
    """
    _set_recursion_limit(depth)
    sys.setrecursionlimit = lambda limit: _set_recursion_limit(min(limit, 2 * depth))


def seed(number: int) -> None:
    """Seed what student code draws from."""
    random.seed(number)
    np.random.seed(number % 2**32)
