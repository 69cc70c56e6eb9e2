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
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np

from rl_toolkit.envs.base_game import BaseGameEnv
from rl_toolkit.envs.errors import GameError, UnknownGameError
from rl_toolkit.envs.notation import position_from_text, position_to_text
from rl_toolkit.envs.registry import make_game
from rl_toolkit.envs.validation import as_move, shown

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
        """The position that ``text`` describes, see `envs.notation`; raises `PositionError`.

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
        """The board and the side to move as people write them; see `envs.notation`."""
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
