"""Reversi positions in the Othello Board File format, one per line.

::

    ---------------------------OX------XO--------------------------- X; F5:+0; D3:+0; % a comment
    cells row by row from a1,                                        ^  move:score, best first
    X black, O white, - empty                           side to move

Every field ends with ``;`` and a score counts discs for the side to move. A field with a score
alone is the score of the position. The board has 16, 36 or 64 cells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rl_toolkit.envs import GameError, Reversi
from rl_toolkit.envs.position import set_up
from rl_toolkit.records.errors import PositionError
from rl_toolkit.records.move_names import move_named
from rl_toolkit.utils import shown

_CELLS = {"X": 1, "*": 1, "B": 1, "O": -1, "W": -1, "-": 0, ".": 0}
_LETTERS = {1: "X", -1: "O", 0: "-"}
_SIDES = {size * size: size for size in Reversi.SIZES}
_SCORE = re.compile(r"[+-]?[0-9]{1,2}")
_SHAPES = ", ".join(str(cells) for cells in _SIDES)


@dataclass(frozen=True)
class ObfPosition:
    """One line of a file: a position and its scores.

    Attributes:
        env: the position.
        scores: the final score of each move for the side to move, in discs, in file order.
        score: the score of the position, if it is given without a move.
        comment: the text after ``%``.

    Raises `PositionError` for a score of an illegal move, and for one that is too large.
    """

    env: Reversi
    scores: Mapping[int, int] = field(default_factory=dict)
    score: int | None = None
    comment: str = ""

    def __post_init__(self) -> None:
        # A line break inside a comment would start another position.
        object.__setattr__(self, "comment", " ".join(self.comment.split()))
        legal, most = self.env.get_legal_moves(), len(self.env.board)
        for move in self.scores:
            if move not in legal:
                raise PositionError(f"{self.env.move_name(move)} has a score but is illegal here")
        for score in (*self.scores.values(), self.score or 0):
            if abs(score) > most:
                raise PositionError(f"a score of {score} is too large: there are {most} squares")

    @property
    def best_score(self) -> int | None:
        """The score of the position for the side to move, ``None`` if it is unknown."""
        return max(self.scores.values(), default=self.score)


def parse_obf(line: str) -> ObfPosition:
    """The position in a line; ``b``, ``w``, ``*``, ``.`` and lower case are accepted too.

    Raises `PositionError` for a line that is not in this format.

    >>> position = parse_obf("-----OX--XO----- X; A2:-8; % the start on 4x4")
    >>> position.env.name, position.env.move_name(4), position.scores, position.comment
    ('reversi-4', 'a2', {4: -8}, 'the start on 4x4')
    """
    if not isinstance(line, str):
        raise PositionError(f"an OBF line is text, not {shown(line)}")
    if len(line.strip().splitlines()) > 1:
        raise PositionError("an OBF position must be one line")
    data, _, comment = line.partition("%")
    head, *fields = data.split(";")
    env = _parse_board(head)
    scores: dict[int, int] = {}
    score: int | None = None
    for number, text in enumerate(map(str.strip, fields), 1):
        where = f"field {number}"
        name, colon, points = text.rpartition(":")
        if colon:
            move = _parse_move(env, name, where)
            if move in scores:
                raise PositionError(f"{shown(name)} already has a score", where)
            scores[move] = _parse_score(points, where)
        elif text:
            if score is not None:
                raise PositionError(f"a second score for the position: {shown(text)}", where)
            score = _parse_score(text, where)
    return ObfPosition(env, scores, score, comment)


def to_obf(position: ObfPosition | Reversi) -> str:
    """The line for a position, without a line break.

    >>> to_obf(Reversi(4))
    '-----OX--XO----- X;'
    """
    if not isinstance(position, ObfPosition):
        position = ObfPosition(position)
    env = position.env
    cells = "".join(_LETTERS[piece] for piece in env.board.tolist())
    fields = [f"{cells} {_LETTERS[env.current_player]};"]
    fields += [f"{_name(env, move)}:{points:+d};" for move, points in position.scores.items()]
    if position.score is not None:
        fields.append(f"{position.score:+d};")
    if position.comment:
        fields.append(f"% {position.comment}")
    return " ".join(fields)


def _name(env: Reversi, move: int) -> str:
    return "--" if move == env.pass_move else env.move_name(move).upper()


def _parse_board(head: str) -> Reversi:
    words = head.upper().split()
    if len(words) != 2:
        raise PositionError(f"an OBF line begins with cells and a side to move, not {shown(head)}")
    cells, side = words
    if len(cells) not in _SIDES:
        raise PositionError(f"an OBF board has {_SHAPES} cells, not {len(cells)}")
    for number, cell in enumerate(cells, 1):
        if cell not in _CELLS:
            raise PositionError(f"{shown(cell)} is not a cell: use X, O or -", f"cell {number}")
    player = _CELLS.get(side, 0)
    if not player:
        raise PositionError(f"the side to move is X or O, not {shown(side)}")
    env = Reversi(_SIDES[len(cells)])
    set_up(env, np.array([_CELLS[cell] for cell in cells], dtype=np.int8), player)
    return env


def _parse_move(env: Reversi, name: str, where: str) -> int:
    try:
        return move_named(env, name)
    except GameError as error:
        raise PositionError(str(error), where) from error


def _parse_score(text: str, where: str) -> int:
    word = text.strip()
    if not _SCORE.fullmatch(word):
        raise PositionError(f"a score is a number of discs, not {shown(word)}", where)
    return int(word)
