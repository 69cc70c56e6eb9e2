"""Plain classes that already have the usual form: they need no translation, only the base.

A class may keep a flat NumPy board of −1, 0 and +1, players ±1, moves that are numbers, and nothing
else that changes; then it only lacks the base class. For such a class `adapt_game` makes
``class Game(Plain, UsualForm, BaseGameEnv)``: its methods run on its own attributes, at nearly its
own speed, and the base derives the rest. Before that is trusted, random games are played beside
the translated game (`AdaptedGame`): the two must agree about everything.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
import types
from typing import Any, ClassVar, Self

import numpy as np

from rl_toolkit.adapting.column_names import ColumnNames
from rl_toolkit.adapting.game import AdaptedGame
from rl_toolkit.adapting.objects import Reading
from rl_toolkit.adapting.starts import start_of
from rl_toolkit.envs import BaseGameEnv, GameOverError, IllegalMoveError
from rl_toolkit.envs.derived import LISTS, MANDATORY, Recorded
from rl_toolkit.envs.validation import Board, as_player
from rl_toolkit.utils import shown

#: The attributes of a plain object that the base keeps with an underscore.
_STATE = ("board", "winner", "done", "move_count", "last_move", "winning_line")
#: Names of the base that a plain class may have too: what it means by them is tested by play.
_SHARED = {*_STATE, *MANDATORY, *LISTS, "current_player", "rows", "cols", "board_size"}
_SIDES = {1: 1, -1: -1}
#: Values of these types may be shared by copies.
_ATOMS = {bool, int, float, str, type(None)}
_GAMES = 4


class UsualForm(ColumnNames, Recorded):
    """What is put before a plain class in the usual form; `BaseGameEnv` comes after it.

    Attributes:
        plain: the class itself.
    """

    plain: ClassVar[type]
    #: The translated game, which knows how to set up positions.
    _adapted: ClassVar[type[AdaptedGame]]
    #: The attributes of plain objects; those besides the state of the game never change.
    _names: ClassVar[tuple[str, ...]]
    _kept: ClassVar[tuple[str, ...]]
    #: The type of the numbers on its own boards.
    _dtype: ClassVar[np.dtype[Any]]
    _begins_seen = True

    get_state_hash = BaseGameEnv.get_state_hash
    render = BaseGameEnv.render
    __repr__ = BaseGameEnv.__repr__
    __str__ = BaseGameEnv.__str__
    __eq__ = BaseGameEnv.__eq__
    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def _note_gaps(cls, base: type) -> None:
        super()._note_gaps(base)
        cls._has_gaps = True  # what its step returns is completed, and its moves are checked

    def reset(self, first_player: int = 1) -> Board:
        """Set up the starting position with ``first_player`` to move; return a copy of it."""
        player = as_player(first_player)
        if hasattr(self.plain, "reset"):
            self.plain.reset(self)
            self.current_player = player
        elif self._is_made:
            env = self._translated_start()
            env.reset(player)
            self._take(env)
        board: Board = self._board
        return board

    def copy(self) -> Self:
        """A game in the same position that shares nothing with this one."""
        twin = self.__class__.__new__(self.__class__)
        for name in self._kept:
            value = getattr(self, name)
            setattr(twin, name, value if type(value) in _ATOMS else _copied(value))
        twin._board = self._board.copy()
        return twin

    def evaluate_heuristic(self, player: int) -> float:
        """The class's own ``evaluate_heuristic``, kept within [−1, 1]; 0 if it has none."""
        player = as_player(player)
        if self.is_terminal():
            return float(self.get_result(player))
        own = getattr(self.plain, "evaluate_heuristic", None)
        if own is None:
            return 0.0
        thing = self if self._dtype == np.int8 else self.own_object()  # its numbers may not fit
        return float(min(1.0, max(-1.0, own(thing, player))))

    def own_object(self) -> Any:
        """An object of the plain class in this position."""
        self._notice_edits()
        thing: Any = object.__new__(self.plain)
        for name in self._names:
            value = getattr(self, f"_{name}" if name in _STATE else name)
            setattr(thing, name, copy.deepcopy(value))
        thing.board = thing.board.astype(self._dtype)
        return thing

    @classmethod
    def of_object(cls, thing: Any, start: Any) -> Self:
        """A game in the position of a plain object, which stays untouched."""
        game = cls.__new__(cls)
        game._take(cls._adapted.of_object(thing, start))
        game._remember_position()
        return game

    def _take(self, env: AdaptedGame) -> None:
        """Take the position of a translated game."""
        thing = env.own_object()
        for name in self._names:
            setattr(self, f"_{name}" if name in _STATE else name, getattr(thing, name))
        self.rows, self.cols, self._is_made = env.rows, env.cols, True
        self.board_size = getattr(thing, "board_size", env.board_size)
        self._board = env.board.copy()
        self._winner, self._done, self._winning_line = env.winner, env.done, env.winning_line
        self._move_count, self._last_move, self._legal_here = env.move_count, env.last_move, None
        self.current_player = env.current_player

    def _judge_edits(self) -> None:
        """Set up a board that was assigned as the translated game does: by play, if possible."""
        self._busy = True
        try:
            env = self._translated_start()
            env.set_position(self._board, self.current_player)
        finally:
            self._busy = False
        self._take(env)

    def _translated_start(self) -> AdaptedGame:
        """The translated game at its start, on a board of the same size."""
        return self._adapted.of_object(None, start_of(self.plain, self.own_object()))

    def _refuse_illegal(self, move: int) -> None:
        if self.is_terminal():
            raise GameOverError("the game is over; no more moves can be played")
        name = self.move_name(move) if 0 <= move < self.num_moves else shown(move)
        raise IllegalMoveError(f"{name} is not a legal move here")

    def __reduce__(self) -> tuple[Any, ...]:
        return self._adapted._revive, (self.plain, vars(self))


