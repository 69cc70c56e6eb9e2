"""`Recorded`: every game has a history and can take moves back, also if its author wrote neither.

A class writes ``step``; people call ``step`` and later ``undo``. So ``step`` must leave a trace,
and the only place where that can be arranged without asking the author is the definition of the
class: `record_moves` decorates its ``__init__``, ``step``, ``reset``, ``copy`` and ``undo``, and
the lists of legal moves of a class with gaps. The decorators do three things and no more:

* while one of these methods runs, the game is *busy*: what it does to itself is its own affair
* ``step`` adds the move to ``_past``; a copy shares that tuple; ``reset`` empties it
* the position is remembered, so that a board which others assign or write into is noticed

No snapshots are taken on the way, except one before the first move. The first `undo` plays the
other moves again from there, and keeps a copy before each. A game that is taken back once will be
taken back again, by a search: from then on it keeps a copy before every move. Copies of a game
share its plies, so what one of them keeps serves all.

These functions run at every node of a student's search. They read slots directly and avoid
``vars``: an object whose ``__dict__`` was asked for has slower attributes ever after.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Hashable
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np

from rl_toolkit.envs.derived.completing import LISTS, Completing
from rl_toolkit.envs.derived.own_form import unless_own
from rl_toolkit.envs.errors import IllegalMoveError, InvalidPositionError
from rl_toolkit.envs.validation import Board, as_board, as_move, sides_of

Method = Callable[..., Any]
_INT8 = np.dtype(np.int8)


class Ply:
    """A move and a copy of the game before it, ``None`` until that is kept; it has no history."""

    __slots__ = ("before", "move")

    def __init__(self, move: int, before: Any) -> None:
        self.move, self.before = move, before

    def __deepcopy__(self, memo: Any) -> Ply:
        return self  # copies of a game share its plies


def _follows(slot: str, doc: str) -> Any:
    """An attribute that follows from the position; a class's own methods see what they assigned."""
    value = attrgetter(slot)

    def read(env: Recorded) -> Any:
        if env._busy or env._own_form:
            return value(env)
        if env._seen != (env._board.tobytes(), env.current_player):
            env._notice_edits()
        return value(env)

    def write(env: Recorded, new: Any) -> None:
        setattr(env, slot, new)

    return property(read, write, doc=doc)


class Recorded(Completing):
    """A game that notices moves and edits."""

    winner: int | None = _follows("_winner", "None until the game is over, 0 for a draw.")
    done: bool = _follows("_done", "Whether the game has ended.")
    move_count: int = _follows("_move_count", "Plies played so far.")
    last_move: int | None = _follows("_last_move", "The cell of the last piece placed, or None.")
    winning_line: list[int] | None = _follows("_winning_line", "The cells that won, or None.")

    #: Whether the class does all this itself, as the built-in games do.
    _keeps_own_history: ClassVar[bool] = False
    #: The arguments of the constructor, for the base's ``reset``.
    _made_with: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})
    _is_made = False
    #: The board that a constructor has set up by ``reset``: the start, which is not judged.
    _was_reset: bytes | None = None
    _past: tuple[Ply, ...] = ()
    _seen: Hashable = None
    _takes_back = False
    #: Whether a new object is known to be at the start of a game, so that nothing need be judged.
    _begins_seen: ClassVar[bool] = False

    # ------------------------------------------------------------------ the board

    def _set_board(self, board: Any) -> None:
        if self._busy or self._own_form:
            # The class's own affair, see `_take_form`; but games never share a flat board.
            is_flat = type(board) is np.ndarray and board.ndim == 1
            self._board = _own_copy(board) if is_flat else board
        else:
            if not self.rows:
                self.rows, self.cols = sides_of(board)
            self._board = as_board(board, self.rows * self.cols)
            self._seen = None

    board: Board = property(  # type: ignore[assignment]
        attrgetter("_board"), _set_board, doc="The board; assigning it changes the position."
    )

    def _take_form(self) -> bool:
        """Whether the class has the usual form: a flat array of −1, 0 and 1, and players ±1."""
        board = self._board
        if not self.rows:  # a class that does not call BaseGameEnv.__init__
            self.rows, self.cols = sides_of(board)
        if not self.board_size:
            self.board_size = self.rows if self.rows == self.cols else (self.rows, self.cols)
        if type(board) is not np.ndarray or board.ndim != 1 or self.current_player not in (1, -1):
            self._own_form = True
        elif board.dtype.char != "b":
            try:
                self._board = as_board(board, len(board))
            except InvalidPositionError:
                self._own_form = True
        return not self._own_form

    # ------------------------------------------------------------------- history

    @property
    @unless_own
    def history(self) -> list[int]:
        """The moves since the start, or since the board was last assigned; oldest first."""
        self._notice_edits()
        return [ply.move for ply in self._past]

    @unless_own
    def undo(self) -> int:
        """Take back the last move and return it.

        The first time, the game is played again from its first move: what others assigned to
        attributes of the class between the moves is lost, what ``step`` prints is printed again,
        and a ``step`` that draws lots draws them anew.
        """
        self._notice_edits()
        if not self._past:
            raise IllegalMoveError("there is no move to take back")
        past, last = self._past[:-1], self._past[-1]
        self._return_to_ply(self._played_again(past) if last.before is None else last.before, past)
        self._takes_back = True
        return last.move

    def start(self) -> Self:
        """A new game in the position in which `history` begins.

        A class may use this name, and `after`, for something else: code that gets games of any
        class calls ``BaseGameEnv.start(env)``.
        """
        moves = self.history
        if self._past:
            first: Self = self._past[0].before.copy()
            return first
        game = self.copy()
        for _ in moves:
            game.undo()
        return game

    def _return_to_ply(
        self, before: Recorded, past: tuple[Ply, ...], *, keeps_others: bool = False
    ) -> None:
        """Take the position of another game, and a history; attributes of others may be kept."""
        twin = before.copy()  # copies of this game may hold the other one too
        if not keeps_others:
            vars(self).clear()
        vars(self).update(vars(twin))
        self._past = past
        self._remember_position()

    def _played_again(self, past: tuple[Ply, ...]) -> Self:
        """The game after ``past``, played again from the latest copy; each ply then keeps one."""
        latest = max(k for k, ply in enumerate(past) if ply.before is not None)
        game: Self = past[latest].before.copy()
        for ply in past[latest:]:
            if ply.before is None:
                ply.before = game._without_history()
            game.step(ply.move)
        return game

    def _without_history(self) -> Self:
        """A copy without a history."""
        twin = self.copy()
        twin._past = ()
        return twin

    def _remember_position(self) -> None:
        self._seen = (self._board.tobytes(), self.current_player)

    def _notice_edits(self) -> None:
        """Judge the position anew if board or player were changed from outside."""
        if self._busy or self._own_form:
            return
        if self._seen != (self._board.tobytes(), self.current_player):
            self._past = ()
            self._judge_edits()
            self._remember_position()


