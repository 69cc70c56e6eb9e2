"""`BoardGame`: the base class for new games, and for all built-in games.

The position is the board array and the side to move. Everything else (winner, line, end of the
game, number of moves) is computed from them: incrementally while moves are played, from scratch
after the board was assigned or written into.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, NamedTuple, Self

import numpy as np

from rl_toolkit.envs.base_game import StepResult
from rl_toolkit.envs.derived.completing import LISTS
from rl_toolkit.envs.derived.state import FollowedState
from rl_toolkit.envs.errors import GameOverError, IllegalMoveError, InvalidPositionError
from rl_toolkit.envs.validation import Board, as_board, as_move, as_player, shown


class Verdict(NamedTuple):
    """The state of a game: ``winner`` is ``None`` until it is over; ``lines`` are the lines won."""

    winner: int | None
    lines: list[list[int]]


#: Attributes of these types are copied with the game, those of a subclass too.
_CONTAINERS = (np.ndarray, list, dict, set)

#: The two names of the list of legal moves.
LISTED = frozenset(LISTS)
#: The game whose own ``get_legal_actions`` is running.
_listing: ContextVar[BoardGame | None] = ContextVar("listing", default=None)

RUNNING = Verdict(None, [])
DRAWN = Verdict(0, [])


class _Ply(NamedTuple):
    """What `undo` needs to know about one move; ``cell`` is ``None`` for a pass."""

    move: int
    cell: int | None
    flipped: list[int]
    player: int
    last_move: int | None


class BoardGame(FollowedState):
    """A game whose position is a board and a side to move.

    A subclass must define when the game is over (`verdict`), and may define the starting position
    (`start_board`), the legal moves (`open_moves`) and the effect of a move (`landing`). By default
    the board starts empty and a move places a piece on an empty cell.

    ``get_legal_moves`` and ``get_legal_actions`` are the same list; a subclass that overrides the
    second has overridden both.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        nearest = next(vars(base) for base in cls.__mro__ if not LISTED.isdisjoint(vars(base)))
        if "get_legal_moves" not in nearest:
            cls.get_legal_moves = _listed_by_actions(cls)  # type: ignore[assignment]
        super().__init_subclass__(**kwargs)

    @abstractmethod
    def verdict(self, cell: int | None = None) -> Verdict:
        """`RUNNING`, `DRAWN`, or a `Verdict` with the winner and the lines to highlight.

        ``cell`` is where the last piece was placed, ``None`` if unknown.
        """

    def start_board(self) -> Board:
        """The board of the starting position."""
        return np.zeros(self.rows * self.cols, dtype=np.int8)

    def open_moves(self) -> list[int]:
        """The legal moves in increasing order, in a game that is not over."""
        empty: list[int] = np.flatnonzero(self._board == 0).tolist()
        return empty

    def landing(self, move: int) -> tuple[int | None, list[int]]:
        """The cell where ``move`` places a piece (``None`` for a pass) and the cells it flips.

        Raises `IllegalMoveError` if the move cannot be played.
        """
        self.check_free(move)
        return move, []

    # ------------------------------------------------------------------- moves

    def __init__(self, board_size: int | tuple[int, int]) -> None:
        self._player = 1
        self._plies: list[_Ply] = []
        self._last_cell: int | None = None
        self._verdict = RUNNING
        self._moves_before = 0
        super().__init__(board_size)
        self.reset()

    def reset(self, first_player: int = 1) -> Board:
        """Set up the starting position with ``first_player`` to move; return a copy of it."""
        self._player = as_player(first_player)
        self._board = self.start_board()
        self._recompute()
        self._moves_before = 0
        return self._board.copy()

    def step(self, move: int | str) -> StepResult:
        """Play ``move``; see `BaseGameEnv.step`."""
        move = self.as_played(move)
        self._notice_edits()
        if self._verdict.winner is not None:
            raise GameOverError("the game is over; no more moves can be played")
        cell, flipped = self.landing(move)
        player, board = self._player, self._board
        self._plies.append(_Ply(move, cell, flipped, player, self._last_cell))
        if cell is not None:
            board[cell] = player
            board[flipped] = player
            self._last_cell = cell
        self._verdict = self.verdict(cell)
        try:
            if self._verdict.winner is None:
                self._player = -player
        except AttributeError as error:
            raise self._no_verdict() from error
        self._seen = (board.tobytes(), self._player)
        return board.copy(), float(self._verdict.winner or 0), self.done, self._info()

    def undo(self) -> int:
        """Take back the last move and return it."""
        self._notice_edits()
        if not self._plies:
            raise IllegalMoveError("there is no move to take back")
        ply = self._plies.pop()
        if ply.cell is not None:
            self._board[ply.cell] = 0
            self._board[ply.flipped] = -ply.player
        self._player, self._last_cell, self._verdict = ply.player, ply.last_move, RUNNING
        self._seen = (self._board.tobytes(), self._player)
        return ply.move

    def copy(self) -> Self:
        """A game in the same position, history included, that shares nothing with this one."""
        self._notice_edits()
        twin = type(self).__new__(type(self))
        vars(twin).update(
            {
                name: value.copy() if isinstance(value, _CONTAINERS) else value
                for name, value in vars(self).items()
            }
        )
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def get_legal_moves(self) -> list[int]:
        """Every legal move in increasing order; empty when the game is over."""
        return [] if self.is_terminal() else self.open_moves()

    def landing_cell(self, move: int) -> int | None:
        """The cell where a legal ``move`` places a piece, ``None`` if it places none."""
        return self.landing(as_move(move))[0]

    # ------------------------------------------------------------------- state

    def _recompute(self) -> None:
        """Compute the state of the game from board and player, and clear the history."""
        self._plies = []
        self._last_cell = None
        self._moves_before = self._count_moves()
        self._verdict = self.verdict()
        self._seen = (self._board.tobytes(), self._player)

    def _notice_edits(self) -> None:
        """Recompute the state if the board or the player was changed from outside."""
        if self._seen != (self._board.tobytes(), self._player):
            self._recompute()

    def _count_moves(self) -> int:
        """The number of moves that led to the board, as far as it shows."""
        return int(np.count_nonzero(self._board))

    def _winner_now(self) -> int | None:
        try:
            return self._verdict.winner
        except AttributeError as error:
            raise self._no_verdict() from error

    def _line_now(self) -> list[int] | None:
        return list(self._verdict.lines[0]) if self._verdict.lines else None

    def _count_now(self) -> int:
        return self._moves_before + len(self._plies)

    def _last_now(self) -> int | None:
        return self._last_cell

    @property
    def winning_lines(self) -> list[list[int]]:
        """Every line that won, each as its cells in increasing order."""
        self._notice_edits()
        return [list(line) for line in self._verdict.lines]

    def _cells_of_lines(self) -> Iterable[int]:
        return (cell for line in self.winning_lines for cell in line)

    # ----------------------------------------------------------------- questions

    @property
    def history(self) -> list[int]:
        """The moves since the start, or since the board was last assigned; oldest first."""
        self._notice_edits()
        return [ply.move for ply in self._plies]

    def set_position(self, board: Any, player: int) -> None:
        """Set up ``board`` with ``player`` to move; see `BaseGameEnv.set_position`."""
        cells, player = as_board(board, self.rows * self.cols), as_player(player)
        self._check_reachable(cells)
        self._board, self._player = cells, player
        self._recompute()

    def _check_reachable(self, cells: Board) -> None:
        """Raise `InvalidPositionError` for a board that no game can reach."""
        surplus = int(cells.sum(dtype=np.int64))
        if abs(surplus) > 1:
            x, o = self.traits.side(1), self.traits.side(-1)
            counts = f"{np.count_nonzero(cells == 1)} {x} and {np.count_nonzero(cells == -1)} {o}"
            raise InvalidPositionError(f"players alternate, so {counts} is not possible")

    def _no_verdict(self) -> TypeError:
        answer, self._verdict = self._verdict, RUNNING
        return TypeError(f"verdict returned {shown(answer)}; return RUNNING, DRAWN or a Verdict")

    def _info(self) -> dict[str, Any]:
        return {
            "winner": self._verdict.winner,
            "winning_line": self._line_now(),
            "move_count": self._count_now(),
            "last_move": self._last_cell,
        }

    def check_free(self, cell: int) -> None:
        """Raise `IllegalMoveError` unless ``cell`` is an empty cell of the board."""
        if not 0 <= cell < len(self._board):
            last = len(self._board) - 1
            raise IllegalMoveError(
                f"cell {shown(cell)} is off the board: cells run from 0 to {last}"
            )
        if self._board[cell]:
            piece = self.traits.side(int(self._board[cell]))
            raise IllegalMoveError(f"{self.move_name(cell)} is taken by {piece}")


def _listed_by_actions(cls: type[BoardGame]) -> Callable[[BoardGame], list[int]]:
    """``get_legal_moves`` for a class that has its own ``get_legal_actions``, in its order.

    While the class makes its list, ``get_legal_moves`` is the list of its base class, which it may
    order or thin out.
    """

    def get_legal_moves(self: BoardGame) -> list[int]:
        if _listing.get() is self:
            base: Any = super(cls, self)
            moves: list[int] = base.get_legal_moves()
            return moves
        if self.is_terminal():
            return []
        token = _listing.set(self)
        try:
            return [int(move) for move in self.get_legal_actions()]
        finally:
            _listing.reset(token)

    return get_legal_moves
