"""Descriptions of games for compiled rules: pure data, no Numba.

An environment describes itself with one of these; `kernels.rules.compiled.compiled_rules`
turns the description into machine code, or returns ``None`` if no kernel fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class LineRule:
    """Which rows of stones win: how much longer or shorter than the length of a board they may be.

    A row of n stones wins where k in a row are asked for if k + ``least`` ≤ n ≤ k + ``most``;
    without ``most`` every longer row wins, too.

    >>> STANDARD.wins(5, 5), STANDARD.wins(6, 5), FREESTYLE.wins(6, 5)
    (True, False, True)

    Attributes:
        name: one word, by which games and files call it.
        words: the rule in words, for five in a row.
        number: its number in the Gomocup protocol and in our files of Gomoku.
    """

    name: str
    words: str
    number: int
    least: int = 0
    most: int | None = None

    def wins(self, stones: Any, length: int) -> Any:
        """Whether a row of so many stones (a number or an array) wins where ``length`` do."""
        enough = stones >= length + self.least
        return enough if self.most is None else enough & (stones <= length + self.most)

    def compiled(self, length: int) -> tuple[int, bool] | None:
        """The rule in the terms of `LineSpec`, length and ``exactly``; ``None`` if it has none."""
        if self.most is None or self.most == self.least:
            return length + self.least, self.most is not None
        return None


FREESTYLE = LineRule("freestyle", "five or more", 0)
STANDARD = LineRule("standard", "exactly five", 1, most=0)


@dataclass(frozen=True, slots=True)
class LineSpec:
    """k in a row on a grid of ``rows`` × ``cols`` cells, cell index = row · cols + col.

    With ``gravity`` a move is a column, and the stone falls to its lowest free row (row 0 is the
    bottom); without it a move is a cell. With ``exactly`` a line longer than ``win_length`` does
    not win.
    """

    rows: int
    cols: int
    win_length: int
    gravity: bool = False
    exactly: bool = False

    @property
    def num_moves(self) -> int:
        """The size of the move space: moves are 0 … num_moves − 1."""
        return self.cols if self.gravity else self.rows * self.cols

    @property
    def flips(self) -> bool:
        """Whether a move changes the colour of other stones."""
        return False

    @property
    def free_cells_are_moves(self) -> bool:
        """Whether a move is a cell, and every free cell a legal move."""
        return not self.gravity


@dataclass(frozen=True, slots=True)
class ReversiSpec:
    """Reversi on ``size`` × ``size`` cells; the move ``size · size`` is the pass."""

    size: int

    @property
    def rows(self) -> int:
        """Rows of the board."""
        return self.size

    @property
    def cols(self) -> int:
        """Columns of the board."""
        return self.size

    @property
    def num_moves(self) -> int:
        """The size of the move space, the pass included."""
        return self.size * self.size + 1

    @property
    def flips(self) -> bool:
        """Whether a move changes the colour of other stones."""
        return True

    @property
    def free_cells_are_moves(self) -> bool:
        """Whether a move is a cell, and every free cell a legal move."""
        return False


KernelSpec = LineSpec | ReversiSpec

#: The most columns that the exact Connect Four solver supports.
MOST_COLUMNS = 16


def fits_connect_four_solver(spec: KernelSpec | None) -> bool:
    """Whether the solver supports a board: four in a row with gravity, sentinels in 64 bits."""
    if not isinstance(spec, LineSpec):
        return False
    four_falling = spec.gravity and spec.win_length == 4 and not spec.exactly
    in_a_word = spec.cols * (spec.rows + 1) <= 64
    return four_falling and in_a_word and spec.cols <= MOST_COLUMNS


@dataclass(frozen=True, slots=True)
class LineWeights:
    """The weights of a line game's heuristic; own patterns add, the opponent's subtract.

    A window is ``win_length`` cells in line without a stone of the other side. An open window is
    one cell longer, its end cells are empty and its inner cells hold no stone of the other side:
    once complete it wins at either end.

    Attributes:
        windows: points for a window that lacks 1, 2, … stones.
        open_windows: points for an open window whose inner cells lack 0, 1, … stones.
        enemy_threat: points for an opponent's window that lacks 1 stone, if different from own.
        centre: points for a piece in the middle column (or the two middle columns).
        scale: the number of points that make a value of 1.
    """

    windows: tuple[int, ...]
    scale: int
    open_windows: tuple[int, ...] = ()
    enemy_threat: int | None = None
    centre: int = 0


@dataclass(frozen=True, slots=True)
class ReversiWeights:
    """The weights of the Reversi heuristic; own points add, the opponent's subtract.

    Attributes:
        mobility: points for each cell where a disc can be placed.
        corner: points for each corner.
        stable: points for each edge disc in an unbroken row from an own corner, corner included.
        disc: points for each disc once at most a sixth of the board is empty.
        scale: the number of points that make a value of 1.
    """

    mobility: int = 10
    corner: int = 60
    stable: int = 20
    disc: int = 10
    scale: int = 1000


Weights = LineWeights | ReversiWeights