def usual_class(
    adapted: type[AdaptedGame], reading: Reading, contents: dict[str, Any]
) -> type[UsualForm] | None:
    """The class on the base that plays as a plain class, ``None`` if that has another form."""
    plain = adapted.plain
    if not _looks_usual(plain, reading):
        return None
    names = tuple(vars(reading.start))
    kept = {name for name in names if name not in (*_STATE, "current_player")}
    contents = contents | {
        "_adapted": adapted,
        "_names": names,
        "_dtype": reading.start.board.dtype,
        "_kept": tuple(sorted(kept | {"rows", "cols", "board_size", "_is_made"})),
    }
    try:
        usual = types.new_class(
            plain.__name__, (UsualForm, plain, BaseGameEnv), {}, lambda body: body.update(contents)
        )
        with contextlib.redirect_stdout(io.StringIO()):
            agree = all(_agree(usual, adapted, kept, number) for number in range(_GAMES))
    except Exception:  # the class cannot be put on the base
        return None
    return usual if agree else None


def _copied(value: Any) -> Any:
    """The value itself if it cannot change, else a deep copy."""
    is_fixed = type(value) is tuple and all(type(part) in _ATOMS for part in value)
    return value if is_fixed else copy.deepcopy(value)


def _looks_usual(plain: type, reading: Reading) -> bool:
    """Whether names, board, players and moves are as the base has them."""
    board = getattr(reading.start, reading.board, None)
    names = {*dir(plain), *getattr(reading.start, "__dict__", {})} - {*dir(object)}
    clashes = (names & {*dir(BaseGameEnv)}) - _SHARED - {*vars(UsualForm)}
    return (
        (reading.board, reading.step, reading.player) == ("board", "step", "current_player")
        and reading.legal in LISTS
        and reading.form.moves in ("cell", "column")
        and not (reading.form.first or reading.takes_pair or reading.takes_player or reading.switch)
        and not (reading.passes or reading.prints or reading.form.is_transposed)
        and reading.form.marks == reading.form.symbols == _SIDES
        and type(board) is np.ndarray
        and board.ndim == 1
        and getattr(reading.start, "winner", None) is None
        and reading.places
        and reading.can_choose_opener
        and not issubclass(plain, BaseGameEnv)
        and plain.__new__ is object.__new__
        and not any(hasattr(owner, "__slots__") for owner in plain.__mro__[:-1])
        and not {name for name in clashes if not name.startswith("__")}
    )


def _agree(usual: Any, adapted: type[AdaptedGame], kept: set[str], number: int) -> bool:
    """Whether a random game is the same on the base and in the translation."""
    rng, one, two = random.Random(number), usual(), adapted()
    first = 1 if number % 2 else -1
    boards = one.reset(first), two.reset(first)
    constants = {name: repr(getattr(one, name)) for name in kept}
    answers: tuple[Any, Any] = ((), ())
    while np.array_equal(*boards) and answers[0] == answers[1] and _state(one) == _state(two):
        own = two.own_object()
        if constants != {name: repr(getattr(own, name)) for name in kept}:
            return False
        if any(getattr(own, name, None) not in (None, getattr(two, name)) for name in _TOLD):
            return False
        if two.is_terminal():
            return True
        move = rng.choice(two.get_legal_moves())
        one, two = one.copy(), two.copy()
        (board, *answer), (other_board, *other) = one.step(move)[:3], two.step(move)[:3]
        boards, answers = (board, other_board), (answer, other)
    return False


#: What a plain object may say besides, which must then be what the base says.
_TOLD = ("move_count", "last_move")


def _state(env: Any) -> tuple[Any, ...]:
    """What a game says about its position."""
    over = env.is_terminal()
    results = [(env.check_win(p), env.get_result(p) if over else None) for p in (1, -1)]
    if not over:
        with contextlib.suppress(ValueError):
            results.append(env.get_result(1))  # this should be refused before the end
    state = (env.current_player, env.winner, env.done, env.move_count, env.last_move, over)
    return (*state, results, env.get_legal_moves(), env.board.tobytes())
