"""Record value iteration, sweep by sweep.

A trace of ``value-iteration`` has these fields beside the common ones:

``states``
    Columns over the positions in the order in which they were found: the ``parent`` from which and
    the ``move`` by which a position was found first (−1 at the start), the ``side`` to move, and
    the ``result`` for X, null while the game runs.
``sweeps``
    For each sweep how many values ``changed``, the value of the ``start`` after it, and its
    ``backups``: state, value before, value after, of the states whose value changed; null if they
    are left out.
"""

from __future__ import annotations

from rl_toolkit.adapting import as_game
from rl_toolkit.algorithms.traces.trace import (
    CHECKS,
    Trace,
    TraceBounds,
    TraceError,
    dumped,
    letter,
    names_of,
    opening,
)
from rl_toolkit.algorithms.value_iteration import (
    StateSpace,
    first_values,
    state_space,
    value_iteration,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import JsonObject

#: The most positions of a trace: more would not be read.
MOST_STATES = 20_000


def trace_value_iteration(
    env: BaseGameEnv, discount: float = 1.0, *, bounds: TraceBounds | None = None
) -> Trace:
    """Record `value_iteration` on all positions that can be reached from ``env``.

    The sweeps whose backups exceed ``bounds`` are told by their number of changes alone, and a note
    says so. `TraceError` if there are more positions than a trace can hold.
    """
    env, bounds = as_game(env), bounds or TraceBounds()
    try:
        space = state_space(env, most=min(bounds.nodes, MOST_STATES))
    except ValueError as error:
        raise TraceError(str(error)) from error
    number = {key: place for place, key in enumerate(space.states)}
    columns = _columns(space)
    data: JsonObject = {
        **opening("value-iteration", env, "value-iteration", {"discount": discount}),
        "answer": {"states": len(space), "final": space.final},
        "notes": [],
        "names": names_of(env, set(columns["move"])),
        "states": columns,
        "sweeps": [],
    }
    values, told, left_out = first_values(space), 0, 0
    room = bounds.bytes - len(dumped(data).encode()) - 500
    if room < 0:
        raise TraceError(
            f"the trace of {len(space):,} positions has more than {bounds.bytes:,} bytes; "
            "begin later in the game"
        )
    for sweep in value_iteration(space, discount):
        backups = [
            [number[key], values[key] + 0.0, after + 0.0]
            for key, after in sweep.values.items()
            if after != values[key]
        ]
        told += len(backups)
        room -= len(dumped(backups)) + 60
        fits = told <= bounds.events and room >= 0
        left_out += not fits
        values = sweep.values
        start = values[space.start] + 0.0
        kept = backups if fits else None
        data["sweeps"].append({"changed": sweep.changed, "start": start, "backups": kept})
    data["answer"] |= {"value": values[space.start] + 0.0, "sweeps": len(data["sweeps"])}
    if left_out:
        data["notes"] = [f"The changes of {left_out} sweeps are counted, but not told"]
    return Trace(data)


def _columns(space: StateSpace) -> JsonObject:
    found: dict[object, tuple[int, int]] = {space.start: (-1, -1)}
    for place, state in enumerate(space.states.values()):
        for move, key in state.moves.items():
            found.setdefault(key, (place, int(move)))
    states = list(space.states.values())
    return {
        "parent": [found[state.key][0] for state in states],
        "move": [found[state.key][1] for state in states],
        "side": "".join(letter(state.player) for state in states),
        "result": [state.result for state in states],
    }


def check_sweeps(data: JsonObject) -> None:
    """Apply the backups one after the other and compare with the answer; raises `TraceError`."""
    states, answer = data["states"], data["answer"]
    values: dict[int, float] = {place: r or 0.0 for place, r in enumerate(states["result"])}
    for sweep in data["sweeps"]:
        for state, before, after in sweep["backups"] or ():
            if values[state] != before:
                raise TraceError(f"the value of state {state} is {values[state]:g}, not {before}")
            values[state] = after
        if sweep["backups"] is None:  # the values are unknown from here on
            break
        if values[0] != sweep["start"] or len(sweep["backups"]) != sweep["changed"]:
            raise TraceError("a sweep says something else than its changes")
    last = data["sweeps"][-1]
    if (last["start"], len(data["sweeps"])) != (answer["value"], answer["sweeps"]):
        raise TraceError("the sweeps do not lead to the answer")
    if len(values) != answer["states"]:
        raise TraceError("the number of states is not that of the answer")


CHECKS["value-iteration"] = check_sweeps
