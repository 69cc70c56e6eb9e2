"""Whole lines: every position of a game in one answer, and the names of the moves of many lines.

``/api/line`` says once what holds in every position (``fixed``) and then, as short as it can be
written, what changes from one to the next. ``/api/names`` names the moves of a tree that came as
numbers, in one request.
"""

from __future__ import annotations

from itertools import takewhile

from flask import Blueprint, Response, jsonify

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import position_to_text
from rl_toolkit.web.api import body_fields, server_limits
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.exchange.responses import Json, game_answer, journeys, moves_are_cells

routes = Blueprint("lines", __name__, url_prefix="/api")

#: Positions in one answer: more than a game on any board of this package has.
MOST_POSITIONS = 500
#: Moves whose names are sent with the fixed part.
_MOST_NAMES = 1000


def fixed_part(begun: BaseGameEnv) -> Json:
    """What holds in every position of a game that begins with ``begun``.

    ``names`` are the names of all moves, by number; null where they depend on the position.
    """
    named = not begun.names_vary and begun.num_moves <= _MOST_NAMES
    return {
        **game_answer(begun),
        "start": position_to_text(begun),
        "has_grid": begun.traits.has_grid,
        "cell_moves": moves_are_cells(begun),
        "names": [begun.move_name(move) for move in range(begun.num_moves)] if named else None,
    }


def moving_part(env: BaseGameEnv) -> Json:
    """What changes from position to position: ``board`` has ``x``, ``o`` and ``.`` by cell.

    ``cells`` says where the legal moves land, if moves are not cells, ``origins`` from which cells
    pieces leave, if moves go from cell to cell; ``names`` are those of the legal moves, if they
    depend on the position.
    """
    legal = env.get_legal_moves()
    answer: Json = {
        "position": position_to_text(env),
        "board": "".join(".xo"[piece] for piece in env.board.tolist()),
        "player": env.current_player,
        "done": env.is_terminal(),
        "winner": env.winner,
        "last_cell": env.last_cell,
        "legal": legal,
    }
    if cells := env.winning_cells:
        answer["winning_cells"] = cells
    if env.traits.move_by == "column":
        answer["cells"] = [env.landing_cell(move) for move in legal]
    elif env.traits.has_grid and not moves_are_cells(env):
        places = journeys(env)
        answer["cells"] = [target for _, target in places]
        answer["origins"] = [origin for origin, _ in places]
    if env.names_vary or env.num_moves > _MOST_NAMES:
        answer["names"] = [env.move_name(move) for move in legal]
    if not env.traits.has_grid:
        answer["text"] = env.render(mode="ansi")
    return answer


def line_answer(env: BaseGameEnv, first: int = 0) -> Json:
    """The game of ``env`` as a line: moves, names and movers, the positions from ply ``first``."""
    game, moves = BaseGameEnv.start(env), env.history
    names, movers, positions = list[str](), list[int](), list[Json]()
    for ply in range(len(moves) + 1):
        if first <= ply < first + MOST_POSITIONS:
            positions.append(moving_part(game))
        if ply < len(moves):
            names.append(game.move_name(moves[ply]))
            movers.append(game.current_player)
            game.step(moves[ply])
    return {"moves": moves, "names": names, "movers": movers, "from": first, "positions": positions}


@routes.post("/line")
def line() -> Response:
    """A whole line at once: ``fixed``, and the positions from ply ``from`` on.

    Of a line with an illegal move the part before it, and ``problem`` is a sentence about it.
    """
    fields = body_fields()
    env, problem = requests.legal_part_in(fields, server_limits())
    first = fields.whole("from", 0, server_limits().moves) or 0
    fields.finish()
    answer = line_answer(env, min(first, len(env.history)))
    return jsonify({"fixed": fixed_part(BaseGameEnv.start(env)), "problem": problem, **answer})


@routes.post("/names")
def names() -> Response:
    """Names and movers of ``lines``, each a list of moves from the position of the request.

    An illegal move ends its line, and ``problem`` is a sentence about it.
    """
    fields = body_fields()
    env = requests.position_in(fields, server_limits())
    lines, most = fields.raw("lines"), server_limits().tree_moves
    fields.finish()
    if not isinstance(lines, list) or not all(isinstance(moves, list) for moves in lines):
        raise BadRequestError("lines is a list of lists of moves, such as [[3, 2], [3, 3]]")
    count = sum(map(len, lines))
    if count > most or len(lines) > most:
        raise BadRequestError(f"these lines have {count} moves; at most {most} are read")
    return jsonify(lines=_Namer(env).named(lines))


class _Namer:
    """Names lines that leave a position; what a line shares with the one before is kept."""

    def __init__(self, begun: BaseGameEnv) -> None:
        self._env, self._before = begun, len(begun.history)
        self._names: list[str] = []
        self._movers: list[int] = []

    def named(self, lines: list[list[object]]) -> list[Json]:
        return [self._one(moves) for moves in lines]

    def _one(self, moves: list[object]) -> Json:
        played = self._env.history[self._before :]
        pairs = zip(played, moves, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: _same(*pair), pairs))
        while len(self._names) > shared:
            self._env.undo()
            self._names.pop()
            self._movers.pop()
        problem = None
        for move in moves[shared:]:
            mover = self._env.current_player
            name = ""
            if type(move) is int and move in self._env.get_legal_moves():
                name = self._env.move_name(move)
            problem = requests.play_legal(self._env, [move])
            if problem is not None:
                break
            self._names.append(name)
            self._movers.append(mover)
        return {"names": list(self._names), "movers": list(self._movers), "problem": problem}


def _same(played: int, asked: object) -> bool:
    return type(asked) is int and asked == played
