"""Moves as GTP writes them: ``D4``, ``pass``.

Columns are letters without I; rows are numbered as the game numbers them: in Reversi row 1 is at
the top, as all Othello programs have it. Where a piece falls, the vertex is the cell on which it
lands.
"""

from __future__ import annotations

import re

from rl_toolkit.envs import BaseGameEnv, InvalidMoveError
from rl_toolkit.utils import shown

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
#: The two players by name; Black moves first.
COLOURS = {1: "black", -1: "white"}
PLAYERS = {"b": 1, "black": 1, "w": -1, "white": -1}


def can_name(env: BaseGameEnv) -> bool:
    """Whether GTP has letters enough for the board."""
    return not env.traits.has_grid or env.cols <= len(LETTERS)


def vertex_of(env: BaseGameEnv, move: int) -> str:
    """A legal move as GTP writes it.

    >>> from rl_toolkit.envs import make_game
    >>> vertex_of(make_game("gomoku"), make_game("gomoku").parse_move("i9"))
    'J9'
    """
    if move == env.pass_move:
        return "pass"
    if not env.traits.has_grid:
        return env.move_name(move)
    is_cell = env.traits.move_by == "cell" and move < env.rows * env.cols
    cell = move if is_cell else env.landing_cell(move)
    if cell is None:
        return env.move_name(move)
    row, col = divmod(cell, env.cols)
    return f"{LETTERS[col]}{row + 1}"


def move_of(env: BaseGameEnv, text: str) -> int:
    """The move that a vertex names; raises `InvalidMoveError` if there is none.

    It need not be legal, except where pieces fall: there only the cell of a legal move is one.
    A column alone is a move there as well.
    """
    word = text.strip().upper()
    if word == "PASS":
        if env.pass_move is None:
            raise InvalidMoveError("there is no pass in this game")
        return env.pass_move
    if not env.traits.has_grid:
        return env.parse_move(text)
    match = re.fullmatch(r"([A-HJ-Z])([0-9]{1,2})", word)
    if match is None:
        if env.traits.move_by == "column" and word in LETTERS[: env.cols] and word:
            return LETTERS.index(word)
        raise InvalidMoveError(f"{shown(text)} is not a vertex")
    row, col = int(match[2]) - 1, LETTERS.index(match[1])
    if not (0 <= row < env.rows and col < env.cols):
        raise InvalidMoveError(f"{shown(text)} is not on the board")
    cell = row * env.cols + col
    if env.traits.move_by == "cell":
        return cell
    if col in env.get_legal_moves() and env.landing_cell(col) == cell:
        return col
    raise InvalidMoveError(f"a piece cannot land on {shown(text)}")
