"""`Reading`: how to read and play the objects of one plain class, on boards of one size.

How board, moves and players look is its `Form`; the names of attributes and methods are added here.

Objects are never changed after they were read: a move is played on a copy. So positions can be
shared by games, kept for `undo`, and searched.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import threading
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from rl_toolkit.adapting.boards import BoardFormatError
from rl_toolkit.adapting.failures import error_text
from rl_toolkit.adapting.form import Form
from rl_toolkit.adapting.spellings import ask
from rl_toolkit.envs import GameError, GameFailedError, IllegalMoveError
from rl_toolkit.envs.validation import Board
from rl_toolkit.utils import shown

_SILENCE = threading.RLock()


@dataclass(frozen=True, eq=False)
class Snapshot:
    """An object in one position, and what it says about it.

    Attributes:
        game: the object, which nobody changes any more.
        cells: the board as −1, 0 and +1.
        player: the side to move; at the end, the side that made the last move.
        winner: ``None`` while the game is in progress, 0 for a draw.
        moves: legal move → the move as the class writes it.
        last: the cell of the last piece; ``line`` the cells that won, if the class tells them.
    """

    game: Any
    cells: Board
    player: int
    winner: int | None
    moves: Mapping[int, Any]
    last: int | None = None
    line: tuple[int, ...] | None = None


@dataclass
class Reading:
    """What was learned about a class; the names are those of its attributes and methods."""

    title: str
    start: Any
    form: Form
    board: str
    step: str
    player: str | None = None
    legal: str | None = None
    is_legal: str | None = None
    done: str | None = None
    winner: str | None = None
    has_won: str | None = None
    result: str | None = None
    copies: str | None = None
    switch: str | None = None
    line: str | None = None
    heuristic: str | None = None
    takes_pair: bool = False
    takes_player: bool = False
    passes: bool = False
    places: bool = True
    prints: bool = False
    can_choose_opener: bool = False
    winners_are_marks: bool = False
    rewards: Literal["mover", "first"] | None = None
    opener: int = 1
    cell_of: dict[Hashable, int | None] = field(default_factory=dict)

    def note(self, **changes: Any) -> None:
        """Change the form by what was found out."""
        self.form = replace(self.form, **changes)

    # ------------------------------------------------------------------ questions

    @contextlib.contextmanager
    def asked(self, what: str) -> Iterator[None]:
        """Errors of the class become a `GameFailedError` with its line; prints are dropped."""
        try:
            if not self.prints:
                yield
                return
            with _SILENCE, contextlib.redirect_stdout(io.StringIO()):
                yield
        except GameError:
            raise
        except Exception as error:
            message = error_text(error, type(self.start))
            raise GameFailedError(f"{self.title}.{what} raised {message}") from error

    def marks_of(self, game: Any) -> tuple[Hashable, ...]:
        """The contents of the cells, row by row, as the class writes them."""
        with self._reads_board():
            return self.form.contents(ask(game, self.board))

    def cells_of(self, game: Any) -> Board:
        """The board as −1, 0 and +1."""
        with self._reads_board():
            cells = self.form.read(ask(game, self.board))
        cells.flags.writeable = False
        return cells

    @contextlib.contextmanager
    def _reads_board(self) -> Iterator[None]:
        try:
            yield
        except BoardFormatError as error:
            raise GameError(f"the board of {self.title} {error}") from error

    def symbol_of(self, game: Any) -> Hashable:
        """Whose turn it is, as the class writes it."""
        assert self.player is not None
        return plain_symbol(ask(game, self.player))

    def own_moves(self, game: Any) -> list[Any]:
        """The legal moves as the class writes them."""
        if self.legal is not None:
            return listed_moves(ask(game, self.legal))
        assert self.is_legal is not None
        check = getattr(game, self.is_legal)
        if self.takes_pair:
            pairs = [(r, c) for r in range(self.form.rows) for c in range(self.form.cols)]
            return [pair for pair in pairs if holds(check, *pair)]
        return [move for move in range(self.form.rows * self.form.cols) if holds(check, move)]

    # ---------------------------------------------------------------------- moves

    def copy_of(self, game: Any) -> Any:
        """A copy of an object, by its own method if that can be trusted."""
        return copy.deepcopy(game) if self.copies is None else getattr(game, self.copies)()

    def opening(self, player: int) -> Snapshot:
        """The starting position with ``player`` to move."""
        with self.asked(self.board):
            game = self.copy_of(self.start)
            if player != self.opener:
                self.give_turn(game, player)
            return self.position(game, player)

    def give_turn(self, game: Any, player: int) -> None:
        """Let it be the turn of ``player``; raises ``AttributeError`` if that is not possible."""
        if self.player is None:
            return
        setattr(game, self.player, self.form.symbol(player))

    @functools.cached_property
    def falls_to_row_one(self) -> bool:
        """Whether the first piece of a column lands in the first row of the board."""
        here = self.opening(self.opener)
        after = self.play(here, next(iter(here.moves)))
        return after.last is not None and after.last < self.form.cols

    def play(self, before: Snapshot, move: int) -> Snapshot:
        """The position after a legal move."""
        own = before.moves[move]
        with self.asked(f"{self.step}({shown(own)})"):
            game, answer = self.play_own(before.game, own, before.player)
            after = self.position(game, before.player, answer, before)
        if np.array_equal(before.cells, after.cells) and move < self.form.rows * self.form.cols:
            raise IllegalMoveError(f"{self.title}.{self.step}({shown(own)}) changed nothing")
        return after

    def play_own(self, game: Any, own: Any, player: int) -> tuple[Any, Any]:
        """A copy of the object after a move of its own, and what its step returned."""
        game = self.copy_of(game)
        answer = self.play_in(game, own, player)
        if isinstance(answer, type(game)):  # a class whose moves make new objects
            game, answer = answer, None
        return game, answer

    def play_in(self, game: Any, own: Any, player: int) -> Any:
        """Play a move of its own in the object itself; returns what its step returned."""
        arguments = list(own) if self.takes_pair and isinstance(own, tuple) else [own]
        if self.takes_player:
            arguments.append(self.form.symbol(player))
        turn = None if self.player is None else self.symbol_of(game)
        answer = getattr(game, self.step)(*arguments)
        if isinstance(answer, type(game)):
            game = answer
        if self.switch is not None and self.symbol_of(game) == turn:
            getattr(game, self.switch)()
        elif self.takes_player and self.can_choose_opener and self.player is not None:
            self.give_turn(game, -player)
        return answer

    def position(
        self, game: Any, player: int, answer: Any = None, before: Snapshot | None = None
    ) -> Snapshot:
        """What ``game`` says; ``player`` made the last move, or is to move without ``before``."""
        cells, mover = self.cells_of(game), player if before else -player
        own = self.own_moves(game)
        winner = self.winner_of(game, mover, answer)
        said_done = self.done is not None and _is_true(ask(game, self.done))
        if said_done or winner is not None or not own or _told_done(answer):
            if winner is None:
                winner = self._last_words(game, mover, answer)
            line = self._line_of(game, answer) if winner else None
            return Snapshot(game, cells, player, winner, {}, _placed(before, cells), line)
        if self.player is not None and not (self.takes_player and not self.switch):
            to_move = self.form.symbols.get(self.symbol_of(game), -mover)
        else:
            to_move = -mover
        moves = self._numbered(own, game, to_move)
        return Snapshot(
            game, cells, to_move, None, dict(sorted(moves.items())), _placed(before, cells)
        )

    def _numbered(self, own: list[Any], game: Any, player: int) -> dict[int, Any]:
        """The legal moves by their numbers; raises `GameError` if two have the same number."""
        moves: dict[int, Any] = {}
        for move in own:
            number = self.index_of(move, game, player)
            if moves.setdefault(number, move) != move:
                raise GameError(
                    f"its moves {shown(moves[number])} and {shown(move)} lead to the same cell; "
                    "moves from one cell to another need a class on BaseGameEnv"
                )
        return moves

    def index_of(self, own: Any, game: Any, player: int) -> int:
        """The number of a move that the class wrote."""
        number, cells = self.number(own), self.form.rows * self.form.cols
        if number is None:
            if self.cell_of.get(own) is None:  # unknown, or it put down nothing elsewhere
                self.cell_of[own] = self._cell_of(own, game, player)
            cell = self.cell_of[own]
            number = cells if cell is None else cell
        self.passes = self.passes or number == cells
        return number

    def _cell_of(self, own: Any, game: Any, player: int) -> int | None:
        """The empty cell where a move puts a piece; ``None`` if it changes nothing: a pass."""
        after, _ = self.play_own(game, own, player)
        before, cells = self.cells_of(game), self.cells_of(after)
        new = np.flatnonzero((before == 0) & (cells != 0))
        if not new.size and not np.array_equal(before, cells):
            raise GameError(
                f"its move {shown(own)} changes pieces and puts none on an empty cell; such moves "
                "need a class on BaseGameEnv"
            )
        return int(new[0]) if new.size else None

    def number(self, own: Any) -> int | None:
        """The number of a move that can be computed, ``None`` for other kinds of moves."""
        if own is None or own in ("pass", -1):
            return self.form.rows * self.form.cols
        return self.form.number(own)

    # -------------------------------------------------------------------- results

    def winner_of(self, game: Any, mover: int, answer: Any = None) -> int | None:
        """The player who has won, ``None`` if nobody has (yet)."""
        if self.winner is not None:
            return self.who(ask(game, self.winner), mover)
        if self.has_won is not None:
            check = getattr(game, self.has_won)
            table = (
                self.form.marks if self.winners_are_marks else self.form.symbols or self.form.marks
            )
            names = {side: name for name, side in table.items()}
            sides = (side for side in (mover, -mover) if _is_true(check(names[side])))
            return next(sides, None)
        told = _info(answer)
        return self.who(told["winner"], mover) if "winner" in told else None

    def _last_words(self, game: Any, mover: int, answer: Any) -> int:
        """The result of a game that is over although nobody has said who won."""
        if self.result is not None:
            opener = next((name for name, side in self.form.symbols.items() if side == 1), 1)
            try:
                result = getattr(game, self.result)(opener)
            except Exception as error:
                if self.done is not None and not _is_true(ask(game, self.done)):
                    raise GameError(
                        f"it names no legal move, although its {self.done} says that the game "
                        "goes on: one of the two is wrong"
                    ) from error
                raise
            return int(np.sign(float(result)))
        if self.rewards is not None and isinstance(answer, tuple):
            return int(np.sign(float(answer[1]))) * (mover if self.rewards == "mover" else 1)
        return 0

    def _names_of_winners(self) -> tuple[Mapping[Hashable, int], Mapping[Hashable, int]]:
        """Names of players, those first by which winners are named."""
        marks, symbols = self.form.marks, self.form.symbols
        return (marks, symbols) if self.winners_are_marks or not symbols else (symbols, marks)

    def who(self, name: Any, mover: int) -> int | None:
        """The player whom a class means by ``name``; ``True`` is the player who has just moved."""
        name = name.item() if isinstance(name, np.generic) else plain_symbol(name)
        if name is None:
            return None
        for table in self._names_of_winners():
            for known, side in table.items():
                if type(known) is type(name) and _folded(known) == _folded(name):
                    return side
        return mover if name is True else None

    def _line_of(self, game: Any, answer: Any) -> tuple[int, ...] | None:
        """The cells that won, if the class tells them."""
        told = [_info(answer).get(name) for name in ("winning_line", "line", "winning_cells")]
        if self.line is not None:
            told.insert(0, ask(game, self.line))
        for line in told:
            try:
                cells = [
                    int(entry[0]) * self.form.cols + int(entry[1]) if np.ndim(entry) else int(entry)
                    for entry in line or ()
                ]
            except (TypeError, ValueError, IndexError):
                continue
            if cells and all(0 <= cell < self.form.rows * self.form.cols for cell in cells):
                return tuple(sorted(cells))
        return None

    def write(self, cells: Board, player: int) -> Any:
        """A copy of the start with another board; raises `AttributeError` if it has no setter."""
        game = self.copy_of(self.start)
        if callable(getattr(game, self.board)):
            raise AttributeError(f"{self.board} is a method")
        setattr(game, self.board, self.form.write(cells))
        self.give_turn(game, player)
        return game


def plain_symbol(symbol: Any) -> Hashable:
    """A player as something that compares equal in copies: a number, a text, an enum.

    A player who is an object is known by its ``symbol``, ``mark``, ``piece`` or ``name``.
    """
    if isinstance(symbol, np.generic):
        plain: Hashable = symbol.item()
        return plain
    if symbol is None or isinstance(symbol, (str, int, float)):
        return symbol
    for name in ("symbol", "mark", "piece", "name"):
        value = getattr(symbol, name, None)
        if isinstance(value, (str, int)):
            return value
    return repr(symbol)


def listed_moves(moves: Any) -> list[Any]:
    """Legal moves as a list, from whatever holds them; a list of truth values is a mask."""
    listed = [plain_move(move) for move in moves]
    if listed and all(isinstance(move, bool) for move in listed):
        return [k for k, legal in enumerate(listed) if legal]
    return listed


def plain_move(move: Any) -> Any:
    """A move as something that compares equal: no NumPy, and tuples instead of lists."""
    if isinstance(move, np.generic):
        return move.item()
    return tuple(map(plain_move, move)) if isinstance(move, (list, tuple, np.ndarray)) else move


def holds(check: Any, *move: int) -> bool:
    """Whether a method of the class says that a move is legal."""
    try:
        return _is_true(check(*move))
    except Exception:  # a class may fail for cells off the board
        return False


def _is_true(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_, int)) and bool(value)


def _info(answer: Any) -> dict[str, Any]:
    parts = answer if isinstance(answer, tuple) else (answer,)
    return next((part for part in parts if isinstance(part, dict)), {})


def _told_done(answer: Any) -> bool:
    """Whether a step returned ``(board, reward, True, …)``."""
    if not isinstance(answer, tuple) or len(answer) < 3:
        return False
    return any(isinstance(part, (bool, np.bool_)) and bool(part) for part in answer[2:4])


def _folded(name: Hashable) -> Hashable:
    return name.strip().lower() if isinstance(name, str) else name


def _placed(before: Snapshot | None, cells: Board) -> int | None:
    """The cell of the new piece, else that of the piece before it."""
    if before is None:
        return None
    new = np.flatnonzero((before.cells == 0) & (cells != 0))
    return int(new[0]) if new.size else before.last
