"""What a compiled rule set must know of a game: pure data, no Numba.

An environment describes itself with one of these; `kernels.rules.compiled_rules`
turns the description into machine code, or says that no kernel fits.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineSpec:
    """k in a row on a grid of ``rows`` × ``cols`` cells, cell index = row · cols + col.

    With ``gravity`` a move is a column and the stone falls to the lowest free row (row 0);
    without it a move is a cell. With ``exactly`` a longer row than ``win_length`` does not win.
    """

    rows: int
    cols: int
    win_length: int
    gravity: bool = False
    exactly: bool = False

    @property
    def num_moves(self) -> int:
        """Size of the move space: moves are 0 … num_moves − 1."""
        return self.cols if self.gravity else self.rows * self.cols


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
        """Size of the move space, the pass included."""
        return self.size * self.size + 1


Spec = LineSpec | ReversiSpec
