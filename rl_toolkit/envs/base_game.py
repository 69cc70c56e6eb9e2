"""`BaseGameEnv`: the interface of every two-player, zero-sum, perfect-information game.

A game is a deterministic Markov decision process: a position, a side to move, legal moves,
and a result at the end. A new game implements eight methods and inherits the rest; of these eight,
``step`` and the legal moves are enough if the class keeps ``board``, ``current_player``, ``done``
and ``winner`` as its attributes:

=========  ==================================================================================
mandatory  ``step``, ``get_legal_moves`` or ``get_legal_actions``
by default ``reset`` ``is_terminal`` ``check_win`` ``get_result`` ``copy`` ``get_state_hash``
optional   ``pass_move`` ``from_variant`` ``traits`` (title, pieces, sizes, rules, `envs.traits`)
           and ``evaluate_heuristic`` ``symmetries`` ``kernel_spec`` … (`derived.hints`)
derived    ``undo`` ``history`` ``start`` (`derived.recording`), ``render`` (`derived.pictures`),
           ``move_name`` ``parse_move`` (`derived.move_names`), ``name`` ``set_position``
           ``after`` ``num_moves`` ``get_legal_actions`` ``get_state_value``
=========  ==================================================================================

Laws, tested by `rl_toolkit.testing.check_game`: undo after step is the identity, hash included; a
copy shares nothing; a refused move changes nothing; symmetric positions have symmetric legal moves;
every name of a move parses back to that move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import Any, ClassVar, Self

import numpy as np

from rl_toolkit.envs.derived.completing import LISTS, deep_copy
from rl_toolkit.envs.derived.core import StepResult
from rl_toolkit.envs.derived.hints import Hints
from rl_toolkit.envs.derived.move_names import MoveNames
from rl_toolkit.envs.derived.own_form import standard, unless_own
from rl_toolkit.envs.derived.pictures import Pictures
from rl_toolkit.envs.derived.recording import Recorded, record_moves
from rl_toolkit.envs.errors import InvalidPositionError
from rl_toolkit.envs.traits import GameTraits, complete_traits, size_text
from rl_toolkit.envs.validation import Board, as_board, as_player, as_sides

__all__ = ["BaseGameEnv", "StepResult"]


class BaseGameEnv(Recorded, Hints, MoveNames, Pictures, ABC):
    """A game in progress, changed by `step` and `undo`.

    Players are ``+1`` (moves first unless `reset` is given another) and ``-1``; an empty cell is 0.

    Attributes:
        board: flat, row-major int8 array, cell index = row · cols + col. It may be assigned:
            everything else follows from it, and `history` is cleared.
        current_player: the side to move; at the end, the side that made the last move.
        winner: ``None`` while the game is in progress, 0 for a draw, else the player who won.
        done: whether the game has ended.
        move_count: plies played so far.
        last_move: cell index of the last piece placed, or ``None``; `last_cell` is a clearer name.
        winning_line: cells of a line that won, or ``None``.
    """

    #: The description of the game; a subclass declares what differs from the defaults.
    traits: ClassVar[GameTraits] = GameTraits()
    _declared_traits: ClassVar[GameTraits | None] = None

    def __init__(self, board_size: int | tuple[int, int]) -> None:
        self.rows, self.cols = as_sides(board_size)
        self.board_size: int | tuple[int, int] = board_size
        self._board = np.zeros(self.rows * self.cols, dtype=np.int8)
        self.current_player = 1

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._note_gaps(BaseGameEnv)
        if cls._supplied.isdisjoint(LISTS):
            raise TypeError(
                f"{cls.__name__} does not say which moves are legal; "
                "give it get_legal_moves(self), a method that returns a list of numbers"
            )
        if "traits" in vars(cls):
            cls._declared_traits = cls.traits
        cls.traits = complete_traits(cls, BaseGameEnv.evaluate_heuristic)
        record_moves(cls)

    # ---------------------------------------------------------------- mandatory

    @abstractmethod
    def step(self, move: int | str) -> StepResult:
        """Play ``move``, a number or a name such as ``"d4"``, for the side to move.

        Returns ``(board copy, reward, done, info)``. The reward is for player +1: 1.0, −1.0, or 0.0
        for a draw or an unfinished game. ``info`` has at least ``winner``, ``winning_line``,
        ``move_count``, ``last_move``. Raises ``ValueError``, and changes nothing, if the move
        cannot be played. A class's own ``step`` always gets a number.
        """

    def get_legal_moves(self) -> list[int]:
        """Every legal move in increasing order; empty when the game is over."""
        if self._own_form:
            return list(self.get_legal_actions())
        return [] if self.is_terminal() else sorted(map(int, self.get_legal_actions()))

    def reset(self, first_player: int = 1) -> Board:
        """Set up the starting position with ``first_player`` to move; return a copy of the board.

        A game in which the same side always opens may omit the parameter. By default this makes a
        new game with the same arguments.
        """
        if self._is_made:  # a constructor may call reset
            args, kwargs = self._made_with
            make: Callable[..., BaseGameEnv] = type(self)
            fresh = make(*args, **kwargs)
            vars(self).clear()
            vars(self).update(vars(fresh))
        if not self._own_form:
            self.current_player = as_player(first_player)
        return self.board.copy()

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return bool(self.done)

    @standard
    def check_win(self, player: int) -> bool:
        """Whether ``player`` has won."""
        return self.winner == as_player(player)

    @standard
    def get_result(self, player: int) -> float:
        """``+1.0 / −1.0 / 0.0`` for ``player``; raises ``ValueError`` if the game is not over."""
        player, winner = as_player(player), self.winner
        if winner is None or not self.is_terminal():
            raise ValueError("the game is not over, so it has no result yet")
        return float(winner * player)

    def copy(self) -> Self:
        """A game in the same position that shares nothing with this one."""
        twin: Self = deep_copy(self)
        return twin

    @standard
    def get_state_hash(self) -> Hashable:
        """A key that is equal for two positions exactly if board and side to move are equal."""
        return np.asarray(self.board).tobytes(), self.current_player

    # ----------------------------------------------------------------- optional

    @classmethod
    def from_variant(cls, variant: str) -> Self | None:
        """A new game of a variant, ``None`` if there is no such variant.

        ``variant`` is the part of the game's name after the hyphen, empty for the usual game. By
        default the variants are the sizes in the traits.
        """
        make: Callable[..., Self] = cls  # the base does not know the constructor's parameters
        if not variant:
            return make()
        sizes = {size_text(size): size for size in cls.traits.sizes}
        return make(sizes[variant]) if variant in sizes else None

    @property
    @standard
    def name(self) -> str:
        """The game's name in the registry, from which `make_game` makes the same game."""
        if len(self.traits.sizes) < 2:
            return self.traits.name
        return f"{self.traits.name}-{size_text(self._sides)}"

    @property
    def _sides(self) -> int | tuple[int, int]:
        return self.rows if self.rows == self.cols else (self.rows, self.cols)

    def form_values(self) -> dict[str, int | str]:
        """The values of the form fields in the traits for this game."""
        return {"size": size_text(self._sides)}

    @property
    @standard
    def num_moves(self) -> int:
        """The size of the move space: moves are 0 … num_moves − 1, whether legal now or not."""
        return self.rows * self.cols

    @property
    @standard
    def pass_move(self) -> int | None:
        """The move that passes, ``None`` in a game without passes."""
        return None

    # ------------------------------------------------------------------ derived

    @property
    @standard
    def last_cell(self) -> int | None:
        """The cell index of the last piece placed, or ``None``; courses call it `last_move`."""
        return self.last_move

    def after(self, moves: Iterable[int]) -> Self:
        """A new game after more moves; raises ``ValueError`` at the first that is illegal."""
        game = self.copy()
        for move in moves:
            game.step(move)
        return game

    @standard
    def piece_count(self, player: int) -> int:
        """The number of pieces ``player`` has on the board."""
        return int(np.count_nonzero(self.board == as_player(player)))

    def get_legal_actions(self) -> list[int]:
        """The same as `get_legal_moves`; a class may supply either of the two."""
        return self.get_legal_moves()

    def get_state_value(self) -> Hashable:
        """An older name of `get_state_hash`."""
        return self.get_state_hash()

    @unless_own
    def set_position(self, board: Any, player: int) -> None:
        """Set up ``board`` with ``player`` to move, and clear the history.

        Raises `InvalidPositionError`, and changes nothing, for a board that the game knows to be
        unreachable.
        """
        cells, player = as_board(board, self.rows * self.cols), as_player(player)
        trial = self.copy()
        trial.board, trial.current_player = cells, player
        if trial.check_win(1) and trial.check_win(-1):
            raise InvalidPositionError("both players have won on this board")
        self.board, self.current_player = cells, player
        self._notice_edits()

    @standard
    def __eq__(self, other: object) -> bool:
        """Whether the two are the same game in the same position, however it was reached."""
        if not isinstance(other, BaseGameEnv):
            return NotImplemented
        return (
            type(self) is type(other)
            and self.name == other.name
            and self.get_state_hash() == other.get_state_hash()
        )

    #: A game changes, so it cannot be a key; `get_state_hash` is a key of its position.
    __hash__ = None  # type: ignore[assignment]
