"""``/api/openapi.json``: the API as an OpenAPI document, for programs and for the reference.

Addresses, methods and sentences come from the routes of the server. The fields of each request are
listed here, as the views read them one by one; a test asks every address for its fields and
compares.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response, current_app, jsonify

from rl_toolkit import __version__

routes = Blueprint("openapi", __name__, url_prefix="/api")

Json = dict[str, Any]
_TEXT: Json = {"type": "string"}
_WHOLE: Json = {"type": "integer"}
_NUMBER: Json = {"type": "number"}
_SWITCH: Json = {"type": "boolean"}
_OBJECT: Json = {"type": "object"}
_WHOLES: Json = {"type": "array", "items": _WHOLE}
_TEXTS: Json = {"type": "array", "items": _TEXT}

#: Field → its form and what it is. A field means the same at every address that takes it.
FIELDS: dict[str, tuple[Json, str]] = {
    "accuracy": (_OBJECT, 'in per cent, for example {"x": 97.5, "o": null}'),
    "answer": ({}, "the answer to a task; its form depends on the task"),
    "ask": (_TEXT, "`task`, `check`, `hint` or `solution`"),
    "attempts": (
        {"type": "array", "items": _OBJECT},
        "the attempts of a player, as the page keeps them",
    ),
    "before": (_WHOLES, "the moves of the line that were played before"),
    "begun": (_WHOLE, "when the game began, in milliseconds since 1970"),
    "board": ({"type": "array"}, "the cells, row by row: 1, -1, and 0 for an empty cell"),
    "board_size": ({"type": ["integer", "array"]}, "a side, or rows and columns"),
    "c": (_NUMBER, "how much a search explores"),
    "cell": (_WHOLE, "a cell of the board, counted from 0"),
    "chosen": (_WHOLES, "the arms chosen by hand, counted from 0"),
    "comments": (_OBJECT, "texts by ply"),
    "count": (_WHOLE, "how many pulls, or simulations in the window"),
    "data": (_TEXT, "the content of a file in base64"),
    "date": (_TEXT, "a day, 2026-05-31; today if it is left out"),
    "depth": (_WHOLE, "plies to look ahead"),
    "endless": (_SWITCH, "search until the client leaves"),
    "ended_by": (_TEXT, "what ended the game if the moves do not show it"),
    "engine": (_TEXT, "an engine with its options, such as mcts:simulations=500"),
    "engines": ({"type": "array", "items": _SWITCH}, "for each side whether an engine played it"),
    "epsilon": (_NUMBER, "the chance to explore"),
    "event": (_TEXT, "the event that games belong to"),
    "filter": (_OBJECT, "which games count: the fields of /api/library/games"),
    "first": (_WHOLE, "the first simulation of the window"),
    "fit": (_SWITCH, "search as deep as the trace can be shown"),
    "format": (_TEXT, "a file format, json by default"),
    "from": (_WHOLE, "the ply with which to begin"),
    "game": (_TEXT, "the name of a game, such as connect-four or reversi-6"),
    "games": (_WHOLE, "games of each pairing, an even number"),
    "headers": (_OBJECT, "texts about the game, by name"),
    "heuristic": (_SWITCH, "estimate at the horizon; else it is worth 0"),
    "hidden": (_WHOLE, "how many arms with unknown means"),
    "key": (_TEXT, "what the page calls the game: 4 to 40 letters and digits"),
    "kind": (_TEXT, "`uct`, `puct` or `sweep`"),
    "legal_part": (
        _SWITCH,
        "play the moves up to the first illegal one, or none",
    ),
    "level": (
        {"type": ["string", "integer"]},
        "a level of strength by its name; of a task a number",
    ),
    "levels": (_WHOLE, "an older name of depth"),
    "limit": (_WHOLE, "the largest number of games"),
    "line": (_TEXT, "one's own puzzle as a line of text"),
    "lines": ({"type": "array", "items": _WHOLES}, "lists of moves that leave the position"),
    "means": ({"type": ["array", "string"]}, "the means of the arms"),
    "mine": (_SWITCH, "only games of the person at this server"),
    "minutes": (_WHOLE, "a bound for the tournament"),
    "mode": (_TEXT, "`next`, `mine`, `daily`, `streak` or `storm`"),
    "move": (_WHOLE, "a move, counted from 0"),
    "moves": ({"type": ["array", "string"]}, "moves as numbers, or a transcript such as 4453"),
    "names": (_TEXT, "a set of puzzles as it stands in a link"),
    "nodes": (_WHOLE, "positions to search"),
    "number": (_WHOLE, "which game of a file or of the library"),
    "opening": (_WHOLE, "how many of the first moves no player chose"),
    "opponent": (_TEXT, "the name of the other player"),
    "ordering": (_SWITCH, "whether each depth orders moves by the depth before"),
    "own": ({"type": "array", "items": _OBJECT}, "one's own puzzles"),
    "pattern": (_TEXT, "stones and empty cells to look for anywhere on the board"),
    "pause_ms": (_WHOLE, "milliseconds between moves"),
    "play": (_SWITCH, "answer with the position after the best move, too"),
    "player": ({"type": ["integer", "string"]}, "the side to move, 1 or -1; in the library a name"),
    "players": (_TEXTS, "the names of both sides; of a tournament its levels"),
    "playout": (_TEXT, "how a simulation plays to its end"),
    "ply": (_WHOLE, "how many moves of the line were played"),
    "policy": (_TEXT, "`hand`, `epsilon`, `ucb1`, `thompson`, `greedy` or `random`"),
    "position": (_TEXT, "a position as text, or a transcript"),
    "proofs": (_SWITCH, "whether the search keeps proven results"),
    "puzzle": (_TEXT, "the name of a puzzle"),
    "result": (
        {"type": ["integer", "string"]},
        "1, -1 or 0; in the library also won, drawn or lost",
    ),
    "reveal": (_SWITCH, "show the means of hidden arms"),
    "reviews": ({"type": "array", "items": _OBJECT}, "what a review said of moves"),
    "seed": (_WHOLE, "the same seed repeats the same random choices"),
    "sentences": (_SWITCH, "tell the trace in words"),
    "show_thinking": (_SWITCH, "answer with the worth of every move"),
    "side": ({"type": ["string", "integer"]}, "the side that the player has"),
    "sides": (_WHOLES, "whose mistakes count: 1, -1 or both"),
    "simulations": (_WHOLE, "simulations to run"),
    "since": (_TEXT, "the first day"),
    "skip": (_WHOLE, "how many games to leave out at the beginning"),
    "solved": (_WHOLE, "puzzles solved in this run"),
    "stand_in": (_SWITCH, "another engine may answer first if this one is not compiled yet"),
    "start": (_TEXT, "the position, as text, from which the moves begin"),
    "step": (_WHOLE, "which hint, counted from 0"),
    "tag": (_TEXT, "a tag that games have"),
    "task": ({"type": ["string", "integer"]}, "a task by its name; of a lab by its number"),
    "text": (_TEXT, "the content of a file"),
    "theme": (_TEXT, "a theme of puzzles"),
    "time": (_NUMBER, "seconds to think"),
    "token": (_TEXT, "the token that the terminal showed when the server was started"),
    "top": (_WHOLE, "no more than so many moves"),
    "tree": ({}, "a tree: of a search its depth and width, of a task or a game the tree itself"),
    "tried": (_TEXTS, "the puzzles of this run"),
    "until": (_TEXT, "the last day"),
    "win_length": (_WHOLE, "how many in a row win"),
}

_POSITION = "game board board_size win_length player position moves start"
_THINKS = f"{_POSITION} engine level time nodes depth simulations seed top"
_FILTER = "game player opponent side result event engine tag since until mine"


class Takes(NamedTuple):
    """What an address takes: its fields, which are needed, an example, and how it answers."""

    fields: str = ""
    needed: str = ""
    example: Json = {}  # noqa: RUF012 - a NamedTuple has no mutable class attributes
    streams: bool = False


_PLAYED: Json = {"game": "connect-four", "moves": "44"}
_PUZZLE: Json = {"puzzle": "connect-four/11366b36"}
_TREE: Json = {"tree": "(3 12 8) (2 4 6)", "task": "values"}
_RECORD = '{"version": 1, "game": "tictactoe", "moves": ["b2", "a1"], "result": null}'
#: Address below /api → what a request there takes.
TAKES: dict[str, Takes] = {
    "ai-move": Takes(f"{_THINKS} show_thinking", example={**_PLAYED, "level": "easy"}),
    "analyse": Takes(f"{_THINKS} play tree", example={**_PLAYED, "engine": "minimax:depth=2"}),
    "arena/events": Takes(streams=True),
    "arena/start": Takes("game players games minutes pause_ms seed token", "game players token"),
    "arena/stop": Takes("token", "token"),
    "bandits/pulls": Takes(
        "means hidden seed reveal policy epsilon c count chosen",
        example={"means": [0.2, 0.8], "policy": "ucb1", "count": 20},
    ),
    "bandits/regret": Takes("means hidden seed count", example={"means": [0.2, 0.8], "count": 10}),
    "claims": Takes(f"{_THINKS} move tree", "move", {**_PLAYED, "engine": "random", "move": 3}),
    "deepening": Takes(f"{_POSITION} depth ordering", example={"moves": "b2a1b1", "depth": 2}),
    "experiments/{experiment_id}": Takes(
        "depth game", example={"game": "tictactoe", "depth": 2}, streams=True
    ),
    "experiments/stop": Takes(),
    "explorer": Takes(_POSITION, example=_PLAYED),
    "game-tree": Takes(f"{_POSITION} depth levels", example={"moves": "b2a1b1c3"}),
    "lab/check": Takes(),
    "lab/events": Takes(streams=True),
    "lab/hint": Takes("task", "task"),
    "library/explore": Takes(f"{_POSITION} filter", example=_PLAYED),
    "library/file": Takes("number", "number", {"number": 1}),
    "library/games": Takes(f"{_FILTER} position pattern limit skip", example={"limit": 5}),
    "library/insight": Takes(_FILTER, example={"game": "tictactoe"}),
    "library/keep": Takes(
        "text key begun engines accuracy reviews",
        "text key begun engines",
        {"text": _RECORD, "key": "mine1", "begun": 1, "engines": [False, True]},
    ),
    "line": Takes(f"{_POSITION} from", example=_PLAYED),
    "names": Takes(f"{_POSITION} lines", "lines", {**_PLAYED, "lines": [[3, 2]]}),
    "position": Takes(f"{_POSITION} legal_part", example=_PLAYED),
    "puzzles/answer": Takes(
        "puzzle line before move", "move", {**_PUZZLE, "before": [], "move": 3}
    ),
    "puzzles/hint": Takes("puzzle line ply step", example=_PUZZLE),
    "puzzles/mistakes": Takes(
        "game moves sides",
        "game moves sides",
        {"game": "tictactoe", "moves": [4, 1], "sides": [-1]},
    ),
    "puzzles/next": Takes(
        "mode game theme solved date tried attempts own", example={"game": "connect-four"}
    ),
    "puzzles/one": Takes("puzzle line", example=_PUZZLE),
    "puzzles/progress": Takes("date attempts own", example={"attempts": []}),
    "puzzles/set": Takes("names text", example={"names": "connect-four:11366b36"}),
    "puzzles/solution": Takes("puzzle line", example=_PUZZLE),
    "record": Takes(
        f"{_POSITION} players result ended_by opening headers comments", example=_PLAYED
    ),
    "record/open": Takes("text data number game board_size win_length", example={"text": _RECORD}),
    "review": Takes(
        f"{_POSITION} engine level time nodes depth simulations seed result from",
        "moves",
        {"moves": "b2a1", "depth": 2},
        streams=True,
    ),
    "search": Takes(
        f"{_THINKS} play endless stand_in", example={**_PLAYED, "depth": 2}, streams=True
    ),
    "simulations": Takes(
        f"{_POSITION} engine c playout proofs simulations seed first count tree",
        example={"moves": "b2", "simulations": 5},
    ),
    "texts": Takes(_POSITION, example=_PLAYED),
    "threat": Takes(_POSITION, example=_PLAYED),
    "trace": Takes(
        f"{_POSITION} tree engine depth fit simulations heuristic seed sentences",
        example={"moves": "b2a1b1", "depth": 1},
    ),
    "tree/open": Takes("text data number game board_size win_length", example={"text": _RECORD}),
    "tree/record": Takes("tree format", "tree"),
    "why-not": Takes(f"{_POSITION} cell", "cell", {"moves": "b2", "cell": 4}),
    "workbench/check": Takes("tree task ask answer", "tree task", {**_TREE, "ask": "solution"}),
    "workbench/hand": Takes("kind seed ask answer", "kind", {"kind": "uct"}),
    "workbench/tree": Takes("tree puzzle task level seed", example=_TREE),
}


@routes.get("/openapi.json")
def openapi() -> Response:
    """This API as an OpenAPI document: every address with its fields and an example."""
    return jsonify(document(current_app))


def document(app: Flask) -> Json:
    """The OpenAPI document about the addresses of an app that begin with ``/api``."""
    paths: dict[str, Json] = {}
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith("/api/"):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        about = inspect.getdoc(app.view_functions[rule.endpoint]) or ""
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            paths.setdefault(path, {})[method.lower()] = _operation(path, method, about)
    return {
        "openapi": "3.1.0",
        "info": {"title": "rl_toolkit", "version": __version__},
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": {
                "Error": {"type": "object", "properties": {"error": _TEXT}, "required": ["error"]}
            }
        },
    }


def _operation(path: str, method: str, about: str) -> Json:
    summary, _, more = about.replace("``", "`").partition("\n")
    name = path.removeprefix("/api/")
    takes = TAKES.get(name, Takes())
    kind = "text/event-stream" if takes.streams else "application/json"
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    operation: Json = {
        "operationId": re.sub(r"\W+", "_", name).strip("_"),
        "summary": summary,
        "description": " ".join(more.split()),
        "responses": {
            "200": {"description": "the answer", "content": {kind: {}}},
            "4XX": {"description": "a sentence about what is wrong", "content": error},
        },
    }
    placed = [
        {"name": each, "in": "path", "required": True, "schema": _TEXT}
        for each in re.findall(r"{(\w+)}", path)
    ]
    if name in ("engines", "famous"):  # the two that take a game in their address
        placed.append(
            {"name": "game", "in": "query", "required": name == "famous", "schema": _TEXT}
        )
    if placed:
        operation["parameters"] = placed
    if method == "POST":
        operation["requestBody"] = {"content": {"application/json": _body(takes)}}
    return operation


def _body(takes: Takes) -> Json:
    properties = {
        name: {**FIELDS[name][0], "description": FIELDS[name][1]} for name in takes.fields.split()
    }
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if takes.needed:
        schema["required"] = takes.needed.split()
    return {"schema": schema, **({"example": takes.example} if takes.example else {})}
