"""`TextGame`: a game without a grid of cells, shown as text with a list of moves.

A subclass supplies pure functions of a *state*, an object of any type that is never changed; the
environment around them keeps the states that were visited, so that `undo` and `copy` are cheap.

The board of such a game is its score sheet: cell *k* holds the player who made move *k*::

    cell    0   1   2   3   4   5
            1  -1   1   1   0   0      +1 moved twice in a row; at most two moves are left

It has as many cells as a game can have moves (2,574 at most), so that empty cells are moves still
to come. The position does not follow from it, so board and side to move cannot be assigned.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs.base_game import BaseGameEnv, StepResult
from rl_toolkit.envs.errors import (
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
)
from rl_toolkit.envs.traits import GameTraits
from rl_toolkit.envs.validation import Board, as_move, as_player, shown
from rl_toolkit.utils.svg import render_text_svg

if TYPE_CHECKING:
    from rl_toolkit.utils.svg import ThemeName

State = TypeVar("State")

_MOST_ROWS, _COLS = 99, 26
_NUMBER = re.compile(r"#([0-9]{1,9})", re.ASCII)
_SEPARATORS = re.compile(r"[\s,;]+")


class TextGame(BaseGameEnv, Generic[State]):
    """A game given by functions of a state that is never changed.

    ``docs/guides/write_a_game.md`` writes Nim with it.

    Args:
        moves: the size of the move space.
        longest: the most moves that a game can have.
    """

    traits = GameTraits(has_grid=False, alternates=False)

    _keeps_own_history = True
    _is_ready = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.traits = replace(cls.traits, has_grid=False)

    # --------------------------------------------------- what a game supplies

    @abstractmethod
    def start_state(self) -> State:
        """The state in which the game begins."""

    @abstractmethod
    def next_state(self, state: State, move: int) -> State:
        """The state after a legal ``move``; ``state`` itself stays as it is."""

    @abstractmethod
    def moves_in(self, state: State) -> list[int]:
        """The legal moves in increasing order; empty exactly if the game is over."""

    def is_final(self, state: State) -> bool:
        """Whether the game is over; by default whether there is no legal move."""
        return not self.moves_in(state)

    @abstractmethod
    def mover_in(self, state: State) -> int:
        """The side to move, +1 or −1, in a state that is not final."""

    @abstractmethod
    def result_in(self, state: State) -> int:
        """The winner of a final state, 0 for a draw."""

    @abstractmethod
    def text_of(self, state: State) -> str:
        """The state as people read it, in one or more lines."""

    def key_of(self, state: State) -> Hashable:
        """A key that is equal for two states only if they have the same future.

        By default the state itself, which must then be hashable: a number, text, a tuple of these.
        """
        assert isinstance(state, Hashable)
        return state

    @abstractmethod
    def name_in(self, state: State, move: int) -> str:
        """A legal move as people write it in this state."""

    # ------------------------------------------------------------------ moves

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """A game that knows its arguments, for pickling."""
        game = super().__new__(cls)
        game._made_with = (args, kwargs)
        return game

    def __init__(self, moves: int, longest: int) -> None:
        self._num_moves = moves
        longest = max(1, min(longest, _MOST_ROWS * _COLS))
        rows = -(-longest // _COLS)
        self._start = self.start_state()
        self._states: list[State] = [self._start]
        self._moves: list[int] = []
        self._movers: list[int] = []
        self._names: tuple[State | None, dict[int, str]] = (None, {})
        super().__init__((rows, longest if rows == 1 else _COLS))
        self._is_ready = True
        self.reset()

    def reset(self) -> Board:  # type: ignore[override]  # the same side always opens
        """Set up the starting position; return a copy of the board."""
        self._states, self._moves, self._movers = [self._start], [], []
        return self._sheet()

    def step(self, move: int | str) -> StepResult:
        """Play ``move``; see `BaseGameEnv.step`."""
        if isinstance(move, str):
            if move.strip().isdigit():
                raise InvalidMoveError(f"{shown(move)} is not a name; write the number as a number")
            move = self.parse_move(move)
        move = as_move(move)
        state = self._states[-1]
        if self.is_final(state):
            raise GameOverError("the game is over; no more moves can be played")
        if move not in self.moves_in(state):
            if not 0 <= move < self.num_moves:
                raise IllegalMoveError(
                    f"{shown(move)} is not a move: moves run from 0 to {self.num_moves - 1}"
                )
            raise IllegalMoveError(f"{self.move_name(move)} is not a legal move now")
        self._advance(move)
        winner = self._winner_now()
        info = {
            "winner": winner,
            "winning_line": None,
            "move_count": len(self._moves),
            "last_move": self._last_cell(),
        }
        return self._sheet(), float(winner or 0), winner is not None, info

    def undo(self) -> int:
        """Take back the last move and return it."""
        if not self._moves:
            raise IllegalMoveError("there is no move to take back")
        self._states.pop()
        self._movers.pop()
        return self._moves.pop()

    def _advance(self, move: int) -> None:
        state = self._states[-1]
        following = self.next_state(state, move)
        self._movers.append(self.mover_in(state))
        self._states.append(following)
        self._moves.append(move)

    def copy(self) -> Self:
        """A game in the same position, history included; only states, never changed, are shared."""
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self))
        twin._states, twin._moves = list(self._states), list(self._moves)
        twin._movers = list(self._movers)
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    # ------------------------------------------------------------------ state

    @property
    def state(self) -> State:
        """The state of the game now."""
        return self._states[-1]

    @property
    def history(self) -> list[int]:
        """The moves since the start; oldest first."""
        return list(self._moves)

    @property
    def num_moves(self) -> int:
        """The size of the move space."""
        return self._num_moves

    def get_legal_moves(self) -> list[int]:
        """Every legal move in increasing order; empty when the game is over."""
        return list(self.moves_in(self.state))

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self._winner_now() is not None

    def check_win(self, player: int) -> bool:
        """Whether ``player`` has won."""
        return self._winner_now() == as_player(player)

    def get_result(self, player: int) -> float:
        """``+1.0 / −1.0 / 0.0`` for ``player``; raises ``ValueError`` if the game is not over."""
        player, winner = as_player(player), self._winner_now()
        if winner is None:
            raise ValueError("the game is not over, so it has no result yet")
        return float(winner * player)

    def get_state_hash(self) -> Hashable:
        """The key of the state and the side to move."""
        return self.key_of(self.state), self.current_player

    def _winner_now(self) -> int | None:
        state = self._states[-1]
        return self.result_in(state) if self.is_final(state) else None

    @property
    def current_player(self) -> int:
        """The side to move; at the end, the side that made the last move."""
        state = self._states[-1]
        return self._movers[-1] if self.is_final(state) else self.mover_in(state)

    @current_player.setter
    def current_player(self, player: int) -> None:
        if self._is_ready and as_player(player) != self.current_player:
            raise InvalidPositionError(
                f"{self.name} has no grid: play moves, the side to move cannot be assigned"
            )

    @property
    def board(self) -> Board:
        """The score sheet, which cannot be changed: cell k holds the player who made move k."""
        sheet = self._sheet()
        sheet.flags.writeable = False
        return sheet

    @board.setter
    def board(self, board: Any) -> None:
        if self._is_ready:
            raise InvalidPositionError(
                f"{self.name} has no grid: play moves, the board cannot be assigned"
            )

    def set_position(self, board: Any, player: int) -> None:
        """Raise `InvalidPositionError`: positions are reached by moves alone."""
        raise InvalidPositionError(f"{self.name} has no grid: play moves, a board cannot be set up")

    def _sheet(self) -> Board:
        sheet = np.zeros(self.rows * self.cols, dtype=np.int8)
        sheet[: len(self._movers)] = self._movers[: sheet.size]
        return sheet

    def _last_cell(self) -> int | None:
        return min(len(self._moves), self.rows * self.cols) - 1 if self._moves else None

    def _notice_edits(self) -> None:
        # Called before winner, done, … are read: they follow from the state, whatever was assigned.
        if not self._is_ready:
            return
        winner = self._winner_now()
        vars(self).update(
            _winner=winner,
            _done=winner is not None,
            _move_count=len(self._moves),
            _last_move=self._last_cell(),
            _winning_line=None,
        )

    # ------------------------------------------------------------------- moves

    def landing_cell(self, move: int) -> int | None:
        """``None``: a move has no cell."""
        return None

    def winning_moves(self, player: int) -> list[int]:
        """The legal moves that win immediately; none for the side that is not to move."""
        if as_player(player) != self.current_player:
            return []
        after = ((move, self.next_state(self.state, move)) for move in self.get_legal_moves())
        return [
            move
            for move, state in after
            if self.is_final(state) and self.result_in(state) == player
        ]

    def move_priorities(self) -> NDArray[np.int64]:
        """The same priority for every move."""
        return np.zeros(self.num_moves, dtype=np.int64)

    def move_name(self, move: int) -> str:
        """A legal move as people write it now, in one word; any other move as ``#57``."""
        move = as_move(move)
        if not 0 <= move < self.num_moves:
            raise InvalidMoveError(
                f"{shown(move)} is not a move: moves run from 0 to {self.num_moves - 1}"
            )
        return self._legal_names().get(move) or f"#{move}"

    def parse_move(self, text: str) -> int:
        """The move that ``text`` names: a legal move's name, or ``#57`` for any move.

        Capitals count only where two names differ by nothing else.
        """
        if not isinstance(text, str):
            raise InvalidMoveError(f"the name of a move is text, not {shown(text)}")
        word = _one_word(text)
        names = self._legal_names()
        for fits in (str.__eq__, _same_letters):
            moves = [move for move, name in names.items() if fits(name, word)]
            if len(moves) == 1:
                return moves[0]
        number = _NUMBER.fullmatch(word)
        if number and int(number[1]) < self.num_moves:
            return int(number[1])
        some = ", ".join(list(names.values())[:4]) + (", …" if len(names) > 4 else "")
        offered = f"; moves are {some}" if names else "; the game is over"
        raise InvalidMoveError(f"{shown(text)} is not a move here{offered}")

    def _legal_names(self) -> dict[int, str]:
        """The name of each legal move; the names of the last position asked for are kept."""
        state = self.state
        known, names = self._names
        if known is state:
            return names
        names = {move: _one_word(self.name_in(state, move)) for move in self.moves_in(state)}
        count: dict[str, int] = {}
        for name in names.values():
            count[name] = count.get(name, 0) + 1
        for move, name in names.items():
            if not name or count[name] > 1:
                names[move] = f"{name}#{move}"
        self._names = (state, names)
        return names

    def _as_text(self) -> str:
        return self.text_of(self.state)

    def to_svg(self, theme: ThemeName = "light") -> str:
        """The text of the position as an SVG picture."""
        return render_text_svg(self.text_of(self.state), theme=theme)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _replayed, (type(self), *self._made_with, self.history)


def _one_word(text: str) -> str:
    return _SEPARATORS.sub("-", text.strip().strip(",;")).strip("-")


def _same_letters(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _replayed(
    cls: type[TextGame[Any]], args: tuple[Any, ...], kwargs: dict[str, Any], moves: list[int]
) -> Any:
    make: Any = cls
    return BaseGameEnv.after(make(*args, **kwargs), moves)
