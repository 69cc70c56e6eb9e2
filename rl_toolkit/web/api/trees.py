"""Games as trees: a file of any format becomes a tree with its variations, a tree becomes a file.

::

    {"game": "connect-four", "start": "", "players": ["Ada", "easy"],
     "event": {"date": "2026-11-18"}, "result": null, "ended_by": "", "opening": 0, "played": 2,
     "nodes": [{"parent": null, "comment": "A first try."},                     the start
               {"parent": 0, "move": 3, "name": "d", "player": 1},
               {"parent": 1, "move": 2, "name": "c", "player": -1},             the game
               {"parent": 1, "move": 3, "name": "d", "player": -1, "comment": "better",
                "note": {"glyph": "!", "marks": [["circle", 10]], "time": 3.2}}]}

A node names its parent by its place in the list, which comes before its own; the first child of a
node continues the line, the others are variations. ``played`` is the place of the last move of the
game as it was played; without it the game is the chain of first children. ``note`` is a
`records.tree.Note` whose cells are numbers. Fields of a node that are empty are left out; ``name``
and ``player`` are for readers and are not read.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, jsonify

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import FORMATS, GameRecord
from rl_toolkit.records.tree import GameTree, Node, note_from_json, note_to_json
from rl_toolkit.utils import listed, shown
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.web.api import (
    all_searches,
    asking_client,
    body_fields,
    client_gone,
    server_limits,
)
from rl_toolkit.web.api.opening import SMALL_FILE, analyses_left_out, content_in, opened
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.responses import Json
from rl_toolkit.web.serving.limits import ServerLimits

routes = Blueprint("trees", __name__, url_prefix="/api/tree")

#: How deep the variations of a tree may be nested before `GameRecord` looks at them.
_DEEPEST = 50


@routes.post("/open")
def open_tree() -> Response:
    """The game in a file, ``text`` or ``data``, as a tree; a list if it has many and no ``number``.

    See `web.opening`.
    """
    fields = body_fields()
    limits = server_limits()
    content, asked = content_in(fields, limits), requests.game_in(fields, limits)
    number = fields.whole("number", 1, 10**6)
    fields.finish()
    searches = all_searches()
    task: BackgroundTask[None, Json] = searches.pool.submit(
        asking_client(),
        lambda task: opened(content, asked, number, limits, tree_answer),
        quick=len(content) < SMALL_FILE,
    )
    searches.wait(task, client_gone())
    return jsonify(task.result())


@routes.post("/record")
def save_tree() -> Response:
    """A ``tree`` as a file of the ``format``, JSON by default.

    ``file`` is its content, ``suffix`` the end of its name, and ``left_out`` a sentence about what
    the format does not hold, "" if it holds everything.
    """
    fields = body_fields()
    name = fields.text("format", "json", longest=20)
    tree = fields.raw("tree")
    fields.finish()
    texts = {name: form for name, form in FORMATS.items() if form.is_text}
    if name not in texts:
        raise BadRequestError(f"format is one of {listed(texts)}, not {shown(name)}")
    if not isinstance(tree, dict):
        raise BadRequestError(f"tree is an object with game and nodes, not {shown(tree)}")
    try:
        record = record_of(Fields(tree), server_limits())
        [(suffix, content), *_] = texts[name].write([record]).items()
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    lost = texts[name].loses([record])
    left_out = f"{texts[name].title} does not hold {listed(lost, 'and')}." if lost else ""
    return jsonify(file=content.decode(), suffix=suffix, left_out=left_out)


# ---------------------------------------------------------------------------- from a record


def tree_answer(record: GameRecord) -> Json:
    """A record as a tree; see the top of this module. Analyses are left out, which is said."""
    tree, begun = GameTree(record), record.starting_position()
    return {
        "game": record.game,
        "family": begun.traits.name,
        "start": record.start,
        "players": list(record.players),
        "event": dict(tree.about.headers),
        "result": record.result,
        "ended_by": record.ended_by,
        "opening": record.opening,
        **_nodes_answer(tree, begun),
        "left_out": analyses_left_out(record),
    }


def _nodes_answer(tree: GameTree, begun: BaseGameEnv) -> Json:
    nodes: list[Json] = []
    last = tree.game[-1] if tree.game else tree.root
    played, waiting = 0, [(tree.root, -1, begun)]
    while waiting:
        node, parent, env = waiting.pop()
        if node is last:
            played = len(nodes)
        place = len(nodes)
        entry: Json = {"parent": None}
        if node.parent is not None:
            name, player = env.move_name(node.move), env.current_player
            entry = {"parent": parent, "move": node.move, "name": name, "player": player}
            env = env.copy()
            env.step(node.move)
        if node.comment:
            entry["comment"] = node.comment
        if note := note_to_json(replace(node.note, analysis=None)):
            entry["note"] = note
        nodes.append(entry)
        waiting.extend((child, place, env) for child in reversed(node.children))
    return {"nodes": nodes, "played": played}


# ------------------------------------------------------------------------------ to a record


def record_of(fields: Fields, limits: ServerLimits) -> GameRecord:
    """The record of a tree; `BadRequestError` or ``ValueError`` if it is none."""
    game, start = fields.text("game", longest=60), fields.text("start", longest=1000)
    requests.game_in(Fields({"game": game}), limits)
    nodes = _nodes(fields.raw("nodes"), limits)
    players, event = fields.raw("players"), fields.raw("event")
    result, ended_by = fields.whole("result", -1, 1), fields.text("ended_by", longest=40)
    opening = fields.whole("opening", 0, limits.moves) or 0
    played = fields.whole("played", 0, len(nodes) - 1)
    fields.declare("family", "left_out")
    fields.finish(ignored=("family", "left_out"))
    last = next(reversed([nodes[0], *nodes[0].line()])) if played is None else nodes[played]
    moves = last.path
    with suppress(ValueError):  # the record says what is wrong with the moves
        reached = BaseGameEnv.after(GameRecord(game, [], start=start).starting_position(), moves)
        result = reached.winner if reached.is_terminal() else result
    about = GameRecord(
        game,
        moves,
        players or ("", ""),
        result,
        ended_by,
        start,
        event or {},
        opening=opening,
    )
    return GameTree.of(about, nodes[0]).record()


def _nodes(entries: Any, limits: ServerLimits) -> list[Node]:
    if not isinstance(entries, list) or not entries:
        raise BadRequestError("nodes is a list of nodes, the start first")
    if len(entries) > limits.tree_moves:
        raise BadRequestError(
            f"this tree has {len(entries)} nodes; at most {limits.tree_moves} are read"
        )
    nodes: list[Node] = []
    nested: list[int] = []  # in how many variations each node stands
    for place, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise BadRequestError(f"node {place} is an object, not {shown(entry)}")
        fields = Fields(entry)
        up = fields.whole("parent", 0, place - 1) if place else None
        move = fields.whole("move", 0, 2**31) if place else None
        if place and (up is None or move is None):
            raise BadRequestError(f"node {place} has no {'parent' if up is None else 'move'}")
        parent = None if up is None else nodes[up]
        if parent is not None and parent.child(move or 0) is not None:
            raise BadRequestError(f"node {place} has the move of another node after its parent")
        node = Node(parent, -1 if move is None else move)
        node.comment = fields.text("comment")
        if fields.has("note"):
            node.note = note_from_json(fields.raw("note"), None, f"nodes[{place}].note")
        fields.finish(ignored=("parent", "move", "name", "player"))
        nested.append(0 if up is None else nested[up] + bool(nodes[up].children))
        if nested[-1] > _DEEPEST:
            raise BadRequestError(f"the variations of this tree are nested deeper than {_DEEPEST}")
        if parent is not None:
            parent.children.append(node)
        nodes.append(node)
    return nodes
