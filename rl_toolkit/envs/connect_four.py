"""Connect Four of any size: a move is a column, and the piece falls.

Row 0 is the bottom row, so cell index = row · cols + col and ``a1`` is bottom left::

    6 | 35 36 37 38 39 40 41
      |  …
    2 |  7  8  9 10 11 12 13
    1 |  0  1  2  3  4  5  6
         a  b  c  d  e  f  g      moves 0 … 6, typed as a letter or as 1 … 7
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs.bases.line_game import LineGame, board_fields, checked_win_length
from rl_toolkit.envs.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError
from rl_toolkit.envs.symmetry import Symmetry, column_symmetries
from rl_toolkit.envs.traits import FamousPosition, GameTraits
from rl_toolkit.envs.validation import Board, as_move, as_sides, read_numbers, shown
from rl_toolkit.kernels.spec import LineSpec


class ConnectFour(LineGame):
    """``win_length`` in a row on ``rows`` × ``cols`` cells, with gravity.

    The heuristic counts, for every window of ``win_length`` cells, 100 if all but one are own and
    that one is empty, 10 if all but two are own and these are empty, and the same as a penalty for
    the opponent; each piece in the centre column counts 3. The sum is divided by 100 × cells.
    `careful` counts 120 for the opponent's threats instead.

    >>> env = ConnectFour()
    >>> for column in "dddd":
    ...     _ = env.step(env.parse_move(column))
    >>> env._find_lowest_row(3), env.last_move, env.winner
    (4, 24, None)
    """

    traits = GameTraits(
        aliases=(
            *("connect4", "connect-4", "connectfour", "c4", "four-in-a-row"),
            *("puissance-4", "puissance4"),
        ),
        pieces=("Red", "Yellow"),
        style="discs",
        row_one_at="bottom",
        move_by="column",
        fields=board_fields(6, 7, 4),
        variant="{rows}x{cols}x{length}",
        variants="or connect-four-6x8x4, rows x columns x length",
        preview="d d e c e e d f c d c b f g f",
        example="4453",
        rules=(
            "Players take turns to drop a disc into a column; it falls to the lowest empty cell.",
            "The first to connect four in a row, column or diagonal wins.",
            "A full board without four in a row is a draw.",
        ),
        pictures=(
            "d d e",
            "d e e f f g f g g a g",
            "f e f a g c e f f a e b b a e f g f d b b c c g c g g d g c a d a d d e d b e c b a",
        ),
        famous=(
            FamousPosition(
                title="The first move",
                moves="",
                result=1,
                best=("d",),
                sentence="Connect Four is won by the first player, and the centre is the only "
                "move that does it.",
            ),
            FamousPosition(
                title="The open three",
                moves="d d e e",
                result=1,
                best=("c", "f"),
                sentence="Three in a row on the ground with both ends free cannot be stopped.",
            ),
            FamousPosition(
                title="Beside the centre",
                moves="d c",
                result=1,
                best=("f",),
                sentence="The centre would have lost more slowly; one move wins fastest.",
            ),
            FamousPosition(
                title="The last quiet column",
                moves="e a g f g f f a a d e d b d c b d d e e e a f f b d a g c a f e g",
                result=1,
                best=("c",),
                sentence="Three columns are left. Two of them give the game away at once, the "
                "third wins: the side that runs out of quiet moves loses.",
            ),
        ),
    )

    def __init__(self, rows: int = 6, cols: int = 7, win_length: int = 4) -> None:
        rows, cols = as_sides((rows, cols))
        super().__init__((rows, cols), checked_win_length(win_length, rows, cols))
        self.board_size = rows * cols
        self.heuristic_weights = replace(self.heuristic_weights, centre=3)

    @classmethod
    def from_variant(cls, variant: str) -> Self | None:
        """``6x8`` or ``6x8x5``: rows, columns and the number in a row that wins."""
        if not variant:
            return cls()
        numbers = read_numbers(variant, (2, 3))
        return None if numbers is None else cls(*numbers)

    @property
    def name(self) -> str:
        """``connect-four``, or ``connect-four-ROWSxCOLSxLENGTH`` for other boards."""
        shape = (self.rows, self.cols, self.win_length)
        name = self.traits.name
        return name if shape == (6, 7, 4) else "{}-{}x{}x{}".format(name, *shape)

    @property
    def num_moves(self) -> int:
        """One move per column."""
        return self.cols

    def _find_lowest_row(self, col: int) -> int | None:
        """The row where a piece dropped into column ``col`` lands, ``None`` if it is full."""
        self._check_column(col)
        for row in range(self.rows):
            if not self._board[row * self.cols + col]:
                return row
        return None

    def _check_column(self, col: int) -> None:
        if not 0 <= as_move(col) < self.cols:
            raise IllegalMoveError(
                f"column {shown(col)} is off the board: columns run from 0 to {self.cols - 1}"
            )

    def open_moves(self) -> list[int]:
        """The columns that are not full."""
        top_row = self._board[-self.cols :]
        open_columns: list[int] = np.flatnonzero(top_row == 0).tolist()
        return open_columns

    def landing(self, move: int) -> tuple[int | None, list[int]]:
        """The lowest empty cell of the column; nothing is flipped."""
        row = self._find_lowest_row(move)
        if row is None:
            raise IllegalMoveError(f"column {self.move_name(move)} is full")
        return row * self.cols + move, []

    def _check_reachable(self, cells: Board) -> None:
        super()._check_reachable(cells)
        grid = cells.reshape(self.rows, self.cols)
        floating = np.argwhere((grid[1:] != 0) & (grid[:-1] == 0))
        if floating.size:
            row, col = floating[0]
            square = f"{chr(ord('a') + col)}{row + 2}"
            raise InvalidPositionError(f"the piece on {square} floats: the cell below it is empty")

    # --------------------------------------------------------------------- names

    names_vary = False

    def move_name(self, move: int) -> str:
        """The letter of the column: ``d``."""
        move = as_move(move)
        if not 0 <= move < self.cols:
            raise InvalidMoveError(
                f"{shown(move)} is not a column: columns run from 0 to {self.cols - 1}"
            )
        return chr(ord("a") + move)

    def parse_move(self, text: str) -> int:
        """The column that ``text`` names: a letter, a number from 1, or the square of the piece."""
        word = text.strip().lower() if isinstance(text, str) else ""
        col = -1
        if re.fullmatch(r"[0-9]{1,4}", word):
            col = int(word) - 1
        elif match := re.fullmatch(r"([a-z])([0-9]{1,4})?", word):
            col = ord(match[1]) - ord("a")
            if match[2] and 0 <= col < self.cols:
                self._check_square(col, int(match[2]) - 1, text)
        if not 0 <= col < self.cols:
            raise InvalidMoveError(
                f"{shown(text)} is not a move here; moves are columns, "
                f"a-{self.move_name(self.cols - 1)} or 1-{self.cols}"
            )
        return col

    def _check_square(self, col: int, row: int, text: str) -> None:
        landing = self._find_lowest_row(col)
        if row != landing:
            column = self.move_name(col)
            full, lands = f"column {column} is full", f"it would land on {column}"
            why = full if landing is None else f"{lands}{landing + 1}"
            raise InvalidMoveError(f"a piece cannot land on {shown(text)} now: {why}")

    # -------------------------------------------------------------------- extras

    def careful(self) -> Self:
        """Make the heuristic count the opponent's threats more than own ones; return the game."""
        self.heuristic_weights = replace(self.heuristic_weights, enemy_threat=120)
        return self

    def symmetries(self) -> list[Symmetry]:
        """The board and its mirror image."""
        return column_symmetries(self.rows, self.cols)

    def move_priorities(self) -> NDArray[np.int64]:
        """Columns nearer the centre first."""
        off_centre = np.abs(2 * np.arange(self.cols, dtype=np.int64) - self.cols + 1)
        return np.asarray(off_centre.max() - off_centre)

    def kernel_spec(self) -> LineSpec:
        """The parameters of the compiled rules."""
        return LineSpec(self.rows, self.cols, self.win_length, gravity=True)
