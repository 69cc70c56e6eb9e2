"""Searches of a student on stage: recorded in a process of their own, shown like any other.

A server that was started with a folder offers the searches in it as engines ``own:NAME`` of
``/api/trace`` and ``/api/simulations``. The answers have one part more, ``faults``: what is wrong,
each with its ``kind``, its ``text`` and the ``event`` or ``simulation`` where it happens; ``place``
is that on the path of the simulation.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from flask import Response, current_app, jsonify

from rl_toolkit.algorithms.traces import Simulation, TraceBounds
from rl_toolkit.course import CourseError
from rl_toolkit.course.searches import (
    OwnProcess,
    OwnSearch,
    Staged,
    code_files,
    own_searches,
    record_with,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import listed, shown
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.looks import look_of
from rl_toolkit.web.theatre.turns import in_turn

#: Where the app keeps its `OwnStage`.
OWN = "rl_toolkit.own_stage"
PREFIX = "own:"
#: Recordings that are remembered, so that windows of one search need not run it again.
_KEPT = 6


class OwnStage:
    """The searches in a folder, and the latest recordings of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._kept: OrderedDict[Any, Staged] = OrderedDict()

    def searches(self) -> list[OwnSearch]:
        """The searches that can be shown; none if the folder is gone."""
        try:
            return own_searches(self.folder)
        except (CourseError, OSError):
            return []

    def record(self, name: str, kind: str, env: BaseGameEnv, **how: Any) -> Staged:
        """The recording of the search of that name; raises `BadRequestError`."""
        found = [each for each in self.searches() if each.kind == kind]
        search = next((each for each in found if each.id == name), None)
        if search is None:
            there = listed(each.id for each in found) or "none"
            raise BadRequestError(f"there is no search {shown(name)} here; there is {there}")
        stop = how.pop("stop", None)
        try:
            files = code_files(self.folder)
            key = (name, env.name, env.get_state_hash(), tuple(sorted(how.items())), _sum(files))
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    return self._kept[key]
            with OwnProcess(files) as process:
                recorded = record_with(process, search, env, stop=stop, **how)
        except CourseError as error:
            raise BadRequestError(str(error)) from error
        with self._lock:
            self._kept[key] = recorded
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return recorded


def _sum(files: dict[str, str]) -> int:
    return hash(tuple(sorted(files.items())))


def own_stage() -> OwnStage | None:
    """The stage of this server's student, if there is one."""
    stage = current_app.extensions.get(OWN)
    assert stage is None or isinstance(stage, OwnStage)
    return stage


def searches_here(kind: str) -> list[OwnSearch]:
    """The student's searches of a kind that this server shows."""
    stage = own_stage()
    return [] if stage is None else [each for each in stage.searches() if each.kind == kind]


def is_own(engine: object) -> bool:
    """Whether a request asks for a search of the student."""
    return isinstance(engine, str) and engine.startswith(PREFIX)


def own_trace(fields: Fields, env: BaseGameEnv, bounds: TraceBounds) -> Response:
    """The answer of ``/api/trace`` for a search of the student."""
    name = fields.text("engine", longest=200).removeprefix(PREFIX)
    depth = fields.whole("depth", 1, 99)
    for ignored in ("fit", "heuristic", "sentences", "seed"):
        fields.raw(ignored)
    fields.finish()
    found = _recorded(name, "minimax", env, depth=depth, bounds=bounds)
    places: dict[str, int] = {}
    lines = found.lines()
    text = [places.setdefault(line.text, len(places)) for line in lines]
    return jsonify(
        trace=found.trace.data,
        told={
            "texts": list(places),
            "text": text,
            "event": [line.event for line in lines],
            "depth": [line.depth for line in lines],
        },
        look=look_of(env, "title", "has_grid", "free_results"),
        faults=_faults(found, "event"),
    )


def own_simulations(
    fields: Fields, env: BaseGameEnv, bounds: TraceBounds, most: int, usual: int, window: int
) -> Response:
    """The answer of ``/api/simulations`` for a search of the student."""
    name = fields.text("engine", longest=200).removeprefix(PREFIX)
    asked = fields.whole("simulations", 1, most) or usual
    first = fields.whole("first", 0, most - 1) or 0
    count = fields.whole("count", 1, window) or window
    wants_tree = fields.switch("tree", default=True)
    seed = fields.whole("seed", 0, 2**32 - 1) or 0
    for ignored in ("c", "playout"):
        fields.raw(ignored)
    fields.finish()
    found = _recorded(name, "mcts", env, simulations=asked, seed=seed, bounds=bounds)
    rows = found.trace.data["simulations"]
    shown_rows = []
    for row in rows[first : first + count]:
        if Simulation(*row).terms is None:
            break
        shown_rows.append(row)
    start, end = found.ends()
    folded = [Simulation(*row).folded.row() for row in rows]
    return jsonify(
        told={"start": start, "end": end},
        tree={**found.trace.data, "notes": [], "simulations": folded} if wants_tree else None,
        window={
            "first": first,
            "simulations": shown_rows,
            "sentences": found.steps(first, len(shown_rows)),
            "names": found.trace.data["names"],
        },
        look=look_of(env, "title", "has_grid", "free_results"),
        faults=_faults(found, "simulation"),
    )


def _recorded(name: str, kind: str, env: BaseGameEnv, **how: Any) -> Staged:
    stage = own_stage()
    if stage is None:
        raise BadRequestError("this server shows no search of a student")
    return in_turn(lambda stop: stage.record(name, kind, env, stop=stop, **how))


def _faults(found: Staged, where: str) -> list[dict[str, Any]]:
    return [
        {
            where: fault[where],
            "kind": fault["kind"],
            "place": fault.get("place", 0),
            "text": text,
        }
        for fault, text in zip(found.trace.data["faults"], found.faults, strict=True)
    ]
