"""Games as trees: a file of any format becomes a tree with its variations, a tree becomes a file.

::

    {"game": "connect-four", "start": "", "players": ["Ada", "easy"],
     "event": {"date": "2026-11-18"}, "result": null, "ended_by": "", "opening": 0,
     "nodes": [{"parent": null, "comment": "A first try."},                     the start
               {"parent": 0, "move": 3, "name": "d", "player": 1},
               {"parent": 1, "move": 2, "name": "c", "player": -1},             the game
               {"parent": 1, "move": 3, "name": "d", "player": -1, "comment": "better"}]}

A node names its parent by its place in the list, which comes before its own; the first child of a
node continues the line, the others are variations. Fields of a node that are empty are left out;
``name`` and ``player`` are for readers and are not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from flask import Blueprint, Response, jsonify

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import FORMATS, GameRecord, Variation, branches
from rl_toolkit.utils import listed, shown
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.web import requests
from rl_toolkit.web.api import (
    all_searches,
    asking_client,
    body_fields,
    client_gone,
    server_limits,
)
from rl_toolkit.web.api.opening import SMALL_FILE, content_in, opened
from rl_toolkit.web.json_fields import BadRequestError, Fields
from rl_toolkit.web.responses import Json
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
    """A record as a tree; see the top of this module."""
    begun = record.starting_position()
    nodes: list[Json] = [{"parent": None}]
    _Writer(nodes).line(0, begun, record.moves, record.comments, record.variations)
    return {
        "game": record.game,
        "family": begun.traits.name,
        "start": record.start,
        "players": list(record.players),
        "event": dict(record.headers),
        "result": record.result,
        "ended_by": record.ended_by,
        "opening": record.opening,
        "nodes": nodes,
    }


class _Writer:
    """Adds lines to a list of nodes; a move that is there already gets no second node."""

    def __init__(self, nodes: list[Json]) -> None:
        self._nodes = nodes
        self._children: dict[tuple[int, int], int] = {}

    def line(
        self,
        parent: int,
        begun: BaseGameEnv,
        moves: Sequence[int],
        comments: Mapping[int, str],
        variations: Sequence[Variation],
    ) -> None:
        """Add a line that leaves the node ``parent``, and all that leaves it."""
        env, places = begun.copy(), [parent]
        for move in moves:
            places.append(self._node(places[-1], move, env))
            env.step(move)
        for ply, text in comments.items():
            node = self._nodes[places[ply]]
            node["comment"] = "\n".join(filter(None, (node.get("comment"), text)))
        for variation, start in branches(begun, moves, variations):
            place = places[variation.ply]
            self.line(place, start, variation.moves, variation.comments, variation.variations)

    def _node(self, parent: int, move: int, env: BaseGameEnv) -> int:
        place = self._children.setdefault((parent, move), len(self._nodes))
        if place == len(self._nodes):
            name, player = env.move_name(move), env.current_player
            self._nodes.append({"parent": parent, "move": move, "name": name, "player": player})
        return place


# ------------------------------------------------------------------------------ to a record


def record_of(fields: Fields, limits: ServerLimits) -> GameRecord:
    """The record of a tree; `BadRequestError` or ``ValueError`` if it is none."""
    game, start = fields.text("game", longest=60), fields.text("start", longest=1000)
    requests.game_in(Fields({"game": game}), limits)
    nodes = _nodes(fields.raw("nodes"), limits)
    players, event = fields.raw("players"), fields.raw("event")
    result, ended_by = fields.whole("result", -1, 1), fields.text("ended_by", longest=40)
    opening = fields.whole("opening", 0, limits.moves) or 0
    fields.declare("family")
    fields.finish(ignored=("family",))
    moves, comments, variations = _line_after(nodes, 0, 0)
    with suppress(ValueError):  # the record says what is wrong with the moves
        reached = BaseGameEnv.after(GameRecord(game, [], start=start).starting_position(), moves)
        result = reached.winner if reached.is_terminal() else result
    return GameRecord(
        game,
        moves,
        players or ("", ""),
        result,
        ended_by,
        start,
        event or {},
        comments=comments | ({0: nodes[0].comment} if nodes[0].comment else {}),
        variations=variations,
        opening=opening,
    )


class _Node:
    """A node as it came: its move, its comment, and the places of its children."""

    def __init__(self, move: int, comment: str) -> None:
        self.move, self.comment = move, comment
        self.children: list[int] = []


def _nodes(entries: Any, limits: ServerLimits) -> list[_Node]:
    if not isinstance(entries, list) or not entries:
        raise BadRequestError("nodes is a list of nodes, the start first")
    if len(entries) > limits.tree_moves:
        raise BadRequestError(
            f"this tree has {len(entries)} nodes; at most {limits.tree_moves} are read"
        )
    nodes: list[_Node] = []
    for place, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise BadRequestError(f"node {place} is an object, not {shown(entry)}")
        fields = Fields(entry)
        parent = fields.whole("parent", 0, place - 1) if place else None
        move = fields.whole("move", 0, 2**31) if place else None
        if place and (parent is None or move is None):
            raise BadRequestError(f"node {place} has no {'parent' if parent is None else 'move'}")
        nodes.append(_Node(-1 if move is None else move, fields.text("comment")))
        fields.finish(ignored=("parent", "move", "name", "player"))
        if parent is not None:
            nodes[parent].children.append(place)
    return nodes


def _line_after(
    nodes: list[_Node], place: int, depth: int
) -> tuple[list[int], dict[int, str], list[Variation]]:
    """The line that continues from a node: its moves, its comments by ply, its variations."""
    if depth > _DEEPEST:
        raise BadRequestError(f"the variations of this tree are nested deeper than {_DEEPEST}")
    moves, comments, variations = list[int](), dict[int, str](), list[Variation]()
    while nodes[place].children:
        first, *others = nodes[place].children
        for other in others:
            inner, said, more = _line_after(nodes, other, depth + 1)
            notes = {ply + 1: text for ply, text in said.items()}
            if nodes[other].comment:
                notes[1] = nodes[other].comment
            shifted = [Variation(v.ply + 1, v.moves, v.comments, v.variations) for v in more]
            variations.append(Variation(len(moves), [nodes[other].move, *inner], notes, shifted))
        moves.append(nodes[first].move)
        if nodes[first].comment:
            comments[len(moves)] = nodes[first].comment
        place = first
    return moves, comments, variations
