"""`adapt_game`: a game of the toolkit from a plain class or from one of its objects.

>>> class Strip:
...     '''Three in a row on a strip of five cells.'''
...     def __init__(self):
...         self.board, self.turn, self.winner = [" "] * 5, "X", None
...     def legal_moves(self):
...         return [k for k in range(5) if self.board[k] == " "]
...     def play(self, cell):
...         self.board[cell] = self.turn
...         if self.turn * 3 in "".join(self.board):
...             self.winner = self.turn
...         self.turn = "O" if self.turn == "X" else "X"
>>> env = adapt_game(Strip)()
>>> env.step("c1")[0].tolist(), env.current_player, env.undo()
([0, 0, 1, 0, 0], -1, 2)
"""

from __future__ import annotations

import copy
import inspect
import re
from dataclasses import replace
from typing import Any, ClassVar, Self, cast
from weakref import WeakKeyDictionary

import numpy as np

from rl_toolkit.envs.base_game import BaseGameEnv, StepResult
from rl_toolkit.envs.derived.own_form import keeps_own_form, take_own_form
from rl_toolkit.envs.derived.state import FollowedState
from rl_toolkit.envs.errors import (
    AdaptationError,
    GameError,
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
)
from rl_toolkit.envs.failures import described
from rl_toolkit.envs.plain import spellings
from rl_toolkit.envs.plain.boards import BoardFormatError, read_cells
from rl_toolkit.envs.plain.learning import learn
from rl_toolkit.envs.plain.objects import Position, Reading
from rl_toolkit.envs.plain.set_up import set_up
from rl_toolkit.envs.plain.spellings import ask, found, method
from rl_toolkit.envs.registry import free_name
from rl_toolkit.envs.traits import GameTraits
from rl_toolkit.envs.validation import Board, as_board, as_move, as_player, shown

_ADAPTED: WeakKeyDictionary[type, type[AdaptedGame]] = WeakKeyDictionary()
_BEING_LEARNED: set[type] = set()


class AdaptedGame(FollowedState):
    """A game around the objects of a plain class; `adapt_game` makes its subclasses.

    Attributes:
        plain: the class whose objects are played.
    """

    _is_ready = False

    plain: ClassVar[type]
    _readings: ClassVar[dict[tuple[int, ...], Reading]]
    _reading: Reading
    _positions: list[Position]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._begin(type(self).plain(*args, **kwargs), None)

    def _begin(self, start: Any, game: Any) -> None:
        """Set up the position of ``game``, or the start; ``start`` is an object at its start."""
        reading = self._read_like(start)
        super().__init__((reading.rows, reading.cols))
        self._reading = replace(reading, start=start)
        if game is None:
            self._take([self._reading.opening(self._opener(1))], [])
        else:
            self._take([self._as_it_is(game)], [])
        self._is_ready = True

    @classmethod
    def _read_like(cls, start: Any) -> Reading:
        """What is known about objects with such a board."""
        key = _shape(start)
        if key not in cls._readings:
            cls._readings[key] = learn(cls.plain.__name__, start)
        return cls._readings[key]

    def _as_it_is(self, game: Any) -> Position:
        """The position of an object that is in use; the object itself stays untouched."""
        reading = self._reading
        with reading.asked(reading.board):
            game = reading.copy_of(game)
            cells = reading.cells_of(game)
            player = reading.opener if int(cells.sum()) * reading.opener <= 0 else -reading.opener
            if reading.player is not None:
                player = reading.symbols.get(reading.symbol_of(game), player)
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
    def _here(self) -> Position:
        return self._positions[-1]

    def _take(self, positions: list[Position], moves: list[int]) -> None:
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
    def num_moves(self) -> int:
        """One move per cell, and a pass; or one per column."""
        if self.traits.move_by == "column":
            return self.cols
        return self.rows * self.cols + self._reading.passes

    @property
    def pass_move(self) -> int | None:
        """The move that passes, ``None`` in a game without passes."""
        return self.rows * self.cols if self._reading.passes else None

    def own_move(self, move: int) -> Any:
        """A legal move as the class writes it: the argument of its own step."""
        self._notice_edits()
        return self._here.moves[move]

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
            value = getattr(self._here.game, reading.heuristic)(reading.symbol(player))
            return float(min(1.0, max(-1.0, value)))

    def move_name(self, move: int) -> str:
        """The move as people write it: ``b2``, the letter of a column, ``pass``."""
        if self.traits.move_by == "column" and 0 <= as_move(move) < self.cols:
            return chr(ord("a") + move)
        if move == self.pass_move and self.pass_move is not None:
            return "pass"
        return super().move_name(move)

    def parse_move(self, text: str) -> int:
        """The move that ``text`` names; a column is a letter or a number from 1."""
        word = text.strip().lower() if isinstance(text, str) else ""
        if word == "pass" and self.pass_move is not None:
            return self.pass_move
        if self.traits.move_by == "cell":
            return super().parse_move(text)
        column = -1
        if re.fullmatch(r"[0-9]{1,4}", word):
            column = int(word) - 1
        elif re.fullmatch(r"[a-z]", word):
            column = ord(word) - ord("a")
        if not 0 <= column < self.cols:
            raise InvalidMoveError(
                f"{shown(text)} is not a move here; moves are columns, "
                f"a-{self.move_name(self.cols - 1)} or 1-{self.cols}"
            )
        return column

    def __reduce__(self) -> tuple[Any, ...]:
        return _revived, (self.plain, vars(self))