# ------------------------------------------------------------------------------ decorators


def _assign_board(env: Recorded, board: Any) -> None:
    env.board = board


def _keeps_array(board: Any) -> bool:
    """Whether a class's own property ``board`` keeps the array where the base looks for it."""
    code = getattr(getattr(board, "fget", None), "__code__", None)
    return code is not None and "_board" in code.co_names


def record_moves(cls: type[Recorded]) -> None:
    """Decorate the methods of a class that make, play, set up, copy and take back; each once."""
    if cls._keeps_own_history:
        return
    if cls.board is not Recorded.board and not _keeps_array(cls.board):  # a property of its own
        cls._board = property(  # type: ignore[assignment]
            lambda env: np.asarray(env.board), _assign_board
        )
    for name, record in _RECORDERS.items():
        method = getattr(cls, name)
        if name in LISTS and not (cls._has_gaps and name in cls._supplied):
            continue
        # `functools.wraps` of a decorator in the class copies the mark, so it names its function.
        is_recorded = getattr(method, "_is_recorded", None) is method
        is_right = is_recorded or method is getattr(Recorded, name, None)
        if is_right or getattr(method, "__isabstractmethod__", False):
            continue
        if name == "get_legal_moves" or (name in LISTS and "get_legal_moves" not in cls._supplied):
            cls._class_listing = method
        recorded = functools.wraps(method)(record(method))
        recorded._is_recorded = recorded  # type: ignore[attr-defined]
        setattr(cls, name, recorded)


def _record_init(init: Method) -> Method:
    """``__init__`` after which the form of the board is known."""

    def recorded_init(self: Recorded, *args: Any, **kwargs: Any) -> None:
        if self._is_made:  # ``reset`` may call it again
            self._clear_state()
        if self._busy:  # it is called by the constructor of a subclass
            init(self, *args, **kwargs)
            return
        self._made_with = (args, kwargs)
        self._busy = True
        try:
            init(self, *args, **kwargs)
        finally:
            self._busy = False
        self._is_made = True
        has_sides = self.rows and self.board_size
        if not has_sides or self.current_player not in (1, -1) or not _is_usual(self._board):
            self._take_form()
        begins = self._begins_seen or self._was_reset is not None
        if begins and not self._own_form and self._was_reset in (None, self._board.tobytes()):
            self._remember_position()

    return recorded_init


def _own_copy(board: Any) -> Any:
    """A copy of a flat array, with numbers as the base keeps them if they fit."""
    if board.dtype is not _INT8:
        with contextlib.suppress(InvalidPositionError):
            return as_board(board, len(board))
    return board.copy()


