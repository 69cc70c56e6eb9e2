"""`AdaptedGame`: a game of the toolkit around the objects of a plain class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from rl_toolkit.adapting.column_names import ColumnNames
from rl_toolkit.adapting.learning import learn
from rl_toolkit.adapting.objects import Reading, Snapshot
from rl_toolkit.adapting.set_up import set_up
from rl_toolkit.adapting.starts import shape_of
from rl_toolkit.envs import GameOverError, IllegalMoveError, InvalidPositionError
from rl_toolkit.envs.derived import FollowedState, StepResult
from rl_toolkit.envs.validation import Board, as_board, as_move, as_player
from rl_toolkit.utils import shown


class AdaptedGame(ColumnNames, FollowedState):
    """A game around the objects of a plain class; `adapt_game` makes its subclasses.

    Attributes:
        plain: the class whose objects are played.
    """

    _is_ready = False

    plain: ClassVar[type]
    #: Makes a game from ``plain`` and the attributes of a game that was pickled.
    _revive: ClassVar[Callable[[type, dict[str, Any]], AdaptedGame]]
    _readings: ClassVar[dict[tuple[int, ...], Reading]]
    _reading: Reading
    _positions: list[Snapshot]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._begin(type(self).plain(*args, **kwargs), None)

    @classmethod
    def of_object(cls, game: Any, start: Any) -> Self:
        """A game in the position of an object, or at ``start``, an object at its start."""
        env = cls.__new__(cls)
        env._begin(start, game)
        return env

    def _begin(self, start: Any, game: Any) -> None:
        """Set up the position of ``game``, or the start; ``start`` is an object at its start."""
        reading = self._read_like(start)
        super().__init__((reading.form.rows, reading.form.cols))
        self._reading = replace(reading, start=start)
        if game is None:
            self._take([self._reading.opening(self._opener(1))], [])
        else:
            self._take([self._as_it_is(game)], [])
        self._is_ready = True

    @classmethod
    def _read_like(cls, start: Any) -> Reading:
        """What is known about objects with such a board."""
        key = shape_of(start)
        if key not in cls._readings:
            cls._readings[key] = learn(cls.plain.__name__, start)
        return cls._readings[key]

    def _as_it_is(self, game: Any) -> Snapshot:
        """The position of an object that is in use; the object itself stays untouched."""
        reading = self._reading
        with reading.asked(reading.board):
            game = reading.copy_of(game)
            cells = reading.cells_of(game)
            player = reading.opener if int(cells.sum()) * reading.opener <= 0 else -reading.opener
            if reading.player is not None:
                player = reading.form.symbols.get(reading.symbol_of(game), player)
            here = reading.position(game, player)
        if here.winner and reading.player is not None:  # most classes pass the turn at the end too
            here = replace(here, player=here.winner)
        return here

    # --------------------------------------------------------------------- mandatory

    def reset(self, first_player: int = 1) -> Board:
        """Set up the starting position with ``first_player`` to move; return a copy of it."""
        player = as_player(first_player)
        if self._opener(player) != player:
            raise InvalidPositionError(f"{self.name} is always opened by the same side")
        self._take([self._reading.opening(player)], [])
        return self.board.copy()

    def _opener(self, player: int) -> int:
        return player if self._reading.can_choose_opener else self._reading.opener

    def step(self, move: int | str) -> StepResult:
        """Play ``move``; see `BaseGameEnv.step`."""
        number = self.as_played(move)
        self._notice_edits()
        here = self._here
        if here.winner is not None:
            raise GameOverError("the game is over; no more moves can be played")
        if number not in here.moves:
            known = 0 <= number < self.num_moves
            name = self.move_name(number) if known else shown(number)
            raise IllegalMoveError(f"{name} is not a legal move here")
        after = self._reading.play(here, number)
        self._take([*self._positions, after], [*self._moves, number])
        info = {
            "winner": self.winner,
            "winning_line": self.winning_line,
            "move_count": self.move_count,
            "last_move": self.last_move,
        }
        return self.board.copy(), float(after.winner or 0), self.done, info

    def get_legal_moves(self) -> list[int]:
        """Every legal move in increasing order; empty when the game is over."""
        self._notice_edits()
        return list(self._here.moves)

    def copy(self) -> Self:
        """A game in the same position; positions are never changed, so they can be shared."""
        self._notice_edits()
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self))
        twin._board = self._board.copy()
        twin._positions, twin._moves = list(self._positions), list(self._moves)
        return twin

    # ----------------------------------------------------------------------- history

    @property
    def _here(self) -> Snapshot:
        return self._positions[-1]

    def _take(self, positions: list[Snapshot], moves: list[int]) -> None:
        """Let the last of ``positions`` be the position of this game."""
        self._positions, self._moves = positions, moves
        self._board = self._here.cells.copy()
        self._player = self._here.player
        self._seen = (self._board.tobytes(), self._player)

    def _notice_edits(self) -> None:
        """Set up the position if board or player were assigned or written into."""
        if self._is_ready and self._seen != (self._board.tobytes(), self._player):
            self._recompute()

    def _recompute(self) -> None:
        if self._is_ready:
            self._take([set_up(self._reading, self._here, self._board, self._player)], [])

    @property
    def history(self) -> list[int]:
        """The moves since the start, or since the board was last assigned; oldest first."""
        self._notice_edits()
        return list(self._moves)

    def undo(self) -> int:
        """Take back the last move and return it."""
        self._notice_edits()
        if not self._moves:
            raise IllegalMoveError("there is no move to take back")
        move = self._moves[-1]
        self._take(self._positions[:-1], self._moves[:-1])
        return move

    def set_position(self, board: Any, player: int) -> None:
        """Set up ``board`` with ``player`` to move; see `BaseGameEnv.set_position`."""
        cells, player = as_board(board, self.rows * self.cols), as_player(player)
        self._take([set_up(self._reading, self._here, cells, player)], [])

    def _winner_now(self) -> int | None:
        return self._here.winner

    def _line_now(self) -> list[int] | None:
        return None if self._here.line is None else list(self._here.line)

    def _count_now(self) -> int:
        first = self._positions[0].cells
        started = int(np.count_nonzero(self._reading.cells_of(self._reading.start)))
        return int(np.count_nonzero(first)) - started + len(self._moves)

    def _last_now(self) -> int | None:
        return self._here.last if self._moves else None

    # ------------------------------------------------------------------------- moves

    @property
    def pass_move(self) -> int | None:
        """The move that passes, ``None`` in a game without passes."""
        return self.rows * self.cols if self._reading.passes else None

    def own_move(self, move: int) -> Any:
        """A legal move as the class writes it: the argument of its own step."""
        self._notice_edits()
        return self._here.moves[move]

    def own_object(self) -> Any:
        """An object of the class in this position."""
        self._notice_edits()
        return self._reading.copy_of(self._here.game)

    def landing_cell(self, move: int) -> int | None:
        """The cell where a legal ``move`` places a piece, ``None`` if it places none."""
        move = as_move(move)
        if self.traits.move_by == "cell":
            return None if move == self.pass_move else move
        self._notice_edits()
        return self._reading.play(self._here, move).last

    def winning_moves(self, player: int) -> list[int]:
        """The legal moves that would win immediately for ``player``, if it were their turn."""
        self._notice_edits()
        here = self._here
        if as_player(player) != here.player and here.winner is None:
            try:
                here = set_up(self._reading, here, here.cells, player)
            except InvalidPositionError:
                return []
        return [m for m in here.moves if self._reading.play(here, m).winner == player]

    def evaluate_heuristic(self, player: int) -> float:
        """The class's own ``evaluate_heuristic``, kept within [−1, 1]; 0 if it has none."""
        player = as_player(player)
        if self.is_terminal():
            return self.get_result(player)
        reading = self._reading
        if reading.heuristic is None:
            return 0.0
        with reading.asked(reading.heuristic):
            value = getattr(self._here.game, reading.heuristic)(reading.form.symbol(player))
            return float(min(1.0, max(-1.0, value)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._revive, (self.plain, vars(self))


class OneOpener(AdaptedGame):
    """A game that the same side always opens."""

    def reset(self) -> Board:  # type: ignore[override]
        """Set up the starting position; return a copy of it."""
        return super().reset(self._reading.opener)
