"""`BaseGameEnv`: the interface of every two-player, zero-sum, perfect-information game.

A game is a deterministic Markov decision process: a position, a side to move, legal moves,
and a result at the end. A new game implements eight methods and inherits the rest; of these eight,
``step`` and the legal moves are enough if the class keeps ``board``, ``current_player``, ``done``
and ``winner`` as its attributes (`envs.derived.methods` fills in the others):

=========  ==================================================================================
mandatory  ``step``, ``get_legal_moves`` or ``get_legal_actions``
by default ``reset`` ``is_terminal`` ``check_win`` ``get_result`` ``copy`` ``get_state_hash``
optional   ``evaluate_heuristic`` ``move_priorities`` ``forced_moves`` ``can_still_win``
           ``symmetries`` ``kernel_spec`` ``landing_cell`` ``winning_moves``
           ``pass_move`` ``from_variant`` ``wins_by_lines``
           ``traits`` (title, pieces, sizes, rules, …, see `envs.traits`)
derived    ``undo`` ``history`` ``name`` ``move_name`` ``line_names``
           ``history_names`` ``parse_move`` ``set_position`` ``render`` ``num_moves``
           ``get_legal_actions`` ``get_state_value`` ``last_cell``
=========  ==================================================================================

Laws, tested by `rl_toolkit.testing.check_game`: undo after step is the identity, hash included; a
copy shares nothing; a refused move changes nothing; symmetric positions have symmetric legal moves;
every name of a move parses back to that move.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs.derived.history import DerivedAttribute, record_history
from rl_toolkit.envs.derived.methods import MANDATORY, deep_copy, judged
from rl_toolkit.envs.derived.own_form import Form, clear_form
from rl_toolkit.envs.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError
from rl_toolkit.envs.symmetry import Symmetry, identity
from rl_toolkit.envs.traits import GameTraits, complete_traits, size_text
from rl_toolkit.envs.validation import Board, as_board, as_move, as_player, as_sides, is_flat, shown
from rl_toolkit.utils import board_viz, position_utils

if TYPE_CHECKING:
    from rl_toolkit.kernels.spec import Spec
    from rl_toolkit.utils.svg.palettes import ThemeName

StepResult = tuple[Board, float, bool, dict[str, Any]]


class BaseGameEnv(ABC):
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

    _board: Board
    current_player: int
    winner = DerivedAttribute[int | None]()
    done = DerivedAttribute[bool]()
    move_count = DerivedAttribute[int]()
    last_move = DerivedAttribute[int | None]()
    winning_line = DerivedAttribute[list[int] | None]()

    #: Whether completing a line wins. If so, a move that would complete one is a threat, which
    #: searches answer before anything else.
    wins_by_lines: ClassVar[bool] = False

    #: Which of the mandatory methods the class supplies; the others are derived.
    _own_methods: ClassVar[frozenset[str]] = frozenset()
    _keeps_own_history = False
    #: See `envs.derived.own_form`; in own form objects are always busy, so that nothing is derived.
    _form: ClassVar[Form] = "base"
    _assigns_own_board: ClassVar[bool] = False
    _is_busy = False
    _made_with: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})
    _is_fresh = False

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """A game without a position; what ``__init__`` may leave out is set here."""
        env = super().__new__(cls)
        if cls._is_partial() or cls._form == "own":
            derived = {"_winner": None, "_done": False, "_last_move": None, "_winning_line": None}
            vars(env).update(derived, _past=[], _seen=None, _move_count=0, current_player=1)
            env._made_with = (args, kwargs)
        return env

    def __init__(self, board_size: int | tuple[int, int]) -> None:
        self.rows, self.cols = as_sides(board_size)
        self.board_size: int | tuple[int, int] = board_size
        self._past: list[tuple[int, BaseGameEnv | None]] = []
        self._seen: Hashable = None
        self.board = np.zeros(self.rows * self.cols, dtype=np.int8)
        self.current_player = 1
        self.winner = None
        self.done = False
        self.move_count = 0
        self.last_move = None
        self.winning_line = None

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
        if self._form == "own":
            return list(self.get_legal_actions())
        return [] if self.is_terminal() else sorted(int(move) for move in self.get_legal_actions())

    def reset(self, first_player: int = 1) -> Board:
        """Set up the starting position with ``first_player`` to move; return a copy of the board.

        A game in which the same side always opens may omit the parameter. By default this makes a
        new game with the same arguments.
        """
        if not self._is_fresh:  # a constructor may call reset
            args, kwargs = self._made_with
            fresh = type(self).__new__(type(self), *args, **kwargs)
            fresh._is_fresh = True
            fresh.__init__(*args, **kwargs)  # type: ignore[misc]
            fresh._is_fresh = False
            vars(self).clear()
            vars(self).update(vars(fresh))
        if self._form != "own":
            self.current_player = as_player(first_player)
        return self.board.copy()

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return bool(self.done)

    def check_win(self, player: int) -> bool:
        """Whether ``player`` has won."""
        return self.winner == as_player(player)

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
    def pass_move(self) -> int | None:
        """The move that passes, ``None`` in a game without passes."""
        return None

    def landing_cell(self, move: int) -> int | None:
        """The cell where a legal ``move`` places a piece, ``None`` if it places none.

        By default this plays the move on a copy; a game may override it for speed.
        """
        after = self.copy()
        after.step(move)
        placed = np.flatnonzero((self.board == 0) & (after.board != 0))
        return int(placed[0]) if placed.size else None

    def evaluate_heuristic(self, player: int) -> float:
        """An estimate of the value for ``player``, in [−1, 1]; the result if the game is over."""
        return self.get_result(player) if self.is_terminal() else 0.0

    def symmetries(self) -> list[Symmetry]:
        """The symmetries of the rules, identity first."""
        return [identity(len(self.board), self.num_moves)]

    def move_priorities(self) -> NDArray[np.int64]:
        """A static priority for each move, larger is better; by default nearer the centre."""
        row, col = np.indices((self.rows, self.cols))
        off_centre = (2 * row - self.rows + 1) ** 2 + (2 * col - self.cols + 1) ** 2
        extra_moves = np.zeros(max(0, self.num_moves - off_centre.size), dtype=np.int64)
        priorities = np.append(off_centre.max() - off_centre.ravel(), extra_moves)
        return priorities[: self.num_moves].astype(np.int64)

    def winning_moves(self, player: int) -> list[int]:
        """The legal moves that would win immediately for ``player``, if it were their turn."""
        game, player = self.copy(), as_player(player)
        if game.current_player != player:
            game.current_player = player
        found = []
        for move in game.get_legal_moves():
            try:
                _, _, done, _ = game.step(move)
            except ValueError:  # the move may be illegal for the side not on turn
                continue
            if done and game.get_result(player) > 0:
                found.append(move)
            game.undo()
        return found

    def forced_moves(self) -> list[int]:
        """Legal moves that include a best one, so that no others need be searched.

        By default all legal moves.
        """
        return self.get_legal_moves()

    def can_still_win(self, player: int) -> bool:
        """``False`` only if ``player`` cannot win any more, however both sides play."""
        return True

    def kernel_spec(self) -> Spec | None:
        """The parameters of the compiled rules for this game, ``None`` if there are none."""
        return None

    # ------------------------------------------------------------------ derived

    @property
    def board(self) -> Board:
        """The board; assigning it, or writing into it, changes the position."""
        return self._board

    @board.setter
    def board(self, board: Any) -> None:
        if self._form == "own":
            self._board = board
            return
        if self._form == "trial":
            type(self)._assigns_own_board |= not is_flat(board)
        if "rows" not in vars(self):  # a class that does not call BaseGameEnv.__init__
            self.rows, self.cols = _sides_of(board)
            vars(self).setdefault("board_size", self._sides)
        # Whatever is assigned (a list, int64, two-dimensional) is stored as a flat int8 copy, so
        # that equal boards have equal bytes and the array is not shared.
        self._board = as_board(board, self.rows * self.cols)
        if not self._is_busy:
            self._seen = None

    @property
    def num_moves(self) -> int:
        """The size of the move space: moves are 0 … num_moves − 1, whether legal now or not."""
        return self.rows * self.cols

    @property
    def board_2d(self) -> Board:
        """The board as a rows × cols copy, row 0 first."""
        return np.array(self.board, dtype=np.int8).reshape(self.rows, self.cols)

    @property
    def history(self) -> list[int]:
        """The moves since the start, or since the board was last assigned; oldest first."""
        self._notice_edits()
        return [move for move, _ in self._past]

    def undo(self) -> int:
        """Take back the last move and return it."""
        self._notice_edits()
        if not self._past:
            raise IllegalMoveError("there is no move to take back")
        past = self._past
        move, before = past[-1]
        if before is None:
            raise TypeError(f"{type(self).__name__} has its own undo: no snapshot was kept")
        past.pop()
        vars(self).clear()
        vars(self).update(vars(before.copy()))  # copies of this game may hold the snapshot too
        self._past = past
        self._seen = self._fingerprint()
        return move

    def must_pass(self) -> bool:
        """Whether passing is the only legal move."""
        return self.pass_move is not None and self.get_legal_moves() == [self.pass_move]

    @property
    def last_cell(self) -> int | None:
        """The cell index of the last piece placed, or ``None``; courses call it `last_move`."""
        return self.last_move

    def piece_count(self, player: int) -> int:
        """The number of pieces ``player`` has on the board."""
        return int(np.count_nonzero(self.board == as_player(player)))

    def get_legal_actions(self) -> list[int]:
        """The same as `get_legal_moves`; a class may supply either of the two."""
        return self.get_legal_moves()

    def get_state_value(self) -> Hashable:
        """An older name of `get_state_hash`."""
        return self.get_state_hash()

    def move_name(self, move: int) -> str:
        """The move as people write it: ``b2``."""
        move = as_move(move)
        if not 0 <= move < self.num_moves:
            raise InvalidMoveError(
                f"{shown(move)} is not a move: moves run from 0 to {self.num_moves - 1}"
            )
        if move < self.rows * self.cols:
            return position_utils.cell_name(move, self.rows, self.cols)
        return str(move)

    def line_names(self, moves: Iterable[int]) -> list[str]:
        """The names of moves that are played one after the other from here.

        They are `move_name` of each, except in a game whose names depend on the position.
        """
        return [self.move_name(move) for move in moves]

    def history_names(self) -> list[str]:
        """The names of the moves in `history`."""
        return [self.move_name(move) for move in self.history]

    def parse_move(self, text: str) -> int:
        """The move that ``text`` names: ``b2``, an index ``4``, or ``row col`` counted from 1.

        Row and column are separated by a blank or a comma: ``2 3``, ``2,3``.

        Raises `InvalidMoveError` for text that names no move. The move need not be legal.
        """
        if not isinstance(text, str):
            raise InvalidMoveError(f"the name of a move is text, not {shown(text)}")
        word = text.strip().lower()
        shape = (self.rows, self.cols)
        try:
            if re.fullmatch(r"[0-9]{1,9}", word):
                self.move_name(int(word))
                return int(word)
            if pair := re.fullmatch(r"([0-9]{1,4})(?:\s*,\s*|\s+)([0-9]{1,4})", word):
                row, col = int(pair[1]) - 1, int(pair[2]) - 1
                return position_utils.tuple_to_index((row, col), shape)
            return position_utils.algebraic_to_index(word, shape)
        except ValueError as error:
            corner = position_utils.index_to_algebraic(self.rows * self.cols - 1, shape)
            last = self.num_moves - 1 - (self.pass_move is not None)
            raise InvalidMoveError(
                f"{shown(text)} is not a move here; use a1-{corner}, 0-{last}, or row col"
            ) from error

    def as_played(self, move: object) -> int:
        """``move`` as a number: a whole number, or the name of a move.

        Digits alone are not a name: ``"4"`` is b2 in one game and column d in another.
        """
        if not isinstance(move, str):
            return as_move(move)
        if move.strip().isdigit():
            raise InvalidMoveError(
                f"{shown(move)} is not the name of a move; use a name such as "
                f"{self.move_name(self.num_moves // 2)!r}, or a number without quotes"
            )
        return self.parse_move(move)

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
        self._recompute()

    def render(self, mode: str = "human") -> str | None:
        """Print the board (``mode="human"``) or return it as text (``mode="ansi"``)."""
        if mode not in ("human", "ansi"):
            raise ValueError(f"render mode is 'human' or 'ansi', not {shown(mode)}")
        text = self._as_text()
        if mode == "ansi":
            return text
        print(text)  # noqa: T201 - the one place below the front ends that prints
        return None

    def _as_text(self) -> str:
        if self.traits.row_one_at == "top":
            return board_viz.render_board_ascii(self.board_2d)
        return board_viz.render_board_plain(self.board_2d, row_one_at="bottom")

    def to_svg(self, theme: ThemeName = "light") -> str:
        """The position as an SVG picture, with the last move and the winning line marked."""
        return board_viz.render_board_svg(
            self.board_2d,
            style=self.traits.style,
            row_one_at=self.traits.row_one_at,
            last_move=self.last_move,
            winning_line=self.winning_line,
            theme=theme,
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        to_move = f"{self.traits.side(self.current_player)} to move"
        state = "over" if self.is_terminal() else to_move
        return f"<{self.name}: {self.move_count} moves played, {state}>"

    def __str__(self) -> str:
        """The board as text, so that ``print(env)`` shows it."""
        return self._as_text()

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

    # ---------------------------------------------------- history, see `envs.derived.history`

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls._keeps_own_history:
            clear_form(cls)
        own = {name for name in MANDATORY if getattr(cls, name) is not getattr(BaseGameEnv, name)}
        cls._own_methods = frozenset(own)
        lists_moves = cls.get_legal_actions is not BaseGameEnv.get_legal_actions
        if "get_legal_moves" not in own and not lists_moves:
            raise TypeError(
                f"{cls.__name__} does not say which moves are legal; "
                "give it get_legal_moves(self), a method that returns a list of numbers"
            )
        if "traits" in vars(cls):
            cls._declared_traits = cls.traits
        cls.traits = complete_traits(cls, BaseGameEnv.evaluate_heuristic)
        if not cls._keeps_own_history:
            record_history(cls, vars(BaseGameEnv))

    @classmethod
    def _is_partial(cls) -> bool:
        """Whether some of the mandatory methods are derived."""
        return len(cls._own_methods) < len(MANDATORY)

    def _fingerprint(self) -> Hashable:
        return np.asarray(self.board).tobytes(), self.current_player

    def _notice_edits(self) -> None:
        """Recompute the state if the board or the player was changed from outside."""
        if not self._is_busy and self._seen != self._fingerprint():
            self._recompute()

    def _recompute(self) -> None:
        """Compute the state of the game from board and player, and clear the history."""
        self._past = []
        self._seen = self._fingerprint()
        self.winner, self.done = None, False
        self.last_move, self.winning_line = None, None
        self.move_count = int(np.count_nonzero(self.board))
        player = self.current_player
        if self._is_partial() and "check_win" not in self._own_methods:
            self.winner = judged(self)
        else:
            self.winner = next((side for side in (-player, player) if self.check_win(side)), None)
        if self.winner is None and not self.get_legal_moves():
            self.winner = 0
        self.done = self.winner is not None


def _sides_of(board: Any) -> tuple[int, int]:
    """Rows and columns of a board: those of a table, or of a square, or one row."""
    shape = np.shape(board)
    if len(shape) == 2:
        return as_sides(shape)
    cells = int(np.prod(shape))
    side = round(cells**0.5)
    return as_sides(side if side * side == cells else (1, cells))
