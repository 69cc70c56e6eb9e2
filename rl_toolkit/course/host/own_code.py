"""The process of a student's own searches: they are recorded here, and answer here.

Messages to it, each a JSON object::

    {"load": {"files"}}                   →  {"ready": true}
    {"minimax": {"file", "owner", …}}     →  {"calls": […]}; see `host.own_minimax`
    {"mcts": {"file", "owner", …}}        →  {"simulations": […]}; see `host.own_mcts`
    {"answer": {"file", "owner", …}}      →  {"action", "evaluations"}; see `host.own_answers`
    {"request": {"file", "path", "body"}} →  {"status", "data"} of the student's own server

An exception of the student's code is ``{"raised": {…}}``.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from rl_toolkit.course.host.own_answers import answered, requested
from rl_toolkit.course.host.own_mcts import simulations
from rl_toolkit.course.host.own_minimax import calls
from rl_toolkit.labs.host import described, redirected, time_limit
from rl_toolkit.utils import FramedJson, JsonObject

_WORK: dict[str, Callable[[ModuleType, JsonObject], JsonObject]] = {
    "minimax": calls,
    "mcts": simulations,
    "answer": answered,
    "request": requested,
}


def serve(channel: FramedJson) -> None:
    """Answer until the other side closes the stream."""
    files: dict[str, str] = {}
    while (message := channel.receive()) is not None:
        if "load" in message:
            files = message["load"]["files"]
            _load(files)
            channel.send({"ready": True})
            continue
        kind = next((kind for kind in _WORK if kind in message), None)
        if kind is not None:
            channel.send(_done(kind, message[kind], files))


def _load(files: dict[str, str]) -> None:
    for name, text in files.items():
        path = Path.cwd() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.getcwd())


def _done(kind: str, what: JsonObject, files: dict[str, str]) -> JsonObject:
    """The answer to one question, or the exception that it met."""
    random.seed(what.get("seed", 0))
    np.random.seed(what.get("seed", 0))
    try:
        with redirected([]) as prints, time_limit(what["seconds"]):
            module = importlib.import_module(what["file"].removesuffix(".py").replace("/", "."))
            answer = _WORK[kind](module, what)
        printed = prints.text()
    except BaseException as error:  # whatever the student's code does
        return {"raised": described(error, files)}
    return answer | ({"printed": printed[-2000:]} if printed else {})
