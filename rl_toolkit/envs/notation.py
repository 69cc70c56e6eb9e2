"""A position as one line of text, similar to FEN.

The rows from top to bottom, separated by ``/``, with ``x`` and ``o`` for pieces and a number for a
run of empty cells; then a space and the side to move::

    3 | . . .
    2 | . o .        3/1o1/xx1 o
    1 | x x .
        a b c

A game without a grid (`GameTraits.has_grid`) is written as its moves from the start, ``start`` if
there are none; see `BaseGameEnv.moves_text`.

If the game is over, the side to move is the one that made the last move, as in ``current_player``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby

import numpy as np

from rl_toolkit.envs.base_game import BaseGameEnv
from rl_toolkit.envs.errors import GameError, PositionError
from rl_toolkit.envs.registry import make_game
from rl_toolkit.envs.validation import Board, shown
from rl_toolkit.utils import RowOneAt

#: The name of a game, or a game, which is copied.
Game = str | BaseGameEnv

#: A game without a grid in which no move has been played.
_NO_MOVES = "start"
_LETTERS = {1: "x", -1: "o"}
_PLAYERS = {letter: player for player, letter in _LETTERS.items()}

_RUN_OR_CELL = re.compile(r"[0-9]+|.", re.DOTALL)


def fresh_game(game: Game) -> BaseGameEnv:
    """A new game of that name, or a copy of the given game."""
    return game.copy() if isinstance(game, BaseGameEnv) else make_game(game)


def position_to_text(env: BaseGameEnv) -> str:
    """The position as text; raises `PositionError` if there are more than two kinds of piece.

    >>> position_to_text(make_game("tictactoe"))
    '3/3/3 x'
    """
    if not env.traits.has_grid:
        return env.moves_text()
    return rows_to_text(env.board_2d, env.current_player, env.traits.row_one_at)


def rows_to_text(board: Board, player: int, row_one_at: RowOneAt) -> str:
    """A board of rows and columns, row 1 first, and the side to move."""
    rows = board if row_one_at == "top" else board[::-1]
    return "/".join(map(_row_to_text, rows)) + f" {_LETTERS[player]}"


def position_from_text(game: Game, text: str) -> BaseGameEnv:
    """A game in the position that ``text`` describes; upper case and ``.`` are accepted too.

    Raises `PositionError` for text that is not a position, or a position that cannot be reached.

    >>> env = position_from_text("tictactoe", "xx1/oo1/3 x")
    >>> print(env.render(mode="ansi").splitlines()[2])
    1 | X | X |   |
    """
    env = fresh_game(game)
    if not env.traits.has_grid:
        return _after_words(env, text)
    set_up(env, *cells_from_text(env, text))
    return env


def cells_from_text(env: BaseGameEnv, text: str) -> tuple[Board, int]:
    """The board and the side to move that ``text`` describes, for a game like ``env``.

    Whether the position can be reached is not checked. Raises `PositionError` for other text.
    """
    words = text.split() if isinstance(text, str) else []
    if len(words) != 2:
        raise PositionError(
            f"{shown(text)} is not a position: write the rows separated by /, a space, "
            f"and the side to move, as in {position_to_text(env)!r}"
        )
    rows = words[0].split("/")
    if len(rows) != env.rows:
        raise PositionError(f"{env.name} has {env.rows} rows separated by /, not {len(rows)}")
    board = np.array(
        [_row_from_text(row, env.cols, number) for number, row in enumerate(rows, 1)], dtype=np.int8
    )
    return board if env.traits.row_one_at == "top" else board[::-1], _player(words[1])


def _after_words(env: BaseGameEnv, text: str) -> BaseGameEnv:
    """The game after the moves in ``text``, from its start."""
    words = text.split() if isinstance(text, str) else []
    if not words:
        raise PositionError(f"{shown(text)} is not a position: write the moves, or {_NO_MOVES}")
    env.reset()
    for number, word in enumerate([] if words == [_NO_MOVES] else words, 1):
        try:
            env.step(env.parse_move(word))
        except GameError as error:
            raise PositionError(str(error), f"move {number}") from error
    return env


def set_up(env: BaseGameEnv, board: Board, player: int) -> None:
    """`BaseGameEnv.set_position`, raising `PositionError` for a wrong board."""
    try:
        env.set_position(board, player)
    except ValueError as error:
        raise PositionError(str(error)) from error


def _row_to_text(row: Board) -> str:
    return _cells_to_text(tuple(row.tolist()))


@lru_cache(maxsize=1 << 12)  # from one move to the next most rows stay as they are
def _cells_to_text(cells: tuple[int, ...]) -> str:
    parts: list[str] = []
    for piece, run in groupby(cells):
        length = len(list(run))
        if piece not in (0, *_LETTERS):
            raise PositionError(f"a piece {shown(piece)} cannot be written: only x and o can")
        parts.append(_LETTERS[piece] * length if piece else str(length))
    return "".join(parts)


def _row_from_text(text: str, cols: int, number: int) -> list[int]:
    where = f"row {number} from the top"
    cells: list[int] = []
    for match in _RUN_OR_CELL.finditer(text):
        token = match[0].lower()
        if token in _PLAYERS:
            cells.append(_PLAYERS[token])
        elif token == ".":
            cells.append(0)
        elif token[0] in "0123456789":
            # No board is that wide: do not convert thousands of digits.
            run = int(token) if len(token) <= 3 else cols + 1
            if run == 0:
                raise PositionError("a number of empty cells must be at least 1", where)
            cells.extend([0] * run)
        else:
            raise PositionError(
                f"{shown(match[0])} is not a cell: use x, o or a number of empty cells", where
            )
        if len(cells) > cols:
            break
    if len(cells) != cols:
        how_many = "more" if len(cells) > cols else f"only {len(cells)}"
        raise PositionError(
            f"the board has {cols} columns, but {shown(text)} has {how_many}", where
        )
    return cells


def _player(word: str) -> int:
    if word.lower() not in _PLAYERS:
        raise PositionError(f"the side to move is x or o, not {shown(word)}")
    return _PLAYERS[word.lower()]