def _is_usual(board: Any) -> bool:
    return type(board) is np.ndarray and board.dtype is _INT8 and board.ndim == 1


def _record_step(step: Method) -> Method:
    """``step`` that adds its move to the history; a class with gaps is completed."""

    def recorded_step(self: Recorded, *args: Any, **kwargs: Any) -> Any:
        if self._busy or self._own_form:
            return step(self, *args, **kwargs)
        board = self._board
        if self._seen != (board.tobytes(), self.current_player):
            self._notice_edits()
            board = self._board
        if not args:  # a keyword: step(action=4)
            if not kwargs:
                return step(self)  # Python says what is missing
            args = (kwargs.pop(next(iter(kwargs))),)
        move = args[0]
        if type(move) is not int and isinstance(move, str):
            move = self.as_played(move)
        has_gaps = self._has_gaps
        if has_gaps:
            legal = self._list_legal() if self._legal_here is None else self._legal_here
            if legal is None:  # its moves are not numbers
                return step(self, *args, **kwargs)
            if type(move) is not int:
                move = as_move(move)
            if move not in legal:
                self._refuse_illegal(move)
        past, kept = self._past, None
        if self._takes_back or not past:
            kept = self._without_history()
        before: Any = self._seen, self._move_count, self._last_move
        self._busy = True
        try:
            if kwargs or len(args) > 1:
                answer = step(self, move, *args[1:], **kwargs)
            else:
                answer = step(self, move)
            if self._board is not board and not _is_usual(self._board):
                self._board = as_board(self._board, self.rows * self.cols)
            if has_gaps:
                answer = self._complete_step(move, before, answer)
        except Exception:
            self._busy = False
            if has_gaps:
                earlier = self._played_again(past) if kept is None else kept
                self._return_to_ply(earlier, past, keeps_others=True)
            raise
        finally:
            self._busy = False
        if not self._own_form:
            self._past = (*past, Ply(int(move), kept))
            self._seen = (self._board.tobytes(), self.current_player)
        return answer

    return recorded_step


def _record_reset(reset: Method) -> Method:
    """``reset`` that clears the history."""

    def recorded_reset(self: Recorded, *args: Any, **kwargs: Any) -> Any:
        if self._busy or self._own_form:
            answer = reset(self, *args, **kwargs)
            if not self._is_made and type(self._board) is np.ndarray:  # called by a constructor
                self._was_reset = self._board.tobytes()
            return answer
        self._busy = True
        try:
            answer = reset(self, *args, **kwargs)
        finally:
            self._busy = False
        if not self._take_form():
            return answer
        self._past = ()
        if self._has_gaps:
            self._clear_state()
            answer = self._board.copy()
        self._remember_position()
        return answer

    return recorded_reset


def _record_copy(copy: Method) -> Method:
    """``copy`` that shares the history, which the class's own ``copy`` does not see."""

    def recorded_copy(self: Recorded, *args: Any, **kwargs: Any) -> Any:
        if self._own_form:
            return copy(self, *args, **kwargs)
        if not self._busy and self._seen != (self._board.tobytes(), self.current_player):
            self._notice_edits()
        past = self._past
        if self._busy:
            twin = copy(self, *args, **kwargs)
        else:
            self._busy = True
            try:
                twin = copy(self, *args, **kwargs)
            finally:
                self._busy = False
        if self._has_gaps:
            self._share_state(twin)
        twin._past, twin._seen, twin._busy = past, self._seen, False
        return twin

    return recorded_copy


def _record_undo(undo: Method) -> Method:
    """A class's own ``undo`` that also removes the move from the history."""

    def recorded_undo(self: Recorded, *args: Any, **kwargs: Any) -> Any:
        if self._busy or self._own_form:
            return undo(self, *args, **kwargs)
        self._notice_edits()
        if not self._past:
            raise IllegalMoveError("there is no move to take back")
        self._busy = True
        try:
            move = undo(self, *args, **kwargs)
        finally:
            self._busy = False
        self._past = self._past[:-1]
        self._remember_position()
        return move

    return recorded_undo


def _record_legal(listing: Method) -> Method:
    """Legal moves of a class with gaps, as increasing ints, none at the end.

    The class is asked once a position, and again before a move is refused.
    """

    def recorded_legal(self: Recorded) -> Any:
        if self._busy or self._own_form or not self._has_gaps:
            return listing(self)
        if self._seen != (self._board.tobytes(), self.current_player):
            self._notice_edits()
        legal = self._list_legal() if self._legal_here is None else self._legal_here
        return listing(self) if legal is None else legal.copy()

    return recorded_legal


_RECORDERS: dict[str, Callable[[Method], Method]] = {
    "__init__": _record_init,
    "step": _record_step,
    "reset": _record_reset,
    "copy": _record_copy,
    "undo": _record_undo,
    **dict.fromkeys(LISTS, _record_legal),
}