class _OneOpener(AdaptedGame):
    """A game that the same side always opens."""

    def reset(self) -> Board:  # type: ignore[override]
        """Set up the starting position; return a copy of it."""
        return super().reset(self._reading.opener)


def adapt_game(game: Any) -> Any:
    """A game class from a plain class, or a game in progress from one of its objects.

    Boards, players, moves and results are found by their usual names and by playing a few games;
    what is missing (``copy``, ``reset``, ``undo``, names of moves, …) is derived. Classes and
    objects of the toolkit are returned as they are, except those that keep their own form (see
    `envs.derived.own_form`).

    Raises `AdaptationError`, with a sentence for each thing that could not be derived.
    """
    kind = game if isinstance(game, type) else type(game)
    if issubclass(kind, BaseGameEnv) and not keeps_own_form(kind):
        return game
    if isinstance(game, type):
        return _adapted(game, None)
    kind = _adapted(type(game), game)
    env = kind.__new__(kind)
    env._begin(_start_of(type(game), game), game)
    return env


def as_game(game: Any) -> BaseGameEnv:
    """``game`` itself if it is a game of the toolkit, else what `adapt_game` makes from it."""
    if isinstance(game, BaseGameEnv) and not keeps_own_form(type(game)):
        return game
    if isinstance(game, type):
        raise TypeError(f"this needs a game in progress: {game.__name__}(), with parentheses")
    return cast("BaseGameEnv", adapt_game(game))


def is_being_learned(plain: type) -> bool:
    """Whether `adapt_game` is playing objects of ``plain`` to find out how they work."""
    return plain in _BEING_LEARNED


def own_move(env: BaseGameEnv, move: int) -> Any:
    """The move as the game's own step takes it: the number, unless the game was adapted."""
    return env.own_move(move) if isinstance(env, AdaptedGame) else move


def play_move(game: Any, move: int) -> None:
    """Play ``move`` in ``game`` itself, which may be a plain object."""
    env = as_game(game)
    if env is game:
        env.step(move)
        return
    assert isinstance(env, AdaptedGame)
    reading = env._reading
    with reading.asked(reading.step):
        answer = reading.play_in(game, env.own_move(move), env.current_player)
    if isinstance(answer, type(game)):
        raise GameError(f"{reading.title}.{reading.step} makes a new object for each move")


