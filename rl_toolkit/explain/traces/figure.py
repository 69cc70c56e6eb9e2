"""`figure_html`: a trace as an interactive figure in one piece of HTML, for notebooks.

The figure needs no server and loads nothing. It lives in a shadow tree with a name of its own, so
several in one notebook do not disturb each other. Where scripts do not run, as in a notebook that
is not trusted, the sentences are there as text. Its script only draws: who is on the path, what is
known of whom and what is said at each step is written into the data here.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from rl_toolkit.algorithms.minimax import WIN
from rl_toolkit.algorithms.traces import Step, Trace, events, steps_of
from rl_toolkit.envs import make_game
from rl_toolkit.explain.traces.line import Line
from rl_toolkit.explain.traces.telling import tell
from rl_toolkit.utils import JsonObject

#: The most steps that a figure has, and sentences that are there without a script.
MOST_STEPS, MOST_SENTENCES = 2_000, 300
#: The most bytes; a figure that would have more gets fewer steps.
MOST_BYTES = 400_000


def figure_html(trace: Trace) -> str:
    """The trace as one piece of HTML with at most `MOST_BYTES` bytes."""
    lines = list(tell(trace))
    title = f"{trace.data['engine']['name']} on {trace.data['game']} {trace.data['position']}"
    text = _as_text(lines)
    steps = MOST_STEPS
    while True:
        data = _of_minimax(trace, lines, steps) if trace.kind == "minimax" else _of(lines, steps)
        page = _page(data, title[:120], text)
        if len(page.encode()) <= MOST_BYTES or steps < 2:
            return page
        steps //= 2


def _page(data: JsonObject, title: str, text: str) -> str:
    name = f"rl-trace-{uuid.uuid4().hex}"
    here = files("rl_toolkit.explain.traces")
    style = here.joinpath("figure.css").read_text(encoding="utf-8")
    script = here.joinpath("figure.js").read_text(encoding="utf-8")
    # No "<" inside the script, so that nothing in the data can end it.
    written = json.dumps({**data, "title": title, "style": style}, ensure_ascii=False)
    written = written.replace("<", "\\u003c").replace("\u2028", "").replace("\u2029", "")
    return (
        f'<div id="{name}">'
        f"<details open><summary>{escape(title)}: the steps as text</summary>"
        f"<pre>{text}</pre></details></div>"
        f'<script>(() => {{{script}show(document.getElementById("{name}"), {written});}})();'
        "</script>"
    )


def _as_text(lines: Sequence[Line]) -> str:
    """The sentences for readers without scripts, indented by their depth."""
    told = ["  " * min(line.depth, 12) + line.text for line in lines[:MOST_SENTENCES]]
    if len(lines) > MOST_SENTENCES:
        told.append(f"… and {len(lines) - MOST_SENTENCES:,} more steps")
    return escape("\n".join(told))


def _of(lines: Sequence[Line], most: int) -> JsonObject:
    """A trace as a list of sentences to step through."""
    shown = lines[:most]
    left = len(lines) - len(shown)
    return {
        "lines": [line.text for line in shown],
        "depth": [min(line.depth, 12) for line in shown],
        "note": f"{left:,} further steps are not in this figure" if left else "",
    }


def _of_minimax(trace: Trace, lines: Sequence[Line], most: int) -> JsonObject:
    """A minimax trace in columns: by event what happens where, by node when it is open."""
    data = trace.data
    nodes, texts = data["nodes"], data["texts"]
    place = {float(value): number for number, value in enumerate(data["values"])}
    columns: dict[str, list[int]] = {"node": [], "alpha": [], "beta": []}
    opened: list[int] = []
    closed: dict[int, int] = {}
    parents: list[int] = []
    badges: dict[int, str] = {}
    path: list[int] = []
    total = 0
    for step in steps_of(data):
        total += 1
        if step.number >= most:
            continue
        columns["node"].append(step.node)
        columns["alpha"].append(place[step.alpha])
        columns["beta"].append(place[step.beta])
        if step.kind in events.ENTRIES:
            del path[step.ply :]
            parents.append(path[-1] if path else -1)
            path.append(step.node)
            opened.append(step.number)
        elif step.kind in events.LEAVES or step.kind == events.RETURN:
            assert step.value is not None
            closed[step.node] = step.number
            badges[step.node] = _badge(data, step, place, texts)
    count = len(opened)
    said = {line.event: line.text for line in reversed(lines) if line.event >= 0}
    tail = [line.text for line in lines if line.event < 0]
    steps = len(columns["node"])
    found = [said.get(number, "") for number in range(steps)]
    if steps == total and found:
        found[-1] = " ".join([found[-1], *tail])
    root = "root" if data.get("free_results") else "start"
    names = [trace.name(move) if move >= 0 else root for move in nodes["move"][:count]]
    where = columns["node"]
    return {
        "lines": found,
        **columns,
        "texts": texts,
        "prunes": bool(data["engine"]["options"]["pruning"]),
        "sides": data["sides"],
        "side": nodes["side"][:count],
        "name": names,
        "up": parents,
        "opened": opened,
        "closed": [closed.get(node, -1) for node in range(count)],
        "badge": [badges.get(node, "") for node in range(count)],
        "cuts": {
            str(where[int(number)]): [int(number), [trace.name(move) for move in cut["left"]]]
            for number, cut in data["cuts"].items()
            if int(number) < steps
        },
        "note": f"{total - steps:,} further steps are not in this figure" if steps < total else "",
        **_board(data, count),
    }


def _badge(data: JsonObject, step: Step, place: dict[float, int], texts: list[str]) -> str:
    """What a node that was left says of its value: a number, a bound, ``?`` for any result."""
    nodes, value = data["nodes"], step.value
    assert value is not None
    text, is_most = texts[place[value]], nodes["hi"][step.node] == place[value]
    if nodes["lo"][step.node] == nodes["hi"][step.node]:
        return text
    # With distances a game that is not over here ends a ply later at the earliest.
    farthest = WIN - step.ply - 1 if data["engine"]["options"]["distance"] else WIN
    if not data.get("free_results") and (value if is_most else -value) >= farthest:
        return "?"
    return f"≤ {text}" if is_most else f"≥ {text}"


def _board(data: JsonObject, count: int) -> JsonObject:
    """The board at the start and what each node changes, if there is one."""
    if not data["board"]:
        return {"board": []}
    cells: list[Any] = data["nodes"].get("cells", data["nodes"]["move"])[:count]
    try:
        from_bottom = make_game(data["game"]).traits.row_one_at == "bottom"
    except ValueError:  # a game that is not known here
        from_bottom = False
    return {
        "board": data["board"],
        "rows": data["rows"],
        "cols": data["cols"],
        "flip": from_bottom,
        "put": cells,
    }
