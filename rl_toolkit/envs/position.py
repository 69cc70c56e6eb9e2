"""`Position`: a game, where it began, and the moves since; a value that never changes.

::

    env  ── Position.of(env) ──►  Position("tictactoe", moves=(4, 0))
         ◄──── position.env() ──  frozen, hashable, can be sent to other processes

There are two equalities, and a use has to choose one:

=======================  =======================================================================
``one == other``         the same game, the same start, the same moves: for games that are kept,
                         sent or replayed
``one.key == other.key`` the same board and the same side to move, however they were reached: for
                         caches of values, which would otherwise miss transpositions
=======================  =======================================================================

Code that has a game at hand and needs only the second one asks `position_key`, which works for
games that are not registered too. Neither is a seed: ``hash()`` differs from process to process.
What has to be the same next year is made from `Position.text`; see `algorithms.simple.seeds`.

The text of a position is one line, similar to FEN: the rows from top to bottom, separated by ``/``,
with ``x`` and ``o`` for pieces and a number for a run of empty cells; then a space and the side to
move::

    3 | . . .
    2 | . o .        3/1o1/xx1 o
    1 | x x .
        a b c

A game without a grid (`GameTraits.has_grid`) is written as its moves from the start, ``start`` if
there are none; see `BaseGameEnv.moves_text`. If the game is over, the side to move is the one that
made the last move, as in ``current_player``.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Self, TypeAlias

import numpy as np

from rl_toolkit.envs.base_game import BaseGameEnv
from rl_toolkit.envs.errors import GameError, PositionError, UnknownGameError
from rl_toolkit.envs.registry import make_game
from rl_toolkit.envs.validation import Board, as_move, shown
from rl_toolkit.utils import RowOneAt

#: The name of a game and what `BaseGameEnv.get_state_hash` says of a position of it.
PositionKey: TypeAlias = tuple[str, Hashable]


@dataclass(frozen=True, slots=True)
class Start:
    """A board that was set up.

    Attributes:
        cells: the board, a byte for each cell, as ``env.board.tobytes()``.
        player: the side to move.
    """

    cells: bytes
    player: int


@dataclass(frozen=True, slots=True)
class Position:
    """A game after some moves; equal to another if game, start and moves are equal.

    Attributes:
        game: the full name in the registry, variant included: ``env.name``.
        start: the board that was set up; ``None`` for the usual start.
        moves: the moves since the start, oldest first.

    >>> one = Position("tictactoe").after(0, 4, 8)
    >>> other = Position("tictactoe").after(8, 4, 0)
    >>> one == other, one.key == other.key
    (False, True)
    >>> one.text, one.env().get_legal_moves()
    ('x2/1o1/2x o', [1, 2, 3, 5, 6, 7])
    >>> Position.of(one.env()) == one
    True
    """

    game: str
    start: Start | None = None
    moves: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", tuple(map(as_move, self.moves)))

    @classmethod
    def of(cls, env: BaseGameEnv) -> Self:
        """The position of a game, of which nothing is shared.

        Raises `UnknownGameError` for a game that the registry does not make under its name, such as
        a class that was not registered: its position could not be made again.
        """
        usual, begun = _registered(env), BaseGameEnv.start(env)
        start = None
        if begun.get_state_hash() != usual.get_state_hash():
            start = Start(np.asarray(begun.board, np.int8).tobytes(), begun.current_player)
        return cls(env.name, start, tuple(env.history))

    @classmethod
    def read(cls, game: str, text: str) -> Self:
        """The position that ``text`` describes, see `envs.position`; raises `PositionError`.

        >>> Position.read("tictactoe", "3/1x1/3 o").env().get_legal_moves()
        [0, 1, 2, 3, 5, 6, 7, 8]
        """
        return cls.of(position_from_text(game, text))

    def env(self) -> BaseGameEnv:
        """A new game in this position, with its history; raises ``ValueError`` if there is none."""
        game = make_game(self.game)
        if self.start is not None:
            # Not set_position: boards that were assigned may be ones that no game reaches.
            game.board = np.frombuffer(self.start.cells, np.int8)
            game.current_player = self.start.player
        for move in self.moves:
            game.step(move)
        return game

    def after(self, *moves: int) -> Self:
        """The position after more moves; whether they are legal shows in `env`."""
        return type(self)(self.game, self.start, self.moves + moves)

    @property
    def key(self) -> PositionKey:
        """Game, board and side to move: equal for transpositions, and what caches use."""
        return position_key(self.env())

    @property
    def text(self) -> str:
        """The board and the side to move as people write them; see `envs.position`."""
        return position_to_text(self.env())


def position_key(env: BaseGameEnv) -> PositionKey:
    """`Position.key` of a game at hand, registered or not; raises ``TypeError`` without a hash.

    >>> position_key(Position("tictactoe").env()) == Position("tictactoe").key
    True
    """
    key = env.name, env.get_state_hash()
    try:
        hash(key)
    except TypeError as error:
        raise TypeError(
            f"get_state_hash of {env.name} returned {shown(key[1])}, which cannot be a key; "
            "return a tuple, a text or bytes"
        ) from error
    return key


def _registered(env: BaseGameEnv) -> BaseGameEnv:
    """A new game from the registry, of the same class and board as ``env``."""
    try:
        usual = make_game(env.name)
    except GameError as error:
        raise UnknownGameError(
            f"{shown(env.name)} has no Position, since it is not registered; "
            f"register_game({type(env).__name__}) registers it"
        ) from error
    if type(usual) is not type(env) or (usual.rows, usual.cols) != (env.rows, env.cols):
        raise UnknownGameError(
            f"{shown(env.name)} has no Position, since the registry makes another game under that "
            f"name; give {type(env).__name__} traits of its own and register it"
        )
    return usual


# ------------------------------------------------------------------------------------ the notation


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