def _adapted(plain: type, example: Any) -> type[AdaptedGame]:
    """The game class around ``plain``, the same one every time."""
    if plain not in _ADAPTED:
        if issubclass(plain, BaseGameEnv) and plain._form != "own":  # it was made elsewhere
            take_own_form(plain)
        start = _start_of(plain, example)
        _BEING_LEARNED.add(plain)
        try:
            reading = learn(plain.__name__, start)
        finally:
            _BEING_LEARNED.discard(plain)
        base = AdaptedGame if reading.can_choose_opener else _OneOpener
        contents: dict[str, Any] = {
            "__doc__": plain.__doc__ or f"{plain.__name__}, adapted.",
            "__module__": plain.__module__,
            "__qualname__": plain.__qualname__,
            "plain": plain,
            "_readings": {_shape(start): reading},
            "traits": _traits(plain, reading),
        }
        _ADAPTED[plain] = type(plain.__name__, (base,), contents)
    return _ADAPTED[plain]


def _start_of(plain: type, example: Any) -> Any:
    """An object in its starting position: ``example``, copied and reset, or a new one like it."""
    if example is not None:
        fresh = copy.deepcopy(example)
        name = method(fresh, spellings.RESET, 0)
        if name is not None:
            answer = getattr(fresh, name)()
            return answer if isinstance(answer, plain) else fresh
    try:
        start = plain(**_made_with(plain, example))
    except TypeError as error:
        raise AdaptationError(
            plain.__name__, (f"{plain.__name__}() cannot be called without arguments: {error}.",)
        ) from error
    except Exception as error:
        what = f"{plain.__name__}() raised {described(error, plain)}."
        raise AdaptationError(plain.__name__, (what,)) from error
    if example is not None and _shape(start) != _shape(example):
        what = f"this object has another board than {plain.__name__}(): add a method reset(self)."
        raise AdaptationError(plain.__name__, (what,))
    return start


def _made_with(plain: type, example: Any) -> dict[str, Any]:
    """The sizes and lengths that ``example`` was made with, if they are attributes of it."""
    if example is None:
        return {}
    try:
        parameters = inspect.signature(plain).parameters
    except (TypeError, ValueError):
        return {}
    found = {name: getattr(example, name, None) for name in parameters}
    return {
        name: value
        for name, value in found.items()
        if isinstance(value, (int, tuple)) and name not in spellings.CHANGING
    }


def _shape(start: Any) -> tuple[int, ...]:
    """What tells boards of different sizes apart."""
    name = found(start, spellings.BOARD)
    if name is None:
        return ()
    try:
        cells = read_cells(ask(start, name))
    except BoardFormatError:
        return ()
    return (len(cells.marks), *(cells.sides or ()))


def _traits(plain: type, reading: Reading) -> GameTraits:
    """The traits that play has shown, or those that the class declares."""
    by_column = reading.kind in ("column", "letter")
    name, title = free_name(plain.__name__)
    shown_by_play = GameTraits(
        name=name,
        title=title,
        pieces=_piece_names(reading),
        style="discs" if by_column else "marks",
        row_one_at="bottom" if by_column and reading.falls_to_row_one else "top",
        move_by="column" if by_column else "cell",
        passes=reading.passes,
        has_heuristic=reading.heuristic is not None,
    )
    # The traits of a class on the base are complete, so that they do not show what it declares.
    name = "_declared_traits" if issubclass(plain, BaseGameEnv) else "traits"
    declared = getattr(plain, name, None)
    if not isinstance(declared, GameTraits):
        return shown_by_play
    return replace(declared, move_by=shown_by_play.move_by, passes=shown_by_play.passes)


def _piece_names(reading: Reading) -> tuple[str, str]:
    """The names of the pieces, if the class has names and not numbers."""
    for table in (reading.symbols, reading.marks):
        names = {side: name for name, side in table.items()}
        pair = (names[1], names[-1])
        if all(isinstance(name, str) and 0 < len(name.strip()) <= 12 for name in pair):
            first, second = (str(name).strip() for name in pair)
            if first.isprintable() and second.isprintable() and first != second:
                return first[0].upper() + first[1:], second[0].upper() + second[1:]
    return "X", "O"


def _revived(plain: type, state: dict[str, Any]) -> AdaptedGame:
    kind = _adapted(plain, state["_positions"][-1].game)
    env = kind.__new__(kind)
    vars(env).update(state)
    return env
